//! Required attributes of types: attributes without a default that are not optional.
//!
//! If a pack adds such an attribute to a kind of another pack, the types of that pack cannot set it. Then the mistake
//! is at the attribute, not at the types.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_model::{Code, Diagnostic, KindId, Node, Span};

use super::Linker;
use super::patch::Layer;

/// An attribute as a kind declares it.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    /// Its place.
    pub(crate) at: Span,
    /// Its type as written, without the question mark.
    pub(crate) ty: String,
    /// Whether types may leave it out.
    pub(crate) optional: bool,
}

/// The declared attributes, and the types that lack a required one.
#[derive(Debug, Default)]
pub(crate) struct Required {
    /// By kind and name.
    pub(crate) declared: BTreeMap<(KindId, String), Declared>,
    /// The places where types set required attributes.
    pub(super) said: BTreeSet<Span>,
    missing: Vec<Missing>,
}

/// A type that lacks an attribute.
#[derive(Debug)]
struct Missing {
    /// The kind that declares the attribute, and its name.
    attr: (KindId, String),
    path: String,
    at: Span,
}

/// Beyond this number, types that lack an attribute are reported together.
const MANY: usize = 3;

impl Linker<'_> {
    /// Records that a type, or a kind above it, does not set some attributes.
    pub(super) fn lacks(&mut self, path: &str, node: &Node, kind: KindId, attrs: &[String]) {
        // A printing inherits from its type.
        if super::printing_of(node).is_some() {
            return;
        }
        let (of, id) = path.split_once('.').unwrap_or((path, ""));
        let at = self.definitions.kinds.get(of).and_then(|types| types.key_span(id)).unwrap_or(node.span);
        for attr in attrs {
            if let Some(attr) = self.asked_by(kind, attr) {
                self.required.missing.push(Missing { attr, path: path.to_string(), at });
            }
        }
    }

    /// The declaration of an attribute that types of a kind must set: the nearest kind that declares it.
    pub(super) fn asked_by(&self, kind: KindId, attr: &str) -> Option<(KindId, String)> {
        let keys = self.vocabulary.lineage_of(kind).iter().map(|kind| (*kind, attr.to_string()));
        let has_default = keys.clone().any(|key| self.attr_defaults.contains_key(&key));
        let mut declarations = keys.filter_map(|key| Some((self.required.declared.get(&key)?, key)));
        let (nearest, key) = declarations.next()?;
        (!has_default && !nearest.optional).then_some(key)
    }

    /// Reports all types that lack a required attribute, once all types are known.
    pub(super) fn refuse_missing_attributes(&mut self) {
        let declared = std::mem::take(&mut self.required.declared);
        let mut missing = std::mem::take(&mut self.required.missing);
        missing.retain(|one| !self.refuse_taken_away(one, &declared));
        let mut of_kind: BTreeMap<&(KindId, String), Vec<&Missing>> = BTreeMap::new();
        for one in &missing {
            of_kind.entry(&one.attr).or_default().push(one);
        }
        let mut told = BTreeSet::new();
        for (attr, types) in &of_kind {
            let Some(declaration) = declared.get(*attr) else { continue };
            let stranger = types.iter().find(|one| !self.knows(one.at, declaration.at));
            let kind = self.vocabulary.kinds.get_index(attr.0.index()).map_or("", |(name, _)| name.as_str());
            let name = &attr.1;
            let ty = &declaration.ty;
            let found = match stranger {
                Some(one) => Diagnostic::error(
                    Code::MissingAttribute,
                    format!("`{name}` is asked of types that cannot know of it, such as `{}`", one.path),
                )
                .label(declaration.at, format!("added to the kind `{kind}` of another pack"))
                .label(one.at, format!("belongs to a pack that does not build on this one, and has no `{name}`"))
                .help(format!(
                    "make it optional, `{name} = {{ now = \"{ty}?\" }}`, or give it a default: `{name} = {{ now = {{ type = \
                     \"{ty}\", default = … }} }}`"
                )),
                None if types.len() < MANY => continue,
                None => Diagnostic::error(
                    Code::MissingAttribute,
                    format!("several types of the kind `{kind}` have no `{name}`, which is not optional"),
                )
                .at(declaration.at)
                .label(types.first().map_or(declaration.at, |one| one.at), "such as this one")
                .help(format!(
                    "write `{name} = \"{ty}?\"` if types may leave it out, or `{name} = {{ type = \"{ty}\", default = … }}`"
                )),
            };
            told.insert(*attr);
            self.out.push(found);
        }
        let mut of_type: BTreeMap<(Span, &str), Vec<&Missing>> = BTreeMap::new();
        for one in missing.iter().filter(|one| !told.contains(&one.attr)) {
            of_type.entry((one.at, &one.path)).or_default().push(one);
        }
        for ((at, path), attrs) in of_type {
            let names: Vec<String> = attrs.iter().map(|one| format!("`{}`", one.attr.1)).collect();
            let Some(attr) = attrs.first().map(|one| &one.attr) else { continue };
            let (name, Some(Declared { at: declared_at, ty, .. })) = (&attr.1, declared.get(attr)) else { continue };
            self.out.push(
                Diagnostic::error(Code::MissingAttribute, format!("`{path}` has no {}", listed(&names)))
                    .at(at)
                    .label(*declared_at, "every type of the kind needs it: it has no default and is not optional")
                    .help(format!("{} here, or `{name} = \"{ty}?\"` in the kind", what_to_write(name, ty))),
            );
        }
    }

    /// Reports a patch that removes a required attribute, instead of the type, which has it.
    fn refuse_taken_away(&mut self, one: &Missing, declared: &BTreeMap<(KindId, String), Declared>) -> bool {
        let name = &one.attr.1;
        let layers = self.definitions.patched.get(&format!("{}.{name}", one.path));
        let Some(Layer { by, at, below, .. }) = layers.and_then(|layers| layers.last()) else { return false };
        let who = by.mode.as_ref().map_or("a patch".to_string(), |mode| format!("the mode `{mode}`"));
        let message = format!("{who} takes `{name}` away from `{}`, which cannot be without it", one.path);
        let stood = below.as_ref().map(|below| (below.span, "this is taken away"));
        let needed = declared.get(&one.attr).map(|kind| (kind.at, "every type of the kind needs it"));
        let mut found = Diagnostic::error(Code::MissingAttribute, message).at(*at);
        for (at, why) in stood.into_iter().chain(needed) {
            found = found.label(at, why);
        }
        let nothing = match declared.get(&one.attr).map(|kind| kind.ty.as_str()) {
            Some("cost" | "effect") => ", with `\"\"` for nothing",
            _ => "",
        };
        self.out.push(found.help(format!("say what it is then: `{name} = {{ was = …, now = … }}`{nothing}")));
        true
    }

    /// Whether definitions in one file can know those in another one.
    fn knows(&self, of: Span, what: Span) -> bool {
        match (self.files.get(&of.file), self.files.get(&what.file)) {
            (Some(of), Some(what)) => of == what || self.patching.builds_on(of, what),
            _ => true,
        }
    }
}

/// An example value for an attribute.
fn what_to_write(name: &str, ty: &str) -> String {
    match ty {
        "number" => format!("write `{name} = 1`"),
        "yes_no" => format!("write `{name} = true`"),
        "cost" | "effect" => format!("write `{name} = \"…\"`, with `\"\"` for nothing,"),
        _ => format!("write `{name} = \"…\"`"),
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and no {last}", most.join(", no ")),
    }
}
