//! What Korean nouns may be: pets, things, names, places, jobs, schools, families.

use super::jamo;
use super::slot::plausible;
use crate::fact::words::{Sets, named, words};
use crate::fact::{number, relations};

/// An animal, or an animal with its name: `고양이 나비`. `고양이 털` is neither.
#[must_use]
pub fn is_pet(text: &str) -> bool {
    let animal = |w: &str| words().is(w, named().animal);
    let head = text.rsplit(' ').next().unwrap_or(text);
    let named_pet = text.split(' ').any(animal)
        && is_name(head)
        && !["알레르기", "알러지", "털", "카페", "사진", "영상", "간식", "사료"].contains(&head);
    animal(text) || animal(head) || named_pet
}

/// A thing one can like. A bare unknown word is too little: `많이 좋아해`.
#[must_use]
pub fn is_thing(text: &str, marked: bool) -> bool {
    let n = named();
    let head = text.rsplit(' ').next().unwrap_or(text);
    let people = |w: &str| words().is(w, n.person | n.job | n.badvalue | n.second) || relations::relation(w).is_some();
    let human = [
        "남", "녀", "애", "사람", "분", "님", "씨", "놈", "들", "자신", "하", "걸", "데",
    ]
    .iter()
    .any(|s| head.ends_with(s));
    let known = if text.contains(' ') {
        words().of(text)
    } else {
        words().class(text)
    };
    if known & n.things() != 0 {
        return true;
    }
    let demonstrative = ["그 ", "이 ", "저 ", "이런 ", "그런 "]
        .iter()
        .any(|d| text.starts_with(d));
    // 움직이기가 싫어: a passing unwillingness, unless the lexicon knows it for a pastime.
    let verbal = ["줘", "해", "봐", "어", "다", "죠", "지만", "요", "까"]
        .iter()
        .any(|e| head.ends_with(e));
    let passing = (head.ends_with('기') || verbal) && known == 0;
    let known_people = passing || text.split(' ').any(people) || human || demonstrative;
    marked && plausible(text) && !known_people && text.chars().count() >= 2 && text.split(' ').count() <= 3
}

/// What somebody can be called: one to five syllables, or Latin letters; no word of the lexicon.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let n = named();
    let count = text.chars().count();
    let known = n.job | n.badvalue | n.adverb | n.person | n.second | n.correction;
    let hangul = text.chars().all(|c| jamo::is_syllable(c) || c == ' ') && (1..=6).contains(&count);
    let latin = text.chars().all(|c| c.is_ascii_alphabetic() || c == ' ') && (2..=24).contains(&count);
    let object = text
        .split(' ')
        .any(|w| words().is(w, n.person | n.second | n.adverb | n.filler))
        || text.starts_with("날 ")
        || text.starts_with("절 ");
    let torn = text
        .rsplit(' ')
        .next()
        .is_some_and(|w| text.contains(' ') && w.chars().count() == 1);
    (hangul || latin)
        && text != "이"
        && !object
        && !torn
        && words().of(text) & known == 0
        && relations::relation(text).is_none()
}

/// Surname and a two-syllable given name, all of common syllables: `김민수`.
#[must_use]
pub fn is_full_name(text: &str) -> bool {
    let n = named();
    let mut chars = text.chars();
    let syllable = |c: Option<char>, set: Sets| c.is_some_and(|c| words().is(c.encode_utf8(&mut [0; 4]), set));
    let shape = syllable(chars.next(), n.surname) && syllable(chars.next(), n.given) && syllable(chars.next(), n.given);
    let place = text.ends_with(['시', '구', '동', '군', '도', '역', '로', '리', '해', '하']);
    shape && chars.next().is_none() && words().of(text) & !(n.given | n.surname) == 0 && !place
}

/// A given name alone, two common syllables that are no other word: `도윤`.
#[must_use]
pub fn is_given_name(text: &str) -> bool {
    let n = named();
    let syllable = |c: char| words().is(c.encode_utf8(&mut [0; 4]), n.given);
    text.chars().count() == 2
        && text.chars().all(syllable)
        && words().of(text) & !(n.given | n.surname) == 0
        && relations::relation(text).is_none()
        && !text.ends_with(['시', '구', '동', '군', '도', '리', '해', '하', '기', '소', '지'])
}

#[must_use]
pub fn is_place(text: &str, marked: bool) -> bool {
    let n = named();
    const SUFFIXES: [&str; 14] = [
        "시",
        "구",
        "동",
        "군",
        "읍",
        "면",
        "역",
        "아파트",
        "빌라",
        "기숙사",
        "오피스텔",
        "근처",
        "쪽",
        "시골",
    ];
    const NO_PLACE: [&str; 32] = [
        "집",
        "세상",
        "곳",
        "속",
        "꿈속",
        "기억",
        "마음",
        "과거",
        "가슴",
        "현실",
        "지옥",
        "천국",
        "여기",
        "거기",
        "저기",
        "어디",
        "데",
        "시대",
        "맛",
        "재미",
        "낙",
        "힘",
        "덕분",
        "환경",
        "나라",
        "지구",
        "사람",
        "생각",
        "때문",
        "하나",
        "남의집",
        "동네",
    ];
    let head = text.rsplit(' ').next().unwrap_or(text);
    if NO_PLACE.contains(&head) || head.ends_with('속') || head.ends_with("요일") || words().is(head, n.time) {
        return false;
    }
    let listed = text.split(' ').any(|w| words().is(w, n.place)) || words().is(text, n.place);
    let suffixed = head.chars().count() >= 2 && SUFFIXES.iter().any(|s| head.ends_with(s)) && words().of(head) == 0;
    let people = text
        .split(' ')
        .any(|w| relations::relation(w).is_some() || words().is(w, n.person));
    let free = marked
        && plausible(text)
        && head.chars().count() >= 2
        && text.split(' ').count() <= 3
        && words().of(head) & !n.place == 0;
    (listed || suffixed || free) && !people
}

/// Jobs that the list does not hold, by their last syllables.
#[must_use]
pub fn is_job(head: &str) -> bool {
    const SUFFIXES: [&str; 18] = [
        "개발자",
        "디자이너",
        "엔지니어",
        "선수",
        "강사",
        "기사",
        "연구원",
        "공무원",
        "작가",
        "교사",
        "선생님",
        "대학생",
        "감독",
        "분석가",
        "사원",
        "전문가",
        "매니저",
        "기획자",
    ];
    let n = named();
    head.chars().count() >= 3 && SUFFIXES.iter().any(|s| head.ends_with(s)) && !words().is(head, n.badvalue)
}

#[must_use]
pub fn is_school(head: &str) -> bool {
    const SUFFIXES: [&str; 26] = [
        "예고",
        "여고",
        "남고",
        "과고",
        "외고",
        "공고",
        "상고",
        "국제고",
        "과학고",
        "체고",
        "여중",
        "남중",
        "예대",
        "체대",
        "학교",
        "대학교",
        "대학",
        "고등학교",
        "중학교",
        "초등학교",
        "여대",
        "외대",
        "교대",
        "공대",
        "의대",
        "대학원",
    ];
    const SHORT: [&str; 17] = [
        "서울대",
        "연세대",
        "연대",
        "고려대",
        "고대",
        "카이스트",
        "포스텍",
        "성균관대",
        "성대",
        "한양대",
        "중앙대",
        "경희대",
        "이화여대",
        "서강대",
        "부산대",
        "경북대",
        "홍익대",
    ];
    if matches!(
        head,
        "대학교" | "고등학교" | "중학교" | "초등학교" | "대학원" | "고등" | "국제학교" | "대안학교"
    ) {
        return false;
    }
    let named_school = SUFFIXES.iter().any(|s| head.ends_with(s) && head.len() > s.len());
    named_school
        || SHORT.contains(&head)
        || (head.ends_with('대')
            && head.chars().count() >= 3
            && words().of(head) == 0
            && !head.starts_with(|c: char| c.is_ascii_digit()))
}

#[must_use]
pub fn is_family(text: &str) -> bool {
    const WORDS: [&str; 22] = [
        "외동",
        "외동딸",
        "외동아들",
        "외아들",
        "외동이",
        "막내",
        "막내딸",
        "막내아들",
        "첫째",
        "둘째",
        "셋째",
        "장남",
        "장녀",
        "맏이",
        "맏딸",
        "맏아들",
        "쌍둥이",
        "삼남매",
        "남매",
        "자매",
        "형제",
        "무남독녀",
    ];
    let head = text.rsplit(' ').next().unwrap_or(text);
    WORDS.contains(&head)
        || ((head.ends_with("남매") || head.ends_with("자매") || head.ends_with("형제")) && head.chars().count() <= 4)
}

/// Where somebody works: anything but a school, a place, a sport, or a word like "company" alone.
#[must_use]
pub fn is_company(text: &str) -> bool {
    let n = named();
    let head = text.rsplit(' ').next().unwrap_or(text);
    let other = words().is(head, n.place | n.sport | n.hobby)
        || words().is(text, n.notcompany)
        || words().of(head) == 0 && words().class(head) & n.notcompany != 0;
    let people = text.split(' ').any(|w| relations::relation(w).is_some());
    let pointed = people || ["그 ", "이 ", "저 ", "그런 "].iter().any(|d| text.starts_with(d));
    plausible(text) && !pointed && !is_school(head) && !other && text.chars().count() >= 2
}

#[must_use]
pub fn is_grade(text: &str) -> bool {
    let digit = |s: &str| s.starts_with(|c: char| ('1'..='6').contains(&c));
    let short = ["고", "중", "초", "대"]
        .iter()
        .any(|p| text.strip_prefix(p).is_some_and(|r| digit(r) && r.len() == 1));
    short
        || text
            .rsplit(' ')
            .next()
            .is_some_and(|w| w.ends_with("학년") && number::leading(w).is_some())
}

#[must_use]
pub fn has_unit(text: &str, units: &[&str]) -> bool {
    units.iter().any(|u| text.contains(u))
}
