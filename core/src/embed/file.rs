//! The layout of the file. Numbers are little-endian; parts follow one another, each from a multiple of eight.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `MEMEMBED` |
//! | 4 | version of the layout: 1 |
//! | 4 | dimensions |
//! | 4 | pieces |
//! | 4 | slots, a power of two greater than the pieces |
//! | 4 | bytes of all pieces together |
//! | 4 | characters of the longest piece |
//! | 4 | scale of a vector made from a hash, single precision |
//! | 4 | 0 |
//! | 32 | name of the model, filled up with zeros |
//! | 2 a piece | scores |
//! | 4 a piece | scales |
//! | 4 a piece and 4 | where pieces begin, and the last one ends |
//! | 8 a slot | half of a piece's hash, then the piece plus one |
//! | | pieces |
//! | dimensions a piece | vectors |
//!
//! All that is used to find something is checked here once; the vectors cannot be wrong, only bad.

use std::fmt;

use super::Model;
use super::pieces::Pieces;
use super::table::Table;

const MAGIC: &[u8; 8] = b"MEMEMBED";
const LAYOUT: u32 = 1;
const NAME: usize = 32;
const MOST_DIMENSIONS: usize = 16_000;
/// Of a piece, and so of what is looked up at each place of a word.
const MOST_CHARACTERS: usize = 64;

/// Why bytes are no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadModel {
    /// It does not begin like one.
    NotAModel,
    /// It is of another version of the layout.
    Layout(u32),
    /// It says it is longer or shorter than it is.
    Length,
    /// A number in it, named here, cannot be.
    Wrong(&'static str),
}

impl fmt::Display for BadModel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotAModel => write!(f, "it is not a model file"),
            Self::Layout(found) => write!(f, "its layout is version {found}, not {LAYOUT}"),
            Self::Length => write!(f, "it is cut short or too long"),
            Self::Wrong(what) => write!(f, "its {what} is damaged"),
        }
    }
}

impl std::error::Error for BadModel {}

impl<'a> Model<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Self, BadModel> {
        let mut parts = Parts { bytes, at: 0 };
        if parts.take(MAGIC.len()) != Ok(MAGIC) {
            return Err(BadModel::NotAModel);
        }
        let layout = parts.number()?;
        if layout != LAYOUT {
            return Err(BadModel::Layout(layout));
        }
        let dimensions = parts.within("number of dimensions", 1, MOST_DIMENSIONS)?;
        let count = parts.within("number of pieces", 1, u32::MAX as usize / MOST_DIMENSIONS)?;
        let slots = parts.within("number of slots", count + 1, u32::MAX as usize)?;
        let length = parts.within("length of pieces", 1, u32::MAX as usize)?;
        let longest = parts.within("longest piece", 1, MOST_CHARACTERS)?;
        let other_scale = f32::from_bits(parts.number()?);
        parts.number()?;
        let name = parts.take(NAME)?;
        let name = str::from_utf8(name)
            .map_err(|_| BadModel::Wrong("name"))?
            .trim_end_matches('\0');
        if !slots.is_power_of_two() {
            return Err(BadModel::Wrong("number of slots"));
        }
        let scores = parts.array(count)?;
        let scales = parts.array(count)?;
        let pieces = Pieces {
            scores,
            offsets: parts.array(count + 1)?,
            slots: parts.array(slots)?,
            strings: parts.array::<1>(length)?.as_flattened(),
            longest,
        };
        let rows = count.checked_mul(dimensions).ok_or(BadModel::Length)?;
        let table = Table {
            rows: parts.array::<1>(rows)?.as_flattened(),
            scales,
            dimensions,
            other_scale,
        };
        if parts.at != bytes.len() {
            return Err(BadModel::Length);
        }
        check_scales(&table)?;
        check_pieces(&pieces)?;
        Ok(Self { name, pieces, table })
    }
}

fn check_scales(table: &Table) -> Result<(), BadModel> {
    let scales = table.scales.iter().map(|bytes| f32::from_le_bytes(*bytes));
    // Summing the longest text of a scale beyond this could leave single precision.
    const MOST: f32 = 1e6;
    if scales
        .chain([table.other_scale])
        .all(|scale| (0.0..=MOST).contains(&scale))
    {
        Ok(())
    } else {
        Err(BadModel::Wrong("scale"))
    }
}

fn check_pieces(pieces: &Pieces) -> Result<(), BadModel> {
    let mut offsets = pieces.offsets.iter().map(|bytes| u32::from_le_bytes(*bytes) as usize);
    if !offsets.clone().is_sorted() || offsets.next_back() != Some(pieces.strings.len()) {
        return Err(BadModel::Wrong("order of pieces"));
    }
    let count = pieces.scores.len();
    let taken = pieces.slots.iter().map(|slot| Pieces::in_slot(slot).1 as usize);
    if taken.clone().any(|piece| piece > count) || taken.filter(|piece| *piece != 0).count() > count {
        return Err(BadModel::Wrong("slot"));
    }
    Ok(())
}

/// What is left to read.
struct Parts<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Parts<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], BadModel> {
        let end = self.at.checked_add(length).ok_or(BadModel::Length)?;
        let part = self.bytes.get(self.at..end).ok_or(BadModel::Length)?;
        self.at = end;
        Ok(part)
    }

    fn number(&mut self) -> Result<u32, BadModel> {
        let bytes = self.take(4)?.as_array().ok_or(BadModel::Length)?;
        Ok(u32::from_le_bytes(*bytes))
    }

    fn within(&mut self, what: &'static str, least: usize, most: usize) -> Result<usize, BadModel> {
        let number = self.number()? as usize;
        if (least..=most).contains(&number) {
            Ok(number)
        } else {
            Err(BadModel::Wrong(what))
        }
    }

    /// Things of N bytes each, and the zeros after them.
    fn array<const N: usize>(&mut self, count: usize) -> Result<&'a [[u8; N]], BadModel> {
        let part = self.take(count.checked_mul(N).ok_or(BadModel::Length)?)?;
        self.take(self.at.next_multiple_of(8) - self.at)?;
        Ok(part.as_chunks().0)
    }
}
