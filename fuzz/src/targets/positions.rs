//! Positions, moves and board edits in the notation of every game.
//!
//! An input consists of lines: a rule code, a position, then moves and board edits one after the other.

use yomikiri_rules::{AnyGame, Game, Presentation, laws, with_game};

use super::codes::check_error;
use yomikiri_naive as naive;

/// The maximum number of lines that are read after the position.
const MOST_LINES: usize = 40;

/// Reads a position and makes moves from it.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some((code, lines)) = text.split_once('\n') else { return };
    if let Ok(game) = AnyGame::parse(code) {
        let rules = naive_moves(&game);
        with_game!(game, game => read(&game, lines, rules.as_ref()));
    }
}

/// Returns the legal moves of the position with this text.
type NaiveMoves = dyn Fn(&str) -> Vec<String>;

/// Returns the naive move generator of a variant.
fn naive_moves(game: &AnyGame) -> Box<NaiveMoves> {
    use naive::{animal_shogi, binarsi, connect_four, pyonpyon, pyonpyon_shogi, reversi};
    let code = &game.code();
    match game {
        AnyGame::BinarsiPoints(_) => {
            let naive = binarsi::Naive::from_code(code.trim_end_matches("-p"));
            Box::new(move |text| naive.legal_moves(text))
        }
        AnyGame::Binarsi(_) => {
            let naive = binarsi::Naive::from_code(code);
            Box::new(move |text| naive.legal_moves(text))
        }
        AnyGame::AnimalShogi(_) => {
            let naive = animal_shogi::Naive::from_code(code);
            Box::new(move |text| naive.legal_moves(&animal_shogi::read_key(text)))
        }
        AnyGame::Pyonpyon(_) => {
            let naive = pyonpyon::Naive::from_code(code);
            Box::new(move |text| naive.legal_moves(text))
        }
        AnyGame::PyonpyonShogi(_) => {
            let naive = pyonpyon_shogi::Naive::from_code(code);
            Box::new(move |text| naive.legal_moves(text))
        }
        AnyGame::Reversi(_) => {
            let naive = reversi::Naive::from_code(code);
            Box::new(move |text| naive.legal_moves(text))
        }
        AnyGame::ConnectFour(_) => {
            let naive = connect_four::Naive::from_code(code);
            Box::new(move |text| naive.legal_moves(text))
        }
    }
}

/// Checks that no part of an accepted text is ignored. For this it inserts a letter that no notation has, at each place
/// before the `%` of a remark. Each of these texts must be refused.
fn check_all_is_read(text: &str, accepts: impl Fn(&str) -> bool) {
    /// The maximum number of places that are tried. Longer texts repeat the same kinds of words.
    const MOST: usize = 100;
    let told = text.find('%').map_or(text, |remark| &text[..remark]);
    let places = told.char_indices().map(|(place, _)| place).chain([told.len()]);
    for place in places.take(MOST) {
        let spoiled = format!("{}~{}", &text[..place], &text[place..]);
        assert!(!accepts(&spoiled), "{spoiled:?} is accepted");
    }
}

fn read<G: Presentation>(game: &G, lines: &str, naive: &NaiveMoves) {
    let mut lines = lines.lines();
    let text = lines.next().unwrap_or_default();
    match game.parse_suite_line(text) {
        Ok(_) => check_all_is_read(text, |text| game.parse_suite_line(text).is_ok()),
        Err(error) => check_error(&error),
    }
    let mut position = match game.parse_position(text) {
        Ok(position) => position,
        Err(error) => return check_error(&error),
    };
    check_all_is_read(text, |text| game.parse_position(text).is_ok());
    check(game, &position, naive);
    for line in lines.take(MOST_LINES) {
        let after = match game.parse_move(&position, line) {
            Ok(mv) => Some(Ok(game.play(&position, mv))),
            Err(error) => {
                check_error(&error);
                game.edit(&position, line)
            }
        };
        match after {
            Some(Ok(after)) => position = after,
            Some(Err(error)) => check_error(&error),
            None => {}
        }
        check(game, &position, naive);
    }
}

/// Checks a position by the laws that all games obey, and by the naive rules.
fn check<G: Presentation>(game: &G, position: &G::Position, naive: &NaiveMoves) {
    laws::check(game, position);
    let text = game.position_text(position);
    assert!(game.board_text(position).lines().count() < 50, "{text}");
    // A key of animal shogi is a position with Black to move.
    let position = &game.parse_position(&text).expect("the laws hold");
    let mut moves: Vec<String> = game.legal_moves(position).into_iter().map(|mv| game.move_text(mv)).collect();
    let mut expected = naive(&text);
    moves.sort_unstable();
    expected.sort_unstable();
    assert_eq!(moves, expected, "moves of {text} in {}", game.code());
}
