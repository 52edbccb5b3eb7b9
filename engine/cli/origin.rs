//! The origin of the fields of a definition: the pack and place of each, and the values that patches have replaced.

use rulepack_model::visible::joined;
use rulepack_model::{Node, Sources, Span, Value};
use rulepack_pack::{Catalogue, Layer, PatchAuthor};
use serde::Serialize;

/// A field of a definition, with its present value and the replaced ones.
#[derive(Serialize)]
pub struct Field {
    /// Its key; keys of inner tables are joined by dots.
    pub key: String,
    /// The present value.
    #[serde(flatten)]
    pub now: Stand,
    /// The replaced values; the oldest is the last.
    pub below: Vec<Stand>,
}

/// A value, with its pack and place.
#[derive(Serialize)]
pub struct Stand {
    /// The value; `null` if there was none.
    pub value: Option<String>,
    /// The pack that wrote it.
    pub pack: String,
    /// The file.
    pub path: String,
    /// The line.
    pub line: usize,
    /// The patch, if it was one.
    pub patched_by: Option<By>,
}

/// A pack or one of its modes.
#[derive(Serialize)]
pub struct By {
    /// The pack.
    pub pack: String,
    /// The mode, if the patch belongs to one.
    pub mode: Option<String>,
}

/// All fields of a definition.
pub fn fields(node: &Node, path: &str, catalogue: &Catalogue, sources: &Sources) -> Vec<Field> {
    let mut origin = Origin { path, catalogue, sources, fields: Vec::new() };
    origin.collect(node, "");
    origin.taken_away(node);
    origin.fields
}

/// What the definition of a list of types says about a type, or about all of them.
pub fn made(key: &str, value: String, at: Span, catalogue: &Catalogue, sources: &Sources) -> Field {
    let (path, line, _) = sources.position(at);
    let pack = catalogue.pack_of(at).to_string();
    Field {
        key: key.to_string(),
        now: Stand { value: Some(value), pack, path, line, patched_by: None },
        below: Vec::new(),
    }
}

struct Origin<'a> {
    path: &'a str,
    catalogue: &'a Catalogue,
    sources: &'a Sources,
    fields: Vec<Field>,
}

impl Origin<'_> {
    /// Every field below a node, inner tables too.
    fn collect(&mut self, node: &Node, key: &str) {
        if let Value::Table(table) = &node.value {
            for (name, entry) in table.iter() {
                let key = if key.is_empty() { name.to_string() } else { format!("{key}.{name}") };
                self.collect(&entry.node, &key);
            }
            return;
        }
        self.field(key, Some(node));
    }

    /// Fields that a patch removed.
    fn taken_away(&mut self, node: &Node) {
        let inside = format!("{}.", self.path);
        let below = self.catalogue.definitions.patched.range(inside.clone()..);
        for (path, _) in below.take_while(|(path, _)| path.starts_with(&inside)) {
            let key = &path[inside.len()..];
            if descend(node, key).is_none() {
                self.field(key, None);
            }
        }
    }

    fn field(&mut self, key: &str, node: Option<&Node>) {
        let layers = self.layers(key);
        let mut stands = Vec::new();
        let mut value = node.cloned();
        for (layer, below) in layers.iter().rev() {
            stands.push(self.stand(value.as_ref(), layer.at, Some(&layer.by)));
            value.clone_from(below);
        }
        if let Some(first) = &value {
            stands.push(self.stand(Some(first), first.span, None));
        }
        let mut stands = stands.into_iter();
        if let Some(now) = stands.next() {
            self.fields.push(Field { key: key.to_string(), now, below: stands.collect() });
        }
    }

    /// The patches of a field and of the tables around it, the oldest first, each with the old value.
    fn layers(&self, key: &str) -> Vec<(&Layer, Option<Node>)> {
        let whole = format!("{}.{key}", self.path);
        let start = self.path.len() + 1;
        let ends = whole.match_indices('.').map(|(end, _)| end).filter(|end| *end >= start).chain([whole.len()]);
        let mut layers = Vec::new();
        for end in ends {
            let rest = whole.get(end + 1..).unwrap_or("");
            for layer in self.catalogue.definitions.patched.get(&whole[..end]).into_iter().flatten() {
                let below = layer.below.as_ref().and_then(|below| descend(below, rest)).cloned();
                layers.push((layer, below));
            }
        }
        layers.sort_by_key(|(layer, _)| layer.number);
        layers
    }

    fn stand(&self, value: Option<&Node>, at: Span, by: Option<&PatchAuthor>) -> Stand {
        let (path, line, _) = self.sources.position(at);
        Stand {
            value: value.map(shown),
            pack: self.catalogue.pack_of(at).to_string(),
            path,
            line,
            patched_by: by.map(|by| By { pack: by.pack.clone(), mode: by.mode.clone() }),
        }
    }
}

impl Field {
    /// For people.
    pub fn text(&self, width: usize) -> String {
        let now = format!("{:width$} = {}", self.key, self.now.text());
        joined(std::iter::once(now).chain(self.below.iter().map(|below| format!("{:width$} < {}", "", below.text()))))
    }
}

impl Stand {
    fn text(&self) -> String {
        let Stand { value, pack, path, line, patched_by } = self;
        let value = value.as_deref().unwrap_or("(nothing)");
        let by = match patched_by {
            Some(By { mode: Some(mode), .. }) => format!(", patched by its mode {mode}"),
            Some(By { mode: None, .. }) => ", patched".to_string(),
            None => String::new(),
        };
        format!("{value}    {path}:{line} ({pack}{by})")
    }
}

fn descend<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    key.split('.').filter(|part| !part.is_empty()).try_fold(node, |node, part| node.below(part))
}

/// A value as it is written in TOML.
pub fn shown(node: &Node) -> String {
    match &node.value {
        Value::Str(text) => format!("{text:?}"),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Date(date) => date.clone(),
        Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Table(table) => {
            let fields: Vec<String> =
                table.iter().map(|(key, entry)| format!("{key} = {}", shown(&entry.node))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
    }
}
