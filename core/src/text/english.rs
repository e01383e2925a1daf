//! English words: which to leave out, and what is left of the others.

use super::tokenize::Sink;
use super::words::{List, Words};
use rust_stemmers::{Algorithm, Stemmer};
use std::borrow::Cow;

/// Words too common to tell texts apart, in alphabetical order.
/// Apostrophes are often left out in chat, hence `dont` and `im`.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "arent", "as",
    "at", "be", "because", "been", "before", "being", "between", "both", "but", "by", "can",
    "cannot", "cant", "could", "couldnt", "d", "did", "didnt", "do", "does", "doesnt", "doing",
    "dont", "down", "during", "each", "few", "for", "from", "further", "had", "hadnt", "has",
    "hasnt", "have", "havent", "having", "he", "her", "here", "hers", "herself", "hes", "him",
    "himself", "his", "how", "http", "https", "i", "if", "im", "in", "into", "is", "isnt", "it",
    "its", "itself", "ive", "just", "ll", "m", "me", "more", "most", "my", "myself", "no", "nor",
    "not", "now", "of", "off", "on", "once", "only", "or", "other", "our", "ours", "ourselves",
    "out", "over", "own", "re", "s", "same", "shall", "she", "shes", "should", "shouldnt", "so",
    "some", "such", "t", "than", "that", "thats", "the", "their", "theirs", "them", "themselves",
    "then", "there", "theres", "these", "they", "theyre", "this", "those", "through", "to", "too",
    "under", "until", "up", "us", "ve", "very", "was", "wasnt", "we", "were", "werent", "what",
    "whats", "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with",
    "wont", "would", "wouldnt", "www", "you", "your", "youre", "yours", "yourself", "yourselves",
];

/// Forms that no suffix rule brings together, in alphabetical order.
#[rustfmt::skip]
const IRREGULAR: &[(&str, &str)] = &[
    ("ate", "eat"), ("became", "become"), ("began", "begin"), ("begun", "begin"), ("bit", "bite"),
    ("bitten", "bite"), ("blew", "blow"), ("bought", "buy"), ("broke", "break"),
    ("broken", "break"), ("brought", "bring"), ("built", "build"), ("came", "come"),
    ("caught", "catch"), ("children", "child"), ("chose", "choose"), ("chosen", "choose"),
    ("dealt", "deal"), ("drank", "drink"), ("drawn", "draw"), ("dreamt", "dream"),
    ("drew", "draw"), ("driven", "drive"), ("drove", "drive"), ("drunk", "drink"),
    ("eaten", "eat"), ("fallen", "fall"), ("fed", "feed"), ("feet", "foot"), ("fell", "fall"),
    ("felt", "feel"), ("flew", "fly"), ("flown", "fly"), ("forgot", "forget"),
    ("forgotten", "forget"), ("fought", "fight"), ("found", "find"), ("froze", "freeze"),
    ("frozen", "freeze"), ("gave", "give"), ("geese", "goose"), ("given", "give"), ("goes", "go"),
    ("gone", "go"), ("got", "get"), ("gotten", "get"), ("grew", "grow"), ("grown", "grow"),
    ("heard", "hear"), ("held", "hold"), ("hid", "hide"), ("hidden", "hide"), ("hung", "hang"),
    ("kept", "keep"), ("knew", "know"), ("knives", "knife"), ("known", "know"), ("laid", "lay"),
    ("learnt", "learn"), ("led", "lead"), ("lent", "lend"), ("lit", "light"), ("lost", "lose"),
    ("made", "make"), ("meant", "mean"), ("men", "man"), ("met", "meet"), ("mice", "mouse"),
    ("paid", "pay"), ("ran", "run"), ("rang", "ring"), ("ridden", "ride"), ("risen", "rise"),
    ("rode", "ride"), ("said", "say"), ("sang", "sing"), ("sat", "sit"), ("saw", "see"),
    ("seen", "see"), ("sent", "send"), ("shaken", "shake"), ("shook", "shake"), ("shown", "show"),
    ("slept", "sleep"), ("sold", "sell"), ("spent", "spend"), ("spoke", "speak"),
    ("spoken", "speak"), ("stole", "steal"), ("stolen", "steal"), ("stood", "stand"),
    ("stuck", "stick"), ("sung", "sing"), ("swam", "swim"), ("taken", "take"),
    ("taught", "teach"), ("teeth", "tooth"), ("thought", "think"), ("threw", "throw"),
    ("thrown", "throw"), ("told", "tell"), ("took", "take"), ("tore", "tear"),
    ("understood", "understand"), ("went", "go"), ("wives", "wife"), ("woke", "wake"),
    ("woken", "wake"), ("women", "woman"), ("won", "win"), ("wore", "wear"), ("worn", "wear"),
    ("written", "write"), ("wrote", "write"),
];

static STOPS: List<()> = List::new(|| Words::of(STOP_WORDS));
static FORMS: List<&str> = List::new(|| Words::new(IRREGULAR.iter().copied()));

pub fn is_stop_word(word: &str) -> bool {
    STOPS.has(word)
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
    let word = FORMS.get(word).unwrap_or(word);
    Stemmer::create(Algorithm::English).stem(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_is_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(IRREGULAR.is_sorted());
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
