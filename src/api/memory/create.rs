//! memory_create

use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;

use crate::api::arg;
use crate::embed;
use crate::error::{self, Result};
use crate::gate::{self, Draft};
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::sessions::Scope;
use crate::store::{messages, sessions};
use crate::vector::Embedding;

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::too_many_arguments)]
fn memory_create(
    user_id: Option<&str>,
    content: Option<&str>,
    kind: default!(Option<&str>, "'episodic'"),
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    session_id: default!(Option<&str>, "NULL"),
    interpretation: default!(Option<&str>, "NULL"),
    topics: default!(Option<Vec<Option<String>>>, "NULL"),
    emotion: default!(Option<&str>, "NULL"),
    emotion_intensity: default!(Option<f64>, 0.0),
    importance: default!(Option<f64>, 0.5),
    embedding: default!(Option<Embedding>, "NULL"),
    occurred_at: default!(Option<TimestampWithTimeZone>, "NULL"),
    expires_at: default!(Option<TimestampWithTimeZone>, "NULL"),
    pinned: default!(Option<bool>, "false"),
    source_messages: default!(Option<Vec<Option<Uuid>>>, "NULL"),
    metadata: default!(Option<RawJsonb>, "NULL"),
    force: default!(Option<bool>, "false"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(id, Option<Uuid>),
            name!(verdict, String),
            name!(similarity, Option<f64>),
            name!(importance, f64),
            name!(archived, Vec<Uuid>),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let content = arg::text(content, "content")?;
    let kind = arg::kind(kind)?;
    let session_id = session_id.map(|id| arg::id(Some(id), "session_id")).transpose()?;
    let agent_id = arg::optional_id(agent_id, "agent_id")?;
    let space = arg::optional_id(space, "space")?;
    let topics = arg::texts(topics, "topics")?;
    let emotion_intensity = arg::fraction(
        arg::required(emotion_intensity, "emotion_intensity")?,
        "emotion_intensity",
    )?;
    let importance = arg::fraction(arg::required(importance, "importance")?, "importance")?;
    let occurred_at = arg::moment(occurred_at, "occurred_at")?;
    let expires_at = arg::moment(expires_at, "expires_at")?;
    let pinned = arg::required(pinned, "pinned")?;
    let force = arg::required(force, "force")?;
    let source_messages = arg::uuids(source_messages, "source_messages")?;
    let metadata = arg::object(metadata, "metadata")?;
    let embedded = embed::embed(embedding, content)?;
    let admission = Db::write(|db| {
        let scope = scope_of(db, user_id, session_id, agent_id, space)?;
        known_messages(db, user_id, &source_messages)?;
        let draft = Draft {
            scope,
            session_id,
            kind,
            content,
            interpretation,
            topics,
            emotion,
            emotion_intensity,
            importance,
            embedded,
            occurred_at,
            expires_at,
            pinned,
            source: "application",
            source_messages,
            metadata,
            force,
        };
        gate::admit(db, user_id, draft)
    })?;
    Ok(TableIterator::once((
        admission.id,
        admission.verdict.as_str().to_string(),
        admission.similarity,
        admission.importance,
        admission.archived,
    )))
}

/// A memory of a known session belongs to the session's agent and space unless others are given.
fn scope_of(
    db: &Db,
    user_id: &str,
    session_id: Option<&str>,
    agent_id: Option<&str>,
    space: Option<&str>,
) -> Result<Scope> {
    let session = match session_id {
        Some(session_id) => sessions::find(db, user_id, session_id)?,
        None => None,
    };
    let known = session.map_or_else(|| Scope::new(None, None), |session| session.scope);
    Ok(Scope {
        agent_id: agent_id.map_or(known.agent_id, str::to_string),
        space: space.map_or(known.space, str::to_string),
    })
}

/// Sources must be messages of the same user.
fn known_messages(db: &Db, user_id: &str, ids: &[Uuid]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let found = messages::by_ids(db, user_id, ids.to_vec())?;
    match ids.iter().find(|id| !found.iter().any(|message| message.id == **id)) {
        Some(unknown) => Err(error::not_found("message", &unknown.to_string())),
        None => Ok(()),
    }
}
