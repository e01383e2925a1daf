//! Clauses of an English sentence: where they start, and whose they are.

use super::list::join;
use super::token::Word;
use crate::fact::hash::FastMap;
use crate::fact::relations::Relation;
use crate::fact::words::{named, words};
use std::sync::LazyLock;

/// Who the clauses of a sentence are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    User,
    Someone(&'static Relation),
}

impl Who {
    /// The other person, if it is one.
    #[must_use]
    pub fn owner(self) -> Option<&'static Relation> {
        match self {
            Self::User => None,
            Self::Someone(relation) => Some(relation),
        }
    }
}

/// The beginning that a clause without a subject takes from the one before: `i`, `i am`, `i have`.
#[derive(Clone, Copy, Debug)]
pub struct Prefix {
    pub who: Who,
    pub verb: Option<&'static str>,
}

impl Prefix {
    /// The beginning of a clause whose verb stands at `at`.
    #[must_use]
    pub fn of(who: Who, list: &[Word<'_>], at: usize) -> Self {
        let verb = match list.get(at).map_or("", |w| w.low) {
            "am" | "is" | "'s" | "are" => Some("am"),
            "have" | "has" => Some("have"),
            _ => None,
        };
        Self { who, verb }
    }
}

/// The part of a sentence that states something: up to an "if", a "says", or the question.
#[must_use]
pub fn stated<'w, 'a>(list: &'w [Word<'a>], question: bool) -> Option<&'w [Word<'a>]> {
    let n = named();
    // "my favorite character" is the user's own.
    let liked = |at: usize| at > 0 && list[at - 1].low == "favorite";
    let gate = (0..list.len())
        .find(|at| words().is(list[*at].low, n.en_gate) && !liked(*at))
        .unwrap_or(list.len());
    let fiction = |w: &[Word<'_>]| words().is(&join(w), n.en_fiction);
    let starts = |at: &usize| words().starting(list[*at].low) & n.en_fiction != 0;
    let told = (0..list.len())
        .filter(starts)
        .any(|at| (2..=3).any(|count| list.get(at..at + count).is_some_and(fiction)));
    if told {
        return None;
    }
    let mut list = &list[..gate];
    if question {
        let starts = |at: &usize| list[*at].after_break || matches!(list[*at].low, "and" | "but" | "so");
        let cut = (1..list.len()).rev().find(starts)?;
        list = &list[..cut];
    }
    let first = list.first()?.low;
    (!question || !words().is(first, n.en_ask)).then_some(list)
}

/// Skips words that open a clause without saying anything; notes a correction.
#[must_use]
pub fn skip_openers(list: &[Word<'_>], mut at: usize) -> (usize, bool) {
    let n = named();
    let mut corrects = false;
    loop {
        let Some(first) = list.get(at) else {
            return (at, corrects);
        };
        let wanted = n.en_opener | n.en_correct;
        let longest = if words().starting(first.low) & wanted != 0 {
            6
        } else {
            1
        };
        let opener = (1..=longest.min(list.len() - at)).rev().find_map(|count| {
            let sets = words().of(&join(&list[at..at + count])) & (n.en_opener | n.en_correct);
            (sets != 0).then_some((count, sets))
        });
        let Some((count, sets)) = opener else {
            return (at, corrects);
        };
        corrects |= sets & n.en_correct != 0;
        at += count;
    }
}

/// Where the next clause starts: after a comma, or after a word that joins clauses.
#[must_use]
pub fn next_clause(list: &[Word<'_>], from: usize) -> usize {
    for (at, word) in list.iter().enumerate().skip(from) {
        if words().is(word.low, named().en_joiner) {
            return at + 1;
        }
        if word.after_break {
            return at;
        }
    }
    list.len()
}

static FIRST_PERSON: LazyLock<FastMap<&'static str, &'static str>> = LazyLock::new(|| {
    let rows = include_str!("../data/verbs_en.tsv")
        .lines()
        .filter(|l| !l.starts_with('#'));
    rows.filter_map(|l| l.split_once('\t')).collect()
});

/// The clause with "i" as its subject and its verb in the first person, so that one set of
/// patterns reads every subject. The verb is the word after the subject.
#[must_use]
pub fn first_person<'a>(list: &[Word<'a>]) -> Vec<Word<'a>> {
    let mut out = list.to_vec();
    if let Some(first) = out.first_mut() {
        first.low = "i";
    }
    let adverb = |w: &Word<'_>| words().is(w.low, named().en_adverb);
    if let Some(verb) = out.iter_mut().skip(1).find(|w| !adverb(w)) {
        verb.low = FIRST_PERSON.get(verb.low).unwrap_or(&verb.low);
    }
    out
}

/// `i do not live in seoul anymore`, `i no longer have a cat`: the clause that no longer holds,
/// said as if it did.
#[must_use]
pub fn no_longer<'a>(list: &[Word<'a>]) -> Option<Vec<Word<'a>>> {
    let low = |at: usize| list.get(at).map_or("", |w| w.low);
    let over = |at: usize| low(at) == "anymore" || (low(at) == "any" && matches!(low(at + 1), "more" | "longer"));
    let end = (0..list.len()).find(|at| over(*at));
    let denial: &[&str] = match (end, low(1), low(2)) {
        (Some(_), "do", "not") => &["do", "not"],
        (Some(_), "am", "not") => &["not"],
        (None, "no", "longer") => &["no", "longer"],
        (None, "am", "no") if low(3) == "longer" => &["no", "longer"],
        _ => return None,
    };
    let cut = end.unwrap_or(list.len());
    let head = list[..cut].iter().enumerate();
    let kept = head.filter(|(at, w)| *at > 3 || !denial.contains(&w.low));
    Some(kept.map(|(_, w)| *w).collect())
}
