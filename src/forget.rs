//! What time and use make of memories: consolidation and its undo, promotion, pruning.

use std::collections::BTreeSet;

use memory_core::cluster;
use memory_core::kind::Kind;
use memory_core::vector::mean;
use pgrx::datum::Uuid;
use serde_json::json;

use crate::embed::Embedded;
use crate::error::{self, Result};
use crate::gate::{self, current, decay_factor, leads, set_aside, terms};
use crate::id;
use crate::seal;
use crate::store::db::Db;
use crate::store::entries::{self, Comparable, NewEntry, Source, Standing};
use crate::store::memories::{self, Memory, NewMemory};
use crate::store::sessions::Scope;
use crate::store::{history, prune, scopes};
use crate::vector::Embedding;

/// An episode mentioned this often is knowledge.
const PROMOTION_MENTIONS: i32 = 3;
/// The importance that promotion gives.
const PROMOTION_IMPORTANCE: f64 = 0.8;

pub struct Consolidated {
    /// `None` when it was only asked what would be done.
    pub id: Option<Uuid>,
    pub members: Vec<Uuid>,
    pub content: String,
}

/// Makes one semantic memory of each group of episodes that say nearly the same; the episodes are archived
/// and linked to it.
pub fn consolidate(db: &Db, user_id: &str, scope: &Scope, dry_run: bool) -> Result<Vec<Consolidated>> {
    if !dry_run {
        scopes::lock(db, user_id)?;
    }
    let episodes = entries::latest_episodes(db, user_id, scope, cluster::WINDOW as i64)?;
    let mut done = Vec::new();
    let models: BTreeSet<&str> = episodes.iter().map(|episode| episode.embedded.model.as_str()).collect();
    for model in models {
        let comparable: Vec<&Comparable> = episodes.iter().filter(|e| e.embedded.model == model).collect();
        let vectors: Vec<&[f32]> = comparable.iter().map(|e| e.embedded.vector.0.as_slice()).collect();
        for group in cluster::groups(&vectors) {
            let members: Vec<&Comparable> = group.iter().map(|&index| comparable[index]).collect();
            done.push(merge(db, user_id, scope, model, &members, dry_run)?);
        }
    }
    Ok(done)
}

fn merge(
    db: &Db,
    user_id: &str,
    scope: &Scope,
    model: &str,
    members: &[&Comparable],
    dry_run: bool,
) -> Result<Consolidated> {
    let ids: Vec<Uuid> = members.iter().map(|member| member.id).collect();
    if !dry_run {
        memories::lock(db, user_id, ids.clone())?;
    }
    let mut texts = memories::by_ids(db, user_id, ids.clone())?;
    texts.sort_by_key(|memory| ids.iter().position(|id| *id == memory.id));
    let content = cluster::merge_texts(texts.iter().map(|memory| memory.content.as_str()));
    if dry_run {
        return Ok(Consolidated {
            id: None,
            members: ids,
            content,
        });
    }
    let step = scopes::decay_steps(db, user_id, scope)?;
    let now: Vec<Standing> = members.iter().map(|member| current(member.standing, step)).collect();
    let vectors: Vec<&[f32]> = members
        .iter()
        .map(|member| member.embedded.vector.0.as_slice())
        .collect();
    let embedded = mean(&vectors).map(|vector| Embedded {
        model: model.to_string(),
        vector: Embedding(vector),
    });
    let id = id::new_id()?;
    set_aside(db, user_id, ids.clone(), "consolidated", Some(id))?;
    store_merged(db, user_id, scope, id, &content, &texts, &now, embedded.as_ref())?;
    history::note(
        db,
        user_id,
        id,
        "consolidated",
        Some(json!({ "members": strings(&ids) })),
    )?;
    Ok(Consolidated {
        id: Some(id),
        members: ids,
        content,
    })
}

#[allow(clippy::too_many_arguments)]
fn store_merged(
    db: &Db,
    user_id: &str,
    scope: &Scope,
    id: Uuid,
    content: &str,
    members: &[Memory],
    standings: &[Standing],
    embedded: Option<&Embedded>,
) -> Result<()> {
    let interpretation = cluster::merge_texts(members.iter().filter_map(|memory| memory.interpretation.as_deref()));
    let interpretation = Some(interpretation.as_str()).filter(|text| !text.is_empty());
    let topics = distinct(members.iter().flat_map(|memory| memory.topics.iter().cloned()));
    let source_messages = distinct(members.iter().flat_map(|memory| memory.source_messages.iter().copied()));
    let moved = members
        .iter()
        .max_by(|a, b| a.emotion_intensity.total_cmp(&b.emotion_intensity));
    let emotion_intensity = moved.map_or(0.0, |memory| memory.emotion_intensity);
    let importance = standings.iter().map(|standing| standing.importance).fold(0.0, f64::max);
    let strength = standings.iter().map(|standing| standing.strength).fold(0.0, f64::max);
    let now = id::timestamp(id::now())?;
    let occurred_at = members
        .iter()
        .map(|memory| memory.occurred_at)
        .max_by_key(|at| at.into_inner())
        .unwrap_or(now);
    // It holds as long as the longest of them.
    let ends: Option<Vec<_>> = members.iter().map(|memory| memory.expires_at).collect();
    let expires_at = ends.and_then(|ends| ends.into_iter().max_by_key(|at| at.into_inner()));
    let session = members.first().and_then(|first| first.session_id.as_deref());
    let one_session = members.iter().all(|memory| memory.session_id.as_deref() == session);
    let session_id = session.filter(|_| one_session);
    let entry = NewEntry {
        source: Source::Memory,
        id,
        scope,
        kind: Kind::Semantic.as_str(),
        occurred_at,
        expires_at,
        standing: Standing {
            importance,
            strength,
            step: standings.first().map_or(0, |standing| standing.step),
            decay: decay_factor(Kind::Semantic, emotion_intensity, importance, false),
        },
        leads: leads(&topics),
        terms: terms(&seal::hasher(db, user_id)?, content, interpretation),
        embedded,
    };
    entries::insert(db, user_id, entry)?;
    let hash = gate::content_hash(db, user_id, content)?;
    let known = memories::by_hash(db, user_id, scope, hash)?;
    let memory = NewMemory {
        id,
        scope,
        session_id,
        kind: Kind::Semantic,
        content,
        content_hash: Some(hash).filter(|_| known.is_none()),
        interpretation,
        topics,
        emotion: moved.and_then(|memory| memory.emotion.as_deref()),
        emotion_intensity,
        mention_count: members.iter().map(|memory| memory.mention_count).sum(),
        pinned: false,
        source: "consolidation",
        source_messages,
        metadata: None,
        occurred_at,
        created_at: now,
        expires_at,
    };
    memories::insert(db, user_id, memory)
}

fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

fn strings(ids: &[Uuid]) -> Vec<String> {
    ids.iter().map(Uuid::to_string).collect()
}

/// Takes a consolidation back: the episodes are active again as they were, the merged memory is gone.
pub fn unconsolidate(db: &Db, user_id: &str, id: Uuid) -> Result<Vec<Uuid>> {
    scopes::lock(db, user_id)?;
    let found = memories::lock(db, user_id, vec![id])?;
    found
        .first()
        .ok_or_else(|| error::not_found("memory", &id.to_string()))?;
    let members = memories::consolidated_into(db, user_id, id)?;
    if members.is_empty() {
        return Err(error::invalid(
            format!("memory \"{id}\" was not made by a consolidation"),
            "memory_unconsolidate takes the id that memory_consolidate gave.",
        ));
    }
    erase(db, user_id, vec![id])?;
    bring_back(db, user_id, members)
}

/// Makes archived memories active again.
pub fn bring_back(db: &Db, user_id: &str, ids: Vec<Uuid>) -> Result<Vec<Uuid>> {
    let mut restored = memories::restore(db, user_id, ids)?;
    restored.sort();
    entries::turn(db, user_id, restored.clone(), Source::Archived, Source::Memory)?;
    for id in &restored {
        history::note(db, user_id, *id, "restored", None)?;
    }
    Ok(restored)
}

/// Deletes memories with everything that belongs to them.
pub fn erase(db: &Db, user_id: &str, ids: Vec<Uuid>) -> Result<usize> {
    for source in [Source::Memory, Source::Archived] {
        entries::delete(db, user_id, source, ids.clone())?;
    }
    history::delete(db, user_id, ids.clone())?;
    memories::delete(db, user_id, ids)
}

/// Makes knowledge of the episodes that are mentioned often.
pub fn promote(db: &Db, user_id: &str, scope: &Scope) -> Result<Vec<Uuid>> {
    scopes::lock(db, user_id)?;
    let step = scopes::decay_steps(db, user_id, scope)?;
    let often = prune::mentioned(db, user_id, scope, PROMOTION_MENTIONS)?;
    for memory in memories::by_ids(db, user_id, often.clone())? {
        let before = json!({ "kind": memory.kind, "importance": memory.importance });
        let standing = current(entries::standing(db, user_id, Source::Memory, memory.id)?, step);
        let decay = decay_factor(
            Kind::Semantic,
            memory.emotion_intensity,
            PROMOTION_IMPORTANCE,
            memory.pinned,
        );
        let promoted = Standing {
            importance: PROMOTION_IMPORTANCE,
            decay,
            ..standing
        };
        entries::set_standing(db, user_id, Source::Memory, memory.id, promoted)?;
        prune::set_kind(db, user_id, memory.id, Kind::Semantic)?;
        history::note(db, user_id, memory.id, "promoted", Some(before))?;
    }
    Ok(often)
}

pub struct Pruned {
    pub archived: Vec<Uuid>,
    pub deleted: usize,
}

/// Archives what has faded without ever being mentioned and what is over the limit of a space, and deletes
/// what was pruned longer ago than it is kept.
pub fn prune(db: &Db, user_id: &str, space: Option<&str>, max_memories: i64, keep_minutes: f64) -> Result<Pruned> {
    scopes::lock(db, user_id)?;
    let mut archived = Vec::new();
    for space in prune::spaces(db, user_id, space)? {
        let faded = prune::faded(db, user_id, &space)?;
        archived.extend(set_aside(db, user_id, faded, "pruned", None)?);
        let excess = prune::excess(db, user_id, &space, max_memories)?;
        archived.extend(set_aside(db, user_id, excess, "pruned", None)?);
    }
    let deleted = purge_space(db, user_id, space, keep_minutes)?;
    Ok(Pruned { archived, deleted })
}

/// Deletes a user's memories that were pruned longer ago than they are kept; the caller holds the user's lock.
pub fn purge(db: &Db, user_id: &str, keep_minutes: f64) -> Result<usize> {
    purge_space(db, user_id, None, keep_minutes)
}

fn purge_space(db: &Db, user_id: &str, space: Option<&str>, keep_minutes: f64) -> Result<usize> {
    let over = memories::purgeable(db, user_id, space, keep_minutes)?;
    if over.is_empty() {
        Ok(0)
    } else {
        erase(db, user_id, over)
    }
}
