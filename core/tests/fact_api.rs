//! The ways in, one behaviour each.

use memory_core::fact::{
    Cardinality, Category, Class, Fact, Op, Owner, Speaker, Subject, Subjects, classify, extract, extract_with_context,
    key_extract, key_owner,
};

fn subjects() -> &'static Subjects {
    Subjects::builtin()
}

fn user(text: &str) -> Vec<Fact> {
    extract(text, None, subjects(), Speaker::User)
}

fn assistant(text: &str) -> Vec<Fact> {
    extract(text, None, subjects(), Speaker::Assistant)
}

fn keys(facts: &[Fact]) -> Vec<&str> {
    facts.iter().map(|f| f.key.as_str()).collect()
}

/// The 25 items that the first system lost, as notes: all of them are who the user is.
#[test]
fn the_25_items_are_identity() {
    let items = [
        ("이름: 김민수", "이름", "김민수"),
        ("나이: 20살", "나이", "20"),
        ("직업: 대학생", "직업", "대학생"),
        ("전공: 컴공", "전공", "컴공"),
        ("MBTI: INFP", "MBTI", "INFP"),
        ("좋아하는 음식: 떡볶이", "좋아하는 음식", "떡볶이"),
        ("반려동물: 나비", "반려동물", "나비"),
        ("K-pop: BTS", "좋아하는 음악", "BTS"),
        ("공포증: 거미", "공포증", "거미"),
        ("베프: 정호", "베프", "정호"),
        ("좋아하는 계절: 가을", "좋아하는 계절", "가을"),
        ("좋아하는 색: 파란색", "좋아하는 색", "파란색"),
        ("알레르기: 땅콩", "알레르기", "땅콩"),
        ("알바: 카페", "알바", "카페"),
        ("거주지: 서울 강남구", "거주지", "서울 강남구"),
        ("생일: 3월 15일", "생일", "03-15"),
        ("혈액형: A형", "혈액형", "A"),
        ("키: 178cm", "키", "178cm"),
        ("별명: 수수", "별명", "수수"),
        ("가족: 외동아들", "가족", "외동아들"),
        ("고향: 부산", "고향", "부산"),
        ("꿈: 게임 개발자", "꿈", "게임 개발자"),
        ("취미: 독서", "취미", "독서"),
        ("운동: 수영", "운동", "수영"),
        ("영화: 인터스텔라", "영화", "인터스텔라"),
        ("연애상태: 솔로", "연애상태", "솔로"),
    ];
    for (text, key, value) in items {
        let found = classify(text, subjects()).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((found.key.as_str(), found.value.as_str()), (key, value), "{text}");
        assert_eq!(found.class, Class::Identity, "{text}");
        assert_eq!(found.about, Owner::User);
    }
}

#[test]
fn one_subject_one_key_however_it_is_said() {
    for text in [
        "3월 15일에 태어남",
        "생일: 3월 15일",
        "my birthday is March 15",
        "생년월일: 1999-03-15",
        "birthday: 3/15",
    ] {
        let found = classify(text, subjects()).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((found.key.as_str(), found.value.as_str()), ("생일", "03-15"), "{text}");
    }
    for text in [
        "나이는 25살",
        "스물다섯 살이야",
        "I'm 25 years old",
        "나이: 25세",
        "age: twenty-five",
        "25살",
    ] {
        let found = classify(text, subjects()).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((found.key.as_str(), found.value.as_str()), ("나이", "25"), "{text}");
    }
    assert_eq!(key_extract("왼손잡이이다", subjects()).as_deref(), Some("_손잡이"));
    assert_eq!(key_extract("오른손잡이", subjects()).as_deref(), Some("_손잡이"));
    assert_eq!(key_extract("right-handed", subjects()).as_deref(), Some("_손잡이"));
}

#[test]
fn unknown_subjects_keep_their_words() {
    assert_eq!(
        key_extract("좋아하는 라면: 신라면", subjects()).as_deref(),
        Some("좋아하는 라면")
    );
    let found = classify("좋아하는 라면: 신라면", subjects()).unwrap();
    assert_eq!((found.category, found.class), (Category::Preference, Class::Identity));
    for text in [
        "user: hello",
        "12:30",
        "http://example.com",
        "오늘 점심은 뭐 먹지",
        "안녕하세요: 반가워요",
    ] {
        assert_eq!(key_extract(text, subjects()), None, "{text}");
    }
}

#[test]
fn actions_are_experiences() {
    for text in [
        "유저의 행동: 꽃을 선물했다",
        "아리엘의 반응: 기뻐했다",
        "user action: gave flowers",
    ] {
        assert_eq!(
            classify(text, subjects()).map(|c| c.class),
            Some(Class::Experience),
            "{text}"
        );
    }
    for text in ["너한테 꽃을 선물했어", "I gave you flowers"] {
        let facts = user(text);
        assert_eq!(facts.first().map(|f| f.class), Some(Class::Experience), "{text}");
    }
}

#[test]
fn others_have_their_own_keys() {
    let facts = user("내 동생은 간호사야");
    assert_eq!(keys(&facts), ["동생 직업"]);
    assert_eq!(facts[0].owner, Owner::Other("동생".into()));
    assert_eq!(facts[0].category, Category::Relationship);
    assert_eq!(key_owner("동생 직업"), Owner::Other("동생".into()));
    assert_eq!(key_owner("좋아하는 음식"), Owner::User);
    assert_eq!(
        key_extract("엄마 생일: 5월 3일", subjects()).as_deref(),
        Some("엄마 생일")
    );
}

#[test]
fn bare_corrections_find_their_subject() {
    let facts = user("아니, 스물여섯이야");
    assert_eq!(
        (facts[0].key.as_str(), facts[0].value.as_str(), facts[0].op),
        ("나이", "26", Op::Correct)
    );
    assert!(user("아니, 부산이야").is_empty());
    let facts = extract_with_context("아니, 부산이야", &["거주지"], None, subjects(), Speaker::User);
    assert_eq!(
        (facts[0].key.as_str(), facts[0].value.as_str(), facts[0].op),
        ("거주지", "부산", Op::Correct)
    );
    let facts = extract_with_context("no, green", &["좋아하는 색"], None, subjects(), Speaker::User);
    assert_eq!(
        (facts[0].key.as_str(), facts[0].value.as_str()),
        ("좋아하는 색", "초록색")
    );
}

#[test]
fn the_assistant_only_promises() {
    assert!(assistant("나는 스무 살이야. 서울에 살아.").is_empty());
    assert!(assistant("I'm 25 and I live in Seoul").is_empty());
    let facts = assistant("그럼 내일 7시에 만나자, 약속");
    assert_eq!((keys(&facts), facts[0].category), (vec!["약속"], Category::Event));
    let facts = assistant("Let's be friends from now on");
    assert_eq!(
        (keys(&facts), facts[0].category),
        (vec!["관계"], Category::Relationship)
    );
    let facts = assistant("이제부터 반말하자");
    assert_eq!((keys(&facts), facts[0].value.as_str()), (vec!["말투"], "반말"));
}

#[test]
fn memory_blocks_are_not_learned_again() {
    assert!(user("[현재 상태(캐논)]\n- (PERSONAL_INFO) 직업: 개발자\n- 나이: 25").is_empty());
    let facts = user("[Current state (canon)]\n- job: doctor\n\nI live in Seoul");
    assert_eq!(keys(&facts), ["거주지"]);
}

#[test]
fn spans_point_into_the_message() {
    let text = "안녕! 난 김민수고 스무 살이야";
    let facts = user(text);
    assert_eq!(keys(&facts), ["이름", "나이"]);
    assert_eq!(&text[facts[0].span.clone()], "난 김민수고");
    assert_eq!(&text[facts[1].span.clone()], "스무 살이야");
}

#[test]
fn single_and_many_values() {
    let facts = user("취미는 독서랑 수영이야");
    assert!(
        facts
            .iter()
            .all(|f| f.op == Op::Add && f.cardinality == Cardinality::Many)
    );
    let facts = user("나 서울 살아");
    assert!(
        facts
            .iter()
            .all(|f| f.op == Op::Set && f.cardinality == Cardinality::Single)
    );
}

#[test]
fn an_administrators_subject_is_read_in_sentences() {
    let line = "최애 편의점\tPREFERENCE\tidentity\tsingle\ttext\t최애 편의점\tfavorite store\t단골 편의점\tfavorite convenience store\t";
    let rows = subjects().rows().iter().cloned().chain(Subject::from_line(line));
    let extended = Subjects::from_rows(rows);
    for text in ["내 단골 편의점은 GS25야", "My favorite convenience store is GS25"] {
        let facts = extract(text, None, &extended, Speaker::User);
        assert_eq!(
            (keys(&facts), facts[0].value.as_str()),
            (vec!["최애 편의점"], "GS25"),
            "{text}"
        );
    }
}
