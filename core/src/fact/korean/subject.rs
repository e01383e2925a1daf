//! `내 이름은 김민수야`: a subject of the table, then its value.

use super::clause::{Mood, Pred};
use super::extract::Context;
use super::josa::Josa;
use super::phrase::Phrase;
use super::predicate::grammar;
use super::slot::{self, Slot};
use crate::fact::emit::{Collector, Found};
use crate::fact::subjects::{Kind, Subject, Subjects};
use crate::fact::types::{Cardinality, Category, Class, Op};
use crate::fact::words::{named, words};
use std::ops::Range;

/// Reads a clause that names its subject; true when a subject was named, found or not.
pub fn read(out: &mut Collector<'_>, c: &Context<'_>, list: &[Phrase<'_>]) -> bool {
    let Some((subject, values)) = named_subject(out.subjects, c, list) else {
        return false;
    };
    let came_out = grammar().id("나오다").map(Pred::Verb) == Some(c.clause.pred)
        && !matches!(subject.kind, Kind::Text | Kind::Name);
    if c.clause.mood != Mood::Assert || c.clause.past && !came_out || c.clause.negated {
        return subject_is_topic(list, out.subjects);
    }
    // 강아지를 키우는데 이름은 뭉치야: the name is the pet's.
    let pet = out.facts.iter().any(|f| f.key == "반려동물") && subject.key == "이름" && !c.said && c.owner.is_none();
    let subject = out.subjects.get("반려동물").filter(|_| pet).unwrap_or(subject);
    let mut hit = false;
    for range in values {
        let raw = &out.normal.raw[range];
        let raw = raw.strip_suffix(" 게").unwrap_or(raw);
        let raw = if subject.key == "꿈" { dream(raw) } else { raw };
        let raw = if subject.kind == Kind::Name { called(raw) } else { raw };
        if !fits(subject, raw) {
            continue;
        }
        let op = c.op.unwrap_or(Op::Set);
        let span = c.clause.start..c.clause.end;
        hit |= out.emit(&Found {
            subject,
            owner: c.owner,
            raw,
            fixed: None,
            op,
            span,
            confidence: 0.95,
        });
    }
    hit
}

/// The subject that a denial speaks of, by its row.
#[must_use]
pub fn denied(subjects: &Subjects, c: &Context<'_>, list: &[Phrase<'_>]) -> Option<usize> {
    let first = list.first()?;
    // 생일 4월 6일 아니라: the denied value may stand in the same phrase.
    let named = || {
        let head = |count: usize| first.toks[..count].iter().map(|t| t.text).collect::<Vec<_>>().join(" ");
        (1..first.toks.len())
            .rev()
            .find_map(|count| subjects.find(&head(count)))
    };
    let subject = lookup(subjects, c, first, Binding::Is).or_else(named)?;
    subjects.rows().iter().position(|s| s.key == subject.key)
}

/// `생일은 4월이 아니라 5월 3일이야`: the value that stands instead of the denied one.
pub fn instead(out: &mut Collector<'_>, c: &Context<'_>, subject: &Subject, list: &[Phrase<'_>]) -> bool {
    let [only] = list else { return false };
    let raw = &out.normal.raw[only.range()];
    if c.clause.pred != Pred::Noun || c.clause.mood != Mood::Assert || !fits(subject, raw) {
        return false;
    }
    let span = c.clause.start..c.clause.end;
    out.emit(&Found {
        subject,
        owner: c.owner,
        raw,
        fixed: None,
        op: Op::Correct,
        span,
        confidence: 0.9,
    })
}

/// `책 읽는 게 취미야`, `게임 개발자가 꿈이야`: the value first, then its subject.
fn reversed<'s>(
    subjects: &'s Subjects,
    c: &Context<'_>,
    list: &[Phrase<'_>],
) -> Option<(&'s Subject, Vec<Range<usize>>)> {
    let (last, before) = list.split_last().filter(|(_, before)| !before.is_empty())?;
    let name: Vec<&str> = last
        .toks
        .iter()
        .map(|t| t.text)
        .filter(|t| !super::topic::is_first(t))
        .collect();
    let subject = subjects
        .find(&name.join(" "))
        .filter(|s| s.class == Class::Identity || s.key == "목표")?;
    // 평생의 꿈, 올해의 목표.
    let before = match before.split_last() {
        Some((of, rest)) if of.josa == Josa::Of && !rest.is_empty() => rest,
        _ => before,
    };
    let strict = !matches!(subject.kind, Kind::Text | Kind::Name | Kind::Choice | Kind::Money);
    let spoken = strict
        || subject.frame.starts_with("like:")
        || matches!(
            subject.key.as_str(),
            "꿈" | "취미" | "베프" | "별명" | "고향" | "전공" | "직업" | "목표" | "언어"
        );
    let end = before
        .last()
        .filter(|p| matches!(p.josa, Josa::Subject) || p.head() == "게")?;
    let others = before.iter().any(|p| p.josa == Josa::Topic);
    let ok = spoken && !others && c.clause.copula && !words().is(&last.text(), named().weak);
    // 10년 지기 친구 현우가 제 베프야: the name is the last word.
    let start = match (subject.kind, end.toks.last()) {
        (Kind::Name, Some(name)) => name.start,
        _ => before[0].range().start,
    };
    ok.then(|| (subject, std::iter::once(start..end.range().end).collect()))
}

/// `민지라는 애`: the name alone.
fn called(raw: &str) -> &str {
    ["이라는 ", "라는 ", "이라고 ", "라고 "]
        .iter()
        .find_map(|cut| raw.find(cut))
        .map_or(raw, |at| &raw[..at])
}

/// `게임 개발자가 되는 것`: the dream is what one wants to be.
fn dream(raw: &str) -> &str {
    ["이 되는", "가 되는", " 되는", "이 되기", "가 되기"]
        .iter()
        .find_map(|cut| raw.find(cut))
        .map_or(raw, |at| &raw[..at])
}

/// How a predicate puts a value on a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binding {
    /// 이다, and 되다, 나가다, 맞다 in its place: every word after the subject.
    Is,
    /// 하다, 부르다 after 라고: the quoted word.
    Called,
    /// 음식은 떡볶이를 좋아해, 운동은 수영을 해: what is liked or done.
    Done,
    None,
}

fn binding(c: &Context<'_>, list: &[Phrase<'_>]) -> Binding {
    let Pred::Verb(id) = c.clause.pred else {
        return if c.clause.pred == Pred::Noun {
            Binding::Is
        } else {
            Binding::None
        };
    };
    let one_of = |lemmas: &[&str]| lemmas.iter().any(|l| grammar().id(l) == Some(id));
    if one_of(&["하다", "부르다", "불리다"]) && list.iter().any(|p| p.quoted) {
        Binding::Called
    } else if one_of(&["되다", "나가다", "맞다", "넘다", "나오다"]) {
        Binding::Is
    } else if one_of(&[
        "좋아하다",
        "좋다",
        "선호하다",
        "사랑하다",
        "즐기다",
        "하다",
        "듣다",
        "보다",
        "먹다",
        "마시다",
        "치다",
    ]) {
        Binding::Done
    } else {
        Binding::None
    }
}

/// The subject and the places of its values.
fn named_subject<'s>(
    subjects: &'s Subjects,
    c: &Context<'_>,
    list: &[Phrase<'_>],
) -> Option<(&'s Subject, Vec<Range<usize>>)> {
    let noun = c.clause.pred == Pred::Noun;
    let binding = binding(c, list);
    for (at, phrase) in list.iter().enumerate() {
        let last = at + 1 == list.len();
        if noun && last {
            return within(subjects, c, phrase).or_else(|| reversed(subjects, c, list));
        }
        if !matches!(phrase.josa, Josa::Topic | Josa::Subject | Josa::Bare | Josa::Also) {
            continue;
        }
        let Some(subject) = lookup(subjects, c, phrase, binding) else {
            continue;
        };
        let after = &list[at + 1..];
        if after.is_empty() {
            return None;
        }
        match binding {
            Binding::None => return None,
            Binding::Called => {
                return after.iter().find(|p| p.quoted).map(|p| (subject, vec![p.range()]));
            }
            Binding::Done if !is_done(subject) => return None,
            Binding::Done => {
                let fits = |p: &&Phrase<'_>| {
                    matches!(
                        p.josa,
                        Josa::Object | Josa::Subject | Josa::Bare | Josa::And | Josa::From
                    )
                };
                return Some((subject, after.iter().filter(fits).map(Phrase::range).collect()));
            }
            Binding::Is => {}
        }
        return Some((subject, values(subject, after)));
    }
    None
}

/// The values after the subject: a list for keys that hold many, else all the words.
fn values(subject: &Subject, after: &[Phrase<'_>]) -> Vec<Range<usize>> {
    let list = after.iter().rev().skip(1).all(|p| p.josa == Josa::And);
    if list && after.len() > 1 && subject.cardinality == Cardinality::Many {
        return after.iter().map(Phrase::range).collect();
    }
    match (after.first(), after.last()) {
        (Some(first), Some(last)) => std::iter::once(first.range().start..last.range().end).collect(),
        _ => Vec::new(),
    }
}

/// Subjects whose values are liked or done.
fn is_done(subject: &Subject) -> bool {
    subject.frame.starts_with("like:") || matches!(subject.key.as_str(), "운동" | "알바" | "취미")
}

/// `키 165에 몸무게 52야`: a subject and its value beside another.
pub fn beside(out: &mut Collector<'_>, c: &Context<'_>, phrase: &Phrase<'_>) -> bool {
    let Some((subject, values)) = within(out.subjects, c, phrase) else {
        return false;
    };
    let strict = !matches!(subject.kind, Kind::Text | Kind::Name | Kind::Choice | Kind::Money);
    let span = c.clause.start..c.clause.end;
    let found = |raw| Found {
        subject,
        owner: c.owner,
        raw,
        fixed: None,
        op: Op::Set,
        span: span.clone(),
        confidence: 0.9,
    };
    strict && values.into_iter().any(|range| out.emit(&found(&out.normal.raw[range])))
}

/// `키 178cm야`, `내 이름 김민수야`: no particle between subject and value.
fn within<'s>(
    subjects: &'s Subjects,
    c: &Context<'_>,
    phrase: &Phrase<'_>,
) -> Option<(&'s Subject, Vec<Range<usize>>)> {
    // 우리집 햄찌 이름 콩떡이야.
    if let [.., kind, word, name] = phrase.toks.as_slice()
        && word.text == "이름"
        && words().is(kind.text, named().animal)
    {
        let range = name.start..name.end();
        return subjects.get("반려동물").map(|s| (s, vec![range]));
    }
    for count in (1..phrase.toks.len()).rev() {
        let head: Vec<&str> = phrase.toks[..count].iter().map(|t| t.text).collect();
        let Some(subject) = subjects.find(&head.join(" ")) else {
            continue;
        };
        let strict = !matches!(subject.kind, Kind::Text | Kind::Name | Kind::Choice | Kind::Money);
        let value: Vec<&str> = phrase.toks[count..].iter().map(|t| t.text).collect();
        let known = words().meaning(&value.join(" ")) != 0;
        let called = subject.kind == Kind::Name && slot::fits(Slot::FullName, &value.join(" "), "", true);
        let sure = strict || known || called || c.said || c.owner.is_some();
        let own = c.said && matches!(subject.key.as_str(), "직장" | "학교" | "차") && value.len() == 1 && !known;
        let weak = words().is(&head.join(" "), named().weak) && !strict && !own;
        let range = phrase.toks[count].start..phrase.range().end;
        return (sure && !weak).then(|| (subject, vec![range]));
    }
    None
}

/// The subject that a phrase names. Words that name many things need the user beside them.
fn lookup<'s>(subjects: &'s Subjects, c: &Context<'_>, phrase: &Phrase<'_>, binding: Binding) -> Option<&'s Subject> {
    let said = c.said || c.owner.is_some() || binding == Binding::Done;
    if let Some(pet) = named_pet(subjects, phrase).filter(|_| c.said) {
        return Some(pet);
    }
    let n = named();
    for from in 0..phrase.toks.len() {
        let rest: Vec<&str> = phrase.toks[from..].iter().map(|t| t.text).collect();
        let text = rest.join(" ");
        let harmless = phrase.toks[..from].iter().all(|t| {
            matches!(
                t.text,
                "집" | "현재" | "지금" | "요즘" | "내" | "우리집" | "키우는" | "다니는"
            )
        });
        if !harmless {
            return None;
        }
        let text = ["건", "거", "게"]
            .iter()
            .find_map(|t| text.strip_suffix(t).filter(|s| s.ends_with(' ')))
            .map_or(text.clone(), |s| format!("{s}것"));
        let Some(subject) = subjects.find(&text) else {
            continue;
        };
        let free = subject.category != Category::Other && subject.class != Class::Experience;
        let spoken = !matches!(
            subject.key.as_str(),
            "관계" | "의견" | "근황" | "말투" | "일정" | "약속"
        );
        let ambiguous = words().is(&text, n.weak | n.animal);
        return (free && spoken && (!ambiguous || said || from > 0)).then_some(subject);
    }
    None
}

/// `우리 집 고양이 나비는`: a pet by kind and name.
fn named_pet<'s>(subjects: &'s Subjects, phrase: &Phrase<'_>) -> Option<&'s Subject> {
    let [.., kind, name] = phrase.toks.as_slice() else {
        return None;
    };
    let animal = words().is(kind.text, named().animal) && !words().is(name.text, named().animal | named().job);
    let free = subjects.find(name.text).is_none() && slot::fits(Slot::Name, name.text, "", true);
    (animal && free).then(|| subjects.get("반려동물")).flatten()
}

/// A clause about a subject of the table is about nothing else.
fn subject_is_topic(list: &[Phrase<'_>], subjects: &Subjects) -> bool {
    list.iter()
        .any(|p| p.josa == Josa::Topic && subjects.find(&p.text()).is_some_and(|s| s.kind != Kind::Text))
}

/// Does the last phrase look like a name? Then `베프는 정호야` names the friend.
#[must_use]
pub fn names_value(list: &[Phrase<'_>]) -> bool {
    list.last()
        .is_some_and(|p| slot::fits(Slot::Name, &p.text(), "", true) && !slot::is_telling_of_person(&p.text()))
}

/// Could these words be the subject's value at all?
fn fits(subject: &Subject, raw: &str) -> bool {
    let low = raw.to_lowercase();
    let n = named();
    let gerund = low.ends_with(" 거") || low.ends_with(" 것") || low.ends_with(" 일") || low.ends_with(" 게");
    if low.ends_with("개") && crate::fact::number::leading(&low).is_some() {
        return false;
    }
    match subject.kind {
        Kind::Name => slot::fits(Slot::Name, &low, "", true),
        Kind::Choice => {
            crate::fact::value::choice(&subject.key, &low).is_some()
                || low.ends_with('색')
                || (slot::plausible(&low) && low.chars().count() <= 8)
        }
        Kind::Text | Kind::Money => {
            let head = low.rsplit(' ').next().unwrap_or(&low);
            let activity = matches!(
                subject.key.as_str(),
                "취미"
                    | "꿈"
                    | "습관"
                    | "목표"
                    | "계획"
                    | "운동"
                    | "좋아하는 것"
                    | "싫어하는 것"
                    | "직업"
                    | "공포증"
            );
            let words_ok = low
                .split(' ')
                .filter(|_| !gerund)
                .all(|w| !words().is(w, n.badvalue | n.second));
            (slot::plausible(&low) || gerund && activity) && words_ok && !words().is(head, n.person)
        }
        _ => true,
    }
}
