//! JUnit's XML, in which most CI systems take the results of tests: a suite for each pack, a case for each scenario.

use std::collections::BTreeMap;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use rulepack_model::visible::{lines, one_line, without_commands};

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
            Some(message) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                let first = message.lines().next().unwrap_or("");
                status
                    .set_type("scenario")
                    .set_message(&*name_of(first))
                    .set_description(&*without_commands(&lines(message)));
                status
            }
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
    let mut all = Report::new("rulepack");
    all.add_test_suites(suites.into_values());
    all.to_string().map_err(|error| error.to_string())
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A name or a first line. CI systems print such a file, and look for commands in what they print.
fn name_of(text: &str) -> String {
    without_commands(&one_line(text)).into_owned()
}
