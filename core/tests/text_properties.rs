//! What holds for every text.

use memory_core::text::{TermHasher, terms};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

/// Nouns that end open, closed and in ㄹ, with particles that fit each.
const OPEN: &[&str] = &["날씨", "친구", "학교", "커피", "컴퓨터", "아버지", "노래", "키", "비"];
const CLOSED: &[&str] = &["생일", "서울", "부산", "직장", "핸드폰", "선생님", "집", "꿈", "책"];
const AFTER_OPEN: &[&str] = &[
    "는",
    "를",
    "에",
    "에서",
    "에게",
    "한테",
    "까지",
    "부터",
    "처럼",
    "보다",
    "마다",
    "예요",
    "입니다",
    "에는",
    "라서",
    "에서는",
];
const AFTER_CLOSED: &[&str] = &[
    "을",
    "에",
    "에서",
    "에게",
    "한테",
    "까지",
    "부터",
    "처럼",
    "보다",
    "마다",
    "이에요",
    "입니다",
    "이야",
    "이랑",
    "에는",
];

/// Pieces that meet the special rules more often than random characters do.
fn lively() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,6}",
        "[가-힣]{1,5}",
        "[ㄱ-ㅣ]{1,3}",
        "[\u{1100}-\u{11FF}]{1,4}",
        "[a-z0-9.,'@&+#_:/-]{1,8}",
        "[\u{200C}-\u{200F}\u{FE0F}\u{1F3FB}-\u{1F3FF}\u{1F468}\u{2642}\u{1F1E6}-\u{1F1FF}]{1,4}",
        "[ぁ-ヿ一-龥ก-๛]{1,4}",
        "[\u{300}-\u{36F}éüßİıΣς]{1,3}",
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn never_panics(text in any::<String>()) {
        prop_assert!(terms(&text).iter().all(|term| !term.is_empty() && term.len() <= 96));
    }

    #[test]
    fn never_panics_on_lively_texts(text in lively()) {
        prop_assert!(terms(&text).iter().all(|term| !term.is_empty() && term.len() <= 96));
    }

    #[test]
    fn composed_and_decomposed_are_equal(text in lively()) {
        let (nfc, nfd): (String, String) = (text.nfc().collect(), text.nfd().collect());
        prop_assert_eq!(terms(&nfc), terms(&nfd));
        prop_assert_eq!(terms(&nfc), terms(&text));
    }

    #[test]
    fn surroundings_do_not_matter(
        words in prop::collection::vec("[a-z]{4,8}|[가-힣]{2,4}|[0-9]{1,4}", 1..5),
        end in "[ .!?~\n]{0,3}",
    ) {
        let plain = words.join(" ");
        prop_assert_eq!(terms(&plain), terms(&format!("  {}{end}", words.join("  "))));
        prop_assert_eq!(terms(&plain), terms(&plain.to_uppercase()));
    }

    #[test]
    fn particles_do_not_matter(
        open in prop::sample::select(OPEN), after_open in prop::sample::select(AFTER_OPEN),
        closed in prop::sample::select(CLOSED), after_closed in prop::sample::select(AFTER_CLOSED),
    ) {
        prop_assert_eq!(terms(&format!("{open}{after_open}")), terms(open));
        prop_assert_eq!(terms(&format!("{closed}{after_closed}")), terms(closed));
    }

    #[test]
    fn ids_are_terms_hashed_and_sorted(text in lively(), user in "[a-z]{0,20}") {
        let hasher = TermHasher::for_user(&user);
        let mut expected: Vec<i32> = terms(&text).iter().map(|term| hasher.id(term)).collect();
        expected.sort_unstable();
        prop_assert_eq!(hasher.ids(&text), expected);
    }
}

/// These are in databases. If this test fails, the change is wrong.
#[test]
fn ids_never_change() {
    let hasher = TermHasher::for_user("user-1");
    let table = [
        ("hello", 440173479),
        ("날씨", 534877670),
        ("먹다", -872184142),
        ("3월", -2135454185),
        ("😂", -528291402),
        ("c++", -1748465990),
        ("a", 2003124650),
        ("2023-05-07", -450838105),
        ("東京", 875039808),
        ("github", -1457639535),
        ("생일", 1455908993),
        ("infp", 871360460),
    ];
    for (term, id) in table {
        assert_eq!(hasher.id(term), id, "{term}");
    }
    assert_eq!(TermHasher::with_key(*b"0123456789abcdef").id("날씨"), 69108179);
    assert_eq!(TermHasher::for_user("").id("hello"), -2064475877);
}

/// Long runs that a careless reader would go through once for every letter, or in every possible way.
#[test]
fn no_text_takes_long() {
    let units = [
        "가",
        "에는",
        "에게서는",
        "이라고",
        "하는",
        "먹었",
        "x",
        "x1",
        "a.",
        "a-",
        "'s",
        "1,000",
        "-",
        " ",
        "ㅋ",
        "中",
        "あ",
        "カ",
        "ก",
        "😀",
        "\u{1F1F0}",
        "\u{301}",
        "\u{1112}\u{1161}",
    ];
    for unit in units {
        for start in ["", "a핡", "1핡", "핡"] {
            let text = format!("{start}{}", unit.repeat(200_000 / unit.len()));
            let began = std::time::Instant::now();
            let found = terms(&text).len();
            let took = began.elapsed();
            assert!(
                took.as_millis() < 2000,
                "{start}{unit}… took {took:?} for {found} terms"
            );
        }
    }
}
