//! `rulepack docs`: the reference of a pack as pages for a browser.

use std::path::PathBuf;

use clap::Args;
use rulepack_tools::{FileKind, Library};

use crate::described::{Describer, Simulated};
use crate::pick::load;
use crate::site::{About, site};
use crate::stop::{Stop, emit, shown, talk};
use crate::write::{Foreign, may_write, unwritten};

/// Writes the reference of a pack: pages with all cards, definitions and rules, which need nothing from outside
///
/// Cards with what they do in words; kinds, resources, zones, events and who listens; rules with the scenarios that show them;
/// every field with its file and line. Open `index.html` in a browser.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack docs my-game --out site\n          rulepack docs my-game --mode night --players 3\n          rulepack sim my-game --statistics --format json > games.json && rulepack docs my-game --statistics games.json"
)]
pub struct Docs {
    /// The pack
    pack: String,
    /// The folder to write into; `docs-PACK` if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A mode or an edition; may be given several times
    #[arg(long = "mode", value_name = "MODE")]
    modes: Vec<String>,
    /// A further pack, such as an expansion; may be given several times
    #[arg(long = "with", value_name = "PACK")]
    with: Vec<String>,
    /// The number of players
    #[arg(long, value_name = "N")]
    players: Option<u8>,
    /// Say how often cards were taken: the report of `rulepack sim PACK --statistics --format json`
    #[arg(long, value_name = "FILE")]
    statistics: Option<PathBuf>,
    /// Overwrite files even if rulepack did not write them
    #[arg(long)]
    force: bool,
}

impl Docs {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let pack = &self.pack;
        let request = rulepack_pack::LinkRequest {
            pack: pack.clone(),
            with: self.with.clone(),
            modes: self.modes.clone(),
            players: self.players,
        };
        let game_box = load(library, &request)?;
        let simulated = self.statistics.as_ref().map(|file| Simulated::read(file, pack)).transpose()?;
        let describer = Describer::new(library, &game_box, pack, simulated);
        let about = About {
            manifest: library.manifest(pack),
            packs: library.load_order(pack),
            modes: &self.modes,
            players: game_box.rules().players,
        };
        let files = site(&describer, &about, pack, &library.sources());
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("docs-{pack}")));
        let foreign = Foreign::new(self.force);
        for file in &files {
            may_write(&folder.join(file.name), FileKind::Reference, foreign)?;
        }
        for file in &files {
            let path = folder.join(file.name);
            rulepack_tools::write_with_folders(&path, &file.text)
                .map_err(|error| Stop::Call(unwritten(&path, &error)))?;
            emit(&format!("wrote {}", shown(&path)))?;
        }
        talk(&format!("open {} in a browser", shown(&folder.join("index.html"))));
        Ok(())
    }
}
