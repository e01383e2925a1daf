//! What one word says as a predicate: which verb, and what its ending does with the statement.

use super::conjugate::{Form, forms};
use super::jamo;
use crate::fact::hash::FastMap;
use std::sync::LazyLock;

/// What an ending does. `endings_ko.tsv` uses these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Ends a statement.
    Assert,
    /// States, and goes on: -는데, -지만, -아서.
    Link,
    /// -고: states and goes on, or needs 있다/싶다.
    Go,
    /// -지: states, or needs 않다/못하다/말다.
    Ji,
    /// -게: needs 되다.
    Ge,
    /// -기: a noun.
    Gi,
    /// -아/어: states, or needs 주다/보다.
    Inf,
    /// Modifies the next noun: -는, -던.
    Adn,
    /// -ㄹ before a noun: 거야, 예정, 수.
    Fut,
    Ask,
    If,
    Order,
    Quote,
    Guess,
    Plan,
    /// Copula only: 이었어.
    Past,
}

impl Tail {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "assert" => Self::Assert,
            "link" => Self::Link,
            "go" => Self::Go,
            "ji" => Self::Ji,
            "ge" => Self::Ge,
            "gi" => Self::Gi,
            "inf" => Self::Inf,
            "adn" => Self::Adn,
            "fut" => Self::Fut,
            "ask" => Self::Ask,
            "if" => Self::If,
            "order" => Self::Order,
            "quote" => Self::Quote,
            "guess" => Self::Guess,
            "plan" => Self::Plan,
            "past" => Self::Past,
            _ => return None,
        })
    }
}

/// ㄴ as the first sound of a syllable.
const NIEUN_INITIAL: u32 = 2;

/// Index of a verb in `verbs_ko.tsv`.
pub type VerbId = u16;

/// One reading of a word as a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerbWord {
    pub verb: VerbId,
    pub tail: Tail,
    pub past: bool,
}

/// One reading of a word as noun + copula: the noun's length in bytes and what the ending does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NounWord {
    pub base: usize,
    pub tail: Tail,
}

/// Verbs and endings, loaded once.
pub struct Grammar {
    ids: FastMap<&'static str, VerbId>,
    surfaces: FastMap<String, Vec<(VerbId, Form)>>,
    endings: FastMap<(Form, &'static str), Tail>,
    closed: FastMap<&'static str, Tail>,
    open: FastMap<&'static str, Tail>,
    longest_surface: usize,
}

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(Grammar::load);

/// The grammar of the data files.
#[must_use]
pub fn grammar() -> &'static Grammar {
    &GRAMMAR
}

impl Grammar {
    fn load() -> Self {
        let mut grammar = Self {
            ids: FastMap::default(),
            surfaces: FastMap::default(),
            endings: FastMap::default(),
            closed: FastMap::default(),
            open: FastMap::default(),
            longest_surface: 0,
        };
        grammar.load_endings(include_str!("../data/endings_ko.tsv"));
        grammar.load_verbs(include_str!("../data/verbs_ko.tsv"));
        grammar
    }

    fn load_endings(&mut self, file: &'static str) {
        for line in file.lines().filter(|l| !l.starts_with('#')) {
            let mut columns = line.split('\t');
            let (Some(letters), Some(tail), Some(list)) = (columns.next(), columns.next(), columns.next()) else {
                continue;
            };
            let Some(tail) = Tail::from_name(tail) else {
                continue;
            };
            for ending in list.split(' ').map(|e| if e == "-" { "" } else { e }) {
                for letter in letters.chars() {
                    match letter {
                        'C' => drop(self.closed.insert(ending, tail)),
                        'V' => drop(self.open.insert(ending, tail)),
                        _ => {
                            if let Some(form) = Form::from_letter(letter) {
                                self.endings.insert((form, ending), tail);
                            }
                            let starts_n = ending
                                .chars()
                                .next()
                                .and_then(jamo::split)
                                .is_some_and(|(i, _, _)| i == NIEUN_INITIAL);
                            if letter == 'S' && starts_n {
                                self.endings.insert((Form::Dropped, ending), tail);
                            }
                        }
                    }
                }
            }
        }
    }

    fn load_verbs(&mut self, file: &'static str) {
        for word in file.lines().filter(|l| !l.starts_with('#')).flat_map(|l| l.split(' ')) {
            let irregular = word.ends_with('*');
            let lemma = word.trim_end_matches('*');
            let Some(stem) = lemma.strip_suffix('다').filter(|s| !s.is_empty()) else {
                continue;
            };
            let Ok(id) = VerbId::try_from(self.ids.len()) else {
                break;
            };
            if self.ids.contains_key(lemma) {
                continue;
            }
            self.ids.insert(lemma, id);
            for (surface, form) in forms(stem, irregular) {
                self.longest_surface = self.longest_surface.max(surface.len());
                self.surfaces.entry(surface).or_default().push((id, form));
            }
        }
    }

    /// The id of a dictionary form.
    #[must_use]
    pub fn id(&self, lemma: &str) -> Option<VerbId> {
        self.ids.get(lemma).copied()
    }

    /// Every reading of a word as a verb of the table, the longest stem first.
    pub fn verbs<'g>(&'g self, word: &'g str) -> impl Iterator<Item = VerbWord> + 'g {
        let cuts = word.char_indices().rev().map(|(i, c)| i + c.len_utf8());
        cuts.filter(|i| *i <= self.longest_surface).flat_map(move |cut| {
            let (surface, ending) = word.split_at(cut);
            let readings = self.surfaces.get(surface).map(Vec::as_slice).unwrap_or_default();
            readings.iter().filter_map(move |(verb, form)| {
                let tail = *self.endings.get(&(*form, ending))?;
                Some(VerbWord {
                    verb: *verb,
                    tail,
                    past: *form == Form::Past,
                })
            })
        })
    }

    /// Every reading of a word as noun + copula, the shortest noun first. A copula must fit the
    /// sound of the noun: `의사야` but `학생이야`.
    pub fn nouns<'g>(&'g self, word: &'g str) -> impl Iterator<Item = NounWord> + 'g {
        word.char_indices().skip(1).filter_map(move |(cut, _)| {
            let (noun, ending) = word.split_at(cut);
            let closed = jamo::ends_closed(noun)?;
            let latin = noun.ends_with(|c: char| c.is_ascii_alphabetic());
            let (first, second) = if closed {
                (&self.closed, &self.open)
            } else {
                (&self.open, &self.closed)
            };
            // 리얼하네: a verb that the table does not know, not a noun 리얼하.
            let verbal = noun.len() > 3
                && noun.ends_with('하')
                && !ending.starts_with(['야', '예', '에', '입', '이', '임', '인']);
            // 3월 15일: a day, not 15 and a copula.
            let day = ending == "일" && noun.ends_with(|c: char| c.is_ascii_digit());
            if verbal || day {
                return None;
            }
            let tail = first.get(ending).or_else(|| second.get(ending).filter(|_| latin));
            tail.map(|tail| NounWord { base: cut, tail: *tail })
        })
    }

    /// A bare copula that stands alone after a quoted or foreign word (`BTS 입니다`).
    #[must_use]
    pub fn bare_copula(&self, word: &str) -> Option<Tail> {
        self.closed.get(word).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verb(word: &str, lemma: &str) -> VerbWord {
        let id = grammar().id(lemma).unwrap();
        let all: Vec<_> = grammar().verbs(word).collect();
        *all.iter()
            .find(|v| v.verb == id)
            .unwrap_or_else(|| panic!("{word}: {all:?}"))
    }

    #[test]
    fn endings_tell_statements_from_questions() {
        for word in [
            "살아",
            "살아요",
            "삽니다",
            "산다",
            "살거든",
            "살지",
            "살아서",
            "살고",
            "사는데",
        ] {
            let tail = verb(word, "살다").tail;
            assert!(
                matches!(tail, Tail::Assert | Tail::Inf | Tail::Link | Tail::Go | Tail::Ji),
                "{word}"
            );
        }
        assert_eq!(verb("사니", "살다").tail, Tail::Ask);
        assert_eq!(verb("살면", "살다").tail, Tail::If);
        assert_eq!(verb("산대", "살다").tail, Tail::Quote);
        assert!(verb("태어났어", "태어나다").past);
        assert_eq!(verb("태어남", "태어나다").tail, Tail::Assert);
        assert_eq!(verb("좋아하는", "좋아하다").tail, Tail::Adn);
    }

    #[test]
    fn copulas_fit_the_sound_of_the_noun() {
        let base = |word: &str| grammar().nouns(word).next().map(|n| word[..n.base].to_owned());
        assert_eq!(base("학생이야").as_deref(), Some("학생"));
        assert_eq!(base("의사예요").as_deref(), Some("의사"));
        assert_eq!(base("개발자입니다").as_deref(), Some("개발자"));
        assert_eq!(base("infp야").as_deref(), Some("infp"));
        assert_eq!(base("왼손잡이이다").as_deref(), Some("왼손잡이"));
        assert_eq!(base("날씨"), None);
    }
}
