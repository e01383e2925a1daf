//! Embedding providers: where the vector of a text comes from.
//!
//! What is stored is never embedded over HTTP in the caller's transaction: the row is written without a vector, is
//! found by its words, and gets its vector from a worker ([`stored`]). A query cannot wait for a worker: its vector is
//! made in the caller's backend ([`query`]), within a short time, or the search goes on without it.

mod builtin;
mod http;

pub use http::of_model;

use std::time::Duration;

use pgrx::notice;

use crate::config::{self, EmbeddingProvider};
use crate::error::Result;
use crate::llm::LlmError;
use crate::vector::Embedding;

/// A vector and the model that made it. Only vectors of one model and dimension are compared.
#[derive(Clone)]
pub struct Embedded {
    pub model: String,
    pub vector: Embedding,
}

/// The vector of what is stored now: what the application passed, or else what the provider makes of the text at once;
/// `None` without either. With the provider http it is always `None`, and a job has to follow: see [`is_later`].
pub fn embed(given: Option<Embedding>, text: &str) -> Result<Option<Embedded>> {
    if let Some(vector) = given {
        return application(vector).map(Some);
    }
    Ok(match config::embedding_provider() {
        EmbeddingProvider::none | EmbeddingProvider::http => None,
        EmbeddingProvider::builtin => by_builtin(text)?,
    })
}

/// Whether texts that are stored now get their vectors from a worker.
pub fn is_later() -> bool {
    matches!(config::embedding_provider(), EmbeddingProvider::http) && config::embedder().is_some()
}

/// What a query is compared by.
pub struct Query {
    pub embedded: Option<Embedded>,
    /// Why it has no vector though it should.
    pub missing: Option<LlmError>,
}

/// The vector of a question. Without it the search goes on with keywords, and the caller is told.
pub fn query(given: Option<Embedding>, text: &str) -> Result<Query> {
    let found = |embedded| Query {
        embedded,
        missing: None,
    };
    if given.is_some() || !matches!(config::embedding_provider(), EmbeddingProvider::http) {
        return embed(given, text).map(found);
    }
    if text.trim().is_empty() {
        return Ok(found(None));
    }
    match http::query(text) {
        Ok(embedded) => Ok(found(Some(embedded))),
        Err(error) => {
            notice!("no vector for the query, searching by keywords alone: {error}");
            Ok(Query {
                embedded: None,
                missing: Some(error),
            })
        }
    }
}

/// The vectors of stored texts, in their order; `None` for a text that the model makes nothing of. For workers, outside
/// of a transaction: with the provider http this waits for the network.
pub fn stored(
    texts: &[&str],
    within: Duration,
    stop: &dyn Fn() -> bool,
) -> std::result::Result<Vec<Option<Embedded>>, LlmError> {
    match config::embedding_provider() {
        EmbeddingProvider::none => Ok(texts.iter().map(|_| None).collect()),
        // The built-in model is a part of the library: when it cannot be read, no text has a vector.
        EmbeddingProvider::builtin => Ok(texts.iter().map(|text| by_builtin(text).ok().flatten()).collect()),
        EmbeddingProvider::http => http::stored(texts, within, stop),
    }
}

fn application(vector: Embedding) -> Result<Embedded> {
    Ok(Embedded {
        model: config::application_model(),
        vector: vector.fit("embedding")?,
    })
}

fn by_builtin(text: &str) -> Result<Option<Embedded>> {
    Ok(builtin::embed(text)?.map(|vector| Embedded {
        model: builtin::NAME.to_string(),
        vector: Embedding(vector),
    }))
}

/// The model that the provider embeds with, if it does. How many dimensions the vectors of a model over HTTP have is
/// known when it was asked for them, or when the first came.
pub fn provider_model() -> Option<(String, Option<usize>)> {
    match config::embedding_provider() {
        EmbeddingProvider::none => None,
        EmbeddingProvider::builtin => Some((builtin::NAME.to_string(), Some(builtin::DIMENSIONS))),
        EmbeddingProvider::http => {
            let asked = config::embed_dimensions().map(|dimensions| dimensions as usize);
            config::embedder().map(|provider| (provider.model, asked))
        }
    }
}
