//! Which of the five emotions the user's words show, and how strongly.

use super::sentence::Said;
use crate::emotion::Emotion;

pub struct Feeling {
    pub emotion: Emotion,
    /// From 0 to 2.
    pub strength: f64,
}

const WORDS: [(Emotion, &[&str]); 4] = [
    (
        Emotion::Joy,
        &[
            "기뻐",
            "기쁘",
            "기쁨",
            "행복",
            "즐거",
            "즐겁",
            "재밌",
            "재미있",
            "좋았",
            "좋아요",
            "고마",
            "감사",
            "뿌듯",
            "웃겼",
            "다행",
            "happy",
            "glad",
            "joy",
            "fun",
            "enjoy",
            "loved it",
            "wonderful",
            "delight",
            "grateful",
            "proud",
            "great time",
        ],
    ),
    (
        Emotion::Sadness,
        &[
            "슬퍼",
            "슬프",
            "슬픔",
            "우울",
            "외로",
            "눈물",
            "울었",
            "울고",
            "그리워",
            "그립",
            "서운",
            "속상",
            "상처",
            "헤어졌",
            "돌아가셨",
            "허전",
            "sad",
            "lonely",
            "cried",
            "crying",
            "miss him",
            "miss her",
            "miss you",
            "heartbroken",
            "depress",
            "grief",
            "passed away",
            "broke up",
            "hurt",
        ],
    ),
    (
        Emotion::Stress,
        &[
            "스트레스",
            "힘들",
            "지쳐",
            "지쳤",
            "짜증",
            "화나",
            "화가",
            "불안",
            "걱정",
            "압박",
            "피곤",
            "답답",
            "무서",
            "두려",
            "괴로",
            "바빠",
            "야근",
            "stress",
            "exhausted",
            "tired",
            "anxious",
            "anxiety",
            "worried",
            "worry",
            "overwhelmed",
            "angry",
            "annoyed",
            "frustrat",
            "pressure",
            "afraid",
            "scared",
            "burned out",
            "burnt out",
        ],
    ),
    (
        Emotion::Excitement,
        &[
            "설레",
            "설렌",
            "설렘",
            "신나",
            "신난",
            "기대돼",
            "기대된",
            "기대하",
            "두근",
            "흥분",
            "떨려",
            "떨린",
            "대박",
            "합격했",
            "excited",
            "exciting",
            "can't wait",
            "cant wait",
            "thrilled",
            "looking forward",
            "amazing",
            "awesome",
            "pumped",
        ],
    ),
];

/// How strongly a lower-case sentence shows any of them.
pub fn strength(low: &str) -> f64 {
    let words: f64 = WORDS.iter().map(|(_, words)| shown(low, words)).sum();
    words * louder(low)
}

pub fn of(sentences: &[Said]) -> Feeling {
    let mut sums = [0.0f64; WORDS.len()];
    for said in sentences.iter().filter(|said| said.by_user) {
        let low = said.text.to_lowercase();
        for (sum, (_, words)) in sums.iter_mut().zip(WORDS) {
            *sum += shown(&low, words) * louder(&low);
        }
    }
    // The first of equals, so that the answer is always the same.
    let mut best = 0;
    for (index, sum) in sums.iter().enumerate() {
        if *sum > sums[best] {
            best = index;
        }
    }
    match sums[best] > 0.0 {
        true => Feeling {
            emotion: WORDS[best].0,
            strength: sums[best].min(2.0),
        },
        false => Feeling {
            emotion: Emotion::Calm,
            strength: 0.0,
        },
    }
}

/// How many of the words stand here unless they are denied: `안 힘들어`, `not sad`.
fn shown(low: &str, words: &[&str]) -> f64 {
    const DENIALS: [&str; 6] = ["안 ", "하나도 ", "not ", "n't ", "never ", "no "];
    const DENIED_AFTER: [&str; 4] = ["지 않", "지는 않", "지도 않", "진 않"];
    let count = words
        .iter()
        .filter(|word| {
            low.match_indices(**word).any(|(at, word)| {
                let after = &low[at + word.len()..];
                let after: String = after.chars().take(6).collect();
                !DENIALS.iter().any(|denial| low[..at].ends_with(denial))
                    && !DENIED_AFTER.iter().any(|denial| after.contains(denial))
            })
        })
        .count();
    count as f64
}

/// `너무`, `정말`, `so`, `very`: half as much again.
fn louder(low: &str) -> f64 {
    const LOUD: [&str; 10] = [
        "너무",
        "정말",
        "진짜",
        "엄청",
        "매우",
        "아주",
        "so ",
        "very ",
        "really ",
        "extremely ",
    ];
    match LOUD.iter().any(|word| low.contains(word)) {
        true => 1.5,
        false => 1.0,
    }
}
