//! The SQL functions, by area. They check arguments, call `store` and `memory_core`, and shape the answer.

mod agent;
mod arg;
mod context;
pub mod decay;
pub mod encryption;
pub mod fact;
mod job;
mod llm;
mod maintain;
mod memory;
mod message;
mod novelty;
mod recall;
mod reflect;
mod relationship;
mod search;
mod session;
mod stats;
mod summary;
mod tokens;
