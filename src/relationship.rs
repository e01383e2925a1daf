//! A step in a relationship: the one place where its axes move.

use memory_core::relationship::Axes;
use pgrx::datum::Uuid;
use serde_json::{Map, Value};

use crate::error::Result;
use crate::id;
use crate::store::db::Db;
use crate::store::relationships::{self, Change, Relationship};
use crate::store::sessions::Scope;
use crate::store::{legacy, scopes};

pub struct Step<'a> {
    /// Axes and how far they move.
    pub deltas: Map<String, Value>,
    pub emotion: Option<&'a str>,
    pub intensity: Option<f64>,
    pub speech_style: Option<String>,
    pub note: Option<Note<'a>>,
    pub reason: Option<&'a str>,
    pub scene_id: Option<Uuid>,
}

/// A director's note; an empty one takes the present one away.
pub struct Note<'a> {
    pub text: &'a str,
    pub source: &'a str,
}

pub fn stranger() -> Relationship {
    Relationship {
        axes: Axes::default(),
        speech_style: None,
        director_note: None,
        note_source: None,
        updated_at: None,
        left_behind: false,
    }
}

/// Moves the axes and notes the change. A note of the application's stays until the application changes it.
pub fn apply(db: &Db, user_id: &str, scope: &Scope, step: Step) -> Result<Option<Relationship>> {
    scopes::lock(db, user_id)?;
    scopes::ensure(db, user_id, scope)?;
    let mut relationship = relationships::find(db, user_id, scope)?.unwrap_or_else(stranger);
    if relationship.left_behind {
        legacy::adopt(db, user_id, scope)?;
    }
    for (axis, delta) in &step.deltas {
        relationship.axes.shift(axis, delta.as_f64().unwrap_or(0.0));
    }
    relationship.speech_style = step.speech_style.or(relationship.speech_style);
    if let Some(note) = step.note {
        let theirs = relationship.director_note.is_some() && relationship.note_source.as_deref() == Some("application");
        if note.source == "application" || !theirs {
            let text = Some(note.text).filter(|text| !text.is_empty());
            relationship.director_note = text.map(str::to_string);
            relationship.note_source = text.map(|_| note.source.to_string());
        }
    }
    relationships::store(db, user_id, scope, &relationship)?;
    let change = Change {
        id: id::new_id()?,
        scene_id: step.scene_id,
        deltas: Value::Object(step.deltas),
        emotion: step.emotion,
        intensity: step.intensity,
        reason: step.reason,
    };
    relationships::note(db, user_id, scope, &relationship.axes, change)?;
    relationships::find(db, user_id, scope)
}
