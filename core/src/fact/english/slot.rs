//! Slots of English patterns, and how far a value reaches.

use super::list::{capital, continues, join, titled};
use super::token::Word;
use crate::fact::types::named as named_enum;
use crate::fact::words::{named, words};

/// The kinds of slots, by the names that the pattern file uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    Any,
    Name,
    Person,
    Place,
    Age,
    Decade,
    Number,
    AgeAdj,
    Date,
    Year,
    Height,
    Weight,
    Blood,
    SignedBlood,
    Mbti,
    Choice,
    Job,
    Field,
    LivingVerb,
    Major,
    School,
    Company,
    Subject,
    Grade,
    Pet,
    Family,
    Fear,
    Phobia,
    Illness,
    Thing,
    Food,
    Music,
    Sport,
    SportVerb,
    Hobby,
    HobbyVerb,
    Instrument,
    Language,
    Nation,
    Trait,
    PlanEvent,
    /// A time ahead.
    Soon,
    /// How often.
    Routine,
    /// Nothing more.
    End,
    /// Words that are not the value.
    Skip,
    /// A business one may keep.
    Shop,
    /// A kind of school, as a teacher names it.
    SchoolKind,
    /// When one works who works part-time.
    PartTime,
    Money,
    Ordinal,
    /// A weight with its unit.
    Weighted,
    Hair,
    Medicine,
    /// What can be eaten or touched, and not borne.
    Eaten,
    Phobic,
    Car,
    PetName,
    Animal,
    /// Doing something: `restoring old radios`.
    Gerund,
    /// To do something: `restore old radios`.
    Doing,
    Game,
    /// A thing of the lexicon.
    Known,
    Drink,
    Team,
    /// A proper name.
    Proper,
    /// A first and a last name.
    FullPerson,
    Season,
    /// Something one has to do: `getting up early`.
    Chore,
}
named_enum!(Slot {
    Any => "any", Name => "name", Person => "person", Place => "place", Age => "age",
    Decade => "decade", Number => "number", AgeAdj => "ageadj", Date => "date", Year => "year",
    Height => "height", Weight => "weight", Blood => "blood", SignedBlood => "signedblood",
    Mbti => "mbti", Choice => "choice", Job => "job", Field => "field",
    LivingVerb => "livingverb", Major => "major", School => "school", Company => "company",
    Subject => "subject", Grade => "grade", Pet => "pet", Family => "family", Fear => "fear",
    Phobia => "phobia", Illness => "illness", Thing => "thing", Food => "food", Music => "music",
    Sport => "sport", SportVerb => "sportverb", Hobby => "hobby", HobbyVerb => "hobbyverb",
    Instrument => "instrument", Language => "language", Nation => "nation", Trait => "trait",
    PlanEvent => "planevent", Soon => "soon", Routine => "routine", End => "end", Skip => "skip",
    Shop => "shop", SchoolKind => "schoolkind", PartTime => "parttime", Money => "money", Ordinal => "ordinal", Weighted => "weighted", Hair => "hair", Medicine => "medicine", Eaten => "eaten", Phobic => "phobic", Car => "car", PetName => "petname", Animal => "animal", Gerund => "gerund", Doing => "doing", Game => "game", Known => "known", Drink => "drink", Team => "team", Proper => "proper", FullPerson => "fullperson", Season => "season", Chore => "chore",
});

impl Slot {
    /// Slots that only set conditions hold no value.
    #[must_use]
    pub fn is_value(self) -> bool {
        !self.is_condition() && self != Self::Skip
    }

    fn is_condition(self) -> bool {
        matches!(self, Self::Soon | Self::Routine | Self::End | Self::PartTime)
    }

    /// Several values may stand here: `reading, swimming and hiking`.
    #[must_use]
    pub fn is_list(self) -> bool {
        let things = matches!(self, Self::Any | Self::Thing | Self::Food | Self::Music | Self::Sport);
        things
            || matches!(
                self,
                Self::Hobby | Self::Fear | Self::Language | Self::Illness | Self::Eaten | Self::Known | Self::Medicine
            )
            || self.is_kept()
    }

    /// Pets and family: `two cats named Nabi and Coco`.
    fn is_kept(self) -> bool {
        matches!(self, Self::Pet | Self::Family)
    }

    /// Where the value starts: after adverbs, which say nothing of it (`i am now 26`).
    #[must_use]
    pub fn start(self, clause: &[Word<'_>], mut at: usize) -> usize {
        let keeps = matches!(self, Self::Any | Self::Skip | Self::Thing) || self.is_condition();
        let adverb = |w: &Word<'_>| words().is(w.low, named().en_adverb) && !w.after_break;
        while !keeps && clause.get(at).is_some_and(adverb) {
            at += 1;
        }
        at
    }

    /// The word after the last one that can belong to the value.
    #[must_use]
    pub fn limit(self, clause: &[Word<'_>], at: usize) -> usize {
        let longest = if self.is_condition() { 5 } else { 14 };
        let broken = clause.get(at).is_some_and(|w| w.after_break) && at > 0;
        if broken {
            return at;
        }
        let most = clause.len().min(at + longest);
        (at + 1..most)
            .find(|end| self.stops_before(clause, at, *end))
            .unwrap_or(most)
    }

    fn stops_before(self, clause: &[Word<'_>], at: usize, end: usize) -> bool {
        let word = clause[end];
        let joins = matches!(word.low, "and" | "or" | "&");
        if self == Self::Skip {
            return word.after_break;
        }
        if word.after_break || joins {
            let next = end + usize::from(joins);
            let listed = self.is_list() && continues(clause, next) && self.goes_on(clause, next);
            let year = self == Self::Date && word.low.len() == 4;
            let region = self == Self::Place && word.after_break && capital(word.raw);
            return !(listed
                || year
                || region
                || self == Self::Height
                    && joins
                    && clause
                        .get(next)
                        .is_some_and(|w| w.low.starts_with(|c: char| c.is_ascii_digit())));
        }
        let inner = match self {
            Self::Place => matches!(word.low, "in" | "near" | "called" | "named") && end > at + 1,
            Self::Date => matches!(word.low, "on" | "may"),
            Self::Pet | Self::Family => matches!(word.low, "named" | "called"),
            Self::AgeAdj if matches!(word.low, "based" | "living" | "working" | "who" | "with") => return true,
            Self::Hobby | Self::Thing if known_beyond(clause, at, end) => true,
            Self::Any | Self::Thing | Self::Company | Self::Skip => titled(clause, end),
            other => other.is_condition(),
        };
        !inner && words().is(word.low, named().en_stop)
    }
}

impl Slot {
    /// `two brothers and a cat`: one more of the family, or something else that one has?
    fn goes_on(self, clause: &[Word<'_>], from: usize) -> bool {
        let set = match self {
            Self::Pet => named().animal,
            Self::Family => named().family_en,
            _ => return true,
        };
        let item = clause[from..]
            .iter()
            .enumerate()
            .take_while(|(at, w)| *at == 0 || !w.after_break && w.low != "and");
        let item: Vec<&Word<'_>> = item.map(|(_, w)| w).collect();
        let other = if self == Self::Pet {
            named().family_en
        } else {
            named().animal
        };
        !item.iter().any(|w| words().is(w.low, other) && !words().is(w.low, set))
    }
}

/// `listening to music`: the lexicon knows what goes on over the stop word.
fn known_beyond(clause: &[Word<'_>], at: usize, end: usize) -> bool {
    let longest = clause.len().min(end + 3);
    (end + 2..=longest).any(|to| words().meaning(&join(&clause[at..to])) != 0)
}
