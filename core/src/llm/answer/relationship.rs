//! How a conversation moved a relationship, and what the next turn should heed.

use serde_json::{Map, Value, json};

use super::{Answer, clean, fraction, number, object};
use crate::emotion::Emotion;
use crate::relationship::AXES;

/// No one conversation moves an axis further, whatever a model makes of it.
pub const MAX_DELTA: f64 = 10.0;
const MAX_NOTE_CHARS: usize = 400;

#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The axes that move, by their names in `relationship::AXES`.
    pub deltas: Vec<(&'static str, f64)>,
    /// The director's note; empty when there is nothing to heed.
    pub note: String,
    pub emotion: Option<Emotion>,
    pub intensity: Option<f64>,
}

impl Answer for Analysis {
    fn schema() -> Value {
        let axis = json!({"type": "number", "minimum": -MAX_DELTA, "maximum": MAX_DELTA});
        let axes: Map<String, Value> = AXES.map(|name| (name.to_string(), axis.clone())).into_iter().collect();
        object(json!({
            "deltas": object(axes.into()),
            "note": {"type": "string"},
            "emotion": {"type": "string", "enum": Emotion::ALL.map(Emotion::as_str)},
            "intensity": {"type": "number", "minimum": 0, "maximum": 1},
        }))
    }

    /// Both parts must be there, the note may be empty. What is no number moves nothing.
    fn from_json(value: &Value) -> Option<Analysis> {
        let given = value.get("deltas")?.as_object()?;
        let note = match value.get("note")? {
            Value::Null => String::new(),
            note => clean::line(note.as_str()?),
        };
        let delta = |axis: &'static str| {
            let delta = number(given.get(axis)?)?.clamp(-MAX_DELTA, MAX_DELTA);
            (delta != 0.0).then_some((axis, delta))
        };
        Some(Analysis {
            deltas: AXES.into_iter().filter_map(delta).collect(),
            note: clean::shortened(&note, MAX_NOTE_CHARS),
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
    fn deltas_within_bounds_and_the_note() {
        let said = r#"{"deltas": {"trust": 3, "affection": "+2.5", "rivalry": -50, "respect": 0, "love": 9, "familiarity": null},
                       "note": "약속을\n기억할 것", "emotion": "joy", "intensity": 0.6}"#;
        assert_eq!(
            Analysis::read(said),
            Some(Analysis {
                deltas: vec![("trust", 3.0), ("affection", 2.5), ("rivalry", -10.0)],
                note: "약속을 기억할 것".to_string(),
                emotion: Some(Emotion::Joy),
                intensity: Some(0.6),
            })
        );
    }

    #[test]
    fn both_parts_must_be_there() {
        for said in [
            "{}",
            r#"{"deltas": {}}"#,
            r#"{"note": "x"}"#,
            r#"{"deltas": [1], "note": "x"}"#,
            r#"{"deltas": {}, "note": 3}"#,
        ] {
            assert_eq!(Analysis::read(said), None, "{said}");
        }
        let quiet = Analysis::read(r#"{"deltas": {}, "note": null}"#).unwrap();
        assert_eq!((quiet.deltas.len(), quiet.note.as_str()), (0, ""));
    }
}
