//! Comparing zones and pieces of the table with a scenario.

use rulepack_kernel::{Value, ZoneIx};
use rulepack_model::{PieceId, ResId};

use super::names::Want;
use super::pieces::{Part, PieceSpec, Stack, Which, ZoneSpec};
use super::when::Play;

impl Play<'_> {
    /// The expected and the actual content of a zone, if they differ.
    pub(super) fn compare_zone(&self, zone: ZoneIx, spec: &ZoneSpec) -> Option<(String, String)> {
        let (rules, state) = (self.rules(), self.game.state());
        let there: Vec<PieceId> = state.zone(zone).filter(|piece| state.host(*piece).is_none()).collect();
        match spec {
            ZoneSpec::Count(count) => {
                (there.len() != *count).then(|| (format!("{count} pieces"), there.len().to_string()))
            }
            ZoneSpec::All(pieces) => {
                (!self.same_pieces(pieces, &there)).then(|| (self.wanted_list(pieces), self.list(&there)))
            }
            ZoneSpec::Spaces(spaces) => {
                let (mut expected, mut actual) = (Vec::new(), Vec::new());
                for (at, stack) in spaces {
                    let here: Vec<PieceId> =
                        there.iter().copied().filter(|piece| state.piece(*piece).at == *at).collect();
                    if let Some((wanted, found)) = self.compare_stack(stack, &here) {
                        let name = rules.zone_of(zone).space_name(*at);
                        expected.push(format!("{name}: {wanted}"));
                        actual.push(format!("{name}: {found}"));
                    }
                }
                (!expected.is_empty()).then(|| (expected.join("; "), actual.join("; ")))
            }
            ZoneSpec::Part(part) => self.compare_part(part, &there),
        }
    }

    fn compare_stack(&self, stack: &Stack, here: &[PieceId]) -> Option<(String, String)> {
        match stack {
            Stack::Exactly(pieces) => {
                (!self.same_stack(pieces, here)).then(|| (self.wanted_list(pieces), self.list(here)))
            }
            Stack::Count(count) => (here.len() != *count).then(|| (format!("{count} pieces"), here.len().to_string())),
            Stack::Places(places) => self.compare_places(places, here),
            Stack::Top(pieces) => {
                let top: Vec<PieceId> = here.iter().rev().take(pieces.len()).copied().collect();
                (!self.same_stack(pieces, &top))
                    .then(|| (format!("{} on top", self.wanted_list(pieces)), self.list(&top)))
            }
        }
    }

    /// Pieces at their places, counted from the top.
    fn compare_places(&self, places: &[(usize, PieceSpec)], here: &[PieceId]) -> Option<(String, String)> {
        places.iter().find_map(|(place, spec)| {
            let there = here.len().checked_sub(*place).and_then(|index| here.get(index)).copied();
            if there.is_some_and(|piece| self.is_piece(spec, piece)) {
                return None;
            }
            let there: Vec<PieceId> = there.into_iter().collect();
            Some((format!("{} at place {place} from the top", self.wanted_piece(spec)), self.list(&there)))
        })
    }

    fn compare_part(&self, part: &Part, there: &[PieceId]) -> Option<(String, String)> {
        let rules = self.rules();
        if let Some(difference) = self.compare_stack(&Stack::Top(part.top.clone()), there) {
            return Some(difference);
        }
        let bottom: Vec<PieceId> = there.iter().take(part.bottom.len()).copied().collect();
        if !self.same_stack(&part.bottom, &bottom) {
            return Some((format!("{} at the bottom", self.wanted_list(&part.bottom)), self.list(&bottom)));
        }
        if let Some(difference) = self.compare_places(&part.places, there) {
            return Some(difference);
        }
        for (ty, count) in &part.counts {
            let found = there.iter().filter(|piece| rules.is_type(rules.type_of(**piece), *ty)).count();
            if found != *count {
                return Some((format!("{count} {}", rules.ty(*ty).name), found.to_string()));
            }
        }
        for spec in &part.pieces {
            if !there.iter().any(|piece| self.is_piece(spec, *piece)) {
                let same: Vec<PieceId> =
                    there.iter().copied().filter(|piece| spec.which.includes(rules, rules.type_of(*piece))).collect();
                return Some((self.wanted_piece(spec), self.list(&same)));
            }
        }
        part.size.filter(|size| *size != there.len()).map(|size| (format!("{size} pieces"), there.len().to_string()))
    }

    /// Whether these are the pieces, in any order.
    fn same_pieces(&self, specs: &[PieceSpec], pieces: &[PieceId]) -> bool {
        if specs.len() != pieces.len() {
            return false;
        }
        let mut left = pieces.to_vec();
        let mut specs: Vec<&PieceSpec> = specs.iter().collect();
        // Pieces with more properties match fewer pieces, so they are matched first. The name of a type matches its
        // printings as well.
        let rules = self.rules();
        let rank = |spec: &PieceSpec| match spec.which {
            Which::Type(ty) if rules.ty(ty).printing_of != ty => 3,
            Which::Type(_) => 2,
            Which::Any(Some(_)) => 1,
            Which::Any(None) => 0,
        };
        specs.sort_by_key(|spec| std::cmp::Reverse((rank(spec), spec.details())));
        specs.into_iter().all(|spec| match left.iter().position(|piece| self.is_piece(spec, *piece)) {
            Some(found) => {
                left.remove(found);
                true
            }
            None => false,
        })
    }

    /// Whether these are the pieces, in this order.
    fn same_stack(&self, specs: &[PieceSpec], pieces: &[PieceId]) -> bool {
        specs.len() == pieces.len() && specs.iter().zip(pieces).all(|(spec, piece)| self.is_piece(spec, *piece))
    }

    /// Whether a piece has the described properties; others are not compared.
    fn is_piece(&self, spec: &PieceSpec, piece: PieceId) -> bool {
        let (rules, state) = (self.rules(), self.game.state());
        let now = state.piece(piece);
        let owner = Value::Piece(piece);
        let is_value = |(var, want): &(_, Want)| self.fits(*want, state.var(rules, *var, Some(owner)));
        spec.which.includes(rules, rules.type_of(piece))
            && spec.held.iter().all(|held| state.held(rules, piece, held.res) == held.amount)
            && spec.sums.iter().all(|(group, sum)| {
                let members = rules.members(*group).iter();
                members.map(|res| i64::from(state.held(rules, piece, *res))).sum::<i64>() == *sum
            })
            && spec.face_down.is_none_or(|down| now.face_down == down)
            && spec.flipped.is_none_or(|flipped| now.flipped == flipped)
            && spec.seen_by.as_ref().is_none_or(|seats| state.seen_lastingly_by(piece).eq(seats.iter().copied()))
            && spec.on.as_ref().is_none_or(|on| self.same_pieces(on, &state.attached(piece).collect::<Vec<_>>()))
            && spec.vars.iter().all(is_value)
            && spec.values.iter().all(|(value, want)| self.fits(*want, self.derived(*value, owner)))
            && spec.attributes.iter().all(|(attr, printed)| self.is_printed(piece, *attr, printed))
    }
}

impl PieceSpec {
    fn details(&self) -> usize {
        let flags = [self.on.is_some(), self.face_down.is_some(), self.flipped.is_some(), self.seen_by.is_some()];
        let lists = [self.held.len(), self.sums.len(), self.vars.len(), self.values.len(), self.attributes.len()];
        lists.into_iter().chain([flags.into_iter().filter(|said| *said).count()]).sum()
    }
}

impl Play<'_> {
    fn list(&self, pieces: &[PieceId]) -> String {
        if pieces.is_empty() {
            return "nothing".into();
        }
        pieces.iter().map(|piece| self.described(*piece)).collect::<Vec<_>>().join(", ")
    }

    /// A piece with all that is on it.
    fn described(&self, piece: PieceId) -> String {
        let (rules, state) = (self.rules(), self.game.state());
        let name = &rules.ty(rules.type_of(piece)).name;
        let mut details = Vec::new();
        for (index, resource) in rules.resources.iter().enumerate() {
            match state.held(rules, piece, ResId::from(index)) {
                0 => {}
                amount => details.push(format!("{amount} {}", resource.name)),
            }
        }
        details.extend(state.attached(piece).map(|rider| self.described(rider)));
        if state.owner_of_its_zone(rules, piece).is_none()
            && let Some(owner) = state.owner(rules, piece)
        {
            details.push(format!("of {}", self.name(owner)));
        }
        if state.piece(piece).face_down {
            details.push("face down".into());
        }
        if state.piece(piece).flipped {
            details.push("flipped".into());
        }
        let seen_by: Vec<String> = state.seen_lastingly_by(piece).map(|seat| self.name(seat)).collect();
        if !seen_by.is_empty() {
            details.push(format!("seen by {}", seen_by.join(" and ")));
        }
        if details.is_empty() { name.clone() } else { format!("{name} ({})", details.join(", ")) }
    }

    fn wanted_list(&self, specs: &[PieceSpec]) -> String {
        if specs.is_empty() {
            return "nothing".into();
        }
        specs.iter().map(|spec| self.wanted_piece(spec)).collect::<Vec<_>>().join(", ")
    }

    /// A piece with its described properties.
    fn wanted_piece(&self, spec: &PieceSpec) -> String {
        let rules = self.rules();
        let name = spec.which.name(rules);
        let mut details: Vec<String> =
            spec.held.iter().map(|held| format!("{} {}", held.amount, rules.resource(held.res).name)).collect();
        details.extend(spec.sums.iter().map(|(group, sum)| format!("{sum} {}", rules.group(*group).name)));
        match spec.on.as_deref() {
            None => {}
            Some([]) => details.push("nothing on it".into()),
            Some(on) => details.extend(on.iter().map(|spec| self.wanted_piece(spec))),
        }
        let flags = [(spec.face_down, "face down"), (spec.flipped, "flipped")];
        details.extend(flags.into_iter().filter_map(|(flag, words)| {
            flag.map(|flag| if flag { words.to_string() } else { format!("not {words}") })
        }));
        match spec.seen_by.as_deref() {
            None => {}
            Some([]) => details.push("seen by nobody".into()),
            Some(seats) => {
                let names: Vec<String> = seats.iter().map(|seat| self.name(*seat)).collect();
                details.push(format!("seen by {}", names.join(" and ")));
            }
        }
        let owner = spec.owner(rules);
        details.extend(owner.map(|owner| format!("of {}", self.name(owner))));
        let numbers: usize =
            [spec.vars.len().saturating_sub(usize::from(owner.is_some())), spec.values.len(), spec.attributes.len()]
                .into_iter()
                .sum();
        if numbers > 0 {
            details.push("with the values given".into());
        }
        if details.is_empty() { name } else { format!("{name} ({})", details.join(", ")) }
    }
}
