//! The naive rules of all games behind one face: positions and moves are texts.

use crate::naive::{animal_shogi, binarsi, connect_four, pyonpyon, reversi};
use yomikiri_rules::value::Side;

/// Who has won, `None` being a draw.
pub type Winner = Option<Side>;

/// The rules of a variant.
pub trait Rules {
    fn start(&self) -> String;

    /// The legal moves; none if the game is over.
    fn legal(&self, position: &str) -> Vec<String>;

    fn play(&self, position: &str, mv: &str) -> String;

    /// Who has won, if the game is over.
    fn winner(&self, position: &str) -> Option<Winner>;
}

/// The rules of a code.
pub fn rules(code: &str) -> Box<dyn Rules> {
    match &code[..3] {
        "bin" => Box::new(binarsi::Naive::from_code(code)),
        "con" => Box::new(connect_four::Naive::from_code(code)),
        "pyo" => Box::new(pyonpyon::Naive::from_code(code)),
        "rev" => Box::new(reversi::Naive::from_code(code)),
        _ => Box::new(animal_shogi::Naive::from_code(code)),
    }
}

/// The side of a letter that stands for one.
fn side(letter: char) -> Side {
    if matches!(letter, 'b' | 'x' | 'X') { Side::Black } else { Side::White }
}

impl Rules for binarsi::Naive {
    fn start(&self) -> String {
        self.start_sfen()
    }

    fn legal(&self, position: &str) -> Vec<String> {
        self.legal_moves(position)
    }

    fn play(&self, position: &str, mv: &str) -> String {
        self.play(position, mv)
    }

    fn winner(&self, position: &str) -> Option<Winner> {
        self.ending(position).map(|winner| Some(side(winner)))
    }
}

impl Rules for connect_four::Naive {
    fn start(&self) -> String {
        self.start_text()
    }

    fn legal(&self, position: &str) -> Vec<String> {
        self.legal_moves(position)
    }

    fn play(&self, position: &str, mv: &str) -> String {
        self.play(position, mv)
    }

    fn winner(&self, position: &str) -> Option<Winner> {
        self.end(position).map(|end| match end {
            connect_four::End::Won(winner) => Some(side(winner)),
            connect_four::End::Drawn => None,
        })
    }
}

impl Rules for pyonpyon::Naive {
    fn start(&self) -> String {
        self.start_text()
    }

    fn legal(&self, position: &str) -> Vec<String> {
        if self.winner(position).is_some() { Vec::new() } else { self.legal_moves(position) }
    }

    fn play(&self, position: &str, mv: &str) -> String {
        self.play(position, mv)
    }

    fn winner(&self, position: &str) -> Option<Winner> {
        self.winner(position).map(|winner| Some(side(winner)))
    }
}

impl Rules for reversi::Naive {
    fn start(&self) -> String {
        self.start_text()
    }

    fn legal(&self, position: &str) -> Vec<String> {
        self.legal_moves(position)
    }

    fn play(&self, position: &str, mv: &str) -> String {
        self.play(position, mv)
    }

    fn winner(&self, position: &str) -> Option<Winner> {
        let mover = side(position.chars().last()?);
        self.score(position).map(|score| match score {
            0 => None,
            1.. => Some(mover),
            _ => Some(mover.other()),
        })
    }
}

/// Positions are written as Black sees them: four ranks, the hands, the side to move.
impl Rules for animal_shogi::Naive {
    fn start(&self) -> String {
        write(animal_shogi::start())
    }

    fn legal(&self, position: &str) -> Vec<String> {
        self.legal_moves(&animal_shogi_position(position))
    }

    fn play(&self, position: &str, mv: &str) -> String {
        write(self.play(&animal_shogi_position(position), mv))
    }

    fn winner(&self, position: &str) -> Option<Winner> {
        let position = animal_shogi_position(position);
        self.ending(&position).map(|depth| match depth {
            1 => Some(side(position.turn)),
            0 => Some(side(position.turn).other()),
            _ => None,
        })
    }
}

/// The position that a text of the naive rules is.
pub fn animal_shogi_position(text: &str) -> animal_shogi::Position {
    let (board, turn) = text.rsplit_once('\n').expect("six lines");
    animal_shogi::Position { turn: turn.chars().next().expect("a side"), ..animal_shogi::read_board(board) }
}

fn write(position: animal_shogi::Position) -> String {
    let turn = position.turn;
    format!("{}\n{turn}", animal_shogi::write_board(&animal_shogi::Position { turn: 'b', ..position }))
}
