//! The one or two sentences that say most, in the order in which they were said.

use super::weight::Weighed;
use crate::language::Language;
use crate::llm::answer::{line, shortened};

/// One sentence of a summary is no longer.
const SENTENCE_CHARS: usize = 180;
/// A second sentence must weigh at least this share of the first.
const SECOND: f64 = 0.3;
/// Two sentences that share more of their words say the same.
const SAME: f64 = 0.5;

/// `None` when nobody said a word.
pub fn best(weighed: &[Weighed], language: Language) -> Option<String> {
    let heaviest = |wanted: &dyn Fn(&Weighed) -> bool| {
        let mut found: Option<usize> = None;
        for (index, one) in weighed.iter().enumerate().filter(|(_, one)| wanted(one)) {
            // Of equals the later one: it is nearer to how things stand.
            if found.is_none_or(|known| one.weight >= weighed[known].weight) {
                found = Some(index);
            }
        }
        found
    };
    let first = heaviest(&|_| true)?;
    let lead = &weighed[first];
    let second = heaviest(&|one| {
        !std::ptr::eq(one, lead) && one.weight >= lead.weight * SECOND && overlap(&one.terms, &lead.terms) < SAME
    });
    let mut chosen: Vec<usize> = std::iter::once(first).chain(second).collect();
    chosen.sort_unstable();
    let sentences: Vec<String> = chosen
        .into_iter()
        .map(|index| told(&weighed[index], language))
        .collect();
    Some(sentences.join(" "))
}

/// In the user's own words, or with who else said it.
fn told(weighed: &Weighed, language: Language) -> String {
    let mut text = shortened(&line(weighed.said.text), SENTENCE_CHARS);
    if text.ends_with(char::is_alphanumeric) {
        text.push('.');
    }
    match (weighed.said.by_user, language) {
        (true, _) => text,
        (false, Language::Ko) => format!("상대: {text}"),
        (false, Language::En) => format!("Assistant: {text}"),
    }
}

/// The share of the shorter one's words that both have; both are sorted.
fn overlap(a: &[String], b: &[String]) -> f64 {
    let shared = a.iter().filter(|term| b.binary_search(term).is_ok()).count();
    match a.len().min(b.len()) {
        0 => 0.0,
        least => shared as f64 / least as f64,
    }
}
