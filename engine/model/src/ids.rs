//! Dense ids: after linking, every definition is a small number, an index into a table.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub $inner);

        impl $name {
            /// The index in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                $name(<$inner>::try_from(index).expect("linking bounds the number of definitions"))
            }
        }
    )*};
}

ids! {
    /// A seat at the table.
    Seat(u8);
    /// A resource.
    ResId(u16);
    /// A group of resources.
    GroupId(u16);
    /// A kind of pieces.
    KindId(u16);
    /// A type: one entry of a kind.
    TypeId(u32);
    /// One copy of a type.
    PieceId(u32);
    /// A zone as declared; for a zone of the players, one such id stands for all of theirs.
    ZoneId(u16);
    /// A word of a closed list, such as a colour.
    SymId(u16);
    /// A variable.
    VarId(u16);
    /// A derived value.
    ValueId(u16);
    /// A named set.
    SetId(u16);
    /// An event.
    EventId(u16);
    /// An action.
    ActionId(u16);
    /// A phase.
    PhaseId(u16);
    /// A compiled effect.
    ProgId(u32);
    /// A compiled expression.
    ExprId(u32);
    /// A compiled cost.
    CostId(u32);
    /// A function of a script.
    HookId(u32);
    /// A text that is shown with a decision.
    PromptId(u16);
    /// A symbol that spaces of a zone are marked with.
    MarkId(u16);
    /// An adjacency: it leads from a space to others.
    AdjacencyId(u16);
    /// A standing rule, which is checked after every change.
    StandingId(u16);
    /// A slot in a frame.
    Local(u16);
}
