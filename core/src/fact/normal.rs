//! A message in the form the rules read: NFC, plain punctuation, and a lower-case twin.

use std::ops::Range;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Normalised text with the way back to the bytes of the original.
#[derive(Debug)]
pub struct Normal {
    /// The text, letters as written.
    pub raw: String,
    /// The same text with ASCII letters in lower case, byte for byte beside `raw`.
    pub low: String,
    /// (byte here, byte in the original) of every segment; empty when nothing changed.
    map: Vec<(usize, usize)>,
    source_len: usize,
}

impl Normal {
    /// Normalises a message.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let plain = is_nfc_quick(text.chars()) == IsNormalized::Yes && !text.chars().any(|c| replaced(c).is_some());
        let (raw, map) = if plain {
            (text.to_owned(), Vec::new())
        } else {
            rewrite(text)
        };
        let low = raw.to_ascii_lowercase();
        Self {
            raw,
            low,
            map,
            source_len: text.len(),
        }
    }

    /// Where a range of the normalised text lies in the original.
    #[must_use]
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        if self.map.is_empty() {
            return range;
        }
        let at = self.map.partition_point(|(here, _)| *here <= range.start);
        let start = self.map.get(at.saturating_sub(1)).map_or(0, |(_, there)| *there);
        let end = self.map.partition_point(|(here, _)| *here < range.end);
        let end = self.map.get(end).map_or(self.source_len, |(_, there)| *there);
        start..end.max(start)
    }
}

/// Characters that only differ in dress: full-width forms, curly quotes, invisible marks.
fn replaced(c: char) -> Option<Option<char>> {
    match c {
        '\u{FF01}'..='\u{FF5E}' => Some(char::from_u32(c as u32 - 0xFEE0)),
        '\u{2018}' | '\u{2019}' | '\u{02BC}' => Some(Some('\'')),
        '\u{201C}' | '\u{201D}' => Some(Some('"')),
        '\u{3000}' | '\u{00A0}' | '\u{2002}'..='\u{200A}' => Some(Some(' ')),
        '\u{200B}'..='\u{200D}' | '\u{FEFF}' | '\u{2060}' | '\u{00AD}' => Some(None),
        _ => None,
    }
}

/// Does this character join the one before it (a combining mark, or a vowel or final of Hangul)?
fn joins(c: char) -> bool {
    matches!(c, '\u{1160}'..='\u{11FF}') || unicode_normalization::char::is_combining_mark(c)
}

fn rewrite(text: &str) -> (String, Vec<(usize, usize)>) {
    let mut out = String::with_capacity(text.len());
    let mut map = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        let mut end = start + first.len_utf8();
        while let Some((at, c)) = chars.next_if(|(_, c)| joins(*c)) {
            end = at + c.len_utf8();
        }
        map.push((out.len(), start));
        match replaced(first) {
            Some(Some(c)) => out.push(c),
            Some(None) => {}
            None => out.extend(text[start..end].nfc()),
        }
    }
    (out, map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_lead_back_to_the_original() {
        let nfd: String = "나이: 25살".nfd().collect();
        let normal = Normal::new(&nfd);
        assert_eq!(normal.raw, "나이: 25살");
        let at = normal.raw.find("25살").unwrap();
        let span = normal.source(at..normal.raw.len());
        assert_eq!(nfd[span].nfc().collect::<String>(), "25살");
        let wide = Normal::new("직업：개발자");
        assert_eq!(wide.low, "직업:개발자");
        assert_eq!(Normal::new("I’m").low, "i'm");
    }
}
