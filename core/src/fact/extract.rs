//! The ways in: every fact of a message, the key of a statement, a statement put in its place.

use super::emit::{Collector, Found};
use super::korean::extract::{Carry, Reading};
use super::normal::Normal;
use super::sentence::{Sentence, quotes, sentences};
use super::subjects::Subjects;
use super::types::{Class, Classified, Fact, Op, Owner, Speaker};
use super::words::{named, words};
use super::{blocks, label};
use crate::language::Language;

/// Every fact of a message. The language is found sentence by sentence when none is given.
///
/// What the assistant says is read only for promises, agreements and changes of the relationship.
#[must_use]
pub fn extract(text: &str, language: Option<Language>, subjects: &Subjects, speaker: Speaker) -> Vec<Fact> {
    extract_with_context(text, &[], language, subjects, speaker)
}

/// Like [`extract`], with the keys spoken of most recently, newest first, so that a bare
/// correction (`아니, 부산`, `no, green`) finds its subject.
#[must_use]
pub fn extract_with_context(
    text: &str,
    previous_keys: &[&str],
    language: Option<Language>,
    subjects: &Subjects,
    speaker: Speaker,
) -> Vec<Fact> {
    let stripped = blocks::strip_memory_blocks(text);
    let normal = Normal::new(&stripped);
    let mut out = Collector::new(&normal, subjects);
    let list = readable(&normal.low);
    if list.iter().any(|s| is_joke(&normal.low[s.range.clone()])) {
        return Vec::new();
    }
    super::together::read(&mut out, &list, speaker);
    if speaker == Speaker::Assistant {
        return out.facts;
    }
    let quoted = quotes(&normal.low);
    let mut carry = Carry::default();
    for s in &list {
        let found = out.facts.len();
        if labelled(&mut out, s) {
            continue;
        }
        let line = &normal.low[s.range.clone()];
        if is_dictated(line) {
            continue;
        }
        super::contact::read(&mut out, s);
        match language.unwrap_or_else(|| language_of(line)) {
            Language::Ko => super::korean::extract::sentence(&mut out, s, &quoted, Reading::default(), &mut carry),
            Language::En => super::english::extract::sentence(&mut out, s, &quoted),
        }
        if out.facts.len() == found && !s.question {
            super::correction::read(&mut out, s, previous_keys);
        }
    }
    settle(&mut out.facts);
    if ["알레르기", "알러지", "allerg"].iter().any(|w| normal.low.contains(w)) {
        unbearable(&mut out.facts, subjects);
    }
    out.facts
}

/// 새우는 알레르기 때문에 못 먹어: what is not eaten for an allergy is no matter of taste.
fn unbearable(facts: &mut [Fact], subjects: &Subjects) {
    let (Some(subject), false) = (
        subjects.get("알레르기"),
        facts.iter().any(|f| f.key.ends_with("알레르기")),
    ) else {
        return;
    };
    for fact in facts.iter_mut().filter(|f| f.key.ends_with("싫어하는 음식")) {
        fact.key = super::emit::owned_key(&fact.owner, &subject.key);
        fact.class = subject.class;
        fact.cardinality = subject.cardinality;
        if fact.owner == Owner::User {
            fact.category = subject.category;
        }
    }
}

/// 더는 분당에 안 살고 하남으로 옮겼어: a key that takes one value is ended by the new one.
fn settle(facts: &mut Vec<Fact>) {
    let renewed: Vec<bool> = facts
        .iter()
        .map(|old| {
            let new = |f: &Fact| f.key == old.key && f.op != Op::Retract;
            let later = facts
                .iter()
                .rev()
                .find(|f| f.key == old.key)
                .is_some_and(|f| !std::ptr::eq(f, old));
            let twice = old.op == Op::Set
                && later
                && old.cardinality == super::types::Cardinality::Single
                && old.class == Class::Identity;
            twice
                || old.op == Op::Retract
                    && old.cardinality == super::types::Cardinality::Single
                    && facts.iter().any(new)
        })
        .collect();
    let mut at = 0;
    facts.retain(|_| {
        at += 1;
        !renewed[at - 1]
    });
}

/// `이 문장을 번역해 줘: 나는 의사야`, `say: I'm a doctor`: what follows the order is not said of oneself.
fn is_dictated(line: &str) -> bool {
    const ORDERS: [&str; 18] = [
        "줘",
        "주세요",
        "봐",
        "줄래",
        "해라",
        "말해",
        "따라해",
        "적어",
        "translate",
        "say",
        "repeat",
        "write",
        "type",
        "read",
        "prompt",
        "sentence",
        "after me",
        "following",
    ];
    line.split_once(':')
        .is_some_and(|(head, rest)| !rest.trim().is_empty() && ORDERS.iter().any(|o| head.contains(o)))
}

/// The sentences that somebody may have said. Endless ones are pasted or made to keep the reader busy.
fn readable(low: &str) -> Vec<Sentence> {
    let mut list = sentences(low);
    list.retain(|s| {
        let line = &low[s.range.clone()];
        line.len() <= SENTENCE_BYTES && line.split_whitespace().all(|word| word.len() <= WORD_BYTES)
    });
    list
}

const SENTENCE_BYTES: usize = 2000;
const WORD_BYTES: usize = 600;

/// A message that says it is joking says nothing.
fn is_joke(low: &str) -> bool {
    low.split(|c: char| !c.is_alphanumeric())
        .any(|w| words().is(w, named().joke))
        && low.split_whitespace().count() <= 4
}

/// `직업: 개발자` inside a message, or several of them: `이름: 탁재현 / 나이: 26`.
fn labelled(out: &mut Collector<'_>, s: &Sentence) -> bool {
    let line = &out.normal.raw[s.range.clone()];
    if !line.contains(':') || s.question {
        return false;
    }
    let parts: Vec<&str> = line.split(['/', '|', ',']).collect();
    if parts.len() < 2 || !parts.iter().all(|part| part.contains(':')) {
        return one_label(out, s.range.start, line);
    }
    let place = |part: &str| s.range.start + (part.as_ptr() as usize - line.as_ptr() as usize);
    let found: Vec<bool> = parts.iter().map(|part| one_label(out, place(part), part)).collect();
    found.contains(&true)
}

/// One label at this place of the message. Only known subjects count here; a colon is common in chat.
fn one_label(out: &mut Collector<'_>, at: usize, line: &str) -> bool {
    let Some(parts) = label::split(line) else {
        return false;
    };
    let known = label::lookup(out.subjects, parts.subject);
    let Some(found) = label::classify(line, out.subjects) else {
        return false;
    };
    if known.is_none() && found.class == Class::Moment {
        return false;
    }
    let many = found.cardinality == super::types::Cardinality::Many;
    let start = at + line.find(|c: char| !c.is_whitespace()).unwrap_or(0);
    let fact = Fact {
        key: found.key,
        value: found.value,
        raw: found.raw,
        span: out.normal.source(start..at + line.trim_end().len()),
        category: found.category,
        class: found.class,
        cardinality: found.cardinality,
        op: if many { Op::Add } else { Op::Set },
        owner: found.about,
        confidence: 0.95,
    };
    // 취미: 독서/판타지 is two.
    let values: Vec<&str> = fact
        .value
        .split(['/', ','])
        .map(str::trim)
        .filter(|v| !v.is_empty())
        .collect();
    if !many || values.len() < 2 {
        out.facts.push(fact);
        return true;
    }
    let listed = values.iter().map(|value| Fact {
        value: (*value).to_owned(),
        raw: (*value).to_owned(),
        ..fact.clone()
    });
    out.facts.extend(listed);
    true
}

/// One statement put in its place: `주제: 내용`, a note (`왼손잡이이다`), or a sentence.
#[must_use]
pub fn classify(text: &str, subjects: &Subjects) -> Option<Classified> {
    let normal = Normal::new(text);
    let line = normal.raw.trim();
    if let Some(found) = label::classify(line, subjects) {
        return Some(found);
    }
    let facts = statement(&normal, subjects);
    let fact = facts.into_iter().next()?;
    Some(Classified {
        key: fact.key,
        value: fact.value,
        raw: fact.raw,
        category: fact.category,
        class: fact.class,
        cardinality: fact.cardinality,
        about: fact.owner,
    })
}

/// The facts of a note, where fragments count.
fn statement(normal: &Normal, subjects: &Subjects) -> Vec<Fact> {
    let mut out = Collector::new(normal, subjects);
    let list = readable(&normal.low);
    super::together::read(&mut out, &list, Speaker::User);
    let quoted = quotes(&normal.low);
    let mut carry = Carry::default();
    for s in &list {
        match language_of(&normal.low[s.range.clone()]) {
            Language::Ko => super::korean::extract::sentence(&mut out, s, &quoted, Reading { note: true }, &mut carry),
            Language::En => super::english::extract::sentence(&mut out, s, &quoted),
        }
        if out.facts.is_empty() && !s.question {
            bare_value(&mut out, s);
        }
    }
    out.facts
}

/// A note that is nothing but a value: `INFP`, `25 years old`, `left-handed`.
fn bare_value(out: &mut Collector<'_>, s: &Sentence) {
    let normal = out.normal;
    let line = normal.low[s.range.clone()].trim();
    let key = if super::value::mbti(line).is_some() && line.split_whitespace().count() == 1 {
        "MBTI"
    } else if super::value::choice("_손잡이", line).is_some() {
        "_손잡이"
    } else if line.contains("years old") && super::value::age(line).is_some() {
        "나이"
    } else {
        return;
    };
    let Some(subject) = out.subjects.get(key) else {
        return;
    };
    let raw = normal.raw[s.range.clone()].trim();
    out.emit(&Found {
        subject,
        owner: None,
        raw,
        fixed: None,
        op: Op::Set,
        span: s.range.clone(),
        confidence: 0.8,
    });
}

/// The canonical key of a statement.
#[must_use]
pub fn key_extract(text: &str, subjects: &Subjects) -> Option<String> {
    if let Some(found) = classify(text, subjects) {
        return Some(found.key);
    }
    // `직업: ` with nothing after it, or a subject alone, still names its subject.
    let normal = Normal::new(text);
    let head = normal.raw.trim().trim_end_matches([':', ' ', '.', '?', '!']);
    label::lookup(subjects, head).map(|s| s.key.clone())
}

/// Whose fact a key is about, told from the key alone.
#[must_use]
pub fn key_owner(key: &str) -> Owner {
    key.split_once(' ')
        .and_then(|(first, _)| super::relations::relation(first).filter(|r| r.name == first))
        .map_or(Owner::User, |r| Owner::Other(r.name.to_owned()))
}

/// A key as it is shown in a language: `동생 직업` is `younger sibling's job` in English.
#[must_use]
pub fn key_label(key: &str, subjects: &Subjects, language: Language) -> String {
    let shown = |key: &str| {
        subjects.get(key).map(|subject| match language {
            Language::Ko => subject.label_ko.clone(),
            Language::En => subject.label_en.clone(),
        })
    };
    let owned = || {
        let (who, subject) = key.split_once(' ')?;
        let relation = super::relations::relation(who).filter(|relation| relation.name == who)?;
        let subject = shown(subject)?;
        match (language, relation.english) {
            (Language::En, Some(who)) => Some(format!("{who}'s {subject}")),
            _ => Some(format!("{who} {subject}")),
        }
    };
    shown(key).or_else(owned).unwrap_or_else(|| key.to_owned())
}

/// Korean as soon as there is one Hangul letter: English words are common inside Korean sentences, Hangul inside
/// English ones is not.
fn language_of(line: &str) -> Language {
    if line.chars().any(super::korean::jamo::is_hangul) {
        Language::Ko
    } else {
        Language::En
    }
}
