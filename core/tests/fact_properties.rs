//! Properties: nothing panics, and a key does not depend on how its statement is dressed.

use memory_core::fact::{Speaker, Subjects, classify, extract, extract_with_context, key_extract, strip_memory_blocks};
use memory_core::language::Language;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

/// Statements with the key each must give in any dress.
const STATEMENTS: &[(&str, &str)] = &[
    ("직업: 개발자", "직업"),
    ("나이는 25살", "나이"),
    ("왼손잡이이다", "_손잡이"),
    ("3월 15일에 태어남", "생일"),
    ("생일: 3월 15일", "생일"),
    ("my birthday is March 15", "생일"),
    ("좋아하는 라면: 신라면", "좋아하는 라면"),
    ("서울 강남구에 살아", "거주지"),
    ("혈액형은 A형이야", "혈액형"),
    ("I am allergic to peanuts", "알레르기"),
    ("내 동생은 간호사야", "동생 직업"),
    ("유저의 행동: 꽃을 선물했다", "행동"),
    ("favorite color: blue", "좋아하는 색"),
    ("고향은 부산이다", "고향"),
    ("MBTI: INFP", "MBTI"),
];

fn key(text: &str) -> Option<String> {
    key_extract(text, Subjects::builtin())
}

#[test]
fn statements_give_their_keys() {
    for (text, want) in STATEMENTS {
        assert_eq!(key(text).as_deref(), Some(*want), "{text}");
    }
}

/// Words that the rules know, thrown together: more likely to reach deep code than random letters.
fn words() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "나는",
        "내",
        "이름은",
        "김민수야",
        "25살",
        "스물",
        "다섯",
        "살이야",
        "아니",
        "서울에",
        "살아",
        "살고",
        "있어",
        "싶다",
        "동생은",
        "간호사야",
        "좋아하는",
        "떡볶이",
        "좋아해",
        "안",
        "못",
        "이제",
        "3월",
        "15일",
        "1미터",
        "78",
        "i",
        "am",
        "i'm",
        "my",
        "name",
        "is",
        "25",
        "years",
        "old",
        "live",
        "in",
        "Seoul",
        "and",
        "have",
        "two",
        "cats",
        "named",
        "not",
        "anymore",
        "brother's",
        "favorite",
        "color",
        "if",
        "?",
        ",",
        ".",
        ":",
        "\"",
        "'s",
        "(",
        "[현재 상태(캐논)]",
        "거야",
        "것",
        "이다",
        "입니다",
        "ㅋㅋ",
        "born",
        "on",
        "March",
        "15th",
    ]);
    prop::collection::vec(known, 0..12).prop_map(|w| w.join(" "))
}

fn everything(text: &str) {
    let subjects = Subjects::builtin();
    for speaker in [Speaker::User, Speaker::Assistant] {
        for language in [None, Some(Language::Ko), Some(Language::En)] {
            for fact in extract(text, language, subjects, speaker) {
                assert!(!fact.key.is_empty());
                assert!(text.get(fact.span.clone()).is_some(), "{:?} in {text:?}", fact.span);
            }
        }
    }
    let _ = extract_with_context(text, &["나이", "거주지"], None, subjects, Speaker::User);
    let _ = classify(text, subjects);
    let _ = key(text);
    assert_eq!(strip_memory_blocks(text).len(), text.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_text_does_not_panic(text in "\\PC{0,60}") {
        everything(&text);
    }

    #[test]
    fn korean_letters_do_not_panic(text in "[가-힣ㄱ-ㅣᄀ-ᇿ0-9a-zA-Z ,.?!:'\"()]{0,40}") {
        everything(&text);
    }

    #[test]
    fn known_words_do_not_panic(text in words()) {
        everything(&text);
    }

    #[test]
    fn keys_survive_decomposition_spacing_and_punctuation(
        at in 0..STATEMENTS.len(),
        decomposed in any::<bool>(),
        before in "[ \t\u{200b}]{0,3}",
        after in "[ .!~]{0,3}",
        gap in " {1,3}",
    ) {
        let (text, want) = STATEMENTS[at];
        let spaced = text.replace(' ', &gap);
        let dressed = format!("{before}{spaced}{after}");
        let dressed: String = if decomposed { dressed.nfd().collect() } else { dressed };
        let got = key(&dressed);
        prop_assert_eq!(got.as_deref(), Some(want), "{}", dressed);
    }

    #[test]
    fn labels_survive_particles_and_spaces_around_the_colon(
        subject in prop::sample::select(vec![("직업", "직업"), ("나이", "나이"), ("취미", "취미"), ("고향", "고향"), ("별명", "별명"), ("좋아하는음식", "좋아하는 음식")]),
        colon in prop::sample::select(vec![":", " :", ": ", " : ", "：", " ： "]),
        particle in any::<bool>(),
    ) {
        let (name, want) = subject;
        let closed = name.chars().next_back().is_some_and(|c| !(c as u32 - 0xAC00).is_multiple_of(28));
        let particle = if !particle { "" } else if closed { "은" } else { "는" };
        let line = format!("{name}{particle}{colon}테스트");
        let got = key(&line);
        prop_assert_eq!(got.as_deref(), Some(want), "{}", line);
    }
}
