//! What is plain is sealed, what an older key sealed is sealed anew, keys are changed: in batches, while everything
//! else goes on. A user whose rows are being sealed waits for the batch, nobody else does.

use memory_core::crypto::{self, UserKey};
use memory_core::text::TermHasher;
use pgrx::datum::Uuid;
use pgrx::warning;

use crate::conversation::indexed_part;
use crate::error::{self, Result};
use crate::gate;
use crate::guard::guarded;
use crate::jsonb::RawJsonb;
use crate::random;
use crate::seal::keys::{self, Keys};
use crate::seal::{self, Column, lock};
use crate::store::db::Db;
use crate::store::keys as store;
use crate::store::sealed::{self, Worded};

/// How many users one call looks at, at most.
const USERS: i64 = 100;
/// How many rows are read at a time when words are hashed anew.
const PAGE: i64 = 1_000;

pub struct Progress {
    /// Texts that were sealed.
    pub sealed: i64,
    /// Users of whom something is left.
    pub users_left: i64,
}

/// Seals up to `batch` texts of a user, or of any users that nobody is writing at the moment.
pub fn encrypt(db: &Db, user_id: Option<&str>, batch: i64) -> Result<Progress> {
    if !seal::on(db)? {
        return Err(not_on());
    }
    // First of all, as a rotation of the master key takes it: else the two could wait for each other's rows.
    lock::masters_shared();
    let users = match user_id {
        Some(user_id) => vec![user_id.to_string()],
        None => store::unsettled(db, USERS)?,
    };
    let mut sealed = 0;
    for user in &users {
        if sealed >= batch {
            break;
        }
        match user_id {
            Some(_) => lock::alone(user),
            None if !lock::try_alone(user) => continue,
            None => {}
        }
        sealed += match user_id {
            Some(_) => encrypt_user(db, user, batch - sealed)?,
            // One user's damaged row must not keep all others plain.
            None => guarded(|| encrypt_user(db, user, batch - sealed)).unwrap_or_else(|failure| {
                warning!("memory_ext: a user's texts could not be encrypted: {}", failure.message);
                0
            }),
        };
        pgrx::check_for_interrupts!();
    }
    Ok(Progress {
        sealed,
        users_left: store::count_unsettled(db)?,
    })
}

fn not_on() -> pgrx::pg_sys::panic::ErrorReport {
    error::no_key(
        "nothing is encrypted: no master key is configured",
        "A superuser sets memory_ext.master_key_file or memory_ext.master_key_env.",
    )
}

/// Seals up to `batch` texts of a user whose keys we hold alone; when none is left, the words are hashed with the key
/// and older keys are dropped.
fn encrypt_user(db: &Db, user_id: &str, batch: i64) -> Result<i64> {
    let keys = keys::ensure(db, user_id)?;
    let (key_id, key) = keys.current(user_id)?;
    let prefix = crypto::prefix(key_id);
    let mut sealed = 0;
    for walk in &sealed::TEXTS {
        for (id, stored) in walk.find::<String>(db, user_id, &prefix, batch - sealed)? {
            let text = reseal(db, &keys, user_id, walk.column, id, stored)?;
            walk.put(db, user_id, id, text)?;
            sealed += 1;
        }
    }
    let walk = &sealed::PARTICIPANTS;
    for (id, stored) in walk.find::<Vec<String>>(db, user_id, &prefix, batch - sealed)? {
        let texts = stored
            .into_iter()
            .map(|stored| reseal(db, &keys, user_id, walk.column, id, stored))
            .collect::<Result<Vec<String>>>()?;
        walk.put(db, user_id, id, texts)?;
        sealed += 1;
    }
    let walk = &sealed::HISTORY;
    for (id, stored) in walk.find::<RawJsonb>(db, user_id, &prefix, batch - sealed)? {
        let plain = seal::open_json(db, user_id, walk.column, id, stored)?.text();
        let text = seal::seal(&keys, user_id, walk.column, id, &plain)?;
        walk.put(db, user_id, id, RawJsonb::of(&text)?)?;
        sealed += 1;
    }
    if sealed < batch {
        if !keys.keyed() {
            hash_anew(user_id, &key.hasher())?;
        }
        store::settle(db, user_id, key_id)?;
        keys::announce(db)?;
    }
    Ok(sealed)
}

fn reseal(db: &Db, keys: &Keys, user_id: &str, column: Column, id: Uuid, stored: String) -> Result<String> {
    let plain = seal::open(db, user_id, column, id, stored)?;
    seal::seal(keys, user_id, column, id, &plain)
}

/// Hashes the words of all rows of a user: in one transaction, for a search looks for words under one key.
fn hash_anew(user_id: &str, hasher: &TermHasher) -> Result<()> {
    let open = |db: &Db, column, id, stored| seal::open(db, user_id, column, id, stored);
    pages(
        |db, after| sealed::messages(db, user_id, after, PAGE),
        |db, row| {
            let content = open(db, Column::MessageContent, row.id, row.content)?;
            sealed::set_message_terms(db, user_id, row.id, hasher.ids(indexed_part(&content)))
        },
    )?;
    pages(
        |db, after| sealed::memories(db, user_id, after, PAGE),
        |db, row| {
            let content = open(db, Column::MemoryContent, row.id, row.content)?;
            let column = Column::MemoryInterpretation;
            let interpretation = seal::open_optional(db, user_id, column, row.id, row.interpretation)?;
            let terms = gate::terms(hasher, &content, interpretation.as_deref());
            sealed::set_memory_terms(db, user_id, row.id, terms, hasher.text_hash(&content))
        },
    )?;
    pages(
        |db, after| sealed::facts(db, user_id, after, PAGE),
        |db, row| {
            let value = open(db, Column::FactValue, row.id, row.content)?;
            sealed::set_fact_hash(db, user_id, row.id, hasher.text_hash(&value))
        },
    )
}

/// Goes through rows in the order of their ids. Every page has a connection of its own, which frees what it read.
fn pages(
    read: impl Fn(&Db, Uuid) -> Result<Vec<Worded>>,
    mut each: impl FnMut(&Db, Worded) -> Result<()>,
) -> Result<()> {
    let mut after = Some(Uuid::from_bytes([0; 16]));
    while let Some(from) = after {
        after = Db::write(|db| {
            let rows = read(db, from)?;
            let last = rows.last().map(|row| row.id);
            for row in rows {
                each(db, row)?;
            }
            pgrx::check_for_interrupts!();
            Ok(last)
        })?;
    }
    Ok(())
}

pub struct Rewrapped {
    pub rewrapped: i64,
    pub remaining: i64,
}

/// Puts up to `batch` keys of users under the master key that is configured now.
pub fn rotate_master(db: &Db, batch: i64) -> Result<Rewrapped> {
    // Nobody wraps a key with the old one meanwhile, or after it.
    lock::masters_alone();
    let Some(known) = keys::registered(db)?.master_id.clone() else {
        return Err(not_on());
    };
    let master = seal::current_master()?;
    let new = master.fingerprint();
    if known != new {
        store::set_master(db, new)?;
        keys::announce(db)?;
    }
    let mut rewrapped = 0;
    for (user_id, old) in store::under_others(db, new, batch)? {
        let key = keys::unwrap(&old, &user_id)?;
        store::rewrap(db, &user_id, &keys::wrap(new, &user_id, old.key_id, &key)?)?;
        rewrapped += 1;
        pgrx::check_for_interrupts!();
    }
    keys::announce(db)?;
    Ok(Rewrapped {
        rewrapped,
        remaining: store::count_under_others(db, new)?,
    })
}

/// Gives a user a new data key; what older ones sealed is left for `encrypt`.
pub fn rotate_user(db: &Db, user_id: &str) -> Result<u32> {
    if !seal::on(db)? {
        return Err(not_on());
    }
    lock::alone(user_id);
    lock::masters_shared();
    let Some(keys) = keys::find(db, user_id)? else {
        return Err(error::not_found("key of user", user_id));
    };
    let (key_id, key): (u32, &UserKey) = keys.current(user_id)?;
    let Some(master_id) = keys::registered(db)?.master_id.clone() else {
        return Err(not_on());
    };
    let new = keys::wrap(&master_id, user_id, key_id + 1, &key.renewed(random::bytes()?))?;
    store::reopen(db, user_id)?;
    let keyed = keys.keyed();
    store::insert(db, user_id, &store::Wrapped { keyed, ..new }, false)?;
    keys::announce(db)?;
    Ok(key_id + 1)
}
