//! One spelling for texts that read the same: NFKC, lower case, no accents.

use super::class::{ZERO_WIDTH_JOINER, is_emoji, is_ignorable};
use super::hangul::is_syllable;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// NFKC would turn single Korean letters into conjoining ones and glue them
/// to their neighbours (ㅋㅠ would read 큐). They sit it out in the private
/// use area.
const JAMO_FIRST: u32 = 0x3131;
const JAMO_LAST: u32 = 0x318E;
const JAMO_HIDEOUT: u32 = 0xF_F000;

/// The normalized text. Separators stay, so that words keep their distance.
pub fn normalize(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = Folded::with_capacity(text.len());
    if text.chars().all(is_plain) {
        text.chars().for_each(|c| out.push(c));
    } else {
        text.chars()
            .map(hide_jamo)
            .nfkc()
            .for_each(|c| out.push(reveal_jamo(c)));
    }
    out.text
}

/// Characters that NFKC leaves alone wherever they stand, or changes in a
/// way that splitting does not see. They cover nearly all Korean messages.
fn is_plain(c: char) -> bool {
    c.is_ascii()
        || is_syllable(c)
        || matches!(c as u32,
            JAMO_FIRST..=JAMO_LAST
            | 0x2013..=0x2014 | 0x2018..=0x201D | 0x3001..=0x3002 | 0xFE0F | 0x1F300..=0x1FAFF)
}

fn hide_jamo(c: char) -> char {
    match c as u32 {
        n @ JAMO_FIRST..=JAMO_LAST => char::from_u32(JAMO_HIDEOUT + (n - JAMO_FIRST)).unwrap_or(c),
        _ => c,
    }
}

fn reveal_jamo(c: char) -> char {
    const END: u32 = JAMO_HIDEOUT + (JAMO_LAST - JAMO_FIRST);
    match c as u32 {
        n @ JAMO_HIDEOUT..=END => char::from_u32(n - JAMO_HIDEOUT + JAMO_FIRST).unwrap_or(c),
        _ => c,
    }
}

/// Text under construction, with what the next character depends on.
struct Folded {
    text: String,
    last: char,
}

impl Folded {
    fn with_capacity(n: usize) -> Self {
        Self {
            text: String::with_capacity(n),
            last: ' ',
        }
    }

    fn push(&mut self, c: char) {
        if c.is_ascii() {
            self.keep(c.to_ascii_lowercase());
        } else if is_syllable(c) {
            self.keep(c);
        } else if is_ignorable(c) || (c == ZERO_WIDTH_JOINER && !is_emoji(self.last)) {
            // Nothing to see.
        } else {
            c.to_lowercase().for_each(|c| self.fold(c));
        }
    }

    /// Accents go from Latin and Greek letters, where people leave them out
    /// when typing; elsewhere a mark makes another letter and stays.
    fn fold(&mut self, c: char) {
        match c {
            'ς' => self.keep('σ'),
            'ı' => self.keep('i'),
            'ё' => self.keep('е'),
            'ø' => self.keep('o'),
            'đ' => self.keep('d'),
            'ł' => self.keep('l'),
            'ß' => self.keep_all("ss"),
            'æ' => self.keep_all("ae"),
            'œ' => self.keep_all("oe"),
            '‘' | '’' | 'ʼ' | '′' | '`' => self.keep('\''),
            '‐' | '‑' | '−' => self.keep('-'),
            _ if is_latin_or_greek(c) => decompose_canonical(c, |d| {
                if !is_combining_mark(d) {
                    self.keep(d);
                }
            }),
            _ if is_combining_mark(c) && self.last_drops_marks() => {}
            _ => self.keep(c),
        }
    }

    fn last_drops_marks(&self) -> bool {
        self.last.is_ascii() || is_latin_or_greek(self.last) || is_syllable(self.last)
    }

    fn keep(&mut self, c: char) {
        self.text.push(c);
        self.last = c;
    }

    fn keep_all(&mut self, s: &str) {
        s.chars().for_each(|c| self.keep(c));
    }
}

fn is_latin_or_greek(c: char) -> bool {
    matches!(c as u32, 0xC0..=0x24F | 0x370..=0x3FF | 0x1E00..=0x1FFF)
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn folds() {
        for (from, to) in [
            ("HeLLo", "hello"),
            ("Café", "cafe"),
            ("Cafe\u{301}", "cafe"),
            ("ΟΔΟΣ", "οδοσ"),
            ("οδός", "οδοσ"),
            ("İstanbul ISPARTA ısparta", "istanbul isparta isparta"),
            ("Straße", "strasse"),
            ("ＡＢＣ１２３", "abc123"),
            ("㎝", "cm"),
            ("don’t", "don't"),
            ("ёлка ЁЛКА й", "елка елка й"),
            ("ㅋㅠ", "ㅋㅠ"),
            ("ㅋㅠ①", "ㅋㅠ1"),
            ("\u{1112}\u{1161}\u{11AB}", "한"),
            ("co\u{AD}operate", "cooperate"),
            ("👩🏽\u{200D}💻", "👩\u{200D}💻"),
            ("❤\u{FE0F}", "❤"),
            ("می\u{200C}خواهم", "میخواهم"),
        ] {
            assert_eq!(normalize(from), to, "{from}");
        }
    }
}
