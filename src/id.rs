//! UUIDv7 ids: they sort by time and need no sequence, so tables can be distributed by user.

use std::cell::Cell;

use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::pg_sys;

use crate::error::{self, Result};
use crate::random;

/// Microseconds from 1970-01-01 to 2000-01-01, where Postgres counts from.
const UNIX_TO_POSTGRES: i64 = 946_684_800_000_000;

thread_local! {
    /// The last id's microsecond: two ids of one backend never share one, so they sort as made.
    static LAST: Cell<i64> = const { Cell::new(0) };
}

/// The time of the clock, not of the transaction: messages of one transaction keep their order.
pub fn now() -> i64 {
    // SAFETY: reads the clock.
    unsafe { pg_sys::GetCurrentTimestamp() }
}

/// Microseconds since 1970 of a time of Postgres.
pub fn unix(micros: i64) -> i64 {
    micros.saturating_add(UNIX_TO_POSTGRES)
}

pub fn timestamp(micros: i64) -> Result<TimestampWithTimeZone> {
    TimestampWithTimeZone::try_from(micros).map_err(|_| error::internal("a timestamp is out of range"))
}

pub fn new_id() -> Result<Uuid> {
    let micros = LAST.with(|last| {
        let next = unix(now()).max(last.get() + 1);
        last.set(next);
        next
    });
    Ok(Uuid::from_bytes(v7(micros, random::bytes()?)))
}

/// 48 bits of milliseconds, 12 bits of the fraction below, 62 random bits (RFC 9562, method 3).
fn v7(micros: i64, mut bytes: [u8; 16]) -> [u8; 16] {
    let millis = (micros / 1000) as u64;
    let fraction = ((micros % 1000) * 4096 / 1000) as u16;
    bytes[..6].copy_from_slice(&millis.to_be_bytes()[2..]);
    bytes[6] = 0x70 | (fraction >> 8) as u8;
    bytes[7] = fraction as u8;
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    bytes
}

/// An id as Postgres writes it. pgrx's own `to_string` formats byte by byte and takes ten times as long.
pub fn text(id: &Uuid) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(36);
    for (index, byte) in id.as_bytes().iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push(DIGITS[usize::from(byte >> 4)].into());
        text.push(DIGITS[usize::from(byte & 15)].into());
    }
    text
}
