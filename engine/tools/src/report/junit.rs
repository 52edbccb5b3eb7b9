//! JUnit's XML, the format in which most CI systems read test results: a suite for each pack, a case for each scenario.

use std::collections::BTreeMap;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use rulepack_model::visible::{lines, one_line, without_commands};

use crate::conformance::{ConformanceReport, Property, Violation};
use crate::scenario::TestReport;

/// The result of scenarios.
///
/// # Errors
/// If a text cannot be written as XML.
pub fn junit(report: &TestReport) -> Result<String, String> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for case in &report.cases {
        let pack = if case.pack.is_empty() { "unknown pack" } else { &case.pack };
        let status = match &case.failure {
            None => TestCaseStatus::success(),
            Some(message) => failure("scenario", message),
        };
        let name = match (&case.case, case.about.as_str()) {
            (Some(name), _) => name.as_str(),
            (None, "") => file_name(&case.file),
            (None, about) => about,
        };
        let mut test = TestCase::new(&*name_of(name), status);
        let file = name_of(&case.file);
        test.set_classname(&*file).set_time(Duration::from_secs_f64(case.seconds.max(0.0)));
        test.extra.insert("file".into(), (&*file).into());
        if !case.passed {
            test.extra.insert("line".into(), case.at.0.to_string().into());
        }
        suites.entry(pack).or_insert_with(|| TestSuite::new(&*name_of(pack))).add_test_case(test);
    }
    written(suites)
}

/// The result of conformance: a suite for each pack, a case for each property of each way to play.
///
/// # Errors
/// If a text cannot be written as XML.
pub fn conformance_junit(report: &ConformanceReport) -> Result<String, String> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for way in &report.ways {
        let modes = if way.modes.is_empty() { String::new() } else { format!("{}, ", way.modes.join(", ")) };
        let with = if way.game == way.pack { String::new() } else { format!("with {}, ", way.game) };
        for property in Property::ALL {
            let found = way.violations.iter().find(|violation| violation.property == property);
            let status = match found {
                None => TestCaseStatus::success(),
                Some(violation) => failure(property.name(), &violation_text(violation)),
            };
            let name = format!("{with}{modes}{} players: {}", way.players, property.name());
            let mut test = TestCase::new(&*name_of(&name), status);
            test.set_classname(&*name_of(&way.pack));
            // The time of all properties together.
            if property == Property::Accepted {
                test.set_time(Duration::from_secs_f64(way.seconds.max(0.0)));
            }
            if let Some((path, line)) = found.and_then(|violation| violation.at.as_deref()).and_then(path_and_line) {
                test.extra.insert("file".into(), (&*name_of(path)).into());
                test.extra.insert("line".into(), line.into());
            }
            suites.entry(&way.pack).or_insert_with(|| TestSuite::new(&*name_of(&way.pack))).add_test_case(test);
        }
    }
    for not_tested in &report.not_tested {
        let mut test = TestCase::new("all ways to play are tested", failure("not-tested", &not_tested.message));
        test.set_classname(&*name_of(&not_tested.pack));
        if let Some((path, line)) = path_and_line(&not_tested.at) {
            test.extra.insert("file".into(), (&*name_of(path)).into());
            test.extra.insert("line".into(), line.into());
        }
        let suite = suites.entry(&not_tested.pack).or_insert_with(|| TestSuite::new(&*name_of(&not_tested.pack)));
        suite.add_test_case(test);
    }
    written(suites)
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

fn failure(kind: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    let first = message.lines().next().unwrap_or("");
    status.set_type(kind).set_message(&*name_of(first)).set_description(&*without_commands(&lines(message)));
    status
}

fn written(suites: BTreeMap<&str, TestSuite>) -> Result<String, String> {
    let mut all = Report::new("rulepack");
    all.add_test_suites(suites.into_values());
    all.to_string().map_err(|error| error.to_string())
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A name or a first line. CI systems print such a file, and search the output for commands.
fn name_of(text: &str) -> String {
    without_commands(&one_line(text)).into_owned()
}
