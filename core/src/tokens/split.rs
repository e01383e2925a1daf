//! The first step of both tokenizers: cutting text into pieces no token can cross.

use unicode_normalization::char::is_combining_mark;

/// What a piece is made of, which decides how it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters or punctuation, with the one character before them that joins them.
    Run,
    /// One to three digits.
    Digits,
    /// White space alone.
    Space,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    /// A letter without case: Hangul, ideographs, Arabic.
    Caseless,
    Mark,
    Number,
    Newline,
    Space,
    Other,
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Number,
        '\n' | '\r' => Class::Newline,
        _ if c.is_ascii() => {
            if c.is_whitespace() {
                Class::Space
            } else {
                Class::Other
            }
        }
        // Hangul, kana and the common ideographs, decided without the Unicode tables.
        '\u{ac00}'..='\u{d7a3}'
        | '\u{3131}'..='\u{318e}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{4e00}'..='\u{9fff}' => Class::Caseless,
        _ if is_combining_mark(c) => Class::Mark,
        _ if c.is_numeric() => Class::Number,
        // Circled and squared letters count as alphabetic, but the tokenizers see symbols.
        '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f189}' => Class::Other,
        _ if c.is_lowercase() => Class::Lower,
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_alphabetic() => Class::Caseless,
        _ if c.is_whitespace() => Class::Space,
        _ => Class::Other,
    }
}

/// The rules that differ between the two tokenizers.
pub(super) trait Rules {
    /// o200k breaks camelCase and keeps vowel marks and contractions with their word.
    const CASED: bool;
}

pub(super) struct Cl100k;
pub(super) struct O200k;

impl Rules for Cl100k {
    const CASED: bool = false;
}

impl Rules for O200k {
    const CASED: bool = true;
}

fn next_class(rest: &str) -> Option<(Class, usize)> {
    let c = rest.chars().next()?;
    Some((class(c), c.len_utf8()))
}

/// Bytes of `rest` while `keep` holds.
fn while_class(rest: &str, keep: impl Fn(Class) -> bool) -> usize {
    rest.char_indices()
        .find(|&(_, c)| !keep(class(c)))
        .map_or(rest.len(), |(i, _)| i)
}

/// Length of 's 't 'm 'd 're 've 'll at the start of `rest`, or 0.
fn contraction(rest: &str) -> usize {
    let b = rest.as_bytes();
    if b.first() != Some(&b'\'') {
        return 0;
    }
    let at = |i: usize| b.get(i).map_or(0, u8::to_ascii_lowercase);
    match (at(1), at(2)) {
        (b's' | b't' | b'm' | b'd', _) => 2,
        (b'r' | b'v', b'e') | (b'l', b'l') => 3,
        _ => 0,
    }
}

fn is_letter<R: Rules>(c: Class) -> bool {
    matches!(c, Class::Upper | Class::Lower | Class::Caseless) || (R::CASED && c == Class::Mark)
}

/// Length of the word at the start of `rest`, or 0 where there is none.
fn word<R: Rules>(rest: &str) -> usize {
    if !R::CASED {
        return while_class(rest, is_letter::<R>);
    }
    let mut upper_end = 0;
    let mut caseless_end = 0;
    for (i, c) in rest.char_indices() {
        match class(c) {
            Class::Upper => upper_end = i + c.len_utf8(),
            Class::Caseless | Class::Mark => {
                upper_end = i + c.len_utf8();
                caseless_end = upper_end;
            }
            _ => break,
        }
    }
    let lower = while_class(&rest[upper_end..], |c| {
        matches!(c, Class::Lower | Class::Caseless | Class::Mark)
    });
    let end = if lower > 0 {
        upper_end + lower
    } else if caseless_end > 0 {
        caseless_end
    } else {
        upper_end
    };
    if end == 0 { 0 } else { end + contraction(&rest[end..]) }
}

/// The first piece of `text`, which must not be empty: its length and kind.
pub(super) fn first_piece<R: Rules>(text: &str) -> (usize, Kind) {
    if !R::CASED {
        let n = contraction(text);
        if n > 0 {
            return (n, Kind::Run);
        }
    }
    let Some((first, first_len)) = next_class(text) else {
        return (0, Kind::Run);
    };
    if is_letter::<R>(first) {
        return (word::<R>(text), Kind::Run);
    }
    if first == Class::Number {
        let end = text.char_indices().nth(3).map_or(text.len(), |(i, _)| i);
        return (while_class(&text[..end], |c| c == Class::Number), Kind::Digits);
    }
    let rest = &text[first_len..];
    if first != Class::Newline {
        let n = word::<R>(rest);
        if n > 0 {
            return (first_len + n, Kind::Run);
        }
    }
    let symbols = |c| matches!(c, Class::Other | Class::Mark);
    let lead = if text.starts_with(' ') { 1 } else { 0 };
    let n = while_class(&text[lead..], symbols);
    if n > 0 {
        let tail = text[lead + n..]
            .bytes()
            .take_while(|&b| b == b'\n' || b == b'\r' || (R::CASED && b == b'/'))
            .count();
        return (lead + n + tail, Kind::Run);
    }
    let blank = while_class(text, |c| matches!(c, Class::Space | Class::Newline));
    if let Some(i) = text[..blank].rfind(['\n', '\r']) {
        return (i + 1, Kind::Space);
    }
    if blank == text.len() {
        return (blank, Kind::Space);
    }
    // The last blank belongs to what follows.
    let last = text[..blank].chars().next_back().map_or(0, char::len_utf8);
    (if blank > last { blank - last } else { blank }, Kind::Space)
}
