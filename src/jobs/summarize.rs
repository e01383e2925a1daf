//! The summary of a session: what was said since the last one, and a memory of it.

use memory_core::kind::Kind as MemoryKind;
use memory_core::llm::answer::{Answer, Summary};
use memory_core::llm::prompt::Purpose;
use memory_core::summary;
use pgrx::datum::Uuid;
use serde_json::json;

use super::ask::{Speaking, allowed, pairs, speaking};
use super::{Kind, Reason, Reply, Step, Stored, enqueue};
use crate::embed;
use crate::error::Result;
use crate::gate::{self, Draft};
use crate::guard::guarded;
use crate::id;
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::jobs::Job;
use crate::store::messages::{self, Message};
use crate::store::sessions::{self, Scope};
use crate::store::summaries::{self, NewSummary};
use crate::store::{memories, scopes};

/// So many of the last turns of an open session stay as they were said.
const VERBATIM_TURNS: i64 = 6;
/// One summary looks at no more messages than this.
const MAX_MESSAGES: i64 = 400;

/// What is to be summarised.
struct Work {
    user_id: String,
    session_id: String,
    scope: Scope,
    speaking: Speaking,
    /// Only to bridge the time until a summary is due.
    checkpoint: bool,
    /// What was not summarised yet, oldest first.
    fresh: Vec<Message>,
    /// The last summary.
    before: Option<String>,
}

/// A summary and who made it.
struct Made<'a> {
    summary: Summary,
    source: &'static str,
    model: Option<&'a str>,
}

pub fn begin(db: &Db, job: &Job) -> Result<Step> {
    let Some(work) = gather(db, &job.user_id, &job.session_id, &job.reason)? else {
        return Ok(Step::Done("nothing"));
    };
    if !work.checkpoint && allowed(db, &job.user_id)? {
        let known: Vec<String> = work.before.iter().cloned().collect();
        let question = work.speaking.question(Purpose::Summary, &work.fresh, &known)?;
        return Ok(Step::Ask(
            question,
            Box::new(move |db, _job, reply| answered(db, &work, reply)),
        ));
    }
    built_in(db, &work)?;
    Ok(Step::Done("builtin"))
}

/// Makes a built-in summary in the caller's own transaction; gives it, or `None` when there is nothing to summarise.
pub fn at_once(db: &Db, user_id: &str, session_id: &str) -> Result<Option<(Uuid, String)>> {
    match gather(db, user_id, session_id, Reason::Requested.as_str())? {
        Some(work) => built_in(db, &work),
        None => Ok(None),
    }
}

fn gather(db: &Db, user_id: &str, session_id: &str, reason: &str) -> Result<Option<Work>> {
    let Some(session) = sessions::find(db, user_id, session_id)? else {
        return Ok(None);
    };
    let speaking = speaking(db, &session.scope.agent_id)?;
    let requested = reason == Reason::Requested.as_str();
    if !requested && !speaking.settings.auto_summary {
        return Ok(None);
    }
    let covered = summaries::covered(db, user_id, session_id)?;
    let (before, to) = covered.map(|covered| (covered.content, covered.to)).unzip();
    let mut fresh = messages::since(db, user_id, session_id, to, MAX_MESSAGES)?;
    if session.ended_at.is_none() && !requested {
        let verbatim = messages::recent_turns(db, user_id, session_id, VERBATIM_TURNS)?;
        fresh.retain(|message| verbatim.iter().all(|kept| kept.id != message.id));
    }
    if fresh.iter().all(|message| message.content.trim().is_empty()) {
        return Ok(None);
    }
    Ok(Some(Work {
        user_id: user_id.to_string(),
        session_id: session_id.to_string(),
        scope: session.scope,
        speaking,
        checkpoint: reason == Reason::Checkpoint.as_str() && session.ended_at.is_none(),
        fresh,
        before,
    }))
}

fn answered(db: &Db, work: &Work, reply: Reply) -> Result<Stored> {
    let Reply::Answer(answer) = reply else {
        return Ok(Stored::Unreadable);
    };
    let Some(summary) = Summary::read(&answer.text) else {
        return Ok(Stored::Unreadable);
    };
    let made = Made {
        summary,
        source: "llm",
        model: Some(&answer.model),
    };
    store(db, work, made)?;
    if work.speaking.persona().is_some() {
        let scope = &work.scope;
        enqueue(
            db,
            &work.user_id,
            scope,
            &work.session_id,
            &[Kind::Interpret],
            Reason::Stored,
        )?;
    }
    Ok(Stored::As("llm"))
}

/// The extractive summary tells of the whole session: nothing else does that in its place.
fn built_in(db: &Db, work: &Work) -> Result<Option<(Uuid, String)>> {
    let mut all = messages::since(db, &work.user_id, &work.session_id, None, MAX_MESSAGES)?;
    if let Some(last) = work.fresh.last() {
        all.retain(|message| (message.created_at, message.id) <= (last.created_at, last.id));
    }
    let Some(summary) = summary::summarise(&pairs(&all)) else {
        return Ok(None);
    };
    let made = Made {
        summary,
        source: if work.checkpoint { "checkpoint" } else { "builtin" },
        model: None,
    };
    store(db, work, made).map(Some)
}

/// The words of the conversation in place of a summary.
pub fn give_up(db: &Db, job: &Job) -> Result<Option<&'static str>> {
    let Some(work) = gather(db, &job.user_id, &job.session_id, &job.reason)? else {
        return Ok(None);
    };
    let Some(summary) = Summary::fallback(&pairs(&work.fresh)) else {
        return Ok(None);
    };
    let made = Made {
        summary,
        source: "fallback",
        model: None,
    };
    store(db, &work, made)?;
    Ok(Some("fallback"))
}

fn store(db: &Db, work: &Work, made: Made) -> Result<(Uuid, String)> {
    let (user_id, session_id) = (work.user_id.as_str(), work.session_id.as_str());
    // Before any row, as everybody does who writes memories.
    scopes::lock(db, user_id)?;
    let new = id::new_id()?;
    let model = made.model.map(|model| json!({ "model": model }));
    let metadata = model.map(|model| RawJsonb::of(&model)).transpose()?;
    let summary = made.summary;
    let importance = f64::from(summary.importance) / 10.0;
    let emotion = summary.emotion.map(|emotion| emotion.as_str());
    summaries::delete_checkpoints(db, user_id, session_id)?;
    let row = NewSummary {
        id: new,
        session_id,
        content: &summary.content,
        topics: summary.topics.clone(),
        emotion,
        importance: importance as f32,
        source: made.source,
        first_message: work.fresh.first().map(|message| message.id),
        last_message: work.fresh.last().map(|message| message.id),
        metadata: metadata.clone(),
        created_at: id::timestamp(id::now())?,
    };
    summaries::insert(db, user_id, row)?;
    if !work.checkpoint {
        remember(db, work, &summary, importance, made.source, metadata);
    }
    Ok((new, summary.content))
}

/// The memory of a session. There is one of them: a newer summary takes the place of the older. That the user's plan
/// has no room for it does not cost the summary.
fn remember(
    db: &Db,
    work: &Work,
    summary: &Summary,
    importance: f64,
    source: &'static str,
    metadata: Option<RawJsonb>,
) {
    let user_id = work.user_id.as_str();
    let kept = guarded(|| {
        let older = memories::replaceable_summaries(db, user_id, &work.session_id)?;
        gate::set_aside(db, user_id, older, "replaced", None)?;
        let draft = Draft {
            scope: work.scope.clone(),
            session_id: Some(&work.session_id),
            kind: MemoryKind::Summary,
            content: &summary.content,
            interpretation: None,
            topics: summary.topics.clone(),
            emotion: summary.emotion.map(|emotion| emotion.as_str()),
            emotion_intensity: 0.0,
            importance,
            embedded: embed::embed(None, &summary.content)?,
            occurred_at: work.fresh.last().map(|message| message.created_at),
            expires_at: None,
            pinned: false,
            source,
            source_messages: work.fresh.iter().map(|message| message.id).collect(),
            metadata,
            // What the session was about is told even if it was told before.
            force: true,
        };
        gate::admit(db, user_id, draft)
    });
    if let Err(failure) = kept {
        pgrx::warning!(
            "the summary of session \"{}\" became no memory: {}",
            work.session_id,
            failure.message
        );
    }
}
