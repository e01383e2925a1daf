//! Arithmetic of embeddings.

/// Why a vector cannot be an embedding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    Empty,
    NotFinite,
    Zero,
}

/// Whether every direction-based comparison with this vector is defined.
pub fn check(vector: &[f32]) -> Result<(), Unfit> {
    if vector.is_empty() {
        Err(Unfit::Empty)
    } else if vector.iter().any(|x| !x.is_finite()) {
        Err(Unfit::NotFinite)
    } else if norm(vector) == 0.0 {
        Err(Unfit::Zero)
    } else {
        Ok(())
    }
}

/// Eight lanes, so that the compiler adds them side by side.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0f32; LANES];
    let (a_lanes, a_rest) = a.as_chunks::<LANES>();
    let (b_lanes, b_rest) = b.as_chunks::<LANES>();
    for (x, y) in a_lanes.iter().zip(b_lanes) {
        for i in 0..LANES {
            sums[i] += x[i] * y[i];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f32>() + rest
}

pub fn norm(vector: &[f32]) -> f32 {
    vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt() as f32
}

/// A vector that others are compared with: its norm is taken once.
pub struct Probe {
    unit: Vec<f32>,
}

impl Probe {
    pub fn new(vector: &[f32]) -> Probe {
        Probe {
            unit: normalised(vector),
        }
    }

    pub fn dimensions(&self) -> usize {
        self.unit.len()
    }

    /// The cosine of the angle to a vector of as many dimensions.
    pub fn cosine(&self, other: &[f32]) -> f64 {
        let mut squares = dot(other, other);
        let mut product = dot(&self.unit, other);
        if !squares.is_normal() || !product.is_finite() {
            // Too large or too small for single precision: once more, scaled to length 1.
            let other = normalised(other);
            squares = dot(&other, &other);
            product = dot(&self.unit, &other);
        }
        (f64::from(product) / f64::from(squares).sqrt()).clamp(-1.0, 1.0)
    }
}

pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    Probe::new(a).cosine(b)
}

/// The vector at length 1.
pub fn normalised(vector: &[f32]) -> Vec<f32> {
    let length = f64::from(norm(vector));
    vector.iter().map(|x| (f64::from(*x) / length) as f32).collect()
}

/// The direction between several vectors; `None` when they cancel out.
pub fn mean(vectors: &[&[f32]]) -> Option<Vec<f32>> {
    let mut sum = vec![0.0f32; vectors.first()?.len()];
    for vector in vectors {
        for (total, x) in sum.iter_mut().zip(normalised(vector)) {
            *total += x;
        }
    }
    check(&sum).ok().map(|()| normalised(&sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn unfit_vectors_are_told_apart() {
        assert_eq!(check(&[]), Err(Unfit::Empty));
        assert_eq!(check(&[0.0, 0.0]), Err(Unfit::Zero));
        assert_eq!(check(&[1.0, f32::NAN]), Err(Unfit::NotFinite));
        assert_eq!(check(&[1.0, f32::INFINITY]), Err(Unfit::NotFinite));
        assert_eq!(check(&[1e-30, 0.0]), Ok(()));
    }

    #[test]
    fn cosine_of_known_angles() {
        assert!((cosine(&[1.0, 0.0], &[1.0, 0.0]) - 1.0).abs() < 1e-6);
        assert!(cosine(&[1.0, 0.0], &[0.0, 5.0]).abs() < 1e-6);
        assert!((cosine(&[1.0, 1.0], &[-2.0, -2.0]) + 1.0).abs() < 1e-6);
        assert!((cosine(&[1e30, 0.0], &[1e-30, 0.0]) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn opposite_vectors_have_no_mean() {
        assert_eq!(mean(&[&[1.0, 0.0], &[-1.0, 0.0]]), None);
        assert_eq!(mean(&[&[2.0, 0.0], &[1.0, 0.0]]), Some(vec![1.0, 0.0]));
    }

    proptest! {
        #[test]
        fn cosine_is_bounded_and_symmetric(pairs in prop::collection::vec((-1e3f32..1e3, -1e3f32..1e3), 1..300)) {
            let (a, b): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            prop_assume!(check(&a).is_ok() && check(&b).is_ok());
            let value = cosine(&a, &b);
            prop_assert!((-1.0..=1.0).contains(&value));
            prop_assert!((value - cosine(&b, &a)).abs() < 1e-4);
        }
    }
}
