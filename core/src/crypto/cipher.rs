//! AES-256-GCM with its tag behind the text, the nonce given by the caller.

use aes_gcm::aead::{AeadInOut, KeyInit};
use aes_gcm::{Aes256Gcm, Nonce, Tag};

use super::Failure;

pub const NONCE_BYTES: usize = 12;
pub(super) const TAG_BYTES: usize = 16;
pub(super) const KEY_BYTES: usize = 32;

/// A key made ready: its schedule takes longer than a short text. It is wiped when dropped.
#[derive(Clone)]
pub(super) struct Cipher(Aes256Gcm);

impl Cipher {
    pub fn new(key: &[u8; KEY_BYTES]) -> Self {
        Self(Aes256Gcm::new(key.into()))
    }

    /// Nonce, encrypted text and tag, in this order.
    pub fn encrypt(&self, nonce: [u8; NONCE_BYTES], aad: &[u8], plain: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::with_capacity(NONCE_BYTES + plain.len() + TAG_BYTES);
        bytes.extend_from_slice(&nonce);
        bytes.extend_from_slice(plain);
        let text = &mut bytes[NONCE_BYTES..];
        let tag = self
            .0
            .encrypt_inout_detached(&Nonce::from(nonce), aad, text.into())
            .map_err(|_| Failure::TooLong)?;
        bytes.extend_from_slice(&tag);
        Ok(bytes)
    }

    /// The text of what `encrypt` made.
    pub fn decrypt(&self, aad: &[u8], mut bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let (nonce, rest) = bytes.split_first_chunk_mut::<NONCE_BYTES>().ok_or(Failure::Form)?;
        let (text, tag) = rest.split_last_chunk_mut::<TAG_BYTES>().ok_or(Failure::Form)?;
        let length = text.len();
        self.0
            .decrypt_inout_detached(&Nonce::from(*nonce), aad, text.into(), &Tag::from(*tag))
            .map_err(|_| Failure::Forged)?;
        bytes.copy_within(NONCE_BYTES..NONCE_BYTES + length, 0);
        bytes.truncate(length);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(digits: &str) -> Vec<u8> {
        (0..digits.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
            .collect()
    }

    /// Test cases 13 to 16 of the GCM specification (McGrew and Viega): AES-256 with 96-bit nonces.
    #[test]
    fn published_vectors() {
        let zero = "00".repeat(32);
        let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308";
        let nonce = "cafebabefacedbaddecaf888";
        let plain = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
                     1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255";
        let text = "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
                    8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad";
        let short = plain.len() - 8;
        let cases = [
            (
                zero.as_str(),
                "000000000000000000000000",
                "",
                "",
                "",
                "530f8afbc74536b9a963b4f1c4cb738b",
            ),
            (
                zero.as_str(),
                "000000000000000000000000",
                "00000000000000000000000000000000",
                "",
                "cea7403d4d606b6e074ec5d3baf39d18",
                "d0d1c8a799996bf0265b98b5d48ab919",
            ),
            (key, nonce, plain, "", text, "b094dac5d93471bdec1a502270e3cc6c"),
            (
                key,
                nonce,
                &plain[..short],
                "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                &text[..short],
                "76fc6ece0f4e1768cddf8853bb2d551b",
            ),
        ];
        for (key, nonce, plain, aad, text, tag) in cases {
            let cipher = Cipher::new(&hex(key).try_into().unwrap());
            let (nonce, plain, aad) = (hex(nonce), hex(plain), hex(aad));
            let made = cipher.encrypt(nonce.clone().try_into().unwrap(), &aad, &plain).unwrap();
            assert_eq!(made, [nonce, hex(text), hex(tag)].concat());
            assert_eq!(cipher.decrypt(&aad, made).unwrap(), plain);
        }
    }

    #[test]
    fn what_is_too_short_has_no_form() {
        let cipher = Cipher::new(&[7; 32]);
        for length in 0..NONCE_BYTES + TAG_BYTES {
            assert_eq!(cipher.decrypt(&[], vec![0; length]), Err(Failure::Form), "{length}");
        }
        assert_eq!(
            cipher.decrypt(&[], vec![0; NONCE_BYTES + TAG_BYTES]),
            Err(Failure::Forged)
        );
    }
}
