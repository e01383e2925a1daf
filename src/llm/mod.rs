//! Providers over HTTP: chat and embeddings. Called from the main thread, with no transaction that others wait
//! for; the caller may be a worker, which says when it must stop.

mod call;
mod calls;
mod error;
mod http;
mod key;
mod pause;
mod resolve;
mod runtime;

use std::time::Duration;

use crate::config;
use call::Call;

pub use calls::Calls;
pub use error::LlmError;
pub use pause::init;

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

/// What a provider gave.
#[derive(Debug)]
pub enum Reply {
    Answer(Answer),
    Vectors(Vec<Vec<f32>>),
}

/// Whether there is an LLM to ask.
pub fn configured() -> bool {
    config::llm().is_some()
}

/// Asks the LLM. `stop` is called between slices of at most 250 ms, beside PostgreSQL's own interrupts.
pub fn chat(chat: &Chat, stop: &dyn Fn() -> bool) -> Result<Answer, LlmError> {
    match runtime::drive(Call::chat(chat)?.go(), stop)?.read()? {
        Reply::Answer(answer) => Ok(answer),
        Reply::Vectors(_) => Err(LlmError::BadAnswer),
    }
}

/// The vectors of texts, in their order, from the service of memory_ext.embed_*.
pub fn embed(texts: &[&str], within: Duration, stop: &dyn Fn() -> bool) -> Result<Vec<Vec<f32>>, LlmError> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    match runtime::drive(Call::embed(texts, within)?.go(), stop)?.read()? {
        Reply::Vectors(vectors) => Ok(vectors),
        Reply::Answer(_) => Err(LlmError::BadAnswer),
    }
}

/// The vector of one query, for a backend that waits. After a failure queries leave the service alone for a moment,
/// so that a service that hangs does not hold up every one of them.
pub fn embed_query(text: &str, within: Duration) -> Result<Vec<Vec<f32>>, LlmError> {
    let provider = config::embedder().ok_or(LlmError::NotConfigured)?;
    if let Some(until) = pause::pending_query(&provider) {
        return Err(LlmError::CoolingDown { until });
    }
    let outcome = embed(&[text], within, &|| false);
    if outcome.as_ref().is_err_and(|error| error.is_outage()) {
        pause::begin_query(&provider, config::embed_query_pause());
    }
    outcome
}
