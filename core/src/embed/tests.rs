use super::pieces::{Pieces, Scratch, Unit, hash};
use super::{BadModel, Model, runs};
use crate::text::normalize::normalize;
use proptest::prelude::*;

const DIMENSIONS: usize = 4;

/// A little model file: pieces with their scores and vectors.
fn file(pieces: &[(&str, i16, [i8; DIMENSIONS])]) -> Vec<u8> {
    let slots = (pieces.len() * 2).next_power_of_two();
    let strings: String = pieces.iter().map(|(text, ..)| *text).collect();
    let longest = pieces.iter().map(|(text, ..)| text.chars().count()).max().unwrap();
    let mut out = b"MEMEMBED".to_vec();
    for number in [1, DIMENSIONS, pieces.len(), slots, strings.len(), longest] {
        out.extend((number as u32).to_le_bytes());
    }
    out.extend(0.5f32.to_le_bytes());
    out.extend([0; 4]);
    out.extend(b"test");
    out.extend([0; 28]);
    let mut part = |bytes: Vec<u8>| {
        out.extend(bytes);
        out.resize(out.len().next_multiple_of(8), 0);
    };
    part(pieces.iter().flat_map(|(_, score, _)| score.to_le_bytes()).collect());
    part(pieces.iter().flat_map(|_| 0.25f32.to_le_bytes()).collect());
    let ends = pieces.iter().scan(0, |end, (text, ..)| {
        *end += text.len() as u32;
        Some(*end)
    });
    part([0].into_iter().chain(ends).flat_map(u32::to_le_bytes).collect());
    let mut table = vec![0u64; slots];
    for (i, (text, ..)) in pieces.iter().enumerate() {
        let hash = hash(text.as_bytes());
        let mut slot = hash as usize & (slots - 1);
        while table[slot] != 0 {
            slot = (slot + 1) & (slots - 1);
        }
        table[slot] = (i as u64 + 1) << 32 | hash >> 32;
    }
    part(table.into_iter().flat_map(u64::to_le_bytes).collect());
    part(strings.into_bytes());
    part(pieces.iter().flat_map(|(.., row)| row.map(i8::cast_unsigned)).collect());
    out
}

fn small() -> Vec<u8> {
    file(&[
        (" 학교", -9000, [8, 0, 0, 0]),
        (" 학", -7000, [0, 8, 0, 0]),
        ("교", -6000, [0, 8, 0, 0]),
        ("에서", -4000, [0, 0, 8, 0]),
        ("에", -3000, [0, 0, 8, 0]),
        ("서", -3500, [0, 0, 8, 0]),
        (" play", -8000, [0, 0, 0, 8]),
        ("ing", -3000, [0, 0, 0, -4]),
        ("ed", -3000, [0, 0, 1, -4]),
        ("❤", -9000, [1, 1, 1, 1]),
    ])
}

fn runs_of(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    runs::for_each(&normalize(text), |run| out.push(run.text.to_string()));
    out
}

fn pieces_of(text: &str) -> Vec<String> {
    let bytes = small();
    let Pieces { offsets, strings, .. } = Model::read(&bytes).unwrap().pieces;
    let at = |i: usize| u32::from_le_bytes(offsets[i]) as usize;
    let mut out = Vec::new();
    runs::for_each(&normalize(text), |run| {
        Model::read(&bytes)
            .unwrap()
            .pieces
            .for_each(run, &mut Scratch::default(), |unit| {
                out.push(match unit {
                    Unit::Piece(i) => {
                        String::from_utf8_lossy(&strings[at(i as usize)..at(i as usize + 1)]).into_owned()
                    }
                    Unit::Other(_) => "?".to_string(),
                });
            });
    });
    out
}

#[test]
fn a_text_falls_into_runs() {
    assert_eq!(
        runs_of("iPhone을 2대, 샀다ㅋㅋ"),
        [" iphone", "을", " 2", "대", " 샀다", "ㅋㅋ"]
    );
    assert_eq!(runs_of("日本 москва❤❤"), ["日", "本", "москва", "❤", "❤"]);
    assert_eq!(runs_of("!!! ..."), [""; 0]);
    assert_eq!(
        runs_of(&"a".repeat(100)).iter().map(String::len).collect::<Vec<_>>(),
        [49, 48, 4]
    );
}

#[test]
fn a_run_is_written_with_the_likeliest_pieces() {
    assert_eq!(pieces_of("학교"), [" 학교"]);
    assert_eq!(pieces_of("학교에서"), [" 학교", "에서"]);
    assert_eq!(pieces_of("서에"), ["서", "에"], "pieces of the middle may begin a word");
    assert_eq!(pieces_of("Playing, played"), [" play", "ing", " play", "ed"]);
    assert_eq!(pieces_of("학교봄에서"), [" 학교", "?", "에서"]);
    assert_eq!(pieces_of("москва ❤"), ["?", "❤"]);
}

#[test]
fn vectors_are_sums_of_length_one() {
    let bytes = small();
    let model = Model::read(&bytes).unwrap();
    assert_eq!((model.name(), model.dimensions()), ("test", DIMENSIONS));
    assert_eq!(model.embed("학교"), Some(vec![1.0, 0.0, 0.0, 0.0]));
    let half = 0.5f32.sqrt();
    assert_eq!(model.embed("학교에서"), Some(vec![half, 0.0, half, 0.0]));
    assert_eq!(model.embed("?!"), None);
    assert_eq!(model.embed(""), None);
    assert_eq!(model.embed("МОСКВА"), model.embed("москва"));
    assert_ne!(model.embed("москва"), model.embed("киев"));
}

#[test]
fn what_is_no_model_is_told_apart() {
    let good = small();
    assert_eq!(Model::read(&[]).err(), Some(BadModel::NotAModel));
    assert_eq!(Model::read(b"MEMEMBEX").err(), Some(BadModel::NotAModel));
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        Model::read(&bytes).err()
    };
    assert_eq!(changed(8, 2), Some(BadModel::Layout(2)));
    assert_eq!(changed(12, 0), Some(BadModel::Wrong("number of dimensions")));
    assert_eq!(changed(12, 200), Some(BadModel::Length));
    assert_eq!(changed(20, 33), Some(BadModel::Wrong("number of slots")));
    assert_eq!(changed(28, 0), Some(BadModel::Wrong("longest piece")));
    assert_eq!(changed(35, 0xFF), Some(BadModel::Wrong("scale")));
    assert_eq!(changed(40, 0xFF), Some(BadModel::Wrong("name")));
    let mut longer = good.clone();
    longer.push(0);
    assert_eq!(Model::read(&longer).err(), Some(BadModel::Length));
}

proptest! {
    #[test]
    fn a_file_cut_short_is_no_model(length in 0..1000usize) {
        let bytes = small();
        let length = length % bytes.len();
        prop_assert!(Model::read(&bytes[..length]).is_err());
    }

    #[test]
    fn a_damaged_file_is_refused_or_harmless(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        text in "(학교|에서|play|ing|❤|[가-힣a-z0-9 ]){0,20}",
    ) {
        let mut bytes = small();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(model) = Model::read(&bytes)
            && let Some(vector) = model.embed(&text)
        {
            prop_assert!(vector.iter().all(|x| x.is_finite()));
        }
    }

    #[test]
    fn any_bytes_after_a_good_start_are_refused_or_harmless(tail in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut bytes = small()[..12].to_vec();
        bytes.extend(tail);
        if let Ok(model) = Model::read(&bytes) {
            model.embed("학교에서 playing");
        }
    }

    #[test]
    fn any_text_has_a_unit_vector_or_none(text in any::<String>()) {
        let bytes = small();
        if let Some(vector) = Model::read(&bytes).unwrap().embed(&text) {
            prop_assert!((crate::vector::norm(&vector) - 1.0).abs() < 1e-5);
        }
    }
}
