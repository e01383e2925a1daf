//! memory_llm_check

use std::time::Instant;

use pgrx::prelude::*;
use serde_json::json;

use crate::config;
use crate::error::Result;
use crate::llm::{self, Chat, LlmError};

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_llm_check() -> Result<
    TableIterator<
        'static,
        (
            name!(what, String),
            name!(ok, bool),
            name!(error, Option<String>),
            name!(model, Option<String>),
            name!(milliseconds, Option<f64>),
            name!(detail, Option<String>),
        ),
    >,
> {
    let llm = timed(config::llm().map(|provider| provider.model), ask);
    let embedding = timed(config::embedder().map(|provider| provider.model), embed);
    let rows = [("llm", llm), ("embedding", embedding)].map(|(what, check)| {
        (
            what.to_string(),
            check.outcome.is_ok(),
            check.outcome.as_ref().err().map(ToString::to_string),
            check
                .outcome
                .as_ref()
                .ok()
                .map(|(model, _)| model.clone())
                .or(check.model),
            check.milliseconds,
            check.outcome.ok().map(|(_, detail)| detail),
        )
    });
    Ok(TableIterator::new(rows))
}

struct Check {
    /// As it is set.
    model: Option<String>,
    /// The model that answered, and what it said of itself.
    outcome: std::result::Result<(String, String), LlmError>,
    milliseconds: Option<f64>,
}

fn timed(model: Option<String>, check: fn(&str) -> std::result::Result<(String, String), LlmError>) -> Check {
    let Some(name) = &model else {
        return Check {
            model: None,
            outcome: Err(LlmError::NotConfigured),
            milliseconds: None,
        };
    };
    let before = Instant::now();
    let outcome = check(name);
    Check {
        outcome,
        milliseconds: Some((before.elapsed().as_secs_f64() * 1e5).round() / 100.0),
        model,
    }
}

fn ask(_model: &str) -> std::result::Result<(String, String), LlmError> {
    let schema = json!({
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
        "additionalProperties": false,
    });
    let chat = Chat {
        system: "Answer with the JSON object {\"ok\": true} and nothing else.",
        user: "Are you there?",
        schema: Some(&schema),
        max_tokens: 64,
    };
    let answer = llm::chat(&chat, &|| false)?;
    let used = format!("{} tokens in, {} out", answer.prompt_tokens, answer.answer_tokens);
    Ok((answer.model, used))
}

fn embed(model: &str) -> std::result::Result<(String, String), LlmError> {
    let vectors = llm::embed(&["Are you there?"], config::embed_timeout(), &|| false)?;
    let dimensions = vectors.first().map_or(0, Vec::len);
    Ok((model.to_string(), format!("{dimensions} dimensions")))
}
