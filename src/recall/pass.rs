//! The candidates of one recall, what is known of them, and their order.

use std::collections::HashMap;

use memory_core::rank::{self, Signals, Weights};
use memory_core::talk;
use memory_core::text::bm25::Collection;
use memory_core::vector::Probe;
use pgrx::datum::Uuid;

use super::Hit;
use super::asked::Asked;
use crate::embed::Embedded;
use crate::id;
use crate::store::entries::Source;
use crate::store::recall::{Candidate, Place, Profile, Seen};

pub struct Pass<'q> {
    asked: &'q Asked,
    probe: Option<Probe>,
    words: Collection<'q, usize>,
    candidates: Vec<Item>,
    sessions: Sessions,
    agents: HashMap<String, bool>,
}

struct Item {
    candidate: Candidate,
    similarity: f64,
    /// Its conversation, when it is a message.
    session: Option<usize>,
    /// Whether the question means the one who said it.
    meant: bool,
}

/// The conversations of the messages seen.
#[derive(Default)]
struct Sessions {
    known: HashMap<String, usize>,
    /// Their words, all messages together.
    lengths: Vec<u64>,
    /// A session's messages mostly follow each other.
    last: Option<(String, usize)>,
}

impl Sessions {
    fn index(&mut self, session_id: &str) -> usize {
        if let Some((id, index)) = &self.last
            && id == session_id
        {
            return *index;
        }
        let index = match self.known.get(session_id) {
            Some(index) => *index,
            None => {
                self.lengths.push(0);
                self.known.insert(session_id.to_string(), self.lengths.len() - 1);
                self.lengths.len() - 1
            }
        };
        self.last = Some((session_id.to_string(), index));
        index
    }
}

impl<'q> Pass<'q> {
    pub fn new(asked: &'q Asked, embedded: Option<&Embedded>) -> Pass<'q> {
        Pass {
            asked,
            probe: embedded.map(|embedded| Probe::new(&embedded.vector.0)),
            words: Collection::new(&asked.words),
            candidates: Vec::new(),
            sessions: Sessions::default(),
            agents: HashMap::new(),
        }
    }

    /// How many were looked at.
    pub fn seen(&self) -> usize {
        self.candidates.len()
    }

    pub fn words(&mut self) -> &mut Collection<'q, usize> {
        &mut self.words
    }

    pub fn show(&mut self, seen: &Seen) {
        let similarity = match (&self.probe, seen.vector) {
            (Some(probe), Some(vector)) => probe.cosine(vector),
            _ => 0.0,
        };
        let index = self.candidates.len();
        self.words.add(seen.terms, || index);
        let session = seen.place.as_ref().map(|place| self.sessions.index(place.session_id));
        if let Some(session) = session {
            self.sessions.lengths[session] += seen.terms.len() as u64;
        }
        let meant = seen.place.as_ref().is_some_and(|place| self.is_meant(place));
        self.candidates.push(Item {
            candidate: seen.candidate,
            similarity,
            session,
            meant,
        });
    }

    fn is_meant(&mut self, place: &Place) -> bool {
        let named = match self.agents.get(place.agent_id) {
            Some(named) => *named,
            None => {
                let named = self.asked.names_agent(place.agent_id);
                self.agents.insert(place.agent_id.to_string(), named);
                named
            }
        };
        self.asked.means(place.role, named)
    }

    /// The messages that say most themselves: session, time, id.
    pub fn promising(&self, weights: &Weights, k: usize) -> Vec<(&str, i64, Uuid)> {
        let names: HashMap<usize, &str> = self
            .sessions
            .known
            .iter()
            .map(|(id, index)| (*index, id.as_str()))
            .collect();
        let words = self.words.scores();
        let most = words.iter().map(|(_, score)| *score).fold(0.0f32, f32::max);
        let mut direct: Vec<f64> = self
            .candidates
            .iter()
            .map(|item| weights.similarity * item.similarity)
            .collect();
        for (index, score) in words {
            direct[index] += weights.keyword * share(score, most);
        }
        let mut messages: Vec<usize> = (0..self.candidates.len())
            .filter(|&index| self.candidates[index].session.is_some() && direct[index] > 0.0)
            .collect();
        messages.sort_unstable_by(|&a, &b| direct[b].total_cmp(&direct[a]));
        messages
            .iter()
            .take(k)
            .filter_map(|&index| {
                let item = &self.candidates[index];
                Some((
                    *names.get(&item.session?)?,
                    item.candidate.occurred_at,
                    item.candidate.id,
                ))
            })
            .collect()
    }

    pub fn best(self, profile: &Profile, k: usize) -> Vec<Hit> {
        let weights = &profile.weights;
        let of_sessions = match weights.session != 0.0 {
            true => self
                .words
                .group_scores(|index| self.candidates[*index].session, &self.sessions.lengths),
            false => vec![0.0; self.sessions.lengths.len()],
        };
        let most_of_sessions = of_sessions.iter().copied().fold(0.0f32, f32::max);
        let words = self.words.scores();
        let most = words.iter().map(|(_, score)| *score).fold(0.0f32, f32::max);
        let now = id::now();
        let mut signals: Vec<Signals> = self
            .candidates
            .iter()
            .map(|item| Signals {
                similarity: item.similarity,
                importance: item.candidate.importance,
                strength: item.candidate.strength,
                recency: rank::recency(
                    now.saturating_sub(item.candidate.occurred_at) as f64 / 1e6,
                    profile.halflife_seconds,
                ),
                session: item
                    .session
                    .map_or(0.0, |session| share(of_sessions[session], most_of_sessions)),
                speaker: f64::from(item.meant),
                time: match self.asked.when.is_empty() {
                    true => 0.0,
                    false => self.asked.when.fit(self.asked.local(item.candidate.occurred_at)),
                },
                ..Signals::default()
            })
            .collect();
        for (index, score) in words {
            signals[index].keyword = share(score, most);
        }
        if weights.neighbours != 0.0 {
            for messages in conversations(&self.candidates, self.sessions.lengths.len()) {
                let direct: Vec<f64> = messages.iter().map(|&i| rank::direct(weights, &signals[i])).collect();
                for (&index, around) in messages.iter().zip(talk::around(&direct)) {
                    signals[index].neighbours = around;
                }
            }
        }
        let hits: Vec<Hit> = self
            .candidates
            .iter()
            .zip(signals)
            .map(|(item, signals)| Hit {
                source: item.candidate.source,
                id: item.candidate.id,
                score: rank::score(weights, &signals)
                    * match item.candidate.source {
                        Source::Message => weights.messages,
                        _ => 1.0,
                    },
                signals,
                leads: item.candidate.leads,
            })
            .collect();
        let items: Vec<_> = hits
            .iter()
            .zip(&self.candidates)
            .map(|(hit, item)| (hit.score, hit.leads, (item.candidate.occurred_at, hit.id)))
            .collect();
        rank::top(&items, k).into_iter().map(|index| hits[index]).collect()
    }
}

fn share(score: f32, most: f32) -> f64 {
    if most > 0.0 { f64::from(score / most) } else { 0.0 }
}

/// The messages of each conversation in the order in which they were said.
fn conversations(items: &[Item], sessions: usize) -> Vec<Vec<usize>> {
    let mut messages = vec![Vec::new(); sessions];
    for (index, item) in items.iter().enumerate() {
        if let Some(session) = item.session {
            messages[session].push(index);
        }
    }
    let order = |index: &usize| (items[*index].candidate.occurred_at, items[*index].candidate.id);
    for session in &mut messages {
        if !session.is_sorted_by_key(order) {
            session.sort_unstable_by_key(order);
        }
    }
    messages
}
