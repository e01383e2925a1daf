//! The gathered parts within the budget, as JSON and as ready-made messages.

use std::cell::RefCell;
use std::collections::HashMap;

use memory_core::context::{Heading, Part, instructions, pack, quote};
use memory_core::language::Language;
use memory_core::tokens::{self, MESSAGE_OVERHEAD, Tokenizer};
use pgrx::datum::{TimestampWithTimeZone, ToIsoString};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::chat::{ChatMessage, chat_messages};
use super::gather::{Gathered, Remembered, Request};
use super::known::Known;
use crate::error::Result;
use crate::id;
use crate::jsonb::RawJsonb;
use crate::store::messages::Message;

/// What each block may take of the budget before the recent messages had their turn.
const CAUTION_SHARE: f64 = 0.3;
const SUMMARY_SHARE: f64 = 0.3;
const MEMORIES_SHARE: f64 = 0.3;

/// A part of the system message: a heading, and lines of stored text under it.
pub(super) struct Block {
    pub name: &'static str,
    pub heading: Heading,
    pub lines: Vec<String>,
    pub values: Vec<Value>,
    /// What the block may take of the budget before the others had their turn.
    pub share: f64,
    /// Whether all of it is in, whatever the budget.
    pub always: bool,
}

/// The answer. It borrows what it tells: a tree of values would copy every text twice.
#[derive(Serialize)]
struct Context<'a> {
    user_id: &'a str,
    session_id: Option<&'a str>,
    agent_id: &'a str,
    space: &'a str,
    language: &'static str,
    query: Option<&'a str>,
    persona: Option<&'a str>,
    state: Option<&'a Value>,
    identity_facts: Option<&'a Value>,
    moment_facts: Option<&'a Value>,
    shared_experiences: Option<&'a Value>,
    profile: Option<&'a Value>,
    relationship: Option<&'a Value>,
    director_note: Option<&'a Value>,
    caution: Option<&'a Value>,
    memories: Option<&'a Value>,
    summary: Option<&'a Value>,
    documents: [(); 0],
    recent_messages: Vec<Recent<'a>>,
    messages: Vec<ChatMessage<'a>>,
    tokens: Map<String, Value>,
    dropped: Map<String, Value>,
    /// Why memories were looked for by keywords alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_vector: Option<String>,
}

#[derive(Serialize)]
struct Recent<'a> {
    id: String,
    turn_id: Option<String>,
    role: &'a str,
    content: &'a str,
    emotion: Option<&'a str>,
    intent: Option<&'a str>,
    tokens: i32,
    created_at: TimestampWithTimeZone,
}

pub fn write(request: &Request, gathered: Gathered) -> Result<RawJsonb> {
    let count = |text: &str| tokens::estimate(text, gathered.settings.tokenizer);
    let language = gathered.language;
    let blocks = blocks(&gathered);
    let parts = parts(&gathered, &blocks, &count);
    let taken = pack(&parts, gathered.budget);
    let used: Vec<usize> = parts.iter().zip(&taken).map(|(part, taken)| part.cost(taken)).collect();
    let recent_taken = &taken[taken.len() - 1];
    let found = gathered.recent.len();
    let recent = gathered.recent.into_iter().zip(recent_taken);
    let mut recent: Vec<Message> = recent
        .filter(|(_, taken)| **taken)
        .map(|(message, _)| message)
        .collect();
    recent.reverse();

    let mut paragraphs: Vec<String> = gathered.persona.iter().cloned().collect();
    let mut values = Map::new();
    let mut spent = Map::new();
    let mut dropped = Map::new();
    for (block, (taken, used)) in blocks.iter().zip(taken[FIXED..].iter().zip(&used[FIXED..])) {
        let kept = || {
            block
                .lines
                .iter()
                .zip(taken)
                .filter(|(_, taken)| **taken)
                .map(|(line, _)| line.as_str())
        };
        if kept().next().is_some() {
            let lines: Vec<&str> = kept().collect();
            paragraphs.push(format!("{}\n{}", block.heading.text(language), lines.join("\n")));
        }
        let shown = block.values.iter().zip(taken).filter(|(_, taken)| **taken);
        values.insert(block.name.into(), shown.map(|(value, _)| value.clone()).collect());
        spent.insert(block.name.into(), (*used).into());
        dropped.insert(block.name.into(), taken.iter().filter(|taken| !**taken).count().into());
    }
    if paragraphs.len() > usize::from(gathered.persona.is_some()) {
        paragraphs.push(instructions(language, gathered.persona.is_some()));
    }
    let mut ready: Vec<ChatMessage> = Vec::new();
    if !paragraphs.is_empty() {
        ready.push(ChatMessage::plain("system", paragraphs.join("\n\n")));
    }
    ready.extend(chat_messages(&recent));
    ready.extend(gathered.query.iter().map(|text| ChatMessage::plain("user", text)));

    let total: usize = used.iter().sum();
    spent.insert("budget".into(), gathered.budget.into());
    spent.insert("total".into(), total.into());
    spent.insert(
        "over_budget".into(),
        gathered.budget.is_some_and(|budget| total > budget).into(),
    );
    spent.insert("persona".into(), used[0].into());
    spent.insert("query".into(), used[1].into());
    spent.insert("instructions".into(), used[2].into());
    spent.insert("recent_messages".into(), used[used.len() - 1].into());
    dropped.insert("recent_messages".into(), (found - recent.len()).into());
    let only = |name: &str| values.get(name).and_then(|list| list.get(0));
    RawJsonb::of(&Context {
        user_id: request.user_id,
        session_id: request.session_id,
        agent_id: &gathered.scope.agent_id,
        space: &gathered.scope.space,
        language: language.as_str(),
        query: request.query,
        persona: gathered.persona.as_deref(),
        state: values.get("state"),
        identity_facts: values.get("identity_facts"),
        moment_facts: values.get("moment_facts"),
        shared_experiences: values.get("shared_experiences"),
        profile: only("profile"),
        relationship: only("relationship"),
        director_note: only("director_note"),
        caution: values.get("caution"),
        memories: values.get("memories"),
        summary: only("summary"),
        documents: [],
        recent_messages: recent.iter().map(recent_message).collect(),
        messages: ready,
        tokens: spent,
        dropped,
        no_vector: gathered.no_vector.map(|problem| problem.to_string()),
    })
}

/// The blocks in order of precedence and of appearance.
fn blocks(gathered: &Gathered) -> Vec<Block> {
    let remembered = |name, heading, list: &[Remembered], share| Block {
        name,
        heading,
        lines: list.iter().map(|memory| line(memory, gathered.language)).collect(),
        values: list.iter().map(value).collect(),
        share,
        always: false,
    };
    let summary = gathered.summary.as_slice();
    let known = Known::new(gathered);
    vec![
        known.identity(),
        known.state(),
        known.relationship(),
        known.director_note(),
        remembered("caution", Heading::Caution, &gathered.caution, CAUTION_SHARE),
        Block {
            name: "summary",
            heading: Heading::Summary,
            lines: summary.iter().map(|summary| quote(&summary.content)).collect(),
            values: summary
                .iter()
                .map(|summary| {
                    json!({
                        "id": summary.id.to_string(),
                        "content": summary.content,
                        "created_at": summary.created_at,
                    })
                })
                .collect(),
            share: SUMMARY_SHARE,
            always: false,
        },
        known.moment(),
        remembered("memories", Heading::Memories, &gathered.memories, MEMORIES_SHARE),
        known.experiences(),
        known.profile(),
    ]
}

/// How many parts stand before the blocks: persona, query, instructions.
const FIXED: usize = 3;

/// Everything that costs tokens, in order of precedence; the recent messages are the last.
fn parts(gathered: &Gathered, blocks: &[Block], count: &dyn Fn(&str) -> usize) -> Vec<Part> {
    let message = |text: &String| count(text) + MESSAGE_OVERHEAD;
    let query: Vec<usize> = gathered.query.iter().map(message).collect();
    // The newest message is always in: the query when it is not stored yet, else the newest stored one.
    let always = usize::from(query.is_empty());
    let told = blocks.iter().any(|block| !block.lines.is_empty());
    let note = told.then(|| instructions_cost(gathered) + MESSAGE_OVERHEAD);
    let mut parts = vec![
        Part::fixed(gathered.persona.iter().map(message).collect(), 0),
        Part::fixed(query, 0),
        Part::fixed(note.into_iter().collect(), 0),
    ];
    parts.extend(blocks.iter().map(|block| Part {
        overhead: match block.lines.is_empty() {
            true => 0,
            false => count(block.heading.text(gathered.language)) + 2,
        },
        items: block.lines.iter().map(|line| count(line) + 1).collect(),
        always: if block.always { block.lines.len() } else { 0 },
        share: block.share,
        ..Part::default()
    }));
    parts.push(Part {
        items: gathered
            .recent
            .iter()
            .map(|message| message.tokens.max(0) as usize + MESSAGE_OVERHEAD)
            .collect(),
        always,
        share: 1.0,
        contiguous: true,
        ..Part::default()
    });
    parts
}

/// The tokens of the instructions. There are four of them, and counting one takes as long as reading the session.
fn instructions_cost(gathered: &Gathered) -> usize {
    thread_local! {
        static COUNTED: RefCell<HashMap<(Tokenizer, Language, bool), usize>> = RefCell::default();
    }
    let (language, persona) = (gathered.language, gathered.persona.is_some());
    let tokenizer = gathered.settings.tokenizer;
    COUNTED.with_borrow_mut(|counted| {
        *counted
            .entry((tokenizer, language, persona))
            .or_insert_with(|| tokens::estimate(&instructions(language, persona), tokenizer))
    })
}

/// A memory as a line: what was, and the day.
fn line(memory: &Remembered, language: Language) -> String {
    let speaker = match (memory.source, memory.kind.as_str(), language) {
        ("message", "user", Language::Ko) => "사용자: ",
        ("message", "user", Language::En) => "User: ",
        ("message", _, Language::Ko) => "나: ",
        ("message", _, Language::En) => "Me: ",
        _ => "",
    };
    let day: String = memory.occurred_at.to_iso_string().chars().take(10).collect();
    format!("- {speaker}{} ({day})", quote(&memory.content))
}

fn value(memory: &Remembered) -> Value {
    json!({
        "id": memory.id.to_string(),
        "source": memory.source,
        "kind": memory.kind,
        "content": memory.content,
        "score": memory.score,
        "occurred_at": memory.occurred_at,
    })
}

fn recent_message(message: &Message) -> Recent<'_> {
    Recent {
        id: id::text(&message.id),
        turn_id: message.turn_id.as_ref().map(id::text),
        role: &message.role,
        content: &message.content,
        emotion: message.emotion.as_deref(),
        intent: message.intent.as_deref(),
        tokens: message.tokens,
        created_at: message.created_at,
    }
}
