//! Korean: words, particles, endings, clauses, and the patterns that state facts.

pub mod clause;
pub mod conjugate;
pub mod copula;
pub mod cue;
pub mod extract;
pub mod frame;
pub mod jamo;
pub mod josa;
pub mod noun;
pub mod phrase;
pub mod predicate;
pub mod slot;
pub mod subject;
pub mod token;
pub mod topic;
