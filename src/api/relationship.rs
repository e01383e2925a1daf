//! Relationships: memory_apply_relationship, memory_get_relationship, scenes, the director's note.

use memory_core::relationship::{AXES, SpeechStyle};
use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;
use serde_json::{Map, Value};

use super::arg;
use crate::error::{self, Result};
use crate::id;
use crate::jsonb::RawJsonb;
use crate::relationship::{self, Note, Step};
use crate::store::db::Db;
use crate::store::relationships::{self, NewScene, Relationship};
use crate::store::sessions::Scope;

/// Declares functions that give a relationship.
macro_rules! gives_relationship {
    ($($(#[$attribute:meta])* fn $name:ident($($arguments:tt)*) $body:block)*) => {
        $(
            $(#[$attribute])*
            fn $name($($arguments)*) -> Result<
                TableIterator<
                    'static,
                    (
                        name!(trust, f64),
                        name!(affection, f64),
                        name!(respect, f64),
                        name!(rivalry, f64),
                        name!(familiarity, f64),
                        name!(score, f64),
                        name!(level, String),
                        name!(speech_style, String),
                        name!(director_note, Option<String>),
                        name!(updated_at, Option<TimestampWithTimeZone>),
                    ),
                >,
            > $body
        )*
    };
}

type RelationshipRow = (
    f64,
    f64,
    f64,
    f64,
    f64,
    f64,
    String,
    String,
    Option<String>,
    Option<TimestampWithTimeZone>,
);

fn row(relationship: Relationship) -> RelationshipRow {
    let axes = relationship.axes;
    (
        axes.trust,
        axes.affection,
        axes.respect,
        axes.rivalry,
        axes.familiarity,
        axes.score(),
        axes.level().as_str().to_string(),
        relationship
            .speech_style
            .unwrap_or_else(|| axes.level().speech_style().as_str().to_string()),
        relationship.director_note,
        relationship.updated_at,
    )
}

gives_relationship! {
    #[pg_extern(stable, parallel_restricted)]
    #[search_path(pg_catalog, pg_temp)]
    fn memory_get_relationship(
        user_id: Option<&str>,
        agent_id: default!(Option<&str>, "NULL"),
        space: default!(Option<&str>, "NULL"),
    ) {
        let user_id = arg::id(user_id, "user_id")?;
        let scope = Scope::new(agent_id, space);
        let found = Db::read(|db| relationships::find(db, user_id, &scope))?;
        Ok(TableIterator::once(row(found.unwrap_or_else(relationship::stranger))))
    }

    #[pg_extern]
    #[search_path(pg_catalog, pg_temp)]
    #[allow(clippy::too_many_arguments)]
    fn memory_apply_relationship(
        user_id: Option<&str>,
        agent_id: default!(Option<&str>, "NULL"),
        space: default!(Option<&str>, "NULL"),
        deltas: default!(Option<RawJsonb>, "NULL"),
        emotion: default!(Option<&str>, "NULL"),
        intensity: default!(Option<f64>, "NULL"),
        speech_style: default!(Option<&str>, "NULL"),
        director_note: default!(Option<&str>, "NULL"),
        reason: default!(Option<&str>, "NULL"),
        scene_id: default!(Option<Uuid>, "NULL"),
    ) {
        let user_id = arg::id(user_id, "user_id")?;
        let scope = Scope::new(arg::optional_id(agent_id, "agent_id")?, arg::optional_id(space, "space")?);
        let deltas = self::deltas(deltas)?;
        let intensity = intensity.map(|n| arg::fraction(n, "intensity")).transpose()?;
        let speech_style = speech_style.map(style).transpose()?;
        let step = Step {
            deltas,
            emotion,
            intensity,
            speech_style,
            note: director_note.map(|note| Note {
                text: note,
                source: "application",
            }),
            reason,
            scene_id,
        };
        let relationship = Db::write(|db| relationship::apply(db, user_id, &scope, step))?;
        Ok(TableIterator::new(relationship.into_iter().map(row)))
    }
}

/// Changes of known axes, as finite numbers.
fn deltas(value: Option<RawJsonb>) -> Result<Map<String, Value>> {
    let Some(value) = value else {
        return Ok(Map::new());
    };
    let value = value.parse().map_err(|cause| {
        error::invalid(
            format!("deltas cannot be read: {cause}"),
            "Pass an object such as '{\"trust\": 5}'.",
        )
    })?;
    let Value::Object(deltas) = value else {
        return Err(error::invalid(
            "deltas must be a JSON object",
            "Pass an object such as '{\"trust\": 5}'.",
        ));
    };
    for (axis, delta) in &deltas {
        if !AXES.contains(&axis.as_str()) {
            return Err(error::invalid(
                format!("\"{axis}\" is not an axis of a relationship"),
                "Use trust, affection, respect, rivalry and familiarity.",
            ));
        }
        if !delta.as_f64().is_some_and(f64::is_finite) {
            return Err(error::invalid(
                format!("the delta of {axis} is not a number"),
                "Pass a number such as 5 or -2.5.",
            ));
        }
    }
    Ok(deltas)
}

fn style(name: &str) -> Result<String> {
    name.parse::<SpeechStyle>()
        .map(|style| style.as_str().to_string())
        .map_err(|()| {
            error::invalid(
                format!("\"{name}\" is not a speech style"),
                "Use formal, casual or intimate.",
            )
        })
}

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
#[allow(clippy::too_many_arguments)]
fn memory_add_scene(
    user_id: Option<&str>,
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    session_id: default!(Option<&str>, "NULL"),
    place: default!(Option<&str>, "NULL"),
    scene_time: default!(Option<&str>, "NULL"),
    participants: default!(Option<Vec<Option<String>>>, "NULL"),
    tone: default!(Option<&str>, "NULL"),
    topics: default!(Option<Vec<Option<String>>>, "NULL"),
    started_at: default!(Option<TimestampWithTimeZone>, "NULL"),
) -> Result<Uuid> {
    let user_id = arg::id(user_id, "user_id")?;
    let scope = Scope::new(
        arg::optional_id(agent_id, "agent_id")?,
        arg::optional_id(space, "space")?,
    );
    let scene = NewScene {
        id: id::new_id()?,
        session_id: session_id.map(|id| arg::id(Some(id), "session_id")).transpose()?,
        place,
        scene_time,
        participants: arg::texts(participants, "participants")?,
        tone,
        topics: arg::texts(topics, "topics")?,
        started_at: match arg::moment(started_at, "started_at")? {
            Some(at) => at,
            None => id::timestamp(id::now())?,
        },
    };
    let new = scene.id;
    Db::write(|db| relationships::insert_scene(db, user_id, &scope, scene))?;
    Ok(new)
}
