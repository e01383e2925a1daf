//! memory.stored_facts

use std::collections::HashSet;

use pgrx::datum::{TimestampWithTimeZone, Uuid};

use super::db::{Db, Row};
use super::sessions::Scope;
use crate::error::Result;
use crate::jsonb::RawJsonb;
use crate::seal::{self, Column};

pub struct Fact {
    pub id: Uuid,
    pub scope: Scope,
    pub key: String,
    pub value: String,
    pub raw: String,
    pub category: String,
    pub class: String,
    pub single: bool,
    pub importance: f64,
    pub emotion: Option<String>,
    pub confidence: f64,
    pub source: String,
    pub source_message: Option<Uuid>,
    pub valid_from: TimestampWithTimeZone,
    pub valid_to: Option<TimestampWithTimeZone>,
    pub recorded_at: TimestampWithTimeZone,
    pub closed_at: Option<TimestampWithTimeZone>,
    pub closed_by: Option<Uuid>,
}

macro_rules! columns {
    () => {
        "id, agent_id, space, key, value, raw, category, class, single, importance, emotion, confidence, source,
         source_message, valid_from, valid_to, recorded_at, closed_at, closed_by"
    };
}

fn read(db: &Db, user_id: &str, row: Row) -> Result<Fact> {
    let id = row.want(1)?;
    Ok(Fact {
        id,
        scope: Scope {
            agent_id: row.want(2)?,
            space: row.want(3)?,
        },
        key: row.want(4)?,
        value: seal::open(db, user_id, Column::FactValue, id, row.want(5)?)?,
        raw: seal::open(db, user_id, Column::FactRaw, id, row.want(6)?)?,
        category: row.want(7)?,
        class: row.want(8)?,
        single: row.want(9)?,
        importance: row.want(10)?,
        emotion: row.get(11),
        confidence: row.want(12)?,
        source: row.want(13)?,
        source_message: row.get(14),
        valid_from: row.want(15)?,
        valid_to: row.get(16),
        recorded_at: row.want(17)?,
        closed_at: row.get(18),
        closed_by: row.get(19),
    })
}

pub struct NewFact<'a> {
    pub id: Uuid,
    pub scope: &'a Scope,
    pub key: &'a str,
    pub value: &'a str,
    pub value_hash: i64,
    pub raw: &'a str,
    pub category: &'a str,
    pub class: &'a str,
    pub single: bool,
    pub importance: f64,
    pub emotion: Option<&'a str>,
    pub confidence: f64,
    pub source: &'a str,
    pub source_message: Option<Uuid>,
    pub session_id: Option<&'a str>,
    pub valid_from: TimestampWithTimeZone,
    /// The fact that took its place, and when that began.
    pub until: Option<(TimestampWithTimeZone, Uuid)>,
    pub recorded_at: TimestampWithTimeZone,
    pub metadata: Option<RawJsonb>,
}

pub fn insert(db: &Db, user_id: &str, fact: NewFact) -> Result<()> {
    let value = seal::text(db, user_id, Column::FactValue, fact.id, fact.value)?;
    let raw = seal::text(db, user_id, Column::FactRaw, fact.id, fact.raw)?;
    db.run(
        "INSERT INTO memory.stored_facts
             (user_id, id, agent_id, space, key, value, value_hash, raw, category, class, single, importance, emotion,
              confidence, source, source_message, session_id, valid_from, recorded_at, metadata, valid_to, closed_by,
              closed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
                 coalesce($20, '{}'), $21, $22, CASE WHEN $21 IS NOT NULL THEN $19 END)",
        &[
            user_id.into(),
            fact.id.into(),
            fact.scope.agent_id.as_str().into(),
            fact.scope.space.as_str().into(),
            fact.key.into(),
            value.as_ref().into(),
            fact.value_hash.into(),
            raw.as_ref().into(),
            fact.category.into(),
            fact.class.into(),
            fact.single.into(),
            fact.importance.into(),
            fact.emotion.into(),
            fact.confidence.into(),
            fact.source.into(),
            fact.source_message.into(),
            fact.session_id.into(),
            fact.valid_from.into(),
            fact.recorded_at.into(),
            fact.metadata.into(),
            fact.until.map(|(at, _)| at).into(),
            fact.until.map(|(_, by)| by).into(),
        ],
    )?;
    Ok(())
}

/// The values of a key that hold at a time or later, the first first.
pub fn from(db: &Db, user_id: &str, scope: &Scope, key: &str, at: TimestampWithTimeZone) -> Result<Vec<Fact>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.stored_facts
          WHERE user_id = $1 AND agent_id = $2 AND space = $3 AND key = $4
            AND coalesce(valid_to, 'infinity') > $5 AND (valid_to IS NULL OR valid_to > valid_from)
          ORDER BY valid_from, recorded_at, id"
    );
    let args = [
        user_id.into(),
        scope.agent_id.as_str().into(),
        scope.space.as_str().into(),
        key.into(),
        at.into(),
    ];
    db.rows(sql, &args)?.map(|row| read(db, user_id, row)).collect()
}

/// Ends a fact at a time, which is never before it began. One that had ended already only ends earlier.
pub fn close(db: &Db, user_id: &str, id: Uuid, at: TimestampWithTimeZone, by: Option<Uuid>) -> Result<()> {
    db.run(
        "UPDATE memory.stored_facts
         SET valid_to = greatest(valid_from, $3), closed_at = coalesce(closed_at, clock_timestamp()),
             closed_by = CASE WHEN valid_to IS NULL THEN $4 ELSE closed_by END
         WHERE user_id = $1 AND id = $2",
        &[user_id.into(), id.into(), at.into(), by.into()],
    )?;
    Ok(())
}

/// Notes that a fact was said again.
pub fn confirm(db: &Db, user_id: &str, id: Uuid, confidence: f64, importance: f64) -> Result<()> {
    db.run(
        "UPDATE memory.stored_facts
         SET confidence = greatest(confidence, $3), importance = greatest(importance, $4)
         WHERE user_id = $1 AND id = $2 AND (confidence < $3 OR importance < $4)",
        &[user_id.into(), id.into(), confidence.into(), importance.into()],
    )?;
    Ok(())
}

pub struct Filter<'a> {
    pub agent_id: Option<&'a str>,
    pub space: Option<&'a str>,
    pub key: Option<&'a str>,
    pub class: Option<&'a str>,
    pub category: Option<&'a str>,
    /// When it was true; `None` is now.
    pub as_of: Option<TimestampWithTimeZone>,
    /// When we knew it; `None` is now.
    pub known_at: Option<TimestampWithTimeZone>,
}

/// Facts that were true at a time, by what was known at another.
pub fn at(db: &Db, user_id: &str, filter: &Filter) -> Result<Vec<Fact>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.stored_facts
          WHERE user_id = $1 AND ($2 IS NULL OR agent_id = $2) AND ($3 IS NULL OR space = $3)
            AND ($4 IS NULL OR key = $4) AND ($5 IS NULL OR class = $5) AND ($6 IS NULL OR category = $6)
            AND valid_from <= coalesce($7, clock_timestamp())
            AND ($8 IS NULL OR recorded_at <= $8)
            AND (valid_to IS NULL OR valid_to > coalesce($7, clock_timestamp()) OR closed_at > $8)
          ORDER BY importance DESC, recorded_at DESC, id DESC"
    );
    let args = [
        user_id.into(),
        filter.agent_id.into(),
        filter.space.into(),
        filter.key.into(),
        filter.class.into(),
        filter.category.into(),
        filter.as_of.into(),
        filter.known_at.into(),
    ];
    db.rows(sql, &args)?.map(|row| read(db, user_id, row)).collect()
}

/// The current facts of a scope, newest first. Those of the agent without a space hold in every space that has no
/// value of its own.
pub fn of_scope(db: &Db, user_id: &str, scope: &Scope) -> Result<Vec<Fact>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.stored_facts
          WHERE user_id = $1 AND agent_id = $2 AND space = ANY (ARRAY[$3, ''])
            AND valid_from <= clock_timestamp() AND (valid_to IS NULL OR valid_to > clock_timestamp())
          ORDER BY recorded_at DESC, id DESC"
    );
    let args = [
        user_id.into(),
        scope.agent_id.as_str().into(),
        scope.space.as_str().into(),
    ];
    let found = db
        .rows(sql, &args)?
        .map(|row| read(db, user_id, row))
        .collect::<Result<Vec<Fact>>>()?;
    let own = |fact: &Fact| fact.scope.space == scope.space;
    let keys: HashSet<String> = found.iter().filter(|f| own(f)).map(|f| f.key.clone()).collect();
    Ok(found
        .into_iter()
        .filter(|fact| own(fact) || !fact.single || !keys.contains(&fact.key))
        .collect())
}

/// Every value that a key ever had, oldest first.
pub fn history(db: &Db, user_id: &str, key: &str, agent_id: Option<&str>, space: Option<&str>) -> Result<Vec<Fact>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM memory.stored_facts
          WHERE user_id = $1 AND key = $2 AND ($3 IS NULL OR agent_id = $3) AND ($4 IS NULL OR space = $4)
          ORDER BY recorded_at, id"
    );
    db.rows(sql, &[user_id.into(), key.into(), agent_id.into(), space.into()])?
        .map(|row| read(db, user_id, row))
        .collect()
}

/// The keys of a scope spoken of most recently, newest first.
pub fn recent_keys(db: &Db, user_id: &str, scope: &Scope, limit: i64) -> Result<Vec<String>> {
    db.rows(
        "SELECT key FROM memory.stored_facts
         WHERE user_id = $1 AND agent_id = $2 AND space = $3 AND valid_to IS NULL AND class <> 'experience'
         ORDER BY recorded_at DESC, id DESC LIMIT $4",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            limit.into(),
        ],
    )?
    .map(|row| row.want(1))
    .collect()
}

/// Which of these messages stated something that no longer holds.
pub fn outdated(db: &Db, user_id: &str, scope: &Scope, messages: Vec<Uuid>) -> Result<Vec<Uuid>> {
    db.rows(
        "SELECT DISTINCT source_message FROM memory.stored_facts
         WHERE user_id = $1 AND agent_id = $2 AND space = $3 AND source_message = ANY ($4)
           AND class <> 'experience' AND valid_to <= clock_timestamp()",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            messages.into(),
        ],
    )?
    .map(|row| row.want(1))
    .collect()
}

/// Ends the oldest experiences of a scope beyond the latest `keep`.
pub fn trim_experiences(db: &Db, user_id: &str, scope: &Scope, keep: i64) -> Result<usize> {
    db.run(
        "UPDATE memory.stored_facts SET valid_to = greatest(valid_from, clock_timestamp()), closed_at = clock_timestamp()
         WHERE user_id = $1 AND id = ANY (ARRAY(
             SELECT id FROM memory.stored_facts
             WHERE user_id = $1 AND agent_id = $2 AND space = $3 AND class = 'experience' AND valid_to IS NULL
             ORDER BY recorded_at DESC, id DESC OFFSET $4))",
        &[user_id.into(), scope.agent_id.as_str().into(), scope.space.as_str().into(), keep.into()],
    )
}

pub fn clear(db: &Db, user_id: &str) -> Result<usize> {
    db.run("DELETE FROM memory.stored_facts WHERE user_id = $1", &[user_id.into()])
}

/// What the user is called: the current names, of whatever scope.
pub fn names(db: &Db, user_id: &str) -> Result<Vec<String>> {
    db.rows(
        "SELECT id, value FROM memory.stored_facts
         WHERE user_id = $1 AND key = ANY ('{이름,별명}') AND valid_to IS NULL",
        &[user_id.into()],
    )?
    .map(|row| seal::open(db, user_id, Column::FactValue, row.want(1)?, row.want(2)?))
    .collect()
}
