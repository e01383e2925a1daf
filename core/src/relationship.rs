//! How a user and an agent stand to each other: five axes, one score, a level.

use std::str::FromStr;

/// The axes, each from 0 to 100.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Axes {
    pub trust: f64,
    pub affection: f64,
    pub respect: f64,
    pub rivalry: f64,
    pub familiarity: f64,
}

pub const AXES: [&str; 5] = ["trust", "affection", "respect", "rivalry", "familiarity"];

impl Axes {
    pub fn get(&self, axis: &str) -> Option<f64> {
        Some(match axis {
            "trust" => self.trust,
            "affection" => self.affection,
            "respect" => self.respect,
            "rivalry" => self.rivalry,
            "familiarity" => self.familiarity,
            _ => return None,
        })
    }

    /// Moves an axis, which stays between 0 and 100; false when there is no such axis.
    pub fn shift(&mut self, axis: &str, delta: f64) -> bool {
        let value = match axis {
            "trust" => &mut self.trust,
            "affection" => &mut self.affection,
            "respect" => &mut self.respect,
            "rivalry" => &mut self.rivalry,
            "familiarity" => &mut self.familiarity,
            _ => return false,
        };
        *value = (*value + delta).clamp(0.0, 100.0);
        true
    }

    /// To six digits, so that a score at the edge of a level shows as what it is.
    pub fn score(&self) -> f64 {
        let warm = self.affection * 0.35 + self.trust * 0.25 + self.familiarity * 0.25 + self.respect * 0.15;
        let score = (warm - self.rivalry * 0.1).clamp(0.0, 100.0);
        (score * 1e6).round() / 1e6
    }

    pub fn level(&self) -> Level {
        match self.score() {
            score if score >= 80.0 => Level::Intimate,
            score if score >= 60.0 => Level::CloseFriend,
            score if score >= 40.0 => Level::Friend,
            score if score >= 20.0 => Level::Acquaintance,
            _ => Level::Stranger,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Stranger,
    Acquaintance,
    Friend,
    CloseFriend,
    Intimate,
}

impl Level {
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Stranger => "stranger",
            Level::Acquaintance => "acquaintance",
            Level::Friend => "friend",
            Level::CloseFriend => "close_friend",
            Level::Intimate => "intimate",
        }
    }

    /// How people of this level speak unless they agreed on something else.
    pub fn speech_style(self) -> SpeechStyle {
        match self {
            Level::Stranger | Level::Acquaintance => SpeechStyle::Formal,
            Level::Friend | Level::CloseFriend => SpeechStyle::Casual,
            Level::Intimate => SpeechStyle::Intimate,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpeechStyle {
    Formal,
    Casual,
    Intimate,
}

impl SpeechStyle {
    pub fn as_str(self) -> &'static str {
        match self {
            SpeechStyle::Formal => "formal",
            SpeechStyle::Casual => "casual",
            SpeechStyle::Intimate => "intimate",
        }
    }
}

impl FromStr for SpeechStyle {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        [SpeechStyle::Formal, SpeechStyle::Casual, SpeechStyle::Intimate]
            .into_iter()
            .find(|style| style.as_str() == name)
            .ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn axes(trust: f64, affection: f64, respect: f64, rivalry: f64, familiarity: f64) -> Axes {
        Axes {
            trust,
            affection,
            respect,
            rivalry,
            familiarity,
        }
    }

    #[test]
    fn the_score_of_the_formula() {
        let cases = [
            (axes(0.0, 0.0, 0.0, 0.0, 0.0), 0.0, Level::Stranger),
            (axes(100.0, 100.0, 100.0, 0.0, 100.0), 100.0, Level::Intimate),
            (axes(100.0, 100.0, 100.0, 100.0, 100.0), 90.0, Level::Intimate),
            (axes(40.0, 40.0, 40.0, 0.0, 40.0), 40.0, Level::Friend),
            (axes(0.0, 0.0, 0.0, 100.0, 0.0), 0.0, Level::Stranger),
            (axes(60.0, 80.0, 20.0, 10.0, 50.0), 57.5, Level::Friend),
            (axes(80.0, 80.0, 0.0, 0.0, 50.0), 60.5, Level::CloseFriend),
            (axes(20.0, 20.0, 20.0, 0.0, 20.0), 20.0, Level::Acquaintance),
        ];
        for (axes, score, level) in cases {
            assert!((axes.score() - score).abs() < 1e-9, "{axes:?}");
            assert_eq!(axes.level(), level, "{axes:?}");
        }
    }

    proptest! {
        #[test]
        fn axes_and_score_stay_within_bounds(moves in prop::collection::vec((0usize..5, -300.0..300.0f64), 0..40)) {
            let mut axes = Axes::default();
            for (axis, delta) in moves {
                prop_assert!(axes.shift(AXES[axis], delta));
                prop_assert!((0.0..=100.0).contains(&axes.score()));
            }
            for axis in AXES {
                prop_assert!(axes.get(axis).is_some_and(|value| (0.0..=100.0).contains(&value)));
            }
        }
    }
}
