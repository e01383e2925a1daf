//! Words that can name what a text is about: nouns, as far as can be told without a dictionary.

use super::class::{Class, class};
use super::{english, hangul, korean};

/// Words that are in every conversation, in alphabetical order.
#[rustfmt::skip]
const EVERYWHERE: &[&str] = &[
    "actually", "always", "anything", "back", "bad", "better", "big", "can", "come", "couple", "day", "days", "else",
    "enough", "even", "ever", "every", "everything", "feel", "feeling", "felt", "find", "first", "gave", "get",
    "getting", "give", "glad", "go", "goes", "going", "gonna", "good", "got", "great", "guess", "happy", "hard",
    "hello", "help", "here", "hey", "hmm", "hope", "its", "keep", "kind", "know", "last", "later", "let", "lets",
    "life", "like", "little", "long", "look", "looking", "lot", "lots", "love", "made", "make", "many", "maybe",
    "mean", "morning", "much", "need", "never", "new", "next", "nice", "night", "nothing", "now", "old", "one",
    "people", "please", "pretty", "put", "really", "right", "said", "say", "see", "something", "sometimes", "soon",
    "sorry", "start", "started", "still", "stuff", "sure", "take", "talk", "tell", "thank", "thanks", "thing",
    "things", "think", "thought", "time", "times", "today", "tomorrow", "tonight", "tried", "try", "trying", "two",
    "use", "used", "wanna", "want", "wanted", "way", "week", "well", "went", "work", "working", "wow", "yeah", "year",
    "years", "yes", "yesterday", "yet", "가끔", "갑자기", "거든", "결국", "계속", "그동안", "기분", "내년", "내일",
    "느낌", "다들", "다시", "다음", "다음주", "다행", "대박", "덕분", "도움", "동안", "드디어", "때문", "마음",
    "말씀", "매일", "모두", "무엇", "문제", "미안", "바로", "반가워", "방금", "벌써", "별로", "부분", "사람", "사실",
    "생각", "선생님", "시간", "아마", "아무", "아무튼", "아주", "아직", "안녕", "어제", "언젠가", "얼마", "엄청",
    "여러", "여전히", "역시", "오늘", "오랜만", "완전", "요새", "요즘", "우선", "원래", "이번", "이번주", "이상",
    "이야기", "이제", "이후", "일단", "자꾸", "자주", "작년", "잠깐", "저번", "전부", "정도", "조금", "주말", "중요",
    "지금", "지난", "지난주", "처음", "천천히", "최근", "특히", "하루", "하하", "한번", "항상", "혼자", "훨씬",
    "힘내",
];

/// No word of any use is longer.
const MAX_LETTERS: usize = 24;

/// Calls `emit` with each such word, in reading order, with repeats: Korean nouns without particles, other words in
/// small letters.
pub fn content_words(text: &str, mut emit: impl FnMut(&str)) {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let kind = class(c);
        let end = text[at..]
            .char_indices()
            .find(|(_, c)| class(*c) != kind)
            .map_or(text.len(), |(length, _)| at + length);
        let run = &text[at..end];
        // Syllables right after letters or digits are particles: `MBTI는`, `25살`.
        let glued = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        match kind {
            Class::Hangul if !glued => {
                let noun = korean::noun(run);
                if let Some(noun) = noun.filter(|noun| hangul::count(noun) >= 2 && is_telling(noun)) {
                    emit(&noun);
                }
            }
            Class::Letter if !glued && (3..=MAX_LETTERS).contains(&run.chars().count()) => {
                let low = run.to_lowercase();
                let contraction = text[end..].starts_with(['\'', '’']);
                if !contraction && !english::is_stop_word(&low) && is_telling(&low) {
                    emit(&low);
                }
            }
            _ => {}
        }
        at = end;
    }
}

fn is_telling(word: &str) -> bool {
    EVERYWHERE.binary_search(&word).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        content_words(text, |word| all.push(word.to_string()));
        all
    }

    #[test]
    fn the_list_is_sorted() {
        assert!(EVERYWHERE.is_sorted());
    }

    #[test]
    fn nouns_without_particles() {
        assert_eq!(words("오늘 회사에서 야근했어"), ["회사", "야근"]);
        assert_eq!(words("고양이가 소파에서 잔다 MBTI는"), ["고양이", "소파", "mbti"]);
        assert_eq!(words("I don't think my interview went well"), ["interview"]);
        assert_eq!(words("!!! 12 ㅋㅋ"), Vec::<String>::new());
    }
}
