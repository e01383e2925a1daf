//! memory.models

use super::db::Db;
use crate::embed::Embedded;
use crate::error::{self, Result};

/// The id of the model that made a vector, of this many dimensions; made when it is new.
pub fn id_of(db: &Db, embedded: &Embedded) -> Result<i32> {
    if let Some(id) = find(db, &embedded.model, embedded.vector.0.len())? {
        return Ok(id);
    }
    db.run(
        "INSERT INTO memory.models (name, dimensions) VALUES ($1, $2) ON CONFLICT (name, dimensions) DO NOTHING",
        &[embedded.model.as_str().into(), (embedded.vector.0.len() as i32).into()],
    )?;
    find(db, &embedded.model, embedded.vector.0.len())?.ok_or_else(|| error::internal("the model was not stored"))
}

pub fn find(db: &Db, name: &str, dimensions: usize) -> Result<Option<i32>> {
    let row = db.row(
        "SELECT model_id FROM memory.models WHERE name = $1 AND dimensions = $2",
        &[name.into(), (dimensions as i32).into()],
    )?;
    row.map(|row| row.want(1)).transpose()
}
