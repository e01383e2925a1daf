//! Messages and turns: add, read, delete.

use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;

use super::arg;
use crate::config::Settings;
use crate::conversation::{self, Draft, Target};
use crate::error::{self, Result};
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::messages::{self, Message};
use crate::store::{agents, sessions};

const ROLES: [&str; 4] = ["user", "assistant", "system", "tool"];

pub(super) fn role(value: Option<&str>) -> Result<&str> {
    let role = arg::required(value, "role")?;
    if ROLES.contains(&role) {
        return Ok(role);
    }
    Err(error::invalid(
        format!("\"{}\" is not a role", error::shown(role)),
        "Use user, assistant, system or tool.",
    ))
}

/// An answer that only calls a tool has no text; a user's or system's message without any is a mistake.
fn content<'a>(value: Option<&'a str>, name: &str, role: &str) -> Result<&'a str> {
    let content = arg::required(value, name)?;
    if content.is_empty() && matches!(role, "user" | "system") {
        return Err(error::invalid(
            format!("{name} must not be empty"),
            "Only assistant and tool messages may be empty.",
        ));
    }
    Ok(content)
}

fn processing_time(value: Option<f64>) -> Result<Option<f64>> {
    match value {
        Some(seconds) if !seconds.is_finite() || seconds < 0.0 => Err(error::invalid(
            format!("processing_time must be a number of seconds, it is {seconds}"),
            "Pass 0 or more seconds.",
        )),
        value => Ok(value),
    }
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::too_many_arguments)]
fn memory_add_message(
    user_id: Option<&str>,
    session_id: Option<&str>,
    role: Option<&str>,
    content: Option<&str>,
    emotion: default!(Option<&str>, "NULL"),
    intent: default!(Option<&str>, "NULL"),
    metadata: default!(Option<RawJsonb>, "NULL"),
    created_at: default!(Option<TimestampWithTimeZone>, "NULL"),
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    idempotency_key: default!(Option<&str>, "NULL"),
) -> Result<Uuid> {
    let role = self::role(role)?;
    let draft = Draft {
        role,
        content: self::content(content, "content", role)?,
        emotion,
        intent,
        metadata: arg::object(metadata, "metadata")?,
        ..Draft::default()
    };
    let target = target(user_id, session_id, agent_id, space, created_at, idempotency_key)?;
    let appended = Db::write(|db| conversation::append(db, &target, vec![draft]))?;
    Ok(appended.ids[0])
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::too_many_arguments)]
fn memory_add_turn(
    user_id: Option<&str>,
    session_id: Option<&str>,
    user_message: Option<&str>,
    assistant_message: Option<&str>,
    emotion: default!(Option<&str>, "NULL"),
    intent: default!(Option<&str>, "NULL"),
    processing_time: default!(Option<f64>, "NULL"),
    cached: default!(Option<bool>, "NULL"),
    metadata: default!(Option<RawJsonb>, "NULL"),
    created_at: default!(Option<TimestampWithTimeZone>, "NULL"),
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    idempotency_key: default!(Option<&str>, "NULL"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(turn_id, Uuid),
            name!(user_message_id, Uuid),
            name!(assistant_message_id, Uuid),
            name!(added, bool),
        ),
    >,
> {
    let question = Draft {
        role: "user",
        content: self::content(user_message, "user_message", "user")?,
        emotion,
        intent,
        metadata: arg::object(metadata, "metadata")?,
        ..Draft::default()
    };
    let answer = Draft {
        role: "assistant",
        content: self::content(assistant_message, "assistant_message", "assistant")?,
        processing_time: self::processing_time(processing_time)?,
        cached,
        ..Draft::default()
    };
    let target = target(user_id, session_id, agent_id, space, created_at, idempotency_key)?;
    let (said, answered) = (question.content, answer.content);
    let appended = Db::write(|db| {
        let said = conversation::read(db, target.user_id, said, answered)?;
        let appended = conversation::append(db, &target, vec![question, answer])?;
        conversation::learn(db, &target, &appended, &said);
        Ok(appended)
    })?;
    Ok(TableIterator::once((
        appended.ids[0],
        appended.ids[0],
        appended.ids[1],
        appended.added,
    )))
}

fn target<'a>(
    user_id: Option<&'a str>,
    session_id: Option<&'a str>,
    agent_id: Option<&'a str>,
    space: Option<&'a str>,
    created_at: Option<TimestampWithTimeZone>,
    idempotency_key: Option<&'a str>,
) -> Result<Target<'a>> {
    Ok(Target {
        user_id: arg::id(user_id, "user_id")?,
        session_id: arg::id(session_id, "session_id")?,
        agent_id: arg::optional_id(agent_id, "agent_id")?,
        space: arg::optional_id(space, "space")?,
        created_at: arg::moment(created_at, "created_at")?,
        idempotency_key: idempotency_key
            .map(|key| arg::id(Some(key), "idempotency_key"))
            .transpose()?,
    })
}

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
fn memory_get_recent(
    user_id: Option<&str>,
    session_id: Option<&str>,
    max_messages: default!(Option<i32>, "NULL"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(id, Uuid),
            name!(turn_id, Option<Uuid>),
            name!(role, String),
            name!(content, String),
            name!(emotion, Option<String>),
            name!(intent, Option<String>),
            name!(processing_time, Option<f64>),
            name!(cached, Option<bool>),
            name!(metadata, Option<RawJsonb>),
            name!(tokens, i32),
            name!(created_at, TimestampWithTimeZone),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let session_id = arg::id(session_id, "session_id")?;
    let max_messages = max_messages.map(|n| arg::count(Some(n), "max_messages")).transpose()?;
    let mut found: Vec<Message> = Db::read(|db| {
        let session =
            sessions::find(db, user_id, session_id)?.ok_or_else(|| error::not_found("session", session_id))?;
        let limit = match max_messages {
            Some(limit) => limit,
            None => {
                let agent = agents::find(db, &session.scope.agent_id)?;
                Settings::for_agent(agent.as_ref().map(|agent| &agent.config.0))?.recent_messages
            }
        };
        messages::recent(db, user_id, session_id, limit)
    })?;
    found.reverse();
    Ok(TableIterator::new(found.into_iter().map(|m| {
        (
            m.id,
            m.turn_id,
            m.role,
            m.content,
            m.emotion,
            m.intent,
            m.processing_time,
            m.cached,
            m.metadata,
            m.tokens,
            m.created_at,
        )
    })))
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_delete_message(user_id: Option<&str>, message_id: Option<Uuid>) -> Result<bool> {
    let user_id = arg::id(user_id, "user_id")?;
    let message_id = arg::uuid(message_id, "message_id")?;
    let not_found = || error::not_found("message", &message_id.to_string());
    Db::write(|db| {
        let found = messages::by_ids(db, user_id, vec![message_id])?
            .pop()
            .ok_or_else(not_found)?;
        // The session first, as everybody takes it: else this and memory_delete_session wait for each other.
        sessions::lock(db, user_id, &found.session_id)?;
        let message = messages::delete(db, user_id, message_id)?.ok_or_else(not_found)?;
        let turns = i64::from(message.role == "user");
        sessions::shrink(db, user_id, &message.session_id, turns, message.tokens.into())?;
        Ok(true)
    })
}
