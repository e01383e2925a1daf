//! What a character is, as far as splitting a text is concerned.

use unicode_normalization::char::is_combining_mark;

/// Joins the parts of one emoji.
pub const ZERO_WIDTH_JOINER: char = '\u{200D}';

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Spaces, punctuation, symbols without meaning for search.
    Separator,
    /// A letter of an alphabet that puts spaces between words.
    Letter,
    Digit,
    Hangul,
    /// Single Korean letters (ㅋㅋ, ㅠㅠ, ㅇㅈ).
    Jamo,
    Han,
    Hiragana,
    Katakana,
    /// Thai, Lao, Khmer, Burmese, Tibetan: no spaces between words.
    Unspaced,
    /// Belongs to the character before it.
    Mark,
    Emoji,
    /// Half of a flag.
    Flag,
}

/// The class of a character of a normalized text.
pub fn class(c: char) -> Class {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            '0'..='9' => Class::Digit,
            _ => Class::Separator,
        };
    }
    match c as u32 {
        0xAC00..=0xD7A3 => Class::Hangul,
        0x3131..=0x318E => Class::Jamo,
        // Conjoining jamo that did not combine have no use of their own.
        0x1100..=0x11FF | 0xA960..=0xA97F | 0xD7B0..=0xD7FF => Class::Separator,
        0x3005 | 0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF => Class::Han,
        0x20000..=0x3FFFF => Class::Han,
        0x3041..=0x309F => Class::Hiragana,
        0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF => Class::Katakana,
        0x1F1E6..=0x1F1FF => Class::Flag,
        _ if is_emoji(c) => Class::Emoji,
        _ if is_combining_mark(c) => Class::Mark,
        0x0E00..=0x0FFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F => {
            if c.is_numeric() {
                Class::Digit
            } else if c.is_alphabetic() {
                Class::Unspaced
            } else {
                Class::Separator
            }
        }
        _ if c.is_alphabetic() => Class::Letter,
        _ if c.is_numeric() => Class::Digit,
        _ => Class::Separator,
    }
}

/// Pictographs. The blocks are taken whole: a rare symbol that is no emoji
/// becomes a term of its own, which harms nothing.
pub fn is_emoji(c: char) -> bool {
    matches!(
        c as u32,
        0x1F000..=0x1F0FF
            | 0x1F300..=0x1F3FA
            | 0x1F400..=0x1FAFF
            | 0x2600..=0x27BF
            | 0x231A..=0x231B
            | 0x23E9..=0x23FA
            | 0x2B05..=0x2B07
            | 0x2B1B..=0x2B1C
            | 0x2B50
            | 0x2B55
    )
}

/// Characters that change how a text looks but not what it says: variation
/// selectors, skin tones, direction marks, soft hyphens, tags, keycaps.
pub fn is_ignorable(c: char) -> bool {
    matches!(
        c as u32,
        0x00AD
            | 0x034F
            | 0x061C
            | 0x115F..=0x1160
            | 0x180B..=0x180F
            | 0x200C
            | 0x200E..=0x200F
            | 0x202A..=0x202E
            | 0x2060..=0x206F
            | 0x20E3
            | 0xFE00..=0xFE0F
            | 0xFEFF
            | 0x1F3FB..=0x1F3FF
            | 0xE0000..=0xE0FFF
    )
}
