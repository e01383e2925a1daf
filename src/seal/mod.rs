//! Texts on their way to the tables and back. Only `store` calls this: nothing above it knows what is encrypted.
//!
//! Whether a text is sealed is told by the text. Whether a new one is to be is told by memory.encryption, which has a
//! row once a master key was ever configured: from then on a missing or wrong key is an error, never a plain text.

mod column;
pub mod keys;
pub mod lock;
mod masters;

use std::borrow::Cow;
use std::sync::Once;

use memory_core::crypto::{self, Failure, MARKER, Place, Sealed, Stored, UserKey};
use memory_core::text::TermHasher;
use pgrx::datum::Uuid;
use pgrx::pg_sys;
use pgrx::prelude::*;

pub use column::Column;
pub use masters::current as current_master;

use crate::config;
use crate::error::{self, Result};
use crate::jsonb::RawJsonb;
use crate::random;
use crate::store::db::Db;

/// Whether the data is encrypted. The first write after a master key was configured makes it so.
pub fn on(db: &Db) -> Result<bool> {
    if keys::registered(db)?.master_id.is_some() {
        return Ok(true);
    }
    if db.read_only || config::master_key().is_empty() {
        return Ok(false);
    }
    keys::register(db)?;
    Ok(true)
}

/// Called before any row of the user is written, so that nobody changes the keys meanwhile.
pub fn hold(db: &Db, user_id: &str) -> Result<()> {
    if on(db)? {
        lock::shared(user_id);
    }
    Ok(())
}

/// A text as it is to be stored in this row.
pub fn text<'a>(db: &Db, user_id: &str, column: Column, id: Uuid, plain: &'a str) -> Result<Cow<'a, str>> {
    if !on(db)? {
        return Ok(crypto::escape(plain));
    }
    lock::shared(user_id);
    let keys = keys::ensure(db, user_id)?;
    seal(&keys, user_id, column, id, plain).map(Cow::Owned)
}

pub fn optional<'a>(
    db: &Db,
    user_id: &str,
    column: Column,
    id: Uuid,
    plain: Option<&'a str>,
) -> Result<Option<Cow<'a, str>>> {
    plain.map(|plain| text(db, user_id, column, id, plain)).transpose()
}

pub fn texts(db: &Db, user_id: &str, column: Column, id: Uuid, plain: &[String]) -> Result<Vec<String>> {
    plain
        .iter()
        .map(|plain| text(db, user_id, column, id, plain).map(Cow::into_owned))
        .collect()
}

/// A JSON text as it is to be stored in a jsonb column: as it is, or a string that is sealed. No plain one is a string.
pub fn json(db: &Db, user_id: &str, column: Column, id: Uuid, plain: &str) -> Result<RawJsonb> {
    match on(db)? {
        true => RawJsonb::of(&text(db, user_id, column, id, plain)?),
        false => RawJsonb::read(plain),
    }
}

/// Seals a text with the newest of these keys.
pub fn seal(keys: &keys::Keys, user_id: &str, column: Column, id: Uuid, plain: &str) -> Result<String> {
    let (key_id, key) = keys.current(user_id)?;
    let place = Place {
        column: column.name(),
        user_id,
        id: *id.as_bytes(),
    };
    crypto::seal(key, key_id, random::bytes()?, place, plain)
        .map_err(|failure| error::invalid(format!("the text cannot be encrypted: {failure}"), "Store it in parts."))
}

/// The text that a row holds.
pub fn open(db: &Db, user_id: &str, column: Column, id: Uuid, stored: String) -> Result<String> {
    if !stored.starts_with(MARKER) {
        return Ok(stored);
    }
    open_marked(db, user_id, column.name(), id, &stored)
}

pub fn open_optional(
    db: &Db,
    user_id: &str,
    column: Column,
    id: Uuid,
    stored: Option<String>,
) -> Result<Option<String>> {
    stored.map(|stored| open(db, user_id, column, id, stored)).transpose()
}

/// The jsonb that a row holds.
pub fn open_json(db: &Db, user_id: &str, column: Column, id: Uuid, stored: RawJsonb) -> Result<RawJsonb> {
    if stored.is_object() {
        return Ok(stored);
    }
    match stored.parse() {
        Ok(serde_json::Value::String(text)) => RawJsonb::read(&open(db, user_id, column, id, text)?),
        _ => Ok(stored),
    }
}

fn open_marked(db: &Db, user_id: &str, column: &str, id: Uuid, stored: &str) -> Result<String> {
    let unreadable = unreadable(user_id, column, id);
    let sealed = match Stored::parse(stored).map_err(&unreadable)? {
        Stored::Plain(plain) => return Ok(plain.to_string()),
        Stored::Sealed(sealed) => sealed,
    };
    let place = place(user_id, column, id);
    if let Some(keys) = keys::find(db, user_id)?
        && let Some(key) = keys.numbered(user_id, sealed.key_id)?
    {
        return sealed.open(key, place).map_err(unreadable);
    }
    match keys::former(db, user_id, sealed.key_id)? {
        Some(key) => sealed.open(&key, place).map_err(unreadable),
        None => Err(error::corrupted(
            format!("key {} of user \"{user_id}\" is missing", sealed.key_id),
            "Restore memory.user_keys from a backup.",
        )),
    }
}

fn place<'a>(user_id: &'a str, column: &'a str, id: Uuid) -> Place<'a> {
    Place {
        column,
        user_id,
        id: *id.as_bytes(),
    }
}

fn unreadable(user_id: &str, column: &str, id: Uuid) -> impl Fn(Failure) -> pg_sys::panic::ErrorReport {
    let message = format!("{column} of row {id} of user \"{user_id}\" cannot be decrypted");
    move |failure| {
        error::corrupted(
            format!("{message}: {failure}"),
            "The row was changed from outside of memory_ext. Restore it from a backup.",
        )
    }
}

/// What the views show: the text of a stored one, which is sealed or begins like one that is.
pub fn reveal(stored: &str, column: &str, user_id: &str, id: Uuid) -> Result<String> {
    // A view calls this for every row: the keys are there but for the first.
    let known = |sealed: Sealed, key: &UserKey| {
        sealed
            .open(key, place(user_id, column, id))
            .map_err(unreadable(user_id, column, id))
    };
    if let Ok(Stored::Sealed(sealed)) = Stored::parse(stored)
        && let Some(keys) = keys::cached(user_id)
        && let Some(key) = keys.numbered(user_id, sealed.key_id)?
    {
        return known(sealed, key);
    }
    Db::read(|db| open_marked(db, user_id, column, id, stored))
}

/// Hashes the words of a user's texts. Who is about to write gets the keys made that the texts will be sealed with.
pub fn hasher(db: &Db, user_id: &str) -> Result<TermHasher> {
    if !on(db)? {
        return Ok(TermHasher::for_user(user_id));
    }
    if !db.read_only {
        lock::shared(user_id);
        return keys::ensure(db, user_id)?.hasher(user_id);
    }
    match keys::find(db, user_id)? {
        Some(keys) => keys.hasher(user_id),
        None => Ok(TermHasher::for_user(user_id)),
    }
}

/// Follows changes of the keys in other backends, and aborts in this one. Called once for each backend.
pub fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // SAFETY: the callbacks only forget what is cached.
        unsafe {
            pg_sys::CacheRegisterRelcacheCallback(Some(changed), pg_sys::Datum::from(0usize));
            pg_sys::RegisterXactCallback(Some(transaction_ended), std::ptr::null_mut());
            pg_sys::RegisterSubXactCallback(Some(part_ended), std::ptr::null_mut());
        }
    });
}

#[pg_guard]
unsafe extern "C-unwind" fn changed(_argument: pg_sys::Datum, relation: pg_sys::Oid) {
    keys::changed(relation);
}

#[pg_guard]
unsafe extern "C-unwind" fn transaction_ended(event: pg_sys::XactEvent::Type, _argument: *mut std::ffi::c_void) {
    use pg_sys::XactEvent::*;
    match event {
        // How a prepared transaction ends is not known yet.
        XACT_EVENT_ABORT | XACT_EVENT_PARALLEL_ABORT | XACT_EVENT_PREPARE => {
            keys::ended(true);
            keys::finished();
        }
        XACT_EVENT_COMMIT => keys::finished(),
        _ => {}
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn part_ended(
    event: pg_sys::SubXactEvent::Type,
    _part: pg_sys::SubTransactionId,
    _parent: pg_sys::SubTransactionId,
    _argument: *mut std::ffi::c_void,
) {
    keys::ended(event == pg_sys::SubXactEvent::SUBXACT_EVENT_ABORT_SUB);
}
