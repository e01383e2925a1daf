//! Duties that DBAs and workers run: consolidate, promote, prune, maintain, re-embed.

use pgrx::datum::{Interval, Uuid};
use pgrx::prelude::*;

use super::arg;
use crate::error::{self, Result};
use crate::maintenance;
use crate::store::db::Db;
use crate::store::maintenance::Whose;
use crate::store::scopes::Selection;
use crate::store::sessions::Scope;
use crate::{config, forget};

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_consolidate(
    user_id: Option<&str>,
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    dry_run: default!(Option<bool>, "false"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(memory_id, Option<Uuid>),
            name!(member_ids, Vec<Uuid>),
            name!(content, String),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let dry_run = arg::required(dry_run, "dry_run")?;
    let scope = Scope::new(agent_id, space);
    let done = Db::write(|db| forget::consolidate(db, user_id, &scope, dry_run))?;
    Ok(TableIterator::new(
        done.into_iter().map(|group| (group.id, group.members, group.content)),
    ))
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_unconsolidate(user_id: Option<&str>, memory_id: Option<Uuid>) -> Result<SetOfIterator<'static, Uuid>> {
    let user_id = arg::id(user_id, "user_id")?;
    let memory_id = arg::uuid(memory_id, "memory_id")?;
    Ok(SetOfIterator::new(Db::write(|db| {
        forget::unconsolidate(db, user_id, memory_id)
    })?))
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_promote(
    user_id: Option<&str>,
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
) -> Result<SetOfIterator<'static, Uuid>> {
    let user_id = arg::id(user_id, "user_id")?;
    let scope = Scope::new(agent_id, space);
    Ok(SetOfIterator::new(Db::write(|db| {
        forget::promote(db, user_id, &scope)
    })?))
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_prune(
    user_id: Option<&str>,
    space: default!(Option<&str>, "NULL"),
    max_memories: default!(Option<i32>, "NULL"),
    keep: default!(Option<Interval>, "NULL"),
) -> Result<TableIterator<'static, (name!(archived, Vec<Uuid>), name!(deleted, i64))>> {
    let user_id = arg::id(user_id, "user_id")?;
    let max_memories = match max_memories {
        Some(_) => arg::count(max_memories, "max_memories")?,
        None => config::max_memories(),
    };
    let keep_minutes = match keep {
        Some(keep) => keep.as_micros() as f64 / 60e6,
        None => config::prune_keep_minutes().into(),
    };
    if keep_minutes < 0.0 {
        return Err(error::invalid(
            "keep must not be negative",
            "Pass an interval such as '30 days'.",
        ));
    }
    let pruned = Db::write(|db| forget::prune(db, user_id, space, max_memories, keep_minutes))?;
    Ok(TableIterator::once((pruned.archived, pruned.deleted as i64)))
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_maintain(
    user_id: default!(Option<&str>, "NULL"),
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    max_scopes: default!(Option<i32>, 100),
) -> Result<
    TableIterator<
        'static,
        (
            name!(duty, String),
            name!(scopes, i64),
            name!(affected, i64),
            name!(errors, i64),
        ),
    >,
> {
    let user_id = user_id.map(|id| arg::id(Some(id), "user_id")).transpose()?;
    let max_scopes = arg::count(max_scopes, "max_scopes")?;
    let selection = Selection {
        user_id,
        agent_id,
        space,
    };
    let report = Db::write(|db| maintenance::run(db, &selection, max_scopes))?;
    Ok(TableIterator::new(report.into_iter().map(|line| {
        (line.duty.to_string(), line.scopes, line.affected, line.errors)
    })))
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_reembed(
    user_id: Option<&str>,
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    batch: default!(Option<i32>, 1000),
) -> Result<TableIterator<'static, (name!(reembedded, i64), name!(remaining, i64))>> {
    let user_id = arg::id(user_id, "user_id")?;
    let batch = arg::count(batch, "batch")?;
    let (done, remaining) = Db::write(|db| maintenance::reembed(db, user_id, agent_id, space, Whose::All, batch))?;
    Ok(TableIterator::once((done, remaining)))
}
