//! The first built-in model: words and bigrams hashed into 256 signed places. Texts that share words are
//! near, others are not; it knows nothing of meaning.

use memory_core::text::{TermHasher, for_each_term};
use memory_core::vector::{check, normalised};

pub const MODEL: &str = "builtin-hashed-1";
pub const DIMENSIONS: usize = 256;

/// One key for all users: places must be the same for everyone, and hold no words.
const KEY: [u8; 16] = *b"memory_ext/embed";

/// `None` when the text holds no words.
pub fn embed(text: &str) -> Option<Vec<f32>> {
    let hasher = TermHasher::with_key(KEY);
    let mut vector = vec![0.0f32; DIMENSIONS];
    for_each_term(text, |term| {
        let id = hasher.id(term).cast_unsigned();
        let sign = if id >> 31 == 0 { 1.0 } else { -1.0 };
        vector[id as usize % DIMENSIONS] += sign;
    });
    check(&vector).ok().map(|()| normalised(&vector))
}
