//! Values in one normal form each, so that the same value compares equal however it is written.
//!
//! | kind | normal form | reads |
//! |---|---|---|
//! | age | `25`, or a band `20대` | `25살`, `스물다섯 살`, `25세`, `twenty-five years old` |
//! | month_day | `03-15` | `3월 15일`, `March 15`, `3/15`, `1999년 3월 15일생` |
//! | year | `1999` | `99년생`, `1999` |
//! | height | `178cm` | `178`, `1미터 78`, `5 foot 10` |
//! | weight | `70kg` | `70킬로`, `155 pounds` |
//! | money | `35000 KRW` | `3만 5천원`, `$50k` |
//! | blood_type | `A`, `AB+` | `A형`, `type A`, `Rh- O형` |
//! | mbti | `INFP` | `infp`, `인프피` |
//! | choice | the value of `choices.tsv`, other text as it is | `lefty` is `왼손`, `autumn` is `가을` |
//! | text, name | one space between words, no quotes, no article | |

use super::subjects::{Kind, Subject};
use super::{date, measure, number, words};
use crate::fact::hash::FastMap;
use std::sync::LazyLock;

/// Ways to say the values of a key.
type Choices = FastMap<String, &'static str>;

static CHOICES: LazyLock<FastMap<&'static str, Choices>> = LazyLock::new(|| {
    let mut map: FastMap<&'static str, Choices> = FastMap::default();
    for line in include_str!("data/choices.tsv").lines().filter(|l| !l.starts_with('#')) {
        let mut columns = line.split('\t');
        if let (Some(key), Some(value), Some(said)) = (columns.next(), columns.next(), columns.next()) {
            let choices = map.entry(key).or_default();
            for word in said.split('|').chain([value]) {
                choices.insert(words::fold(word), value);
            }
        }
    }
    map
});

/// The normal form of a value of this subject. `None` when the text cannot be such a value: `키`
/// takes no colours.
#[must_use]
pub fn normalise(subject: &Subject, raw: &str) -> Option<String> {
    let low = raw.trim().to_lowercase();
    match subject.kind {
        Kind::Age => age(&low),
        Kind::Year => year(&low),
        Kind::MonthDay => date::find(&low).map(date::Day::month_day),
        Kind::Height => measure::height(strip_about(&low)),
        Kind::Weight => measure::weight(strip_about(&low)),
        Kind::Money => measure::money(&low).or_else(|| text(raw)),
        Kind::BloodType => blood_type(&low),
        Kind::Mbti => mbti(&low),
        Kind::Choice => choice(
            &subject.key,
            low.trim_start_matches("the ").trim_start_matches("color "),
        )
        .map(str::to_owned)
        .or_else(|| text(raw)),
        Kind::Text | Kind::Name => text(raw),
    }
}

/// Words that tell their own subject by being a listed value: `왼손잡이`, `솔로`, `비건`.
static TELLING: LazyLock<FastMap<String, ()>> = LazyLock::new(|| {
    let keys = ["_손잡이", "연애상태", "종교", "식단", "흡연", "별자리"];
    let choices = keys.iter().filter_map(|key| CHOICES.get(key));
    choices
        .flat_map(|list| list.keys())
        .map(|word| (word.clone(), ()))
        .collect()
});

/// Is this one of those words?
#[must_use]
pub fn is_telling(text: &str) -> bool {
    TELLING.contains_key(text) || words::folds(text) && TELLING.contains_key(&words::fold(text))
}

/// The listed value of a key that a text means.
#[must_use]
pub fn choice(key: &str, text: &str) -> Option<&'static str> {
    let choices = CHOICES.get(key)?;
    let text = text.trim();
    let folded = || choices.get(&words::fold(text));
    let hit = choices.get(text).or_else(|| words::folds(text).then(folded).flatten());
    hit.copied()
}

/// Two normal forms that mean the same: Latin letters compare without case.
#[must_use]
pub fn same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

/// `25`, from anything that says an age. A bare number counts: the subject is already known.
#[must_use]
pub fn age(low: &str) -> Option<String> {
    let low = strip_about(low.trim());
    let low = low.strip_prefix("만 ").unwrap_or(low);
    let (n, used) = number::leading(low)?;
    let rest = low[used..].trim_start();
    if rest.starts_with("대") && n % 10 == 0 && (10..=90).contains(&n) {
        return Some(low.trim_end().to_owned());
    }
    if matches!(rest, "s") && n % 10 == 0 && (10..=90).contains(&n) {
        return Some(format!("{n}대"));
    }
    let unit = ["살", "세", "years", "year", "yrs", "yr", "yo", "y/o", "-year"]
        .iter()
        .any(|u| rest.starts_with(u));
    ((unit || rest.is_empty()) && (1..=120).contains(&n)).then(|| n.to_string())
}

/// An age with its unit said: enough to know that it is one.
#[must_use]
pub fn spoken_age(low: &str) -> Option<String> {
    let low = strip_about(low.trim());
    let plain = low.strip_prefix("만 ").unwrap_or(low);
    let (_, used) = number::leading(plain)?;
    let rest = plain[used..].trim_start();
    let tail = ["살", "세"].iter().find_map(|u| rest.strip_prefix(u));
    let closed = tail.is_some_and(|t| t.is_empty() || t.trim_start() == "정도" || t.trim_start() == "쯤");
    let native =
        rest.is_empty() && plain.starts_with(['스', '서', '마', '쉰', '예', '열', '여', '일', '아']) && age_word(plain);
    (closed || native || (rest.starts_with('대') && rest.chars().count() <= 5))
        .then(|| age(low))
        .flatten()
}

/// `스물다섯` alone is an age in every conversation; `다섯` alone counts anything.
fn age_word(text: &str) -> bool {
    number::whole(text).is_some_and(|n| {
        (11..=99).contains(&n)
            && (text.starts_with("일흔")
                || !text.starts_with(['일', '이', '삼', '사', '오', '육', '칠', '팔', '구', '십']))
    })
}

fn year(low: &str) -> Option<String> {
    let low = low.trim().trim_start_matches('\'');
    let (n, used) = number::leading(low)?;
    let rest = low[used..].trim();
    let known = rest.is_empty() || ["년", "년생", "년도"].contains(&rest);
    date::year(n).filter(|_| known).map(|y| y.to_string())
}

/// `about 178`, `한 178`, `대략 70`.
pub(super) fn strip_about(low: &str) -> &str {
    [
        "about ",
        "approximately ",
        "around ",
        "roughly ",
        "almost ",
        "nearly ",
        "just over ",
        "대략 ",
        "약 ",
        "거의 ",
        "이제 ",
        "올해 ",
        "벌써 ",
    ]
    .iter()
    .find_map(|p| low.strip_prefix(p))
    .unwrap_or(low)
}

/// A blood type with a word that makes it one: `A형`, `type A`, or the bare letters.
#[must_use]
pub fn blood_type(low: &str) -> Option<String> {
    let mut plain = low.replace("rh", " ").replace("플러스", "+").replace("마이너스", "-");
    for (word, sign) in [
        ("positive", "+"),
        ("negative", "-"),
        ("type", ""),
        ("blood", ""),
        ("형", ""),
        ("group", ""),
    ] {
        plain = plain.replace(word, sign);
    }
    let sign = ['+', '-'].into_iter().find(|s| plain.contains(*s));
    let letters: String = plain
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '+' | '-'))
        .collect();
    let letters = match letters.as_str() {
        "a" | "에이" => "A",
        "b" | "비" => "B",
        "o" | "오" => "O",
        "ab" | "에이비" => "AB",
        _ => return None,
    };
    Some(sign.map_or_else(|| letters.to_owned(), |s| format!("{letters}{s}")))
}

/// One of the sixteen types.
#[must_use]
pub fn mbti(low: &str) -> Option<String> {
    if let Some(known) = choice("MBTI", low) {
        return Some(known.to_owned());
    }
    let word = low.split([' ', '-', ',']).find(|w| w.len() == 4)?.as_bytes();
    let fits = |at: usize, pair: &[u8]| word.get(at).is_some_and(|b| pair.contains(b));
    (fits(0, b"ie") && fits(1, b"ns") && fits(2, b"ft") && fits(3, b"jp"))
        .then(|| String::from_utf8_lossy(word).to_uppercase())
}

/// Free text: single spaces, no quotes around it, no article before it.
#[must_use]
pub fn text(raw: &str) -> Option<String> {
    let trimmed = raw.trim_matches(|c: char| c.is_whitespace() || is_wrap(c));
    let mut words: Vec<&str> = trimmed.split_whitespace().collect();
    if words.len() > 1 && ["a", "an", "the"].contains(&words[0]) {
        words.remove(0);
    }
    let joined = words.join(" ");
    let joined = joined.trim_matches(is_wrap).to_owned();
    joined.chars().any(char::is_alphanumeric).then_some(joined)
}

fn is_wrap(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '.'
            | ','
            | '!'
            | '~'
            | ':'
            | ';'
            | '<'
            | '>'
            | '「'
            | '」'
            | '『'
            | '』'
            | '《'
            | '》'
            | '〈'
            | '〉'
            | '*'
            | '…'
            | '('
            | '['
            | ']'
            | '?'
            | '。'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_numbers() {
        for text in [
            "25살",
            "스물다섯 살",
            "스물다섯살",
            "25세",
            "25 years old",
            "twenty-five",
            "25",
            "만 25세",
            "이십오 세",
        ] {
            assert_eq!(age(text).as_deref(), Some("25"), "{text}");
        }
        assert_eq!(age("25번"), None);
        assert_eq!(spoken_age("25"), None);
        assert_eq!(spoken_age("스물여섯").as_deref(), Some("26"));
        assert_eq!(spoken_age("다섯"), None);
        assert_eq!(age("20대").as_deref(), Some("20대"));
    }

    #[test]
    fn types_and_choices() {
        for text in ["a형", "a", "type a", "에이형", "a형 "] {
            assert_eq!(blood_type(text).as_deref(), Some("A"), "{text}");
        }
        assert_eq!(blood_type("rh- o형").as_deref(), Some("O-"));
        assert_eq!(blood_type("신형"), None);
        assert_eq!(mbti("infp").as_deref(), Some("INFP"));
        assert_eq!(mbti("인프피").as_deref(), Some("INFP"));
        assert_eq!(mbti("very"), None);
        assert_eq!(choice("_손잡이", "left-handed"), Some("왼손"));
        assert_eq!(text("  the  \"Dark  Knight\" ").as_deref(), Some("Dark Knight"));
        assert_eq!(text(" ?! "), None);
    }
}
