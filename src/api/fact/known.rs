//! memory_set_fact, memory_learn_facts, memory_get_facts, memory_get_fact_history, memory_retract_fact

use memory_core::fact::{Category, Class};
use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;

use crate::api::arg;
use crate::config;
use crate::error::{self, Result};
use crate::facts::{self, Change, Origin, Statement};
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::facts::{self as store, Fact, Filter};
use crate::store::sessions::Scope;
use crate::store::{fact_keys, scopes};

/// Declares functions that change facts.
macro_rules! gives_changes {
    ($($(#[$attribute:meta])* fn $name:ident($($arguments:tt)*) $body:block)*) => {
        $(
            $(#[$attribute])*
            fn $name($($arguments)*) -> Result<
                TableIterator<
                    'static,
                    (
                        name!(id, Uuid),
                        name!(key, String),
                        name!(value, String),
                        name!(outcome, String),
                        name!(previous_value, Option<String>),
                    ),
                >,
            > $body
        )*
    };
}

fn change_row(change: Change) -> (Uuid, String, String, String, Option<String>) {
    (
        change.id,
        change.key,
        change.value,
        change.outcome.as_str().to_string(),
        change.previous,
    )
}

gives_changes! {
    #[pg_extern]
    #[search_path(pg_catalog, pg_temp)]
    #[allow(clippy::too_many_arguments)]
    fn memory_set_fact(
        user_id: Option<&str>,
        key: Option<&str>,
        value: Option<&str>,
        agent_id: default!(Option<&str>, "NULL"),
        space: default!(Option<&str>, "NULL"),
        category: default!(Option<&str>, "NULL"),
        class: default!(Option<&str>, "NULL"),
        importance: default!(Option<f64>, "NULL"),
        emotion: default!(Option<&str>, "NULL"),
        confidence: default!(Option<f64>, 1.0),
        valid_from: default!(Option<TimestampWithTimeZone>, "NULL"),
        source_message: default!(Option<Uuid>, "NULL"),
        session_id: default!(Option<&str>, "NULL"),
        metadata: default!(Option<RawJsonb>, "NULL"),
    ) {
        let user_id = arg::id(user_id, "user_id")?;
        let key = arg::key(key)?;
        let value = arg::text(value, "value")?;
        let category = category.map(self::category).transpose()?;
        let class = class.map(self::class).transpose()?;
        let importance = importance.map(|n| arg::fraction(n, "importance")).transpose()?;
        let confidence = arg::fraction(arg::required(confidence, "confidence")?, "confidence")?;
        let since = arg::moment(valid_from, "valid_from")?;
        let metadata = arg::object(metadata, "metadata")?;
        let session_id = arg::optional_id(session_id, "session_id")?;
        let scope = Scope::new(arg::optional_id(agent_id, "agent_id")?, arg::optional_id(space, "space")?);
        let change = Db::write(|db| {
            let named = facts::name(&*fact_keys::subjects(db)?, key, value);
            let class = class.unwrap_or(named.class);
            let statement = Statement {
                key: &named.key,
                value: &named.value,
                raw: value,
                category: category.unwrap_or(named.category),
                class,
                cardinality: named.cardinality,
                importance: importance.unwrap_or_else(|| facts::importance(class)),
                emotion,
                confidence,
                metadata,
            };
            let origin = Origin { scope: &scope, source: "application", source_message, session_id, since };
            facts::state(db, user_id, &origin, statement)
        })?;
        Ok(TableIterator::once(change_row(change)))
    }

    #[pg_extern]
    #[search_path(pg_catalog, pg_temp)]
    #[allow(clippy::too_many_arguments)]
    fn memory_learn_facts(
        user_id: Option<&str>,
        text: Option<&str>,
        agent_id: default!(Option<&str>, "NULL"),
        space: default!(Option<&str>, "NULL"),
        session_id: default!(Option<&str>, "NULL"),
        language: default!(Option<&str>, "NULL"),
        role: default!(Option<&str>, "'user'"),
        source_message: default!(Option<Uuid>, "NULL"),
        valid_from: default!(Option<TimestampWithTimeZone>, "NULL"),
    ) {
        let user_id = arg::id(user_id, "user_id")?;
        let text = arg::required(text, "text")?;
        let language = language.map(config::language).transpose()?.flatten();
        let speaker = arg::speaker(role)?;
        let since = arg::moment(valid_from, "valid_from")?;
        let session_id = arg::optional_id(session_id, "session_id")?;
        let scope = Scope::new(arg::optional_id(agent_id, "agent_id")?, arg::optional_id(space, "space")?);
        let origin = Origin { scope: &scope, source: speaker.name(), source_message, session_id, since };
        let changes = Db::write(|db| match facts::read(db, text, language, speaker)? {
            Some(said) => {
                scopes::lock(db, user_id)?;
                facts::learn(db, user_id, &origin, &said)
            }
            None => Ok(Vec::new()),
        })?;
        Ok(TableIterator::new(changes.into_iter().map(change_row)))
    }

    #[pg_extern]
    #[search_path(pg_catalog, pg_temp)]
    fn memory_retract_fact(
        user_id: Option<&str>,
        key: Option<&str>,
        value: default!(Option<&str>, "NULL"),
        agent_id: default!(Option<&str>, "NULL"),
        space: default!(Option<&str>, "NULL"),
        valid_to: default!(Option<TimestampWithTimeZone>, "NULL"),
    ) {
        let user_id = arg::id(user_id, "user_id")?;
        let key = arg::key(key)?;
        let at = arg::moment(valid_to, "valid_to")?;
        let scope = Scope::new(arg::optional_id(agent_id, "agent_id")?, arg::optional_id(space, "space")?);
        let ended = Db::write(|db| {
            let subjects = fact_keys::subjects(db)?;
            let value = value.map(|value| facts::name(&subjects, key, value).value);
            facts::retract(db, user_id, &scope, &facts::canonical(&subjects, key), value.as_deref(), at)
        })?;
        Ok(TableIterator::new(ended.into_iter().map(change_row)))
    }
}

fn category(name: &str) -> Result<Category> {
    Category::from_name(name).ok_or_else(|| {
        error::invalid(
            format!("\"{name}\" is not a category"),
            "Use PERSONAL_INFO, PREFERENCE, RELATIONSHIP, GOAL, EVENT, HABIT, OPINION or OTHER.",
        )
    })
}

fn class(name: &str) -> Result<Class> {
    Class::from_name(name).ok_or_else(|| {
        error::invalid(
            format!("\"{name}\" is not a class of facts"),
            "Use identity, moment or experience.",
        )
    })
}

/// Declares functions that give facts.
macro_rules! gives_facts {
    ($($(#[$attribute:meta])* fn $name:ident($($arguments:tt)*) $body:block)*) => {
        $(
            $(#[$attribute])*
            fn $name($($arguments)*) -> Result<
                TableIterator<
                    'static,
                    (
                        name!(id, Uuid),
                        name!(agent_id, String),
                        name!(space, String),
                        name!(key, String),
                        name!(value, String),
                        name!(raw, String),
                        name!(category, String),
                        name!(class, String),
                        name!(single, bool),
                        name!(importance, f64),
                        name!(emotion, Option<String>),
                        name!(confidence, f64),
                        name!(source, String),
                        name!(source_message, Option<Uuid>),
                        name!(valid_from, TimestampWithTimeZone),
                        name!(valid_to, Option<TimestampWithTimeZone>),
                        name!(recorded_at, TimestampWithTimeZone),
                        name!(closed_at, Option<TimestampWithTimeZone>),
                        name!(closed_by, Option<Uuid>),
                    ),
                >,
            > $body
        )*
    };
}

#[allow(clippy::type_complexity)]
fn fact_row(
    f: Fact,
) -> (
    Uuid,
    String,
    String,
    String,
    String,
    String,
    String,
    String,
    bool,
    f64,
    Option<String>,
    f64,
    String,
    Option<Uuid>,
    TimestampWithTimeZone,
    Option<TimestampWithTimeZone>,
    TimestampWithTimeZone,
    Option<TimestampWithTimeZone>,
    Option<Uuid>,
) {
    (
        f.id,
        f.scope.agent_id,
        f.scope.space,
        f.key,
        f.value,
        f.raw,
        f.category,
        f.class,
        f.single,
        f.importance,
        f.emotion,
        f.confidence,
        f.source,
        f.source_message,
        f.valid_from,
        f.valid_to,
        f.recorded_at,
        f.closed_at,
        f.closed_by,
    )
}

gives_facts! {
    #[pg_extern(stable, parallel_restricted)]
    #[search_path(pg_catalog, pg_temp)]
    #[allow(clippy::too_many_arguments)]
    fn memory_get_facts(
        user_id: Option<&str>,
        agent_id: default!(Option<&str>, "NULL"),
        space: default!(Option<&str>, "NULL"),
        key: default!(Option<&str>, "NULL"),
        class: default!(Option<&str>, "NULL"),
        category: default!(Option<&str>, "NULL"),
        as_of: default!(Option<TimestampWithTimeZone>, "NULL"),
        known_at: default!(Option<TimestampWithTimeZone>, "NULL"),
    ) {
        let user_id = arg::id(user_id, "user_id")?;
        if let Some(name) = class {
            self::class(name)?;
        }
        if let Some(name) = category {
            self::category(name)?;
        }
        let found = Db::read(|db| {
            let key = match key {
                Some(key) => Some(facts::canonical(&*fact_keys::subjects(db)?, arg::key(Some(key))?)),
                None => None,
            };
            let key = key.as_deref();
            store::at(db, user_id, &Filter { agent_id, space, key, class, category, as_of, known_at })
        })?;
        Ok(TableIterator::new(found.into_iter().map(fact_row)))
    }

    #[pg_extern(stable, parallel_restricted)]
    #[search_path(pg_catalog, pg_temp)]
    fn memory_get_fact_history(
        user_id: Option<&str>,
        key: Option<&str>,
        agent_id: default!(Option<&str>, "NULL"),
        space: default!(Option<&str>, "NULL"),
    ) {
        let user_id = arg::id(user_id, "user_id")?;
        let key = arg::key(key)?;
        let found = Db::read(|db| {
            let key = facts::canonical(&*fact_keys::subjects(db)?, key);
            store::history(db, user_id, &key, agent_id, space)
        })?;
        Ok(TableIterator::new(found.into_iter().map(fact_row)))
    }
}
