//! What the new messages of a session make due: a summary, questions to the LLM, a profile, maintenance.

use super::ask::speaking;
use super::{Kind, Reason, Step, enqueue};
use crate::config;
use crate::error::Result;
use crate::llm;
use crate::maintenance;
use crate::store::db::Db;
use crate::store::jobs::{self as store, Job, Progress};
use crate::store::scopes::{self, Selection};
use crate::store::{messages, sessions, summaries};

pub fn begin(db: &Db, job: &Job) -> Result<Step> {
    let (user_id, session_id) = (job.user_id.as_str(), job.session_id.as_str());
    let Some(session) = sessions::find(db, user_id, session_id)? else {
        return Ok(Step::Gone);
    };
    let scope = &session.scope;
    let settings = speaking(db, &scope.agent_id)?.settings;
    let mut due = Vec::new();
    if settings.auto_summary {
        // Since it was made, not since what it covers: the turns that stayed verbatim then do not count twice.
        let last = summaries::covered(db, user_id, session_id)?.map(|covered| (covered.made_at, super::last_id()));
        let (fresh, _) = messages::count_since(db, user_id, session_id, last)?;
        if fresh >= settings.summary_threshold {
            due.push(Kind::Summarize);
        }
    }
    if !due.is_empty() {
        enqueue(db, user_id, scope, session_id, &due, Reason::Messages)?;
    }
    let mut asked = Vec::new();
    if llm::configured() {
        let questions = [
            (Kind::Extract, config::extract_turns(), Progress::Extracted),
            (Kind::Analyze, config::analyze_turns(), Progress::Analyzed),
        ];
        for (kind, every, progress) in questions {
            if let Some(every) = every
                && turns_since(db, job, progress)? >= every
            {
                asked.push(kind);
            }
        }
    }
    if let Some(every) = config::reflect_turns()
        && scopes::turns_since_reflection(db, user_id, scope)?.1 >= every
    {
        asked.push(Kind::Reflect);
    }
    if !asked.is_empty() {
        enqueue(db, user_id, scope, session_id, &asked, Reason::Turns)?;
    }
    super::embed_messages(db, user_id)?;
    let this = Selection {
        user_id: Some(user_id),
        agent_id: Some(&scope.agent_id),
        space: Some(&scope.space),
    };
    maintenance::run(db, &this, 1)?;
    Ok(Step::Gone)
}

/// How many turns of the session the LLM has not seen yet.
fn turns_since(db: &Db, job: &Job, what: Progress) -> Result<i64> {
    let at = store::progress(db, &job.user_id, &job.session_id, what)?;
    let position = at.map(|at| (at, super::last_id()));
    Ok(messages::count_since(db, &job.user_id, &job.session_id, position)?.1)
}
