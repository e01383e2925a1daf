//! The user's profile, by the LLM or without it.

use memory_core::llm::answer::{Answer, Profile};
use memory_core::llm::prompt::Purpose;
use serde_json::json;

use super::ask::{allowed, speaking};
use super::{Reply, Step, Stored};
use crate::config;
use crate::error::Result;
use crate::jsonb::RawJsonb;
use crate::reflect;
use crate::store::db::Db;
use crate::store::jobs::Job;
use crate::store::scopes;

pub fn begin(db: &Db, job: &Job) -> Result<Step> {
    let (user_id, scope) = (job.user_id.as_str(), &job.scope);
    // Several sessions of the scope may have asked for it.
    let every = config::reflect_turns().unwrap_or(0);
    if job.attempts == 1 && scopes::turns_since_reflection(db, user_id, scope)?.1 < every {
        return Ok(Step::Done("nothing"));
    }
    let mut speaking = speaking(db, &scope.agent_id)?;
    let known = reflect::known(db, user_id, scope, speaking.settings.language)?;
    if known.lines.is_empty() {
        note(db, job)?;
        return Ok(Step::Done("nothing"));
    }
    if allowed(db, user_id)? {
        speaking.settings.language = Some(known.language);
        let question = speaking.question(Purpose::Profile, &[], &known.lines)?;
        return Ok(Step::Ask(question, Box::new(answered)));
    }
    built_in(db, job)?;
    Ok(Step::Done("builtin"))
}

fn answered(db: &Db, job: &Job, reply: Reply) -> Result<Stored> {
    let Reply::Answer(answer) = reply else {
        return Ok(Stored::Unreadable);
    };
    let Some(profile) = Profile::read(&answer.text) else {
        return Ok(Stored::Unreadable);
    };
    scopes::lock(db, &job.user_id)?;
    let metadata = RawJsonb::of(&json!({ "source": "llm", "model": answer.model }))?;
    reflect::keep(db, &job.user_id, &job.scope, profile.text, Some(metadata))?;
    note(db, job)?;
    Ok(Stored::As("llm"))
}

fn built_in(db: &Db, job: &Job) -> Result<()> {
    scopes::lock(db, &job.user_id)?;
    let language = speaking(db, &job.scope.agent_id)?.settings.language;
    reflect::reflect(db, &job.user_id, &job.scope, language)?;
    note(db, job)
}

pub fn give_up(db: &Db, job: &Job) -> Result<Option<&'static str>> {
    built_in(db, job)?;
    Ok(Some("builtin"))
}

/// The next profile is due so many turns from now.
fn note(db: &Db, job: &Job) -> Result<()> {
    scopes::ensure(db, &job.user_id, &job.scope)?;
    let (turns, _) = scopes::turns_since_reflection(db, &job.user_id, &job.scope)?;
    scopes::reflected(db, &job.user_id, &job.scope, turns)
}
