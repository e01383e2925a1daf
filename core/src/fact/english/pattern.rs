//! Sentence patterns of English: `patterns_en.tsv` read once.

use super::slot::Slot;
use super::token::Word;
use crate::fact::hash::FastMap;
use crate::fact::types::Op;
use crate::fact::words::{named, words};
use std::ops::Range;
use std::sync::LazyLock;

/// One word or slot of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Word(&'static str),
    Slot(Slot),
}

/// One pattern with its choices made.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub key: &'static str,
    pub op: Op,
    pub fixed: Option<&'static str>,
    parts: Vec<Part>,
}

/// What a pattern took of a clause: words of the value, and where it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    pub value: Option<(Slot, Range<usize>)>,
    /// Where the first slot starts, or the end.
    pub words_end: usize,
    pub end: usize,
}

/// Patterns by their first words, in file order, so that a clause is held only against those it may follow.
#[derive(Default)]
pub struct Patterns {
    all: Vec<Pattern>,
    by_words: FastMap<(&'static str, &'static str), Bucket>,
    by_word: FastMap<&'static str, Vec<usize>>,
    /// Those that start with a slot, by their first word.
    by_anchor: FastMap<&'static str, Vec<usize>>,
    /// Those without any word.
    bare: Vec<usize>,
}

/// Patterns with the same first two words, by the third.
#[derive(Default)]
struct Bucket {
    by_third: FastMap<&'static str, Vec<usize>>,
    /// A slot, or nothing, comes third.
    any: Vec<usize>,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::load);

/// The patterns of the data file.
#[must_use]
pub fn patterns() -> &'static Patterns {
    &PATTERNS
}

impl Patterns {
    fn load() -> Self {
        let mut all = Self::default();
        for line in include_str!("../data/patterns_en.tsv")
            .lines()
            .filter(|l| !l.starts_with('#'))
        {
            let mut columns = line.split('\t');
            let (Some(key), Some(op), Some(text)) = (columns.next(), columns.next(), columns.next()) else {
                continue;
            };
            let Some(op) = Op::from_name(op) else {
                continue;
            };
            let fixed = columns.next();
            for parts in expand(text) {
                all.add(Pattern { key, op, fixed, parts });
            }
        }
        all
    }

    fn add(&mut self, pattern: Pattern) {
        let at = self.all.len();
        match pattern.parts.as_slice() {
            [Part::Word(a), Part::Word(b), rest @ ..] => {
                let bucket = self.by_words.entry((a, b)).or_default();
                match rest.first() {
                    Some(Part::Word(third)) => bucket.by_third.entry(third).or_default().push(at),
                    _ => bucket.any.push(at),
                }
            }
            [Part::Word(a), ..] => self.by_word.entry(a).or_default().push(at),
            parts => match parts.iter().find_map(Part::word) {
                Some(anchor) => self.by_anchor.entry(anchor).or_default().push(at),
                None => self.bare.push(at),
            },
        }
        self.all.push(pattern);
    }

    /// The patterns that a clause may follow: by its first words, adverbs between them left out, and for a clause
    /// without the speaker as subject also those that start with a slot.
    pub fn of<'p>(&'p self, clause: &[Word<'_>]) -> impl Iterator<Item = &'p Pattern> {
        let mut found: Vec<usize> = Vec::with_capacity(32);
        let low = |at: usize| clause.get(at).map_or("", |w| w.low);
        let adverb = |at: &usize| words().is(low(*at), named().en_adverb);
        let first = low(0);
        let plain = (1..clause.len()).find(|at| !adverb(at)).unwrap_or(1);
        for second in [1, plain].into_iter().take(if plain == 1 { 1 } else { 2 }) {
            for name in same(low(second)) {
                let Some(bucket) = self.by_words.get(&(first, name)) else {
                    continue;
                };
                found.extend(&bucket.any);
                let after = (second + 1..clause.len()).find(|at| !adverb(at)).unwrap_or(second + 1);
                for third in [second + 1, after]
                    .into_iter()
                    .take(if after == second + 1 { 1 } else { 2 })
                {
                    let names = same(low(third)).into_iter();
                    found.extend(names.filter_map(|n| bucket.by_third.get(n)).flatten());
                }
            }
        }
        found.extend(self.by_word.get(first).into_iter().flatten());
        if first != "i" {
            let named = clause.iter().flat_map(|w| same(w.low));
            found.extend(named.filter_map(|n| self.by_anchor.get(n)).flatten());
            found.extend(&self.bare);
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().filter_map(|at| self.all.get(at))
    }
}

/// The words of patterns that a word may stand for.
fn same(word: &str) -> [&str; 2] {
    match word {
        "'s" => ["is", "am"],
        "are" => ["are", "is"],
        other => [other, ""],
    }
}

impl Part {
    fn word(&self) -> Option<&'static str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Slot(_) => None,
        }
    }
}

/// Every way to choose among the alternatives of a pattern.
fn expand(text: &'static str) -> Vec<Vec<Part>> {
    let mut all: Vec<Vec<Part>> = vec![Vec::new()];
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (choices, after): (Vec<&'static str>, &'static str) = match rest.strip_prefix('(') {
            Some(open) => match open.split_once(')') {
                Some((inside, after)) => (inside.split('|').collect(), after),
                None => (vec![open], ""),
            },
            None => {
                let end = rest.find(' ').unwrap_or(rest.len());
                (vec![&rest[..end]], &rest[end..])
            }
        };
        rest = after.trim_start();
        all = all
            .into_iter()
            .flat_map(|head| choices.iter().map(move |choice| [head.clone(), parts(choice)].concat()))
            .collect();
    }
    all
}

fn parts(text: &'static str) -> Vec<Part> {
    let part = |w: &'static str| {
        let slot = w
            .strip_prefix('{')
            .and_then(|w| w.strip_suffix('}'))
            .and_then(Slot::from_name);
        slot.map_or(Part::Word(w), Part::Slot)
    };
    text.split_whitespace().map(part).collect()
}

impl Pattern {
    /// Matches the words of a clause from its start.
    #[must_use]
    pub fn matches(&self, clause: &[Word<'_>]) -> Option<Match> {
        step(&self.parts, clause, 0, self.key, (None, None))
    }
}

/// `in my free time, i read`: a comma may follow what such a clause opens with.
fn opens(clause: &[Word<'_>]) -> bool {
    clause
        .first()
        .is_some_and(|w| matches!(w.low, "in" | "for" | "someday" | "one" | "when"))
}

/// The value so far, and where the first slot started.
type Found = (Option<(Slot, Range<usize>)>, Option<usize>);

fn step(parts: &[Part], clause: &[Word<'_>], at: usize, key: &str, found: Found) -> Option<Match> {
    let Some((part, rest)) = parts.split_first() else {
        let (value, first) = found;
        return Some(Match {
            value,
            words_end: first.unwrap_or(at),
            end: at,
        });
    };
    match part {
        Part::Word(word) => {
            let mut at = at;
            loop {
                let here = clause.get(at)?;
                let same = here.low == *word
                    || (*word == "is" && matches!(here.low, "'s" | "are"))
                    || (*word == "am" && here.low == "'s");
                if same && (!here.after_break || at == 0 || opens(clause)) {
                    return step(rest, clause, at + 1, key, found);
                }
                if at == 0 || here.after_break || !words().is(here.low, named().en_adverb) {
                    return None;
                }
                at += 1;
            }
        }
        Part::Slot(slot) => {
            let at = slot.start(clause, at);
            let limit = slot.limit(clause, at);
            // "i go swimming three times a week": a sport needs no clean end.
            let ends: Vec<usize> = if rest.is_empty() && !matches!(*slot, Slot::Sport | Slot::Number) {
                vec![limit]
            } else {
                (at + 1..=limit).rev().collect()
            };
            ends.into_iter()
                .filter(|end| *end > at || *slot == Slot::End)
                .find_map(|end| {
                    if !slot.fits(clause, at..end, key, rest.is_empty()) {
                        return None;
                    }
                    let (value, first) = found.clone();
                    let value = if slot.is_value() && value.is_none() {
                        Some((*slot, at..end))
                    } else {
                        value
                    };
                    step(rest, clause, end, key, (value, first.or(Some(at))))
                })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_expand() {
        assert_eq!(expand("i (love|like|) {thing}").len(), 3);
        assert_eq!(expand("i am").len(), 1);
    }
}
