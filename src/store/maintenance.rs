//! memory.maintenance_runs, and what waits for another embedding.

use pgrx::datum::Uuid;

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

macro_rules! waiting {
    () => {
        " FROM memory.search_entries e LEFT JOIN memory.models o ON o.model_id = e.model_id
          WHERE e.user_id = $1 AND ($2 IS NULL OR e.agent_id = $2) AND ($3 IS NULL OR e.space = $3)
            AND cardinality(e.terms) > 0
            AND (o.name, o.dimensions) IS DISTINCT FROM ($4, coalesce($5, (
                SELECT d.dimensions FROM memory.models d WHERE d.name = $4 ORDER BY d.model_id DESC LIMIT 1)))
            AND (e.source <> 'm' OR $6)
            AND ($7 OR o.model_id IS NULL OR o.provided OR o.name LIKE 'builtin-%')"
    };
}

/// Entries that have no vector of this model yet; without dimensions, of the latest ones that the model had. What holds
/// no words cannot get one.
#[allow(clippy::too_many_arguments)]
pub fn waiting(
    db: &Db,
    user_id: &str,
    agent_id: Option<&str>,
    space: Option<&str>,
    model: &str,
    dimensions: Option<usize>,
    messages: bool,
    whose: Whose,
    limit: i64,
) -> Result<Vec<(Source, Uuid)>> {
    db.rows(
        concat!(
            "SELECT e.source, e.id",
            waiting!(),
            " ORDER BY e.source DESC, e.id LIMIT $8 FOR UPDATE OF e SKIP LOCKED"
        ),
        &[
            user_id.into(),
            agent_id.into(),
            space.into(),
            model.into(),
            dimensions.map(|dimensions| dimensions as i32).into(),
            messages.into(),
            (whose == Whose::All).into(),
            limit.into(),
        ],
    )?
    .map(|row| Ok((Source::of_letter(row.want(1)?), row.want(2)?)))
    .collect()
}

#[allow(clippy::too_many_arguments)]
pub fn count_waiting(
    db: &Db,
    user_id: &str,
    agent_id: Option<&str>,
    space: Option<&str>,
    model: &str,
    dimensions: Option<usize>,
    messages: bool,
    whose: Whose,
) -> Result<i64> {
    db.row(
        concat!("SELECT count(*)", waiting!()),
        &[
            user_id.into(),
            agent_id.into(),
            space.into(),
            model.into(),
            dimensions.map(|dimensions| dimensions as i32).into(),
            messages.into(),
            (whose == Whose::All).into(),
        ],
    )?
    .ok_or_else(|| error::internal("count gave no row"))?
    .want(1)
}
