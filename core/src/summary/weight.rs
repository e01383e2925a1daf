//! How much a sentence says that is worth keeping.

use std::collections::HashMap;

use super::feeling::{self, Feeling};
use super::sentence::Said;
use crate::fact::{Class, Fact, Speaker, Subjects, extract};
use crate::text::terms;

pub struct Weighed<'a> {
    pub said: Said<'a>,
    pub weight: f64,
    /// Its words, each once.
    pub terms: Vec<String>,
    pub facts: Vec<Fact>,
    /// Something is planned, dated, or grave.
    pub marked: bool,
}

/// Words that say that something is ahead or has been decided.
const PLANS: &[&str] = &[
    "내일",
    "모레",
    "다음 주",
    "다음주",
    "다음 달",
    "다음달",
    "주말",
    "내년",
    "예정",
    "계획",
    "예약",
    "약속",
    "합격",
    "면접",
    "시험",
    "졸업",
    "이사",
    "여행",
    "출장",
    "결심",
    "목표",
    "tomorrow",
    "next week",
    "next month",
    "next year",
    "weekend",
    "going to",
    "plan to",
    "planning",
    "promise",
    "appointment",
    "interview",
    "exam",
    "deadline",
    "moving",
    "trip",
    "decided",
    "goal",
];

/// Words of things that one does not forget.
const GRAVE: &[&str] = &[
    "알레르기",
    "수술",
    "입원",
    "진단",
    "장례",
    "돌아가",
    "사망",
    "이혼",
    "결혼",
    "임신",
    "출산",
    "사고",
    "해고",
    "퇴사",
    "취업",
    "헤어졌",
    "공포증",
    "트라우마",
    "allerg",
    "surgery",
    "hospital",
    "diagnos",
    "funeral",
    "passed away",
    "died",
    "divorce",
    "married",
    "wedding",
    "pregnan",
    "accident",
    "fired",
    "laid off",
    "new job",
    "broke up",
    "phobia",
    "trauma",
];

/// Words that fill silence.
const FILLERS: &[&str] = &[
    "안녕",
    "안녕하세요",
    "반가워",
    "반갑습니다",
    "고마워",
    "감사합니다",
    "네",
    "응",
    "그래",
    "좋아",
    "알겠어",
    "알겠습니다",
    "잘 자",
    "잘자",
    "하이",
    "오케이",
    "hi",
    "hello",
    "hey",
    "thanks",
    "thank you",
    "ok",
    "okay",
    "yes",
    "yeah",
    "no",
    "sure",
    "bye",
    "good night",
    "good morning",
    "nice",
    "great",
    "cool",
    "lol",
    "i see",
];

/// What the assistant says is mostly echo.
const ASSISTANT: f64 = 0.35;
const QUESTION: f64 = 0.35;
/// A sentence of one word or of a whole page tells little.
const LONG_CHARS: usize = 160;

pub fn weigh<'a>(sentences: &[Said<'a>]) -> Vec<Weighed<'a>> {
    let worded: Vec<Vec<String>> = sentences.iter().map(|said| once(terms(said.text))).collect();
    let mut holding: HashMap<&str, usize> = HashMap::new();
    for term in worded.iter().flatten() {
        *holding.entry(term).or_default() += 1;
    }
    let centrality: Vec<f64> = worded.iter().map(|terms| central(terms, &holding)).collect();
    let subjects = Subjects::builtin();
    sentences
        .iter()
        .zip(worded.iter().cloned())
        .zip(centrality)
        .map(|((said, terms), central)| weighed(said, terms, central, subjects))
        .collect()
}

fn weighed<'a>(said: &Said<'a>, terms: Vec<String>, central: f64, subjects: &Subjects) -> Weighed<'a> {
    let speaker = match said.by_user {
        true => Speaker::User,
        false => Speaker::Assistant,
    };
    let facts = match said.question {
        true => Vec::new(),
        false => extract(said.text, None, subjects, speaker),
    };
    let low = said.text.to_lowercase();
    let holds = |words: &[&str]| words.iter().any(|word| low.contains(word));
    let (planned, grave) = (holds(PLANS), holds(GRAVE));
    let chars = said.text.chars().count();
    let mut weight = 0.2 + central;
    weight += 0.8 * facts.len().min(2) as f64;
    weight += f64::from(u8::from(planned)) * 0.6 + f64::from(u8::from(grave)) * 0.9;
    weight += 0.3 * feeling::strength(&low).min(2.0);
    if said.question {
        weight *= QUESTION;
    }
    if !said.by_user {
        weight *= ASSISTANT;
    }
    if is_filler(&low) {
        weight *= 0.05;
    }
    if chars > LONG_CHARS {
        weight *= 0.7;
    }
    Weighed {
        said: said.clone(),
        weight,
        terms,
        facts,
        marked: planned || grave,
    }
}

/// Words that others use too make a sentence central; the square root keeps long ones from winning by length alone.
fn central(terms: &[String], holding: &HashMap<&str, usize>) -> f64 {
    if terms.is_empty() {
        return 0.0;
    }
    let shared: f64 = terms
        .iter()
        .map(|term| (holding.get(term.as_str()).copied().unwrap_or(1) as f64).ln_1p())
        .sum();
    shared / (terms.len() as f64).sqrt() / 4.0
}

fn is_filler(low: &str) -> bool {
    let words = low.trim_matches(|c: char| !c.is_alphanumeric());
    FILLERS.contains(&words)
}

fn once(mut terms: Vec<String>) -> Vec<String> {
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// From 1 to 10: what was learned, what lies ahead, how it was felt, how long it went on.
pub fn importance(weighed: &[Weighed], feeling: &Feeling, messages: usize) -> u8 {
    let users = || weighed.iter().filter(|one| one.said.by_user);
    let facts = users().flat_map(|one| &one.facts);
    let (identity, other) = facts.fold((0usize, 0usize), |(identity, other), fact| match fact.class {
        Class::Identity => (identity + 1, other),
        Class::Moment | Class::Experience => (identity, other + 1),
    });
    let marked = users().filter(|one| one.marked && !one.said.question).count();
    let content = users().any(|one| !is_filler(&one.said.text.to_lowercase()) && !one.terms.is_empty());
    let score = usize::from(content)
        + 1
        + identity.min(3)
        + other.min(2)
        + marked.min(2)
        + feeling.strength.round() as usize
        + usize::from(messages >= 20);
    score.clamp(1, 10) as u8
}
