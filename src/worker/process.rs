//! What the launcher and the workers have in common as processes: signals, settings, latch.

use std::time::Duration;

use pgrx::{check_for_interrupts, pg_sys};

// pgrx guards its own bindings of these; a handler must be PostgreSQL's function itself.
unsafe extern "C-unwind" {
    fn die(signal: std::ffi::c_int);
    fn SignalHandlerForConfigReload(signal: std::ffi::c_int);
}

const SIGHUP: i32 = 1;
const SIGTERM: i32 = 15;

/// SIGTERM ends at the next chance, also within a statement; SIGHUP asks for the settings to be read again.
pub fn take_signals() {
    // SAFETY: PostgreSQL's own handlers; signals are blocked until here.
    unsafe {
        signal(SIGHUP, Some(SignalHandlerForConfigReload));
        signal(SIGTERM, Some(die));
        pg_sys::BackgroundWorkerUnblockSignals();
    }
}

unsafe fn signal(number: i32, handler: pg_sys::pqsigfunc) {
    // SAFETY: as the caller promises.
    unsafe {
        #[cfg(feature = "pg18")]
        pg_sys::pqsignal_be(number, handler);
        #[cfg(not(feature = "pg18"))]
        pg_sys::pqsignal(number, handler);
    }
}

/// Whether the process was asked to end.
pub fn must_end() -> bool {
    // SAFETY: a flag that the signal handler sets.
    unsafe { pg_sys::ProcDiePending != 0 }
}

/// Ends the process. The postmaster starts a worker that ended with 1 again, if it is one to be restarted.
pub fn exit(code: i32) -> ! {
    // SAFETY: runs the exit callbacks and ends the process.
    unsafe { pg_sys::proc_exit(code) }
}

/// Ends when asked to, answers what other processes wait for, and reads changed settings; true when it did.
pub fn attend() -> bool {
    if must_end() {
        exit(1);
    }
    check_for_interrupts!();
    // SAFETY: a flag that the signal handler sets; between transactions settings may be read.
    unsafe {
        if pg_sys::ConfigReloadPending == 0 {
            return false;
        }
        pg_sys::ConfigReloadPending = 0;
        pg_sys::ProcessConfigFile(pg_sys::GucContext::PGC_SIGHUP);
    }
    true
}

/// Sleeps until the latch is set or the time is over; true when it was set.
pub fn wait(time: Duration) -> bool {
    let events = pg_sys::WL_LATCH_SET | pg_sys::WL_TIMEOUT | pg_sys::WL_EXIT_ON_PM_DEATH;
    // SAFETY: the latch is this process's own.
    unsafe {
        let happened = pg_sys::WaitLatch(
            pg_sys::MyLatch,
            events as i32,
            time.as_millis() as _,
            pg_sys::PG_WAIT_EXTENSION,
        );
        pg_sys::ResetLatch(pg_sys::MyLatch);
        happened as u32 & pg_sys::WL_LATCH_SET != 0
    }
}
