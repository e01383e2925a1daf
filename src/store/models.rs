//! memory.models

use super::db::Db;
use super::sessions::Scope;
use crate::embed::Embedded;
use crate::error::{self, Result};

/// Refuses a vector of other dimensions than the user's vectors of the same model have.
pub fn check(db: &Db, user_id: &str, embedded: &Embedded) -> Result<()> {
    let row = db.row(
        "SELECT o.dimensions FROM memory.scopes c JOIN memory.models o ON o.model_id = c.model_id
         WHERE c.user_id = $1 AND o.name = $2 LIMIT 1",
        &[user_id.into(), embedded.model.as_str().into()],
    )?;
    let Some(known) = row.map(|row| row.want::<i32>(1)).transpose()? else {
        return Ok(());
    };
    let given = embedded.vector.0.len();
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

pub fn find(db: &Db, name: &str, dimensions: usize) -> Result<Option<i32>> {
    let row = db.row(
        "SELECT model_id FROM memory.models WHERE name = $1 AND dimensions = $2",
        &[name.into(), (dimensions as i32).into()],
    )?;
    row.map(|row| row.want(1)).transpose()
}
