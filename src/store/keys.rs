//! memory.encryption and memory.user_keys

use pgrx::pg_sys;

use super::db::Db;
use crate::error::{self, Result};

/// What memory.encryption says, and the tables whose changes matter to those who keep it in mind.
pub struct Registered {
    pub relations: [pg_sys::Oid; 2],
    /// The master key in force; `None`: nothing was ever encrypted.
    pub master_id: Option<String>,
}

pub fn registered(db: &Db) -> Result<Registered> {
    let row = db
        .row(
            "SELECT 'memory.encryption'::regclass::oid, 'memory.user_keys'::regclass::oid,
                    (SELECT master_id FROM memory.encryption)",
            &[],
        )?
        .ok_or_else(|| error::internal("a constant gave no row"))?;
    Ok(Registered {
        relations: [row.want(1)?, row.want(2)?],
        master_id: row.get(3),
    })
}

/// Notes the master key of the first encrypted row. It is the database's, not the caller's: the rights are ours.
pub fn register(db: &Db, master_id: &str) -> Result<()> {
    as_owner(|| {
        db.run(
            "INSERT INTO memory.encryption (master_id) VALUES ($1) ON CONFLICT DO NOTHING",
            &[master_id.into()],
        )?;
        Ok(())
    })
}

/// Runs one statement of ours with the rights of the cluster's owner; an error that unwinds puts the role back with
/// the transaction.
fn as_owner<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let (mut role, mut context) = (pg_sys::InvalidOid, 0);
    // SAFETY: the role and its context are put back as they were.
    unsafe {
        pg_sys::GetUserIdAndSecContext(&mut role, &mut context);
        pg_sys::SetUserIdAndSecContext(
            pg_sys::Oid::from(pg_sys::BOOTSTRAP_SUPERUSERID),
            context | pg_sys::SECURITY_LOCAL_USERID_CHANGE as i32,
        );
        let outcome = work();
        pg_sys::SetUserIdAndSecContext(role, context);
        outcome
    }
}

pub fn set_master(db: &Db, master_id: &str) -> Result<()> {
    db.run("UPDATE memory.encryption SET master_id = $1", &[master_id.into()])?;
    Ok(())
}

/// A user's key under a master key.
pub struct Wrapped {
    pub key_id: u32,
    pub wrapped: Vec<u8>,
    pub master_id: String,
    /// Whether the words of the user's rows are hashed with it.
    pub keyed: bool,
}

/// The keys of a user, the newest last.
pub fn of_user(db: &Db, user_id: &str) -> Result<Vec<Wrapped>> {
    db.rows(
        "SELECT key_id, wrapped, master_id, keyed FROM memory.user_keys
         WHERE user_id = $1 ORDER BY key_id",
        &[user_id.into()],
    )?
    .map(|row| {
        Ok(Wrapped {
            key_id: row.want::<i32>(1)? as u32,
            wrapped: row.want(2)?,
            master_id: row.want(3)?,
            keyed: row.want(4)?,
        })
    })
    .collect()
}

/// Stores a key unless somebody else has just made it; `sealed`: nothing of the user is left to be sealed with it.
pub fn insert(db: &Db, user_id: &str, key: &Wrapped, sealed: bool) -> Result<()> {
    db.run(
        "INSERT INTO memory.user_keys (user_id, key_id, wrapped, master_id, keyed, sealed_at)
         VALUES ($1, $2, $3, $4, $5, CASE WHEN $6 THEN clock_timestamp() END) ON CONFLICT DO NOTHING",
        &[
            user_id.into(),
            (key.key_id as i32).into(),
            key.wrapped.clone().into(),
            key.master_id.as_str().into(),
            key.keyed.into(),
            sealed.into(),
        ],
    )?;
    Ok(())
}

/// Whether any text of a user is stored.
macro_rules! has_texts {
    ($user:literal) => {
        concat!(
            "EXISTS (SELECT FROM memory.stored_messages t WHERE t.user_id = ",
            $user,
            ") OR EXISTS (SELECT FROM memory.stored_summaries t WHERE t.user_id = ",
            $user,
            ") OR EXISTS (SELECT FROM memory.stored_memories t WHERE t.user_id = ",
            $user,
            ") OR EXISTS (SELECT FROM memory.stored_facts t WHERE t.user_id = ",
            $user,
            ") OR EXISTS (SELECT FROM memory.stored_relationships t WHERE t.user_id = ",
            $user,
            ") OR EXISTS (SELECT FROM memory.stored_scenes t WHERE t.user_id = ",
            $user,
            ")"
        )
    };
}

pub fn has_rows(db: &Db, user_id: &str) -> Result<bool> {
    db.row(concat!("SELECT ", has_texts!("$1")), &[user_id.into()])?
        .ok_or_else(|| error::internal("EXISTS gave no row"))?
        .want(1)
}

/// Notes that the user's rows are to be sealed anew.
pub fn reopen(db: &Db, user_id: &str) -> Result<()> {
    db.run(
        "UPDATE memory.user_keys SET sealed_at = NULL WHERE user_id = $1 AND sealed_at IS NOT NULL",
        &[user_id.into()],
    )?;
    Ok(())
}

/// Notes that every row of the user is sealed with this key and its words are hashed with it; older keys go.
pub fn settle(db: &Db, user_id: &str, key_id: u32) -> Result<()> {
    db.run(
        "DELETE FROM memory.user_keys WHERE user_id = $1 AND key_id < $2",
        &[user_id.into(), (key_id as i32).into()],
    )?;
    db.run(
        "UPDATE memory.user_keys SET keyed = true, sealed_at = clock_timestamp() WHERE user_id = $1 AND key_id = $2",
        &[user_id.into(), (key_id as i32).into()],
    )?;
    Ok(())
}

/// Keys under another master key than this one; they are locked.
pub fn under_others(db: &Db, master_id: &str, limit: i64) -> Result<Vec<(String, Wrapped)>> {
    db.rows(
        "SELECT user_id, key_id, wrapped, master_id, keyed FROM memory.user_keys
         WHERE master_id <> $1 ORDER BY user_id, key_id LIMIT $2 FOR UPDATE",
        &[master_id.into(), limit.into()],
    )?
    .map(|row| {
        let wrapped = Wrapped {
            key_id: row.want::<i32>(2)? as u32,
            wrapped: row.want(3)?,
            master_id: row.want(4)?,
            keyed: row.want(5)?,
        };
        Ok((row.want(1)?, wrapped))
    })
    .collect()
}

pub fn count_under_others(db: &Db, master_id: &str) -> Result<i64> {
    db.row(
        "SELECT count(*) FROM memory.user_keys WHERE master_id <> $1",
        &[master_id.into()],
    )?
    .ok_or_else(|| error::internal("count gave no row"))?
    .want(1)
}

pub fn rewrap(db: &Db, user_id: &str, key: &Wrapped) -> Result<()> {
    db.run(
        "UPDATE memory.user_keys SET wrapped = $3, master_id = $4 WHERE user_id = $1 AND key_id = $2",
        &[
            user_id.into(),
            (key.key_id as i32).into(),
            key.wrapped.clone().into(),
            key.master_id.as_str().into(),
        ],
    )?;
    Ok(())
}

macro_rules! unsettled {
    ($what:literal) => {
        concat!(
            "SELECT ",
            $what,
            " FROM (SELECT user_id FROM memory.sessions UNION SELECT user_id FROM memory.scopes
                    UNION SELECT user_id FROM memory.stored_relationships
                    UNION SELECT user_id FROM memory.stored_scenes) u
              WHERE NOT EXISTS (SELECT FROM memory.user_keys k
                                WHERE k.user_id = u.user_id AND k.sealed_at IS NOT NULL)
                AND (EXISTS (SELECT FROM memory.user_keys k WHERE k.user_id = u.user_id) OR ",
            has_texts!("u.user_id"),
            ")"
        )
    };
}

/// The first users of whom something may be plain or sealed with an older key. A user without any text gets no key: while
/// a dump is restored the sessions come first, and a key made then would stand in the way of the user's own.
pub fn unsettled(db: &Db, limit: i64) -> Result<Vec<String>> {
    db.rows(
        concat!(unsettled!("u.user_id"), " ORDER BY u.user_id LIMIT $1"),
        &[limit.into()],
    )?
    .map(|row| row.want(1))
    .collect()
}

pub fn count_unsettled(db: &Db) -> Result<i64> {
    db.row(unsettled!("count(*)"), &[])?
        .ok_or_else(|| error::internal("count gave no row"))?
        .want(1)
}
