//! What the launcher, the workers and everybody else tell each other in shared memory. Without
//! shared_preload_libraries there is none: then nobody listens, and whoever runs jobs by hand needs no call.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use pgrx::prelude::*;
use pgrx::{PGRXSharedMemory, PgLwLock, pg_shmem_init, pg_sys};

/// How many databases can have a worker. More cannot run at once than max_worker_processes allows anyway.
pub const SLOTS: usize = 128;
const NEWS: usize = 32;

/// Why a worker ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// It was terminated, or failed: it is started again soon.
    #[default]
    Ended,
    /// The database does not have the extension.
    Absent,
    /// Workers are switched off in this database.
    Off,
    /// Somebody wants to drop, rename or copy the database.
    MadeWay,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    database: u32,
    pid: i32,
    verdict: Verdict,
}

struct Board {
    launcher: i32,
    slots: [Slot; SLOTS],
    /// Databases in which the extension was created since the launcher looked; 0: none.
    news: [u32; NEWS],
    news_lost: bool,
}

// SAFETY: plain numbers, valid in every process.
unsafe impl PGRXSharedMemory for Board {}

// SAFETY: the name is this lock's alone.
static BOARD: PgLwLock<Board> = unsafe { PgLwLock::new(c"memory_ext board") };
static READY: AtomicBool = AtomicBool::new(false);

thread_local! {
    static WAKE: Cell<bool> = const { Cell::new(false) };
    static CREATED: Cell<bool> = const { Cell::new(false) };
}

/// Called while the postmaster loads the library. pgrx's macro asks for majors that we do not have as features.
#[allow(unexpected_cfgs)]
pub fn init() {
    watch_extensions();
    pg_shmem_init!(
        BOARD = Board {
            launcher: 0,
            slots: [Slot::default(); SLOTS],
            news: [0; NEWS],
            news_lost: false,
        }
    );
    READY.store(true, Ordering::Relaxed);
}

/// Called in every process: calls go out when the transaction that made them commits.
pub fn watch() {
    // SAFETY: the callback only reads this process's flags and sets latches.
    unsafe { pg_sys::RegisterXactCallback(Some(transaction_ends), std::ptr::null_mut()) };
}

/// CREATE EXTENSION and CREATE DATABASE are told to the launcher, whichever it is.
fn watch_extensions() {
    // SAFETY: called once, while the postmaster has a single thread; the hook before ours is called by ours.
    unsafe {
        BEFORE = pg_sys::object_access_hook;
        pg_sys::object_access_hook = Some(object_accessed);
    }
}

static mut BEFORE: pg_sys::object_access_hook_type = None;

#[pg_guard]
unsafe extern "C-unwind" fn object_accessed(
    access: pg_sys::ObjectAccessType::Type,
    class: pg_sys::Oid,
    object: pg_sys::Oid,
    part: i32,
    argument: *mut std::ffi::c_void,
) {
    let matters = [pg_sys::ExtensionRelationId, pg_sys::DatabaseRelationId].contains(&class);
    if access == pg_sys::ObjectAccessType::OAT_POST_CREATE && matters {
        CREATED.set(true);
    }
    // SAFETY: set once, before any call; the arguments are passed on as they came.
    unsafe {
        if let Some(before) = BEFORE {
            before(access, class, object, part, argument);
        }
    }
}

fn is_ready() -> bool {
    READY.load(Ordering::Relaxed)
}

/// There is work: when this transaction commits, the database's worker is woken.
pub fn wake_at_commit() {
    WAKE.set(true);
}

#[pg_guard]
unsafe extern "C-unwind" fn transaction_ends(event: pg_sys::XactEvent::Type, _argument: *mut std::ffi::c_void) {
    match event {
        pg_sys::XactEvent::XACT_EVENT_COMMIT => {
            let (wake, created) = (WAKE.take(), CREATED.take());
            if (wake || created) && is_ready() {
                // SAFETY: set for as long as the process is connected to a database.
                let database = unsafe { pg_sys::MyDatabaseId }.to_u32();
                if created {
                    tell(database);
                }
                if wake {
                    wake_worker(database);
                }
            }
        }
        pg_sys::XactEvent::XACT_EVENT_ABORT | pg_sys::XactEvent::XACT_EVENT_PREPARE => {
            WAKE.set(false);
            CREATED.set(false);
        }
        _ => {}
    }
}

fn tell(database: u32) {
    let launcher = {
        let mut board = BOARD.exclusive();
        match board.news.iter_mut().find(|cell| **cell == 0 || **cell == database) {
            Some(cell) => *cell = database,
            None => board.news_lost = true,
        }
        board.launcher
    };
    set_latch(launcher);
}

fn wake_worker(database: u32) {
    let pid = {
        let board = BOARD.share();
        board
            .slots
            .iter()
            .find(|slot| slot.database == database)
            .map(|slot| slot.pid)
    };
    set_latch(pid.unwrap_or(0));
}

/// Sets the latch of another process, if it is still one of this server's.
fn set_latch(pid: i32) {
    if pid == 0 {
        return;
    }
    // SAFETY: BackendPidGetProc gives a process that lives, or null; a latch that is set for nothing does no harm.
    unsafe {
        let process = pg_sys::BackendPidGetProc(pid);
        if !process.is_null() {
            pg_sys::SetLatch(&raw mut (*process).procLatch);
        }
    }
}

fn my_pid() -> i32 {
    // SAFETY: set at the start of the process.
    unsafe { pg_sys::MyProcPid }
}

/// What was told since the last time.
pub enum News {
    Databases(Vec<u32>),
    TooMany,
}

pub fn launcher_is_here() {
    let mut board = BOARD.exclusive();
    board.launcher = my_pid();
    board.slots = [Slot::default(); SLOTS];
}

pub fn read_news() -> News {
    let mut board = BOARD.exclusive();
    let told: Vec<u32> = board.news.iter().copied().filter(|cell| *cell != 0).collect();
    board.news = [0; NEWS];
    if std::mem::take(&mut board.news_lost) {
        return News::TooMany;
    }
    News::Databases(told)
}

/// A free slot for a database's worker.
pub fn reserve(database: u32) -> Option<usize> {
    let mut board = BOARD.exclusive();
    let free = board.slots.iter().position(|slot| slot.database == 0)?;
    board.slots[free] = Slot {
        database,
        ..Slot::default()
    };
    Some(free)
}

/// Frees a slot; gives why its worker ended.
pub fn release(slot: usize) -> Verdict {
    let mut board = BOARD.exclusive();
    std::mem::take(&mut board.slots[slot]).verdict
}

/// Whether the slot is still this process's: a new launcher begins with an empty board, and workers of its own.
pub fn is_mine(slot: usize) -> bool {
    BOARD.share().slots[slot].pid == my_pid()
}

/// The worker of a slot has begun.
pub fn worker_is_here(slot: usize) {
    BOARD.exclusive().slots[slot].pid = my_pid();
}

pub fn worker_ends(slot: usize, verdict: Verdict) {
    let mut board = BOARD.exclusive();
    board.slots[slot].pid = 0;
    board.slots[slot].verdict = verdict;
}
