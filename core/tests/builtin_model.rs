//! The model that ships: the same bits on every machine, and sense in its distances.

use memory_core::embed::Model;
use memory_core::vector::cosine;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/builtin-ko-en-1.bin");

/// Hashes of vectors that the file gave when it was made. They change only with the file.
const BITS: &[(&str, u64)] = &[
    ("I went to the beach with my sister yesterday.", 0xE818_0DD8_DD21_1C4A),
    ("어제 언니랑 바다에 다녀왔어요.", 0x82BE_F924_85F7_9018),
    ("내 MBTI는 INFP고 생일은 3월 7일이야 ㅋㅋㅋ", 0x19BF_96F6_15AA_9A32),
    ("Ｆｕｌｌ　ｗｉｄｔｈ café naïve", 0x483D_0CEF_682C_4FB6),
    ("안녕 world 2023년 ❤️ 日本語 Привет", 0x1C37_09BB_AC2F_0A87),
    ("antidisestablishmentarianism 뷁쀍쒧", 0xCB10_4A05_58BE_ED11),
];

fn model(bytes: &[u8]) -> Model<'_> {
    Model::read(bytes).unwrap_or_else(|why| panic!("{why}"))
}

fn bits(vector: &[f32]) -> u64 {
    let bytes = vector.iter().flat_map(|x| x.to_bits().to_le_bytes());
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

#[test]
fn is_what_the_extension_says() {
    let bytes = std::fs::read(PATH).unwrap();
    let model = model(&bytes);
    assert_eq!((model.name(), model.dimensions()), ("builtin-ko-en-1", 256));
    assert!(bytes.len() <= 25_000_000);
}

#[test]
fn gives_the_same_bits_everywhere() {
    let bytes = std::fs::read(PATH).unwrap();
    let model = model(&bytes);
    for (text, expected) in BITS {
        let found = bits(&model.embed(text).unwrap());
        assert_eq!(found, *expected, "{text}: {found:#018X}");
    }
}

#[test]
fn long_and_strange_texts_have_vectors() {
    let bytes = std::fs::read(PATH).unwrap();
    let model = model(&bytes);
    for text in [
        "가".repeat(100_000),
        "a".repeat(100_000),
        "고양이 cat ".repeat(20_000),
        "😀".repeat(10_000),
    ] {
        let vector = model.embed(&text).unwrap();
        assert!((memory_core::vector::norm(&vector) - 1.0).abs() < 1e-5);
    }
    assert_eq!(model.embed("… ?! \n"), None);
}

#[test]
fn near_is_what_means_the_same() {
    let bytes = std::fs::read(PATH).unwrap();
    let model = model(&bytes);
    let near = |a: &str, b: &str| cosine(&model.embed(a).unwrap(), &model.embed(b).unwrap());
    for (asked, right, wrong) in [
        ("고양이를 키워요", "I have a cat", "I bought a new car"),
        (
            "What does my dog eat?",
            "우리 강아지는 사료를 먹어",
            "회사에서 승진했어",
        ),
        ("어디로 이사했어?", "부산으로 집을 옮겼어", "점심으로 국수를 먹었어"),
        (
            "Where did he travel?",
            "He went on a trip to Spain",
            "He is allergic to nuts",
        ),
    ] {
        let (to_right, to_wrong) = (near(asked, right), near(asked, wrong));
        assert!(
            to_right > to_wrong + 0.1,
            "{asked}: {to_right:.2} {right}, {to_wrong:.2} {wrong}"
        );
    }
}
