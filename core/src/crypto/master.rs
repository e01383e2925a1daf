//! The master key: it comes from outside of the database and wraps the keys of users.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

use super::cipher::{Cipher, KEY_BYTES, NONCE_BYTES};
use super::{Failure, UserKey};

const WRAPPED_FORM: u8 = 1;
const FINGERPRINT_BYTES: usize = 8;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Only what is derived from the master key is kept: one key that wraps, and the fingerprint that names it.
pub struct MasterKey {
    wrapping: Cipher,
    fingerprint: String,
}

impl MasterKey {
    /// Reads a key as files and variables hold it: 32 raw bytes, 64 hexadecimal digits, or 32 bytes in base64, the
    /// latter two with white space around them. A typed text of 32 letters is refused: it is guessed in no time.
    pub fn parse(bytes: &[u8]) -> Result<MasterKey, Failure> {
        let key = Zeroizing::new(read(bytes)?);
        let typed = key.iter().all(|byte| (b' '..=b'~').contains(byte));
        if typed || key.iter().all(|byte| *byte == key[0]) {
            return Err(Failure::KeyWeak);
        }
        Ok(MasterKey {
            wrapping: Cipher::new(&derived(&key, b"memory_ext wrapping key")),
            fingerprint: hex(&derived(&key, b"memory_ext fingerprint")[..FINGERPRINT_BYTES]),
        })
    }

    /// Names the key and tells nothing else of it.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// A user's key under the master key. The nonce must be fresh.
    pub fn wrap(
        &self,
        key: &UserKey,
        user_id: &str,
        key_id: u32,
        nonce: [u8; NONCE_BYTES],
    ) -> Result<Vec<u8>, Failure> {
        let mut wrapped = vec![WRAPPED_FORM];
        wrapped.extend(self.wrapping.encrypt(nonce, &aad(user_id, key_id), &*key.to_bytes())?);
        Ok(wrapped)
    }

    pub fn unwrap(&self, wrapped: &[u8], user_id: &str, key_id: u32) -> Result<UserKey, Failure> {
        let (form, body) = wrapped.split_first().ok_or(Failure::Form)?;
        if *form != WRAPPED_FORM {
            return Err(Failure::Version);
        }
        let bytes = Zeroizing::new(self.wrapping.decrypt(&aad(user_id, key_id), body.to_vec())?);
        let bytes: [u8; UserKey::BYTES] = bytes.as_slice().try_into().map_err(|_| Failure::Form)?;
        Ok(UserKey::from_bytes(bytes))
    }
}

fn aad(user_id: &str, key_id: u32) -> Vec<u8> {
    let mut aad = vec![WRAPPED_FORM];
    aad.extend_from_slice(&key_id.to_le_bytes());
    aad.extend_from_slice(user_id.as_bytes());
    aad
}

fn read(bytes: &[u8]) -> Result<[u8; KEY_BYTES], Failure> {
    if let Ok(raw) = bytes.try_into() {
        return Ok(raw);
    }
    let text = bytes.trim_ascii();
    let mut decoded = match text.len() {
        64 => unhex(text).ok_or(Failure::KeyForm)?,
        _ => BASE64.decode(text).map_err(|_| Failure::KeyForm)?,
    };
    let key = decoded.as_slice().try_into().map_err(|_| Failure::KeyForm);
    decoded.zeroize();
    key
}

fn unhex(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    digits
        .chunks(2)
        .map(|pair| Some((digit(&pair[0])? * 16 + digit(pair.get(1)?)?) as u8))
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// HMAC-SHA-256 of a purpose under the key: one key, one use.
fn derived(key: &[u8; KEY_BYTES], purpose: &[u8]) -> [u8; KEY_BYTES] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes a key of any length");
    };
    mac.update(purpose);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn raw() -> [u8; 32] {
        std::array::from_fn(|at| at as u8)
    }

    #[test]
    fn every_form_is_the_same_key() {
        let hexed = hex(&raw());
        let based = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
        let forms: [Vec<u8>; 7] = [
            raw().to_vec(),
            hexed.clone().into_bytes(),
            format!("{hexed}\n").into_bytes(),
            format!(" {}\r\n", hexed.to_uppercase()).into_bytes(),
            based.into(),
            format!("{based}=").into_bytes(),
            format!("{based}=\n").into_bytes(),
        ];
        let names: Vec<String> = forms
            .iter()
            .map(|form| MasterKey::parse(form).unwrap().fingerprint().to_string())
            .collect();
        assert!(names.iter().all(|name| *name == names[0]), "{names:?}");
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let failure = |bytes: &[u8]| MasterKey::parse(bytes).err();
        assert_eq!(failure(b""), Some(Failure::KeyForm));
        assert_eq!(failure(b"secret\n"), Some(Failure::KeyForm));
        assert_eq!(failure(&[7; 31]), Some(Failure::KeyForm));
        assert_eq!(failure(&[7; 33]), Some(Failure::KeyForm));
        assert_eq!(failure("zz".repeat(32).as_bytes()), Some(Failure::KeyForm));
        assert_eq!(failure(b"correct horse battery staple 123"), Some(Failure::KeyWeak));
        assert_eq!(failure(&[0; 32]), Some(Failure::KeyWeak));
        assert_eq!(failure("00".repeat(32).as_bytes()), Some(Failure::KeyWeak));
    }

    /// What this wrote once must open for ever.
    #[test]
    fn form_is_frozen() {
        let master = MasterKey::parse(&raw()).unwrap();
        assert_eq!(master.fingerprint(), FINGERPRINT);
        let wrapped = master.wrap(&UserKey::from_bytes([5; 48]), "mina", 3, [6; 12]).unwrap();
        assert_eq!(hex(&wrapped), WRAPPED);
    }
    const FINGERPRINT: &str = "3f86509288542079";
    const WRAPPED: &str = "0106060606060606060606060657486b4fbcf3ae2e94fec68fef6a03bddaec24ad44334b4920b2\
                           4347835d33f2579be43ff305293be4109198cf9734c83996c91dedac95bed4d28ca63d3de01a";

    #[test]
    fn a_key_unwraps_for_its_user_and_number_only() {
        let master = MasterKey::parse(&raw()).unwrap();
        let key = UserKey::from_bytes([5; 48]);
        let wrapped = master.wrap(&key, "mina", 3, [6; 12]).unwrap();
        assert_eq!(*master.unwrap(&wrapped, "mina", 3).unwrap().to_bytes(), [5; 48]);
        let forged = Some(Failure::Forged);
        assert_eq!(master.unwrap(&wrapped, "jun", 3).err(), forged);
        assert_eq!(master.unwrap(&wrapped, "mina", 4).err(), forged);
        assert_eq!(
            MasterKey::parse(&[raw(), raw()].concat()[1..33])
                .unwrap()
                .unwrap(&wrapped, "mina", 3)
                .err(),
            forged
        );
        for at in 1..wrapped.len() {
            let mut changed = wrapped.clone();
            changed[at] ^= 1;
            assert_eq!(master.unwrap(&changed, "mina", 3).err(), forged, "{at}");
        }
        assert_eq!(
            master.unwrap(&[&[2], &wrapped[1..]].concat(), "mina", 3).err(),
            Some(Failure::Version)
        );
        assert_eq!(master.unwrap(&[], "mina", 3).err(), Some(Failure::Form));
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_key_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = MasterKey::parse(&bytes);
        }

        #[test]
        fn any_bytes_unwrap_or_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
            let master = MasterKey::parse(&raw()).unwrap();
            prop_assert!(master.unwrap(&bytes, "mina", 1).is_err());
        }
    }
}
