//! Work that may fail without failing its caller.

use std::panic::AssertUnwindSafe;

use pgrx::pg_sys;
use pgrx::pg_sys::panic::CaughtError;
use pgrx::prelude::*;

use crate::error::Result;

/// Runs `work` in a subtransaction: an error undoes it alone and is given back as text. A request to cancel
/// or to end the session is passed on.
pub fn guarded<T>(work: impl FnOnce() -> Result<T>) -> std::result::Result<T, String> {
    // SAFETY: the memory context and resource owner that the subtransaction replaces are put back in both cases.
    unsafe {
        let context = pg_sys::CurrentMemoryContext;
        let owner = pg_sys::CurrentResourceOwner;
        pg_sys::BeginInternalSubTransaction(std::ptr::null());
        pg_sys::MemoryContextSwitchTo(context);
        let leave = |commit: bool| {
            if commit {
                pg_sys::ReleaseCurrentSubTransaction();
            } else {
                pg_sys::RollbackAndReleaseCurrentSubTransaction();
            }
            pg_sys::MemoryContextSwitchTo(context);
            pg_sys::CurrentResourceOwner = owner;
        };
        let outcome = PgTryBuilder::new(AssertUnwindSafe(|| {
            work().map_err(|report| report.message().to_string())
        }))
        .catch_others(|caught| match &caught {
            CaughtError::PostgresError(report) | CaughtError::ErrorReport(report) => {
                if is_cancellation(report.sql_error_code()) {
                    caught.rethrow()
                }
                Err(report.message().to_string())
            }
            CaughtError::RustPanic { ereport, .. } => Err(ereport.message().to_string()),
        })
        .execute();
        leave(outcome.is_ok());
        outcome
    }
}

fn is_cancellation(code: PgSqlErrorCode) -> bool {
    matches!(
        code,
        PgSqlErrorCode::ERRCODE_QUERY_CANCELED | PgSqlErrorCode::ERRCODE_ADMIN_SHUTDOWN
    )
}
