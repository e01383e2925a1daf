//! Alphabetic words and numbers, with what joins them: `node.js`, `e-mail`,
//! `c++`, `3.14`, `2023-05-07`, `jane@example.com`, `178cm`.
//!
//! A compound gives its parts and, where somebody may write it so, the whole
//! without its joints: `e-mail` is found by `email`, `node.js` by `nodejs`.

use super::class::{Class, class};
use super::english;
use super::tokenize::Sink;
use std::ops::Range;

const MAX_PARTS: usize = 8;
/// A longer whole is a URL or a key, which its parts find well enough.
const MAX_WHOLE_BYTES: usize = 64;
/// More changes between letters and digits than this are a key or a checksum.
const MAX_RUNS: usize = 3;

/// Reads the compound that starts at `at`. Returns where it ends, and the
/// digits it ends with, since a Korean unit may follow (`3월`).
pub fn read<'t>(text: &'t str, at: usize, sink: &mut Sink) -> (usize, Option<&'t str>) {
    let mut parts: [Range<usize>; MAX_PARTS] = std::array::from_fn(|_| 0..0);
    let mut n = 0;
    let mut end = at;
    while n < MAX_PARTS {
        let start = if n == 0 { at } else { end + 1 };
        end = piece_end(text, start);
        parts[n] = start..end;
        n += 1;
        if let Some(suffix) = contraction(text, end) {
            emit(text, &parts[..n], negated(text, end), sink);
            return (suffix, None);
        }
        if !joins(text, end) {
            break;
        }
    }
    if n == 1
        && let Some(longer) = sharp_or_plus(text, at..end)
    {
        sink.term(&text[at..longer]);
        if end - at > 2 {
            english::word(&text[at..end], sink);
        }
        return (longer, None);
    }
    emit(text, &parts[..n], false, sink);
    let last = &text[parts[n - 1].clone()];
    (end, (n == 1 && is_number(last)).then_some(last))
}

fn kind_at(text: &str, at: usize) -> Class {
    text.get(at..)
        .and_then(|rest| rest.chars().next())
        .map_or(Class::Separator, class)
}

fn is_word_at(text: &str, at: usize) -> bool {
    matches!(kind_at(text, at), Class::Letter | Class::Digit)
}

/// Letters and digits, and the commas of `1,000,000`.
fn piece_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    while let Some(c) = text[end..].chars().next() {
        match class(c) {
            Class::Letter | Class::Digit | Class::Mark => end += c.len_utf8(),
            _ if c == ',' && is_thousand(bytes, end) => end += 1,
            _ => break,
        }
    }
    end
}

fn is_thousand(bytes: &[u8], comma: usize) -> bool {
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    comma > 0 && digit(comma - 1) && (1..=3).all(|i| digit(comma + i)) && !digit(comma + 4)
}

/// Does the character at `end` join the piece before it to one after it?
fn joins(text: &str, end: usize) -> bool {
    let bytes = text.as_bytes();
    let digits = || {
        let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
        digit(end.wrapping_sub(1)) && digit(end + 1)
    };
    match bytes.get(end) {
        Some(b'.' | b'-' | b'_' | b'@' | b'&' | b'\'') => is_word_at(text, end + 1),
        Some(b':' | b'/') => digits(),
        _ => false,
    }
}

/// Where an English suffix after an apostrophe ends, if one stands at `end`.
fn contraction(text: &str, end: usize) -> Option<usize> {
    let rest = text.get(end..)?.strip_prefix('\'')?;
    let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let after = end + 1 + length;
    let known = matches!(&rest[..length], "s" | "m" | "re" | "ve" | "ll" | "d") || negated(text, end) && length == 1;
    (known && !is_word_at(text, after)).then_some(after)
}

/// `don't`, `isn't`: what is left without the ending is an auxiliary verb.
fn negated(text: &str, end: usize) -> bool {
    text[..end].ends_with('n') && text[end..].starts_with("'t")
}

/// `c++`, `c#`, `notepad++`.
fn sharp_or_plus(text: &str, piece: Range<usize>) -> Option<usize> {
    if !text[piece.clone()].bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let rest = &text[piece.end..];
    if rest.starts_with("++") {
        return Some(piece.end + 2);
    }
    let sharp = rest.starts_with('#') && piece.len() <= 2 && !is_word_at(text, piece.end + 1);
    sharp.then_some(piece.end + 1)
}

fn is_number(piece: &str) -> bool {
    piece.bytes().all(|b| b.is_ascii_digit() || b == b',')
}

fn emit(text: &str, parts: &[Range<usize>], negated: bool, sink: &mut Sink) {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return;
    };
    if parts.len() == 1 {
        let piece = &text[first.clone()];
        if negated {
            sink.stop_word(piece)
        } else {
            single(piece, sink)
        }
        return;
    }
    let whole = &text[first.start..last.end];
    if parts.iter().all(|part| is_number(&text[part.clone()])) {
        numbers(text, parts, whole, sink);
        return;
    }
    let initials = parts.iter().all(|part| part.len() == 1);
    for part in parts {
        // One letter alone says nothing; in the whole it does.
        if part.len() > 1 {
            single(&text[part.clone()], sink);
        }
    }
    if whole.len() > MAX_WHOLE_BYTES {
        return;
    }
    if whole.contains(['@', '&']) {
        sink.term(whole);
        return;
    }
    let joined: String = whole.chars().filter(|c| !matches!(c, '.' | '-' | '_' | '\'')).collect();
    if !initials {
        sink.term(&english::stem(&joined));
    } else if english::is_abbreviation_without_meaning(&joined) {
        sink.stop_word(&joined);
    } else {
        sink.term(&joined);
    }
}

/// One piece without joints: a word, a number, or both run together.
fn single(piece: &str, sink: &mut Sink) {
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 {
        english::word(piece, sink);
        return;
    }
    if is_number(piece) {
        number(piece, sink);
        return;
    }
    let letters = piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
    if piece.len() - letters.len() == digits && matches!(letters, "st" | "nd" | "rd" | "th") {
        number(&piece[..digits], sink);
        return;
    }
    sink.term(piece);
    let edges = || {
        let changes = piece.bytes().zip(piece.bytes().skip(1));
        changes
            .filter(|(a, b)| a.is_ascii_digit() != b.is_ascii_digit())
            .count()
    };
    if edges() >= MAX_RUNS {
        return;
    }
    let mut rest = piece;
    while let Some(first) = rest.bytes().next() {
        let is_digit = |c: char| c.is_ascii_digit() || c == ',';
        let same = |c: char| is_digit(c) == first.is_ascii_digit();
        let end = rest.find(|c| !same(c)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if first.is_ascii_digit() {
            number(run, sink);
        } else if run.len() > 1 {
            english::word(run, sink);
        }
        rest = after;
    }
}

/// `07` is 7, as in dates; `1,000` is 1000; `007` stays.
fn number(digits: &str, sink: &mut Sink) {
    match digits.as_bytes() {
        [b'0', b'0'..=b'9'] => sink.term(&digits[1..]),
        _ if digits.contains(',') => {
            sink.built(|out| out.extend(digits.chars().filter(char::is_ascii_digit)));
        }
        _ => sink.term(digits),
    }
}

/// Numbers joined: dates, decimals, times, telephone numbers.
fn numbers(text: &str, parts: &[Range<usize>], whole: &str, sink: &mut Sink) {
    let joint = |c: char| whole.chars().filter(|&d| d == c).count();
    // The parts of a decimal mean nothing by themselves.
    let decimal = parts.len() == 2 && joint('.') == 1;
    if !decimal {
        parts.iter().for_each(|part| number(&text[part.clone()], sink));
    }
    let lengths: Vec<usize> = parts.iter().map(ExactSizeIterator::len).collect();
    let is_date = matches!(lengths[..], [4, 1..=2, 1..=2]) && ['-', '.', '/'].into_iter().any(|c| joint(c) == 2);
    if is_date {
        sink.built(|out| {
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    out.push('-');
                }
                if part.len() == 1 {
                    out.push('0');
                }
                out.push_str(&text[part.clone()]);
            }
        });
        return;
    }
    let dashed = joint('-') == parts.len() - 1;
    if whole.len() <= MAX_WHOLE_BYTES {
        sink.built(|out| out.extend(whole.chars().filter(|&c| c != ',' && !(dashed && c == '-'))));
    }
}
