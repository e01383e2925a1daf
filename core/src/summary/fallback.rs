//! What is stored when every attempt at an LLM failed: the beginning of the conversation itself.

use crate::llm::answer::Summary;

pub const FALLBACK_CHARS: usize = 500;
/// Of 10.
pub const FALLBACK_IMPORTANCE: u8 = 5;

/// `role: content` lines, cut at 500 characters; `None` for a conversation without messages.
pub fn fallback(messages: &[(&str, &str)]) -> Option<String> {
    if messages.is_empty() {
        return None;
    }
    let mut text = String::new();
    let mut room = FALLBACK_CHARS;
    for (index, (role, content)) in messages.iter().enumerate() {
        let separator = if index == 0 { "" } else { "\n" };
        let line = [separator, *role, ": ", *content];
        for c in line.into_iter().flat_map(str::chars) {
            if room == 0 {
                return Some(text);
            }
            text.push(c);
            room -= 1;
        }
    }
    Some(text)
}

impl Summary {
    /// The fallback as a summary.
    pub fn fallback(messages: &[(&str, &str)]) -> Option<Summary> {
        fallback(messages).map(|content| Summary {
            content,
            topics: Vec::new(),
            emotion: None,
            importance: FALLBACK_IMPORTANCE,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_of_role_and_content() {
        let talk = [("user", "요즘 너무 지쳐"), ("assistant", "휴식이 필요해")];
        assert_eq!(
            fallback(&talk).as_deref(),
            Some("user: 요즘 너무 지쳐\nassistant: 휴식이 필요해")
        );
        assert_eq!(fallback(&[]), None);
        assert_eq!(Summary::fallback(&talk).map(|summary| summary.importance), Some(5));
    }

    proptest! {
        #[test]
        fn is_the_joined_lines_cut_at_500(talk in prop::collection::vec(("user|assistant|\\PC{0,5}", any::<String>()), 1..40)) {
            let talk: Vec<(&str, &str)> = talk.iter().map(|(role, content)| (role.as_str(), content.as_str())).collect();
            let joined: Vec<String> = talk.iter().map(|(role, content)| format!("{role}: {content}")).collect();
            let expected: String = joined.join("\n").chars().take(500).collect();
            prop_assert_eq!(fallback(&talk), Some(expected));
        }
    }
}
