//! Vectors for what was stored without one, or with one of another model.

use super::{Kind, Reason, Step, enqueue};
use crate::config;
use crate::embed;
use crate::error::Result;
use crate::maintenance;
use crate::store::db::Db;
use crate::store::jobs::Job;

pub fn begin(db: &Db, job: &Job) -> Result<Step> {
    if embed::provider_model().is_none() {
        return Ok(Step::Done("nothing"));
    }
    let (_, left) = maintenance::reembed(db, &job.user_id, None, None, config::batch_size())?;
    if left > 0 {
        enqueue(
            db,
            &job.user_id,
            &job.scope,
            &job.session_id,
            &[Kind::Embed],
            Reason::Stored,
        )?;
    }
    Ok(Step::Done("builtin"))
}
