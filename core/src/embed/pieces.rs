//! A run to the pieces it is written with.

use super::runs::Run;

/// What a text is summed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Piece(u32),
    /// No piece: a character, or a word of another script, by its hash.
    Other(u64),
}

/// The pieces of a model, found by hash.
#[derive(Clone, Copy)]
pub struct Pieces<'a> {
    /// Of each piece, thousandths of a logarithm; two bytes.
    pub scores: &'a [[u8; 2]],
    /// Where each piece begins in `strings`, and where the last one ends; four bytes.
    pub offsets: &'a [[u8; 4]],
    pub strings: &'a [u8],
    /// Open addressing, a power of two: half of the hash, then the piece plus one; zero is free.
    pub slots: &'a [[u8; 8]],
    /// Characters of the longest piece.
    pub longest: usize,
}

/// A character that is no piece costs more than any way around it.
const UNKNOWN: i32 = -40_000;
/// A word may begin with a piece that is stored for the middle of words.
const SKIPPED_START: i32 = -4_000;
const UNREACHED: i32 = i32::MIN / 2;

/// Memory for splitting a run, kept from one run to the next.
#[derive(Default)]
pub struct Scratch {
    /// Where characters begin, and the end.
    bounds: Vec<usize>,
    /// For each bound the best score so far, and the step that leads there.
    best: Vec<(i32, usize, Option<Unit>)>,
    path: Vec<Unit>,
}

impl Pieces<'_> {
    pub fn for_each(&self, run: Run, scratch: &mut Scratch, mut visit: impl FnMut(Unit)) {
        if !run.known {
            visit(Unit::Other(hash(run.text.as_bytes())));
        } else if let Some(piece) = self.find(run.text.as_bytes()) {
            visit(Unit::Piece(piece));
        } else {
            self.split(&run, scratch);
            scratch.path.iter().rev().for_each(|unit| visit(*unit));
        }
    }

    /// The path of the highest score (Viterbi); of equals, the one found first: shorter first steps.
    fn split(&self, run: &Run, scratch: &mut Scratch) {
        let Scratch { bounds, best, path } = scratch;
        let text = run.text.as_bytes();
        bounds.clear();
        bounds.extend(run.text.char_indices().map(|(at, _)| at));
        bounds.push(text.len());
        let last = bounds.len() - 1;
        best.clear();
        best.resize(bounds.len(), (UNREACHED, 0, None));
        best[0].0 = 0;
        for from in 0..last {
            let base = best[from].0;
            let mut state = Hash::new();
            for to in from + 1..=last.min(from + self.longest) {
                state.feed(&text[bounds[to - 1]..bounds[to]]);
                if let Some(piece) = self.find_hashed(state.value(), &text[bounds[from]..bounds[to]]) {
                    step(best, from, to, base + self.score(piece), Some(Unit::Piece(piece)));
                }
            }
            if from == 0 && run.begins {
                step(best, 0, 1, SKIPPED_START, None);
            } else {
                let other = Unit::Other(hash(&text[bounds[from]..bounds[from + 1]]));
                step(best, from, from + 1, base + UNKNOWN, Some(other));
            }
        }
        path.clear();
        let mut at = last;
        while at > 0 {
            let (_, from, unit) = best[at];
            path.extend(unit);
            at = from;
        }
    }

    fn find(&self, text: &[u8]) -> Option<u32> {
        self.find_hashed(hash(text), text)
    }

    fn find_hashed(&self, hash: u64, text: &[u8]) -> Option<u32> {
        let mask = self.slots.len().wrapping_sub(1);
        let tag = (hash >> 32) as u32;
        // A file without a free slot must not make this run for ever.
        for probe in 0..self.slots.len() {
            let (slot_tag, taken) = Self::in_slot(self.slots.get((hash as usize).wrapping_add(probe) & mask)?);
            let piece = taken.checked_sub(1)?;
            if slot_tag == tag && self.text(piece) == Some(text) {
                return Some(piece);
            }
        }
        None
    }

    /// Half of the piece's hash, and the piece plus one.
    pub fn in_slot(slot: &[u8; 8]) -> (u32, u32) {
        let both = u64::from_le_bytes(*slot);
        (both as u32, (both >> 32) as u32)
    }

    fn text(&self, piece: u32) -> Option<&[u8]> {
        let at = |i: usize| self.offsets.get(i).map(|bytes| u32::from_le_bytes(*bytes) as usize);
        self.strings.get(at(piece as usize)?..at(piece as usize + 1)?)
    }

    fn score(&self, piece: u32) -> i32 {
        self.scores
            .get(piece as usize)
            .map_or(UNKNOWN, |bytes| i16::from_le_bytes(*bytes).into())
    }
}

fn step(best: &mut [(i32, usize, Option<Unit>)], from: usize, to: usize, score: i32, unit: Option<Unit>) {
    if score > best[to].0 {
        best[to] = (score, from, unit);
    }
}

/// FNV-1a with a last stirring, so that both halves are good.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    fn value(&self) -> u64 {
        let stirred = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        stirred ^ (stirred >> 29)
    }
}

pub fn hash(bytes: &[u8]) -> u64 {
    let mut state = Hash::new();
    state.feed(bytes);
    state.value()
}
