//! Recall: memories and messages ranked by meaning, words, importance, strength and time in one pass.

mod asked;
mod big;
mod pass;

use std::collections::HashMap;

use memory_core::rank::{Signals, Weights};
use pgrx::datum::Uuid;

use crate::config;
use crate::embed::Embedded;
use crate::error::{self, Result};
use crate::store::db::Db;
use crate::store::entries::Source;
use crate::store::memories::{self, Told};
use crate::store::messages::{self, Message};
use crate::store::recall::{self, Filter, Scan, Steps};
use crate::store::{models, scopes};
use asked::Asked;
use pass::Pass;

pub struct Request<'a> {
    pub user_id: &'a str,
    pub query: Option<&'a str>,
    pub embedded: Option<&'a Embedded>,
    pub k: usize,
    pub filter: Filter,
    pub profile: &'a str,
}

#[derive(Clone, Copy)]
pub struct Hit {
    pub source: Source,
    pub id: Uuid,
    pub score: f64,
    pub signals: Signals,
    /// Caution or identity.
    pub leads: bool,
}

/// What a hit is.
pub enum Text {
    Memory(Told),
    Message(Message),
}

/// The profile that measures best.
pub const DEFAULT_PROFILE: &str = "default";

pub struct Recalled {
    pub hits: Vec<Hit>,
    pub weights: Weights,
    /// Entries that were looked at.
    pub seen: usize,
    /// Whether all entries of the user were looked at.
    pub exact: bool,
}

pub fn recall(db: &Db, request: &Request) -> Result<Recalled> {
    let profile = recall::profile(db, request.profile)?.ok_or_else(|| {
        error::invalid(
            format!("there is no recall profile \"{}\"", request.profile),
            "See memory.recall_profiles for those that exist.",
        )
    })?;
    let model_id = match request.embedded {
        Some(embedded) => {
            models::check(db, request.user_id, embedded)?;
            models::find(db, &embedded.model, embedded.vector.0.len())?
        }
        None => None,
    };
    let steps = Steps::of_user(db, request.user_id)?;
    let scan = Scan {
        filter: &request.filter,
        steps: &steps,
        model_id,
    };
    let asked = Asked::new(db, request, &profile.weights)?;
    let mut pass = Pass::new(&asked, request.embedded);
    let exact = match scopes::big_entries(db, request.user_id)? {
        Some(entries) if entries > config::exact_limit() => {
            big::through_indexes(db, request, &scan, &profile.weights, &mut pass, entries)?;
            false
        }
        _ => {
            recall::scan_all(db, request.user_id, &scan, &mut |seen| pass.show(&seen))?;
            true
        }
    };
    let seen = pass.seen();
    Ok(Recalled {
        hits: pass.best(&profile, request.k),
        weights: profile.weights,
        seen,
        exact,
    })
}

/// The texts of the hits, in their order; `None` for one that is gone meanwhile.
pub fn texts(db: &Db, user_id: &str, hits: &[Hit]) -> Result<Vec<Option<Text>>> {
    let of = |message: bool| -> Vec<Uuid> {
        hits.iter()
            .filter(|hit| (hit.source == Source::Message) == message)
            .map(|hit| hit.id)
            .collect()
    };
    let (memory_ids, message_ids) = (of(false), of(true));
    let mut found: HashMap<Uuid, Text> = HashMap::new();
    if !memory_ids.is_empty() {
        found.extend(
            memories::told(db, user_id, memory_ids)?
                .into_iter()
                .map(|m| (m.id, Text::Memory(m))),
        );
    }
    if !message_ids.is_empty() {
        found.extend(
            messages::by_ids(db, user_id, message_ids)?
                .into_iter()
                .map(|m| (m.id, Text::Message(m))),
        );
    }
    Ok(hits.iter().map(|hit| found.remove(&hit.id)).collect())
}
