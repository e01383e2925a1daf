//! fact_key_extract, fact_classify, fact_extract: what a text says, without storing anything.

use memory_core::fact::{self, Cardinality, Owner};
use pgrx::prelude::*;

use crate::api::arg;
use crate::config;
use crate::error::Result;
use crate::facts;
use crate::store::db::Db;
use crate::store::fact_keys;

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
fn fact_key_extract(text: Option<&str>) -> Result<Option<String>> {
    let Some(text) = text else {
        return Ok(None);
    };
    Db::read(|db| Ok(fact::key_extract(text, &*fact_keys::subjects(db)?)))
}

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::type_complexity)]
fn fact_classify(
    text: Option<&str>,
) -> Result<
    TableIterator<
        'static,
        (
            name!(key, String),
            name!(value, String),
            name!(raw, String),
            name!(category, String),
            name!(class, String),
            name!(single, bool),
            name!(about, Option<String>),
        ),
    >,
> {
    let found = match text {
        Some(text) => Db::read(|db| Ok(fact::classify(text, &*fact_keys::subjects(db)?)))?,
        None => None,
    };
    Ok(TableIterator::new(found.into_iter().map(|found| {
        (
            found.key,
            found.value,
            found.raw,
            found.category.name().to_string(),
            found.class.name().to_string(),
            found.cardinality == Cardinality::Single,
            about(found.about),
        )
    })))
}

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::type_complexity)]
fn fact_extract(
    text: Option<&str>,
    language: default!(Option<&str>, "NULL"),
    role: default!(Option<&str>, "'user'"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(key, String),
            name!(value, String),
            name!(raw, String),
            name!(category, String),
            name!(class, String),
            name!(single, bool),
            name!(op, String),
            name!(about, Option<String>),
            name!(confidence, f64),
        ),
    >,
> {
    let language = language.map(config::language).transpose()?.flatten();
    let speaker = arg::speaker(role)?;
    let found = match text {
        Some(text) => Db::read(|db| Ok(fact::extract(text, language, &*fact_keys::subjects(db)?, speaker)))?,
        None => Vec::new(),
    };
    Ok(TableIterator::new(found.into_iter().map(|found| {
        (
            found.key,
            found.value,
            found.raw,
            found.category.name().to_string(),
            found.class.name().to_string(),
            found.cardinality == Cardinality::Single,
            found.op.name().to_string(),
            about(found.owner),
            facts::confidence(found.confidence),
        )
    })))
}

/// Whom a fact is about when it is not the user.
fn about(owner: Owner) -> Option<String> {
    match owner {
        Owner::User => None,
        Owner::Other(who) => Some(who),
    }
}
