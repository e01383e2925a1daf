//! The JSON in what a model says. Repaired is only what can have one meaning: a fence or prose around it, a comma
//! before a closing bracket, a line break inside a string. What breaks off in the middle is not completed.

use std::borrow::Cow;

use serde_json::Value;

/// Longer answers are no answers; the wire's own limit is far above.
const MAX_BYTES: usize = 256 * 1024;
/// How many places in prose are tried.
const MAX_STARTS: usize = 64;

/// The first JSON value in the text that `wanted` can use: the whole text, then what stands in fences, then what
/// stands in prose.
pub fn find<T>(text: &str, wanted: impl Fn(&Value) -> Option<T>) -> Option<T> {
    let text = without_thoughts(text.trim_start_matches('\u{FEFF}')).trim();
    if text.len() > MAX_BYTES {
        return None;
    }
    let read = |part: &str| parse(part).as_ref().and_then(&wanted);
    read(text)
        .or_else(|| fenced(text).find_map(read))
        .or_else(|| values(text).find_map(read))
}

/// What follows `<think>…</think>`, where models without a place of their own for it put their thoughts.
fn without_thoughts(text: &str) -> &str {
    match text.rsplit_once("</think>") {
        Some((_, answer)) if text.trim_start().starts_with("<think>") => answer,
        _ => text,
    }
}

fn parse(text: &str) -> Option<Value> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    serde_json::from_str(text)
        .ok()
        .or_else(|| serde_json::from_str(&mended(text)).ok())
}

/// What stands between pairs of ```, without the language.
fn fenced(text: &str) -> impl Iterator<Item = &str> {
    text.split("```").skip(1).step_by(2).map(|block| {
        let tag = block.find(['{', '[', '\n']).unwrap_or(0);
        &block[tag..]
    })
}

/// What begins with a bracket and ends with its partner, the outermost first.
fn values(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text.get(from..)?.find(['{', '['])?;
        let end = balanced(&text[start..]).map(|length| start + length);
        // Past a value; into one that never ends.
        from = end.unwrap_or(start + 1);
        Some(end.map_or("", |end| &text[start..end]))
    })
    .take(MAX_STARTS)
    .filter(|value| !value.is_empty())
}

/// How long the bracketed value at the start is; `None` when it does not end.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut strings = Strings::default();
    for (at, byte) in text.bytes().enumerate() {
        if strings.step(byte) {
            continue;
        }
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Without commas before closing brackets, and with line breaks in strings written as JSON wants them.
fn mended(text: &str) -> Cow<'_, str> {
    let mut out = String::with_capacity(text.len());
    let mut strings = Strings::default();
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let inside = strings.step(byte);
        let instead = match byte {
            b',' if !inside && text[at + 1..].trim_start().starts_with(['}', ']']) => "",
            b'\n' if inside => "\\n",
            b'\r' if inside => "\\r",
            b'\t' if inside => "\\t",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(instead);
        from = at + 1;
    }
    match from {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(out + &text[from..]),
    }
}

/// Whether we are inside a string.
#[derive(Default)]
struct Strings {
    inside: bool,
    escaped: bool,
}

impl Strings {
    /// Whether this byte belongs to a string.
    fn step(&mut self, byte: u8) -> bool {
        if !self.inside {
            self.inside = byte == b'"';
            return self.inside;
        }
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => self.inside = false,
            _ => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn any_value(text: &str) -> Option<Value> {
        find(text, |value| Some(value.clone()))
    }

    #[test]
    fn json_is_found_wherever_models_put_it() {
        let expected = json!({"a": [1, 2], "b": "x, }\n\"y\""});
        let json = expected.to_string();
        let cases = [
            json.clone(),
            format!("  \u{FEFF}{json}\n"),
            format!("\u{FEFF}{json}"),
            format!("```json\n{json}\n```"),
            format!("```{json}```"),
            format!("Sure! Here is the summary:\n\n```JSON\n{json}\n```\nAnything else?"),
            format!("네, 요약은 {json} 입니다."),
            format!("I used {{braces}} and [brackets] before. {json} Done :}}"),
            format!("<think>maybe {{\"a\": 0}}?</think>\n{json}"),
            "{\"a\": [1, 2,], \"b\": \"x, }\n\\\"y\\\"\" , }".to_string(),
            "{\"a\": [1, 2],\n \"b\": \"x, }\\n\\\"y\\\"\",\n}".to_string(),
        ];
        for case in cases {
            let found = find(&case, |value| value.get("b").is_some().then(|| value.clone()));
            assert_eq!(found.as_ref(), Some(&expected), "{case}");
        }
    }

    #[test]
    fn what_cannot_be_repaired_for_certain_is_left() {
        let cases = [
            "",
            "no JSON at all",
            "{\"a\": \"breaks off",
            "{\"a\": 1, \"b\": [1, 2",
            "{'a': 1}",
            "{a: 1}",
            "{\"a\": 1 \"b\": 2}",
            "{\"a\": tru}",
            "\"{}\"...",
        ];
        for case in cases {
            let found = find(case, |value| value.get("a").is_some().then_some(()));
            assert_eq!(found, None, "{case}");
        }
    }

    #[test]
    fn the_first_that_can_be_used_is_taken() {
        let text = r#"Example: {"x": 1}. Answer: {"a": 2}. Or {"a": 3}."#;
        assert_eq!(find(text, |value| value["a"].as_i64()), Some(2));
    }

    #[test]
    fn deep_nesting_and_long_text_end_quickly() {
        assert_eq!(any_value(&"[".repeat(100_000)), None);
        assert_eq!(any_value(&"{\"a\":".repeat(50_000)), None);
        assert_eq!(any_value(&"{} ".repeat(MAX_BYTES)), None);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = any_value(&text);
        }

        #[test]
        fn nor_does_broken_json(text in r#"([{}\[\]",:`\\ \n]|가|a|1|```|</?think>){0,60}"#) {
            let _ = any_value(&text);
        }

        #[test]
        fn good_json_is_never_changed(key in "\\PC{1,8}", value in any::<String>(), around in "[a-z .\n]{0,20}") {
            let json = json!({key: [value]});
            prop_assert_eq!(any_value(&format!("{around}{json}{around}")), Some(json));
        }
    }
}
