//! Claim, ask, store: the way of a job, wherever it is done.

use std::collections::HashMap;
use std::ffi::CStr;
use std::time::{Duration, Instant};

use pgrx::datum::Uuid;
use pgrx::prelude::*;

use super::ask::Question;
use super::{Kind, Place, Step, Stored, Then, begin, give_up, is_passing};
use crate::config;
use crate::error::{self, Result};
use crate::guard::Failure;
use crate::id;
use crate::llm::{self, Answer, Calls, Chat, LlmError, Reply};
use crate::store::db::Db;
use crate::store::jobs::{self as store, Job};
use crate::store::{notify, usage};

/// How long a job waits when its answer could not be stored because somebody held the user's data.
const STORE_AGAIN: Duration = Duration::from_secs(30);

const ATTEMPTS: i32 = 3;
/// After a 429 the provider is left alone for at least this long.
const COOL_DOWN: Duration = Duration::from_secs(60);
/// A provider that answers 429 for longer than this has failed. Until then its pauses are no fault of the job.
const PATIENCE: f64 = 3600.0;

/// What became of the jobs of a kind.
#[derive(Clone, Copy, Default)]
pub struct Count {
    pub done: i64,
    pub retried: i64,
    pub failed: i64,
}

pub struct Engine {
    calls: Calls<Uuid>,
    waiting: HashMap<Uuid, (Kind, Job, Then)>,
    counts: HashMap<&'static str, Count>,
    cool_until: Instant,
}

/// What begins with a job.
enum Begun {
    Done,
    Asks(Question, Then),
}

impl Engine {
    pub fn new() -> Engine {
        Engine {
            calls: Calls::new(),
            waiting: HashMap::new(),
            counts: HashMap::new(),
            cool_until: Instant::now(),
        }
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// How long the provider is left alone.
    pub fn pause(&self) -> Duration {
        self.cool_until.saturating_duration_since(Instant::now())
    }

    pub fn counts(&self) -> Vec<(&'static str, Count)> {
        let kinds = Kind::ALL.iter().map(|kind| kind.as_str());
        kinds.filter_map(|kind| Some((kind, *self.counts.get(kind)?))).collect()
    }

    fn count(&mut self, kind: Kind) -> &mut Count {
        self.counts.entry(kind.as_str()).or_default()
    }

    /// Claims up to `limit` jobs and does of each what needs no answer from anywhere. Gives how many it claimed.
    pub fn begin(&mut self, place: &mut impl Place, limit: i64) -> std::result::Result<usize, Failure> {
        // While the provider is busy or wants a pause, what needs it is not even claimed.
        let room = config::llm_concurrency().saturating_sub(self.calls.len());
        let asking = room > 0 && self.pause().is_zero();
        let kinds: Vec<&str> = Kind::ALL
            .iter()
            .filter(|kind| asking || !kind.asks())
            .map(|kind| kind.as_str())
            .collect();
        let limit = if asking { limit.min(room as i64) } else { limit };
        let lease = config::job_lease();
        let claimed = place.unit(c"memory_ext: claiming jobs", |db| {
            store::claim(db, &kinds, limit, lease)
        })?;
        let count = claimed.len();
        for job in claimed {
            self.begin_one(place, job);
        }
        Ok(count)
    }

    fn begin_one(&mut self, place: &mut impl Place, job: Job) {
        let Some(kind) = Kind::of(&job) else {
            let message = format!("memory_ext does not know jobs of the kind \"{}\"", job.kind);
            let _ = place.unit(c"memory_ext: giving up a job", |db| {
                store::finish(db, &job, "failed", None, Some(&message))
            });
            return;
        };
        if job.attempts > ATTEMPTS {
            // The process that worked on it was lost each time.
            return self.surrender(place, kind, job, "every process that worked on it was lost");
        }
        match place.unit(kind.doing(), |db| first(db, kind, &job)) {
            Ok(Begun::Done) => self.count(kind).done += 1,
            Ok(Begun::Asks(question, then)) => {
                self.ask(job.id, &question);
                self.waiting.insert(job.id, (kind, job, then));
            }
            Err(failure) => self.failed(place, kind, job, &failure),
        }
    }

    fn ask(&mut self, id: Uuid, question: &Question) {
        match question {
            Question::Chat { system, user, schema } => {
                let chat = Chat {
                    system,
                    user,
                    schema: Some(schema),
                    max_tokens: config::llm_max_tokens(),
                };
                self.calls.chat(id, &chat);
            }
            Question::Embed(texts) => {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                self.calls.embed(id, &texts, config::embed_timeout());
            }
        }
    }

    /// Waits so long for an answer and stores it; true when one came.
    pub fn land(&mut self, place: &mut impl Place, within: Duration) -> bool {
        let Some((id, asked)) = self.calls.next(within, &|| false) else {
            return false;
        };
        if let Some((kind, job, then)) = self.waiting.remove(&id) {
            self.answered(place, kind, job, then, asked);
        }
        true
    }

    fn answered(
        &mut self,
        place: &mut impl Place,
        kind: Kind,
        job: Job,
        then: Then,
        asked: std::result::Result<Reply, LlmError>,
    ) {
        let reply = match asked {
            Ok(reply) => reply,
            Err(error) => return self.not_answered(place, kind, job, error),
        };
        // By itself: what was paid for counts, whether it can be stored or not.
        let counted = place.unit(kind.doing(), |db| note_usage(db, &job, &reply));
        if let Err(failure) = counted {
            return self.put_back(place, kind, job, STORE_AGAIN, &failure.message, false);
        }
        let outcome = place.unit(kind.doing(), |db| {
            let stored = then(db, &job, reply)?;
            if let Stored::As(outcome) = stored {
                store::finish(db, &job, "done", Some(outcome), None)?;
            }
            Ok(stored)
        });
        match outcome {
            Ok(Stored::As(_)) => self.count(kind).done += 1,
            Ok(Stored::Unreadable) => self.try_again(place, kind, job, "the provider's answer cannot be read"),
            // Somebody else has it, or the user's data was deleted meanwhile: what came is thrown away.
            Err(failure) if error::is_lease_lost(&failure) => {}
            // The answer is thrown away and must be paid for again, so there is no hurry.
            Err(failure) if is_passing(&failure) && job.patience < PATIENCE => {
                self.put_back(place, kind, job, STORE_AGAIN, &failure.message, false);
            }
            Err(failure) => self.failed(place, kind, job, &failure),
        }
    }

    fn not_answered(&mut self, place: &mut impl Place, kind: Kind, job: Job, error: LlmError) {
        let pause = match error {
            LlmError::RateLimited { retry_after } => Some(retry_after.max(COOL_DOWN)),
            LlmError::CoolingDown { until } => Some(Duration::from_micros((until - id::now()).max(0) as u64)),
            LlmError::Stopped => Some(Duration::ZERO),
            _ => None,
        };
        if let Some(pause) = pause.filter(|_| job.patience < PATIENCE) {
            if !matches!(error, LlmError::Stopped) {
                self.cool_until = self.cool_until.max(Instant::now() + pause);
            }
            return self.put_back(place, kind, job, pause, &error.to_string(), false);
        }
        if error.is_passing() {
            self.try_again(place, kind, job, &error.to_string());
        } else {
            self.surrender(place, kind, job, &error.to_string());
        }
    }

    /// A transaction failed. What was in the way only passes; else it counts as an attempt.
    fn failed(&mut self, place: &mut impl Place, kind: Kind, job: Job, failure: &Failure) {
        if is_passing(failure) && job.patience < PATIENCE {
            self.put_back(place, kind, job, Duration::from_secs(1), &failure.message, false);
        } else {
            self.try_again(place, kind, job, &failure.message);
        }
    }

    /// 1 second after the first attempt, 2 after the second; after the third it is given up.
    fn try_again(&mut self, place: &mut impl Place, kind: Kind, job: Job, why: &str) {
        if job.attempts >= ATTEMPTS {
            return self.surrender(place, kind, job, why);
        }
        let pause = Duration::from_secs(1 << (job.attempts - 1).max(0));
        self.put_back(place, kind, job, pause, why, true);
    }

    fn put_back(&mut self, place: &mut impl Place, kind: Kind, job: Job, pause: Duration, why: &str, counts: bool) {
        let why = kind.error(why);
        let done = place.unit(c"memory_ext: putting a job back", |db| {
            store::put_back(db, &job, pause.as_secs_f64(), Some(&why), counts)
        });
        self.noted(kind, done, |count| count.retried += 1);
    }

    /// Puts something in the place of what the LLM did not say, and leaves the job as a dead letter.
    fn surrender(&mut self, place: &mut impl Place, kind: Kind, job: Job, why: &str) {
        let why = kind.error(why);
        let stood_in = place.unit(kind.doing(), |db| {
            let outcome = give_up(db, kind, &job)?;
            store::finish(db, &job, "failed", outcome, Some(&why))?;
            notify::job_failed(db, &job, &why)
        });
        let done = match stood_in {
            Ok(()) => Ok(()),
            // Somebody holds the user's data: nothing is given up before something stands in its place.
            Err(failure) if is_passing(&failure) && job.patience < PATIENCE => {
                return self.put_back(place, kind, job, STORE_AGAIN, &failure.message, false);
            }
            Err(failure) => place.unit(c"memory_ext: giving up a job", |db| {
                let both = format!("{why}; and then: {}", failure.message);
                store::finish(db, &job, "failed", None, Some(&both))
            }),
        };
        self.noted(kind, done, |count| count.failed += 1);
    }

    fn noted(&mut self, kind: Kind, done: std::result::Result<(), Failure>, note: impl FnOnce(&mut Count)) {
        match done {
            Ok(()) => note(self.count(kind)),
            Err(failure) if error::is_lease_lost(&failure) => {}
            // Its lease runs out, and it is done again.
            Err(failure) => warning!("memory_ext: a job could not be put away: {}", failure.message),
        }
    }
}

fn first(db: &Db, kind: Kind, job: &Job) -> Result<Begun> {
    match begin(db, kind, job)? {
        Step::Done(outcome) => store::finish(db, job, "done", Some(outcome), None)?,
        Step::Gone => store::remove(db, job)?,
        Step::Ask(question, then) => return Ok(Begun::Asks(question, then)),
    }
    Ok(Begun::Done)
}

fn note_usage(db: &Db, job: &Job, reply: &Reply) -> Result<()> {
    match reply {
        Reply::Answer(Answer {
            prompt_tokens,
            answer_tokens,
            ..
        }) => usage::add(db, &job.user_id, 0, (*prompt_tokens).into(), (*answer_tokens).into()),
        Reply::Vectors(_) => Ok(()),
    }
}

impl Kind {
    /// Whether it may need the provider.
    fn asks(self) -> bool {
        self != Kind::Review
    }

    /// What pg_stat_activity says.
    fn doing(self) -> &'static CStr {
        match self {
            Kind::Review => c"memory_ext: reviewing a session",
            Kind::Summarize => c"memory_ext: summarising a session",
            Kind::Extract => c"memory_ext: extracting facts",
            Kind::Analyze => c"memory_ext: analysing a relationship",
            Kind::Interpret => c"memory_ext: interpreting a memory",
            Kind::Reflect => c"memory_ext: reflecting on a user",
            Kind::Embed => c"memory_ext: embedding",
        }
    }

    /// An error as it stands in memory.jobs.
    fn error(self, why: &str) -> String {
        match self {
            Kind::Summarize => format!("LLM_SUMMARY_FAILED: {why}"),
            _ => why.to_string(),
        }
    }
}

/// How many jobs one call does by hand within a transaction that others may wait for: with an LLM no more than are asked
/// at once, so that it takes no longer than one answer may.
pub fn bounded(max: i64) -> i64 {
    match llm::configured() {
        true => max.min(config::llm_concurrency() as i64),
        false => max,
    }
}

/// Does what is due, by hand: duties first, then up to `max` jobs.
pub fn run(place: &mut impl Place, max: i64) -> std::result::Result<Vec<(&'static str, Count)>, Failure> {
    place.unit(
        c"memory_ext: taking over the jobs of processes that are gone",
        store::recover,
    )?;
    super::duties::perform_all(place)?;
    let mut engine = Engine::new();
    let mut left = max;
    loop {
        let begun = engine.begin(place, left.min(config::batch_size()))? as i64;
        left -= begun;
        while engine.is_waiting() && (begun == 0 || left == 0 || engine.is_full()) {
            engine.land(place, Duration::from_millis(250));
            pgrx::check_for_interrupts!();
        }
        if begun == 0 || left == 0 {
            return Ok(engine.counts());
        }
    }
}

impl Engine {
    pub fn is_full(&self) -> bool {
        self.calls.len() >= config::llm_concurrency()
    }
}
