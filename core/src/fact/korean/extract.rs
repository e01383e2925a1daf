//! Facts of a Korean sentence: who is spoken of, then what is said.

use super::clause::{Clause, Mood, Pred, clauses};
use super::frame::{Value, frames};
use super::phrase::{Phrase, phrases};
use super::predicate::grammar;
use super::token::{Tok, tokens};
use super::topic::{Who, is_first, take_topic};
use crate::fact::emit::{Collector, Found};
use crate::fact::relations::Relation;
use crate::fact::sentence::Sentence;
use crate::fact::types::{Fact, Op};
use crate::fact::words::{named, words};
use std::ops::Range;

/// How a sentence is to be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// A note (`왼손잡이이다`, `25살`), where fragments count as statements.
    pub note: bool,
}

/// Whose matters the last clause was about: the subject of a clause without one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carry {
    pub who: Who,
    /// The subject of a denial (`생일은 4월이 아니라`), which the next clause gives a value.
    pub denied: Option<usize>,
}

impl Carry {
    /// A sentence without a subject after one about somebody may be about either: nothing is
    /// learned from it.
    fn next_sentence(&mut self) {
        self.denied = None;
        self.who = match self.who {
            Who::Someone(_) => Who::Foreign,
            _ => Who::Unsaid,
        };
    }
}

/// Reads one sentence and adds its facts.
pub fn sentence(out: &mut Collector<'_>, s: &Sentence, quotes: &[Range<usize>], reading: Reading, carry: &mut Carry) {
    let normal = out.normal;
    carry.next_sentence();
    let all = tokens(&normal.low, s.range.start, s.range.end);
    if all.iter().any(|t| words().is(t.text, named().gate)) {
        carry.who = Who::Foreign;
        return;
    }
    let (toks, correcting) = without_fillers(&all);
    let mistaken = |t: &Tok<'_>| {
        ["잘못", "틀렸", "착각", "정정", "헷갈"]
            .iter()
            .any(|w| t.text.starts_with(w))
    };
    let correcting = correcting || all.iter().any(mistaken);
    if toks.is_empty() {
        out.correcting |= correcting;
        return;
    }
    let before = out.correcting;
    out.correcting |= correcting;
    let list = clauses(toks);
    let mut unsure = false;
    let mut denied = false;
    let count = list.len();
    let known = out.facts.len();
    for (at, mut clause) in list.into_iter().enumerate() {
        // 내 혈액형은 A형이래: what one is told of oneself and passes on is taken as true.
        if clause.mood == Mood::Quote && clause.pred == Pred::Noun && clause.args.first().is_some_and(is_mine) {
            clause.mood = Mood::Assert;
        }
        let asked = s.question && at + 1 == count;
        let quoted = quotes.iter().any(|q| q.contains(&clause.end.saturating_sub(1)));
        if clause.mood == Mood::If {
            unsure = true;
        }
        if asked || quoted || unsure || clause.mood == Mood::Ask {
            continue;
        }
        out.correcting |= denied;
        denied = clause.pred == grammar().id("아니다").map_or(Pred::Unknown, Pred::Verb) && at + 1 < count;
        read(out, clause, reading, carry);
    }
    pet_name(out, toks, known);
    out.correcting = before;
}

fn is_mine(tok: &Tok<'_>) -> bool {
    matches!(tok.text, "내" | "제")
}

/// `나비라는 고양이를 키워`: the name of the pet is a value too.
fn pet_name(out: &mut Collector<'_>, toks: &[Tok<'_>], known: usize) {
    let normal = out.normal;
    for pair in toks.windows(2) {
        let (said, next) = (&pair[0], pair[1].text);
        let Some(name) = said
            .text
            .strip_suffix("이라는")
            .or_else(|| said.text.strip_suffix("라는"))
        else {
            continue;
        };
        let is_named = |f: &&Fact| {
            let kept = f.raw.to_lowercase();
            f.key == "반려동물" && f.op == Op::Add && (kept.starts_with(next) || next.starts_with(&kept))
        };
        let Some(pet) = out.facts[known..].iter().find(is_named).cloned() else {
            continue;
        };
        let range = said.start..said.start + name.len();
        if name.is_empty() || name.chars().count() > 6 {
            continue;
        }
        let raw = normal.raw[range.clone()].to_owned();
        out.facts.push(Fact {
            value: raw.clone(),
            raw,
            span: normal.source(range),
            ..pet
        });
        return;
    }
}

/// Drops what opens a sentence without saying anything; notes a correction.
fn without_fillers<'t, 'a>(mut toks: &'t [Tok<'a>]) -> (&'t [Tok<'a>], bool) {
    let n = named();
    let mut correcting = false;
    while let Some((first, rest)) = toks.split_first() {
        let sets = words().of(first.text);
        let corrects = sets & n.correction != 0;
        // 네 is "yes" before a comma or the speaker, "your" before anything else.
        let yes = sets & n.yes != 0 && (first.comma || rest.first().is_some_and(|t| is_first(t.text)));
        let sets = if yes { sets | n.filler } else { sets };
        if !corrects && (sets & n.filler == 0 || rest.is_empty()) {
            break;
        }
        correcting |= corrects;
        toks = rest;
    }
    (toks, correcting)
}

/// Reads one clause.
fn read(out: &mut Collector<'_>, mut clause: Clause<'_>, reading: Reading, carry: &mut Carry) {
    let ended = clause
        .args
        .iter()
        .any(|t| matches!(t.text, "이제" | "이젠" | "이제는" | "더이상" | "더" | "더는" | "인제"));
    let not_noun = grammar().id("아니다").map(Pred::Verb) == Some(clause.pred);
    let retract = ended && (clause.negated || not_noun);
    if retract {
        clause.negated = false;
    }
    if retract && not_noun {
        clause.pred = Pred::Noun;
        clause.copula = true;
    }
    let mut list = phrases(&clause.args, out.subjects, clause.pred == Pred::Noun && !not_noun);
    let who = take_topic(&clause, &mut list, out.subjects, carry);
    let owner = match who {
        Who::Foreign => return,
        Who::Someone(relation) => Some(relation),
        Who::Unsaid | Who::User => None,
    };
    let context = Context {
        clause: &clause,
        owner,
        said: who == Who::User,
        op: retract.then_some(Op::Retract),
    };
    let stated = clause.pred != Pred::Noun || clause.copula || who != Who::Unsaid || reading.note;
    if super::subject::read(out, &context, &list) {
        return;
    }
    if not_noun && !retract {
        carry.denied = super::subject::denied(out.subjects, &context, &list);
        return;
    }
    let instead = carry.denied.take().and_then(|at| out.subjects.rows().get(at));
    if instead.is_some_and(|s| super::subject::instead(out, &context, s, &list)) {
        return;
    }
    let fragment_ok = stated || (list.len() == 1 && list[0].toks.len() == 1);
    let known = out.facts.len();
    if fragment_ok {
        by_frame(out, &context, &list, stated);
    }
    // 이제 술 안 마셔: nothing was known to end, but the denial itself says something.
    if retract && !not_noun && out.facts.len() == known {
        let denied = Clause {
            negated: true,
            ..clause.clone()
        };
        let context = Context {
            clause: &denied,
            op: None,
            ..context
        };
        by_frame(out, &context, &list, stated);
    }
}

/// What the rules need to know of a clause.
pub struct Context<'k> {
    pub clause: &'k Clause<'k>,
    pub owner: Option<&'static Relation>,
    /// The user is the spoken topic.
    pub said: bool,
    pub op: Option<Op>,
}

/// A fragment (`INFP`, `25살`) counts only for values that can mean nothing else.
const FRAGMENT_KEYS: [&str; 4] = ["나이", "MBTI", "혈액형", "_손잡이"];

fn by_frame(out: &mut Collector<'_>, c: &Context<'_>, list: &[Phrase<'_>], stated: bool) {
    let normal = out.normal;
    let subjects = out.subjects;
    for frame in frames().of(c.clause) {
        if frame.explicit && !c.said && c.owner.is_none() || !stated && !FRAGMENT_KEYS.contains(&frame.key) {
            continue;
        }
        if frame.key == "이름" && c.clause.pred == Pred::Noun && !c.clause.copula {
            continue;
        }
        let Some(value) = frame.matches(c.clause, list, frame.key) else {
            continue;
        };
        let op = c.op.unwrap_or(frame.op);
        let span = c.clause.start..c.clause.end;
        let (ranges, fixed) = match value {
            Value::At(ranges) => (ranges, None),
            Value::Fixed(text) => (vec![span.clone()], Some(text)),
            Value::Clause => (vec![span.clone()], None),
        };
        let mut hit = false;
        for range in ranges {
            let raw = &normal.raw[range];
            let raw = if frame.key == "직업" {
                after_age(out, c, raw)
            } else {
                raw
            };
            let subject = match frame.key.strip_prefix('@') {
                Some(kind) => subjects.by_frame(kind, meaning_of(&raw.to_lowercase())),
                None => subjects.get(frame.key),
            };
            let Some(subject) = subject else { continue };
            let confidence = if c.said || c.owner.is_some() { 0.9 } else { 0.8 };
            hit |= out.emit(&Found {
                subject,
                owner: c.owner,
                raw,
                fixed,
                op,
                span: span.clone(),
                confidence,
            });
        }
        if hit {
            return;
        }
    }
}

/// The sets of a phrase, or of the word it is about: 클래식 음악 is 음악.
fn meaning_of(text: &str) -> crate::fact::words::Sets {
    let head = || text.rsplit(' ').next().map_or(0, |head| words().of(head));
    match words().of(text) {
        0 => head(),
        sets => sets,
    }
}

/// `25살 개발자`: the age is a fact of its own; what follows it is the job.
fn after_age<'r>(out: &mut Collector<'_>, c: &Context<'_>, raw: &'r str) -> &'r str {
    let cut = raw.char_indices().rev().filter(|(_, ch)| *ch == ' ').map(|(at, _)| at);
    let aged = |at: &usize| crate::fact::value::spoken_age(&raw[..*at].to_lowercase()).is_some();
    let (Some(at), Some(subject)) = (cut.into_iter().find(aged), out.subjects.get("나이")) else {
        return raw;
    };
    let span = c.clause.start..c.clause.end;
    let age = &raw[..at];
    out.emit(&Found {
        subject,
        owner: c.owner,
        raw: age,
        fixed: None,
        op: Op::Set,
        span,
        confidence: 0.9,
    });
    raw[at..].trim_start()
}
