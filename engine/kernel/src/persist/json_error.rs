//! Mistakes in JSON, in plain words: the messages of the parser name Rust types.

use serde_json::Error;

/// The message without its place, the line and the column.
pub fn misread(error: &Error) -> (String, usize, usize) {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let text = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    (in_words(text), line, column)
}

fn in_words(text: &str) -> String {
    if let Some(rest) = text.strip_prefix("invalid type: ").or(text.strip_prefix("invalid value: "))
        && let Some((found, expected)) = rest.rsplit_once(", expected ")
    {
        return format!("{} is expected, not {}", wanted(expected), met(found));
    }
    if let Some(key) = text.strip_prefix("missing field ") {
        return format!("{key} is missing");
    }
    if let Some(key) = text.strip_prefix("duplicate field ") {
        return format!("{key} stands there twice");
    }
    if let Some(rest) = text.strip_prefix("unknown field ") {
        return match rest.rsplit_once(", expected ") {
            Some((key, known)) => format!("there is no key {key}: {}", listed(known)),
            None => format!("there is no key {}", rest.split(", ").next().unwrap_or(rest)),
        };
    }
    if let Some(rest) = text.strip_prefix("unknown variant ")
        && let Some((word, known)) = rest.rsplit_once(", expected ")
    {
        return format!("{word} is not known: {}", listed(known));
    }
    if let Some(rest) = text.strip_prefix("invalid length ")
        && let Some((length, expected)) = rest.split_once(", expected ")
    {
        return format!("{} is expected, not {length} entries", wanted(expected));
    }
    match text {
        "number out of range" => "a number is too large".to_string(),
        "recursion limit exceeded" => "lists or tables lie too deep inside one another".to_string(),
        "trailing characters" => "something follows behind its end".to_string(),
        other => format!("it is no JSON ({other})"),
    }
}

fn listed(known: &str) -> String {
    match known.strip_prefix("one of ") {
        Some(all) => format!("there are {all}"),
        None => format!("there is {known}"),
    }
}

/// The plain word for a Rust type.
fn wanted(expected: &str) -> String {
    let most = |most: u64| format!("a whole number from 0 to {most}");
    match expected {
        "u8" => most(u8::MAX.into()),
        "u16" => most(u16::MAX.into()),
        "u32" => most(u32::MAX.into()),
        "u64" | "usize" => "a whole number from 0".to_string(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number that is not too large".to_string(),
        "a string" | "str" | "a borrowed string" => "a text".to_string(),
        "a boolean" => "true or false".to_string(),
        "a sequence" => "a list".to_string(),
        "unit" => "null".to_string(),
        other if other.starts_with("struct ") || other == "a map" => "a table".to_string(),
        other if ["enum ", "variant ", "tuple ", "string or map"].iter().any(|word| other.starts_with(word)) => {
            "something else".to_string()
        }
        other => other.to_string(),
    }
}

/// The plain word for the value that was found.
fn met(found: &str) -> String {
    let kinds = [("integer ", ""), ("floating point ", ""), ("boolean ", ""), ("string ", "the text ")];
    if let Some((kind, shown)) = kinds.iter().find(|(kind, _)| found.starts_with(kind)) {
        return format!("{shown}{}", &found[kind.len()..]);
    }
    match found {
        "map" => "a table".to_string(),
        "sequence" => "a list".to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_no_type_of_rust() {
        let said = |error: Error| misread(&error).0;
        let number = |text: &str| said(serde_json::from_str::<usize>(text).unwrap_err());
        assert_eq!(number("-1"), "a whole number from 0 is expected, not `-1`");
        assert_eq!(number("1.5"), "a whole number from 0 is expected, not `1.5`");
        assert_eq!(number("[]"), "a whole number from 0 is expected, not a list");
        assert_eq!(
            said(serde_json::from_str::<u8>("256").unwrap_err()),
            "a whole number from 0 to 255 is expected, not `256`"
        );
        assert_eq!(said(serde_json::from_str::<String>("{}").unwrap_err()), "a text is expected, not a table");
        assert_eq!(
            said(serde_json::from_str::<bool>("\"x\"").unwrap_err()),
            "true or false is expected, not the text \"x\""
        );
        let limits = |text: &str| misread(&serde_json::from_str::<crate::Limits>(text).unwrap_err());
        let (message, line, column) = limits("{\"stpes\":1}");
        assert_eq!(
            message,
            "there is no key `stpes`: there are `steps`, `members`, `script_steps`, `script_memory`, `frames`"
        );
        assert_eq!((line, column), (1, 8));
        assert_eq!(limits("{\"steps\":1,\"steps\":1}").0, "`steps` stands there twice");
    }
}
