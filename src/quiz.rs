//! Puzzles as questions and answers, line by line: for people at a terminal and for programs.

use std::io::BufReader;

use yomikiri_answer::{Oracle, Puzzle};
use yomikiri_play::input::{Input, Line};
use yomikiri_rules::{Measure, Outcome, Score, Value};
use yomikiri_solve::Solvable;

use super::Done;
use super::error::Failure;
use super::output::{print, write};
use super::settings::sentence;

/// What is said first.
const RULES: &str = "Type a move in the game's notation; hint tells how the move begins, skip shows it, quit ends.";

/// How a puzzle went.
enum Went {
    /// `at_once`: by the first answer, without a hint.
    Solved {
        at_once: bool,
    },
    Skipped,
    /// Nobody answers any more.
    Left,
}

/// Asks for the right move of each position, answers read from standard input, and counts.
pub fn ask<G: Solvable>(oracle: &Oracle<G>, positions: &[G::Position]) -> Done {
    let mut input = Input::new(BufReader::new(std::io::stdin())).map_err(unreadable)?;
    let (mut shown, mut solved, mut at_once) = (0, 0, 0);
    print(RULES)?;
    for position in positions {
        shown += 1;
        let puzzle = Puzzle::new(oracle, position)?;
        print(&format!("\npuzzle {shown} of {}\n{}", positions.len(), question(oracle.game, &puzzle)))?;
        match (Asked { game: oracle.game, puzzle, at_once: true }).ask(&mut input)? {
            Went::Solved { at_once: first } => {
                solved += 1;
                at_once += u32::from(first);
            }
            Went::Skipped => {}
            Went::Left => break,
        }
    }
    print(&format!("\nSolved {solved} of {shown}, {at_once} at once."))
}

fn unreadable(error: std::io::Error) -> Failure {
    Failure::Work(format!("standard input: {error}"))
}

/// A puzzle somebody is asked about.
struct Asked<'a, G: Solvable> {
    game: &'a G,
    puzzle: Puzzle<G>,
    /// Neither a wrong answer nor a hint so far.
    at_once: bool,
}

impl<G: Solvable> Asked<'_, G> {
    /// Reads answers until one is right or nobody wants to answer any more.
    fn ask(mut self, input: &mut Input) -> Result<Went, Failure> {
        loop {
            write("Your move: ")?;
            match input.take() {
                Line::Text(text) => {
                    if let Some(went) = self.reply(text.trim())? {
                        return Ok(went);
                    }
                }
                Line::Refused(why) => print(&format!("the line {why}"))?,
                Line::End => {
                    // The prompt's line has no other end.
                    print("")?;
                    return Ok(Went::Left);
                }
                Line::Failed(error) => return Err(unreadable(error)),
            }
        }
    }

    /// Answers a line; says how the puzzle went if it is over.
    fn reply(&mut self, text: &str) -> Result<Option<Went>, Failure> {
        let solution = self.game.move_text(self.puzzle.solution());
        let best_play = || format!("Best play: {}", line(self.game, &self.puzzle));
        match text {
            "quit" => return Ok(Some(Went::Left)),
            "skip" => {
                print(&format!("It was {solution}. {}", best_play()))?;
                return Ok(Some(Went::Skipped));
            }
            "hint" => {
                self.at_once = false;
                let first: String = solution.chars().take(1).collect();
                print(&format!("The move begins with {first}."))?;
            }
            text => match self.game.parse_move(&self.puzzle.position, text) {
                Err(error) => print(&error.to_string())?,
                Ok(mv) if mv == self.puzzle.solution() => {
                    print(&format!("Right. {}", best_play()))?;
                    return Ok(Some(Went::Solved { at_once: self.at_once }));
                }
                Ok(mv) => {
                    self.at_once = false;
                    print(&format!("Wrong: {}.", self.verdict(mv)))?;
                }
            },
        }
        Ok(None)
    }

    /// What a move leads to: "a3b2 loses in 4 plies".
    fn verdict(&self, mv: G::Move) -> String {
        let name = self.game.move_text(mv);
        let ranked = self.puzzle.answer.moves.iter().find(|ranked| ranked.mv == mv);
        let Some(value) = ranked.map(|ranked| ranked.value) else { return format!("{name} is another move") };
        let verb = match value.outcome() {
            Outcome::Win => "wins",
            Outcome::Draw => return format!("{name} draws"),
            Outcome::Loss => "loses",
        };
        match value.measure() {
            Measure::Distance { plies } => plies.map_or(String::new(), |plies| format!("{name} {verb} in {plies}")),
            Measure::Score { score } => match G::BEYOND_POINTS.filter(|_| score.unsigned_abs() == Score::MOST as u8) {
                Some(beyond) => format!("{name} {verb} {beyond}"),
                None => format!("{name} {verb} by {}", score.unsigned_abs()),
            },
        }
    }
}

/// Board, position and what to find, in lines.
pub fn question<G: Solvable>(game: &G, puzzle: &Puzzle<G>) -> String {
    let (mut text, name) = (game.board_text(&puzzle.position), game.position_text(&puzzle.position));
    if !text.ends_with(&name) {
        text += &format!("\n{name}");
    }
    format!("{text}\n{}. Which move?", task(game, puzzle))
}

/// "White to move wins in 5 plies", "Black to move draws".
fn task<G: Solvable>(game: &G, puzzle: &Puzzle<G>) -> String {
    let value = puzzle.answer.value;
    let side = game.side(&puzzle.position);
    match value.outcome() {
        Outcome::Draw => format!("{side} to move draws"),
        _ => sentence(game, &puzzle.position, value).replacen(" wins", " to move wins", 1),
    }
}

/// Best play, from the solution on.
pub fn line<G: Solvable>(game: &G, puzzle: &Puzzle<G>) -> String {
    game.moves_text(&puzzle.line.iter().map(|step| step.mv).collect::<Vec<_>>())
}
