//! NOTIFY on the channel memory_events: what applications can LISTEN to.

use pgrx::datum::Uuid;
use serde_json::json;

use super::db::Db;
use super::jobs::Job;
use crate::error::{self, Result};

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

/// A job was given up; `error` says why. Whoever listens can tell the user.
pub fn job_failed(db: &Db, job: &Job, error: &str) -> Result<()> {
    send(
        db,
        json!({ "event": "job_failed", "kind": job.kind, "user_id": job.user_id, "agent_id": job.scope.agent_id,
                "session_id": job.session_id, "job_id": job.id.to_string(), "error": error::shown(error) }),
    )
}

/// It is sent when the transaction commits.
fn send(db: &Db, payload: serde_json::Value) -> Result<()> {
    db.run(
        "SELECT pg_notify($1, $2)",
        &[CHANNEL.into(), payload.to_string().into()],
    )?;
    Ok(())
}
