//! Facts of an English sentence: clause by clause, by patterns anchored at the clause's subject.

use super::pattern::{Match, Pattern, patterns};
use super::slot::{Slot, items};
use super::token::{Word, tokens};
use crate::fact::emit::{Collector, Found};
use crate::fact::relations::{Closeness, Relation, relation};
use crate::fact::sentence::Sentence;
use crate::fact::words::{named, words};
use std::ops::Range;

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

/// The beginning that a clause without a subject takes from the one before: `i` or `i am`.
#[derive(Clone, Copy, Debug)]
struct Prefix {
    who: Who,
    be: bool,
}

/// Reads one sentence and adds its facts.
pub fn sentence(out: &mut Collector<'_>, s: &Sentence, quotes: &[Range<usize>]) {
    let normal = out.normal;
    let all = tokens(&normal.low, &normal.raw, s.range.start, s.range.end);
    let Some(list) = stated(&all, s.question) else { return };
    let before = out.correcting;
    let mut prefix: Option<Prefix> = None;
    let mut at = 0;
    while at < list.len() {
        let (start, corrects) = skip_openers(list, at);
        out.correcting |= corrects;
        let Some(word) = list.get(start) else { break };
        let quoted = quotes.iter().any(|q| q.contains(&word.start));
        let used = if quoted { None } else { clause(out, &list[start..], &mut prefix) };
        at = next_clause(list, start + used.unwrap_or(1));
    }
    out.correcting = before;
}

/// The part of a sentence that states something: up to an "if", a "says", or the question.
fn stated<'w, 'a>(list: &'w [Word<'a>], question: bool) -> Option<&'w [Word<'a>]> {
    let gate = list.iter().position(|w| words().is(w.low, named().en_gate)).unwrap_or(list.len());
    // "I love it if ..." still states its first part; a sentence that opens with "if" states nothing.
    let mut list = &list[..gate];
    if question {
        let cut = (0..list.len()).rev().find(|at| *at == 0 || list[*at].after_break || matches!(list[*at].low, "and" | "but" | "so"))?;
        list = &list[..cut];
    }
    let asks = |w: &str| matches!(w, "what" | "where" | "who" | "how" | "why" | "do" | "does" | "did" | "is" | "are" | "can" | "could" | "would" | "should" | "have" | "has" | "am");
    let first = list.first()?.low;
    (!asks(first) || !question).then_some(list)
}

/// Skips words that open a clause without saying anything; notes a correction.
fn skip_openers(list: &[Word<'_>], mut at: usize) -> (usize, bool) {
    let n = named();
    let mut corrects = false;
    'next: while at < list.len() {
        for count in (1..=5.min(list.len() - at)).rev() {
            let text = super::slot::join(&list[at..at + count]);
            let sets = words().of(&text);
            if sets & (n.en_opener | n.en_correct) != 0 {
                corrects |= sets & n.en_correct != 0;
                at += count;
                continue 'next;
            }
        }
        break;
    }
    (at, corrects)
}

/// Where the next clause starts: after a comma, or after a word that joins clauses.
fn next_clause(list: &[Word<'_>], from: usize) -> usize {
    for (at, word) in list.iter().enumerate().skip(from) {
        if matches!(word.low, "and" | "but" | "so" | "because" | "plus" | "while" | "though" | "although" | "since" | "then" | "cause" | "cuz") {
            return at + 1;
        }
        if word.after_break {
            return at;
        }
    }
    list.len()
}

/// Reads one clause; the number of words it took.
fn clause(out: &mut Collector<'_>, list: &[Word<'_>], prefix: &mut Option<Prefix>) -> Option<usize> {
    let first = list.first()?.low;
    match first {
        "i" | "user" => {
            *prefix = Some(Prefix { who: Who::User, be: list.get(1).is_some_and(|w| matches!(w.low, "am" | "is")) });
            let shifted = first_person(list, 1, Who::User);
            by_pattern(out, &shifted, Who::User).map(|end| end.max(1))
        }
        "the" if list.get(1).is_some_and(|w| w.low == "user") => clause(out, &list[1..], prefix).map(|n| n + 1),
        "we" => {
            let shifted = first_person(list, 1, Who::User);
            by_pattern_for(out, &shifted, Who::User, |key| matches!(key, "거주지" | "반려동물"))
        }
        "my" | "our" | "user's" => owned(out, list, prefix),
        "name" | "names" => by_pattern(out, list, Who::User),
        _ => {
            if let Some(found) = super::subject::reversed(out, list) {
                return Some(found);
            }
            let direct = by_pattern(out, list, Who::User);
            if direct.is_some() {
                return direct;
            }
            let p = (*prefix)?;
            continued(out, list, p)
        }
    }
}

/// `... and work as a nurse`, `..., 25, from Seoul`: the subject of the clause before goes on.
fn continued(out: &mut Collector<'_>, list: &[Word<'_>], prefix: Prefix) -> Option<usize> {
    let first = *list.first()?;
    let word = |low: &'static str| Word { low, raw: low, start: first.start, end: first.start, after_break: false };
    let mut with: Vec<Word<'_>> = vec![word("i")];
    with.extend_from_slice(list);
    with[1].after_break = false;
    let plain = first_person(&with, 1, prefix.who);
    // "so much energy and love everywhere": joined nouns look like joined verbs.
    let wanted = |key: &str| key != "이름" && !key.starts_with('@');
    if let Some(end) = by_pattern_for(out, &plain, prefix.who, wanted).or_else(|| liked(out, &plain, prefix.who)) {
        return Some(end.saturating_sub(1));
    }
    if !prefix.be {
        return None;
    }
    with.insert(1, word("am"));
    by_pattern_for(out, &with, prefix.who, wanted).map(|end| end.saturating_sub(2))
}

/// A continued liking counts when the lexicon knows what is liked.
fn liked(out: &mut Collector<'_>, list: &[Word<'_>], who: Who) -> Option<usize> {
    let known = list.get(2).is_some_and(|w| words().of(w.low) & !(named().en_stop | named().determiner | named().badvalue | named().weak) != 0);
    known.then(|| by_pattern_for(out, list, who, |key| key.starts_with('@'))).flatten()
}

/// `my brother lives in Busan`, `my mom's birthday is May 3`, `my name is Sam`.
fn owned(out: &mut Collector<'_>, list: &[Word<'_>], prefix: &mut Option<Prefix>) -> Option<usize> {
    let found = super::subject::read(out, &list[1..], None);
    if let Some(end) = found {
        return Some(end + 1);
    }
    let direct = by_pattern(out, list, Who::User);
    if direct.is_some() {
        return direct;
    }
    let (who, used) = (1..=4.min(list.len().saturating_sub(1))).rev().find_map(|count| {
        relation(&super::slot::join(&list[1..=count])).map(|r| (r, count + 1))
    })?;
    if who.closeness == Closeness::Other {
        *prefix = None;
        return None;
    }
    let someone = Who::Someone(who);
    let named_too = list.get(used).filter(|w| w.raw.starts_with(char::is_uppercase) && w.low != "i");
    let used = used + usize::from(named_too.is_some());
    if list.get(used).is_some_and(|w| w.low == "'s") {
        if let Some(end) = super::subject::read(out, &list[used + 1..], Some(who)) {
            return Some(used + 1 + end);
        }
    }
    *prefix = Some(Prefix { who: someone, be: list.get(used).is_some_and(|w| matches!(w.low, "is" | "'s" | "are")) });
    let first = *list.first()?;
    let mut with = vec![Word { low: "i", raw: "i", start: first.start, end: first.end, after_break: false }];
    with.extend_from_slice(list.get(used..)?);
    let shifted = first_person(&with, 1, someone);
    by_pattern(out, &shifted, someone).map(|end| end + used - 1)
}

/// The verb in the first person, so that one set of patterns reads every subject.
fn first_person<'a>(list: &[Word<'a>], at: usize, who: Who) -> Vec<Word<'a>> {
    let mut out = list.to_vec();
    if let Some(first) = out.first_mut() {
        first.low = "i";
    }
    let plain = |low: &'a str| match low {
        "is" | "are" | "'s" => "am",
        "has" => "have",
        "does" => "do",
        "lives" => "live",
        "works" => "work",
        "likes" => "like",
        "loves" => "love",
        "hates" => "hate",
        "enjoys" => "enjoy",
        "prefers" => "prefer",
        "studies" => "study",
        "majors" => "major",
        "goes" => "go",
        "attends" => "attend",
        "speaks" => "speak",
        "plays" => "play",
        "owns" => "own",
        "weighs" => "weigh",
        "wants" => "want",
        "teaches" => "teach",
        "smokes" => "smoke",
        "drives" => "drive",
        "were" if who == Who::User => "was",
        other => other,
    };
    if let Some(verb) = out.get_mut(at) {
        verb.low = plain(verb.low);
    }
    out
}

fn by_pattern(out: &mut Collector<'_>, list: &[Word<'_>], who: Who) -> Option<usize> {
    by_pattern_for(out, list, who, |_| true)
}

fn by_pattern_for(out: &mut Collector<'_>, list: &[Word<'_>], who: Who, wanted: impl Fn(&str) -> bool) -> Option<usize> {
    let first = list.first()?.low;
    let adverb = |w: &&Word<'_>| words().is(w.low, named().en_adverb) && !matches!(w.low, "well");
    let second = list.iter().skip(1).find(|w| !adverb(w)).map_or("", |w| w.low);
    let all = patterns();
    let open = if first == "i" { &[][..] } else { all.open.as_slice() };
    let second_any = list.get(1).map_or("", |w| w.low);
    for pattern in all.starting(first, second).chain(all.starting(first, second_any).filter(|_| second_any != second)).chain(open) {
        if !wanted(pattern.key) {
            continue;
        }
        if let Some(m) = pattern.matches(list) {
            if emit(out, pattern, &m, list, who) {
                return Some(m.end);
            }
        }
    }
    None
}

fn emit(out: &mut Collector<'_>, pattern: &Pattern, m: &Match, list: &[Word<'_>], who: Who) -> bool {
    let normal = out.normal;
    let (Some(first), Some(last)) = (list.first(), list.get(m.end.saturating_sub(1))) else { return false };
    let span = first.start..last.end.max(first.start);
    let fixed = pattern.fixed.map(str::trim).filter(|f| !f.is_empty());
    let ranges: Vec<Range<usize>> = match (fixed, &m.value) {
        (Some("=clause"), _) => vec![first.start..clause_end(list, m.end).max(first.start)],
        (Some("="), _) => {
            let from = list.iter().position(|w| !matches!(w.low, "i" | "am" | "have" | "a" | "an" | "the")).unwrap_or(0);
            let to = m.words_end.max(from + 1).min(list.len());
            vec![list[from].start..list[to - 1].end]
        }
        (Some(_), _) => vec![span.clone()],
        (None, Some((slot, range))) => value_ranges(*slot, &list[range.clone()], pattern.key),
        (None, None) => return false,
    };
    let fixed = fixed.filter(|f| !f.starts_with('='));
    let mut hit = false;
    for range in ranges {
        let raw = &normal.raw[range];
        let subject = match pattern.key.strip_prefix('@') {
            Some(kind) => {
                let low = raw.to_lowercase();
                out.subjects.by_frame(kind, words().of(&low) | words().of(super::slot::bare(&low)))
            }
            None => out.subjects.get(pattern.key),
        };
        let Some(subject) = subject else { continue };
        let found = Found { subject, owner: who.owner(), raw, fixed, op: pattern.op, span: span.clone(), confidence: 0.9 };
        hit |= out.emit(&found);
    }
    hit
}

/// The byte where the clause ends that goes on after a pattern.
fn clause_end(list: &[Word<'_>], from: usize) -> usize {
    let stop = |w: &Word<'_>| w.after_break || matches!(w.low, "but" | "because" | "so" | "though");
    let end = (from..list.len()).find(|at| stop(&list[*at])).unwrap_or(list.len());
    list.get(end.saturating_sub(1)).map_or(0, |w| w.end)
}

/// The places of a slot's values in the message.
pub(super) fn value_ranges(slot: Slot, span: &[Word<'_>], key: &str) -> Vec<Range<usize>> {
    let whole = |s: &[Word<'_>]| s.first().zip(s.last()).map(|(a, b)| a.start..b.end);
    let single = matches!(slot, Slot::Pet) && span.iter().any(|w| matches!(w.low, "named" | "called"));
    let kept = matches!(key, "직업" | "직장" | "전공" | "꿈" | "학교" | "이름" | "차" | "좌우명" | "알바");
    if slot.is_list() && !single && !kept {
        return items(span).into_iter().filter_map(whole).collect();
    }
    whole(span).into_iter().collect()
}
