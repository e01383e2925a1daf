//! The master keys that the settings name, read once for each backend and found by their fingerprints.

use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::rc::Rc;

use memory_core::crypto::MasterKey;
use pgrx::pg_sys::panic::ErrorReport;
use zeroize::Zeroizing;

use crate::config::{self, KeyPlace, MasterKeySource};
use crate::error::{self, Result};

/// More bytes than any form of a key has.
const MOST_BYTES: u64 = 1024;

#[derive(Default)]
struct Known {
    sources: Vec<MasterKeySource>,
    keys: Vec<Rc<MasterKey>>,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

pub fn forget() {
    KNOWN.take();
}

fn sources() -> Vec<MasterKeySource> {
    config::master_key()
        .into_iter()
        .chain(config::old_master_key())
        .collect()
}

/// The master key in force.
pub fn current() -> Result<Rc<MasterKey>> {
    match config::master_key().first() {
        Some(source) => read(source).map(Rc::new),
        None => Err(not_configured()),
    }
}

/// The configured key with this fingerprint. The files are read again when it is not among those known: one may
/// have been replaced.
pub fn named(fingerprint: &str) -> Result<Rc<MasterKey>> {
    let sources = sources();
    let find = |keys: &[Rc<MasterKey>]| keys.iter().find(|key| key.fingerprint() == fingerprint).cloned();
    let known = KNOWN.with_borrow(|known| find(&known.keys).filter(|_| known.sources == sources));
    if let Some(key) = known {
        return Ok(key);
    }
    let mut keys = Vec::new();
    let mut problem = None;
    for source in &sources {
        match read(source) {
            Ok(key) => keys.push(Rc::new(key)),
            Err(failure) => problem = problem.or(Some(failure)),
        }
    }
    let found = find(&keys);
    KNOWN.set(Known { sources, keys });
    found.ok_or_else(|| problem.unwrap_or_else(|| wrong(fingerprint)))
}

fn not_configured() -> ErrorReport {
    error::no_key(
        "no master key is configured",
        "A superuser sets memory_ext.master_key_file or memory_ext.master_key_env.",
    )
}

fn wrong(fingerprint: &str) -> ErrorReport {
    if sources().is_empty() {
        return error::no_key(
            format!("the data is encrypted with master key {fingerprint}, and no master key is configured"),
            "A superuser sets memory_ext.master_key_file or memory_ext.master_key_env.",
        );
    }
    error::no_key(
        format!("the data is encrypted with master key {fingerprint}, and another one is configured"),
        "Configure the key that the data was encrypted with, during a rotation as the old one.",
    )
}

/// Reads a key. No error shows where it is, for anybody may see the error.
fn read(source: &MasterKeySource) -> Result<MasterKey> {
    let bytes = match &source.place {
        KeyPlace::File(path) => from_file(path),
        KeyPlace::Variable(name) => from_variable(name),
    };
    let problem = |what: String| {
        error::no_key(
            format!("the master key that {} names cannot be used: {what}", source.setting),
            "A key is made by: openssl rand -hex 32. Its file belongs to the server's user and has mode 0600.",
        )
    };
    MasterKey::parse(&bytes.map_err(problem)?).map_err(|failure| problem(failure.to_string()))
}

type Secret = std::result::Result<Zeroizing<Vec<u8>>, String>;

fn from_file(path: &str) -> Secret {
    let text = |cause: std::io::Error| cause.to_string();
    let file = File::open(path).map_err(text)?;
    let known = file.metadata().map_err(text)?;
    if !known.is_file() {
        return Err("it is not a file".into());
    }
    if known.mode() & 0o077 != 0 {
        return Err("others than its owner may use the file".into());
    }
    let mut bytes = Zeroizing::new(Vec::with_capacity(MOST_BYTES as usize));
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(text)?;
    Ok(bytes)
}

fn from_variable(name: &str) -> Secret {
    match std::env::var_os(name) {
        Some(value) => Ok(Zeroizing::new(value.into_vec())),
        None => Err("the server has no such variable".into()),
    }
}
