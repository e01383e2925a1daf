//! Text from a model, fit to be stored.

/// Without what PostgreSQL cannot store (NUL) and what nobody can see (other control characters); trimmed.
pub fn text(said: &str) -> String {
    let kept: String = said
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect();
    match kept.trim() {
        trimmed if trimmed.len() == kept.len() => kept,
        trimmed => trimmed.to_string(),
    }
}

/// The same on one line.
pub fn line(said: &str) -> String {
    let words: Vec<&str> = said
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// At most this many characters: up to the end of a sentence when one ends in the second half, else up to a word,
/// with an ellipsis.
pub fn shortened(said: &str, most: usize) -> String {
    let Some((end, _)) = said.char_indices().nth(most) else {
        return said.to_string();
    };
    let part = &said[..end];
    let ended = part
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | '!' | '?' | '。' | '\n'))
        .map(|(at, c)| at + c.len_utf8())
        .rfind(|at| part[*at..].starts_with(char::is_whitespace));
    if let Some(at) = ended.filter(|at| at * 2 >= part.len()) {
        return part[..at].trim_end().to_string();
    }
    // Room for the ellipsis.
    let part = &part[..part.char_indices().next_back().map_or(0, |(at, _)| at)];
    let cut = part.rfind(char::is_whitespace).filter(|at| at * 2 >= part.len());
    format!("{}…", part[..cut.unwrap_or(part.len())].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_unseen_is_stored() {
        assert_eq!(text("  a\u{0}b\u{1b}[31m\nc\t \r\n"), "ab[31m\nc");
        assert_eq!(line(" a\n\u{0}b \t c "), "a b c");
    }

    #[test]
    fn long_text_ends_with_a_sentence_or_a_word() {
        assert_eq!(shortened("short", 10), "short");
        assert_eq!(shortened("First one. Second one goes on", 15), "First one.");
        assert_eq!(shortened("no sentence ends in here", 16), "no sentence…");
        assert_eq!(shortened("가나다라마바사", 4), "가나다…");
        assert_eq!(shortened("version 1.25 and 1.5 more", 14), "version 1.25…");
        assert_eq!(shortened("x", 0), "…");
    }

    proptest! {
        #[test]
        fn never_longer_than_asked_for(said in any::<String>(), most in 1usize..50) {
            let short = shortened(&said, most);
            prop_assert!(short.chars().count() <= most);
            prop_assert!(said.is_empty() || !short.is_empty() || said.trim().is_empty());
            let _ = (text(&said), line(&said));
        }
    }
}
