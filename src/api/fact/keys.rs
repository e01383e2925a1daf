//! memory.fact_keys: what the extension ships, and who must know when it changes.

use std::sync::Once;

use memory_core::fact::Subjects;
use pgrx::heap_tuple::PgHeapTuple;
use pgrx::prelude::*;
use pgrx::{AllocatedByPostgres, PgTrigger, pg_sys};

use crate::store::fact_keys;

/// The rows that the extension's script fills memory.fact_keys with.
#[pg_extern(immutable, parallel_safe)]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::type_complexity)]
pub fn fact_keys_shipped() -> TableIterator<
    'static,
    (
        name!(key, String),
        name!(rank, i32),
        name!(category, String),
        name!(class, String),
        name!(cardinality, String),
        name!(kind, String),
        name!(label_ko, String),
        name!(label_en, String),
        name!(synonyms_ko, Vec<String>),
        name!(synonyms_en, Vec<String>),
        name!(frame, String),
    ),
> {
    TableIterator::new(
        Subjects::builtin()
            .rows()
            .iter()
            .cloned()
            .zip(1..)
            .map(|(subject, rank)| {
                (
                    subject.key,
                    rank,
                    subject.category.name().to_string(),
                    subject.class.name().to_string(),
                    subject.cardinality.name().to_string(),
                    subject.kind.name().to_string(),
                    subject.label_ko,
                    subject.label_en,
                    subject.synonyms_ko,
                    subject.synonyms_en,
                    subject.frame,
                )
            }),
    )
}

/// Tells every backend, through the invalidation of the table's cache entry, that its rows have changed.
#[pg_trigger]
pub fn fact_keys_changed<'a>(
    trigger: &'a PgTrigger<'a>,
) -> Result<Option<PgHeapTuple<'a, AllocatedByPostgres>>, std::convert::Infallible> {
    fact_keys::forget();
    // SAFETY: the trigger runs on this table, which exists.
    unsafe {
        if let Ok(relation) = trigger.relation() {
            pg_sys::CacheInvalidateRelcacheByRelid(relation.oid());
        }
    }
    Ok(None)
}

/// Reads memory.fact_keys again after any change to it. Called once for each backend.
pub fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // SAFETY: the callback only forgets a cached value.
        unsafe { pg_sys::CacheRegisterRelcacheCallback(Some(changed), pg_sys::Datum::from(0usize)) };
    });
}

#[pg_guard]
unsafe extern "C-unwind" fn changed(_argument: pg_sys::Datum, _relation: pg_sys::Oid) {
    fact_keys::forget();
}
