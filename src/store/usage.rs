//! memory.llm_usage

use super::db::Db;
use crate::error::Result;

pub struct Usage {
    pub calls: i64,
    pub tokens: i64,
}

/// What was asked for a user today.
pub fn today(db: &Db, user_id: &str) -> Result<Usage> {
    let row = db.row(
        "SELECT calls, prompt_tokens + answer_tokens FROM memory.llm_usage
         WHERE user_id = $1 AND day = (clock_timestamp() AT TIME ZONE 'UTC')::date",
        &[user_id.into()],
    )?;
    match row {
        Some(row) => Ok(Usage {
            calls: row.want(1)?,
            tokens: row.want(2)?,
        }),
        None => Ok(Usage { calls: 0, tokens: 0 }),
    }
}

pub fn add(db: &Db, user_id: &str, calls: i64, prompt_tokens: i64, answer_tokens: i64) -> Result<()> {
    db.run(
        "INSERT INTO memory.llm_usage AS u (user_id, day, calls, prompt_tokens, answer_tokens)
         VALUES ($1, (clock_timestamp() AT TIME ZONE 'UTC')::date, $2, $3, $4)
         ON CONFLICT (user_id, day) DO UPDATE SET calls = u.calls + $2, prompt_tokens = u.prompt_tokens + $3,
             answer_tokens = u.answer_tokens + $4",
        &[user_id.into(), calls.into(), prompt_tokens.into(), answer_tokens.into()],
    )?;
    Ok(())
}
