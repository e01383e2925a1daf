//! memory.stored_messages

use pgrx::datum::{TimestampWithTimeZone, Uuid};

use super::db::{Db, Row};
use super::models;
use super::sessions::Scope;
use crate::embed::Embedded;
use crate::error::Result;
use crate::jsonb::RawJsonb;
use crate::seal::{self, Column};
use crate::vector::Embedding;

pub struct NewMessage<'a> {
    pub scope: &'a Scope,
    pub id: Uuid,
    pub turn_id: Option<Uuid>,
    pub role: &'a str,
    pub content: &'a str,
    pub emotion: Option<&'a str>,
    pub intent: Option<&'a str>,
    pub processing_time: Option<f64>,
    pub cached: Option<bool>,
    pub metadata: Option<RawJsonb>,
    pub tokens: i32,
    pub idempotency_key: Option<&'a str>,
    /// Whether the user is searched through indexes.
    pub big: bool,
    pub terms: Vec<i32>,
    pub embedded: Option<&'a Embedded>,
}

pub fn insert(
    db: &Db,
    user_id: &str,
    session_id: &str,
    created_at: TimestampWithTimeZone,
    message: NewMessage,
) -> Result<()> {
    let (model_id, embedding) = models::arguments(db, message.embedded)?;
    let content = seal::text(db, user_id, Column::MessageContent, message.id, message.content)?;
    db.run(
        "INSERT INTO memory.stored_messages
             (user_id, id, session_id, turn_id, role, content, emotion, intent, processing_time, cached,
              metadata, tokens, created_at, idempotency_key, agent_id, space, big, terms, model_id, embedding)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)",
        &[
            user_id.into(),
            message.id.into(),
            session_id.into(),
            message.turn_id.into(),
            message.role.into(),
            content.as_ref().into(),
            message.emotion.into(),
            message.intent.into(),
            message.processing_time.into(),
            message.cached.into(),
            message.metadata.into(),
            message.tokens.into(),
            created_at.into(),
            message.idempotency_key.into(),
            message.scope.agent_id.as_str().into(),
            message.scope.space.as_str().into(),
            message.big.into(),
            message.terms.into(),
            model_id.into(),
            embedding,
        ],
    )?;
    Ok(())
}

pub struct Message {
    pub id: Uuid,
    pub scope: Scope,
    pub session_id: String,
    pub turn_id: Option<Uuid>,
    pub role: String,
    pub content: String,
    pub emotion: Option<String>,
    pub intent: Option<String>,
    pub processing_time: Option<f64>,
    pub cached: Option<bool>,
    pub metadata: Option<RawJsonb>,
    pub tokens: i32,
    pub created_at: TimestampWithTimeZone,
}

macro_rules! columns {
    () => {
        "id, session_id, turn_id, role, content, emotion, intent, processing_time, cached, metadata, tokens,
         created_at, agent_id, space"
    };
}

fn read(db: &Db, user_id: &str, row: Row) -> Result<Message> {
    let id = row.want(1)?;
    Ok(Message {
        id,
        scope: Scope {
            agent_id: row.want(13)?,
            space: row.want(14)?,
        },
        session_id: row.want(2)?,
        turn_id: row.get(3),
        role: row.want(4)?,
        content: seal::open(db, user_id, Column::MessageContent, id, row.want(5)?)?,
        emotion: row.get(6),
        intent: row.get(7),
        processing_time: row.get(8),
        cached: row.get(9),
        metadata: row.get(10),
        tokens: row.want(11)?,
        created_at: row.want(12)?,
    })
}

/// The last messages of a session, newest first.
pub fn recent(db: &Db, user_id: &str, session_id: &str, limit: i64) -> Result<Vec<Message>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.stored_messages WHERE user_id = $1 AND session_id = $2
          ORDER BY created_at DESC, id DESC LIMIT $3"
    );
    db.rows(sql, &[user_id.into(), session_id.into(), limit.into()])?
        .map(|row| read(db, user_id, row))
        .collect()
}

/// The messages of a session's last turns, newest first; all of them when it has fewer turns.
pub fn recent_turns(db: &Db, user_id: &str, session_id: &str, turns: i64) -> Result<Vec<Message>> {
    let first = db.row(
        "SELECT created_at, id FROM memory.stored_messages
         WHERE user_id = $1 AND session_id = $2 AND role = 'user'
         ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $3",
        &[user_id.into(), session_id.into(), (turns - 1).into()],
    )?;
    let Some(first) = first else {
        return recent(db, user_id, session_id, i64::MAX);
    };
    let (at, id): (TimestampWithTimeZone, Uuid) = (first.want(1)?, first.want(2)?);
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.stored_messages
          WHERE user_id = $1 AND session_id = $2 AND (created_at, id) >= ($3, $4)
          ORDER BY created_at DESC, id DESC"
    );
    db.rows(sql, &[user_id.into(), session_id.into(), at.into(), id.into()])?
        .map(|row| read(db, user_id, row))
        .collect()
}

/// The newest messages of a session after a position, oldest first.
pub fn since(
    db: &Db,
    user_id: &str,
    session_id: &str,
    after: Option<(TimestampWithTimeZone, Uuid)>,
    limit: i64,
) -> Result<Vec<Message>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.stored_messages
          WHERE user_id = $1 AND session_id = $2 AND ($3 IS NULL OR (created_at, id) > ($3, $4))
          ORDER BY created_at DESC, id DESC LIMIT $5"
    );
    let (at, id) = after.unzip();
    let args = [user_id.into(), session_id.into(), at.into(), id.into(), limit.into()];
    let mut found = db
        .rows(sql, &args)?
        .map(|row| read(db, user_id, row))
        .collect::<Result<Vec<Message>>>()?;
    found.reverse();
    Ok(found)
}

/// How many messages and turns of a session came after a position.
pub fn count_since(
    db: &Db,
    user_id: &str,
    session_id: &str,
    after: Option<(TimestampWithTimeZone, Uuid)>,
) -> Result<(i64, i64)> {
    let (at, id) = after.unzip();
    let row = db
        .row(
            "SELECT count(*), count(*) FILTER (WHERE role = 'user') FROM memory.stored_messages
             WHERE user_id = $1 AND session_id = $2 AND ($3 IS NULL OR (created_at, id) > ($3, $4))",
            &[user_id.into(), session_id.into(), at.into(), id.into()],
        )?
        .ok_or_else(|| crate::error::internal("count gave no row"))?;
    Ok((row.want(1)?, row.want(2)?))
}

pub fn by_ids(db: &Db, user_id: &str, ids: Vec<Uuid>) -> Result<Vec<Message>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.stored_messages WHERE user_id = $1 AND id = ANY ($2)"
    );
    db.rows(sql, &[user_id.into(), ids.into()])?
        .map(|row| read(db, user_id, row))
        .collect()
}

/// The message that an idempotency key was used for.
pub fn by_key(db: &Db, user_id: &str, key: &str) -> Result<Option<Message>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.stored_messages WHERE user_id = $1 AND idempotency_key = $2"
    );
    db.row(sql, &[user_id.into(), key.into()])?
        .map(|row| read(db, user_id, row))
        .transpose()
}

/// The answer of the turn that a user's message opened.
pub fn answer_of(db: &Db, user_id: &str, turn: &Message) -> Result<Option<Message>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.stored_messages
          WHERE user_id = $1 AND session_id = $2 AND created_at >= $3 AND turn_id = $4 AND role = 'assistant'
          ORDER BY created_at, id LIMIT 1"
    );
    db.row(
        sql,
        &[
            user_id.into(),
            turn.session_id.as_str().into(),
            turn.created_at.into(),
            turn.id.into(),
        ],
    )?
    .map(|row| read(db, user_id, row))
    .transpose()
}

pub fn delete(db: &Db, user_id: &str, id: Uuid) -> Result<Option<Message>> {
    let sql = concat!(
        "DELETE FROM memory.stored_messages WHERE user_id = $1 AND id = $2 RETURNING ",
        columns!()
    );
    db.row(sql, &[user_id.into(), id.into()])?
        .map(|row| read(db, user_id, row))
        .transpose()
}

/// Deletes the messages of a user whose sessions somebody deleted with plain SQL.
pub fn delete_orphans(db: &Db, user_id: &str) -> Result<usize> {
    db.run(
        "DELETE FROM memory.stored_messages m WHERE m.user_id = $1
           AND NOT EXISTS (SELECT FROM memory.sessions s WHERE s.user_id = $1 AND s.session_id = m.session_id)",
        &[user_id.into()],
    )
}

/// Deletes the messages of these sessions.
pub fn delete_all(db: &Db, user_id: &str, session_ids: &[String]) -> Result<usize> {
    db.run(
        "DELETE FROM memory.stored_messages WHERE user_id = $1 AND session_id = ANY ($2)",
        &[user_id.into(), session_ids.to_vec().into()],
    )
}

/// Gives a message the vector of a model, or notes that the model made nothing of it.
pub fn set_embedding(db: &Db, user_id: &str, id: Uuid, model_id: i32, vector: Option<&Embedding>) -> Result<()> {
    let embedding = match vector {
        Some(vector) => vector.argument()?,
        None => Embedding::no_argument()?,
    };
    db.run(
        "UPDATE memory.stored_messages SET model_id = $3, embedding = $4 WHERE user_id = $1 AND id = $2",
        &[user_id.into(), id.into(), model_id.into(), embedding],
    )?;
    Ok(())
}

/// Which messages a search looks at; `None` is no limit.
pub struct Filter<'a> {
    pub session_id: Option<&'a str>,
    pub roles: Option<Vec<String>>,
    pub agent_id: Option<&'a str>,
    pub space: Option<&'a str>,
    pub since: Option<TimestampWithTimeZone>,
    pub until: Option<TimestampWithTimeZone>,
}

/// Shows id, time and terms of every message that passes the filter.
pub fn scan(
    db: &Db,
    user_id: &str,
    filter: &Filter,
    mut visit: impl FnMut(Uuid, i64, &[i32]) -> Result<()>,
) -> Result<()> {
    let mut terms = Vec::new();
    db.stream(
        "SELECT id, created_at, terms FROM memory.stored_messages
         WHERE user_id = $1 AND ($2 IS NULL OR session_id = $2) AND ($3 IS NULL OR role = ANY ($3))
           AND ($4 IS NULL OR agent_id = $4) AND ($5 IS NULL OR space = $5)
           AND ($6 IS NULL OR created_at >= $6) AND ($7 IS NULL OR created_at < $7)",
        &[
            user_id.into(),
            filter.session_id.into(),
            filter.roles.clone().into(),
            filter.agent_id.into(),
            filter.space.into(),
            filter.since.into(),
            filter.until.into(),
        ],
        &mut |row| {
            let at: TimestampWithTimeZone = row.want(2)?;
            row.integers(3, &mut terms);
            visit(row.want(1)?, at.into_inner(), &terms)
        },
    )
}
