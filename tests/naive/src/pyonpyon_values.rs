//! Values of all positions of a small pyonpyon board, by the naive rules and the simplest backward induction.

use std::collections::HashMap;

use super::pyonpyon::Naive;

/// A value for the side to move: positive if it wins, negative if it loses, 0 for a draw. The value is [`OVER`] or
/// `-OVER` if the game is over, and one closer to 0 for each ply that is left.
pub type NaiveValue = i32;

pub const OVER: NaiveValue = 1000;

/// Returns the value of a move for the side that makes it, from the value of the position after it.
pub fn value_of_move(value: NaiveValue) -> NaiveValue {
    -value + value.signum()
}

/// Returns the number of plies to the end, or `None` for a draw.
pub fn plies(value: NaiveValue) -> Option<u16> {
    (value != 0).then_some((OVER - value.abs()) as u16)
}

/// The values of some positions and of all positions that can follow them.
pub struct NaiveValues {
    pub rules: Naive,
    numbers: HashMap<String, usize>,
    pub positions: Vec<String>,
    /// The moves of each position, each with the index of the position after it. Empty if the game is over.
    moves: Vec<Vec<(String, usize)>>,
    /// The value of each position in which the game is over, and 0 for the others.
    over: Vec<NaiveValue>,
    values: Vec<NaiveValue>,
}

impl NaiveValues {
    /// Solves all positions that can arise from the start of a board.
    pub fn new(code: &str) -> NaiveValues {
        let rules = Naive::from_code(code);
        let start = rules.start_text();
        NaiveValues::from(rules, vec![start])
    }

    /// Solves these positions, which must all be different, and all positions that can follow them.
    pub fn from(rules: Naive, positions: Vec<String>) -> NaiveValues {
        let numbers = positions.iter().cloned().zip(0..).collect();
        let (moves, over, values) = (Vec::new(), Vec::new(), Vec::new());
        let mut solution = NaiveValues { rules, numbers, positions, moves, over, values };
        while solution.moves.len() < solution.positions.len() {
            solution.expand(solution.moves.len());
        }
        solution.values = solution.solved(&[]);
        solution
    }

    /// Returns the value of each position, by index, if the positions with the indices `drawn` count as draws.
    fn solved(&self, drawn: &[usize]) -> Vec<NaiveValue> {
        let mut values = self.over.clone();
        loop {
            let best = |number: usize| self.moves[number].iter().map(|&(_, child)| value_of_move(values[child])).max();
            let value = |number| best(number).filter(|_| !drawn.contains(&number)).unwrap_or(self.over[number]);
            let new: Vec<NaiveValue> = (0..self.moves.len()).map(value).collect();
            if new == values {
                return values;
            }
            values = new;
        }
    }

    /// Returns the best move of a position and its value for the side that makes it, if the positions in `drawn` count
    /// as draws. Panics if the game is over.
    pub fn best_if_drawn(&self, text: &str, drawn: &[String]) -> (&str, NaiveValue) {
        let drawn: Vec<usize> = drawn.iter().map(|text| self.numbers[text]).collect();
        let values = self.solved(&drawn);
        let moves =
            self.moves[self.numbers[text]].iter().map(|(mv, child)| (mv.as_str(), value_of_move(values[*child])));
        moves.max_by_key(|&(_, value)| value).expect("the game goes on")
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

    pub fn value(&self, text: &str) -> NaiveValue {
        self.values[self.numbers[text]]
    }

    /// Returns the moves of a position, each with the position after it and the value for the side that makes the move.
    pub fn moves(&self, text: &str) -> Vec<(&str, &str, NaiveValue)> {
        let moves = self.moves[self.numbers[text]].iter();
        moves
            .map(|(mv, child)| (mv.as_str(), self.positions[*child].as_str(), value_of_move(self.values[*child])))
            .collect()
    }

    /// Returns the share of the moves of a position for whose value `is_good` returns true, from 0 to 1. It is 0 if the
    /// game is over.
    pub fn share(&self, text: &str, is_good: impl Fn(NaiveValue) -> bool) -> f64 {
        let moves = self.moves(text);
        let count = moves.iter().filter(|&&(_, _, value)| is_good(value)).count();
        count as f64 / moves.len().max(1) as f64
    }
}
