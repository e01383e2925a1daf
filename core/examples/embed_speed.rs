//! Prints how fast a model is read and texts are embedded:
//! `cargo run --release -p memory_core --example embed_speed MODEL`

use std::hint::black_box;
use std::time::{Duration, Instant};

use memory_core::embed::Model;

const TEXTS: &[(&str, &[&str])] = &[
    (
        "English",
        &[
            "I went to the beach with my sister yesterday and it was wonderful.",
            "What's your favorite book? Mine is about a girl who travels the world!",
            "I'm swamped with work these days, but the kids keep me smiling :)",
            "Sure, let's meet at 10:30 on Friday near the station.",
        ],
    ),
    (
        "Korean",
        &[
            "오늘 날씨가 너무 좋아서 친구랑 한강에 산책하러 갔어",
            "내 MBTI는 INFP고 생일은 3월 7일이야 ㅋㅋㅋ",
            "요즘 회사 일이 바빠서 운동을 못 하고 있어요 ㅠㅠ",
            "고양이 두 마리를 키우는데 이름이 나비랑 콩이야",
        ],
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which model file?")?;
    let bytes = std::fs::read(path)?;
    let start = Instant::now();
    let model = Model::read(&bytes)?;
    println!(
        "{} ({} bytes): checked in {:?}",
        model.name(),
        bytes.len(),
        start.elapsed()
    );
    for (name, texts) in TEXTS {
        let (start, mut done) = (Instant::now(), 0);
        while start.elapsed() < Duration::from_secs(1) {
            texts.iter().for_each(|text| drop(black_box(model.embed(text))));
            done += texts.len();
        }
        println!(
            "{name}: {:.0} texts a second",
            done as f64 / start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
