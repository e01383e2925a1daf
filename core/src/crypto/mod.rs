//! Encryption at rest: texts sealed with AES-256-GCM under a key of their user, which a master key wraps.
//!
//! The form of everything that is stored (envelope, additional data, wrapped keys, fingerprint) is frozen by the
//! tests of each file: what was written once must open for ever.

mod cipher;
mod envelope;
mod failure;
mod master;
mod pool;
mod user;

pub use cipher::NONCE_BYTES;
pub use envelope::{MARKER, Place, Sealed, Stored, escape, prefix, seal};
pub use failure::Failure;
pub use master::MasterKey;
pub use pool::Pool;
pub use user::UserKey;
