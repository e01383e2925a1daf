//! Facts of a Korean sentence: who is spoken of, then what is said.

use super::clause::{Clause, Mood, Pred, clauses};
use super::frame::{Value, frames};
use super::phrase::{Phrase, phrases};
use super::predicate::{Tail, grammar};
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
    // 닭띠지, 내가: who is spoken of comes last.
    let toks = match toks.split_last() {
        Some((last, rest)) if rest.len() > 1 && matches!(last.text, "내가" | "나는" | "난" | "제가" | "저는") => {
            rest
        }
        _ => toks,
    };
    let correcting = correcting || all.iter().any(mistaken);
    if toks.is_empty() {
        out.correcting |= correcting;
        return;
    }
    let before = out.correcting;
    out.correcting |= correcting;
    let list = clauses(toks);
    let whole: Vec<super::cue::Told> = list.iter().map(super::cue::Told::of).collect();
    let last = list.last().map(|c| c.pred);
    let foreign = carry.who == Who::Foreign;
    let mut unsure: Option<usize> = None;
    let mut denied = false;
    let count = list.len();
    let known = out.facts.len();
    for (at, mut clause) in list.into_iter().enumerate() {
        // 내 혈액형은 A형이래: what one is told of oneself and passes on is taken as true.
        if clause.mood == Mood::Quote && clause.pred == Pred::Noun && clause.args.iter().any(is_mine) {
            clause.mood = Mood::Assert;
        }
        // 고양이가 더 좋아, 강아지가 더 좋아?: the same asked twice.
        let same = last == Some(clause.pred) && matches!(clause.pred, Pred::Verb(_));
        let asked = s.question && (at + 1 == count || same) && !insists(&all);
        let quoted = quotes.iter().any(|q| q.contains(&clause.end.saturating_sub(1)));
        if clause.mood == Mood::If {
            unsure = unsure.or((!is_habit(&clause, toks)).then_some(clause.start));
        }
        if asked || quoted || unsure.is_some() || clause.mood == Mood::Ask {
            continue;
        }
        out.correcting |= denied;
        denied = clause.pred == grammar().id("아니다").map_or(Pred::Unknown, Pred::Verb) && at + 1 < count;
        read(out, clause, reading, carry);
    }
    pet_name(out, toks, known);
    if quotes.is_empty() && !foreign {
        let asked = s.question && !insists(&all);
        super::cue::read(out, toks, &whole, known, super::cue::State { unsure, asked });
    }
    out.correcting = before;
}

/// 퇴근하면 운동해, 시간 나면 그림 그려: what one does whenever, no condition that may not hold.
fn is_habit(clause: &Clause<'_>, toks: &[Tok<'_>]) -> bool {
    let word = toks.iter().rev().find(|t| t.end() <= clause.end).map_or("", |t| t.text);
    let verb = |lemmas: &[&str]| {
        lemmas
            .iter()
            .any(|l| grammar().id(l).map(Pred::Verb) == Some(clause.pred))
    };
    let plain = word.ends_with('면')
        && !["라면", "다면", "었으면", "았으면", "했으면", "으면"]
            .iter()
            .any(|e| word.ends_with(e));
    // 봄이면, 주말이면: whenever it comes.
    let season = clause.pred == Pred::Noun
        && clause
            .args
            .last()
            .is_some_and(|t| words().is(t.text, named().time | named().season));
    season
        || plain
            && matches!(clause.pred, Pred::Verb(_))
            && !verb(&["있다", "없다", "되다", "살다", "사다", "태어나다", "키우다", "하다"])
}

/// 나 158이거든?: the mark asks for nothing.
fn insists(toks: &[Tok<'_>]) -> bool {
    let ends = [
        "거든",
        "거든요",
        "잖아",
        "잖아요",
        "라니까",
        "다니까",
        "라니깐",
        "다니깐",
        "라구요",
        "ㄴ데요",
    ];
    toks.last().is_some_and(|t| ends.iter().any(|e| t.text.ends_with(e)))
}

fn is_mine(tok: &Tok<'_>) -> bool {
    matches!(tok.text, "내" | "제" | "내가" | "제가" | "나" | "저" | "나는" | "저는")
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
    // 고양이 집사 3년차야: for how long says nothing of what.
    let years = |t: &Tok<'_>| {
        crate::fact::number::leading(t.text).is_some_and(|(_, used)| matches!(&t.text[used..], "년차" | "년째"))
    };
    if clause.pred == Pred::Noun && clause.args.len() > 1 && clause.args.last().is_some_and(years) {
        clause.args.pop();
    }
    // 차이가 뭐야: asks without a mark.
    let wonders = ["뭐", "뭔", "어디", "누구", "언제", "얼마", "몇", "어때", "어느", "왜"];
    if clause.pred == Pred::Noun && clause.args.last().is_some_and(|t| wonders.contains(&t.text)) {
        return;
    }
    if clause.pred == Pred::Noun && !not_noun && clause.mood == Mood::Assert {
        relative(out, &mut clause, reading, carry);
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
    if clause.pred == Pred::Noun && !not_noun {
        beside(out, &context, &mut list);
    }
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
    if clause.pred == Pred::Noun && !not_noun {
        peel(out, &context, &mut list);
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

/// `서울 사는 스물다섯 살 대학생이야`: what modifies the noun that tells who one is states something itself.
fn relative(out: &mut Collector<'_>, clause: &mut Clause<'_>, reading: Reading, carry: &mut Carry) {
    let args = &clause.args;
    let Some((last, before)) = args.split_last().filter(|(_, before)| before.len() > 1) else {
        return;
    };
    let person = super::slot::is_telling_of_person(last.text)
        || super::slot::fits(super::slot::Slot::Grade, last.text, "", true)
        || matches!(last.text, "가구" | "집사" | "자취생" | "신혼부부")
        || matches!(last.text, "사람" | "남자" | "여자") && is_first(args[0].text);
    if !person {
        return;
    }
    let g = grammar();
    let modifier = |t: &Tok<'_>| {
        g.verbs(t.text)
            .find(|v| v.tail == Tail::Adn && !v.past && (t.text.ends_with('는') || t.text == "온"))
            .filter(|_| words().meaning(t.text) == 0)
    };
    let Some((at, verb)) = before
        .iter()
        .enumerate()
        .skip(1)
        .find_map(|(at, t)| modifier(t).map(|v| (at, v)))
    else {
        return;
    };
    let marked = |t: &Tok<'_>| {
        let (len, josa) = super::josa::split(t.text);
        josa != super::josa::Josa::Bare && words().meaning(t.text) == 0 || words().is(&t.text[..len], named().person)
    };
    if before[at + 1..].iter().any(marked) {
        return;
    }
    let said = Clause {
        args: before[..at].to_vec(),
        pred: Pred::Verb(verb.verb),
        mood: Mood::Assert,
        past: false,
        copula: false,
        end: before[at].end(),
        ..clause.clone()
    };
    clause.args = args[at + 1..].to_vec();
    read(out, said, reading, carry);
}

/// Keys whose values tell their own subject, so that they may stand before another value: `95년생 돼지띠야`,
/// `간호학과 3학년이야`, `A형에 INFP야`.
const TELLING_KEYS: [&str; 13] = [
    "나이",
    "출생연도",
    "혈액형",
    "MBTI",
    "전공",
    "학년",
    "띠",
    "별자리",
    "고향",
    "키",
    "몸무게",
    "_손잡이",
    "학교",
];

/// Is this phrase alone a value that tells its subject? Then it is a fact.
fn telling(out: &mut Collector<'_>, c: &Context<'_>, phrase: Phrase<'_>) -> bool {
    let alone = Clause {
        copula: true,
        ..c.clause.clone()
    };
    let context = Context { clause: &alone, ..*c };
    let known = out.facts.len();
    by_keys(out, &context, &[phrase], |key| TELLING_KEYS.contains(&key));
    out.facts.len() > known
}

/// `A형에 INFP야`, `키 165에 50키로야`: takes the values that are listed before the last one.
fn beside(out: &mut Collector<'_>, c: &Context<'_>, list: &mut Vec<Phrase<'_>>) {
    while list.len() > 1 && matches!(list[0].josa, super::josa::Josa::At | super::josa::Josa::And) {
        let tall = list.len() == 2 && is_tall(&list[0], &list[1]);
        if super::subject::beside(out, c, &list[0]) {
            list.remove(0);
            continue;
        }
        let first = list[0].clone();
        if tall && let Some(subject) = out.subjects.get("키") {
            let raw = &out.normal.raw[first.range()];
            let span = c.clause.start..c.clause.end;
            out.emit(&Found {
                subject,
                owner: c.owner,
                raw,
                fixed: None,
                op: Op::Set,
                span,
                confidence: 0.8,
            });
        } else {
            let known = out.facts.len();
            let mut parts = [first];
            peel(out, c, &mut parts);
            let [rest] = parts;
            if !telling(out, c, rest) && out.facts.len() == known {
                break;
            }
        }
        list.remove(0);
    }
}

/// Takes the values that stand before the noun of the copula.
fn peel(out: &mut Collector<'_>, c: &Context<'_>, list: &mut [Phrase<'_>]) {
    let Some(last) = list.last_mut() else { return };
    // 중2 아들: somebody else's. 열 살 때: long ago.
    let past = |t: &Tok<'_>| matches!(t.text, "때" | "적" | "무렵" | "시절" | "먹은" | "된" | "때부터");
    let person = |t: &Tok<'_>| words().is(t.text, named().person);
    if last.toks.iter().any(|t| past(t) || person(t)) {
        return;
    }
    if last
        .toks
        .iter()
        .any(|t| crate::fact::relations::relation(t.text).is_some())
    {
        return;
    }
    let mut count = last.toks.len().saturating_sub(1);
    while count > 0 {
        let head = Phrase {
            toks: last.toks[..count].to_vec(),
            ..last.clone()
        };
        if telling(out, c, head) {
            last.toks.drain(..count);
            count = last.toks.len().saturating_sub(1);
        } else {
            count -= 1;
        }
    }
}

/// `165에 50키로`: a bare number before a weight is a height.
fn is_tall(first: &Phrase<'_>, second: &Phrase<'_>) -> bool {
    use super::slot::{Slot, fits};
    let tall = crate::fact::number::whole(&first.text()).is_some_and(|n| (130..=210).contains(&n));
    tall && second
        .toks
        .first()
        .is_some_and(|t| fits(Slot::Weight, t.text, "", true))
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
const FRAGMENT_KEYS: [&str; 10] = [
    "나이",
    "MBTI",
    "혈액형",
    "_손잡이",
    "학년",
    "띠",
    "별자리",
    "몸무게",
    "출생연도",
    "일정",
];

fn by_frame(out: &mut Collector<'_>, c: &Context<'_>, list: &[Phrase<'_>], stated: bool) {
    by_keys(out, c, list, |key| stated || FRAGMENT_KEYS.contains(&key));
}

fn by_keys(out: &mut Collector<'_>, c: &Context<'_>, list: &[Phrase<'_>], wanted: impl Fn(&str) -> bool) {
    let normal = out.normal;
    let subjects = out.subjects;
    let mut first: Option<&str> = None;
    for frame in frames().of(c.clause) {
        // 카카오에서 개발자로 일해: one clause, where and what.
        let paired = |key: &str| {
            matches!(
                (key, frame.key),
                ("직업", "직장") | ("직장", "직업") | ("전공", "학교") | ("학교", "전공")
            )
        };
        if first.is_some_and(|key| !paired(key)) {
            continue;
        }
        if frame.explicit && !c.said && c.owner.is_none() || !wanted(frame.key) {
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
        if hit && first.is_some() {
            return;
        }
        if hit {
            first = Some(frame.key);
        }
    }
}

/// The sets of a phrase, or of the word it is about: 클래식 음악 is 음악.
pub fn meaning_of(text: &str) -> crate::fact::words::Sets {
    let head = || text.rsplit(' ').next().map_or(0, |head| words().class(head));
    match words().of(text) {
        0 if text.contains(' ') => head() | words().class(&text.replace(' ', "")),
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
