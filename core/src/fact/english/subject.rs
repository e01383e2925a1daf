//! `my favorite color is blue`: a subject of the table, then its value.

use super::extract::value_ranges;
use super::list::{bare, join};
use super::noun::plausible;
use super::slot::Slot;
use super::token::Word;
use crate::fact::emit::{Collector, Found};
use crate::fact::relations::Relation;
use crate::fact::subjects::{Kind, Subject};
use crate::fact::types::{Cardinality, Category, Class, Op};
use crate::fact::words::{named, words};

/// Reads `<subject> is <value>` (the "my" is already gone); the number of words it took.
pub fn read(out: &mut Collector<'_>, list: &[Word<'_>], owner: Option<&'static Relation>) -> Option<usize> {
    let skip = list
        .iter()
        .take_while(|w| {
            matches!(
                w.low,
                "all-time" | "absolute" | "current" | "actual" | "own" | "new" | "very"
            )
        })
        .count();
    let list_named = &list[skip..];
    let (subject, verb, weak) = subject(out, list_named)?;
    let mut from = verb + 1;
    let aside =
        |w: &Word<'_>| words().is(w.low, named().en_adverb) || matches!(w.low, "on" | "in" | "at" | "coming" | "up");
    while list_named.get(from).is_some_and(|w| aside(w) && !w.after_break) {
        from += 1;
    }
    if subject.key == "꿈" || subject.key == "목표" || subject.key == "계획" || subject.key == "취미" {
        from = skip_becoming(list_named, from);
    }
    let slot = slot_of(subject);
    let to = slot.limit(list_named, from);
    let span = list_named.get(from..to)?;
    if span.is_empty() || !fits(subject, slot, list_named, from..to, weak, owner.is_some()) {
        return None;
    }
    let normal = out.normal;
    let place = list.first()?.start..span.last()?.end;
    let ranges = if subject.cardinality == Cardinality::Many {
        value_ranges(slot, span, &subject.key)
    } else {
        std::iter::once(span[0].start..span.last()?.end).collect()
    };
    let mut hit = false;
    for range in ranges {
        let raw = &normal.raw[range];
        let raw = ["named ", "called "]
            .iter()
            .find_map(|p| raw.strip_prefix(p))
            .unwrap_or(raw);
        hit |= out.emit(&Found {
            subject,
            owner,
            raw,
            fixed: None,
            op: Op::Set,
            span: place.clone(),
            confidence: 0.95,
        });
    }
    hit.then_some(skip + to)
}

/// `pizza is my favorite food`; the number of words it took.
pub fn reversed(out: &mut Collector<'_>, list: &[Word<'_>]) -> Option<usize> {
    let at = list
        .windows(2)
        .position(|w| matches!(w[0].low, "is" | "are" | "'s" | "remains") && w[1].low == "my")?;
    let name = list.get(at + 2..)?;
    let (subject, count) = (1..=5.min(name.len()))
        .rev()
        .find_map(|count| out.subjects.find(&join(&name[..count])).map(|s| (s, count)))?;
    let span = &list[..at];
    let spoken = subject.class == Class::Identity
        && plausible(span)
        && span.len() <= 5
        && !words().is(span[0].low, named().determiner);
    if !spoken
        || !matches!(
            subject.category,
            Category::Preference | Category::Relationship | Category::Habit
        )
        || subject.key == "가족"
    {
        return None;
    }
    if matches!(slot_of(subject), Slot::Name) && !span[0].raw.starts_with(char::is_uppercase) {
        return None;
    }
    let normal = out.normal;
    let raw = &normal.raw[span[0].start..span.last()?.end];
    let place = span[0].start..name[count - 1].end;
    let found = Found {
        subject,
        owner: None,
        raw,
        fixed: None,
        op: Op::Set,
        span: place,
        confidence: 0.9,
    };
    out.emit(&found).then_some(at + 2 + count)
}

/// The subject, where its "is" stands, and whether its name means many things.
fn subject<'s>(out: &Collector<'s>, list: &[Word<'_>]) -> Option<(&'s Subject, usize, bool)> {
    let subjects = out.subjects;
    for count in (1..=6.min(list.len())).rev() {
        let verb = list.get(count).map_or("", |w| w.low);
        let is = matches!(verb, "is" | "are" | "'s" | "would" | "falls" | "remains");
        let adverb = words().is(verb, named().en_adverb);
        let later = adverb && list.get(count + 1).is_some_and(|w| w.low == "is");
        if !is && !later {
            continue;
        }
        let text = join(&list[..count]);
        let text = text.strip_suffix(" of all time").map_or(text.clone(), str::to_owned);
        let pet_name = text
            .strip_suffix("'s name")
            .or_else(|| text.strip_suffix(" name"))
            .filter(|t| words().is(t, named().animal));
        let found = match pet_name {
            Some(_) => subjects.get("반려동물"),
            None => subjects
                .find(&text)
                .or_else(|| subjects.find(text.trim_end_matches('s'))),
        };
        let narrower = || {
            text.starts_with("favorite ")
                .then(|| subjects.find(&format!("favorite {}", list[count - 1].low)))
                .flatten()
        };
        let found = found.or_else(narrower);
        let unknown_favorite = || {
            (text.starts_with("favorite ") && count <= 3 && !text.contains("one") && !text.contains("part"))
                .then(|| subjects.by_frame("like", 0))
                .flatten()
        };
        let Some(subject) = found.or_else(unknown_favorite) else {
            continue;
        };
        let free = subject.category != Category::Other && subject.class != Class::Experience;
        let spoken = !matches!(
            subject.key.as_str(),
            "관계" | "의견" | "근황" | "말투" | "일정" | "약속" | "음주" | "수면"
        );
        let weak = (words().is(&text, named().weak) || subject.key == "반려동물") && pet_name.is_none();
        let verb_at = if is { count } else { count + 1 };
        return (free && spoken).then_some((subject, verb_at, weak));
    }
    None
}

/// `to become a`, `becoming a`, `to`.
fn skip_becoming(list: &[Word<'_>], mut from: usize) -> usize {
    let low = |at: usize| list.get(at).map_or("", |w| w.low);
    if matches!(low(from), "to") {
        from += 1;
    }
    if matches!(low(from), "be" | "become" | "being" | "becoming" | "work" | "working") {
        from += 1;
        from += usize::from(low(from) == "as");
        from += usize::from(matches!(low(from), "a" | "an" | "the"));
    }
    from
}

fn slot_of(subject: &Subject) -> Slot {
    match subject.kind {
        Kind::Name => Slot::Name,
        Kind::MonthDay => Slot::Date,
        Kind::Height => Slot::Height,
        _ if matches!(subject.key.as_str(), "거주지" | "고향") => Slot::Place,
        _ => Slot::Any,
    }
}

fn fits(
    subject: &Subject,
    slot: Slot,
    list: &[Word<'_>],
    range: std::ops::Range<usize>,
    weak: bool,
    owned: bool,
) -> bool {
    let span = &list[range.clone()];
    let first = span[0];
    let text = join(span);
    let n = named();
    let article = matches!(first.low, "a" | "an" | "the");
    let capital = first.raw.starts_with(char::is_uppercase);
    let listed =
        words().of(bare(&text)) & !(n.badvalue | n.en_stop | n.person | n.determiner | n.en_opener | n.en_adverb) != 0;
    match subject.kind {
        Kind::Name => {
            slot.fits(list, range, &subject.key, true)
                && (subject.key != "베프" || capital && !words().is(&text, n.nation))
        }
        Kind::MonthDay | Kind::Age | Kind::Year | Kind::Weight | Kind::BloodType | Kind::Mbti | Kind::Height => true,
        Kind::Choice => {
            crate::fact::value::choice(&subject.key, &text).is_some()
                || listed
                || (plausible(span) && span.len() <= 3 && !weak)
        }
        Kind::Money => text.contains(|c: char| c.is_ascii_digit()),
        Kind::Text => {
            if subject.key == "반려동물" && weak {
                let named_pet = matches!(first.low, "named" | "called");
                return named_pet
                    || span.iter().any(|w| words().is(w.low, n.animal))
                    || words().is(bare(&text), n.animal);
            }
            if matches!(subject.key.as_str(), "직업") {
                let gerund = first.low.ends_with("ing") && span.len() >= 2;
                return Slot::Job.fits(list, range, "", true)
                    || (gerund && !words().is(first.low, n.badvalue))
                    || words().is(bare(&text), n.field)
                    || (article && plausible(span) && span.len() <= 4 && owned);
            }
            if slot == Slot::Place {
                return slot.fits(list, range, "", true) && (!weak || listed || capital);
            }
            let noun = listed
                || capital
                || article
                || (first.low.ends_with("ing")
                    && !matches!(
                        first.low,
                        "boring" | "amazing" | "interesting" | "exhausting" | "coming" | "going" | "getting" | "doing"
                    ));
            plausible(span)
                && (!weak
                    || noun
                    || matches!(
                        subject.key.as_str(),
                        "꿈" | "취미" | "목표" | "계획" | "알레르기" | "공포증"
                    ))
        }
    }
}
