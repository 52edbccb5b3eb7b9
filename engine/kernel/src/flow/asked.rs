//! What the text of a question names: `"Discard {card} of {card.owner}?"`. The values are worked out when the player is
//! asked; `text/words.rs` puts them into words, for each viewer as this viewer sees them.

use rulepack_expr::Expr;

use crate::eval::expressions::copied;
use crate::flow::decision::{Ask, Question};
use crate::flow::frame::Frame;
use crate::flow::machine::Machine;
use crate::hidden::sight::{SeenBy, seen_by};
use crate::state::value::Value;

impl Machine<'_> {
    /// The values that the text of a question names.
    #[inline]
    pub(crate) fn named_by(&self, question: &Question) -> Vec<(Value, SeenBy)> {
        if self.rules.facts.names_in_questions { self.values_named(question) } else { Vec::new() }
    }

    #[inline(never)]
    fn values_named(&self, question: &Question) -> Vec<(Value, SeenBy)> {
        if question.ask.prompt().is_none() {
            return Vec::new();
        }
        let (exprs, locals) = if let Some(Frame::Run(run)) = self.state.top_frame() {
            (self.rules.programs[run.program.index()].program.named_at(run.pc), &run.locals)
        } else if let (Ask::Param(action, number, _), Some(Frame::Action(frame))) =
            (question.ask, self.state.top_frame())
        {
            let params = &self.rules.actions[action.index()].params;
            (params.get(usize::from(number)).map_or(&[][..], |param| param.named.as_slice()), &frame.locals)
        } else {
            return Vec::new();
        };
        let (eval, mut locals) = (self.eval(), copied(locals));
        let value = |expr: &Expr| {
            let value = eval.expr(expr, &mut locals);
            let who = value.piece().map_or(SeenBy::ALL, |piece| seen_by(self.rules, self.state, piece));
            (value, who)
        };
        exprs.iter().map(value).collect()
    }
}
