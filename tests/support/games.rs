//! Games by rule code, their legal moves, and random games.

use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon_shogi::PyonpyonShogi;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{AnyGame, Game, TextError};

use crate::support::random::Random;

/// Defines functions that return the game of a rule code.
macro_rules! parsers {
    ($($name:ident: $game:ty),*) => { $(pub fn $name(code: &str) -> $game { <$game>::parse(code).unwrap() })* };
}

parsers! {
    any: AnyGame, animal_shogi: AnimalShogi, binarsi: Binarsi, connect_four: ConnectFour, pyonpyon: Pyonpyon,
    pyonpyon_shogi: PyonpyonShogi, reversi: Reversi
}

pub fn legal_moves<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    game.legal_moves(position)
}

/// Returns every position of a random game, from the start to its end.
pub fn random_game<G: Game>(game: &G, random: &mut Random) -> Vec<G::Position> {
    random_game_within(game, usize::MAX, random)
}

/// Returns every position of a random game of at most `most` plies, from the start.
pub fn random_game_within<G: Game>(game: &G, most: usize, random: &mut Random) -> Vec<G::Position> {
    let mut played = vec![game.start()];
    while played.len() <= most {
        let here = played[played.len() - 1];
        let moves = legal_moves(game, &here);
        if moves.is_empty() {
            break;
        }
        played.push(game.play(&here, *random.pick(&moves)));
    }
    played
}

/// Checks that an error is one line, has a field and a problem, and contains all of `words`. `input` is the refused
/// text, for messages.
pub fn check_message(error: &TextError, words: &[&str], input: &str) {
    assert!(!error.field.is_empty() && !error.problem.is_empty(), "{input:?}: {error:?}");
    let text = error.to_string();
    assert!(!text.contains('\n'), "{input:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{input:?}: no '{word}' in '{text}'");
    }
}
