//! What can be wrong with the Lua of packs, found without running it.
