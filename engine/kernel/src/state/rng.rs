//! The generator of random numbers. `chance.rs` decides from which stream a game draws.

use serde::{Deserialize, Serialize};

/// SplitMix64: one word of state, every seed is good, the sequence is the same everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rng(u64);

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of a number: different numbers give different results.
#[inline]
pub(crate) fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let next = mixed(self.0);
        self.0 = self.0.wrapping_add(STEP);
        next
    }

    /// A number below `limit`, each equally likely; 0 if there is no such number.
    pub fn below(&mut self, limit: u32) -> u32 {
        if limit <= 1 {
            return 0;
        }
        // Lemire's method: reject the few values that would make some results likelier. How many those are is a division,
        // which is needed only if this could be one of them.
        loop {
            let product = (self.next_u64() >> 32) * u64::from(limit);
            let rest = product as u32;
            if rest >= limit || rest >= limit.wrapping_neg() % limit {
                return (product >> 32) as u32;
            }
        }
    }

    /// Puts a slice in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_of_a_die_comes_up_about_as_often() {
        let mut rng = Rng::new(7);
        let mut seen = [0; 6];
        for _ in 0..6_000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (850..1150).contains(n)), "{seen:?}");
    }
}
