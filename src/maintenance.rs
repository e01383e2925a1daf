//! What the turn counters and the clock make due, scope by scope, each in a subtransaction of its own.

use pgrx::datum::Uuid;

use crate::config::{self, Cadence};
use crate::embed::{self, Embedded};
use crate::error::{self, Result};
use crate::forget;
use crate::guard::guarded;
use crate::store::db::Db;
use crate::store::entries::{self, Source};
use crate::store::maintenance::{self as runs, Unembedded, Whose};
use crate::store::scopes::{self, Duty, Selection, Standing};
use crate::store::{memories, messages, models};

pub struct Line {
    pub duty: &'static str,
    pub scopes: i64,
    pub affected: i64,
    pub errors: i64,
}

/// Runs what is due for up to `max_scopes` scopes. A scope that fails is noted and does not stop the others.
pub fn run(db: &Db, selection: &Selection, max_scopes: i64) -> Result<Vec<Line>> {
    let cadence = config::cadence();
    let mut report: Vec<Line> = Vec::new();
    for found in scopes::due(db, selection, &cadence, max_scopes)? {
        // Users whose memories somebody else is writing or maintaining wait for the next run.
        if !scopes::try_lock(db, &found.user_id)? {
            continue;
        }
        let same = Selection {
            user_id: Some(&found.user_id),
            agent_id: Some(&found.scope.agent_id),
            space: Some(&found.scope.space),
        };
        let Some(standing) = scopes::due(db, &same, &cadence, 1)?.pop() else {
            continue;
        };
        for duty in due(&standing, &cadence) {
            let started = crate::id::now();
            let outcome = guarded(|| perform(db, &standing, duty));
            let (affected, failure) = match outcome {
                Ok(affected) => (affected as i64, None),
                Err(failure) => (0, Some(failure.message)),
            };
            runs::note(
                db,
                name(duty),
                &standing.user_id,
                &standing.scope,
                affected,
                failure.as_deref(),
                started,
            )?;
            count(&mut report, name(duty), affected, failure.is_some());
        }
    }
    Ok(report)
}

fn name(duty: Duty) -> &'static str {
    match duty {
        Duty::Decay => "decay",
        Duty::Consolidate => "consolidate",
        Duty::Prune => "prune",
    }
}

fn count(report: &mut Vec<Line>, duty: &'static str, affected: i64, failed: bool) {
    let index = report.iter().position(|line| line.duty == duty).unwrap_or_else(|| {
        report.push(Line {
            duty,
            scopes: 0,
            affected: 0,
            errors: 0,
        });
        report.len() - 1
    });
    report[index].scopes += 1;
    report[index].affected += affected;
    report[index].errors += i64::from(failed);
}

/// The duties of a scope that are due. Deleted sessions may make the turns fewer; then it starts anew.
fn due(standing: &Standing, cadence: &Cadence) -> Vec<Duty> {
    let is_due = |every: Option<i64>, last: i64, age: f64| {
        every.is_some_and(|turns| (standing.turns - last).abs() >= turns)
            || cadence.minutes.is_some_and(|minutes| age >= f64::from(minutes))
    };
    let mut duties = Vec::new();
    if is_due(cadence.decay, standing.decayed_turn, standing.decayed_age) {
        duties.push(Duty::Decay);
    }
    if is_due(
        cadence.consolidate,
        standing.consolidated_turn,
        standing.consolidated_age,
    ) {
        duties.push(Duty::Consolidate);
    }
    if is_due(cadence.prune, standing.pruned_turn, standing.pruned_age) {
        duties.push(Duty::Prune);
    }
    duties
}

fn perform(db: &Db, standing: &Standing, duty: Duty) -> Result<usize> {
    let (user_id, scope) = (standing.user_id.as_str(), &standing.scope);
    let mut turn = standing.turns;
    let affected = match duty {
        Duty::Decay => {
            // One step for every so many turns that passed, not one for every call; the rest counts for the next.
            let every = config::cadence().decay.unwrap_or(1);
            let passed = turn - standing.decayed_turn;
            let steps = (passed / every).max(1);
            turn -= passed.max(0) % every;
            scopes::decay(db, user_id, Some(&scope.agent_id), Some(&scope.space), steps)?
        }
        Duty::Consolidate => {
            let groups = forget::consolidate(db, user_id, scope, false)?;
            groups.len() + forget::promote(db, user_id, scope)?.len()
        }
        Duty::Prune => {
            let keep = config::prune_keep_minutes().into();
            let pruned = forget::prune(db, user_id, Some(&scope.space), config::max_memories(), keep)?;
            scopes::measure(db, user_id, config::exact_limit())?;
            pruned.archived.len() + pruned.deleted
        }
    };
    scopes::done(db, user_id, scope, duty, turn)?;
    Ok(affected)
}

/// Moves a batch of a user's memories and messages to the provider's model; gives how many were moved and how
/// many are left. Until then they are found by their words.
pub fn reembed(
    db: &Db,
    user_id: &str,
    agent_id: Option<&str>,
    space: Option<&str>,
    whose: Whose,
    batch: i64,
) -> Result<(i64, i64)> {
    if embed::provider_model().is_none() {
        return Err(error::invalid(
            "no embedding provider is set",
            "Set memory_ext.embedding_provider, or pass vectors with memory_update.",
        ));
    }
    if !embed::is_later() {
        scopes::lock(db, user_id)?;
    }
    let waiting = waiting(db, user_id, agent_id, space, whose, batch)?;
    let texts: Vec<&str> = waiting.iter().map(|one| one.text.as_str()).collect();
    let vectors = embed::stored(&texts, config::embed_timeout(), &|| false).map_err(error::provider)?;
    let done = embedded(db, user_id, &waiting, vectors)?;
    Ok((done, count_waiting(db, user_id, agent_id, space, whose)?))
}

/// An entry that waits for its vector.
pub struct Waiting {
    source: Source,
    id: Uuid,
    pub text: String,
}

/// Up to `batch` entries without a vector of the provider's model.
pub fn waiting(
    db: &Db,
    user_id: &str,
    agent_id: Option<&str>,
    space: Option<&str>,
    whose: Whose,
    batch: i64,
) -> Result<Vec<Waiting>> {
    let Some((model, dimensions)) = embed::provider_model() else {
        return Ok(Vec::new());
    };
    let unembedded = Unembedded {
        user_id,
        agent_id,
        space,
        model: &model,
        dimensions,
        messages: config::embed_messages(),
        whose,
    };
    let found = unembedded.first(db, batch)?;
    let with_text = |(source, id)| {
        let text = text_of(db, user_id, source, id)?.unwrap_or_default();
        Ok(Waiting { source, id, text })
    };
    found.into_iter().map(with_text).collect()
}

pub fn count_waiting(db: &Db, user_id: &str, agent_id: Option<&str>, space: Option<&str>, whose: Whose) -> Result<i64> {
    match embed::provider_model() {
        Some((model, dimensions)) => Unembedded {
            user_id,
            agent_id,
            space,
            model: &model,
            dimensions,
            messages: config::embed_messages(),
            whose,
        }
        .count(db),
        None => Ok(0),
    }
}

/// Stores the vectors of what waited, as [`embed::stored`] gave them. What was changed or deleted meanwhile keeps
/// waiting, or is gone.
pub fn embedded(db: &Db, user_id: &str, waited: &[Waiting], vectors: Vec<Option<Embedded>>) -> Result<i64> {
    scopes::lock(db, user_id)?;
    let made = vectors.iter().flatten().next();
    let model = match made {
        Some(made) => Some((made.model.clone(), Some(made.vector.0.len()))),
        None => embed::provider_model(),
    };
    if let Some((name, Some(dimensions))) = &model {
        models::provided(db, name, *dimensions)?;
    }
    let mut done = 0;
    for (one, embedded) in waited.iter().zip(&vectors) {
        if text_of(db, user_id, one.source, one.id)?.as_deref() != Some(&one.text) {
            continue;
        }
        match (embedded, &model) {
            (Some(embedded), _) => {
                let model_id = models::id_of(db, &embedded.model, embedded.vector.0.len())?;
                set_embedding(db, user_id, one, model_id, Some(embedded))?;
            }
            (None, Some((model, Some(dimensions)))) => {
                let model_id = models::id_of(db, model, *dimensions)?;
                set_embedding(db, user_id, one, model_id, None)?;
            }
            (None, _) => continue,
        }
        done += 1;
        pgrx::check_for_interrupts!();
    }
    Ok(done)
}

/// Gives an entry the vector of a model, or notes that the model made nothing of it.
fn set_embedding(db: &Db, user_id: &str, one: &Waiting, model_id: i32, embedded: Option<&Embedded>) -> Result<()> {
    match (one.source, embedded) {
        (Source::Message, embedded) => {
            let vector = embedded.map(|embedded| &embedded.vector);
            messages::set_embedding(db, user_id, one.id, model_id, vector)
        }
        (source, Some(embedded)) => entries::set_embedding(db, user_id, source, one.id, Some(embedded)),
        (source, None) => entries::set_no_embedding(db, user_id, source, one.id, model_id),
    }
}

fn text_of(db: &Db, user_id: &str, source: Source, id: Uuid) -> Result<Option<String>> {
    Ok(match source {
        Source::Message => messages::by_ids(db, user_id, vec![id])?
            .pop()
            .map(|message| message.content),
        _ => memories::find(db, user_id, id)?.map(|memory| memory.content),
    })
}
