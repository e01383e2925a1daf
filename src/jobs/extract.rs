//! Facts that the LLM reads out of a conversation. The rules have learned theirs with each turn; these come on top.

use memory_core::fact::{Cardinality, Speaker};
use memory_core::llm::answer::{Answer, Stated};
use memory_core::llm::prompt::Purpose;
use serde_json::json;

use super::ask::{allowed, speaking};
use super::{Reply, Step, Stored, last_id};
use crate::error::Result;
use crate::facts::{self, Origin, Statement};
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::jobs::{self as store, Job, Progress};
use crate::store::messages::{self, Message};
use crate::store::sessions::{self, Scope};
use crate::store::{fact_keys, facts as known_facts};

/// The LLM looks at no more messages at once.
const MAX_MESSAGES: i64 = 60;
/// How many of the known facts it is told.
const MAX_KNOWN: usize = 40;

pub fn begin(db: &Db, job: &Job) -> Result<Step> {
    let (user_id, session_id) = (job.user_id.as_str(), job.session_id.as_str());
    let Some(session) = sessions::find(db, user_id, session_id)? else {
        return Ok(Step::Done("nothing"));
    };
    let seen = store::progress(db, user_id, session_id, Progress::Extracted)?.map(|at| (at, last_id()));
    let fresh = messages::since(db, user_id, session_id, seen, MAX_MESSAGES)?;
    if fresh.is_empty() || !allowed(db, user_id)? {
        return Ok(Step::Done("nothing"));
    }
    let scope = session.scope;
    let speaking = speaking(db, &scope.agent_id)?;
    let known: Vec<String> = known_facts::of_scope(db, user_id, &scope)?
        .into_iter()
        .take(MAX_KNOWN)
        .map(|fact| format!("{}: {}", fact.key, fact.value))
        .collect();
    let question = speaking.question(Purpose::Facts, &fresh, &known)?;
    Ok(Step::Ask(
        question,
        Box::new(move |db, job, reply| answered(db, job, &scope, &fresh, reply)),
    ))
}

fn answered(db: &Db, job: &Job, scope: &Scope, fresh: &[Message], reply: Reply) -> Result<Stored> {
    let Reply::Answer(answer) = reply else {
        return Ok(Stored::Unreadable);
    };
    let Some(stated) = Vec::<Stated>::read(&answer.text) else {
        return Ok(Stored::Unreadable);
    };
    let model = RawJsonb::of(&json!({ "model": answer.model }))?;
    for one in &stated {
        learn(db, job, scope, fresh, one, &model)?;
    }
    if let Some(last) = fresh.last() {
        store::advance(db, &job.user_id, &job.session_id, Progress::Extracted, last.created_at)?;
    }
    Ok(Stored::As("llm"))
}

fn learn(db: &Db, job: &Job, scope: &Scope, fresh: &[Message], stated: &Stated, model: &RawJsonb) -> Result<()> {
    let subjects = fact_keys::subjects(db)?;
    let named = facts::name(&subjects, &stated.subject, &stated.value);
    // The message that says so in these words, if one does; and whether the user said it.
    let source = fresh.iter().rev().find(|message| says(message, stated));
    let said = source.is_some_and(|message| message.role == Speaker::User.name());
    let origin = Origin {
        scope,
        source: "llm",
        source_message: source.map(|message| message.id),
        session_id: Some(&job.session_id),
        since: source.or(fresh.last()).map(|message| message.created_at),
    };
    let raw = stated.statement();
    let statement = Statement {
        key: &named.key,
        value: &named.value,
        raw: &raw,
        category: stated.category.unwrap_or(named.category),
        class: named.class,
        cardinality: named.cardinality,
        importance: f64::from(stated.importance) / 10.0,
        emotion: None,
        confidence: stated.confidence,
        metadata: Some(model.clone()),
    };
    // A key that nobody knows could be anything: values of it add up.
    let unknown = subjects.find(stated.subject.trim()).is_none();
    let statement = match unknown {
        true => Statement {
            cardinality: Cardinality::Many,
            ..statement
        },
        false => statement,
    };
    facts::suggest(db, &job.user_id, &origin, statement, said)?;
    Ok(())
}

fn says(message: &Message, stated: &Stated) -> bool {
    let said_by = match stated.by {
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    };
    message.role == said_by && message.content.to_lowercase().contains(&stated.value.to_lowercase())
}
