//! memory.stored_memories, read through memory.memories, which shows texts opened

use memory_core::kind::Kind;
use pgrx::datum::{TimestampWithTimeZone, Uuid};

use super::db::{Db, Row};
use super::sessions::Scope;
use crate::error::{self, Result};
use crate::jsonb::RawJsonb;
use crate::seal::{self, Column};

pub struct Memory {
    pub id: Uuid,
    pub scope: Scope,
    pub session_id: Option<String>,
    pub kind: String,
    pub content: String,
    pub interpretation: Option<String>,
    pub topics: Vec<String>,
    pub emotion: Option<String>,
    pub emotion_intensity: f64,
    pub importance: f64,
    pub strength: f64,
    pub mention_count: i32,
    pub pinned: bool,
    pub source: String,
    pub source_messages: Vec<Uuid>,
    pub model: Option<String>,
    pub metadata: RawJsonb,
    pub occurred_at: TimestampWithTimeZone,
    pub created_at: TimestampWithTimeZone,
    pub updated_at: TimestampWithTimeZone,
    pub recalled_at: Option<TimestampWithTimeZone>,
    pub expires_at: Option<TimestampWithTimeZone>,
    pub archived_at: Option<TimestampWithTimeZone>,
}

macro_rules! columns {
    () => {
        "id, agent_id, space, session_id, kind, content, interpretation, topics, emotion, emotion_intensity,
         importance, strength, mention_count, pinned, source, source_messages, model, metadata, occurred_at,
         created_at, updated_at, recalled_at, expires_at, archived_at"
    };
}

fn read(row: Row) -> Result<Memory> {
    Ok(Memory {
        id: row.want(1)?,
        scope: Scope {
            agent_id: row.want(2)?,
            space: row.want(3)?,
        },
        session_id: row.get(4),
        kind: row.want(5)?,
        content: row.want(6)?,
        interpretation: row.get(7),
        topics: row.want(8)?,
        emotion: row.get(9),
        emotion_intensity: row.want(10)?,
        importance: row.want(11)?,
        strength: row.want(12)?,
        mention_count: row.want(13)?,
        pinned: row.want(14)?,
        source: row.want(15)?,
        source_messages: row.want(16)?,
        model: row.get(17),
        metadata: row.want(18)?,
        occurred_at: row.want(19)?,
        created_at: row.want(20)?,
        updated_at: row.want(21)?,
        recalled_at: row.get(22),
        expires_at: row.get(23),
        archived_at: row.get(24),
    })
}

impl Memory {
    pub fn kind(&self) -> Result<Kind> {
        self.kind
            .parse()
            .map_err(|()| error::internal(format!("unknown kind {}", self.kind)))
    }
}

pub fn find(db: &Db, user_id: &str, id: Uuid) -> Result<Option<Memory>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.memories WHERE user_id = $1 AND id = $2"
    );
    db.row(sql, &[user_id.into(), id.into()])?.map(read).transpose()
}

pub fn by_ids(db: &Db, user_id: &str, ids: Vec<Uuid>) -> Result<Vec<Memory>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.memories WHERE user_id = $1 AND id = ANY ($2) ORDER BY id"
    );
    db.rows(sql, &[user_id.into(), ids.into()])?.map(read).collect()
}

/// What a recall tells of a memory, beside its place in the ranking.
pub struct Told {
    pub id: Uuid,
    pub scope: Scope,
    pub session_id: Option<String>,
    pub kind: String,
    pub content: String,
    pub interpretation: Option<String>,
    pub topics: Vec<String>,
    pub source_messages: Vec<Uuid>,
    pub metadata: RawJsonb,
    pub occurred_at: TimestampWithTimeZone,
    pub archived_at: Option<TimestampWithTimeZone>,
}

/// Reads the table alone: joining the four tables behind the view took a third of a small user's recall.
pub fn told(db: &Db, user_id: &str, ids: Vec<Uuid>) -> Result<Vec<Told>> {
    db.rows(
        "SELECT id, agent_id, space, session_id, kind, content, interpretation, topics, source_messages, metadata,
                occurred_at, archived_at
         FROM memory.stored_memories WHERE user_id = $1 AND id = ANY ($2)",
        &[user_id.into(), ids.into()],
    )?
    .map(|row| {
        let id = row.want(1)?;
        let interpretation = row.get(7);
        Ok(Told {
            id,
            scope: Scope {
                agent_id: row.want(2)?,
                space: row.want(3)?,
            },
            session_id: row.get(4),
            kind: row.want(5)?,
            content: seal::open(db, user_id, Column::MemoryContent, id, row.want(6)?)?,
            interpretation: seal::open_optional(db, user_id, Column::MemoryInterpretation, id, interpretation)?,
            topics: row.want(8)?,
            source_messages: row.want(9)?,
            metadata: row.want(10)?,
            occurred_at: row.want(11)?,
            archived_at: row.get(12),
        })
    })
    .collect()
}

/// Takes the rows for this transaction, in the order of their ids; gives the ids that are there.
pub fn lock(db: &Db, user_id: &str, ids: Vec<Uuid>) -> Result<Vec<Uuid>> {
    db.rows(
        "SELECT id FROM memory.stored_memories WHERE user_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE",
        &[user_id.into(), ids.into()],
    )?
    .map(|row| row.want(1))
    .collect()
}

pub struct Filter<'a> {
    pub agent_id: Option<&'a str>,
    pub space: Option<&'a str>,
    pub kinds: Option<Vec<String>>,
    pub include_archived: bool,
}

/// Memories, newest first, with the number of all that match.
pub fn list(db: &Db, user_id: &str, filter: &Filter, limit: i64, offset: i64) -> Result<(Vec<Memory>, i64)> {
    macro_rules! matching {
        () => {
            " FROM memory.memories
              WHERE user_id = $1 AND ($2 IS NULL OR agent_id = $2) AND ($3 IS NULL OR space = $3)
                AND ($4 IS NULL OR kind = ANY ($4)) AND ($5 OR archived_at IS NULL)
                AND (expires_at IS NULL OR $5 OR expires_at > clock_timestamp())"
        };
    }
    let args = [
        user_id.into(),
        filter.agent_id.into(),
        filter.space.into(),
        filter.kinds.clone().into(),
        filter.include_archived.into(),
        limit.into(),
        offset.into(),
    ];
    let total = db
        .row(concat!("SELECT count(*)", matching!()), &args[..5])?
        .ok_or_else(|| error::internal("count gave no row"))?
        .want(1)?;
    let sql = concat!(
        "SELECT ",
        columns!(),
        matching!(),
        " ORDER BY created_at DESC, id DESC LIMIT $6 OFFSET $7"
    );
    let memories = db.rows(sql, &args)?.map(read).collect::<Result<_>>()?;
    Ok((memories, total))
}

/// The active memories of a user and agent, whatever their space.
pub fn active_of_agent(db: &Db, user_id: &str, agent_id: &str) -> Result<Vec<Memory>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.memories WHERE user_id = $1 AND agent_id = $2 AND archived_at IS NULL
          AND (expires_at IS NULL OR expires_at > clock_timestamp())"
    );
    db.rows(sql, &[user_id.into(), agent_id.into()])?.map(read).collect()
}

/// The text of a scope's active reflection.
pub fn latest_reflection(db: &Db, user_id: &str, scope: &Scope) -> Result<Option<String>> {
    db.row(
        "SELECT m.id, m.content FROM memory.search_entries e
         JOIN memory.stored_memories m ON m.user_id = e.user_id AND m.id = e.id
         WHERE e.user_id = $1 AND e.source = 'r' AND e.kind = 'reflection' AND e.agent_id = $2 AND e.space = $3
         ORDER BY e.id DESC LIMIT 1",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
        ],
    )?
    .map(|row| seal::open(db, user_id, Column::MemoryContent, row.want(1)?, row.want(2)?))
    .transpose()
}

pub fn count_active(db: &Db, user_id: &str, agent_id: &str) -> Result<i64> {
    db.row(
        "SELECT count(*) FROM memory.stored_memories
         WHERE user_id = $1 AND agent_id = $2 AND archived_at IS NULL
           AND (expires_at IS NULL OR expires_at > clock_timestamp())",
        &[user_id.into(), agent_id.into()],
    )?
    .ok_or_else(|| error::internal("count gave no row"))?
    .want(1)
}

pub struct NewMemory<'a> {
    pub id: Uuid,
    pub scope: &'a Scope,
    pub session_id: Option<&'a str>,
    pub kind: Kind,
    pub content: &'a str,
    pub content_hash: Option<i64>,
    pub interpretation: Option<&'a str>,
    pub topics: Vec<String>,
    pub emotion: Option<&'a str>,
    pub emotion_intensity: f64,
    pub mention_count: i32,
    pub pinned: bool,
    pub source: &'a str,
    pub source_messages: Vec<Uuid>,
    pub metadata: Option<RawJsonb>,
    pub occurred_at: TimestampWithTimeZone,
    pub created_at: TimestampWithTimeZone,
    pub expires_at: Option<TimestampWithTimeZone>,
}

pub fn insert(db: &Db, user_id: &str, memory: NewMemory) -> Result<()> {
    let content = seal::text(db, user_id, Column::MemoryContent, memory.id, memory.content)?;
    let column = Column::MemoryInterpretation;
    let interpretation = seal::optional(db, user_id, column, memory.id, memory.interpretation)?;
    db.run(
        "INSERT INTO memory.stored_memories
             (user_id, id, agent_id, space, session_id, kind, content, content_hash, interpretation, topics, emotion,
              emotion_intensity, mention_count, pinned, source, source_messages, metadata, occurred_at, created_at,
              updated_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, coalesce($17, '{}'), $18, $19,
                 $19, $20)",
        &[
            user_id.into(),
            memory.id.into(),
            memory.scope.agent_id.as_str().into(),
            memory.scope.space.as_str().into(),
            memory.session_id.into(),
            memory.kind.as_str().into(),
            content.as_ref().into(),
            memory.content_hash.into(),
            interpretation.as_deref().into(),
            memory.topics.into(),
            memory.emotion.into(),
            memory.emotion_intensity.into(),
            memory.mention_count.into(),
            memory.pinned.into(),
            memory.source.into(),
            memory.source_messages.into(),
            memory.metadata.into(),
            memory.occurred_at.into(),
            memory.created_at.into(),
            memory.expires_at.into(),
        ],
    )?;
    Ok(())
}

/// A memory with the same text.
pub struct Same {
    pub id: Uuid,
    pub expired: bool,
}

/// The active memory of a scope with exactly this text.
pub fn by_hash(db: &Db, user_id: &str, scope: &Scope, hash: i64) -> Result<Option<Same>> {
    db.row(
        "SELECT id, coalesce(expires_at <= clock_timestamp(), false) FROM memory.stored_memories
         WHERE user_id = $1 AND agent_id = $2 AND space = $3 AND content_hash = $4 AND archived_at IS NULL",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            hash.into(),
        ],
    )?
    .map(|row| {
        Ok(Same {
            id: row.want(1)?,
            expired: row.want(2)?,
        })
    })
    .transpose()
}

/// What an update leaves of a memory's own columns.
pub fn rewrite(db: &Db, user_id: &str, memory: &Memory, content_hash: Option<i64>) -> Result<()> {
    let content = seal::text(db, user_id, Column::MemoryContent, memory.id, &memory.content)?;
    let column = Column::MemoryInterpretation;
    let interpretation = seal::optional(db, user_id, column, memory.id, memory.interpretation.as_deref())?;
    db.run(
        "UPDATE memory.stored_memories
         SET kind = $3, content = $4, content_hash = $5, interpretation = $6, topics = $7, emotion = $8,
             emotion_intensity = $9, pinned = $10, metadata = $11, occurred_at = $12, expires_at = $13,
             updated_at = clock_timestamp()
         WHERE user_id = $1 AND id = $2",
        &[
            user_id.into(),
            memory.id.into(),
            memory.kind.as_str().into(),
            content.as_ref().into(),
            content_hash.into(),
            interpretation.as_deref().into(),
            memory.topics.clone().into(),
            memory.emotion.as_deref().into(),
            memory.emotion_intensity.into(),
            memory.pinned.into(),
            memory.metadata.clone().into(),
            memory.occurred_at.into(),
            memory.expires_at.into(),
        ],
    )?;
    Ok(())
}

/// Counts a mention; `recalled` when it was of use to the application.
pub fn mention(db: &Db, user_id: &str, id: Uuid, recalled: bool) -> Result<()> {
    db.run(
        "UPDATE memory.stored_memories
         SET mention_count = mention_count + 1, updated_at = clock_timestamp(),
             recalled_at = CASE WHEN $3 THEN clock_timestamp() ELSE recalled_at END
         WHERE user_id = $1 AND id = $2",
        &[user_id.into(), id.into(), recalled.into()],
    )?;
    Ok(())
}

/// Archives active memories; gives the ids that were.
pub fn archive(db: &Db, user_id: &str, ids: Vec<Uuid>, reason: &str, into: Option<Uuid>) -> Result<Vec<Uuid>> {
    db.rows(
        "UPDATE memory.stored_memories
         SET archived_at = clock_timestamp(), archive_reason = $3, consolidated_into = $4
         WHERE user_id = $1 AND id = ANY ($2) AND archived_at IS NULL
         RETURNING id",
        &[user_id.into(), ids.into(), reason.into(), into.into()],
    )?
    .map(|row| row.want(1))
    .collect()
}

/// Makes archived memories active again. A text that is active already, or comes back twice, keeps its rows, but only
/// the first one counts as the only one.
pub fn restore(db: &Db, user_id: &str, ids: Vec<Uuid>) -> Result<Vec<Uuid>> {
    db.rows(
        "UPDATE memory.stored_memories m
         SET archived_at = NULL, archive_reason = NULL, consolidated_into = NULL,
             content_hash = CASE WHEN EXISTS (
                 SELECT FROM memory.stored_memories o
                 WHERE o.user_id = m.user_id AND o.agent_id = m.agent_id AND o.space = m.space
                   AND o.content_hash = m.content_hash
                   AND (o.archived_at IS NULL OR o.id = ANY ($2) AND o.id < m.id)) THEN NULL ELSE content_hash END
         WHERE user_id = $1 AND id = ANY ($2) AND archived_at IS NOT NULL
         RETURNING id",
        &[user_id.into(), ids.into()],
    )?
    .map(|row| row.want(1))
    .collect()
}

pub fn consolidated_into(db: &Db, user_id: &str, id: Uuid) -> Result<Vec<Uuid>> {
    db.rows(
        "SELECT id FROM memory.stored_memories WHERE user_id = $1 AND consolidated_into = $2 ORDER BY id FOR UPDATE",
        &[user_id.into(), id.into()],
    )?
    .map(|row| row.want(1))
    .collect()
}

pub fn delete(db: &Db, user_id: &str, ids: Vec<Uuid>) -> Result<usize> {
    db.run(
        "DELETE FROM memory.stored_memories WHERE user_id = $1 AND id = ANY ($2)",
        &[user_id.into(), ids.into()],
    )
}

/// Everything of a user.
pub fn clear(db: &Db, user_id: &str) -> Result<usize> {
    db.run(
        "DELETE FROM memory.stored_history WHERE user_id = $1",
        &[user_id.into()],
    )?;
    db.run("DELETE FROM memory.scopes WHERE user_id = $1", &[user_id.into()])?;
    db.run(
        "UPDATE memory.users SET big = false, entries = 0 WHERE user_id = $1 AND big",
        &[user_id.into()],
    )?;
    db.run(
        "DELETE FROM memory.stored_memories WHERE user_id = $1",
        &[user_id.into()],
    )
}

/// Pruned memories whose time to be restored is over. Seconds are compared as numbers, for no interval is so
/// long that it must be an error.
pub fn purgeable(db: &Db, user_id: &str, space: Option<&str>, keep_minutes: f64) -> Result<Vec<Uuid>> {
    db.rows(
        "SELECT id FROM memory.stored_memories
         WHERE user_id = $1 AND ($2 IS NULL OR space = $2) AND archive_reason = 'pruned' AND NOT pinned
           AND date_part('epoch', clock_timestamp()) - date_part('epoch', archived_at) > 60 * $3
         FOR UPDATE SKIP LOCKED",
        &[user_id.into(), space.into(), keep_minutes.into()],
    )?
    .map(|row| row.want(1))
    .collect()
}

/// Summaries of a session that a newer one may replace: made by us, and not touched by anybody since.
pub fn replaceable_summaries(db: &Db, user_id: &str, session_id: &str) -> Result<Vec<Uuid>> {
    db.rows(
        "SELECT m.id FROM memory.stored_memories m
         WHERE m.user_id = $1 AND m.session_id = $2 AND m.kind = 'summary' AND m.archived_at IS NULL AND NOT m.pinned
           AND m.source IN ('llm', 'builtin', 'fallback')
           AND NOT EXISTS (SELECT FROM memory.stored_history h
                           WHERE h.user_id = $1 AND h.memory_id = m.id AND h.action = 'updated')
         ORDER BY m.id",
        &[user_id.into(), session_id.into()],
    )?
    .map(|row| row.want(1))
    .collect()
}
