//! Does a stretch of words fit a slot?

use super::list::{bare, items, join};
use super::noun;
use super::slot::Slot;
use super::token::Word;
use crate::fact::words::{Sets, named, words};
use crate::fact::{date, measure, number, value};
use std::ops::Range;

impl Slot {
    /// Do these words of the clause fit? `key` is the pattern's key, for choices; `last` says that
    /// nothing of the pattern follows.
    #[must_use]
    pub fn fits(self, clause: &[Word<'_>], range: Range<usize>, key: &str, last: bool) -> bool {
        let n = named();
        let span = &clause[range.clone()];
        let text = join(span);
        let plain = bare(&text);
        let is = |set: Sets| words().is(plain, set);
        let all = |set: Sets| !span.is_empty() && items(span).iter().all(|i| in_set(i, set));
        let closed = !last || closes(clause, range.end);
        match self {
            Self::Any => noun::plausible(span) && !(last && pointed(clause, range.end)),
            Self::Skip => {
                span.len() <= 5
                    && !span
                        .iter()
                        .any(|w| w.after_break || matches!(w.low, "you" | "i" | "not" | "never"))
            }
            Self::Name => noun::is_name(span),
            Self::Person => closed && noun::is_person(span),
            Self::Place => noun::is_place(span),
            Self::Age => closed && value::age(&text).is_some() && number::leading(&text).is_some_and(|(n, _)| n >= 10),
            Self::Decade => value::age(&text).is_some_and(|v| v.ends_with('대')) || noun::is_decade(&text),
            Self::Number => number::whole(&text).is_some_and(|n| (1..=120).contains(&n)),
            Self::AgeAdj => text.contains("year") && value::age(&text.replace("-year", " year")).is_some(),
            Self::Date => date::find(&text).is_some(),
            Self::Year => text.parse::<u64>().is_ok_and(|y| (1900..=2030).contains(&y)),
            Self::Height => has_unit(&text) && measure::height(value::strip_about(&text)).is_some(),
            Self::Weight => measure::weight(value::strip_about(&text)).is_some(),
            Self::Blood => value::blood_type(&text).is_some(),
            Self::SignedBlood => signed(&text) && value::blood_type(&text).is_some(),
            Self::Mbti => closed && span.len() == 1 && value::mbti(&text).is_some(),
            Self::Choice => closed && value::choice(key, &text).is_some(),
            Self::Job => noun::is_job(span),
            Self::Field => is(n.field) && plain != "it" || span.first().is_some_and(|w| w.raw == "IT"),
            Self::LivingVerb => is(n.livingverb),
            Self::Major => words().class(plain) & n.major != 0,
            Self::School => noun::is_school(span),
            Self::Company => noun::is_company(span),
            Self::Subject => {
                is(words().bit("subject") | n.major | n.language)
                    || span.last().is_some_and(|w| words().is(w.low, n.subject))
            }
            Self::Grade => text.ends_with(" year") || text.ends_with(" grade") || text.starts_with("grade "),
            Self::Pet => noun::is_pet(span),
            Self::Family => noun::is_family(span),
            Self::Fear => all(n.fear),
            Self::Phobia => text.ends_with("phobia"),
            Self::Illness => all(n.illness),
            Self::Thing => !span.is_empty() && items(span).iter().all(|i| noun::is_thing(i)),
            Self::Food => all(n.food),
            Self::Music => all(n.music),
            Self::Sport => all(n.sport),
            Self::SportVerb => is(n.sport | n.hobbyverb),
            Self::Hobby => all(n.hobby),
            Self::HobbyVerb => is(n.hobbyverb),
            Self::Instrument => is(n.instrument),
            Self::Language => all(n.language),
            Self::Nation => closed && is(n.nation),
            Self::Trait => closed && words().is(&text, n.trait_),
            Self::PlanEvent => is(n.plan_event) || span.last().is_some_and(|w| words().is(w.low, n.plan_event)),
            Self::Soon => noun::is_soon(span),
            Self::Routine => noun::is_routine(span),
            Self::End => closes(clause, range.start),
            Self::Shop => span.last().is_some_and(|w| words().is(w.low, n.shop)) || is(n.shop),
            Self::SchoolKind => is(n.schoolkind),
            Self::PartTime => noun::is_part_time(&text),
            Self::Money => text.contains(|c: char| c.is_ascii_digit()) && span.len() <= 3,
            Self::Ordinal => noun::is_ordinal(&text),
            Self::Weighted => {
                ["pounds", "lbs", "lb", "kg", "kilos"].iter().any(|u| text.ends_with(u))
                    && measure::weight(&text).is_some()
            }
            Self::Hair => span.len() >= 2 && span.len() <= 5 && noun::is_looks(&text),
            Self::Medicine => all(n.medicine),
            Self::Eaten => all(n.food | n.drink | n.animal | n.allergen | n.flower),
            Self::Phobic => text.ends_with("phobic"),
            Self::Car => is(n.car) || span.len() <= 4 && span.iter().any(|w| words().is(w.low, n.car)),
            Self::Proper => noun::plausible(span) && span.iter().all(|w| w.raw.starts_with(char::is_uppercase)),
            Self::FullPerson => span.len() >= 2 && noun::is_person(span),
            Self::Chore => noun::is_chore(span),
            Self::Season => is(n.season),
            Self::PetName => span.len() == 1 && span[0].raw.starts_with(char::is_uppercase),
            Self::Animal => is(n.animal),
            Self::Gerund => noun::is_gerund(span) && !is(n.sport),
            Self::Doing => {
                span.len() >= 2 && span.len() <= 5 && words().is(span[0].low, n.doverb) && noun::plausible(span)
            }
            Self::Game => all(n.game),
            Self::Known => all(n.things()),
            Self::Drink => all(n.drink),
            Self::Team => all(words().bit("team")),
        }
    }
}

fn in_set(item: &[Word<'_>], set: Sets) -> bool {
    let text = join(item);
    let plain = bare(&text);
    // "a clown" is one of "clowns".
    let counted =
        || words().is(&format!("{plain}s"), set) || plain.strip_suffix('s').is_some_and(|one| words().is(one, set));
    words().is(&text, set) || words().is(plain, set) || counted()
}

/// The value is over here: nothing follows, or something that starts anew.
fn closes(clause: &[Word<'_>], at: usize) -> bool {
    let Some(word) = clause.get(at) else {
        return true;
    };
    word.after_break || words().is(word.low, named().en_close)
}

const PRONOUNS: [&str; 9] = ["you", "him", "her", "them", "me", "us", "it", "my", "your"];

/// `afraid of losing you`: the words were only the start of something about somebody.
fn pointed(clause: &[Word<'_>], at: usize) -> bool {
    let next = clause.get(at).filter(|w| !w.after_break);
    next.is_some_and(|w| PRONOUNS.contains(&w.low))
}

fn has_unit(text: &str) -> bool {
    text.contains('\'')
        || ["cm", "foot", "feet", "ft", "meter", "metre", "inch", " m", "m tall"]
            .iter()
            .any(|u| text.contains(u))
        || text.ends_with('m')
}

fn signed(text: &str) -> bool {
    text.contains('+') || text.contains("positive") || text.contains("negative")
}
