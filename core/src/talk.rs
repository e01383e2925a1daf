//! What a message's conversation tells of it: the messages around it, and who spoke.

/// How much the second message on either side counts beside the next one.
const SECOND: f64 = 0.4;

/// For each message of a conversation what stands around it: the scores of the next message on either side, and a share
/// of the second. An answer rarely repeats the words of its question.
pub fn around(scores: &[f64]) -> Vec<f64> {
    let at = |index: usize, step: isize| {
        index
            .checked_add_signed(step)
            .and_then(|i| scores.get(i))
            .copied()
            .unwrap_or(0.0)
    };
    (0..scores.len())
        .map(|i| at(i, -1) + at(i, 1) + SECOND * (at(i, -2) + at(i, 2)))
        .collect()
}

/// A side of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    User,
    Assistant,
}

/// The words by which a user who asks means himself, and the one who is asked.
const I: [&str; 24] = [
    "i", "i'm", "i've", "i'd", "i'll", "me", "my", "mine", "myself", "나", "나는", "난", "내", "내가", "나의", "나를",
    "날", "나도", "저", "저는", "제", "제가", "저의", "저를",
];
const YOU: [&str; 17] = [
    "you",
    "you've",
    "you'd",
    "your",
    "yours",
    "yourself",
    "너",
    "너는",
    "넌",
    "네",
    "네가",
    "니가",
    "너의",
    "너를",
    "당신",
    "당신이",
    "당신은",
];

/// Whom the pronouns of a question mean; `None` when they mean nobody or both.
pub fn meant(question: &str) -> Option<Side> {
    let folded = question.to_lowercase().replace('\u{2019}', "'");
    let words = || folded.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    let says = |list: &[&str]| words().any(|word| list.contains(&word));
    // "Do you remember" asks the memory, whoever is meant.
    let asks = ["do you remember", "do you know", "can you", "could you", "did you know"];
    let asked = asks.iter().any(|opening| folded.contains(opening));
    match (says(&I), says(&YOU) && !asked) {
        (true, false) => Some(Side::User),
        (false, true) => Some(Side::Assistant),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_count_on_both_sides() {
        assert_eq!(around(&[]), Vec::<f64>::new());
        assert_eq!(around(&[1.0]), [0.0]);
        assert_eq!(around(&[1.0, 0.0, 0.0, 0.0]), [0.0, 1.0, 0.4, 0.0]);
        assert_eq!(around(&[1.0, 0.0, 1.0]), [0.4, 2.0, 0.4]);
    }

    #[test]
    fn pronouns_tell_who_is_meant() {
        for (question, side) in [
            ("What is my dog's name?", Some(Side::User)),
            ("what did you promise", Some(Side::Assistant)),
            ("Do you remember my birthday?", Some(Side::User)),
            ("내가 어디 산다고 했지?", Some(Side::User)),
            ("네가 약속한 게 뭐였지", Some(Side::Assistant)),
            ("네가 내 얘기 했잖아", None),
            ("When did Melanie paint a sunrise?", None),
            ("", None),
        ] {
            assert_eq!(meant(question), side, "{question}");
        }
    }
}
