//! Lines on standard input to vectors on standard output, little-endian and single precision; zeros for none:
//! `cargo run --release -p memory_core --example embed_lines MODEL <lines >vectors`

use std::io::{self, BufRead, BufWriter, Write};

use memory_core::embed::Model;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which model file?")?;
    let bytes = std::fs::read(path)?;
    let model = Model::read(&bytes)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let vector = model.embed(&line?).unwrap_or_else(|| vec![0.0; model.dimensions()]);
        for number in vector {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    Ok(out.flush()?)
}
