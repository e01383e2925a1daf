//! Between user and agent: promises, agreements, changes of the relationship, and what they did
//! together. The only things that are read from the assistant's side.

use super::emit::{Collector, Found};
use super::korean::jamo::is_hangul;
use super::sentence::Sentence;
use super::types::{Op, Speaker};
use std::sync::LazyLock;

/// One line of `together.tsv`: words that must all stand in the sentence, and what it then is.
struct Rule {
    key: &'static str,
    speaker: &'static str,
    /// Each group is satisfied by any of its alternatives.
    groups: Vec<Vec<&'static str>>,
    fixed: Option<&'static str>,
    korean: bool,
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let rows = include_str!("data/together.tsv")
        .lines()
        .filter(|l| !l.starts_with('#'));
    rows.filter_map(|line| {
        let mut columns = line.split('\t');
        let (key, speaker, text) = (columns.next()?, columns.next()?, columns.next()?);
        let groups = text.split(" + ").map(|g| g.split('|').collect()).collect();
        let korean = text.chars().any(is_hangul);
        let fixed = columns.next().filter(|f| !f.is_empty());
        Some(Rule {
            key,
            speaker,
            groups,
            fixed,
            korean,
        })
    })
    .collect()
});

/// Adds what a message says about the two of them.
pub fn read(out: &mut Collector<'_>, list: &[Sentence], speaker: Speaker) {
    let normal = out.normal;
    for s in list.iter().filter(|s| !s.question) {
        let padded = format!(" {} ", normal.low[s.range.clone()].trim());
        let korean = padded.chars().any(is_hangul);
        let Some(rule) = RULES.iter().find(|r| r.korean == korean && r.applies(&padded, speaker)) else {
            continue;
        };
        let Some(subject) = out.subjects.get(rule.key) else {
            continue;
        };
        let raw = normal.raw[s.range.clone()].trim();
        let found = Found {
            subject,
            owner: None,
            raw,
            fixed: rule.fixed,
            op: Op::Set,
            span: s.range.clone(),
            confidence: 0.8,
        };
        out.emit(&found);
    }
}

impl Rule {
    fn applies(&self, line: &str, speaker: Speaker) -> bool {
        let allowed = self.speaker == "both" || self.speaker == speaker.name();
        let has = |word: &&str| match (word.strip_prefix('!'), word.strip_suffix('$')) {
            (Some(word), _) => !line.contains(word),
            (None, Some(end)) => line.trim_end_matches([' ', '~', '"', '♥', '^']).ends_with(end),
            (None, None) => line.contains(*word),
        };
        allowed
            && self.groups.iter().all(|g| {
                if g[0].starts_with('!') {
                    g.iter().all(has)
                } else {
                    g.iter().any(has)
                }
            })
    }
}
