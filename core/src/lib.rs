//! Every rule and formula of memory_ext, without PostgreSQL.
#![forbid(unsafe_code)]

pub mod context;
pub mod fact;
pub mod language;
pub mod text;
pub mod tokens;
