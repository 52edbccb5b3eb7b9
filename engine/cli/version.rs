//! What `--version` says: the version, the commit, and what the program was built with.

/// The features of the program, and whether it has them.
const FEATURES: [(&str, bool); 2] =
    [("lua-analysis", rulepack_tools::CHECKS_TYPES), ("oracle", cfg!(feature = "oracle"))];

/// For `--version`; `-V` says the first line only.
pub fn long() -> String {
    let commit = match env!("RULEPACK_BUILT_FROM") {
        "" => "not known".to_string(),
        commit => commit.to_string(),
    };
    let features = FEATURES.map(|(name, has)| format!("{}{name}", if has { '+' } else { '-' })).join(" ");
    let system = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    format!("{}\ncommit:   {commit}\nfeatures: {features}\nsystem:   {system}", env!("CARGO_PKG_VERSION"))
}
