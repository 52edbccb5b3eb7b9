//! Errors of running scripts, in plain words and with the line.

use std::borrow::Cow;
use std::collections::BTreeMap;

use mlua::{Error, Lua};
use rulepack_kernel::Fault;
use rulepack_model::visible::{one_line, with_commas};
use rulepack_model::{Cut, did_you_mean};

/// The message for a script that hit a limit.
pub(crate) const TOO_MUCH_MEMORY: &str = "the script used too much memory (limit `script_memory`)";

/// The message for a script that calls itself without end.
pub(crate) const TOO_DEEP: &str = "the script calls itself too deeply";

/// Why a function of the host has no result.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The script is wrong: the message; the line is added later.
    Said(String),
    /// The same, with a fixed sentence of the host that quotes nothing from the script.
    Fixed(String),
    /// A fault with its place.
    Known(Fault),
    /// The VM failed.
    Vm(Error),
}

/// The result of a function of the host.
pub(crate) type Said<T> = Result<T, Trouble>;

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Trouble::Known(fault)
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Vm(error)
    }
}

/// The script is wrong.
pub(crate) fn said<T>(message: impl Into<String>) -> Said<T> {
    Err(Trouble::Said(message.into()))
}

/// An unknown name, with the nearest known one.
pub(crate) fn unknown<'a>(noun: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Trouble {
    let hint = did_you_mean(name, known).map_or(String::new(), |hint| format!(" ({hint})"));
    Trouble::Said(format!("there is no {noun} `{name}`{hint}"))
}

/// A fault that passes through the VM as an error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Passing(Fault);

/// The scripts by the path that messages use.
#[derive(Debug, Default)]
pub(crate) struct Places(pub BTreeMap<String, usize>);

impl Places {
    /// The innermost script on the stack, and its line.
    pub(crate) fn caller(&self, lua: &Lua) -> Option<(usize, usize)> {
        for level in 0..64 {
            let found = lua.inspect_stack(level, |frame| {
                let source = frame.source().source?;
                let script = self.0.get(source.trim_start_matches('='))?;
                Some((*script, frame.current_line()?))
            })?;
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn shown(&self, (script, line): (usize, usize)) -> Option<String> {
        let (path, _) = self.0.iter().find(|(_, index)| **index == script)?;
        Some(format!("{path}:{line}"))
    }

    /// The running script and line.
    pub(crate) fn calling(&self, lua: &Lua) -> Option<String> {
        self.caller(lua).and_then(|place| self.shown(place))
    }

    /// Turns a failure into an error that passes through the VM, with the line of the running script.
    pub(crate) fn raise(&self, lua: &Lua, trouble: Trouble) -> Error {
        match trouble {
            Trouble::Vm(error) => error,
            Trouble::Known(mut fault) => {
                fault.script = fault.script.take().or_else(|| self.calling(lua));
                Error::external(Passing(fault))
            }
            Trouble::Fixed(message) => Error::external(Passing(Fault::in_script(message, self.calling(lua)))),
            Trouble::Said(message) => Error::external(Passing(Fault::by_script(cut(&message), self.calling(lua)))),
        }
    }

    /// Turns an error of the VM into the fault that the kernel reports.
    pub(crate) fn fault(&self, error: &Error) -> Fault {
        if let Some(Passing(fault)) = error.downcast_ref() {
            return fault.clone();
        }
        let mut traceback = String::new();
        let mut cause = error;
        while let Error::CallbackError { cause: inner, .. }
        | Error::WithContext { cause: inner, .. }
        | Error::BadArgument { cause: inner, .. } = cause
        {
            if let Error::CallbackError { traceback: text, .. } = cause {
                traceback.push_str(text);
            }
            cause = inner;
        }
        let text = match cause {
            Error::MemoryError(_) => TOO_MUCH_MEMORY.to_string(),
            Error::RuntimeError(text) | Error::SyntaxError { message: text, .. } => text.clone(),
            other => other.to_string(),
        };
        let (message, stack) = text.split_once("\nstack traceback:").unwrap_or((&text, &traceback));
        let (place, message) = match self.split(message) {
            Some((place, message)) => (Some(place), message),
            None => (None, message),
        };
        let script = place.or_else(|| stack.lines().chain(traceback.lines()).find_map(|line| self.place_in(line)));
        match plain(message) {
            Some(words) => Fault::in_script(words, script),
            // The message of a script may contain anything.
            None => {
                let message = without_prelude(message);
                let words = in_words(message).unwrap_or_else(|| message.to_string());
                Fault::by_script(one_line(&cut(&words)), script)
            }
        }
    }

    /// Removes `path:line:` from a message. If the place is in the host's own Lua, the caller is at fault, and the
    /// place is dropped.
    fn split<'m>(&self, message: &'m str) -> Option<(String, &'m str)> {
        let (place, rest) = message.split_once(": ")?;
        let place = self.place_in(place)?;
        Some((place, rest))
    }

    /// The `path:line` at the beginning of a line, if it belongs to a script.
    fn place_in(&self, line: &str) -> Option<String> {
        let line = line.trim();
        self.0.keys().find_map(|path| {
            let number: String =
                line.strip_prefix(path.as_str())?.strip_prefix(':')?.chars().take_while(char::is_ascii_digit).collect();
            (!number.is_empty()).then(|| format!("{path}:{number}"))
        })
    }
}

/// The number of characters of a script's message that are shown.
const MOST_SAID: usize = 1_000;

/// The beginning of a text that is too long, and its length.
pub(crate) fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_SAID) {
        None => text.into(),
        Some((end, _)) => format!("{}… ({} characters)", text.cut(..end), with_commas(text.chars().count())).into(),
    }
}

/// A message without the place in the host's own Lua.
fn without_prelude(message: &str) -> &str {
    let message = message.trim();
    match message.split_once(": ") {
        Some((place, rest)) if place.starts_with(crate::sandbox::PRELUDE) => rest,
        _ => message,
    }
}

/// Messages of the VM, replaced by words of this project, always the same.
fn plain(message: &str) -> Option<&'static str> {
    let known = [
        ("stack overflow", TOO_DEEP),
        ("not enough memory", TOO_MUCH_MEMORY),
        ("readonly table", "this table cannot be changed: scripts keep nothing between two calls"),
        (
            "attempt to yield",
            "a function that the library calls (to compare for `table.sort`, say) may neither change the game nor ask",
        ),
    ];
    known.iter().find(|(part, _)| message.contains(part)).map(|(_, words)| *words)
}

/// Messages of the VM about values of the wrong kind, in words of this project.
fn in_words(message: &str) -> Option<String> {
    let rest = message.strip_prefix("attempt to ")?;
    if let Some((value, field)) = rest.strip_prefix("index ").and_then(|rest| rest.split_once(" with ")) {
        let field = match field.strip_prefix('\'').and_then(|field| field.strip_suffix('\'')) {
            Some(name) => format!("`{name}`"),
            None => "an entry".to_string(),
        };
        return Some(match value {
            "nil" => format!("{field} is read of nothing: test first whether it is there, as in `if piece then … end`"),
            _ => format!("{} has no {field}", noun(value)),
        });
    }
    if let Some(value) = rest.strip_prefix("call a ").and_then(|rest| rest.strip_suffix(" value")) {
        return Some(format!("what is called here is no function, but {}", noun(value)));
    }
    if let Some(value) = rest.strip_prefix("get length of a ").and_then(|rest| rest.strip_suffix(" value")) {
        return Some(format!("only a list or a text has a length, not {}", noun(value)));
    }
    if let Some((_, values)) = rest.strip_prefix("perform arithmetic (").and_then(|rest| rest.split_once(") on ")) {
        return Some(format!("only numbers can be calculated with, not {}", nouns(values, " and ")));
    }
    if let Some(values) = rest.strip_prefix("concatenate ") {
        return Some(format!("only texts and numbers can be joined with `..`, not {}", nouns(values, " with ")));
    }
    let values = rest.strip_prefix("compare ")?;
    let sign = [" < ", " <= ", " > ", " >= "].into_iter().find(|sign| values.contains(sign))?;
    Some(format!("only two numbers or two texts can be compared by size, not {}", nouns(values, sign)))
}

/// Two kinds of values of the VM, for people.
fn nouns(values: &str, between: &str) -> String {
    values.split(between).map(noun).collect::<Vec<_>>().join(" and ")
}

/// A kind of values of the VM, for people.
fn noun(kind: &str) -> &str {
    match kind {
        "nil" => "nothing",
        "boolean" => "true or false",
        "number" => "a number",
        "string" => "a text",
        "table" => "a table",
        "function" => "a function",
        // Handles are the only ones that scripts get.
        "userdata" => "a handle (player, piece, space or zone)",
        other => other,
    }
}
