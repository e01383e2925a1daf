//! What can be wrong with a key or a sealed text. No variant carries a part of either.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The text begins like a sealed one and is not.
    Form,
    /// The form is one that a later version made.
    Version,
    /// The tag does not fit: another key, another place, or changed bytes.
    Forged,
    /// What is to be a master key has not 32 bytes in any of the forms.
    KeyForm,
    /// The bytes of a master key were typed, not drawn.
    KeyWeak,
    /// More bytes than the cipher can take.
    TooLong,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Failure::Form => "it has not the form of a sealed text",
            Failure::Version => "it was sealed by a later version",
            Failure::Forged => "it was changed, moved, or sealed with another key",
            Failure::KeyForm => "it is neither 32 bytes, nor 64 hexadecimal digits, nor 32 bytes in base64",
            Failure::KeyWeak => "its 32 bytes are a text or all the same, not random",
            Failure::TooLong => "it is too long",
        })
    }
}

impl std::error::Error for Failure {}
