//! Which queries find which messages.

use memory_core::text::terms;

/// The share of a query's distinct terms that a document has.
fn coverage(query: &str, doc: &str) -> f64 {
    let doc = terms(doc);
    let mut query = terms(query);
    query.sort();
    query.dedup();
    let found = query.iter().filter(|term| doc.contains(term)).count();
    found as f64 / query.len().max(1) as f64
}

/// Query and document that must share every term of the query.
#[rustfmt::skip]
const FINDS_ALL: &[(&str, &str)] = &[
    // particles
    ("날씨", "날씨가 좋다"), ("날씨", "오늘날씨는 어때"), ("날씨", "오늘 날씨"), ("날씨가", "날씨는"),
    ("집", "집에 왔어"), ("집", "집에서 쉬어"), ("집", "집이 멀어"), ("집", "집까지 걸었어"),
    ("꿈", "꿈을 꿨어"), ("꿈", "꿈이 뭐야"), ("키", "키가 커"), ("키", "키는 178cm야"), ("밥", "밥도 먹었어"),
    ("친구", "친구랑 놀았어"), ("친구", "친구들이랑"), ("친구", "친구한테"), ("친구", "친구들에게도"),
    ("학교", "학교에서는"), ("학교", "학교까지만"), ("회사", "회사로부터의"), ("서울", "서울로"), ("서울", "서울에서부터"),
    ("부산", "부산으로 이사"), ("사람", "사람처럼"), ("사람", "사람마다"), ("커피", "커피보다"), ("커피", "커피밖에"),
    ("의사", "의사야"), ("의사", "의사예요"), ("의사", "의사입니다"), ("의사", "의사였어"), ("학생", "학생이에요"),
    ("학생", "학생이었어"), ("학생", "학생인데"), ("학생", "학생이라서"), ("선생님", "선생님이야"), ("생일", "생일이 언제야?"),
    ("고양이", "고양이가"), ("고양이", "고양이는"), ("고양이", "고양이랑"), ("강아지", "강아지를 키워"), ("아이", "아이가"),
    ("종이", "종이랑"), ("사과", "사과를"), ("사과", "사과는"), ("포도", "포도를"), ("포도", "포도가"), ("가을", "가을에"),
    ("사랑", "사랑을"), ("사랑", "첫사랑"), ("사랑", "사랑해"), ("결과", "결과를"), ("휴가", "휴가를"), ("누나", "누나가"),
    ("하나", "하나를"), ("제주", "제주도에"), ("제주도", "제주도에서"), ("영어", "영어를"), ("영어", "영어도"), ("라면", "라면을"),
    ("아들", "아들이"), ("딸", "딸은"), ("개", "개들이"), ("떡볶이", "떡볶이를"), ("이름", "이름은"), ("오빠", "오빠한테서"),
    // conjugation
    ("먹었어", "먹는"), ("먹고", "먹어"), ("먹다", "먹었는데요"), ("먹을까", "먹고싶어"), ("먹어", "먹어보세요"),
    ("먹었어", "밥먹었어"), ("마셨어", "마시는"), ("마시고", "마셔요"), ("배웠어", "배우는"), ("봤어", "보고"),
    ("갔어", "가고"), ("갔어요", "갑니다"), ("왔어", "오면"), ("좋아", "좋은"), ("좋아해", "좋아하는"),
    ("공부", "공부했어"), ("공부하다", "공부하는"), ("운동", "운동하고"), ("운동해", "운동을"), ("걱정", "걱정돼"),
    ("추워", "추웠어"), ("매운", "매워요"), ("예뻐", "예쁘다"), ("바빠서", "바쁜"), ("몰라", "모르겠어"),
    ("만든", "만들었어"), ("만드는", "만들고"), ("맛있어", "맛있는"), ("재미있는", "재미있었어"), ("친절한", "친절하셨어요"),
    ("기다려줘", "기다리는"), ("알려줘", "알렸어"), ("헤어졌어", "헤어지고"), ("살고", "살았어"), ("읽었던", "읽습니다"),
    // mixed scripts
    ("MBTI", "MBTI는 INFP야"), ("INFP", "MBTI는 INFP야"), ("BTS", "BTS를 좋아해"), ("3월", "3월에"), ("3월", "3월에는"),
    ("25살", "25살이야"), ("178cm", "키는 178cm야"), ("178", "178cm"), ("파이썬", "파이썬3"), ("파이썬3", "파이썬 3"),
    ("iPhone", "iPhone이랑"), ("iPhone 15", "iPhone15"), ("C++", "C++을 배워"), ("C#", "C#으로"), ("해리포터", "'해리포터'를 봤어"),
    ("카페", "카페(cafe)에서"), ("1000원", "1,000원"), ("ㅇㅈ", "완전 ㅇㅈ"), ("MZ세대", "MZ세대는"),
    // English
    ("dogs", "my dog"), ("running", "I run daily"), ("ran", "running"), ("went camping", "go camp"), ("Caroline", "Caroline's"),
    ("Caroline", "Caroline’s cat"), ("don't like", "I like"), ("email", "e-mail"), ("wifi", "Wi-Fi"),
    ("nodejs", "node.js"), ("node.js", "Node.JS"), ("c++", "I love C++!"), ("c#", "C# is fine"), ("3.14", "pi is 3.14."),
    ("2023-05-07", "on 2023/5/7"), ("2023-05-07", "2023.05.07"), ("7", "May 7th"), ("May 7th", "7 May"), ("05", "5월"),
    ("jane@example.com", "mail Jane@Example.com."), ("example", "jane@example.com"), ("github", "https://github.com/a/b"),
    ("github.com", "https://github.com/a/b"), ("01012345678", "010-1234-5678"), ("1000000", "1,000,000"), ("USA", "U.S.A."),
    ("R&B", "r&b music"), ("o'brien", "O’Brien"), ("café", "cafe"), ("CAFÉ", "cafe\u{301}"), ("10:30", "at 10:30"),
    ("mother in law", "mother-in-law's"), ("who are you", "Who are you?"), ("mp3", "an MP3"), ("children", "child"),
    // others
    ("привет", "Привет!"), ("οδός", "ΟΔΟΣ"), ("istanbul", "İstanbul"), ("strasse", "Straße"), ("東京", "東京都に住む"),
    ("猫", "黒猫"), ("コーヒー", "コーヒーが好き"), ("नमस्ते", "नमस्ते दोस्त"), ("مرحبا", "مرحبا بك"),
    ("😂", "lol😂😂"), ("👍", "👍🏽"), ("❤", "❤️"), ("🤷", "🤷‍♂️"), ("👩‍💻", "👩🏽‍💻"), ("🇰🇷", "go 🇰🇷!"), ("ＡＢＣ", "abc"),
];

/// Query and document that must share something.
#[rustfmt::skip]
const FINDS_SOME: &[(&str, &str)] = &[
    ("e-mail", "email"), ("แมว", "แมวดำ"), ("길고양이", "고양이"), ("우리집 강아지", "강아지 이름"), ("생일선물", "생일 파티"),
    ("인공지능학과", "인공지능"), ("コーヒー豆", "コーヒー"), ("我爱猫", "我的猫很可爱"), ("gpt-4o", "GPT 4"), ("떨어졌어", "떨어지는"),
];

/// Query and document that must share nothing.
#[rustfmt::skip]
const FINDS_NOTHING: &[(&str, &str)] = &[
    ("날씨", "날개"), ("사랑", "사과"), ("포도", "포스터"), ("집", "직장"), ("키", "카페"), ("고양이", "강아지"),
    ("먹었어", "마셨어"), ("좋아", "싫어"), ("나는", "너는 누구"), ("뭐야", "학생이야"), ("는", "나무는"), ("결과", "결혼"),
    ("가게", "가족"), ("바다", "바지"), ("영어", "영화"), ("라면", "라디오"), ("3월", "5월"), ("25살", "30살"),
    ("ㅋㅋㅋ", "ㅋㅋㅋ 웃겨"), ("ㅠㅠ", "슬퍼 ㅠㅠ"), ("춥다", "덥다"), ("MBTI", "BTS를"), ("누나", "누구"),
    ("the cat", "the dog"), ("who are you", "you have a dog"), ("c++", "c#"), ("c", "c++"), ("3.14", "3"),
    ("don't", "I do not know him"), ("it's", "its tail wags"), ("2023-05-07", "2024-06-08"), ("R&B", "A&W"),
    ("東京", "大阪"), ("😂", "😭"), ("hello", "안녕"), ("", "anything"), ("...", "!!!"), ("의", "회의"), ("이해", "방해"),
];

#[test]
fn finds_all() {
    let failed: Vec<_> = FINDS_ALL
        .iter()
        .filter(|(query, doc)| coverage(query, doc) < 1.0)
        .map(|(query, doc)| format!("{query} {:?} / {doc} {:?}", terms(query), terms(doc)))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn finds_some() {
    for (query, doc) in FINDS_SOME {
        assert!(
            coverage(query, doc) > 0.0,
            "{query} {:?} / {doc} {:?}",
            terms(query),
            terms(doc)
        );
    }
}

#[test]
fn finds_nothing() {
    let failed: Vec<_> = FINDS_NOTHING
        .iter()
        .filter(|(query, doc)| coverage(query, doc) > 0.0)
        .map(|(query, doc)| format!("{query} {:?} / {doc} {:?}", terms(query), terms(doc)))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn exact_terms() {
    #[rustfmt::skip]
    let cases: &[(&str, &str)] = &[
        ("날씨가", "날씨"), ("오늘날씨는", "오늘날씨 오늘 늘날 날씨"), ("집에서", "집"), ("ㅋㅋㅋㅋ", ""),
        ("3월에", "3 3월"), ("178cm", "178cm 178 cm"), ("e-mails", "mail email"), ("don't stop", "stop"),
        ("I'm here", "i here"), ("you", "you"), ("hello hello", "hello hello"), ("猫", "猫"), ("黒猫", "黒 猫 黒猫"),
        ("コーヒー", "コー ーヒ ヒー コーヒー"), ("😂😂", "😂 😂"), ("2023-05-07", "2023 5 7 2023-05-07"),
        ("나는 학생이야", "학생"), ("밥먹었어", "밥먹다 밥먹 먹다 밥"), ("a_b", "ab"), ("x-ray", "ray xray"),
    ];
    for (text, expected) in cases {
        assert_eq!(terms(text).join(" "), *expected, "{text}");
    }
}

#[test]
fn long_words_are_cut_alike() {
    let word = "x".repeat(100_000);
    assert_eq!(terms(&word), terms(&format!("{word} ")));
    assert_eq!(terms(&word).len(), 1);
    let run = "가나다라".repeat(10_000);
    assert_eq!(terms(&run).len(), 39_999);
}
