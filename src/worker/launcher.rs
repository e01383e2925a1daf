//! The launcher finds the databases that have the extension and keeps a worker in each of them. It is connected to
//! no database itself, so it stands in nobody's way.

use std::collections::{HashMap, HashSet};
use std::ffi::CStr;
use std::time::{Duration, Instant};

use pgrx::pg_sys;
use pgrx::prelude::*;

use super::board::{self, News, Verdict};
use super::process;
use crate::config;

/// How often it looks for new databases when nobody calls.
const NAP: Duration = Duration::from_secs(10);
/// A worker that ended is started again after this.
const RESTART: Duration = Duration::from_secs(3);
/// One that made way, after this: whoever wanted the database should have begun by then.
const MADE_WAY: Duration = Duration::from_secs(2);
/// A database in which workers are off is looked at again after this.
const OFF: Duration = Duration::from_secs(300);

#[derive(Default)]
struct Known {
    name: String,
    worker: Option<Started>,
    /// Not before this; `None`: not until somebody calls.
    again: Option<Again>,
    /// Whether it was said that there is no room for its worker.
    complained: bool,
}

enum Again {
    At(Instant),
    Never,
}

struct Started {
    handle: *mut pg_sys::BackgroundWorkerHandle,
    slot: usize,
}

pub fn run() -> ! {
    process::take_signals();
    // SAFETY: no database: only the catalogs that all databases share can be read.
    unsafe { pg_sys::BackgroundWorkerInitializeConnectionByOid(pg_sys::InvalidOid, pg_sys::InvalidOid, 0) };
    board::launcher_is_here();
    let mut known: HashMap<u32, Known> = HashMap::new();
    let mut missing: HashSet<String> = HashSet::new();
    loop {
        if process::attend() {
            // Settings may have changed: everything is looked at anew.
            known.values_mut().for_each(|one| one.again = None);
            missing.clear();
        }
        match board::read_news() {
            News::Databases(told) => told.iter().for_each(|oid| {
                if let Some(one) = known.get_mut(oid) {
                    one.again = None;
                }
            }),
            News::TooMany => known.values_mut().for_each(|one| one.again = None),
        }
        look_after(&mut known, &mut missing);
        let soon = known.values().filter_map(|one| match one.again {
            Some(Again::At(at)) if one.worker.is_none() => Some(at.saturating_duration_since(Instant::now())),
            _ => None,
        });
        process::wait(soon.min().unwrap_or(NAP).clamp(Duration::from_millis(100), NAP));
    }
}

fn look_after(known: &mut HashMap<u32, Known>, missing: &mut HashSet<String>) {
    for one in known.values_mut() {
        notice_end(one);
    }
    let wanted = wanted(missing);
    known.retain(|oid, one| {
        let stays = wanted.iter().any(|(other, _)| other == oid);
        if !stays && let Some(started) = &one.worker {
            // SAFETY: the handle is of a worker that this process registered.
            unsafe { pg_sys::TerminateBackgroundWorker(started.handle) };
        }
        stays || one.worker.is_some()
    });
    for (oid, name) in wanted {
        let one = known.entry(oid).or_default();
        one.name = name;
        let due = match one.again {
            None => true,
            Some(Again::At(at)) => at <= Instant::now(),
            Some(Again::Never) => false,
        };
        if one.worker.is_none() && due {
            start(oid, one);
        }
    }
}

/// Sees whether a worker has ended, and why.
fn notice_end(one: &mut Known) {
    let Some(started) = &one.worker else {
        return;
    };
    let mut pid = 0;
    // SAFETY: the handle is of a worker that this process registered.
    let status = unsafe { pg_sys::GetBackgroundWorkerPid(started.handle, &mut pid) };
    if status != pg_sys::BgwHandleStatus::BGWH_STOPPED {
        return;
    }
    let later = |time| Some(Again::At(Instant::now() + time));
    one.again = match board::release(started.slot) {
        Verdict::Absent => Some(Again::Never),
        Verdict::Off => later(OFF),
        Verdict::Ended => later(RESTART),
        Verdict::MadeWay => later(MADE_WAY),
    };
    // SAFETY: allocated by RegisterDynamicBackgroundWorker, used by nobody else.
    unsafe { pg_sys::pfree(started.handle.cast()) };
    one.worker = None;
}

fn start(oid: u32, one: &mut Known) {
    one.again = Some(Again::At(Instant::now() + RESTART));
    let Some(slot) = board::reserve(oid) else {
        return complain(one);
    };
    let mut worker = pg_sys::BackgroundWorker {
        bgw_flags: (pg_sys::BGWORKER_SHMEM_ACCESS | pg_sys::BGWORKER_BACKEND_DATABASE_CONNECTION) as i32,
        bgw_start_time: pg_sys::BgWorkerStartTime::BgWorkerStart_RecoveryFinished,
        // The launcher starts it again, when there is still something to do for it.
        bgw_restart_time: pg_sys::BGW_NEVER_RESTART,
        bgw_main_arg: pg_sys::Datum::from(slot),
        // SAFETY: set at the start of the process.
        bgw_notify_pid: unsafe { pg_sys::MyProcPid },
        ..Default::default()
    };
    write(&mut worker.bgw_name, &format!("memory_ext worker: {}", one.name));
    write(&mut worker.bgw_type, "memory_ext worker");
    write(&mut worker.bgw_library_name, "memory_ext");
    write(&mut worker.bgw_function_name, "memory_ext_worker");
    write(&mut worker.bgw_extra, &oid.to_string());
    let mut handle = std::ptr::null_mut();
    // SAFETY: the structure is filled; the handle must outlive transactions, hence the context.
    let registered = unsafe {
        let before = pg_sys::MemoryContextSwitchTo(pg_sys::TopMemoryContext);
        let registered = pg_sys::RegisterDynamicBackgroundWorker(&mut worker, &mut handle);
        pg_sys::MemoryContextSwitchTo(before);
        registered
    };
    if !registered {
        board::release(slot);
        return complain(one);
    }
    one.complained = false;
    one.worker = Some(Started { handle, slot });
}

fn complain(one: &mut Known) {
    if std::mem::replace(&mut one.complained, true) {
        return;
    }
    ereport!(
        PgLogLevel::WARNING,
        PgSqlErrorCode::ERRCODE_CONFIGURATION_LIMIT_EXCEEDED,
        format!(
            "memory_ext: no free background worker slot for database \"{}\"",
            one.name
        ),
        "Raise max_worker_processes, or name the databases that need a worker in memory_ext.databases."
    );
}

/// Writes a text into a fixed field, cut where it must be.
fn write<const N: usize>(field: &mut [std::ffi::c_char; N], text: &str) {
    let end = text.floor_char_boundary(N - 1);
    for (cell, byte) in field.iter_mut().zip(text.as_bytes()[..end].iter()) {
        *cell = *byte as std::ffi::c_char;
    }
}

/// The databases that may have a worker.
fn wanted(missing: &mut HashSet<String>) -> Vec<(u32, String)> {
    if !config::workers() {
        return Vec::new();
    }
    let all = databases();
    let named = config::databases();
    if named.is_empty() {
        return all;
    }
    for name in &named {
        if !all.iter().any(|(_, other)| other == name) && missing.insert(name.clone()) {
            warning!("memory_ext.databases names \"{name}\", which is not a database that takes connections");
        }
    }
    all.into_iter().filter(|(_, name)| named.contains(name)).collect()
}

/// Databases that take connections and are no templates.
fn databases() -> Vec<(u32, String)> {
    let mut found = Vec::new();
    // SAFETY: a scan of a shared catalog in a transaction of its own; names are copied out of the tuples.
    unsafe {
        pg_sys::StartTransactionCommand();
        pg_sys::PushActiveSnapshot(pg_sys::GetTransactionSnapshot());
        let lock = pg_sys::AccessShareLock as i32;
        let relation = pg_sys::table_open(pg_sys::DatabaseRelationId, lock);
        let scan = pg_sys::table_beginscan_catalog(relation, 0, std::ptr::null_mut());
        loop {
            let tuple = pg_sys::heap_getnext(scan, pg_sys::ScanDirection::ForwardScanDirection);
            if tuple.is_null() {
                break;
            }
            let header = (*tuple).t_data;
            let form = header
                .cast::<u8>()
                .add((*header).t_hoff as usize)
                .cast::<pg_sys::FormData_pg_database>();
            if (*form).datallowconn && !(*form).datistemplate && (*form).datconnlimit != -2 {
                let name = CStr::from_ptr((*form).datname.data.as_ptr());
                found.push(((*form).oid.to_u32(), name.to_string_lossy().into_owned()));
            }
        }
        pg_sys::heap_endscan(scan);
        pg_sys::table_close(relation, lock);
        pg_sys::PopActiveSnapshot();
        pg_sys::CommitTransactionCommand();
    }
    found
}
