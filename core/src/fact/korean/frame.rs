//! Sentence patterns of Korean: `frames_ko.tsv` read once, matched against a clause.

use super::clause::{Clause, Mood, Pred};
use super::josa::Josa;
use super::phrase::Phrase;
use super::predicate::{VerbId, grammar};
use super::slot::{self, Slot};
use crate::fact::hash::FastMap;
use crate::fact::types::Op;
use crate::fact::words::{named, words};
use std::ops::Range;
use std::sync::LazyLock;

/// When a frame counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Now,
    Done,
    Past,
    /// Now, with a word that points to the days ahead.
    Soon,
    /// Now or settled already, for a day ahead.
    Ahead,
    /// Done, and not on the way to something that may be only planned.
    Event,
    Wish,
    Plan,
    Order,
    Any,
    /// Now, and denied.
    Not,
    /// Now, denied by will and not for want of ability.
    Wont,
    /// Now, and not on the way to something else.
    Final,
    /// Now, with a word that says it is a liking and no single time.
    Often,
}

/// The particles an element may carry.
#[derive(Clone, Debug, Default)]
struct Marks {
    josa: Vec<Josa>,
    quoted: bool,
    copula: bool,
}

/// One phrase that a frame asks for.
#[derive(Clone, Debug)]
struct Element {
    slot: Option<Slot>,
    /// Literal words, or with a slot the words that must follow it.
    words: Vec<String>,
    marks: Marks,
    optional: bool,
}

/// One line of the file.
#[derive(Clone, Debug)]
pub struct Frame {
    pub key: &'static str,
    pub op: Op,
    when: When,
    /// The user must be the spoken topic.
    pub explicit: bool,
    elements: Vec<Element>,
    fixed: Option<&'static str>,
}

/// What a frame found.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Values at these places of the message.
    At(Vec<Range<usize>>),
    /// A value the frame itself gives.
    Fixed(&'static str),
    /// The whole clause says it.
    Clause,
}

/// Frames by their predicate.
pub struct Frames {
    frames: Vec<Frame>,
    verbs: FastMap<VerbId, Vec<usize>>,
    nouns: Vec<usize>,
}

static FRAMES: LazyLock<Frames> = LazyLock::new(Frames::load);

/// The frames of the data file.
#[must_use]
pub fn frames() -> &'static Frames {
    &FRAMES
}

impl Frames {
    fn load() -> Self {
        let mut all = Self {
            frames: Vec::new(),
            verbs: FastMap::default(),
            nouns: Vec::new(),
        };
        for line in include_str!("../data/frames_ko.tsv")
            .lines()
            .filter(|l| !l.starts_with('#'))
        {
            let columns: Vec<&'static str> = line.split('\t').collect();
            let &[key, op, when, verbs, ref rest @ ..] = columns.as_slice() else {
                continue;
            };
            let elements = rest.first().copied().unwrap_or("");
            let fixed = rest.get(1).copied();
            let explicit = when.ends_with('!');
            let (Some(op), Some(when)) = (Op::from_name(op), when_of(when.trim_end_matches('!'))) else {
                continue;
            };
            let elements = elements.split(' ').filter(|e| !e.is_empty()).map(element);
            let at = all.frames.len();
            all.frames.push(Frame {
                key,
                op,
                when,
                explicit,
                elements: elements.collect(),
                fixed,
            });
            for lemma in verbs.split('|') {
                match grammar().id(lemma) {
                    _ if lemma == "이다" => all.nouns.push(at),
                    Some(id) => all.verbs.entry(id).or_default().push(at),
                    None => {}
                }
            }
        }
        all
    }

    /// The frames that a clause's predicate can complete, in file order.
    pub fn of<'f>(&'f self, clause: &Clause<'_>) -> impl Iterator<Item = &'f Frame> {
        let list: &[usize] = match clause.pred {
            Pred::Verb(id) => self.verbs.get(&id).map_or(&[], Vec::as_slice),
            Pred::Noun => &self.nouns,
            Pred::Unknown => &[],
        };
        list.iter().filter_map(|at| self.frames.get(*at))
    }
}

fn when_of(name: &str) -> Option<When> {
    Some(match name {
        "now" => When::Now,
        "done" => When::Done,
        "past" => When::Past,
        "soon" => When::Soon,
        "ahead" => When::Ahead,
        "event" => When::Event,
        "wish" => When::Wish,
        "plan" => When::Plan,
        "order" => When::Order,
        "any" => When::Any,
        "not" => When::Not,
        "often" => When::Often,
        "wont" => When::Wont,
        "final" => When::Final,
        _ => return None,
    })
}

/// `{animal}/를,-` or `담배|궐련/를` or `{place}출신|사람/=`.
fn element(text: &'static str) -> Element {
    let (optional, text) = text.strip_prefix('?').map_or((false, text), |t| (true, t));
    let (body, marks) = text.split_once('/').unwrap_or((text, "-"));
    let (slot, words) = match body.strip_prefix('{').and_then(|b| b.split_once('}')) {
        Some((name, rest)) => (Slot::from_name(name), rest),
        None => (None, body),
    };
    let spaced = words.split('|').filter(|w| !w.is_empty());
    let words = spaced.map(|w| w.replace('_', " ")).collect();
    Element {
        slot,
        words,
        marks: marks_of(marks),
        optional,
    }
}

fn marks_of(list: &str) -> Marks {
    let mut marks = Marks::default();
    for mark in list.split(',') {
        match mark {
            "라고" => marks.quoted = true,
            "=" => marks.copula = true,
            // Whoever takes a thing or takes it only takes it.
            "를" => marks.josa.extend([Josa::Object, Josa::Only]),
            _ => marks.josa.extend(Josa::from_mark(mark)),
        }
    }
    marks
}

impl Frame {
    /// Does the frame hold in this clause? `phrases` are the ones left after topic and owner.
    #[must_use]
    pub fn matches(&self, clause: &Clause<'_>, phrases: &[Phrase<'_>], key: &str) -> Option<Value> {
        if !self.in_time(clause) {
            return None;
        }
        let noun = clause.pred == Pred::Noun;
        let mut used = vec![false; phrases.len()];
        let mut found = Vec::new();
        for element in &self.elements {
            let hit = (0..phrases.len()).rev().find_map(|at| {
                let last = noun && at + 1 == phrases.len();
                if used[at] || !element.marks.allow(&phrases[at], last) {
                    return None;
                }
                element.value(&phrases[at], key, last).map(|range| (at, range))
            });
            match hit {
                Some((at, range)) => {
                    used[at] = true;
                    if !element.optional && (element.slot.is_some() || self.fixed == Some("=")) {
                        found.push(range);
                        self.list_before(element, phrases, at, key, &mut used, &mut found);
                    }
                }
                None if element.optional => {}
                None => return None,
            }
        }
        // Whoever else is topic or subject of the clause is who the clause is about.
        let open = phrases
            .iter()
            .zip(&used)
            .any(|(p, used)| !used && matches!(p.josa, Josa::Topic | Josa::Subject | Josa::Dative));
        let noun_left = noun && !used.last().copied().unwrap_or(false);
        if open || noun_left {
            return None;
        }
        match self.fixed.map(str::trim) {
            Some("=clause") => Some(Value::Clause),
            Some("=") | None | Some("") => (!found.is_empty()).then_some(Value::At(found)),
            Some(text) => Some(Value::Fixed(text)),
        }
    }

    /// 독서랑 수영을: the phrases joined to the value by "and" are values too.
    fn list_before(
        &self,
        element: &Element,
        phrases: &[Phrase<'_>],
        at: usize,
        key: &str,
        used: &mut [bool],
        found: &mut Vec<Range<usize>>,
    ) {
        for before in (0..at).rev() {
            if used[before] || phrases[before].josa != Josa::And {
                break;
            }
            let fits = match element.slot {
                Some(slot) => slot::fits(slot, &phrases[before].text(), key, true),
                None => element.words.iter().any(|w| w == phrases[before].head()),
            };
            if !fits {
                break;
            }
            used[before] = true;
            found.insert(0, phrases[before].range());
        }
    }

    fn in_time(&self, clause: &Clause<'_>) -> bool {
        let assert = clause.mood == Mood::Assert;
        if clause.negated != matches!(self.when, When::Not | When::Wont) {
            return false;
        }
        match self.when {
            When::Now | When::Not => assert && !clause.past,
            When::Done => assert,
            When::Past => assert && (clause.past || clause.since),
            When::Soon => assert && !clause.past && soon(clause),
            When::Event => assert && (clause.past || !clause.linked),
            When::Ahead => assert && soon(clause),
            When::Wont => assert && !clause.past && !clause.unable,
            When::Final => assert && !clause.past && !(clause.linked && clause.open),
            When::Often => assert && !clause.past && clause.args.iter().any(|t| is_often(t.text)),
            When::Wish => clause.mood == Mood::Wish,
            When::Plan => clause.mood == Mood::Plan,
            When::Order => clause.mood == Mood::Order,
            When::Any => assert || clause.mood == Mood::Order,
        }
    }
}

/// `9월에`, `11월`.
fn is_month(word: &str) -> bool {
    let head = word.find('월').map_or("", |at| &word[..at]);
    crate::fact::number::whole(head).is_some_and(|n| (1..=12).contains(&n)) && word[head.len()..].chars().count() <= 3
}

/// A word that makes a habit of what is done.
fn is_often(word: &str) -> bool {
    matches!(
        word,
        "즐겨"
            | "자주"
            | "맨날"
            | "매일"
            | "주로"
            | "항상"
            | "무조건"
            | "만날"
            | "늘"
            | "틈틈이"
            | "매일매일"
            | "매주"
            | "취미로"
            | "달고"
            | "밥먹듯이"
            | "하루종일"
            | "일주일에"
            | "꾸준히"
            | "평소에"
            | "보통"
            | "종종"
            | "심심하면"
    ) || word.ends_with("마다")
        || word.starts_with("하루에")
        || word.starts_with('주') && word.ends_with(['번', '회'])
}

/// A word that points to the days ahead.
fn soon(clause: &Clause<'_>) -> bool {
    const WORDS: [&str; 33] = [
        "월욜",
        "화욜",
        "수욜",
        "목욜",
        "금욜",
        "토욜",
        "일욜",
        "담달",
        "담학기",
        "내년",
        "다다음",
        "돌아오는",
        "오는",
        "오늘",
        "이따",
        "내일",
        "모레",
        "글피",
        "다음",
        "담주",
        "다담주",
        "이번",
        "주말에",
        "곧",
        "조만간",
        "월요일",
        "화요일",
        "수요일",
        "목요일",
        "금요일",
        "토요일",
        "일요일",
        "낼",
    ];
    clause.args.iter().any(|t| {
        WORDS.iter().any(|w| t.text.starts_with(w))
            || (t.text.contains('월') && (crate::fact::date::find(t.text).is_some() || is_month(t.text)))
    })
}

impl Marks {
    fn allow(&self, phrase: &Phrase<'_>, copula: bool) -> bool {
        if copula {
            return self.copula;
        }
        if phrase.quoted {
            return self.quoted;
        }
        self.josa.contains(&phrase.josa)
    }
}

impl Element {
    /// The place of the value in the phrase, when the phrase fits.
    fn value(&self, phrase: &Phrase<'_>, key: &str, copula: bool) -> Option<Range<usize>> {
        let text = phrase.text();
        let range = phrase.range();
        let marked = copula || phrase.josa != Josa::Bare;
        let Some(slot) = self.slot else {
            let plain = text.replace(' ', "");
            return self
                .words
                .iter()
                .any(|w| plain == *w || phrase.head() == *w)
                .then_some(range);
        };
        if self.words.is_empty() {
            return longest_fit(slot, phrase, key, marked);
        }
        self.words.iter().find_map(|word| {
            let rest = text.strip_suffix(word.as_str())?;
            let value = rest.trim_end();
            // 모르는 사람 is nobody from 모르는; 무주 출신 is from 무주.
            let free = !matches!(word.as_str(), "사람" | "남자" | "여자");
            let ok = !value.is_empty() && slot::fits(slot, value, key, free);
            ok.then(|| range.start..range.end - (text.len() - value.len()))
        })
    }
}

/// The longest end of the phrase that fits: in `저는 서울 강남구` the words before may be anything.
/// What is liked is never cut: `아이유 노래` is not `노래`.
fn longest_fit(slot: Slot, phrase: &Phrase<'_>, key: &str, marked: bool) -> Option<Range<usize>> {
    let end = phrase.range().end;
    let joined = phrase
        .toks
        .windows(2)
        .all(|w| w[1].start <= w[0].start + w[0].text.len() + 2);
    let liked = joined && matches!(slot, Slot::Thing | Slot::Known);
    let known_head =
        || words().is(phrase.head(), named().things()) && slot::fits(Slot::Thing, &phrase.text(), key, true);
    if liked && phrase.toks.len() > 1 && known_head() {
        return Some(phrase.range());
    }
    let last = if liked { 1 } else { phrase.toks.len() };
    (0..last).find_map(|from| {
        let part = Phrase {
            toks: phrase.toks[from..].to_vec(),
            ..*phrase
        };
        slot::fits(slot, &part.text(), key, marked).then(|| phrase.toks[from].start..end)
    })
}
