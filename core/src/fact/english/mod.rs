//! English: words, slots, and the patterns that state facts.

pub mod extract;
pub mod pattern;
pub mod slot;
pub mod subject;
pub mod token;
