//! Settings of other extensions, changed for the time of one piece of work.

use std::ffi::CStr;

use pgrx::pg_sys;

use crate::error::Result;

/// Runs `work` with these settings; they are put back after it, and by the transaction's abort if it fails.
pub fn during<T>(settings: &[(&CStr, &CStr)], work: impl FnOnce() -> Result<T>) -> Result<T> {
    // SAFETY: constant C strings; the nest level that is opened here is closed below or by the abort.
    unsafe {
        let level = pg_sys::NewGUCNestLevel();
        for (name, value) in settings {
            pg_sys::set_config_option(
                name.as_ptr(),
                value.as_ptr(),
                pg_sys::GucContext::PGC_USERSET,
                pg_sys::GucSource::PGC_S_SESSION,
                pg_sys::GucAction::GUC_ACTION_SAVE,
                true,
                0,
                false,
            );
        }
        let outcome = work();
        pg_sys::AtEOXact_GUC(true, level);
        outcome
    }
}
