//! Which items fit into the token budget.

/// One part of a context: items in the order in which they are wanted.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Tokens that the part costs as soon as it holds one item (its heading).
    pub overhead: usize,
    /// Tokens of each item.
    pub items: Vec<usize>,
    /// How many of the first items are in, whatever they cost.
    pub always: usize,
    /// The share of the budget that the part may take before every other part had its turn.
    pub share: f64,
    /// Whether the part ends at the first item that does not fit (a window of messages has no holes).
    pub contiguous: bool,
}

impl Part {
    /// A part that is never cut.
    pub fn fixed(items: Vec<usize>, overhead: usize) -> Part {
        Part {
            overhead,
            always: items.len(),
            items,
            share: 1.0,
            contiguous: true,
        }
    }

    /// What the taken items cost, with the overhead when there is any.
    pub fn cost(&self, taken: &[bool]) -> usize {
        if !taken.contains(&true) {
            return 0;
        }
        let items: usize = self
            .items
            .iter()
            .zip(taken)
            .filter(|(_, taken)| **taken)
            .map(|(n, _)| n)
            .sum();
        self.overhead + items
    }
}

/// For each part which of its items are in. `parts` stand in order of precedence. `None` as the budget
/// takes everything. What must be in is in even when it alone exceeds the budget.
pub fn pack(parts: &[Part], budget: Option<usize>) -> Vec<Vec<bool>> {
    let mut taken: Vec<Vec<bool>> = parts
        .iter()
        .map(|part| {
            (0..part.items.len())
                .map(|i| budget.is_none() || i < part.always)
                .collect()
        })
        .collect();
    let Some(budget) = budget else {
        return taken;
    };
    // First every part within its share, then what is left in order of precedence.
    for within_share in [true, false] {
        for (index, part) in parts.iter().enumerate() {
            let others: usize = (0..parts.len())
                .filter(|&other| other != index)
                .map(|other| parts[other].cost(&taken[other]))
                .sum();
            let room = budget.saturating_sub(others);
            let limit = match within_share {
                true => room.min((budget as f64 * part.share) as usize),
                false => room,
            };
            fill(part, &mut taken[index], limit);
        }
    }
    taken
}

fn fill(part: &Part, taken: &mut [bool], limit: usize) {
    for i in 0..part.items.len() {
        if taken[i] {
            continue;
        }
        taken[i] = true;
        if part.cost(taken) > limit {
            taken[i] = false;
            if part.contiguous {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts(parts: &[Part], budget: Option<usize>) -> Vec<usize> {
        pack(parts, budget)
            .iter()
            .map(|p| p.iter().filter(|t| **t).count())
            .collect()
    }

    fn window(items: Vec<usize>) -> Part {
        Part {
            overhead: 0,
            items,
            always: 1,
            share: 1.0,
            contiguous: true,
        }
    }

    #[test]
    fn what_must_be_in_is_in_over_any_budget() {
        let parts = [Part::fixed(vec![500], 0), window(vec![300, 10])];
        assert_eq!(counts(&parts, Some(100)), [1, 1]);
    }

    #[test]
    fn a_window_has_no_holes() {
        assert_eq!(pack(&[window(vec![10, 100, 10])], Some(50)), [vec![true, false, false]]);
    }

    #[test]
    fn a_ranked_part_skips_what_is_too_large() {
        let ranked = Part {
            items: vec![10, 100, 10],
            share: 1.0,
            ..Part::default()
        };
        assert_eq!(pack(&[ranked], Some(50)), [vec![true, false, true]]);
    }

    #[test]
    fn a_share_leaves_room_and_takes_it_back() {
        let greedy = Part {
            items: vec![10; 10],
            share: 0.4,
            ..Part::default()
        };
        assert_eq!(counts(&[greedy.clone(), window(vec![10; 10])], Some(100)), [4, 6]);
        assert_eq!(counts(&[greedy, window(vec![10; 2])], Some(100)), [8, 2]);
    }

    #[test]
    fn no_budget_takes_all() {
        assert_eq!(counts(&[window(vec![1000; 3])], None), [3]);
    }

    fn any_part() -> impl Strategy<Value = Part> {
        (
            0..20usize,
            prop::collection::vec(0..200usize, 0..12),
            0..3usize,
            0.0..1.0f64,
            any::<bool>(),
        )
            .prop_map(|(overhead, items, always, share, contiguous)| Part {
                overhead,
                items,
                always,
                share,
                contiguous,
            })
    }

    proptest! {
        #[test]
        fn never_over_budget_but_for_what_must_be_in(
            parts in prop::collection::vec(any_part(), 0..6), budget in 0..1000usize,
        ) {
            let taken = pack(&parts, Some(budget));
            let total: usize = parts.iter().zip(&taken).map(|(p, t)| p.cost(t)).sum();
            let must: Vec<Vec<bool>> = parts.iter()
                .map(|p| (0..p.items.len()).map(|i| i < p.always).collect()).collect();
            let least: usize = parts.iter().zip(&must).map(|(p, t)| p.cost(t)).sum();
            prop_assert!(total <= budget.max(least));
            for (part, taken) in parts.iter().zip(&taken) {
                prop_assert!(taken.iter().take(part.always).all(|t| *t));
            }
        }
    }
}
