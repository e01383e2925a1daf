//! A memory as the functions give it: the columns of memory.memories without the user.

use pgrx::datum::{TimestampWithTimeZone, Uuid};

use crate::jsonb::RawJsonb;
use crate::store::memories::Memory;

pub type MemoryRow = (
    Uuid,
    String,
    String,
    Option<String>,
    String,
    String,
    Option<String>,
    Vec<String>,
    Option<String>,
    f64,
    f64,
    f64,
    i32,
    bool,
    String,
    Vec<Uuid>,
    Option<String>,
    RawJsonb,
    TimestampWithTimeZone,
    TimestampWithTimeZone,
    TimestampWithTimeZone,
    Option<TimestampWithTimeZone>,
    Option<TimestampWithTimeZone>,
    Option<TimestampWithTimeZone>,
);

pub fn memory_row(m: Memory) -> MemoryRow {
    (
        m.id,
        m.scope.agent_id,
        m.scope.space,
        m.session_id,
        m.kind,
        m.content,
        m.interpretation,
        m.topics,
        m.emotion,
        m.emotion_intensity,
        m.importance,
        m.strength,
        m.mention_count,
        m.pinned,
        m.source,
        m.source_messages,
        m.model,
        m.metadata,
        m.occurred_at,
        m.created_at,
        m.updated_at,
        m.recalled_at,
        m.expires_at,
        m.archived_at,
    )
}

/// Declares functions that give memories; pgrx reads the columns off the signature, so they stand here once.
macro_rules! gives_memories {
    ($($(#[$attribute:meta])* fn $name:ident($($arguments:tt)*) $body:block)*) => {
        $(
            $(#[$attribute])*
            fn $name($($arguments)*) -> crate::error::Result<
                TableIterator<
                    'static,
                    (
                        name!(id, Uuid),
                        name!(agent_id, String),
                        name!(space, String),
                        name!(session_id, Option<String>),
                        name!(kind, String),
                        name!(content, String),
                        name!(interpretation, Option<String>),
                        name!(topics, Vec<String>),
                        name!(emotion, Option<String>),
                        name!(emotion_intensity, f64),
                        name!(importance, f64),
                        name!(strength, f64),
                        name!(mention_count, i32),
                        name!(pinned, bool),
                        name!(source, String),
                        name!(source_messages, Vec<Uuid>),
                        name!(model, Option<String>),
                        name!(metadata, RawJsonb),
                        name!(occurred_at, TimestampWithTimeZone),
                        name!(created_at, TimestampWithTimeZone),
                        name!(updated_at, TimestampWithTimeZone),
                        name!(recalled_at, Option<TimestampWithTimeZone>),
                        name!(expires_at, Option<TimestampWithTimeZone>),
                        name!(archived_at, Option<TimestampWithTimeZone>),
                    ),
                >,
            > $body
        )*
    };
}
pub(super) use gives_memories;
