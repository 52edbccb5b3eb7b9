//! The command line: one file for each subcommand, and shared code (`stop.rs`, `pick.rs`, `write.rs`, `picture.rs`,
//! `phrases.rs`).

mod advice;
mod arena;
mod balance;
mod changed_pack;
mod check;
mod conformance;
mod coverage;
mod explain;
mod export;
mod keep;
mod limits;
mod list;
mod lua_api;
mod mutate;
mod open;
mod origin;
mod phrases;
mod pick;
mod picture;
mod play;
mod replay;
mod seat_talk;
mod serve;
mod sim;
mod stop;
mod tables;
mod test;
mod write;

use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use rulepack_model::visible::one_line;
use rulepack_tools::Library;

use stop::{Stop, talk_coloured, wants_color};

/// Reading packs allocates many small texts and tables, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Plays, checks and tests games that are written as content packs.
#[derive(Parser)]
#[command(
    name = "rulepack",
    version,
    after_help = "Exit codes: 0 all is well, 1 a pack is wrong or a test fails, 2 the call is wrong.\n\nExample: rulepack play my-game --players 2"
)]
struct Cli {
    /// A folder with `content/` and `scripts/`; may be given several times
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
    Arena(arena::Arena),
    Balance(balance::Balance),
    Replay(replay::Replay),
    Export(export::ExportOf),
    Serve(serve::Serve),
    Explain(explain::Explain),
    LuaApi(lua_api::LuaApi),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // It quotes the call, which may contain file names.
        Err(error) if error.use_stderr() => {
            let text = error.render();
            let text = if wants_color(&std::io::stderr()) { text.ansi().to_string() } else { text.to_string() };
            talk_coloured(text.trim_end());
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => stop.report(),
    }
}

fn run(cli: &Cli) -> Result<(), Stop> {
    let limits = cli.limits.read()?;
    let open = || match Library::open(&cli.libraries) {
        Ok(library) => Ok(library.with_limits(limits)),
        Err(error) => Err(Stop::Call(one_line(&error.to_string()).into_owned())),
    };
    match &cli.command {
        Command::List(list) => list.run(&open()?),
        // The program ends here: freeing all memory would take a tenth of the time.
        Command::Check(check) => check.run(&ManuallyDrop::new(open()?), &cli.libraries),
        Command::Test(test) => test.run(&open()?),
        Command::Coverage(coverage) => coverage.run(&open()?),
        Command::Mutate(mutate) => mutate.run(&open()?),
        Command::Play(play) => play.run(&open()?),
        Command::Balance(balance) => balance.run(&open()?),
        Command::Arena(arena) => arena.run(&open()?),
        Command::Sim(sim) => sim.run(&open()?),
        Command::Replay(replay) => replay.run(&open()?),
        Command::Export(export) => export.run(&open()?),
        Command::Serve(serve) => serve.run(&open()?, limits),
        Command::Explain(explain) => explain.run(open),
        Command::LuaApi(lua_api) => lua_api.run(),
    }
}
