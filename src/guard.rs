//! Work that may fail without failing its caller.

use std::panic::AssertUnwindSafe;

use pgrx::pg_sys;
use pgrx::pg_sys::panic::CaughtError;
use pgrx::prelude::*;

use crate::error::Result;

/// What went wrong in work that was undone.
pub struct Failure {
    pub code: PgSqlErrorCode,
    pub message: String,
}

impl Failure {
    pub fn caught(caught: &CaughtError) -> Failure {
        let report = match caught {
            CaughtError::PostgresError(report) | CaughtError::ErrorReport(report) => report,
            CaughtError::RustPanic { ereport, .. } => ereport,
        };
        Failure {
            code: report.sql_error_code(),
            message: report.message().to_string(),
        }
    }
}

/// Runs `work` in a subtransaction: an error undoes it alone and is given back. A request to cancel or to end the
/// session is passed on.
pub fn guarded<T>(work: impl FnOnce() -> Result<T>) -> std::result::Result<T, Failure> {
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
        let outcome = PgTryBuilder::new(AssertUnwindSafe(|| Ok(raised(work()))))
            .catch_others(|caught| {
                let failure = Failure::caught(&caught);
                if is_cancellation(failure.code) {
                    caught.rethrow()
                }
                Err(failure)
            })
            .execute();
        leave(outcome.is_ok());
        outcome
    }
}

/// An error as one that is raised: only so it tells its SQLSTATE to whoever catches it.
pub fn raised<T>(outcome: Result<T>) -> T {
    match outcome {
        Ok(value) => value,
        Err(report) => {
            report.report(PgLogLevel::ERROR);
            unreachable!("an error was raised")
        }
    }
}

fn is_cancellation(code: PgSqlErrorCode) -> bool {
    matches!(
        code,
        PgSqlErrorCode::ERRCODE_QUERY_CANCELED | PgSqlErrorCode::ERRCODE_ADMIN_SHUTDOWN
    )
}
