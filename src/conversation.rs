//! Messages on their way in: the verbatim text first, its session counted, its words made searchable.

use memory_core::fact::Speaker;
use memory_core::tokens;
use pgrx::datum::{TimestampWithTimeZone, Uuid};
use pgrx::prelude::*;

use crate::embed::embed;
use crate::error::{self, Result};
use crate::facts::{self, Origin, Said};
use crate::guard::guarded;
use crate::jobs;
use crate::jsonb::RawJsonb;
use crate::store::db::Db;
use crate::store::messages::{self, Message, NewMessage};
use crate::store::scopes;
use crate::store::sessions::{self, Growth, Scope};
use crate::{config, id, seal};

/// Text beyond this is stored but not indexed: a pasted book must not make one entry of megabytes.
const INDEXED_BYTES: usize = 200_000;

#[derive(Default)]
pub struct Draft<'a> {
    pub role: &'a str,
    pub content: &'a str,
    pub emotion: Option<&'a str>,
    pub intent: Option<&'a str>,
    pub processing_time: Option<f64>,
    pub cached: Option<bool>,
    pub metadata: Option<RawJsonb>,
}

/// Where messages go and how a retry of the same call is known.
pub struct Target<'a> {
    pub user_id: &'a str,
    pub session_id: &'a str,
    pub agent_id: Option<&'a str>,
    pub space: Option<&'a str>,
    pub created_at: Option<TimestampWithTimeZone>,
    pub idempotency_key: Option<&'a str>,
}

/// Ids of the messages, in order; `added` is false when an earlier call with the same key stored them.
pub struct Appended {
    pub ids: Vec<Uuid>,
    pub added: bool,
    /// Where they went, when they were added.
    pub scope: Option<Scope>,
}

/// Appends messages to a session as one unit, starting the session when it is missing.
pub fn append(db: &Db, target: &Target, drafts: Vec<Draft>) -> Result<Appended> {
    if let Some(key) = target.idempotency_key {
        // The session's lock makes two retries at once wait for each other.
        while !sessions::lock(db, target.user_id, target.session_id)? {
            start(db, target)?;
        }
        if let Some(ids) = appended_before(db, target, key, &drafts)? {
            return Ok(Appended {
                ids,
                added: false,
                scope: None,
            });
        }
    }
    let tokenizer = config::default_tokenizer();
    let counts: Vec<i32> = drafts
        .iter()
        .map(|draft| {
            tokens::estimate(draft.content, tokenizer)
                .try_into()
                .unwrap_or(i32::MAX)
        })
        .collect();
    let ids = drafts.iter().map(|_| id::new_id()).collect::<Result<Vec<Uuid>>>()?;
    let turns = drafts.iter().filter(|draft| draft.role == "user").count() as i64;
    let opened = drafts.iter().zip(&ids).rev().find(|(draft, _)| draft.role == "user");
    let growth = Growth {
        messages: drafts.len() as i64,
        turns,
        tokens: counts.iter().map(|n| i64::from(*n)).sum(),
        turn: opened.map(|(_, id)| *id),
    };
    // Again, because somebody else may have made the session and deleted it in between.
    let touched = loop {
        match sessions::touch(db, target.user_id, target.session_id, &growth, target.created_at)? {
            Some(touched) => break touched,
            None => start(db, target)?,
        }
    };
    touched
        .scope
        .accepts(target.session_id, target.agent_id, target.space)?;
    let created_at = target.created_at.unwrap_or(touched.now);
    let hasher = seal::hasher(db, target.user_id)?;
    for (index, (draft, tokens)) in drafts.into_iter().zip(counts).enumerate() {
        let indexed = indexed_part(draft.content);
        let embedded = if config::embed_messages() {
            embed(None, indexed)?
        } else {
            None
        };
        let message = NewMessage {
            scope: &touched.scope,
            id: ids[index],
            turn_id: touched.turn,
            role: draft.role,
            content: draft.content,
            emotion: draft.emotion,
            intent: draft.intent,
            processing_time: draft.processing_time,
            cached: draft.cached,
            metadata: draft.metadata,
            tokens,
            idempotency_key: target.idempotency_key.filter(|_| index == 0),
            big: touched.big,
            terms: hasher.ids(indexed),
            embedded: embedded.as_ref(),
        };
        messages::insert(db, target.user_id, target.session_id, created_at, message)?;
    }
    jobs::after_messages(
        db,
        target.user_id,
        &touched.scope,
        target.session_id,
        touched.message_count,
        growth.messages,
    )?;
    Ok(Appended {
        ids,
        added: true,
        scope: Some(touched.scope),
    })
}

/// What the two sides of a turn state: the user's facts, and what the answer promises or agrees to. When there is
/// something to learn, the lock for it is taken here, before any row.
pub fn read<'a>(db: &Db, user_id: &str, question: &'a str, answer: &'a str) -> Result<Vec<Said<'a>>> {
    if !config::learn_facts() {
        return Ok(Vec::new());
    }
    let sides = [(question, Speaker::User), (answer, Speaker::Assistant)];
    let mut said = Vec::new();
    for (text, speaker) in sides {
        match facts::read(db, indexed_part(text), None, speaker) {
            Ok(read) => said.extend(read),
            Err(problem) => {
                not_learned(problem.message());
                return Ok(Vec::new());
            }
        }
    }
    if !said.is_empty() {
        scopes::lock(db, user_id)?;
    }
    Ok(said)
}

/// Learns what a turn that was just stored states. What goes wrong here must not cost the turn.
pub fn learn(db: &Db, target: &Target, appended: &Appended, said: &[Said]) {
    let Some(scope) = &appended.scope else {
        return;
    };
    for said in said {
        let message = match said.speaker() {
            Speaker::User => appended.ids.first(),
            Speaker::Assistant => appended.ids.get(1),
        };
        let origin = Origin {
            scope,
            source: said.speaker().name(),
            source_message: message.copied(),
            session_id: Some(target.session_id),
            since: target.created_at,
        };
        if let Err(problem) = guarded(|| facts::learn(db, target.user_id, &origin, said)) {
            not_learned(&problem.message);
        }
    }
}

fn not_learned(problem: &str) {
    warning!("the facts of this turn were not learned: {problem}");
}

fn start(db: &Db, target: &Target) -> Result<()> {
    let scope = Scope::new(target.agent_id, target.space);
    let at = match target.created_at {
        Some(at) => at,
        None => id::timestamp(id::now())?,
    };
    sessions::insert(db, target.user_id, target.session_id, &scope, None, at)?;
    Ok(())
}

/// The ids that an earlier call with this key gave, when it was the same call.
fn appended_before(db: &Db, target: &Target, key: &str, drafts: &[Draft]) -> Result<Option<Vec<Uuid>>> {
    let Some(first) = messages::by_key(db, target.user_id, key)? else {
        return Ok(None);
    };
    let mut stored = vec![first];
    if drafts.len() == 2 {
        stored.extend(messages::answer_of(db, target.user_id, &stored[0])?);
    }
    let same = |message: &Message, draft: &Draft| {
        message.session_id == target.session_id && message.role == draft.role && message.content == draft.content
    };
    if stored.len() != drafts.len() || !stored.iter().zip(drafts).all(|(m, d)| same(m, d)) {
        return Err(error::conflict(
            format!("idempotency_key \"{key}\" was used for another message"),
            "Use a new key for a new message; repeat a call with exactly the same session and content.",
        ));
    }
    Ok(Some(stored.iter().map(|message| message.id).collect()))
}

pub fn indexed_part(content: &str) -> &str {
    &content[..content.floor_char_boundary(INDEXED_BYTES)]
}
