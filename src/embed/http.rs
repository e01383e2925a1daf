//! Vectors from a service over HTTP.

use std::time::Duration;

use memory_core::llm::wire::MAX_TEXTS;

use super::Embedded;
use crate::config;
use crate::llm::{self, LlmError};
use crate::vector::Embedding;

pub fn query(text: &str) -> Result<Embedded, LlmError> {
    let vectors = llm::embed_query(text, config::embed_query_timeout())?;
    of_model(vectors).into_iter().next().ok_or(LlmError::Empty)
}

/// In batches that every service takes. Blank texts are not sent: services refuse them.
pub fn stored(texts: &[&str], within: Duration, stop: &dyn Fn() -> bool) -> Result<Vec<Option<Embedded>>, LlmError> {
    let mut found: Vec<Option<Embedded>> = texts.iter().map(|_| None).collect();
    let spoken: Vec<usize> = (0..texts.len())
        .filter(|index| !texts[*index].trim().is_empty())
        .collect();
    for batch in spoken.chunks(MAX_TEXTS) {
        let sent: Vec<&str> = batch.iter().map(|index| texts[*index]).collect();
        let vectors = of_model(llm::embed(&sent, within, stop)?);
        for (index, embedded) in batch.iter().zip(vectors) {
            found[*index] = Some(embedded);
        }
    }
    Ok(found)
}

/// Vectors with the name of the model that is set.
pub fn of_model(vectors: Vec<Vec<f32>>) -> Vec<Embedded> {
    let model = config::embedder().map_or_else(String::new, |provider| provider.model);
    let named = |vector| Embedded {
        model: model.clone(),
        vector: Embedding(vector),
    };
    vectors.into_iter().map(named).collect()
}
