//! The keys of users, unwrapped once for each backend.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use memory_core::crypto::UserKey;
use memory_core::text::TermHasher;
use pgrx::pg_sys;

use super::{lock, masters};
use crate::error::{self, Result};
use crate::random;
use crate::store::db::Db;
use crate::store::keys::{self as store, Registered, Wrapped};

/// A backend that serves many users keeps the keys of the last ones.
const MOST_USERS: usize = 1_000;

thread_local! {
    /// What memory.encryption holds.
    static REGISTERED: RefCell<Option<Rc<Registered>>> = const { RefCell::new(None) };
    /// By role too: what one may see another may not.
    static USERS: RefCell<HashMap<(pg_sys::Oid, String), Rc<Keys>>> = RefCell::default();
    /// Whether this transaction wrote to memory.encryption or memory.user_keys: its end by abort makes the caches wrong.
    static WROTE: Cell<bool> = const { Cell::new(false) };
    /// Counts what is heard of changes. What was read while something was heard may be older than that: it is not kept.
    static HEARD: Cell<u64> = const { Cell::new(0) };
}

pub fn forget() {
    REGISTERED.set(None);
    USERS.take();
    masters::forget();
}

/// One of the tables of keys was changed.
pub fn changed(relation: pg_sys::Oid) {
    HEARD.set(HEARD.get() + 1);
    let ours = REGISTERED.with_borrow(|known| known.as_ref().is_some_and(|known| known.relations.contains(&relation)));
    if relation == pg_sys::InvalidOid || ours {
        forget();
    }
}

/// The transaction, or a part of it, ended.
pub fn ended(aborted: bool) {
    if WROTE.get() && aborted {
        forget();
    }
}

/// The whole transaction ended.
pub fn finished() {
    WROTE.set(false);
}

/// Tells all backends, when the transaction commits, to read the keys again, and this one at once.
pub fn announce(db: &Db) -> Result<()> {
    for relation in registered(db)?.relations {
        // SAFETY: both tables exist: they were just read.
        unsafe { pg_sys::CacheInvalidateRelcacheByRelid(relation) };
    }
    forget();
    WROTE.set(true);
    Ok(())
}

pub fn registered(db: &Db) -> Result<Rc<Registered>> {
    if let Some(known) = REGISTERED.with_borrow(Clone::clone) {
        return Ok(known);
    }
    let heard = HEARD.get();
    let read = Rc::new(db.latest(store::registered)?);
    if HEARD.get() == heard {
        REGISTERED.set(Some(read.clone()));
    }
    Ok(read)
}

/// Notes that the data is encrypted from now on, by the master key that is configured. The first write does it,
/// whoever writes.
pub fn register(db: &Db) -> Result<()> {
    let master = masters::current()?;
    store::register(db, master.fingerprint())?;
    announce(db)
}

/// The keys of one user, the newest last.
pub struct Keys {
    rows: Vec<(Wrapped, OnceCell<UserKey>)>,
}

impl Keys {
    fn of(rows: Vec<Wrapped>) -> Keys {
        Keys {
            rows: rows.into_iter().map(|row| (row, OnceCell::new())).collect(),
        }
    }

    /// The number and key that seal now.
    pub fn current(&self, user_id: &str) -> Result<(u32, &UserKey)> {
        let last = self.rows.last().ok_or_else(|| error::internal("a user has no key"))?;
        Ok((last.0.key_id, unwrapped(last, user_id)?))
    }

    /// The key of this number, if the user has it.
    pub fn numbered(&self, user_id: &str, key_id: u32) -> Result<Option<&UserKey>> {
        let row = self.rows.iter().find(|(row, _)| row.key_id == key_id);
        row.map(|row| unwrapped(row, user_id)).transpose()
    }

    /// Whether the words of the user's rows are hashed with the key.
    pub fn keyed(&self) -> bool {
        self.rows.last().is_some_and(|(row, _)| row.keyed)
    }

    pub fn hasher(&self, user_id: &str) -> Result<TermHasher> {
        match self.keyed() {
            true => Ok(self.current(user_id)?.1.hasher()),
            false => Ok(TermHasher::for_user(user_id)),
        }
    }
}

fn unwrapped<'a>(row: &'a (Wrapped, OnceCell<UserKey>), user_id: &str) -> Result<&'a UserKey> {
    let (wrapped, opened) = row;
    if let Some(key) = opened.get() {
        return Ok(key);
    }
    let key = unwrap(wrapped, user_id)?;
    Ok(opened.get_or_init(|| key))
}

pub fn unwrap(wrapped: &Wrapped, user_id: &str) -> Result<UserKey> {
    let master = masters::named(&wrapped.master_id)?;
    master
        .unwrap(&wrapped.wrapped, user_id, wrapped.key_id)
        .map_err(|failure| {
            error::corrupted(
                format!(
                    "key {} of user \"{user_id}\" cannot be unwrapped: {failure}",
                    wrapped.key_id
                ),
                "Restore memory.user_keys from a backup.",
            )
        })
}

/// The keys of a user that this backend has read already.
pub fn cached(user_id: &str) -> Option<Rc<Keys>> {
    // SAFETY: reads the role in force.
    let role = unsafe { pg_sys::GetUserId() };
    USERS.with_borrow(|users| users.get(&(role, user_id.to_string())).cloned())
}

fn keep(user_id: &str, keys: Rc<Keys>) {
    // SAFETY: reads the role in force.
    let role = unsafe { pg_sys::GetUserId() };
    USERS.with_borrow_mut(|users| {
        if users.len() >= MOST_USERS {
            users.clear();
        }
        users.insert((role, user_id.to_string()), keys);
    });
}

/// The keys of a user, if there are any. That there are none is not kept in mind: it may change at any time.
pub fn find(db: &Db, user_id: &str) -> Result<Option<Rc<Keys>>> {
    if let Some(known) = cached(user_id) {
        return Ok(Some(known));
    }
    // So that we hear of changes from now on.
    registered(db)?;
    let heard = HEARD.get();
    let rows = db.latest(|now| store::of_user(now, user_id))?;
    if rows.is_empty() {
        return Ok(None);
    }
    let keys = Rc::new(Keys::of(rows));
    if HEARD.get() == heard {
        keep(user_id, keys.clone());
    }
    Ok(Some(keys))
}

/// A key that is gone by now but was there when the caller's snapshot was taken.
pub fn former(db: &Db, user_id: &str, key_id: u32) -> Result<Option<UserKey>> {
    let rows = store::of_user(db, user_id)?;
    let row = rows.iter().find(|row| row.key_id == key_id);
    row.map(|row| unwrap(row, user_id)).transpose()
}

/// The keys of a user; the first one is made when there is none. A user of whom nothing is stored yet is encrypted
/// as a whole from the first word on.
pub fn ensure(db: &Db, user_id: &str) -> Result<Rc<Keys>> {
    if let Some(keys) = find(db, user_id)? {
        return Ok(keys);
    }
    lock::masters_shared();
    let registered = registered(db)?;
    let master_id = registered
        .master_id
        .as_deref()
        .ok_or_else(|| error::internal("a key is wanted while nothing is encrypted"))?;
    let first = wrap(master_id, user_id, 1, &UserKey::from_bytes(random::bytes()?))?;
    let whole = !store::has_rows(db, user_id)?;
    store::insert(db, user_id, &Wrapped { keyed: whole, ..first }, whole)?;
    WROTE.set(true);
    find(db, user_id)?.ok_or_else(|| error::internal("a user's key was not stored"))
}

/// A user's key under the master key of this fingerprint.
pub fn wrap(master_id: &str, user_id: &str, key_id: u32, key: &UserKey) -> Result<Wrapped> {
    let master = masters::named(master_id)?;
    let wrapped = master
        .wrap(key, user_id, key_id, random::bytes()?)
        .map_err(|failure| error::internal(failure.to_string()))?;
    Ok(Wrapped {
        key_id,
        wrapped,
        master_id: master_id.to_string(),
        keyed: false,
    })
}
