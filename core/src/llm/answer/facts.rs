//! Facts that a model read out of a conversation. They are statements like any other: `fact::classify` decides what
//! they are about, the gate of facts what becomes of them.

use serde_json::{Value, json};

use super::{Answer, clean, fraction, importance, object};
use crate::fact::{Category, Speaker};

/// More in one conversation is talk, not knowledge.
const MAX_FACTS: usize = 50;
const MAX_SUBJECT_CHARS: usize = 60;
const MAX_VALUE_CHARS: usize = 200;

#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    pub subject: String,
    pub value: String,
    pub category: Option<Category>,
    /// From 1 to 10.
    pub importance: u8,
    pub confidence: f64,
    pub by: Speaker,
}

impl Stated {
    /// As people write a fact down: `직업: 개발자`.
    pub fn statement(&self) -> String {
        format!("{}: {}", self.subject, self.value)
    }
}

impl Answer for Vec<Stated> {
    fn schema() -> Value {
        let categories: Vec<&str> = Category::ALL.iter().map(|category| category.name()).collect();
        let fact = object(json!({
            "subject": {"type": "string"},
            "value": {"type": "string"},
            "category": {"type": "string", "enum": categories},
            "importance": {"type": "integer", "minimum": 1, "maximum": 10},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "said_by": {"type": "string", "enum": ["user", "assistant"]},
        }));
        object(json!({"facts": {"type": "array", "items": fact}}))
    }

    /// An object with `facts`, or the bare list. An empty list is an answer too; what cannot be read in it is left out.
    fn from_json(value: &Value) -> Option<Vec<Stated>> {
        let list = value.get("facts").unwrap_or(value).as_array()?;
        let facts: Vec<Stated> = list.iter().filter_map(stated).take(MAX_FACTS).collect();
        (list.is_empty() || !facts.is_empty()).then_some(facts)
    }
}

fn stated(value: &Value) -> Option<Stated> {
    let text = |names: [&str; 2]| {
        let said = names.iter().find_map(|name| value.get(name))?;
        let said = match said {
            Value::String(text) => clean::line(text),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        Some(said).filter(|said| !said.is_empty())
    };
    let subject = text(["subject", "key"])?;
    // A colon would make it another statement.
    let subject = subject.replace([':', '：'], " ");
    let subject = clean::line(&subject);
    let said = text(["value", "object"])?;
    let fits =
        !subject.is_empty() && subject.chars().count() <= MAX_SUBJECT_CHARS && said.chars().count() <= MAX_VALUE_CHARS;
    let category = value.get("category").and_then(Value::as_str);
    fits.then(|| Stated {
        subject,
        value: said,
        category: category.and_then(|name| Category::from_name(&name.trim().to_uppercase())),
        importance: importance(value.get("importance")),
        confidence: fraction(value.get("confidence")).unwrap_or(0.7),
        by: match value.get("said_by").and_then(Value::as_str) {
            Some("assistant") => Speaker::Assistant,
            _ => Speaker::User,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_in_their_list_or_bare() {
        let said = r#"{"facts": [{"subject": "직업", "value": "개발자", "category": "personal_info", "importance": 8, "confidence": 0.9, "said_by": "user"}]}"#;
        let facts = Vec::<Stated>::read(said).unwrap();
        assert_eq!(facts[0].statement(), "직업: 개발자");
        assert_eq!(
            (facts[0].category, facts[0].importance, facts[0].by),
            (Some(Category::PersonalInfo), 8, Speaker::User)
        );
        let bare = Vec::<Stated>::read(
            r#"Facts: [{"key": "age", "value": 25}, {"value": "x"}, "age: 25", {"subject": "a", "value": " "}]"#,
        )
        .unwrap();
        assert_eq!(bare.len(), 1);
        assert_eq!((bare[0].statement().as_str(), bare[0].confidence), ("age: 25", 0.7));
    }

    #[test]
    fn nothing_to_learn_is_an_answer_and_nonsense_is_none() {
        assert_eq!(Vec::<Stated>::read(r#"{"facts": []}"#), Some(Vec::new()));
        for said in [
            "",
            "{}",
            "none",
            r#"{"facts": "none"}"#,
            r#"{"facts": ["tea"]}"#,
            r#"{"facts": {"job": "x"}}"#,
        ] {
            assert_eq!(Vec::<Stated>::read(said), None, "{said}");
        }
    }

    #[test]
    fn a_subject_stays_a_subject() {
        let said =
            json!({"facts": [{"subject": "a: b\n이름", "value": "c"}, {"subject": "x".repeat(100), "value": "y"}]});
        let facts = Vec::<Stated>::read(&said.to_string()).unwrap();
        assert_eq!(facts.len(), 1);
        assert_eq!(facts[0].statement(), "a b 이름: c");
    }
}
