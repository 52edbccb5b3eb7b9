//! What the project file says where the call says nothing.

use std::path::Path;

use clap::{Arg, Command};
use rulepack_model::Diagnostic;
use rulepack_tools::{ALL_WARNINGS, Project, first_cause, only_causes, render};

use crate::pick::environment_language;
use crate::stop::{Stop, talk, talk_coloured, wants_color};

/// The project of the current folder.
pub fn here() -> Project {
    match std::env::current_dir() {
        Ok(here) => Project::around(&here),
        // The folder was removed; opening the library says so.
        Err(_) => Project::around(Path::new(".")),
    }
}

/// Makes what the project says the default of arguments, so that `--help` shows it and flags win.
pub fn with_defaults(command: Command, project: &Project) -> Command {
    let mut command = command.mut_arg("libraries", |arg| {
        arg.default_values(project.libraries.iter().map(|path| path.clone().into_os_string()))
    });
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_string()).collect();
    for name in names {
        command = command.mut_subcommand(&name, |mut command| {
            if let Some(pack) = &project.pack
                && has(&command, |arg| arg.get_id() == "pack" && arg.is_positional() && arg.is_required_set())
            {
                command = command.mut_arg("pack", |arg| arg.required(false).default_value(pack));
            }
            if let Some(language) = &project.language
                && has(&command, |arg| arg.get_id() == "locale")
            {
                command = command.mut_arg("locale", |arg| arg.default_value(language));
            }
            // The bots of a log come before those of the project: `play` asks for them itself.
            if let Some(bots) = project.bots.get(&name)
                && name != "play"
            {
                command = command.mut_arg("bots", |arg| arg.required(false).default_value(bots));
            }
            command
        });
    }
    command
}

fn has(command: &Command, is_it: impl Fn(&Arg) -> bool) -> bool {
    command.get_arguments().any(is_it)
}

/// Refuses a project file with mistakes, or with libraries that have not been fetched.
pub fn sound(project: &Project) -> Result<(), Stop> {
    let all = project.diagnostics.iter().chain(&project.unfetched);
    refused(project, all.cloned().collect())
}

/// Prints mistakes in the project file.
pub fn refused(project: &Project, mistakes: Vec<Diagnostic>) -> Result<(), Stop> {
    if mistakes.is_empty() {
        return Ok(());
    }
    let mistakes = only_causes(mistakes, &project.sources);
    talk_coloured(&render(&mistakes, &project.sources, wants_color(&std::io::stderr())));
    first_cause(&mistakes, &project.sources).iter().for_each(|first| talk(first));
    Err(Stop::Said)
}

/// The language of players: that of the project, or of the environment.
pub fn language(project: &Project) -> String {
    project.language.clone().unwrap_or_else(environment_language)
}

/// The codes that the project allows, without those that the call denies.
pub fn allowed(project: &Project, denied: &[String]) -> Vec<String> {
    project.allow.iter().filter(|code| !denied.contains(code)).cloned().collect()
}

/// The codes that the project denies, without those that the call allows.
pub fn denied(project: &Project, allowed: &[String]) -> Vec<String> {
    project.deny.iter().filter(|code| *code == ALL_WARNINGS || !allowed.contains(code)).cloned().collect()
}
