//! Words of an English sentence, contractions opened.

/// One word. A contraction gives two words with the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    pub low: &'a str,
    /// As written; for opened contractions the same as `low`.
    pub raw: &'a str,
    pub start: usize,
    pub end: usize,
    /// A comma, bracket or dash stands before the word.
    pub after_break: bool,
}

/// Splits a sentence into words.
#[must_use]
pub fn tokens<'a>(low: &'a str, raw: &'a str, from: usize, to: usize) -> Vec<Word<'a>> {
    let mut out = Vec::with_capacity(16);
    let mut start = None;
    let mut after_break = false;
    for (at, c) in low[from..to].char_indices().map(|(i, c)| (i + from, c)) {
        let inner = matches!(c, '\'' | '-' | '.' | '/' | '&' | ',') && is_inner(low, at, c);
        if c.is_alphanumeric() || inner || matches!(c, '$' | '+' | '%' | '_') {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            push(&mut out, low, raw, from, at, std::mem::take(&mut after_break));
        }
        after_break |= matches!(c, ',' | '(' | ')' | ':' | '–' | '—' | '-' | '*');
    }
    if let Some(from) = start {
        push(&mut out, low, raw, from, to, after_break);
    }
    out
}

/// Is this mark inside a word or number: `don't`, `part-time`, `178.5`, `1,000`?
fn is_inner(low: &str, at: usize, c: char) -> bool {
    let before = low[..at].chars().next_back();
    let after = low[at + 1..].chars().next();
    let (Some(before), Some(after)) = (before, after) else {
        return false;
    };
    match c {
        ',' => before.is_ascii_digit() && after.is_ascii_digit(),
        '/' => before.is_ascii_digit() && after.is_ascii_digit() || (before == 'y' && after == 'o'),
        _ => before.is_alphanumeric() && after.is_alphanumeric(),
    }
}

fn push<'a>(out: &mut Vec<Word<'a>>, low: &'a str, raw: &'a str, start: usize, end: usize, after_break: bool) {
    let word = &low[start..end];
    let place = |low: &'a str, raw: &'a str, first: bool| Word {
        low,
        raw,
        start,
        end,
        after_break: after_break && first,
    };
    if let Some((a, b)) = opened(word) {
        out.push(place(a, a, true));
        out.push(place(b, b, false));
        return;
    }
    if let Some(base) = word.strip_suffix("'s").filter(|b| !b.is_empty()) {
        let cut = start + base.len();
        out.push(Word {
            low: spelling(base),
            raw: &raw[start..cut],
            start,
            end: cut,
            after_break,
        });
        out.push(Word {
            low: "'s",
            raw: "'s",
            start: cut,
            end,
            after_break: false,
        });
        return;
    }
    out.push(Word {
        low: spelling(word),
        raw: &raw[start..end],
        start,
        end,
        after_break,
    });
}

/// One spelling for words that the patterns use.
fn spelling(word: &str) -> &str {
    match word {
        "favourite" | "fav" | "fave" | "favorites" => "favorite",
        "colour" => "color",
        "im" => "i'm",
        _ => word,
    }
}

fn opened(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "i'm" | "im" => ("i", "am"),
        "i've" | "ive" => ("i", "have"),
        "i'd" => ("i", "would"),
        "i'll" => ("i", "will"),
        "don't" | "dont" | "doesn't" | "doesnt" => ("do", "not"),
        "can't" | "cant" | "cannot" => ("can", "not"),
        "couldn't" => ("could", "not"),
        "didn't" | "didnt" => ("did", "not"),
        "isn't" | "aren't" => ("am", "not"),
        "won't" => ("will", "not"),
        "wouldn't" => ("would", "not"),
        "haven't" | "hasn't" => ("have", "not"),
        "wanna" => ("want", "to"),
        "gonna" => ("going", "to"),
        "we're" => ("we", "are"),
        "they're" => ("they", "are"),
        "you're" => ("you", "are"),
        "he's" => ("he", "is"),
        "she's" => ("she", "is"),
        "it's" => ("it", "is"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_open() {
        let text = "I'm 25, my name's Sam";
        let low = text.to_ascii_lowercase();
        let words = tokens(&low, text, 0, text.len());
        let lows: Vec<&str> = words.iter().map(|w| w.low).collect();
        assert_eq!(lows, ["i", "am", "25", "my", "name", "'s", "sam"]);
        assert!(words[3].after_break);
        assert_eq!(words[6].raw, "Sam");
    }
}
