//! Pauses that providers asked for. With preloading all backends of the server know of them, else each knows its own.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pgrx::prelude::*;
use pgrx::{PGRXSharedMemory, PgLwLock, pg_shmem_init};

use crate::config::Provider;
use crate::id;

/// How many providers can pause at once; of more, those that would end first are forgotten.
const PLACES: usize = 16;

#[derive(Clone, Copy, Default)]
struct Pause {
    /// Whose it is.
    name: u64,
    /// Microseconds, as `id::now` counts.
    until: i64,
}

type Pauses = [Pause; PLACES];

#[derive(Clone, Copy, Default)]
struct Shared(Pauses);

// SAFETY: plain numbers, which mean the same in every process.
unsafe impl PGRXSharedMemory for Shared {}

// SAFETY: the name is ours alone.
static SHARED: PgLwLock<Shared> = unsafe { PgLwLock::new(c"memory_ext_pauses") };
static IS_SHARED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static OWN: Cell<Pauses> = const { Cell::new([Pause { name: 0, until: 0 }; PLACES]) };
}

/// Shared memory can be had only while the server starts.
// The macro asks for versions that pgrx knows and we do not.
#[allow(unexpected_cfgs)]
pub fn init() {
    // SAFETY: reads a flag.
    if unsafe { pg_sys::process_shared_preload_libraries_in_progress } {
        pg_shmem_init!(SHARED);
        IS_SHARED.store(true, Ordering::Relaxed);
    }
}

/// Until when the provider wants to be left alone, if it does.
pub fn pending(provider: &Provider) -> Option<i64> {
    of(name(provider, "all"))
}

/// Until when queries leave it alone.
pub fn pending_query(provider: &Provider) -> Option<i64> {
    of(name(provider, "query"))
}

/// Remembers a pause.
pub fn begin(provider: &Provider, pause: Duration) {
    remember(name(provider, "all"), pause);
}

pub fn begin_query(provider: &Provider, pause: Duration) {
    remember(name(provider, "query"), pause);
}

fn of(name: u64) -> Option<i64> {
    let now = id::now();
    let pauses = match IS_SHARED.load(Ordering::Relaxed) {
        true => SHARED.share().0,
        false => OWN.get(),
    };
    let pause = pauses.iter().find(|pause| pause.name == name && pause.until > now);
    pause.map(|pause| pause.until)
}

fn remember(name: u64, pause: Duration) {
    let pause = Pause {
        name,
        until: id::now().saturating_add(pause.as_micros().try_into().unwrap_or(i64::MAX)),
    };
    match IS_SHARED.load(Ordering::Relaxed) {
        true => note(&mut SHARED.exclusive().0, pause),
        false => {
            let mut pauses = OWN.get();
            note(&mut pauses, pause);
            OWN.set(pauses);
        }
    }
}

fn note(pauses: &mut Pauses, pause: Pause) {
    let known = pauses.iter().position(|known| known.name == pause.name);
    let soonest = (0..PLACES).min_by_key(|place| pauses[*place].until);
    if let Some(place) = known.or(soonest) {
        pauses[place] = pause;
    }
}

/// The same in all backends of this server.
fn name(provider: &Provider, what: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (provider.api, &provider.endpoint, &provider.model, what).hash(&mut hasher);
    hasher.finish()
}
