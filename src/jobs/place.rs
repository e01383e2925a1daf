//! Where jobs are done: in a worker's own transactions, in those of a procedure, or within the caller's.

use std::ffi::CStr;

use pgrx::pg_sys;

use crate::error::{self, Result};
use crate::guard::{Failure, guarded};
use crate::settings;
use crate::store::db::Db;

pub trait Place {
    /// Runs a piece of work that is undone as a whole when it fails.
    fn unit<T>(&mut self, doing: &CStr, work: impl FnOnce(&Db) -> Result<T>) -> std::result::Result<T, Failure>;
}

/// A function's transaction is its caller's: each piece is a subtransaction of it.
pub struct Within;

impl Place for Within {
    fn unit<T>(&mut self, _doing: &CStr, work: impl FnOnce(&Db) -> Result<T>) -> std::result::Result<T, Failure> {
        guarded(|| Db::write(work))
    }
}

/// A procedure that was called outside of a transaction block commits after each piece.
pub struct Committing {
    _connected: (),
}

impl Committing {
    /// Connects so that transactions can be ended.
    pub fn new() -> Result<Committing> {
        // SAFETY: closed by `drop`, or by PostgreSQL when an error ends the call.
        let status = unsafe { pg_sys::SPI_connect_ext(pg_sys::SPI_OPT_NONATOMIC as i32) };
        if status != pg_sys::SPI_OK_CONNECT as i32 {
            return Err(error::internal(format!("SPI_connect_ext returned {status}")));
        }
        Ok(Committing { _connected: () })
    }
}

impl Drop for Committing {
    fn drop(&mut self) {
        // SAFETY: connected by `new`.
        unsafe { pg_sys::SPI_finish() };
    }
}

impl Place for Committing {
    fn unit<T>(&mut self, _doing: &CStr, work: impl FnOnce(&Db) -> Result<T>) -> std::result::Result<T, Failure> {
        // A procedure that ends transactions cannot have a search_path of its own.
        let path = [(c"search_path", c"pg_catalog, pg_temp")];
        // SAFETY: in a procedure's call; the portal's snapshot went with the last commit.
        unsafe { pg_sys::EnsurePortalSnapshotExists() };
        let outcome = guarded(|| settings::during(&path, || Db::write(work)));
        // SAFETY: no subtransaction is open, and the connection above allows it.
        unsafe { pg_sys::SPI_commit() };
        outcome
    }
}
