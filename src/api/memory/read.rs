//! memory_get, memory_list, memory_load, memory_get_history

use memory_core::archive;
use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;

use super::row::{gives_memories, memory_row};
use crate::api::arg;
use crate::error::{self, Result};
use crate::gate;
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::history;
use crate::store::memories::{self, Filter, Memory};

gives_memories! {
    #[pg_extern(stable, parallel_restricted)]
    #[search_path(pg_catalog, pg_temp)]
    fn memory_get(user_id: Option<&str>, memory_id: Option<Uuid>) {
        let user_id = arg::id(user_id, "user_id")?;
        let memory_id = arg::uuid(memory_id, "memory_id")?;
        let memory = Db::read(|db| memories::find(db, user_id, memory_id))?
            .ok_or_else(|| error::not_found("memory", &memory_id.to_string()))?;
        Ok(TableIterator::once(memory_row(memory)))
    }

    #[pg_extern(stable, parallel_restricted)]
    #[search_path(pg_catalog, pg_temp)]
    fn memory_load(
        user_id: Option<&str>,
        agent_id: default!(Option<&str>, "NULL"),
        limit: default!(Option<i32>, 5),
    ) {
        let user_id = arg::id(user_id, "user_id")?;
        let limit = arg::count(limit, "limit")? as usize;
        let mut active: Vec<Option<Memory>> =
            Db::read(|db| memories::active_of_agent(db, user_id, agent_id.unwrap_or_default()))?
                .into_iter()
                .map(Some)
                .collect();
        let candidates: Vec<archive::Candidate> = active.iter().flatten().map(gate::candidate).collect();
        let chosen: Vec<Memory> =
            archive::opening(&candidates, limit).into_iter().filter_map(|index| active[index].take()).collect();
        Ok(TableIterator::new(chosen.into_iter().map(memory_row)))
    }
}

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::too_many_arguments)]
fn memory_list(
    user_id: Option<&str>,
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    kinds: default!(Option<Vec<Option<String>>>, "NULL"),
    include_archived: default!(Option<bool>, "false"),
    limit: default!(Option<i32>, 10),
    offset: default!(Option<i32>, 0),
) -> Result<
    TableIterator<
        'static,
        (
            name!(id, Uuid),
            name!(agent_id, String),
            name!(space, String),
            name!(session_id, Option<String>),
            name!(kind, String),
            name!(content, String),
            name!(interpretation, Option<String>),
            name!(topics, Vec<String>),
            name!(emotion, Option<String>),
            name!(importance, f64),
            name!(strength, f64),
            name!(mention_count, i32),
            name!(pinned, bool),
            name!(occurred_at, TimestampWithTimeZone),
            name!(created_at, TimestampWithTimeZone),
            name!(archived_at, Option<TimestampWithTimeZone>),
            name!(metadata, RawJsonb),
            name!(total, i64),
            name!(has_more, bool),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let limit = arg::count(limit, "limit")?;
    let offset = arg::count(offset, "offset")?;
    let kinds = kinds.map(|kinds| arg::kinds(kinds, false)).transpose()?;
    let include_archived = arg::required(include_archived, "include_archived")?;
    let filter = Filter {
        agent_id,
        space,
        kinds,
        include_archived,
    };
    let (found, total) = Db::read(|db| memories::list(db, user_id, &filter, limit, offset))?;
    let has_more = offset + (found.len() as i64) < total;
    Ok(TableIterator::new(found.into_iter().map(move |m| {
        (
            m.id,
            m.scope.agent_id,
            m.scope.space,
            m.session_id,
            m.kind,
            m.content,
            m.interpretation,
            m.topics,
            m.emotion,
            m.importance,
            m.strength,
            m.mention_count,
            m.pinned,
            m.occurred_at,
            m.created_at,
            m.archived_at,
            m.metadata,
            total,
            has_more,
        )
    })))
}

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
fn memory_get_history(
    user_id: Option<&str>,
    memory_id: Option<Uuid>,
) -> Result<
    TableIterator<
        'static,
        (
            name!(action, String),
            name!(before, Option<RawJsonb>),
            name!(changed_by, String),
            name!(changed_at, TimestampWithTimeZone),
        ),
    >,
> {
    let user_id = arg::id(user_id, "user_id")?;
    let memory_id = arg::uuid(memory_id, "memory_id")?;
    let changes = Db::read(|db| {
        memories::find(db, user_id, memory_id)?.ok_or_else(|| error::not_found("memory", &memory_id.to_string()))?;
        history::of_memory(db, user_id, memory_id)
    })?;
    Ok(TableIterator::new(changes.into_iter().map(|change| {
        (change.action, change.before, change.changed_by, change.changed_at)
    })))
}
