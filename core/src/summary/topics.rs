//! What a conversation was about: what facts were told of, then the nouns that came up most.

use std::collections::HashMap;

use super::sentence::Said;
use super::weight::Weighed;
use crate::fact::{Subjects, key_label};
use crate::language::Language;
use crate::text::content_words;

const MOST: usize = 3;

pub fn of(sentences: &[Said], weighed: &[Weighed]) -> Vec<String> {
    let mut topics: Vec<String> = Vec::new();
    let mut add = |topic: String| {
        let known = topics
            .iter()
            .any(|known| known.contains(&topic) || topic.contains(known.as_str()));
        if !known && !topic.is_empty() && topics.len() < MOST {
            topics.push(topic);
        }
    };
    let mut counts: HashMap<String, (f64, usize)> = HashMap::new();
    for (place, said) in sentences.iter().enumerate() {
        let worth = if said.by_user { 1.0 } else { 0.5 };
        content_words(said.text, |word| {
            let (sum, _) = counts.entry(word.to_string()).or_insert((0.0, place));
            *sum += worth;
        });
    }
    // Words said again first; then what facts are about; then the words of the heaviest sentences.
    let mut words: Vec<(String, f64, usize)> = counts.into_iter().map(|(word, (sum, at))| (word, sum, at)).collect();
    words.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2)).then_with(|| a.0.cmp(&b.0)));
    for (word, ..) in words.iter().filter(|(_, sum, _)| *sum > 1.0) {
        add(word.clone());
    }
    let subjects = Subjects::builtin();
    for one in weighed.iter().filter(|one| one.said.by_user) {
        let language = Language::detect(one.said.text).unwrap_or(Language::En);
        for fact in &one.facts {
            add(key_label(&fact.key, subjects, language));
        }
    }
    let mut heaviest: Vec<&Weighed> = weighed.iter().collect();
    heaviest.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    for one in heaviest.into_iter().take(2) {
        content_words(one.said.text, |word| add(word.to_string()));
    }
    topics
}
