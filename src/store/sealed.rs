//! The columns with sealed texts, walked to seal them, and the hashes made of these texts.

use pgrx::datum::Uuid;

use super::db::Db;
use crate::error::Result;
use crate::jsonb::RawJsonb;
use crate::seal::Column;

/// How a column's texts that do not begin with a prefix are found (and locked), and how one is put back.
pub struct Walk {
    pub column: Column,
    select: &'static str,
    update: &'static str,
}

macro_rules! walk {
    ($column:ident, $table:literal, $id:literal, $name:literal, $unsealed:literal) => {
        Walk {
            column: Column::$column,
            select: concat!(
                "SELECT ",
                $id,
                ", ",
                $name,
                " FROM memory.",
                $table,
                " WHERE user_id = $1 AND ",
                $unsealed,
                " LIMIT $3 FOR UPDATE"
            ),
            update: concat!(
                "UPDATE memory.",
                $table,
                " SET ",
                $name,
                " = $3 WHERE user_id = $1 AND ",
                $id,
                " = $2"
            ),
        }
    };
    ($column:ident, $table:literal, $id:literal, $name:literal) => {
        Walk {
            column: Column::$column,
            select: concat!(
                "SELECT ",
                $id,
                ", ",
                $name,
                " FROM memory.",
                $table,
                " WHERE user_id = $1 AND NOT starts_with(",
                $name,
                ", $2) LIMIT $3 FOR UPDATE"
            ),
            update: concat!(
                "UPDATE memory.",
                $table,
                " SET ",
                $name,
                " = $3 WHERE user_id = $1 AND ",
                $id,
                " = $2"
            ),
        }
    };
}

pub const TEXTS: [Walk; 11] = [
    walk!(MessageContent, "stored_messages", "id", "content"),
    walk!(SummaryContent, "stored_summaries", "id", "content"),
    walk!(MemoryContent, "stored_memories", "id", "content"),
    walk!(MemoryInterpretation, "stored_memories", "id", "interpretation"),
    walk!(FactValue, "stored_facts", "id", "value"),
    walk!(FactRaw, "stored_facts", "id", "raw"),
    walk!(RelationshipNote, "stored_relationships", "version", "director_note"),
    walk!(RelationshipReason, "stored_relationship_changes", "id", "reason"),
    walk!(ScenePlace, "stored_scenes", "id", "place"),
    walk!(SceneTime, "stored_scenes", "id", "scene_time"),
    walk!(SceneTone, "stored_scenes", "id", "tone"),
];

pub const PARTICIPANTS: Walk = walk!(
    SceneParticipants,
    "stored_scenes",
    "id",
    "participants",
    "EXISTS (SELECT FROM unnest(participants) p WHERE NOT starts_with(p, $2))"
);

/// A sealed jsonb is a string.
pub const HISTORY: Walk = walk!(
    HistoryBefore,
    "stored_history",
    "id",
    "before",
    "before IS NOT NULL AND NOT (jsonb_typeof(before) = 'string' AND starts_with(before #>> '{}', $2))"
);

/// What a walk finds and puts back: a text, an array of texts, a jsonb.
pub trait Value: pgrx::FromDatum + pgrx::IntoDatum {}
impl Value for String {}
impl Value for Vec<String> {}
impl Value for RawJsonb {}

impl Walk {
    pub fn find<T: Value>(&self, db: &Db, user_id: &str, prefix: &str, limit: i64) -> Result<Vec<(Uuid, T)>> {
        db.rows(self.select, &[user_id.into(), prefix.into(), limit.into()])?
            .map(|row| Ok((row.want(1)?, row.want(2)?)))
            .collect()
    }

    pub fn put<'a>(
        &self,
        db: &Db,
        user_id: &'a str,
        id: Uuid,
        value: impl Into<pgrx::datum::DatumWithOid<'a>>,
    ) -> Result<()> {
        db.run(self.update, &[user_id.into(), id.into(), value.into()])?;
        Ok(())
    }
}

/// A row whose words are hashed.
pub struct Worded {
    pub id: Uuid,
    pub content: String,
    pub interpretation: Option<String>,
}

fn worded(db: &Db, sql: &str, user_id: &str, after: Uuid, limit: i64) -> Result<Vec<Worded>> {
    db.rows(sql, &[user_id.into(), after.into(), limit.into()])?
        .map(|row| {
            Ok(Worded {
                id: row.want(1)?,
                content: row.want(2)?,
                interpretation: row.get(3),
            })
        })
        .collect()
}

/// The next messages as they are stored, by their ids.
pub fn messages(db: &Db, user_id: &str, after: Uuid, limit: i64) -> Result<Vec<Worded>> {
    let sql = "SELECT id, content, NULL::text FROM memory.stored_messages
               WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    worded(db, sql, user_id, after, limit)
}

pub fn memories(db: &Db, user_id: &str, after: Uuid, limit: i64) -> Result<Vec<Worded>> {
    let sql = "SELECT id, content, interpretation FROM memory.stored_memories
               WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    worded(db, sql, user_id, after, limit)
}

pub fn facts(db: &Db, user_id: &str, after: Uuid, limit: i64) -> Result<Vec<Worded>> {
    let sql = "SELECT id, value, NULL::text FROM memory.stored_facts
               WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    worded(db, sql, user_id, after, limit)
}

pub fn set_message_terms(db: &Db, user_id: &str, id: Uuid, terms: Vec<i32>) -> Result<()> {
    db.run(
        "UPDATE memory.stored_messages SET terms = $3 WHERE user_id = $1 AND id = $2",
        &[user_id.into(), id.into(), terms.into()],
    )?;
    Ok(())
}

/// Only a memory that counts as the only one with its text has a hash.
pub fn set_memory_terms(db: &Db, user_id: &str, id: Uuid, terms: Vec<i32>, hash: i64) -> Result<()> {
    db.run(
        "UPDATE memory.search_entries SET terms = $3 WHERE user_id = $1 AND source IN ('r', 'a') AND id = $2",
        &[user_id.into(), id.into(), terms.into()],
    )?;
    db.run(
        "UPDATE memory.stored_memories SET content_hash = $3
         WHERE user_id = $1 AND id = $2 AND content_hash IS NOT NULL",
        &[user_id.into(), id.into(), hash.into()],
    )?;
    Ok(())
}

pub fn set_fact_hash(db: &Db, user_id: &str, id: Uuid, hash: i64) -> Result<()> {
    db.run(
        "UPDATE memory.stored_facts SET value_hash = $3 WHERE user_id = $1 AND id = $2",
        &[user_id.into(), id.into(), hash.into()],
    )?;
    Ok(())
}
