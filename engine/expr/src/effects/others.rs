//! Steps that set variables or begin something else: events, actions, scripts.

use rulepack_model::Code;

use crate::ast::*;
use crate::check::{Checkable, Checked, Checker, OWNER, number_of_things, single};
use crate::code::*;
use crate::error::ExprError;
use crate::notes::{About, Fact, Note};
use crate::vocabulary::{Subject, Ty};

impl Checker<'_> {
    /// `pick NAME from SET`, by chance.
    pub(super) fn pick(&mut self, name: &NameAst, set: &Ast, secret: bool, ops: &mut Vec<Op>) -> Checked<()> {
        self.note_pick(set)?;
        let (members, ty) = self.set_for(&name.text, set);
        let into = self.bind_from(&name.text, ty, set);
        ops.push(Op::Pick { into, set: members, secret });
        Ok(())
    }

    /// `let NAME = VALUE`
    pub(super) fn give_name(&mut self, name: &NameAst, value: &Ast, ops: &mut Vec<Op>) -> Checked<()> {
        let (given, ty) = match self.check(value)? {
            Checkable::One(given, ty) => (given, ty),
            Checkable::Many(..) | Checkable::Zone(_) | Checkable::Group(_) => return self.name_set(name, value, ops),
            found => single(found, value)?,
        };
        let local = self.bind_from(&name.text, ty, value);
        self.facts.push((local, Fact::Is(given.clone())));
        ops.push(Op::Let(local, given));
        Ok(())
    }

    /// `let NAME = SET`: the members that it has now.
    fn name_set(&mut self, name: &NameAst, value: &Ast, ops: &mut Vec<Op>) -> Checked<()> {
        let (set, ty) = self.set(value)?;
        // No condition of a text before has used the slot, so that its members are found again when the step is repeated.
        self.next = self.next.max(self.most);
        let local = self.bind_from(&name.text, ty, value);
        self.kept.push(local);
        ops.push(Op::Keep(local, set));
        Ok(())
    }

    /// `roll NAME of SIDES`
    pub(super) fn roll(&mut self, name: &NameAst, sides: &Ast, secret: bool, ops: &mut Vec<Op>) -> Checked<()> {
        let sides = self.int(sides)?;
        let into = self.bind(&name.text, Ty::Int);
        self.facts.push((into, Fact::Rolled(sides.clone())));
        ops.push(Op::Roll { into, sides, secret });
        Ok(())
    }

    /// `set NAME = VALUE`
    pub(super) fn set_var(&mut self, target: &Ast, value: &Ast, ops: &mut Vec<Op>) -> Checked<()> {
        let target_expr = self.one(target).map_err(|error| match &target.kind {
            AstKind::Name(name) if error.code == Code::UnknownName => {
                error.help(format!("declare it with `[var.{name}]`, or write `let {name} = …` for a name in this text"))
            }
            _ => error,
        });
        let (mut target_expr, ty) = target_expr?;
        if let Expr::Property(Property::PieceOwner, piece) = target_expr {
            target_expr = self.owner_to_set(piece, target)?;
        }
        let value = self.expect_type(value, ty)?;
        let Expr::Var(var, owner) = target_expr else {
            return Err(
                ExprError::kind(target.at.clone(), "only a variable can be set").help("declare it with `[var.NAME]`")
            );
        };
        ops.push(Op::SetVar { var, owner: owner.map(|owner| *owner), value });
        Ok(())
    }

    /// `set PIECE.owner = …`: the variable that names the owner of a piece in a zone of the table.
    fn owner_to_set(&self, piece: Box<Expr>, target: &Ast) -> Checked<Expr> {
        if let Some((var, Subject::Piece(_), Ty::Seat)) = self.vocabulary.vars.get(OWNER) {
            return Ok(Expr::Var(*var, Some(piece)));
        }
        let message = "a piece belongs to the player in whose zone it is";
        let help = "move it there; if it lies in a zone of the table, declare `[var.owner]` with `of = \"KIND\"` and \
                    `type = \"player\"`";
        Err(ExprError::kind(target.at.clone(), message).help(help))
    }

    /// `end game`, `end game won by PLAYERS`, `end game drawn`
    pub(super) fn end_game(&mut self, winners: &WinnersAst, ops: &mut Vec<Op>) -> Checked<()> {
        let winners = match winners {
            WinnersAst::ByPoints => Winners::ByPoints,
            WinnersAst::Are(players) => Winners::Are(self.seats(players)?),
            WinnersAst::Everybody => Winners::Everybody,
        };
        ops.push(Op::EndGame { winners });
        Ok(())
    }

    /// A player, or a set of players.
    pub(super) fn seats(&mut self, ast: &Ast) -> Checked<Set> {
        match self.check(ast)? {
            Checkable::Many(set, Ty::Seat | Ty::Any) => Ok(set),
            Checkable::One(player, Ty::Seat | Ty::Any) => Ok(Set::One(Box::new(player))),
            _ => self.expect_type(ast, Ty::Seat).map(|player| Set::One(Box::new(player))),
        }
    }

    /// `raise EVENT(…)`
    pub(super) fn raise(&mut self, event: &NameAst, args: &[Ast], at: &At, ops: &mut Vec<Op>) -> Checked<()> {
        let Some((id, types)) = self.vocabulary.events.get(&event.text).cloned() else {
            let known = self.vocabulary.events.keys().map(String::as_str);
            let error = ExprError::name(event.at.clone(), format!("no event is called `{}`", event.text));
            return Err(self.vocabulary.suggestions.add(error, &event.text, known));
        };
        let (args, _) = self.arguments(&event.text, args, &types, at)?;
        ops.push(Op::Raise { event: id, args });
        Ok(())
    }

    /// `do ACTION(…)`
    pub(super) fn perform(
        &mut self,
        action: &NameAst,
        args: &[Ast],
        free: bool,
        at: &At,
        ops: &mut Vec<Op>,
    ) -> Checked<()> {
        let Some((id, types)) = self.vocabulary.actions.get(&action.text).cloned() else {
            let known = self.vocabulary.actions.keys().map(String::as_str);
            let error = ExprError::name(action.at.clone(), format!("no action is called `{}`", action.text));
            return Err(self.vocabulary.suggestions.add(error, &action.text, known));
        };
        let given = types.get(..args.len()).unwrap_or(&types);
        let (args, given) = self.arguments(&action.text, args, given, at)?;
        self.vocabulary.notes.push(Note { at: at.clone(), about: About::Given(id, given), facts: Vec::new() });
        ops.push(Op::Perform { action: id, args, free });
        Ok(())
    }

    /// `file.function(…)`
    pub(super) fn script(&mut self, file: &NameAst, function: &str, args: &[Ast], ops: &mut Vec<Op>) -> Checked<()> {
        let args = args.iter().map(|arg| self.one(arg)).collect::<Checked<Vec<_>>>()?;
        // Without arguments, a script gets the parameters of the action or event.
        let args = if args.is_empty() { self.parameters() } else { args };
        let (args, types) = args.into_iter().unzip();
        let hook = self.vocabulary.hook(&format!("{}.{function}", file.text));
        self.vocabulary.given.entry(hook).or_default().push(types);
        ops.push(Op::Script { hook, args });
        Ok(())
    }

    fn parameters(&self) -> Vec<(Expr, Ty)> {
        self.scope
            .iter()
            .filter(|(name, local, _)| local.0 >= FIRST_PARAM && !name.starts_with(' ') && name != "it")
            .filter(|(_, local, _)| !self.kept.contains(local))
            .map(|(_, local, ty)| (Expr::Local(*local), *ty))
            .collect()
    }

    /// The arguments in brackets after a name, with their types.
    pub(crate) fn arguments(
        &mut self,
        name: &str,
        args: &[Ast],
        types: &[Ty],
        at: &At,
    ) -> Checked<(Vec<Expr>, Vec<Ty>)> {
        if args.len() != types.len() {
            let all: Vec<String> = types.iter().map(|ty| self.describe(*ty)).collect();
            let help = match all.is_empty() {
                true => format!("write `{name}` without brackets"),
                false => format!("write `{name}(…)`, with {} in the brackets", all.join(", ")),
            };
            let message =
                format!("`{name}` takes {} in brackets, here are {}", number_of_things(types.len()), args.len());
            return Err(ExprError::kind(at.clone(), message).help(help));
        }
        let given = args.iter().zip(types).map(|(arg, ty)| match ty {
            Ty::Any => self.one(arg),
            ty => self.expect_type(arg, *ty).map(|expr| (expr, *ty)),
        });
        let given = given.collect();
        Ok(self.all(given)?.into_iter().unzip())
    }
}
