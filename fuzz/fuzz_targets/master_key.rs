//! Any bytes are a master key or refused, and no bytes that we did not wrap unwrap.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memory_core::crypto::MasterKey;

fuzz_target!(|data: &[u8]| {
    let _ = MasterKey::parse(data);
    let raw: [u8; 32] = std::array::from_fn(|at| at as u8);
    let master = MasterKey::parse(&raw).expect("a key");
    assert!(master.unwrap(data, "mina", 1).is_err());
});
