//! Stored texts of any kind are parsed or refused; none that we did not seal opens; what we seal opens to the letter.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memory_core::crypto::{Place, Stored, UserKey, escape, seal};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let key = UserKey::from_bytes([7; UserKey::BYTES]);
    let place = Place {
        column: "stored_messages.content",
        user_id: "mina",
        id: [1; 16],
    };
    match Stored::parse(text) {
        Ok(Stored::Sealed(sealed)) => assert!(sealed.open(&key, place).is_err()),
        Ok(Stored::Plain(plain)) => assert!(plain.len() <= text.len()),
        Err(_) => {}
    }
    assert_eq!(Stored::parse(&escape(text)), Ok(Stored::Plain(text)));
    let sealed = seal(&key, data.len() as u32, [3; 12], place, text).expect("a short text");
    let Ok(Stored::Sealed(parsed)) = Stored::parse(&sealed) else {
        panic!("what was sealed is not seen to be");
    };
    assert_eq!(parsed.open(&key, place).as_deref(), Ok(text));
});
