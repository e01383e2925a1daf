//! The words this module speaks in: categories, classes, owners, facts.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Gives an enum its SQL names in both directions, so that the names stand in one place.
macro_rules! named {
    ($ty:ident { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $ty {
            /// Every variant, in declaration order.
            #[allow(dead_code)] // not every enum is listed in SQL
            pub const ALL: &[$ty] = &[$($ty::$variant),+];

            /// The name used in SQL and in the data files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($ty::$variant => $name),+ }
            }

            /// The variant with this name; names are exact.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some($ty::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(crate) use named;

/// What part of the user's life a fact belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Category {
    PersonalInfo,
    Preference,
    Relationship,
    Goal,
    Event,
    Habit,
    Opinion,
    Other,
}
named!(Category {
    PersonalInfo => "PERSONAL_INFO",
    Preference => "PREFERENCE",
    Relationship => "RELATIONSHIP",
    Goal => "GOAL",
    Event => "EVENT",
    Habit => "HABIT",
    Opinion => "OPINION",
    Other => "OTHER",
});

/// How long a fact lasts. It follows from the subject alone, never from words in the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Who the user is: always shown to the model.
    Identity,
    /// What holds for now: plans, appointments, opinions.
    Moment,
    /// What user and agent did together: kept apart from facts.
    Experience,
}
named!(Class { Identity => "identity", Moment => "moment", Experience => "experience" });

/// How many current values a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cardinality {
    Single,
    Many,
}
named!(Cardinality { Single => "single", Many => "many" });

/// What the caller should do with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// The value of a single-valued key.
    Set,
    /// One more value of a many-valued key.
    Add,
    /// The value (or, when it is empty, the whole key) no longer holds.
    Retract,
    /// Replaces what was said before.
    Correct,
}
named!(Op { Set => "set", Add => "add", Retract => "retract", Correct => "correct" });

/// Who wrote the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    User,
    Assistant,
}
named!(Speaker { User => "user", Assistant => "assistant" });

/// Whose fact it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    User,
    /// The canonical word for the other person, as in `relations.tsv` (`동생`, `엄마`).
    Other(String),
}

/// One fact found in a message.
///
/// `key` already names the owner: a fact about somebody else is `<owner> <subject>`
/// (`동생 직업`), so that it can never overwrite the user's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    pub key: String,
    /// Normal form, for comparing and correcting. See [`super::value`].
    pub value: String,
    /// The words as they were written, for showing.
    pub raw: String,
    /// Bytes of the message that state the fact.
    pub span: Range<usize>,
    pub category: Category,
    pub class: Class,
    pub cardinality: Cardinality,
    pub op: Op,
    pub owner: Owner,
    /// 0 to 1: how sure the rule is.
    pub confidence: f32,
}

/// One statement (`주제: 내용` or a sentence) put in its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Classified {
    pub key: String,
    pub value: String,
    pub raw: String,
    pub category: Category,
    pub class: Class,
    pub cardinality: Cardinality,
    pub about: Owner,
}
