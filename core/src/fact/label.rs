//! `주제: 내용`: a subject before a colon, as notes and other systems write facts.

use super::emit::owned_key;
use super::korean::jamo::is_hangul;
use super::relations::{Closeness, relation};
use super::subjects::{Kind, Subject, Subjects};
use super::types::{Cardinality, Category, Class, Classified, Owner};
use super::value;
use super::words::{named, words};

/// The key under which actions are kept.
pub const ACTION_KEY: &str = "행동";

/// A statement cut at its colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    /// The words before the colon, without bullets, categories and "my".
    pub subject: &'a str,
    pub value: &'a str,
    pub owner: Owner,
}

/// Cuts a line into subject and value.
#[must_use]
pub fn split(line: &str) -> Option<Label<'_>> {
    let line = line.trim();
    let (head, value) = line
        .split_once(':')
        .or_else(|| line.split_once(" = "))
        .or_else(|| line.split_once(" - "))?;
    let digits = head.ends_with(|c: char| c.is_ascii_digit()) && value.starts_with(|c: char| c.is_ascii_digit());
    if digits || value.starts_with("//") || value.trim().is_empty() || head.contains(['?', '!', '.', ',', '"']) {
        return None;
    }
    let head = head.trim_start_matches(['-', '*', '•', '#', ' ', '·']).trim();
    let head = match head.strip_prefix('(').and_then(|h| h.split_once(')')) {
        Some((category, rest)) if Category::from_name(category.trim()).is_some() => rest.trim(),
        _ => head,
    };
    let head = head.trim_matches(|c: char| c == '*' || c == '_' && !head.starts_with("_손") || c.is_whitespace());
    let (subject, owner) = owner(strip_owner(head));
    (!subject.is_empty()).then_some(Label {
        subject,
        value: value.trim(),
        owner,
    })
}

/// `내 나이`, `유저의 직업`, `my job`, `user's name`: all the user's.
fn strip_owner(head: &str) -> &str {
    const MINE: [&str; 18] = [
        "유저의 ",
        "사용자의 ",
        "나의 ",
        "저의 ",
        "내 ",
        "제 ",
        "유저 ",
        "사용자 ",
        "my ",
        "the user's ",
        "user's ",
        "user ",
        "My ",
        "User's ",
        "The user's ",
        "User ",
        "우리 ",
        "본인 ",
    ];
    MINE.iter().find_map(|p| head.strip_prefix(p)).map_or(head, str::trim)
}

/// `동생 직업`, `엄마의 생일`, `brother's job`: somebody else's.
fn owner(head: &str) -> (&str, Owner) {
    for (at, c) in head.char_indices().filter(|(_, c)| *c == ' ') {
        let first = head[..at].trim_end_matches("'s");
        let first = first.strip_suffix('의').unwrap_or(first);
        let rest = head[at + c.len_utf8()..].trim();
        if let Some(found) = relation(first).filter(|r| r.closeness != Closeness::Other && !rest.is_empty()) {
            return (rest, Owner::Other(found.name.to_owned()));
        }
    }
    (head, Owner::User)
}

/// Puts a labelled statement in its place. `None` when the words before the colon are no subject.
#[must_use]
pub fn classify(line: &str, subjects: &Subjects) -> Option<Classified> {
    let label = split(line)?;
    let low = label.subject.to_lowercase();
    if is_action(&low) || is_action(line.split(':').next().unwrap_or("").trim()) {
        let value = value::text(label.value)?;
        return Some(Classified {
            key: ACTION_KEY.to_owned(),
            raw: value.clone(),
            value,
            category: Category::Event,
            class: Class::Experience,
            cardinality: Cardinality::Many,
            about: label.owner,
        });
    }
    let known = lookup(subjects, label.subject);
    let (key, category, class, cardinality, value) = match known {
        Some(subject) => {
            let value = normalise(subject, label.value)?;
            (
                subject.key.clone(),
                subject.category,
                subject.class,
                subject.cardinality,
                value,
            )
        }
        None => {
            let key = unknown_key(label.subject)?;
            let liked = ["좋아하는", "싫어하는", "최애", "favorite", "favourite", "선호"]
                .iter()
                .any(|p| low.starts_with(p));
            let (category, class) = if liked {
                (Category::Preference, Class::Identity)
            } else {
                (Category::Other, Class::Moment)
            };
            (key, category, class, Cardinality::Single, value::text(label.value)?)
        }
    };
    let category = if label.owner == Owner::User {
        category
    } else {
        Category::Relationship
    };
    let key = owned_key(&label.owner, &key);
    Some(Classified {
        key,
        value,
        raw: label.value.to_owned(),
        category,
        class,
        cardinality,
        about: label.owner,
    })
}

/// The subject of a label: its words, without a particle that a writer left on them.
#[must_use]
pub fn lookup<'s>(subjects: &'s Subjects, text: &str) -> Option<&'s Subject> {
    let text = text.trim();
    let plain = text.trim_start_matches(['가', '제']).len();
    let _ = plain;
    let without = |t: &str| -> Option<String> {
        let (len, josa) = super::korean::josa::split(t);
        (josa != super::korean::josa::Josa::Bare).then(|| t[..len].to_owned())
    };
    let most = ["제일 ", "가장 ", "my ", "내가 제일 ", "내가 가장 ", "현재 ", "내가 "]
        .iter()
        .find_map(|p| text.strip_prefix(p));
    let british = text
        .to_lowercase()
        .replace("favourite", "favorite")
        .replace("colour", "color");
    subjects
        .find(text)
        .or_else(|| without(text).and_then(|t| subjects.find(&t)))
        .or_else(|| most.and_then(|t| subjects.find(t)))
        .or_else(|| subjects.find(&british))
        .or_else(|| {
            text.split(['/', '('])
                .next()
                .filter(|t| t.len() < text.len())
                .and_then(|t| subjects.find(t.trim()))
        })
}

/// A value of a label. Notes are short: what a strict kind cannot read is kept as text.
fn normalise(subject: &Subject, raw: &str) -> Option<String> {
    let stripped = strip_copula(raw);
    let strict = !matches!(subject.kind, Kind::Text | Kind::Name | Kind::Choice | Kind::Money);
    value::normalise(subject, stripped)
        .or_else(|| value::normalise(subject, raw))
        .or_else(|| if strict { value::text(stripped) } else { None })
}

/// `개발자입니다` in a note is `개발자`.
#[must_use]
pub fn strip_copula(raw: &str) -> &str {
    let trimmed = raw.trim().trim_end_matches(['.', '!', '~', ',']);
    ["입니다", "이에요", "예요", "이다"]
        .iter()
        .find_map(|e| trimmed.strip_suffix(e))
        .unwrap_or(trimmed)
}

/// `유저의 행동`, `아리엘의 반응`, `user action`: what somebody did, not what holds.
fn is_action(subject: &str) -> bool {
    let last = subject.rsplit(' ').next().unwrap_or(subject);
    matches!(
        last,
        "행동" | "반응" | "action" | "reaction" | "actions" | "reactions" | "행위"
    ) || subject.ends_with("의행동")
        || subject.ends_with("의반응")
}

/// The key of a subject that the table does not know: its words, when they can be a subject.
fn unknown_key(subject: &str) -> Option<String> {
    let n = named();
    let words_in: Vec<&str> = subject.split_whitespace().collect();
    let letters = subject.chars().filter(|c| c.is_alphabetic()).count();
    let role = [
        "user",
        "assistant",
        "system",
        "나",
        "너",
        "유저",
        "사용자",
        "me",
        "you",
        "ai",
        "bot",
        "q",
        "a",
        "질문",
        "답변",
        "답",
        "note",
        "ps",
        "참고",
        "http",
        "https",
        "시간",
        "p.s",
        "re",
        "fw",
        "todo",
        "주의",
        "공지",
        "예",
        "예시",
        "example",
        "edit",
        "update",
        "warning",
        "결론",
        "요약",
        "summary",
        "질문입니다",
    ];
    let low = subject.to_lowercase();
    let fits = (1..=4).contains(&words_in.len()) && (2..=24).contains(&letters) && !role.contains(&low.as_str());
    let bad = words_in
        .iter()
        .any(|w| words().is(&w.to_lowercase(), n.second | n.filler | n.correction | n.en_opener));
    let sentence = subject.ends_with("요") || subject.ends_with("다") || subject.ends_with("는데");
    let clean = subject
        .chars()
        .all(|c| c.is_alphanumeric() || is_hangul(c) || matches!(c, ' ' | '-' | '_' | '/' | '\''));
    (fits && !bad && !sentence && clean).then(|| words_in.join(" "))
}
