//! Random bytes for ids, keys and nonces, from the one pool of this process.

use std::cell::RefCell;

use memory_core::crypto::Pool;
use pgrx::pg_sys;

use crate::error::{self, Result};

thread_local! {
    static POOL: RefCell<Pool> = RefCell::default();
}

/// `N` random bytes. They are fetched by the page: where Postgres is built without OpenSSL, every fetch opens a
/// device, and an id took a fortieth of memory_add_message's time.
pub fn bytes<const N: usize>() -> Result<[u8; N]> {
    POOL.with_borrow_mut(|pool| {
        // SAFETY: reads the number of this process; the page is as long as it says.
        pool.take(unsafe { pg_sys::MyProcPid } as u32, |page| unsafe {
            pg_sys::pg_strong_random(page.as_mut_ptr().cast(), page.len())
        })
    })
    .ok_or_else(|| error::internal("the system gave no random bytes"))
}
