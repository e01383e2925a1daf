//! What facts can be about: canonical keys with their names in both languages.
//!
//! The table is data. The built-in one is `subjects.tsv`; an administrator's rows build another
//! with [`Subjects::from_rows`].

use super::types::{Cardinality, Category, Class, named};
use super::words::{fold, folds};
use crate::fact::hash::FastMap;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// How a subject's values are read and normalised. See [`super::value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Text,
    Name,
    Age,
    Year,
    MonthDay,
    Height,
    Weight,
    Money,
    BloodType,
    Mbti,
    /// One of the values that `choices.tsv` lists for the key.
    Choice,
}
named!(Kind {
    Text => "text",
    Name => "name",
    Age => "age",
    Year => "year",
    MonthDay => "month_day",
    Height => "height",
    Weight => "weight",
    Money => "money",
    BloodType => "blood_type",
    Mbti => "mbti",
    Choice => "choice",
});

/// One row of the table of subjects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The canonical key, the same for every language.
    pub key: String,
    pub category: Category,
    pub class: Class,
    pub cardinality: Cardinality,
    pub kind: Kind,
    pub label_ko: String,
    pub label_en: String,
    pub synonyms_ko: Vec<String>,
    pub synonyms_en: Vec<String>,
    /// `like:food` means that liking a word of the set `food` is a fact of this subject.
    pub frame: String,
}

impl Subject {
    /// Reads one line of `subjects.tsv`: ten columns, synonyms separated by `|`.
    #[must_use]
    pub fn from_line(line: &str) -> Option<Self> {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[
            key,
            category,
            class,
            cardinality,
            kind,
            ko,
            en,
            words_ko,
            words_en,
            frame,
        ] = columns.as_slice()
        else {
            return None;
        };
        let list = |s: &str| s.split('|').filter(|w| !w.is_empty()).map(str::to_owned).collect();
        Some(Self {
            key: key.to_owned(),
            category: Category::from_name(category)?,
            class: Class::from_name(class)?,
            cardinality: Cardinality::from_name(cardinality)?,
            kind: Kind::from_name(kind)?,
            label_ko: ko.to_owned(),
            label_en: en.to_owned(),
            synonyms_ko: list(words_ko),
            synonyms_en: list(words_en),
            frame: frame.to_owned(),
        })
    }
}

/// The table of subjects, ready for look-ups.
#[derive(Debug)]
pub struct Subjects {
    rows: Vec<Subject>,
    names: FastMap<String, usize>,
    longest: usize,
}

static BUILTIN: LazyLock<Subjects> = LazyLock::new(|| {
    let file = include_str!("subjects.tsv");
    Subjects::from_rows(
        file.lines()
            .filter(|l| !l.starts_with('#'))
            .filter_map(Subject::from_line),
    )
});

impl Subjects {
    /// The built-in table.
    #[must_use]
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// A table from any rows. When two rows claim one name, the earlier keeps it; a key always
    /// belongs to its own row.
    pub fn from_rows(rows: impl IntoIterator<Item = Subject>) -> Self {
        let rows: Vec<Subject> = rows.into_iter().collect();
        let mut names = FastMap::default();
        for (at, row) in rows.iter().enumerate() {
            names.entry(fold(&row.key)).or_insert(at);
        }
        for (at, row) in rows.iter().enumerate() {
            let labels = [&row.label_ko, &row.label_en].into_iter();
            for name in labels
                .chain(&row.synonyms_ko)
                .chain(&row.synonyms_en)
                .filter(|n| !n.is_empty())
            {
                names.entry(fold(name)).or_insert(at);
            }
        }
        let longest = names.keys().map(String::len).max().unwrap_or(0);
        Self { rows, names, longest }
    }

    /// Every subject, in table order.
    #[must_use]
    pub fn rows(&self) -> &[Subject] {
        &self.rows
    }

    /// The subject with this canonical key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Subject> {
        self.find(key).filter(|s| s.key == key)
    }

    /// The subject that a name means, in either language, whatever its spacing and case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Subject> {
        if name.len() > self.longest * 2 {
            return None;
        }
        let at = match self.names.get(name) {
            Some(at) => at,
            None if !folds(name) => return None,
            None => self.names.get(&fold(name))?,
        };
        self.rows.get(*at)
    }

    /// The subject whose values are liked or disliked words of one of these sets; the row without
    /// a set stands for everything else.
    #[must_use]
    pub fn by_frame(&self, frame: &str, sets: super::words::Sets) -> Option<&Subject> {
        let words = super::words::words();
        self.rows.iter().find(
            |s| match s.frame.strip_prefix(frame).and_then(|f| f.strip_prefix(':')) {
                Some("") => true,
                Some(set) => words.bit(set) & sets != 0,
                None => false,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let lines = include_str!("subjects.tsv")
            .lines()
            .filter(|l| !l.starts_with('#'))
            .count();
        assert_eq!(Subjects::builtin().rows().len(), lines);
        let mut keys: Vec<&str> = Subjects::builtin().rows().iter().map(|s| s.key.as_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), lines, "a key stands twice");
    }

    #[test]
    fn names_lead_to_keys_in_both_languages() {
        let key = |name: &str| Subjects::builtin().find(name).map(|s| s.key.as_str());
        assert_eq!(key("좋아하는음식"), Some("좋아하는 음식"));
        assert_eq!(key("Date of Birth"), Some("생일"));
        assert_eq!(key("mbti"), Some("MBTI"));
        assert_eq!(key("날씨"), None);
    }

    #[test]
    fn an_administrator_can_add_rows() {
        let line = "좋아하는 라면\tPREFERENCE\tidentity\tmany\ttext\t좋아하는 라면\tfavorite ramen\t최애 라면\t\t";
        let rows = Subjects::builtin()
            .rows()
            .iter()
            .cloned()
            .chain(Subject::from_line(line));
        let subjects = Subjects::from_rows(rows);
        assert_eq!(
            subjects.find("최애 라면").map(|s| s.key.as_str()),
            Some("좋아하는 라면")
        );
    }
}
