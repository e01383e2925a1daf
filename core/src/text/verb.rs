//! Korean conjugations to dictionary forms, where it is safe.
//!
//! Endings that no noun has (먹었는데, 먹습니다) are taken off any stem.
//! Endings that nouns share (먹고 and 광고, 좋아 and 동아) are taken off only
//! stems that the lexicon knows.

use super::hangul::{
    self, FINAL_B, FINAL_L, FINAL_M, FINAL_N, FINAL_SS, INITIAL_H, INITIAL_NONE, NO_FINAL, Syllable, V_A, V_AE, V_E,
    V_EO, V_I, V_O, V_OE, V_U, V_WA, V_WAE, V_WO, V_YEO, WIDTH,
};
use super::lexicon::{ends_in_noun, irregular, is_verb_stem};
use std::borrow::Cow;

/// What a conjugated eojeol is made of.
#[derive(Debug, PartialEq, Eq)]
pub enum Predicate<'r> {
    /// The stem that takes 다 in a dictionary.
    Verb { stem: Cow<'r, str> },
    /// A noun with 하다 or the copula (공부했어, 학생이었어).
    Noun { noun: &'r str },
}

/// Endings after a stem that closes with a consonant, which no noun has.
const AFTER_CLOSED: &[&str] = &[
    "었습니다",
    "습니다",
    "습니까",
    "는데요",
    "은데요",
    "는데",
    "은데",
    "는다",
    "는지",
    "으면서",
    "으면",
    "으니까",
    "으니",
    "으려고",
    "으려면",
    "으러",
    "으며",
    "을까요",
    "을까",
    "을게요",
    "을게",
    "을래요",
    "을래",
    "을거야",
    "을거예요",
    "을거",
    "어서",
    "아서",
    "어요",
    "아요",
    "지만",
    "거든요",
    "거든",
    "잖아요",
    "잖아",
    "네요",
    "더라고",
    "더라",
    "더니",
    "던데",
    "는",
    "자마자",
    "구나",
    "군요",
    "지요",
    "다고",
    "다는",
];

/// Endings that nouns share, or that any stem may have.
const SHARED: &[&str] = &[
    "더라고요",
    "거든요",
    "잖아요",
    "려고요",
    "면서요",
    "니까요",
    "고서",
    "으려고",
    "려고",
    "려면",
    "면서",
    "니까",
    "거든",
    "잖아",
    "네요",
    "더라",
    "더니",
    "던데",
    "지만",
    "는데요",
    "는데",
    "는지",
    "는다",
    "도록",
    "다가",
    "다고",
    "다는",
    "어서",
    "아서",
    "어요",
    "아요",
    "어도",
    "아도",
    "어야",
    "아야",
    "자마자",
    "구나",
    "군요",
    "지요",
    "게요",
    "고요",
    "나요",
    "고",
    "지",
    "게",
    "면",
    "자",
    "네",
    "니",
    "나",
    "는",
    "은",
    "을",
    "던",
    "기",
    "며",
    "다",
    "러",
    "어",
    "아",
    "요",
    "죠",
    "음",
];

/// Stems that carry no meaning of their own.
pub fn is_light(stem: &str) -> bool {
    matches!(
        stem,
        "하" | "있" | "되" | "이" | "싶" | "않" | "그러" | "그렇" | "이렇" | "어떻" | "같"
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
    cut_at_auxiliary(run)
        .or_else(|| past(run))
        .or_else(|| formal(run))
        .or_else(|| with_hada(run))
        .or_else(|| plain(run))
        .or_else(|| fused(run))
}

fn verb(stem: &str) -> Predicate<'_> {
    Predicate::Verb {
        stem: Cow::Borrowed(stem),
    }
}

fn known(stem: &str) -> Option<Predicate<'_>> {
    is_verb_stem(stem).then(|| verb(stem))
}

/// 먹고싶어, 가지않아, 먹겠어: what follows the stem is an auxiliary.
/// 맛있는, 재미없어: the stem goes up to and with 있 or 없.
fn cut_at_auxiliary(run: &str) -> Option<Predicate<'_>> {
    for cut in ["고싶", "고있", "지않", "지못", "지마", "겠"] {
        if let Some(at) = run.find(cut).filter(|&at| at > 0) {
            let stem = &run[..at];
            return Some(hada_noun(stem).unwrap_or_else(|| verb(stem)));
        }
    }
    ["있", "없"].into_iter().find_map(|cut| {
        let at = run.find(cut)?;
        (at + WIDTH < run.len()).then(|| verb(&run[..at + WIDTH]))
    })
}

/// Past tense: a syllable with ㅆ under 아 or 어, and anything after it.
fn past(run: &str) -> Option<Predicate<'_>> {
    let (at, syllable) = run
        .char_indices()
        .rev()
        .filter_map(|(i, c)| Some((i, Syllable::split(c)?)))
        .find(|(_, s)| s.last == FINAL_SS && s.vowel != V_I)?;
    // 씨 and 있 aside, a noun never has ㅆ; but the tail must be an ending.
    if at == 0 && run.len() == WIDTH {
        return None;
    }
    let before = &run[..at];
    if syllable.join() == '였' && !before.is_empty() {
        // 보였다 is 보이다; 의사였다 is a doctor.
        let passive: String = [before, "이"].concat();
        if is_verb_stem(&passive) {
            return Some(Predicate::Verb {
                stem: Cow::Owned(passive),
            });
        }
        return Some(hada_noun(before).unwrap_or(Predicate::Noun { noun: before }));
    }
    from_a_eo(before, syllable.with_last(NO_FINAL))
}

/// The stem behind a form in 아/어 (봐 is 보, 먹어 is 먹), cut before its
/// last syllable.
fn from_a_eo<'r>(before: &'r str, last: Syllable) -> Option<Predicate<'r>> {
    let c = last.join();
    let form: String = before.chars().chain([c]).collect();
    if let Some(stem) = irregular(&form) {
        return Some(Predicate::Verb {
            stem: Cow::Borrowed(stem),
        });
    }
    if last.initial == INITIAL_H && last.vowel == V_AE {
        let noun = Predicate::Noun { noun: before };
        return Some(if before.is_empty() { verb("하") } else { noun });
    }
    if matches!(c, '어' | '아') && !before.is_empty() {
        // 학생이었어
        if let Some(noun) = before.strip_suffix('이')
            && hangul::is_closed(noun)
            && !is_verb_stem(before)
        {
            return Some(Predicate::Noun { noun });
        }
        return Some(verb(before));
    }
    let vowel = match last.vowel {
        V_WA => V_O,
        V_WO => V_U,
        V_YEO => V_I,
        V_WAE => V_OE,
        V_A | V_EO | V_AE | V_E => last.vowel,
        _ => return None,
    };
    // ㅂ-stems: 추웠다 is 춥다, but 배웠다 is 배우다.
    if last.initial == INITIAL_NONE
        && matches!(last.vowel, V_WO | V_WA)
        && let Some(end) = hangul::last(before).filter(|s| s.last == NO_FINAL)
    {
        let short: String = hangul::but_last(before)
            .chars()
            .chain([end.with_last(FINAL_B).join()])
            .collect();
        if is_verb_stem(&short) {
            return Some(Predicate::Verb {
                stem: Cow::Owned(short),
            });
        }
    }
    let stem: String = before.chars().chain([last.with_vowel(vowel).join()]).collect();
    Some(Predicate::Verb { stem: Cow::Owned(stem) })
}

/// 갑니다, 합니다: ㅂ under the stem's last syllable.
fn formal(run: &str) -> Option<Predicate<'_>> {
    let rest = run.strip_suffix("니다").or_else(|| run.strip_suffix("니까"))?;
    let last = hangul::last(rest).filter(|s| s.last == FINAL_B)?;
    if let Some(stem) = rest.strip_suffix('습').filter(|s| !s.is_empty()) {
        return Some(verb(stem));
    }
    // 입니다 is the copula, a particle to us.
    if last.join() == '입' {
        return None;
    }
    let stem: String = hangul::but_last(rest)
        .chars()
        .chain([last.with_last(NO_FINAL).join()])
        .collect();
    if let Some(noun) = stem.strip_suffix('하').filter(|noun| !noun.is_empty()) {
        return Some(Predicate::Noun {
            noun: &run[..noun.len()],
        });
    }
    Some(Predicate::Verb { stem: Cow::Owned(stem) })
}

/// 공부하고, 운동해서, 말할까: a noun with a form of 하다.
fn with_hada(run: &str) -> Option<Predicate<'_>> {
    const FORMS: &[&str] = &["하", "해", "한", "할", "함", "합"];
    const TAILS: &[&str] = &[
        "",
        "요",
        "서",
        "서요",
        "도",
        "야",
        "야지",
        "야해",
        "줘",
        "줘요",
        "주세요",
        "봐",
        "보고",
        "고",
        "고요",
        "는",
        "는데",
        "는데요",
        "는지",
        "던",
        "지",
        "지만",
        "게",
        "면",
        "면서",
        "자",
        "네",
        "네요",
        "니",
        "니까",
        "나",
        "나요",
        "려고",
        "러",
        "기",
        "며",
        "다",
        "다가",
        "다고",
        "다는",
        "세요",
        "셔",
        "거든",
        "거든요",
        "잖아",
        "잖아요",
        "더라",
        "더라고",
        "는거",
        "도록",
        "죠",
        "까",
        "까요",
        "게요",
        "래",
        "래요",
        "거야",
        "거예요",
        "지도",
        "지는",
        "기도",
        "구나",
        "군요",
    ];
    for (at, c) in run.char_indices().skip(1) {
        let Some(syllable) = Syllable::split(c).filter(|s| s.initial == INITIAL_H) else {
            continue;
        };
        let tail = &run[at + WIDTH..];
        let form = &run[at..at + WIDTH];
        // 한 and 할 alone end too many nouns (북한, 역할); 하 likewise.
        let bare = tail.is_empty() && !matches!(form, "해");
        if bare || !FORMS.contains(&form) || !TAILS.contains(&tail) {
            continue;
        }
        let closed_form_ok = syllable.last == NO_FINAL
            || matches!(
                tail,
                "다" | "다고"
                    | "다는"
                    | "까"
                    | "까요"
                    | "게"
                    | "게요"
                    | "래"
                    | "래요"
                    | "거야"
                    | "거예요"
                    | "는데"
                    | "지"
            );
        if closed_form_ok && !is_verb_stem(&run[..at + WIDTH]) {
            return Some(hada_stem(&run[..at]));
        }
    }
    hada_noun(run)
}

/// 좋아하다 shares its root with 좋다; other stems are nouns.
fn hada_stem(noun: &str) -> Predicate<'_> {
    let root = noun.strip_suffix(['아', '어']).filter(|root| is_verb_stem(root));
    root.map_or(Predicate::Noun { noun }, verb)
}

/// A stem that ends in 하 after a noun.
fn hada_noun(stem: &str) -> Option<Predicate<'_>> {
    let noun = stem.strip_suffix('하').filter(|noun| hangul::count(noun) >= 2)?;
    Some(hada_stem(noun))
}

/// Endings that are syllables of their own.
fn plain(run: &str) -> Option<Predicate<'_>> {
    for ending in SHARED {
        let Some(stem) = run.strip_suffix(ending).filter(|s| !s.is_empty()) else {
            continue;
        };
        if let Some(found) = known(stem) {
            return Some(found);
        }
        // ㄹ goes before ㄴ: 만드는 is 만들다.
        if ending.starts_with(['는', '니', '네'])
            && let Some(last) = hangul::last(stem).filter(|s| s.last == NO_FINAL)
        {
            let long: String = hangul::but_last(stem)
                .chars()
                .chain([last.with_last(FINAL_L).join()])
                .collect();
            if is_verb_stem(&long) {
                return Some(Predicate::Verb { stem: Cow::Owned(long) });
            }
        }
    }
    AFTER_CLOSED
        .iter()
        .filter_map(|ending| run.strip_suffix(ending))
        .find(|stem| hangul::is_closed(stem) && !ends_in_noun(&run[..stem.len() + WIDTH]))
        .map(verb)
}

/// Endings that melt into the stem: 봐, 추워요, 간, 갈게, 매운.
/// Only for known stems.
fn fused(run: &str) -> Option<Predicate<'_>> {
    let (body, polite) = match run.strip_suffix('요') {
        Some(body) => (body, true),
        None => (run, false),
    };
    let forms = [
        body.strip_suffix('서'),
        body.strip_suffix('도'),
        body.strip_suffix('야'),
        Some(body),
    ];
    for form in forms.into_iter().flatten() {
        let Some(last) = hangul::last(form).filter(|s| s.last == NO_FINAL) else {
            continue;
        };
        if hangul::count(form) == 1 && !polite && form.len() == run.len() {
            continue;
        }
        if let Some(Predicate::Verb { stem }) = from_a_eo(hangul::but_last(form), last)
            && is_verb_stem(&stem)
            && stem != form
        {
            return Some(Predicate::Verb {
                stem: Cow::Owned(stem.into_owned()),
            });
        }
    }
    with_final(run)
}

/// 간, 갈게, 본다, 먹은, 매운, 만든: ㄴ, ㄹ or ㅁ under the last syllable.
fn with_final(run: &str) -> Option<Predicate<'_>> {
    const TAILS: &[&str] = &[
        "다고",
        "다는",
        "까요",
        "게요",
        "래요",
        "거야",
        "거예요",
        "데요",
        "다",
        "까",
        "게",
        "래",
        "거",
        "데",
        "지",
        "",
    ];
    for tail in TAILS {
        let Some(form) = run.strip_suffix(tail).filter(|form| !form.is_empty()) else {
            continue;
        };
        let Some(last) = hangul::last(form) else {
            continue;
        };
        if !matches!(last.last, FINAL_N | FINAL_L | FINAL_M) {
            continue;
        }
        let before = hangul::but_last(form);
        let rebuilt = |s: Syllable| -> String { before.chars().chain([s.join()]).collect() };
        let mut stems = vec![rebuilt(last.with_last(NO_FINAL)), rebuilt(last.with_last(FINAL_L))];
        // 매운, 추울: 우 comes from ㅂ.
        if last.initial == INITIAL_NONE
            && last.vowel == V_U
            && let Some(end) = hangul::last(before).filter(|s| s.last == NO_FINAL)
        {
            let short = hangul::but_last(before).chars().chain([end.with_last(FINAL_B).join()]);
            stems.push(short.collect());
        }
        if let Some(stem) = stems
            .into_iter()
            .find(|stem| hangul::count(stem) >= 2 && is_verb_stem(stem))
        {
            return Some(Predicate::Verb { stem: Cow::Owned(stem) });
        }
    }
    None
}
