//! memory.scopes, memory.users, memory.plans: where a user's memories stand and how many may be active.

use super::db::Db;
use super::legacy;
use super::sessions::Scope;
use crate::config;
use crate::error::{self, Result};
use crate::seal;

/// Serialises those who write one user's memories until the transaction ends: what they compare stays true
/// while they write. It is taken before any row, so that no two of them wait for each other's rows.
pub fn lock(db: &Db, user_id: &str) -> Result<()> {
    seal::hold(db, user_id)?;
    db.run(
        "SELECT pg_advisory_xact_lock(hashtextextended('memory_ext' || chr(1) || $1, 0))",
        &[user_id.into()],
    )?;
    Ok(())
}

/// The same without waiting; false when somebody else is writing.
pub fn try_lock(db: &Db, user_id: &str) -> Result<bool> {
    seal::hold(db, user_id)?;
    db.row(
        "SELECT pg_try_advisory_xact_lock(hashtextextended('memory_ext' || chr(1) || $1, 0))",
        &[user_id.into()],
    )?
    .ok_or_else(|| error::internal("pg_try_advisory_xact_lock gave no row"))?
    .want(1)
}

/// How often the memories of a scope have faded.
pub fn decay_steps(db: &Db, user_id: &str, scope: &Scope) -> Result<i64> {
    let row = db.row(
        "SELECT decay_steps FROM memory.scopes WHERE user_id = $1 AND agent_id = $2 AND space = $3",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
        ],
    )?;
    row.map_or(Ok(0), |row| row.want(1))
}

/// Makes the scope known, so that maintenance finds it. A new one takes over what older sessions left behind.
pub fn ensure(db: &Db, user_id: &str, scope: &Scope) -> Result<()> {
    let made = db.run(
        "INSERT INTO memory.scopes (user_id, agent_id, space) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, agent_id, space) DO NOTHING",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
        ],
    )?;
    if made > 0 {
        legacy::adopt(db, user_id, scope)?;
    }
    Ok(())
}

/// Lets the memories of the matching scopes fade; gives the number of scopes.
pub fn decay(db: &Db, user_id: &str, agent_id: Option<&str>, space: Option<&str>, steps: i64) -> Result<usize> {
    lock(db, user_id)?;
    db.run(
        "UPDATE memory.scopes SET decay_steps = decay_steps + $4, decayed_at = clock_timestamp()
         WHERE user_id = $1 AND ($2 IS NULL OR agent_id = $2) AND ($3 IS NULL OR space = $3)",
        &[user_id.into(), agent_id.into(), space.into(), steps.into()],
    )
}

pub struct Plan {
    pub name: String,
    pub max_active: Option<i64>,
    pub refuses: bool,
}

/// The user's own plan, or the default one; `None` when neither exists: no limit then.
pub fn plan(db: &Db, user_id: &str) -> Result<Option<Plan>> {
    let row = db.row(
        "SELECT plan, max_active::bigint, on_limit = 'refuse' FROM memory.plans
         WHERE plan = coalesce((SELECT plan FROM memory.users WHERE user_id = $1), $2)",
        &[user_id.into(), config::default_plan().into()],
    )?;
    row.map(|row| {
        Ok(Plan {
            name: row.want(1)?,
            max_active: row.get(2),
            refuses: row.want(3)?,
        })
    })
    .transpose()
}

/// Sets a user's plan; false when there is no such plan.
pub fn set_plan(db: &Db, user_id: &str, plan: Option<&str>) -> Result<bool> {
    lock(db, user_id)?;
    let known = db.run("SELECT FROM memory.plans WHERE plan = $1", &[plan.into()])? == 1;
    if plan.is_some() && !known {
        return Ok(false);
    }
    db.run(
        "INSERT INTO memory.users (user_id, plan) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET plan = $2",
        &[user_id.into(), plan.into()],
    )?;
    Ok(true)
}

/// How many entries a big user has; `None` for everybody else.
pub fn big_entries(db: &Db, user_id: &str) -> Result<Option<i64>> {
    let row = db.row(
        "SELECT entries FROM memory.users WHERE user_id = $1 AND big",
        &[user_id.into()],
    )?;
    row.map(|row| row.want(1)).transpose()
}

/// Counts a user's entries and, above the limit, hands them to the indexes of big users; new entries follow
/// by themselves. Gives how many were handed over.
pub fn measure(db: &Db, user_id: &str, exact_limit: i64) -> Result<usize> {
    let entries: i64 = db
        .row(
            "SELECT (SELECT count(*) FROM memory.search_entries WHERE user_id = $1)
                  + (SELECT count(*) FROM memory.stored_messages WHERE user_id = $1)",
            &[user_id.into()],
        )?
        .ok_or_else(|| error::internal("count gave no row"))?
        .want(1)?;
    if entries <= exact_limit {
        return Ok(0);
    }
    db.run(
        "INSERT INTO memory.users (user_id, big, entries) VALUES ($1, true, $2)
         ON CONFLICT (user_id) DO UPDATE SET big = true, entries = $2",
        &[user_id.into(), entries.into()],
    )?;
    let mut handed_over = 0;
    // The sessions first: whoever adds a message to one waits, and finds it handed over.
    for sql in [
        "UPDATE memory.sessions SET big = true WHERE user_id = $1 AND NOT big",
        "UPDATE memory.stored_messages SET big = true WHERE user_id = $1 AND NOT big",
        "UPDATE memory.search_entries SET big = true WHERE user_id = $1 AND NOT big",
    ] {
        handed_over += db.run(sql, &[user_id.into()])?;
    }
    Ok(handed_over)
}

/// A scope and what its counters say.
pub struct Standing {
    pub user_id: String,
    pub scope: Scope,
    pub turns: i64,
    pub decayed_turn: i64,
    pub consolidated_turn: i64,
    pub pruned_turn: i64,
    /// Minutes since each duty was last done.
    pub decayed_age: f64,
    pub consolidated_age: f64,
    pub pruned_age: f64,
}

/// Which scopes maintenance looks at.
pub struct Selection<'a> {
    pub user_id: Option<&'a str>,
    pub agent_id: Option<&'a str>,
    pub space: Option<&'a str>,
}

/// The first scopes for which a duty is due.
pub fn due(db: &Db, selection: &Selection, cadence: &config::Cadence, limit: i64) -> Result<Vec<Standing>> {
    db.rows(
        "SELECT c.user_id, c.agent_id, c.space, t.turns, c.decayed_turn, c.consolidated_turn, c.pruned_turn,
                extract(epoch FROM clock_timestamp() - c.decayed_at)::double precision / 60,
                extract(epoch FROM clock_timestamp() - c.consolidated_at)::double precision / 60,
                extract(epoch FROM clock_timestamp() - c.pruned_at)::double precision / 60
         FROM memory.scopes c
         CROSS JOIN LATERAL (
             SELECT coalesce(sum(s.turn_count), 0)::bigint AS turns FROM memory.sessions s
             WHERE s.user_id = c.user_id AND s.agent_id = c.agent_id AND s.space = c.space) t
         WHERE ($1 IS NULL OR c.user_id = $1) AND ($2 IS NULL OR c.agent_id = $2) AND ($3 IS NULL OR c.space = $3)
           AND (abs(t.turns - c.decayed_turn) >= $4 OR abs(t.turns - c.consolidated_turn) >= $5
                OR abs(t.turns - c.pruned_turn) >= $6
                OR least(c.decayed_at, c.consolidated_at, c.pruned_at) < clock_timestamp() - make_interval(mins => $7))
         ORDER BY c.user_id, c.agent_id, c.space
         LIMIT $8",
        &[
            selection.user_id.into(),
            selection.agent_id.into(),
            selection.space.into(),
            cadence.decay.into(),
            cadence.consolidate.into(),
            cadence.prune.into(),
            cadence.minutes.into(),
            limit.into(),
        ],
    )?
    .map(|row| {
        Ok(Standing {
            user_id: row.want(1)?,
            scope: Scope {
                agent_id: row.want(2)?,
                space: row.want(3)?,
            },
            turns: row.want(4)?,
            decayed_turn: row.want(5)?,
            consolidated_turn: row.want(6)?,
            pruned_turn: row.want(7)?,
            decayed_age: row.want(8)?,
            consolidated_age: row.want(9)?,
            pruned_age: row.want(10)?,
        })
    })
    .collect()
}

/// One of the duties whose turn a scope remembers.
#[derive(Clone, Copy)]
pub enum Duty {
    Decay,
    Consolidate,
    Prune,
}

/// Remembers that a duty was done at this turn.
pub fn done(db: &Db, user_id: &str, scope: &Scope, duty: Duty, turn: i64) -> Result<()> {
    let sql = match duty {
        Duty::Decay => {
            "UPDATE memory.scopes SET decayed_turn = $4, decayed_at = clock_timestamp()
                        WHERE user_id = $1 AND agent_id = $2 AND space = $3"
        }
        Duty::Consolidate => {
            "UPDATE memory.scopes SET consolidated_turn = $4, consolidated_at = clock_timestamp()
                              WHERE user_id = $1 AND agent_id = $2 AND space = $3"
        }
        Duty::Prune => {
            "UPDATE memory.scopes SET pruned_turn = $4, pruned_at = clock_timestamp()
                        WHERE user_id = $1 AND agent_id = $2 AND space = $3"
        }
    };
    let touched = db.run(
        sql,
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            turn.into(),
        ],
    )?;
    if touched == 1 {
        Ok(())
    } else {
        Err(error::internal("the scope is gone"))
    }
}

/// How many turns a scope has had, and how many of them since the user's profile was last made.
pub fn turns_since_reflection(db: &Db, user_id: &str, scope: &Scope) -> Result<(i64, i64)> {
    let row = db
        .row(
            "SELECT t.turns, t.turns - coalesce((SELECT c.reflected_turn FROM memory.scopes c
                         WHERE c.user_id = $1 AND c.agent_id = $2 AND c.space = $3), 0)
             FROM (SELECT coalesce(sum(turn_count), 0)::bigint AS turns FROM memory.sessions
                   WHERE user_id = $1 AND agent_id = $2 AND space = $3) AS t",
            &[
                user_id.into(),
                scope.agent_id.as_str().into(),
                scope.space.as_str().into(),
            ],
        )?
        .ok_or_else(|| error::internal("a sum gave no row"))?;
    Ok((row.want(1)?, row.want(2)?))
}

/// Remembers at which turn the user's profile was made.
pub fn reflected(db: &Db, user_id: &str, scope: &Scope, turn: i64) -> Result<()> {
    db.run(
        "UPDATE memory.scopes SET reflected_turn = $4 WHERE user_id = $1 AND agent_id = $2 AND space = $3",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            turn.into(),
        ],
    )?;
    Ok(())
}
