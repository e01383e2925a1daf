//! Ollama's own /api/chat and /api/embed.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Ask, Reply, Unread, parse};
use crate::tokens::{Tokenizer, estimate};

pub fn chat(model: &str, ask: &Ask) -> (String, Value) {
    let mut body = json!({
        "model": model,
        "messages": [{"role": "system", "content": ask.system}, {"role": "user", "content": ask.user}],
        "stream": false,
        "options": {"temperature": 0, "num_predict": ask.max_tokens, "num_ctx": window(ask)},
    });
    if let Some(schema) = ask.schema {
        body["format"] = schema.clone();
    }
    ("/api/chat".to_string(), body)
}

/// Ollama cuts a prompt that exceeds its window without a word, and its default is a few thousand tokens. Powers of
/// two, because another window makes it load the model again; half as much again, because its tokens are not ours.
fn window(ask: &Ask) -> usize {
    let needed = estimate(ask.system, Tokenizer::Any) + estimate(ask.user, Tokenizer::Any) + ask.max_tokens as usize;
    (needed * 3 / 2).next_power_of_two().clamp(4_096, 32_768)
}

#[derive(Deserialize)]
struct Response {
    model: Option<String>,
    message: Option<Message>,
    #[serde(default)]
    prompt_eval_count: u32,
    #[serde(default)]
    eval_count: u32,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: String,
}

pub fn read_chat(body: &[u8]) -> Result<Reply, Unread> {
    let response: Response = parse(body)?;
    Ok(Reply {
        text: response.message.ok_or(Unread::Empty)?.content,
        model: response.model,
        prompt_tokens: response.prompt_eval_count,
        answer_tokens: response.eval_count,
    })
}

pub fn embed(model: &str, texts: &[&str], dimensions: Option<u32>) -> (String, Value) {
    let mut body = json!({"model": model, "input": texts, "truncate": true});
    if let Some(dimensions) = dimensions {
        body["dimensions"] = dimensions.into();
    }
    ("/api/embed".to_string(), body)
}

#[derive(Deserialize)]
struct Embeddings {
    embeddings: Vec<Vec<f32>>,
}

pub fn read_embed(body: &[u8]) -> Result<Vec<Vec<f32>>, Unread> {
    Ok(parse::<Embeddings>(body)?.embeddings)
}
