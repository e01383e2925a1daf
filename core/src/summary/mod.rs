//! A conversation in one or two of its own sentences, without an LLM; and what is stored when an LLM was to do it and
//! failed.
//!
//! ```
//! let talk = [
//!     ("user", "안녕! 내일 중요한 면접이 있어"),
//!     ("assistant", "와, 떨리겠다! 어떤 회사야?"),
//!     ("user", "IT 스타트업인데 정말 가고 싶어"),
//! ];
//! let summary = memory_core::summary::summarise(&talk).unwrap();
//! assert_eq!(summary.content, "내일 중요한 면접이 있어. IT 스타트업인데 정말 가고 싶어.");
//! ```

mod choose;
mod fallback;
mod feeling;
mod sentence;
mod topics;
mod weight;

pub use crate::llm::answer::Summary;
pub use fallback::{FALLBACK_CHARS, FALLBACK_IMPORTANCE, fallback};

use crate::language::Language;

/// Of longer messages the beginning is read, and of a longer conversation its end: reading takes 7 µs for a character,
/// and nothing interrupts it.
const MAX_MESSAGE_CHARS: usize = 1_000;
const MAX_CHARS: usize = 40_000;

/// The summary of a conversation, (role, content) oldest first; `None` only when nothing was said at all. The same
/// conversation always gives the same summary.
pub fn summarise(messages: &[(&str, &str)]) -> Option<Summary> {
    let messages = readable(messages);
    let sentences = sentence::of(&messages);
    let language = language(&messages);
    let weighed = weight::weigh(&sentences);
    let content = match choose::best(&weighed, language) {
        Some(content) => content,
        // No words anywhere: what there is, is what was said.
        None => fallback(&messages).filter(|_| messages.iter().any(|(_, content)| !content.trim().is_empty()))?,
    };
    let feeling = feeling::of(&sentences);
    Some(Summary {
        content,
        topics: topics::of(&sentences, &weighed),
        emotion: Some(feeling.emotion),
        importance: weight::importance(&weighed, &feeling, messages.len()),
    })
}

fn readable<'a>(messages: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut room = MAX_CHARS;
    let mut read = Vec::new();
    for (role, content) in messages.iter().rev() {
        let content = beginning(content, MAX_MESSAGE_CHARS.min(room));
        room -= content.chars().count();
        read.push((*role, content));
        if room == 0 {
            break;
        }
    }
    read.reverse();
    read
}

fn beginning(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

/// That of the user's words, or else of anybody's.
fn language(messages: &[(&str, &str)]) -> Language {
    let said = |wanted: &str| {
        let texts = messages
            .iter()
            .rev()
            .filter(|(role, _)| wanted.is_empty() || *role == wanted);
        texts.filter_map(|(_, content)| Language::detect(content)).next()
    };
    said("user").or_else(|| said("")).unwrap_or(Language::En)
}

#[cfg(test)]
mod tests;
