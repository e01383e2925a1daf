//! Everything that is SQL: one file for each group of tables. `store` reads and writes, it never decides.

pub mod agents;
pub mod db;
pub mod entries;
pub mod fact_keys;
pub mod facts;
pub mod history;
pub mod jobs;
pub mod keys;
pub mod legacy;
pub mod maintenance;
pub mod memories;
pub mod messages;
pub mod models;
pub mod notify;
pub mod prune;
pub mod recall;
pub mod relationships;
pub mod scopes;
pub mod sealed;
pub mod sessions;
pub mod stats;
pub mod stream;
pub mod summaries;
pub mod usage;
