//! What one piece costs.

use super::lexicon::{CL_BARE, Key, Lexicon, O2_BARE};
use super::split::{Kind, Rules};

/// Costs are counted in 32nds of a token.
pub(super) const TOKEN: u32 = 32;
/// Longest listed string in bytes; also the window of the search below.
pub(super) const WINDOW: usize = 64;

pub(super) fn piece_cost<R: Rules>(lexicon: &Lexicon, piece: &str, kind: Kind) -> u32 {
    match kind {
        Kind::Digits if piece.is_ascii() => TOKEN,
        Kind::Space => TOKEN * space_cost::<R>(lexicon, piece),
        Kind::Run | Kind::Digits => run_cost::<R>(lexicon, piece, |_, _| ()),
    }
}

/// Equal blanks merge: both tokenizers hold runs of 80 spaces and more, and shorter ones of
/// line breaks and tabs.
fn space_cost<R: Rules>(lexicon: &Lexicon, piece: &str) -> u32 {
    let mut cost = 0;
    let mut rest = piece;
    while let Some(c) = rest.chars().next() {
        let pairs = rest.as_bytes().chunks(2).take_while(|p| *p == b"\r\n").count();
        if pairs > 0 {
            cost += pairs.div_ceil(4) as u32;
            rest = &rest[2 * pairs..];
            continue;
        }
        let run: usize = rest.chars().take_while(|&d| d == c).count();
        cost += match c {
            ' ' => run.div_ceil(80) as u32,
            '\t' => run.div_ceil(16) as u32,
            '\n' => run.div_ceil(8) as u32,
            _ if c.is_ascii() => run as u32,
            _ => run as u32 * lexicon.char_cost(c, if R::CASED { 2 } else { 0 }),
        };
        rest = &rest[run * c.len_utf8()..];
    }
    cost
}

/// What a further token costs inside a run that has already been charged for one, by the
/// character it starts with. A little above TOKEN where the search finds better splits than
/// the tokenizer: with 36 for ASCII 3 of 19,800 held-out texts are more than 5% under cl100k,
/// the lowest at 0.93; with 32 it was 7, the lowest at 0.91. Below TOKEN for scripts o200k knows
/// well and the list knows little, where the search splits words that are whole: with 32 Greek
/// and Thai came out 1.4 to 1.5 times the count.
fn inner_rate<R: Rules>(before: u8, c: char) -> u32 {
    match (c, R::CASED) {
        // Inside capitals: with 36 English in capitals came out 1.32 times the count.
        ('A'..='Z', _) if before.is_ascii_uppercase() && before != c as u8 => 32,
        ('\0'..='\u{7f}', _) => 36,
        // Bengali to Sinhala
        ('\u{980}'..='\u{dff}', true) => 18,
        // Arabic, then Cyrillic and Devanagari
        ('\u{600}'..='\u{6ff}', true) => 31,
        ('\u{400}'..='\u{52f}' | '\u{900}'..='\u{97f}', true) => 33,
        // Latin with accents, Greek, Hebrew, Thai
        ('\u{c0}'..='\u{24f}' | '\u{370}'..='\u{e7f}', true) => 24,
        ('\u{c0}'..='\u{24f}' | '\u{400}'..='\u{52f}', false) => 34,
        ('\u{3400}'..='\u{9fff}', _) => 33,
        _ => TOKEN,
    }
}

/// Added where a split falls between four consonants: random strings look like that, words do
/// not. Without it random letters came out up to 10% under.
const CLUSTER: u32 = 9;

fn in_cluster(bytes: &[u8], i: usize) -> bool {
    let consonant = |&b: &u8| b.is_ascii_alphabetic() && !b"aeiouyAEIOUY".contains(&b);
    i >= 2 && i + 2 <= bytes.len() && bytes[i - 1] != bytes[i] && bytes[i - 2..i + 2].iter().all(consonant)
}

/// The cost of a mark that a word follows without a space, where common words are listed with
/// it: of 200 thousand such words in code and addresses the tokenizers kept ".", "_" and "("
/// apart from one in ten, "-", "/" and "=" from a third to a half.
fn prefix_cost(bytes: &[u8]) -> Option<u32> {
    if !bytes.get(1)?.is_ascii_alphabetic() {
        return None;
    }
    match bytes[0] {
        b'.' | b'_' | b'(' => Some(22),
        b'-' | b'/' | b'=' => Some(27),
        _ => None,
    }
}

/// The cheapest way to make up `piece` from listed strings and single characters. `visit` is
/// told the cost of each prefix that ends on a character, the whole piece last.
pub(super) fn run_cost<R: Rules>(lexicon: &Lexicon, piece: &str, mut visit: impl FnMut(usize, u32)) -> u32 {
    let (bare, column) = if R::CASED { (O2_BARE, 2) } else { (CL_BARE, 0) };
    let space = usize::from(piece.len() > 1 && piece.starts_with(' '));
    let body = &piece[space..];
    let bytes = body.as_bytes();

    // best[i % WINDOW] is the cost of the first i bytes.
    let mut best = [u32::MAX; WINDOW];
    best[0] = 0;
    for (i, c) in body.char_indices() {
        let here = std::mem::replace(&mut best[i % WINDOW], u32::MAX);
        if i > 0 {
            visit(space + i, here);
        }
        let after_space = space == 1 && i == 0;
        let rate = if i == 0 {
            TOKEN
        } else {
            inner_rate::<R>(bytes[i - 1], c)
        };
        let extra = if in_cluster(bytes, i) { CLUSTER } else { 0 };
        let repeats = after_space && bytes.len() > 2 && bytes[0] == bytes[1] && bytes[1] == bytes[2];
        let relax = |best: &mut [u32; WINDOW], end: usize, tokens: u32| {
            // No token is shorter than a byte.
            let limit = TOKEN * (end - i + usize::from(after_space)) as u32;
            let cell = &mut best[end % WINDOW];
            let torn = if repeats && end < bytes.len() { TOKEN / 2 } else { 0 };
            *cell = (*cell).min(here + (tokens * rate + extra + torn).min(limit));
        };
        let alone = if c.is_ascii() {
            1
        } else {
            lexicon.char_cost(c, column + u32::from(after_space))
        };
        relax(&mut best, i + c.len_utf8(), alone);
        if i == 0
            && let Some(cost) = prefix_cost(bytes)
        {
            best[1] = cost;
        }

        let mut end = i + c.len_utf8();
        let mut key = Key::new().push(c);
        let mut first = true;
        for d in body[end..].chars() {
            key = key.push(d);
            if (first && !lexicon.may_start(key)) || end + d.len_utf8() - i >= WINDOW {
                break;
            }
            first = false;
            end += d.len_utf8();
            let Some(mask) = lexicon.mask(key) else { break };
            // In "hahaha" or "wwww" the tokenizer pairs letters from the left, so the listed
            // "hah" and "www" never come up; counting them made laughter 30% too cheap.
            let odd_repeat = (end - i) % 2 == 1
                && end - i >= 3
                && bytes[end - 1] == bytes[i]
                && bytes.get(end) == Some(&bytes[i + 1]);
            if odd_repeat {
                continue;
            }
            if after_space && mask & (bare << 1) != 0 {
                relax(&mut best, end, 1);
            } else if mask & bare != 0 {
                // The space takes the first of "~~~~" with it, which spoils the listed run.
                let spoilt = after_space && end > 1 && bytes[0] == bytes[1];
                if !spoilt {
                    relax(&mut best, end, 1 + u32::from(after_space));
                }
            }
        }
        if i == 0 && end == bytes.len() && best[end % WINDOW] == TOKEN {
            visit(piece.len(), TOKEN);
            return TOKEN;
        }
    }
    let cost = best[bytes.len() % WINDOW];
    visit(piece.len(), cost);
    cost
}
