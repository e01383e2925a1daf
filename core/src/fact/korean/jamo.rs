//! Hangul syllables taken apart and put together.

const BASE: u32 = 0xAC00;
const LAST: u32 = 0xD7A3;

/// Final consonants by their index inside a syllable.
pub const NIEUN: u32 = 4;
pub const RIEUL: u32 = 8;
pub const MIEUM: u32 = 16;
pub const BIEUP: u32 = 17;
pub const SSANG_SIOT: u32 = 20;
pub const SIOT: u32 = 19;
pub const DIGEUT: u32 = 7;

/// A syllable or a single letter of Hangul.
#[must_use]
pub fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}' | '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}')
}

/// A letter or digit. Hangul is asked first: the general test is slow for it.
#[must_use]
pub fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || is_hangul(c) || (!c.is_ascii() && c.is_alphanumeric())
}

/// A complete syllable.
#[must_use]
pub fn is_syllable(c: char) -> bool {
    (BASE..=LAST).contains(&(c as u32))
}

/// (initial, vowel, final) of a syllable.
#[must_use]
pub fn split(c: char) -> Option<(u32, u32, u32)> {
    let code = (c as u32).checked_sub(BASE)?;
    is_syllable(c).then_some((code / 588, code % 588 / 28, code % 28))
}

/// The syllable made of these parts.
#[must_use]
pub fn join(initial: u32, vowel: u32, last: u32) -> Option<char> {
    char::from_u32(BASE + initial * 588 + vowel * 28 + last).filter(|c| is_syllable(*c))
}

/// The index of a syllable's final consonant, 0 for none; letters and digits sound as Koreans read
/// them, because particles and copulas follow the sound (`25살이야`, `INFP야`, `178cm야`).
#[must_use]
pub fn final_of(c: char) -> Option<u32> {
    if let Some((_, _, last)) = split(c) {
        return Some(last);
    }
    match c {
        '0' | '3' | '6' => Some(1),
        '1' | '7' | '8' | 'l' | 'L' | 'r' | 'R' => Some(RIEUL),
        'm' | 'M' => Some(MIEUM),
        'n' | 'N' => Some(NIEUN),
        '2' | '4' | '5' | '9' => Some(0),
        _ if c.is_alphanumeric() => Some(0),
        _ => None,
    }
}

/// Does the text end in a final consonant? `None` when it ends in no letter.
#[must_use]
pub fn ends_closed(text: &str) -> Option<bool> {
    text.chars().next_back().and_then(final_of).map(|last| last != 0)
}

/// The text with its last syllable's final consonant replaced.
#[must_use]
pub fn with_final(text: &str, last: u32) -> Option<String> {
    let end = text.chars().next_back()?;
    let (initial, vowel, _) = split(end)?;
    let mut out = text[..text.len() - end.len_utf8()].to_owned();
    out.push(join(initial, vowel, last)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_come_apart_and_together() {
        let (i, v, l) = split('살').unwrap();
        assert_eq!(l, RIEUL);
        assert_eq!(join(i, v, 0), Some('사'));
        assert_eq!(with_final("키우", MIEUM).as_deref(), Some("키움"));
        assert_eq!(ends_closed("직업"), Some(true));
        assert_eq!(ends_closed("나이"), Some(false));
        assert_eq!(split('a'), None);
    }
}
