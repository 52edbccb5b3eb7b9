//! What was linked, kept while files are taken not to change. Most of a game is the same for all of its editions and numbers
//! of players.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::modes::InUse;
use super::{Draft, Merged};

/// So much is kept of each; then all is made anew. A pack may have more editions than there is memory for.
const MOST_KEPT: usize = 64;

/// What requests share.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// By the packs, in the order of loading.
    pub(super) merged: Shared<Vec<String>, Merged>,
    /// By the pack that is played, all packs, and the modes in use.
    pub(super) drafts: Shared<(String, Vec<String>, InUse), Draft>,
}

impl Kept {
    /// Lets go of all that was made with a pack.
    pub(crate) fn forget(&self, pack: &str) {
        let is_other = |packs: &[String]| !packs.iter().any(|id| id == pack);
        self.merged.retain(|packs| is_other(packs));
        self.drafts.retain(|(_, packs, _)| is_other(packs));
    }
}

/// Values that are made once, be it that several ask for one at a time.
#[derive(Debug)]
pub(super) struct Shared<K, V>(Mutex<BTreeMap<K, Slot<V>>>);

type Slot<V> = Arc<OnceLock<Arc<V>>>;

impl<K, V> Default for Shared<K, V> {
    fn default() -> Self {
        Shared(Mutex::default())
    }
}

impl<K: Ord, V> Shared<K, V> {
    /// The value of a key; it is made if nobody has asked for it yet.
    pub(super) fn get(&self, key: K, make: impl FnOnce() -> V) -> Arc<V> {
        // Whoever panicked while holding it had not begun to change it.
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
