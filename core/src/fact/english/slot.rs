//! What may stand in a slot of an English pattern, and how far it reaches.

use super::token::Word;
use crate::fact::types::named as named_enum;
use crate::fact::words::{Sets, named, words};
use crate::fact::{date, measure, number, value};
use std::ops::Range;

/// The kinds of slots, by the names that the pattern file uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    Any, Name, Person, Place, Age, Number, AgeAdj, Date, Year, Height, Weight, Blood, SignedBlood, Mbti, Choice, Job, Field,
    LivingVerb, Major, School, Company, Subject, Grade, Pet, Family, Fear, Phobia, Illness, Thing, Food, Music, Sport,
    SportVerb, Hobby, HobbyVerb, Instrument, Language, Nation, Trait, PlanEvent, Soon, Routine, End,
}
named_enum!(Slot {
    Any => "any", Name => "name", Person => "person", Place => "place", Age => "age", Number => "number",
    AgeAdj => "ageadj", Date => "date", Year => "year", Height => "height", Weight => "weight", Blood => "blood",
    SignedBlood => "signedblood", Mbti => "mbti", Choice => "choice", Job => "job", Field => "field",
    LivingVerb => "livingverb", Major => "major", School => "school", Company => "company", Subject => "subject",
    Grade => "grade", Pet => "pet", Family => "family", Fear => "fear", Phobia => "phobia", Illness => "illness",
    Thing => "thing", Food => "food", Music => "music", Sport => "sport", SportVerb => "sportverb", Hobby => "hobby",
    HobbyVerb => "hobbyverb", Instrument => "instrument", Language => "language", Nation => "nation", Trait => "trait",
    PlanEvent => "planevent", Soon => "soon", Routine => "routine", End => "end",
});

impl Slot {
    /// Slots that only set conditions hold no value.
    #[must_use]
    pub fn is_value(self) -> bool {
        !matches!(self, Self::Soon | Self::Routine | Self::End)
    }

    /// Several values may stand here: `reading, swimming and hiking`.
    #[must_use]
    pub fn is_list(self) -> bool {
        matches!(
            self,
            Self::Any | Self::Thing | Self::Food | Self::Music | Self::Sport | Self::Hobby | Self::Fear | Self::Language | Self::Pet | Self::Family
                | Self::Illness
        )
    }

    /// The value starts after adverbs: `i love really spicy food` keeps them, `i am now 26` does not.
    #[must_use]
    pub fn skip_adverbs(self, clause: &[Word<'_>], mut at: usize) -> usize {
        let keeps = matches!(self, Self::Any | Self::End | Self::Soon | Self::Routine | Self::Thing);
        while !keeps && clause.get(at).is_some_and(|w| words().is(w.low, named().en_adverb) && !w.after_break) {
            at += 1;
        }
        at
    }

    /// The word after the last one that can belong to the value.
    #[must_use]
    pub fn limit(self, clause: &[Word<'_>], at: usize, last: bool) -> usize {
        let longest = if matches!(self, Self::Soon | Self::Routine | Self::End) { 4 } else { 14 };
        let mut end = at;
        while end < clause.len() && end - at < longest {
            let word = clause[end];
            if end > at && self.stops_before(clause, at, end) || end == at && word.after_break && at > 0 {
                break;
            }
            end += 1;
        }
        let _ = last;
        end
    }

    fn stops_before(self, clause: &[Word<'_>], at: usize, end: usize) -> bool {
        let word = clause[end];
        let joins = matches!(word.low, "and" | "or" | "&");
        if word.after_break || joins {
            return !(self.is_list() && continues_list(clause, end + usize::from(joins))) && !(self == Self::Date && word.low.len() == 4)
                && !(self == Self::Place && word.after_break && capital(word.raw));
        }
        let inner = match self {
            Self::Place => matches!(word.low, "in" | "near" | "to") && self != Self::Name && end > at + 1,
            Self::Date => matches!(word.low, "on"),
            Self::Pet | Self::Family => matches!(word.low, "and"),
            Self::Soon | Self::Routine | Self::End => true,
            Self::Height => matches!(word.low, "and"),
            Self::Any | Self::Thing | Self::Company => titled(clause, end),
            _ => false,
        };
        !inner && words().is(word.low, named().en_stop)
    }

    /// Do these words fit?
    #[must_use]
    pub fn fits(self, clause: &[Word<'_>], range: Range<usize>, key: &str, last: bool) -> bool {
        let n = named();
        let span = &clause[range.clone()];
        let text = join(span);
        let plain = bare(&text);
        let all = |set: Sets| items(span).iter().all(|item| in_set(item, set)) && !span.is_empty();
        let closed = !last || closes(clause, range.end);
        match self {
            Self::Any => plausible(span),
            Self::Name => is_name(span),
            Self::Person => closed && is_person(span),
            Self::Place => is_place(span),
            Self::Age => closed && (value::age(&text).is_some() && number::leading(&text).is_some_and(|(n, _)| n >= 10)),
            Self::Number => number::whole(&text).is_some_and(|n| (1..=120).contains(&n)),
            Self::AgeAdj => value::age(&text.replace("-year", " year")).is_some() && text.contains("year"),
            Self::Date => date::find(&text).is_some(),
            Self::Year => text.parse::<u64>().is_ok_and(|y| (1900..=2030).contains(&y)),
            Self::Height => text.contains(|c: char| c.is_alphabetic() || c == '\'') && measure::height(&text).is_some(),
            Self::Weight => measure::weight(&text).is_some(),
            Self::Blood => value::blood_type(&text).is_some(),
            Self::SignedBlood => text.contains(['+']) && value::blood_type(&text).is_some() || (text.contains("positive") || text.contains("negative")) && value::blood_type(&text).is_some(),
            Self::Mbti => closed && value::mbti(&text).is_some() && span.len() == 1,
            Self::Choice => closed && value::choice(key, &text).is_some(),
            Self::Job => is_job(span),
            Self::Field => words().is(plain, n.field),
            Self::LivingVerb => words().is(plain, n.livingverb),
            Self::Major => words().is(plain, n.major),
            Self::School => is_school(span),
            Self::Company => is_company(span),
            Self::Subject => words().is(plain, words().bit("subject") | n.major | n.language),
            Self::Grade => text.ends_with(" year") || text.ends_with(" grade") || text.starts_with("grade "),
            Self::Pet => is_pet(span),
            Self::Family => is_family(span),
            Self::Fear => all(n.fear),
            Self::Phobia => text.ends_with("phobia"),
            Self::Illness => all(n.illness),
            Self::Thing => items(span).iter().all(|item| is_thing(item)) && !span.is_empty(),
            Self::Food => all(n.food),
            Self::Music => all(n.music),
            Self::Sport => all(n.sport),
            Self::SportVerb => words().is(plain, n.sport | n.hobbyverb),
            Self::Hobby => all(n.hobby),
            Self::HobbyVerb => words().is(plain, n.hobbyverb),
            Self::Instrument => words().is(plain, n.instrument),
            Self::Language => all(n.language),
            Self::Nation => closed && words().is(plain, n.nation),
            Self::Trait => closed && words().is(&text, n.trait_),
            Self::PlanEvent => words().is(plain, n.plan_event) || span.last().is_some_and(|w| words().is(w.low, n.plan_event)),
            Self::Soon => is_soon(span),
            Self::Routine => is_routine(span),
            Self::End => closes(clause, range.start),
        }
    }
}

/// The words with one space between them.
#[must_use]
pub fn join(span: &[Word<'_>]) -> String {
    let mut out = String::new();
    for word in span {
        if !out.is_empty() && word.low != "'s" {
            out.push(' ');
        }
        out.push_str(word.low);
    }
    out
}

/// Without a leading article.
#[must_use]
pub fn bare(text: &str) -> &str {
    ["a ", "an ", "the ", "my ", "some "].iter().find_map(|a| text.strip_prefix(a)).unwrap_or(text)
}

/// The parts of a list. `mac and cheese` is one thing: a whole that the lexicon knows is not cut.
#[must_use]
pub fn items<'w, 'a>(span: &'w [Word<'a>]) -> Vec<&'w [Word<'a>]> {
    if words().of(bare(&join(span))) != 0 {
        return vec![span];
    }
    let mut out = Vec::new();
    let mut start = 0;
    for (at, word) in span.iter().enumerate() {
        let joins = matches!(word.low, "and" | "or" | "&" | "also");
        if at > start && (joins || word.after_break) {
            out.push(&span[start..at]);
            start = at;
        }
        if joins && start == at {
            start = at + 1;
        }
    }
    if start < span.len() {
        out.push(&span[start..]);
    }
    out.retain(|item| !item.is_empty());
    out
}

fn in_set(item: &[Word<'_>], set: Sets) -> bool {
    let text = join(item);
    words().is(&text, set) || words().is(bare(&text), set)
}

fn capital(raw: &str) -> bool {
    raw.chars().next().is_some_and(char::is_uppercase)
}

/// A small word inside a title: `The Lord of the Rings`, `Gone with the Wind`.
fn titled(clause: &[Word<'_>], at: usize) -> bool {
    let next = clause.get(at + 1).is_some_and(|w| capital(w.raw) || (w.low == "the" && clause.get(at + 2).is_some_and(|w| capital(w.raw))));
    at > 0 && capital(clause[at - 1].raw) && next && clause[at].low != "i"
}

/// After a comma or "and": one more item, or a new clause? A clause starts with its subject or verb.
fn continues_list(clause: &[Word<'_>], at: usize) -> bool {
    let Some(word) = clause.get(at) else { return false };
    let at = if matches!(word.low, "and" | "or" | "also" | "sometimes") { at + 1 } else { at };
    let Some(word) = clause.get(at) else { return false };
    let n = named();
    let clause_verb = matches!(
        word.low,
        "live" | "work" | "study" | "like" | "love" | "hate" | "enjoy" | "play" | "want" | "know" | "think" | "got" | "went" | "go" | "moved"
            | "speak" | "use" | "need" | "feel" | "hope" | "am" | "been" | "born" | "her" | "his" | "the" | "their" | "our" | "left-handed" | "single" | "married"
    );
    let article_the = word.low == "the" && words().is(&format!("the {}", clause.get(at + 1).map_or("", |w| w.low)), n.sport | n.music | n.movie);
    (!clause_verb || article_the) && !words().is(word.low, n.en_stop | n.en_opener)
}

/// The value is over here: nothing follows, or something that starts anew.
fn closes(clause: &[Word<'_>], at: usize) -> bool {
    let Some(word) = clause.get(at) else { return true };
    word.after_break
        || matches!(
            word.low,
            "and" | "but" | "so" | "because" | "now" | "too" | "right" | "currently" | "lol" | "btw" | "though" | "since" | "by" | "years" | "as"
                | "these" | "haha" | "if" | "while" | "who" | "i" | "this" | "tho" | "already" | "again" | "still" | "today" | "actually" | "anyway"
        )
}

/// Anything that could be a value.
#[must_use]
pub fn plausible(span: &[Word<'_>]) -> bool {
    let n = named();
    let first_bad = span.first().is_none_or(|w| words().is(w.low, n.badvalue | n.person) && !capital(w.raw));
    let pronoun = span.iter().any(|w| matches!(w.low, "you" | "your" | "him" | "her" | "them" | "what" | "it" | "me" | "us"));
    !first_bad && !pronoun && span.len() <= 12 && !words().is(bare(&join(span)), n.badvalue)
}

fn is_name(span: &[Word<'_>]) -> bool {
    let n = named();
    let known = n.job | n.badvalue | n.person | n.en_stop | n.determiner | n.en_adverb;
    let busy = |w: &Word<'_>| words().is(w.low, known) && !capital(w.raw) || w.low.contains(|c: char| c.is_ascii_digit());
    (1..=3).contains(&span.len())
        && !span.iter().any(busy)
        && !matches!(span[0].low, "later" | "back" | "tomorrow" | "when" | "if" | "a" | "an" | "crazy" | "old" | "out" | "stupid" | "anytime" | "whatever" | "asap")
}

fn is_person(span: &[Word<'_>]) -> bool {
    let name = |w: &Word<'_>| {
        let mut chars = w.raw.chars();
        let tail_lower = chars.next().is_some_and(char::is_uppercase) && chars.all(|c| c.is_lowercase() || c == '-');
        tail_lower && w.raw.len() >= 2 && words().of(w.low) == 0
    };
    (1..=3).contains(&span.len()) && span.iter().all(name)
}

fn is_place(span: &[Word<'_>]) -> bool {
    let n = named();
    let text = join(span);
    let listed = (0..span.len()).any(|from| {
        (from + 1..=span.len()).any(|to| words().is(&join(&span[from..to]), n.place))
    });
    let first = span.first().map_or("", |w| w.low);
    let proper = span.iter().all(|w| capital(w.raw) || matches!(w.low, "the" | "of" | "near" | "in" | "upstate" | "downtown" | "north" | "south" | "de"));
    let single = span.len() == 1 && first.len() >= 4 && !first.ends_with("ing") && !words().is(first, n.en_notplace) && words().of(first) == 0;
    (listed && !words().is(first, n.en_notplace) || listed && matches!(first, "a" | "the" | "downtown" | "my" | "home") || (proper && span.iter().any(|w| capital(w.raw)) && span.len() <= 5) || single)
        && !text.contains(" house") && words().of(&text) & (n.language | n.job) == 0
}

fn is_job(span: &[Word<'_>]) -> bool {
    let n = named();
    let text = join(span);
    let plain = bare(&text);
    let tail = (0..span.len()).any(|from| words().is(&join(&span[from..]), n.job));
    let doubtful = span.iter().any(|w| matches!(w.low, "no" | "terrible" | "bad" | "horrible" | "'s" | "former" | "ex" | "not" | "of" | "wannabe" | "huge" | "big" | "great"));
    words().is(plain, n.job) || (tail && !doubtful && span.len() <= 6)
}

fn is_school(span: &[Word<'_>]) -> bool {
    let n = named();
    let has = span.iter().any(|w| words().is(w.low, n.school));
    has && span.iter().any(|w| capital(w.raw) || (words().is(w.low, n.school) && w.low.len() <= 8 && !matches!(w.low, "school" | "college" | "academy"))) && plausible(span)
        && (span.len() > 1 || !matches!(span[0].low, "school" | "college" | "university" | "academy" | "institute"))
}

fn is_company(span: &[Word<'_>]) -> bool {
    let bad = ["home", "night", "my", "the", "it", "them", "myself", "free", "change", "peace", "this", "that", "least", "being", "making", "him", "her", "living", "school"];
    let first = span.first().map_or("", |w| w.low);
    let the = first == "the" && span.len() >= 2;
    plausible(span) && (the || !bad.contains(&first)) && !first.starts_with(|c: char| c.is_ascii_digit()) && span.len() <= 7
        && !matches!(join(span).as_str(), "the moment" | "the weekend" | "the same time" | "the office" | "the end" | "the best" | "a living")
}

/// `a cat`, `two cats`, `cats`: something one has, not something one did (`liked cats`).
fn counted(item: &[Word<'_>]) -> bool {
    let first = item.first().map_or("", |w| w.low);
    let article = matches!(first, "a" | "an" | "another" | "some" | "several" | "many" | "my" | "older" | "younger" | "twin");
    article || number::whole(first).is_some() || words().of(&join(item)) != 0
}

/// `two cats named Nabi and Coco`, `a russian blue`: the animal is what the phrase is about.
fn is_pet(span: &[Word<'_>]) -> bool {
    let n = named();
    let named_at = span.iter().position(|w| matches!(w.low, "named" | "called") || w.after_break).unwrap_or(span.len());
    let parts = items(&span[..named_at]);
    let animal = |item: &[Word<'_>]| {
        let tail = (0..item.len()).any(|from| words().is(&join(&item[from..]), n.animal));
        let owned = item.iter().any(|w| matches!(w.low, "'s" | "the" | "your" | "this" | "that" | "his" | "her" | "no" | "favorite"));
        tail && !owned && item.len() <= 6 && counted(item)
    };
    !parts.is_empty() && parts.iter().all(|p| animal(p))
}

fn is_family(span: &[Word<'_>]) -> bool {
    let n = named();
    let named_at = span.iter().position(|w| matches!(w.low, "named" | "called") || w.after_break).unwrap_or(span.len());
    let parts = items(&span[..named_at]);
    let kin = |item: &[Word<'_>]| item.last().is_some_and(|w| words().is(w.low, n.family_en)) && item.len() <= 5 && counted(item) && !item.iter().any(|w| matches!(w.low, "'s" | "your" | "no" | "like" | "the"));
    !parts.is_empty() && parts.iter().all(|p| kin(p))
}

/// A thing one can like.
fn is_thing(item: &[Word<'_>]) -> bool {
    let n = named();
    let text = join(item);
    let listed = words().of(bare(&text)) | words().of(&text);
    let generic = n.badvalue | n.person | n.en_stop | n.en_adverb | n.en_opener | n.determiner | n.family_en | n.weak | n.en_notplace | n.job | n.plan_event | n.livingverb | n.hobbyverb | n.en_correct | n.en_gate | n.joke | n.nation | n.field | n.school;
    if listed & !generic != 0 {
        return true;
    }
    let Some(first) = item.first() else { return false };
    let loose = item.iter().any(|w| words().is(w.low, n.determiner | n.person) || matches!(w.low, "a" | "an" | "'s"));
    let vague = ["stuff", "things", "thing", "idea", "way", "part", "time", "times", "day", "days", "support", "vibe", "energy", "ideas", "challenges", "moments", "thoughts", "advice", "someone", "kind"];
    let head = item.last().map_or("", |w| w.low);
    !loose && item.len() <= 3 && listed & n.badvalue == 0 && !vague.contains(&head) && !first.low.ends_with("ing") && !first.low.ends_with("ly") && first.low.len() >= 3 && !first.low.ends_with("ed")
}

fn is_soon(span: &[Word<'_>]) -> bool {
    let text = join(span);
    let first = span.first().map_or("", |w| w.low);
    let day = |w: &str| ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend", "week", "month", "year", "summer", "winter", "spring", "fall", "semester", "morning", "afternoon", "evening", "december", "november", "october", "september", "august", "july", "june", "may", "april", "march", "february", "january"].contains(&w);
    let second = span.get(1).map_or("", |w| w.low);
    match first {
        "tomorrow" | "soon" | "tonight" => true,
        "next" | "this" | "on" | "later" | "coming" => day(second) || second == "the" || second == "this",
        "in" => text.contains("week") || text.contains("day") || text.contains("month") || day(second) || text.contains("hour") || text.contains("year"),
        _ => false,
    }
}

fn is_routine(span: &[Word<'_>]) -> bool {
    let first = span.first().map_or("", |w| w.low);
    let text = join(span);
    match first {
        "every" | "each" | "daily" | "regularly" | "everyday" | "weekly" => true,
        "on" => text.contains("weekends") || text.ends_with("days"),
        "once" | "twice" => text.contains(" a ") || text.contains("daily"),
        _ => number::leading(first).is_some() && text.contains("times a") || text.contains("a week"),
    }
}
