//! Checks that every function makes on its arguments.

use memory_core::fact::Speaker;
use memory_core::kind::Kind;
use pgrx::datum::{TimestampWithTimeZone, Uuid};

use crate::error::{self, Result};
use crate::jsonb::RawJsonb;

/// Ids are parts of index keys, whose rows must stay under a third of a page.
const MAX_ID_BYTES: usize = 512;

pub fn required<T>(value: Option<T>, name: &str) -> Result<T> {
    value.ok_or_else(|| error::missing(name))
}

/// An id that must be there.
pub fn id<'a>(value: Option<&'a str>, name: &str) -> Result<&'a str> {
    let value = required(value, name)?;
    if value.is_empty() {
        return Err(error::invalid(
            format!("{name} must not be empty"),
            "Pass an id of at least one character.",
        ));
    }
    id_length(value, name)?;
    Ok(value)
}

/// An id that may be absent or, as the default agent and space are, empty.
pub fn optional_id<'a>(value: Option<&'a str>, name: &str) -> Result<Option<&'a str>> {
    if let Some(value) = value {
        id_length(value, name)?;
    }
    Ok(value)
}

fn id_length(value: &str, name: &str) -> Result<()> {
    if value.len() > MAX_ID_BYTES {
        return Err(error::invalid(
            format!("{name} is {} bytes long", value.len()),
            "Ids may have up to 512 bytes.",
        ));
    }
    Ok(())
}

pub fn uuid(value: Option<Uuid>, name: &str) -> Result<Uuid> {
    required(value, name)
}

/// A count that may be 0.
pub fn count(value: Option<i32>, name: &str) -> Result<i64> {
    match required(value, name)? {
        value if value < 0 => Err(error::invalid(
            format!("{name} must not be negative, it is {value}"),
            "Pass 0 or more.",
        )),
        value => Ok(value.into()),
    }
}

/// A number from 0 to 1.
pub fn fraction(value: f64, name: &str) -> Result<f64> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(error::invalid(
        format!("{name} must be between 0 and 1, it is {value}"),
        "0 is the least, 1 the most.",
    ))
}

pub fn object(value: Option<RawJsonb>, name: &str) -> Result<Option<RawJsonb>> {
    match value {
        Some(json) if !json.is_object() => Err(error::invalid(
            format!("{name} must be a JSON object"),
            "Pass an object such as '{\"key\": \"value\"}'.",
        )),
        value => Ok(value),
    }
}

/// Times that can be compared and shown: `infinity` is neither a moment of a conversation.
pub fn moment(value: Option<TimestampWithTimeZone>, name: &str) -> Result<Option<TimestampWithTimeZone>> {
    match value {
        Some(time) if time.is_infinity() || time.is_neg_infinity() => Err(error::invalid(
            format!("{name} must not be infinite"),
            "Leave it out for the present.",
        )),
        value => Ok(value),
    }
}

/// A list of texts; absent is empty.
pub fn texts(value: Option<Vec<Option<String>>>, name: &str) -> Result<Vec<String>> {
    value
        .unwrap_or_default()
        .into_iter()
        .map(|text| text.ok_or_else(|| error::missing(&format!("an element of {name}"))))
        .collect()
}

/// Text that says something.
pub fn text<'a>(value: Option<&'a str>, name: &str) -> Result<&'a str> {
    let text = required(value, name)?;
    if text.trim().is_empty() {
        return Err(error::invalid(
            format!("{name} must not be empty"),
            "Pass at least one word.",
        ));
    }
    Ok(text)
}

/// What a fact is about; keys are parts of index keys too.
pub fn key(value: Option<&str>) -> Result<&str> {
    let key = text(value, "key")?;
    if key.len() > MAX_ID_BYTES {
        return Err(error::invalid(
            format!("key is {} bytes long", key.len()),
            "Keys may have up to 512 bytes.",
        ));
    }
    Ok(key)
}

pub fn uuids(value: Option<Vec<Option<Uuid>>>, name: &str) -> Result<Vec<Uuid>> {
    value
        .unwrap_or_default()
        .into_iter()
        .map(|id| id.ok_or_else(|| error::missing(&format!("an element of {name}"))))
        .collect()
}

pub fn kind(value: Option<&str>) -> Result<Kind> {
    let name = required(value, "kind")?;
    name.parse().map_err(|()| {
        error::invalid(
            format!("\"{}\" is not a kind of memory", error::shown(name)),
            "Use episodic, semantic, emotional, summary or reflection.",
        )
    })
}

/// Names of kinds; `message` counts as one where messages can be asked for.
pub fn kinds(value: Vec<Option<String>>, with_messages: bool) -> Result<Vec<String>> {
    value
        .into_iter()
        .map(|name| {
            if with_messages && name.as_deref() == Some("message") {
                return Ok("message".to_string());
            }
            Ok(kind(name.as_deref())?.as_str().to_string())
        })
        .collect()
}

/// Who speaks, for the rules that read facts.
pub fn speaker(role: Option<&str>) -> Result<Speaker> {
    let role = required(role, "role")?;
    Speaker::from_name(role)
        .ok_or_else(|| error::invalid(format!("\"{role}\" states no facts"), "Use user or assistant."))
}
