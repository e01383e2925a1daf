//! What is known of the user and how they stand to the agent, as blocks of a context.

use std::cmp::Reverse;
use std::collections::HashSet;

use memory_core::context::{Heading, quote};
use memory_core::fact::{Class, key_label};
use memory_core::language::Language;
use memory_core::text::TermHasher;
use serde_json::{Value, json};

use super::gather::Gathered;
use super::write::Block;
use crate::store::facts::Fact;

/// What changes as the talk goes on; the rest is who the user is.
const STATE: [&str; 5] = ["RELATIONSHIP", "GOAL", "EVENT", "HABIT", "OPINION"];
/// The state block is cut at this many characters, about 500 tokens.
const STATE_CHARACTERS: usize = 1500;
/// How many facts of the moment are told.
const MOMENT_FACTS: usize = 10;
const STATE_SHARE: f64 = 0.35;
const MOMENT_SHARE: f64 = 0.2;
const PROFILE_SHARE: f64 = 0.15;

pub struct Known<'a> {
    gathered: &'a Gathered,
}

impl<'a> Known<'a> {
    pub fn new(gathered: &'a Gathered) -> Known<'a> {
        Known { gathered }
    }

    fn facts(&self, wanted: impl Fn(&Fact) -> bool) -> Vec<&'a Fact> {
        self.gathered.facts.iter().filter(|fact| wanted(fact)).collect()
    }

    /// The name of a key in the language of the conversation.
    fn label(&self, key: &str) -> String {
        match &self.gathered.subjects {
            Some(subjects) => key_label(key, subjects, self.gathered.language),
            None => key.to_string(),
        }
    }

    fn block(&self, name: &'static str, heading: Heading, facts: &[&Fact], line: impl Fn(&Fact) -> String) -> Block {
        Block {
            name,
            heading,
            lines: facts.iter().map(|fact| line(fact)).collect(),
            values: facts.iter().map(|fact| self.value(fact)).collect(),
            share: 1.0,
            always: false,
        }
    }

    fn value(&self, fact: &Fact) -> Value {
        json!({
            "key": fact.key,
            "label": self.label(&fact.key),
            "value": fact.value,
            "raw": fact.raw,
            "category": fact.category,
            "class": fact.class,
            "valid_from": fact.valid_from,
        })
    }

    fn said(&self, fact: &Fact) -> String {
        format!("{}: {}", quote(&self.label(&fact.key)), quote(self.shown(fact)))
    }

    /// The normal form of a value, but for English readers the English word when that is what was said.
    fn shown<'f>(&self, fact: &'f Fact) -> &'f str {
        let korean = |text: &str| Language::detect(text) == Some(Language::Ko);
        match self.gathered.language {
            Language::En if korean(&fact.value) && !korean(&fact.raw) => &fact.raw,
            _ => &fact.value,
        }
    }

    /// Who the user is: all of it, marked, never cut.
    pub fn identity(&self) -> Block {
        let facts = self.facts(|fact| fact.class == Class::Identity.name());
        let block = self.block("identity_facts", Heading::Identity, &facts, |fact| {
            format!("- **{}**", self.said(fact))
        });
        Block { always: true, ..block }
    }

    /// What holds at present, newest and most important first, within its own limit of characters.
    pub fn state(&self) -> Block {
        let mut facts = self.facts(|fact| is_moment(fact) && STATE.contains(&fact.category.as_str()));
        facts.sort_by(|a, b| b.importance.total_cmp(&a.importance));
        let mut block = self.block("state", Heading::State, &facts, |fact| {
            format!("- ({}) {}", fact.category, self.said(fact))
        });
        let mut length = block.heading.text(self.gathered.language).chars().count();
        let fits = block.lines.iter().take_while(|line| {
            length += line.chars().count() + 1;
            length <= STATE_CHARACTERS
        });
        let fitting = fits.count();
        block.lines.truncate(fitting);
        block.values.truncate(fitting);
        Block {
            share: STATE_SHARE,
            ..block
        }
    }

    /// What else was said of the moment: what bears on the question first, then the newest.
    pub fn moment(&self) -> Block {
        let mut facts = self.facts(|fact| is_moment(fact) && !STATE.contains(&fact.category.as_str()));
        if facts.len() > MOMENT_FACTS {
            let asked = terms(self.gathered.question.as_deref().unwrap_or_default());
            facts.sort_by_cached_key(|fact| {
                let told = terms(&format!("{} {} {}", self.label(&fact.key), fact.value, fact.raw));
                Reverse(told.intersection(&asked).count())
            });
        }
        facts.truncate(MOMENT_FACTS);
        let block = self.block("moment_facts", Heading::Facts, &facts, |fact| {
            format!("- {}", self.said(fact))
        });
        Block {
            share: MOMENT_SHARE,
            ..block
        }
    }

    pub fn experiences(&self) -> Block {
        let facts = self.facts(|fact| fact.class == Class::Experience.name());
        let block = self.block("shared_experiences", Heading::Experiences, &facts, |fact| {
            format!("- {}", quote(&fact.raw))
        });
        Block {
            share: MOMENT_SHARE,
            ..block
        }
    }

    pub fn relationship(&self) -> Block {
        let found = self.gathered.relationship.as_slice();
        let style = |level: memory_core::relationship::Level, agreed: &Option<String>| {
            agreed
                .clone()
                .unwrap_or_else(|| level.speech_style().as_str().to_string())
        };
        Block {
            name: "relationship",
            heading: Heading::Relationship,
            lines: found
                .iter()
                .map(|r| {
                    let level = r.axes.level();
                    format!(
                        "- {} ({:.0}/100), {}",
                        level.as_str(),
                        r.axes.score(),
                        style(level, &r.speech_style)
                    )
                })
                .collect(),
            values: found
                .iter()
                .map(|r| {
                    let level = r.axes.level();
                    json!({
                        "trust": r.axes.trust,
                        "affection": r.axes.affection,
                        "respect": r.axes.respect,
                        "rivalry": r.axes.rivalry,
                        "familiarity": r.axes.familiarity,
                        "score": r.axes.score(),
                        "level": level.as_str(),
                        "speech_style": style(level, &r.speech_style),
                    })
                })
                .collect(),
            share: 1.0,
            always: false,
        }
    }

    pub fn profile(&self) -> Block {
        let profile = self.gathered.profile.as_slice();
        Block {
            name: "profile",
            heading: Heading::Profile,
            lines: profile.iter().map(|text| quote(text)).collect(),
            values: profile.iter().map(|text| json!(text)).collect(),
            share: PROFILE_SHARE,
            always: false,
        }
    }

    pub fn director_note(&self) -> Block {
        let note = self
            .gathered
            .relationship
            .as_ref()
            .and_then(|r| r.director_note.clone());
        Block {
            name: "director_note",
            heading: Heading::Director,
            lines: note.iter().map(|note| quote(note)).collect(),
            values: note.iter().map(|note| json!(note)).collect(),
            share: 0.2,
            always: false,
        }
    }
}

/// The words of a text without their endings.
fn terms(text: &str) -> HashSet<i32> {
    TermHasher::for_user("").ids(text).into_iter().collect()
}

fn is_moment(fact: &Fact) -> bool {
    fact.class == Class::Moment.name()
}
