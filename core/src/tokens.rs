//! Token counts without a tokenizer.

use std::str::FromStr;

/// Tokens that a chat message costs beside its text.
pub const MESSAGE_OVERHEAD: usize = 4;

/// Which tokenizer's counts the estimate follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    Any,
    O200k,
    Cl100k,
}

impl FromStr for Tokenizer {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "any" => Ok(Tokenizer::Any),
            "o200k" => Ok(Tokenizer::O200k),
            "cl100k" => Ok(Tokenizer::Cl100k),
            _ => Err(()),
        }
    }
}

pub fn estimate(text: &str, _tokenizer: Tokenizer) -> usize {
    text.len().div_ceil(3)
}
