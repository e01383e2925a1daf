//! A fast hash for small tables of short words.
//!
//! Every word of every message is looked up several times; the standard hash defends against
//! hostile keys, which tables filled from our own files do not need.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map of short keys.
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

/// Multiplies and rotates eight bytes at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct WordHasher(u64);

const FACTOR: u64 = 0x517c_c1b7_2722_0a95;

impl WordHasher {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.mix(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.mix(n);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}
