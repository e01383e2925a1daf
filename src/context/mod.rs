//! The context of the next LLM call: gathered from the store, packed by `memory_core`, written as JSON.

mod chat;
mod gather;
mod known;
mod write;

pub use gather::{Request, gather};
pub use write::write;
