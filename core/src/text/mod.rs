//! Words of a text, for keyword search.
//!
//! * [`normalize`]: one spelling for equal texts (NFKC, case, accents)
//! * [`class`]: what a character is, for splitting
//! * [`tokenize`]: a text to its index terms; [`for_each_term`] and [`terms`]
//! * [`compound`]: alphabetic words and numbers, with what joins them
//! * [`english`]: stop-words, contractions, stems
//! * [`hangul`]: arithmetic on syllables
//! * [`korean`]: eojeols, their particles and bigrams
//! * [`verb`]: Korean conjugations to dictionary forms
//! * [`endings`]: the endings it knows
//! * [`suffix`]: quick lookup of endings
//! * [`words`]: quick lookup of words
//! * [`lexicon`]: the Korean word lists
//! * [`hash`]: terms to stable 32-bit ids
//! * [`content`]: words to name a text's topics with
//! * [`bm25`]: exact ranking of one user's documents

pub mod bm25;
pub mod class;
pub mod compound;
pub mod content;
pub mod endings;
pub mod english;
pub mod hangul;
pub mod hash;
pub mod korean;
pub mod lexicon;
pub mod normalize;
pub mod suffix;
pub mod tokenize;
pub mod verb;
pub mod words;

pub use content::content_words;
pub use hash::TermHasher;
pub use tokenize::{for_each_term, terms};
