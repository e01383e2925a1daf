//! Long-term memories: create, read, change, archive.

mod change;
mod create;
mod read;
mod row;
mod shelf;
