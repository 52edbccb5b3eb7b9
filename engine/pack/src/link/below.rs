//! Which packs build on which, directly or not.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::library::PackSource;

/// The packs of a game, and which build on which. In a chain every pack builds on all before it, so lists of names
/// would take the square of its length. Instead each pack is a bit, numbered in the order of loading.
#[derive(Debug, Default)]
pub(super) struct BuildsOn {
    places: BTreeMap<String, usize>,
    below: Vec<Vec<u64>>,
}

const BITS: usize = u64::BITS as usize;

impl BuildsOn {
    /// Takes packs in the order of loading.
    pub(super) fn new(packs: &[Arc<PackSource>]) -> Self {
        let mut all = BuildsOn::default();
        for (place, pack) in packs.iter().enumerate() {
            let mut below = vec![0; place.div_ceil(BITS)];
            for id in pack.manifest.needs.keys().chain(pack.manifest.optional.keys()) {
                // A pack that is not loaded, or is loaded later, is not built on.
                let Some(direct) = all.places.get(id).copied() else { continue };
                let indirect = all.below.get(direct).into_iter().flatten();
                below.iter_mut().zip(indirect).for_each(|(mine, theirs)| *mine |= theirs);
                if let Some(word) = below.get_mut(direct / BITS) {
                    *word |= 1 << (direct % BITS);
                }
            }
            all.places.insert(pack.manifest.id.clone(), place);
            all.below.push(below);
        }
        all
    }

    /// Whether a pack builds on another one.
    pub(super) fn contains(&self, pack: &str, below: &str) -> bool {
        let (Some(pack), Some(below)) = (self.places.get(pack), self.places.get(below)) else { return false };
        let word = self.below.get(*pack).and_then(|all| all.get(below / BITS));
        word.is_some_and(|word| word >> (below % BITS) & 1 == 1)
    }
}
