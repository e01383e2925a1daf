//! Sessions: start, end, sweep, list, get, delete.

use pgrx::JsonB;
use pgrx::datum::{Interval, TimestampWithTimeZone};
use pgrx::prelude::*;

use super::arg;
use crate::error::{self, Result};
use crate::id;
use crate::jobs::{self, Reason, duties};
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::sessions::{self, Scope, Session};
use crate::store::{entries, facts, jobs as queue, memories, messages, relationships, scopes};

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_start_session(
    user_id: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    metadata: default!(Option<RawJsonb>, "NULL"),
) -> Result<String> {
    let user_id = arg::id(user_id, "user_id")?;
    let agent_id = arg::optional_id(agent_id, "agent_id")?;
    let space = arg::optional_id(space, "space")?;
    let metadata = arg::object(metadata, "metadata")?;
    let session_id = match session_id {
        Some(_) => arg::id(session_id, "session_id")?.to_string(),
        None => id::new_id()?.to_string(),
    };
    Db::write(|db| {
        let scope = Scope::new(agent_id, space);
        let now = id::timestamp(id::now())?;
        if !sessions::insert(db, user_id, &session_id, &scope, metadata.clone(), now)? {
            let session =
                sessions::find(db, user_id, &session_id)?.ok_or_else(|| error::not_found("session", &session_id))?;
            session.scope.accepts(&session_id, agent_id, space)?;
            sessions::reopen(db, user_id, &session_id, metadata, now)?;
        }
        Ok(session_id)
    })
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_end_session(
    user_id: Option<&str>,
    session_id: Option<&str>,
    reason: default!(Option<&str>, "'ended'"),
) -> Result<bool> {
    let user_id = arg::id(user_id, "user_id")?;
    let session_id = arg::id(session_id, "session_id")?;
    let reason = arg::required(reason, "reason")?;
    Db::write(|db| {
        let ended = sessions::end(db, user_id, session_id, reason)?;
        if ended == Some(true)
            && let Some(session) = sessions::find(db, user_id, session_id)?
        {
            jobs::after_session(db, user_id, &session.scope, session_id, Reason::Ended)?;
        }
        ended.ok_or_else(|| error::not_found("session", session_id))
    })
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_sweep_sessions(
    idle: default!(Option<Interval>, "NULL"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(user_id, String),
            name!(session_id, String),
            name!(agent_id, String),
            name!(space, String),
            name!(last_activity_at, TimestampWithTimeZone),
            name!(ended_at, TimestampWithTimeZone),
        ),
    >,
> {
    let seconds = idle.map(|idle| idle.as_micros() as f64 / 1e6);
    if seconds.is_some_and(|seconds| seconds < 0.0) {
        return Err(error::invalid(
            "idle must not be negative",
            "Pass an interval such as '30 minutes'.",
        ));
    }
    let swept = Db::write(|db| duties::sweep(db, seconds, None))?;
    Ok(TableIterator::new(swept.into_iter().map(|s| {
        (
            s.user_id,
            s.session_id,
            s.agent_id,
            s.space,
            s.last_activity_at,
            s.ended_at,
        )
    })))
}

type SessionRow = (
    String,
    String,
    String,
    TimestampWithTimeZone,
    TimestampWithTimeZone,
    Option<TimestampWithTimeZone>,
    Option<String>,
    i64,
    i64,
    i64,
    RawJsonb,
);

fn session_row(s: Session) -> SessionRow {
    (
        s.session_id,
        s.scope.agent_id,
        s.scope.space,
        s.started_at,
        s.last_activity_at,
        s.ended_at,
        s.end_reason,
        s.message_count,
        s.turn_count,
        s.token_count,
        s.metadata,
    )
}

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::too_many_arguments)]
fn memory_list_sessions(
    user_id: Option<&str>,
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    include_ended: default!(Option<bool>, "true"),
    limit: default!(Option<i32>, 50),
    offset: default!(Option<i32>, 0),
) -> Result<
    TableIterator<
        'static,
        (
            name!(session_id, String),
            name!(agent_id, String),
            name!(space, String),
            name!(started_at, TimestampWithTimeZone),
            name!(last_activity_at, TimestampWithTimeZone),
            name!(ended_at, Option<TimestampWithTimeZone>),
            name!(end_reason, Option<String>),
            name!(message_count, i64),
            name!(turn_count, i64),
            name!(token_count, i64),
            name!(metadata, RawJsonb),
            name!(total, i64),
            name!(has_more, bool),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let limit = arg::count(limit, "limit")?;
    let offset = arg::count(offset, "offset")?;
    let include_ended = arg::required(include_ended, "include_ended")?;
    let (found, total) = Db::read(|db| sessions::list(db, user_id, agent_id, space, include_ended, limit, offset))?;
    let has_more = offset + (found.len() as i64) < total;
    Ok(TableIterator::new(found.into_iter().map(move |session| {
        let (a, b, c, d, e, f, g, h, i, j, k) = session_row(session);
        (a, b, c, d, e, f, g, h, i, j, k, total, has_more)
    })))
}

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
fn memory_get_session(
    user_id: Option<&str>,
    session_id: Option<&str>,
) -> Result<
    TableIterator<
        'static,
        (
            name!(session_id, String),
            name!(agent_id, String),
            name!(space, String),
            name!(started_at, TimestampWithTimeZone),
            name!(last_activity_at, TimestampWithTimeZone),
            name!(ended_at, Option<TimestampWithTimeZone>),
            name!(end_reason, Option<String>),
            name!(message_count, i64),
            name!(turn_count, i64),
            name!(token_count, i64),
            name!(metadata, RawJsonb),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let session_id = arg::id(session_id, "session_id")?;
    let session = Db::read(|db| sessions::find(db, user_id, session_id))?
        .ok_or_else(|| error::not_found("session", session_id))?;
    Ok(TableIterator::once(session_row(session)))
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_delete_session(user_id: Option<&str>, session_id: Option<&str>) -> Result<i64> {
    let user_id = arg::id(user_id, "user_id")?;
    let session_id = arg::id(session_id, "session_id")?;
    Db::write(|db| {
        if !sessions::lock(db, user_id, session_id)? {
            return Err(error::not_found("session", session_id));
        }
        Ok(delete_locked(db, user_id, &[session_id.to_string()])?.messages as i64)
    })
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_clear(user_id: Option<&str>, confirm: default!(Option<bool>, "false")) -> Result<JsonB> {
    let user_id = arg::id(user_id, "user_id")?;
    if confirm != Some(true) {
        return Err(error::invalid(
            "memory_clear deletes everything that is remembered of the user",
            "Pass confirm => true if that is what you want.",
        ));
    }
    Db::write(|db| {
        // The user's lock first, as everybody takes it.
        scopes::lock(db, user_id)?;
        let locked = sessions::lock_all(db, user_id)?;
        let mut deleted = delete_locked(db, user_id, &locked)?;
        deleted.messages += messages::delete_orphans(db, user_id)?;
        entries::delete_memories(db, user_id)?;
        let memories = memories::clear(db, user_id)?;
        let facts = facts::clear(db, user_id)?;
        relationships::clear(db, user_id)?;
        queue::clear(db, user_id)?;
        Ok(JsonB(serde_json::json!({
            "sessions": deleted.sessions,
            "messages": deleted.messages,
            "memories": memories,
            "facts": facts,
        })))
    })
}

struct Deleted {
    sessions: usize,
    messages: usize,
}

/// Deletes sessions that are locked. Those that others start meanwhile are left whole.
fn delete_locked(db: &Db, user_id: &str, session_ids: &[String]) -> Result<Deleted> {
    queue::forget(db, user_id, session_ids)?;
    Ok(Deleted {
        messages: messages::delete_all(db, user_id, session_ids)?,
        sessions: sessions::delete(db, user_id, session_ids)?,
    })
}
