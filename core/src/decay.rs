//! How memories fade: one factor for a step, and any number of steps at once.

use crate::kind::Kind;

/// Strength does not fade below the first value that reaches this.
pub const FLOOR: f64 = 0.1;
/// No memory keeps more than this of its strength in a step.
pub const MAX_FACTOR: f64 = 0.995;

const EMOTION_WEIGHT: f64 = 0.4;
const IMPORTANCE_WEIGHT: f64 = 0.3;

/// Events fade fastest, knowledge slowest. A summary tells of events; a reflection is knowledge.
fn base(kind: Kind) -> f64 {
    match kind {
        Kind::Episodic | Kind::Summary => 0.95,
        Kind::Emotional => 0.97,
        Kind::Semantic | Kind::Reflection => 0.98,
    }
}

/// What is left of a memory's strength after one step.
pub fn factor(kind: Kind, emotion_intensity: f64, importance: f64) -> f64 {
    let base = base(kind);
    let held = emotion_intensity * EMOTION_WEIGHT + importance * IMPORTANCE_WEIGHT;
    (base + (1.0 - base) * held).min(MAX_FACTOR)
}

/// One step as it is defined: only what is above the floor fades.
pub fn step(strength: f64, factor: f64) -> f64 {
    if strength > FLOOR { strength * factor } else { strength }
}

/// The strength after `steps` steps, without taking them one by one.
pub fn after(strength: f64, factor: f64, steps: u64) -> f64 {
    if strength <= FLOOR || factor >= 1.0 || steps == 0 {
        return strength;
    }
    let power = |n: u64| strength * factor.powi(n.min(i32::MAX as u64) as i32);
    // So slow that the floor is not reached, and perhaps never would be.
    if power(steps) > FLOOR {
        return power(steps);
    }
    let guess = ((FLOOR / strength).ln() / factor.ln()).ceil().max(1.0) as u64;
    // The logarithm may miss the step that reaches the floor by one either way.
    let mut last = guess;
    while last > 1 && power(last - 1) <= FLOOR {
        last -= 1;
    }
    while power(last) > FLOOR {
        last += 1;
    }
    power(steps.min(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_factors_of_the_table() {
        let cases = [
            (Kind::Episodic, 0.0, 0.0, 0.95),
            (Kind::Emotional, 0.0, 0.0, 0.97),
            (Kind::Semantic, 0.0, 0.0, 0.98),
            (Kind::Episodic, 1.0, 1.0, 0.985),
            (Kind::Emotional, 1.0, 1.0, 0.991),
            (Kind::Semantic, 1.0, 1.0, 0.994),
            (Kind::Episodic, 0.5, 0.5, 0.9675),
        ];
        for (kind, emotion, importance, expected) in cases {
            assert!(
                (factor(kind, emotion, importance) - expected).abs() < 1e-12,
                "{kind:?} {emotion} {importance}"
            );
        }
    }

    #[test]
    fn what_has_faded_stays() {
        assert_eq!(after(0.1, 0.95, 1000), 0.1);
        assert_eq!(after(0.05, 0.95, 1), 0.05);
        assert_eq!(after(0.8, 1.0, 1000), 0.8);
        assert_eq!(after(1.0, 0.95, 0), 1.0);
        assert!((after(1.0, 0.95, 10_000_000) - after(1.0, 0.95, 45)).abs() < 1e-12);
        assert!(after(1.0, 0.95, 44) > FLOOR && after(1.0, 0.95, 45) <= FLOOR);
    }

    #[test]
    fn any_numbers_come_to_an_end() {
        let odd = [
            0.0,
            -1.0,
            1.0 - f64::EPSILON / 2.0,
            1e-300,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        for strength in odd.into_iter().chain([1.0, f64::MAX]) {
            for factor in odd.into_iter().chain([0.95]) {
                for steps in [0, 1, u64::MAX] {
                    after(strength, factor, steps);
                }
            }
        }
    }

    fn any_kind() -> impl Strategy<Value = Kind> {
        prop::sample::select(Kind::ALL.to_vec())
    }

    proptest! {
        /// Step by step with touches on the way, against one jump from touch to touch.
        #[test]
        fn jumps_equal_steps(
            kind in any_kind(), emotion in 0.0..=1.0f64, importance in 0.0..=1.0f64, start in 0.0..=1.0f64,
            touches in prop::collection::btree_set(0u64..1000, 0..6), steps in 0u64..=1000,
        ) {
            let factor = factor(kind, emotion, importance);
            let (mut walked, mut held, mut since) = (start, start, 0u64);
            for now in 0..steps {
                if touches.contains(&now) {
                    let current = after(held, factor, now - since);
                    prop_assert!((walked - current).abs() < 1e-9);
                    walked = (walked + 0.2).min(1.0);
                    held = (current + 0.2).min(1.0);
                    since = now;
                }
                walked = step(walked, factor);
            }
            prop_assert!((walked - after(held, factor, steps - since)).abs() < 1e-9);
        }
    }
}
