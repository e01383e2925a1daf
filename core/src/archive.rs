//! Which memories stay active when a plan allows only so many.

use std::cmp::Reverse;
use std::collections::HashSet;

#[derive(Clone, Debug)]
pub struct Candidate {
    pub importance: f64,
    /// Larger is newer.
    pub created: i64,
    pub pinned: bool,
    pub topics: Vec<String>,
}

/// Indexes of the memories that go: pinned ones stay however many they are, then those that no newer one repeats, by
/// importance, newer first. A memory repeats another when the newer one has all of its topics.
pub fn excess(memories: &[Candidate], max_active: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..memories.len()).collect();
    let repeated = repeated(memories);
    order.sort_by(|&a, &b| {
        let rank = |i: usize| (Reverse(memories[i].pinned), repeated[i]);
        rank(a)
            .cmp(&rank(b))
            .then(memories[b].importance.total_cmp(&memories[a].importance))
            .then(memories[b].created.cmp(&memories[a].created))
    });
    let mut gone = order.split_off(max_active.min(order.len()));
    gone.retain(|&i| !memories[i].pinned);
    gone
}

/// The memories to begin a conversation with: by importance, newer first, one for each repeated topic.
pub fn opening(memories: &[Candidate], limit: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..memories.len()).collect();
    let repeated = repeated(memories);
    order.retain(|&i| !repeated[i]);
    order.sort_by(|&a, &b| {
        memories[b]
            .importance
            .total_cmp(&memories[a].importance)
            .then(memories[b].created.cmp(&memories[a].created))
    });
    order.truncate(limit);
    order
}

fn repeated(memories: &[Candidate]) -> Vec<bool> {
    let mut newest_first: Vec<usize> = (0..memories.len()).collect();
    newest_first.sort_by_key(|&i| Reverse(memories[i].created));
    let mut seen: Vec<HashSet<&str>> = Vec::new();
    let mut repeated = vec![false; memories.len()];
    for i in newest_first {
        let topics: HashSet<&str> = memories[i].topics.iter().map(String::as_str).collect();
        if topics.is_empty() {
            continue;
        }
        if seen.iter().any(|newer| topics.is_subset(newer)) {
            repeated[i] = true;
        } else {
            seen.push(topics);
        }
    }
    repeated
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn memory(importance: f64, created: i64, topics: &[&str]) -> Candidate {
        Candidate {
            importance,
            created,
            pinned: false,
            topics: topics.iter().map(|t| t.to_string()).collect(),
        }
    }

    #[test]
    fn the_least_important_goes() {
        let memories: Vec<_> = [0.7, 0.3, 0.9, 0.5, 0.8, 0.6]
            .iter()
            .zip(1..)
            .map(|(i, n)| memory(*i, n, &[]))
            .collect();
        assert_eq!(excess(&memories, 5), [1]);
    }

    #[test]
    fn among_equals_the_oldest_goes() {
        let memories: Vec<_> = (1..=3).map(|n| memory(0.5, n, &[])).collect();
        assert_eq!(excess(&memories, 2), [0]);
    }

    #[test]
    fn an_older_memory_of_repeated_topics_goes_before_a_less_important_one() {
        let memories = [
            memory(0.9, 1, &["movie"]),
            memory(0.2, 2, &["work"]),
            memory(0.3, 3, &["movie", "fun"]),
        ];
        assert_eq!(excess(&memories, 2), [0]);
    }

    #[test]
    fn pinned_memories_stay() {
        let mut memories = vec![memory(0.1, 1, &[]), memory(0.9, 2, &[])];
        memories[0].pinned = true;
        assert_eq!(excess(&memories, 1), [1]);
    }

    #[test]
    fn a_conversation_opens_with_one_memory_for_a_topic() {
        let memories = [
            memory(0.9, 1, &["movie"]),
            memory(0.8, 2, &["movie"]),
            memory(0.5, 3, &[]),
            memory(0.6, 4, &[]),
        ];
        assert_eq!(opening(&memories, 5), [1, 3, 2]);
        assert_eq!(opening(&memories, 1), [1]);
    }

    proptest! {
        #[test]
        fn never_more_than_the_excess_goes(
            memories in prop::collection::vec((0.0..1.0f64, 0i64..50, any::<bool>(), prop::collection::vec("[a-c]", 0..3))
                .prop_map(|(importance, created, pinned, topics)| Candidate { importance, created, pinned, topics }), 0..30),
            max in 0usize..20,
        ) {
            let gone = excess(&memories, max);
            let pinned = memories.iter().filter(|m| m.pinned).count();
            prop_assert_eq!(gone.len(), memories.len().saturating_sub(max.max(pinned)));
            prop_assert!(gone.iter().all(|&i| !memories[i].pinned));
        }
    }
}
