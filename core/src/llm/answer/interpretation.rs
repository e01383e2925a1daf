//! What an event means to the agent, in its own voice.

use serde_json::{Value, json};

use super::{Answer, clean, fraction, object};
use crate::emotion::Emotion;

const MAX_CHARS: usize = 400;

#[derive(Clone, Debug, PartialEq)]
pub struct Interpretation {
    pub text: String,
    pub emotion: Option<Emotion>,
    /// How strongly it is felt, from 0 to 1.
    pub intensity: Option<f64>,
}

impl Answer for Interpretation {
    fn schema() -> Value {
        object(json!({
            "interpretation": {"type": "string"},
            "emotion": {"type": "string", "enum": Emotion::ALL.map(Emotion::as_str)},
            "intensity": {"type": "number", "minimum": 0, "maximum": 1},
        }))
    }

    fn from_json(value: &Value) -> Option<Interpretation> {
        let text = clean::line(value.get("interpretation")?.as_str()?);
        (!text.is_empty()).then(|| Interpretation {
            text: clean::shortened(&text, MAX_CHARS),
            emotion: value
                .get("emotion")
                .and_then(Value::as_str)
                .and_then(|name| name.parse().ok()),
            intensity: fraction(value.get("intensity")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_voice_and_the_feeling() {
        let said = r#"{"interpretation": "그가 꽃을 줘서\n마음이 설렌다.", "emotion": "설렘", "intensity": 8}"#;
        assert_eq!(
            Interpretation::read(said),
            Some(Interpretation {
                text: "그가 꽃을 줘서 마음이 설렌다.".to_string(),
                emotion: Some(Emotion::Excitement),
                intensity: Some(0.8),
            })
        );
        assert_eq!(Interpretation::read(r#"{"interpretation": " "}"#), None);
        assert_eq!(Interpretation::read("I like him."), None);
    }
}
