//! Particles: what a noun does in its clause.

use super::jamo;
use crate::fact::hash::FastMap;
use std::sync::LazyLock;

/// The role a particle gives to a noun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Josa {
    /// No particle.
    Bare,
    /// 은, 는.
    Topic,
    /// 이, 가.
    Subject,
    /// 을, 를.
    Object,
    /// 에.
    At,
    /// 에서.
    From,
    /// 로, 으로.
    To,
    /// 와, 과, 랑, 하고: one more of a list.
    And,
    /// 도.
    Also,
    /// 의.
    Of,
    /// 한테, 에게: with 있다 the one who has.
    Dative,
    /// 만: this and nothing else.
    Only,
    /// Anything else: 보다, 까지.
    Other,
}

impl Josa {
    /// The role that a particle of the pattern files stands for.
    #[must_use]
    pub fn from_mark(mark: &str) -> Option<Self> {
        Some(match mark {
            "-" => Self::Bare,
            "는" | "은" => Self::Topic,
            "가" | "이" => Self::Subject,
            "를" | "을" => Self::Object,
            "에" => Self::At,
            "에서" => Self::From,
            "로" => Self::To,
            "랑" => Self::And,
            "도" => Self::Also,
            "만" => Self::Only,
            "라면" | "밖에" => Self::Other,
            _ => return None,
        })
    }
}

/// (particle, role, fits after a consonant, fits after a vowel), longest first.
const PARTICLES: &[Particle] = &[
    ("에서부터", Josa::Other, true, true),
    ("보다는", Josa::Other, true, true),
    ("보다도", Josa::Other, true, true),
    ("한테는", Josa::Dative, true, true),
    ("에게는", Josa::Dative, true, true),
    ("으로만", Josa::To, true, false),
    ("에서만", Josa::From, true, true),
    ("에게서", Josa::Other, true, true),
    ("한테서", Josa::Other, true, true),
    ("이라고", Josa::Other, true, false),
    ("이라면", Josa::Other, true, false),
    ("으로는", Josa::To, true, false),
    ("에서는", Josa::From, true, true),
    ("에서도", Josa::From, true, true),
    ("이랑은", Josa::Other, true, false),
    ("에서", Josa::From, true, true),
    ("에선", Josa::From, true, true),
    ("에다", Josa::At, true, true),
    ("에만", Josa::At, true, true),
    ("만은", Josa::Only, true, true),
    ("만이", Josa::Only, true, true),
    ("로는", Josa::To, false, true),
    ("로만", Josa::To, false, true),
    ("에는", Josa::At, true, true),
    ("에도", Josa::Other, true, true),
    ("에게", Josa::Dative, true, true),
    ("한테", Josa::Dative, true, true),
    ("부터", Josa::Other, true, true),
    ("까지", Josa::Other, true, true),
    ("보다", Josa::Other, true, true),
    ("처럼", Josa::Other, true, true),
    ("만큼", Josa::Other, true, true),
    ("밖에", Josa::Other, true, true),
    ("마다", Josa::Other, true, true),
    ("조차", Josa::Other, true, true),
    ("께서", Josa::Other, true, true),
    ("하고", Josa::And, true, true),
    ("이랑", Josa::And, true, false),
    ("이나", Josa::And, true, false),
    ("으로", Josa::To, true, false),
    ("라고", Josa::Other, false, true),
    ("라면", Josa::Other, false, true),
    ("께", Josa::Dative, true, true),
    ("은", Josa::Topic, true, false),
    ("는", Josa::Topic, false, true),
    ("이", Josa::Subject, true, false),
    ("가", Josa::Subject, false, true),
    ("을", Josa::Object, true, false),
    ("를", Josa::Object, false, true),
    ("과", Josa::And, true, false),
    ("와", Josa::And, false, true),
    ("랑", Josa::And, false, true),
    ("나", Josa::And, false, true),
    ("로", Josa::To, false, true),
    ("에", Josa::At, true, true),
    ("엔", Josa::At, true, true),
    ("의", Josa::Of, true, true),
    ("도", Josa::Also, true, true),
    ("만", Josa::Only, true, true),
];

type Particle = (&'static str, Josa, bool, bool);

/// Particles by their last syllable, in the same order: most words end in none of them.
static BY_LAST: LazyLock<FastMap<char, Vec<Particle>>> = LazyLock::new(|| {
    let mut map: FastMap<char, Vec<Particle>> = FastMap::default();
    for particle in PARTICLES {
        if let Some(last) = particle.0.chars().next_back() {
            map.entry(last).or_default().push(*particle);
        }
    }
    map
});

/// The noun's length in bytes and its particle; the whole word and [`Josa::Bare`] without one.
#[must_use]
pub fn split(word: &str) -> (usize, Josa) {
    let weight = word.ends_with("키로") || word.ends_with("킬로");
    if keeps_i(word) || weight && word.starts_with(|c: char| c.is_ascii_digit()) {
        return (word.len(), Josa::Bare);
    }
    let Some(list) = word.chars().next_back().and_then(|last| BY_LAST.get(&last)) else {
        return (word.len(), Josa::Bare);
    };
    for (particle, josa, closed, open) in list {
        let Some(noun) = word.strip_suffix(particle) else {
            continue;
        };
        // 곰돌이라고: the 이 belongs to the name.
        if particle.starts_with('이') && keeps_i(&word[..noun.len() + '이'.len_utf8()]) {
            continue;
        }
        let Some(last) = noun.chars().next_back().and_then(jamo::final_of) else {
            continue;
        };
        // How Latin letters sound is anyone's guess: K-pop을, BTS는.
        if noun.ends_with(|c: char| c.is_ascii_alphabetic()) {
            return (noun.len(), *josa);
        }
        // 로 also follows ㄹ: 서울로.
        let fits = if last == 0 {
            *open
        } else {
            *closed || (*particle == "로" && last == jamo::RIEUL)
        };
        if fits {
            return (noun.len(), *josa);
        }
    }
    (word.len(), Josa::Bare)
}

/// Nouns whose last 이 is their own and no particle: `왼손잡이`, `쌍둥이`, `곰돌이`.
#[must_use]
pub fn keeps_i(noun: &str) -> bool {
    const ENDS: [&str; 12] = [
        "잡이", "둥이", "박이", "볶이", "쟁이", "돌이", "순이", "놀이", "구이", "덩이", "방이", "뭉이",
    ];
    ENDS.iter().any(|e| noun.ends_with(e))
}

/// Is the word nothing but a particle? Some writers put a space before it.
#[must_use]
pub fn is_particle(word: &str) -> bool {
    matches!(
        word,
        "은" | "는" | "이" | "가" | "을" | "를" | "에" | "에서" | "으로" | "로"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_fit_the_sound() {
        let at = |word: &str| {
            let (len, josa) = split(word);
            (word[..len].to_owned(), josa)
        };
        assert_eq!(at("나이는"), ("나이".into(), Josa::Topic));
        assert_eq!(at("서울로"), ("서울".into(), Josa::To));
        assert_eq!(at("종로"), ("종로".into(), Josa::Bare));
        assert_eq!(at("가을"), ("가을".into(), Josa::Bare));
        assert_eq!(at("부산에서"), ("부산".into(), Josa::From));
        assert_eq!(at("독서랑"), ("독서".into(), Josa::And));
        assert_eq!(at("이"), ("이".into(), Josa::Bare));
    }
}
