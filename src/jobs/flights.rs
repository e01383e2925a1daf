//! Questions on their way.

use std::collections::VecDeque;
use std::time::Duration;

use pgrx::datum::Uuid;

use super::ask::Question;
use super::{Asked, Reply};
use crate::llm::{self, Chat};

pub struct Flights {
    queue: VecDeque<(Uuid, Question)>,
}

impl Flights {
    pub fn new() -> Flights {
        Flights { queue: VecDeque::new() }
    }

    pub fn launch(&mut self, id: Uuid, question: Question) {
        self.queue.push_back((id, question));
    }

    pub fn next(&mut self, _within: Duration) -> Option<(Uuid, Asked)> {
        let (id, question) = self.queue.pop_front()?;
        let asked = match &question {
            Question::Chat { system, user, schema } => llm::chat(
                &Chat {
                    system,
                    user,
                    schema: Some(schema),
                    max_tokens: 1000,
                },
                &|| false,
            )
            .map(Reply::Answer),
            Question::Embed(texts) => {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                llm::embed(&texts, Duration::from_secs(30), &|| false).map(Reply::Vectors)
            }
        };
        Some((id, asked))
    }
}
