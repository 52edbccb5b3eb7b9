//! Semantic colours of the words inside expressions, which are plain strings for every other tool.

use lsp_types::{
    SemanticToken, SemanticTokenType, SemanticTokens, SemanticTokensLegend, SemanticTokensParams, SemanticTokensResult,
};

use super::Server;
use crate::words::Role;

/// The colours, in the order of their numbers.
const TYPES: [SemanticTokenType; 12] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::NUMBER,
    SemanticTokenType::COMMENT,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::CLASS,
    SemanticTokenType::TYPE,
    SemanticTokenType::EVENT,
    SemanticTokenType::METHOD,
];

pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: Vec::new() }
}

fn colour(role: Role) -> u32 {
    match role {
        Role::Keyword => 0,
        Role::Function | Role::Script => 1,
        Role::Local => 2,
        Role::Field | Role::Key => 3,
        Role::Symbol => 4,
        Role::Number => 5,
        Role::Comment => 6,
        Role::Sign => 7,
        Role::Name => 8,
        Role::Kind => 9,
        Role::Event => 10,
        Role::Action => 11,
    }
}

impl Server {
    pub(super) fn colours(&self, params: &SemanticTokensParams) -> Option<SemanticTokensResult> {
        let (document, room, pack, sort) = self.open_file(params.text_document.uri.as_str())?;
        let words = room.words(&document.text, &sort, &room.world(&pack));
        let (mut line, mut column) = (0, 0);
        let mut data = Vec::new();
        for word in words.iter().filter(|word| word.in_expression) {
            let place = document.lines.place(&document.text, word.at.clone());
            // A word is never longer than its line; one that seems to be was read wrongly.
            if place.start.line != place.end.line || place.start.line < line || place.end <= place.start {
                continue;
            }
            if place.start.line == line && place.start.character < column && !data.is_empty() {
                continue;
            }
            let delta_start =
                if place.start.line == line { place.start.character - column } else { place.start.character };
            data.push(SemanticToken {
                delta_line: place.start.line - line,
                delta_start,
                length: place.end.character - place.start.character,
                token_type: colour(word.role),
                token_modifiers_bitset: 0,
            });
            (line, column) = (place.start.line, place.start.character);
        }
        Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data }))
    }
}
