use proptest::prelude::*;

use super::*;

const ALL: [Tokenizer; 3] = [Tokenizer::Any, Tokenizer::O200k, Tokenizer::Cl100k];

#[test]
fn names_go_both_ways() {
    for tokenizer in ALL {
        assert_eq!(tokenizer.as_str().parse(), Ok(tokenizer));
    }
    assert_eq!(Tokenizer::default(), Tokenizer::Any);
    assert!("gpt2".parse::<Tokenizer>().is_err());
}

#[test]
fn empty_text_costs_nothing() {
    for tokenizer in ALL {
        assert_eq!(estimate("", tokenizer), 0);
        assert_eq!(truncate("", 5, tokenizer), "");
        assert_eq!(truncate("hello", 0, tokenizer), "");
    }
}

#[test]
fn any_follows_the_larger() {
    for text in ["안녕하세요, 반갑습니다.", "getUserNameFromHTTPRequest", "नमस्ते दुनिया"]
    {
        let (o200k, cl100k) = (estimate(text, Tokenizer::O200k), estimate(text, Tokenizer::Cl100k));
        assert_eq!(estimate(text, Tokenizer::Any), o200k.max(cl100k));
    }
}

#[test]
fn pieces_are_cut_as_the_tokenizers_cut_them() {
    let cl = |text| pieces::<Cl100k>(text).map(|(p, _)| p).collect::<Vec<_>>();
    let o2 = |text| pieces::<O200k>(text).map(|(p, _)| p).collect::<Vec<_>>();
    assert_eq!(
        cl("I'd say it's 12345!"),
        ["I", "'d", " say", " it", "'s", " ", "123", "45", "!"]
    );
    assert_eq!(o2("I'd say it's"), ["I'd", " say", " it's"]);
    assert_eq!(cl("camelCase HTMLParser"), ["camelCase", " HTMLParser"]);
    assert_eq!(o2("camelCase HTMLParser"), ["camel", "Case", " HTMLParser"]);
    assert_eq!(o2("가A나"), ["가A나"]);
    assert_eq!(cl("a  b\n\n  c"), ["a", " ", " b", "\n\n", " ", " c"]);
    assert_eq!(cl("x;\n\ty"), ["x", ";\n", "\ty"]);
}

#[test]
fn truncation_keeps_words_and_characters_whole() {
    let text = "remember that my sister lives in Gwangju now";
    let cut = truncate(text, 5, Tokenizer::Any);
    assert_eq!(cut, "remember that my sister lives");
    assert_eq!(truncate(text, 1000, Tokenizer::Any), text);

    for text in ["👩‍💻👩‍💻👩‍💻👩‍💻", "🇰🇷🇺🇸🇬🇧🇫🇷", "e\u{301}e\u{301}e\u{301}e\u{301}", "👍🏽👍🏽👍🏽"]
    {
        for max in 0..30 {
            let kept = truncate(text, max, Tokenizer::Any);
            let unit = text.len() / if text.starts_with('👍') { 3 } else { 4 };
            assert_eq!(kept.len() % unit, 0, "{kept:?}");
        }
    }
    // Nothing to cut between, so the cut falls inside.
    let kept = truncate(&"한국어".repeat(200), 100, Tokenizer::Cl100k).chars().count();
    assert!((60..=100).contains(&kept), "{kept}");
    let kept = truncate(&"今天天气很好".repeat(200), 100, Tokenizer::O200k)
        .chars()
        .count();
    assert!((80..=200).contains(&kept), "{kept}");
}

#[test]
fn a_long_text_without_breaks_takes_linear_time() {
    let spaced = format!(" {}", "\u{1}".repeat(1000));
    assert!(estimate(&spaced, Tokenizer::Any) <= spaced.len());
    let text = "qZx".repeat(1_000_000) + &"q7Zx".repeat(100_000) + &"ㅋ".repeat(200_000) + &" ".repeat(200_000);
    let cost = estimate(&text, Tokenizer::Any);
    assert!(cost > 400_000);
    assert!(estimate(truncate(&text, cost / 2, Tokenizer::Any), Tokenizer::Any) <= cost / 2);
}

/// Words, marks, blanks and several scripts, so that pieces of every kind meet.
fn common_part() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z']{1,12}",
        "[ \t\r\n\u{a0}\u{3000}]{1,6}",
        "[가-힣ㅋㅎ]{1,6}",
        "[0-9.,:/-]{1,10}",
        "[!?~=_*#]{1,12}",
        "[\u{4e00}-\u{4eff}\u{904}-\u{94d}\u{620}-\u{65f}]{1,6}",
        "[\u{1f300}-\u{1f64f}\u{200d}\u{fe0f}\u{1f1e6}-\u{1f1ff}]{1,6}",
        "[à-öø-ÿΑ-Ωα-ωА-яё]{1,8}",
    ]
}

fn common_text() -> impl Strategy<Value = String> {
    prop::collection::vec(common_part(), 0..12).prop_map(|parts| parts.concat())
}

/// The same with any characters at all between.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => common_part(),
        1 => "\\PC{0,8}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn estimates_are_bounded_by_bytes(text in text()) {
        for tokenizer in ALL {
            let cost = estimate(&text, tokenizer);
            prop_assert!(cost <= text.len());
            prop_assert_eq!(cost == 0, text.is_empty());
        }
    }

    #[test]
    fn pieces_match_the_real_split(text in common_text()) {
        let ours: Vec<&str> = pieces::<Cl100k>(&text).map(|(p, _)| p).collect();
        let real: Vec<&str> = bpe_openai::cl100k_base().split(&text).collect();
        prop_assert_eq!(ours, real);
        let ours: Vec<&str> = pieces::<O200k>(&text).map(|(p, _)| p).collect();
        let real: Vec<&str> = bpe_openai::o200k_base().split(&text).collect();
        prop_assert_eq!(ours, real);
    }

    #[test]
    fn joining_adds_at_most_a_few(a in text(), b in text()) {
        let joined = format!("{a}{b}");
        for tokenizer in ALL {
            let parts = estimate(&a, tokenizer) + estimate(&b, tokenizer);
            prop_assert!(estimate(&joined, tokenizer) <= parts + 4);
        }
    }

    #[test]
    fn truncation_fits_and_is_a_prefix(text in text(), max in 0_usize..60) {
        for tokenizer in ALL {
            let kept = truncate(&text, max, tokenizer);
            prop_assert!(text.starts_with(kept));
            prop_assert!(estimate(kept, tokenizer) <= max);
            if estimate(&text, tokenizer) <= max {
                prop_assert_eq!(kept, &text);
            }
        }
    }
}
