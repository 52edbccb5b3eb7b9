//! Hashes that are the same in every process and on every machine.

use std::hash::Hasher;

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// A `Hasher` for derived `Hash`: integers are little-endian and lengths have 64 bits on every machine.
#[derive(Clone, Default)]
pub struct StableHasher(Xxh3);

impl StableHasher {
    /// A new hasher.
    pub fn new() -> Self {
        StableHasher(Xxh3::new())
    }

    /// The 128-bit result.
    pub fn finish128(&self) -> u128 {
        self.0.digest128()
    }
}

impl Hasher for StableHasher {
    fn finish(&self) -> u64 {
        self.0.digest()
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn write_u16(&mut self, n: u16) {
        self.write(&n.to_le_bytes());
    }

    fn write_u32(&mut self, n: u32) {
        self.write(&n.to_le_bytes());
    }

    fn write_u64(&mut self, n: u64) {
        self.write(&n.to_le_bytes());
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_i16(&mut self, n: i16) {
        self.write(&n.to_le_bytes());
    }

    fn write_i32(&mut self, n: i32) {
        self.write(&n.to_le_bytes());
    }

    fn write_i64(&mut self, n: i64) {
        self.write(&n.to_le_bytes());
    }

    fn write_isize(&mut self, n: isize) {
        self.write_i64(n as i64);
    }
}

/// The hash of a text as 32 hexadecimal digits.
pub fn content_hash(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}
