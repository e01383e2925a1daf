//! Lists of endings, found by their last character.

use std::sync::LazyLock;

/// Endings with something said about each, grouped by their last character;
/// within a group they keep the order of the list.
pub struct Suffixes<T: 'static> {
    groups: Vec<(char, Vec<(&'static str, T)>)>,
}

/// A table that is built at first use.
pub type Table<T> = LazyLock<Suffixes<T>>;

impl<T: Copy> Suffixes<T> {
    pub fn new(list: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let mut groups: Vec<(char, Vec<(&'static str, T)>)> = Vec::new();
        for (ending, value) in list {
            let Some(last) = ending.chars().next_back() else {
                continue;
            };
            match groups.iter_mut().find(|(c, _)| *c == last) {
                Some((_, group)) => group.push((ending, value)),
                None => groups.push((last, vec![(ending, value)])),
            }
        }
        groups.sort_unstable_by_key(|&(c, _)| c);
        Self { groups }
    }

    /// What is left of `run` without each ending that it has.
    pub fn cuts<'r>(&self, run: &'r str) -> impl Iterator<Item = (&'r str, &'static str, T)> {
        let last = run.chars().next_back().unwrap_or(' ');
        let group = match self.groups.binary_search_by_key(&last, |&(c, _)| c) {
            Ok(i) => &self.groups[i].1[..],
            Err(_) => &[],
        };
        group
            .iter()
            .filter_map(move |&(ending, value)| Some((run.strip_suffix(ending)?, ending, value)))
    }
}
