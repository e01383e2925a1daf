//! A short profile of the user.

use serde_json::{Value, json};

use super::{Answer, clean, object};

const MAX_CHARS: usize = 1_200;

#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub text: String,
}

impl Answer for Profile {
    fn schema() -> Value {
        object(json!({"profile": {"type": "string"}}))
    }

    fn from_json(value: &Value) -> Option<Profile> {
        let text = clean::text(value.get("profile")?.as_str()?);
        (!text.is_empty()).then(|| Profile {
            text: clean::shortened(&text, MAX_CHARS),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_text() {
        assert_eq!(
            Profile::read(r#"{"profile": "Likes tea."}"#),
            Some(Profile {
                text: "Likes tea.".to_string()
            })
        );
        assert_eq!(Profile::read(r#"{"profile": ["Likes tea."]}"#), None);
    }
}
