//! The one gate for derived memories: the API, extractors, workers and importers all write through it.

use memory_core::kind::Kind;
use memory_core::novelty::{self, Verdict};
use memory_core::text::TermHasher;
use memory_core::vector::Probe;
use memory_core::{archive, decay};
use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;
use serde_json::json;

use crate::conversation::indexed_part;
use crate::embed::Embedded;
use crate::error::{self, Result};
use crate::id;
use crate::jobs;
use crate::jsonb::RawJsonb;
use crate::seal;
use crate::store::db::Db;
use crate::store::entries::{self, Face, NewEntry, Source, Standing};
use crate::store::memories::{self, Memory, NewMemory};
use crate::store::sessions::Scope;
use crate::store::{history, models, notify, scopes};

/// Topics whose memories are looked up beside the general ones and come first.
const LEADING_TOPICS: [&str; 4] = ["caution", "identity", "주의", "신원"];

pub struct Draft<'a> {
    pub scope: Scope,
    pub session_id: Option<&'a str>,
    pub kind: Kind,
    pub content: &'a str,
    pub interpretation: Option<&'a str>,
    pub topics: Vec<String>,
    pub emotion: Option<&'a str>,
    pub emotion_intensity: f64,
    pub importance: f64,
    pub embedded: Option<Embedded>,
    pub occurred_at: Option<TimestampWithTimeZone>,
    pub expires_at: Option<TimestampWithTimeZone>,
    pub pinned: bool,
    pub source: &'a str,
    pub source_messages: Vec<Uuid>,
    pub metadata: Option<RawJsonb>,
    /// Stored whatever is known already.
    pub force: bool,
}

pub struct Admission {
    /// The memory that was stored, or made stronger; `None` when it was skipped.
    pub id: Option<Uuid>,
    pub verdict: Verdict,
    pub similarity: Option<f64>,
    pub importance: f64,
    pub archived: Vec<Uuid>,
}

/// Lets a memory in, or the memory that says the same grow stronger.
pub fn admit(db: &Db, user_id: &str, draft: Draft) -> Result<Admission> {
    scopes::lock(db, user_id)?;
    scopes::ensure(db, user_id, &draft.scope)?;
    if let Some(embedded) = &draft.embedded {
        models::check(db, user_id, embedded)?;
        models::note(db, user_id, &draft.scope, embedded)?;
    }
    let hash = content_hash(db, user_id, draft.content)?;
    let novelty = match draft.force {
        true => Novelty {
            similarity: None,
            verdict: Verdict::Saved,
            importance: draft.importance,
            nearest: None,
        },
        false => weigh(
            db,
            user_id,
            &draft.scope,
            draft.embedded.as_ref(),
            draft.importance,
            Some(hash),
        )?,
    };
    let admission = |id, archived| Admission {
        id,
        verdict: novelty.verdict,
        similarity: novelty.similarity,
        importance: novelty.importance,
        archived,
    };
    match novelty.verdict {
        Verdict::Skipped => Ok(admission(None, Vec::new())),
        Verdict::Reinforced => {
            let nearest = novelty.nearest.ok_or_else(|| error::internal("nothing to reinforce"))?;
            strengthen(db, user_id, &draft.scope, nearest, false)?;
            Ok(admission(Some(nearest), Vec::new()))
        }
        Verdict::Saved | Verdict::Boosted | Verdict::Damped => {
            let plan = scopes::plan(db, user_id)?;
            let limit = plan.as_ref().and_then(|plan| plan.max_active);
            let agent_id = draft.scope.agent_id.clone();
            if let (Some(limit), Some(plan)) = (limit, &plan)
                && plan.refuses
                && memories::count_active(db, user_id, &agent_id)? >= limit
            {
                return Err(error::limit_reached(&plan.name, limit));
            }
            let known = memories::by_hash(db, user_id, &draft.scope, hash)?;
            let known = match known {
                // It makes room for the one that is told anew.
                Some(same) if same.expired => {
                    set_aside(db, user_id, vec![same.id], "expired", None)?;
                    None
                }
                known => known,
            };
            let id = store(
                db,
                user_id,
                draft,
                novelty.importance,
                Some(hash).filter(|_| known.is_none()),
            )?;
            let archived = match limit {
                Some(limit) => archive_excess(db, user_id, &agent_id, limit)?,
                None => Vec::new(),
            };
            Ok(admission(Some(id), archived))
        }
    }
}

pub struct Novelty {
    pub similarity: Option<f64>,
    pub verdict: Verdict,
    pub importance: f64,
    pub nearest: Option<Uuid>,
}

/// Weighs a text or vector against the scope's latest memories; nothing is stored. The same text is the
/// same memory even where no vectors can be compared.
pub fn weigh(
    db: &Db,
    user_id: &str,
    scope: &Scope,
    embedded: Option<&Embedded>,
    importance: f64,
    hash: Option<i64>,
) -> Result<Novelty> {
    if let Some(hash) = hash
        && let Some(same) = memories::by_hash(db, user_id, scope, hash)?
        && !same.expired
    {
        let (verdict, importance) = novelty::judge(1.0, importance);
        return Ok(Novelty {
            similarity: Some(1.0),
            verdict,
            importance,
            nearest: Some(same.id),
        });
    }
    let Some(embedded) = embedded else {
        return Ok(Novelty {
            similarity: None,
            verdict: Verdict::Saved,
            importance,
            nearest: None,
        });
    };
    let nearest = nearest(db, user_id, scope, embedded)?;
    let similarity = nearest.map_or(0.0, |(_, similarity)| similarity);
    let (verdict, importance) = novelty::judge(similarity, importance);
    Ok(Novelty {
        similarity: Some(similarity),
        verdict,
        importance,
        nearest: nearest.map(|(id, _)| id),
    })
}

fn nearest(db: &Db, user_id: &str, scope: &Scope, embedded: &Embedded) -> Result<Option<(Uuid, f64)>> {
    let Some(model_id) = models::find(db, &embedded.model, embedded.vector.0.len())? else {
        return Ok(None);
    };
    let probe = Probe::new(&embedded.vector.0);
    let mut best: Option<(Uuid, f64)> = None;
    entries::latest(db, user_id, scope, model_id, novelty::WINDOW as i64, |id, vector| {
        let similarity = probe.cosine(vector);
        if best.is_none_or(|(_, known)| similarity > known) {
            best = Some((id, similarity));
        }
    })?;
    Ok(best)
}

fn store(db: &Db, user_id: &str, draft: Draft, importance: f64, hash: Option<i64>) -> Result<Uuid> {
    let id = id::new_id()?;
    let now = id::timestamp(id::now())?;
    let has_vector = draft.embedded.is_some();
    let step = scopes::decay_steps(db, user_id, &draft.scope)?;
    let factor = decay_factor(draft.kind, draft.emotion_intensity, importance, draft.pinned);
    let entry = NewEntry {
        source: Source::Memory,
        id,
        scope: &draft.scope,
        kind: draft.kind.as_str(),
        occurred_at: draft.occurred_at.unwrap_or(now),
        expires_at: draft.expires_at,
        standing: Standing {
            importance,
            strength: 1.0,
            step,
            decay: factor,
        },
        leads: leads(&draft.topics),
        terms: terms(&seal::hasher(db, user_id)?, draft.content, draft.interpretation),
        embedded: draft.embedded.as_ref(),
    };
    entries::insert(db, user_id, entry)?;
    let memory = NewMemory {
        id,
        scope: &draft.scope,
        session_id: draft.session_id,
        kind: draft.kind,
        content: draft.content,
        content_hash: hash,
        interpretation: draft.interpretation,
        topics: draft.topics,
        emotion: draft.emotion,
        emotion_intensity: draft.emotion_intensity,
        mention_count: 0,
        pinned: draft.pinned,
        source: draft.source,
        source_messages: draft.source_messages,
        metadata: draft.metadata,
        occurred_at: draft.occurred_at.unwrap_or(now),
        created_at: now,
        expires_at: draft.expires_at,
    };
    memories::insert(db, user_id, memory)?;
    if !has_vector {
        jobs::after_storing(db, user_id)?;
    }
    Ok(id)
}

/// Pinned memories do not fade.
pub fn decay_factor(kind: Kind, emotion_intensity: f64, importance: f64, pinned: bool) -> f64 {
    if pinned {
        1.0
    } else {
        decay::factor(kind, emotion_intensity, importance)
    }
}

pub fn leads(topics: &[String]) -> bool {
    topics
        .iter()
        .any(|topic| LEADING_TOPICS.contains(&topic.to_lowercase().as_str()))
}

/// The words a memory is found by: those of the event and of its interpretation.
pub fn terms(hasher: &TermHasher, content: &str, interpretation: Option<&str>) -> Vec<i32> {
    let mut terms = hasher.ids(indexed_part(content));
    if let Some(text) = interpretation {
        terms.extend(hasher.ids(indexed_part(text)));
        terms.sort_unstable();
    }
    terms
}

/// The same for the same text of the same user.
pub fn content_hash(db: &Db, user_id: &str, content: &str) -> Result<i64> {
    Ok(seal::hasher(db, user_id)?.text_hash(content))
}

/// The strength as of now, held at this step.
pub fn current(standing: Standing, step: i64) -> Standing {
    let steps = (step - standing.step).max(0) as u64;
    Standing {
        strength: decay::after(standing.strength, standing.decay, steps),
        step,
        ..standing
    }
}

/// A memory was told again or used: one mention more, and stronger.
pub fn strengthen(db: &Db, user_id: &str, scope: &Scope, id: Uuid, recalled: bool) -> Result<()> {
    memories::lock(db, user_id, vec![id])?;
    let now = current(
        entries::standing(db, user_id, Source::Memory, id)?,
        scopes::decay_steps(db, user_id, scope)?,
    );
    let stronger = Standing {
        strength: novelty::reinforced(now.strength),
        ..now
    };
    entries::set_standing(db, user_id, Source::Memory, id, stronger)?;
    memories::mention(db, user_id, id, recalled)
}

/// Archives what exceeds the limit, tells the caller and whoever listens.
pub fn archive_excess(db: &Db, user_id: &str, agent_id: &str, max_active: i64) -> Result<Vec<Uuid>> {
    if memories::count_active(db, user_id, agent_id)? <= max_active {
        return Ok(Vec::new());
    }
    let active = memories::active_of_agent(db, user_id, agent_id)?;
    let candidates: Vec<archive::Candidate> = active.iter().map(candidate).collect();
    let excess = archive::excess(&candidates, max_active as usize);
    let ids: Vec<Uuid> = excess.into_iter().map(|index| active[index].id).collect();
    let archived = set_aside(db, user_id, ids, "limit", None)?;
    if !archived.is_empty() {
        notice!(
            "memory is full: {} memories of user \"{user_id}\" were archived",
            archived.len()
        );
        notify::archived(db, user_id, agent_id, &archived)?;
    }
    Ok(archived)
}

pub fn candidate(memory: &Memory) -> archive::Candidate {
    archive::Candidate {
        importance: memory.importance,
        created: memory.created_at.into_inner(),
        pinned: memory.pinned,
        topics: memory.topics.clone(),
    }
}

/// Archives memories and notes why.
pub fn set_aside(db: &Db, user_id: &str, ids: Vec<Uuid>, reason: &str, into: Option<Uuid>) -> Result<Vec<Uuid>> {
    let mut archived = memories::archive(db, user_id, ids, reason, into)?;
    archived.sort();
    entries::turn(db, user_id, archived.clone(), Source::Memory, Source::Archived)?;
    for id in &archived {
        history::note(db, user_id, *id, "archived", Some(json!({ "reason": reason })))?;
    }
    Ok(archived)
}

pub fn source_of(memory: &Memory) -> Source {
    if memory.archived_at.is_some() {
        Source::Archived
    } else {
        Source::Memory
    }
}

/// Stores a changed memory. Its strength is held at the present step, for the factor may have changed.
pub fn rewrite(db: &Db, user_id: &str, memory: &Memory) -> Result<()> {
    let source = source_of(memory);
    let step = scopes::decay_steps(db, user_id, &memory.scope)?;
    let standing = current(entries::standing(db, user_id, source, memory.id)?, step);
    let decay = decay_factor(
        memory.kind()?,
        memory.emotion_intensity,
        memory.importance,
        memory.pinned,
    );
    let standing = Standing {
        importance: memory.importance,
        decay,
        ..standing
    };
    entries::set_standing(db, user_id, source, memory.id, standing)?;
    let face = Face {
        kind: &memory.kind,
        occurred_at: memory.occurred_at,
        expires_at: memory.expires_at,
        leads: leads(&memory.topics),
        terms: terms(
            &seal::hasher(db, user_id)?,
            &memory.content,
            memory.interpretation.as_deref(),
        ),
    };
    entries::set_face(db, user_id, source, memory.id, face)?;
    let hash = content_hash(db, user_id, &memory.content)?;
    let other = memories::by_hash(db, user_id, &memory.scope, hash)?.filter(|same| same.id != memory.id);
    memories::rewrite(db, user_id, memory, Some(hash).filter(|_| other.is_none()))
}
