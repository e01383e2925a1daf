//! Word lists that answer quickly, most of all with "no".

use std::sync::LazyLock;

/// A list of words with something said about each, spread over a table of
/// twice its size or more.
pub struct Words<T: 'static> {
    slots: Vec<Option<(&'static str, T)>>,
}

/// A list that is spread at first use.
pub type List<T> = LazyLock<Words<T>>;

impl<T: Copy> Words<T> {
    pub fn new(list: impl ExactSizeIterator<Item = (&'static str, T)>) -> Self {
        let size = (list.len() * 2 + 1).next_power_of_two();
        let mut slots = vec![None; size];
        for (word, value) in list {
            let mut at = hash(word) % size;
            while slots[at].is_some_and(|(other, _)| other != word) {
                at = (at + 1) % size;
            }
            slots[at] = Some((word, value));
        }
        Self { slots }
    }

    pub fn get(&self, word: &str) -> Option<T> {
        let mut at = hash(word) % self.slots.len();
        while let Some((other, value)) = self.slots[at] {
            if other == word {
                return Some(value);
            }
            at = (at + 1) % self.slots.len();
        }
        None
    }

    pub fn has(&self, word: &str) -> bool {
        self.get(word).is_some()
    }
}

impl Words<()> {
    pub fn of(list: &'static [&'static str]) -> Self {
        Self::new(list.iter().map(|&word| (word, ())))
    }
}

/// Only for tables in memory: nothing stored depends on it.
fn hash(word: &str) -> usize {
    let sum = word.bytes().fold(word.len() as u64, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    });
    (sum >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn knows_its_words_only() {
        let words = Words::of(&["a", "나", "나무", "tree", "a"]);
        assert!(["a", "나", "나무", "tree"].into_iter().all(|word| words.has(word)));
        assert!(!["", "b", "무", "tre"].into_iter().any(|word| words.has(word)));
        assert!(!Words::of(&[]).has("a"));
    }
}
