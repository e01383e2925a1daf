//! What nobody asks for: it is due by the clock.

use std::time::Duration;

use super::{Kind, Place, Reason, after_session, enqueue};
use crate::config;
use crate::embed;
use crate::encryption;
use crate::error::Result;
use crate::forget;
use crate::guard::Failure;
use crate::llm;
use crate::maintenance;
use crate::store::db::Db;
use crate::store::jobs as store;
use crate::store::scopes::{self, Selection};
use crate::store::sessions::{self, Scope, Swept};

/// Texts that are encrypted in one transaction: a few milliseconds for which their user waits.
const ENCRYPTED: i64 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Ends idle sessions.
    Sweep,
    /// Looks after open sessions.
    Checkpoint,
    /// Decay, consolidation and pruning by the clock.
    Maintain,
    /// Finds users whose vectors are of another model.
    Reembed,
    /// Deletes what was kept long enough, and takes over what was left behind.
    Purge,
    /// Encrypts what is plain or under an older key, once there is a master key.
    Encrypt,
}

impl Duty {
    pub const ALL: [Duty; 6] = [
        Duty::Sweep,
        Duty::Checkpoint,
        Duty::Maintain,
        Duty::Reembed,
        Duty::Purge,
        Duty::Encrypt,
    ];

    /// How often; `None`: never.
    pub fn interval(self) -> Option<Duration> {
        let seconds = |seconds: u64| Some(Duration::from_secs(seconds)).filter(|time| !time.is_zero());
        match self {
            Duty::Sweep => seconds(config::sweep_interval()),
            // Each session has its own five minutes; they are looked for more often than that.
            Duty::Checkpoint => seconds(config::checkpoint_interval() as u64 * 60 / 5),
            Duty::Maintain => config::cadence()
                .minutes
                .map(|minutes| Duration::from_secs((minutes as u64 * 60 / 4).max(60))),
            Duty::Reembed => seconds(if config::reembed() { 60 } else { 0 }),
            Duty::Purge => seconds(config::purge_interval() as u64 * 60),
            Duty::Encrypt => seconds(if config::master_key().is_empty() { 0 } else { 60 }),
        }
    }
}

/// How many scopes are maintained in one transaction.
const SCOPES: i64 = 20;

/// Does a batch of a duty; true when there is more of it.
pub fn perform(place: &mut impl Place, duty: Duty) -> std::result::Result<bool, Failure> {
    let batch = config::batch_size();
    match duty {
        Duty::Sweep => {
            place.unit(
                c"memory_ext: taking over the jobs of processes that are gone",
                store::recover,
            )?;
            let swept = place.unit(c"memory_ext: sweeping idle sessions", |db| sweep(db, None, Some(batch)))?;
            Ok(swept.len() as i64 == batch)
        }
        Duty::Checkpoint => place.unit(c"memory_ext: checkpointing open sessions", |db| checkpoint(db, batch)),
        Duty::Maintain => place.unit(c"memory_ext: maintaining memories", |db| {
            let all = Selection {
                user_id: None,
                agent_id: None,
                space: None,
            };
            let scopes = batch.min(SCOPES);
            let done = maintenance::run(db, &all, scopes)?;
            // Scopes that fail, or that somebody writes to, must not keep it going round.
            Ok(done.iter().map(|line| line.scopes - line.errors).sum::<i64>() >= scopes)
        }),
        Duty::Reembed => place.unit(c"memory_ext: looking for vectors of another model", |db| {
            find_to_embed(db, batch)
        }),
        Duty::Purge => place.unit(c"memory_ext: deleting what was kept long enough", |db| purge(db, batch)),
        Duty::Encrypt => place.unit(c"memory_ext: encrypting what is plain", |db| {
            encryption::encrypt(db, None, ENCRYPTED).map(|done| done.sealed == ENCRYPTED)
        }),
    }
}

/// All of them once, for those who run jobs by hand.
pub fn perform_all(place: &mut impl Place) -> std::result::Result<(), Failure> {
    for duty in Duty::ALL {
        // memory_maintain is called by itself.
        if duty == Duty::Maintain || duty.interval().is_none() {
            continue;
        }
        while perform(place, duty)? {
            pgrx::check_for_interrupts!();
        }
    }
    Ok(())
}

/// Ends idle sessions and queues what is to be done when a session is over.
pub fn sweep(db: &Db, idle_seconds: Option<f64>, limit: Option<i64>) -> Result<Vec<Swept>> {
    let swept = sessions::sweep(db, idle_seconds, config::session_timeout_minutes(), limit)?;
    for one in &swept {
        let scope = Scope::new(Some(&one.agent_id), Some(&one.space));
        after_session(db, &one.user_id, &scope, &one.session_id, Reason::Idle)?;
    }
    Ok(swept)
}

fn checkpoint(db: &Db, batch: i64) -> Result<bool> {
    let open = store::checkpoint(db, config::checkpoint_interval(), batch)?;
    for one in &open {
        let mut kinds = vec![Kind::Summarize];
        if llm::configured() && config::extract_turns().is_some() {
            kinds.push(Kind::Extract);
        }
        let reason = Reason::Checkpoint;
        enqueue(db, &one.user_id, &one.scope, &one.session_id, &kinds, reason)?;
    }
    Ok(open.len() as i64 == batch)
}

/// The jobs themselves say when there is nothing left, so one look a minute is enough.
fn find_to_embed(db: &Db, batch: i64) -> Result<bool> {
    let Some((model, dimensions)) = embed::provider_model() else {
        return Ok(false);
    };
    let scope = Scope::new(None, None);
    for user_id in store::users_to_embed(db, &model, dimensions, batch)? {
        enqueue(db, &user_id, &scope, "", &[Kind::Embed], Reason::Stored)?;
    }
    Ok(false)
}

fn purge(db: &Db, batch: i64) -> Result<bool> {
    let gone = store::purge(db, config::job_keep(), config::failed_job_keep(), batch)?;
    let keep = config::prune_keep_minutes();
    for user_id in store::users_to_purge(db, keep, batch)? {
        if scopes::try_lock(db, &user_id)? {
            forget::purge(db, &user_id, keep.into())?;
        }
    }
    Ok(gone as i64 == batch)
}
