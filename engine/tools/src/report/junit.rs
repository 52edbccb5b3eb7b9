//! JUnit's XML, the format in which most CI systems read test results: a suite for each pack, a case for each scenario.

use std::collections::BTreeMap;

use rulepack_model::visible::{lines, one_line, without_commands};

use crate::conformance::{ConformanceReport, Property, Violation};
use crate::scenario::TestReport;

/// One case of a suite.
struct Case {
    class: String,
    name: String,
    seconds: Option<f64>,
    /// The path and the line of the mistake.
    file: Option<String>,
    line: Option<String>,
    failure: Option<Failure>,
}

/// A failure: its kind and its message.
struct Failure {
    kind: &'static str,
    text: String,
}

/// The cases of each pack.
type Suites = BTreeMap<String, Vec<Case>>;

/// The result of scenarios.
pub fn junit(report: &TestReport) -> String {
    let mut suites = Suites::new();
    for case in &report.cases {
        let pack = if case.pack.is_empty() { "unknown pack" } else { &case.pack };
        let name = match (&case.case, case.about.as_str()) {
            (Some(name), _) => name.as_str(),
            (None, "") => file_name(&case.file),
            (None, about) => about,
        };
        suites.entry(pack.to_string()).or_default().push(Case {
            class: case.file.clone(),
            name: name.to_string(),
            seconds: Some(case.seconds),
            file: Some(case.file.clone()),
            line: (!case.passed).then(|| case.at.0.to_string()),
            failure: case.failure.as_ref().map(|text| Failure { kind: "scenario", text: text.clone() }),
        });
    }
    written(&suites)
}

/// The result of conformance: a suite for each pack, a case for each property of each way to play.
pub fn conformance_junit(report: &ConformanceReport) -> String {
    let mut suites = Suites::new();
    for way in &report.ways {
        let modes = if way.modes.is_empty() { String::new() } else { format!("{}, ", way.modes.join(", ")) };
        let with = if way.game == way.pack { String::new() } else { format!("with {}, ", way.game) };
        for property in Property::ALL {
            let found = way.violations.iter().find(|violation| violation.property == property);
            let place = found.and_then(|violation| violation.at.as_deref()).and_then(path_and_line);
            suites.entry(way.pack.clone()).or_default().push(Case {
                class: way.pack.clone(),
                name: format!("{with}{modes}{} players: {}", way.players, property.name()),
                // The time of all properties together.
                seconds: (property == Property::Accepted).then_some(way.seconds),
                file: place.map(|(path, _)| path.to_string()),
                line: place.map(|(_, line)| line.to_string()),
                failure: found.map(|found| Failure { kind: property.name(), text: violation_text(found) }),
            });
        }
    }
    for not_tested in &report.not_tested {
        let place = path_and_line(&not_tested.at);
        suites.entry(not_tested.pack.clone()).or_default().push(Case {
            class: not_tested.pack.clone(),
            name: "all ways to play are tested".to_string(),
            seconds: None,
            file: place.map(|(path, _)| path.to_string()),
            line: place.map(|(_, line)| line.to_string()),
            failure: Some(Failure { kind: "not-tested", text: not_tested.message.clone() }),
        });
    }
    written(&suites)
}

fn violation_text(violation: &Violation) -> String {
    let Violation { message, seed, decision, asked, call, .. } = violation;
    let place = violation.at.as_ref().map_or(String::new(), |at| format!("at {at}\n"));
    format!("{message}\nseed {seed}, decision {decision} ({asked})\n{place}see it with `{call}`")
}

/// The path and the line of `path:line:column`.
fn path_and_line(at: &str) -> Option<(&str, &str)> {
    at.rsplit_once(':')?.0.rsplit_once(':')
}

fn written(suites: &Suites) -> String {
    let failed = |cases: &[Case]| cases.iter().filter(|case| case.failure.is_some()).count();
    let counts = |name: &str, tests: usize, failures: usize| {
        format!("name=\"{}\" tests=\"{tests}\" skipped=\"0\" errors=\"0\" failures=\"{failures}\"", name_of(name))
    };
    let all = counts("rulepack", suites.values().map(Vec::len).sum(), suites.values().map(|cases| failed(cases)).sum());
    let mut text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {all}>\n");
    for (pack, cases) in suites {
        text.push_str(&format!("    <testsuite {}>\n", counts(pack, cases.len(), failed(cases))));
        cases.iter().for_each(|case| text.push_str(&case_text(case)));
        text.push_str("    </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn case_text(case: &Case) -> String {
    let mut text = format!("        <testcase name=\"{}\" classname=\"{}\"", name_of(&case.name), name_of(&case.class));
    if let Some(seconds) = case.seconds {
        text.push_str(&format!(" time=\"{:.3}\"", seconds.max(0.0)));
    }
    let place = [("file", &case.file), ("line", &case.line)];
    for (key, value) in place.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?))) {
        text.push_str(&format!(" {key}=\"{}\"", name_of(value)));
    }
    let Some(Failure { kind, text: told }) = &case.failure else { return text + "/>\n" };
    let first = name_of(told.lines().next().unwrap_or(""));
    let told = escaped(&without_commands(&lines(told)));
    text + &format!(
        ">\n            <failure message=\"{first}\" type=\"{kind}\">{told}</failure>\n        </testcase>\n"
    )
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A name or a first line, as an attribute. CI systems print such a file, and search the output for commands.
fn name_of(text: &str) -> String {
    escaped(&without_commands(&one_line(text)))
}

/// A text as XML has it. It has no control characters at all, not even written as numbers.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(letter),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            _ if letter.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(letter),
        }
    }
    out
}
