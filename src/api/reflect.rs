//! memory_reflect

use pgrx::datum::Uuid;
use pgrx::prelude::*;

use super::arg;
use crate::error::Result;
use crate::store::db::Db;
use crate::store::scopes;
use crate::store::sessions::Scope;
use crate::{config, reflect};

#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn memory_reflect(
    user_id: Option<&str>,
    agent_id: default!(Option<&str>, "NULL"),
    space: default!(Option<&str>, "NULL"),
    language: default!(Option<&str>, "NULL"),
) -> Result<TableIterator<'static, (name!(id, Uuid), name!(content, String))>> {
    let user_id = arg::id(user_id, "user_id")?;
    let scope = Scope::new(
        arg::optional_id(agent_id, "agent_id")?,
        arg::optional_id(space, "space")?,
    );
    let language = language.map(config::language).transpose()?.flatten();
    let made = Db::write(|db| {
        scopes::lock(db, user_id)?;
        reflect::reflect(db, user_id, &scope, language)
    })?;
    Ok(TableIterator::new(
        made.into_iter().map(|reflection| (reflection.id, reflection.content)),
    ))
}
