//! A short profile of the user out of facts and memories.

use memory_core::archive;
use memory_core::fact::{self, Class, Subjects};
use memory_core::kind::Kind;
use memory_core::language::Language;
use pgrx::datum::Uuid;

use crate::embed;
use crate::error::Result;
use crate::gate::{self, Draft};
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::memories::{self, Memory};
use crate::store::sessions::Scope;
use crate::store::{fact_keys, facts, relationships};

/// How many memories a profile tells of.
const MEMORIES: usize = 5;

pub struct Reflection {
    pub id: Uuid,
    pub content: String,
}

/// What is known of a user in a scope.
pub struct Known {
    /// The facts of identity, of the moment, memories, the relationship: a line each.
    pub lines: Vec<String>,
    pub language: Language,
}

pub fn known(db: &Db, user_id: &str, scope: &Scope, language: Option<Language>) -> Result<Known> {
    let known = facts::of_scope(db, user_id, scope)?;
    let active = memories::active_of_agent(db, user_id, &scope.agent_id)?;
    let mut active: Vec<Memory> = active
        .into_iter()
        .filter(|memory| memory.scope.space == scope.space && memory.kind != Kind::Reflection.as_str())
        .collect();
    let candidates: Vec<archive::Candidate> = active.iter().map(gate::candidate).collect();
    let mut chosen = archive::opening(&candidates, MEMORIES);
    chosen.sort_unstable();
    let told: Vec<String> = chosen
        .iter()
        .map(|&index| std::mem::take(&mut active[index].content))
        .collect();
    let sample = known
        .iter()
        .map(|fact| fact.raw.as_str())
        .chain(told.iter().map(String::as_str));
    // All of it counts: the newest fact may be a name or a title in the other language.
    let language = language
        .or_else(|| Language::detect(&sample.collect::<Vec<_>>().join(" ")))
        .unwrap_or(Language::En);
    let subjects = fact_keys::subjects(db)?;
    let mut lines = vec![
        listed(&known, Class::Identity, &subjects, language),
        listed(&known, Class::Moment, &subjects, language),
        told.iter().map(|text| one_line(text)).collect::<Vec<_>>().join(" / "),
    ];
    if let Some(relationship) = relationships::find(db, user_id, scope)? {
        lines.push(relationship.axes.level().as_str().to_string());
    }
    lines.retain(|line| !line.is_empty());
    Ok(Known { lines, language })
}

/// Makes a new profile of the scope and archives the old one; `None` when nothing is known.
pub fn reflect(db: &Db, user_id: &str, scope: &Scope, language: Option<Language>) -> Result<Option<Reflection>> {
    let known = known(db, user_id, scope, language)?;
    if known.lines.is_empty() {
        return Ok(None);
    }
    keep(db, user_id, scope, known.lines.join("\n"), None)
}

/// Keeps a profile in place of the old one, unless somebody pinned that; the caller holds the user's lock.
pub fn keep(
    db: &Db,
    user_id: &str,
    scope: &Scope,
    content: String,
    metadata: Option<RawJsonb>,
) -> Result<Option<Reflection>> {
    let old = memories::active_of_agent(db, user_id, &scope.agent_id)?.into_iter();
    let archived: Vec<Uuid> = old
        .filter(|memory| memory.scope.space == scope.space && memory.kind == Kind::Reflection.as_str())
        .filter(|memory| !memory.pinned)
        .map(|memory| memory.id)
        .collect();
    gate::set_aside(db, user_id, archived, "replaced", None)?;
    let draft = Draft {
        scope: scope.clone(),
        session_id: None,
        kind: Kind::Reflection,
        content: &content,
        interpretation: None,
        topics: Vec::new(),
        emotion: None,
        emotion_intensity: 0.0,
        importance: 0.8,
        embedded: embed::embed(None, &content)?,
        occurred_at: None,
        expires_at: None,
        pinned: false,
        source: "reflection",
        source_messages: Vec::new(),
        metadata,
        force: true,
    };
    let admission = gate::admit(db, user_id, draft)?;
    Ok(admission.id.map(|id| Reflection { id, content }))
}

/// The facts of a class as one line, in the order in which they became known.
fn listed(known: &[facts::Fact], class: Class, subjects: &Subjects, language: Language) -> String {
    let of_class = known.iter().rev().filter(|fact| fact.class == class.name());
    let named = of_class.map(|fact| {
        let label = fact::key_label(&fact.key, subjects, language);
        format!("{label}: {}", one_line(&fact.value))
    });
    named.collect::<Vec<_>>().join(", ")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
