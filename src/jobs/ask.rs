//! Questions to the LLM, within what a user may cost.

use memory_core::language::Language;
use memory_core::llm::prompt::{self, Material, Nonce, Purpose};
use pgrx::pg_sys;
use serde_json::Value;

use crate::config::{self, Settings};
use crate::error::{self, Result};
use crate::llm;
use crate::store::agents::{self, Agent};
use crate::store::db::Db;
use crate::store::messages::Message;
use crate::store::usage;

/// How much of a conversation one question shows; about 8,000 tokens of Korean.
const MAX_CHARS: usize = 16_000;

pub enum Question {
    Chat {
        system: String,
        user: String,
        schema: Value,
    },
    Embed(Vec<String>),
}

/// The agent of a job with what it may set for itself.
pub struct Speaking {
    pub agent: Option<Agent>,
    pub settings: Settings,
}

pub fn speaking(db: &Db, agent_id: &str) -> Result<Speaking> {
    let agent = agents::find(db, agent_id)?;
    let settings = Settings::for_agent(agent.as_ref().map(|agent| &agent.config.0))?;
    Ok(Speaking { agent, settings })
}

impl Speaking {
    pub fn persona(&self) -> Option<&str> {
        let persona = self.agent.as_ref()?.persona.as_deref()?;
        Some(persona).filter(|persona| !persona.trim().is_empty())
    }

    /// The language of the answer: the agent's, or that of the conversation.
    pub fn language(&self, messages: &[Message]) -> Language {
        let spoken = |role: &str| {
            let said = messages.iter().rev().filter(|message| message.role == role);
            said.filter_map(|message| Language::detect(&message.content)).next()
        };
        self.settings
            .language
            .or_else(config::llm_language)
            .or_else(|| spoken("user"))
            .or_else(|| spoken("assistant"))
            .unwrap_or(Language::En)
    }

    pub fn question(&self, purpose: Purpose, messages: &[Message], known: &[String]) -> Result<Question> {
        let template = self.settings.prompts.get(purpose.as_str()).map(String::as_str);
        let shown = pairs(messages);
        let material = Material {
            persona: self.persona().filter(|_| purpose != Purpose::Summary),
            known,
            messages: &shown,
            max_chars: MAX_CHARS,
        };
        let prompt = prompt::prompt(purpose, self.language(messages), template, &material, nonce()?);
        Ok(Question::Chat {
            system: prompt.system,
            user: prompt.user,
            schema: purpose.schema(),
        })
    }
}

/// Messages as the rules of `memory_core` take them.
pub fn pairs(messages: &[Message]) -> Vec<(&str, &str)> {
    messages
        .iter()
        .map(|message| (message.role.as_str(), message.content.as_str()))
        .collect()
}

fn nonce() -> Result<Nonce> {
    let mut bytes = [0u8; 16];
    // SAFETY: the buffer is 16 bytes long.
    if !unsafe { pg_sys::pg_strong_random(bytes.as_mut_ptr().cast(), bytes.len()) } {
        return Err(error::internal("no randomness for a prompt"));
    }
    Ok(Nonce(u128::from_ne_bytes(bytes)))
}

/// Whether there is an LLM and the user may still ask it today; if so, the call counts.
pub fn allowed(db: &Db, user_id: &str) -> Result<bool> {
    if !llm::configured() {
        return Ok(false);
    }
    let (calls, tokens) = (config::llm_daily_calls(), config::llm_daily_tokens());
    if calls.is_some() || tokens.is_some() {
        let used = usage::today(db, user_id)?;
        if calls.is_some_and(|most| used.calls >= most) || tokens.is_some_and(|most| used.tokens >= most) {
            return Ok(false);
        }
    }
    usage::add(db, user_id, 1, 0, 0)?;
    Ok(true)
}
