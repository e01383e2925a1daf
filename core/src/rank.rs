//! One score out of several signals.

/// How much each signal counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights {
    pub similarity: f64,
    pub keyword: f64,
    pub importance: f64,
    pub strength: f64,
    pub recency: f64,
    /// What stands around a message in its conversation.
    pub neighbours: f64,
    /// The words of a message's whole conversation.
    pub session: f64,
    /// Whether the one who is asked about said it.
    pub speaker: f64,
    /// Whether it is of the time that is asked about.
    pub time: f64,
    /// What a message counts beside a memory with the same signals.
    pub messages: f64,
}

/// What is known of a candidate, each from 0 to 1 (a cosine may be negative).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    pub similarity: f64,
    pub keyword: f64,
    pub importance: f64,
    pub strength: f64,
    pub recency: f64,
    pub neighbours: f64,
    pub session: f64,
    pub speaker: f64,
    pub time: f64,
}

/// What a candidate's own words and meaning are worth.
pub fn direct(weights: &Weights, signals: &Signals) -> f64 {
    weights.similarity * signals.similarity + weights.keyword * signals.keyword
}

pub fn score(weights: &Weights, signals: &Signals) -> f64 {
    direct(weights, signals)
        + weights.importance * signals.importance
        + weights.strength * signals.strength
        + weights.recency * signals.recency
        + weights.neighbours * signals.neighbours
        + weights.session * signals.session
        + weights.speaker * signals.speaker
        + weights.time * signals.time
}

/// 1 now, one half after the half-life. What lies ahead counts as now.
pub fn recency(age_seconds: f64, halflife_seconds: f64) -> f64 {
    if halflife_seconds <= 0.0 {
        return 0.0;
    }
    (-age_seconds.max(0.0) / halflife_seconds).exp2()
}

/// How many caution and identity memories come before all others.
pub const LEADERS: usize = 3;

/// The order of a result: up to three leaders by score, then all others by score. `items` gives for each
/// candidate its score, whether it leads, and what decides among equals (larger first).
pub fn top<T: Ord>(items: &[(f64, bool, T)], k: usize) -> Vec<usize> {
    let best_first = |a: &usize, b: &usize| {
        let (a, b) = (&items[*a], &items[*b]);
        b.0.total_cmp(&a.0).then_with(|| b.2.cmp(&a.2))
    };
    let mut leaders: Vec<usize> = (0..items.len()).filter(|&i| items[i].1).collect();
    leaders.sort_by(best_first);
    leaders.truncate(LEADERS.min(k));
    let mut others: Vec<usize> = (0..items.len()).filter(|i| !leaders.contains(i)).collect();
    let room = k - leaders.len();
    if room < others.len() {
        if room > 0 {
            others.select_nth_unstable_by(room - 1, best_first);
        }
        others.truncate(room);
    }
    others.sort_by(best_first);
    leaders.extend(others);
    leaders
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_seeds_composite_score() {
        let synk = Weights {
            similarity: 0.7,
            importance: 0.2,
            strength: 0.1,
            ..Weights::default()
        };
        let signals = Signals {
            similarity: 0.8,
            importance: 0.5,
            strength: 0.9,
            keyword: 1.0,
            recency: 1.0,
            ..Signals::default()
        };
        assert!((score(&synk, &signals) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn recency_halves() {
        assert_eq!(recency(0.0, 10.0), 1.0);
        assert_eq!(recency(-5.0, 10.0), 1.0);
        assert!((recency(10.0, 10.0) - 0.5).abs() < 1e-12);
        assert_eq!(recency(10.0, 0.0), 0.0);
    }

    #[test]
    fn leaders_come_first_but_no_more_than_three() {
        let items: Vec<(f64, bool, i32)> = vec![
            (0.9, false, 0),
            (0.1, true, 1),
            (0.2, true, 2),
            (0.3, true, 3),
            (0.05, true, 4),
            (0.8, false, 5),
        ];
        assert_eq!(top(&items, 10), [3, 2, 1, 0, 5, 4]);
        assert_eq!(top(&items, 2), [3, 2]);
        assert_eq!(top(&items, 0), Vec::<usize>::new());
    }

    proptest! {
        #[test]
        fn top_is_a_prefix_of_the_full_order(
            items in prop::collection::vec((0.0..1.0f64, prop::bool::weighted(0.1), 0u32..1000), 0..60), k in 0usize..70,
        ) {
            let all = top(&items, items.len());
            let some = top(&items, k);
            prop_assert_eq!(some.len(), k.min(items.len()));
            let scores = |order: &[usize]| order.iter().map(|&i| (items[i].0, items[i].2)).collect::<Vec<_>>();
            prop_assert_eq!(scores(&some), scores(&all[..some.len()]));
        }
    }
}
