//! Who a clause is about.

use super::clause::{Clause, Pred};
use super::extract::Carry;
use super::josa::Josa;
use super::phrase::Phrase;
use super::predicate::grammar;
use crate::fact::relations::{Closeness, Relation, relation};
use crate::fact::subjects::Subjects;
use crate::fact::words::{named, words};

/// Who a clause is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Who {
    /// Nobody is named: the user, as Korean leaves the speaker out.
    #[default]
    Unsaid,
    User,
    Someone(&'static Relation),
    /// The other side of the conversation, or somebody whose facts are not kept.
    Foreign,
}

const FIRST: [&str; 17] = [
    "나",
    "난",
    "내",
    "저",
    "전",
    "제",
    "우리",
    "저희",
    "울",
    "유저",
    "사용자",
    "본인",
    "나는",
    "저는",
    "내가",
    "제가",
    "나도",
];

/// A word for the speaker.
#[must_use]
pub fn is_first(word: &str) -> bool {
    FIRST.contains(&word)
}

/// Takes the topic out of the phrases. A clause without one goes on about the last.
pub fn take_topic(clause: &Clause<'_>, list: &mut Vec<Phrase<'_>>, subjects: &Subjects, carry: &mut Carry) -> Who {
    let mut who = Who::Unsaid;
    let mut lasting = false;
    // 친구들은 나를 콩이라고 불러: whoever calls, the name is the user's.
    let calls = ["부르다", "불리다"]
        .iter()
        .any(|l| grammar().id(l).map(Pred::Verb) == Some(clause.pred));
    loop {
        let count = list.len();
        let Some(first) = list.first_mut() else { break };
        let object = first.josa == Josa::Object && first.toks.len() == 1;
        if object || calls && !first.toks.first().is_some_and(|t| FIRST.contains(&t.text)) {
            break;
        }
        let Some(word) = first.toks.first().map(|t| t.text) else {
            break;
        };
        let alone = first.toks.len() == 1;
        if let Some((relation, used)) = leading_relation(first) {
            let whole = used == first.toks.len();
            if !is_owner(clause, list, used, subjects) {
                break;
            }
            who = if relation.closeness == Closeness::Other {
                Who::Foreign
            } else {
                Who::Someone(relation)
            };
            lasting = true;
            if whole {
                list.remove(0);
            } else {
                list[0].toks.drain(..used);
            }
            break;
        }
        if FIRST.contains(&word) && !(alone && clause.pred == Pred::Noun && count == 1) {
            who = Who::User;
            lasting = true;
            if alone {
                list.remove(0);
            } else {
                first.toks.remove(0);
            }
            continue;
        }
        if words().is(word, named().second) || words().is(word, named().person) && first.josa != Josa::Bare && alone {
            who = Who::Foreign;
            lasting = true;
        }
        break;
    }
    if who == Who::Unsaid {
        let person =
            |p: &Phrase<'_>| matches!(p.josa, Josa::Topic | Josa::Subject) && words().is(p.head(), named().person);
        let outsider = list
            .iter()
            .any(|p| p.josa == Josa::Topic && names_nobody_known(p, subjects) || person(p));
        if outsider {
            let foreign = carry.who == Who::Foreign;
            carry.who = Who::Foreign;
            return if foreign { Who::Foreign } else { Who::Unsaid };
        }
        return carry.who;
    }
    if lasting {
        carry.who = who;
    }
    who
}

/// A topic that is neither a subject of the table nor a time.
fn names_nobody_known(phrase: &Phrase<'_>, subjects: &Subjects) -> bool {
    subjects.find(&phrase.text()).is_none()
        && words().of(phrase.head()) == 0
        && phrase.toks.len() == 1
        && phrase.head().chars().count() >= 2
}

/// The relation that the phrase starts with, and how many words name it.
fn leading_relation(phrase: &Phrase<'_>) -> Option<(&'static Relation, usize)> {
    (1..=phrase.toks.len().min(3)).rev().find_map(|count| {
        let text: Vec<&str> = phrase.toks[..count].iter().map(|t| t.text).collect();
        relation(&text.join(" ")).map(|r| (r, count))
    })
}

/// A relation is the owner unless the sentence says that the user has one (`동생이 있어`), lives
/// with one (`부모님이랑 살아`), or is one.
fn is_owner(clause: &Clause<'_>, list: &[Phrase<'_>], used: usize, subjects: &Subjects) -> bool {
    let Some(first) = list.first() else {
        return false;
    };
    let whole = used == first.toks.len();
    let having = [grammar().id("있다"), grammar().id("없다"), grammar().id("생기다")];
    let has = matches!(clause.pred, Pred::Verb(id) if having.contains(&Some(id)));
    let another = list.iter().skip(1).any(|p| relation(p.head()).is_some());
    if has && whole && (list.len() == 1 || another) {
        return false;
    }
    if whole && list.len() == 1 && clause.pred == Pred::Noun {
        return false;
    }
    // 베프는 정호야: a subject of its own, when a name follows.
    if whole && clause.pred == Pred::Noun && subjects.find(&first.text()).is_some() && super::subject::names_value(list)
    {
        return false;
    }
    // 친구 결혼식: the event is the user's to go to.
    let attended = [
        "결혼식",
        "돌잔치",
        "졸업식",
        "입학식",
        "장례식",
        "파티",
        "공연",
        "콘서트",
        "전시회",
        "집들이",
        "연주회",
    ];
    if !whole && attended.iter().any(|event| first.head().ends_with(event)) {
        return false;
    }
    // 우리 언니 이번에 결혼해: no particle, and nobody else to do it.
    let does = [
        "결혼하다",
        "이혼하다",
        "이사하다",
        "취직하다",
        "취업하다",
        "졸업하다",
        "입대하다",
        "전역하다",
        "살다",
        "다니다",
        "일하다",
        "합격하다",
        "승진하다",
        "은퇴하다",
        "임신하다",
        "출산하다",
    ];
    if whole
        && first.josa == Josa::Bare
        && does
            .iter()
            .any(|l| grammar().id(l).map(Pred::Verb) == Some(clause.pred))
    {
        return true;
    }
    if whole {
        matches!(
            first.josa,
            Josa::Topic | Josa::Subject | Josa::Also | Josa::Of | Josa::Other
        )
    } else {
        true
    }
}
