//! NOTIFY on the channel memory_events: what applications can LISTEN to.

use pgrx::datum::Uuid;
use serde_json::json;

use super::db::Db;
use crate::error::Result;

const CHANNEL: &str = "memory_events";

/// A payload may have 8,000 bytes: an id takes 39 of them, two escaped ids of user and agent up to 6,144.
const IDS_IN_A_PAYLOAD: usize = 40;

pub fn archived(db: &Db, user_id: &str, agent_id: &str, ids: &[Uuid]) -> Result<()> {
    for some in ids.chunks(IDS_IN_A_PAYLOAD) {
        let ids: Vec<String> = some.iter().map(Uuid::to_string).collect();
        send(
            db,
            json!({ "event": "archived", "user_id": user_id, "agent_id": agent_id, "ids": ids }),
        )?;
    }
    Ok(())
}

/// It is sent when the transaction commits.
fn send(db: &Db, payload: serde_json::Value) -> Result<()> {
    db.run(
        "SELECT pg_notify($1, $2)",
        &[CHANNEL.into(), payload.to_string().into()],
    )?;
    Ok(())
}
