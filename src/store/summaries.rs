//! memory.stored_summaries

use pgrx::datum::{TimestampWithTimeZone, Uuid};

use super::db::Db;
use crate::error::Result;
use crate::jsonb::RawJsonb;
use crate::seal::{self, Column};

pub struct NewSummary<'a> {
    pub id: Uuid,
    pub session_id: &'a str,
    pub content: &'a str,
    pub topics: Vec<String>,
    pub emotion: Option<&'a str>,
    pub importance: f32,
    pub source: &'a str,
    pub first_message: Option<Uuid>,
    pub last_message: Option<Uuid>,
    pub metadata: Option<RawJsonb>,
    pub created_at: TimestampWithTimeZone,
}

/// Stores a summary; how many messages it covers is counted from the first and last that it names.
pub fn insert(db: &Db, user_id: &str, summary: NewSummary) -> Result<()> {
    let content = seal::text(db, user_id, Column::SummaryContent, summary.id, summary.content)?;
    db.run(
        "INSERT INTO memory.stored_summaries
             (user_id, id, session_id, content, topics, emotion, importance, source, first_message, last_message,
              message_count, metadata, created_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, count(m.id), coalesce($11, '{}'), $12
         FROM (VALUES (1)) one
         LEFT JOIN memory.stored_messages m
             ON m.user_id = $1 AND m.session_id = $3 AND ($9 IS NOT NULL OR $10 IS NOT NULL)
            AND ($9 IS NULL OR (m.created_at, m.id) >=
                    (SELECT f.created_at, f.id FROM memory.stored_messages f WHERE f.user_id = $1 AND f.id = $9))
            AND ($10 IS NULL OR (m.created_at, m.id) <=
                    (SELECT l.created_at, l.id FROM memory.stored_messages l WHERE l.user_id = $1 AND l.id = $10))",
        &[
            user_id.into(),
            summary.id.into(),
            summary.session_id.into(),
            content.as_ref().into(),
            summary.topics.into(),
            summary.emotion.into(),
            summary.importance.into(),
            summary.source.into(),
            summary.first_message.into(),
            summary.last_message.into(),
            summary.metadata.into(),
            summary.created_at.into(),
        ],
    )?;
    Ok(())
}

pub struct Summary {
    pub id: Uuid,
    pub content: String,
    pub created_at: TimestampWithTimeZone,
}

/// The last summary of a session that stands for good, and the last message that it covers.
pub struct Covered {
    pub content: String,
    pub to: (TimestampWithTimeZone, Uuid),
    pub made_at: TimestampWithTimeZone,
}

/// Checkpoints and fallbacks do not count: what they cover is to be summarised yet. A summary that names no last
/// message covers what was said before it.
pub fn covered(db: &Db, user_id: &str, session_id: &str) -> Result<Option<Covered>> {
    let row = db.row(
        "SELECT s.content, coalesce(m.created_at, s.created_at),
                coalesce(m.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid), s.created_at, s.id
         FROM memory.stored_summaries s
         LEFT JOIN memory.stored_messages m ON m.user_id = s.user_id AND m.id = s.last_message
         WHERE s.user_id = $1 AND s.session_id = $2 AND s.source NOT IN ('checkpoint', 'fallback')
         ORDER BY s.created_at DESC, s.id DESC LIMIT 1",
        &[user_id.into(), session_id.into()],
    )?;
    row.map(|row| {
        Ok(Covered {
            content: seal::open(db, user_id, Column::SummaryContent, row.want(5)?, row.want(1)?)?,
            to: (row.want(2)?, row.want(3)?),
            made_at: row.want(4)?,
        })
    })
    .transpose()
}

/// Deletes what only stood in for a summary that has come since.
pub fn delete_checkpoints(db: &Db, user_id: &str, session_id: &str) -> Result<usize> {
    db.run(
        "DELETE FROM memory.stored_summaries WHERE user_id = $1 AND session_id = $2 AND source = 'checkpoint'",
        &[user_id.into(), session_id.into()],
    )
}
