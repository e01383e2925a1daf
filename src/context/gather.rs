//! What a context could hold, before the budget cuts it.

use memory_core::language::Language;

use crate::config::Settings;
use crate::error::Result;
use crate::store::db::Db;
use crate::store::messages::Message;
use crate::store::sessions::{Head, Scope};
use crate::store::summaries::Summary;
use crate::store::{agents, messages, sessions};

pub struct Request<'a> {
    pub user_id: &'a str,
    pub session_id: Option<&'a str>,
    pub query: Option<&'a str>,
    pub agent_id: Option<&'a str>,
    pub space: Option<&'a str>,
    pub max_tokens: Option<i64>,
    pub max_turns: Option<i64>,
    pub language: Option<Language>,
}

pub struct Gathered {
    pub scope: Scope,
    pub settings: Settings,
    pub language: Language,
    /// `None`: no budget.
    pub budget: Option<usize>,
    pub persona: Option<String>,
    pub summary: Option<Summary>,
    /// Newest first.
    pub recent: Vec<Message>,
    /// The message to be answered, unless it is the newest one stored.
    pub query: Option<String>,
}

pub fn gather(db: &Db, request: &Request) -> Result<Gathered> {
    let head = match request.session_id {
        Some(session_id) => sessions::head(db, request.user_id, session_id)?,
        None => None,
    };
    let head = match (head, request.session_id) {
        (Some(head), Some(session_id)) => {
            head.scope.accepts(session_id, request.agent_id, request.space)?;
            head
        }
        _ => new_session(db, request)?,
    };
    let settings = Settings::for_agent(head.config.as_ref().map(|config| &config.0))?;
    // A session without messages has nothing recent to look up.
    let recent = match request.session_id {
        Some(session_id) if head.message_count > 0 => window(db, request, &settings, session_id)?,
        _ => Vec::new(),
    };
    let query = request
        .query
        .filter(|query| !query.is_empty() && !is_newest(query, &recent));
    let language = request
        .language
        .or(settings.language)
        .unwrap_or_else(|| spoken(query, &recent));
    let budget = request.max_tokens.unwrap_or(settings.context_tokens);
    Ok(Gathered {
        scope: head.scope,
        language,
        budget: (budget > 0).then_some(budget as usize),
        persona: head.persona,
        summary: head.summary,
        recent,
        query: query.map(str::to_string),
        settings,
    })
}

/// The head of a session that does not exist yet: only its agent is known.
fn new_session(db: &Db, request: &Request) -> Result<Head> {
    let scope = Scope::new(request.agent_id, request.space);
    let agent = agents::find(db, &scope.agent_id)?;
    let (persona, config) = agent.map_or((None, None), |agent| (agent.persona, Some(agent.config)));
    Ok(Head {
        scope,
        message_count: 0,
        persona,
        config,
        summary: None,
    })
}

/// The recent window: the last messages, or when turns were asked for, the messages of the last turns.
fn window(db: &Db, request: &Request, settings: &Settings, session_id: &str) -> Result<Vec<Message>> {
    match request.max_turns.or(settings.recent_turns) {
        None => messages::recent(db, request.user_id, session_id, settings.recent_messages),
        // Even without turns the newest message is in.
        Some(0) => messages::recent(db, request.user_id, session_id, 1),
        Some(turns) => messages::recent_turns(db, request.user_id, session_id, turns),
    }
}

fn is_newest(query: &str, recent: &[Message]) -> bool {
    recent
        .first()
        .is_some_and(|newest| newest.role == "user" && newest.content == query)
}

/// The language of the newest words that have one.
fn spoken(query: Option<&str>, recent: &[Message]) -> Language {
    let newest_first = query
        .into_iter()
        .chain(recent.iter().map(|message| message.content.as_str()));
    newest_first.filter_map(Language::detect).next().unwrap_or(Language::En)
}
