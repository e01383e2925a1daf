//! memory_update, memory_pin, memory_delete

use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;
use serde_json::json;

use super::row::{gives_memories, memory_row};
use crate::api::arg;
use crate::embed;
use crate::error::{self, Result};
use crate::forget;
use crate::gate;
use crate::jobs;
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::entries;
use crate::store::memories::{self, Memory};
use crate::store::{history, models, scopes};
use crate::vector::Embedding;

/// The memory, locked for this transaction.
pub(super) fn take(db: &Db, user_id: &str, memory_id: Uuid) -> Result<Memory> {
    let missing = || error::not_found("memory", &memory_id.to_string());
    scopes::lock(db, user_id)?;
    memories::lock(db, user_id, vec![memory_id])?
        .first()
        .ok_or_else(missing)?;
    memories::find(db, user_id, memory_id)?.ok_or_else(missing)
}

gives_memories! {
    #[pg_extern]
    #[search_path(pg_catalog, pg_temp)]
    #[allow(clippy::too_many_arguments)]
    fn memory_update(
        user_id: Option<&str>,
        memory_id: Option<Uuid>,
        content: default!(Option<&str>, "NULL"),
        importance: default!(Option<f64>, "NULL"),
        kind: default!(Option<&str>, "NULL"),
        interpretation: default!(Option<&str>, "NULL"),
        topics: default!(Option<Vec<Option<String>>>, "NULL"),
        emotion: default!(Option<&str>, "NULL"),
        emotion_intensity: default!(Option<f64>, "NULL"),
        embedding: default!(Option<Embedding>, "NULL"),
        occurred_at: default!(Option<TimestampWithTimeZone>, "NULL"),
        expires_at: default!(Option<TimestampWithTimeZone>, "NULL"),
        metadata: default!(Option<RawJsonb>, "NULL"),
    ) {
        let user_id = arg::id(user_id, "user_id")?;
        let memory_id = arg::uuid(memory_id, "memory_id")?;
        let content = content.map(|text| arg::text(Some(text), "content")).transpose()?;
        let importance = importance.map(|value| arg::fraction(value, "importance")).transpose()?;
        let kind = kind.map(|kind| arg::kind(Some(kind))).transpose()?;
        let topics = topics.map(|topics| arg::texts(Some(topics), "topics")).transpose()?;
        let emotion_intensity =
            emotion_intensity.map(|value| arg::fraction(value, "emotion_intensity")).transpose()?;
        let occurred_at = arg::moment(occurred_at, "occurred_at")?;
        let expires_at = arg::moment(expires_at, "expires_at")?;
        let metadata = arg::object(metadata, "metadata")?;
        let changed_text = content.is_some();
        let embedded = match (embedding, content) {
            (None, None) => None,
            (embedding, content) => embed::embed(embedding, content.unwrap_or_default())?,
        };
        let memory = Db::write(|db| {
            let mut memory = take(db, user_id, memory_id)?;
            if let Some(embedded) = &embedded {
                models::check(db, user_id, embedded)?;
                models::note(db, user_id, &memory.scope, embedded)?;
            }
            let was = memory.metadata.clone();
            history::note_with(db, user_id, memory_id, "updated", Some(snapshot(&memory)), Some(was))?;
            memory.content = content.map_or(memory.content, str::to_string);
            memory.importance = importance.unwrap_or(memory.importance);
            memory.kind = kind.map_or(memory.kind, |kind| kind.as_str().to_string());
            memory.interpretation = interpretation.map(str::to_string).or(memory.interpretation);
            memory.topics = topics.unwrap_or(memory.topics);
            memory.emotion = emotion.map(str::to_string).or(memory.emotion);
            memory.emotion_intensity = emotion_intensity.unwrap_or(memory.emotion_intensity);
            memory.occurred_at = occurred_at.unwrap_or(memory.occurred_at);
            memory.expires_at = expires_at.or(memory.expires_at);
            memory.metadata = metadata.unwrap_or(memory.metadata);
            gate::rewrite(db, user_id, &memory)?;
            if embedded.is_some() || changed_text {
                entries::set_embedding(db, user_id, gate::source_of(&memory), memory_id, embedded.as_ref())?;
                if embedded.is_none() {
                    jobs::after_storing(db, user_id)?;
                }
            }
            memories::find(db, user_id, memory_id)
        })?;
        Ok(TableIterator::new(memory.into_iter().map(memory_row)))
    }
}

/// What an update may change, as it was, beside the metadata.
fn snapshot(memory: &Memory) -> serde_json::Value {
    json!({
        "content": memory.content,
        "importance": memory.importance,
        "kind": memory.kind,
        "interpretation": memory.interpretation,
        "topics": memory.topics,
        "emotion": memory.emotion,
        "emotion_intensity": memory.emotion_intensity,
        "occurred_at": memory.occurred_at,
        "expires_at": memory.expires_at,
    })
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_pin(user_id: Option<&str>, memory_id: Option<Uuid>, pinned: default!(Option<bool>, "true")) -> Result<bool> {
    let user_id = arg::id(user_id, "user_id")?;
    let memory_id = arg::uuid(memory_id, "memory_id")?;
    let pinned = arg::required(pinned, "pinned")?;
    Db::write(|db| {
        let mut memory = take(db, user_id, memory_id)?;
        if memory.pinned == pinned {
            return Ok(false);
        }
        memory.pinned = pinned;
        gate::rewrite(db, user_id, &memory)?;
        history::note(db, user_id, memory_id, if pinned { "pinned" } else { "unpinned" }, None)?;
        Ok(true)
    })
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_delete(user_id: Option<&str>, memory_id: Option<Uuid>) -> Result<bool> {
    let user_id = arg::id(user_id, "user_id")?;
    let memory_id = arg::uuid(memory_id, "memory_id")?;
    Db::write(|db| {
        take(db, user_id, memory_id)?;
        Ok(forget::erase(db, user_id, vec![memory_id])? == 1)
    })
}
