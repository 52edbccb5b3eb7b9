//! SARIF 2.1.0, the format in which code hosts read the findings of checkers.

#![allow(clippy::indexing_slicing, reason = "keys of JSON tables that are made here")]

use std::collections::BTreeSet;

use rulepack_model::Code;
use serde_json::{Value, json};

use super::{Finding, PlaceInFile};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Findings as a log of one run, which also tells how many are left out.
pub fn sarif(findings: &[Finding], left_out: usize) -> Value {
    let codes: Vec<Code> = findings.iter().map(|finding| finding.code).collect::<BTreeSet<_>>().into_iter().collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(*code)).collect();
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, &codes)).collect();
    let mut log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "rulepack", "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    if left_out > 0 {
        let more = json!({ "level": "warning", "message": { "text": format!("and {left_out} more findings") } });
        let invocation = json!({ "executionSuccessful": true, "toolExecutionNotifications": [more] });
        log["runs"][0]["invocations"] = json!([invocation]);
    }
    log
}

fn rule(code: Code) -> Value {
    let (summary, text) = (code.summary(), code.explanation());
    json!({
        "id": code,
        "shortDescription": { "text": summary },
        "fullDescription": { "text": summary },
        "help": { "text": text, "markdown": text },
    })
}

fn result(finding: &Finding, codes: &[Code]) -> Value {
    let mut result = json!({
        "ruleId": finding.code,
        "ruleIndex": codes.iter().position(|code| *code == finding.code),
        "level": finding.severity,
        "message": { "text": finding.with_help() },
        // A fingerprint by which a finding is recognised when lines have moved.
        "partialFingerprints": { "rulepack/v1": fingerprint(finding) },
        "properties": { "confidence": finding.confidence },
    });
    if let Some((main, others)) = finding.places.split_first() {
        result["locations"] = json!([location(main, None)]);
        if !others.is_empty() {
            let others = (1..).zip(others).map(|(number, place)| location(place, Some(number)));
            result["relatedLocations"] = others.collect();
        }
    }
    if let Some(seed) = finding.seed {
        result["properties"]["seed"] = json!(seed.to_string());
    }
    if let Some(call) = &finding.call {
        result["properties"]["call"] = json!(call);
    }
    if let Some(scenario) = &finding.scenario {
        result["properties"]["scenario"] = json!(scenario);
    }
    result
}

fn fingerprint(finding: &Finding) -> String {
    let path = finding.places.first().map_or("", |place| &place.path);
    rulepack_model::content_hash(format!("{}\n{}\n{path}", finding.code, finding.message).as_bytes())
}

fn location(place: &PlaceInFile, id: Option<usize>) -> Value {
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&place.path) },
            "region": {
                "startLine": place.line,
                "startColumn": place.column,
                "endLine": place.end_line,
                "endColumn": place.end_column,
            },
        },
    });
    if !place.text.is_empty() {
        location["message"] = json!({ "text": place.text });
    }
    if let Some(id) = id {
        location["id"] = json!(id);
    }
    location
}

/// A path as a relative reference: other characters than plain ones are written with `%`.
fn uri(path: &str) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(byte);
    path.bytes().map(|byte| if is_plain(&byte) { (byte as char).to_string() } else { format!("%{byte:02X}") }).collect()
}
