//! Asks puzzles and reads the answers line by line, from people at a terminal and from programs.

use std::io::BufReader;

use yomikiri_answer::{Oracle, Puzzle};
use yomikiri_play::input::{Input, Line};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Measure, Notation, Outcome, Presentation, Score, Value};

use super::CommandResult;
use super::error::Failure;
use super::output::{print, write};
use super::settings::sentence;

/// The text before the first puzzle.
const RULES: &str = "Type a move in the game's notation. hint shows the first character of the right move, \
                     skip shows the move, quit ends.";

/// The result of a puzzle.
enum PuzzleResult {
    /// `at_once` is true if the first answer was right and there was no hint.
    Solved {
        at_once: bool,
    },
    Skipped,
    /// The person quit, or the input ended.
    Left,
}

/// Asks for the right move of each position, reads the answers from standard input, and prints the score.
pub fn ask(oracle: &Oracle, positions: &[AnyPosition]) -> CommandResult {
    let mut input = Input::new(BufReader::new(std::io::stdin())).map_err(unreadable)?;
    let (mut shown, mut solved, mut at_once) = (0, 0, 0);
    print(RULES)?;
    for position in positions {
        shown += 1;
        let puzzle = Puzzle::new(oracle, position)?;
        print(&format!("\npuzzle {shown} of {}\n{}", positions.len(), question(oracle.game, &puzzle)))?;
        match (AskedPuzzle { game: oracle.game, puzzle, at_once: true }).ask(&mut input)? {
            PuzzleResult::Solved { at_once: first } => {
                solved += 1;
                at_once += u32::from(first);
            }
            PuzzleResult::Skipped => {}
            PuzzleResult::Left => break,
        }
    }
    print(&format!("\nSolved {solved} of {shown}, {at_once} at once."))
}

fn unreadable(error: std::io::Error) -> Failure {
    Failure::work(error).named("standard input")
}

/// A puzzle that is being asked.
struct AskedPuzzle<'a> {
    game: &'a AnyGame,
    puzzle: Puzzle,
    /// True if the person has given no wrong answer and asked for no hint so far.
    at_once: bool,
}

impl AskedPuzzle<'_> {
    /// Reads answers until one is right, or the puzzle is skipped or left.
    fn ask(mut self, input: &mut Input) -> Result<PuzzleResult, Failure> {
        loop {
            write("Your move: ")?;
            match input.next_line() {
                Line::Text(text) => {
                    if let Some(went) = self.reply(text.trim())? {
                        return Ok(went);
                    }
                }
                Line::Refused { why, .. } => print(&format!("the line {why}"))?,
                Line::End => {
                    // The input ended without a newline after the prompt. This one ends the prompt's line.
                    print("")?;
                    return Ok(PuzzleResult::Left);
                }
                Line::Failed(error) => return Err(unreadable(error)),
            }
        }
    }

    /// Replies to a line. Returns the result if the puzzle is over, or `None` if it goes on.
    fn reply(&mut self, text: &str) -> Result<Option<PuzzleResult>, Failure> {
        let solution = self.game.move_text(self.puzzle.solution());
        let best_play = || format!("Best play: {}", line(self.game, &self.puzzle));
        match text {
            "quit" => return Ok(Some(PuzzleResult::Left)),
            "skip" => {
                print(&format!("It was {solution}. {}", best_play()))?;
                return Ok(Some(PuzzleResult::Skipped));
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
                    return Ok(Some(PuzzleResult::Solved { at_once: self.at_once }));
                }
                Ok(mv) => {
                    self.at_once = false;
                    print(&format!("Wrong: {}.", self.verdict(mv)))?;
                }
            },
        }
        Ok(None)
    }

    /// Describes the outcome of a move: "a3b2 loses in 4 plies".
    fn verdict(&self, mv: AnyMove) -> String {
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
            Measure::Score { score } => {
                match self.game.beyond_points().filter(|_| score.unsigned_abs() == Score::MAX as u8) {
                    Some(beyond) => format!("{name} {verb} {beyond}"),
                    None => format!("{name} {verb} by {}", score.unsigned_abs()),
                }
            }
        }
    }
}

/// Formats the board, the position and the task.
pub fn question(game: &AnyGame, puzzle: &Puzzle) -> String {
    let (mut text, name) = (game.board_text(&puzzle.position), game.position_text(&puzzle.position));
    if !text.ends_with(&name) {
        text += &format!("\n{name}");
    }
    format!("{text}\n{}. Which move?", task(game, puzzle))
}

/// Describes the task: "White to move wins in 5 plies", "Black to move draws".
fn task(game: &AnyGame, puzzle: &Puzzle) -> String {
    let value = puzzle.answer.value;
    let side = game.side(&puzzle.position);
    match value.outcome() {
        Outcome::Draw => format!("{side} to move draws"),
        _ => sentence(game, &puzzle.position, value).replacen(" wins", " to move wins", 1),
    }
}

/// Formats best play from the puzzle's position. The first move is the solution.
pub fn line(game: &AnyGame, puzzle: &Puzzle) -> String {
    game.moves_text(&puzzle.line.iter().map(|step| step.mv).collect::<Vec<_>>())
}
