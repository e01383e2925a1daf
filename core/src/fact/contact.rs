//! Addresses and numbers that are what they are in any sentence: `hk.seo@daum.net`, `010-8821-0457`.

use super::emit::{Collector, Found};
use super::sentence::Sentence;
use super::types::Op;

/// Adds the e-mail address and the telephone number that a statement gives.
pub fn read(out: &mut Collector<'_>, s: &Sentence) {
    let normal = out.normal;
    let line = &normal.low[s.range.clone()];
    if !line.contains('@') && !line.bytes().any(|b| b.is_ascii_digit()) {
        return;
    }
    let theirs = ["your ", "너의 ", "네 ", "그 사람"].iter().any(|w| line.contains(w));
    if s.question || theirs {
        return;
    }
    spaced_phone(out, s);
    for word in line.split_whitespace() {
        let key = if is_email(word) {
            "이메일"
        } else if is_phone(word) {
            "전화번호"
        } else {
            continue;
        };
        let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '.' | '_' | '-' | '+');
        let len = word.find(|c: char| !inner(c)).unwrap_or(word.len());
        let start = s.range.start + (word.as_ptr() as usize - line.as_ptr() as usize);
        let raw = normal.raw[start..start + len].trim_end_matches('.');
        let Some(subject) = out.subjects.get(key) else { continue };
        out.emit(&Found {
            subject,
            owner: None,
            raw,
            fixed: None,
            op: Op::Set,
            span: start..start + len,
            confidence: 0.9,
        });
    }
}

/// `010 5532 7719`, `020 7946 0991`: three groups that start with a zero.
fn spaced_phone(out: &mut Collector<'_>, s: &Sentence) {
    let normal = out.normal;
    let line = &normal.low[s.range.clone()];
    let words: Vec<&str> = line.split_whitespace().collect();
    let digits = |w: &str| w.bytes().take_while(u8::is_ascii_digit).count();
    let all = |w: &str| digits(w) == w.len();
    let found = words.windows(3).find(|w| {
        w[0].starts_with('0')
            && all(w[0])
            && all(w[1])
            && w[0].len() == 3
            && (3..=4).contains(&w[1].len())
            && digits(w[2]) == 4
    });
    let (Some([first, .., last]), Some(subject)) = (found, out.subjects.get("전화번호")) else {
        return;
    };
    let offset = |w: &str| s.range.start + (w.as_ptr() as usize - line.as_ptr() as usize);
    let span = offset(first)..offset(last) + 4;
    let raw = &normal.raw[span.clone()];
    out.emit(&Found {
        subject,
        owner: None,
        raw,
        fixed: None,
        op: Op::Set,
        span,
        confidence: 0.9,
    });
}

fn is_email(word: &str) -> bool {
    word.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty()
            && user.is_ascii()
            && host.split('.').filter(|p| !p.is_empty()).count() >= 2
            && host.starts_with(|c: char| c.is_ascii_alphanumeric())
    })
}

/// Three groups of digits, nine to eleven digits in all.
fn is_phone(word: &str) -> bool {
    let head = word
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '.')))
        .map_or(word, |at| &word[..at]);
    let groups: Vec<&str> = head.trim_end_matches('.').split(['-', '.']).collect();
    let digits: usize = groups.iter().map(|g| g.len()).sum();
    let shape: Vec<usize> = groups.iter().map(|g| g.len()).collect();
    let national = head.starts_with('0') && shape.len() == 3 && (2..=4).contains(&shape[1]) && shape[2] == 4;
    (national || shape == [3, 3, 4]) && (9..=11).contains(&digits)
}
