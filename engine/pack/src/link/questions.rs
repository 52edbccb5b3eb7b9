//! Questions whose texts name something: `title = "Discard {card} of {card.owner}?"`.

use rulepack_expr::{Checker, Expr, with_room};
use rulepack_model::{Code, Diagnostic, Node, PromptId, Table, known_instead};

use super::Linker;
use super::compile::Scope;

/// What stands in braces in a text.
fn places(text: &str) -> Vec<&str> {
    let parts = text.split('{').skip(1);
    parts.filter_map(|part| part.split_once('}')).map(|(inner, _)| inner).filter(|inner| !inner.is_empty()).collect()
}

impl Linker<'_> {
    /// Reads what the texts of questions name.
    pub(super) fn questions(&mut self) {
        let prompts: Vec<(PromptId, Node)> = self
            .vocabulary
            .prompts
            .iter()
            .filter_map(|(id, prompt)| Some((*prompt, self.definitions.get("prompt", id)?.below("title")?.clone())))
            .collect();
        let parses = self.parses;
        self.rules.named_in_prompts = vec![Vec::new(); self.vocabulary.prompts.len()];
        for (prompt, title) in prompts {
            let mut named = Vec::new();
            for text in places(title.as_str().unwrap_or("")) {
                match with_room(text, || parses.expr(text)) {
                    Ok(ast) => named.push((text.to_string(), ast)),
                    Err(error) => self.out.push(
                        Diagnostic::error(error.code, format!("`{{{text}}}` in this text: {}", error.message))
                            .at(title.span)
                            .help("in braces stands what the question is about, such as `{card}` or `{card.owner}`"),
                    ),
                }
            }
            if let Some(all) = self.rules.named_in_prompts.get_mut(prompt.index()) {
                *all = named.iter().map(|(text, _)| text.clone()).collect();
            }
            if !named.is_empty() {
                self.vocabulary.named_in_prompts.insert(prompt, named);
            }
        }
    }

    /// What the text of a question names, with the parameters that are known when it is asked, and the slots for that.
    pub(super) fn named_by(
        &mut self,
        prompt: Option<PromptId>,
        node: Option<&Node>,
        scope: &Scope,
    ) -> (Vec<Expr>, u16) {
        let (Some(prompt), Some(node)) = (prompt, node) else { return (Vec::new(), 0) };
        let mut checker = Checker::new(&mut self.vocabulary, scope.this, &scope.params);
        match checker.named_in(prompt) {
            Ok(named) => (named, checker.locals()),
            Err(error) => {
                let message = format!("this question cannot be asked here: {}", error.message);
                let help = error.help.map(Into::into);
                self.out.push(Diagnostic::error(error.code, message).at(node.span).maybe_help(help));
                (Vec::new(), 0)
            }
        }
    }

    /// Refuses a question that names something where nothing has a name.
    pub(super) fn names_nothing(&mut self, prompt: Option<PromptId>, node: Option<&Node>) -> Option<PromptId> {
        let (prompt, node) = (prompt?, node?);
        if self.vocabulary.named_in_prompts.contains_key(&prompt) {
            let message = "the text of this question names something in braces, and nothing has a name here";
            let help = "write the text without braces, or ask for a parameter or in an effect";
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(node.span).help(help));
        }
        Some(prompt)
    }

    /// Refuses a translation that names something else than the text does.
    pub(super) fn check_translated(&mut self, id: &str, fields: &Table) {
        let Some(title) = fields.get("title") else { return };
        let Some(prompt) = self.vocabulary.prompts.get(id) else { return };
        let known = self.rules.named_in_prompts.get(prompt.index()).map_or(&[][..], Vec::as_slice);
        for text in places(title.as_str().unwrap_or("")) {
            if !known.iter().any(|known| known == text) {
                let message = format!("the translation of `prompt.{id}` names `{text}`, and the text does not");
                let help = known_instead(text, known.iter().map(String::as_str));
                self.out.push(Diagnostic::error(Code::UnknownName, message).at(title.span).maybe_help(help));
            }
        }
    }
}
