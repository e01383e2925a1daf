//! Memory blocks that came back in a message: what we told the model is not learned again.

use crate::context::Heading;
use crate::language::Language;

/// The message without memory blocks. A block is a heading and the lines up to the next empty
/// line. Removed bytes become spaces and line breaks stay, so that every byte keeps its place.
#[must_use]
pub fn strip_memory_blocks(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains('[') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if let Some(at) = heading(line) {
            inside = true;
            out.push_str(&line[..at]);
            blank(&mut out, &line[at..]);
        } else if inside && !trimmed.is_empty() {
            blank(&mut out, line);
        } else {
            inside = false;
            out.push_str(line);
        }
    }
    out.into()
}

const HEADING_BYTES: usize = 120;

/// Where a block heading starts in a line. Case and inner spaces do not matter.
fn heading(line: &str) -> Option<usize> {
    line.char_indices()
        .filter(|(_, c)| *c == '[')
        .map(|(at, _)| at)
        .find(|at| {
            let rest = &line[*at..];
            Heading::ALL.iter().any(|h| {
                [Language::Ko, Language::En]
                    .iter()
                    .any(|&language| same_start(rest, h.text(language)))
            })
        })
}

fn same_start(text: &str, heading: &str) -> bool {
    let squeeze = |s: &str| {
        s.chars()
            .filter(|c| !c.is_whitespace())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    // A heading is short: what is longer must not be looked through again and again.
    let end = text.bytes().take(HEADING_BYTES).position(|b| b == b']');
    end.is_some_and(|end| squeeze(&text[..=end]) == squeeze(heading))
}

fn blank(out: &mut String, line: &str) {
    out.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_go_and_the_rest_keeps_its_place() {
        let text = "[현재 상태(캐논)]\n- (GOAL) 꿈: 의사\n- 직업: 개발자\n\n난 스무 살이야";
        let stripped = strip_memory_blocks(text);
        assert_eq!(stripped.len(), text.len());
        assert_eq!(stripped.trim(), "난 스무 살이야");
        assert_eq!(stripped.find("난"), text.find("난 스무"));
        assert_eq!(strip_memory_blocks("[current  State (canon)] 직업: 의사").trim(), "");
        assert_eq!(strip_memory_blocks("[공지] 직업: 의사"), "[공지] 직업: 의사");
    }
}
