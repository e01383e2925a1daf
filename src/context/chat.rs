//! Stored messages as an OpenAI-style API takes them.

use serde_json::{Map, Value};

use crate::store::messages::Message;

/// What a tool said must follow the call that it answers there; when the call is not in the window it is told as the user's side of the conversation, marked as what it is.
pub fn chat_messages(messages: &[Message]) -> Vec<Value> {
    let mut calls: Vec<Value> = Vec::new();
    let mut chat = Vec::with_capacity(messages.len());
    for message in messages {
        let message = chat_message(message, &calls);
        if let Some(made) = message.get("tool_calls").and_then(Value::as_array) {
            calls.extend(made.iter().filter_map(|call| call.get("id").cloned()));
        }
        chat.push(message);
    }
    chat
}

/// `calls` are the ids of the tool calls before this message.
fn chat_message(message: &Message, calls: &[Value]) -> Value {
    let field = |name: &str| message.metadata.as_ref()?.parse().ok()?.get(name).cloned();
    let mut chat = Map::new();
    chat.insert("role".into(), message.role.as_str().into());
    chat.insert("content".into(), message.content.as_str().into());
    match message.role.as_str() {
        "assistant" => {
            if let Some(calls) = field("tool_calls") {
                chat.insert("tool_calls".into(), calls);
            }
        }
        "tool" => match field("tool_call_id").filter(|id| calls.contains(id)) {
            Some(id) => {
                chat.insert("tool_call_id".into(), id);
            }
            None => {
                chat.insert("role".into(), "user".into());
                chat.insert("content".into(), format!("(tool) {}", message.content).into());
            }
        },
        _ => {}
    }
    Value::Object(chat)
}
