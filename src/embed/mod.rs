//! Embedding providers: where the vector of a text comes from.

mod builtin;

use crate::config::{self, EmbeddingProvider};
use crate::error::Result;
use crate::vector::Embedding;

/// A vector and the model that made it. Only vectors of one model and dimension are compared.
#[derive(Clone)]
pub struct Embedded {
    pub model: String,
    pub vector: Embedding,
}

/// What the application passed, or else what the provider makes of the text; `None` without either.
pub fn embed(given: Option<Embedding>, text: &str) -> Result<Option<Embedded>> {
    if let Some(vector) = given {
        return Ok(Some(Embedded {
            model: config::application_model(),
            vector: vector.fit("embedding")?,
        }));
    }
    Ok(match config::embedding_provider() {
        EmbeddingProvider::none => None,
        EmbeddingProvider::builtin => builtin::embed(text)?.map(|vector| Embedded {
            model: builtin::NAME.to_string(),
            vector: Embedding(vector),
        }),
    })
}

/// The model that the provider embeds with, if it does.
pub fn provider_model() -> Option<(&'static str, usize)> {
    match config::embedding_provider() {
        EmbeddingProvider::none => None,
        EmbeddingProvider::builtin => Some((builtin::NAME, builtin::DIMENSIONS)),
    }
}
