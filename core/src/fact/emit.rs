//! From something found to a fact: normal value, owner in the key, the right operation.

use super::normal::Normal;
use super::relations::Relation;
use super::subjects::{Kind, Subject, Subjects};
use super::types::{Cardinality, Category, Class, Fact, Op, Owner};
use super::{date, value};
use std::ops::Range;

/// Something that a rule found in the normalised text.
#[derive(Clone, Debug)]
pub struct Found<'f> {
    pub subject: &'f Subject,
    pub owner: Option<&'static Relation>,
    pub raw: &'f str,
    /// A value that the rule gives instead of the words.
    pub fixed: Option<&'f str>,
    pub op: Op,
    pub span: Range<usize>,
    pub confidence: f32,
}

/// Collects the facts of one message.
pub struct Collector<'c> {
    pub normal: &'c Normal,
    pub subjects: &'c Subjects,
    pub facts: Vec<Fact>,
    /// The sentence corrects what was said before.
    pub correcting: bool,
}

impl<'c> Collector<'c> {
    /// An empty collector for a message.
    #[must_use]
    pub fn new(normal: &'c Normal, subjects: &'c Subjects) -> Self {
        Self {
            normal,
            subjects,
            facts: Vec::new(),
            correcting: false,
        }
    }

    /// Adds a fact; false when the words cannot be a value of the subject.
    pub fn emit(&mut self, found: &Found<'_>) -> bool {
        let fixed = found.fixed.map(str::to_owned);
        let Some(normal) = fixed.or_else(|| value::normalise(found.subject, found.raw)) else {
            return false;
        };
        // 두 살이 되었다: nobody of two years writes of it.
        let small = found.subject.kind == Kind::Age && normal.parse::<u8>().is_ok_and(|n| n < 8);
        if small && found.owner.is_none() {
            return false;
        }
        self.push(found, found.subject, normal);
        let day = (found.subject.kind == Kind::MonthDay)
            .then(|| date::find(&found.raw.to_lowercase()))
            .flatten();
        if let (Some(year), Some(subject)) = (day.and_then(|d| d.year), self.subjects.get("출생연도")) {
            self.push(found, subject, year.to_string());
        }
        true
    }

    fn push(&mut self, found: &Found<'_>, subject: &Subject, value: String) {
        // 베프 이름 is what 베프 already means.
        let own = found
            .owner
            .and_then(|r| self.subjects.get(r.name))
            .filter(|_| subject.key == "이름");
        let relation = found.owner.filter(|_| own.is_none());
        let subject = own.unwrap_or(subject);
        let owner = relation.map_or(Owner::User, |r| Owner::Other(r.name.to_owned()));
        let key = owned_key(&owner, &subject.key);
        // Said twice, or born in one place and raised in another: the first counts.
        let settled =
            |f: &Fact| f.key == key && (value::same(&f.value, &value) || subject.key == "고향" && f.op == Op::Set);
        if self.facts.iter().any(settled) {
            return;
        }
        let op = match (found.op, self.correcting, subject.cardinality) {
            (Op::Set | Op::Add, true, _) => Op::Correct,
            (Op::Set | Op::Add, false, Cardinality::Many) => Op::Add,
            (Op::Add, false, Cardinality::Single) => Op::Set,
            (op, ..) => op,
        };
        self.facts.push(Fact {
            key,
            value,
            raw: found.raw.trim().to_owned(),
            span: self.normal.source(found.span.clone()),
            category: if owner == Owner::User {
                subject.category
            } else {
                Category::Relationship
            },
            class: if subject.class == Class::Experience {
                Class::Experience
            } else {
                subject.class
            },
            cardinality: subject.cardinality,
            op,
            owner,
            confidence: found.confidence,
        });
    }
}

/// The canonical key of somebody's fact: `직업` is the user's, `동생 직업` the sibling's.
#[must_use]
pub fn owned_key(owner: &Owner, key: &str) -> String {
    match owner {
        Owner::User => key.to_owned(),
        Owner::Other(name) => format!("{name} {key}"),
    }
}
