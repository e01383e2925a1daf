//! The two languages that headings, instructions and rules are written in.

use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    Ko,
    En,
}

impl Language {
    pub fn as_str(self) -> &'static str {
        match self {
            Language::Ko => "ko",
            Language::En => "en",
        }
    }

    /// Korean when at least a fifth of the letters are Hangul: Korean chat is full of Latin names
    /// and terms, English chat holds hardly any Hangul. `None` when there are no letters at all.
    pub fn detect(text: &str) -> Option<Language> {
        let (mut hangul, mut letters) = (0usize, 0usize);
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            letters += 1;
            hangul += usize::from(is_hangul(c));
        }
        match letters {
            0 => None,
            _ if hangul * 5 >= letters => Some(Language::Ko),
            _ => Some(Language::En),
        }
    }
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}')
}

impl FromStr for Language {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.to_ascii_lowercase().as_str() {
            "ko" | "korean" | "한국어" => Ok(Language::Ko),
            "en" | "english" | "영어" => Ok(Language::En),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_the_language_of_a_message() {
        let cases = [
            ("오늘 날씨 어때?", Some(Language::Ko)),
            ("MBTI는 INFP야", Some(Language::Ko)),
            ("What is 김치 made of, and is it always spicy?", Some(Language::En)),
            ("안녕", Some(Language::Ko)),
            ("¿Qué tal?", Some(Language::En)),
            ("12:30 :)", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(Language::detect(text), expected, "{text}");
        }
    }

    #[test]
    fn reads_the_names_that_the_seeds_use() {
        assert_eq!("korean".parse(), Ok(Language::Ko));
        assert_eq!("English".parse(), Ok(Language::En));
        assert_eq!("fr".parse::<Language>(), Err(()));
    }
}
