//! Work that is queued in the caller's transaction and done by a worker, or by hand: claimed with a lease, asked with
//! no transaction open, stored by whoever still holds the lease.

mod analyze;
mod ask;
pub mod duties;
mod embed_job;
pub mod engine;
mod extract;
mod interpret;
pub mod place;
mod reflect;
mod review;
mod summarize;

use pgrx::datum::Uuid;
use pgrx::prelude::*;

pub use place::Place;
pub use summarize::at_once;

use crate::config;
use crate::embed;
use crate::error::Result;
use crate::guard::Failure;
use crate::llm::{self, Reply};
use crate::store::db::Db;
use crate::store::jobs::{self as store, Job};
use crate::store::sessions::Scope;
use crate::worker::board;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Looks what the new messages of a session make due.
    Review,
    Summarize,
    /// Facts, by the LLM.
    Extract,
    /// The relationship and the director's note, by the LLM.
    Analyze,
    /// A memory in the agent's voice, by the LLM.
    Interpret,
    Reflect,
    Embed,
}

impl Kind {
    pub const ALL: [Kind; 7] = [
        Kind::Review,
        Kind::Summarize,
        Kind::Extract,
        Kind::Analyze,
        Kind::Interpret,
        Kind::Reflect,
        Kind::Embed,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Review => "review",
            Kind::Summarize => "summarize",
            Kind::Extract => "extract",
            Kind::Analyze => "analyze",
            Kind::Interpret => "interpret",
            Kind::Reflect => "reflect",
            Kind::Embed => "embed",
        }
    }

    fn of(job: &Job) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == job.kind)
    }
}

/// Something was stored that gets its vector from a worker; the caller holds the user's lock.
pub fn after_storing(db: &Db, user_id: &str) -> Result<()> {
    if embed::is_later() {
        let all = Scope::new(None, None);
        enqueue(db, user_id, &all, "", &[Kind::Embed], Reason::Stored)?;
    }
    Ok(())
}

/// What makes a job due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Messages,
    Ended,
    Idle,
    Checkpoint,
    Requested,
    Turns,
    Stored,
}

impl Reason {
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Messages => "messages",
            Reason::Ended => "ended",
            Reason::Idle => "idle",
            Reason::Checkpoint => "checkpoint",
            Reason::Requested => "requested",
            Reason::Turns => "turns",
            Reason::Stored => "stored",
        }
    }
}

/// Somebody else was in the way; the job itself did nothing wrong.
fn is_passing(failure: &Failure) -> bool {
    matches!(
        failure.code,
        PgSqlErrorCode::ERRCODE_LOCK_NOT_AVAILABLE
            | PgSqlErrorCode::ERRCODE_T_R_DEADLOCK_DETECTED
            | PgSqlErrorCode::ERRCODE_T_R_SERIALIZATION_FAILURE
    )
}

/// Queues work for a session and wakes the worker at commit.
pub fn enqueue(
    db: &Db,
    user_id: &str,
    scope: &Scope,
    session_id: &str,
    kinds: &[Kind],
    reason: Reason,
) -> Result<Vec<Uuid>> {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    let ids = store::enqueue(db, user_id, scope, session_id, &names, reason.as_str())?;
    wake();
    Ok(ids)
}

/// Wakes the worker at commit.
pub fn wake() {
    board::wake_at_commit();
}

/// Messages were stored; every so many of them a worker looks what they make due. Ordinary messages cost nothing.
pub fn after_messages(db: &Db, user_id: &str, scope: &Scope, session_id: &str, count: i64, added: i64) -> Result<()> {
    let Some(every) = config::review_messages() else {
        return Ok(());
    };
    if count / every == (count - added) / every {
        return Ok(());
    }
    enqueue(db, user_id, scope, session_id, &[Kind::Review], Reason::Messages)?;
    Ok(())
}

/// A session is over.
pub fn after_session(db: &Db, user_id: &str, scope: &Scope, session_id: &str, reason: Reason) -> Result<()> {
    let mut kinds = vec![Kind::Summarize];
    if llm::configured() {
        if config::extract_turns().is_some() {
            kinds.push(Kind::Extract);
        }
        if config::analyze_turns().is_some() {
            kinds.push(Kind::Analyze);
        }
    }
    enqueue(db, user_id, scope, session_id, &kinds, reason)?;
    embed_messages(db, user_id)
}

/// Messages get their vectors in batches, not one by one.
fn embed_messages(db: &Db, user_id: &str) -> Result<()> {
    if config::embed_messages() {
        after_storing(db, user_id)?;
    }
    Ok(())
}

/// A position behind every message of its moment.
fn last_id() -> Uuid {
    Uuid::from_bytes([0xff; 16])
}

/// Stores what came of a question, under the job's lease.
type Then = Box<dyn FnOnce(&Db, &Job, Reply) -> Result<Stored>>;

/// How far a job comes without asking anybody.
enum Step {
    Done(&'static str),
    /// Done, and not worth a trace.
    Gone,
    Ask(ask::Question, Then),
}

enum Stored {
    As(&'static str),
    /// Not an answer to what was asked: it is asked again.
    Unreadable,
}

fn begin(db: &Db, kind: Kind, job: &Job) -> Result<Step> {
    match kind {
        Kind::Review => review::begin(db, job),
        Kind::Summarize => summarize::begin(db, job),
        Kind::Extract => extract::begin(db, job),
        Kind::Analyze => analyze::begin(db, job),
        Kind::Interpret => interpret::begin(db, job),
        Kind::Reflect => reflect::begin(db, job),
        Kind::Embed => embed_job::begin(db, job),
    }
}

/// What stands in when the LLM does not answer: the outcome, or `None` when there is nothing to put in its place.
fn give_up(db: &Db, kind: Kind, job: &Job) -> Result<Option<&'static str>> {
    match kind {
        Kind::Summarize => summarize::give_up(db, job),
        Kind::Reflect => reflect::give_up(db, job),
        _ => Ok(None),
    }
}
