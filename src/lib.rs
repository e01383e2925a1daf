//! memory_ext: long-term memory for chat, companion and agent applications, inside PostgreSQL.

mod api;
mod config;
mod context;
mod conversation;
mod embed;
mod encryption;
mod error;
mod facts;
mod forget;
mod gate;
mod guard;
mod id;
mod jobs;
mod jsonb;
mod llm;
mod maintenance;
mod random;
mod recall;
mod reflect;
mod relationship;
mod seal;
mod settings;
mod store;
mod vector;
mod worker;

use pgrx::prelude::*;

pg_module_magic!(name, version);

extension_sql_file!("../sql/roles.sql", name = "roles", bootstrap);
extension_sql_file!("../sql/conversations.sql", name = "conversations", requires = ["roles"]);
extension_sql_file!(
    "../sql/encryption.sql",
    name = "encryption",
    requires = ["facts", api::encryption::encryption_changed]
);
extension_sql_file!(
    "../sql/views.sql",
    name = "views",
    requires = ["conversations", api::encryption::memory_reveal]
);
extension_sql_file!(
    "../sql/memories.sql",
    name = "memories",
    requires = [
        "conversations",
        api::decay::strength_after,
        api::encryption::memory_reveal
    ]
);
extension_sql_file!(
    "../sql/facts.sql",
    name = "facts",
    requires = [
        "memories",
        api::fact::keys::fact_keys_shipped,
        api::fact::keys::fact_keys_changed
    ]
);
extension_sql_file!("../sql/jobs.sql", name = "jobs", requires = ["facts"]);
extension_sql_file!(
    "../sql/policies.sql",
    name = "policies",
    requires = ["views", "jobs", "encryption"]
);
extension_sql_file!("../sql/dump.sql", name = "dump", requires = ["policies"]);
extension_sql_file!(
    "../sql/functions.sql",
    name = "functions",
    requires = ["dump"],
    finalize
);

#[pg_guard]
pub extern "C-unwind" fn _PG_init() {
    config::init();
    llm::init();
    api::fact::keys::watch();
    worker::init();
    seal::watch();
}
