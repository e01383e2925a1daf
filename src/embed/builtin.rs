//! The model that comes with the extension (models/README.md): Korean and English in one space.
//!
//! It lies in the library's own file, which the system maps and all backends share; nothing is read or copied when a
//! backend starts, and there is no second file to install, lose or mix up with another version.

use std::sync::LazyLock;

use memory_core::embed::{BadModel, Model};

use crate::error::{self, Result};

static FILE: &[u8] = include_bytes!("../../models/builtin-ko-en-1.bin");

static MODEL: LazyLock<std::result::Result<Model, BadModel>> = LazyLock::new(|| Model::read(FILE));

pub const NAME: &str = "builtin-ko-en-1";
pub const DIMENSIONS: usize = 256;

/// `None` when the text holds no words.
pub fn embed(text: &str) -> Result<Option<Vec<f32>>> {
    match MODEL.as_ref() {
        Ok(model) => Ok(model.embed(text)),
        Err(why) => Err(error::internal(format!("the built-in model cannot be read: {why}"))),
    }
}
