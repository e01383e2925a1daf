//! Search over past messages by their words.

use std::collections::HashMap;

use memory_core::text::bm25::{Collection, Query};
use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;

use super::{arg, message};
use crate::error::Result;
use crate::jsonb::RawJsonb;
use crate::seal;
use crate::store::db::Db;
use crate::store::messages::{self, Filter, Message};

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::too_many_arguments)]
fn memory_search_messages(
    user_id: Option<&str>,
    query: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
    roles: default!(Option<Vec<Option<String>>>, "NULL"),
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    since: default!(Option<TimestampWithTimeZone>, "NULL"),
    until: default!(Option<TimestampWithTimeZone>, "NULL"),
    limit: default!(Option<i32>, 10),
    offset: default!(Option<i32>, 0),
) -> Result<
    TableIterator<
        'static,
        (
            name!(id, Uuid),
            name!(session_id, String),
            name!(turn_id, Option<Uuid>),
            name!(role, String),
            name!(content, String),
            name!(emotion, Option<String>),
            name!(intent, Option<String>),
            name!(metadata, Option<RawJsonb>),
            name!(created_at, TimestampWithTimeZone),
            name!(score, f64),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let query = arg::required(query, "query")?;
    let limit = arg::count(limit, "limit")? as usize;
    let offset = arg::count(offset, "offset")? as usize;
    let roles = roles
        .map(|roles| {
            roles
                .iter()
                .map(|role| Ok(message::role(role.as_deref())?.to_string()))
                .collect::<Result<_>>()
        })
        .transpose()?;
    let filter = Filter {
        session_id,
        roles,
        agent_id,
        space,
        since,
        until,
    };
    let found = Db::read(|db| {
        let hits = ranked(db, user_id, query, &filter)?;
        let page: Vec<(Uuid, f64)> = hits.into_iter().skip(offset).take(limit).collect();
        let mut found: HashMap<Uuid, Message> = messages::by_ids(db, user_id, page.iter().map(|hit| hit.0).collect())?
            .into_iter()
            .map(|message| (message.id, message))
            .collect();
        Ok(page
            .into_iter()
            .filter_map(|(id, score)| Some((score, found.remove(&id)?)))
            .collect::<Vec<_>>())
    })?;
    Ok(TableIterator::new(found.into_iter().map(|(score, m)| {
        (
            m.id,
            m.session_id,
            m.turn_id,
            m.role,
            m.content,
            m.emotion,
            m.intent,
            m.metadata,
            m.created_at,
            score,
        )
    })))
}

/// Every message that holds a word of the query, the best first, newer before older among equals.
fn ranked(db: &Db, user_id: &str, query: &str, filter: &Filter) -> Result<Vec<(Uuid, f64)>> {
    let query = Query::new(seal::hasher(db, user_id)?.ids_in_order(query));
    if query.is_empty() {
        return Ok(Vec::new());
    }
    let mut collection = Collection::new(&query);
    messages::scan(db, user_id, filter, |id, at, terms| {
        collection.add(terms, || (at, id));
        Ok(())
    })?;
    let mut hits = collection.scores();
    hits.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
    Ok(hits.into_iter().map(|((_, id), score)| (id, score.into())).collect())
}
