use super::*;
use crate::emotion::Emotion;
use proptest::prelude::*;

fn of(messages: &[(&str, &str)]) -> Summary {
    summarise(messages).unwrap()
}

#[test]
fn the_seeds_conversations() {
    let interview = of(&[
        ("user", "내일 중요한 면접이 있어"),
        ("assistant", "와, 떨리겠다! 어떤 회사야?"),
        ("user", "IT 스타트업인데 정말 가고 싶어"),
        ("assistant", "잘 될 거야! 준비 많이 해!"),
    ]);
    assert_eq!(
        interview.content,
        "내일 중요한 면접이 있어. IT 스타트업인데 정말 가고 싶어."
    );
    assert!(interview.topics.contains(&"면접".to_string()), "{:?}", interview.topics);
    let tired = of(&[
        ("user", "요즘 너무 지쳐... 회사 일이 힘들어"),
        ("assistant", "힘들겠다... 휴식이 필요할 것 같은데"),
    ]);
    assert!(tired.content.contains("회사 일이 힘들어"), "{}", tired.content);
    assert_eq!(tired.emotion, Some(Emotion::Stress));
}

#[test]
fn english_too() {
    let talk = [
        ("user", "Hi!"),
        ("assistant", "Hello! How are you?"),
        (
            "user",
            "I'm so excited, I got the job at the bakery! I start next week.",
        ),
        ("assistant", "Congratulations! That is wonderful news about the bakery."),
        ("user", "Thanks"),
    ];
    let summary = of(&talk);
    assert_eq!(
        summary.content,
        "I'm so excited, I got the job at the bakery! I start next week."
    );
    assert_eq!(summary.emotion, Some(Emotion::Excitement));
    assert!(summary.topics.contains(&"bakery".to_string()), "{:?}", summary.topics);
    assert!(summary.importance >= 5, "{}", summary.importance);
}

#[test]
fn small_talk_matters_little_and_grave_news_much() {
    let small = of(&[
        ("user", "안녕"),
        ("assistant", "안녕하세요! 무엇을 도와드릴까요?"),
        ("user", "ㅋㅋㅋ"),
        ("user", "응"),
    ]);
    assert!(small.importance <= 2, "{}", small.importance);
    assert_eq!(small.emotion, Some(Emotion::Calm));
    let grave = of(&[
        (
            "user",
            "내 이름은 김민수고 땅콩 알레르기가 있어. 할머니가 돌아가셔서 너무 슬퍼. 내일이 장례식이야",
        ),
        ("assistant", "마음이 아프네요."),
    ]);
    assert!(grave.importance >= 8, "{}", grave.importance);
    assert_eq!(grave.emotion, Some(Emotion::Sadness));
}

#[test]
fn what_is_denied_is_not_felt() {
    assert_eq!(of(&[("user", "나 하나도 안 슬퍼")]).emotion, Some(Emotion::Calm));
    assert_eq!(of(&[("user", "슬프지 않아")]).emotion, Some(Emotion::Calm));
    assert_eq!(of(&[("user", "I am not sad at all")]).emotion, Some(Emotion::Calm));
}

#[test]
fn only_the_assistant_spoke() {
    assert_eq!(
        of(&[("assistant", "오늘은 비가 옵니다.")]).content,
        "상대: 오늘은 비가 옵니다."
    );
    assert_eq!(of(&[("assistant", "It rains.")]).content, "Assistant: It rains.");
}

#[test]
fn nothing_said_gives_none_and_no_words_give_what_was_said() {
    assert_eq!(summarise(&[]), None);
    assert_eq!(summarise(&[("user", " \n")]), None);
    assert_eq!(
        of(&[("user", "!!!"), ("assistant", "😀")]).content,
        "user: !!!\nassistant: 😀"
    );
    assert_eq!(of(&[("system", "You are kind.")]).content, "system: You are kind.");
}

#[test]
fn a_pasted_book_ends_quickly() {
    let book = "The quick brown fox jumps over the lazy dog. ".repeat(50_000);
    let talk = vec![("user", book.as_str()); 50];
    let before = std::time::Instant::now();
    let summary = of(&talk);
    assert!(summary.content.chars().count() <= 400);
    assert!(before.elapsed() < std::time::Duration::from_secs(10));
}

proptest! {
    #[test]
    fn never_empty_never_long_always_the_same(talk in prop::collection::vec(("user|assistant|system|tool", "\\PC{0,80}|[가-힣 .!?ㅋ]{0,60}|[a-zA-Z .!?']{0,60}"), 0..12)) {
        let talk: Vec<(&str, &str)> = talk.iter().map(|(role, content)| (role.as_str(), content.as_str())).collect();
        let summary = summarise(&talk);
        prop_assert_eq!(&summary, &summarise(&talk));
        let spoken = talk.iter().any(|(_, content)| !content.trim().is_empty());
        prop_assert_eq!(summary.is_some(), spoken);
        if let Some(summary) = summary {
            prop_assert!(!summary.content.trim().is_empty());
            prop_assert!(summary.content.chars().count() <= FALLBACK_CHARS);
            prop_assert!((1..=10).contains(&summary.importance));
            prop_assert!(summary.emotion.is_some());
            prop_assert!(summary.topics.len() <= 3);
        }
    }

    #[test]
    fn no_text_panics(content in any::<String>()) {
        let _ = summarise(&[("user", &content), ("assistant", &content)]);
    }
}
