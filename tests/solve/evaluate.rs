//! Tests that evaluations and fingerprints are the same for a position and its canonical form.

use crate::support::games::{
    animal_shogi, binarsi, connect_four, pyonpyon, pyonpyon_shogi, random_game_within, reversi,
};
use crate::support::random::Random;
use yomikiri_search::Searchable;

/// The maximum number of plies of a random game, for games that need not end.
const PLIES: usize = 50;

fn check_symmetry<G: Searchable>(game: &G) {
    let (evaluator, mut random) = (game.evaluator(), Random::new(1));
    for position in (0..20).flat_map(|_| random_game_within(game, PLIES, &mut random)) {
        let canonical = game.canonical(&position);
        let text = format!("{} of {}", game.position_text(&position), game.code());
        assert_eq!(evaluator.evaluate(&position), evaluator.evaluate(&canonical), "{text}");
        assert_eq!(evaluator.fingerprint(&position), evaluator.fingerprint(&canonical), "{text}");
    }
}

#[test]
fn symmetric_positions_are_guessed_alike() {
    ["bin7x6", "bin4x5-n", "bin3x3"].iter().for_each(|code| check_symmetry(&binarsi(code)));
    ["con7x6", "con8x8", "con5x4-k3", "con6x7-k5"].iter().for_each(|code| check_symmetry(&connect_four(code)));
    ["rev8x8", "rev6x6", "rev5x4"].iter().for_each(|code| check_symmetry(&reversi(code)));
    ["pyon", "pyon4x5"].iter().for_each(|code| check_symmetry(&pyonpyon(code)));
    ["pyon-PNSGP", "pyon4x5B-LNBR"].iter().for_each(|code| check_symmetry(&pyonpyon_shogi(code)));
    ["val1n", "vql1nT"].iter().for_each(|code| check_symmetry(&animal_shogi(code)));
}
