//! Exact BM25 over the documents of one user.
//!
//! One pass over all documents finds the matches and counts what the formula
//! needs (documents, lengths, document frequencies); the scores follow.

/// How soon repeats of a word stop counting. Lower than the usual 1.2: chat
/// messages are short, and a repeat in one says little.
pub const K1: f32 = 0.9;
/// How much long documents are held back. Lower than the usual 0.75: among
/// messages, the longer one is the one that says something.
pub const B: f32 = 0.4;
/// Distinct terms of a query that are looked at; the rest is ignored.
pub const MAX_QUERY_TERMS: usize = 64;

const FILTER_BITS: usize = 4096;
const FILTER_WORDS: usize = FILTER_BITS / 64;

/// Inverse document frequency, in the form that is never negative.
pub fn idf(docs: u64, df: u64) -> f32 {
    let (n, df) = (docs as f64, df.min(docs) as f64);
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln() as f32
}

/// What one term adds to the score of one document.
pub fn term_score(idf: f32, tf: f32, length: f32, mean_length: f32) -> f32 {
    let pull = 1.0 - B + B * length / mean_length.max(1.0);
    idf * tf * (K1 + 1.0) / (tf + K1 * pull)
}

/// The distinct terms of a query.
#[derive(Clone)]
pub struct Query {
    /// Sorted.
    ids: Vec<i32>,
    /// How often the query says each term.
    weights: Vec<f32>,
    /// One bit per id's low bits: most words of a document are turned away
    /// here without a search.
    filter: [u64; FILTER_WORDS],
}

impl Query {
    /// From ids in reading order, with repeats; the first
    /// [`MAX_QUERY_TERMS`] distinct ones count.
    pub fn new(ids: impl IntoIterator<Item = i32>) -> Self {
        let mut pairs: Vec<(i32, f32)> = Vec::new();
        for id in ids {
            if let Some((_, weight)) = pairs.iter_mut().find(|(seen, _)| *seen == id) {
                *weight += 1.0;
            } else if pairs.len() < MAX_QUERY_TERMS {
                pairs.push((id, 1.0));
            }
        }
        Self::weighted(pairs)
    }

    /// From distinct ids with weights.
    pub fn weighted(mut pairs: Vec<(i32, f32)>) -> Self {
        pairs.truncate(MAX_QUERY_TERMS);
        pairs.sort_unstable_by_key(|&(id, _)| id);
        pairs.dedup_by_key(|&mut (id, _)| id);
        let mut filter = [0; FILTER_WORDS];
        for &(id, _) in &pairs {
            let (word, bit) = filter_slot(id);
            filter[word] |= bit;
        }
        let (ids, weights) = pairs.into_iter().unzip();
        Self { ids, weights, filter }
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The ids, sorted.
    pub fn ids(&self) -> &[i32] {
        &self.ids
    }

    #[inline]
    fn position(&self, id: i32) -> Option<usize> {
        let (word, bit) = filter_slot(id);
        if self.filter[word] & bit == 0 {
            return None;
        }
        self.ids.binary_search(&id).ok()
    }
}

#[inline]
fn filter_slot(id: i32) -> (usize, u64) {
    let low = id.cast_unsigned() as usize % FILTER_BITS;
    (low / 64, 1 << (low % 64))
}

/// Adds to `tfs` how often the document holds each term of the query, and
/// tells whether it holds any. `tfs` has one place per term of the query.
#[inline]
pub fn match_counts(doc_ids: &[i32], query: &Query, tfs: &mut [u16]) -> bool {
    let mut any = false;
    for &id in doc_ids {
        if let Some(i) = query.position(id)
            && let Some(tf) = tfs.get_mut(i)
        {
            *tf = tf.saturating_add(1);
            any = true;
        }
    }
    any
}

/// The pass over a user's documents. `D` is whatever names a document.
pub struct Collection<'q, D> {
    query: &'q Query,
    docs: u64,
    total_length: u64,
    df: Vec<u64>,
    hits: Vec<(D, u32)>,
    /// One row of `query.len()` counts per hit, end to end.
    tfs: Vec<u16>,
    row: Vec<u16>,
}

impl<'q, D> Collection<'q, D> {
    pub fn new(query: &'q Query) -> Self {
        Self {
            query,
            docs: 0,
            total_length: 0,
            df: vec![0; query.len()],
            hits: Vec::new(),
            tfs: Vec::new(),
            row: vec![0; query.len()],
        }
    }

    /// Shows one document; its name is asked for only if it matches.
    pub fn add(&mut self, doc_ids: &[i32], name: impl FnOnce() -> D) -> bool {
        let length = u32::try_from(doc_ids.len()).unwrap_or(u32::MAX);
        self.docs += 1;
        self.total_length += u64::from(length);
        if !match_counts(doc_ids, self.query, &mut self.row) {
            return false;
        }
        self.tfs.extend_from_slice(&self.row);
        for (df, tf) in self.df.iter_mut().zip(&mut self.row) {
            *df += u64::from(*tf > 0);
            *tf = 0;
        }
        self.hits.push((name(), length));
        true
    }

    /// The query's terms, in the order of `frequencies`.
    pub fn terms(&self) -> &[i32] {
        self.query.ids()
    }

    /// How often each term of the query was met so far.
    pub fn frequencies(&self) -> &[u64] {
        &self.df
    }

    /// Takes the shown documents for a part of more: `docs` in all, of the length seen so far, in which a
    /// term occurs at least as often as `frequencies` says.
    pub fn extrapolate(&mut self, docs: u64, frequencies: &[u64]) {
        let docs = docs.max(self.docs);
        self.total_length = (self.mean_length() as f64 * docs as f64) as u64;
        self.docs = docs;
        for (df, estimated) in self.df.iter_mut().zip(frequencies) {
            *df = (*df).max(*estimated);
        }
    }

    /// Documents shown so far.
    pub fn docs(&self) -> u64 {
        self.docs
    }

    /// Documents that match so far.
    pub fn hits(&self) -> usize {
        self.hits.len()
    }

    pub fn mean_length(&self) -> f32 {
        self.total_length as f32 / self.docs.max(1) as f32
    }

    /// The matches with their scores, in the order shown.
    pub fn scores(&self) -> Vec<(D, f32)>
    where
        D: Clone,
    {
        let mean = self.mean_length();
        let weights: Vec<f32> = self
            .df
            .iter()
            .zip(&self.query.weights)
            .map(|(&df, weight)| weight * idf(self.docs, df))
            .collect();
        let rows = self.tfs.chunks_exact(self.query.len().max(1));
        self.hits
            .iter()
            .zip(rows)
            .map(|((doc, length), row)| {
                let score = row
                    .iter()
                    .zip(&weights)
                    .filter(|(tf, _)| **tf > 0)
                    .map(|(&tf, &weight)| term_score(weight, f32::from(tf), *length as f32, mean))
                    .sum();
                (doc.clone(), score)
            })
            .collect()
    }

    /// The scores of groups of documents, each group taken as one document. `group` tells a match's group; `lengths`
    /// has the length of every group, with all of its documents.
    pub fn group_scores(&self, group: impl Fn(&D) -> Option<usize>, lengths: &[u64]) -> Vec<f32> {
        let terms = self.query.len();
        let mut counts = vec![0u32; terms * lengths.len()];
        for ((doc, _), row) in self.hits.iter().zip(self.tfs.chunks_exact(terms.max(1))) {
            let Some(place) = group(doc).and_then(|group| counts.get_mut(group * terms..(group + 1) * terms)) else {
                continue;
            };
            for (count, tf) in place.iter_mut().zip(row) {
                *count += u32::from(*tf);
            }
        }
        let docs = lengths.len() as u64;
        let weights: Vec<f32> = (0..terms)
            .map(|term| {
                let df = (0..lengths.len())
                    .filter(|group| counts[group * terms + term] > 0)
                    .count();
                self.query.weights[term] * idf(docs, df as u64)
            })
            .collect();
        let mean = lengths.iter().sum::<u64>() as f32 / lengths.len().max(1) as f32;
        lengths
            .iter()
            .enumerate()
            .map(|(group, &length)| {
                let row = &counts[group * terms..(group + 1) * terms];
                row.iter()
                    .zip(&weights)
                    .filter(|(tf, _)| **tf > 0)
                    .map(|(&tf, &weight)| term_score(weight, tf as f32, length as f32, mean))
                    .sum()
            })
            .collect()
    }

    /// The best `k`, best first; equal scores keep the order shown.
    pub fn top(&self, k: usize) -> Vec<(D, f32)>
    where
        D: Clone,
    {
        let mut scored: Vec<(usize, (D, f32))> = self.scores().into_iter().enumerate().collect();
        let best_first = |a: &(usize, (D, f32)), b: &(usize, (D, f32))| b.1.1.total_cmp(&a.1.1).then(a.0.cmp(&b.0));
        if k < scored.len() {
            scored.select_nth_unstable_by(k, best_first);
            scored.truncate(k);
        }
        scored.sort_unstable_by(best_first);
        scored.into_iter().map(|(_, hit)| hit).collect()
    }
}
