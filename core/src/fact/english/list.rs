//! Values as words: joined, freed from articles, cut into the items of a list.

use super::token::Word;
use crate::fact::words::{named, words};

/// The words with one space between them.
#[must_use]
pub fn join(span: &[Word<'_>]) -> String {
    let mut out = String::with_capacity(span.len() * 7);
    for word in span {
        if !out.is_empty() && word.low != "'s" {
            out.push(' ');
        }
        out.push_str(word.low);
    }
    out
}

/// Without a leading article.
#[must_use]
pub fn bare(text: &str) -> &str {
    let articles = [
        "a little bit of ",
        "a bit of ",
        "a little ",
        "a lot of ",
        "lots of ",
        "a glass of ",
        "a cup of ",
        "a bowl of ",
        "a slice of ",
        "a pint of ",
        "a good ",
        "especially ",
        "particularly ",
        "the color ",
        "a nice ",
        "a cold ",
        "a ",
        "an ",
        "the ",
        "my ",
        "some ",
        "good ",
    ];
    articles.iter().find_map(|a| text.strip_prefix(a)).unwrap_or(text)
}

/// Does the word start with a capital?
#[must_use]
pub fn capital(raw: &str) -> bool {
    raw.chars().next().is_some_and(char::is_uppercase)
}

fn is_and(word: &str) -> bool {
    matches!(word, "and" | "or" | "&" | "also")
}

/// The parts of a list. `mac and cheese` is one thing: a whole that the lexicon knows is not cut.
#[must_use]
pub fn items<'w, 'a>(span: &'w [Word<'a>]) -> Vec<&'w [Word<'a>]> {
    if words().of(bare(&join(span))) != 0 {
        return vec![span];
    }
    let mut out = Vec::new();
    let mut start = 0;
    for (at, word) in span.iter().enumerate() {
        let joins = is_and(word.low);
        if at > start && (joins || word.after_break) {
            out.push(&span[start..at]);
            start = at;
        }
        if joins && start == at {
            start = at + 1;
        }
    }
    out.extend(span.get(start..).filter(|rest| !rest.is_empty()));
    out.retain(|item| !item.is_empty());
    out
}

/// After a comma or "and": one more item, or a new clause? A clause starts with its subject or verb.
#[must_use]
pub fn continues(clause: &[Word<'_>], at: usize) -> bool {
    let n = named();
    let skip = usize::from(clause.get(at).is_some_and(|w| is_and(w.low) || w.low == "sometimes"));
    let Some(word) = clause.get(at + skip) else {
        return false;
    };
    let next = clause.get(at + skip + 1).map_or("", |w| w.low);
    let title = word.low == "the" && words().is(&format!("the {next}"), n.sport | n.music | n.movie);
    title || !words().is(word.low, n.en_verb | n.en_stop | n.en_opener)
}

/// A small word inside a title: `The Lord of the Rings`, `Gone with the Wind`.
#[must_use]
pub fn titled(clause: &[Word<'_>], at: usize) -> bool {
    let big = |at: usize| clause.get(at).is_some_and(|w| capital(w.raw) && w.low != "i");
    let next = big(at + 1) || (clause.get(at + 1).is_some_and(|w| w.low == "the") && big(at + 2));
    at > 0 && big(at - 1) && next && clause[at].low != "i"
}
