//! A conversation in one or two sentences.

use serde_json::{Value, json};

use super::{Answer, clean, importance, object};
use crate::emotion::Emotion;

/// Two long sentences; models that go on are cut.
const MAX_CHARS: usize = 600;
const MAX_TOPICS: usize = 8;
const MAX_TOPIC_CHARS: usize = 40;

#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub content: String,
    pub topics: Vec<String>,
    pub emotion: Option<Emotion>,
    /// From 1 to 10.
    pub importance: u8,
}

impl Answer for Summary {
    fn schema() -> Value {
        object(json!({
            "summary": {"type": "string"},
            "topics": {"type": "array", "items": {"type": "string"}},
            "emotion": {"type": "string", "enum": Emotion::ALL.map(Emotion::as_str)},
            "importance": {"type": "integer", "minimum": 1, "maximum": 10},
        }))
    }

    fn from_json(value: &Value) -> Option<Summary> {
        let content = clean::text(value.get("summary")?.as_str()?);
        if content.is_empty() {
            return None;
        }
        Some(Summary {
            content: clean::shortened(&content, MAX_CHARS),
            topics: topics(value.get("topics")),
            emotion: value
                .get("emotion")
                .and_then(Value::as_str)
                .and_then(|name| name.parse().ok()),
            importance: importance(value.get("importance")),
        })
    }
}

/// A list of short names, or one text with commas.
fn topics(value: Option<&Value>) -> Vec<String> {
    let named: Vec<&str> = match value {
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(text)) => text.split([',', '、']).collect(),
        _ => Vec::new(),
    };
    let mut topics: Vec<String> = Vec::new();
    for name in named {
        let name = clean::shortened(clean::line(name).trim_start_matches('#'), MAX_TOPIC_CHARS);
        let known = |topic: &String| topic.to_lowercase() == name.to_lowercase();
        if !name.is_empty() && !topics.iter().any(known) && topics.len() < MAX_TOPICS {
            topics.push(name);
        }
    }
    topics
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_the_seed() {
        let said = r#"{"summary": "사용자가 새로운 영화를 봤고 매우 재미있었다고 함.", "topics": ["영화", "여가활동"], "emotion": "기쁨", "importance": 7}"#;
        assert_eq!(
            Summary::read(said),
            Some(Summary {
                content: "사용자가 새로운 영화를 봤고 매우 재미있었다고 함.".to_string(),
                topics: vec!["영화".to_string(), "여가활동".to_string()],
                emotion: Some(Emotion::Joy),
                importance: 7,
            })
        );
    }

    #[test]
    fn what_is_missing_or_odd() {
        let read = |said: &str| Summary::read(said).unwrap();
        let bare = read(r#"{"summary": " a\u0000b "}"#);
        assert_eq!((bare.content.as_str(), bare.importance, bare.emotion), ("ab", 5, None));
        let odd =
            read(r##"{"summary": "x", "topics": "work, Work,, #stress", "emotion": "dread", "importance": "8/10"}"##);
        assert_eq!(odd.topics, ["work", "stress"]);
        assert_eq!((odd.importance, odd.emotion), (8, None));
        let long = read(&json!({"summary": "a sentence. ".repeat(200), "topics": [1, null, "t"]}).to_string());
        assert!(long.content.chars().count() <= MAX_CHARS && long.content.ends_with('.'));
        assert_eq!(long.topics, ["t"]);
    }

    #[test]
    fn no_summary_is_no_answer() {
        for said in [
            "",
            "{}",
            r#"{"summary": ""}"#,
            r#"{"summary": "\u0000 "}"#,
            r#"{"summary": 3}"#,
            r#"{"summary": null}"#,
            "[]",
            "Nice talk!",
        ] {
            assert_eq!(Summary::read(said), None, "{said}");
        }
    }
}
