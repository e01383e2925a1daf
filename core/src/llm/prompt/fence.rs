//! Marks around material, so that a model can tell what it is asked from what it is shown.
//!
//! Text inside cannot close its fence, for two reasons. Every `<` in it is written as `\u003c`, so that no mark can
//! stand in it. And the marks carry a number of 128 random bits that is drawn when the prompt is made: whoever wrote
//! the text could not know it. Line breaks are escaped as well, so a message cannot pose as two, and tags of chat
//! templates (`<|im_end|>`, `[INST]`) do not survive.

use std::fmt::Write;

use serde_json::Value;

/// A number that nobody knew when the material was written; random, and new for each prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nonce(pub u128);

/// No message is cut shorter than this on account of the others.
const LEAST_CHARS: usize = 200;

pub struct Fence {
    number: String,
}

impl Fence {
    pub fn new(nonce: Nonce) -> Fence {
        Fence {
            number: format!("{:032x}", nonce.0),
        }
    }

    pub fn opening(&self, name: &str) -> String {
        format!("<<<{name} {}>>>", self.number)
    }

    pub fn closing(&self, name: &str) -> String {
        format!("<<<end {name} {}>>>", self.number)
    }

    /// A block of texts, one a line.
    pub fn text<'a>(&self, out: &mut String, name: &str, texts: impl IntoIterator<Item = &'a str>) {
        self.block(out, name, texts.into_iter().map(escaped));
    }

    /// A block of messages, one a line, within so many characters.
    pub fn messages(&self, out: &mut String, name: &str, messages: &[(&str, &str)], max_chars: usize) {
        let share = (max_chars / messages.len().max(1)).max(LEAST_CHARS);
        let kept = (max_chars / share.max(1)).clamp(1, messages.len().max(1));
        let newest = &messages[messages.len() - kept.min(messages.len())..];
        let lines = newest.iter().map(|(role, content)| {
            let content = match content.char_indices().nth(share) {
                Some((end, _)) => escaped(&format!("{}…", &content[..end])),
                None => escaped(content),
            };
            format!("{{\"role\":{},\"content\":{content}}}", escaped(role))
        });
        self.block(out, name, lines);
    }

    fn block(&self, out: &mut String, name: &str, lines: impl Iterator<Item = String>) {
        let _ = writeln!(out, "{}", self.opening(name));
        for line in lines {
            let _ = writeln!(out, "{line}");
        }
        let _ = writeln!(out, "{}\n", self.closing(name));
    }
}

/// A JSON string in which nothing can be taken for a mark.
fn escaped(text: &str) -> String {
    let json = Value::from(text).to_string();
    let mut out = String::with_capacity(json.len());
    let mut rest = json.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '<' => out.push_str("\\u003c"),
            // Tags like [INST]; ordinary brackets stay readable.
            '[' if rest
                .peek()
                .is_some_and(|next| *next == '/' || next.is_ascii_uppercase()) =>
            {
                out.push_str("\\u005b")
            }
            // Separators that end a line for some readers.
            '\u{85}' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_conversations_are_cut_fairly() {
        let long = "가".repeat(1_000);
        let messages = vec![("user", long.as_str()); 10];
        let mut out = String::new();
        Fence::new(Nonce(1)).messages(&mut out, "conversation", &messages, 1_000);
        assert_eq!(out.lines().filter(|line| line.starts_with('{')).count(), 5);
        assert_eq!(out.matches('가').count(), 1_000);
        assert_eq!(out.matches('…').count(), 5);
    }

    proptest! {
        #[test]
        fn what_is_escaped_reads_the_same(text in any::<String>()) {
            let line = escaped(&text);
            prop_assert!(!line.contains(['<', '\n', '\r']));
            prop_assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
        }

        #[test]
        fn no_conversation_panics(contents in prop::collection::vec(any::<String>(), 0..5), max in 0usize..500) {
            let messages: Vec<(&str, &str)> = contents.iter().map(|content| ("user", content.as_str())).collect();
            let mut out = String::new();
            Fence::new(Nonce(u128::MAX)).messages(&mut out, "conversation", &messages, max);
            prop_assert_eq!(out.matches("<<<").count(), 2);
        }
    }
}
