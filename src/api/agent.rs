//! Agents: a persona and settings of their own.

use pgrx::JsonB;
use pgrx::datum::TimestampWithTimeZone;
use pgrx::prelude::*;

use super::arg;
use crate::config::{self, AgentConfig};
use crate::error::Result;
use crate::jsonb::RawJsonb;
use crate::store::agents;
use crate::store::db::Db;

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_set_agent(
    agent_id: Option<&str>,
    persona: default!(Option<&str>, "NULL"),
    config: default!(Option<RawJsonb>, "NULL"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(agent_id, String),
            name!(persona, Option<String>),
            name!(config, JsonB),
            name!(updated_at, TimestampWithTimeZone),
        ),
    >,
> {
    let agent_id = arg::optional_id(Some(arg::required(agent_id, "agent_id")?), "agent_id")?.unwrap_or_default();
    let config = arg::object(config, "config")?;
    if let Some(given) = &config {
        AgentConfig::parse(&given.parse().map_err(config::not_valid)?)?;
    }
    let agent = Db::write(|db| agents::set(db, agent_id, persona, config))?;
    Ok(TableIterator::once((
        agent.agent_id,
        agent.persona,
        agent.config,
        agent.updated_at,
    )))
}
