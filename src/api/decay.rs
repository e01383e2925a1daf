//! Fading: strength_after and memory_decay.

use memory_core::decay;
use pgrx::prelude::*;

use super::arg;
use crate::error::{self, Result};
use crate::store::db::Db;
use crate::store::scopes;

#[pg_extern(immutable, strict, parallel_safe)]
#[search_path(pg_catalog, pg_temp)]
pub fn strength_after(strength: f64, factor: f64, steps: i64) -> f64 {
    decay::after(strength, factor, steps.max(0) as u64)
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_decay(
    user_id: Option<&str>,
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    steps: default!(Option<i32>, 1),
) -> Result<i64> {
    let user_id = arg::id(user_id, "user_id")?;
    let steps = arg::required(steps, "steps")?;
    if steps < 1 {
        return Err(error::invalid(
            format!("steps must be at least 1, it is {steps}"),
            "Pass how many steps the memories fade.",
        ));
    }
    Ok(Db::write(|db| scopes::decay(db, user_id, agent_id, space, steps.into()))? as i64)
}
