//! English words: which to leave out, and what is left of the others.

use super::tokenize::Sink;
use rust_stemmers::{Algorithm, Stemmer};
use std::borrow::Cow;

/// Words too common to tell texts apart, in alphabetical order.
/// Apostrophes are often left out in chat, hence `dont` and `im`.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "after",
    "again",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "arent",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "between",
    "both",
    "but",
    "by",
    "can",
    "cannot",
    "cant",
    "could",
    "couldnt",
    "d",
    "did",
    "didnt",
    "do",
    "does",
    "doesnt",
    "doing",
    "dont",
    "down",
    "during",
    "each",
    "few",
    "for",
    "from",
    "further",
    "had",
    "hadnt",
    "has",
    "hasnt",
    "have",
    "havent",
    "having",
    "he",
    "her",
    "here",
    "hers",
    "herself",
    "hes",
    "him",
    "himself",
    "his",
    "how",
    "http",
    "https",
    "i",
    "if",
    "im",
    "in",
    "into",
    "is",
    "isnt",
    "it",
    "its",
    "itself",
    "ive",
    "just",
    "ll",
    "m",
    "me",
    "more",
    "most",
    "my",
    "myself",
    "no",
    "nor",
    "not",
    "now",
    "of",
    "off",
    "on",
    "once",
    "only",
    "or",
    "other",
    "our",
    "ours",
    "ourselves",
    "out",
    "over",
    "own",
    "re",
    "s",
    "same",
    "shall",
    "she",
    "shes",
    "should",
    "shouldnt",
    "so",
    "some",
    "such",
    "t",
    "than",
    "that",
    "thats",
    "the",
    "their",
    "theirs",
    "them",
    "themselves",
    "then",
    "there",
    "theres",
    "these",
    "they",
    "theyre",
    "this",
    "those",
    "through",
    "to",
    "too",
    "under",
    "until",
    "up",
    "us",
    "ve",
    "very",
    "was",
    "wasnt",
    "we",
    "were",
    "werent",
    "what",
    "whats",
    "when",
    "where",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "wont",
    "would",
    "wouldnt",
    "www",
    "you",
    "your",
    "youre",
    "yours",
    "yourself",
    "yourselves",
];

pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// `e.g.` and `i.e.`, without their dots.
pub fn is_abbreviation_without_meaning(joined: &str) -> bool {
    matches!(joined, "eg" | "ie")
}

/// Emits a word without joints: its stem, unless it is a stop-word.
pub fn word(word: &str, sink: &mut Sink) {
    if is_stop_word(word) {
        sink.stop_word(word);
    } else {
        sink.term(&stem(word));
    }
}

/// The Snowball stem of a word in plain letters; any other word as it is.
pub fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    Stemmer::create(Algorithm::English).stem(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_is_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn stems() {
        for (word, expected) in [
            ("running", "run"),
            ("cities", "citi"),
            ("city", "citi"),
            ("été", "été"),
            ("is", "is"),
        ] {
            assert_eq!(stem(word), expected);
        }
    }
}
