//! Background workers: a launcher for the server, a worker for each database that has the extension.

pub mod board;
mod launcher;
mod process;
mod serve;
mod transaction;

use std::time::Duration;

use pgrx::bgworkers::BackgroundWorkerBuilder;
use pgrx::pg_sys;
use pgrx::prelude::*;

/// Called whenever the library is loaded.
pub fn init() {
    // SAFETY: flags of the server.
    let (preloaded, upgrading) = unsafe {
        (
            pg_sys::process_shared_preload_libraries_in_progress,
            pg_sys::IsBinaryUpgrade,
        )
    };
    if preloaded && !upgrading {
        board::init();
        BackgroundWorkerBuilder::new("memory_ext launcher")
            .set_type("memory_ext launcher")
            .set_library("memory_ext")
            .set_function("memory_ext_launcher")
            .enable_spi_access()
            .set_restart_time(Some(Duration::from_secs(5)))
            .load();
    }
    board::watch();
}

#[pg_guard]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn memory_ext_launcher(_argument: pg_sys::Datum) {
    launcher::run()
}

#[pg_guard]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn memory_ext_worker(slot: pg_sys::Datum) {
    serve::run(slot.value())
}
