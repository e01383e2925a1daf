//! Numbers in digits and in words, Korean (native and Sino-Korean) and English.

const NATIVE: [(&str, u64); 32] = [
    ("하나", 1),
    ("한", 1),
    ("둘", 2),
    ("두", 2),
    ("셋", 3),
    ("세", 3),
    ("넷", 4),
    ("네", 4),
    ("다섯", 5),
    ("여섯", 6),
    ("일곱", 7),
    ("여덟", 8),
    ("여덜", 8),
    ("아홉", 9),
    ("열", 10),
    ("스물", 20),
    ("스무", 20),
    ("서른", 30),
    ("설흔", 30),
    ("마흔", 40),
    ("쉰", 50),
    ("예순", 60),
    ("일흔", 70),
    ("여든", 80),
    ("아흔", 90),
    ("백", 100),
    ("스믈", 20),
    ("열", 10),
    ("셔른", 30),
    ("다서", 5),
    ("석", 3),
    ("넉", 4),
];
const DIGITS: [(char, u64); 12] = [
    ('영', 0),
    ('공', 0),
    ('일', 1),
    ('이', 2),
    ('삼', 3),
    ('사', 4),
    ('오', 5),
    ('육', 6),
    ('륙', 6),
    ('칠', 7),
    ('팔', 8),
    ('구', 9),
];
const ENGLISH: [(&str, u64); 30] = [
    ("zero", 0),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fourty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("a", 1),
];

/// A number at the start of the text, in any of the ways, and the bytes it takes.
/// `3만 5천` is 35000, `스물 다섯` is 25, `twenty-five` is 25, `1,200` is 1200.
#[must_use]
pub fn leading(text: &str) -> Option<(u64, usize)> {
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        return mixed(text);
    }
    if first.is_ascii_alphabetic() {
        return english(text);
    }
    // 백 is native and Sino-Korean at once: the longer reading counts.
    [native(text), mixed(text)]
        .into_iter()
        .flatten()
        .max_by_key(|(_, used)| *used)
}

/// The number that the whole text is.
#[must_use]
pub fn whole(text: &str) -> Option<u64> {
    let text = text.trim();
    leading(text).filter(|(_, used)| *used == text.len()).map(|(n, _)| n)
}

/// Digits at the start, thousands commas allowed.
fn digits(text: &str) -> Option<(u64, usize)> {
    let mut value: u64 = 0;
    let mut used = 0;
    for (at, c) in text.char_indices() {
        match c.to_digit(10) {
            Some(d) => value = value.checked_mul(10)?.checked_add(u64::from(d))?,
            None if c == ',' && used > 0 && thousands(&text[at + 1..]) => continue,
            None => break,
        }
        used = at + c.len_utf8();
    }
    (used > 0).then_some((value, used))
}

/// Exactly three digits follow.
fn thousands(rest: &str) -> bool {
    let run = rest.bytes().take_while(u8::is_ascii_digit).count();
    run == 3
}

/// Native Korean: tens and ones, at most one space between them.
fn native(text: &str) -> Option<(u64, usize)> {
    let mut total = 0;
    let mut used = 0;
    let mut floor = u64::MAX;
    loop {
        let rest = &text[used..];
        let rest = if used > 0 {
            rest.strip_prefix(' ').unwrap_or(rest)
        } else {
            rest
        };
        let at = text.len() - rest.len();
        let next = NATIVE
            .iter()
            .filter(|(w, n)| rest.starts_with(w) && *n < floor)
            .max_by_key(|(w, _)| w.len());
        let Some((word, n)) = next else { break };
        // 스물다섯 goes down from tens to ones; 열 after 다섯 is another number.
        if floor < 10 || (floor != u64::MAX && *n >= 10 && floor < 100) {
            break;
        }
        total += n;
        floor = *n;
        used = at + word.len();
        if *n < 10 {
            break;
        }
    }
    (used > 0).then_some((total, used))
}

/// Digits and Sino-Korean units together: `이십오`, `3만 5천`, `백칠십팔`.
fn mixed(text: &str) -> Option<(u64, usize)> {
    let mut total: u64 = 0;
    let mut section: u64 = 0;
    let mut current: Option<u64> = None;
    let mut used = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { break };
        if let Some((n, len)) = c.is_ascii_digit().then(|| digits(rest)).flatten() {
            if current.is_some() {
                break;
            }
            current = Some(n);
            at += len;
        } else if let Some((_, d)) = DIGITS.iter().find(|(w, _)| *w == c) {
            if current.is_some() {
                break;
            }
            current = Some(*d);
            at += c.len_utf8();
        } else if let Some(unit) = small_unit(c) {
            section = section.checked_add(current.take().unwrap_or(1).checked_mul(unit)?)?;
            at += c.len_utf8();
        } else if let Some(unit) = large_unit(c) {
            let part = section.checked_add(current.take().unwrap_or(0))?.max(1);
            total = total.checked_add(part.checked_mul(unit)?)?;
            section = 0;
            at += c.len_utf8();
        } else if c == ' ' && used > 0 && text[..at].chars().next_back().is_some_and(is_unit) {
            at += 1;
            continue;
        } else {
            break;
        }
        used = at;
    }
    let value = total.checked_add(section)?.checked_add(current.unwrap_or(0))?;
    (used > 0).then_some((value, used))
}

fn is_unit(c: char) -> bool {
    small_unit(c).or(large_unit(c)).is_some()
}

fn small_unit(c: char) -> Option<u64> {
    match c {
        '십' => Some(10),
        '백' => Some(100),
        '천' => Some(1000),
        _ => None,
    }
}

fn large_unit(c: char) -> Option<u64> {
    match c {
        '만' => Some(10_000),
        '억' => Some(100_000_000),
        '조' => Some(1_000_000_000_000),
        _ => None,
    }
}

/// English words: `twenty-five`, `one hundred and five`.
fn english(text: &str) -> Option<(u64, usize)> {
    let mut total: u64 = 0;
    let mut used = 0;
    let mut last = 100;
    let mut at = 0;
    for word in text.split_inclusive([' ', '-']) {
        let plain = word.trim_end_matches([' ', '-']);
        let end = at + plain.len();
        if plain == "hundred" && used > 0 {
            total = total.checked_mul(100)?;
            last = 100;
        } else if plain == "and" && used > 0 && last == 100 {
            at += word.len();
            continue;
        } else {
            let Some((_, n)) = ENGLISH.iter().find(|(w, _)| *w == plain) else {
                break;
            };
            // twenty-five goes down; "five six" is two numbers.
            if used > 0 && !(last >= 20 && *n < 10 || last == 100) {
                break;
            }
            total = total.checked_add(*n)?;
            last = *n;
        }
        used = end;
        at += word.len();
    }
    // The article alone is no number.
    (used > 0 && &text[..used] != "a").then_some((total, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words_and_digits() {
        for (text, n) in [
            ("스물다섯", 25),
            ("스물 다섯", 25),
            ("스무", 20),
            ("열아홉", 19),
            ("이십오", 25),
            ("25", 25),
            ("백칠십팔", 178),
            ("3만 5천", 35_000),
            ("삼천오백만", 35_000_000),
            ("1,200", 1200),
            ("twenty-five", 25),
            ("twenty five", 25),
            ("one hundred and five", 105),
            ("nineteen", 19),
            ("서른하나", 31),
            ("1억 2천만", 120_000_000),
        ] {
            assert_eq!(whole(text), Some(n), "{text}");
        }
        assert_eq!(whole("다섯열"), None);
        assert_eq!(whole("a"), None);
        assert_eq!(whole(""), None);
        assert_eq!(leading("99999999999999999999999"), None);
    }
}
