//! memory.stored_relationships with its log of changes, and scenes.

use memory_core::relationship::Axes;
use pgrx::JsonB;
use pgrx::datum::{TimestampWithTimeZone, Uuid};

use super::db::{Db, Row};
use super::legacy::left_behind;
use super::sessions::Scope;
use crate::error::Result;
use crate::id;
use crate::seal::{self, Column};

pub struct Relationship {
    pub axes: Axes,
    pub speech_style: Option<String>,
    pub director_note: Option<String>,
    /// Who wrote the note: application or llm.
    pub note_source: Option<String>,
    pub updated_at: Option<TimestampWithTimeZone>,
    /// Whether it is still where an older session left it.
    pub left_behind: bool,
}

fn scope_args<'a>(user_id: &'a str, scope: &'a Scope) -> [pgrx::datum::DatumWithOid<'a>; 3] {
    [
        user_id.into(),
        scope.agent_id.as_str().into(),
        scope.space.as_str().into(),
    ]
}

fn read(db: &Db, user_id: &str, row: Row) -> Result<Relationship> {
    let director_note = seal::open_optional(db, user_id, Column::RelationshipNote, row.want(11)?, row.get(7))?;
    Ok(Relationship {
        axes: Axes {
            trust: row.want(1)?,
            affection: row.want(2)?,
            respect: row.want(3)?,
            rivalry: row.want(4)?,
            familiarity: row.want(5)?,
        },
        speech_style: row.get(6),
        director_note,
        updated_at: row.get(8),
        left_behind: row.want(9)?,
        note_source: row.get(10),
    })
}

/// The relationship of a scope, or the one that an older session of it left behind.
pub fn find(db: &Db, user_id: &str, scope: &Scope) -> Result<Option<Relationship>> {
    let sql = concat!(
        "SELECT trust, affection, respect, rivalry, familiarity, speech_style, director_note, updated_at,
                space <> $3, note_source, version
         FROM memory.stored_relationships o
         WHERE (user_id = $1 AND agent_id = $2 AND space = $3) OR ($3 <> '' AND ",
        left_behind!(),
        ") ORDER BY space = $3 DESC, updated_at DESC, space LIMIT 1"
    );
    db.row(sql, &scope_args(user_id, scope))?
        .map(|row| read(db, user_id, row))
        .transpose()
}

pub fn store(db: &Db, user_id: &str, scope: &Scope, relationship: &Relationship) -> Result<()> {
    let axes = &relationship.axes;
    let version = id::new_id()?;
    let note = relationship.director_note.as_deref();
    let note = seal::optional(db, user_id, Column::RelationshipNote, version, note)?;
    db.run(
        "INSERT INTO memory.stored_relationships AS r
             (user_id, agent_id, space, trust, affection, respect, rivalry, familiarity, score, level, speech_style,
              director_note, version, updated_at, note_source)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, clock_timestamp(), $14)
         ON CONFLICT (user_id, agent_id, space) DO UPDATE SET
             trust = $4, affection = $5, respect = $6, rivalry = $7, familiarity = $8, score = $9, level = $10,
             speech_style = $11, director_note = $12, version = $13, updated_at = clock_timestamp(), note_source = $14",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            axes.trust.into(),
            axes.affection.into(),
            axes.respect.into(),
            axes.rivalry.into(),
            axes.familiarity.into(),
            axes.score().into(),
            axes.level().as_str().into(),
            relationship.speech_style.as_deref().into(),
            note.as_deref().into(),
            version.into(),
            relationship.note_source.as_deref().into(),
        ],
    )?;
    Ok(())
}

pub struct Change<'a> {
    pub id: Uuid,
    pub scene_id: Option<Uuid>,
    pub deltas: serde_json::Value,
    pub emotion: Option<&'a str>,
    pub intensity: Option<f64>,
    pub reason: Option<&'a str>,
}

pub fn note(db: &Db, user_id: &str, scope: &Scope, axes: &Axes, change: Change) -> Result<()> {
    let reason = seal::optional(db, user_id, Column::RelationshipReason, change.id, change.reason)?;
    db.run(
        "INSERT INTO memory.stored_relationship_changes
             (user_id, id, agent_id, space, scene_id, deltas, score, level, emotion, intensity, reason, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, clock_timestamp())",
        &[
            user_id.into(),
            change.id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            change.scene_id.into(),
            JsonB(change.deltas).into(),
            axes.score().into(),
            axes.level().as_str().into(),
            change.emotion.into(),
            change.intensity.into(),
            reason.as_deref().into(),
        ],
    )?;
    Ok(())
}

pub struct NewScene<'a> {
    pub id: Uuid,
    pub session_id: Option<&'a str>,
    pub place: Option<&'a str>,
    pub scene_time: Option<&'a str>,
    pub participants: Vec<String>,
    pub tone: Option<&'a str>,
    pub topics: Vec<String>,
    pub started_at: TimestampWithTimeZone,
}

pub fn insert_scene(db: &Db, user_id: &str, scope: &Scope, scene: NewScene) -> Result<()> {
    let sealed = |column, text| seal::optional(db, user_id, column, scene.id, text);
    let place = sealed(Column::ScenePlace, scene.place)?;
    let scene_time = sealed(Column::SceneTime, scene.scene_time)?;
    let tone = sealed(Column::SceneTone, scene.tone)?;
    let participants = seal::texts(db, user_id, Column::SceneParticipants, scene.id, &scene.participants)?;
    db.run(
        "INSERT INTO memory.stored_scenes
             (user_id, id, agent_id, space, session_id, place, scene_time, participants, tone, topics, started_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        &[
            user_id.into(),
            scene.id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            scene.session_id.into(),
            place.as_deref().into(),
            scene_time.as_deref().into(),
            participants.into(),
            tone.as_deref().into(),
            scene.topics.into(),
            scene.started_at.into(),
        ],
    )?;
    Ok(())
}

pub fn clear(db: &Db, user_id: &str) -> Result<()> {
    for sql in [
        "DELETE FROM memory.stored_scenes WHERE user_id = $1",
        "DELETE FROM memory.stored_relationship_changes WHERE user_id = $1",
        "DELETE FROM memory.stored_relationships WHERE user_id = $1",
    ] {
        db.run(sql, &[user_id.into()])?;
    }
    Ok(())
}
