//! Jobs by hand: memory_run_jobs, memory_work, memory_requeue_job, memory_summarize_session.

use pgrx::datum::Uuid;
use pgrx::pg_sys;
use pgrx::prelude::*;

use super::arg;
use crate::error::{self, Result};
use crate::guard::Failure;
use crate::jobs::engine::{self, Count};
use crate::jobs::place::{Committing, Within};
use crate::jobs::{self, Kind, Reason};
use crate::llm;
use crate::store::db::Db;
use crate::store::jobs as queue;
use crate::store::{scopes, sessions};

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_run_jobs(
    max: default!(Option<i32>, 100),
) -> Result<
    TableIterator<
        'static,
        (
            name!(kind, String),
            name!(done, i64),
            name!(retried, i64),
            name!(failed, i64),
        ),
    >,
> {
    let max = arg::count(max, "max")?;
    let counts = engine::run(&mut Within, engine::bounded(max)).map_err(passed_on)?;
    Ok(TableIterator::new(counts.into_iter().map(
        |(kind, Count { done, retried, failed })| (kind.to_string(), done, retried, failed),
    )))
}

fn passed_on(failure: Failure) -> pgrx::pg_sys::panic::ErrorReport {
    pgrx::pg_sys::panic::ErrorReport::new(failure.code, failure.message, "memory_ext")
}

/// The same outside of a transaction block: it commits after each step, so that no transaction is held while the LLM
/// is asked. A procedure that commits can have no SET clause; each of its steps sets the search_path itself.
#[pg_extern(sql = r#"
CREATE PROCEDURE memory_work(max integer DEFAULT 100)
LANGUAGE c AS 'MODULE_PATHNAME', 'memory_work_wrapper';
"#)]
fn memory_work(max: Option<i32>, fcinfo: pg_sys::FunctionCallInfo) -> Result<()> {
    let max = arg::count(max, "max")?;
    // SAFETY: a procedure's context is a CallContext.
    let atomic = unsafe {
        let context = (*fcinfo).context;
        context.is_null()
            || (*context).type_ != pg_sys::NodeTag::T_CallContext
            || (*context.cast::<pg_sys::CallContext>()).atomic
    };
    if atomic {
        return Err(error::in_transaction("memory_work"));
    }
    let mut place = Committing::new()?;
    engine::run(&mut place, max).map_err(passed_on)?;
    Ok(())
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_requeue_job(user_id: Option<&str>, job_id: Option<Uuid>) -> Result<bool> {
    let user_id = arg::id(user_id, "user_id")?;
    let job_id = arg::uuid(job_id, "job_id")?;
    Db::write(|db| {
        let requeued =
            queue::requeue(db, user_id, job_id)?.ok_or_else(|| error::not_found("job", &job_id.to_string()))?;
        if requeued {
            jobs::wake();
        }
        Ok(requeued)
    })
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_summarize_session(
    user_id: Option<&str>,
    session_id: Option<&str>,
) -> Result<
    TableIterator<
        'static,
        (
            name!(state, String),
            name!(job_id, Option<Uuid>),
            name!(summary_id, Option<Uuid>),
            name!(content, Option<String>),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let session_id = arg::id(session_id, "session_id")?;
    let row = Db::write(|db| {
        let missing = || error::not_found("session", session_id);
        if llm::configured() {
            let session = sessions::find(db, user_id, session_id)?.ok_or_else(missing)?;
            let kinds = [Kind::Summarize];
            let queued = jobs::enqueue(db, user_id, &session.scope, session_id, &kinds, Reason::Requested)?;
            return Ok(("queued", queued.first().copied(), None, None));
        }
        scopes::lock(db, user_id)?;
        if !sessions::lock(db, user_id, session_id)? {
            return Err(missing());
        }
        Ok(match jobs::at_once(db, user_id, session_id)? {
            Some((id, content)) => ("done", None, Some(id), Some(content)),
            None => ("nothing new", None, None, None),
        })
    })?;
    let (state, job_id, summary_id, content) = row;
    Ok(TableIterator::once((state.to_string(), job_id, summary_id, content)))
}
