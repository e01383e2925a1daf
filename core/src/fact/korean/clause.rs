//! Clauses of a Korean sentence: what stands before a predicate, and how the predicate is meant.

use super::copula::{base, noun_at};
use super::predicate::{Grammar, Tail, VerbId, VerbWord, grammar};
use super::token::Tok;
use crate::fact::number;
use crate::fact::words::{named, words};

/// How a predicate is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mood {
    Assert,
    Plan,
    Wish,
    Ask,
    If,
    Order,
    /// Somebody says so.
    Quote,
    Guess,
}

/// What the clause says of its nouns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pred {
    Verb(VerbId),
    /// Noun + copula, or a bare noun at the end. The noun is the last argument.
    Noun,
    /// A verb that states nothing we know.
    Unknown,
}

/// One clause.
#[derive(Clone, Debug)]
pub struct Clause<'a> {
    pub args: Vec<Tok<'a>>,
    pub pred: Pred,
    pub mood: Mood,
    pub past: bool,
    pub negated: bool,
    /// Noun predicates: a copula was said, so it is a statement and not a fragment.
    pub copula: bool,
    /// More follows in the same sentence.
    pub linked: bool,
    /// The negation says "cannot" (못), not "does not" (안).
    pub unable: bool,
    /// 다닌 지 5년 됐어: begun then, and still so.
    pub since: bool,
    /// -고: the tense comes with what follows.
    pub open: bool,
    pub start: usize,
    pub end: usize,
}

/// Splits a sentence into clauses.
#[must_use]
pub fn clauses<'a>(toks: &[Tok<'a>]) -> Vec<Clause<'a>> {
    let mut out = Vec::new();
    let mut first = 0;
    let mut at = 0;
    while at < toks.len() {
        let last = at + 1 == toks.len();
        // 테마는 남색으로, 내가 남색을 좋아해: the speaker begins anew after a comma.
        let anew = matches!(toks[at].text, "난" | "나는" | "내가" | "저는" | "제가" | "나" | "전");
        if anew && at > first && toks[at - 1].comma {
            first = at;
        }
        let since = since_at(toks, at);
        let begun = since.map(|(verb, used)| (Some(verb), Mood::Assert, false, used));
        if let Some((verb, mood, negated, used)) = begun.or_else(|| verb_at(toks, at)) {
            let (args, before) = without_negation(&toks[first..at]);
            let unable = before && at > first && toks[at - 1].text == "못";
            out.push(Clause {
                args,
                pred: verb.map_or(Pred::Unknown, |v| Pred::Verb(v.verb)),
                mood,
                past: verb.is_some_and(|v| v.past),
                negated: negated || before,
                copula: false,
                linked: at + used < toks.len(),
                unable,
                since: since.is_some(),
                open: used == 1 && verb.is_some_and(|v| v.tail == Tail::Go),
                start: toks[first].start,
                end: toks[at + used - 1].end(),
            });
            at += used;
            first = at;
            continue;
        }
        if let Some(clause) = noun_at(toks, first, at, last) {
            out.push(clause);
            first = at + 1;
        }
        at += 1;
    }
    out
}

/// `다닌 지 5년 됐어`, `키운지 3년째야`: the verb, and the words up to the end of the stretch of time.
fn since_at(toks: &[Tok<'_>], at: usize) -> Option<(VerbWord, usize)> {
    let g = grammar();
    let word = toks[at].text;
    let next = toks.get(at + 1).map_or("", |t| t.text);
    let glued = ["지가", "지는", "지도", "지", "진"]
        .iter()
        .find_map(|e| word.strip_suffix(e));
    let apart = matches!(next, "지" | "지가" | "지는" | "지도" | "진");
    let (verb, from) = match glued {
        _ if apart => (word, at + 2),
        Some(verb) => (verb, at + 1),
        None => return None,
    };
    let time = toks.get(from)?.text;
    let unit = toks
        .get(from + 1)
        .is_some_and(|t| ["달", "년", "개월", "주", "일"].iter().any(|u| t.text.starts_with(u)));
    let stretch = number::whole(time).is_some() && unit
        || number::leading(time).is_some_and(|(_, used)| {
            ["년", "달", "개월", "주", "일", "시간"]
                .iter()
                .any(|u| time[used..].trim_start().starts_with(u))
        })
        || matches!(
            time,
            "얼마" | "꽤" | "한참" | "오래" | "거의" | "벌써" | "이제" | "몇" | "한" | "좀" | "일" | "이" | "삼"
        );
    if !stretch {
        return None;
    }
    let verb = g.verbs(verb).find(|v| v.tail == Tail::Adn)?;
    let ends = |t: &Tok<'_>| {
        ["되", "됐", "됨", "된", "돼", "넘", "지났", "정도", "째"]
            .iter()
            .any(|p| t.text.starts_with(p))
            || t.text.contains("째")
            || base(t.text).is_some_and(|(len, _)| t.text[..len].ends_with(['년', '달', '월', '일', '주']))
    };
    let count = toks[from..].iter().take(5).position(ends).map_or(1, |n| n + 1);
    Some((VerbWord { past: false, ..verb }, from + count - at))
}

/// 안 and 못 before a verb.
fn without_negation<'a>(args: &[Tok<'a>]) -> (Vec<Tok<'a>>, bool) {
    match args.split_last() {
        Some((last, rest)) if matches!(last.text, "안" | "못") => (rest.to_vec(), true),
        _ => (args.to_vec(), false),
    }
}

/// Words of the lexicon are nouns even where they look like verbs (`사자`, `피자`).
pub fn is_noun(word: &str) -> bool {
    words().meaning(word) != 0
}

type Verb = (Option<VerbWord>, Mood, bool, usize);

/// The predicate that starts at a word, with its helpers: verb, mood, negation, words used.
fn verb_at(toks: &[Tok<'_>], at: usize) -> Option<Verb> {
    let word = toks[at].text;
    let last = at + 1 == toks.len();
    let denied = at > 0 && matches!(toks[at - 1].text, "안" | "못");
    if word.chars().count() == 1
        && !denied
        && !(matches!(word, "해" | "돼" | "봐" | "써" | "쳐" | "와" | "가" | "함" | "됨") && (last || toks[at].comma))
    {
        return next_is_helper(toks, at).then(|| single(toks, at)).flatten();
    }
    // 그리고 is "and" unless something is drawn.
    let joins = word == "그리고" && !(at > 0 && toks[at - 1].text.ends_with(['을', '를', '림']));
    if is_noun(word)
        || joins
        || words().is(word, named().badvalue | named().adverb)
            && !["아니", "있", "없"].iter().any(|p| word.starts_with(p))
    {
        return None;
    }
    let g = grammar();
    if lists_noun(g, toks, at) {
        return None;
    }
    let mut readings = g.verbs(word).peekable();
    if readings.peek().is_none() {
        let noun = base(word).is_some_and(|(len, _)| super::slot::is_telling(&word[..len]));
        return unknown(word).filter(|_| !noun).map(|mood| (None, mood, false, 1));
    }
    // A word may be read in two ways (사는데); the first that makes a predicate counts.
    readings.find_map(|v| resolve(g, toks, at, v))
}

/// 취미는 캠핑하고 낚시야: 하고 after a topic and before another noun lists nouns.
fn lists_noun(g: &Grammar, toks: &[Tok<'_>], at: usize) -> bool {
    let noun = toks[at].text.strip_suffix("하고").is_some_and(is_noun);
    let topic = at > 0 && toks[at - 1].text.ends_with(['는', '은']);
    noun && topic && toks.get(at + 1).is_some_and(|t| g.verbs(t.text).next().is_none())
}

/// 할 거야, 살 예정: a one-syllable future needs its noun.
fn single(toks: &[Tok<'_>], at: usize) -> Option<Verb> {
    let g = grammar();
    g.verbs(toks[at].text)
        .filter(|v| v.tail == Tail::Fut)
        .find_map(|v| resolve(g, toks, at, v))
}

fn next_is_helper(toks: &[Tok<'_>], at: usize) -> bool {
    toks.get(at + 1).is_some_and(|t| future_noun(t.text).is_some())
}

/// What the noun after a future form makes of it.
fn future_noun(word: &str) -> Option<Mood> {
    let starts = |list: &[&str]| list.iter().any(|p| word.starts_with(p));
    if starts(&["거같", "것같", "듯", "지도", "텐데", "뻔"])
        || matches!(word, "거" | "것" | "게" | "수" | "수가" | "수도" | "수는" | "수밖에")
    {
        return Some(Mood::Guess);
    }
    starts(&["거", "꺼", "건", "겁", "예정", "계획", "생각", "작정", "참이"]).then_some(Mood::Plan)
}

fn resolve(g: &Grammar, toks: &[Tok<'_>], at: usize, verb: VerbWord) -> Option<Verb> {
    let next = toks.get(at + 1).filter(|_| !toks[at].comma);
    let helper =
        |lemmas: &[&str]| next.and_then(|t| g.verbs(t.text).find(|v| lemmas.iter().any(|l| g.id(l) == Some(v.verb))));
    let plain = |mood| Some((Some(verb), mood, false, 1));
    let with = |helper: VerbWord, negated, used| {
        let mood = mood_of(helper.tail)?;
        Some((
            Some(VerbWord {
                past: verb.past || helper.past,
                ..verb
            }),
            mood,
            negated,
            used,
        ))
    };
    match verb.tail {
        Tail::Go => match helper(&["있다", "살다"]) {
            Some(aux) => with(aux, false, 2),
            None if next.is_some_and(|t| t.text.starts_with('싶') || t.text.starts_with("파")) => {
                Some((Some(verb), Mood::Wish, false, 2))
            }
            None => plain(Mood::Assert),
        },
        Tail::Ji => match helper(&["않다", "못하다"]) {
            Some(aux) => with(aux, true, 2),
            None if next.is_some_and(|t| t.text.starts_with('마') || t.text.starts_with('말')) => {
                Some((Some(verb), Mood::Order, true, 2))
            }
            None => plain(Mood::Assert),
        },
        Tail::Ge => helper(&["되다"]).and_then(|aux| with(VerbWord { past: false, ..aux }, false, 2)),
        Tail::Gi => match next {
            Some(t) if t.text.starts_with("시작") => Some((Some(verb), Mood::Assert, false, 2)),
            Some(t) if t.text.starts_with("싫") => Some((Some(verb), Mood::Wish, true, 2)),
            Some(t) if toks[at].text.ends_with("기로") && t.text.starts_with(['했', '하']) => {
                Some((Some(verb), Mood::Plan, false, 2))
            }
            Some(t) if t.text.starts_with("때문") => Some((Some(verb), Mood::Assert, false, 2)),
            _ => None,
        },
        Tail::Adn => match next {
            Some(t) if t.text.starts_with('중') => Some((Some(verb), tail_of_noun(g, t.text, "중")?, false, 2)),
            Some(t) if t.text.starts_with('편') => Some((Some(verb), tail_of_noun(g, t.text, "편")?, false, 2)),
            Some(t) if t.text.starts_with('듯') => Some((Some(verb), Mood::Guess, false, 2)),
            Some(t)
                if matches!(t.text, "거" | "것" | "게")
                    && toks.get(at + 2).is_some_and(|t| t.text.starts_with('같')) =>
            {
                Some((Some(verb), Mood::Guess, false, 3))
            }
            _ => None,
        },
        Tail::Fut => future_noun(next?.text).map(|mood| (Some(verb), mood, false, 2)),
        Tail::If => {
            let wish = next.is_some_and(|t| t.text.starts_with("좋겠") || t.text.starts_with("싶"));
            Some((
                Some(verb),
                if wish { Mood::Wish } else { Mood::If },
                false,
                if wish { 2 } else { 1 },
            ))
        }
        Tail::Inf if next.is_some_and(|t| ["줘", "주세", "줄래", "달라"].iter().any(|p| t.text.starts_with(p))) => {
            Some((Some(verb), Mood::Order, false, 2))
        }
        Tail::Inf if next.is_some_and(|t| ["봤", "본", "보고", "볼까"].iter().any(|p| t.text.starts_with(p))) => {
            Some((None, Mood::Guess, false, 2))
        }
        Tail::Quote if next.is_some_and(|t| t.text.starts_with("생각") || t.text.starts_with("믿")) => {
            plain(Mood::Quote)
        }
        tail => mood_of(tail).and_then(plain),
    }
}

/// The mood of `중이야`, `편인데`.
fn tail_of_noun(g: &Grammar, word: &str, noun: &str) -> Option<Mood> {
    if word == noun {
        return Some(Mood::Assert);
    }
    g.nouns(word)
        .find(|n| n.base == noun.len())
        .and_then(|n| mood_of(n.tail))
}

pub fn mood_of(tail: Tail) -> Option<Mood> {
    Some(match tail {
        Tail::Assert | Tail::Link | Tail::Go | Tail::Ji | Tail::Inf | Tail::Past => Mood::Assert,
        Tail::Ask => Mood::Ask,
        Tail::If => Mood::If,
        Tail::Order => Mood::Order,
        Tail::Quote => Mood::Quote,
        Tail::Guess => Mood::Guess,
        Tail::Plan => Mood::Plan,
        Tail::Adn | Tail::Ge | Tail::Gi | Tail::Fut => return None,
    })
}

/// A verb outside the table still ends its clause, by the look of its ending.
fn unknown(word: &str) -> Option<Mood> {
    const LINKS: [&str; 16] = [
        "는데", "지만", "거든", "아서", "어서", "해서", "니까", "면서", "더니", "길래", "였고", "었고", "았고", "했고",
        "됐고", "려고",
    ];
    const IFS: [&str; 4] = ["으면", "다면", "하면", "려면"];
    let long = word.chars().count() >= 3;
    if long && LINKS.iter().any(|e| word.ends_with(e)) {
        return Some(Mood::Assert);
    }
    (long && IFS.iter().any(|e| word.ends_with(e))).then_some(Mood::If)
}
