//! A text to runs: characters of one kind that stand together.

use crate::text::class::{Class, class};

/// Stands before the first run of a word, as pieces that begin words are stored with it.
pub const START: char = ' ';

/// Longer runs are cut, so that a page of letters without a space costs no more than one with them.
const LONGEST: usize = 48;

pub struct Run<'t> {
    /// With [`START`] before it when `begins`.
    pub text: &'t str,
    pub begins: bool,
    /// Whether pieces are looked for; other scripts are taken whole.
    pub known: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hangul,
    Jamo,
    Latin,
    Digit,
    /// Words of alphabets that the model knows nothing of.
    Letter,
    /// Characters that mean something alone: Han, kana, emoji.
    Single,
}

fn kind(c: char) -> Option<Kind> {
    Some(match class(c) {
        Class::Hangul => Kind::Hangul,
        Class::Jamo => Kind::Jamo,
        Class::Letter if c.is_ascii() => Kind::Latin,
        Class::Digit if c.is_ascii() => Kind::Digit,
        Class::Letter | Class::Digit | Class::Mark => Kind::Letter,
        Class::Han | Class::Hiragana | Class::Katakana | Class::Unspaced | Class::Emoji | Class::Flag => Kind::Single,
        Class::Separator => return None,
    })
}

/// The runs of a normalised text, from left to right.
pub fn for_each(text: &str, mut visit: impl FnMut(Run)) {
    let mut word = String::new();
    let mut open: Option<(Kind, usize)> = None;
    // Whether the character before was part of a word.
    let mut inside = false;
    let mut begins = false;
    for c in text.chars() {
        let now = kind(c);
        let goes_on = matches!((open, now), (Some((was, length)), Some(is)) if was == is && length < LONGEST && is != Kind::Single);
        if !goes_on {
            close(&mut word, open, begins, &mut visit);
            open = now.map(|is| (is, 0));
            begins = !inside && now.is_some_and(has_pieces_of_words);
            if begins {
                word.push(START);
            }
        }
        if let Some((_, length)) = &mut open {
            word.push(c);
            *length += 1;
        }
        inside = now.is_some();
    }
    close(&mut word, open, begins, &mut visit);
}

fn has_pieces_of_words(kind: Kind) -> bool {
    !matches!(kind, Kind::Letter | Kind::Single)
}

fn close(word: &mut String, open: Option<(Kind, usize)>, begins: bool, visit: &mut impl FnMut(Run)) {
    if let Some((kind, _)) = open {
        visit(Run {
            text: word,
            begins,
            known: kind != Kind::Letter,
        });
        word.clear();
    }
}
