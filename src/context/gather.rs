//! What a context could hold, before the budget cuts it.

use std::rc::Rc;

use memory_core::fact::Subjects;
use memory_core::kind::Kind;
use memory_core::language::Language;
use memory_core::rank::LEADERS;
use pgrx::datum::{TimestampWithTimeZone, Uuid};

use crate::config::Settings;
use crate::embed;
use crate::error::Result;
use crate::llm::LlmError;
use crate::recall::{self, DEFAULT_PROFILE, Hit, Text};
use crate::store::db::Db;
use crate::store::entries::Source;
use crate::store::facts::{self, Fact};
use crate::store::messages::Message;
use crate::store::recall::Filter;
use crate::store::relationships::{self, Relationship};
use crate::store::sessions::{Head, Scope};
use crate::store::summaries::Summary;
use crate::store::{agents, fact_keys, memories, messages, sessions};

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
    /// The current facts of the scope, newest first, and their names.
    pub facts: Vec<Fact>,
    pub subjects: Option<Rc<Subjects>>,
    pub relationship: Option<Relationship>,
    /// The latest reflection on the user.
    pub profile: Option<String>,
    /// Memories of caution and identity, the best first.
    pub caution: Vec<Remembered>,
    /// What bears on the query, or else the important and recent, the best first.
    pub memories: Vec<Remembered>,
    /// Newest first.
    pub recent: Vec<Message>,
    /// The message to be answered, unless it is the newest one stored.
    pub query: Option<String>,
    /// What is asked: the query or the user's newest message.
    pub question: Option<String>,
    /// Why memories were looked for by keywords alone.
    pub no_vector: Option<LlmError>,
}

/// A memory or past message that a context may tell of.
pub struct Remembered {
    pub id: Uuid,
    pub source: &'static str,
    pub kind: String,
    pub content: String,
    pub score: f64,
    pub occurred_at: TimestampWithTimeZone,
}

/// From this cosine on a past message is about the same.
const RELATED: f64 = 0.5;

/// How many memories a context may tell of, beside those of caution.
const MEMORIES: usize = 10;

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
    let Found {
        caution,
        memories,
        no_vector,
    } = match query.is_some() || head.has_memories {
        true => remember(db, request, &head.scope, query, &recent, head.has_facts)?,
        false => Found::default(),
    };
    let (facts, subjects) = match head.has_facts {
        true => (
            facts::of_scope(db, request.user_id, &head.scope)?,
            Some(fact_keys::subjects(db)?),
        ),
        false => (Vec::new(), None),
    };
    let relationship = match head.has_relationship {
        true => relationships::find(db, request.user_id, &head.scope)?,
        false => None,
    };
    let profile = match head.has_memories {
        true => memories::latest_reflection(db, request.user_id, &head.scope)?,
        false => None,
    };
    let question = query.or_else(|| newest(&recent)).map(str::to_string);
    Ok(Gathered {
        scope: head.scope,
        question,
        language,
        budget: (budget > 0).then_some(budget as usize),
        persona: head.persona,
        summary: head.summary,
        facts,
        subjects,
        relationship,
        profile,
        caution,
        memories,
        recent,
        query: query.map(str::to_string),
        settings,
        no_vector,
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
        has_memories: true,
        has_facts: true,
        has_relationship: true,
        persona,
        config,
        summary: None,
    })
}

#[derive(Default)]
struct Found {
    caution: Vec<Remembered>,
    memories: Vec<Remembered>,
    no_vector: Option<LlmError>,
}

/// What is worth telling: what bears on the query or the newest message, and caution in any case. What the
/// recent messages say already is left out, and so are messages that state what no longer holds: they would be read
/// as true.
fn remember(
    db: &Db,
    request: &Request,
    scope: &Scope,
    query: Option<&str>,
    recent: &[Message],
    has_facts: bool,
) -> Result<Found> {
    let newest = newest(recent);
    let asked = embed::query(None, query.or(newest).unwrap_or_default())?;
    let mut spaces = vec![scope.space.clone()];
    if !scope.space.is_empty() {
        // What is known of the user anywhere holds here too.
        spaces.push(String::new());
    }
    // Past messages are looked through only when somebody asks.
    let kinds = query
        .is_none()
        .then(|| Kind::ALL.map(|kind| kind.as_str().to_string()).to_vec());
    let filter = Filter {
        agent_ids: Some(vec![scope.agent_id.clone()]),
        spaces: Some(spaces),
        kinds,
        ..Filter::default()
    };
    let found = recall::recall(
        db,
        &recall::Request {
            user_id: request.user_id,
            query: query.or(newest),
            embedded: asked.embedded.as_ref(),
            // Those that the recent messages say already must not use up the places.
            k: MEMORIES + recent.len() + LEADERS,
            filter,
            profile: DEFAULT_PROFILE,
        },
    )?;
    let texts = recall::texts(db, request.user_id, &found.hits)?;
    let messages: Vec<Uuid> = texts.iter().flatten().filter_map(Text::message_id).collect();
    let outdated = match has_facts && !messages.is_empty() {
        true => facts::outdated(db, request.user_id, scope, messages)?,
        false => Vec::new(),
    };
    let holds = |text: &Text| !text.message_id().is_some_and(|id| outdated.contains(&id));
    let mut caution = Vec::new();
    let mut memories = Vec::new();
    for (hit, text) in found.hits.iter().zip(texts) {
        let Some(text) =
            text.filter(|text| !text.is_said_in(recent) && !text.is_profile() && holds(text) && bears(hit))
        else {
            continue;
        };
        let remembered = text.remembered(hit.score);
        if hit.leads {
            caution.push(remembered);
        } else if memories.len() < MEMORIES {
            memories.push(remembered);
        }
    }
    Ok(Found {
        caution,
        memories,
        no_vector: asked.missing,
    })
}

/// What the user said last.
fn newest(recent: &[Message]) -> Option<&str> {
    let mut users = recent.iter().filter(|message| message.role == "user");
    users.next().map(|message| message.content.as_str())
}

/// A memory was worth keeping once; a past message must share a word or its meaning with the question.
fn bears(hit: &Hit) -> bool {
    hit.source != Source::Message || hit.signals.keyword > 0.0 || hit.signals.similarity >= RELATED
}

impl Text {
    /// The profile has a place of its own in the context.
    fn is_profile(&self) -> bool {
        matches!(self, Text::Memory(memory) if memory.kind == Kind::Reflection.as_str())
    }

    fn message_id(&self) -> Option<Uuid> {
        match self {
            Text::Message(message) => Some(message.id),
            Text::Memory(_) => None,
        }
    }

    /// Whether the recent messages tell this already.
    fn is_said_in(&self, recent: &[Message]) -> bool {
        match self {
            Text::Message(message) => recent.iter().any(|other| other.id == message.id),
            Text::Memory(memory) => {
                let said = |id: &Uuid| recent.iter().any(|message| message.id == *id);
                let sources = &memory.source_messages;
                (!sources.is_empty() && sources.iter().all(said))
                    || recent
                        .iter()
                        .any(|message| message.content.contains(memory.content.trim()))
            }
        }
    }

    fn remembered(self, score: f64) -> Remembered {
        match self {
            Text::Memory(memory) => Remembered {
                id: memory.id,
                source: "memory",
                kind: memory.kind,
                content: memory.content,
                score,
                occurred_at: memory.occurred_at,
            },
            Text::Message(message) => Remembered {
                id: message.id,
                source: "message",
                kind: message.role,
                content: message.content,
                score,
                occurred_at: message.created_at,
            },
        }
    }
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
