//! How a conversation moved the relationship, and the director's note for the next turn.

use memory_core::llm::answer::{Analysis, Answer};
use memory_core::llm::prompt::Purpose;
use serde_json::{Map, Value};

use super::ask::{allowed, speaking};
use super::{Reply, Step, Stored, last_id};
use crate::error::Result;
use crate::relationship::{self, Note};
use crate::store::db::Db;
use crate::store::jobs::{self as store, Job, Progress};
use crate::store::messages::{self, Message};
use crate::store::relationships;
use crate::store::sessions::{self, Scope};

/// The LLM looks at no more messages at once.
const MAX_MESSAGES: i64 = 30;

pub fn begin(db: &Db, job: &Job) -> Result<Step> {
    let (user_id, session_id) = (job.user_id.as_str(), job.session_id.as_str());
    let Some(session) = sessions::find(db, user_id, session_id)? else {
        return Ok(Step::Done("nothing"));
    };
    let seen = store::progress(db, user_id, session_id, Progress::Analyzed)?.map(|at| (at, last_id()));
    let fresh = messages::since(db, user_id, session_id, seen, MAX_MESSAGES)?;
    if fresh.is_empty() || !allowed(db, user_id)? {
        return Ok(Step::Done("nothing"));
    }
    let scope = session.scope;
    let standing = relationships::find(db, user_id, &scope)?.unwrap_or_else(relationship::stranger);
    let axes = &standing.axes;
    let known = [format!(
        "trust {:.0}, affection {:.0}, respect {:.0}, rivalry {:.0}, familiarity {:.0} (0-100): {}",
        axes.trust,
        axes.affection,
        axes.respect,
        axes.rivalry,
        axes.familiarity,
        axes.level().as_str()
    )];
    let speaking = speaking(db, &scope.agent_id)?;
    let question = speaking.question(Purpose::Relationship, &fresh, &known)?;
    Ok(Step::Ask(
        question,
        Box::new(move |db, job, reply| answered(db, job, &scope, &fresh, reply)),
    ))
}

fn answered(db: &Db, job: &Job, scope: &Scope, fresh: &[Message], reply: Reply) -> Result<Stored> {
    let Reply::Answer(answer) = reply else {
        return Ok(Stored::Unreadable);
    };
    let Some(analysis) = Analysis::read(&answer.text) else {
        return Ok(Stored::Unreadable);
    };
    let deltas: Map<String, Value> = analysis
        .deltas
        .iter()
        .map(|(axis, delta)| (axis.to_string(), (*delta).into()))
        .collect();
    let reason = format!("analysis by {}", answer.model);
    let step = relationship::Step {
        deltas,
        emotion: analysis.emotion.map(|emotion| emotion.as_str()),
        intensity: analysis.intensity,
        speech_style: None,
        note: Some(Note {
            text: &analysis.note,
            source: "llm",
        }),
        reason: Some(&reason),
        scene_id: None,
    };
    relationship::apply(db, &job.user_id, scope, step)?;
    if let Some(last) = fresh.last() {
        store::advance(db, &job.user_id, &job.session_id, Progress::Analyzed, last.created_at)?;
    }
    Ok(Stored::As("llm"))
}
