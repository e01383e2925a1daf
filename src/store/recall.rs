//! Candidates of a recall, and the profiles that weigh them.

use std::fmt::Write as _;

use memory_core::decay;
use memory_core::rank::Weights;
use pgrx::datum::{DatumWithOid, TimestampWithTimeZone, Uuid};

use super::db::Db;
use super::entries::Source;
use super::stream::Passing;
use crate::error::{self, Result};
use crate::id;
use crate::jsonb::RawJsonb;
use crate::vector::{self, Embedding};

pub struct Profile {
    pub weights: Weights,
    pub halflife_seconds: f64,
}

pub fn profile(db: &Db, name: &str) -> Result<Option<Profile>> {
    db.row(
        "SELECT similarity, keyword, importance, strength, recency,
                extract(epoch FROM recency_halflife)::double precision, neighbours, session, speaker, time, messages
         FROM memory.recall_profiles WHERE profile = $1",
        &[name.into()],
    )?
    .map(|row| {
        Ok(Profile {
            weights: Weights {
                similarity: row.want(1)?,
                keyword: row.want(2)?,
                importance: row.want(3)?,
                strength: row.want(4)?,
                recency: row.want(5)?,
                neighbours: row.want(7)?,
                session: row.want(8)?,
                speaker: row.want(9)?,
                time: row.want(10)?,
                messages: row.want(11)?,
            },
            halflife_seconds: row.want(6)?,
        })
    })
    .transpose()
}

/// Seconds that the session's clock is ahead of UTC.
pub fn clock_offset(db: &Db) -> Result<i64> {
    db.row("SELECT extract(timezone FROM clock_timestamp())::bigint", &[])?
        .ok_or_else(|| error::internal("the clock gave no row"))?
        .want(1)
}

/// Which entries a recall looks at; `None` is no limit.
#[derive(Default)]
pub struct Filter {
    pub agent_ids: Option<Vec<String>>,
    pub spaces: Option<Vec<String>>,
    /// Kinds of memories; `message` stands for messages.
    pub kinds: Option<Vec<String>>,
    pub topics: Option<Vec<String>>,
    pub since: Option<TimestampWithTimeZone>,
    pub until: Option<TimestampWithTimeZone>,
    pub metadata: Option<RawJsonb>,
    pub include_archived: bool,
}

/// A statement's condition, made of fixed pieces; every value is an argument.
struct Condition<'a> {
    table: Table,
    sql: String,
    args: Vec<DatumWithOid<'a>>,
}

impl<'a> Condition<'a> {
    fn add(&mut self, piece: &str, value: impl Into<DatumWithOid<'a>>) {
        self.args.push(value.into());
        let place = format!("${}", self.args.len());
        self.sql.push_str(" AND ");
        self.sql.push_str(&piece.replace("$?", &place));
    }
}

const MESSAGE: &str = "message";

/// Where candidates come from: memories out of memory.search_entries, messages out of their own rows.
#[derive(Clone, Copy)]
enum Table {
    Memories,
    Messages,
}

impl Table {
    /// The candidates of a table, with the same columns for both.
    fn select(self) -> &'static str {
        match self {
            Table::Memories => {
                "SELECT e.source, e.id, e.occurred_at, e.importance, e.strength, e.strength_step, e.decay, e.leads,
                        e.agent_id, e.space, e.terms, e.model_id, e.embedding, NULL::text, NULL::text
                 FROM memory.search_entries e WHERE "
            }
            Table::Messages => {
                "SELECT 'm'::\"char\", e.id, e.created_at, NULL::float8, NULL::float8, NULL::int8, NULL::float8, false,
                        e.agent_id, e.space, e.terms, e.model_id, e.embedding, e.session_id, e.role
                 FROM memory.stored_messages e WHERE "
            }
        }
    }

    fn time(self) -> &'static str {
        match self {
            Table::Memories => "e.occurred_at",
            Table::Messages => "e.created_at",
        }
    }
}

impl Filter {
    /// The letters of the memories that can match at all.
    fn sources(&self) -> Vec<i8> {
        let mut letters = vec![Source::Memory.letter()];
        if self.include_archived {
            letters.push(Source::Archived.letter());
        }
        letters
    }

    fn asks_for(&self, table: Table) -> bool {
        let wanted = |of: fn(&str) -> bool| self.kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|k| of(k)));
        match table {
            Table::Memories => wanted(|kind| kind != MESSAGE),
            // Messages have no topics.
            Table::Messages => wanted(|kind| kind == MESSAGE) && self.topics.is_none(),
        }
    }

    /// The conditions for each table that can hold matches.
    fn conditions<'a>(&self, user_id: &'a str) -> Vec<Condition<'a>> {
        [Table::Memories, Table::Messages]
            .into_iter()
            .filter(|table| self.asks_for(*table))
            .map(|table| self.condition(table, user_id))
            .collect()
    }

    fn condition<'a>(&self, table: Table, user_id: &'a str) -> Condition<'a> {
        let mut condition = Condition {
            table,
            sql: "e.user_id = $1".into(),
            args: vec![user_id.into()],
        };
        if let Some(ids) = &self.agent_ids {
            condition.add("e.agent_id = ANY ($?)", ids.clone());
        }
        if let Some(spaces) = &self.spaces {
            condition.add("e.space = ANY ($?)", spaces.clone());
        }
        if let Some(since) = self.since {
            condition.add(&format!("{} >= $?", table.time()), since);
        }
        if let Some(until) = self.until {
            condition.add(&format!("{} < $?", table.time()), until);
        }
        match table {
            Table::Memories => self.of_memories(&mut condition),
            Table::Messages => {
                if let Some(metadata) = &self.metadata {
                    condition.add("coalesce(e.metadata, '{}') @> $?", metadata.clone());
                }
            }
        }
        condition
    }

    fn of_memories(&self, condition: &mut Condition) {
        condition.add("e.source = ANY ($?)", self.sources());
        if let Some(kinds) = &self.kinds {
            condition.add("e.kind = ANY ($?)", kinds.clone());
        }
        if let Some(topics) = &self.topics {
            condition.add(
                "EXISTS (SELECT FROM memory.stored_memories m
                         WHERE m.user_id = e.user_id AND m.id = e.id AND m.topics && $?)",
                topics.clone(),
            );
        }
        if let Some(metadata) = &self.metadata {
            condition.add(
                "EXISTS (SELECT FROM memory.stored_memories m
                         WHERE m.user_id = e.user_id AND m.id = e.id AND m.metadata @> $?)",
                metadata.clone(),
            );
        }
        if !self.include_archived {
            condition
                .sql
                .push_str(" AND (e.expires_at IS NULL OR e.expires_at > clock_timestamp())");
        }
    }
}

/// How often each scope of a user has faded.
pub struct Steps(Vec<(String, String, i64)>);

impl Steps {
    pub fn of_user(db: &Db, user_id: &str) -> Result<Steps> {
        db.rows(
            "SELECT agent_id, space, decay_steps FROM memory.scopes WHERE user_id = $1 AND decay_steps > 0",
            &[user_id.into()],
        )?
        .map(|row| Ok((row.want(1)?, row.want(2)?, row.want(3)?)))
        .collect::<Result<_>>()
        .map(Steps)
    }

    fn of(&self, agent_id: &str, space: &str) -> i64 {
        self.0
            .iter()
            .find(|(a, s, _)| same(a, agent_id) && same(s, space))
            .map_or(0, |(_, _, steps)| *steps)
    }
}

/// Equality that does not compare nothing with nothing: memcmp then loads from where an empty `String` points,
/// which is nowhere, and the processor takes 100 ns to find that no byte of it was wanted.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && (a.is_empty() || a == b)
}

/// What ranking needs of an entry, beside its words and vector.
#[derive(Clone, Copy)]
pub struct Candidate {
    pub source: Source,
    pub id: Uuid,
    pub occurred_at: i64,
    pub importance: f64,
    pub strength: f64,
    pub leads: bool,
}

/// Where a message stands.
pub struct Place<'a> {
    pub session_id: &'a str,
    pub agent_id: &'a str,
    pub role: &'a str,
}

/// A candidate as it passes.
pub struct Seen<'a> {
    pub candidate: Candidate,
    pub terms: &'a [i32],
    /// When the model is the one asked for.
    pub vector: Option<&'a [f32]>,
    /// Memories have none.
    pub place: Option<Place<'a>>,
}

pub type Visit<'v> = dyn FnMut(Seen) + 'v;

struct Reader<'a> {
    steps: &'a Steps,
    model_id: Option<i32>,
    terms: Vec<i32>,
    vector: Vec<f32>,
}

impl Reader<'_> {
    fn read(&mut self, row: &Passing, visit: &mut Visit) -> Result<()> {
        let strength = match row.get::<f64>(5) {
            None => 0.0,
            Some(strength) => {
                let now = match self.steps.0.is_empty() {
                    true => 0,
                    false => self.steps.of(row.want(9)?, row.want(10)?),
                };
                let steps = (now - row.get::<i64>(6).unwrap_or(0)).max(0) as u64;
                decay::after(strength, row.get(7).unwrap_or(1.0), steps)
            }
        };
        let at: TimestampWithTimeZone = row.want(3)?;
        let candidate = Candidate {
            source: Source::of_letter(row.want(1)?),
            id: row.want(2)?,
            occurred_at: at.into_inner(),
            importance: row.get(4).unwrap_or(0.0),
            strength,
            leads: row.want(8)?,
        };
        row.integers(11, &mut self.terms);
        self.vector.clear();
        if self.model_id.is_some() && row.get::<i32>(12) == self.model_id {
            row.floats(13, &mut self.vector);
        }
        let place = match row.get(14) {
            Some(session_id) => Some(Place {
                session_id,
                agent_id: row.want(9)?,
                role: row.want(15)?,
            }),
            None => None,
        };
        visit(Seen {
            candidate,
            terms: &self.terms,
            vector: (!self.vector.is_empty()).then_some(self.vector.as_slice()),
            place,
        });
        Ok(())
    }
}

/// What all passes of one recall share.
pub struct Scan<'a> {
    pub filter: &'a Filter,
    pub steps: &'a Steps,
    pub model_id: Option<i32>,
}

impl Scan<'_> {
    fn run(&self, db: &Db, condition: &Condition, order: &str, visit: &mut Visit) -> Result<()> {
        let sql = [condition.table.select(), &condition.sql, order].concat();
        let mut reader = Reader {
            steps: self.steps,
            model_id: self.model_id,
            terms: Vec::new(),
            vector: Vec::new(),
        };
        db.stream(&sql, &condition.args, &mut |row| reader.read(row, visit))
    }
}

/// Shows every entry that passes the filter.
pub fn scan_all(db: &Db, user_id: &str, scan: &Scan, visit: &mut Visit) -> Result<()> {
    for condition in scan.filter.conditions(user_id) {
        scan.run(db, &condition, "", visit)?;
    }
    Ok(())
}

/// Shows the entries of a big user that pass the filter and hold one of the words.
pub fn scan_terms(db: &Db, user_id: &str, scan: &Scan, terms: Vec<i32>, visit: &mut Visit) -> Result<()> {
    for mut condition in scan.filter.conditions(user_id) {
        condition.add("e.big AND e.terms && $?", terms.clone());
        scan.run(db, &condition, "", visit)?;
    }
    Ok(())
}

/// Shows the newest entries that pass the filter, so many of each source.
pub fn scan_newest(db: &Db, user_id: &str, scan: &Scan, limit: i64, visit: &mut Visit) -> Result<()> {
    let mut newest = |mut condition: Condition| {
        condition.args.push(limit.into());
        let order = format!(" ORDER BY e.id DESC LIMIT ${}", condition.args.len());
        scan.run(db, &condition, &order, visit)
    };
    for condition in scan.filter.conditions(user_id) {
        match condition.table {
            // One source at a time: the primary key then gives them in order.
            Table::Memories => {
                for source in scan.filter.sources() {
                    let mut condition = scan.filter.condition(Table::Memories, user_id);
                    condition.add("e.source = $?", source);
                    newest(condition)?;
                }
            }
            Table::Messages => newest(condition)?,
        }
    }
    Ok(())
}

/// Shows the most important memories of a big user that pass the filter.
pub fn scan_important(db: &Db, user_id: &str, scan: &Scan, limit: i64, visit: &mut Visit) -> Result<()> {
    if !scan.filter.asks_for(Table::Memories) {
        return Ok(());
    }
    let mut condition = scan.filter.condition(Table::Memories, user_id);
    condition.sql.push_str(" AND e.big");
    condition.args.push(limit.into());
    let order = format!(" ORDER BY e.importance DESC LIMIT ${}", condition.args.len());
    scan.run(db, &condition, &order, visit)
}

/// Shows the entries of a big user that pass the filter and are nearest to a vector, by the HNSW index of
/// its dimensions. The limit is written out: as an argument it would hide from the planner how few are wanted.
pub fn scan_nearest(
    db: &Db,
    user_id: &str,
    scan: &Scan,
    vector: &Embedding,
    limit: i64,
    visit: &mut Visit,
) -> Result<()> {
    let schema = vector::schema()?;
    let dimensions = vector.0.len();
    for mut condition in scan.filter.conditions(user_id) {
        condition.add("e.model_id = $?", scan.model_id);
        condition.args.push(vector.argument()?);
        let place = condition.args.len();
        let _ = write!(
            condition.sql,
            " AND e.big AND {schema}.vector_dims(e.embedding) = {dimensions}"
        );
        let order = format!(
            " ORDER BY (e.embedding::{schema}.vector({dimensions})) OPERATOR({schema}.<=>) ${place} LIMIT {limit}"
        );
        scan.run(db, &condition, &order, visit)?;
    }
    Ok(())
}

/// Shows the messages that pass the filter and stand within four places of the given ones (session, time, id).
pub fn scan_around(
    db: &Db,
    user_id: &str,
    scan: &Scan,
    given: &[(String, i64, Uuid)],
    visit: &mut Visit,
) -> Result<()> {
    if given.is_empty() || !scan.filter.asks_for(Table::Messages) {
        return Ok(());
    }
    let mut condition = scan.filter.condition(Table::Messages, user_id);
    let times = given
        .iter()
        .map(|(_, at, _)| id::timestamp(*at))
        .collect::<Result<Vec<_>>>()?;
    let first = condition.args.len() + 1;
    condition.args.push(
        given
            .iter()
            .map(|(session, _, _)| session.clone())
            .collect::<Vec<_>>()
            .into(),
    );
    condition.args.push(times.into());
    condition
        .args
        .push(given.iter().map(|(_, _, id)| *id).collect::<Vec<_>>().into());
    let _ = write!(
        condition.sql,
        " AND e.id IN (
             SELECT around.id FROM unnest(${first}, ${}, ${}) AS g (session_id, at, id)
             CROSS JOIN LATERAL (
                 (SELECT m.id FROM memory.stored_messages m
                  WHERE m.user_id = $1 AND m.session_id = g.session_id AND (m.created_at, m.id) > (g.at, g.id)
                  ORDER BY m.created_at, m.id LIMIT 4)
                 UNION ALL
                 (SELECT m.id FROM memory.stored_messages m
                  WHERE m.user_id = $1 AND m.session_id = g.session_id AND (m.created_at, m.id) < (g.at, g.id)
                  ORDER BY m.created_at DESC, m.id DESC LIMIT 4)) around)",
        first + 1,
        first + 2
    );
    scan.run(db, &condition, "", visit)
}
