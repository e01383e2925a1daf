//! memory_recall and memory_mark_used

use pgrx::JsonB;
use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;
use serde_json::json;

use super::arg;
use crate::embed;
use crate::error::{self, Result};
use crate::gate;
use crate::jsonb::RawJsonb;
use crate::llm::LlmError;
use crate::recall::{self, Hit, Recalled, Request, Text};
use crate::store::db::Db;
use crate::store::entries::Source;
use crate::store::recall::Filter;
use crate::store::{memories, scopes};
use crate::vector::Embedding;

const MAX_K: i64 = 10_000;

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::too_many_arguments)]
fn memory_recall(
    user_id: Option<&str>,
    query: default!(Option<&str>, "NULL"),
    embedding: default!(Option<Embedding>, "NULL"),
    k: default!(Option<i32>, 10),
    agent_ids: default!(Option<Vec<Option<String>>>, "NULL"),
    spaces: default!(Option<Vec<Option<String>>>, "NULL"),
    kinds: default!(Option<Vec<Option<String>>>, "NULL"),
    topics: default!(Option<Vec<Option<String>>>, "NULL"),
    since: default!(Option<TimestampWithTimeZone>, "NULL"),
    until: default!(Option<TimestampWithTimeZone>, "NULL"),
    metadata: default!(Option<RawJsonb>, "NULL"),
    profile: default!(Option<&str>, "'default'"),
    include_archived: default!(Option<bool>, "false"),
    explain: default!(Option<bool>, "false"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(id, Uuid),
            name!(source, String),
            name!(kind, String),
            name!(content, String),
            name!(interpretation, Option<String>),
            name!(topics, Option<Vec<String>>),
            name!(score, f64),
            name!(similarity, f64),
            name!(keyword, f64),
            name!(importance, Option<f64>),
            name!(strength, Option<f64>),
            name!(recency, f64),
            name!(agent_id, Option<String>),
            name!(space, Option<String>),
            name!(session_id, Option<String>),
            name!(occurred_at, TimestampWithTimeZone),
            name!(archived_at, Option<TimestampWithTimeZone>),
            name!(metadata, Option<RawJsonb>),
            name!(explanation, Option<JsonB>),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let k = arg::count(k, "k")?;
    if k > MAX_K {
        return Err(error::invalid(format!("k is {k}"), "Ask for at most 10000 at a time."));
    }
    let profile = arg::required(profile, "profile")?;
    let explain = arg::required(explain, "explain")?;
    let filter = Filter {
        agent_ids: agent_ids.map(|ids| arg::texts(Some(ids), "agent_ids")).transpose()?,
        spaces: spaces.map(|spaces| arg::texts(Some(spaces), "spaces")).transpose()?,
        kinds: kinds.map(|kinds| arg::kinds(kinds, true)).transpose()?,
        topics: topics.map(|topics| arg::texts(Some(topics), "topics")).transpose()?,
        since,
        until,
        metadata: arg::object(metadata, "metadata")?,
        include_archived: arg::required(include_archived, "include_archived")?,
    };
    let query = query.filter(|query| !query.trim().is_empty());
    let asked = embed::query(embedding, query.unwrap_or_default())?;
    let request = Request {
        user_id,
        query,
        embedded: asked.embedded.as_ref(),
        k: k as usize,
        filter,
        profile,
    };
    let (recalled, texts) = Db::read(|db| {
        let recalled = recall::recall(db, &request)?;
        let texts = recall::texts(db, user_id, &recalled.hits)?;
        Ok((recalled, texts))
    })?;
    let explanation = |hit: &Hit| explain.then(|| JsonB(explained(hit, &recalled, profile, asked.missing)));
    let rows: Vec<_> = recalled
        .hits
        .iter()
        .zip(texts)
        .filter_map(|(hit, text)| {
            let signals = hit.signals;
            Some(match text? {
                Text::Memory(m) => (
                    m.id,
                    "memory".to_string(),
                    m.kind,
                    m.content,
                    m.interpretation,
                    Some(m.topics),
                    hit.score,
                    signals.similarity,
                    signals.keyword,
                    Some(signals.importance),
                    Some(signals.strength),
                    signals.recency,
                    Some(m.scope.agent_id),
                    Some(m.scope.space),
                    m.session_id,
                    m.occurred_at,
                    m.archived_at,
                    Some(m.metadata),
                    explanation(hit),
                ),
                Text::Message(m) => (
                    m.id,
                    "message".to_string(),
                    m.role,
                    m.content,
                    None,
                    None,
                    hit.score,
                    signals.similarity,
                    signals.keyword,
                    None,
                    None,
                    signals.recency,
                    Some(m.scope.agent_id),
                    Some(m.scope.space),
                    Some(m.session_id),
                    m.created_at,
                    None,
                    m.metadata,
                    explanation(hit),
                ),
            })
        })
        .collect();
    Ok(TableIterator::new(rows))
}

/// How a score came about: each signal, its weight, and what it added.
fn explained(hit: &Hit, recalled: &Recalled, profile: &str, missing: Option<LlmError>) -> serde_json::Value {
    let part = |value: f64, weight: f64| json!({ "value": value, "weight": weight, "adds": value * weight });
    let (signals, weights) = (&hit.signals, &recalled.weights);
    let mut explanation = json!({
        "profile": profile,
        "path": if recalled.exact { "exact" } else { "index" },
        "candidates": recalled.seen,
        "similarity": part(signals.similarity, weights.similarity),
        "keyword": part(signals.keyword, weights.keyword),
        "importance": part(signals.importance, weights.importance),
        "strength": part(signals.strength, weights.strength),
        "recency": part(signals.recency, weights.recency),
        "neighbours": part(signals.neighbours, weights.neighbours),
        "session": part(signals.session, weights.session),
        "speaker": part(signals.speaker, weights.speaker),
        "time": part(signals.time, weights.time),
        "counts": if hit.source == Source::Message { weights.messages } else { 1.0 },
    });
    if let Some(problem) = missing {
        explanation["no_vector"] = problem.to_string().into();
    }
    explanation
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_mark_used(user_id: Option<&str>, ids: Option<Vec<Option<Uuid>>>) -> Result<i64> {
    let user_id = arg::id(user_id, "user_id")?;
    let mut ids = arg::uuids(Some(arg::required(ids, "ids")?), "ids")?;
    ids.sort();
    ids.dedup();
    Db::write(|db| {
        scopes::lock(db, user_id)?;
        let locked = memories::lock(db, user_id, ids)?;
        let active = memories::by_ids(db, user_id, locked)?
            .into_iter()
            .filter(|memory| memory.archived_at.is_none());
        let mut used = 0;
        for memory in active {
            gate::strengthen(db, user_id, &memory.scope, memory.id, true)?;
            used += 1;
        }
        Ok(used)
    })
}
