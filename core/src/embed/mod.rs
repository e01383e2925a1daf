//! The built-in model: a table with a vector for each piece of a word, read straight from its file.
//!
//! * [`runs`]: a text to runs of one kind of character
//! * [`pieces`]: a run to the pieces it is written with
//! * [`table`]: the vectors of pieces, and of what is no piece
//! * [`file`]: the layout of the file, and what is checked before it is used
//!
//! A text's vector is the sum of its pieces' vectors, brought to length 1. Piece scores are integers. A dimension is
//! summed in the order of the text, in single precision, one multiplication and one addition a piece, never fused;
//! the length is taken in double precision from the first dimension to the last. All of these are exact operations
//! of IEEE 754, so the same file and text give the same bits on every machine.

mod file;
mod pieces;
mod runs;
mod table;

pub use file::BadModel;

use crate::text::normalize::normalize;
use crate::vector::{check, normalised};
use pieces::{Pieces, Scratch};
use table::Table;

/// A model that borrows the bytes of its file.
#[derive(Clone, Copy)]
pub struct Model<'a> {
    name: &'a str,
    pieces: Pieces<'a>,
    table: Table<'a>,
}

impl<'a> Model<'a> {
    pub fn name(&self) -> &'a str {
        self.name
    }

    pub fn dimensions(&self) -> usize {
        self.table.dimensions()
    }

    /// The text's vector, of length 1; `None` when the text holds no words.
    pub fn embed(&self, text: &str) -> Option<Vec<f32>> {
        let mut sum = vec![0.0f32; self.dimensions()];
        let mut scratch = Scratch::default();
        runs::for_each(&normalize(text), |run| {
            self.pieces
                .for_each(run, &mut scratch, |unit| self.table.add(unit, &mut sum));
        });
        check(&sum).ok().map(|()| normalised(&sum))
    }
}

#[cfg(test)]
mod tests;
