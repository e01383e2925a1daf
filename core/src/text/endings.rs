//! The endings of Korean verbs and adjectives.

/// After a stem that closes with a consonant; no noun ends so.
#[rustfmt::skip]
pub const AFTER_CLOSED: &[&str] = &[
    "습니다", "습니까", "는데요", "은데요", "는데", "은데", "는다고", "는다는", "는다", "는지",
    "으면서", "으면", "으니까", "으니", "으려고", "으려면", "으러", "으며", "으세요", "으시면",
    "을까요", "을까", "을게요", "을게", "을래요", "을래", "을거야", "을거예요", "을거",
    "어서", "아서", "어요", "아요", "지만", "거든요", "거든", "잖아요", "잖아", "네요",
    "더라고", "더라", "더니", "던데", "는", "자마자", "구나", "군요", "지요", "다고", "다는",
];

/// Endings that nouns share, or that follow any stem.
#[rustfmt::skip]
pub const SHARED: &[&str] = &[
    "더라고요", "거든요", "잖아요", "려고요", "면서요", "니까요", "고서", "으려고", "려고", "려면",
    "면서도", "면서", "니까", "거든", "잖아", "네요", "더라", "더니", "던데", "지만", "는데요", "는데",
    "는지", "는다", "도록", "다가", "다고", "다는", "어서", "아서", "어요", "아요", "어도", "아도",
    "어야", "아야", "자마자", "구나", "군요", "지요", "게요", "고요", "나요", "지도", "지는", "기도",
    "세요", "시는", "시면", "시고", "고", "지", "게", "면", "자", "네", "니", "나", "는", "은", "을",
    "던", "기", "며", "다", "러", "어", "아", "요", "죠", "음",
];

/// After 하 or 되.
#[rustfmt::skip]
const AFTER_HA: &[&str] = &[
    "고", "고요", "는", "는데", "는데요", "는지", "는거", "던", "지", "지만", "지도", "지는", "게",
    "면", "면서", "자", "네", "네요", "니", "니까", "나", "나요", "려고", "려면", "러", "기", "기도",
    "기는", "며", "다", "다가", "다고", "다는", "다면", "세요", "셔", "시는", "시고", "거든", "거든요",
    "잖아", "잖아요", "더라", "더라고", "도록", "죠", "지요", "구나", "군요", "자마자", "십시오",
];

/// After 해 or 돼.
#[rustfmt::skip]
const AFTER_HAE: &[&str] = &[
    "", "요", "서", "서요", "도", "야", "야지", "야해", "야해요", "야돼", "야돼요", "야하는데", "야할까",
    "줘", "줘요", "주세요", "주고", "주는", "봐", "봐요", "보고", "보세요", "보자", "버려", "라",
];

/// After 한, 할, 된, 될.
#[rustfmt::skip]
const AFTER_HAN: &[&str] = &[
    "", "다", "다고", "다는", "다면", "데", "데요", "지", "까", "까요", "게", "게요", "래", "래요",
    "거야", "거예요", "거", "수", "때", "줄",
];

/// Is `form` a form of 하다 or 되다 that `tail` may follow?
pub fn is_hada(form: &str, tail: &str) -> bool {
    match form {
        "하" | "되" => AFTER_HA.contains(&tail),
        "해" | "돼" => AFTER_HAE.contains(&tail),
        "한" | "할" | "된" | "될" => AFTER_HAN.contains(&tail),
        _ => false,
    }
}

/// After ㄴ or ㄹ under the stem's last syllable (간다, 갈까요).
#[rustfmt::skip]
pub const AFTER_N_OR_L: &[&str] = &[
    "다고", "다는", "까요", "게요", "래요", "거야", "거예요", "데요", "다", "까", "게", "래", "거", "데",
    "지", "수록", "때",
];

/// Tails that are safe after a stem of a single syllable; 산지, 간데 are not.
pub fn is_safe_after_one(tail: &str) -> bool {
    matches!(
        tail,
        "다고" | "다는" | "까요" | "게요" | "래요" | "거야" | "거예요" | "다" | "까" | "게"
    )
}

/// Second verbs written onto a form in 아/어 (먹어보세요, 알려줘), by their
/// first syllable, and 야 of obligation (가야지).
pub fn starts_auxiliary(c: char) -> bool {
    matches!(
        c,
        '보' | '봐' | '봤' | '볼' | '본' | '봅' | '주' | '줘' | '줬' | '줄' | '준' | '줍' | '드' | '버' | '야'
    )
}
