//! The naive rules of all games behind one interface, with positions and moves as texts.

use yomikiri_naive::{animal_shogi, binarsi, connect_four, pyonpyon, pyonpyon_shogi, reversi};
use yomikiri_rules::Side;

/// The winner of a game, or `None` for a draw.
pub type Winner = Option<Side>;

/// The naive rules of a variant of any game.
pub enum Rules {
    AnimalShogi(animal_shogi::Naive),
    Binarsi(binarsi::Naive),
    ConnectFour(connect_four::Naive),
    Pyonpyon(pyonpyon::Naive),
    PyonpyonShogi(pyonpyon_shogi::Naive),
    Reversi(reversi::Naive),
}

use Rules::{AnimalShogi, Binarsi, ConnectFour, Pyonpyon, PyonpyonShogi, Reversi};

impl Rules {
    pub fn from_code(code: &str) -> Rules {
        match &code[..3] {
            "bin" => Binarsi(binarsi::Naive::from_code(code)),
            "con" => ConnectFour(connect_four::Naive::from_code(code)),
            "pyo" if code.contains('-') => PyonpyonShogi(pyonpyon_shogi::Naive::from_code(code)),
            "pyo" => Pyonpyon(pyonpyon::Naive::from_code(code)),
            "rev" => Reversi(reversi::Naive::from_code(code)),
            _ => AnimalShogi(animal_shogi::Naive::from_code(code)),
        }
    }

    pub fn start(&self) -> String {
        match self {
            AnimalShogi(_) => write(animal_shogi::start()),
            Binarsi(naive) => naive.start_sfen(),
            ConnectFour(naive) => naive.start_text(),
            Pyonpyon(naive) => naive.start_text(),
            PyonpyonShogi(naive) => naive.start_text(),
            Reversi(naive) => naive.start_text(),
        }
    }

    /// Returns the legal moves of a position that is not over.
    pub fn legal_moves(&self, position: &str) -> Vec<String> {
        match self {
            AnimalShogi(naive) => naive.legal_moves(&animal_shogi_position(position)),
            Binarsi(naive) => naive.legal_moves(position),
            ConnectFour(naive) => naive.legal_moves(position),
            Pyonpyon(naive) => naive.legal_moves(position),
            PyonpyonShogi(naive) => naive.legal_moves(position),
            Reversi(naive) => naive.legal_moves(position),
        }
    }

    pub fn play(&self, position: &str, mv: &str) -> String {
        match self {
            AnimalShogi(naive) => write(naive.play(&animal_shogi_position(position), mv)),
            Binarsi(naive) => naive.play(position, mv),
            ConnectFour(naive) => naive.play(position, mv),
            Pyonpyon(naive) => naive.play(position, mv),
            PyonpyonShogi(naive) => naive.play(position, mv),
            Reversi(naive) => naive.play(position, mv),
        }
    }

    /// Returns the winner, or `None` if the game is not over.
    pub fn winner(&self, position: &str) -> Option<Winner> {
        // The last character of a position is the side to move, except in Binarsi.
        let by_score = |score: i32| match (score.signum(), side(position.chars().last().expect("a side"))) {
            (0, _) => None,
            (1, mover) => Some(mover),
            (_, mover) => Some(mover.other()),
        };
        match self {
            AnimalShogi(naive) => naive.ending(&animal_shogi_position(position)).map(|depth| match depth {
                animal_shogi::DRAW => None,
                depth => by_score(2 * depth - 1),
            }),
            Binarsi(naive) => naive.ending(position).map(side).map(Some),
            ConnectFour(naive) => naive.end(position).map(|end| match end {
                connect_four::End::Won(winner) => Some(side(winner)),
                connect_four::End::Drawn => None,
            }),
            Pyonpyon(naive) => naive.winner(position).map(side).map(Some),
            PyonpyonShogi(naive) => match naive.winner(position) {
                Some(winner) => Some(Some(side(winner))),
                None => naive.is_stuck(position).then_some(None),
            },
            Reversi(naive) => naive.score(position).map(by_score),
        }
    }
}

/// Returns the side that a letter in a position means.
fn side(letter: char) -> Side {
    if matches!(letter, 'b' | 'x' | 'X') { Side::Black } else { Side::White }
}

/// Parses a position: the board from Black's point of view, the hands, and a line with the side to move.
pub fn animal_shogi_position(text: &str) -> animal_shogi::Position {
    let (board, turn) = text.rsplit_once('\n').expect("six lines");
    animal_shogi::Position { turn: turn.chars().next().expect("a side"), ..animal_shogi::read_board(board) }
}

fn write(position: animal_shogi::Position) -> String {
    let turn = position.turn;
    format!("{}\n{turn}", animal_shogi::write_board(&animal_shogi::Position { turn: 'b', ..position }))
}
