//! Groups of memories that say nearly the same.

use crate::vector::Probe;

/// Memories at least this similar to the first of a group join it.
pub const SIMILARITY: f64 = 0.8;
/// How many of a scope's latest episodes are looked at.
pub const WINDOW: usize = 50;

/// Groups of two or more, as indexes in the order given. Each group forms around its first member, not
/// along a chain, so that its ends cannot drift apart. Vectors of other dimensions never meet.
pub fn groups(vectors: &[&[f32]]) -> Vec<Vec<usize>> {
    let mut grouped = vec![false; vectors.len()];
    let mut groups = Vec::new();
    for first in 0..vectors.len() {
        if grouped[first] {
            continue;
        }
        let probe = Probe::new(vectors[first]);
        let mut group = vec![first];
        for other in first + 1..vectors.len() {
            let comparable = !grouped[other] && vectors[other].len() == probe.dimensions();
            if comparable && probe.cosine(vectors[other]) >= SIMILARITY {
                group.push(other);
            }
        }
        if group.len() > 1 {
            group.iter().for_each(|&member| grouped[member] = true);
            groups.push(group);
        }
    }
    groups
}

/// The texts of a group as one: each once, in the order given.
pub fn merge_texts<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut merged: Vec<&str> = Vec::new();
    for text in texts.map(str::trim) {
        if !text.is_empty() && !merged.contains(&text) {
            merged.push(text);
        }
    }
    merged.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(degrees: f32) -> [f32; 2] {
        [degrees.to_radians().cos(), degrees.to_radians().sin()]
    }

    #[test]
    fn groups_form_around_their_first_member() {
        let vectors = [at(0.0), at(30.0), at(60.0), at(180.0), at(90.0)];
        let borrowed: Vec<&[f32]> = vectors.iter().map(|v| v.as_slice()).collect();
        // cos 30° is 0.87, cos 60° is 0.5: 60° joins 90°, not 0°.
        assert_eq!(groups(&borrowed), [vec![0, 1], vec![2, 4]]);
    }

    #[test]
    fn other_dimensions_never_meet() {
        assert!(groups(&[&[1.0, 0.0], &[1.0, 0.0, 0.0]]).is_empty());
    }

    #[test]
    fn nothing_similar_is_no_group() {
        assert!(groups(&[]).is_empty());
        assert!(groups(&[&at(0.0), &at(90.0)]).is_empty());
    }

    #[test]
    fn texts_are_said_once() {
        assert_eq!(merge_texts(["a", " b ", "a", ""].into_iter()), "a\nb");
    }
}
