//! Prints how many short messages a second one core extracts facts from. Without a path it reads
//! sentences of its own; with one, every line of the file:
//! `cargo run --release --example fact_speed -- lines.txt`.

use memory_core::fact::{Speaker, Subjects, extract};
use std::time::{Duration, Instant};

const MESSAGES: &[&str] = &[
    "내 이름은 김민수야",
    "난 스무 살이고 서울 강남구에 살아",
    "오늘 날씨 진짜 좋다",
    "떡볶이랑 순대 좋아해",
    "내일 뭐 할 거야?",
    "고양이 키우고 싶다",
    "My name is Minsu and I live in Seoul",
    "I'm allergic to peanuts",
    "How are you doing today?",
    "Thanks, that means a lot to me!",
    "If I were a doctor I would help people",
    "I work part-time at a cafe and study computer science",
];

fn main() {
    let path = std::env::args().nth(1);
    let file = path.map(|p| std::fs::read_to_string(&p).unwrap_or_else(|e| panic!("{p}: {e}")));
    let lines: Vec<&str> = match &file {
        Some(text) => text.lines().filter(|l| !l.trim().is_empty()).collect(),
        None => MESSAGES.to_vec(),
    };
    let subjects = Subjects::builtin();
    for line in &lines {
        std::hint::black_box(extract(line, None, subjects, Speaker::User));
    }
    let start = Instant::now();
    let mut count = 0u64;
    let mut facts = 0usize;
    while start.elapsed() < Duration::from_secs(2) {
        for line in &lines {
            facts += extract(line, None, subjects, Speaker::User).len();
            count += 1;
        }
    }
    let rate = count as f64 / start.elapsed().as_secs_f64();
    println!(
        "{rate:.0} messages a second, {:.2} facts a message",
        facts as f64 / count as f64
    );
}
