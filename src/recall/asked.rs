//! What a question asks for: its words, whom it means, and what time it names.

use std::collections::HashSet;

use memory_core::rank::Weights;
use memory_core::talk::{self, Side};
use memory_core::text::TermHasher;
use memory_core::text::bm25::Query;
use memory_core::when::{self, When};

use super::Request;
use crate::error::Result;
use crate::id;
use crate::seal;
use crate::store::db::Db;
use crate::store::{facts, recall};

pub struct Asked {
    pub words: Query,
    pub when: When,
    /// Seconds that the session's clock is ahead of UTC, when a time is named.
    pub clock_offset: i64,
    hasher: TermHasher,
    terms: HashSet<i32>,
    /// Whom pronouns or the user's name mean.
    user: bool,
    assistant: bool,
}

impl Asked {
    pub fn new(db: &Db, request: &Request, weights: &Weights) -> Result<Asked> {
        let hasher = seal::hasher(db, request.user_id)?;
        let query = request.query.unwrap_or_default();
        let terms = hasher.ids_in_order(query);
        let mut asked = Asked {
            words: Query::new(terms.iter().copied()),
            when: When::default(),
            clock_offset: 0,
            hasher,
            terms: terms.into_iter().collect(),
            user: false,
            assistant: false,
        };
        if weights.time != 0.0 {
            asked.clock(db, query)?;
        }
        if weights.speaker != 0.0 && !asked.terms.is_empty() {
            let meant = talk::meant(query);
            asked.assistant = meant == Some(Side::Assistant);
            asked.user = meant == Some(Side::User)
                || asked.names(request.user_id)
                || facts::names(db, request.user_id)?.iter().any(|name| asked.names(name));
        }
        Ok(asked)
    }

    fn clock(&mut self, db: &Db, query: &str) -> Result<()> {
        if when::read(query, id::unix(id::now())).is_empty() {
            return Ok(());
        }
        self.clock_offset = recall::clock_offset(db)?;
        self.when = when::read(query, self.local(id::now()));
        Ok(())
    }

    /// A time of Postgres as the session's clock shows it.
    pub fn local(&self, at: i64) -> i64 {
        id::unix(at).saturating_add(self.clock_offset * 1_000_000)
    }

    /// Whether the question holds all words of a name.
    fn names(&self, name: &str) -> bool {
        let words = self.hasher.ids(name);
        !words.is_empty() && words.iter().all(|word| self.terms.contains(word))
    }

    /// Whether the question means the one who spoke, and not the other one as well.
    pub fn means(&self, role: &str, agent_named: bool) -> bool {
        let assistant = self.assistant || agent_named;
        match role {
            "user" => self.user && !assistant,
            "assistant" => assistant && !self.user,
            _ => false,
        }
    }

    pub fn names_agent(&self, agent_id: &str) -> bool {
        self.names(agent_id)
    }
}
