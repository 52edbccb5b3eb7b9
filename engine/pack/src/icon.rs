//! Icons: SVG files that a pack brings along.
//!
//! A front end puts icons into pages and cards, so a file is not passed on as it is: its tree is walked, what an icon may hold
//! is written anew, and everything else is refused. The result runs nothing, refers to nothing outside, and has names of its own.

use roxmltree::{Document, Node, ParsingOptions};
use rulepack_model::{Code, Diagnostic, FileId, SourceFile, Span};

/// The largest size of an icon.
pub(crate) const MOST_BYTES: usize = 64 * 1024;

/// The largest number of elements, comments and pieces of text of an icon.
const MOST_NODES: u32 = 4_000;

/// How deep elements lie in one another at most.
const MOST_DEEP: usize = 40;

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// The elements of an icon: shapes, groups and gradients.
const ELEMENTS: [&str; 14] = [
    "circle",
    "clipPath",
    "defs",
    "ellipse",
    "g",
    "line",
    "linearGradient",
    "path",
    "polygon",
    "polyline",
    "radialGradient",
    "rect",
    "stop",
    "svg",
];

/// Elements that say something about the picture and draw nothing; they are left out.
const SILENT: [&str; 3] = ["desc", "metadata", "title"];

/// Attributes that say where and how something is drawn.
const ATTRIBUTES: [&str; 45] = [
    "clip-path",
    "clip-rule",
    "clipPathUnits",
    "color",
    "cx",
    "cy",
    "d",
    "display",
    "fill",
    "fill-opacity",
    "fill-rule",
    "fx",
    "fy",
    "gradientTransform",
    "gradientUnits",
    "height",
    "offset",
    "opacity",
    "paint-order",
    "pathLength",
    "points",
    "preserveAspectRatio",
    "r",
    "rx",
    "ry",
    "spreadMethod",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "transform",
    "vector-effect",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
];

/// Attributes without a meaning for a picture that stands by itself; they are left out.
const LEFT_OUT: [&str; 10] =
    ["baseProfile", "class", "enable-background", "id", "role", "space", "style", "version", "zoomAndPan", "focusable"];

/// The icon as a text that any page may hold. Names inside it begin with `name`.
pub(crate) fn clean(file: FileId, source: &SourceFile, name: &str) -> Result<String, Diagnostic> {
    let text = source.text.as_str();
    let wrong = |message: String, at: Span, help: &str| {
        Diagnostic::error(Code::WrongValue, message).at(at).help(help.to_string())
    };
    if text.len() > MOST_BYTES {
        let message = format!("`{}` is larger than {} KiB", source.path, MOST_BYTES / 1024);
        return Err(wrong(message, Span::top(file), "simplify the drawing: an icon is shown at the size of a letter"));
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = offset(text, error.pos());
        wrong(format!("this is no icon: {error}"), Span::new(file, at, at), "write plain SVG, without a document type")
    })?;
    let mut writer = Writer { file, document: &document, name, out: String::with_capacity(text.len()) };
    writer.element(document.root_element(), 0)?;
    Ok(writer.out)
}

/// The place of a row and a column, both counted from 1.
fn offset(text: &str, at: roxmltree::TextPos) -> usize {
    let row = at.row.saturating_sub(1) as usize;
    let line = text.split_inclusive('\n').take(row).map(str::len).sum::<usize>();
    let column = at.col.saturating_sub(1) as usize;
    let within = text.split('\n').nth(row).map_or(0, |line| line.chars().take(column).map(char::len_utf8).sum());
    line.saturating_add(within).min(text.len())
}

struct Writer<'a, 'text> {
    file: FileId,
    document: &'a Document<'text>,
    name: &'a str,
    out: String,
}

impl Writer<'_, '_> {
    fn refuse(&self, message: String, range: std::ops::Range<usize>, help: &str) -> Diagnostic {
        // The head of the element or the attribute is enough.
        let end = range.end.min(range.start.saturating_add(40));
        Diagnostic::error(Code::WrongValue, message).at(Span::new(self.file, range.start, end)).help(help.to_string())
    }

    fn element(&mut self, node: Node<'_, '_>, depth: usize) -> Result<(), Diagnostic> {
        let tag = node.tag_name();
        let (name, is_root) = (tag.name(), depth == 0);
        if is_root && (name != "svg" || tag.namespace() != Some(SVG)) {
            let help = "begin it with `<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\">`";
            return Err(self.refuse("this is no icon: it does not begin with `<svg>`".into(), node.range(), help));
        }
        // What drawing programs note for themselves stands in namespaces of their own.
        if tag.namespace() != Some(SVG) || SILENT.contains(&name) {
            return Ok(());
        }
        if !ELEMENTS.contains(&name) {
            let message = format!("an icon cannot hold `<{name}>`");
            let help = match name {
                "text" | "tspan" => "turn the letters into paths: a reader may not have the font",
                "style" => "write the colours as attributes, such as `fill=\"#800\"`",
                "use" | "symbol" => "write the shape out where it is used",
                _ => "it holds shapes, groups, clip paths and gradients: `path`, `circle`, `rect`, `g` and the like",
            };
            return Err(self.refuse(message, node.range(), help));
        }
        if depth > MOST_DEEP {
            let message = format!("elements lie more than {MOST_DEEP} deep in one another");
            return Err(self.refuse(message, node.range(), "ungroup the drawing"));
        }
        self.out.push('<');
        self.out.push_str(name);
        if is_root {
            self.root(node)?;
        }
        for attribute in node.attributes() {
            let is_size = is_root && ["height", "viewBox", "width", "x", "y"].contains(&attribute.name());
            if !is_size {
                self.attribute(attribute.namespace(), attribute.name(), attribute.value(), attribute.range())?;
            }
        }
        let mut inner = node.children().filter(Node::is_element).peekable();
        if inner.peek().is_none() {
            self.out.push_str("/>");
            return Ok(());
        }
        self.out.push('>');
        for child in inner {
            self.element(child, depth.saturating_add(1))?;
        }
        self.out.push_str(&format!("</{name}>"));
        Ok(())
    }

    /// The namespace and the size: an icon has a view box, and whoever shows it says how large.
    fn root(&mut self, node: Node<'_, '_>) -> Result<(), Diagnostic> {
        let numbers = |text: &str| -> Option<Vec<f64>> {
            let parts = text.split([' ', ',', '\n', '\t', '\r']).filter(|part| !part.is_empty());
            parts
                .map(|part| part.trim_end_matches("px").parse().ok().filter(|number: &f64| number.is_finite()))
                .collect()
        };
        let view = match node.attribute("viewBox") {
            Some(view) => numbers(view).filter(|view| view.len() == 4),
            None => {
                let size = [node.attribute("width"), node.attribute("height")];
                let size: Option<Vec<f64>> = size.into_iter().map(|size| numbers(size?)?.first().copied()).collect();
                size.map(|size| [0.0, 0.0].into_iter().chain(size).collect())
            }
        };
        let is_size = |view: &Vec<f64>| view.iter().skip(2).all(|size| *size > 0.0);
        let Some(view) = view.filter(is_size) else {
            let help = "write `viewBox=\"0 0 24 24\"` with the size of the drawing";
            return Err(self.refuse("the icon does not say how large it is".into(), node.range(), help));
        };
        let view: Vec<String> = view.iter().map(f64::to_string).collect();
        self.out.push_str(&format!(" xmlns=\"{SVG}\" viewBox=\"{}\"", view.join(" ")));
        Ok(())
    }

    fn attribute(
        &mut self,
        namespace: Option<&str>,
        name: &str,
        value: &str,
        range: std::ops::Range<usize>,
    ) -> Result<(), Diagnostic> {
        if name == "href" && (namespace.is_none() || namespace == Some(XLINK)) {
            let help = "an icon refers to nothing: draw what it needs in the file itself";
            return Err(self.refuse("an icon cannot refer to something else".into(), range, help));
        }
        if name.len() > 2 && name.to_ascii_lowercase().starts_with("on") {
            let message = format!("an icon cannot do anything, so `{name}` has no place in it");
            return Err(self.refuse(message, range, "leave it out"));
        }
        if namespace.is_some() {
            return Ok(());
        }
        match name {
            "id" => self.write("id", &format!("{}-{value}", self.name)),
            "style" => {
                for part in value.split(';').map(str::trim).filter(|part| !part.is_empty()) {
                    let (name, value) = part.split_once(':').unwrap_or((part, ""));
                    // Programs write dozens of properties that say nothing about shapes.
                    if ATTRIBUTES.contains(&name.trim()) {
                        let value = self.value(value.trim(), range.clone())?;
                        self.write(name.trim(), &value);
                    }
                }
            }
            _ if ATTRIBUTES.contains(&name) || name == "y2" => {
                let value = self.value(value, range)?;
                self.write(name, &value);
            }
            _ if LEFT_OUT.contains(&name) || name.starts_with("aria-") || name.starts_with("data-") => {}
            _ => {
                let message = format!("an icon has no attribute `{name}`");
                let help = "leave it out: shapes have a place, a size, `fill`, `stroke`, `transform` and the like";
                return Err(self.refuse(message, range, help));
            }
        }
        Ok(())
    }

    /// A value whose references lead to elements of the icon itself.
    fn value(&self, value: &str, range: std::ops::Range<usize>) -> Result<String, Diagnostic> {
        let spaceless: String = value.chars().filter(|letter| !letter.is_whitespace()).collect();
        if !spaceless.to_ascii_lowercase().contains("url") && !value.contains('\\') && !value.contains("/*") {
            return Ok(value.to_string());
        }
        let quotes = ['"', '\''];
        let inner = spaceless.strip_prefix("url(").and_then(|rest| rest.strip_suffix(')'));
        let id = inner.and_then(|inner| inner.trim_matches(quotes).strip_prefix('#'));
        let here = id.filter(|id| self.document.descendants().any(|node| node.attribute("id") == Some(id)));
        match here {
            Some(id) => Ok(format!("url(#{}-{id})", self.name)),
            None => {
                let help = "write `url(#NAME)` with the `id` of a gradient or a clip path of the same file";
                Err(self.refuse("an icon cannot refer to something else".into(), range, help))
            }
        }
    }

    fn write(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        for letter in value.chars() {
            match letter {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                letter => self.out.push(letter),
            }
        }
        self.out.push('"');
    }
}

#[cfg(test)]
mod tests {
    use rulepack_model::Sources;

    use super::*;

    #[track_caller]
    fn check(inside: &str) -> Result<String, String> {
        let mut sources = Sources::default();
        let text = format!("<svg xmlns=\"{SVG}\" xmlns:xlink=\"{XLINK}\" viewBox=\"0 0 8 8\">{inside}</svg>");
        let file = sources.add("a.svg", text);
        let source = sources.get(file).expect("it was added");
        clean(file, source, "a").map_err(|refused| refused.message)
    }

    #[test]
    fn shapes_and_gradients_stay() {
        let kept = check(
            "<title>A</title><defs><linearGradient id='g'><stop offset='0' stop-color='red'/></linearGradient></defs>\
             <path d='M0 0h8' style='fill:url(#g);font-size:12px'/>",
        );
        let expected = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><defs><linearGradient id=\"a-g\">\
                        <stop offset=\"0\" stop-color=\"red\"/></linearGradient></defs>\
                        <path d=\"M0 0h8\" fill=\"url(#a-g)\"/></svg>";
        assert_eq!(kept.as_deref(), Ok(expected));
    }

    #[test]
    fn what_runs_or_refers_to_something_is_refused() {
        for (inside, message) in [
            ("<script>alert(1)</script>", "an icon cannot hold `<script>`"),
            ("<style>*{fill:url(http://a.example)}</style>", "an icon cannot hold `<style>`"),
            ("<foreignObject/>", "an icon cannot hold `<foreignObject>`"),
            ("<image href='a.png'/>", "an icon cannot hold `<image>`"),
            ("<use href='#a'/>", "an icon cannot hold `<use>`"),
            ("<animate attributeName='d'/>", "an icon cannot hold `<animate>`"),
            ("<g onclick='alert(1)'/>", "an icon cannot do anything, so `onclick` has no place in it"),
            ("<g xlink:href='#a'/>", "an icon cannot refer to something else"),
            ("<g fill='url(http://a.example/#b)'/>", "an icon cannot refer to something else"),
            ("<g fill='u rl(//a.example)'/>", "an icon cannot refer to something else"),
            ("<g style='fill:\\75rl(//a.example)'/>", "an icon cannot refer to something else"),
            ("<g fill='url(#nothing)'/>", "an icon cannot refer to something else"),
            ("<g filter='blur(3px)'/>", "an icon has no attribute `filter`"),
        ] {
            assert_eq!(check(inside), Err(message.to_string()), "{inside}");
        }
    }

    #[test]
    fn entities_and_deep_nests_are_refused() {
        let mut sources = Sources::default();
        let bomb = "<!DOCTYPE svg [<!ENTITY a 'aaaa'>]><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/>";
        let file = sources.add("a.svg", bomb.to_string());
        assert!(clean(file, sources.get(file).expect("it was added"), "a").is_err());
        assert!(check(&("<g>".repeat(50) + &"</g>".repeat(50))).is_err());
        assert!(check(&"<g/>".repeat(MOST_NODES as usize)).is_err());
        assert!(check(&format!("<path d='{}'/>", " ".repeat(MOST_BYTES))).is_err());
    }

    #[test]
    fn other_files_are_no_icons() {
        for text in ["", "plain", "<html/>", "<svg/>", "<svg xmlns='http://www.w3.org/2000/svg'/>"] {
            let mut sources = Sources::default();
            let file = sources.add("a.svg", text.to_string());
            assert!(clean(file, sources.get(file).expect("it was added"), "a").is_err(), "{text}");
        }
    }
}
