//! The limits of an answer, as the caller sets them: flags, or a file that the caller names. No file of a library
//! counts.

use std::path::{Path, PathBuf};

use clap::Args;
use rulepack_kernel::Limits;

use crate::stop::{Stop, read_named, shown, talk};

/// The arguments about limits.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// How much one answer may take, such as `steps=200000`; may be given several times. The limits: steps, members,
    /// script_steps, script_memory, frames (see docs/security.md)
    #[arg(long = "limit", value_name = "NAME=N", global = true, value_parser = one_limit)]
    limit: Vec<(String, u32)>,
    /// A TOML file with such limits; `--limit` counts more
    #[arg(long = "limits", value_name = "FILE", global = true)]
    limits: Option<PathBuf>,
}

impl LimitArgs {
    /// The limits of this call.
    pub fn read(&self) -> Result<Limits, Stop> {
        let mut limits = match &self.limits {
            Some(path) => from_file(path)?,
            None => Limits::default(),
        };
        for (name, value) in &self.limit {
            limits.set(name, *value);
        }
        Ok(limits)
    }
}

fn one_limit(text: &str) -> Result<(String, u32), String> {
    let known = || Limits::names().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    let Some((name, value)) = text.split_once('=') else {
        return Err(format!("write `NAME=N`, such as `steps=200000`; the limits are {}", known()));
    };
    if !Limits::names().any(|(known, _)| known == name) {
        return Err(format!("there is no limit `{name}`; the limits are {}", known()));
    }
    match value.parse() {
        Ok(0) | Err(_) => Err(format!("`{value}` is no limit: write a whole number from 1 to {}", u32::MAX)),
        Ok(value) => Ok((name.to_string(), value)),
    }
}

fn from_file(path: &Path) -> Result<Limits, Stop> {
    let text = read_named(path)?;
    let wrong = |line: usize, column: usize, what: &str| Stop::Call(format!("{}:{line}:{column}: {what}", shown(path)));
    let limits: Limits = toml::from_str(&text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        wrong(line, column, error.message())
    })?;
    match limits.all().into_iter().find(|(_, value)| *value == 0) {
        Some((name, _)) => Err(wrong(1, 1, &format!("`{name}` is 0: write a whole number from 1 to {}", u32::MAX))),
        None => Ok(limits),
    }
}

/// Reports if a file was written under other limits than those of this call.
pub fn tell_others(path: &Path, then: Option<Limits>, now: Limits) {
    if let Some(what) = then.and_then(|then| then.against(now)) {
        talk(&format!("{}: it was played under other limits, {what}; those of this call count", path.display()));
    }
}
