//! build_context_json

use pgrx::prelude::*;

use super::arg;
use crate::config;
use crate::context::{self, Request};
use crate::error::Result;
use crate::jsonb::RawJsonb;
use crate::store::db::Db;

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::too_many_arguments)]
fn build_context_json(
    user_id: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
    query: default!(Option<&str>, "NULL"),
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    max_tokens: default!(Option<i32>, "NULL"),
    max_turns: default!(Option<i32>, "NULL"),
    language: default!(Option<&str>, "NULL"),
) -> Result<RawJsonb> {
    let request = Request {
        user_id: arg::id(user_id, "user_id")?,
        session_id: session_id.map(|id| arg::id(Some(id), "session_id")).transpose()?,
        query,
        agent_id: arg::optional_id(agent_id, "agent_id")?,
        space: arg::optional_id(space, "space")?,
        max_tokens: max_tokens.map(|n| arg::count(Some(n), "max_tokens")).transpose()?,
        max_turns: max_turns.map(|n| arg::count(Some(n), "max_turns")).transpose()?,
        language: language.map(config::language).transpose()?.flatten(),
    };
    let gathered = Db::read(|db| context::gather(db, &request))?;
    context::write(&request, gathered)
}
