//! Users with too many entries to look at all.

use std::collections::HashSet;
use std::ffi::CStr;

use memory_core::rank::Weights;
use pgrx::datum::Uuid;

use super::Request;
use super::pass::Pass;
use crate::config;
use crate::error::Result;
use crate::settings;
use crate::store::db::Db;
use crate::store::recall::{self, Scan, Seen};

/// How many entries each index offers for a big user.
const POOL: i64 = 1_000;
/// How many messages are looked at with what stands around them.
const PROMISING: usize = 300;

/// A wide beam, and going on past other users' entries until the pool is full. A plan for any user takes this one
/// for an ordinary user, whose entries are quickly sorted; so sorting is ruled out.
const HNSW: [(&CStr, &CStr); 4] = [
    (c"hnsw.ef_search", c"1000"),
    (c"hnsw.iterative_scan", c"relaxed_order"),
    (c"hnsw.max_scan_tuples", c"200000"),
    (c"enable_sort", c"off"),
];

/// What the newest, the most important, the nearest and the
/// ones with rare words have to offer. Common words are counted on the newest entries as a sample.
pub fn through_indexes(
    db: &Db,
    request: &Request,
    scan: &Scan,
    weights: &Weights,
    pass: &mut Pass,
    entries: i64,
) -> Result<()> {
    let user_id = request.user_id;
    let mut seen: HashSet<Uuid> = HashSet::new();
    let mut once = |pass: &mut Pass, found: Seen| {
        if seen.insert(found.candidate.id) {
            pass.show(&found);
        }
    };
    recall::scan_newest(db, user_id, scan, POOL, &mut |found| once(pass, found))?;
    let sampled = pass.words().docs().max(1);
    let scale = entries as u64 / sampled + 1;
    let mut estimated: Vec<u64> = pass.words().frequencies().iter().map(|df| df * scale).collect();
    recall::scan_important(db, user_id, scan, POOL, &mut |found| once(pass, found))?;
    if let Some(embedded) = request.embedded
        && scan.model_id.is_some()
    {
        settings::during(&HNSW, || {
            recall::scan_nearest(db, user_id, scan, &embedded.vector, POOL, &mut |found| {
                once(pass, found)
            })
        })?;
    }
    let rare = rare_terms(pass.words().terms(), &estimated, config::exact_limit() as u64);
    if !rare.is_empty() {
        recall::scan_terms(db, user_id, scan, rare.clone(), &mut |found| once(pass, found))?;
    }
    // All entries with a rare word have been seen by now: those are counted, not estimated.
    for (term, estimated) in pass.words().terms().iter().zip(&mut estimated) {
        if rare.contains(term) {
            *estimated = 0;
        }
    }
    pass.words().extrapolate(entries as u64, &estimated);
    if weights.neighbours != 0.0 {
        let found: Vec<(String, i64, Uuid)> = pass
            .promising(weights, PROMISING)
            .into_iter()
            .map(|(session, at, id)| (session.to_string(), at, id))
            .collect();
        recall::scan_around(db, user_id, scan, &found, &mut |found| once(pass, found))?;
    }
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
