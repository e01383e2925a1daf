//! Many calls at once, for a worker: they go on while it waits for the next answer, and rest while it does
//! something else.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use tokio::task::{Id, JoinSet};

use super::call::{Call, Landed};
use super::runtime::Running;
use super::{Chat, LlmError, Reply};

type Outcome = Result<Reply, LlmError>;

/// Calls on their way, each with what its caller knows it by. Dropped, all of them break off at once.
pub struct Calls<T> {
    // Before the runtime: tasks go first.
    flying: JoinSet<Landed>,
    tags: HashMap<Id, T>,
    /// Those that ended before they began.
    landed: VecDeque<(T, Outcome)>,
    runtime: Option<Running>,
}

impl<T> Calls<T> {
    pub fn new() -> Calls<T> {
        Calls {
            flying: JoinSet::new(),
            tags: HashMap::new(),
            landed: VecDeque::new(),
            runtime: None,
        }
    }

    pub fn chat(&mut self, tag: T, chat: &Chat) {
        self.begin(tag, Call::chat(chat));
    }

    pub fn embed(&mut self, tag: T, texts: &[&str], within: Duration) {
        self.begin(tag, Call::embed(texts, within));
    }

    /// How many answers are still to come.
    pub fn len(&self) -> usize {
        self.tags.len() + self.landed.len()
    }

    fn begin(&mut self, tag: T, call: Result<Call, LlmError>) {
        let started = call.and_then(|call| {
            let runtime = match self.runtime.take() {
                Some(runtime) => runtime,
                None => Running::start()?,
            };
            let task = self.flying.spawn_on(call.go(), runtime.handle());
            self.runtime = Some(runtime);
            Ok(task.id())
        });
        match started {
            Ok(id) => {
                self.tags.insert(id, tag);
            }
            Err(error) => self.landed.push_back((tag, Err(error))),
        }
    }

    /// The next answer, in whatever order they come; `None` when none came in time, `stop` said so, or nothing is on
    /// its way. PostgreSQL's interrupts are served meanwhile.
    pub fn next(&mut self, within: Duration, stop: &dyn Fn() -> bool) -> Option<(T, Outcome)> {
        if let Some(landed) = self.landed.pop_front() {
            return Some(landed);
        }
        let until = Instant::now() + within;
        loop {
            let runtime = self.runtime.as_ref()?;
            let slice = until.saturating_duration_since(Instant::now());
            if let Some(joined) = runtime.slice(slice, self.flying.join_next_with_id()) {
                return match joined? {
                    Ok((id, landed)) => Some((self.tags.remove(&id)?, landed.read())),
                    // Only a panic in the client itself; its caller must hear of it all the same.
                    Err(lost) => Some((self.tags.remove(&lost.id())?, Err(LlmError::BadAnswer))),
                };
            }
            pgrx::check_for_interrupts!();
            if stop() || Instant::now() >= until {
                return None;
            }
        }
    }
}
