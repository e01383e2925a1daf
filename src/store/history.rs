//! memory.stored_history

use pgrx::JsonB;
use pgrx::datum::{TimestampWithTimeZone, Uuid};
use serde_json::Value;

use super::db::Db;
use crate::error::Result;
use crate::id;
use crate::jsonb::RawJsonb;

/// Notes what was done to a memory and how it was before.
pub fn note(db: &Db, user_id: &str, memory_id: Uuid, action: &str, before: Option<Value>) -> Result<()> {
    note_with(db, user_id, memory_id, action, before, None)
}

/// The same with the metadata as it was, to the last digit.
pub fn note_with(
    db: &Db,
    user_id: &str,
    memory_id: Uuid,
    action: &str,
    before: Option<Value>,
    metadata: Option<RawJsonb>,
) -> Result<()> {
    db.run(
        "INSERT INTO memory.stored_history (user_id, id, memory_id, action, before)
         VALUES ($1, $2, $3, $4, CASE WHEN $6 IS NULL THEN $5 ELSE $5 || jsonb_build_object('metadata', $6) END)",
        &[
            user_id.into(),
            id::new_id()?.into(),
            memory_id.into(),
            action.into(),
            before.map(JsonB).into(),
            metadata.into(),
        ],
    )?;
    Ok(())
}

pub struct Change {
    pub action: String,
    pub before: Option<RawJsonb>,
    pub changed_by: String,
    pub changed_at: TimestampWithTimeZone,
}

/// The changes of a memory, oldest first.
pub fn of_memory(db: &Db, user_id: &str, memory_id: Uuid) -> Result<Vec<Change>> {
    db.rows(
        "SELECT action, before, changed_by::text, changed_at FROM memory.stored_history
         WHERE user_id = $1 AND memory_id = $2 ORDER BY id",
        &[user_id.into(), memory_id.into()],
    )?
    .map(|row| {
        Ok(Change {
            action: row.want(1)?,
            before: row.get(2),
            changed_by: row.want(3)?,
            changed_at: row.want(4)?,
        })
    })
    .collect()
}

pub fn delete(db: &Db, user_id: &str, memory_ids: Vec<Uuid>) -> Result<()> {
    db.run(
        "DELETE FROM memory.stored_history WHERE user_id = $1 AND memory_id = ANY ($2)",
        &[user_id.into(), memory_ids.into()],
    )?;
    Ok(())
}
