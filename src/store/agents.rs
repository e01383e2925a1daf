//! memory.agents

use pgrx::JsonB;
use pgrx::datum::TimestampWithTimeZone;

use super::db::{Db, Row};
use crate::error::{self, Result};
use crate::jsonb::RawJsonb;

pub struct Agent {
    pub agent_id: String,
    pub persona: Option<String>,
    pub config: JsonB,
    pub updated_at: TimestampWithTimeZone,
}

macro_rules! columns {
    () => {
        "agent_id, persona, config, updated_at"
    };
}

fn read(row: Row) -> Result<Agent> {
    Ok(Agent {
        agent_id: row.want(1)?,
        persona: row.get(2),
        config: row.want(3)?,
        updated_at: row.want(4)?,
    })
}

/// What is not given stays as it is.
pub fn set(db: &Db, agent_id: &str, persona: Option<&str>, config: Option<RawJsonb>) -> Result<Agent> {
    let sql = concat!(
        "INSERT INTO memory.agents AS a (agent_id, persona, config)
         VALUES ($1, nullif($2, ''), coalesce($3, '{}'))
         ON CONFLICT (agent_id) DO UPDATE SET
             persona = CASE WHEN $2 IS NULL THEN a.persona ELSE nullif($2, '') END,
             config = coalesce($3, a.config),
             updated_at = now()
         RETURNING ",
        columns!()
    );
    let row = db.row(sql, &[agent_id.into(), persona.into(), config.into()])?;
    read(row.ok_or_else(|| error::internal("the agent was not stored"))?)
}

pub fn find(db: &Db, agent_id: &str) -> Result<Option<Agent>> {
    let sql = concat!("SELECT ", columns!(), " FROM memory.agents WHERE agent_id = $1");
    db.row(sql, &[agent_id.into()])?.map(read).transpose()
}
