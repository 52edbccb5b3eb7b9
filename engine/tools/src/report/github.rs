//! Workflow commands by which GitHub shows findings beside the changed lines.

use rulepack_model::visible::{lines, one_line};

use super::Finding;

/// Findings as workflow commands, one on each line; the last tells how many are left out.
pub fn github(findings: &[Finding], left_out: usize) -> String {
    let more = (left_out > 0).then(|| format!("::error title=left-out::and {left_out} more findings\n"));
    findings.iter().map(|finding| command(finding) + "\n").chain(more).collect()
}

fn command(finding: &Finding) -> String {
    let mut properties = Vec::new();
    if let Some(place) = finding.places.first() {
        properties.push(format!("file={}", property(&place.path)));
        properties.push(format!("line={}", place.line));
        properties.push(format!("endLine={}", place.end_line));
        // Columns are shown only for places within one line.
        if place.line == place.end_line {
            properties.push(format!("col={}", place.column));
            properties.push(format!("endColumn={}", place.end_column));
        }
    }
    properties.push(format!("title={}", property(finding.code.name())));
    format!("::{} {}::{}", finding.severity, properties.join(","), message(&finding.with_help()))
}

fn message(text: &str) -> String {
    lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(&one_line(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::PlaceInFile;

    #[test]
    fn what_has_a_meaning_in_a_command_is_escaped() {
        let place = PlaceInFile {
            path: "packs/content/a,b.toml".into(),
            line: 3,
            column: 2,
            end_line: 3,
            end_column: 5,
            text: String::new(),
        };
        let finding = Finding {
            severity: "warning",
            confidence: "certain",
            code: rulepack_model::Code::UnusedName,
            message: "100 %\nof it".into(),
            help: Some("a: b".into()),
            places: vec![place],
            seed: None,
            call: None,
            scenario: None,
        };
        assert_eq!(
            github(&[finding], 0),
            "::warning file=packs/content/a%2Cb.toml,line=3,endLine=3,col=2,endColumn=5,title=unused-name::100 %25%0Aof it; a: b\n"
        );
    }
}
