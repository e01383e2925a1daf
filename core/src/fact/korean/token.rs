//! Words of a Korean sentence, with the spacing that the rules expect.

use super::predicate::grammar;
use super::{jamo, josa};
use crate::fact::number;
use crate::fact::sentence::is_laughter;
use crate::fact::words::{named, words};

/// One word. `text` lies inside the lower-case message at `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tok<'a> {
    pub text: &'a str,
    pub start: usize,
    /// A comma, slash or dot that separates list items follows.
    pub comma: bool,
}

impl Tok<'_> {
    /// The byte after the word.
    #[must_use]
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Splits `low[from..to]` into words.
#[must_use]
pub fn tokens(low: &str, from: usize, to: usize) -> Vec<Tok<'_>> {
    let mut out: Vec<Tok<'_>> = Vec::with_capacity(12);
    let mut start = from;
    for (at, c) in low[from..to].char_indices().map(|(i, c)| (i + from, c)) {
        let separator =
            c.is_whitespace() || matches!(c, ',' | '、' | '·' | '(' | ')' | '"') || is_list_slash(low, at, c);
        if separator {
            push(&mut out, low, start, at);
            let lists = !c.is_whitespace() && !matches!(c, '(' | ')' | '"');
            if let Some(last) = out.last_mut().filter(|_| lists) {
                last.comma = true;
            }
            start = at + c.len_utf8();
        }
    }
    push(&mut out, low, start, to);
    join_split_words(low, out)
}

/// A slash or ampersand between words lists them; between digits it is a date.
fn is_list_slash(low: &str, at: usize, c: char) -> bool {
    c == '/' && !low[..at].ends_with(|p: char| p.is_ascii_digit())
}

fn push<'a>(out: &mut Vec<Tok<'a>>, low: &'a str, start: usize, end: usize) {
    let keep = |c: char| (jamo::is_letter(c) || matches!(c, '%' | '+' | '_' | '$' | '₩')) && !is_laughter(c);
    let piece = &low[start..end];
    let Some(first) = piece.find(keep) else {
        return;
    };
    let last = piece
        .char_indices()
        .rev()
        .find(|(_, c)| keep(*c))
        .map_or(0, |(i, c)| i + c.len_utf8());
    let (begin, end) = (start + first, start + last);
    let mut start = begin;
    let mut previous: Option<char> = None;
    for (at, c) in low[begin..end].char_indices().map(|(i, c)| (i + begin, c)) {
        // 나이는25살: digits begin a new word after Hangul. 고있/고싶/지않: a missing space.
        let grade = matches!(&low[start..at], "고" | "중" | "초");
        let digits =
            !grade && c.is_ascii_digit() && previous.is_some_and(jamo::is_syllable) && !number_before(&low[start..at]);
        let helper = matches!(
            (previous, c),
            (Some('고'), '있' | '싶' | '계') | (Some('지'), '않') | (Some('는'), '중' | '편')
        ) && low[start..at].chars().count() >= 2;
        if digits || helper {
            out.push(Tok {
                text: &low[start..at],
                start,
                comma: false,
            });
            start = at;
        }
        previous = Some(c);
    }
    for (text, start) in unglued(&low[start..end], start) {
        out.push(Tok {
            text,
            start,
            comma: false,
        });
    }
}

/// `안먹어`, `못봄`, `뜨개질해`: a negation or a noun of the lexicon that is written together with its verb.
fn unglued(word: &str, start: usize) -> Vec<(&str, usize)> {
    let whole = vec![(word, start)];
    let g = grammar();
    let cut = |at: usize| vec![(&word[..at], start), (&word[at..], start + at)];
    if word.chars().count() < 2 || !word.starts_with(jamo::is_syllable) || words().meaning(word) != 0 {
        return whole;
    }
    if let Some(rest) = ["안", "못"].iter().find_map(|p| word.strip_prefix(p)) {
        let verb = g.verbs(word).next().is_none() && g.verbs(rest).next().is_some();
        return if verb { cut(word.len() - rest.len()) } else { whole };
    }
    let does = |at: &usize| {
        let verb = matches!(
            word[*at..].chars().next(),
            Some('하' | '해' | '했' | '함' | '합' | '한' | '할' | '뛰' | '뜀' | '뜁')
        );
        verb && is_activity(&word[..*at])
    };
    let found = word.char_indices().map(|(at, _)| at).skip(2).find(does);
    match found {
        Some(at) if g.verbs(word).next().is_none() && g.verbs(&word[at..]).next().is_some() => cut(at),
        _ => whole,
    }
}

/// Something that is done: a sport, a hobby, a part-time job.
fn is_activity(noun: &str) -> bool {
    let n = named();
    words().class(noun) & (n.sport | n.hobby) != 0 || noun.ends_with("알바")
}

/// `3월` before `15일`, `1미터` before `78`: the digits belong to the same value.
fn number_before(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Joins what a space has torn apart: a number and its unit, a noun and its particle.
fn join_split_words<'a>(low: &'a str, parts: Vec<Tok<'a>>) -> Vec<Tok<'a>> {
    let mut out: Vec<Tok<'a>> = Vec::with_capacity(parts.len());
    for tok in parts {
        if let Some(last) = out.last_mut().filter(|l| !l.comma) {
            let gap = &low[last.end()..tok.start];
            let near = gap.chars().all(char::is_whitespace) && gap.len() <= 2;
            let particle =
                josa::is_particle(tok.text) && jamo::ends_closed(last.text).is_some() && fits(last.text, tok.text);
            if near && (particle || joins_number(last.text, tok.text)) {
                *last = Tok {
                    text: &low[last.start..tok.end()],
                    start: last.start,
                    comma: tok.comma,
                };
                continue;
            }
        }
        out.push(tok);
    }
    out
}

fn fits(noun: &str, particle: &str) -> bool {
    let glued = format!("{noun}{particle}");
    josa::split(&glued).0 == noun.len()
}

/// Do these two words make one number with a unit?
fn joins_number(left: &str, right: &str) -> bool {
    const UNITS: [&str; 19] = [
        "살", "세", "월", "일", "cm", "kg", "센", "킬로", "키로", "년", "원", "만", "천", "미터", "대", "달러", "학년",
        "m", "피트",
    ];
    let last = left.rsplit(' ').next().unwrap_or(left);
    let month = last.ends_with('월') && number::leading(last).is_some();
    let year = last.ends_with('년') && last.starts_with(|c: char| c.is_ascii_digit());
    let big = last.ends_with(['만', '천', '억', '터']) && number::leading(last).is_some();
    if month || year || big {
        return number::leading(right).is_some();
    }
    let whole = number::whole(last).is_some() && !matches!(last, "이" | "일" | "오" | "사" | "구" | "한" | "만" | "천");
    let few = matches!(last, "한" | "두" | "세" | "네") && right.starts_with('살');
    let tens = matches!(last, "열" | "스물" | "서른" | "마흔" | "쉰" | "예순")
        && number::leading(right).is_some_and(|(n, _)| n < 10);
    few || tens || (whole && UNITS.iter().any(|u| right.starts_with(u)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text, 0, text.len()).iter().map(|t| t.text).collect()
    }

    #[test]
    fn torn_words_are_joined_and_glued_ones_split() {
        assert_eq!(words("나이는25살"), ["나이는", "25살"]);
        assert_eq!(words("난 스물 다섯 살이야!"), ["난", "스물 다섯 살이야"]);
        assert_eq!(words("3월 15 일에 태어남"), ["3월 15 일에", "태어남"]);
        assert_eq!(words("서울에 살고있어"), ["서울에", "살고", "있어"]);
        assert_eq!(words("독서, 수영/등산"), ["독서", "수영", "등산"]);
        assert_eq!(words("1미터 78이야"), ["1미터 78이야"]);
    }
}
