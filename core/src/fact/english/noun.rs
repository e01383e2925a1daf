//! What English nouns may be: names, places, jobs, pets, things.

use super::list::{bare, capital, items, join};
use super::token::Word;
use crate::fact::number;
use crate::fact::words::{named, words};

/// Anything that could be a value.
#[must_use]
pub fn plausible(span: &[Word<'_>]) -> bool {
    let n = named();
    let bad = |w: &Word<'_>| words().is(w.low, n.badvalue | n.person) && !capital(w.raw);
    let pronoun = |w: &Word<'_>| words().is(w.low, n.person) && !words().is(w.low, n.family_en) || w.low == "your";
    !span.first().is_none_or(bad)
        && !span.iter().any(pronoun)
        && span.len() <= 12
        && !words().is(bare(&join(span)), n.badvalue)
}

/// What somebody can be called.
#[must_use]
pub fn is_name(span: &[Word<'_>]) -> bool {
    let n = named();
    let known = n.job | n.badvalue | n.person | n.en_stop | n.determiner | n.en_adverb;
    let busy =
        |w: &Word<'_>| words().is(w.low, known) && !capital(w.raw) || w.low.contains(|c: char| c.is_ascii_digit());
    let first = span.first().map_or("", |w| w.low);
    (1..=3).contains(&span.len()) && !span.iter().any(busy) && !words().is(first, n.en_notname)
}

/// A name that nothing announces: capitals, and no word of the lexicon.
#[must_use]
pub fn is_person(span: &[Word<'_>]) -> bool {
    let name = |w: &Word<'_>| {
        let mut chars = w.raw.chars();
        let first = chars.next().is_some_and(char::is_uppercase);
        first && chars.all(|c| c.is_lowercase() || c == '-') && w.raw.len() >= 2 && words().of(w.low) == 0
    };
    (1..=3).contains(&span.len()) && span.iter().all(name)
}

/// A place of the lexicon anywhere in the words, a proper name, or one unknown word.
#[must_use]
pub fn is_place(span: &[Word<'_>]) -> bool {
    let n = named();
    let text = join(span);
    let ends = |from: usize| (from + 1..=span.len()).any(|to| words().is(&join(&span[from..to]), n.place));
    let listed = (0..span.len()).any(ends);
    let first = span.first().map_or("", |w| w.low);
    let number = |w: &Word<'_>| w.low.bytes().all(|b| b.is_ascii_digit());
    let small = |w: &Word<'_>| {
        number(w)
            || matches!(
                w.low,
                "the" | "of" | "near" | "in" | "upstate" | "downtown" | "north" | "south" | "de"
            )
    };
    let proper =
        span.iter().any(|w| capital(w.raw)) && span.len() <= 5 && span.iter().all(|w| capital(w.raw) || small(w));
    let called = span
        .windows(2)
        .any(|w| matches!(w[0].low, "called" | "named") && capital(w[1].raw));
    let vague = words().is(first, n.en_notplace);
    let single = span.len() == 1 && first.len() >= 4 && !first.ends_with("ing") && !vague && words().of(first) == 0;
    let opened = !vague || matches!(first, "a" | "an" | "the" | "my" | "home");
    let other = words().of(&text) & (n.language | n.job) != 0 || text.contains(" house");
    (listed && opened || proper || single || called) && !other
}

/// A job of the lexicon, with or without adjectives before it.
#[must_use]
pub fn is_job(span: &[Word<'_>]) -> bool {
    let n = named();
    let tail = (0..span.len()).any(|from| words().is(&join(&span[from..]), n.job));
    let doubtful = span.iter().any(|w| words().is(w.low, n.en_doubtful));
    words().is(bare(&join(span)), n.job) || (tail && !doubtful && span.len() <= 6)
}

/// A named school; "school" alone names none.
#[must_use]
pub fn is_school(span: &[Word<'_>]) -> bool {
    let n = named();
    let kind = |w: &Word<'_>| words().is(w.low, n.school);
    // Westbrook High, Ohio State: a proper name that ends like a school's.
    let proper = span.len() >= 2
        && span.iter().all(|w| capital(w.raw))
        && span
            .last()
            .is_some_and(|w| matches!(w.low, "high" | "state" | "tech" | "prep" | "uni" | "u"));
    if proper {
        return true;
    }
    let generic = |w: &Word<'_>| matches!(w.low, "school" | "college" | "academy" | "university" | "institute");
    let named_school = span.iter().any(|w| capital(w.raw) || kind(w) && !generic(w));
    span.iter().any(kind) && named_school && plausible(span) && !(span.len() == 1 && generic(&span[0]))
}

/// Where somebody works.
#[must_use]
pub fn is_company(span: &[Word<'_>]) -> bool {
    let n = named();
    let text = join(span);
    let first = span.first().map_or("", |w| w.low);
    let vague = words().is(first, n.en_notcompany) || words().is(&text, n.en_notcompany);
    plausible(span)
        && !vague
        && !first.starts_with(|c: char| c.is_ascii_digit())
        && number::leading(first).is_none()
        && span.len() <= 7
}

/// `a cat`, `two cats`, `cats`: something one has, not something one did (`liked cats`).
fn counted(item: &[Word<'_>]) -> bool {
    let first = item.first().map_or("", |w| w.low);
    let article = matches!(first, "a" | "an" | "another" | "some" | "several" | "many" | "my");
    let sibling = matches!(first, "older" | "younger" | "twin" | "little" | "big");
    article || sibling || number::whole(first).is_some() || words().of(&join(item)) != 0
}

/// The words before a name or a comma.
fn unnamed<'w, 'a>(span: &'w [Word<'a>]) -> &'w [Word<'a>] {
    let cut = |w: &Word<'_>| matches!(w.low, "named" | "called") || w.after_break;
    let end = span.iter().skip(1).position(cut).map_or(span.len(), |at| at + 1);
    &span[..end]
}

/// `two cats named Nabi and Coco`, `a russian blue`: the animal is what the phrase is about.
#[must_use]
pub fn is_pet(span: &[Word<'_>]) -> bool {
    let n = named();
    let other = |w: &Word<'_>| {
        matches!(
            w.low,
            "'s" | "the" | "your" | "this" | "that" | "his" | "her" | "no" | "favorite"
        )
    };
    let animal = |item: &&[Word<'_>]| {
        let tail = (0..item.len()).any(|from| words().is(&join(&item[from..]), n.animal));
        tail && !item.iter().any(other) && item.len() <= 6 && counted(item)
    };
    let parts = items(unnamed(span));
    !parts.is_empty() && parts.iter().all(animal)
}

/// `two younger brothers`, `a twin sister`.
#[must_use]
pub fn is_family(span: &[Word<'_>]) -> bool {
    let n = named();
    let other = |w: &Word<'_>| matches!(w.low, "'s" | "your" | "no" | "like" | "the");
    let kin = |item: &&[Word<'_>]| {
        let head = item.last().is_some_and(|w| words().is(w.low, n.family_en));
        head && item.len() <= 5 && counted(item) && !item.iter().any(other)
    };
    // "eleven grandchildren and two on the way".
    let counted_only = |item: &&[Word<'_>]| item.len() == 1 && number::whole(item[0].low).is_some();
    let parts: Vec<_> = items(unnamed(span)).into_iter().filter(|i| !counted_only(i)).collect();
    !parts.is_empty() && parts.iter().all(kin)
}

/// A thing one can like: of the lexicon, or one to three words that point at nothing in particular.
#[must_use]
pub fn is_thing(item: &[Word<'_>]) -> bool {
    let n = named();
    let text = join(item);
    let listed = words().of(bare(&text)) | words().of(&text);
    if listed & named().things() != 0 {
        return true;
    }
    let first = item.first().map_or("", |w| w.low);
    let head = item.last().map_or("", |w| w.low);
    let loose = |w: &Word<'_>| words().is(w.low, n.determiner | n.person) || matches!(w.low, "a" | "an" | "'s");
    let verbal = ["ing", "ly", "ed"].iter().any(|e| first.ends_with(e));
    let vague = words().is(head, n.en_vague | n.badvalue) || listed & n.badvalue != 0;
    !item.iter().any(loose) && !vague && !verbal && item.len() <= 3 && first.len() >= 3
}

/// A time ahead: `tomorrow`, `next week`, `on Friday`, `in two weeks`.
#[must_use]
pub fn is_soon(span: &[Word<'_>]) -> bool {
    let day = |at: usize| span.get(at).is_some_and(|w| words().is(w.low, named().en_day));
    let near = |at: usize| span.get(at).is_some_and(|w| matches!(w.low, "the" | "this"));
    let text = join(span);
    match span.first().map_or("", |w| w.low) {
        "tomorrow" | "soon" | "tonight" => true,
        "next" | "this" | "on" | "later" | "coming" => day(1) || near(1),
        "in" => {
            day(1)
                || ["week", "day", "month", "hour", "year"]
                    .iter()
                    .any(|u| text.contains(u))
        }
        _ => false,
    }
}

/// `restoring old radios`: something one does, for its own sake.
#[must_use]
pub fn is_gerund(span: &[Word<'_>]) -> bool {
    const VAGUE: [&str; 44] = [
        "being",
        "seeing",
        "having",
        "doing",
        "getting",
        "going",
        "hearing",
        "knowing",
        "feeling",
        "talking",
        "trying",
        "living",
        "giving",
        "sharing",
        "looking",
        "working",
        "helping",
        "meeting",
        "using",
        "putting",
        "taking",
        "thinking",
        "waking",
        "losing",
        "winning",
        "sleeping",
        "spending",
        "coming",
        "nothing",
        "something",
        "everything",
        "anything",
        "morning",
        "evening",
        "during",
        "king",
        "thing",
        "spring",
        "bring",
        "string",
        "ring",
        "wing",
        "amazing",
        "interesting",
    ];
    let n = named();
    let Some(first) = span.first() else { return false };
    let pronoun =
        |w: &Word<'_>| words().is(w.low, n.person) || matches!(w.low, "your" | "his" | "their" | "how" | "what");
    let loose = |w: &Word<'_>| matches!(w.low, "one" | "another" | "some" | "our" | "it") || w.low.ends_with("ly");
    span.len() >= 2
        && span.len() <= 5
        && does(first.low)
        && !VAGUE.contains(&first.low)
        && !span.iter().any(|w| pronoun(w) || loose(w))
}

/// `getting up early`: what somebody may hate to do, at any time.
#[must_use]
pub fn is_chore(span: &[Word<'_>]) -> bool {
    let pronoun =
        |w: &Word<'_>| words().is(w.low, named().person) || matches!(w.low, "your" | "his" | "her" | "their" | "how");
    let first = span.first().map_or("", |w| w.low);
    first.ends_with("ing") && first.len() >= 5 && (2..=5).contains(&span.len()) && !span.iter().any(pronoun)
}

/// Is this the -ing form of something people do for its own sake?
fn does(word: &str) -> bool {
    let Some(stem) = word.strip_suffix("ing").filter(|s| s.len() >= 2) else {
        return false;
    };
    let verb = |base: &str| words().is(base, named().doverb);
    let mut chars = stem.chars().rev();
    let doubled = chars.next() == chars.next();
    verb(stem) || verb(&format!("{stem}e")) || doubled && verb(&stem[..stem.len() - 1])
}

/// `on weekends`, `for extra cash`: beside something else.
#[must_use]
pub fn is_part_time(text: &str) -> bool {
    [
        "part-time",
        "part time",
        "weekends",
        "on the side",
        "extra cash",
        "extra money",
        "after school",
        "after class",
        "in the evenings",
        "in the summer",
    ]
    .iter()
    .any(|t| text.contains(t))
}

#[must_use]
pub fn is_decade(text: &str) -> bool {
    matches!(
        text,
        "teens" | "twenties" | "thirties" | "forties" | "fifties" | "sixties" | "seventies" | "eighties"
    )
}

#[must_use]
pub fn is_ordinal(text: &str) -> bool {
    matches!(
        text,
        "first"
            | "second"
            | "third"
            | "fourth"
            | "fifth"
            | "sixth"
            | "seventh"
            | "eighth"
            | "ninth"
            | "tenth"
            | "eleventh"
            | "twelfth"
            | "1st"
            | "2nd"
            | "3rd"
            | "4th"
            | "5th"
            | "6th"
            | "7th"
            | "8th"
            | "9th"
            | "10th"
            | "11th"
            | "12th"
    )
}

/// Hair, eyes and what else one sees of somebody.
#[must_use]
pub fn is_looks(text: &str) -> bool {
    [
        "hair",
        "eyes",
        "bangs",
        "beard",
        "freckles",
        "dreads",
        "curls",
        "dreadlocks",
        "braids",
        "dimples",
        "skin",
    ]
    .iter()
    .any(|e| text.ends_with(e))
        && !text.contains("'s")
}

/// How often: `every morning`, `twice a week`.
#[must_use]
pub fn is_routine(span: &[Word<'_>]) -> bool {
    let first = span.first().map_or("", |w| w.low);
    let text = join(span);
    match first {
        "every" | "each" | "daily" | "regularly" | "everyday" | "weekly" => true,
        "on" => text.contains("weekends") || text.ends_with("days"),
        "once" | "twice" => text.contains(" a ") || text.contains("daily"),
        _ => number::leading(first).is_some() && text.contains("times a"),
    }
}
