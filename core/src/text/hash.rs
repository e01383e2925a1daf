//! Terms to stable 32-bit ids.
//!
//! The index stores ids, never words. An id is the low half of
//! SipHash-2-4 (Aumasson and Bernstein, 2012) of the term's UTF-8 bytes under
//! a 128-bit key that belongs to one user, so the same word has unrelated ids
//! for two users. The algorithm and the derivation of the key are part of the
//! stored format: change neither.

use unicode_normalization::UnicodeNormalization;

use super::tokenize::for_each_term;

/// Key under which user ids themselves are hashed: "memory_ext terms" as two
/// little-endian words.
const ROOT: Key = Key {
    a: 0x655F_7972_6F6D_656D,
    b: 0x736D_7265_7420_7478,
};

/// The second word of a user's key is made from the first with this flipped.
const OTHER_HALF: u64 = 0x9E37_79B9_7F4A_7C15;

#[derive(Clone, Copy)]
struct Key {
    a: u64,
    b: u64,
}

/// Turns the terms of one user's texts into ids.
#[derive(Clone)]
pub struct TermHasher {
    key: Key,
}

impl TermHasher {
    /// Ids that differ between users but are no secret: whoever knows the
    /// user id can test for a word.
    pub fn for_user(user_id: &str) -> Self {
        let a = siphash(ROOT, user_id.as_bytes());
        let b = siphash(
            Key {
                a: ROOT.a ^ OTHER_HALF,
                b: ROOT.b,
            },
            user_id.as_bytes(),
        );
        Self { key: Key { a, b } }
    }

    /// Ids that tell nothing without the key. Derive the key per user from a
    /// master secret, for example as the first half of an HMAC-SHA-256.
    pub fn with_key(key: [u8; 16]) -> Self {
        let (a, b) = key.split_at(8);
        Self {
            key: Key {
                a: little_endian(a),
                b: little_endian(b),
            },
        }
    }

    /// The id of one term.
    pub fn id(&self, term: &str) -> i32 {
        (siphash(self.key, term.as_bytes()) as u32).cast_signed()
    }

    /// One number for bytes as they are.
    pub fn bytes_hash(&self, bytes: &[u8]) -> i64 {
        siphash(self.key, bytes).cast_signed()
    }

    /// One number for a whole text, the same whatever its case, spacing or Unicode form.
    pub fn text_hash(&self, text: &str) -> i64 {
        let folded: String = text.nfkc().collect::<String>().to_lowercase();
        let words: Vec<&str> = folded.split_whitespace().collect();
        siphash(self.key, words.join(" ").as_bytes()).cast_signed()
    }

    /// The ids of a text, sorted, with repeats: the length of a run is the
    /// frequency of its term, the length of the whole is the document length.
    pub fn ids(&self, text: &str) -> Vec<i32> {
        let mut ids = self.ids_in_order(text);
        ids.sort_unstable();
        ids
    }

    /// The ids of a text in reading order, with repeats.
    pub fn ids_in_order(&self, text: &str) -> Vec<i32> {
        let mut ids = Vec::with_capacity(16 + text.len() / 8);
        for_each_term(text, |term| ids.push(self.id(term)));
        ids
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

fn siphash(key: Key, data: &[u8]) -> u64 {
    let mut v = [
        key.a ^ 0x736F_6D65_7073_6575,
        key.b ^ 0x646F_7261_6E64_6F6D,
        key.a ^ 0x6C79_6765_6E65_7261,
        key.b ^ 0x7465_6462_7974_6573,
    ];
    let (words, rest) = data.as_chunks::<8>();
    for word in words {
        absorb(&mut v, u64::from_le_bytes(*word));
    }
    absorb(&mut v, little_endian(rest) | (data.len() as u64) << 56);
    v[2] ^= 0xFF;
    for _ in 0..4 {
        round(&mut v);
    }
    v[0] ^ v[1] ^ v[2] ^ v[3]
}

fn absorb(v: &mut [u64; 4], word: u64) {
    v[3] ^= word;
    round(v);
    round(v);
    v[0] ^= word;
}

#[inline]
fn round(v: &mut [u64; 4]) {
    v[0] = v[0].wrapping_add(v[1]);
    v[1] = v[1].rotate_left(13) ^ v[0];
    v[0] = v[0].rotate_left(32);
    v[2] = v[2].wrapping_add(v[3]);
    v[3] = v[3].rotate_left(16) ^ v[2];
    v[0] = v[0].wrapping_add(v[3]);
    v[3] = v[3].rotate_left(21) ^ v[0];
    v[2] = v[2].wrapping_add(v[1]);
    v[1] = v[1].rotate_left(17) ^ v[2];
    v[2] = v[2].rotate_left(32);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the SipHash paper, and the empty input of its test set.
    #[test]
    fn published_vectors() {
        let key = Key {
            a: 0x0706_0504_0302_0100,
            b: 0x0F0E_0D0C_0B0A_0908,
        };
        let data: Vec<u8> = (0..15).collect();
        assert_eq!(siphash(key, &data), 0xA129_CA61_49BE_45E5);
        assert_eq!(siphash(key, &[]), 0x726F_DB47_DD0E_0E31);
    }

    #[test]
    fn keys_read_little_endian() {
        let bytes: [u8; 16] = std::array::from_fn(|i| i as u8);
        let hasher = TermHasher::with_key(bytes);
        assert_eq!(hasher.key.a, 0x0706_0504_0302_0100);
        assert_eq!(hasher.key.b, 0x0F0E_0D0C_0B0A_0908);
    }

    #[test]
    fn root_key_spells_its_name() {
        let bytes = [ROOT.a.to_le_bytes(), ROOT.b.to_le_bytes()].concat();
        assert_eq!(bytes, b"memory_ext terms");
    }

    #[test]
    fn users_differ() {
        let (a, b) = (TermHasher::for_user("a"), TermHasher::for_user("b"));
        assert_ne!(a.id("word"), b.id("word"));
        assert_eq!(a.id("word"), TermHasher::for_user("a").id("word"));
    }
}
