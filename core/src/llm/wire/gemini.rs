//! Gemini's generateContent and batchEmbedContents.

use std::fmt::Write;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Ask, Reply, Unread, parse};

pub fn chat(model: &str, ask: &Ask) -> (String, Value) {
    let mut config = json!({"temperature": 0, "maxOutputTokens": ask.max_tokens});
    if let Some(schema) = ask.schema {
        config["responseMimeType"] = "application/json".into();
        config["responseSchema"] = subset(schema);
    }
    let body = json!({
        "systemInstruction": {"parts": [{"text": ask.system}]},
        "contents": [{"role": "user", "parts": [{"text": ask.user}]}],
        "generationConfig": config,
    });
    (path(model, "generateContent"), body)
}

/// The model is part of the path: whatever it holds stays within its segment.
fn path(model: &str, verb: &str) -> String {
    let mut path = String::from("/models/");
    for byte in bare(model).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => path.push(char::from(byte)),
            _ => {
                let _ = write!(path, "%{byte:02X}");
            }
        }
    }
    path.push(':');
    path.push_str(verb);
    path
}

fn bare(model: &str) -> &str {
    model.strip_prefix("models/").unwrap_or(model)
}

/// Gemini knows a part of JSON schema: types in capitals, `nullable` for a type that may be null, and no word on
/// additional properties.
fn subset(schema: &Value) -> Value {
    let Value::Object(fields) = schema else {
        return schema.clone();
    };
    let mut kept = Map::new();
    for (name, value) in fields {
        match name.as_str() {
            "type" => {
                let named = |value: &Value| value.as_str().filter(|name| *name != "null").map(str::to_uppercase);
                match value {
                    Value::Array(several) => {
                        kept.insert(name.clone(), several.iter().find_map(named).into());
                        let nullable = several.iter().any(|one| one.as_str() == Some("null"));
                        if nullable {
                            kept.insert("nullable".to_string(), true.into());
                        }
                    }
                    one => {
                        kept.insert(name.clone(), named(one).into());
                    }
                }
            }
            "properties" => {
                let inner = value.as_object().into_iter().flatten();
                let inner: Map<String, Value> = inner.map(|(name, value)| (name.clone(), subset(value))).collect();
                kept.insert(name.clone(), inner.into());
            }
            "items" => {
                kept.insert(name.clone(), subset(value));
            }
            "required" | "enum" | "description" | "minimum" | "maximum" | "maxItems" => {
                kept.insert(name.clone(), value.clone());
            }
            _ => {}
        }
    }
    kept.into()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(default)]
    candidates: Vec<Candidate>,
    model_version: Option<String>,
    usage_metadata: Option<Usage>,
}

#[derive(Deserialize)]
struct Candidate {
    content: Option<Content>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: String,
    /// What the model thought on its way.
    #[serde(default)]
    thought: bool,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Usage {
    #[serde(default)]
    prompt_token_count: u32,
    #[serde(default)]
    candidates_token_count: u32,
    #[serde(default)]
    thoughts_token_count: u32,
}

pub fn read_chat(body: &[u8]) -> Result<Reply, Unread> {
    let response: Response = parse(body)?;
    let candidate = response.candidates.into_iter().next().ok_or(Unread::Empty)?;
    let parts = candidate.content.ok_or(Unread::Empty)?.parts;
    let usage = response.usage_metadata.unwrap_or_default();
    Ok(Reply {
        text: parts
            .into_iter()
            .filter(|part| !part.thought)
            .map(|part| part.text)
            .collect(),
        model: response.model_version,
        prompt_tokens: usage.prompt_token_count,
        answer_tokens: usage.candidates_token_count.saturating_add(usage.thoughts_token_count),
    })
}

pub fn embed(model: &str, texts: &[&str], dimensions: Option<u32>) -> (String, Value) {
    let name = format!("models/{}", bare(model));
    let request = |text: &&str| {
        let mut request = json!({"model": name, "content": {"parts": [{"text": text}]}});
        if let Some(dimensions) = dimensions {
            request["outputDimensionality"] = dimensions.into();
        }
        request
    };
    let requests: Vec<Value> = texts.iter().map(request).collect();
    (path(model, "batchEmbedContents"), json!({"requests": requests}))
}

#[derive(Deserialize)]
struct Embeddings {
    embeddings: Vec<Values>,
}

#[derive(Deserialize)]
struct Values {
    values: Vec<f32>,
}

pub fn read_embed(body: &[u8]) -> Result<Vec<Vec<f32>>, Unread> {
    let embeddings = parse::<Embeddings>(body)?.embeddings;
    Ok(embeddings.into_iter().map(|one| one.values).collect())
}
