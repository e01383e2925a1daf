//! Facts: what a text says, and what is known of a user.

pub mod keys;
mod known;
mod text;
