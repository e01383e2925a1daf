//! Futures on the main thread, in slices, so that PostgreSQL is never kept waiting.

use std::pin::pin;
use std::time::Duration;

use pgrx::pg_sys;
use tokio::runtime::{Builder, Handle, Runtime};

use super::LlmError;

/// Between slices interrupts are served: a cancelled query ends, a DROP DATABASE elsewhere goes on.
const SLICE: Duration = Duration::from_millis(100);

/// Runs `work` to its end, unless `stop` says so or PostgreSQL raises an error. `work` must not call PostgreSQL: an
/// error inside a future would leave it half done.
pub fn drive<T>(work: impl Future<Output = T>, stop: &dyn Fn() -> bool) -> Result<T, LlmError> {
    let runtime = Running::start()?;
    let mut work = pin!(work);
    loop {
        if let Some(done) = runtime.slice(SLICE, work.as_mut()) {
            return Ok(done);
        }
        pgrx::check_for_interrupts!();
        if stop() {
            return Err(LlmError::Stopped);
        }
    }
}

/// A runtime of this thread alone. It waits for nothing when it goes, also when an error unwinds past it.
pub struct Running(Option<Runtime>, Handle);

impl Running {
    pub fn start() -> Result<Running, LlmError> {
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(1)
            .build()
            .map_err(|_| LlmError::Unreachable)?;
        let handle = runtime.handle().clone();
        Ok(Running(Some(runtime), handle))
    }

    pub fn handle(&self) -> &Handle {
        &self.1
    }

    /// Runs everything for a while; `None` when `work` is not done by then.
    pub fn slice<T>(&self, longest: Duration, work: impl Future<Output = T>) -> Option<T> {
        let _waiting = Waiting::begin();
        let runtime = self.0.as_ref()?;
        runtime
            .block_on(async { tokio::time::timeout(longest.min(SLICE), work).await })
            .ok()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Shows in pg_stat_activity that the process waits, as wait event `Extension`.
struct Waiting;

impl Waiting {
    fn begin() -> Waiting {
        Waiting::set(pg_sys::PG_WAIT_EXTENSION);
        Waiting
    }

    fn set(event: u32) {
        // SAFETY: the pointer is valid from the start of the process on; this is what pgstat_report_wait_start does.
        unsafe { pg_sys::my_wait_event_info.write_volatile(event) };
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        Waiting::set(0);
    }
}
