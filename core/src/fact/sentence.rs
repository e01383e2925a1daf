//! Where sentences end, and what stands in quotes.

use std::ops::Range;

/// One sentence of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    pub range: Range<usize>,
    pub question: bool,
}

/// Letters that laugh or cry. Writers use them as full stops: `25살이야ㅋㅋ 너는?`
#[must_use]
pub fn is_laughter(c: char) -> bool {
    matches!(c, 'ㅋ' | 'ㅎ' | 'ㅠ' | 'ㅜ')
}

/// Splits a message into sentences.
#[must_use]
pub fn sentences(low: &str) -> Vec<Sentence> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = low.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = match c {
            '!' | '?' | '\n' | '\r' | ';' | '…' | '。' | '？' => true,
            '.' => ends_sentence(low, at),
            _ => is_laughter(c),
        };
        if !end {
            continue;
        }
        let mut question = c == '?';
        while let Some((_, next)) = chars.next_if(|(_, n)| matches!(n, '!' | '?' | '.' | '~' | '…') || is_laughter(*n))
        {
            question |= next == '?';
        }
        let stop = chars.peek().map_or(low.len(), |(i, _)| *i);
        push(&mut out, low, start..at, question);
        start = stop;
    }
    push(&mut out, low, start..low.len(), false);
    out
}

fn push(out: &mut Vec<Sentence>, low: &str, range: Range<usize>, question: bool) {
    if low[range.clone()].chars().any(super::korean::jamo::is_letter) {
        out.push(Sentence { range, question });
    }
}

/// A full stop ends a sentence unless it stands in a number or after an abbreviation.
fn ends_sentence(low: &str, at: usize) -> bool {
    let before = &low[..at];
    let after = low[at + 1..].chars().next();
    if after.is_some_and(|c| c.is_ascii_alphanumeric()) {
        return false;
    }
    let word = before.rsplit([' ', '\n', '(', '"']).next().unwrap_or("");
    let initial = word.len() == 1 && word.bytes().all(|b| b.is_ascii_alphabetic()) && word != "i";
    !initial && !["mr", "mrs", "ms", "dr", "st", "vs", "prof", "jr", "sr", "e.g", "i.e"].contains(&word)
}

/// The ranges inside quotation marks. What stands there was said by somebody, somewhere.
#[must_use]
pub fn quotes(low: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut previous = ' ';
    let mut chars = low.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, n)| *n);
        match open {
            None => {
                let single = c == '\'' && !previous.is_alphanumeric() && next.is_alphanumeric();
                if c == '"' || single || c == '「' || c == '『' {
                    open = Some((at, c));
                }
            }
            Some((from, mark)) => {
                let closes = match mark {
                    '\'' => c == '\'' && !next.is_ascii_alphanumeric() && previous != 's',
                    '「' => c == '」',
                    '『' => c == '』',
                    _ => c == '"',
                };
                if closes {
                    out.push(from..at);
                    open = None;
                }
            }
        }
        previous = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(&str, bool)> {
        sentences(text)
            .into_iter()
            .map(|s| (text[s.range].trim(), s.question))
            .collect()
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(
            split("안녕! 25살이야ㅋㅋ 너는?"),
            [("안녕", false), ("25살이야", false), ("너는", true)]
        );
        assert_eq!(
            split("i'm 178.5cm. dr. kim says hi"),
            [("i'm 178.5cm", false), ("dr. kim says hi", false)]
        );
        assert_eq!(split("...!?"), []);
    }

    #[test]
    fn quotes_are_found_and_apostrophes_are_not() {
        assert_eq!(quotes("he said \"i am 25\" ok").first(), Some(&(8..16)));
        assert!(quotes("i'm sam's friend").is_empty());
    }
}
