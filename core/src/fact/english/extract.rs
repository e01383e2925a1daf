//! Facts of an English sentence: clause by clause, by patterns anchored at the clause's subject.

use super::clause::{Prefix, Who, first_person, next_clause, no_longer, skip_openers, stated};
use super::list::{bare, items, join};
use super::pattern::{Match, Pattern, patterns};
use super::slot::Slot;
use super::token::{Word, tokens};
use crate::fact::emit::{Collector, Found};
use crate::fact::relations::{Closeness, relation};
use crate::fact::sentence::Sentence;
use crate::fact::subjects::Subject;
use crate::fact::types::Op;
use crate::fact::words::{named, words};
use std::ops::Range;

/// Reads one sentence and adds its facts.
pub fn sentence(out: &mut Collector<'_>, s: &Sentence, quotes: &[Range<usize>]) {
    let normal = out.normal;
    let all = tokens(&normal.low, &normal.raw, s.range.start, s.range.end);
    let Some(list) = stated(&all, s.question) else {
        return;
    };
    let before = out.correcting;
    let mut prefix: Option<Prefix> = None;
    let mut at = 0;
    while at < list.len() {
        let (start, corrects) = skip_openers(list, at);
        out.correcting |= corrects;
        let Some(word) = list.get(start) else { break };
        let quoted = quotes.iter().any(|q| q.contains(&word.start));
        let used = if quoted {
            None
        } else {
            clause(out, &list[start..], &mut prefix)
        };
        let end = start + used.unwrap_or(1);
        // "I'm Minji from Korea": what follows needs no comma.
        let from = used.is_some()
            && list
                .get(end)
                .is_some_and(|w| matches!(w.low, "from" | "based" | "living"));
        at = if from { end } else { next_clause(list, end) };
    }
    out.correcting = before;
}

/// Reads one clause; the number of words it took.
fn clause(out: &mut Collector<'_>, list: &[Word<'_>], prefix: &mut Option<Prefix>) -> Option<usize> {
    match list.first()?.low {
        "i" | "user" => {
            *prefix = Some(Prefix::of(Who::User, list, 1));
            about(out, &first_person(list), Who::User)
        }
        "the" if list.get(1).is_some_and(|w| w.low == "user") => clause(out, &list[1..], prefix).map(|n| n + 1),
        "we" => {
            let parted = list.get(1).is_some_and(|w| matches!(w.low, "broke" | "split"));
            let shared = |key: &str| matches!(key, "거주지" | "반려동물") || parted && key == "연애상태";
            by_pattern(out, &first_person(list), Who::User, None, shared)
        }
        // "my husband and i settled in Halifax", "me and my wife live in Ohio".
        "my" | "me" if joint(list).is_some() => {
            let at = joint(list)?;
            if let Some(end) = by_pattern(out, list, Who::User, None, |_| true) {
                return Some(end);
            }
            about(out, &first_person(&list[at..]), Who::User).map(|n| n + at)
        }
        "my" | "our" | "user's" => owned(out, list, prefix),
        "mom" | "dad" | "grandma" | "grandpa" | "mum" | "granny" | "mother" | "father" => {
            let mut with = vec![Word {
                low: "my",
                raw: "my",
                ..list[0]
            }];
            with.extend_from_slice(list);
            owned(out, &with, prefix).map(|n| n.saturating_sub(1))
        }
        // "my son called, he's living in Perth": the one just spoken of.
        "he" | "she" if prefix.is_some_and(|p| p.who != Who::User) => {
            let who = prefix.map_or(Who::User, |p| p.who);
            about(out, &first_person(list), who)
        }
        _ => {
            let direct = super::subject::reversed(out, list);
            let direct = direct.or_else(|| by_pattern(out, list, Who::User, None, |_| true));
            let direct = direct.or_else(|| unowned(out, list));
            direct.or_else(|| match *prefix {
                Some(p) => continued(out, list, p),
                None => fragment(out, list, prefix),
            })
        }
    }
}

/// The last word of a subject that joins the user with somebody.
fn joint(list: &[Word<'_>]) -> Option<usize> {
    let low = |at: usize| list.get(at).map_or("", |w| w.low);
    match low(0) {
        "my" => (2..4)
            .find(|at| low(*at) == "and" && low(at + 1) == "i")
            .map(|at| at + 1),
        "me" if low(1) == "and" && low(2) == "my" => Some(3),
        _ => None,
    }
}

/// A clause in the first person: what holds, or what holds no longer.
fn about(out: &mut Collector<'_>, list: &[Word<'_>], who: Who) -> Option<usize> {
    match no_longer(list) {
        // Who no longer lives with somebody still has them.
        Some(held) => {
            let end = list
                .iter()
                .skip(2)
                .position(|w| w.after_break || w.low == "anymore")
                .map_or(list.len(), |at| at + 3);
            let ended =
                by_pattern(out, &held, who, Some(Op::Retract), |key| key != "가족").map(|_| end.min(list.len()));
            ended.or_else(|| by_pattern(out, list, who, None, |_| true))
        }
        None => by_pattern(out, list, who, None, |_| true),
    }
}

/// `... and work as a nurse`, `..., 25, from Seoul`: the subject of the clause before goes on.
fn continued(out: &mut Collector<'_>, list: &[Word<'_>], prefix: Prefix) -> Option<usize> {
    let first = *list.first()?;
    let word = |low: &'static str| Word {
        low,
        raw: low,
        start: first.start,
        end: first.start,
        after_break: false,
    };
    let mut with: Vec<Word<'_>> = vec![word("i")];
    with.extend_from_slice(list);
    with[1].after_break = false;
    let plain = first_person(&with);
    // "so much energy and love everywhere": joined nouns look like joined verbs.
    let sure = |key: &str| key != "이름" && !key.starts_with('@');
    let found = by_pattern(out, &plain, prefix.who, None, sure).or_else(|| liked(out, &plain, prefix.who));
    if let Some(end) = found {
        return Some(end.saturating_sub(1));
    }
    // "divorced, two sons, one beagle": had, not been.
    let has = |key: &str| matches!(key, "가족" | "반려동물");
    if prefix.verb == Some("am") {
        let mut having = with.clone();
        having.insert(1, word("have"));
        if let Some(end) = by_pattern(out, &having, prefix.who, None, has) {
            return Some(end.saturating_sub(2));
        }
    }
    with.insert(1, word(prefix.verb?));
    let found = by_pattern(out, &with, prefix.who, None, sure).or_else(|| liked(out, &with, prefix.who));
    found.map(|end| end.saturating_sub(2))
}

/// `bday's June 9th`, `favorite color is teal`: the "my" left out.
fn unowned(out: &mut Collector<'_>, list: &[Word<'_>]) -> Option<usize> {
    let own = |w: &Word<'_>| {
        matches!(
            w.low,
            "favorite" | "birthday" | "bday" | "b-day" | "mbti" | "hometown" | "nickname"
        )
    };
    let blood = list.first()?.low == "blood" && list.get(1).is_some_and(|w| w.low == "type");
    (own(list.first()?) || blood)
        .then(|| super::subject::read(out, list, None))
        .flatten()
}

/// `just turned 17`, `lowkey obsessed with jazz`, `single, vegan`: the "I" or "I'm" left out.
fn fragment(out: &mut Collector<'_>, list: &[Word<'_>], prefix: &mut Option<Prefix>) -> Option<usize> {
    let first = list.iter().find(|w| !words().is(w.low, named().en_adverb))?;
    if !words().is(first.low, named().en_fragment) && crate::fact::value::mbti(first.low).is_none() {
        return None;
    }
    let verb = match first.low {
        "single" | "married" | "divorced" | "engaged" | "vegan" | "vegetarian" | "left-handed" | "right-handed"
        | "obsessed" | "addicted" | "hooked" | "allergic" | "terrified" | "scared" | "afraid" | "lactose" => Some("am"),
        _ => None,
    };
    let begun = Prefix { who: Who::User, verb };
    let end = continued(out, list, begun)?;
    *prefix = Some(begun);
    Some(end)
}

/// A continued liking counts when the lexicon knows what is liked.
fn liked(out: &mut Collector<'_>, list: &[Word<'_>], who: Who) -> Option<usize> {
    let known = |w: &Word<'_>| words().of(w.low) & named().things() != 0;
    let liking = list.get(2..).is_some_and(|rest| rest.iter().take(4).any(known));
    liking
        .then(|| by_pattern(out, list, who, None, |key| key.starts_with('@')))
        .flatten()
}

/// `my brother lives in Busan`, `my mom's birthday is May 3`, `my name is Sam`.
fn owned(out: &mut Collector<'_>, list: &[Word<'_>], prefix: &mut Option<Prefix>) -> Option<usize> {
    if let Some(end) = super::subject::read(out, &list[1..], None) {
        return Some(end + 1);
    }
    if let Some(end) = by_pattern(out, list, Who::User, None, |_| true) {
        return Some(end);
    }
    let most = 4.min(list.len().saturating_sub(1));
    let named_by = |count: usize| relation(&join(&list[1..=count])).map(|r| (r, count + 1));
    let (who, used) = (1..=most).rev().find_map(named_by)?;
    *prefix = None;
    if who.closeness == Closeness::Other {
        return None;
    }
    // "my brother Tom is": the name stands between the relation and the verb.
    let name = |w: &&Word<'_>| w.raw.starts_with(char::is_uppercase) && w.low != "i";
    let used = used + usize::from(list.get(used).filter(name).is_some());
    if list.get(used).is_some_and(|w| w.low == "'s")
        && let Some(end) = super::subject::read(out, &list[used + 1..], Some(who))
    {
        return Some(used + 1 + end);
    }
    let someone = Who::Someone(who);
    *prefix = Some(Prefix::of(someone, list, used));
    let mut with = vec![*list.first()?];
    with.extend_from_slice(list.get(used..)?);
    about(out, &first_person(&with), someone).map(|end| end + used - 1)
}

/// Tries the patterns that the clause can follow; the number of words taken by the first that fits.
fn by_pattern(
    out: &mut Collector<'_>,
    list: &[Word<'_>],
    who: Who,
    op: Option<Op>,
    wanted: impl Fn(&str) -> bool,
) -> Option<usize> {
    for pattern in patterns().of(list).filter(|p| wanted(p.key)) {
        if let Some(m) = pattern.matches(list)
            && emit(out, pattern, &m, list, who, op)
        {
            return Some(place_of(out, pattern.key, list, m.end, who).unwrap_or(m.end));
        }
    }
    None
}

/// `studying nursing at Ohio State`, `an engineer at Samsung`: where one studies or works; the words it took.
fn place_of(out: &mut Collector<'_>, key: &str, list: &[Word<'_>], at: usize, who: Who) -> Option<usize> {
    let (slot, place) = match key {
        "전공" | "학년" => (Slot::School, "학교"),
        "직업" => (Slot::Company, "직장"),
        _ => return None,
    };
    let low = |at: usize| list.get(at).map_or("", |w| w.low);
    let named = list
        .get(at + 1)
        .is_some_and(|w| w.raw.starts_with(char::is_uppercase) && !w.after_break);
    if !matches!(low(at), "at" | "for") || !named {
        return None;
    }
    let end = slot.limit(list, at + 1);
    let span = list.get(at + 1..end)?;
    if place == "직장" && !slot.fits(list, at + 1..end, place, true) {
        return None;
    }
    let school = Slot::School.fits(list, at + 1..end, "학교", true);
    let subject = out.subjects.get(if school { "학교" } else { place })?;
    let range = span.first()?.start..span.last()?.end;
    let raw = &out.normal.raw[range.clone()];
    let found = Found {
        subject,
        owner: who.owner(),
        raw,
        fixed: None,
        op: Op::Set,
        span: range,
        confidence: 0.85,
    };
    out.emit(&found).then_some(end)
}

fn emit(out: &mut Collector<'_>, pattern: &Pattern, m: &Match, list: &[Word<'_>], who: Who, op: Option<Op>) -> bool {
    let normal = out.normal;
    let (Some(first), Some(last)) = (list.first(), list.get(m.end.saturating_sub(1))) else {
        return false;
    };
    let span = first.start..last.end.max(first.start);
    let fixed = pattern.fixed.map(str::trim).filter(|f| !f.is_empty());
    let ranges: Vec<Range<usize>> = match (fixed, &m.value) {
        (Some("=clause"), _) => std::iter::once(first.start..clause_end(list, m.end).max(first.start)).collect(),
        (Some("="), _) => vec![literal(list, m)],
        (Some(_), _) => vec![span.clone()],
        (None, Some((slot, range))) => value_ranges(*slot, &list[range.clone()], pattern.key),
        (None, None) => return false,
    };
    let fixed = fixed.filter(|f| !f.starts_with('='));
    let mut hit = false;
    for range in ranges {
        let raw = &normal.raw[range];
        let low = raw.to_lowercase();
        let subject = match pattern.key.strip_prefix('@') {
            Some(kind) => out.subjects.by_frame(kind, meaning_of(&low)),
            None => out.subjects.get(pattern.key),
        };
        let Some(subject) = subject else { continue };
        let op = op.unwrap_or(pattern.op);
        if let (Some((Slot::AgeAdj, range)), Some(job)) = (&m.value, out.subjects.get("직업")) {
            aged_job(out, &list[range.clone()], job, who, &span);
        }
        let found = Found {
            subject,
            owner: who.owner(),
            raw,
            fixed,
            op,
            span: span.clone(),
            confidence: 0.9,
        };
        hit |= out.emit(&found);
    }
    hit
}

/// The sets of something liked, said in the singular or the plural.
fn meaning_of(low: &str) -> crate::fact::words::Sets {
    let plain = bare(low);
    let one = plain.strip_suffix('s').unwrap_or(plain);
    let sets = words().of(low) | words().of(plain);
    if sets & named().things() != 0 {
        return sets;
    }
    let head = plain.rsplit(' ').next().unwrap_or(plain);
    let heads = if head == plain {
        0
    } else {
        (words().of(head) | words().of(&format!("{head}s"))) & (named().food | named().drink | named().movie)
    };
    sets | words().of(&format!("{plain}s")) | words().of(one) | words().class(plain) | heads
}

/// `a 27-year-old nurse` tells a job after the age.
fn aged_job(out: &mut Collector<'_>, list: &[Word<'_>], subject: &Subject, who: Who, span: &Range<usize>) {
    let Some(at) = list.iter().position(|w| w.low.ends_with("old")) else {
        return;
    };
    let rest = &list[at + 1..];
    let (Some(first), Some(last)) = (rest.first(), rest.last()) else {
        return;
    };
    if Slot::Job.fits(rest, 0..rest.len(), "", true) {
        let raw = &out.normal.raw[first.start..last.end];
        out.emit(&Found {
            subject,
            owner: who.owner(),
            raw,
            fixed: None,
            op: Op::Set,
            span: span.clone(),
            confidence: 0.9,
        });
    }
}

/// The pattern's own words as the value: `an only child`, `swim`.
fn literal(list: &[Word<'_>], m: &Match) -> Range<usize> {
    let opening = |w: &Word<'_>| matches!(w.low, "i" | "am" | "have" | "a" | "an" | "the");
    let from = list.iter().position(|w| !opening(w)).unwrap_or(0);
    let to = m.words_end.max(from + 1).min(list.len());
    list[from].start..list[to - 1].end
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
    let named_pets = slot == Slot::Pet && span.iter().any(|w| matches!(w.low, "named" | "called"));
    let single = matches!(
        key,
        "직업" | "직장" | "전공" | "꿈" | "학교" | "이름" | "차" | "좌우명" | "알바" | "목표" | "계획"
    );
    if slot.is_list() && !named_pets && !single {
        // "K-pop, especially BTS".
        let plain = |item: &[Word<'_>]| match item.split_first() {
            Some((first, rest)) if matches!(first.low, "especially" | "particularly" | "specifically" | "mainly") => {
                whole(rest)
            }
            _ => whole(item),
        };
        return items(span).into_iter().filter_map(plain).collect();
    }
    whole(span).into_iter().collect()
}
