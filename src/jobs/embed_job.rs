//! Vectors for what was stored without one, or with one of another model.

use memory_core::llm::wire::MAX_TEXTS;

use super::ask::Question;
use super::{Kind, Reason, Step, Stored, enqueue};
use crate::config;
use crate::embed::{self, Embedded};
use crate::error::Result;
use crate::llm::Reply;
use crate::maintenance::{self, Waiting};
use crate::store::db::Db;
use crate::store::jobs::Job;
use crate::store::maintenance::Whose;
use crate::store::models;

pub fn begin(db: &Db, job: &Job) -> Result<Step> {
    let user_id = job.user_id.as_str();
    if embed::provider_model().is_none() {
        return Ok(Step::Done("nothing"));
    }
    if !embed::is_later() {
        let (done, _) = maintenance::reembed(db, user_id, None, None, Whose::Ours, config::batch_size())?;
        go_on(db, job, done)?;
        return Ok(Step::Done("builtin"));
    }
    let waiting = maintenance::waiting(db, user_id, None, None, Whose::Ours, MAX_TEXTS as i64)?;
    if waiting.is_empty() {
        go_on(db, job, 0)?;
        return Ok(Step::Done("nothing"));
    }
    // Services refuse blank texts.
    let texts: Vec<String> = spoken(&waiting).map(|one| one.text.clone()).collect();
    if texts.is_empty() {
        store(db, job, &waiting, Vec::new())?;
        return Ok(Step::Done("nothing"));
    }
    Ok(Step::Ask(
        Question::Embed(texts),
        Box::new(move |db, job, reply| match reply {
            Reply::Vectors(vectors) => store(db, job, &waiting, vectors),
            Reply::Answer(_) => Ok(Stored::Unreadable),
        }),
    ))
}

fn spoken(waiting: &[Waiting]) -> impl Iterator<Item = &Waiting> {
    waiting.iter().filter(|one| !one.text.trim().is_empty())
}

fn store(db: &Db, job: &Job, waiting: &[Waiting], vectors: Vec<Vec<f32>>) -> Result<Stored> {
    let mut vectors = embed::of_model(vectors).into_iter();
    let found: Vec<Option<Embedded>> = waiting
        .iter()
        .map(|one| match one.text.trim().is_empty() {
            true => None,
            false => vectors.next(),
        })
        .collect();
    let done = maintenance::embedded(db, &job.user_id, waiting, found)?;
    go_on(db, job, done)?;
    Ok(Stored::As("http"))
}

/// Another batch follows, until nothing waits; then the user's scopes have the model. What others are changing just
/// now is looked for by the clock.
fn go_on(db: &Db, job: &Job, done: i64) -> Result<()> {
    let user_id = job.user_id.as_str();
    let waits = maintenance::count_waiting(db, user_id, None, None, Whose::Ours)? > 0;
    if waits && done == 0 {
        return Ok(());
    }
    if waits {
        enqueue(db, user_id, &job.scope, &job.session_id, &[Kind::Embed], Reason::Stored)?;
    } else if let Some((model, dimensions)) = embed::provider_model() {
        models::note_all(db, user_id, &model, dimensions)?;
    }
    Ok(())
}
