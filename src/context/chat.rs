//! Stored messages as an OpenAI-style API takes them.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::store::messages::Message;

#[derive(Serialize)]
pub struct ChatMessage<'a> {
    pub role: &'a str,
    pub content: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<Value>,
}

impl<'a> ChatMessage<'a> {
    pub fn plain(role: &'a str, content: impl Into<Cow<'a, str>>) -> Self {
        Self {
            role,
            content: content.into(),
            tool_calls: None,
            tool_call_id: None,
        }
    }
}

/// What a tool said must follow the call that it answers there; when the call is not in the window it is told as the user's side of the conversation, marked as what it is.
pub fn chat_messages(messages: &[Message]) -> Vec<ChatMessage<'_>> {
    let mut calls: Vec<Value> = Vec::new();
    let mut chat = Vec::with_capacity(messages.len());
    for message in messages {
        let message = chat_message(message, &calls);
        if let Some(made) = message.tool_calls.as_ref().and_then(Value::as_array) {
            calls.extend(made.iter().filter_map(|call| call.get("id").cloned()));
        }
        chat.push(message);
    }
    chat
}

/// `calls` are the ids of the tool calls before this message.
fn chat_message<'a>(message: &'a Message, calls: &[Value]) -> ChatMessage<'a> {
    let field = |name: &str| message.metadata.as_ref()?.parse().ok()?.get(name).cloned();
    let plain = ChatMessage::plain(&message.role, message.content.as_str());
    match message.role.as_str() {
        "assistant" => ChatMessage {
            tool_calls: field("tool_calls"),
            ..plain
        },
        "tool" => match field("tool_call_id").filter(|id| calls.contains(id)) {
            Some(id) => ChatMessage {
                tool_call_id: Some(id),
                ..plain
            },
            None => ChatMessage::plain("user", format!("(tool) {}", message.content)),
        },
        _ => plain,
    }
}
