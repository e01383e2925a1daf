//! The vectors of pieces, and of what is no piece.

use super::pieces::Unit;

#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// Dimension by dimension of one piece, then the next; a number is a signed byte times the piece's scale.
    pub rows: &'a [u8],
    /// Single precision, four bytes.
    pub scales: &'a [[u8; 4]],
    pub dimensions: usize,
    /// Of each number of a vector that is made from a hash.
    pub other_scale: f32,
}

impl Table<'_> {
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub fn add(&self, unit: Unit, sum: &mut [f32]) {
        match unit {
            Unit::Piece(piece) => self.add_piece(piece as usize, sum),
            Unit::Other(hash) => self.add_other(hash, sum),
        }
    }

    fn add_piece(&self, piece: usize, sum: &mut [f32]) {
        let start = piece * self.dimensions;
        let (Some(row), Some(scale)) = (self.rows.get(start..start + self.dimensions), self.scales.get(piece)) else {
            return;
        };
        let scale = f32::from_le_bytes(*scale);
        for (total, byte) in sum.iter_mut().zip(row) {
            *total += f32::from(byte.cast_signed()) * scale;
        }
    }

    /// A direction of its own, nearly at right angles to all others: equal words meet, different ones do not.
    fn add_other(&self, hash: u64, sum: &mut [f32]) {
        for (block, totals) in sum.chunks_mut(64).enumerate() {
            let mut bits = stirred(hash.wrapping_add(block as u64));
            for total in totals {
                *total += if bits & 1 == 0 {
                    self.other_scale
                } else {
                    -self.other_scale
                };
                bits >>= 1;
            }
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
fn stirred(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
