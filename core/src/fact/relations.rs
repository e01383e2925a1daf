//! People a user speaks of, by one canonical word each.

use super::words::fold;
use crate::fact::hash::FastMap;
use std::sync::LazyLock;

/// How close somebody is to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closeness {
    Family,
    Partner,
    Friend,
    /// Colleagues, teachers, former partners: what is said of them is not kept.
    Other,
}

/// One person's role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    pub name: &'static str,
    /// Its first English word.
    pub english: Option<&'static str>,
    pub closeness: Closeness,
}

static RELATIONS: LazyLock<FastMap<String, Relation>> = LazyLock::new(|| {
    let mut map = FastMap::default();
    for line in include_str!("data/relations.tsv")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let mut columns = line.split('\t');
        let (Some(name), Some(kind)) = (columns.next(), columns.next()) else {
            continue;
        };
        let closeness = match kind {
            "family" => Closeness::Family,
            "partner" => Closeness::Partner,
            "friend" => Closeness::Friend,
            _ => Closeness::Other,
        };
        let words: Vec<&str> = columns.collect();
        let english = words
            .get(1)
            .and_then(|list| list.split('|').find(|word| !word.is_empty()));
        for word in words.iter().flat_map(|c| c.split('|')).filter(|w| !w.is_empty()) {
            map.entry(fold(word)).or_insert(Relation {
                name,
                english,
                closeness,
            });
        }
    }
    map
});

/// The relation that a word (or several) names.
#[must_use]
pub fn relation(word: &str) -> Option<&'static Relation> {
    RELATIONS.get(word).or_else(|| {
        let folds = word.bytes().any(|b| b == b' ' || b.is_ascii_uppercase());
        folds.then(|| RELATIONS.get(&fold(word))).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_have_one_name() {
        assert_eq!(relation("어머니").map(|r| r.name), Some("엄마"));
        assert_eq!(relation("mom").map(|r| r.name), Some("엄마"));
        assert_eq!(relation("가장 친한 친구").map(|r| r.name), Some("베프"));
        assert_eq!(relation("boss").map(|r| r.closeness), Some(Closeness::Other));
        assert_eq!(relation("사과"), None);
    }
}
