//! Korean eojeols: particles off, then the word and its syllable pairs.
//!
//! No dictionary of nouns is at hand, so particles are taken off by agreement
//! with the sound before them, again and again until none is left. A noun
//! that happens to end like a particle loses its end too, but it does so in
//! every text alike (고양이, 고양이가, 고양이는 all become 고양), and the pairs
//! find it inside longer words. Only where a single syllable would be left is
//! the longer word kept beside it.

use super::hangul::{self, FINAL_L, WIDTH};
use super::lexicon::{is_noun_like_particle, is_stop_word};
use super::suffix::{Suffixes, Table};
use super::tokenize::Sink;
use super::verb::{self, Predicate};
use std::borrow::Cow;

/// A longer run is a sentence without spaces; its pairs will do.
const MAX_WORD_SYLLABLES: usize = 12;

/// No eojeol is longer. Taking a word apart costs the square of its length, and 66,000 syllables in
/// one run would hold a server for a minute.
const MAX_TAKEN_APART: usize = 32;
/// No chain of particles is longer. It is read in every possible way, and their number doubles with
/// each 에는, which is also 에 and 는.
const MAX_PARTICLES: usize = 8;

/// What stands right before an eojeol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before<'t> {
    Space,
    /// A word of another script, or a closing quote.
    Word,
    Digits(&'t str),
}

/// What a particle asks of the syllable before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Any,
    Closed,
    Open,
    /// 로 and its kin: no final consonant, or ㄹ.
    OpenOrL,
}
use After::{Any, Closed, Open, OpenOrL};

/// Particles and forms of the copula, longest first.
/// The last column: nouns do end like this, so a single syllable before it
/// may be half of a word (사+랑, 휴+가).
#[rustfmt::skip]
const PARTICLES: &[(&str, After, bool)] = &[
    ("이었습니다", Any, false), ("이라면서", Any, false), ("에게서는", Any, false),
    ("으로부터", Closed, false), ("이라든지", Closed, false), ("였습니다", Open, false),
    ("인가봐요", Any, false), ("에서부터", Any, false), ("이에요", Any, false),
    ("이예요", Any, false), ("입니다", Any, false), ("입니까", Any, false),
    ("이라서", Any, false), ("이라고", Any, false), ("이라는", Any, false),
    ("이라도", Any, false), ("이라면", Any, false), ("이거든", Any, false),
    ("이잖아", Any, false), ("이지만", Any, false), ("이니까", Any, false),
    ("이네요", Closed, false), ("이든지", Closed, false), ("에게서", Any, false),
    ("한테서", Any, false), ("으로서", Closed, false), ("으로써", Closed, false),
    ("로부터", OpenOrL, false), ("이구나", Closed, false), ("인데요", Any, false),
    ("인가요", Any, false), ("일까요", Any, false), ("이군요", Closed, false),
    ("거든요", Any, false), ("이든가", Closed, false), ("이던데", Closed, false),
    ("인가봐", Any, false), ("예요", Open, false), ("에요", Any, false), ("라서", Open, false),
    ("라고", Open, false), ("라는", Open, false), ("라도", Open, false), ("라면", Open, false),
    ("이랑", Closed, false), ("이나", Closed, false), ("이야", Closed, false),
    ("이다", Closed, false), ("이고", Closed, false), ("이면", Closed, false),
    ("이며", Closed, false), ("이죠", Closed, false), ("이지", Closed, false),
    ("이네", Closed, false), ("이니", Closed, false), ("이래", Closed, false),
    ("인데", Any, false), ("인가", Any, false), ("인지", Any, false), ("일까", Any, false),
    ("이든", Closed, false), ("에서", Any, false), ("에게", Any, false), ("에는", Any, false),
    ("에도", Any, false), ("한테", Any, false), ("께서", Any, false), ("까지", Any, false),
    ("부터", Any, false), ("처럼", Any, false), ("보다", Any, false), ("마다", Any, false),
    ("밖에", Any, false), ("조차", Any, false), ("마저", Any, false), ("만큼", Any, false),
    ("하고", Any, false), ("으로", Closed, false), ("로서", OpenOrL, false),
    ("로써", OpenOrL, false), ("에선", Any, false), ("한텐", Any, false), ("이요", Closed, false),
    ("든지", Open, false), ("거든", Open, false), ("잖아", Open, false), ("은", Closed, true),
    ("는", Open, false), ("이", Closed, true), ("가", Open, true), ("을", Closed, false),
    ("를", Open, false), ("에", Any, false), ("엔", Any, false), ("의", Any, true),
    ("도", Any, true), ("만", Any, true), ("로", OpenOrL, true), ("와", Open, true),
    ("과", Closed, true), ("랑", Open, true), ("나", Open, true), ("야", Open, true),
    ("께", Any, true), ("죠", Open, true), ("쯤", Any, false), ("씩", Any, false),
    ("들", Any, true), ("요", Any, true),
];

static TABLE: Table<(After, bool)> = Table::new(|| {
    Suffixes::new(
        PARTICLES
            .iter()
            .map(|&(particle, after, risky)| (particle, (after, risky))),
    )
});

/// Emits the terms of a run of syllables.
pub fn eojeol(run: &str, before: Before, sink: &mut Sink) {
    let syllables = hangul::count(run);
    if syllables > MAX_TAKEN_APART {
        pairs(run, sink);
        return;
    }
    let glued = before != Before::Space;
    if glued && syllables <= MAX_PARTICLES && only_particles(run) {
        return;
    }
    if let Before::Digits(digits) = before {
        let stem = strip(run).stem;
        if hangul::count(stem) == 1 {
            sink.built(|out| {
                out.extend(digits.chars().filter(|&c| c != ',').skip_while(|&c| c == '0'));
                out.push_str(stem);
            });
            return;
        }
    }
    if is_stop_word(run) {
        sink.stop_word(run);
        return;
    }
    let predicate = if is_noun_like_particle(run) {
        None
    } else {
        verb::analyse(run)
    };
    match predicate {
        Some(Predicate::Verb(stem)) => verb_terms(&stem, sink),
        Some(Predicate::Noun(noun)) => noun_terms(&noun, sink),
        None => noun_terms(run, sink),
    }
}

/// The noun in an eojeol, without its particles; `None` when it is a verb, or nothing that tells texts apart.
pub fn noun(run: &str) -> Option<Cow<'_, str>> {
    if hangul::count(run) > MAX_WORD_SYLLABLES {
        return None;
    }
    let predicate = match is_noun_like_particle(run) {
        true => None,
        false => verb::analyse(run),
    };
    let noun = match predicate {
        Some(Predicate::Verb(_)) => return None,
        Some(Predicate::Noun(noun)) => noun,
        None => Cow::Borrowed(strip(run).stem),
    };
    (!is_stop_word(&noun)).then_some(noun)
}

/// Runs of single letters. Laughter and tears are noise; of the others, the
/// usual abbreviations (ㅇㅈ, ㄱㅅ) are words.
pub fn jamo(run: &str, sink: &mut Sink) {
    const NOISE: &[char] = &['ㅋ', 'ㅎ', 'ㅠ', 'ㅜ', 'ㅡ', 'ㅏ', 'ㅗ', 'ㅣ', 'ㅌ'];
    let count = run.chars().count();
    if (2..=4).contains(&count) && !run.chars().all(|c| NOISE.contains(&c)) {
        sink.term(run);
    }
}

fn verb_terms(stem: &str, sink: &mut Sink) {
    if verb::is_light(stem) {
        sink.stop_word(stem);
        return;
    }
    dictionary_form(stem, sink);
    pairs(stem, sink);
    // An object written without a space: 밥먹었어.
    if let Some((object, verb)) = verb::known_tail(stem) {
        dictionary_form(verb, sink);
        if hangul::count(object) == 1 {
            noun_terms(object, sink);
        }
    }
}

fn dictionary_form(stem: &str, sink: &mut Sink) {
    sink.built(|out| {
        out.push_str(stem);
        out.push('다');
    });
}

fn noun_terms(run: &str, sink: &mut Sink) {
    let Stripped { stem, half } = strip(run);
    if is_stop_word(stem) || half.is_some_and(is_stop_word) {
        sink.stop_word(stem);
        return;
    }
    if hangul::count(stem) <= MAX_WORD_SYLLABLES {
        sink.term(stem);
    }
    if hangul::count(stem) > 2 {
        pairs(stem, sink);
    }
    if let Some(half) = half {
        sink.term(half);
    }
}

/// The overlapping pairs of syllables.
fn pairs(run: &str, sink: &mut Sink) {
    for start in (0..run.len()).step_by(WIDTH) {
        if let Some(pair) = run.get(start..start + 2 * WIDTH) {
            sink.term(pair);
        }
    }
}

struct Stripped<'r> {
    stem: &'r str,
    /// The single syllable before what may be a particle or may not.
    half: Option<&'r str>,
}

fn strip(run: &str) -> Stripped<'_> {
    let mut stem = run;
    loop {
        if is_noun_like_particle(stem) {
            return Stripped { stem, half: None };
        }
        let Some((shorter, risky)) = without_particle(stem) else {
            return Stripped { stem, half: None };
        };
        if risky && hangul::count(shorter) == 1 {
            return Stripped {
                stem,
                half: Some(shorter),
            };
        }
        stem = shorter;
    }
}

/// Takes off one particle; whether the cut is risky comes along.
fn without_particle(run: &str) -> Option<(&str, bool)> {
    let mut longest = None;
    for (rest, _, (after, risky)) in TABLE.cuts(run) {
        if rest.is_empty() || !agrees(rest, after) {
            continue;
        }
        // 종이랑 is 종이 and 랑, not 종 and 이랑.
        if is_noun_like_particle(rest) {
            return Some((rest, false));
        }
        longest = longest.or(Some((rest, risky)));
    }
    longest
}

fn agrees(rest: &str, after: After) -> bool {
    let last = hangul::last(rest).map_or(0, |s| s.last);
    match after {
        Any => true,
        Closed => last != 0,
        Open => last == 0,
        OpenOrL => last == 0 || last == FINAL_L,
    }
}

/// Is the run nothing but particles, as after a word of another script?
fn only_particles(run: &str) -> bool {
    TABLE
        .cuts(run)
        .any(|(rest, ..)| rest.is_empty() || only_particles(rest))
}
