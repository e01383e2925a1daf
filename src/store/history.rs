//! memory.stored_history

use pgrx::datum::{TimestampWithTimeZone, Uuid};
use serde_json::Value;

use super::db::Db;
use crate::error::Result;
use crate::id;
use crate::jsonb::RawJsonb;
use crate::seal::{self, Column};

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
    let id = id::new_id()?;
    let before = before
        .map(|before| seal::json(db, user_id, Column::HistoryBefore, id, &with_metadata(before, metadata)))
        .transpose()?;
    db.run(
        "INSERT INTO memory.stored_history (user_id, id, memory_id, action, before) VALUES ($1, $2, $3, $4, $5)",
        &[
            user_id.into(),
            id.into(),
            memory_id.into(),
            action.into(),
            before.into(),
        ],
    )?;
    Ok(())
}

/// An object as JSON, with metadata that serde would round.
fn with_metadata(before: Value, metadata: Option<RawJsonb>) -> String {
    let mut text = before.to_string();
    if let (Some(metadata), Some('}')) = (metadata, text.pop()) {
        let comma = if text.len() > 1 { "," } else { "" };
        text.push_str(&format!("{comma}\"metadata\":{}", metadata.text()));
    }
    text.push('}');
    text
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
        "SELECT action, before, changed_by::text, changed_at, id FROM memory.stored_history
         WHERE user_id = $1 AND memory_id = $2 ORDER BY id",
        &[user_id.into(), memory_id.into()],
    )?
    .map(|row| {
        let open = |stored| seal::open_json(db, user_id, Column::HistoryBefore, row.want(5)?, stored);
        Ok(Change {
            action: row.want(1)?,
            before: row.get(2).map(open).transpose()?,
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
