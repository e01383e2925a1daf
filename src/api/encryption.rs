//! memory_reveal for the views; memory_encrypt, memory_rotate_master_key, memory_rotate_user_key

use pgrx::datum::Uuid;
use pgrx::heap_tuple::PgHeapTuple;
use pgrx::prelude::*;
use pgrx::{AllocatedByPostgres, PgTrigger, pg_sys};

use super::arg;
use crate::encryption;
use crate::error;
use crate::seal;
use crate::store::db::Db;

#[pg_extern(stable, strict, parallel_safe)]
#[search_path(pg_catalog, pg_temp)]
pub fn memory_reveal(stored: &str, place: &str, user_id: &str, id: Uuid) -> error::Result<String> {
    seal::reveal(stored, place, user_id, id)
}

/// Tells every backend, through the invalidation of the table's cache entry, that its row has changed.
#[pg_trigger]
pub fn encryption_changed<'a>(
    trigger: &'a PgTrigger<'a>,
) -> Result<Option<PgHeapTuple<'a, AllocatedByPostgres>>, std::convert::Infallible> {
    seal::keys::forget();
    // SAFETY: the trigger runs on this table, which exists.
    unsafe {
        if let Ok(relation) = trigger.relation() {
            pg_sys::CacheInvalidateRelcacheByRelid(relation.oid());
        }
    }
    Ok(None)
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_encrypt(
    user_id: default!(Option<&str>, "NULL"),
    batch: default!(Option<i32>, 1000),
) -> error::Result<TableIterator<'static, (name!(sealed, i64), name!(users_left, i64))>> {
    let user_id = user_id.map(|id| arg::id(Some(id), "user_id")).transpose()?;
    let batch = arg::count(batch, "batch")?;
    let done = Db::write(|db| encryption::encrypt(db, user_id, batch))?;
    Ok(TableIterator::once((done.sealed, done.users_left)))
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_rotate_master_key(
    batch: default!(Option<i32>, 1000),
) -> error::Result<TableIterator<'static, (name!(rewrapped, i64), name!(remaining, i64))>> {
    let batch = arg::count(batch, "batch")?;
    let done = Db::write(|db| encryption::rotate_master(db, batch))?;
    Ok(TableIterator::once((done.rewrapped, done.remaining)))
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_rotate_user_key(user_id: Option<&str>) -> error::Result<i32> {
    let user_id = arg::id(user_id, "user_id")?;
    Ok(Db::write(|db| encryption::rotate_user(db, user_id))? as i32)
}
