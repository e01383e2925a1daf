//! The five emotions of a conversation, by any of their names.

use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Emotion {
    Joy,
    Sadness,
    Stress,
    Calm,
    Excitement,
}

impl Emotion {
    pub const ALL: [Emotion; 5] = [
        Emotion::Joy,
        Emotion::Sadness,
        Emotion::Stress,
        Emotion::Calm,
        Emotion::Excitement,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Emotion::Joy => "joy",
            Emotion::Sadness => "sadness",
            Emotion::Stress => "stress",
            Emotion::Calm => "calm",
            Emotion::Excitement => "excitement",
        }
    }
}

impl FromStr for Emotion {
    type Err = ();

    /// English and Korean names, and the words that models put in their place. Of several (`joy/excitement`) the
    /// first counts.
    fn from_str(name: &str) -> Result<Self, ()> {
        let first = name
            .split(|c: char| !c.is_alphanumeric())
            .find(|word| !word.is_empty())
            .ok_or(())?;
        Ok(match first.to_lowercase().as_str() {
            "joy" | "joyful" | "happy" | "happiness" | "기쁨" | "행복" | "즐거움" => Emotion::Joy,
            "sadness" | "sad" | "sorrow" | "grief" | "슬픔" | "우울" | "외로움" => Emotion::Sadness,
            "stress" | "stressed" | "anxiety" | "anxious" | "anger" | "angry" | "스트레스" | "불안" | "분노"
            | "짜증" => Emotion::Stress,
            "calm" | "calmness" | "neutral" | "peaceful" | "평온" | "차분" | "중립" | "보통" => Emotion::Calm,
            "excitement" | "excited" | "흥분" | "설렘" | "신남" | "기대" => Emotion::Excitement,
            _ => return Err(()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_names_of_both_languages() {
        for emotion in Emotion::ALL {
            assert_eq!(emotion.as_str().parse(), Ok(emotion));
        }
        let korean = ["기쁨", "슬픔", "스트레스", "평온", "흥분"];
        for (name, emotion) in korean.into_iter().zip(Emotion::ALL) {
            assert_eq!(name.parse(), Ok(emotion));
        }
        assert_eq!(" Joy / excitement".parse(), Ok(Emotion::Joy));
        assert_eq!("\"기쁨\" | \"슬픔\"".parse(), Ok(Emotion::Joy));
        assert_eq!("".parse::<Emotion>(), Err(()));
        assert_eq!("bewildered".parse::<Emotion>(), Err(()));
    }
}
