//! novelty_score

use pgrx::datum::Uuid;
use pgrx::prelude::*;

use super::arg;
use crate::embed;
use crate::error::{self, Result};
use crate::gate;
use crate::store::db::Db;
use crate::store::models;
use crate::store::sessions::Scope;
use crate::vector::Embedding;

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
fn novelty_score(
    user_id: Option<&str>,
    content: default!(Option<&str>, "NULL"),
    embedding: default!(Option<Embedding>, "NULL"),
    importance: default!(Option<f64>, 0.5),
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(similarity, Option<f64>),
            name!(verdict, String),
            name!(importance, f64),
            name!(nearest_id, Option<Uuid>),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let importance = arg::fraction(arg::required(importance, "importance")?, "importance")?;
    if content.is_none() && embedding.is_none() {
        return Err(error::invalid(
            "neither content nor embedding is given",
            "Pass a text, a vector, or both.",
        ));
    }
    let scope = Scope::new(agent_id, space);
    let embedded = embed::query(embedding, content.unwrap_or_default())?.embedded;
    let novelty = Db::read(|db| {
        if let Some(embedded) = &embedded {
            models::check(db, user_id, embedded)?;
        }
        let hash = content
            .map(|content| gate::content_hash(db, user_id, content))
            .transpose()?;
        gate::weigh(db, user_id, &scope, embedded.as_ref(), importance, hash)
    })?;
    Ok(TableIterator::once((
        novelty.similarity,
        novelty.verdict.as_str().to_string(),
        novelty.importance,
        novelty.nearest,
    )))
}
