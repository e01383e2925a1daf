//! Prints the facts of every line of standard input: `cargo run --example fact_show < lines.txt`.

use memory_core::fact::{Speaker, Subjects, extract};
use std::io::BufRead;

fn main() {
    let subjects = Subjects::builtin();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let facts = extract(&line, None, subjects, Speaker::User);
        if facts.is_empty() && std::env::args().len() > 1 {
            continue;
        }
        println!("{line}");
        for f in facts {
            println!("    {} = {} ({}, {}, {})", f.key, f.value, f.category, f.class, f.op);
        }
    }
}
