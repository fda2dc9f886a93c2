//! Laws that every game must obey, checked on positions that the caller chooses. Each function panics with the
//! position's text at the first violation. Tests call them for many games and rule codes.

use std::collections::HashSet;

use super::{Acyclic, Notation, key_text};

/// Checks one position against the laws that hold in every game.
pub fn check<G: Notation>(game: &G, position: &G::Position) {
    canonical_is_fixed(game, position);
    if game.has_keys() {
        key_round_trip(game, position);
    }
    text_round_trip(game, position);
    moves_agree_with_end(game, position);
    symmetry_keeps_children(game, position);
}

/// Checks that `canonical` is idempotent.
pub fn canonical_is_fixed<G: Notation>(game: &G, position: &G::Position) {
    let text = game.position_text(position);
    let canonical = game.canonical(position);
    assert_eq!(game.canonical(&canonical), canonical, "canonical form of {text} is not a fixed point");
}

/// Checks that a position and its canonical form have the same key, and that `unrank` and the text of the key give the
/// canonical form.
pub fn key_round_trip<G: Notation>(game: &G, position: &G::Position) {
    let text = game.position_text(position);
    let canonical = game.canonical(position);
    let key = game.rank(position);
    assert_eq!(game.rank(&canonical), key, "{text} and its canonical form have different keys");
    assert_eq!(game.unrank(key), Some(canonical), "key {key} of {text} does not unrank to the canonical form");
    let read = game.parse_position(&key_text(key));
    assert_eq!(read, Ok(canonical), "the text of key {key} reads back as another position");
}

/// Checks that the text of a position reads back as the same position, and the text of each legal move as the same
/// move.
pub fn text_round_trip<G: Notation>(game: &G, position: &G::Position) {
    let text = game.position_text(position);
    assert_eq!(game.parse_position(&text).as_ref(), Ok(position), "{text} reads back as another position");
    for mv in game.legal_moves(position) {
        let name = game.move_text(mv);
        assert_eq!(game.parse_move(position, &name), Ok(mv), "move {name} of {text} reads back as another");
    }
}

/// Checks that a position has moves if and only if it has no terminal value, that it has a terminal value if
/// [`is_terminal`](super::Game::is_terminal) is true, and that [`each_next`](super::Game::each_next) visits the
/// position after each move.
pub fn moves_agree_with_end<G: Notation>(game: &G, position: &G::Position) {
    let moves = game.legal_moves(position);
    let text = game.position_text(position);
    assert_eq!(
        moves.is_empty(),
        game.terminal_value(position).is_some(),
        "{text} has both or neither of legal moves and a terminal value"
    );
    if game.is_terminal(position) {
        assert!(game.terminal_value(position).is_some(), "{text} is terminal but has no terminal value");
    }
    let (mut played, mut next) = (moves.iter().map(|&mv| game.play(position, mv)), 0);
    game.each_next(position, &mut Vec::new(), |child| {
        assert_eq!(
            played.next().as_ref(),
            Some(child),
            "{text}: child {next} of `each_next` is not the position after move {next}"
        );
        next += 1;
    });
    assert_eq!(next, moves.len(), "{text}: `each_next` does not visit one child for each move");
}

/// Checks that a position and its canonical form have the same terminal value, and that their children have the same
/// canonical forms.
pub fn symmetry_keeps_children<G: Notation>(game: &G, position: &G::Position) {
    let canonical = game.canonical(position);
    let text = game.position_text(position);
    assert_eq!(
        game.terminal_value(position),
        game.terminal_value(&canonical),
        "{text}: terminal value changes under symmetry"
    );
    assert_eq!(children(game, position), children(game, &canonical), "{text}: children change under symmetry");
}

/// Checks that a position and its canonical form have the same side to move. [`check`] leaves this law out, because in
/// some games a symmetry exchanges the sides.
pub fn symmetry_keeps_side<G: Notation>(game: &G, position: &G::Position) {
    let text = game.position_text(position);
    assert_eq!(game.side(position), game.side(&game.canonical(position)), "{text}: side changes under symmetry");
}

/// Checks that every move lowers [`Acyclic::plies_left`], that a position and its canonical form have the same bound,
/// and that the bound is 0 only if the game is over.
pub fn plies_left_fall<G: Acyclic + Notation>(game: &G, position: &G::Position) {
    let (left, text) = (game.plies_left(position), game.position_text(position));
    assert_eq!(game.plies_left(&game.canonical(position)), left, "{text}: plies left change under symmetry");
    assert!(left > 0 || game.terminal_value(position).is_some(), "{text}: no plies are left, but the game is not over");
    for mv in game.legal_moves(position) {
        let after = game.plies_left(&game.play(position, mv));
        assert!(after < left, "{text}: {after} plies left after {}, {left} before", game.move_text(mv));
    }
}

fn children<G: Notation>(game: &G, position: &G::Position) -> HashSet<G::Position> {
    let moves = game.legal_moves(position).into_iter();
    moves.map(|mv| game.canonical(&game.play(position, mv))).collect()
}
