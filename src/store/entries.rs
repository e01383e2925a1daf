//! memory.search_entries: what ranking reads of memories. Messages carry the same in their own rows.

use pgrx::datum::{TimestampWithTimeZone, Uuid};

use super::db::Db;
use super::models;
use super::sessions::Scope;
use crate::embed::Embedded;
use crate::error::{self, Result};

/// What ranking ranks: one letter for each. Only memories stand in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Message,
    Memory,
    Archived,
}

impl Source {
    pub fn letter(self) -> i8 {
        match self {
            Source::Message => b'm' as i8,
            Source::Memory => b'r' as i8,
            Source::Archived => b'a' as i8,
        }
    }

    pub fn of_letter(letter: i8) -> Source {
        match letter as u8 {
            b'm' => Source::Message,
            b'r' => Source::Memory,
            _ => Source::Archived,
        }
    }
}

/// How a memory stands in the ranking. `strength` is that of the step; `decay` is what one more leaves.
#[derive(Clone, Copy)]
pub struct Standing {
    pub importance: f64,
    pub strength: f64,
    pub step: i64,
    pub decay: f64,
}

pub struct NewEntry<'a> {
    pub source: Source,
    pub id: Uuid,
    pub scope: &'a Scope,
    pub kind: &'a str,
    pub occurred_at: TimestampWithTimeZone,
    pub expires_at: Option<TimestampWithTimeZone>,
    pub standing: Standing,
    pub leads: bool,
    pub terms: Vec<i32>,
    pub embedded: Option<&'a Embedded>,
}

pub fn insert(db: &Db, user_id: &str, entry: NewEntry) -> Result<()> {
    let (model_id, embedding) = models::arguments(db, entry.embedded)?;
    let standing = entry.standing;
    db.run(
        "INSERT INTO memory.search_entries
             (user_id, source, id, agent_id, space, kind, occurred_at, expires_at, importance, strength,
              strength_step, decay, leads, big, terms, model_id, embedding)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
                 coalesce((SELECT big FROM memory.users WHERE user_id = $1), false), $14, $15, $16)",
        &[
            user_id.into(),
            entry.source.letter().into(),
            entry.id.into(),
            entry.scope.agent_id.as_str().into(),
            entry.scope.space.as_str().into(),
            entry.kind.into(),
            entry.occurred_at.into(),
            entry.expires_at.into(),
            standing.importance.into(),
            standing.strength.into(),
            standing.step.into(),
            standing.decay.into(),
            entry.leads.into(),
            entry.terms.into(),
            model_id.into(),
            embedding,
        ],
    )?;
    Ok(())
}

/// Shows the vectors of a scope's latest memories in force that one model made.
pub fn latest(
    db: &Db,
    user_id: &str,
    scope: &Scope,
    model_id: i32,
    limit: i64,
    mut visit: impl FnMut(Uuid, &[f32]),
) -> Result<()> {
    let mut vector = Vec::new();
    db.stream(
        "SELECT id, embedding FROM memory.search_entries
         WHERE user_id = $1 AND source = 'r' AND agent_id = $2 AND space = $3 AND model_id = $4
           AND embedding IS NOT NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
         ORDER BY id DESC LIMIT $5",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            model_id.into(),
            limit.into(),
        ],
        &mut |row| {
            row.floats(2, &mut vector);
            visit(row.want(1)?, &vector);
            Ok(())
        },
    )
}

/// A memory that can be compared with others.
pub struct Comparable {
    pub id: Uuid,
    pub standing: Standing,
    pub embedded: Embedded,
}

/// The latest episodes of a scope that are in force and fade, as all do that are not pinned, with their
/// vectors, oldest first.
pub fn latest_episodes(db: &Db, user_id: &str, scope: &Scope, limit: i64) -> Result<Vec<Comparable>> {
    let mut found = db
        .rows(
            "SELECT e.id, e.importance, e.strength, e.strength_step, e.decay, o.name, e.embedding
             FROM memory.search_entries e JOIN memory.models o ON o.model_id = e.model_id
             WHERE e.user_id = $1 AND e.source = 'r' AND e.agent_id = $2 AND e.space = $3 AND e.kind = 'episodic'
               AND e.decay < 1 AND e.embedding IS NOT NULL AND (e.expires_at IS NULL OR e.expires_at > clock_timestamp())
             ORDER BY e.id DESC LIMIT $4",
            &[
                user_id.into(),
                scope.agent_id.as_str().into(),
                scope.space.as_str().into(),
                limit.into(),
            ],
        )?
        .map(|row| {
            Ok(Comparable {
                id: row.want(1)?,
                standing: Standing {
                    importance: row.want(2)?,
                    strength: row.want(3)?,
                    step: row.want(4)?,
                    decay: row.want(5)?,
                },
                embedded: Embedded {
                    model: row.want(6)?,
                    vector: row.want(7)?,
                },
            })
        })
        .collect::<Result<Vec<_>>>()?;
    found.reverse();
    Ok(found)
}

pub fn standing(db: &Db, user_id: &str, source: Source, id: Uuid) -> Result<Standing> {
    let row = db
        .row(
            "SELECT importance, strength, strength_step, decay FROM memory.search_entries
             WHERE user_id = $1 AND source = $2 AND id = $3",
            &[user_id.into(), source.letter().into(), id.into()],
        )?
        .ok_or_else(|| error::internal("a memory has no search entry"))?;
    Ok(Standing {
        importance: row.want(1)?,
        strength: row.want(2)?,
        step: row.want(3)?,
        decay: row.want(4)?,
    })
}

pub fn set_standing(db: &Db, user_id: &str, source: Source, id: Uuid, standing: Standing) -> Result<()> {
    db.run(
        "UPDATE memory.search_entries SET importance = $4, strength = $5, strength_step = $6, decay = $7
         WHERE user_id = $1 AND source = $2 AND id = $3",
        &[
            user_id.into(),
            source.letter().into(),
            id.into(),
            standing.importance.into(),
            standing.strength.into(),
            standing.step.into(),
            standing.decay.into(),
        ],
    )?;
    Ok(())
}

/// What an update changes beside the standing.
pub struct Face<'a> {
    pub kind: &'a str,
    pub occurred_at: TimestampWithTimeZone,
    pub expires_at: Option<TimestampWithTimeZone>,
    pub leads: bool,
    pub terms: Vec<i32>,
}

pub fn set_face(db: &Db, user_id: &str, source: Source, id: Uuid, face: Face) -> Result<()> {
    db.run(
        "UPDATE memory.search_entries SET kind = $4, occurred_at = $5, expires_at = $6, leads = $7, terms = $8
         WHERE user_id = $1 AND source = $2 AND id = $3",
        &[
            user_id.into(),
            source.letter().into(),
            id.into(),
            face.kind.into(),
            face.occurred_at.into(),
            face.expires_at.into(),
            face.leads.into(),
            face.terms.into(),
        ],
    )?;
    Ok(())
}

pub fn set_embedding(db: &Db, user_id: &str, source: Source, id: Uuid, embedded: Option<&Embedded>) -> Result<()> {
    let (model_id, embedding) = models::arguments(db, embedded)?;
    db.run(
        "UPDATE memory.search_entries SET model_id = $4, embedding = $5
         WHERE user_id = $1 AND source = $2 AND id = $3",
        &[
            user_id.into(),
            source.letter().into(),
            id.into(),
            model_id.into(),
            embedding,
        ],
    )?;
    Ok(())
}

/// Notes that a model made nothing of a text: it has no vector, and does not wait for one.
pub fn set_no_embedding(db: &Db, user_id: &str, source: Source, id: Uuid, model_id: i32) -> Result<()> {
    db.run(
        "UPDATE memory.search_entries SET model_id = $4, embedding = NULL
         WHERE user_id = $1 AND source = $2 AND id = $3",
        &[user_id.into(), source.letter().into(), id.into(), model_id.into()],
    )?;
    Ok(())
}

/// Memories that are archived or restored change their letter.
pub fn turn(db: &Db, user_id: &str, ids: Vec<Uuid>, from: Source, to: Source) -> Result<()> {
    db.run(
        "UPDATE memory.search_entries SET source = $4 WHERE user_id = $1 AND source = $2 AND id = ANY ($3)",
        &[user_id.into(), from.letter().into(), ids.into(), to.letter().into()],
    )?;
    Ok(())
}

pub fn delete(db: &Db, user_id: &str, source: Source, ids: Vec<Uuid>) -> Result<()> {
    db.run(
        "DELETE FROM memory.search_entries WHERE user_id = $1 AND source = $2 AND id = ANY ($3)",
        &[user_id.into(), source.letter().into(), ids.into()],
    )?;
    Ok(())
}

/// Deletes the entries of all memories of a user.
pub fn delete_memories(db: &Db, user_id: &str) -> Result<()> {
    db.run(
        "DELETE FROM memory.search_entries WHERE user_id = $1",
        &[user_id.into()],
    )?;
    Ok(())
}
