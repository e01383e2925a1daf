//! Noun predicates: a noun with a copula, or a bare noun at the end.

use super::clause::{Clause, Mood, Pred, is_noun, mood_of};
use super::josa;
use super::predicate::{Tail, grammar};
use super::slot;
use super::token::Tok;
use crate::fact::subjects::Subjects;
use crate::fact::types::Class;
use crate::fact::words::{named, words};

/// A noun predicate at this word: always at the end, inside a sentence only when it is certain.
pub fn noun_at<'a>(toks: &[Tok<'a>], first: usize, at: usize, last: bool) -> Option<Clause<'a>> {
    let tok = toks[at];
    let g = grammar();
    let bare = at > first && last && g.bare_copula(tok.text).is_some() && tok.text.chars().count() >= 2;
    let read = if bare { None } else { base(tok.text) };
    // 윤서라고 불러: what somebody is called, no statement of its own.
    let called = tok.text.ends_with("라고")
        && toks.get(at + 1).is_some_and(|t| {
            ["불", "부르", "부른", "해", "하", "합", "함"]
                .iter()
                .any(|p| t.text.starts_with(p))
        });
    if called {
        return None;
    }
    let (len, tail) = match read {
        Some((len, tail))
            if last
                || certain(tok.text, len, tail)
                || at > first
                    && is_choice(toks[at - 1].text, &tok.text[..len])
                    && matches!(tail, Tail::Link | Tail::Assert)
                || tok.comma && tail == Tail::Assert && !matches!(&tok.text[len..], "이" | "요" | "지" | "네") =>
        {
            (len, tail)
        }
        // 현재 체중 97kg, 식단 짜 줘: a value with its unit needs no copula before a comma.
        _ if !last && tok.comma && is_measure(tok.text) => (tok.text.len(), Tail::Assert),
        _ if !last => return None,
        _ => (tok.text.len(), Tail::Assert),
    };
    // 모쏠이라고: at the end of a sentence it insists, it does not quote.
    let insists = last && tail == Tail::Quote && (tok.text.ends_with("라고") || tok.text.ends_with("라네"));
    let tail = if insists { Tail::Assert } else { tail };
    let copula = bare || len < tok.text.len();
    let pred = if copula || !looks_verbal(tok.text) {
        Pred::Noun
    } else {
        Pred::Unknown
    };
    let mood = mood_of(tail).or(last.then_some(Mood::Guess))?;
    let mut args = toks[first..=at].to_vec();
    if bare {
        args.pop();
    } else if let Some(noun) = args.last_mut() {
        noun.text = &noun.text[..len];
    }
    Some(Clause {
        args,
        pred,
        mood,
        past: tail == Tail::Past,
        negated: false,
        copula,
        linked: !last,
        unable: false,
        since: false,
        open: false,
        start: toks[first].start,
        end: tok.end(),
    })
}

/// A last word outside the lexicon that ends like a verb is one that the table does not know.
fn looks_verbal(word: &str) -> bool {
    const ENDS: [&str; 24] = [
        "해", "어", "워", "줘", "네", "다", "요", "죠", "까", "니", "래", "돼", "됐", "함", "됨", "음", "냐", "려",
        "라고", "자고", "는지", "겠지", "구나", "데",
    ];
    let short = word.chars().count() < 2;
    !short && !is_noun(word) && !slot::is_telling(word) && ENDS.iter().any(|e| word.ends_with(e))
}

/// The noun of a word that carries a copula. The longest noun of the lexicon wins (`고양이`+야 over
/// `고양`+이야), then the shortest noun, whose copula is the longest.
pub fn base(word: &str) -> Option<(usize, Tail)> {
    let g = grammar();
    if is_noun(word) || super::noun::is_school(word) || words().is(word, named().badvalue | named().adverb) {
        return None;
    }
    let known = g
        .nouns(word)
        .filter(|n| is_noun(&word[..n.base]) || crate::fact::relations::relation(&word[..n.base]).is_some());
    let known = known.last();
    let telling = || {
        g.nouns(word)
            .find(|n| &word[n.base..] != "요" && slot::is_telling(&word[..n.base]))
    };
    let suffixed = || g.nouns(word).find(|n| josa::keeps_i(&word[..n.base]));
    // 이예요 after a consonant is a misspelling of 이에요; 몽이+예요 is not one.
    let spelled = || {
        g.nouns(word)
            .find(|n| &word[n.base..] == "예요" && word[..n.base].ends_with('이'))
    };
    known
        .or_else(telling)
        .or_else(suffixed)
        .or_else(spelled)
        .or_else(|| g.nouns(word).next())
        .map(|n| (n.base, n.tail))
}

fn is_measure(word: &str) -> bool {
    use slot::Slot;
    [
        Slot::Height,
        Slot::Weight,
        Slot::Age,
        Slot::Blood,
        Slot::Mbti,
        Slot::Grade,
    ]
    .iter()
    .any(|s| slot::fits(*s, word, "", true))
}

/// `천주교 신자라서`, `한화 이글스 팬이라`: two words that tell something.
fn is_choice(before: &str, noun: &str) -> bool {
    let both = format!("{before} {noun}");
    ["종교", "연애상태", "식단", "흡연"]
        .iter()
        .any(|key| crate::fact::value::choice(key, &both).is_some())
        || matches!(
            noun,
            "팬" | "광팬"
                | "덕후"
                | "신자"
                | "토박이"
                | "집사"
                | "출신"
                | "전공"
                | "재학생"
                | "띠"
                | "년차"
                | "환자"
                | "국적"
                | "매니아"
                | "마니아"
        )
}

/// Is this surely a noun with a copula that goes on to another clause?
fn certain(word: &str, len: usize, tail: Tail) -> bool {
    let noun = &word[..len];
    let ending = &word[len..];
    let goes_on = matches!(tail, Tail::Link | Tail::Assert | Tail::Past | Tail::If | Tail::Quote);
    let long = ending.chars().count() >= 2
        && !matches!(
            ending,
            "이라" | "이라고" | "라고" | "이나" | "이란" | "이라는" | "라는" | "이라도" | "라도" | "이자"
        );
    let subject = || {
        Subjects::builtin()
            .find(noun)
            .is_some_and(|s| s.class == Class::Identity)
    };
    let value = slot::is_telling(noun) || ending == "이라" && subject();
    goes_on && (value || (long && tail != Tail::Quote)) && ending != "이라고" && ending != "라고"
}
