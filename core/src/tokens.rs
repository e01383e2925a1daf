//! Token counts without a tokenizer.
//!
//! The text is cut into pieces as the tokenizers cut it. A piece costs what its cheapest split
//! into listed strings and single characters costs. The lists were fitted by running the real
//! tokenizers over chat, prose, code and program messages in 24 languages, so the estimate errs
//! upwards: a word that is not listed is split more finely than the tokenizer would.

mod cost;
mod lexicon;
mod split;

use std::str::FromStr;

use cost::{TOKEN, piece_cost, run_cost};
use lexicon::lexicon;
use split::{Cl100k, Kind, O200k, Rules, first_piece};
use unicode_normalization::char::is_combining_mark;

/// Tokens a chat message costs besides its text: the role and the marks around it.
pub const MESSAGE_OVERHEAD: usize = 4;

/// A piece up to this many characters is a word, which `truncate` drops rather than cuts.
const WORD_CHARS: usize = 24;

/// Longer pieces are counted in parts, so that no cost overflows.
const MAX_PIECE: usize = 1 << 20;

/// Which tokenizer's counts the estimate follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// Safe for both: the larger of the two. Korean takes about 1.65 times as many tokens in
    /// cl100k as in o200k, Arabic twice and Hindi three times as many.
    #[default]
    Any,
    O200k,
    Cl100k,
}

impl Tokenizer {
    pub fn as_str(self) -> &'static str {
        match self {
            Tokenizer::Any => "any",
            Tokenizer::O200k => "o200k",
            Tokenizer::Cl100k => "cl100k",
        }
    }
}

impl FromStr for Tokenizer {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        [Tokenizer::Any, Tokenizer::O200k, Tokenizer::Cl100k]
            .into_iter()
            .find(|t| t.as_str() == name)
            .ok_or_else(|| format!("unknown tokenizer \"{name}\": use any, o200k or cl100k"))
    }
}

/// About how many tokens `text` has; 0 for the empty string, never more than its bytes.
pub fn estimate(text: &str, tokenizer: Tokenizer) -> usize {
    match tokenizer {
        Tokenizer::O200k => count::<O200k>(text),
        Tokenizer::Cl100k => count::<Cl100k>(text),
        Tokenizer::Any => count::<O200k>(text).max(count::<Cl100k>(text)),
    }
}

/// The longest prefix of `text` whose estimate is at most `max`, cut between words where words
/// have spaces, otherwise between characters a reader would not see as one.
pub fn truncate(text: &str, max: usize, tokenizer: Tokenizer) -> &str {
    let cut = match tokenizer {
        Tokenizer::O200k => fitting::<O200k>(text, max),
        Tokenizer::Cl100k => fitting::<Cl100k>(text, max),
        Tokenizer::Any => fitting::<O200k>(text, max).min(fitting::<Cl100k>(text, max)),
    };
    if cut == text.len() {
        return text;
    }
    let mut kept = &text[..whole_character(text, cut)];
    // The end of a text is cut into pieces differently from its middle, so the prefix can cost
    // a token or two more than it did as part of the whole.
    while estimate(kept, tokenizer) > max {
        let last = kept.char_indices().next_back().map_or(0, |(i, _)| i);
        kept = &text[..whole_character(text, last)];
    }
    kept
}

fn pieces<R: Rules>(text: &str) -> impl Iterator<Item = (&str, Kind)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let window = &rest[..rest.floor_char_boundary(MAX_PIECE)];
        let (len, kind) = first_piece::<R>(window);
        let (piece, tail) = rest.split_at(len);
        rest = tail;
        Some((piece, kind))
    })
}

fn count<R: Rules>(text: &str) -> usize {
    let lexicon = lexicon();
    let total: u64 = pieces::<R>(text)
        .map(|(piece, kind)| u64::from(piece_cost::<R>(lexicon, piece, kind)))
        .sum();
    total.div_ceil(u64::from(TOKEN)) as usize
}

/// Bytes of `text` that fit in `max` tokens.
fn fitting<R: Rules>(text: &str, max: usize) -> usize {
    let lexicon = lexicon();
    let mut left = (max as u64).saturating_mul(u64::from(TOKEN));
    let mut kept = 0;
    for (piece, kind) in pieces::<R>(text) {
        let cost = u64::from(piece_cost::<R>(lexicon, piece, kind));
        if cost <= left {
            left -= cost;
            kept += piece.len();
            continue;
        }
        let word = kept > 0 && piece.chars().nth(WORD_CHARS).is_none() && !piece.chars().any(written_without_spaces);
        if !word && kind == Kind::Run {
            let mut fits = 0;
            run_cost::<R>(lexicon, piece, |end, cost| {
                if u64::from(cost) <= left {
                    fits = end;
                }
            });
            kept += fits;
        }
        return kept;
    }
    kept
}

/// Thai, kana and ideographs.
fn written_without_spaces(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// `cut`, or the start of the character sequence it would tear: an accent from its letter, a
/// skin tone or joined emoji from its base, half of a flag.
fn whole_character(text: &str, cut: usize) -> usize {
    const JOINER: char = '\u{200d}';
    let flag = |c: char| matches!(c, '\u{1f1e6}'..='\u{1f1ff}');
    let mut cut = cut;
    while let Some(last) = text[..cut].chars().next_back() {
        let Some(next) = text[cut..].chars().next() else { break };
        let extends = next == JOINER
            || is_combining_mark(next)
            || matches!(next, '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{1160}'..='\u{11ff}');
        let half_flag = flag(next) && { text[..cut].chars().rev().take_while(|&c| flag(c)).count() % 2 == 1 };
        if !(extends || half_flag || last == JOINER || (last, next) == ('\r', '\n')) {
            break;
        }
        cut -= last.len_utf8();
    }
    cut
}

#[cfg(test)]
mod tests;
