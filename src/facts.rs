//! Facts on their way in: the one place where a value is set, confirmed, corrected or taken back.

use memory_core::fact::{self, Cardinality, Category, Class, Op, Speaker, Subjects};
use memory_core::language::Language;
use pgrx::datum::{TimestampWithTimeZone, Uuid};

use crate::error::Result;
use crate::id;
use crate::jsonb::RawJsonb;
use crate::seal;
use crate::store::db::Db;
use crate::store::facts::{self as store, Fact, NewFact};
use crate::store::sessions::Scope;
use crate::store::{fact_keys, scopes};

/// How many shared experiences of a scope are kept current.
const EXPERIENCES: i64 = 20;
/// How many keys spoken of last a bare correction may mean.
const CONTEXT_KEYS: i64 = 3;

/// Where facts come from.
pub struct Origin<'a> {
    pub scope: &'a Scope,
    pub source: &'a str,
    pub source_message: Option<Uuid>,
    pub session_id: Option<&'a str>,
    /// Since when it holds; `None` is now.
    pub since: Option<TimestampWithTimeZone>,
}

pub struct Statement<'a> {
    pub key: &'a str,
    pub value: &'a str,
    pub raw: &'a str,
    pub category: Category,
    pub class: Class,
    pub cardinality: Cardinality,
    pub importance: f64,
    pub emotion: Option<&'a str>,
    pub confidence: f64,
    pub metadata: Option<RawJsonb>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Added,
    Confirmed,
    Corrected,
    Retracted,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Added => "added",
            Outcome::Confirmed => "confirmed",
            Outcome::Corrected => "corrected",
            Outcome::Retracted => "retracted",
        }
    }
}

pub struct Change {
    pub id: Uuid,
    pub key: String,
    pub value: String,
    pub outcome: Outcome,
    pub previous: Option<String>,
}

/// Who a fact says the user is matters most, what was done together least.
pub fn importance(class: Class) -> f64 {
    match class {
        Class::Identity => 0.8,
        Class::Moment => 0.5,
        Class::Experience => 0.4,
    }
}

/// How sure a rule is, to two digits.
pub fn confidence(sure: f32) -> f64 {
    (f64::from(sure) * 100.0).round() / 100.0
}

/// Sets the value of a key; the caller holds the user's lock. The values of a single-valued key never overlap in
/// time: what held until then ends, and what is known to hold from a later time on ends the new one.
fn set(db: &Db, user_id: &str, origin: &Origin, statement: Statement) -> Result<Change> {
    let hash = seal::hasher(db, user_id)?.text_hash(statement.value);
    let single = statement.cardinality == Cardinality::Single;
    let now = id::timestamp(id::now())?;
    let since = origin.since.unwrap_or(now);
    let change = |id, outcome, previous| Change {
        id,
        key: statement.key.to_string(),
        value: statement.value.to_string(),
        outcome,
        previous,
    };
    let same = |fact: &Fact| fact::value::same(&fact.value, statement.value);
    let known = store::from(db, user_id, origin.scope, statement.key, since)?;
    let (held, later): (Vec<Fact>, Vec<Fact>) = known.into_iter().partition(|fact| fact.valid_from <= since);
    if let Some(same) = held.iter().find(|fact| same(fact)) {
        store::confirm(db, user_id, same.id, statement.confidence, statement.importance)?;
        return Ok(change(same.id, Outcome::Confirmed, None));
    }
    let id = id::new_id()?;
    let replaced: Vec<Fact> = held.into_iter().filter(|fact| single || fact.single).collect();
    for old in &replaced {
        store::close(db, user_id, old.id, since, Some(id))?;
    }
    let next = later.iter().find(|fact| single || fact.single || same(fact));
    let fact = NewFact {
        id,
        scope: origin.scope,
        key: statement.key,
        value: statement.value,
        value_hash: hash,
        raw: statement.raw,
        category: statement.category.name(),
        class: statement.class.name(),
        single,
        importance: statement.importance,
        emotion: statement.emotion,
        confidence: statement.confidence,
        source: origin.source,
        source_message: origin.source_message,
        session_id: origin.session_id,
        valid_from: since,
        until: next.map(|next| (next.valid_from, next.id)),
        recorded_at: now,
        metadata: statement.metadata.clone(),
    };
    store::insert(db, user_id, fact)?;
    match replaced.into_iter().next() {
        Some(old) => Ok(change(id, Outcome::Corrected, Some(old.value))),
        None => Ok(change(id, Outcome::Added, None)),
    }
}

/// Sets one fact that the caller states.
pub fn state(db: &Db, user_id: &str, origin: &Origin, statement: Statement) -> Result<Change> {
    scopes::lock(db, user_id)?;
    scopes::ensure(db, user_id, origin.scope)?;
    let experience = statement.class == Class::Experience;
    let change = set(db, user_id, origin, statement)?;
    if experience {
        store::trim_experiences(db, user_id, origin.scope, EXPERIENCES)?;
    }
    Ok(change)
}

/// Takes what an LLM read out of a conversation, unless it would end what somebody set or said: a value that the
/// application set stays, one that the user stated gives way only to later words of the user's own (`said`). `None`
/// when it was not taken, or is known already.
pub fn suggest(db: &Db, user_id: &str, origin: &Origin, statement: Statement, said: bool) -> Result<Option<Change>> {
    scopes::lock(db, user_id)?;
    scopes::ensure(db, user_id, origin.scope)?;
    let now = id::timestamp(id::now())?;
    let since = origin.since.unwrap_or(now);
    let single = statement.cardinality == Cardinality::Single;
    for known in store::from(db, user_id, origin.scope, statement.key, since)? {
        if fact::value::same(&known.value, statement.value) {
            return Ok(None);
        }
        if !single && !known.single {
            continue;
        }
        let gives_way = match known.source.as_str() {
            "llm" | "assistant" => known.valid_from <= since,
            "user" => said && known.valid_from < since,
            _ => false,
        };
        if !gives_way {
            return Ok(None);
        }
    }
    set(db, user_id, origin, statement).map(Some)
}

/// Ends the current value of a key, or only the one given; gives what was ended.
pub fn retract(
    db: &Db,
    user_id: &str,
    scope: &Scope,
    key: &str,
    value: Option<&str>,
    at: Option<TimestampWithTimeZone>,
) -> Result<Vec<Change>> {
    scopes::lock(db, user_id)?;
    take_back(db, user_id, scope, key, value, at)
}

fn take_back(
    db: &Db,
    user_id: &str,
    scope: &Scope,
    key: &str,
    value: Option<&str>,
    at: Option<TimestampWithTimeZone>,
) -> Result<Vec<Change>> {
    let at = match at {
        Some(at) => at,
        None => id::timestamp(id::now())?,
    };
    let mut ended = Vec::new();
    for old in store::from(db, user_id, scope, key, at)? {
        if old.valid_from > at || value.is_some_and(|value| !fact::value::same(&old.value, value)) {
            continue;
        }
        store::close(db, user_id, old.id, at, None)?;
        ended.push(Change {
            id: old.id,
            key: old.key,
            value: old.value,
            outcome: Outcome::Retracted,
            previous: None,
        });
    }
    Ok(ended)
}

/// What a message states, read before anything is locked or looked up.
pub struct Said<'a> {
    text: &'a str,
    language: Option<Language>,
    speaker: Speaker,
    found: Vec<fact::Fact>,
}

/// Reads a message; `None` when there is nothing in it to learn.
pub fn read<'a>(db: &Db, text: &'a str, language: Option<Language>, speaker: Speaker) -> Result<Option<Said<'a>>> {
    let found = fact::extract(text, language, &*fact_keys::subjects(db)?, speaker);
    let may_correct = speaker == Speaker::User && fact::may_correct(text);
    let said = Said {
        text,
        language,
        speaker,
        found,
    };
    Ok(Some(said).filter(|said| may_correct || !said.found.is_empty()))
}

impl Said<'_> {
    pub fn speaker(&self) -> Speaker {
        self.speaker
    }
}

/// Learns every fact of a message; the caller holds the user's lock.
pub fn learn(db: &Db, user_id: &str, origin: &Origin, said: &Said) -> Result<Vec<Change>> {
    let corrected = match said.found.is_empty() {
        true => corrections(db, user_id, origin.scope, said)?,
        false => Vec::new(),
    };
    let found = if corrected.is_empty() { &said.found } else { &corrected };
    if found.is_empty() {
        return Ok(Vec::new());
    }
    scopes::ensure(db, user_id, origin.scope)?;
    let mut changes = Vec::new();
    let mut experiences = false;
    for fact in found {
        if fact.op == Op::Retract {
            let value = Some(fact.value.as_str()).filter(|value| !value.is_empty());
            changes.extend(take_back(db, user_id, origin.scope, &fact.key, value, origin.since)?);
            continue;
        }
        experiences |= fact.class == Class::Experience;
        let statement = Statement {
            key: &fact.key,
            value: &fact.value,
            raw: &fact.raw,
            category: fact.category,
            class: fact.class,
            cardinality: fact.cardinality,
            importance: importance(fact.class),
            emotion: None,
            confidence: confidence(fact.confidence),
            metadata: None,
        };
        changes.push(set(db, user_id, origin, statement)?);
    }
    if experiences {
        store::trim_experiences(db, user_id, origin.scope, EXPERIENCES)?;
    }
    Ok(changes)
}

/// A bare correction means one of the keys spoken of last.
fn corrections(db: &Db, user_id: &str, scope: &Scope, said: &Said) -> Result<Vec<fact::Fact>> {
    let keys = store::recent_keys(db, user_id, scope, CONTEXT_KEYS)?;
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let subjects = fact_keys::subjects(db)?;
    Ok(fact::extract_with_context(
        said.text,
        &keys,
        said.language,
        &subjects,
        said.speaker,
    ))
}

/// A key as the caller wrote it, made canonical, with what its subject says of it.
pub struct Named {
    pub key: String,
    pub value: String,
    pub category: Category,
    pub class: Class,
    pub cardinality: Cardinality,
}

/// The canonical key for a key as somebody wrote it, in either language; an unknown one stays as it is.
pub fn canonical(subjects: &Subjects, key: &str) -> String {
    match subjects.find(key.trim()) {
        Some(subject) => subject.key.clone(),
        None => key.trim().to_string(),
    }
}

/// Finds the canonical key and the normal form of a value. An unknown key is OTHER, of the moment.
pub fn name(subjects: &Subjects, key: &str, value: &str) -> Named {
    let statement = format!("{}: {}", key.trim(), value.trim());
    if let Some(found) = fact::classify(&statement, subjects).filter(|found| found.class != Class::Experience) {
        return Named {
            key: found.key,
            value: found.value,
            category: found.category,
            class: found.class,
            cardinality: found.cardinality,
        };
    }
    let subject = subjects.find(key.trim());
    Named {
        key: canonical(subjects, key),
        value: value.trim().to_string(),
        category: subject.map_or(Category::Other, |subject| subject.category),
        class: subject.map_or(Class::Moment, |subject| subject.class),
        cardinality: subject.map_or(Cardinality::Single, |subject| subject.cardinality),
    }
}
