//! Every rule and formula of memory_ext, without PostgreSQL.
#![forbid(unsafe_code)]

pub mod archive;
pub mod cluster;
pub mod context;
pub mod crypto;
pub mod decay;
pub mod embed;
pub mod emotion;
pub mod fact;
pub mod kind;
pub mod language;
pub mod llm;
pub mod novelty;
pub mod rank;
pub mod relationship;
pub mod summary;
pub mod talk;
pub mod text;
pub mod tokens;
pub mod vector;
pub mod when;
