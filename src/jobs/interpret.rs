//! What a session meant to the agent, in its own voice, beside the summary of what happened.

use memory_core::llm::answer::{Answer, Interpretation};
use memory_core::llm::prompt::Purpose;
use pgrx::datum::Uuid;

use super::ask::{allowed, speaking};
use super::{Reply, Step, Stored};
use crate::error::Result;
use crate::gate;
use crate::store::db::Db;
use crate::store::jobs::Job;
use crate::store::{memories, messages, scopes};

pub fn begin(db: &Db, job: &Job) -> Result<Step> {
    let user_id = job.user_id.as_str();
    let ids = memories::replaceable_summaries(db, user_id, &job.session_id)?;
    let mut found = memories::by_ids(db, user_id, ids)?;
    found.retain(|memory| memory.interpretation.is_none());
    let Some(memory) = found.pop() else {
        return Ok(Step::Done("nothing"));
    };
    let speaking = speaking(db, &job.scope.agent_id)?;
    if speaking.persona().is_none() || !allowed(db, user_id)? {
        return Ok(Step::Done("nothing"));
    }
    let mut told = messages::by_ids(db, user_id, memory.source_messages.clone())?;
    told.sort_by_key(|message| (message.created_at.into_inner(), *message.id.as_bytes()));
    let question = speaking.question(Purpose::Interpretation, &told, &[memory.content])?;
    let id = memory.id;
    Ok(Step::Ask(
        question,
        Box::new(move |db, job, reply| answered(db, job, id, reply)),
    ))
}

fn answered(db: &Db, job: &Job, id: Uuid, reply: Reply) -> Result<Stored> {
    let Reply::Answer(answer) = reply else {
        return Ok(Stored::Unreadable);
    };
    let Some(seen) = Interpretation::read(&answer.text) else {
        return Ok(Stored::Unreadable);
    };
    let user_id = job.user_id.as_str();
    scopes::lock(db, user_id)?;
    memories::lock(db, user_id, vec![id])?;
    let Some(mut memory) = memories::find(db, user_id, id)? else {
        return Ok(Stored::As("nothing"));
    };
    // Somebody may have written their own meanwhile.
    if memory.interpretation.is_some() {
        return Ok(Stored::As("nothing"));
    }
    memory.interpretation = Some(seen.text);
    memory.emotion = memory
        .emotion
        .or(seen.emotion.map(|emotion| emotion.as_str().to_string()));
    memory.emotion_intensity = seen.intensity.unwrap_or(memory.emotion_intensity);
    gate::rewrite(db, user_id, &memory)?;
    Ok(Stored::As("llm"))
}
