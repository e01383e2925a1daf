//! Summaries of the conversations on standard input: `role<TAB>content` lines, an empty line between conversations.

use std::io::Read;

use memory_core::summary::summarise;

fn main() -> std::io::Result<()> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    for talk in input.split("\n\n") {
        let messages: Vec<(&str, &str)> = talk.lines().filter_map(|line| line.split_once('\t')).collect();
        let before = std::time::Instant::now();
        let summary = summarise(&messages);
        let taken = before.elapsed();
        match summary {
            Some(made) => println!(
                "{}\n  topics {:?}, {}, importance {}, {taken:?} for {} messages\n",
                made.content,
                made.topics,
                made.emotion.map_or("", |emotion| emotion.as_str()),
                made.importance,
                messages.len()
            ),
            None => println!("(nothing)\n"),
        }
    }
    Ok(())
}
