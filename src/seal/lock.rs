//! Who writes a user's rows holds the user's keys shared; who changes the keys, or all rows with them, alone.
//! Advisory locks until the end of the transaction, taken before any row: no statement is run for them.

use memory_core::text::TermHasher;
use pgrx::prelude::*;
use pgrx::{direct_function_call_as_datum, pg_sys};

const USERS: [u8; 16] = *b"memory_ext keys ";
const MASTERS: [u8; 16] = *b"memory_ext maste";

fn number(key: [u8; 16], name: &str) -> Option<pg_sys::Datum> {
    TermHasher::with_key(key).bytes_hash(name.as_bytes()).into_datum()
}

/// After waiting, what others changed meanwhile is known.
fn take(function: unsafe fn(pg_sys::FunctionCallInfo) -> pg_sys::Datum, number: Option<pg_sys::Datum>) -> bool {
    // SAFETY: the functions of Postgres for advisory locks take one int8 and give void or a boolean.
    unsafe {
        let taken = direct_function_call_as_datum(function, &[number]);
        pg_sys::AcceptInvalidationMessages();
        taken.is_none_or(|taken| taken.value() & 1 == 1)
    }
}

pub fn shared(user_id: &str) {
    take(pg_sys::pg_advisory_xact_lock_shared_int8, number(USERS, user_id));
}

pub fn alone(user_id: &str) {
    take(pg_sys::pg_advisory_xact_lock_int8, number(USERS, user_id));
}

/// The same without waiting; false when somebody is writing.
pub fn try_alone(user_id: &str) -> bool {
    take(pg_sys::pg_try_advisory_xact_lock_int8, number(USERS, user_id))
}

/// Held by who wraps or drops keys: a rotation of the master key then finds what they did, or comes first.
pub fn masters_shared() {
    take(pg_sys::pg_advisory_xact_lock_shared_int8, number(MASTERS, ""));
}

pub fn masters_alone() {
    take(pg_sys::pg_advisory_xact_lock_int8, number(MASTERS, ""));
}
