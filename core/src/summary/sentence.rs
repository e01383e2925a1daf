//! The sentences of a conversation, as they were written.

use crate::fact::split_sentences;

#[derive(Clone, Debug)]
pub struct Said<'a> {
    pub by_user: bool,
    pub text: &'a str,
    pub question: bool,
}

/// Every sentence with a letter or digit in it. What the system and tools say is nobody's news.
pub fn of<'a>(messages: &[(&'a str, &'a str)]) -> Vec<Said<'a>> {
    let mut all = Vec::new();
    for (role, content) in messages {
        if matches!(*role, "system" | "tool") {
            continue;
        }
        for sentence in split_sentences(content) {
            let end = sentence.range.end + stops(&content[sentence.range.end..]);
            let text = content[sentence.range.start..end].trim();
            if !text.is_empty() {
                all.push(Said {
                    by_user: *role != "assistant",
                    text,
                    question: sentence.question,
                });
            }
        }
    }
    all
}

/// The marks that end a sentence belong to it; laughter does not.
fn stops(rest: &str) -> usize {
    rest.find(|c| !matches!(c, '.' | '!' | '?' | '。' | '？' | '…'))
        .unwrap_or(rest.len())
}
