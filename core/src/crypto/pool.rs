//! Random bytes, fetched by the page and used once.

use zeroize::{Zeroize, Zeroizing};

const PAGE: usize = 4096;

/// What is left of the last page. Bytes are wiped as they are taken.
#[derive(Default)]
pub struct Pool {
    page: Zeroizing<Vec<u8>>,
    /// Whose page it is: a child of the process that drew it must not draw the same bytes.
    owner: u32,
}

impl Pool {
    /// `N` bytes that nobody else has got; `None` when `fill`, which fills a page with random bytes, gave none.
    pub fn take<const N: usize>(&mut self, owner: u32, fill: impl FnOnce(&mut [u8]) -> bool) -> Option<[u8; N]> {
        const { assert!(N <= PAGE) };
        if self.page.len() < N || self.owner != owner {
            self.page.resize(PAGE, 0);
            if !fill(&mut self.page) {
                self.page.clear();
                return None;
            }
            self.owner = owner;
        }
        let from = self.page.len() - N;
        let mut taken = [0; N];
        taken.copy_from_slice(&self.page[from..]);
        self.page[from..].zeroize();
        self.page.truncate(from);
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Read;

    use super::*;

    #[test]
    fn a_million_nonces_are_all_different() {
        let mut device = File::open("/dev/urandom").unwrap();
        let mut pool = Pool::default();
        let mut drawn: Vec<[u8; 12]> = (0..1_000_000)
            .map(|_| pool.take(1, |page| device.read_exact(page).is_ok()).unwrap())
            .collect();
        drawn.sort_unstable();
        assert!(drawn.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn every_byte_is_given_once() {
        let mut next = 0;
        let mut fill = |page: &mut [u8]| {
            for chunk in page.chunks_mut(2) {
                chunk.copy_from_slice(&u16::to_le_bytes(next));
                next += 1;
            }
            true
        };
        let mut pool = Pool::default();
        let mut seen = std::collections::HashSet::new();
        for _ in 0..10_000 {
            assert!(seen.insert(pool.take::<2>(1, &mut fill).unwrap()));
        }
    }

    #[test]
    fn a_child_draws_anew() {
        let mut pool = Pool::default();
        assert_eq!(
            pool.take(1, |page| {
                page.fill(1);
                true
            }),
            Some([1; 4])
        );
        assert_eq!(pool.take(1, |_| unreachable!()), Some([1; 4]));
        assert_eq!(
            pool.take(2, |page| {
                page.fill(2);
                true
            }),
            Some([2; 4])
        );
    }

    #[test]
    fn no_randomness_is_no_bytes() {
        let mut pool = Pool::default();
        assert_eq!(pool.take::<4>(1, |_| false), None);
        assert_eq!(pool.take::<4>(1, |_| false), None);
    }
}
