//! Which memories are promoted and pruned.

use memory_core::kind::Kind;
use pgrx::datum::Uuid;

use super::db::{Db, Rows};
use super::sessions::Scope;
use crate::error::Result;

fn ids(rows: Rows) -> Result<Vec<Uuid>> {
    rows.map(|row| row.want(1)).collect()
}

/// Active episodes of a scope that were mentioned at least so often.
pub fn mentioned(db: &Db, user_id: &str, scope: &Scope, times: i32) -> Result<Vec<Uuid>> {
    ids(db.rows(
        "SELECT id FROM memory.stored_memories
         WHERE user_id = $1 AND agent_id = $2 AND space = $3 AND kind = 'episodic' AND archived_at IS NULL
           AND mention_count >= $4
         ORDER BY id FOR UPDATE",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            times.into(),
        ],
    )?)
}

pub fn set_kind(db: &Db, user_id: &str, id: Uuid, kind: Kind) -> Result<()> {
    db.run(
        "UPDATE memory.stored_memories SET kind = $3, updated_at = clock_timestamp() WHERE user_id = $1 AND id = $2",
        &[user_id.into(), id.into(), kind.as_str().into()],
    )?;
    db.run(
        "UPDATE memory.search_entries SET kind = $3 WHERE user_id = $1 AND source = 'r' AND id = $2",
        &[user_id.into(), id.into(), kind.as_str().into()],
    )?;
    Ok(())
}

/// The spaces in which a user has active memories, or the one asked for.
pub fn spaces(db: &Db, user_id: &str, space: Option<&str>) -> Result<Vec<String>> {
    db.rows(
        "SELECT DISTINCT space FROM memory.scopes WHERE user_id = $1 AND ($2 IS NULL OR space = $2) ORDER BY space",
        &[user_id.into(), space.into()],
    )?
    .map(|row| row.want(1))
    .collect()
}

/// Active memories of a space that have faded, expired or were never of use. A strength of 0.15 is the
/// seed's threshold. Rows that somebody is changing are left for the next time.
pub fn faded(db: &Db, user_id: &str, space: &str) -> Result<Vec<Uuid>> {
    ids(db.rows(
        "SELECT id FROM memory.stored_memories
         WHERE user_id = $1 AND id = ANY (ARRAY(
                   SELECT id FROM memory.memories
                   WHERE user_id = $1 AND space = $2 AND archived_at IS NULL AND NOT pinned
                     AND ((strength < 0.15 AND mention_count = 0) OR expires_at <= clock_timestamp())))
         ORDER BY id FOR UPDATE SKIP LOCKED",
        &[user_id.into(), space.into()],
    )?)
}

/// Active memories of a space beyond the first `keep`, by importance and strength; pinned ones are kept.
pub fn excess(db: &Db, user_id: &str, space: &str, keep: i64) -> Result<Vec<Uuid>> {
    ids(db.rows(
        "SELECT id FROM memory.stored_memories
         WHERE user_id = $1 AND NOT pinned AND id = ANY (ARRAY(
                   SELECT id FROM memory.memories
                   WHERE user_id = $1 AND space = $2 AND archived_at IS NULL
                   ORDER BY pinned DESC, importance DESC, strength DESC, created_at DESC, id DESC
                   OFFSET $3))
         ORDER BY id FOR UPDATE SKIP LOCKED",
        &[user_id.into(), space.into(), keep.into()],
    )?)
}
