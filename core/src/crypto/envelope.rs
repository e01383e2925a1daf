//! A text as a column holds it: plain, or sealed.
//!
//! A sealed text is MARKER, the letter of the form, the key's number in decimal, a colon, and in base64 the nonce, the
//! encrypted text and the tag. The number stands in clear so that a prefix finds the rows that another key sealed.
//! A plain text that happens to begin with MARKER is stored behind MARKER and `=`: what begins otherwise is plain as it
//! stands, whatever is switched on or off, and plain and sealed rows stand side by side.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::Failure;
use super::cipher::NONCE_BYTES;
use super::user::UserKey;

/// Begins every stored text that is not simply plain. People do not type it, and PostgreSQL stores it.
pub const MARKER: char = '\u{1}';
const MARKED: u8 = 1;
const ESCAPED: u8 = b'=';
/// AES-256-GCM, 96-bit nonce, 128-bit tag.
const FORM: u8 = b'A';

/// Where a sealed text belongs. It opens nowhere else.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Table and column.
    pub column: &'a str,
    pub user_id: &'a str,
    /// The row.
    pub id: [u8; 16],
}

impl Place<'_> {
    /// What the tag vouches for beside the text: the head of the envelope and the place. Every part that can vary in
    /// length is preceded by it, so that no two places give the same bytes.
    fn aad(&self, head: &str) -> Vec<u8> {
        let parts = [
            head.as_bytes(),
            self.column.as_bytes(),
            self.user_id.as_bytes(),
            &self.id,
        ];
        let mut aad = Vec::with_capacity(parts.iter().map(|part| part.len() + 8).sum());
        for part in parts {
            aad.extend_from_slice(&(part.len() as u64).to_le_bytes());
            aad.extend_from_slice(part);
        }
        aad
    }
}

/// What the texts begin with that the key of this number sealed.
pub fn prefix(key_id: u32) -> String {
    format!("{MARKER}{}{key_id}:", char::from(FORM))
}

/// Seals a text. The nonce must be fresh: one that is used twice with a key gives both texts away.
pub fn seal(
    key: &UserKey,
    key_id: u32,
    nonce: [u8; NONCE_BYTES],
    place: Place,
    plain: &str,
) -> Result<String, Failure> {
    let mut text = prefix(key_id);
    let bytes = key.cipher().encrypt(nonce, &place.aad(&text), plain.as_bytes())?;
    STANDARD_NO_PAD.encode_string(bytes, &mut text);
    Ok(text)
}

/// A plain text as it is stored.
pub fn escape(plain: &str) -> Cow<'_, str> {
    match plain.starts_with(MARKER) {
        true => format!("{MARKER}{}{plain}", char::from(ESCAPED)).into(),
        false => plain.into(),
    }
}

/// A stored text, looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored<'a> {
    Plain(&'a str),
    Sealed(Sealed<'a>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sealed<'a> {
    pub key_id: u32,
    head: &'a str,
    body: &'a str,
}

impl<'a> Stored<'a> {
    pub fn parse(text: &'a str) -> Result<Stored<'a>, Failure> {
        match *text.as_bytes() {
            [MARKED, ESCAPED, ..] => Ok(Stored::Plain(&text[2..])),
            [MARKED, FORM, ..] => Sealed::parse(text).map(Stored::Sealed),
            [MARKED, b'B'..=b'Z', ..] => Err(Failure::Version),
            [MARKED, ..] => Err(Failure::Form),
            _ => Ok(Stored::Plain(text)),
        }
    }
}

impl<'a> Sealed<'a> {
    fn parse(text: &'a str) -> Result<Sealed<'a>, Failure> {
        let colon = text.find(':').ok_or(Failure::Form)?;
        let (head, body) = text.split_at(colon + 1);
        let number = &head[2..colon];
        let key_id: u32 = number.parse().map_err(|_| Failure::Form)?;
        // One number has one writing.
        if head != prefix(key_id) {
            return Err(Failure::Form);
        }
        Ok(Sealed { key_id, head, body })
    }

    pub fn open(&self, key: &UserKey, place: Place) -> Result<String, Failure> {
        let bytes = STANDARD_NO_PAD.decode(self.body).map_err(|_| Failure::Form)?;
        let plain = key.cipher().decrypt(&place.aad(self.head), bytes)?;
        String::from_utf8(plain).map_err(|_| Failure::Forged)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PLACE: Place = Place {
        column: "stored_messages.content",
        user_id: "mina",
        id: [9; 16],
    };

    fn key() -> UserKey {
        UserKey::from_bytes([1; 48])
    }

    fn open(text: &str, key: &UserKey, place: Place) -> Result<String, Failure> {
        match Stored::parse(text)? {
            Stored::Sealed(sealed) => sealed.open(key, place),
            Stored::Plain(plain) => Ok(plain.to_string()),
        }
    }

    /// What this wrote once must open for ever.
    #[test]
    fn form_is_frozen() {
        let text = seal(&key(), 7, [3; 12], PLACE, "비밀 secret").unwrap();
        assert_eq!(text, FROZEN);
        assert_eq!(open(FROZEN, &key(), PLACE).unwrap(), "비밀 secret");
    }
    const FROZEN: &str = "\u{1}A7:AwMDAwMDAwMDAwMDE9iQcU8EFxrIn5QCuBNJ8zeDXm93eFuJxgUFkxs";

    #[test]
    fn every_changed_character_is_noticed() {
        let text = seal(&key(), 12, [3; 12], PLACE, "비밀").unwrap();
        for at in 0..text.len() {
            for bit in 0..7 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let changed = String::from_utf8(bytes).unwrap();
                assert_ne!(
                    open(&changed, &key(), PLACE).ok().as_deref(),
                    Some("비밀"),
                    "{at} {bit}"
                );
                if at > 0 {
                    assert!(
                        open(&changed, &key(), PLACE).is_err() || changed.starts_with("\u{1}="),
                        "{at} {bit}"
                    );
                }
            }
            assert!(open(&text[..at], &key(), PLACE).is_err() || at == 0);
        }
        assert!(open(&format!("{text}AAAA"), &key(), PLACE).is_err());
    }

    #[test]
    fn opens_in_its_place_only() {
        let text = seal(&key(), 1, [3; 12], PLACE, "secret").unwrap();
        let forged = Err(Failure::Forged);
        let others = [
            Place {
                column: "stored_memories.content",
                ..PLACE
            },
            Place {
                user_id: "jun",
                ..PLACE
            },
            Place { id: [8; 16], ..PLACE },
            // The same bytes, cut elsewhere.
            Place {
                column: "stored_messages.contentm",
                user_id: "ina",
                ..PLACE
            },
        ];
        for place in others {
            assert_eq!(open(&text, &key(), place), forged);
        }
        assert_eq!(open(&text, &UserKey::from_bytes([2; 48]), PLACE), forged);
        assert_eq!(open(&text.replacen("A1:", "A2:", 1), &key(), PLACE), forged);
    }

    #[test]
    fn keys_have_one_writing() {
        for head in ["A:", "A01:", "A+1:", "A-1:", "A4294967296:", "A 1:", "A1", "Aé:"] {
            assert_eq!(Stored::parse(&format!("\u{1}{head}")), Err(Failure::Form), "{head}");
        }
        assert_eq!(Stored::parse("\u{1}B1:x"), Err(Failure::Version));
        assert_eq!(Stored::parse("\u{1}"), Err(Failure::Form));
        assert!(matches!(Stored::parse("\u{1}A0:"), Ok(Stored::Sealed(_))));
    }

    proptest! {
        #[test]
        fn sealed_opens_to_the_letter(
            plain in any::<String>(), nonce in any::<[u8; 12]>(), key_id in any::<u32>(),
            user_id in any::<String>(), id in any::<[u8; 16]>(),
        ) {
            let place = Place { user_id: &user_id, id, ..PLACE };
            let text = seal(&key(), key_id, nonce, place, &plain).unwrap();
            prop_assert!(text.starts_with(&prefix(key_id)));
            prop_assert_eq!(open(&text, &key(), place), Ok(plain));
        }

        #[test]
        fn plain_stays_plain(plain in "\u{1}{0,2}[=AB1:]{0,6}.*") {
            let stored = escape(&plain);
            prop_assert_eq!(Stored::parse(&stored), Ok(Stored::Plain(plain.as_str())));
        }

        #[test]
        fn anything_is_parsed_or_refused(text in "\u{1}?[A=B]?[0-9+]{0,11}:?.{0,60}") {
            if let Ok(Stored::Sealed(sealed)) = Stored::parse(&text) {
                prop_assert!(sealed.open(&key(), PLACE).is_err());
            }
        }
    }
}
