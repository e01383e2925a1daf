//! Turns of phrase that state a fact over several clauses or without a verb that does (`떡볶이 없인 못 살아`,
//! `새우 먹으면 두드러기 나`): `cues_ko.tsv` read once, looked for in the words of a sentence.

use super::clause::{Clause, Mood, Pred};
use super::extract::meaning_of;
use super::josa::{self, Josa};
use super::predicate::{Tail, grammar};
use super::slot::{self, Slot};
use super::token::Tok;
use super::topic::is_first;
use crate::fact::emit::{Collector, Found};
use crate::fact::hash::FastMap;
use crate::fact::relations::relation;
use crate::fact::types::{Fact, Op};
use crate::fact::words::{named, words};
use std::ops::Range;
use std::sync::LazyLock;

/// One step of a cue.
#[derive(Clone, Debug)]
enum Part {
    /// One of these words, with or without a particle; `~` lets any ending follow.
    Words(Vec<(&'static str, bool)>),
    Value(Slot, Vec<Josa>),
    /// Up to three words of any kind.
    Gap,
    /// Nothing may follow.
    End,
}

struct Cue {
    key: &'static str,
    op: Op,
    parts: Vec<Part>,
    fixed: Option<&'static str>,
    /// An order states it too: 내일 치과 예약 넣어 줘.
    ordered: bool,
}

struct Cues {
    cues: Vec<Cue>,
    /// Cues by the first syllable of one of their words.
    by_syllable: FastMap<char, Vec<usize>>,
}

static CUES: LazyLock<Cues> = LazyLock::new(|| {
    let mut all = Cues {
        cues: Vec::new(),
        by_syllable: FastMap::default(),
    };
    let rows = include_str!("../data/cues_ko.tsv").lines();
    for line in rows.filter(|l| !l.starts_with('#')) {
        let columns: Vec<&'static str> = line.split('\t').collect();
        let &[key, op, text, ref rest @ ..] = columns.as_slice() else {
            continue;
        };
        let Some(op) = Op::from_name(op) else { continue };
        let parts: Vec<Part> = text.split(' ').filter(|p| !p.is_empty()).filter_map(part).collect();
        // The longest word is the rarest.
        let lists = parts.iter().filter_map(|p| match p {
            Part::Words(list) => Some(list),
            _ => None,
        });
        let shortest = |list: &&Vec<(&str, bool)>| list.iter().map(|(w, _)| w.len()).min().unwrap_or(0);
        let Some(anchor) = lists.max_by_key(shortest) else {
            continue;
        };
        let mut firsts: Vec<char> = anchor.iter().filter_map(|(w, _)| w.chars().next()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        for first in firsts {
            all.by_syllable.entry(first).or_default().push(all.cues.len());
        }
        let fixed = rest.first().copied().filter(|f| !f.is_empty());
        let (key, ordered) = key.strip_prefix('!').map_or((key, false), |key| (key, true));
        all.cues.push(Cue {
            key,
            op,
            parts,
            fixed,
            ordered,
        });
    }
    all
});

fn part(text: &'static str) -> Option<Part> {
    if text == ".." {
        return Some(Part::Gap);
    }
    if text == "$" {
        return Some(Part::End);
    }
    if let Some((name, marks)) = text.strip_prefix('{').and_then(|t| t.split_once('}')) {
        let marks = marks.strip_prefix('/').unwrap_or("-").split(',');
        return Some(Part::Value(
            Slot::from_name(name)?,
            marks.filter_map(Josa::from_mark).collect(),
        ));
    }
    let word = |w: &'static str| w.strip_suffix('~').map_or((w, false), |w| (w, true));
    Some(Part::Words(text.split('|').map(word).collect()))
}

/// Reads the cues of a sentence that states something. `known` is where its facts start.
pub fn read(out: &mut Collector<'_>, toks: &[Tok<'_>], list: &[Told], known: usize, state: State) {
    let cues = &*CUES;
    let mut tried: Vec<usize> = Vec::new();
    for tok in toks {
        let Some(first) = tok.text.chars().next() else { continue };
        let ids = cues.by_syllable.get(&first).map_or(&[][..], Vec::as_slice);
        tried.extend(ids.iter().filter(|id| !tried.contains(id)).copied().collect::<Vec<_>>());
    }
    if tried.is_empty() || !about_user(toks) {
        return;
    }
    tried.sort_unstable();
    for cue in tried.into_iter().filter_map(|id| cues.cues.get(id)) {
        let found = (0..toks.len()).find_map(|at| step(cue, &cue.parts, toks, at, None).map(|(v, end)| (at, v, end)));
        let Some((at, value, end)) = found else { continue };
        // A condition counts only where the cue itself speaks of it: 먹으면 두드러기가 나.
        let met = state.unsure.is_none_or(|from| toks[end - 1].end() <= from)
            || toks[at..end].iter().any(|t| t.text.ends_with(['면', '도']));
        let over = cue.key == "습관" && list.last().is_some_and(|c| c.past || !is_done(c));
        let said = cue.ordered || stated(toks, list, end, state);
        if met && said && !over && !about_another(&toks[..at]) {
            emit(out, cue, toks, at..end, value, known);
        }
    }
}

/// What cues ask of a clause.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    mood: Mood,
    pred: Pred,
    past: bool,
    end: usize,
}

impl Told {
    /// The clause without its words.
    #[must_use]
    pub fn of(clause: &Clause<'_>) -> Self {
        Self {
            mood: clause.mood,
            pred: clause.pred,
            past: clause.past,
            end: clause.end,
        }
    }
}

/// What the clauses before have said of the sentence.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Where a condition is named that may not hold.
    pub unsure: Option<usize>,
    /// The last clause asks.
    pub asked: bool,
}

/// Is it the user who is spoken of?
fn about_user(toks: &[Tok<'_>]) -> bool {
    let n = named();
    let other = |t: &Tok<'_>| {
        let (len, josa) = josa::split(t.text);
        let noun = &t.text[..len];
        let marked = matches!(josa, Josa::Topic | Josa::Subject | Josa::Also | Josa::Dative);
        let person = words().is(noun, n.person | n.second) || relation(noun).is_some();
        marked && person && !is_first(noun) || words().is(t.text, n.second) && !matches!(t.text, "네" | "다들" | "모두")
    };
    !toks.iter().any(other)
}

/// Is what ends at this word said, and not asked, wished or heard?
fn stated(toks: &[Tok<'_>], list: &[Told], end: usize, state: State) -> bool {
    const ASKS: [&str; 13] = [
        "까",
        "까요",
        "니",
        "냐",
        "줘",
        "주세요",
        "줄래",
        "을래",
        "할래",
        "건지",
        "는지",
        "을지",
        "은지",
    ];
    let Some(last) = toks.get(end.saturating_sub(1)) else {
        return false;
    };
    let at = list
        .iter()
        .position(|c| c.end >= last.end())
        .unwrap_or(list.len().saturating_sub(1));
    let told = list.get(at).is_none_or(|c| matches!(c.mood, Mood::Assert | Mood::Plan));
    let asked = state.asked && at + 1 >= list.len();
    let closing = list.get(at).map_or(last.end(), |c| c.end);
    let word = toks.iter().find(|t| t.end() >= closing).map_or("", |t| t.text);
    let wished = toks[..toks.len().min(end + 2)].iter().any(|t| t.text.starts_with('싶'));
    told && !asked && !wished && (word.ends_with("니까") || !ASKS.iter().any(|e| word.ends_with(e)))
}

/// Something one does, and not how one is.
fn is_done(clause: &Told) -> bool {
    let how = [
        "피곤하다",
        "힘들다",
        "아프다",
        "좋다",
        "싫다",
        "바쁘다",
        "춥다",
        "덥다",
        "심심하다",
        "외롭다",
        "무섭다",
        "있다",
        "없다",
    ];
    matches!(clause.pred, Pred::Verb(_)) && !how.iter().any(|l| grammar().id(l).map(Pred::Verb) == Some(clause.pred))
}

/// 내 짝꿍은, 그 가게가: somebody or something else is spoken of.
fn about_another(before: &[Tok<'_>]) -> bool {
    let n = named();
    let pointed = |at: usize| {
        at > 0
            && matches!(
                before[at - 1].text,
                "내" | "우리" | "그" | "저" | "이" | "제" | "저희" | "울"
            )
    };
    let other = |(at, tok): (usize, &Tok<'_>)| {
        let (len, josa) = josa::split(tok.text);
        let noun = &tok.text[..len];
        let own = is_first(noun) || is_first(tok.text) || words().is(noun, n.time | n.adverb);
        let marked = matches!(josa, Josa::Topic | Josa::Subject) && !own && words().meaning(tok.text) == 0;
        // 에이미는: a topic that no list knows may be anybody.
        let stranger = words().of(noun) == 0 && noun.chars().count() >= 2;
        relation(tok.text).is_some() || marked && (pointed(at) || stranger)
    };
    before.iter().enumerate().any(other)
}

type Step = (Option<Range<usize>>, usize);

/// Matches the parts from a word on: the words of the value, and the word after the last.
fn step(cue: &Cue, parts: &[Part], toks: &[Tok<'_>], at: usize, value: Option<Range<usize>>) -> Option<Step> {
    let Some((part, rest)) = parts.split_first() else {
        return Some((value, at));
    };
    match part {
        Part::End => (at == toks.len()).then_some((value, at)),
        Part::Gap => (at..=(at + 3).min(toks.len()))
            .take_while(|next| {
                toks[at..*next]
                    .iter()
                    .all(|t| !t.text.ends_with('까') || t.text.ends_with("니까"))
            })
            .find_map(|next| step(cue, rest, toks, next, value.clone())),
        Part::Words(list) => {
            let tok = toks.get(at)?;
            // The particle is cut only from a word that starts right.
            let starts = |word: &str| tok.text.starts_with(word);
            let cut = |word: &str| josa::split(tok.text).0 == word.len();
            let hit = list
                .iter()
                .any(|(word, open)| starts(word) && (*open || tok.text.len() == word.len() || cut(word)));
            hit.then(|| step(cue, rest, toks, at + 1, value)).flatten()
        }
        Part::Value(slot, marks) => (1..=3usize).rev().find_map(|count| {
            let span = toks.get(at..at + count)?;
            fits(*slot, marks, span, cue.key).then(|| step(cue, rest, toks, at + count, Some(at..at + count)))?
        }),
    }
}

fn fits(slot: Slot, marks: &[Josa], span: &[Tok<'_>], key: &str) -> bool {
    let n = named();
    let Some((last, before)) = span.split_last() else {
        return false;
    };
    let (len, mut josa) = josa::split(last.text);
    let mut noun = &last.text[..len];
    if words().meaning(last.text) != 0 {
        (noun, josa) = (last.text, Josa::Bare);
    }
    let loose = |t: &Tok<'_>| {
        t.comma
            || is_first(t.text)
            || words().is(t.text, n.adverb | n.filler | n.second | n.person)
            || josa::split(t.text).1 != Josa::Bare && words().meaning(t.text) == 0
            || words().meaning(t.text) == 0 && grammar().verbs(t.text).any(|v| v.tail != Tail::Adn)
    };
    if !marks.contains(&josa) || before.iter().any(loose) || words().is(noun, n.adverb | n.filler) || is_first(noun) {
        return false;
    }
    let mut text: Vec<&str> = before.iter().map(|t| t.text).collect();
    text.push(noun);
    slot::fits(slot, &text.join(" "), key, josa != Josa::Bare)
}

fn emit(
    out: &mut Collector<'_>,
    cue: &Cue,
    toks: &[Tok<'_>],
    range: Range<usize>,
    value: Option<Range<usize>>,
    known: usize,
) {
    let normal = out.normal;
    let (Some(first), Some(last)) = (toks.get(range.start), toks.get(range.end.saturating_sub(1))) else {
        return;
    };
    let whole = first.start..last.end();
    let place = match &value {
        Some(v) => {
            let end = toks[v.end - 1];
            let len = if words().meaning(end.text) == 0 {
                josa::split(end.text).0
            } else {
                end.text.len()
            };
            toks[v.start].start..end.start + len
        }
        None => whole.clone(),
    };
    let place = if cue.fixed == Some("=clause") {
        toks[0].start..toks[toks.len() - 1].end()
    } else {
        place
    };
    let mut places = vec![place];
    // 영어랑 일본어 할 줄 알아: what is joined to the value is one more.
    let mut before = value.as_ref().map_or(0, |v| v.start);
    while let (Some(at), Some(Part::Value(slot, _))) = (before.checked_sub(1), cue.parts.first()) {
        if !fits(*slot, &[Josa::And], &toks[at..before], cue.key) {
            break;
        }
        let len = josa::split(toks[at].text).0;
        places.insert(0, toks[at].start..toks[at].start + len);
        before = at;
    }
    let start = out.facts.len();
    for place in places {
        one(out, cue, &normal.raw[place], whole.clone(), known..start);
    }
}

fn one(out: &mut Collector<'_>, cue: &Cue, raw: &str, whole: Range<usize>, known: Range<usize>) {
    let sets = || meaning_of(&raw.to_lowercase());
    let subject = match cue.key.strip_prefix('@') {
        Some("do") if sets() & named().sport != 0 => out.subjects.get("운동"),
        Some("do") => out.subjects.get("취미"),
        Some(kind) => out.subjects.by_frame(kind, sets()),
        None => out.subjects.get(cue.key),
    };
    let Some(subject) = subject else { return };
    let feared = subject.key == "공포증" && out.facts.iter().any(|f| f.key == "공포증");
    if feared || subject.key == "습관" && !known.is_empty() {
        return;
    }
    // What a frame has read already is not said again in other words.
    let read = |f: &Fact| f.key == subject.key || f.raw == raw.trim();
    if out.facts.get(known).is_some_and(|facts| facts.iter().any(read)) {
        return;
    }
    out.emit(&Found {
        subject,
        owner: None,
        raw,
        fixed: cue.fixed.filter(|f| !f.starts_with('=')),
        op: cue.op,
        span: whole,
        confidence: 0.8,
    });
}
