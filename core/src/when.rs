//! The time that a question names: `지난주`, `last May`, `2023년 7월`, `three days ago`.

use crate::fact::date::MONTHS;
use crate::fact::number;

const DAY: i64 = 86_400_000_000;

/// A time that was named. Times are microseconds of the local clock since 1970.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Span {
    /// From, until.
    Range(i64, i64),
    /// A month of whatever year, perhaps its day.
    Season(u32, Option<u32>),
}

/// What a question says of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct When(Vec<Span>);

impl When {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How well a time fits: 1 within, one half near by, else 0. People tell of things some days after.
    pub fn fit(&self, at: i64) -> f64 {
        self.0.iter().map(|span| span.fit(at)).fold(0.0, f64::max)
    }
}

impl Span {
    fn fit(self, at: i64) -> f64 {
        match self {
            Span::Range(from, until) => {
                let margin = (until - from).clamp(2 * DAY, 14 * DAY);
                match at {
                    at if (from..until).contains(&at) => 1.0,
                    at if (from - margin..until + margin).contains(&at) => 0.5,
                    _ => 0.0,
                }
            }
            Span::Season(month, day) => {
                let (_, m, d) = civil(at.div_euclid(DAY));
                match day {
                    _ if m != month => 0.0,
                    Some(day) if d.abs_diff(day) > 1 => 0.5,
                    _ => 1.0,
                }
            }
        }
    }
}

/// Reads the times out of a question that is asked at `now`.
pub fn read(question: &str, now: i64) -> When {
    let text = question.to_lowercase();
    let words: Vec<&str> = text
        .split_whitespace()
        .map(bare)
        .filter(|word| !word.is_empty())
        .collect();
    let mut spans = Vec::new();
    let today = now.div_euclid(DAY);
    named_dates(&words, today, &mut spans);
    korean_dates(&text, today, &mut spans);
    relative(&words, today, &mut spans);
    When(spans)
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn month_of(word: &str) -> Option<u32> {
    let found = MONTHS.iter().position(|month| {
        *month == word
            || (word.len() >= 3 && word.len() <= 4 && month.starts_with(word) && word != "mar" && word != "may")
    })?;
    Some(found as u32 + 1)
}

fn day_of(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = &word[digits.len()..];
    let day: u32 = digits.parse().ok()?;
    (matches!(ending, "" | "st" | "nd" | "rd" | "th") && (1..=31).contains(&day)).then_some(day)
}

fn year_of(word: &str) -> Option<i64> {
    let year: i64 = word.parse().ok()?;
    (word.len() == 4 && (1900..2100).contains(&year)).then_some(year)
}

/// `8 May 2023`, `May 8th`, `last May`, `in 2023`, `2023-05-08`.
fn named_dates(words: &[&str], today: i64, spans: &mut Vec<Span>) {
    let word = |i: Option<usize>| i.and_then(|i| words.get(i)).copied().unwrap_or_default();
    let mut named = false;
    for (i, here) in words.iter().enumerate() {
        let before = i.checked_sub(1);
        if let Some(range) = iso(here) {
            spans.push(range);
            named = true;
            continue;
        }
        let Some(month) = month_of(here) else {
            continue;
        };
        // "may" is a verb more often than a month.
        let placed = matches!(
            word(before),
            "in" | "last" | "this" | "next" | "of" | "since" | "during" | "early" | "late" | "mid"
        );
        let day = day_of(word(before)).or_else(|| match word(before) {
            "of" => day_of(word(i.checked_sub(2))),
            _ => None,
        });
        let day_after = day_of(word(Some(i + 1))).filter(|_| year_of(word(Some(i + 1))).is_none());
        let day = day.or(day_after);
        let year = [i + 1, i + 2].into_iter().find_map(|j| year_of(word(Some(j))));
        if *here == "may" && !placed && day.is_none() && year.is_none() {
            continue;
        }
        named = true;
        let year = year.or_else(|| (word(before) == "last").then(|| last_year_of(month, today)));
        spans.push(match year {
            Some(year) => month_range(year, month, day),
            None => Span::Season(month, day),
        });
    }
    if !named {
        let years = words.iter().filter_map(|word| year_of(word));
        spans.extend(years.map(|year| Span::Range(days(year, 1, 1) * DAY, days(year + 1, 1, 1) * DAY)));
    }
}

fn iso(word: &str) -> Option<Span> {
    let mut parts = word.splitn(3, ['-', '.', '/']);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let month: u32 = month.parse().ok()?;
    let day: u32 = day.parse().ok()?;
    let year = year_of(year)?;
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then(|| month_range(year, month, Some(day)))
}

/// The year of the last such month that is over.
fn last_year_of(month: u32, today: i64) -> i64 {
    let (year, this_month, _) = civil(today);
    if month < this_month { year } else { year - 1 }
}

fn month_range(year: i64, month: u32, day: Option<u32>) -> Span {
    match day {
        Some(day) => {
            let start = days(year, month, day);
            Span::Range(start * DAY, (start + 1) * DAY)
        }
        None => {
            let next = if month == 12 {
                days(year + 1, 1, 1)
            } else {
                days(year, month + 1, 1)
            };
            Span::Range(days(year, month, 1) * DAY, next * DAY)
        }
    }
}

/// `2023년 7월 3일`, `7월 3일`, `작년 5월`, `2023년`.
fn korean_dates(text: &str, today: i64, spans: &mut Vec<Span>) {
    let mut year = None;
    let mut month = None;
    let mut rest = text;
    let (this_year, _, _) = civil(today);
    for (word, shift) in [("재작년", -2), ("작년", -1), ("지난해", -1), ("올해", 0)] {
        if text.contains(word) {
            year = Some(this_year + shift);
            break;
        }
    }
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        rest = &rest[at..];
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let value: i64 = rest[..length].parse().unwrap_or(0);
        rest = &rest[length..];
        let unit = rest.trim_start();
        if unit.starts_with('년') && !after(unit, '년').starts_with("전") {
            year = year_of(&value.to_string()).or(year);
        } else if unit.starts_with('월') && (1..=12).contains(&value) {
            month = Some((value as u32, None));
        } else if unit.starts_with('일') && !after(unit, '일').starts_with("전") && (1..=31).contains(&value) {
            month = month.map(|(month, _)| (month, Some(value as u32)));
        }
    }
    match (year, month) {
        (Some(year), Some((month, day))) => spans.push(month_range(year, month, day)),
        (None, Some((month, day))) => spans.push(Span::Season(month, day)),
        (Some(year), None) => spans.push(Span::Range(days(year, 1, 1) * DAY, days(year + 1, 1, 1) * DAY)),
        (None, None) => {}
    }
}

fn after(text: &str, unit: char) -> &str {
    text.strip_prefix(unit).unwrap_or(text).trim_start()
}

const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
const KOREAN_WEEKDAYS: [&str; 7] = ["월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일"];

/// `yesterday`, `last week`, `three days ago`, `어제`, `지난주`, `사흘 전`.
fn relative(words: &[&str], today: i64, spans: &mut Vec<Span>) {
    let day_range = |from: i64, until: i64| Span::Range(from * DAY, until * DAY);
    // The week begins on Monday; day 0 of 1970 was a Thursday.
    let weekday = (today + 3).rem_euclid(7);
    let week = today - weekday;
    let (year, month, _) = civil(today);
    let month_start = |back: i64| {
        let months = year * 12 + i64::from(month) - 1 - back;
        days(months.div_euclid(12), months.rem_euclid(12) as u32 + 1, 1)
    };
    for (i, here) in words.iter().enumerate() {
        let previous = i.checked_sub(1).map_or("", |i| words[i]);
        let next = words.get(i + 1).copied().unwrap_or_default();
        let starts = |list: &[&str]| list.iter().any(|word| here.starts_with(word));
        if starts(&["오늘", "today"]) {
            spans.push(day_range(today, today + 1));
        } else if starts(&["어제", "어저께", "yesterday"]) {
            spans.push(day_range(today - 1, today));
        } else if starts(&["그저께", "그제", "엊그제"]) {
            spans.push(day_range(today - 3, today - 1));
        } else if starts(&["지난주", "저번주"])
            || (starts(&["지난", "저번"]) && next.starts_with('주'))
            || (previous == "last" && *here == "week")
        {
            spans.push(day_range(week - 7, week));
        } else if starts(&["이번주"])
            || (starts(&["이번"]) && next.starts_with('주'))
            || (previous == "this" && *here == "week")
        {
            spans.push(day_range(week, week + 7));
        } else if starts(&["지난달", "저번달"])
            || (starts(&["지난", "저번"]) && next.starts_with('달'))
            || (previous == "last" && *here == "month")
        {
            spans.push(day_range(month_start(1), month_start(0)));
        } else if starts(&["이번달", "이달"])
            || (starts(&["이번"]) && next.starts_with('달'))
            || (previous == "this" && *here == "month")
        {
            spans.push(day_range(month_start(0), month_start(-1)));
        } else if matches!(previous, "last" | "this") && *here == "year" {
            let year = if previous == "last" { year - 1 } else { year };
            spans.push(day_range(days(year, 1, 1), days(year + 1, 1, 1)));
        } else if let Some(day) = WEEKDAYS
            .iter()
            .position(|name| name == here)
            .or_else(|| KOREAN_WEEKDAYS.iter().position(|name| here.starts_with(name)))
        {
            // The last such day, today not taken.
            let back = (weekday - day as i64 - 1).rem_euclid(7) + 1;
            spans.push(day_range(today - back, today - back + 1));
        } else if let Some((amount, unit)) = ago(words, i) {
            spans.push(match unit {
                Unit::Day => day_range(today - amount, today - amount + 1),
                Unit::Week => day_range(today - amount * 7 - 3, today - amount * 7 + 4),
                Unit::Month => day_range(month_start(amount), month_start(amount - 1)),
                Unit::Year => day_range(days(year - amount, 1, 1), days(year - amount + 1, 1, 1)),
            });
        }
    }
}

#[derive(Clone, Copy)]
enum Unit {
    Day,
    Week,
    Month,
    Year,
}

const NATIVE_DAYS: [(&str, i64); 5] = [("하루", 1), ("이틀", 2), ("사흘", 3), ("나흘", 4), ("열흘", 10)];

/// `three days ago`, `3일 전`, `석 달 전에`, `이틀 전`: the word at `i` begins it.
fn ago(words: &[&str], i: usize) -> Option<(i64, Unit)> {
    let word = |step: usize| words.get(i + step).copied().unwrap_or_default();
    if word(2) == "ago" {
        let unit = match word(1).trim_end_matches('s') {
            "day" => Unit::Day,
            "week" => Unit::Week,
            "month" => Unit::Month,
            "year" => Unit::Year,
            _ => return None,
        };
        let amount = match word(0) {
            "a" | "an" | "one" => 1,
            other => number::whole(other)? as i64,
        };
        return (1..=1_000).contains(&amount).then_some((amount, unit));
    }
    // `3일 전`, `3 일 전`, `3일전`.
    let phrase = [word(0), word(1), word(2)].concat();
    if let Some((_, amount)) = NATIVE_DAYS.iter().find(|(name, _)| phrase.starts_with(name)) {
        return phrase.contains("전").then_some((*amount, Unit::Day));
    }
    let (amount, length) = number::leading(&phrase)?;
    let rest = &phrase[length..];
    let units = [
        ("일전", Unit::Day),
        ("주전", Unit::Week),
        ("주일전", Unit::Week),
        ("달전", Unit::Month),
        ("개월전", Unit::Month),
        ("년전", Unit::Year),
        ("해전", Unit::Year),
    ];
    let (_, unit) = units.iter().find(|(name, _)| rest.starts_with(name))?;
    (1..=1_000).contains(&amount).then_some((amount as i64, *unit))
}

/// Days since 1970-01-01 of a date of the Gregorian calendar; a day too large for its month runs over.
fn days(year: i64, month: u32, day: u32) -> i64 {
    // Years that begin in March, so that the odd day of leap years is their last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (i64::from(month) + if month > 2 { -3 } else { 9 }) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date of a day since 1970-01-01.
fn civil(day: i64) -> (i64, u32, u32) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month as u32, day as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Wednesday, 15 November 2023, noon.
    fn now() -> i64 {
        at(2023, 11, 15)
    }

    fn at(year: i64, month: u32, day: u32) -> i64 {
        days(year, month, day) * DAY + DAY / 2
    }

    #[test]
    fn questions_name_times() {
        for (question, inside, outside) in [
            ("What did she do in July 2023?", at(2023, 7, 20), at(2022, 7, 20)),
            ("what happened on 8 May, 2023", at(2023, 5, 8), at(2023, 8, 8)),
            ("what happened on May 8th", at(2022, 5, 8), at(2022, 8, 8)),
            ("Where did I go last May?", at(2023, 5, 3), at(2022, 5, 3)),
            ("last december", at(2022, 12, 3), at(2023, 2, 3)),
            ("what did I buy in 2021?", at(2021, 6, 1), at(2023, 6, 1)),
            ("on 2023-05-08?", at(2023, 5, 8), at(2023, 7, 8)),
            ("what did we talk about yesterday?", at(2023, 11, 14), at(2023, 11, 1)),
            ("what did I say last week", at(2023, 11, 8), at(2023, 10, 8)),
            ("three days ago", at(2023, 11, 12), at(2023, 10, 12)),
            ("two months ago", at(2023, 9, 15), at(2023, 5, 15)),
            ("what did I eat on Monday", at(2023, 11, 13), at(2023, 11, 1)),
            ("2023년 7월에 뭐 했지?", at(2023, 7, 20), at(2022, 7, 20)),
            ("7월 3일에 어디 갔지", at(2021, 7, 3), at(2021, 9, 3)),
            ("작년 5월에 간 곳", at(2022, 5, 3), at(2023, 5, 3)),
            ("작년에 산 거", at(2022, 8, 1), at(2023, 8, 1)),
            ("어제 먹은 거", at(2023, 11, 14), at(2023, 11, 1)),
            ("지난주에 본 영화", at(2023, 11, 8), at(2023, 10, 8)),
            ("지난 주 영화", at(2023, 11, 8), at(2023, 10, 8)),
            ("저번달 여행", at(2023, 10, 8), at(2023, 8, 8)),
            ("사흘 전에 말한 것", at(2023, 11, 12), at(2023, 10, 12)),
            ("3일 전에 말한 것", at(2023, 11, 12), at(2023, 10, 12)),
            ("2주 전 약속", at(2023, 11, 1), at(2023, 9, 1)),
            ("두 달 전에", at(2023, 9, 15), at(2023, 5, 15)),
            ("지난 금요일", at(2023, 11, 10), at(2023, 11, 1)),
        ] {
            let when = read(question, now());
            assert_eq!(when.fit(inside), 1.0, "{question}: {when:?}");
            assert_eq!(when.fit(outside), 0.0, "{question}: {when:?}");
        }
    }

    #[test]
    fn other_words_name_none() {
        for question in [
            "",
            "you may go",
            "what may happen?",
            "I have 3 cats",
            "강아지 이름이 뭐야",
            "전화번호 1234",
            "march on",
            "월급 얼마야",
        ] {
            let when = read(question, now());
            assert!(when.is_empty() || question.starts_with("march"), "{question}: {when:?}");
        }
    }

    #[test]
    fn near_by_counts_half() {
        let when = read("on 8 May 2023", now());
        assert_eq!(when.fit(at(2023, 5, 10)), 0.5);
        assert_eq!(When::default().fit(0), 0.0);
    }

    proptest! {
        #[test]
        fn calendar_there_and_back(day in -1_000_000i64..1_000_000) {
            let (year, month, of_month) = civil(day);
            prop_assert_eq!(days(year, month, of_month), day);
        }

        #[test]
        fn nothing_panics(question in "\\PC{0,60}", now in any::<i32>()) {
            let when = read(&question, i64::from(now) * 1_000_000);
            prop_assert!((0.0..=1.0).contains(&when.fit(0)));
        }
    }
}
