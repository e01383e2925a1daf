//! A transaction of a background worker. pgrx's own leaves an aborted one open, and the next one then fails.

use std::ffi::CStr;
use std::panic::AssertUnwindSafe;

use pgrx::pg_sys;
use pgrx::prelude::*;

use crate::error::Result;
use crate::guard::{Failure, raised};
use crate::store::db::Db;

/// Runs `work` in a transaction of its own: it commits, or nothing of it is left. `doing` is what
/// pg_stat_activity says meanwhile.
pub fn transaction<T>(doing: &CStr, work: impl FnOnce(&Db) -> Result<T>) -> std::result::Result<T, Failure> {
    // SAFETY: no transaction is open; a snapshot is popped and the transaction ended on both ways out.
    unsafe {
        pg_sys::SetCurrentStatementStartTimestamp();
        pg_sys::StartTransactionCommand();
        pg_sys::PushActiveSnapshot(pg_sys::GetTransactionSnapshot());
        pg_sys::pgstat_report_activity(pg_sys::BackendState::STATE_RUNNING, doing.as_ptr());
        let outcome = PgTryBuilder::new(AssertUnwindSafe(|| {
            let value = raised(Db::write(work));
            pg_sys::PopActiveSnapshot();
            pg_sys::CommitTransactionCommand();
            Ok(value)
        }))
        .catch_others(|caught| Err(Failure::caught(&caught)))
        .execute();
        if outcome.is_err() {
            pg_sys::AbortCurrentTransaction();
            pg_sys::FlushErrorState();
        }
        // Without it autovacuum never hears of the rows that a worker changes.
        pg_sys::pgstat_report_stat(false);
        pg_sys::pgstat_report_activity(pg_sys::BackendState::STATE_IDLE, std::ptr::null());
        outcome
    }
}
