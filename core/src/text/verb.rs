//! Korean conjugations to dictionary forms, where it is safe.
//!
//! Endings that no noun has (먹었는데, 먹습니다) are taken off any stem.
//! Endings that nouns share (먹고 and 광고, 좋아 and 동아) are taken off only
//! stems that the lexicon knows.

use super::endings::{AFTER_CLOSED, AFTER_N_OR_L, SHARED, is_hada, is_safe_after_one, starts_auxiliary};
use super::hangul::{
    self, FINAL_B, FINAL_L, FINAL_N, FINAL_SS, INITIAL_H, INITIAL_NONE, NO_FINAL, Syllable, V_A, V_AE, V_E, V_EO, V_I,
    V_O, V_OE, V_U, V_WA, V_WAE, V_WO, V_YEO, WIDTH,
};
use super::lexicon::{ends_in_noun, irregular, is_verb_stem};
use super::suffix::{Suffixes, Table};
use std::borrow::Cow;

/// What a conjugated eojeol is made of.
#[derive(Debug, PartialEq, Eq)]
pub enum Predicate<'r> {
    /// The stem that takes 다 in a dictionary.
    Verb(Cow<'r, str>),
    /// A noun with 하다, 되다 or the copula (공부했어, 학생이었어).
    Noun(Cow<'r, str>),
}
use Predicate::{Noun, Verb};

static SHARED_TABLE: Table<()> = Table::new(|| Suffixes::new(SHARED.iter().map(|&e| (e, ()))));
static FINAL_TABLE: Table<()> = Table::new(|| Suffixes::new(AFTER_N_OR_L.iter().map(|&e| (e, ()))));
static CLOSED_TABLE: Table<()> = Table::new(|| Suffixes::new(AFTER_CLOSED.iter().map(|&e| (e, ()))));

/// Stems that carry no meaning of their own.
pub fn is_light(stem: &str) -> bool {
    matches!(
        stem,
        "하" | "있" | "되" | "이" | "싶" | "않" | "그러" | "그렇" | "이렇" | "어떻" | "같" | "하시"
    )
}

/// A known verb at the end of a longer stem, with what stands before it.
/// Only stems of one closed syllable: open ones end too many other words.
pub fn known_tail(stem: &str) -> Option<(&str, &str)> {
    let (object, verb) = stem.split_at_checked(stem.len().checked_sub(WIDTH)?)?;
    let known = !object.is_empty() && hangul::is_closed(verb) && is_verb_stem(verb);
    (known && !is_verb_stem(stem)).then_some((object, verb))
}

/// Takes a conjugated eojeol apart; `None` when it may well be a noun.
pub fn analyse(run: &str) -> Option<Predicate<'_>> {
    if hangul::count(run) < 2 {
        return None;
    }
    let run = before_dependent_noun(run);
    cut_at_auxiliary(run)
        .or_else(|| before_second_verb(run))
        .or_else(|| past(run))
        .or_else(|| formal(run))
        .or_else(|| with_hada(run))
        .or_else(|| plain(run))
        .or_else(|| fused(run))
        .or_else(|| with_final(run))
}

/// 먹는거, 기다리는게: the noun written onto the verb says nothing.
fn before_dependent_noun(run: &str) -> &str {
    let cut =
        neighbours(run).find(|&(at, c, next)| at > 0 && c == '는' && matches!(next, '거' | '게' | '걸' | '것' | '건'));
    cut.map_or(run, |(at, ..)| &run[..at + WIDTH])
}

/// Each syllable with its place and the one after it.
fn neighbours(run: &str) -> impl Iterator<Item = (usize, char, char)> {
    let after = run.chars().skip(1).chain([' ']);
    run.char_indices().zip(after).map(|((at, c), next)| (at, c, next))
}

/// A stem found by rule, without the honorific and without 하다 or 되다.
fn settle(stem: Cow<'_, str>) -> Predicate<'_> {
    if is_verb_stem(&stem) {
        return Verb(stem);
    }
    let plain = stem.strip_suffix("으시").filter(|s| hangul::is_closed(s)).or_else(|| {
        stem.strip_suffix('시')
            .filter(|s| is_verb_stem(s) || s.ends_with(['하', '되']))
    });
    let plain = plain.unwrap_or(&stem);
    if let Some(noun) = plain.strip_suffix(['하', '되']).filter(|noun| !noun.is_empty()) {
        let root = noun.strip_suffix(['아', '어']).filter(|root| is_verb_stem(root));
        // 좋아하다 shares its root with 좋다; other stems are nouns.
        return match root {
            Some(root) => Verb(cut(&stem, root.len())),
            None => Noun(cut(&stem, noun.len())),
        };
    }
    Verb(cut(&stem, plain.len()))
}

fn cut<'r>(stem: &Cow<'r, str>, length: usize) -> Cow<'r, str> {
    match stem {
        Cow::Borrowed(stem) => Cow::Borrowed(&stem[..length]),
        Cow::Owned(stem) => Cow::Owned(stem[..length].to_owned()),
    }
}

/// The run with its last syllable replaced.
fn ending_in(before: &str, last: Syllable) -> String {
    let mut word = String::with_capacity(before.len() + WIDTH);
    word.push_str(before);
    word.push(last.join());
    word
}

/// 먹고싶어, 가지않아, 먹겠어: what follows the stem is an auxiliary.
/// 맛있는, 재미없어: the stem goes up to and with 있 or 없.
fn cut_at_auxiliary(run: &str) -> Option<Predicate<'_>> {
    for (at, c, next) in neighbours(run) {
        let end = at + WIDTH;
        match (c, next) {
            ('있' | '없', _) if end < run.len() => return Some(Verb(Cow::Borrowed(&run[..end]))),
            ('고', '싶' | '있') | ('지', '않' | '못') | ('겠', _) if at > 0 => {
                return Some(settle(Cow::Borrowed(&run[..at])));
            }
            // 하지마, but 아버지마다.
            ('지', '마') if at > 0 && matches!(&run[end + WIDTH..], "" | "요" | "라" | "세요") => {
                return Some(settle(Cow::Borrowed(&run[..at])));
            }
            _ => {}
        }
    }
    None
}

/// 먹어보세요, 기다려줘, 가야지: a known verb in 아/어 with another after it.
fn before_second_verb(run: &str) -> Option<Predicate<'_>> {
    let (at, _) = run.char_indices().skip(1).find(|&(_, c)| starts_auxiliary(c))?;
    if at + WIDTH == run.len() && !run.ends_with(['봐', '줘']) {
        return None;
    }
    let form = &run[..at];
    let last = hangul::last(form).filter(|s| s.last == NO_FINAL)?;
    match from_a_eo(hangul::but_last(form), last)? {
        Verb(stem) if is_verb_stem(&stem) && (stem != form || run[at..].starts_with('야')) => Some(Verb(stem)),
        _ => None,
    }
}

/// Past tense: a syllable with ㅆ under 아 or 어, and anything after it.
fn past(run: &str) -> Option<Predicate<'_>> {
    let (at, syllable) = run
        .char_indices()
        .rev()
        .filter_map(|(i, c)| Some((i, Syllable::split(c)?)))
        .find(|(_, s)| s.last == FINAL_SS && s.vowel != V_I)?;
    let before = &run[..at];
    if syllable.join() == '였' && !before.is_empty() {
        // 보였다 is 보이다; 의사였다 is a doctor.
        let passive = [before, "이"].concat();
        if is_verb_stem(&passive) {
            return Some(Verb(Cow::Owned(passive)));
        }
        let noun = before.strip_suffix('하').filter(|noun| !noun.is_empty());
        return Some(Noun(Cow::Borrowed(noun.unwrap_or(before))));
    }
    from_a_eo(before, syllable.with_last(NO_FINAL))
}

/// The stem behind a form in 아/어 (봐 is 보, 먹어 is 먹), given as its last
/// syllable and what stands before.
fn from_a_eo(before: &str, last: Syllable) -> Option<Predicate<'_>> {
    if let Some(stem) = irregular(&ending_in(before, last)) {
        return Some(Verb(Cow::Borrowed(stem)));
    }
    if last.initial == INITIAL_H && last.vowel == V_AE {
        return Some(settle(Cow::Owned([before, "하"].concat())));
    }
    if matches!(last.join(), '어' | '아') && !before.is_empty() {
        // 학생이었어
        let noun = before.strip_suffix('이').filter(|noun| hangul::is_closed(noun));
        return Some(match noun {
            Some(noun) if !is_verb_stem(before) => Noun(Cow::Borrowed(noun)),
            _ => settle(Cow::Borrowed(before)),
        });
    }
    let vowel = match last.vowel {
        V_WA => V_O,
        V_WO => V_U,
        V_YEO => V_I,
        V_WAE => V_OE,
        V_A | V_EO | V_AE | V_E => last.vowel,
        _ => return None,
    };
    // 추웠다 is 춥다, but 배웠다 is 배우다.
    if last.initial == INITIAL_NONE
        && matches!(last.vowel, V_WO | V_WA)
        && let Some(stem) = with_b(before)
    {
        return Some(Verb(Cow::Owned(stem)));
    }
    Some(settle(Cow::Owned(ending_in(before, last.with_vowel(vowel)))))
}

/// A known stem in ㅂ whose ㅂ has become a vowel after `before`.
fn with_b(before: &str) -> Option<String> {
    let end = hangul::last(before).filter(|s| s.last == NO_FINAL)?;
    let stem = ending_in(hangul::but_last(before), end.with_last(FINAL_B));
    is_verb_stem(&stem).then_some(stem)
}

/// 갑니다, 합니다: ㅂ under the stem's last syllable. 입니다 is the copula, a
/// particle to us.
fn formal(run: &str) -> Option<Predicate<'_>> {
    let rest = run.strip_suffix("니다").or_else(|| run.strip_suffix("니까"))?;
    let last = hangul::last(rest).filter(|s| s.last == FINAL_B && s.join() != '입')?;
    if let Some(stem) = rest.strip_suffix('습').filter(|s| !s.is_empty()) {
        return Some(settle(Cow::Borrowed(stem)));
    }
    Some(settle(Cow::Owned(ending_in(
        hangul::but_last(rest),
        last.with_last(NO_FINAL),
    ))))
}

/// 공부하고, 운동해서, 걱정돼요: a noun with a form of 하다 or 되다, or the
/// form alone.
fn with_hada(run: &str) -> Option<Predicate<'_>> {
    for (at, _) in run.char_indices() {
        let form = &run[at..at + WIDTH];
        let tail = &run[at + WIDTH..];
        if !is_hada(form, tail) || is_verb_stem(&run[..at + WIDTH]) {
            continue;
        }
        let noun = &run[..at];
        // 이해, 역할, 북한 are whole; 말해 and 일할 are not.
        if hangul::count(noun) == 1 && tail.is_empty() && !matches!(noun, "말" | "일") {
            continue;
        }
        if noun.is_empty() {
            return Some(Verb(Cow::Borrowed("하")));
        }
        let root = noun.strip_suffix(['아', '어']).filter(|root| is_verb_stem(root));
        return Some(root.map_or(Noun(Cow::Borrowed(noun)), |root| Verb(Cow::Borrowed(root))));
    }
    None
}

/// Endings that are syllables of their own.
fn plain(run: &str) -> Option<Predicate<'_>> {
    for (stem, ending, ()) in SHARED_TABLE.cuts(run).filter(|(stem, ..)| !stem.is_empty()) {
        let fits = !ending.starts_with(['은', '을', '음', '으']) || hangul::is_closed(stem);
        if fits && is_verb_stem(stem) {
            return Some(Verb(Cow::Borrowed(stem)));
        }
        // ㄹ goes before ㄴ: 만드는 is 만들다.
        if ending.starts_with(['는', '니', '네'])
            && let Some(last) = hangul::last(stem).filter(|s| s.last == NO_FINAL)
        {
            let long = ending_in(hangul::but_last(stem), last.with_last(FINAL_L));
            if is_verb_stem(&long) {
                return Some(Verb(Cow::Owned(long)));
            }
        }
    }
    CLOSED_TABLE
        .cuts(run)
        .map(|(stem, ..)| stem)
        .find(|stem| hangul::is_closed(stem) && !ends_in_noun(&run[..stem.len() + WIDTH]))
        .map(|stem| Verb(Cow::Borrowed(stem)))
}

/// 봐, 추워요, 마셔서: 아/어 melted into a known stem.
fn fused(run: &str) -> Option<Predicate<'_>> {
    let body = run.strip_suffix('요').unwrap_or(run);
    let linked = body
        .strip_suffix('서')
        .or_else(|| body.strip_suffix('도'))
        .or(body.strip_suffix('야'));
    for form in [linked, Some(body)].into_iter().flatten() {
        let Some(last) = hangul::last(form).filter(|s| s.last == NO_FINAL) else {
            continue;
        };
        let Some(Verb(stem)) = from_a_eo(hangul::but_last(form), last) else {
            continue;
        };
        // 가서 shows its verb; 가도 and 가 may be anything.
        let shown = stem != form || body.ends_with('서') && form.len() < body.len();
        let bare = hangul::count(form) == 1 && form.len() == run.len();
        if is_verb_stem(&stem) && shown && !bare {
            return Some(Verb(Cow::Owned(stem.into_owned())));
        }
    }
    None
}

/// 만난, 갈게, 본다, 매운, 만든: ㄴ or ㄹ under a known stem.
fn with_final(run: &str) -> Option<Predicate<'_>> {
    // The empty tail is no entry of the table.
    let bare = [(run, "", ())].into_iter();
    for (form, tail, ()) in FINAL_TABLE.cuts(run).chain(bare) {
        let Some(last) = hangul::last(form).filter(|s| matches!(s.last, FINAL_N | FINAL_L)) else {
            continue;
        };
        let before = hangul::but_last(form);
        if before.is_empty() && !is_safe_after_one(tail) {
            continue;
        }
        let open = ending_in(before, last.with_last(NO_FINAL));
        if is_verb_stem(&open) {
            return Some(Verb(Cow::Owned(open)));
        }
        let long = ending_in(before, last.with_last(FINAL_L));
        if is_verb_stem(&long) {
            return Some(Verb(Cow::Owned(long)));
        }
        if last.initial == INITIAL_NONE
            && last.vowel == V_U
            && let Some(stem) = with_b(before)
        {
            return Some(Verb(Cow::Owned(stem)));
        }
    }
    None
}
