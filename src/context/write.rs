//! The gathered parts within the budget, as JSON and as ready-made messages.

use memory_core::context::{Heading, Part, instructions, pack, quote};
use memory_core::tokens::{self, MESSAGE_OVERHEAD};
use serde_json::{Map, Value, json};

use super::gather::{Gathered, Request};
use crate::store::messages::Message;

/// A summary may take this share before the recent messages had their turn.
const SUMMARY_SHARE: f64 = 0.4;

pub fn write(request: &Request, gathered: Gathered) -> Value {
    let count = |text: &str| tokens::estimate(text, gathered.settings.tokenizer);
    let language = gathered.language;
    let heading = |heading: Heading| count(heading.text(language)) + 1;

    let persona: Vec<usize> = gathered
        .persona
        .iter()
        .map(|text| count(text) + MESSAGE_OVERHEAD)
        .collect();
    let summary_line = gathered.summary.as_ref().map(|summary| quote(&summary.content));
    let summary: Vec<usize> = summary_line.iter().map(|text| count(text) + 1).collect();
    let note = count(instructions(language)) + MESSAGE_OVERHEAD;
    let query: Vec<usize> = gathered
        .query
        .iter()
        .map(|text| count(text) + MESSAGE_OVERHEAD)
        .collect();
    let recent: Vec<usize> = gathered
        .recent
        .iter()
        .map(|message| message.tokens.max(0) as usize + MESSAGE_OVERHEAD)
        .collect();

    // The newest message is always in: the query when it is not stored yet, else the newest stored one.
    let always = usize::from(query.is_empty());
    let parts = [
        Part::fixed(persona, 0),
        Part::fixed(query, 0),
        Part {
            overhead: heading(Heading::Summary) + note,
            items: summary,
            share: SUMMARY_SHARE,
            ..Part::default()
        },
        Part {
            items: recent,
            always,
            share: 1.0,
            contiguous: true,
            ..Part::default()
        },
    ];
    let taken = pack(&parts, gathered.budget);
    let used: Vec<usize> = parts.iter().zip(&taken).map(|(part, taken)| part.cost(taken)).collect();
    let (summary_taken, recent_taken) = (&taken[2], &taken[3]);

    let summary = gathered.summary.filter(|_| summary_taken.contains(&true));
    let dropped_summary = i64::from(summary_line.is_some() && summary.is_none());
    let found = gathered.recent.len();
    let mut recent: Vec<Message> = gathered
        .recent
        .into_iter()
        .zip(recent_taken)
        .filter(|(_, taken)| **taken)
        .map(|(m, _)| m)
        .collect();
    recent.reverse();

    let system = system_message(
        gathered.persona.as_deref(),
        summary_line.filter(|_| summary.is_some()),
        language,
    );
    let mut ready: Vec<Value> = system
        .into_iter()
        .map(|text| json!({ "role": "system", "content": text }))
        .collect();
    ready.extend(chat_messages(&recent));
    ready.extend(
        gathered
            .query
            .iter()
            .map(|text| json!({ "role": "user", "content": text })),
    );

    let total: usize = used.iter().sum();
    json!({
        "user_id": request.user_id,
        "session_id": request.session_id,
        "agent_id": gathered.scope.agent_id,
        "space": gathered.scope.space,
        "language": language.as_str(),
        "query": request.query,
        "persona": gathered.persona,
        "state": [],
        "identity_facts": [],
        "moment_facts": [],
        "profile": null,
        "relationship": null,
        "director_note": null,
        "caution": [],
        "memories": [],
        "summary": summary.map(|summary| json!({
            "id": summary.id.to_string(),
            "content": summary.content,
            "created_at": summary.created_at,
        })),
        "documents": [],
        "recent_messages": recent.iter().map(recent_message).collect::<Vec<_>>(),
        "messages": ready,
        "tokens": {
            "budget": gathered.budget,
            "total": total,
            "over_budget": gathered.budget.is_some_and(|budget| total > budget),
            "persona": used[0],
            "query": used[1],
            "summary": used[2],
            "recent_messages": used[3],
        },
        "dropped": {
            "summary": dropped_summary,
            "recent_messages": found - recent.len(),
        },
    })
}

fn system_message(
    persona: Option<&str>,
    summary: Option<String>,
    language: memory_core::language::Language,
) -> Option<String> {
    let mut paragraphs: Vec<String> = persona.map(str::to_string).into_iter().collect();
    if let Some(summary) = summary {
        paragraphs.push(format!("{}\n{summary}", Heading::Summary.text(language)));
        paragraphs.push(instructions(language).to_string());
    }
    (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
}

fn recent_message(message: &Message) -> Value {
    json!({
        "id": message.id.to_string(),
        "turn_id": message.turn_id.map(|id| id.to_string()),
        "role": message.role,
        "content": message.content,
        "emotion": message.emotion,
        "intent": message.intent,
        "tokens": message.tokens,
        "created_at": message.created_at,
    })
}

/// Messages as an OpenAI-style API takes them. What a tool said must follow the call that it answers there;
/// when the call is not in the window it is told as the user's side of the conversation, marked as what it is.
fn chat_messages(messages: &[Message]) -> Vec<Value> {
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
