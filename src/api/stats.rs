//! memory_stats

use pgrx::JsonB;
use pgrx::prelude::*;
use serde_json::json;

use super::arg;
use crate::config::Settings;
use crate::error::Result;
use crate::store::db::Db;
use crate::store::stats;

#[pg_extern(stable, parallel_restricted)]
#[search_path(pg_catalog, pg_temp)]
fn memory_stats(user_id: Option<&str>) -> Result<JsonB> {
    let user_id = arg::id(user_id, "user_id")?;
    let counts = Db::read(|db| stats::of_user(db, user_id))?;
    let settings = Settings::for_agent(None)?;
    Ok(JsonB(json!({
        "total_entries": counts.turns + counts.summaries,
        "conversations": counts.turns,
        "summaries": counts.summaries,
        "first_conversation": counts.first,
        "last_conversation": counts.last,
        "sessions": counts.sessions,
        "open_sessions": counts.open_sessions,
        "messages": counts.messages,
        "tokens": counts.tokens,
        "context_window": settings.recent_messages,
        "max_context_tokens": settings.context_tokens,
        "max_stored": null,
        "auto_summary_enabled": settings.auto_summary,
        "summary_threshold": settings.summary_threshold,
    })))
}
