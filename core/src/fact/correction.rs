//! Bare corrections: `아니, 스물여섯이야` names no subject, `no, green` not even a kind.

use super::emit::{Collector, Found};
use super::label::strip_copula;
use super::sentence::Sentence;
use super::subjects::Kind;
use super::types::Op;
use super::words::{named, words};

/// Reads a sentence that corrects the last thing said. Without previous keys nothing is known.
pub fn read(out: &mut Collector<'_>, s: &Sentence, previous_keys: &[&str]) {
    let normal = out.normal;
    let line = normal.low[s.range.clone()].trim();
    let offset = s.range.start + normal.low[s.range.clone()].len() - normal.low[s.range.clone()].trim_start().len();
    let Some(rest) = after_marker(line) else {
        return;
    };
    let start = offset + line.len() - rest.len();
    let raw = normal.raw[start..start + rest.len()].trim();
    let value = ["it's ", "it is ", "i meant ", "i mean ", "make that "]
        .iter()
        .find_map(|p| raw.to_lowercase().starts_with(p).then(|| &raw[p.len()..]))
        .unwrap_or(raw);
    let value = strip_copula(strip_casual(value));
    if value.is_empty() || value.split_whitespace().count() > 3 {
        return;
    }
    for key in previous_keys {
        let Some(subject) = out.subjects.get(key) else {
            continue;
        };
        let free = matches!(subject.kind, Kind::Text | Kind::Name | Kind::Choice);
        let low = value.to_lowercase();
        let n = named();
        if free
            && low
                .split_whitespace()
                .any(|w| words().is(w, n.badvalue | n.person | n.second | n.en_stop | n.filler))
        {
            return;
        }
        let span = s.range.clone();
        let found = Found {
            subject,
            owner: None,
            raw: value,
            fixed: None,
            op: Op::Correct,
            span,
            confidence: 0.7,
        };
        if out.emit(&found) {
            return;
        }
    }
}

/// What follows `아니,` or `no,`.
fn after_marker(line: &str) -> Option<&str> {
    let end = line
        .find(|c: char| c == ',' || c.is_whitespace())
        .filter(|end| *end > 0)?;
    let (first, rest) = line.split_at(end);
    let n = named();
    let marks = words().is(first, n.correction | n.en_correct);
    let rest = rest.trim_start_matches([',', ' ', '.']);
    // 아니, 미안, 부산이야: markers may pile up.
    let rest = if marks {
        after_marker(rest).unwrap_or(rest)
    } else {
        rest
    };
    marks.then_some(rest).filter(|r| !r.is_empty())
}

/// `부산이야`, `초록색이야` without their copula.
fn strip_casual(value: &str) -> &str {
    let g = super::korean::predicate::grammar();
    let Some(last) = value.split_whitespace().next_back() else {
        return value;
    };
    g.nouns(last)
        .next()
        .map_or(value, |n| &value[..value.len() - (last.len() - n.base)])
}

/// Whether a message may be nothing but a correction of what was said before.
#[must_use]
pub fn may_correct(text: &str) -> bool {
    after_marker(text.trim().to_lowercase().as_str()).is_some()
}
