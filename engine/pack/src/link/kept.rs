//! A cache of linked games, valid while files count as unchanged. Most of a game is the same for all of its editions
//! and numbers of players.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::modes::InUse;
use super::{Draft, Merged};

/// The size of each cache; a full cache is emptied. A pack may have more editions than fit into memory.
const MOST_KEPT: usize = 64;

/// The caches that requests share.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// By the packs, in the order of loading.
    pub(super) merged: Shared<Vec<String>, Merged>,
    /// By the pack that is played, all loaded packs, and the modes in use.
    pub(super) drafts: Shared<(String, Vec<String>, InUse), Draft>,
}

impl Kept {
    /// Removes everything that was built with a pack.
    pub(crate) fn forget(&self, pack: &str) {
        let is_other = |packs: &[String]| !packs.iter().any(|id| id == pack);
        self.merged.retain(|packs| is_other(packs));
        self.drafts.retain(|(_, packs, _)| is_other(packs));
    }
}

/// Values that are computed once, even if several threads ask for one at the same time.
#[derive(Debug)]
pub(super) struct Shared<K, V>(Mutex<BTreeMap<K, Slot<V>>>);

type Slot<V> = Arc<OnceLock<Arc<V>>>;

impl<K, V> Default for Shared<K, V> {
    fn default() -> Self {
        Shared(Mutex::default())
    }
}

impl<K: Ord, V> Shared<K, V> {
    /// The value of a key; it is computed at the first request.
    pub(super) fn get(&self, key: K, make: impl FnOnce() -> V) -> Arc<V> {
        // A thread that panicked while it held the lock had not begun to change the map.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_KEPT && !all.contains_key(&key) {
            all.clear();
        }
        let slot = Arc::clone(all.entry(key).or_default());
        drop(all);
        Arc::clone(slot.get_or_init(|| Arc::new(make())))
    }

    fn retain(&self, keep: impl Fn(&K) -> bool) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|key, _| keep(key));
    }
}
