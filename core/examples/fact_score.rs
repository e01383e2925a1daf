//! Precision and recall of the extraction on files of labelled sentences.
//!
//!     cargo run -q --release -p memory_core --example fact_score -- [-v] core/tests/data/facts_rounds.tsv ...
//!
//! A line is language, sentence and facts (`key`, `key=value`, `key=value!op`, joined by `|`; `-` for none; `key/key`
//! where either is right), separated by tabs. A fact counts when its key is right: class and category follow from the key. `-v` lists what was missed.

use memory_core::fact::{Class, Speaker, Subjects, extract};
use std::collections::BTreeMap;

#[derive(Default)]
struct Score {
    right: usize,
    found: usize,
    expected: usize,
    sentences: usize,
    exact: usize,
    silent: usize,
    invented: usize,
}

fn main() {
    let mut verbose = false;
    for file in std::env::args().skip(1) {
        if file == "-v" {
            verbose = true;
            continue;
        }
        match std::fs::read_to_string(&file) {
            Ok(text) => report(&file, &text, verbose),
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
}

fn report(file: &str, text: &str, verbose: bool) {
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[language, said, label, ..] = columns.as_slice() else {
            eprintln!("{file}: three columns expected: {line}");
            continue;
        };
        let labels = label.split('|').map(str::trim).filter(|l| !matches!(*l, "-" | ""));
        let mut want: Vec<&str> = labels.map(key).collect();
        let facts = extract(said, None, Subjects::builtin(), Speaker::User);
        let facts = facts.iter().filter(|f| f.class != Class::Experience);
        let mut got: Vec<(&str, &str)> = facts.map(|f| (f.key.as_str(), f.value.as_str())).collect();
        let score = scores.entry(language).or_default();
        score.sentences += 1;
        score.expected += want.len();
        score.found += got.len();
        score.silent += usize::from(want.is_empty());
        score.invented += usize::from(want.is_empty() && !got.is_empty());
        let shown = format!("{got:?}");
        got.retain(
            |(key, _)| match want.iter().position(|w| w.split('/').any(|w| w == *key)) {
                Some(at) => {
                    want.swap_remove(at);
                    score.right += 1;
                    false
                }
                None => true,
            },
        );
        if want.is_empty() && got.is_empty() {
            score.exact += 1;
        } else if verbose {
            println!("{language}\t{said}\n    want {label}\n    got  {shown}");
        }
    }
    for (language, s) in scores {
        println!(
            "{file} {language}: precision {:.3}, recall {:.3} of {} facts; all of it right in {:.3} of {} sentences; \
             invented in {} of {} without a fact",
            share(s.right, s.found),
            share(s.right, s.expected),
            s.expected,
            share(s.exact, s.sentences),
            s.sentences,
            s.invented,
            s.silent,
        );
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The key of a label.
fn key(label: &str) -> &str {
    let label = label.split_once('!').map_or(label, |(head, _)| head);
    label.split_once('=').map_or(label, |(key, _)| key)
}
