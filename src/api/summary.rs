//! Summaries that the application made itself.

use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;

use super::arg;
use crate::error::{self, Result};
use crate::id;
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::messages;
use crate::store::sessions;
use crate::store::summaries::{self, NewSummary};

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::too_many_arguments)]
fn memory_add_summary(
    user_id: Option<&str>,
    session_id: Option<&str>,
    content: Option<&str>,
    topics: default!(Option<Vec<Option<String>>>, "NULL"),
    emotion: default!(Option<&str>, "NULL"),
    importance: default!(Option<f64>, 0.5),
    first_message: default!(Option<Uuid>, "NULL"),
    last_message: default!(Option<Uuid>, "NULL"),
    metadata: default!(Option<RawJsonb>, "NULL"),
    created_at: default!(Option<TimestampWithTimeZone>, "NULL"),
) -> Result<Uuid> {
    let user_id = arg::id(user_id, "user_id")?;
    let session_id = arg::id(session_id, "session_id")?;
    let content = arg::required(content, "content")?;
    if content.trim().is_empty() {
        return Err(error::invalid(
            "content must not be empty",
            "Pass the text of the summary.",
        ));
    }
    let summary = NewSummary {
        id: id::new_id()?,
        session_id,
        content,
        topics: arg::texts(topics, "topics")?,
        emotion,
        importance: arg::fraction(arg::required(importance, "importance")?, "importance")? as f32,
        source: "application",
        first_message,
        last_message,
        metadata: arg::object(metadata, "metadata")?,
        created_at: match arg::moment(created_at, "created_at")? {
            Some(at) => at,
            None => id::timestamp(id::now())?,
        },
    };
    let new = summary.id;
    Db::write(|db| {
        if !sessions::lock(db, user_id, session_id)? {
            return Err(error::not_found("session", session_id));
        }
        for id in [first_message, last_message].into_iter().flatten() {
            let found = messages::by_ids(db, user_id, vec![id])?;
            if !found.iter().any(|message| message.session_id == session_id) {
                return Err(error::not_found("message", &id.to_string()));
            }
        }
        summaries::insert(db, user_id, summary)
    })?;
    Ok(new)
}
