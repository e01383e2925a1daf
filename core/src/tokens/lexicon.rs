//! The fitted tables: what one character costs, and which strings are one token.

use std::sync::OnceLock;

/// Costs of single characters. A line holds four digits (cl100k alone, cl100k after a space,
/// o200k alone, o200k after a space), then the characters, or a range of pages of 64.
const CHARS: &str = include_str!("chars.txt");
/// Strings that are one token. A line holds a mask in hex (see the constants below), then the
/// strings. A space, line break, tab or backslash inside one is written \s \n \r \t \\.
const PIECES: &str = include_str!("pieces.txt");

/// One token as it stands. The next higher bit: one token with a space before it.
pub(super) const CL_BARE: u32 = 1;
pub(super) const O2_BARE: u32 = 4;

/// Marks a slot in use; a slot with no mask bits is only a prefix of longer strings.
const USED: u32 = 16;
const FLAGS: u32 = 31;
/// 60 thousand strings and prefixes of them fill less than half.
const SLOTS: usize = 1 << 17;
const PAIR_BITS: usize = 1 << 16;
/// Beyond this page every character takes the dearest cost.
const PAGES: usize = 0x1fc00 >> 6;
const DEAREST: u8 = 0xff;

pub(super) struct Lexicon {
    slots: Vec<u32>,
    /// One bit by hash for the first two characters of each string. It answers most lookups
    /// from 8 KiB; the slots are 512 KiB.
    pairs: [u64; PAIR_BITS / 64],
    page_of: Vec<u16>,
    pages: Vec<[u8; 64]>,
}

/// A string read character by character.
#[derive(Clone, Copy)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn new() -> Key {
        Key(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn push(self, c: char) -> Key {
        let h = (self.0 ^ u64::from(u32::from(c))).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Key(h ^ (h >> 29))
    }

    fn slot(self) -> usize {
        (self.0 >> 40) as usize % SLOTS
    }

    fn pair_bit(self) -> usize {
        (self.0 >> 20) as usize % PAIR_BITS
    }

    fn print(self) -> u32 {
        (self.0 as u32) & !FLAGS
    }
}

pub(super) fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| Lexicon::parse(CHARS, PIECES))
}

fn unescape(piece: &str) -> impl Iterator<Item = char> {
    let mut chars = piece.chars();
    std::iter::from_fn(move || {
        let c = chars.next()?;
        if c != '\\' {
            return Some(c);
        }
        Some(match chars.next()? {
            's' => ' ',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            other => other,
        })
    })
}

impl Lexicon {
    fn parse(chars: &str, pieces: &str) -> Lexicon {
        let mut lexicon = Lexicon {
            slots: vec![0; SLOTS],
            pairs: [0; PAIR_BITS / 64],
            page_of: vec![0; PAGES],
            pages: vec![[DEAREST; 64]],
        };
        for line in chars.lines() {
            lexicon.add_chars(line);
        }
        for line in pieces.lines() {
            let mut words = line.split(' ');
            let mask = words.next().and_then(|m| u32::from_str_radix(m, 16).ok());
            for piece in words {
                lexicon.add_piece(piece, mask.unwrap_or(0));
            }
        }
        lexicon
    }

    fn add_chars(&mut self, line: &str) {
        let Some((costs, rest)) = line.split_once(' ') else {
            return;
        };
        let costs = costs.bytes().fold(0, |all, d| all << 2 | (d.wrapping_sub(b'1') & 3));
        let range = rest.strip_prefix("pages ").and_then(|r| r.split_once('-'));
        let Some((from, to)) = range else {
            for c in rest.chars() {
                let n = c as usize;
                if let Some(&page) = self.page_of.get(n >> 6) {
                    self.pages[page as usize][n & 63] = costs;
                }
            }
            return;
        };
        let page = |hex| usize::from_str_radix(hex, 16).unwrap_or(PAGES);
        for n in page(from)..=page(to).min(PAGES - 1) {
            self.page_of[n] = self.pages.len() as u16;
            self.pages.push([costs; 64]);
        }
    }

    fn add_piece(&mut self, piece: &str, mask: u32) {
        let mut key = Key::new();
        let mut last = None;
        for (i, c) in unescape(piece).enumerate() {
            key = key.push(c);
            // The search starts at the second character.
            if i == 1 {
                let bit = key.pair_bit();
                self.pairs[bit / 64] |= 1 << (bit % 64);
            }
            if i > 0 {
                let at = self.find(key);
                self.slots[at] |= key.print() | USED;
                last = Some(at);
            }
        }
        if let Some(at) = last {
            self.slots[at] |= mask;
        }
    }

    fn find(&self, key: Key) -> usize {
        let mut at = key.slot();
        while self.slots[at] != 0 && self.slots[at] & !FLAGS != key.print() {
            at = (at + 1) % SLOTS;
        }
        at
    }

    /// False where no listed string starts with these two characters.
    pub(super) fn may_start(&self, pair: Key) -> bool {
        let bit = pair.pair_bit();
        self.pairs[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The mask of a string, or None where no listed string starts with it.
    pub(super) fn mask(&self, key: Key) -> Option<u32> {
        let slot = self.slots[self.find(key)];
        (slot != 0).then_some(slot)
    }

    /// Cost of one character outside ASCII; `column` counts from the left of the table.
    pub(super) fn char_cost(&self, c: char, column: u32) -> u32 {
        let n = c as usize;
        let page = self.page_of.get(n >> 6).copied().unwrap_or(0);
        let costs = self.pages[page as usize][n & 63];
        u32::from(costs >> (6 - 2 * column) & 3) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_parse_and_leave_room() {
        for line in CHARS.lines() {
            let costs = line.split(' ').next().unwrap();
            assert!(
                costs.len() == 4 && costs.bytes().all(|b| (b'1'..=b'4').contains(&b)),
                "{line}"
            );
        }
        for line in PIECES.lines() {
            let mask = u32::from_str_radix(line.split(' ').next().unwrap(), 16).unwrap();
            assert!((1..16).contains(&mask), "{line}");
            assert!(line.split(' ').skip(1).all(|p| unescape(p).nth(1).is_some()), "{line}");
        }
        let used = lexicon().slots.iter().filter(|&&slot| slot != 0).count();
        assert!(used < SLOTS * 2 / 3, "{used} of {SLOTS} slots");
    }

    #[test]
    fn unlisted_characters_take_the_dearest_cost() {
        assert_eq!(lexicon().char_cost('\u{10ffff}', 0), 4);
        assert_eq!(lexicon().char_cost('가', 0), 1);
    }
}
