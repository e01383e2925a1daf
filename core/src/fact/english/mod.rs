//! English: words, slots, and the patterns that state facts.

pub mod clause;
pub mod extract;
mod fit;
mod list;
mod noun;
pub mod pattern;
pub mod slot;
pub mod subject;
pub mod token;
