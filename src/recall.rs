//! Recall: memories and messages ranked by meaning, words, importance, strength and time in one pass.

use std::collections::{HashMap, HashSet};
use std::ffi::CStr;

use memory_core::rank::{self, Signals, Weights};
use memory_core::text::bm25::{Collection, Query};
use memory_core::vector::Probe;
use pgrx::datum::Uuid;

use crate::config;
use crate::embed::Embedded;
use crate::error::{self, Result};
use crate::id;
use crate::seal;
use crate::settings;
use crate::store::db::Db;
use crate::store::entries::Source;
use crate::store::memories::{self, Told};
use crate::store::messages::{self, Message};
use crate::store::recall::{self, Candidate, Filter, Profile, Scan, Steps};
use crate::store::{models, scopes};

/// How many entries each index offers for a big user.
const POOL: i64 = 1_000;

/// A wide beam, and going on past other users' entries until the pool is full. A plan for any user takes this one
/// for an ordinary user, whose entries are quickly sorted; so sorting is ruled out.
const HNSW: [(&CStr, &CStr); 4] = [
    (c"hnsw.ef_search", c"1000"),
    (c"hnsw.iterative_scan", c"relaxed_order"),
    (c"hnsw.max_scan_tuples", c"200000"),
    (c"enable_sort", c"off"),
];

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
    let terms = match request.query {
        Some(query) => seal::hasher(db, request.user_id)?.ids_in_order(query),
        None => Vec::new(),
    };
    let query = Query::new(terms);
    let mut pass = Pass::new(&query, request.embedded);
    let exact = match scopes::big_entries(db, request.user_id)? {
        Some(entries) if entries > config::exact_limit() => {
            through_indexes(db, request, &scan, &mut pass, entries)?;
            false
        }
        _ => {
            recall::scan_all(db, request.user_id, &scan, &mut |c, terms, vector| {
                pass.show(c, terms, vector)
            })?;
            true
        }
    };
    let seen = pass.candidates.len();
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

/// The candidates of one recall and what is known of them.
struct Pass<'q> {
    probe: Option<Probe>,
    words: Collection<'q, usize>,
    candidates: Vec<(Candidate, f64)>,
}

impl<'q> Pass<'q> {
    fn new(query: &'q Query, embedded: Option<&Embedded>) -> Pass<'q> {
        Pass {
            probe: embedded.map(|embedded| Probe::new(&embedded.vector.0)),
            words: Collection::new(query),
            candidates: Vec::new(),
        }
    }

    fn show(&mut self, candidate: Candidate, terms: &[i32], vector: Option<&[f32]>) {
        let similarity = match (&self.probe, vector) {
            (Some(probe), Some(vector)) => probe.cosine(vector),
            _ => 0.0,
        };
        let index = self.candidates.len();
        self.words.add(terms, || index);
        self.candidates.push((candidate, similarity));
    }

    fn best(self, profile: &Profile, k: usize) -> Vec<Hit> {
        let words = self.words.scores();
        let most = words.iter().map(|(_, score)| *score).fold(0.0f32, f32::max);
        let mut keyword = vec![0.0f64; self.candidates.len()];
        for (index, score) in words {
            keyword[index] = f64::from(score / most);
        }
        let now = id::now();
        let hits: Vec<Hit> = self
            .candidates
            .iter()
            .zip(keyword)
            .map(|((candidate, similarity), keyword)| {
                let age = (now - candidate.occurred_at) as f64 / 1e6;
                let signals = Signals {
                    similarity: *similarity,
                    keyword,
                    importance: candidate.importance,
                    strength: candidate.strength,
                    recency: rank::recency(age, profile.halflife_seconds),
                };
                let score = rank::score(&profile.weights, &signals);
                Hit {
                    source: candidate.source,
                    id: candidate.id,
                    score,
                    signals,
                    leads: candidate.leads,
                }
            })
            .collect();
        let items: Vec<(f64, bool, (i64, Uuid))> = hits
            .iter()
            .zip(&self.candidates)
            .map(|(hit, (candidate, _))| (hit.score, candidate.leads, (candidate.occurred_at, candidate.id)))
            .collect();
        rank::top(&items, k).into_iter().map(|index| hits[index]).collect()
    }
}

/// For users with too many entries to look at all: what the newest, the most important, the nearest and the
/// ones with rare words have to offer. Common words are counted on the newest entries as a sample.
fn through_indexes(db: &Db, request: &Request, scan: &Scan, pass: &mut Pass, entries: i64) -> Result<()> {
    let user_id = request.user_id;
    let mut seen: HashSet<Uuid> = HashSet::new();
    let mut once = |pass: &mut Pass, candidate: Candidate, terms: &[i32], vector: Option<&[f32]>| {
        if seen.insert(candidate.id) {
            pass.show(candidate, terms, vector);
        }
    };
    recall::scan_newest(db, user_id, scan, POOL, &mut |c, t, v| once(pass, c, t, v))?;
    let sampled = pass.words.docs().max(1);
    let scale = entries as u64 / sampled + 1;
    let mut estimated: Vec<u64> = pass.words.frequencies().iter().map(|df| df * scale).collect();
    recall::scan_important(db, user_id, scan, POOL, &mut |c, t, v| once(pass, c, t, v))?;
    if let Some(embedded) = request.embedded
        && scan.model_id.is_some()
    {
        settings::during(&HNSW, || {
            recall::scan_nearest(db, user_id, scan, &embedded.vector, POOL, &mut |c, t, v| {
                once(pass, c, t, v)
            })
        })?;
    }
    let rare = rare_terms(pass.words.terms(), &estimated, config::exact_limit() as u64);
    if !rare.is_empty() {
        recall::scan_terms(db, user_id, scan, rare.clone(), &mut |c, t, v| once(pass, c, t, v))?;
    }
    // All entries with a rare word have been seen by now: those are counted, not estimated.
    for (term, estimated) in pass.words.terms().iter().zip(&mut estimated) {
        if rare.contains(term) {
            *estimated = 0;
        }
    }
    pass.words.extrapolate(entries as u64, &estimated);
    Ok(())
}

/// The rarest terms whose entries together are few enough to be looked at.
fn rare_terms(terms: &[i32], estimated: &[u64], limit: u64) -> Vec<i32> {
    let mut by_frequency: Vec<(u64, i32)> = estimated.iter().copied().zip(terms.iter().copied()).collect();
    by_frequency.sort_unstable();
    let mut total = 0;
    by_frequency
        .into_iter()
        .take_while(|(df, _)| {
            total += df;
            total <= limit
        })
        .map(|(_, term)| term)
        .collect()
}
