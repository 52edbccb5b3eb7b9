//! The command line: one file for each subcommand, and shared code (`stop.rs`, `pick.rs`, `write.rs`, `picture.rs`,
//! `phrases.rs`).

mod advice;
mod arena;
mod balance;
mod cards;
mod changed_pack;
mod check;
mod completions;
mod conformance;
mod coverage;
mod deck;
mod described;
mod docs;
mod explain;
mod export;
mod fetch;
mod fix;
mod fmt;
mod keep;
mod limits;
mod list;
mod live;
mod lsp;
mod lua_api;
mod man;
mod merge;
mod mutate;
mod new;
mod open;
mod origin;
mod overview;
mod pack_files;
mod page;
mod people;
mod phrases;
mod pick;
mod picture;
mod play;
mod project;
mod replay;
mod scenario_file;
mod schema;
mod screen;
mod seat_talk;
mod serve;
mod sim;
mod site;
mod stop;
mod table;
mod tables;
mod test;
mod version;
mod watch;
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use rulepack_model::visible::one_line;
use rulepack_tools::{Library, Project};

use stop::{Stop, talk_coloured, wants_color};

/// Reading packs allocates many small texts and tables, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Plays, checks and tests games that are written as content packs.
#[derive(Parser)]
#[command(
    name = "rulepack",
    version,
    long_version = version::long(),
    after_help = "Exit codes: 0 all is well, 1 a pack is wrong or a test fails, 2 the call is wrong.\n\nExample: rulepack play my-game --players 2"
)]
struct Cli {
    /// A folder with `content/` and `scripts/`; may be given several times. If not given: the libraries of the project
    /// file `rulepack.toml` in this folder or above it, else the library in which this folder lies
    #[arg(long = "library", value_name = "DIR", global = true, default_value = ".")]
    libraries: Vec<PathBuf>,
    #[command(flatten)]
    limits: limits::LimitArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::List),
    Check(check::Check),
    Test(test::Test),
    Coverage(coverage::CoverageOf),
    Mutate(mutate::Mutate),
    Play(play::Play),
    Sim(sim::Sim),
    Merge(merge::Merge),
    Arena(arena::Arena),
    Balance(balance::Balance),
    Replay(replay::Replay),
    Export(export::ExportOf),
    Serve(serve::Serve),
    Explain(explain::Explain),
    Docs(docs::Docs),
    Cards(cards::Cards),
    Table(table::TableOf),
    Fmt(fmt::Fmt),
    Fix(fix::Fix),
    LuaApi(lua_api::LuaApi),
    Completions(completions::Completions),
    Man(man::Man),
    Schema(schema::SchemaOf),
    Lsp(lsp::Lsp),
    New(new::New),
    Fetch(fetch::Fetch),
}

fn main() -> ExitCode {
    let project = project::here();
    let mut command = project::with_defaults(Cli::command(), &project);
    let found = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = found.and_then(|found| {
        let is_named = found.value_source("libraries") == Some(ValueSource::CommandLine);
        Cli::from_arg_matches(&found).map(|cli| (cli, is_named)).map_err(|error| error.format(&mut command))
    });
    let (cli, libraries_are_named) = match parsed {
        Ok(parsed) => parsed,
        // It quotes the call, which may contain file names.
        Err(error) if error.use_stderr() => {
            let text = error.render();
            let text = if wants_color(&std::io::stderr()) { text.ansi().to_string() } else { text.to_string() };
            talk_coloured(text.trim_end());
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    match run(&cli, &project, libraries_are_named) {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => stop.report(),
    }
}

fn run(cli: &Cli, project: &Project, libraries_are_named: bool) -> Result<(), Stop> {
    let limits = cli.limits.read()?;
    let open = || {
        project::sound(project)?;
        let opened = Library::open(&cli.libraries);
        let library = opened.map_err(|error| Stop::Call(one_line(&error.to_string()).into_owned()))?;
        if !libraries_are_named {
            project::refused(project, project.missing_pack(&library).into_iter().collect())?;
        }
        Ok(library.with_limits(limits))
    };
    match &cli.command {
        Command::List(list) => list.run(&open()?, &project::language(project)),
        Command::Check(check) => check.run(open, &cli.libraries, project),
        Command::Test(test) => test.run(open, &cli.libraries),
        Command::Coverage(coverage) => coverage.run(&open()?),
        Command::Mutate(mutate) => mutate.run(&open()?),
        Command::Play(play) => play.run(&open()?, project.bots.get("play").map(String::as_str)),
        Command::Balance(balance) => balance.run(&open()?),
        Command::Arena(arena) => arena.run(&open()?),
        Command::Sim(sim) => sim.run(&open()?),
        Command::Merge(merge) => merge.run(&open()?),
        Command::Replay(replay) => replay.run(&open()?),
        Command::Export(export) => export.run(&open()?),
        Command::Serve(serve) => serve.run(open()?, limits),
        Command::Explain(explain) => explain.run(open),
        Command::Docs(docs) => docs.run(&open()?),
        Command::Cards(cards) => cards.run(&open()?),
        Command::Table(table) => table.run(&open()?),
        Command::Fmt(fmt) => fmt.run(&open()?),
        Command::Fix(fix) => fix.run(&open()?),
        Command::LuaApi(lua_api) => lua_api.run(),
        // What the project file says is no part of the program.
        Command::Completions(completions) => completions.run(Cli::command()),
        Command::Man(man) => man.run(Cli::command()),
        Command::Fetch(fetch) => fetch.run(project),
        Command::Schema(schema) => schema.run(open),
        Command::Lsp(lsp) => lsp.run(),
        Command::New(new) => {
            project::sound(project)?;
            let libraries = if libraries_are_named { cli.libraries.as_slice() } else { &[] };
            new.run(&new::Place { project, libraries, limits })
        }
    }
}
