//! Answers as types. A field that must be there and is not makes the answer none; a field that may be missing and
//! cannot be read is missing.

mod clean;
mod facts;
mod interpretation;
mod profile;
mod relationship;
mod summary;

pub use clean::{line, shortened};
pub use facts::Stated;
pub use interpretation::Interpretation;
pub use profile::Profile;
pub use relationship::{Analysis, MAX_DELTA};
pub use summary::Summary;

use serde_json::Value;

use super::repair;

/// What an answer can be read as.
pub trait Answer: Sized {
    /// The JSON schema that is asked for.
    fn schema() -> Value;

    fn from_json(value: &Value) -> Option<Self>;

    /// The first of its kind in what the model said.
    fn read(text: &str) -> Option<Self> {
        repair::find(text, Self::from_json)
    }
}

/// An object's schema with these fields, all of them required, as strict structured output wants it.
fn object(fields: Value) -> Value {
    let names: Vec<&String> = fields.as_object().into_iter().flatten().map(|(name, _)| name).collect();
    serde_json::json!({"type": "object", "properties": fields, "required": names, "additionalProperties": false})
}

/// A number, also when it was written as text (`"7"`, `"7/10"`, `"80%"`).
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => {
            let text = text.trim();
            let end = text
                .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+')))
                .unwrap_or(text.len());
            let rest = text[end..].trim_start();
            let plain = rest.is_empty() || rest.starts_with('/') || rest.starts_with('%') || rest.starts_with('점');
            text[..end].parse().ok().filter(|_| plain)
        }
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// From 1 to 10. What is no number is 5, the middle; a fraction of one is read on the scale from 0 to 1, and what
/// lies beyond the ends is the end.
fn importance(value: Option<&Value>) -> u8 {
    match value.and_then(number) {
        None => 5,
        Some(part) if part > 0.0 && part < 1.0 => ((part * 10.0).round() as u8).max(1),
        Some(number) => number.round().clamp(1.0, 10.0) as u8,
    }
}

/// From 0 to 1; tenths and per cents are read as such.
fn fraction(value: Option<&Value>) -> Option<f64> {
    match value.and_then(number)? {
        part if part <= 1.0 => Some(part.max(0.0)),
        tenths if tenths <= 10.0 => Some(tenths / 10.0),
        cents => Some((cents / 100.0).min(1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn importance_however_it_is_written() {
        let cases = [
            (json!(7), 7),
            (json!(7.0), 7),
            (json!(7.5), 8),
            (json!("7"), 7),
            (json!(" 8/10 "), 8),
            (json!("9점"), 9),
            (json!(0.7), 7),
            (json!(0.01), 1),
            (json!(0), 1),
            (json!(-3), 1),
            (json!(11), 10),
            (json!(1e300), 10),
            (json!("high"), 5),
            (json!("7 or 8"), 5),
            (json!(null), 5),
            (json!([7]), 5),
            (json!(true), 5),
        ];
        for (value, expected) in cases {
            assert_eq!(importance(Some(&value)), expected, "{value}");
        }
        assert_eq!(importance(None), 5);
    }

    #[test]
    fn fractions_however_they_are_written() {
        let cases = [
            (json!(0.4), 0.4),
            (json!(-1), 0.0),
            (json!(1), 1.0),
            (json!(8), 0.8),
            (json!("85%"), 0.85),
            (json!(500), 1.0),
        ];
        for (value, expected) in cases {
            assert_eq!(fraction(Some(&value)), Some(expected), "{value}");
        }
        assert_eq!(fraction(Some(&json!("much"))), None);
    }

    proptest! {
        #[test]
        fn whatever_a_model_says_it_panics_nothing(text in any::<String>(), key in "summary|topics|emotion|importance|facts|subject|value|interpretation|profile|deltas|trust|note") {
            let wrapped = json!({key: text}).to_string();
            for text in [&text, &wrapped] {
                let _ = Summary::read(text);
                let _ = Vec::<Stated>::read(text);
                let _ = Interpretation::read(text);
                let _ = Profile::read(text);
                let _ = Analysis::read(text);
            }
        }
    }

    #[test]
    fn schemas_are_strict() {
        fn strict(schema: &Value) {
            if schema["type"] == "object" {
                assert_eq!(schema["additionalProperties"], false);
                assert_eq!(
                    schema["required"].as_array().unwrap().len(),
                    schema["properties"].as_object().unwrap().len()
                );
                schema["properties"].as_object().unwrap().values().for_each(strict);
            }
            if schema["type"] == "array" {
                strict(&schema["items"]);
            }
        }
        for schema in [
            Summary::schema(),
            Vec::<Stated>::schema(),
            Interpretation::schema(),
            Profile::schema(),
            Analysis::schema(),
        ] {
            strict(&schema);
        }
    }
}
