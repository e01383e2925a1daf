//! A text to its index terms.
//!
//! Documents and queries go through the same function, so whatever it does to
//! a word, it does on both sides.
//!
//! Stop-words are left out, unless a text has nothing else: then they are its
//! terms. So "who are you?" finds the message "Who are you?" and no others.

use super::class::{Class, ZERO_WIDTH_JOINER, class};
use super::compound;
use super::korean::{self, Before};
use super::normalize::normalize;

/// Longer words are cut here, on a character boundary.
pub const MAX_TERM_BYTES: usize = 96;
/// Stop-words kept in case nothing else comes.
const MAX_HELD_BYTES: usize = 256;
/// A longer run without spaces is a phrase; as a word nobody would find it.
const MAX_WORD_OF_UNSPACED: usize = 8;

/// The terms of a text in reading order, with repeats.
pub fn terms(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for_each_term(text, |term| all.push(term.to_owned()));
    all
}

/// Calls `emit` with each term of a text, in reading order, with repeats.
pub fn for_each_term(text: &str, mut emit: impl FnMut(&str)) {
    let text = normalize(text);
    let mut sink = Sink::new(&mut emit);
    split(&text, &mut sink);
    sink.finish();
}

/// Where terms go.
pub struct Sink<'f> {
    emit: &'f mut dyn FnMut(&str),
    any: bool,
    held: String,
    buffer: String,
}

impl<'f> Sink<'f> {
    fn new(emit: &'f mut dyn FnMut(&str)) -> Self {
        Self {
            emit,
            any: false,
            held: String::new(),
            buffer: String::new(),
        }
    }

    pub fn term(&mut self, term: &str) {
        let cut = term.floor_char_boundary(MAX_TERM_BYTES);
        if cut > 0 {
            self.any = true;
            (self.emit)(&term[..cut]);
        }
    }

    /// A term that is put together first.
    pub fn built(&mut self, build: impl FnOnce(&mut String)) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        build(&mut buffer);
        self.term(&buffer);
        self.buffer = buffer;
    }

    /// A word that counts only if no other does.
    pub fn stop_word(&mut self, word: &str) {
        if !self.any && self.held.len() + word.len() < MAX_HELD_BYTES {
            self.held.push_str(word);
            self.held.push(' ');
        }
    }

    fn finish(mut self) {
        if !self.any {
            let held = std::mem::take(&mut self.held);
            held.split_ascii_whitespace().for_each(|word| self.term(word));
        }
    }
}

fn split(text: &str, sink: &mut Sink) {
    let mut at = 0;
    let mut before = Before::Space;
    while let Some(c) = text[at..].chars().next() {
        let kind = class(c);
        let end = match kind {
            Class::Letter | Class::Digit => {
                let (end, digits) = compound::read(text, at, sink);
                before = digits.map_or(Before::Word, Before::Digits);
                at = end;
                continue;
            }
            Class::Separator | Class::Mark => at + c.len_utf8(),
            Class::Emoji => emoji(text, at, sink),
            Class::Flag => flag(text, at, sink),
            Class::Hangul => {
                let end = run_end(text, at, kind);
                korean::eojeol(&text[at..end], before, sink);
                end
            }
            Class::Jamo => {
                let end = run_end(text, at, kind);
                korean::jamo(&text[at..end], sink);
                end
            }
            Class::Han | Class::Hiragana | Class::Katakana | Class::Unspaced => {
                let end = run_end(text, at, kind);
                unspaced(&text[at..end], kind, sink);
                end
            }
        };
        before = match kind {
            Class::Separator if c.is_whitespace() => Before::Space,
            // An opening mark starts a word, a closing one ends it; which of
            // the two a quote is shows in what stands before it.
            Class::Separator if before == Before::Space => Before::Space,
            _ => Before::Word,
        };
        at = end;
    }
}

/// Where the run of one class that starts at `at` ends. Marks go along,
/// save after Hangul, where the arithmetic wants syllables only.
fn run_end(text: &str, at: usize, kind: Class) -> usize {
    let marks = kind != Class::Hangul;
    text[at..]
        .char_indices()
        .find(|&(_, c)| !matches!(class(c), k if k == kind || marks && k == Class::Mark))
        .map_or(text.len(), |(i, _)| at + i)
}

/// One emoji, with what is joined to it. The gender signs are left out, like
/// the skin tones before: a shrug is a shrug.
fn emoji(text: &str, at: usize, sink: &mut Sink) -> usize {
    let mut end = at;
    let mut joined = true;
    for (i, c) in text[at..].char_indices() {
        if c == ZERO_WIDTH_JOINER {
            joined = true;
        } else if joined && class(c) == Class::Emoji {
            joined = false;
        } else {
            break;
        }
        end = at + i + c.len_utf8();
    }
    let whole = text[at..end].trim_end_matches(ZERO_WIDTH_JOINER);
    let plain = whole.trim_end_matches(['♂', '♀']).trim_end_matches(ZERO_WIDTH_JOINER);
    sink.term(if plain.is_empty() { whole } else { plain });
    end
}

/// Two regional letters are a flag.
fn flag(text: &str, at: usize, sink: &mut Sink) -> usize {
    let mut chars = text[at..].chars();
    let first = chars.next().map_or(0, char::len_utf8);
    let second = chars
        .next()
        .filter(|&c| class(c) == Class::Flag)
        .map_or(0, char::len_utf8);
    let end = at + first + second;
    if second > 0 {
        sink.term(&text[at..end]);
    }
    end
}

/// Scripts without spaces: overlapping pairs of letters, and
/// * Han: each character, for it often is a word;
/// * Katakana and the others: the run, when it may be a word;
/// * Hiragana: no single letters, for they are particles.
fn unspaced(run: &str, kind: Class, sink: &mut Sink) {
    let mut count = 0;
    let (mut first, mut second) = (None, None);
    for (start, c) in run.char_indices() {
        if count > 0 && class(c) == Class::Mark {
            continue;
        }
        // Letters start at `first`, `second` and here.
        if let Some(pair) = first {
            sink.term(&run[pair..start]);
        }
        if kind == Class::Han {
            sink.term(&run[start..start + c.len_utf8()]);
        }
        first = second.or((count > 0).then_some(0));
        second = Some(start);
        count += 1;
    }
    match count {
        0 => {}
        1 if kind == Class::Hiragana => sink.stop_word(run),
        1 if kind == Class::Han => {}
        1 => sink.term(run),
        _ => {
            if let Some(pair) = first {
                sink.term(&run[pair..]);
            }
            if count > 2 && count <= MAX_WORD_OF_UNSPACED && kind != Class::Han {
                sink.term(run);
            }
        }
    }
}
