//! The context of the next LLM call: what goes in, within a budget, and how it is written.

mod block;
mod pack;

pub use block::{Heading, instructions, quote};
pub use pack::{Part, pack};
