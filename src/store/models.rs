//! memory.models

use pgrx::datum::DatumWithOid;

use super::db::Db;
use super::sessions::Scope;
use crate::config;
use crate::embed::Embedded;
use crate::error::{self, Result};
use crate::vector::Embedding;

/// Refuses a vector of the application with other dimensions than the user's vectors of the same model have. When a
/// provider's model changes its dimensions, it is another model.
pub fn check(db: &Db, user_id: &str, embedded: &Embedded) -> Result<()> {
    if embedded.model != config::application_model() {
        return Ok(());
    }
    let given = embedded.vector.0.len();
    let Some(known) = known_dimensions(db, user_id, &embedded.model, given)? else {
        return Ok(());
    };
    if known as usize == given {
        return Ok(());
    }
    Err(error::invalid(
        format!(
            "embedding has {given} dimensions, those of model \"{}\" have {known}",
            embedded.model
        ),
        "Name another model in memory_ext.embedding_model, or pass a vector of the same model.",
    ))
}

/// The dimensions of the user's vectors of a model. A scope notes only its last model; behind another one stand
/// entries with vectors of the model asked for, which are looked for only if the model has other dimensions at all.
fn known_dimensions(db: &Db, user_id: &str, model: &str, given: usize) -> Result<Option<i32>> {
    let noted = db.row(
        "SELECT o.dimensions FROM memory.scopes c JOIN memory.models o ON o.model_id = c.model_id
         WHERE c.user_id = $1 AND o.name = $2 LIMIT 1",
        &[user_id.into(), model.into()],
    )?;
    let known = match noted {
        Some(row) => Some(row),
        None => db.row(
            "SELECT o.dimensions FROM memory.models o
             WHERE o.name = $2 AND o.dimensions <> $3
               AND (EXISTS (SELECT FROM memory.search_entries e WHERE e.user_id = $1 AND e.model_id = o.model_id)
                    OR EXISTS (SELECT FROM memory.stored_messages m WHERE m.user_id = $1 AND m.model_id = o.model_id))
             LIMIT 1",
            &[user_id.into(), model.into(), (given as i32).into()],
        )?,
    };
    known.map(|row| row.want(1)).transpose()
}

/// Notes the model that a scope's vectors are made with.
pub fn note(db: &Db, user_id: &str, scope: &Scope, embedded: &Embedded) -> Result<()> {
    let model_id = id_of(db, &embedded.model, embedded.vector.0.len())?;
    db.run(
        "UPDATE memory.scopes SET model_id = $4
         WHERE user_id = $1 AND agent_id = $2 AND space = $3 AND model_id IS DISTINCT FROM $4",
        &[
            user_id.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            model_id.into(),
        ],
    )?;
    Ok(())
}

/// Notes that all scopes of a user have vectors of a model; without dimensions, of whichever it has.
pub fn note_all(db: &Db, user_id: &str, name: &str, dimensions: Option<usize>) -> Result<()> {
    db.run(
        "UPDATE memory.scopes c SET model_id = o.model_id
         FROM (SELECT model_id FROM memory.models WHERE name = $2 AND ($3 IS NULL OR dimensions = $3)
               ORDER BY model_id DESC LIMIT 1) AS o
         WHERE c.user_id = $1 AND c.model_id IS DISTINCT FROM o.model_id",
        &[user_id.into(), name.into(), dimensions.map(|n| n as i32).into()],
    )?;
    Ok(())
}

/// The id of a model whose vectors have this many dimensions; made when it is new.
pub fn id_of(db: &Db, name: &str, dimensions: usize) -> Result<i32> {
    if let Some(id) = find(db, name, dimensions)? {
        return Ok(id);
    }
    db.run(
        "INSERT INTO memory.models (name, dimensions) VALUES ($1, $2) ON CONFLICT (name, dimensions) DO NOTHING",
        &[name.into(), (dimensions as i32).into()],
    )?;
    find(db, name, dimensions)?.ok_or_else(|| error::internal("the model was not stored"))
}

/// The same for a model whose vectors we asked for ourselves.
pub fn provided(db: &Db, name: &str, dimensions: usize) -> Result<()> {
    if find(db, name, dimensions)?.is_none() {
        db.run(
            "INSERT INTO memory.models (name, dimensions, provided) VALUES ($1, $2, true)
             ON CONFLICT (name, dimensions) DO NOTHING",
            &[name.into(), (dimensions as i32).into()],
        )?;
    }
    Ok(())
}

pub fn find(db: &Db, name: &str, dimensions: usize) -> Result<Option<i32>> {
    let row = db.row(
        "SELECT model_id FROM memory.models WHERE name = $1 AND dimensions = $2",
        &[name.into(), (dimensions as i32).into()],
    )?;
    row.map(|row| row.want(1)).transpose()
}

/// The id of the model and the vector, as a statement takes them.
pub fn arguments<'a>(db: &Db, embedded: Option<&Embedded>) -> Result<(Option<i32>, DatumWithOid<'a>)> {
    Ok(match embedded {
        Some(embedded) => (
            Some(id_of(db, &embedded.model, embedded.vector.0.len())?),
            embedded.vector.argument()?,
        ),
        None => (None, Embedding::no_argument()?),
    })
}
