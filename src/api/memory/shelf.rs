//! memory_archive, memory_restore, memory_archive_excess, memory_set_plan

use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;

use super::change::take;
use crate::api::arg;
use crate::error::{self, Result};
use crate::store::db::Db;
use crate::store::{memories, notify, scopes};
use crate::{forget, gate};

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_archive(
    user_id: Option<&str>,
    memory_id: Option<Uuid>,
    reason: default!(Option<&str>, "'archived'"),
) -> Result<Option<TimestampWithTimeZone>> {
    let user_id = arg::id(user_id, "user_id")?;
    let memory_id = arg::uuid(memory_id, "memory_id")?;
    let reason = own_reason(arg::required(reason, "reason")?)?;
    Db::write(|db| {
        let memory = take(db, user_id, memory_id)?;
        if memory.archived_at.is_none() {
            let archived = gate::set_aside(db, user_id, vec![memory_id], reason, None)?;
            notify::archived(db, user_id, &memory.scope.agent_id, &archived)?;
        }
        Ok(memories::find(db, user_id, memory_id)?.and_then(|memory| memory.archived_at))
    })
}

/// What memory_ext says itself when it archives. What was pruned is deleted in time, so nobody else may say it.
const OUR_REASONS: [&str; 5] = ["consolidated", "expired", "limit", "pruned", "replaced"];

fn own_reason(reason: &str) -> Result<&str> {
    if OUR_REASONS.contains(&reason) {
        return Err(error::invalid(
            format!("reason \"{reason}\" is what memory_ext itself says"),
            "Use a word of your own.",
        ));
    }
    Ok(reason)
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_restore(user_id: Option<&str>, memory_id: Option<Uuid>) -> Result<bool> {
    let user_id = arg::id(user_id, "user_id")?;
    let memory_id = arg::uuid(memory_id, "memory_id")?;
    Db::write(|db| {
        let memory = take(db, user_id, memory_id)?;
        if memory.archived_at.is_none() {
            return Ok(false);
        }
        if let Some(plan) = scopes::plan(db, user_id)?
            && let Some(limit) = plan.max_active
            && memories::count_active(db, user_id, &memory.scope.agent_id)? >= limit
        {
            return Err(error::limit_reached(&plan.name, limit));
        }
        forget::bring_back(db, user_id, vec![memory_id])?;
        Ok(true)
    })
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_archive_excess(
    user_id: Option<&str>,
    agent_id: default!(Option<&str>, "NULL"),
    max_active: default!(Option<i32>, "NULL"),
) -> Result<SetOfIterator<'static, Uuid>> {
    let user_id = arg::id(user_id, "user_id")?;
    let agent_id = arg::optional_id(agent_id, "agent_id")?.unwrap_or_default();
    let max_active = max_active.map(|n| arg::count(Some(n), "max_active")).transpose()?;
    let archived = Db::write(|db| {
        scopes::lock(db, user_id)?;
        let limit = match max_active {
            Some(limit) => Some(limit),
            None => scopes::plan(db, user_id)?.and_then(|plan| plan.max_active),
        };
        match limit {
            Some(limit) => gate::archive_excess(db, user_id, agent_id, limit),
            None => Ok(Vec::new()),
        }
    })?;
    Ok(SetOfIterator::new(archived))
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_set_plan(user_id: Option<&str>, plan: Option<&str>) -> Result<()> {
    let user_id = arg::id(user_id, "user_id")?;
    if Db::write(|db| scopes::set_plan(db, user_id, plan))? {
        return Ok(());
    }
    Err(error::invalid(
        format!("there is no plan \"{}\"", plan.unwrap_or_default()),
        "See memory.plans for those that exist; NULL is the default plan.",
    ))
}
