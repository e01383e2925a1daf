//! Errors are part of the API: a SQLSTATE, a stable message, a hint.

use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use crate::guard::Failure;

use crate::llm::LlmError;

pub type Result<T> = std::result::Result<T, ErrorReport>;

/// A wrong value as an error may show it: not all of it, for it may be somebody's message in the wrong place.
pub fn shown(value: &str) -> String {
    const MOST: usize = 40;
    match value.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_string(),
    }
}

fn report(code: PgSqlErrorCode, message: String, hint: &str) -> ErrorReport {
    ErrorReport::new(code, message, "memory_ext").set_hint(hint.to_string())
}

/// 22004: an argument that must be given is NULL.
pub fn missing(argument: &str) -> ErrorReport {
    report(
        PgSqlErrorCode::ERRCODE_NULL_VALUE_NOT_ALLOWED,
        format!("{argument} must not be null"),
        &format!("Pass a value for {argument}."),
    )
}

/// 22023: an argument has a value that cannot be taken.
pub fn invalid(message: impl Into<String>, hint: &str) -> ErrorReport {
    report(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message.into(), hint)
}

/// P0002: there is nothing with this id, or it belongs to somebody else.
pub fn not_found(what: &str, id: &str) -> ErrorReport {
    report(
        PgSqlErrorCode::ERRCODE_NO_DATA_FOUND,
        format!("{what} \"{id}\" not found"),
        &format!("The {what} does not exist or belongs to another user."),
    )
}

/// 23505: the key was used for something else.
pub fn conflict(message: impl Into<String>, hint: &str) -> ErrorReport {
    report(PgSqlErrorCode::ERRCODE_UNIQUE_VIOLATION, message.into(), hint)
}

/// 25001: a procedure that ends transactions was called within one.
pub fn in_transaction(procedure: &str) -> ErrorReport {
    report(
        PgSqlErrorCode::ERRCODE_ACTIVE_SQL_TRANSACTION,
        format!("{procedure} cannot be called within a transaction block"),
        "Call it by itself, or use memory_run_jobs, which stays in the caller's transaction.",
    )
}

const LEASE_LOST: &str = "the job was taken over by somebody else";

/// 55000: the job belongs to somebody else by now, or is gone. Whatever was stored for it is undone.
pub fn lease_lost() -> ErrorReport {
    report(
        PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
        LEASE_LOST.to_string(),
        "Nothing needs to be done.",
    )
}

pub fn is_lease_lost(failure: &Failure) -> bool {
    // A missing master key has the same code.
    failure.code == PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE && failure.message == LEASE_LOST
}

/// XX000: what only a defect of the extension can cause.
pub fn internal(message: impl Into<String>) -> ErrorReport {
    report(
        PgSqlErrorCode::ERRCODE_INTERNAL_ERROR,
        message.into(),
        "This is a defect of memory_ext. Please report it.",
    )
}

/// 58000: a provider over HTTP gave no answer.
pub fn provider(problem: LlmError) -> ErrorReport {
    report(
        PgSqlErrorCode::ERRCODE_SYSTEM_ERROR,
        problem.to_string(),
        "Call memory_llm_check() to see whether the providers answer.",
    )
}

/// 53400: the user's plan allows no more active memories.
pub fn limit_reached(plan: &str, limit: i64) -> ErrorReport {
    report(
        PgSqlErrorCode::ERRCODE_CONFIGURATION_LIMIT_EXCEEDED,
        format!("MEMORY_LIMIT_REACHED: the plan \"{plan}\" allows {limit} active memories"),
        "Archive or delete a memory, or give the user another plan with memory_set_plan.",
    )
}

/// 55000: the master key that is needed is not there.
pub fn no_key(message: impl Into<String>, hint: &str) -> ErrorReport {
    report(
        PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
        message.into(),
        hint,
    )
}

/// XX001: what is stored was changed from outside.
pub fn corrupted(message: impl Into<String>, hint: &str) -> ErrorReport {
    report(PgSqlErrorCode::ERRCODE_DATA_CORRUPTED, message.into(), hint)
}
