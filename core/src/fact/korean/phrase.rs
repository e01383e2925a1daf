//! Noun phrases: words up to the one that carries the particle.

use super::josa::{self, Josa};
use super::predicate::{Tail, grammar};
use super::slot::{self, Slot};
use super::token::Tok;
use crate::fact::relations::relation;
use crate::fact::subjects::Subjects;
use crate::fact::words::{named, words};

/// A noun phrase: its words and their role. The particle is cut from the last word.
#[derive(Clone, Debug)]
pub struct Phrase<'a> {
    pub toks: Vec<Tok<'a>>,
    pub josa: Josa,
    /// The particle said "라고": a name or a quotation.
    pub quoted: bool,
}

impl<'a> Phrase<'a> {
    /// First and last byte in the message.
    #[must_use]
    pub fn range(&self) -> std::ops::Range<usize> {
        let start = self.toks.first().map_or(0, |t| t.start);
        start..self.toks.last().map_or(start, Tok::end)
    }

    /// The words, one space between them.
    #[must_use]
    pub fn text(&self) -> String {
        let mut words: Vec<&str> = self.toks.iter().map(|t| t.text).collect();
        // 매운 건, 단 게: 것 with its particle.
        if let [.., _, last] = words.as_mut_slice()
            && matches!(*last, "건" | "걸")
        {
            *last = "거";
        }
        words.join(" ")
    }

    /// The word the phrase is about: the last.
    #[must_use]
    pub fn head(&self) -> &'a str {
        self.toks.last().map_or("", |t| t.text)
    }
}

/// Groups the words of a clause into phrases. Adverbs fall away. With `noun_predicate` the last
/// word is a noun already freed from its copula and keeps its form.
#[must_use]
pub fn phrases<'a>(args: &[Tok<'a>], subjects: &Subjects, noun_predicate: bool) -> Vec<Phrase<'a>> {
    let mut out: Vec<Phrase<'a>> = Vec::new();
    let mut open: Vec<Tok<'a>> = Vec::new();
    for (at, tok) in args.iter().enumerate() {
        let last = noun_predicate && at + 1 == args.len();
        // 사계절 중에서는 가을을: what is chosen from says nothing.
        if !last && is_among(tok.text) {
            open.clear();
            continue;
        }
        // 개띠에 사수자리 그리고 O형: lists.
        if !last && matches!(tok.text, "그리고" | "또" | "및") && !open.is_empty() {
            out.push(Phrase {
                toks: std::mem::take(&mut open),
                josa: Josa::And,
                quoted: false,
            });
            continue;
        }
        if !last && skipped(tok.text) {
            continue;
        }
        if !last && is_count(args, at) {
            // 오빠 한 명이랑, 딸 둘 아들 하나: the count closes the phrase it counts.
            let alone = ["하나", "둘", "셋", "넷"].iter().any(|n| tok.text.starts_with(n));
            let more = alone && at + 1 < args.len();
            let josa = if alone { Josa::Bare } else { josa::split(tok.text).1 };
            if !open.is_empty() && (josa != Josa::Bare || more) {
                let josa = if more { Josa::And } else { josa };
                out.push(Phrase {
                    toks: std::mem::take(&mut open),
                    josa,
                    quoted: false,
                });
            }
            continue;
        }
        let (len, josa) = if last {
            (tok.text.len(), Josa::Bare)
        } else {
            split(tok.text, subjects)
        };
        // 무서워하는 건: 것은 in one syllable.
        let josa = match tok.text {
            "건" if !open.is_empty() && !last => Josa::Topic,
            "게" if !open.is_empty() && !last => Josa::Subject,
            _ => josa,
        };
        let quoted = tok.text[len..].trim_start().ends_with("라고") && len < tok.text.len();
        open.push(Tok {
            text: tok.text[..len].trim_end(),
            ..*tok
        });
        let josa = if josa == Josa::Bare && tok.comma && !last {
            Josa::And
        } else {
            josa
        };
        if is_time(&open, josa) && !last {
            open.clear();
            continue;
        }
        if josa != Josa::Bare || last {
            out.push(Phrase {
                toks: std::mem::take(&mut open),
                josa,
                quoted,
            });
        }
    }
    if !open.is_empty() {
        out.push(Phrase {
            toks: open,
            josa: Josa::Bare,
            quoted: false,
        });
    }
    out
}

/// `한 명`, `두 마리를`, `2마리`: how many says nothing about who and what.
fn is_count(args: &[Tok<'_>], at: usize) -> bool {
    let counter = |w: &str| {
        ["명", "마리", "분", "번", "잔"].iter().any(|c| {
            w.strip_prefix(c).is_some_and(|r| {
                matches!(
                    r,
                    "" | "이" | "을" | "를" | "의" | "도" | "가" | "은" | "이랑" | "하고" | "과" | "랑" | "와"
                )
            })
        })
    };
    let number = |w: &str| crate::fact::number::whole(w).is_some();
    let word = args[at].text;
    let glued = crate::fact::number::leading(word).is_some_and(|(_, used)| counter(&word[used..]));
    let next = args.get(at + 1).is_some_and(|t| counter(t.text));
    let alone = matches!(
        word,
        "하나" | "둘" | "셋" | "넷" | "하나가" | "둘이" | "둘에" | "하나에" | "셋에"
    ) && at > 0;
    alone || glued || number(word) && next || counter(word) && at > 0 && number(args[at - 1].text)
}

/// `쉴 때는`, `주말에`: when, not who or what.
fn is_time(open: &[Tok<'_>], josa: Josa) -> bool {
    let head = open.last().map_or("", |t| t.text);
    matches!(josa, Josa::Topic | Josa::At) && words().is(head, named().time)
}

/// After what is chosen from.
fn is_among(word: &str) -> bool {
    matches!(word, "중에" | "중에는" | "중엔" | "중에서" | "중에서는" | "중에선")
}

/// Adverbs and stretches of time say nothing about who and what.
fn skipped(word: &str) -> bool {
    let n = named();
    let topic = word.strip_suffix(['는', '은', '엔']).unwrap_or(word);
    if words().is(word, n.adverb) || words().is(topic, n.adverb) || word.ends_with("하게") {
        return true;
    }
    let digit = word.starts_with(|c: char| c.is_ascii_digit()) || crate::fact::number::leading(word).is_some();
    digit
        && ["째", "동안", "전에", "전부터", "년째", "년간"]
            .iter()
            .any(|s| word.ends_with(s))
        || (word.ends_with("부터") && word.chars().count() >= 3)
}

/// `좋아하는 음식`: a verb that modifies the next noun, not a noun with a particle.
fn is_modifier(word: &str, noun: &str, subjects: &Subjects) -> bool {
    let known = matches!(noun, "나" | "저" | "너")
        || words().meaning(noun) != 0
        || subjects.find(noun).is_some()
        || relation(noun).is_some();
    let stem = noun.ends_with(['하', '되']) && noun.chars().count() >= 2 && word.ends_with('는');
    !known && (stem || grammar().verbs(word).any(|v| v.tail == Tail::Adn))
}

/// Noun and particle, but a word that is known as a whole stays whole (`나이`, `제주도`, `화가`).
fn split(word: &str, subjects: &Subjects) -> (usize, Josa) {
    let (len, josa) = josa::split(word);
    // 밀양서 나서: 에서 in one syllable.
    if let Some(place) = word
        .strip_suffix('서')
        .filter(|p| josa == Josa::Bare && words().is(p, named().place))
    {
        return (place.len(), Josa::From);
    }
    if josa == Josa::Bare {
        return (len, josa);
    }
    let whole = words().meaning(word) != 0 || subjects.find(word).is_some() || relation(word).is_some();
    let major = |noun: &str| slot::fits(Slot::Major, noun, "", true) || noun.ends_with("교육");
    let suffixed = word.strip_suffix('과').is_some_and(major);
    if whole || suffixed || is_modifier(word, &word[..len], subjects) {
        (word.len(), Josa::Bare)
    } else {
        (len, josa)
    }
}
