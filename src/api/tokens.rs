//! token_estimate

use memory_core::tokens::{self, Tokenizer};
use pgrx::prelude::*;

use crate::config;
use crate::error::{self, Result};

#[pg_extern(stable, parallel_safe)]
#[search_path(pg_catalog, pg_temp)]
fn token_estimate(text: Option<&str>, tokenizer: default!(Option<&str>, "NULL")) -> Result<Option<i32>> {
    let tokenizer = match tokenizer {
        None => config::default_tokenizer(),
        Some(name) => name.parse::<Tokenizer>().map_err(|_| {
            error::invalid(
                format!("\"{}\" is not a known tokenizer", error::shown(name)),
                "Use any, o200k or cl100k.",
            )
        })?,
    };
    Ok(text.map(|text| tokens::estimate(text, tokenizer).try_into().unwrap_or(i32::MAX)))
}
