//! memory.maintenance_runs, and what waits for another embedding.

use pgrx::datum::{DatumWithOid, Uuid};

use super::db::Db;
use super::entries::Source;
use super::sessions::Scope;
use crate::error::{self, Result};
use crate::id;

pub fn note(
    db: &Db,
    duty: &str,
    user_id: &str,
    scope: &Scope,
    affected: i64,
    failure: Option<&str>,
    started: i64,
) -> Result<()> {
    db.run(
        "INSERT INTO memory.maintenance_runs (duty, user_id, agent_id, space, affected, error, started_at, duration)
         VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() - $7)",
        &[
            duty.into(),
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            affected.into(),
            failure.into(),
            id::timestamp(started)?.into(),
        ],
    )?;
    Ok(())
}

/// Which vectors are to be made anew.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    All,
    /// Not those that the application passed.
    Ours,
}

/// What has no vector of a model yet; without dimensions, of the latest ones that the model had. What holds no words
/// cannot get one.
pub struct Unembedded<'a> {
    pub user_id: &'a str,
    pub agent_id: Option<&'a str>,
    pub space: Option<&'a str>,
    pub model: &'a str,
    pub dimensions: Option<usize>,
    /// Whether messages are to have vectors at all.
    pub messages: bool,
    pub whose: Whose,
}

macro_rules! without_vector {
    ($table:literal) => {
        concat!(
            " FROM ",
            $table,
            " e LEFT JOIN memory.models o ON o.model_id = e.model_id
              WHERE e.user_id = $1 AND ($2 IS NULL OR e.agent_id = $2) AND ($3 IS NULL OR e.space = $3)
                AND cardinality(e.terms) > 0
                AND (o.name, o.dimensions) IS DISTINCT FROM ($4, coalesce($5, (
                    SELECT d.dimensions FROM memory.models d WHERE d.name = $4 ORDER BY d.model_id DESC LIMIT 1)))
                AND ($6 OR o.model_id IS NULL OR o.provided OR o.name LIKE 'builtin-%')"
        )
    };
}

impl Unembedded<'_> {
    fn arguments(&self) -> Vec<DatumWithOid<'_>> {
        vec![
            self.user_id.into(),
            self.agent_id.into(),
            self.space.into(),
            self.model.into(),
            self.dimensions.map(|dimensions| dimensions as i32).into(),
            (self.whose == Whose::All).into(),
        ]
    }

    /// The first of them, memories before messages; they are locked.
    pub fn first(&self, db: &Db, limit: i64) -> Result<Vec<(Source, Uuid)>> {
        let read = |sql: &str, limit: i64| -> Result<Vec<(Source, Uuid)>> {
            let mut arguments = self.arguments();
            arguments.push(limit.into());
            db.rows(sql, &arguments)?
                .map(|row| Ok((Source::of_letter(row.want(1)?), row.want(2)?)))
                .collect()
        };
        let mut found = read(
            concat!(
                "SELECT e.source, e.id",
                without_vector!("memory.search_entries"),
                " ORDER BY e.source DESC, e.id LIMIT $7 FOR UPDATE OF e SKIP LOCKED"
            ),
            limit,
        )?;
        if self.messages {
            found.extend(read(
                concat!(
                    "SELECT 'm'::\"char\", e.id",
                    without_vector!("memory.stored_messages"),
                    " ORDER BY e.id LIMIT $7 FOR UPDATE OF e SKIP LOCKED"
                ),
                limit - found.len() as i64,
            )?);
        }
        Ok(found)
    }

    pub fn count(&self, db: &Db) -> Result<i64> {
        let count = |sql: &str| -> Result<i64> {
            db.row(sql, &self.arguments())?
                .ok_or_else(|| error::internal("count gave no row"))?
                .want(1)
        };
        let memories = count(concat!("SELECT count(*)", without_vector!("memory.search_entries")))?;
        let messages = match self.messages {
            true => count(concat!("SELECT count(*)", without_vector!("memory.stored_messages")))?,
            false => 0,
        };
        Ok(memories + messages)
    }
}
