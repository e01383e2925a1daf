//! Kinds of memories.

use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Episodic,
    Semantic,
    Emotional,
    Summary,
    Reflection,
}

impl Kind {
    pub const ALL: [Kind; 5] = [
        Kind::Episodic,
        Kind::Semantic,
        Kind::Emotional,
        Kind::Summary,
        Kind::Reflection,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Episodic => "episodic",
            Kind::Semantic => "semantic",
            Kind::Emotional => "emotional",
            Kind::Summary => "summary",
            Kind::Reflection => "reflection",
        }
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or(())
    }
}
