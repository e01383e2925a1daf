//! Heights, weights and money. All arithmetic is in tenths, to print without floating noise.

use super::number;

/// Normal form `178cm` (one decimal when there is one). Reads `178`, `178cm`, `178센티`,
/// `1미터 78`, `1.78m`, `5 foot 10`, `5'10"`.
#[must_use]
pub fn height(text: &str) -> Option<String> {
    let (tenths, rest) = decimal(text.trim())?;
    let unit = rest.trim_start();
    let cm = if let Some(after) = strip_any(unit, &["feet", "foot", "ft", "'", "피트"]) {
        let after = after.trim_start().trim_start_matches(['.', ',']).trim_start();
        let inches = decimal(after).map_or(0, |(n, _)| n);
        tenths * 3048 / 100 + inches * 254 / 100
    } else if let Some(after) =
        strip_any(unit, &["meters", "metres", "meter", "metre", "미터", "m"]).filter(|_| is_meter(unit, tenths))
    {
        tenths * 100 + decimal(after.trim_start()).map_or(0, |(n, _)| n) + hundredths(text)
    } else {
        tenths
    };
    let known = unit.is_empty()
        || starts_any(
            unit,
            &[
                "cm", "센", "㎝", "정도", "쯤", "feet", "foot", "ft", "'", "피트", "미터", "m", "tall",
            ],
        );
    ((300..=2800).contains(&cm) && known).then(|| print_tenths(cm, "cm"))
}

/// `m` is metres only for numbers a person is metres tall by.
fn is_meter(unit: &str, tenths: u64) -> bool {
    !unit.starts_with("mm") && tenths < 30
}

/// The second decimal of `1.78m`, in centimetres; [`decimal`] keeps only the first.
fn hundredths(text: &str) -> u64 {
    let second = text
        .split_once('.')
        .and_then(|(_, frac)| frac.chars().nth(1))
        .and_then(|c| c.to_digit(10));
    second.map_or(0, |d| u64::from(d) * 10)
}

/// Normal form `70kg`. Reads `70`, `70kg`, `70킬로`, `155 pounds`.
#[must_use]
pub fn weight(text: &str) -> Option<String> {
    let (tenths, rest) = decimal(text.trim())?;
    let unit = rest.trim_start();
    let kg = if starts_any(unit, &["lb", "pound", "파운드"]) {
        (tenths * 4536 + 5000) / 10_000
    } else {
        tenths
    };
    let known = unit.is_empty()
        || starts_any(
            unit,
            &[
                "kg",
                "킬로",
                "키로",
                "㎏",
                "kilo",
                "lb",
                "pound",
                "파운드",
                "정도",
                "쯤",
            ],
        );
    ((20..=4000).contains(&kg) && known).then(|| print_tenths(kg, "kg"))
}

/// Normal form `35000 KRW`. Reads `3만 5천원`, `$50k`, `50,000 dollars`, `5만 달러`.
#[must_use]
pub fn money(text: &str) -> Option<String> {
    let text = text.trim();
    let (sign, text) = match text.chars().next()? {
        '$' => (Some("USD"), &text[1..]),
        '€' => (Some("EUR"), &text['€'.len_utf8()..]),
        '₩' => (Some("KRW"), &text['₩'.len_utf8()..]),
        _ => (None, text),
    };
    let (mut amount, used) = number::leading(text)?;
    let mut rest = text[used..].trim_start();
    if let Some(after) = rest.strip_prefix('k').filter(|r| !r.starts_with(char::is_alphabetic)) {
        amount = amount.checked_mul(1000)?;
        rest = after.trim_start();
    } else if let Some(after) = strip_any(rest, &["thousand", "million"]) {
        amount = amount.checked_mul(if rest.starts_with('t') { 1000 } else { 1_000_000 })?;
        rest = after.trim_start();
    }
    let currency = match rest {
        r if starts_any(r, &["원", "won", "krw"]) => "KRW",
        r if starts_any(r, &["달러", "dollar", "usd", "bucks", "불"]) => "USD",
        r if starts_any(r, &["유로", "euro"]) => "EUR",
        r if starts_any(r, &["엔", "yen"]) => "JPY",
        _ => sign?,
    };
    Some(format!("{amount} {currency}"))
}

/// A number with at most one decimal kept, in tenths, and what follows it.
fn decimal(text: &str) -> Option<(u64, &str)> {
    let (n, used) = number::leading(text)?;
    let rest = &text[used..];
    let tenths = n.checked_mul(10).filter(|n| *n < 100_000)?;
    let fraction = rest
        .strip_prefix('.')
        .filter(|r| r.starts_with(|c: char| c.is_ascii_digit()));
    let Some(fraction) = fraction else {
        return Some((tenths, rest));
    };
    let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
    let first = fraction.chars().next().and_then(|c| c.to_digit(10))?;
    Some((tenths + u64::from(first), &fraction[digits..]))
}

fn strip_any<'a>(text: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    prefixes.iter().find_map(|p| text.strip_prefix(p))
}

fn starts_any(text: &str, prefixes: &[&str]) -> bool {
    strip_any(text, prefixes).is_some()
}

fn print_tenths(tenths: u64, unit: &str) -> String {
    if tenths.is_multiple_of(10) {
        format!("{}{unit}", tenths / 10)
    } else {
        format!("{}.{}{unit}", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_weights_and_money() {
        for text in [
            "178",
            "178cm",
            "178 cm",
            "178센티",
            "1미터 78",
            "1.78m",
            "백칠십팔",
            "178정도",
        ] {
            assert_eq!(height(text).as_deref(), Some("178cm"), "{text}");
        }
        assert_eq!(height("5 foot 10").as_deref(), Some("177.8cm"));
        assert_eq!(height("5'10\"").as_deref(), Some("177.8cm"));
        assert_eq!(height("3개"), None);
        assert_eq!(weight("70킬로").as_deref(), Some("70kg"));
        assert_eq!(weight("155 pounds").as_deref(), Some("70.3kg"));
        assert_eq!(money("3만 5천원").as_deref(), Some("35000 KRW"));
        assert_eq!(money("$50k").as_deref(), Some("50000 USD"));
        assert_eq!(money("4천만 원").as_deref(), Some("40000000 KRW"));
        assert_eq!(money("many"), None);
    }
}
