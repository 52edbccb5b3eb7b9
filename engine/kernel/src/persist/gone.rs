//! Keys of files from older engines that this engine ignores.

use serde::{Deserialize, Deserializer, Serialize};

/// The type of a field that saves of version 2 have and games no longer have. Reading skips its value, and it is never
/// written. An example is `changed`, in which the engine noted the standing rules to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
pub(crate) struct Gone;

impl<'de> Deserialize<'de> for Gone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Gone)
    }
}
