//! Days of the year, as birthdays are told.

use super::number;

/// A day of the year, and the year when it was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    pub year: Option<u16>,
    pub month: u8,
    pub day: u8,
}

impl Day {
    /// `03-15`. The year has its own key (`출생연도`), so that a birthday told with and without it
    /// is the same birthday.
    #[must_use]
    pub fn month_day(self) -> String {
        format!("{:02}-{:02}", self.month, self.day)
    }
}

pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The first day named anywhere in the text (lower case): `3월 15일`, `march 15th, 1999`,
/// `15 march`, `3/15`, `1999-03-15`.
#[must_use]
pub fn find(text: &str) -> Option<Day> {
    korean(text).or_else(|| english(text)).or_else(|| numeric(text))
}

fn valid(year: Option<u16>, month: u64, day: u64) -> Option<Day> {
    let longest = match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return None,
    };
    let year = year.filter(|y| (1900..=2100).contains(y));
    (1..=longest).contains(&day).then_some(Day {
        year,
        month: month as u8,
        day: day as u8,
    })
}

/// A year of two or four digits: 99 is 1999, 05 is 2005.
#[must_use]
pub fn year(n: u64) -> Option<u16> {
    match n {
        0..=29 => Some(2000 + n as u16),
        30..=99 => Some(1900 + n as u16),
        1900..=2100 => Some(n as u16),
        _ => None,
    }
}

fn korean(text: &str) -> Option<Day> {
    let at = text.find('월')?;
    let month = match ends_in_number(&text[..at]) {
        Some(n) => n,
        None if text[..at].ends_with('유') => 6,
        None if text[..at].ends_with('시') => 10,
        None => return None,
    };
    let rest = text[at + '월'.len_utf8()..].trim_start();
    let (day, used) = number::leading(rest)?;
    if !rest[used..].trim_start().starts_with('일') {
        return None;
    }
    let year = text[..at]
        .find('년')
        .and_then(|y| ends_in_number(&text[..y]))
        .and_then(year);
    valid(year, month, day)
}

/// The number that a text ends in, after any other words.
fn ends_in_number(text: &str) -> Option<u64> {
    let text = text.trim_end();
    let starts = text.char_indices().rev().take(12).map(|(i, _)| i);
    let mut best = None;
    for start in starts {
        match number::whole(&text[start..]) {
            Some(n) if !text[start..].starts_with(' ') => best = Some(n),
            _ if best.is_some() => break,
            _ => {}
        }
    }
    best
}

fn english(text: &str) -> Option<Day> {
    let words: Vec<&str> = text.split([' ', ',', '.']).filter(|w| !w.is_empty()).collect();
    let at = words.iter().position(|w| month_of(w).is_some())?;
    let month = month_of(words[at])?;
    let after = words.get(at + 1).map_or(words.as_slice(), |_| &words[at + 1..]);
    let after: Vec<&str> = after.iter().copied().filter(|w| *w != "the").collect();
    let day_after = (at + 1 < words.len())
        .then(|| after.first().and_then(|w| ordinal(w)))
        .flatten();
    let before: Vec<&str> = words[..at].iter().copied().filter(|w| *w != "of").collect();
    let (day, rest) = match day_after {
        Some(day) => (day, after.get(1).copied()),
        None => (before.last().and_then(|w| ordinal(w))?, after.first().copied()),
    };
    let year = rest
        .and_then(|w| w.parse::<u64>().ok())
        .filter(|n| *n >= 1900)
        .and_then(year);
    valid(year, month, day)
}

fn month_of(word: &str) -> Option<u64> {
    if word.len() < 3 {
        return None;
    }
    let word = if word == "sept" { "sep" } else { word };
    MONTHS
        .iter()
        .position(|m| *m == word || (word.len() == 3 && m.starts_with(word)))
        .map(|i| i as u64 + 1)
}

/// `15`, `15th`, `fifteenth`.
fn ordinal(word: &str) -> Option<u64> {
    const WORDS: [&str; 31] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
        "twenty-first",
        "twenty-second",
        "twenty-third",
        "twenty-fourth",
        "twenty-fifth",
        "twenty-sixth",
        "twenty-seventh",
        "twenty-eighth",
        "twenty-ninth",
        "thirtieth",
        "thirty-first",
    ];
    let plain = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|s| word.strip_suffix(s))
        .unwrap_or(word);
    let spoken = || WORDS.iter().position(|w| *w == word).map(|i| i as u64 + 1);
    plain.parse().ok().filter(|n| (1..=31).contains(n)).or_else(spoken)
}

/// `3/15`, `03-15`, `1999.3.15`: month before day, unless only the other order is a date.
fn numeric(text: &str) -> Option<Day> {
    let word = text
        .split(|c: char| !(c.is_ascii_digit() || matches!(c, '/' | '-' | '.')))
        .find(|w| {
            let parts = w.trim_matches(['/', '-', '.']).split(['/', '-', '.']);
            (2..=3).contains(&parts.count())
        })?;
    let parts: Vec<u64> = word
        .trim_matches(['/', '-', '.'])
        .split(['/', '-', '.'])
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    match parts.as_slice() {
        [y, m, d] if *y > 31 => valid(year(*y), *m, *d),
        [m, d, y] => valid(year(*y), *m, *d).or_else(|| valid(year(*y), *d, *m)),
        [m, d] => valid(None, *m, *d).or_else(|| valid(None, *d, *m)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_birthday_in_many_ways() {
        for text in [
            "3월 15일",
            "3월15일",
            "삼월 십오일",
            "march 15",
            "march 15th",
            "15 march",
            "the 15th of march",
            "3/15",
            "03-15",
            "mar 15",
            "march fifteenth",
            "march the 15th",
            "1999년 3월 15일생",
            "1999-03-15",
            "march 15, 1999",
        ] {
            let day = find(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(day.month_day(), "03-15", "{text}");
            assert_eq!(day.year, text.contains("1999").then_some(1999), "{text}");
        }
        assert_eq!(find("2월 31일"), None);
        assert_eq!(find("may i come in"), None);
        assert_eq!(find("월"), None);
        assert_eq!(find("시월 삼일").map(Day::month_day).as_deref(), Some("10-03"));
    }
}
