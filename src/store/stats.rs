//! Counts over a user's rows.

use pgrx::datum::TimestampWithTimeZone;

use super::db::Db;
use crate::error::{self, Result};

pub struct Counts {
    pub sessions: i64,
    pub open_sessions: i64,
    pub messages: i64,
    pub turns: i64,
    pub tokens: i64,
    pub first: Option<TimestampWithTimeZone>,
    pub last: Option<TimestampWithTimeZone>,
    pub summaries: i64,
}

pub fn of_user(db: &Db, user_id: &str) -> Result<Counts> {
    let row = db
        .row(
            "SELECT count(*), count(*) FILTER (WHERE ended_at IS NULL),
                    coalesce(sum(message_count), 0)::bigint, coalesce(sum(turn_count), 0)::bigint,
                    coalesce(sum(token_count), 0)::bigint,
                    min(started_at) FILTER (WHERE message_count > 0),
                    max(last_activity_at) FILTER (WHERE message_count > 0),
                    (SELECT count(*) FROM memory.stored_summaries WHERE user_id = $1)
             FROM memory.sessions WHERE user_id = $1",
            &[user_id.into()],
        )?
        .ok_or_else(|| error::internal("count gave no row"))?;
    Ok(Counts {
        sessions: row.want(1)?,
        open_sessions: row.want(2)?,
        messages: row.want(3)?,
        turns: row.want(4)?,
        tokens: row.want(5)?,
        first: row.get(6),
        last: row.get(7),
        summaries: row.want(8)?,
    })
}
