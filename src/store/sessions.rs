//! memory.sessions

use pgrx::JsonB;
use pgrx::datum::{TimestampWithTimeZone, Uuid};

use super::db::{Db, Row};
use super::summaries::Summary;
use crate::error::{self, Result};
use crate::jsonb::RawJsonb;
use crate::seal::{self, Column};

pub struct Session {
    pub session_id: String,
    pub scope: Scope,
    pub started_at: TimestampWithTimeZone,
    pub last_activity_at: TimestampWithTimeZone,
    pub ended_at: Option<TimestampWithTimeZone>,
    pub end_reason: Option<String>,
    pub message_count: i64,
    pub turn_count: i64,
    pub token_count: i64,
    pub metadata: RawJsonb,
}

macro_rules! columns {
    () => {
        "session_id, agent_id, space, started_at, last_activity_at, ended_at, end_reason,
         message_count, turn_count, token_count, metadata"
    };
}

fn read(row: &Row) -> Result<Session> {
    Ok(Session {
        session_id: row.want(1)?,
        scope: Scope {
            agent_id: row.want(2)?,
            space: row.want(3)?,
        },
        started_at: row.want(4)?,
        last_activity_at: row.want(5)?,
        ended_at: row.get(6),
        end_reason: row.get(7),
        message_count: row.want(8)?,
        turn_count: row.want(9)?,
        token_count: row.want(10)?,
        metadata: row.want(11)?,
    })
}

/// The scope that a session's messages and memories belong to.
#[derive(Clone)]
pub struct Scope {
    pub agent_id: String,
    pub space: String,
}

impl Scope {
    pub fn new(agent_id: Option<&str>, space: Option<&str>) -> Scope {
        Scope {
            agent_id: agent_id.unwrap_or_default().to_string(),
            space: space.unwrap_or_default().to_string(),
        }
    }

    /// A session stays with the agent and space that it was started for.
    pub fn accepts(&self, session_id: &str, agent_id: Option<&str>, space: Option<&str>) -> Result<()> {
        for (what, given, stored) in [("agent", agent_id, &self.agent_id), ("space", space, &self.space)] {
            if given.is_some_and(|given| given != stored) {
                return Err(error::conflict(
                    format!("session \"{session_id}\" belongs to {what} \"{stored}\""),
                    "Use another session_id for another agent or space.",
                ));
            }
        }
        Ok(())
    }
}

pub fn find(db: &Db, user_id: &str, session_id: &str) -> Result<Option<Session>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.sessions WHERE user_id = $1 AND session_id = $2"
    );
    db.row(sql, &[user_id.into(), session_id.into()])?
        .as_ref()
        .map(read)
        .transpose()
}

/// What a context starts from: the session with its agent and its latest summary, in one statement.
pub struct Head {
    pub scope: Scope,
    pub message_count: i64,
    /// Whether the user has any memories, of whatever scope.
    pub has_memories: bool,
    pub has_facts: bool,
    pub has_relationship: bool,
    pub persona: Option<String>,
    pub config: Option<JsonB>,
    pub summary: Option<Summary>,
}

pub fn head(db: &Db, user_id: &str, session_id: &str) -> Result<Option<Head>> {
    let row = db.row(
        "SELECT s.agent_id, s.space, s.message_count, a.persona, a.config, m.id, m.content, m.created_at,
                EXISTS (SELECT FROM memory.search_entries e WHERE e.user_id = $1 AND e.source = 'r'),
                EXISTS (SELECT FROM memory.stored_facts f WHERE f.user_id = $1),
                EXISTS (SELECT FROM memory.stored_relationships r WHERE r.user_id = $1)
         FROM memory.sessions s
         LEFT JOIN memory.agents a ON a.agent_id = s.agent_id
         LEFT JOIN LATERAL (
             SELECT id, content, created_at FROM memory.stored_summaries
             WHERE user_id = $1 AND session_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1) m ON true
         WHERE s.user_id = $1 AND s.session_id = $2",
        &[user_id.into(), session_id.into()],
    )?;
    row.map(|row| {
        Ok(Head {
            scope: Scope {
                agent_id: row.want(1)?,
                space: row.want(2)?,
            },
            message_count: row.want(3)?,
            has_memories: row.want(9)?,
            has_facts: row.want(10)?,
            has_relationship: row.want(11)?,
            persona: row.get(4),
            config: row.get(5),
            summary: match row.get(6) {
                Some(id) => Some(Summary {
                    id,
                    content: seal::open(db, user_id, Column::SummaryContent, id, row.want(7)?)?,
                    created_at: row.want(8)?,
                }),
                None => None,
            },
        })
    })
    .transpose()
}

/// Makes the session unless it is there; true when it was made.
pub fn insert(
    db: &Db,
    user_id: &str,
    session_id: &str,
    scope: &Scope,
    metadata: Option<RawJsonb>,
    started_at: TimestampWithTimeZone,
) -> Result<bool> {
    let made = db.run(
        "INSERT INTO memory.sessions
             (user_id, session_id, agent_id, space, started_at, last_activity_at, metadata, big)
         VALUES ($1, $2, $3, $4, $5, $5, coalesce($6, '{}'),
                 coalesce((SELECT big FROM memory.users WHERE user_id = $1), false))
         ON CONFLICT (user_id, session_id) DO NOTHING",
        &[
            user_id.into(),
            session_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            started_at.into(),
            metadata.into(),
        ],
    )?;
    Ok(made == 1)
}

/// Opens an ended session again and adds to its metadata.
pub fn reopen(
    db: &Db,
    user_id: &str,
    session_id: &str,
    metadata: Option<RawJsonb>,
    now: TimestampWithTimeZone,
) -> Result<()> {
    db.run(
        "UPDATE memory.sessions
         SET last_activity_at = CASE WHEN ended_at IS NULL THEN last_activity_at ELSE greatest(last_activity_at, $4) END,
             ended_at = NULL, end_reason = NULL, metadata = metadata || coalesce($3, '{}')
         WHERE user_id = $1 AND session_id = $2
           AND (ended_at IS NOT NULL OR $3 IS NOT NULL)",
        &[user_id.into(), session_id.into(), metadata.into(), now.into()],
    )?;
    Ok(())
}

/// What messages about to be stored add to their session.
pub struct Growth {
    pub messages: i64,
    pub turns: i64,
    pub tokens: i64,
    /// The turn that these messages open, if they do.
    pub turn: Option<Uuid>,
}

/// The session as its new messages find it.
pub struct Touched {
    pub scope: Scope,
    pub turn: Option<Uuid>,
    /// Whether the user is searched through indexes.
    pub big: bool,
    /// Messages in the session, the new ones among them.
    pub message_count: i64,
    /// The clock once the session's row was ours: messages of one session are in the order of this time.
    pub now: TimestampWithTimeZone,
}

/// Takes the session's row, counts the new messages and opens an ended session again.
pub fn touch(
    db: &Db,
    user_id: &str,
    session_id: &str,
    growth: &Growth,
    at: Option<TimestampWithTimeZone>,
) -> Result<Option<Touched>> {
    seal::hold(db, user_id)?;
    let row = db.row(
        "UPDATE memory.sessions
         SET started_at = least(started_at, $3),
             last_activity_at = greatest(last_activity_at, coalesce($3, clock_timestamp())),
             message_count = message_count + $4, turn_count = turn_count + $5, token_count = token_count + $6,
             current_turn = coalesce($7, current_turn), ended_at = NULL, end_reason = NULL
         WHERE user_id = $1 AND session_id = $2
         RETURNING agent_id, space, current_turn, big, clock_timestamp(), message_count",
        &[
            user_id.into(),
            session_id.into(),
            at.into(),
            growth.messages.into(),
            growth.turns.into(),
            growth.tokens.into(),
            growth.turn.into(),
        ],
    )?;
    row.map(|row| {
        Ok(Touched {
            scope: Scope {
                agent_id: row.want(1)?,
                space: row.want(2)?,
            },
            turn: row.get(3),
            big: row.want(4)?,
            now: row.want(5)?,
            message_count: row.want(6)?,
        })
    })
    .transpose()
}

pub fn lock(db: &Db, user_id: &str, session_id: &str) -> Result<bool> {
    seal::hold(db, user_id)?;
    let found = db.run(
        "SELECT FROM memory.sessions WHERE user_id = $1 AND session_id = $2 FOR UPDATE",
        &[user_id.into(), session_id.into()],
    )?;
    Ok(found == 1)
}

/// Takes all sessions of a user, always in the same order, and gives their ids.
pub fn lock_all(db: &Db, user_id: &str) -> Result<Vec<String>> {
    seal::hold(db, user_id)?;
    db.rows(
        "SELECT session_id FROM memory.sessions WHERE user_id = $1 ORDER BY session_id FOR UPDATE",
        &[user_id.into()],
    )?
    .map(|row| row.want(1))
    .collect()
}

/// `None` when there is no such session, else whether it was open.
pub fn end(db: &Db, user_id: &str, session_id: &str, reason: &str) -> Result<Option<bool>> {
    if !lock(db, user_id, session_id)? {
        return Ok(None);
    }
    let ended = db.run(
        "UPDATE memory.sessions SET ended_at = clock_timestamp(), end_reason = $3
         WHERE user_id = $1 AND session_id = $2 AND ended_at IS NULL",
        &[user_id.into(), session_id.into(), reason.into()],
    )?;
    Ok(Some(ended == 1))
}

pub struct Swept {
    pub user_id: String,
    pub session_id: String,
    pub agent_id: String,
    pub space: String,
    pub last_activity_at: TimestampWithTimeZone,
    pub ended_at: TimestampWithTimeZone,
}

/// Ends sessions idle for `idle_seconds`, or, when that is not given, for what their agent or else
/// `default_minutes` says, at most `limit` of them. Sessions that somebody is writing to are not idle and are skipped.
/// Seconds are compared as numbers, for no interval is so long that it must be an error.
pub fn sweep(db: &Db, idle_seconds: Option<f64>, default_minutes: i32, limit: Option<i64>) -> Result<Vec<Swept>> {
    db.rows(
        "WITH idle AS (
             SELECT s.user_id, s.session_id
             FROM memory.sessions s LEFT JOIN memory.agents a ON a.agent_id = s.agent_id
             WHERE s.ended_at IS NULL
               AND date_part('epoch', clock_timestamp()) - date_part('epoch', s.last_activity_at)
                   > coalesce($1, 60.0 * coalesce((a.config ->> 'session_timeout')::float8, $2))
             LIMIT $3 FOR UPDATE OF s SKIP LOCKED
         )
         UPDATE memory.sessions s SET ended_at = clock_timestamp(), end_reason = 'idle'
         FROM idle
         WHERE s.user_id = idle.user_id AND s.session_id = idle.session_id AND s.ended_at IS NULL
         RETURNING s.user_id, s.session_id, s.agent_id, s.space, s.last_activity_at, s.ended_at",
        &[idle_seconds.into(), default_minutes.into(), limit.into()],
    )?
    .map(|row| {
        Ok(Swept {
            user_id: row.want(1)?,
            session_id: row.want(2)?,
            agent_id: row.want(3)?,
            space: row.want(4)?,
            last_activity_at: row.want(5)?,
            ended_at: row.want(6)?,
        })
    })
    .collect()
}

/// Sessions of a user, the most recently used first, with the number of all that match.
pub fn list(
    db: &Db,
    user_id: &str,
    agent_id: Option<&str>,
    space: Option<&str>,
    include_ended: bool,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Session>, i64)> {
    let args = [
        user_id.into(),
        agent_id.into(),
        space.into(),
        include_ended.into(),
        limit.into(),
        offset.into(),
    ];
    macro_rules! matching {
        () => {
            " FROM memory.sessions
              WHERE user_id = $1 AND ($2 IS NULL OR agent_id = $2) AND ($3 IS NULL OR space = $3)
                AND ($4 OR ended_at IS NULL)"
        };
    }
    let total = db
        .row(concat!("SELECT count(*)", matching!()), &args[..4])?
        .ok_or_else(|| error::internal("count gave no row"))?
        .want(1)?;
    let sessions = db
        .rows(
            concat!(
                "SELECT ",
                columns!(),
                matching!(),
                " ORDER BY last_activity_at DESC, session_id LIMIT $5 OFFSET $6"
            ),
            &args,
        )?
        .map(|row| read(&row))
        .collect::<Result<_>>()?;
    Ok((sessions, total))
}

/// Takes a deleted message out of its session's counts.
pub fn shrink(db: &Db, user_id: &str, session_id: &str, turns: i64, tokens: i64) -> Result<()> {
    db.run(
        "UPDATE memory.sessions
         SET message_count = message_count - 1, turn_count = turn_count - $3, token_count = token_count - $4
         WHERE user_id = $1 AND session_id = $2",
        &[user_id.into(), session_id.into(), turns.into(), tokens.into()],
    )?;
    Ok(())
}

/// Deletes sessions that are locked, with their summaries.
pub fn delete(db: &Db, user_id: &str, session_ids: &[String]) -> Result<usize> {
    db.run(
        "DELETE FROM memory.sessions WHERE user_id = $1 AND session_id = ANY ($2)",
        &[user_id.into(), session_ids.to_vec().into()],
    )
}
