//! Word sets: which words are foods, places, jobs. A word may stand in several.

use crate::fact::hash::FastMap;
use std::sync::LazyLock;

/// A set of word sets, one bit each.
pub type Sets = u128;

/// Words by their sets.
#[derive(Debug, Default)]
pub struct Words {
    names: Vec<String>,
    sets: FastMap<String, Sets>,
    /// First words of entries with several, with the sets of those entries.
    starts: FastMap<String, Sets>,
    /// How words of a set end (`~찌개`), for the words that no list holds.
    ends: FastMap<String, Sets>,
    /// The last letters of those ends: most words have none of them.
    last: FastMap<char, ()>,
}

static BUILTIN: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words::default();
    for line in include_str!("data/words.tsv").lines().filter(|l| !l.starts_with('#')) {
        if let Some((set, list)) = line.split_once('\t') {
            for word in list.split('|') {
                words.add(set, word);
            }
        }
    }
    words
});

/// The sets of the data file.
#[must_use]
pub fn words() -> &'static Words {
    &BUILTIN
}

impl Words {
    fn add(&mut self, set: &str, word: &str) {
        let at = self.names.iter().position(|n| n == set).unwrap_or_else(|| {
            self.names.push(set.to_owned());
            self.names.len() - 1
        });
        let bit = Sets::from(1u8).checked_shl(at as u32).unwrap_or(0);
        if let Some(end) = word.strip_prefix('~') {
            self.last.extend(end.chars().next_back().map(|c| (c, ())));
            *self.ends.entry(fold(end)).or_default() |= bit;
            return;
        }
        if let Some((first, _)) = word.split_once(' ') {
            *self.starts.entry(fold(first)).or_default() |= bit;
        }
        *self.sets.entry(fold(word)).or_default() |= bit;
    }

    /// The bit of a named set; 0 when there is no such set.
    #[must_use]
    pub fn bit(&self, set: &str) -> Sets {
        self.names
            .iter()
            .position(|n| n == set)
            .map_or(0, |at| Sets::from(1u8) << at)
    }

    /// The sets a word stands in. Korean words are looked up without spaces.
    #[must_use]
    pub fn of(&self, word: &str) -> Sets {
        let hit = |w: &str| self.sets.get(w).copied();
        if let Some(sets) = hit(word) {
            return sets;
        }
        if folds(word) { hit(&fold(word)).unwrap_or(0) } else { 0 }
    }

    /// The sets of a word; for one that is not listed, the sets that it looks like (`두부찌개` is food).
    #[must_use]
    pub fn class(&self, word: &str) -> Sets {
        match self.of(word) {
            0 => self.by_end(word),
            sets => sets,
        }
    }

    fn by_end(&self, word: &str) -> Sets {
        let known = |c: char| self.last.contains_key(&c);
        if !word.chars().next_back().is_some_and(known) {
            return 0;
        }
        let cuts = word.char_indices().skip(1).map(|(at, _)| at);
        let mut ends = cuts
            .filter(|at| word.len() - at <= 15)
            .filter_map(|at| self.ends.get(&word[at..]));
        ends.next().copied().unwrap_or(0)
    }

    /// The sets that say what a word means; sets of function words do not count.
    #[must_use]
    pub fn meaning(&self, word: &str) -> Sets {
        self.of(word) & !named().function
    }

    /// The sets with an entry of several words that starts with this one.
    #[must_use]
    pub fn starting(&self, word: &str) -> Sets {
        self.starts.get(word).copied().unwrap_or(0)
    }

    /// Does the word stand in this set?
    #[must_use]
    pub fn is(&self, word: &str, set: Sets) -> bool {
        self.of(word) & set != 0
    }
}

/// Could folding change the word?
#[must_use]
pub fn folds(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_whitespace() || b.is_ascii_uppercase())
}

/// The form words are stored in: lower case; Korean without spaces, since writers disagree on them.
#[must_use]
pub fn fold(word: &str) -> String {
    let low = word.to_lowercase();
    let korean = low.chars().any(super::korean::jamo::is_hangul);
    let between = if korean { "" } else { " " };
    let words: Vec<&str> = low.split_whitespace().collect();
    words.join(between)
}

/// Bits of the sets that the code asks for by name, looked up once.
macro_rules! sets {
    ($($name:ident),+ $(,)?) => {
        /// The named sets as bits.
        #[derive(Debug)]
        pub struct Named { $(pub $name: Sets,)+ function: Sets, things: Sets }

        static NAMED: LazyLock<Named> = LazyLock::new(|| {
            let mut named = Named { $($name: words().bit(stringify!($name)),)+ function: 0, things: 0 };
            named.function = named.all_function();
            named.things = named.all_things();
            named
        });
    };
}
sets!(
    job,
    food,
    color,
    season,
    place,
    animal,
    sport,
    hobby,
    fear,
    major,
    language,
    nation,
    trait_,
    illness,
    plan_event,
    event,
    person,
    badvalue,
    adverb,
    filler,
    correction,
    surname,
    given,
    music,
    weak,
    gate,
    joke,
    second,
    drink,
    en_adverb,
    en_opener,
    en_correct,
    en_stop,
    en_gate,
    en_notplace,
    field,
    livingverb,
    hobbyverb,
    instrument,
    family_en,
    school,
    determiner,
    movie,
    notcompany,
    yes,
    time,
    en_fiction,
    en_joiner,
    en_ask,
    en_close,
    en_verb,
    en_vague,
    en_day,
    en_notcompany,
    en_notname,
    en_doubtful,
    allergen,
    flower,
    medicine,
    car,
    game,
    shop,
    work,
    subject,
    schoolkind,
    doverb,
    en_fragment,
    country,
);

impl Named {
    /// Sets of words by their use in a sentence, not by their meaning.
    fn all_function(&self) -> Sets {
        self.time
            | self.yes
            | self.en_fiction
            | self.adverb
            | self.filler
            | self.correction
            | self.badvalue
            | self.person
            | self.second
            | self.given
            | self.surname
            | self.gate
            | self.joke
            | self.weak
            | self.notcompany
            | self.en_adverb
            | self.en_opener
            | self.en_correct
            | self.en_stop
            | self.en_gate
            | self.en_notplace
            | self.determiner
            | self.en_joiner
            | self.en_ask
            | self.en_close
            | self.en_verb
            | self.en_vague
            | self.en_day
            | self.en_notcompany
            | self.en_notname
            | self.en_doubtful
    }

    fn all_things(&self) -> Sets {
        let more = [
            "movie",
            "game",
            "book",
            "show",
            "team",
            "actor",
            "subject",
            "flower",
            "weather",
            "character",
            "brand",
        ];
        let sets = self.fear
            | self.food
            | self.drink
            | self.color
            | self.season
            | self.animal
            | self.sport
            | self.hobby
            | self.music
            | self.place;
        more.iter().fold(sets, |all, set| all | words().bit(set))
    }

    /// Sets of things that people like or dislike.
    #[must_use]
    pub fn things(&self) -> Sets {
        self.things
    }
}

/// The named sets.
#[must_use]
pub fn named() -> &'static Named {
    &NAMED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_sets() {
        assert!(words().is("떡볶이", named().food));
        assert!(words().is("게임개발자", named().job));
        assert!(words().is("게임 개발자", named().job));
        assert!(words().is("Software Engineer", named().job));
        assert_eq!(words().of("zzz"), 0);
        assert_ne!(named().trait_, 0);
    }
}
