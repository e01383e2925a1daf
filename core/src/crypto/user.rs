//! The secrets of one user: what texts are sealed with, and what the words of the index are hashed with.

use zeroize::{Zeroize, Zeroizing};

use super::cipher::{Cipher, KEY_BYTES};
use crate::text::TermHasher;

const TERM_BYTES: usize = 16;

/// A data key and a term key. They are drawn and wrapped together; a new data key keeps the term key, because the words
/// of all rows would have to be hashed anew at once.
pub struct UserKey {
    data: Zeroizing<[u8; KEY_BYTES]>,
    terms: Zeroizing<[u8; TERM_BYTES]>,
    cipher: Cipher,
}

impl UserKey {
    pub const BYTES: usize = KEY_BYTES + TERM_BYTES;

    /// A key of random bytes.
    pub fn from_bytes(mut bytes: [u8; Self::BYTES]) -> Self {
        let mut data = Zeroizing::new([0; KEY_BYTES]);
        let mut terms = Zeroizing::new([0; TERM_BYTES]);
        data.copy_from_slice(&bytes[..KEY_BYTES]);
        terms.copy_from_slice(&bytes[KEY_BYTES..]);
        bytes.zeroize();
        let cipher = Cipher::new(&data);
        Self { data, terms, cipher }
    }

    /// A new data key of random bytes with the term key of this one.
    pub fn renewed(&self, random: [u8; KEY_BYTES]) -> Self {
        let mut bytes = [0; Self::BYTES];
        bytes[..KEY_BYTES].copy_from_slice(&random);
        bytes[KEY_BYTES..].copy_from_slice(&*self.terms);
        Self::from_bytes(bytes)
    }

    pub(super) fn to_bytes(&self) -> Zeroizing<[u8; Self::BYTES]> {
        let mut bytes = Zeroizing::new([0; Self::BYTES]);
        bytes[..KEY_BYTES].copy_from_slice(&*self.data);
        bytes[KEY_BYTES..].copy_from_slice(&*self.terms);
        bytes
    }

    pub(super) fn cipher(&self) -> &Cipher {
        &self.cipher
    }

    /// Hashes that tell nothing to those who have not the key.
    pub fn hasher(&self) -> TermHasher {
        TermHasher::with_key(*self.terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renewed_key_keeps_the_words() {
        let old = UserKey::from_bytes(std::array::from_fn(|at| at as u8));
        let new = old.renewed([200; 32]);
        assert_eq!(old.hasher().id("날씨"), new.hasher().id("날씨"));
        assert_ne!(*old.data, *new.data);
        assert_eq!(new.to_bytes()[..32], [200; 32]);
    }
}
