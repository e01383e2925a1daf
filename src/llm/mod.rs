//! Providers over HTTP: chat and embeddings. Called from the main thread, with no transaction that others wait
//! for; the caller may be a worker, which says when it must stop.

mod error;

use std::time::Duration;

pub use error::LlmError;

pub struct Chat<'a> {
    pub system: &'a str,
    pub user: &'a str,
    /// The JSON schema of the answer, asked for where the provider has structured output.
    pub schema: Option<&'a serde_json::Value>,
    pub max_tokens: u32,
}

#[derive(Debug)]
pub struct Answer {
    pub text: String,
    /// The model that answered, by the name that the provider gives.
    pub model: String,
    pub prompt_tokens: u32,
    pub answer_tokens: u32,
}

/// Whether there is an LLM to ask.
pub fn configured() -> bool {
    false
}

/// Asks the LLM. `stop` is called between slices of at most 250 ms, beside PostgreSQL's own interrupts.
pub fn chat(_chat: &Chat, _stop: &dyn Fn() -> bool) -> Result<Answer, LlmError> {
    Err(LlmError::NotConfigured)
}

/// The vectors of texts, in their order.
pub fn embed(_texts: &[&str], _within: Duration, _stop: &dyn Fn() -> bool) -> Result<Vec<Vec<f32>>, LlmError> {
    Err(LlmError::NotConfigured)
}
