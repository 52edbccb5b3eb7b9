//! Other states of a pack: that of another library, that of a revision of git, and one with another value of a field.

use std::path::{Path, PathBuf};
use std::process::Command;

use rulepack_model::visible::one_line;
use rulepack_model::{Node, did_you_mean};
use rulepack_pack::LinkRequest;
use rulepack_tools::{GameBox, Library};

use crate::pick::load;
use crate::stop::Stop;

/// A game as it is in another library, or as it was in a revision of git.
/// `flag` is the argument that names it.
pub fn other(flag: &str, place: &str, library: &Library, request: &LinkRequest) -> Result<GameBox, Stop> {
    let open = |folders: &[PathBuf]| {
        let opened = Library::open(folders);
        opened.map_err(|error| Stop::Call(one_line(&format!("`{flag} {place}`: {error}")).into_owned()))
    };
    if Path::new(place).is_dir() {
        return load(&open(&[PathBuf::from(place)])?, request);
    }
    let folders = library.folders();
    let Some(first) = folders.first() else { return Err(Stop::Call("there is no library".into())) };
    let copy = Copy::of(flag, first, place)?;
    let mut all = vec![copy.0.join(prefix(flag, first, place)?)];
    all.extend(folders.iter().skip(1).cloned());
    // The copy is there until the game is loaded.
    load(&open(&all)?, request)
}

/// The files of a revision, in a folder that is removed again.
struct Copy(PathBuf);

impl Copy {
    fn of(flag: &str, folder: &Path, revision: &str) -> Result<Copy, Stop> {
        let path = std::env::temp_dir().join(format!("rulepack-{}", std::process::id()));
        let failed = |error: std::io::Error| Stop::Call(one_line(&format!("{}: {error}", path.display())).into_owned());
        // A folder or a link that somebody else has put there is not written to.
        std::fs::create_dir(&path).map_err(failed)?;
        let copy = Copy(path);
        let index = copy.0.join(".index");
        let to = format!("--prefix={}/", copy.0.display());
        git(flag, folder, revision, &index, &["read-tree", &format!("{revision}^{{tree}}")])?;
        git(flag, folder, revision, &index, &["checkout-index", "--all", &to])?;
        Ok(copy)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Where the folder lies below the top of its repository.
fn prefix(flag: &str, folder: &Path, revision: &str) -> Result<String, Stop> {
    git(flag, folder, revision, Path::new(""), &["rev-parse", "--show-prefix"])
}

fn git(flag: &str, folder: &Path, revision: &str, index: &Path, arguments: &[&str]) -> Result<String, Stop> {
    let wrong = |why: &str| {
        let why = format!("`{flag} {revision}` is neither a folder nor a revision of git: {why}");
        Stop::Call(one_line(&why).into_owned())
    };
    if revision.starts_with('-') {
        return Err(wrong("it begins with `-`"));
    }
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    if !index.as_os_str().is_empty() {
        command.env("GIT_INDEX_FILE", index);
    }
    let done = command.output().map_err(|error| wrong(&error.to_string()))?;
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).trim().to_string()),
        false => Err(wrong(String::from_utf8_lossy(&done.stderr).lines().next().unwrap_or("git failed"))),
    }
}

/// The game with each of several values of a field, such as `card.inn.cost=1 coin,3 coin`.
pub fn varied(
    vary: &str,
    library: &Library,
    game_box: &GameBox,
    request: &LinkRequest,
) -> Result<Vec<(String, GameBox)>, Stop> {
    let wrong = |why: String| Stop::Call(one_line(&format!("`--vary {vary}`: {why}")).into_owned());
    let Some((path, values)) = vary.split_once('=') else {
        return Err(wrong("write a field and its values, such as `card.inn.cost=1 coin,3 coin`".into()));
    };
    let path = path.trim();
    let node = field(game_box, path).map_err(wrong)?;
    let sources = library.sources();
    let (file, ..) = sources.position(node.span);
    let (whole, now) = match sources.get(node.span.file) {
        Some(source) => (source.text.to_string(), sources.text(node.span).to_string()),
        None => return Err(wrong(format!("`{path}` stands in no file"))),
    };
    drop(sources);
    let (start, end) = (node.span.start as usize, node.span.end as usize);
    let (Some(before), Some(after)) = (whole.get(..start), whole.get(end..)) else {
        return Err(wrong(format!("`{path}` stands in no file")));
    };
    let is_text = now.starts_with(['"', '\'']);
    let count = values.split(',').count();
    if count > MOST_VALUES {
        return Err(too_many_values(path, count));
    }
    library.hold();
    let mut all = Vec::new();
    for value in values.split(',').map(str::trim) {
        let written = if is_text { format!("{value:?}") } else { value.to_string() };
        library.edit(&file, format!("{before}{written}{after}"));
        let loaded = load(library, request);
        library.restore();
        all.push((format!("{path} = {written}"), loaded?));
    }
    Ok(all)
}

/// Each value is a game of its own, and all are in memory at once.
const MOST_VALUES: usize = 100;

fn too_many_values(path: &str, count: usize) -> Stop {
    Stop::Call(
        one_line(&format!("`--vary {path}=…`: at most {MOST_VALUES} values are compared, not {count}")).into_owned(),
    )
}

/// The node of a field, by kind, id and keys; if there is none, what there is instead.
fn field<'b>(game_box: &'b GameBox, path: &str) -> Result<&'b Node, String> {
    let definitions = &game_box.catalogue().definitions;
    let mut parts = path.split('.');
    let (kind, id) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let hint = |word: &str, known: &[&str]| {
        did_you_mean(word, known.iter().copied()).map_or(String::new(), |hint| format!("; {hint}"))
    };
    let Some(table) = definitions.kinds.get(kind) else {
        let known: Vec<&str> = definitions.kinds.keys().map(String::as_str).collect();
        return Err(format!("there are no definitions `{kind}`{}", hint(kind, &known)));
    };
    let Some(mut node) = table.get(id) else {
        let known: Vec<&str> = table.iter().map(|(id, _)| id).collect();
        return Err(format!("there is no `{kind}.{id}`{}", hint(id, &known)));
    };
    let mut at = format!("{kind}.{id}");
    for key in parts {
        node = match node.below(key) {
            Some(node) => node,
            None => {
                let known: Vec<&str> =
                    node.as_table().into_iter().flat_map(|table| table.iter().map(|(key, _)| key)).collect();
                return Err(format!("`{at}` has no `{key}`{}", hint(key, &known)));
            }
        };
        at = format!("{at}.{key}");
    }
    match node.as_table() {
        Some(_) => Err(format!("`{at}` has several fields: name one of them")),
        None => Ok(node),
    }
}
