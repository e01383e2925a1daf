//! Prints how fast texts are split and ranked:
//! `cargo run --release -p memory_core --example text_speed`

use memory_core::text::bm25::{Collection, Query};
use memory_core::text::{TermHasher, for_each_term};
use std::hint::black_box;
use std::time::{Duration, Instant};

const ENGLISH: &[&str] = &[
    "I went to the beach with my sister yesterday and it was wonderful.",
    "What's your favorite book? Mine is about a girl who travels the world!",
    "I'm swamped with work these days, but the kids keep me smiling :)",
    "Sure, let's meet at 10:30 on Friday near the station.",
];
const KOREAN: &[&str] = &[
    "오늘 날씨가 너무 좋아서 친구랑 한강에 산책하러 갔어",
    "내 MBTI는 INFP고 생일은 3월 7일이야 ㅋㅋㅋ",
    "요즘 회사 일이 바빠서 운동을 못 하고 있어요 ㅠㅠ",
    "고양이 두 마리를 키우는데 이름이 나비랑 콩이야",
];

fn main() {
    let hasher = TermHasher::for_user("user");
    for (name, texts) in [("English", ENGLISH), ("Korean", KOREAN)] {
        let rate = per_second(|| {
            texts
                .iter()
                .for_each(|text| for_each_term(text, |term| _ = black_box(term)));
            texts.len()
        });
        println!("{name}: {rate:.0} messages a second split");
        let rate = per_second(|| {
            texts.iter().for_each(|text| drop(black_box(hasher.ids(text))));
            texts.len()
        });
        println!("{name}: {rate:.0} messages a second to ids");
    }

    let docs: Vec<Vec<i32>> = (0..10_000)
        .map(|i| hasher.ids(&format!("{} {} {i}", ENGLISH[i % 4], KOREAN[i / 4 % 4])))
        .collect();
    let query = Query::new(hasher.ids_in_order("친구랑 한강에 언제 갔지? beach with my sister 77"));
    let rate = per_second(|| {
        let mut pass = Collection::new(&query);
        docs.iter().enumerate().for_each(|(i, doc)| {
            pass.add(doc, || i);
        });
        black_box(pass.top(20));
        1
    });
    let words: usize = docs.iter().map(Vec::len).sum();
    println!("10,000 documents, {words} ids: {:.2} ms a query", 1000.0 / rate);
}

fn per_second(mut work: impl FnMut() -> usize) -> f64 {
    work();
    let start = Instant::now();
    let mut done = 0;
    while start.elapsed() < Duration::from_secs(1) {
        done += work();
    }
    done as f64 / start.elapsed().as_secs_f64()
}
