//! What applications without spaces left behind: their scopes were named after sessions. Once such a session is
//! known to belong to a space, the space takes over what its scope holds.

use super::db::Db;
use super::sessions::Scope;
use crate::error::Result;

/// The name of a scope, `o.space`, that is a session of the user ($1) and agent ($2) in the space ($3).
macro_rules! left_behind {
    () => {
        "o.user_id = $1 AND o.agent_id = $2 AND o.space <> $3 AND EXISTS (
             SELECT FROM memory.sessions s
             WHERE s.user_id = $1 AND s.session_id = o.space AND s.agent_id = $2 AND s.space = $3)"
    };
}
pub(super) use left_behind;

/// Moves the relationship, its changes, scenes and facts of older scopes to this one. What this one has already
/// stays; an older value of the same key ends.
pub fn adopt(db: &Db, user_id: &str, scope: &Scope) -> Result<bool> {
    if scope.space.is_empty() {
        return Ok(false);
    }
    let args = || {
        [
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
        ]
    };
    let moved = db.run(RELATIONSHIP, &args())?;
    for sql in [CHANGES, SCENES, OUTDATED_FACTS, FACTS] {
        db.run(sql, &args())?;
    }
    Ok(moved > 0)
}

const RELATIONSHIP: &str = concat!(
    "UPDATE memory.stored_relationships SET space = $3
     WHERE user_id = $1 AND agent_id = $2
       AND NOT EXISTS (SELECT FROM memory.stored_relationships
                       WHERE user_id = $1 AND agent_id = $2 AND space = $3)
       AND space = (SELECT o.space FROM memory.stored_relationships o WHERE ",
    left_behind!(),
    " ORDER BY o.updated_at DESC, o.space LIMIT 1)"
);

const CHANGES: &str = concat!(
    "UPDATE memory.stored_relationship_changes o SET space = $3 WHERE ",
    left_behind!()
);

const SCENES: &str = concat!("UPDATE memory.stored_scenes o SET space = $3 WHERE ", left_behind!());

const OUTDATED_FACTS: &str = concat!(
    "WITH left_behind AS (
         SELECT o.* FROM memory.stored_facts o WHERE o.valid_to IS NULL AND ",
    left_behind!(),
    "), newer AS (
         SELECT l.id, min(n.valid_from) AS valid_from
         FROM left_behind l JOIN memory.stored_facts n ON n.user_id = $1 AND n.agent_id = $2 AND n.key = l.key
             AND n.valid_to IS NULL AND (l.single OR n.single OR n.value_hash = l.value_hash)
             AND (n.space = $3 OR n.id > l.id AND EXISTS (SELECT FROM left_behind WHERE id = n.id))
         GROUP BY l.id)
     UPDATE memory.stored_facts o
     SET valid_to = greatest(o.valid_from, newer.valid_from), closed_at = clock_timestamp()
     FROM newer WHERE o.user_id = $1 AND o.id = newer.id"
);

const FACTS: &str = concat!("UPDATE memory.stored_facts o SET space = $3 WHERE ", left_behind!());
