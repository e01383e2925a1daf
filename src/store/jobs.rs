//! memory.jobs

use pgrx::datum::{DatumWithOid, TimestampWithTimeZone, Uuid};

use super::db::{Db, Row};
use super::sessions::Scope;
use crate::config;
use crate::error::{self, Result};
use crate::id;

pub struct Job {
    pub user_id: String,
    pub id: Uuid,
    pub kind: String,
    pub scope: Scope,
    pub session_id: String,
    pub reason: String,
    pub attempts: i32,
    pub lease: Uuid,
    /// Seconds since it was first put back for no fault of its own.
    pub patience: f64,
}

fn read(row: Row) -> Result<Job> {
    Ok(Job {
        user_id: row.want(1)?,
        id: row.want(2)?,
        kind: row.want(3)?,
        scope: Scope {
            agent_id: row.want(4)?,
            space: row.want(5)?,
        },
        session_id: row.want(6)?,
        reason: row.want(7)?,
        attempts: row.want(8)?,
        lease: row.want(9)?,
        patience: row.want(10)?,
    })
}

/// Puts a job for each kind in the queue, unless one waits there already; what the user asked for stays asked for.
/// Gives the ids of the jobs that now wait.
pub fn enqueue(
    db: &Db,
    user_id: &str,
    scope: &Scope,
    session_id: &str,
    kinds: &[&str],
    reason: &str,
) -> Result<Vec<Uuid>> {
    let ids = kinds.iter().map(|_| id::new_id()).collect::<Result<Vec<Uuid>>>()?;
    let kinds: Vec<String> = kinds.iter().map(|kind| kind.to_string()).collect();
    db.rows(
        "INSERT INTO memory.jobs AS j (user_id, id, kind, agent_id, space, session_id, reason)
         SELECT $1, new.id, new.kind, $4, $5, $6, $7 FROM unnest($2::uuid[], $3::text[]) AS new (id, kind)
         ON CONFLICT (user_id, kind, agent_id, space, session_id) WHERE state = 'queued'
         DO UPDATE SET reason = CASE WHEN j.reason = 'requested' OR excluded.reason = 'checkpoint'
                                     THEN j.reason ELSE excluded.reason END
         RETURNING j.id",
        &[
            user_id.into(),
            ids.into(),
            kinds.into(),
            scope.agent_id.as_str().into(),
            scope.space.as_str().into(),
            session_id.into(),
            reason.into(),
        ],
    )?
    .map(|row| row.want(1))
    .collect()
}

/// Takes the first jobs that are due, none of a scope in which one of the same kind is running.
pub fn claim(db: &Db, kinds: &[&str], limit: i64, lease_seconds: f64) -> Result<Vec<Job>> {
    let kinds: Vec<String> = kinds.iter().map(|kind| kind.to_string()).collect();
    db.rows(
        "WITH ready AS MATERIALIZED (
             SELECT j.user_id, j.id FROM memory.jobs j
             WHERE j.state = 'queued' AND j.not_before <= clock_timestamp() AND j.kind = ANY ($1)
               AND NOT EXISTS (SELECT FROM memory.jobs r
                               WHERE r.user_id = j.user_id AND r.kind = j.kind AND r.session_id = j.session_id
                                 AND r.agent_id = j.agent_id AND r.space = j.space AND r.state = 'running')
             ORDER BY j.not_before, j.id LIMIT $2 FOR UPDATE OF j SKIP LOCKED)
         UPDATE memory.jobs j
         SET state = 'running', attempts = j.attempts + 1, lease = gen_random_uuid(),
             leased_until = clock_timestamp() + make_interval(secs => $3), leased_by = pg_backend_pid(),
             started_at = clock_timestamp()
         FROM ready WHERE j.user_id = ready.user_id AND j.id = ready.id
         RETURNING j.user_id, j.id, j.kind, j.agent_id, j.space, j.session_id, j.reason, j.attempts, j.lease,
                   coalesce(extract(epoch FROM clock_timestamp())::float8 - (j.payload ->> 'paused_at')::float8, 0)",
        &[kinds.into(), limit.into(), lease_seconds.into()],
    )?
    .map(read)
    .collect()
}

fn held<'a>(job: &'a Job) -> [DatumWithOid<'a>; 3] {
    [job.user_id.as_str().into(), job.id.into(), job.lease.into()]
}

/// Whoever does not hold the lease any more must not store anything: the error undoes the transaction.
fn still_held(touched: usize) -> Result<()> {
    if touched == 1 { Ok(()) } else { Err(error::lease_lost()) }
}

/// The job is over: done, or failed for good.
pub fn finish(db: &Db, job: &Job, state: &str, outcome: Option<&str>, failure: Option<&str>) -> Result<()> {
    let [user_id, id, lease] = held(job);
    still_held(db.run(
        "UPDATE memory.jobs SET state = $4, outcome = $5, last_error = coalesce($6, last_error), lease = NULL,
             leased_until = NULL, leased_by = NULL, finished_at = clock_timestamp()
         WHERE user_id = $1 AND id = $2 AND lease = $3",
        &[user_id, id, lease, state.into(), outcome.into(), failure.into()],
    )?)
}

/// A job that leaves no trace when it is done.
pub fn remove(db: &Db, job: &Job) -> Result<()> {
    still_held(db.run(
        "DELETE FROM memory.jobs WHERE user_id = $1 AND id = $2 AND lease = $3",
        &held(job),
    )?)
}

/// Gives a job back to the queue for later. When another one of its kind waits by now, that one does for both.
/// `counts` is false when what went wrong was no fault of the job.
pub fn put_back(db: &Db, job: &Job, seconds: f64, failure: Option<&str>, counts: bool) -> Result<()> {
    let [user_id, id, lease] = held(job);
    let twin = "UPDATE memory.jobs j
         SET state = 'done', outcome = 'superseded', lease = NULL, leased_until = NULL, leased_by = NULL,
             last_error = coalesce($4, j.last_error), finished_at = clock_timestamp()
         WHERE j.user_id = $1 AND j.id = $2 AND j.lease = $3
           AND EXISTS (SELECT FROM memory.jobs w
                       WHERE w.user_id = j.user_id AND w.kind = j.kind AND w.agent_id = j.agent_id
                         AND w.space = j.space AND w.session_id = j.session_id AND w.state = 'queued')";
    if db.run(twin, &[user_id, id, lease, failure.into()])? == 1 {
        return Ok(());
    }
    let [user_id, id, lease] = held(job);
    still_held(db.run(
        "UPDATE memory.jobs
         SET state = 'queued', not_before = clock_timestamp() + make_interval(secs => $4), lease = NULL,
             leased_until = NULL, leased_by = NULL, last_error = coalesce($5, last_error),
             attempts = CASE WHEN $6 THEN attempts ELSE attempts - 1 END,
             payload = CASE WHEN $6 OR payload ? 'paused_at' THEN payload
                       ELSE payload || jsonb_build_object('paused_at', extract(epoch FROM clock_timestamp())) END
         WHERE user_id = $1 AND id = $2 AND lease = $3",
        &[user_id, id, lease, seconds.into(), failure.into(), counts.into()],
    )?)
}

/// Gives the jobs of processes that are gone back to the queue; those whose lease ran out, too.
pub fn recover(db: &Db) -> Result<usize> {
    macro_rules! lost {
        () => {
            "j.state = 'running'
             AND (j.leased_until < clock_timestamp()
                  OR NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = j.leased_by))"
        };
    }
    let superseded = db.run(
        concat!(
            "UPDATE memory.jobs j
             SET state = 'done', outcome = 'superseded', lease = NULL, leased_until = NULL, leased_by = NULL,
                 finished_at = clock_timestamp()
             WHERE ",
            lost!(),
            " AND EXISTS (SELECT FROM memory.jobs w
                          WHERE w.user_id = j.user_id AND w.kind = j.kind AND w.agent_id = j.agent_id
                            AND w.space = j.space AND w.session_id = j.session_id
                            AND (w.state = 'queued' OR w.state = 'running' AND w.id > j.id))"
        ),
        &[],
    )?;
    let queued = db.run(
        concat!(
            "UPDATE memory.jobs j
             SET state = 'queued', lease = NULL, leased_until = NULL, leased_by = NULL, not_before = clock_timestamp(),
                 last_error = coalesce(j.last_error, 'the process that worked on it is gone')
             WHERE ",
            lost!()
        ),
        &[],
    )?;
    Ok(superseded + queued)
}

/// Seconds until the next waiting job is due; `None` when none waits.
pub fn next_due(db: &Db) -> Result<Option<f64>> {
    let row = db.row(
        "SELECT extract(epoch FROM not_before - clock_timestamp())::float8 FROM memory.jobs
         WHERE state = 'queued' ORDER BY not_before, id LIMIT 1",
        &[],
    )?;
    row.map(|row| row.want(1)).transpose()
}

/// Puts a failed job back in the queue; `None` when there is no such job, false when it has not failed.
pub fn requeue(db: &Db, user_id: &str, id: Uuid) -> Result<Option<bool>> {
    let row = db.row(
        "SELECT state = 'failed' FROM memory.jobs WHERE user_id = $1 AND id = $2 FOR UPDATE",
        &[user_id.into(), id.into()],
    )?;
    let Some(row) = row else {
        return Ok(None);
    };
    if !row.want::<bool>(1)? {
        return Ok(Some(false));
    }
    // One that waits already does for both.
    db.run(
        "DELETE FROM memory.jobs w USING memory.jobs j
         WHERE j.user_id = $1 AND j.id = $2 AND w.user_id = $1 AND w.kind = j.kind AND w.agent_id = j.agent_id
           AND w.space = j.space AND w.session_id = j.session_id AND w.state = 'queued'",
        &[user_id.into(), id.into()],
    )?;
    db.run(
        "UPDATE memory.jobs
         SET state = 'queued', reason = 'requested', attempts = 0, not_before = clock_timestamp(), outcome = NULL,
             finished_at = NULL, payload = '{}'
         WHERE user_id = $1 AND id = $2",
        &[user_id.into(), id.into()],
    )?;
    Ok(Some(true))
}

/// Deletes a batch of jobs that were over longer ago than they are kept.
pub fn purge(db: &Db, done_minutes: i32, failed_minutes: i32, limit: i64) -> Result<usize> {
    db.run(
        "DELETE FROM memory.jobs WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM memory.jobs
             WHERE state = 'done' AND finished_at < clock_timestamp() - make_interval(mins => $1)
                OR state = 'failed' AND finished_at < clock_timestamp() - make_interval(mins => $2)
             LIMIT $3 FOR UPDATE SKIP LOCKED))",
        &[done_minutes.into(), failed_minutes.into(), limit.into()],
    )
}

/// Deletes the jobs of sessions that are about to go.
pub fn forget(db: &Db, user_id: &str, session_ids: &[String]) -> Result<usize> {
    db.run(
        "DELETE FROM memory.jobs WHERE user_id = $1 AND session_id = ANY ($2)",
        &[user_id.into(), session_ids.to_vec().into()],
    )
}

pub fn clear(db: &Db, user_id: &str) -> Result<usize> {
    db.run("DELETE FROM memory.jobs WHERE user_id = $1", &[user_id.into()])
}

/// When a session was last looked after, column by column of memory.session_progress.
#[derive(Clone, Copy)]
pub enum Progress {
    Extracted,
    Analyzed,
}

pub fn progress(db: &Db, user_id: &str, session_id: &str, what: Progress) -> Result<Option<TimestampWithTimeZone>> {
    let sql = match what {
        Progress::Extracted => {
            "SELECT extracted_at FROM memory.session_progress WHERE user_id = $1 AND session_id = $2"
        }
        Progress::Analyzed => "SELECT analyzed_at FROM memory.session_progress WHERE user_id = $1 AND session_id = $2",
    };
    Ok(db
        .row(sql, &[user_id.into(), session_id.into()])?
        .and_then(|row| row.get(1)))
}

pub fn advance(db: &Db, user_id: &str, session_id: &str, what: Progress, to: TimestampWithTimeZone) -> Result<()> {
    let sql = match what {
        Progress::Extracted => {
            "INSERT INTO memory.session_progress AS p (user_id, session_id, extracted_at) VALUES ($1, $2, $3)
             ON CONFLICT (user_id, session_id) DO UPDATE SET extracted_at = greatest(p.extracted_at, $3)"
        }
        Progress::Analyzed => {
            "INSERT INTO memory.session_progress AS p (user_id, session_id, analyzed_at) VALUES ($1, $2, $3)
             ON CONFLICT (user_id, session_id) DO UPDATE SET analyzed_at = greatest(p.analyzed_at, $3)"
        }
    };
    db.run(sql, &[user_id.into(), session_id.into(), to.into()])?;
    Ok(())
}

/// An open session whose checkpoint is due.
pub struct Open {
    pub user_id: String,
    pub session_id: String,
    pub scope: Scope,
}

/// Open sessions with something said since their last checkpoint, which is so many minutes ago; they count as
/// looked after from now on.
pub fn checkpoint(db: &Db, minutes: i32, limit: i64) -> Result<Vec<Open>> {
    db.rows(
        "WITH due AS (
             SELECT s.user_id, s.session_id, s.agent_id, s.space
             FROM memory.sessions s
             LEFT JOIN memory.session_progress p ON p.user_id = s.user_id AND p.session_id = s.session_id
             WHERE s.ended_at IS NULL AND s.message_count > 0
               AND s.last_activity_at > coalesce(p.checkpointed_at, '-infinity')
               AND coalesce(p.checkpointed_at, s.started_at) < clock_timestamp() - make_interval(mins => $1)
             LIMIT $2),
         noted AS (
             INSERT INTO memory.session_progress AS p (user_id, session_id, checkpointed_at)
             SELECT user_id, session_id, clock_timestamp() FROM due
             ON CONFLICT (user_id, session_id) DO UPDATE SET checkpointed_at = excluded.checkpointed_at)
         SELECT user_id, session_id, agent_id, space FROM due",
        &[minutes.into(), limit.into()],
    )?
    .map(|row| {
        Ok(Open {
            user_id: row.want(1)?,
            session_id: row.want(2)?,
            scope: Scope {
                agent_id: row.want(3)?,
                space: row.want(4)?,
            },
        })
    })
    .collect()
}

/// Users of whom a scope has vectors of another model than this one, or none of any. Those that the application passed
/// are its own.
pub fn users_to_embed(db: &Db, model: &str, dimensions: Option<usize>, limit: i64) -> Result<Vec<String>> {
    db.rows(
        "SELECT DISTINCT c.user_id FROM memory.scopes c LEFT JOIN memory.models o ON o.model_id = c.model_id
         WHERE (o.name IS DISTINCT FROM $1 OR o.dimensions <> $2)
           AND (o.model_id IS NULL OR o.provided OR o.name LIKE 'builtin-%')
           AND EXISTS (SELECT FROM memory.search_entries e LEFT JOIN memory.models m ON m.model_id = e.model_id
                       WHERE e.user_id = c.user_id AND cardinality(e.terms) > 0
                         AND (m.name IS DISTINCT FROM $1 OR m.dimensions <> $2)
                         AND (m.model_id IS NULL OR m.provided OR m.name LIKE 'builtin-%')
                       UNION ALL
                       SELECT FROM memory.stored_messages e LEFT JOIN memory.models m ON m.model_id = e.model_id
                       WHERE $4 AND e.user_id = c.user_id AND cardinality(e.terms) > 0
                         AND (m.name IS DISTINCT FROM $1 OR m.dimensions <> $2)
                         AND (m.model_id IS NULL OR m.provided OR m.name LIKE 'builtin-%'))
         LIMIT $3",
        &[
            model.into(),
            dimensions.map(|n| n as i32).into(),
            limit.into(),
            config::embed_messages().into(),
        ],
    )?
    .map(|row| row.want(1))
    .collect()
}

/// Users with memories that were pruned longer ago than they are kept.
pub fn users_to_purge(db: &Db, keep_minutes: i32, limit: i64) -> Result<Vec<String>> {
    db.rows(
        "SELECT DISTINCT user_id FROM (
             SELECT user_id FROM memory.stored_memories
             WHERE archive_reason = 'pruned' AND NOT pinned
               AND date_part('epoch', archived_at) < date_part('epoch', clock_timestamp()) - 60.0 * $1
             LIMIT $2) AS over",
        &[keep_minutes.into(), limit.into()],
    )?
    .map(|row| row.want(1))
    .collect()
}
