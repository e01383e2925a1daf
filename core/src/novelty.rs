//! Whether a new memory tells anything new, by its similarity to the nearest one known.

/// At least this similar: the same memory again.
pub const SAME: f64 = 0.85;
/// At least this similar: nothing surprising.
pub const FAMILIAR: f64 = 0.6;
/// A familiar memory is kept only from this importance on.
pub const KEPT_IMPORTANCE: f64 = 0.7;
/// What a familiar memory keeps of its importance.
pub const DAMPING: f64 = 0.7;
/// How much full surprise adds to the importance.
pub const SURPRISE_BOOST: f64 = 0.3;
/// What reinforcement adds to the strength of the memory known.
pub const REINFORCEMENT: f64 = 0.2;
/// How many of the scope's latest memories are compared.
pub const WINDOW: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Stored as it is: nothing could be compared, or the caller forced it.
    Saved,
    /// Stored with more importance, for it surprises.
    Boosted,
    /// Stored with less importance, for it is familiar.
    Damped,
    /// Not stored: a memory that says the same became stronger.
    Reinforced,
    /// Not stored: familiar and not important.
    Skipped,
}

impl Verdict {
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Saved => "saved",
            Verdict::Boosted => "boosted",
            Verdict::Damped => "damped",
            Verdict::Reinforced => "reinforced",
            Verdict::Skipped => "skipped",
        }
    }

    pub fn stores(self) -> bool {
        matches!(self, Verdict::Saved | Verdict::Boosted | Verdict::Damped)
    }
}

/// The verdict and the importance that the memory gets by it.
pub fn judge(similarity: f64, importance: f64) -> (Verdict, f64) {
    if similarity >= SAME {
        (Verdict::Reinforced, importance)
    } else if similarity < FAMILIAR {
        let surprise = (1.0 - similarity).clamp(0.0, 1.0);
        (Verdict::Boosted, (importance + surprise * SURPRISE_BOOST).min(1.0))
    } else if importance >= KEPT_IMPORTANCE {
        (Verdict::Damped, importance * DAMPING)
    } else {
        (Verdict::Skipped, importance)
    }
}

/// The strength of a memory that was told again.
pub fn reinforced(strength: f64) -> f64 {
    (strength + REINFORCEMENT).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_number_by_number() {
        let cases = [
            (1.0, 0.5, Verdict::Reinforced, 0.5),
            (0.85, 0.9, Verdict::Reinforced, 0.9),
            (0.8499, 0.7, Verdict::Damped, 0.49),
            (0.6, 0.7, Verdict::Damped, 0.49),
            (0.7, 0.69, Verdict::Skipped, 0.69),
            (0.5999, 0.5, Verdict::Boosted, 0.62003),
            (0.0, 0.5, Verdict::Boosted, 0.8),
            (0.2, 0.9, Verdict::Boosted, 1.0),
            (-1.0, 0.1, Verdict::Boosted, 0.4),
        ];
        for (similarity, importance, verdict, adjusted) in cases {
            let (got, value) = judge(similarity, importance);
            assert_eq!(got, verdict, "{similarity} {importance}");
            assert!((value - adjusted).abs() < 1e-9, "{similarity} {importance}: {value}");
        }
    }

    #[test]
    fn reinforcement_ends_at_one() {
        assert!((reinforced(0.5) - 0.7).abs() < 1e-12);
        assert_eq!(reinforced(0.95), 1.0);
    }
}
