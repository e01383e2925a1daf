//! memory.search_entries: what ranking reads.

use pgrx::datum::{TimestampWithTimeZone, Uuid};

use super::db::Db;
use super::sessions::Scope;
use crate::error::Result;

/// What an entry stands for: one letter in the table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Message,
}

impl Source {
    fn letter(self) -> i8 {
        match self {
            Source::Message => b'm' as i8,
        }
    }
}

pub struct NewEntry<'a> {
    pub source: Source,
    pub id: Uuid,
    pub scope: &'a Scope,
    pub session_id: Option<&'a str>,
    pub kind: &'a str,
    pub created_at: TimestampWithTimeZone,
    pub terms: Vec<i32>,
}

pub fn insert(db: &Db, user_id: &str, entry: NewEntry) -> Result<()> {
    db.run(
        "INSERT INTO memory.search_entries
             (user_id, source, id, agent_id, space, session_id, kind, created_at, terms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            user_id.into(),
            entry.source.letter().into(),
            entry.id.into(),
            entry.scope.agent_id.as_str().into(),
            entry.scope.space.as_str().into(),
            entry.session_id.into(),
            entry.kind.into(),
            entry.created_at.into(),
            entry.terms.into(),
        ],
    )?;
    Ok(())
}

/// Which messages a search looks at; `None` is no limit.
pub struct MessageFilter<'a> {
    pub session_id: Option<&'a str>,
    pub roles: Option<Vec<String>>,
    pub agent_id: Option<&'a str>,
    pub space: Option<&'a str>,
    pub since: Option<TimestampWithTimeZone>,
    pub until: Option<TimestampWithTimeZone>,
}

/// Shows id, time and terms of every message entry that passes the filter.
pub fn scan_messages(
    db: &Db,
    user_id: &str,
    filter: &MessageFilter,
    mut visit: impl FnMut(Uuid, i64, &[i32]) -> Result<()>,
) -> Result<()> {
    let mut terms = Vec::new();
    db.stream(
        "SELECT id, created_at, terms FROM memory.search_entries
         WHERE user_id = $1 AND source = 'm'
           AND ($2 IS NULL OR session_id = $2) AND ($3 IS NULL OR kind = ANY ($3))
           AND ($4 IS NULL OR agent_id = $4) AND ($5 IS NULL OR space = $5)
           AND ($6 IS NULL OR created_at >= $6) AND ($7 IS NULL OR created_at < $7)",
        &[
            user_id.into(),
            filter.session_id.into(),
            filter.roles.clone().into(),
            filter.agent_id.into(),
            filter.space.into(),
            filter.since.into(),
            filter.until.into(),
        ],
        &mut |row| {
            let at: TimestampWithTimeZone = row.want(2)?;
            row.integers(3, &mut terms);
            visit(row.want(1)?, at.into_inner(), &terms)
        },
    )
}

pub fn delete(db: &Db, user_id: &str, source: Source, id: Uuid) -> Result<()> {
    db.run(
        "DELETE FROM memory.search_entries WHERE user_id = $1 AND source = $2 AND id = $3",
        &[user_id.into(), source.letter().into(), id.into()],
    )?;
    Ok(())
}

/// Deletes the message entries of these sessions.
pub fn delete_messages(db: &Db, user_id: &str, session_ids: &[String]) -> Result<()> {
    db.run(
        "DELETE FROM memory.search_entries WHERE user_id = $1 AND source = 'm' AND session_id = ANY ($2)",
        &[user_id.into(), session_ids.to_vec().into()],
    )?;
    Ok(())
}
