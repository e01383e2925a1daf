//! The worker of one database: it does the jobs, and by the clock the duties that nobody asks for.

use std::ffi::CStr;
use std::time::{Duration, Instant};

use pgrx::pg_sys;
use pgrx::prelude::*;

use super::board::{self, Verdict};
use super::process;
use super::transaction::transaction;
use crate::config;
use crate::error::Result;
use crate::guard::Failure;
use crate::jobs::Place;
use crate::jobs::duties::{self, Duty};
use crate::jobs::engine::Engine;
use crate::store::db::Db;
use crate::store::jobs as queue;

/// How often a worker looks whether somebody waits for it to leave the database. DROP DATABASE waits 5 seconds.
const GLANCE: Duration = Duration::from_secs(1);
/// Between two looks at answers on their way, others that wait for this process are served.
const SLICE: Duration = Duration::from_millis(50);

struct Worker {
    slot: usize,
    extension: pg_sys::Oid,
    glanced: Instant,
    clock: Clock,
}

/// Transactions of a worker.
struct Own;

impl Place for Own {
    fn unit<T>(&mut self, doing: &CStr, work: impl FnOnce(&Db) -> Result<T>) -> std::result::Result<T, Failure> {
        transaction(doing, work)
    }
}

pub fn run(slot: usize) -> ! {
    process::take_signals();
    connect();
    board::worker_is_here(slot);
    let Some(extension) = extension() else {
        leave(slot, Verdict::Absent);
    };
    if !config::workers() {
        leave(slot, Verdict::Off);
    }
    let mut worker = Worker {
        slot,
        extension,
        glanced: Instant::now(),
        clock: Clock::new(),
    };
    let _ = transaction(
        c"memory_ext: taking over the jobs of processes that are gone",
        queue::recover,
    );
    worker.serve()
}

fn connect() {
    // SAFETY: the launcher wrote the database's oid; these settings are this process's own.
    unsafe {
        let extra = CStr::from_ptr((*pg_sys::MyBgworkerEntry).bgw_extra.as_ptr());
        let database: u32 = extra.to_str().ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        pg_sys::BackgroundWorkerInitializeConnectionByOid(pg_sys::Oid::from(database), pg_sys::InvalidOid, 0);
        let name = CStr::from_ptr((*pg_sys::MyBgworkerEntry).bgw_name.as_ptr());
        let settings: [(&CStr, &CStr); 7] = [
            (c"application_name", name),
            (c"search_path", c"pg_catalog, pg_temp"),
            (c"statement_timeout", c"0"),
            // Whoever holds a user's lock for longer is not waited for: the job comes back a second later.
            (c"lock_timeout", c"500ms"),
            (c"default_transaction_isolation", c"read committed"),
            (c"default_transaction_read_only", c"off"),
            (c"client_min_messages", c"error"),
        ];
        for (setting, value) in settings {
            pg_sys::SetConfigOption(
                setting.as_ptr(),
                value.as_ptr(),
                pg_sys::GucContext::PGC_SUSET,
                pg_sys::GucSource::PGC_S_OVERRIDE,
            );
        }
        pg_sys::pgstat_report_appname(name.as_ptr());
    }
}

/// The extension as it is in this database now.
fn extension() -> Option<pg_sys::Oid> {
    transaction(c"memory_ext: looking for the extension", |_db| {
        // SAFETY: a look-up in a transaction.
        Ok(unsafe { pg_sys::get_extension_oid(c"memory_ext".as_ptr(), true) })
    })
    .ok()
    .filter(|oid| *oid != pg_sys::InvalidOid)
}

/// Whether somebody holds a lock on this database that keeps new connections out: DROP DATABASE, ALTER DATABASE
/// RENAME or SET TABLESPACE, CREATE DATABASE with this one as its template. They wait for all connections to end.
fn is_in_the_way() -> bool {
    transaction(c"memory_ext: looking whether the database is wanted", |_db| {
        // SAFETY: the lock that a new connection would take; it is released with the transaction.
        unsafe {
            let tag = pg_sys::LOCKTAG {
                locktag_field1: 0,
                locktag_field2: pg_sys::DatabaseRelationId.to_u32(),
                locktag_field3: pg_sys::MyDatabaseId.to_u32(),
                locktag_field4: 0,
                locktag_type: pg_sys::LockTagType::LOCKTAG_OBJECT as u8,
                locktag_lockmethodid: pg_sys::DEFAULT_LOCKMETHOD as u8,
            };
            let got = pg_sys::LockAcquire(&tag, pg_sys::RowExclusiveLock as i32, false, true);
            Ok(got == pg_sys::LockAcquireResult::LOCKACQUIRE_NOT_AVAIL)
        }
    })
    .unwrap_or(false)
}

fn leave(slot: usize, verdict: Verdict) -> ! {
    board::worker_ends(slot, verdict);
    process::exit(0)
}

impl Worker {
    fn serve(&mut self) -> ! {
        let mut place = Own;
        let mut engine = Engine::new();
        let mut look_at = Instant::now();
        loop {
            self.attend();
            self.duties(&mut place);
            if Instant::now() >= look_at {
                let begun = engine.begin(&mut place, config::batch_size());
                look_at = match begun {
                    // The next answer makes room.
                    Ok(0) if engine.is_full() => Instant::now() + GLANCE,
                    Ok(0) => Instant::now() + self.until_next(&engine),
                    Ok(_) => Instant::now(),
                    Err(failure) => {
                        self.complain(&failure);
                        Instant::now() + Duration::from_secs(5)
                    }
                };
            }
            if engine.is_waiting() {
                if engine.land(&mut place, SLICE) || process::wait(Duration::ZERO) {
                    look_at = Instant::now();
                }
            } else {
                let idle = self.clock.next().min(look_at).saturating_duration_since(Instant::now());
                if process::wait(idle.min(GLANCE)) {
                    look_at = Instant::now();
                }
            }
        }
    }

    /// How long the queue has nothing to do.
    fn until_next(&self, engine: &Engine) -> Duration {
        let nap = Duration::from_secs(config::worker_naptime());
        let pause = engine.pause();
        match transaction(c"memory_ext: looking for the next job", queue::next_due) {
            Ok(Some(seconds)) => Duration::from_secs_f64(seconds.max(0.02)).max(pause).min(nap),
            _ => nap,
        }
    }

    /// What a process owes to the others, and whether there is still something to do here.
    fn attend(&mut self) {
        if process::attend() && !config::workers() {
            leave(self.slot, Verdict::Off);
        }
        if self.glanced.elapsed() < GLANCE {
            return;
        }
        self.glanced = Instant::now();
        if !board::is_mine(self.slot) {
            process::exit(0);
        }
        if is_in_the_way() {
            leave(self.slot, Verdict::MadeWay);
        }
        match extension() {
            None => leave(self.slot, Verdict::Absent),
            Some(extension) if extension != self.extension => {
                // Dropped and created again: what this worker knows is of the old one. A new one starts soon.
                leave(self.slot, Verdict::Ended);
            }
            Some(_) => {}
        }
    }

    fn duties(&mut self, place: &mut Own) {
        while let Some(duty) = self.clock.due() {
            match duties::perform(place, duty) {
                Ok(more) => self.clock.done(duty, more),
                Err(failure) => {
                    self.complain(&failure);
                    self.clock.done(duty, false);
                }
            }
            self.attend();
        }
    }

    /// Says what went wrong, unless it went wrong because the extension is gone.
    fn complain(&mut self, failure: &Failure) {
        if extension() != Some(self.extension) {
            leave(self.slot, Verdict::Ended);
        }
        warning!("memory_ext worker: {}", failure.message);
    }
}

/// When each duty is due. Nothing of it needs to be remembered over a restart.
struct Clock {
    due: Vec<(Duty, Instant)>,
}

impl Clock {
    fn new() -> Clock {
        let now = Instant::now();
        Clock {
            due: Duty::ALL.iter().map(|duty| (*duty, now)).collect(),
        }
    }

    /// A duty that is due now.
    fn due(&mut self) -> Option<Duty> {
        let now = Instant::now();
        for (duty, at) in &mut self.due {
            match duty.interval() {
                None => *at = now + Duration::from_secs(60),
                // A shorter interval after a reload holds at once.
                Some(interval) => {
                    *at = (*at).min(now + interval);
                    if *at <= now {
                        return Some(*duty);
                    }
                }
            }
        }
        None
    }

    /// The duty was done; when there is more of it to do, it goes on at once.
    fn done(&mut self, done: Duty, more: bool) {
        let again = if more {
            Duration::ZERO
        } else {
            done.interval().unwrap_or_default()
        };
        for (duty, at) in &mut self.due {
            if *duty == done {
                *at = Instant::now() + again.max(Duration::from_millis(10));
            }
        }
    }

    fn next(&self) -> Instant {
        let far = Instant::now() + Duration::from_secs(60);
        self.due.iter().map(|(_, at)| *at).min().unwrap_or(far)
    }
}
