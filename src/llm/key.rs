//! A provider's key, read anew for each call, so that it can be changed without a restart.

use std::fs;
use std::io::Read;

use reqwest::header::HeaderValue;

use super::LlmError;
use crate::config::KeySource;

/// No key is longer; a path that names something else must not be read into memory.
const MAX_BYTES: u64 = 16 * 1024;

/// The value of the header that carries the key; `None` when neither file nor variable is named.
pub fn header(source: &KeySource, before: &str) -> Result<Option<HeaderValue>, LlmError> {
    let key = match (source.file.as_str(), source.variable.as_str()) {
        ("", "") => return Ok(None),
        ("", variable) => std::env::var(variable).map_err(|_| LlmError::NoKey)?,
        (file, _) => of_file(file).ok_or(LlmError::NoKey)?,
    };
    let key = key.trim();
    if key.is_empty() {
        return Err(LlmError::NoKey);
    }
    let mut value = HeaderValue::from_str(&format!("{before}{key}")).map_err(|_| LlmError::NoKey)?;
    value.set_sensitive(true);
    Ok(Some(value))
}

/// Only a regular file: opening a pipe could wait for ever.
fn of_file(path: &str) -> Option<String> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut key = String::new();
    let file = fs::File::open(path).ok()?;
    file.take(MAX_BYTES).read_to_string(&mut key).ok()?;
    Some(key)
}
