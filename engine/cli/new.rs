//! `rulepack new`: a valid start that can be played at once.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use rulepack_kernel::{Language, Limits};
use rulepack_model::visible::one_line;
use rulepack_pack::{is_kebab, is_snake};
use rulepack_tools::fetch::is_cached;
use rulepack_tools::start::{
    CardIn, Named, NewFile, Proposal, Tried, already_there, for_card, for_expansion, load_base, new_game, new_project,
    new_scenario, tried,
};
use rulepack_tools::{Library, PROJECT_FILE, Project, write_with_folders};

use crate::check::relative;
use crate::phrases::Phrases;
use crate::pick::{known_pack, refused};
use crate::seat_talk::read_line;
use crate::stop::{Stop, emit, shown};
use crate::write::unwritten;

/// Writes the files of a new game, expansion, card, scenario or project, which pass `check` and `test` at once
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack new game my-game\n          rulepack --library ../base new expansion my-cards --of base-game\n          rulepack new card inn --pack my-cards --lua\n          rulepack new scenario inn_pays --pack my-cards\n\nWhat is not given is asked at a terminal. No file is overwritten without `--force`."
)]
pub struct New {
    #[command(subcommand)]
    what: What,
    /// The library to write into; that of the project, or this folder, if not given
    #[arg(long, value_name = "DIR", global = true)]
    to: Option<PathBuf>,
    /// Overwrite files that are there
    #[arg(long, global = true)]
    force: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// A small game with cards, a script, rules and scenarios
    Game {
        /// Its id, such as `my-game`
        id: Option<String>,
        /// The title for players; made of the id if not given
        #[arg(long)]
        title: Option<String>,
        /// How many can play
        #[arg(long, value_name = "MIN-MAX", default_value = "2-4", value_parser = range)]
        players: (u8, u8),
    },
    /// A set for a game: something in data, something in Lua, a translation, a scenario
    Expansion {
        /// Its id, such as `my-cards`
        id: Option<String>,
        /// The game or the expansion that it builds on
        #[arg(long, value_name = "PACK")]
        of: Option<String>,
        /// The title for players; made of the id if not given
        #[arg(long)]
        title: Option<String>,
    },
    /// A card (or another piece) of a kind that the game has
    Card {
        /// Its id, such as `night_ferry`
        id: Option<String>,
        /// The pack in which it is; that of the project file if not given
        #[arg(long, value_name = "PACK")]
        pack: Option<String>,
        /// Its kind
        #[arg(long)]
        kind: Option<String>,
        /// The one that it begins as a copy of
        #[arg(long, value_name = "ID")]
        like: Option<String>,
        /// Its effect is a script
        #[arg(long)]
        lua: bool,
        /// The title for players; made of the id if not given
        #[arg(long)]
        title: Option<String>,
    },
    /// A scenario: a test of the rules
    Scenario {
        /// Its name, which states the claim, such as `the_inn_pays_a_coin`
        id: Option<String>,
        /// The pack; that of the project file if not given
        #[arg(long, value_name = "PACK")]
        pack: Option<String>,
    },
    /// The files around packs: project file, settings for editors, a workflow for CI
    Project,
}

/// Where files are written.
pub struct Place<'a> {
    /// The project of the current folder.
    pub project: &'a Project,
    /// The libraries that the call names.
    pub libraries: &'a [PathBuf],
    /// The limits of the games that are tried.
    pub limits: Limits,
}

impl Place<'_> {
    /// The library to write into.
    fn target(&self, to: Option<&PathBuf>) -> PathBuf {
        let usual = || match self.project.folder {
            // What was fetched is not ours to write into.
            Some(_) => self.project.libraries.iter().find(|folder| !is_cached(folder)).cloned(),
            None => self.project.libraries.first().filter(|folder| folder.join("content").is_dir()).cloned(),
        };
        to.cloned().or_else(usual).unwrap_or_else(|| PathBuf::from("."))
    }

    /// All libraries of the call, with the one to write into as the first.
    fn folders(&self, target: &Path) -> Vec<PathBuf> {
        let more = if self.libraries.is_empty() { &self.project.libraries } else { self.libraries };
        let mut folders = vec![target.to_path_buf()];
        folders.extend(more.iter().filter(|folder| !is_same(folder, target)).cloned());
        folders.retain(|folder| folder == target || folder.join("content").is_dir());
        folders
    }

    /// The libraries that can be opened.
    fn open(&self, folders: &[PathBuf]) -> Result<Library, Stop> {
        let there: Vec<&PathBuf> = folders.iter().filter(|folder| folder.join("content").is_dir()).collect();
        let opened = Library::open(&there).map_err(|error| Stop::quoting(error.to_string()))?;
        Ok(opened.with_limits(self.limits))
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

impl New {
    /// Runs it.
    pub fn run(&self, place: &Place<'_>) -> Result<(), Stop> {
        let target = place.target(self.to.as_ref());
        match &self.what {
            What::Game { id, title, players } => {
                let id = given(id.as_ref(), "The id of the game, such as `my-game`: ", "rulepack new game my-game")?;
                pack_id(&id)?;
                let mut files = new_game(&Named::of(&id, title.as_deref()), *players);
                self.around(place, &target, Some(&id), &mut files)?;
                self.write(&target, &files)?;
                told(&target, &files)?;
                next(&["check --deny warnings", "test", "play"], &id)
            }
            What::Expansion { id, of, title } => {
                let id =
                    given(id.as_ref(), "The id of the set, such as `my-cards`: ", "rulepack new expansion my-cards")?;
                pack_id(&id)?;
                self.expansion(place, &target, &id, of.as_ref(), title.as_deref())
            }
            What::Card { id, pack, kind, like, lua, title } => {
                let id =
                    given(id.as_ref(), "The id of the card, such as `night_ferry`: ", "rulepack new card night_ferry")?;
                definition_id(&id)?;
                let pack = self.pack(place, pack.as_ref())?;
                let name = Named::of(&id, title.as_deref());
                let card = CardIn { pack: &pack, name: &name, kind: kind.as_deref(), like: like.as_deref(), lua: *lua };
                self.card(place, &target, &card)
            }
            What::Scenario { id, pack } => {
                let id = given(
                    id.as_ref(),
                    "The claim, such as `the_inn_pays_a_coin`: ",
                    "rulepack new scenario the_inn_pays",
                )?;
                definition_id(&id)?;
                let pack = self.pack(place, pack.as_ref())?;
                let library = place.open(&place.folders(&target))?;
                known_pack(&library, &pack)?;
                let target = library.folder_of(&pack).unwrap_or(target);
                let files = [new_scenario(&pack, &id, library.players(&pack))];
                self.write(&target, &files)?;
                told(&target, &files)?;
                emit(&format!("next: rulepack test {pack} --filter {id}"))
            }
            What::Project => {
                let target = self.to.clone().unwrap_or_else(|| PathBuf::from("."));
                let files = new_project(&named_from(&target, &place.folders(&target)), None);
                self.write(&target, &files)?;
                told(&target, &files)?;
                emit("next: rulepack new game my-game")
            }
        }
    }

    /// The pack of a card or a scenario.
    fn pack(&self, place: &Place<'_>, pack: Option<&String>) -> Result<String, Stop> {
        let pack = pack.or(place.project.pack.as_ref());
        given(pack, "The pack: ", "`--pack my-game`")
    }

    /// Adds the project's files if there is no project yet.
    fn around(
        &self,
        place: &Place<'_>,
        target: &Path,
        pack: Option<&str>,
        files: &mut Vec<NewFile>,
    ) -> Result<(), Stop> {
        if place.project.folder.is_some() || target.join(PROJECT_FILE).is_file() {
            return Ok(());
        }
        let more = new_project(&named_from(target, &place.folders(target)), pack);
        // Settings that somebody has stay as they are.
        files.extend(
            more.into_iter().filter(|file| file.path != "content/.gitkeep" && !target.join(&file.path).exists()),
        );
        Ok(())
    }

    fn expansion(
        &self,
        place: &Place<'_>,
        target: &Path,
        id: &str,
        of: Option<&String>,
        title: Option<&str>,
    ) -> Result<(), Stop> {
        let base = given(of, "The game that it builds on: ", "`--of my-game`")?;
        let folders = place.folders(target);
        let library = place.open(&folders)?;
        if library.list().is_empty() {
            return Err(Stop::Call(format!(
                "no library holds a pack `{}`: name the library of the game with `--library DIR`, which is then written into \
                 `{PROJECT_FILE}`",
                one_line(&base)
            )));
        }
        known_pack(&library, &base)?;
        let game = load_base(&library, &base).map_err(|mistakes| refused(&library, &mistakes))?;
        let Some(manifest) = library.manifest(&base) else {
            return Err(Stop::Call(format!("the manifest of `{base}` cannot be read")));
        };
        let name = Named::of(id, title);
        let proposals = for_expansion(&game, &library.sources(), &manifest, &name);
        let mut more = Vec::new();
        self.around(place, target, Some(id), &mut more)?;
        let files = self.settle(place, &folders, id, proposals, true)?;
        write_all(target, &more)?;
        told(target, &[files, more].concat())?;
        next(&["check --deny warnings", "test", "play"], id)
    }

    fn card(&self, place: &Place<'_>, target: &Path, card: &CardIn<'_>) -> Result<(), Stop> {
        let folders = place.folders(target);
        let library = place.open(&folders)?;
        known_pack(&library, card.pack)?;
        let target = library.folder_of(card.pack).unwrap_or_else(|| target.to_path_buf());
        let request =
            rulepack_pack::LinkRequest { pack: card.pack.to_string(), ..rulepack_pack::LinkRequest::default() };
        let game = crate::pick::load(&library, &request)?;
        let proposals = for_card(&game, &library.sources(), card);
        if proposals.is_empty() {
            let what = card.like.or(card.kind).unwrap_or("card");
            let kinds: Vec<&str> = game.catalogue().definitions.of("kind").map(|(kind, _)| kind).collect();
            return Err(Stop::Call(
                one_line(&format!("`{}` has no `{what}` to begin with; its kinds are {}", card.pack, kinds.join(", ")))
                    .into_owned(),
            ));
        }
        let first = [vec![target.clone()], folders].concat();
        let files = self.settle(place, &first, card.pack, proposals, false)?;
        told(&target, &files)?;
        next(&["check", "test"], card.pack)
    }

    /// Writes the first proposal with which the pack passes its checks and tests.
    fn settle(
        &self,
        place: &Place<'_>,
        folders: &[PathBuf],
        pack: &str,
        proposals: Vec<Proposal>,
        is_new: bool,
    ) -> Result<Vec<NewFile>, Stop> {
        let target = folders.first().cloned().unwrap_or_default();
        if let Some(first) = proposals.first() {
            self.refuse_existing(
                &target,
                &[first.files.as_slice(), first.scenarios.get(..1).unwrap_or_default()].concat(),
            )?;
        }
        let mut why = String::new();
        for Proposal { files, scenarios } in proposals {
            for scenario in scenarios {
                let all = [files.as_slice(), &[scenario]].concat();
                write_all(&target, &all)?;
                let tried = tried(folders, pack, &all, !is_new, place.limits);
                if tried == Tried::Sound {
                    return Ok(all);
                }
                remove_all(&target, &all)?;
                match tried {
                    Tried::Sound => {}
                    Tried::Scenario(fault) => why = fault,
                    Tried::Definitions(fault) => {
                        why = fault;
                        break;
                    }
                }
            }
        }
        Err(Stop::quoting(format!("no copy of what `{pack}` has passes its checks: {why}")))
    }

    fn refuse_existing(&self, target: &Path, files: &[NewFile]) -> Result<(), Stop> {
        match already_there(target, files).first() {
            Some(path) if !self.force => {
                Err(Stop::Call(format!("`{}` is there, and nothing was written; `--force` overwrites it", shown(path))))
            }
            _ => Ok(()),
        }
    }

    fn write(&self, target: &Path, files: &[NewFile]) -> Result<(), Stop> {
        self.refuse_existing(target, files)?;
        write_all(target, files)
    }
}

/// Removes the files of a proposal that does not pass, and the folders that are empty then.
fn remove_all(target: &Path, files: &[NewFile]) -> Result<(), Stop> {
    for file in files {
        let path = target.join(&file.path);
        std::fs::remove_file(&path).map_err(|error| Stop::Call(unwritten(&path, &error)))?;
        let above = Path::new(&file.path).ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        // A folder with other files stays.
        for folder in above {
            if std::fs::remove_dir(target.join(folder)).is_err() {
                break;
            }
        }
    }
    Ok(())
}

fn write_all(target: &Path, files: &[NewFile]) -> Result<(), Stop> {
    files.iter().try_for_each(|file| {
        let path = target.join(&file.path);
        write_with_folders(&path, &file.text).map_err(|error| Stop::Call(unwritten(&path, &error)))
    })
}

/// The libraries as the project file of a folder names them.
fn named_from(target: &Path, folders: &[PathBuf]) -> Vec<String> {
    let here = target.canonicalize();
    let named = folders.iter().map(|folder| match (&here, folder.canonicalize()) {
        _ if folder == target => PathBuf::from("."),
        (Ok(here), Ok(folder)) => relative(&folder, here),
        _ => folder.clone(),
    });
    named.map(|path| path.to_string_lossy().replace('\\', "/")).collect()
}

/// What the call gives, or what the person at the terminal answers.
fn given(given: Option<&String>, question: &str, example: &str) -> Result<String, Stop> {
    let answer = match given {
        Some(given) => given.clone(),
        None if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() => {
            read_line(Phrases::of(Language::English), question)?.unwrap_or_default().trim().to_string()
        }
        None => String::new(),
    };
    if answer.is_empty() { Err(Stop::Call(format!("something is missing: write {example}"))) } else { Ok(answer) }
}

fn pack_id(id: &str) -> Result<(), Stop> {
    match is_kebab(id) && id != "lib" {
        true => Ok(()),
        false => Err(Stop::Call(format!(
            "`{}` cannot be the id of a pack: write small letters with `-`, such as `night-ferry`",
            one_line(id)
        ))),
    }
}

fn definition_id(id: &str) -> Result<(), Stop> {
    match is_snake(id) {
        true => Ok(()),
        false => Err(Stop::Call(format!(
            "`{}` cannot be a name: write small letters with `_`, such as `night_ferry`",
            one_line(id)
        ))),
    }
}

/// Reads `2-4`, or `2` alone. The scenarios of the start are for two.
fn range(text: &str) -> Result<(u8, u8), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.trim().parse::<u8>(), most.trim().parse::<u8>()) {
        (Ok(least @ 1..=2), Ok(most @ 2..=32)) => Ok((least, most)),
        _ => Err("write a range that contains 2, such as `2-4`; change it later in `pack.toml`".to_string()),
    }
}

fn told(target: &Path, files: &[NewFile]) -> Result<(), Stop> {
    files
        .iter()
        .try_for_each(|file| emit(&format!("wrote {}", shown(&target.join(&file.path)).trim_start_matches("./"))))
}

fn next(commands: &[&str], pack: &str) -> Result<(), Stop> {
    let calls = commands.iter().map(|command| match command.split_once(' ') {
        Some((command, flags)) => format!("`rulepack {command} {pack} {flags}`"),
        None => format!("`rulepack {command} {pack}`"),
    });
    emit(&format!("next: {}", calls.collect::<Vec<_>>().join(", ")))
}
