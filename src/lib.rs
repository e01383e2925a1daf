//! Long-term memory for chat, companion and agent applications, inside PostgreSQL.

use pgrx::prelude::*;

::pgrx::pg_module_magic!();

/// The version of the extension, as the library knows it.
#[pg_extern(immutable, parallel_safe)]
fn memory_ext_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
