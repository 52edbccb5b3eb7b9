//! Keys of files that older engines wrote and that say nothing to this one.

use serde::{Deserialize, Deserializer, Serialize};

/// Stands for a field that saves of version 2 have and games no longer have: whatever the file says there is read over, and
/// nothing is written. For example `changed`, by which the engine remembered which standing rules to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
pub(crate) struct Gone;

impl<'de> Deserialize<'de> for Gone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Gone)
    }
}
