//! Arithmetic on precomposed Hangul syllables.
//!
//! Every syllable is three bytes of UTF-8, so a run of syllables can be cut
//! at any multiple of [`WIDTH`].

/// Bytes of one syllable in UTF-8.
pub const WIDTH: usize = 3;

const BASE: u32 = 0xAC00;
const FINALS: u32 = 28;
const VOWELS: u32 = 21;

/// Final consonants, by their index in the syllable block.
pub const NO_FINAL: u32 = 0;
pub const FINAL_N: u32 = 4;
pub const FINAL_L: u32 = 8;
pub const FINAL_M: u32 = 16;
pub const FINAL_B: u32 = 17;
pub const FINAL_SS: u32 = 20;

/// Vowels, by their index in the syllable block.
pub const V_A: u32 = 0;
pub const V_AE: u32 = 1;
pub const V_EO: u32 = 4;
pub const V_E: u32 = 5;
pub const V_YEO: u32 = 6;
pub const V_O: u32 = 8;
pub const V_WA: u32 = 9;
pub const V_WAE: u32 = 10;
pub const V_OE: u32 = 11;
pub const V_U: u32 = 13;
pub const V_WO: u32 = 14;
pub const V_I: u32 = 20;

/// Initial consonants that the rules ask about.
pub const INITIAL_NONE: u32 = 11;
pub const INITIAL_H: u32 = 18;

/// A syllable taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syllable {
    pub initial: u32,
    pub vowel: u32,
    pub last: u32,
}

impl Syllable {
    /// `None` for anything but a precomposed syllable.
    pub fn split(c: char) -> Option<Self> {
        if !is_syllable(c) {
            return None;
        }
        let n = c as u32 - BASE;
        Some(Self {
            initial: n / (FINALS * VOWELS),
            vowel: n / FINALS % VOWELS,
            last: n % FINALS,
        })
    }

    /// The composed character.
    pub fn join(self) -> char {
        let n = (self.initial * VOWELS + self.vowel) * FINALS + self.last;
        char::from_u32(BASE + n).unwrap_or('가')
    }

    pub fn with_last(self, last: u32) -> Self {
        Self { last, ..self }
    }

    pub fn with_vowel(self, vowel: u32) -> Self {
        Self { vowel, ..self }
    }
}

/// Is it a precomposed syllable?
pub fn is_syllable(c: char) -> bool {
    ('가'..='힣').contains(&c)
}

/// Syllables in a run of syllables.
pub fn count(run: &str) -> usize {
    run.len() / WIDTH
}

/// The last syllable of a run.
pub fn last(run: &str) -> Option<Syllable> {
    run.chars().next_back().and_then(Syllable::split)
}

/// Everything but the last syllable.
pub fn but_last(run: &str) -> &str {
    run.get(..run.len().saturating_sub(WIDTH)).unwrap_or("")
}

/// The last `n` syllables, or the whole run when it is shorter.
pub fn tail(run: &str, n: usize) -> &str {
    run.get(run.len().saturating_sub(n * WIDTH)..).unwrap_or(run)
}

/// Does the run end in a final consonant?
pub fn is_closed(run: &str) -> bool {
    last(run).is_some_and(|s| s.last != NO_FINAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_and_join_are_inverse() {
        for c in '가'..='힣' {
            assert_eq!(Syllable::split(c).map(Syllable::join), Some(c));
        }
        assert_eq!(Syllable::split('a'), None);
    }

    #[test]
    fn endings() {
        assert!(is_closed("밥"));
        assert!(!is_closed("나"));
        assert_eq!(tail("떡볶이", 2), "볶이");
        assert_eq!(tail("집", 2), "집");
        assert_eq!(but_last("떡볶이"), "떡볶");
        assert_eq!(last("했").map(|s| s.with_last(NO_FINAL).join()), Some('해'));
    }
}
