//! Every position of a small pyonpyon board with its value, by the naive rules and the plainest way of working
//! backwards.

use std::collections::HashMap;

use crate::naive::pyonpyon::Naive;

/// A value for the side to move: above 0 won, below 0 lost, the nearer to 0 the further from the end; 0 is a draw.
/// A game that is over is worth [`OVER`] or its negative.
pub type Worth = i32;

pub const OVER: Worth = 1000;

/// What a move is worth to the side that makes it, from what the position after it is worth to the other.
pub fn of_move(worth: Worth) -> Worth {
    -worth + worth.signum()
}

/// Plies to the end; none for a draw.
pub fn plies(worth: Worth) -> Option<u16> {
    (worth != 0).then_some((OVER - worth.abs()) as u16)
}

/// Some positions of a board and all that can follow them.
pub struct NaiveValues {
    pub rules: Naive,
    numbers: HashMap<String, usize>,
    pub positions: Vec<String>,
    /// Moves with the number of the position after them; none where the game is over.
    moves: Vec<Vec<(String, usize)>>,
    /// What the positions are worth in which the game is over; 0 for others.
    over: Vec<Worth>,
    worth: Vec<Worth>,
}

impl NaiveValues {
    /// All positions that can follow the start of a board.
    pub fn new(code: &str) -> NaiveValues {
        let rules = Naive::from_code(code);
        let start = rules.start_text();
        NaiveValues::from(rules, vec![start])
    }

    /// Some different positions and all that can follow them.
    pub fn from(rules: Naive, positions: Vec<String>) -> NaiveValues {
        let numbers = positions.iter().cloned().zip(0..).collect();
        let (moves, over, worth) = (Vec::new(), Vec::new(), Vec::new());
        let mut values = NaiveValues { rules, numbers, positions, moves, over, worth };
        while values.moves.len() < values.positions.len() {
            values.expand(values.moves.len());
        }
        values.worth = values.solved(&[]);
        values
    }

    /// What each position is worth if those with the numbers `drawn` are draws.
    fn solved(&self, drawn: &[usize]) -> Vec<Worth> {
        let mut worth = self.over.clone();
        loop {
            let best = |number: usize| self.moves[number].iter().map(|&(_, child)| of_move(worth[child])).max();
            let value = |number| best(number).filter(|_| !drawn.contains(&number)).unwrap_or(self.over[number]);
            let new: Vec<Worth> = (0..self.moves.len()).map(value).collect();
            if new == worth {
                return worth;
            }
            worth = new;
        }
    }

    /// The best move of a position, with what it is worth, if all of `drawn` are draws when they come again.
    pub fn best_if_drawn(&self, text: &str, drawn: &[String]) -> (&str, Worth) {
        let drawn: Vec<usize> = drawn.iter().map(|text| self.numbers[text]).collect();
        let worth = self.solved(&drawn);
        let moves = self.moves[self.numbers[text]].iter().map(|(mv, child)| (mv.as_str(), of_move(worth[*child])));
        moves.max_by_key(|&(_, worth)| worth).expect("the game goes on")
    }

    fn expand(&mut self, number: usize) {
        let text = self.positions[number].clone();
        let turn = text.chars().last().unwrap();
        self.over.push(self.rules.winner(&text).map_or(0, |winner| if winner == turn { OVER } else { -OVER }));
        let mut moves = Vec::new();
        for mv in self.rules.legal_moves(&text) {
            let child = self.rules.play(&text, &mv);
            let next = self.positions.len();
            let child_number = *self.numbers.entry(child.clone()).or_insert(next);
            if child_number == next {
                self.positions.push(child);
            }
            moves.push((mv, child_number));
        }
        self.moves.push(moves);
    }

    pub fn worth(&self, text: &str) -> Worth {
        self.worth[self.numbers[text]]
    }

    /// Moves with the position after each and what they are worth to the side that makes them.
    pub fn moves(&self, text: &str) -> Vec<(&str, &str, Worth)> {
        let moves = self.moves[self.numbers[text]].iter();
        moves.map(|(mv, child)| (mv.as_str(), self.positions[*child].as_str(), of_move(self.worth[*child]))).collect()
    }

    /// The share of the moves whose worth `is_good` to the side that makes them, as a fraction that can be compared.
    pub fn share(&self, text: &str, is_good: impl Fn(Worth) -> bool) -> f64 {
        let moves = self.moves(text);
        let count = moves.iter().filter(|&&(_, _, worth)| is_good(worth)).count();
        count as f64 / moves.len().max(1) as f64
    }
}
