//! OpenAI's chat completions and embeddings, as others speak them too.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Ask, Reply, Unread, parse};

pub fn chat(model: &str, ask: &Ask) -> (String, Value) {
    let mut body = json!({
        "model": model,
        "messages": [{"role": "system", "content": ask.system}, {"role": "user", "content": ask.user}],
        "stream": false,
    });
    if ask.newest {
        body["max_completion_tokens"] = ask.max_tokens.into();
    } else {
        body["max_tokens"] = ask.max_tokens.into();
        body["temperature"] = 0.into();
    }
    if let Some(schema) = ask.schema {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": true, "schema": schema},
        });
    }
    ("/chat/completions".to_string(), body)
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    choices: Vec<Choice>,
    model: Option<String>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<Content>,
}

/// Some servers answer in parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: String,
}

#[derive(Default, Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: u32,
    #[serde(default)]
    completion_tokens: u32,
}

pub fn read_chat(body: &[u8]) -> Result<Reply, Unread> {
    let response: Response = parse(body)?;
    let choice = response.choices.into_iter().next().ok_or(Unread::Empty)?;
    let text = match choice.message.content {
        None => return Err(Unread::Empty),
        Some(Content::Text(text)) => text,
        Some(Content::Parts(parts)) => parts.into_iter().map(|part| part.text).collect(),
    };
    let usage = response.usage.unwrap_or_default();
    Ok(Reply {
        text,
        model: response.model,
        prompt_tokens: usage.prompt_tokens,
        answer_tokens: usage.completion_tokens,
    })
}

pub fn embed(model: &str, texts: &[&str], dimensions: Option<u32>) -> (String, Value) {
    let mut body = json!({"model": model, "input": texts, "encoding_format": "float"});
    if let Some(dimensions) = dimensions {
        body["dimensions"] = dimensions.into();
    }
    ("/embeddings".to_string(), body)
}

#[derive(Deserialize)]
struct Embeddings {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

pub fn read_embed(body: &[u8]) -> Result<Vec<Vec<f32>>, Unread> {
    let mut data = parse::<Embeddings>(body)?.data;
    // Servers may answer in any order.
    data.sort_by_key(|item| item.index);
    match data.iter().enumerate().all(|(place, item)| place == item.index) {
        true => Ok(data.into_iter().map(|item| item.embedding).collect()),
        false => Err(Unread::Bad),
    }
}
