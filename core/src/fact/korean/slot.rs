//! What may stand in a slot of a sentence pattern.

use super::noun::*;
use crate::fact::types::named as named_enum;
use crate::fact::words::{Sets, named, words};
use crate::fact::{date, measure, number, value};

/// The kinds of slots, by the names that the pattern files use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    Any,
    Name,
    FullName,
    GivenName,
    Place,
    Age,
    Date,
    Year,
    Height,
    Weight,
    Blood,
    Mbti,
    Choice,
    Job,
    Major,
    School,
    Company,
    Animal,
    Fear,
    Thing,
    /// A thing of the lexicon.
    Known,
    Food,
    Drink,
    Sport,
    Hobby,
    Language,
    Nation,
    Illness,
    Family,
    Trait,
    Grade,
    PlanEvent,
    Event,
    /// What can be eaten or touched, and not borne.
    Eaten,
    Shoe,
    Money,
    Medicine,
    Car,
    Kin,
    Game,
    /// A shop one may keep.
    Shop,
    /// Work that one does: 개발, 디자인.
    Work,
    Subject,
    /// A time of day.
    Hour,
    /// An animal of the years.
    Zodiac,
    Country,
    /// The kind of a pet.
    Pet,
    /// A sum with or without its unit.
    Amount,
}
named_enum!(Slot {
    Any => "any", Name => "name", FullName => "fullname", GivenName => "givenname", Place => "place", Age => "age", Date => "date",
    Year => "year", Height => "height", Weight => "weight", Blood => "blood", Mbti => "mbti", Choice => "choice",
    Job => "job", Major => "major", School => "school", Company => "company", Animal => "animal", Fear => "fear",
    Thing => "thing", Known => "known", Food => "food", Drink => "drink", Sport => "sport", Hobby => "hobby", Language => "language",
    Nation => "nation", Illness => "illness", Family => "family", Trait => "trait", Grade => "grade",
    PlanEvent => "plan_event", Event => "event", Eaten => "eaten", Shoe => "shoe", Money => "money",
    Medicine => "medicine", Car => "car", Kin => "kin", Game => "game", Shop => "shop",
    Work => "work", Subject => "subject", Hour => "hour", Zodiac => "zodiac", Country => "country", Pet => "pet", Amount => "amount",
});

/// Does this text, already freed from particle and copula, fit the slot? `key` is the frame's key,
/// for choices. `marked` says that a particle or copula marks the phrase, which lets unknown nouns
/// pass where a bare word would not.
#[must_use]
pub fn fits(slot: Slot, text: &str, key: &str, marked: bool) -> bool {
    let n = named();
    let head = text.rsplit(' ').next().unwrap_or(text);
    let any = |set: Sets| (words().of(text) | words().class(head)) & set != 0;
    match slot {
        Slot::Any => plausible(text),
        Slot::Name => is_name(text),
        Slot::FullName => is_full_name(text),
        Slot::GivenName => is_given_name(text),
        Slot::Place => is_place(text, marked),
        Slot::Age => value::spoken_age(text).is_some(),
        Slot::Date => date::find(text).is_some() && text.contains('월'),
        Slot::Year => number::whole(text).and_then(date::year).is_some(),
        Slot::Height => has_unit(text, &["cm", "센", "미터", "㎝", "피트"]) && measure::height(text).is_some(),
        Slot::Weight => has_unit(text, &["kg", "킬로", "키로", "㎏"]) && measure::weight(text).is_some(),
        Slot::Blood => text.ends_with('형') && value::blood_type(text).is_some(),
        Slot::Mbti => value::mbti(text).is_some() && !text.contains(' '),
        Slot::Choice => value::choice(key, text).is_some(),
        Slot::Job => any(n.job) || is_job(head),
        Slot::Major => any(n.major) || ["공학", "학과", "어과", "교육과"].iter().any(|s| text.ends_with(s)),
        Slot::School => is_school(head),
        Slot::Company => is_company(text),
        Slot::Animal => is_pet(text),
        Slot::Fear => any(n.fear),
        Slot::Thing => is_thing(text, marked),
        Slot::Known => is_thing(text, false),
        Slot::Food => any(n.food),
        Slot::Drink => any(n.drink),
        Slot::Sport => any(n.sport),
        Slot::Hobby => any(n.hobby | n.sport),
        Slot::Language => any(n.language),
        Slot::Nation => any(n.nation),
        Slot::Illness => any(n.illness),
        Slot::Family => is_family(text),
        Slot::Trait => any(n.trait_),
        Slot::Grade => is_grade(text),
        Slot::PlanEvent => any(n.plan_event),
        Slot::Event => any(n.event),
        Slot::Eaten => any(n.food | n.drink | n.animal | n.allergen | n.flower) && !words().is(text, n.badvalue),
        Slot::Shoe => number::leading(text).is_some_and(|(n, used)| (200..=320).contains(&n) && is_size(&text[used..])),
        Slot::Money => measure::money(text).is_some(),
        Slot::Medicine => any(n.medicine),
        Slot::Car => any(n.car),
        Slot::Kin => crate::fact::relations::relation(text)
            .is_some_and(|r| r.closeness == crate::fact::relations::Closeness::Family),
        Slot::Game => any(n.game),
        Slot::Shop => any(n.shop),
        Slot::Work => any(n.work),
        Slot::Subject => any(n.subject),
        Slot::Hour => is_hour(text),
        Slot::Pet => !text.contains(' ') && text.chars().count() >= 2 && words().class(text) & n.animal != 0,
        Slot::Country => any(n.country),
        Slot::Zodiac => matches!(
            text,
            "쥐" | "소" | "범" | "용" | "뱀" | "말" | "양" | "원숭이" | "닭" | "개" | "돼지" | "토끼" | "호랑이"
        ),
        Slot::Amount => {
            measure::money(text).is_some() || number::whole(&text.replace(',', "")).is_some_and(|n| n >= 1000)
        }
    }
}

/// `새벽 3시`, `열한 시 반`.
fn is_hour(text: &str) -> bool {
    let head = text.find('시').map_or("", |at| text[..at].trim_end());
    let number = head.rsplit(' ').next().unwrap_or(head);
    number::whole(number).is_some_and(|n| (1..=24).contains(&n))
}

fn is_size(unit: &str) -> bool {
    matches!(unit.trim(), "" | "mm" | "밀리" | "미리" | "사이즈")
}

/// A noun that tells its own subject: an age, a type, a word of the lexicon, a full name.
#[must_use]
pub fn is_telling(noun: &str) -> bool {
    let listed = words().meaning(noun) != 0;
    let typed = [
        Slot::Age,
        Slot::Date,
        Slot::Mbti,
        Slot::Blood,
        Slot::Height,
        Slot::Weight,
        Slot::FullName,
        Slot::Family,
        Slot::Grade,
    ];
    listed
        || typed.iter().any(|s| fits(*s, noun, "", true))
        || value::is_telling(noun)
        || noun.ends_with("년생")
        || noun.ends_with("출신")
}

/// Any noun that could be a value: no pronoun, no question word, not a whole sentence.
#[must_use]
pub fn plausible(text: &str) -> bool {
    let n = named();
    let bad = |w: &str| words().is(w, n.badvalue | n.second);
    let head = text.rsplit(' ').next().unwrap_or(text);
    text.chars().any(char::is_alphanumeric)
        && text.split(' ').count() <= 5
        && !text.split(' ').any(bad)
        && !words().is(head, n.person)
}

/// A value that describes a person rather than naming one: a job, an age, a type.
#[must_use]
pub fn is_telling_of_person(text: &str) -> bool {
    [Slot::Job, Slot::Age, Slot::Mbti, Slot::Blood, Slot::Nation, Slot::Trait]
        .iter()
        .any(|s| fits(*s, text, "", true))
}
