//! What is said, in the languages it is said in: a file for each. Moves, positions, rule codes and words to type are the same
//! in all of them, and so are the lines about mistakes in them.

mod english;
mod japanese;

use clap::ValueEnum;
use yomikiri_play::Score;
use yomikiri_rules::value::{Outcome, Side};

use super::commands::Mistake;
use super::hint::Valued;
use super::seats::{Seats, Who};
use super::talk::Verdict;
use super::thinking::Source;

/// A language by its usual code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    En,
    Ja,
}

impl Language {
    /// The language that the environment asks for, English if it asks for none of these.
    pub fn of_environment() -> Language {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default();
        if locale.starts_with("ja") { Language::Ja } else { Language::En }
    }

    pub fn phrases(self) -> &'static dyn Phrases {
        match self {
            Language::En => &english::English,
            Language::Ja => &japanese::Japanese,
        }
    }
}

/// Everything that is said, without line breaks at the end.
pub trait Phrases {
    /// The first line: the rule code, how the pieces look, who plays.
    fn opening(&self, code: &str, marks: [&str; 2], seats: Seats) -> String;

    /// How to begin, with a move as an example.
    fn how_to_begin(&self, example: &str) -> String;

    fn help(&self, example: &str) -> String;

    /// The prompt of a side whose pieces look like `mark`, without the blank behind it.
    fn prompt(&self, side: Side, mark: &str) -> String;

    fn prompt_at_end(&self) -> &'static str;

    fn thinks(&self, side: Side) -> String;

    /// Somebody has moved.
    fn plays(&self, side: Side, mv: &str) -> String;

    /// A machine has moved; `opinion` as from [`Phrases::opinion`].
    fn plays_knowing(&self, side: Side, mv: &str, opinion: &str) -> String;

    fn passes(&self, side: Side) -> String;

    /// The board was changed outside the rules.
    fn edited(&self, edit: &str) -> String;

    fn last_move(&self, side: Side, mv: &str) -> String;

    /// What a machine thinks of the move that `side` makes.
    fn opinion(&self, side: Side, source: Source, score: Score) -> String;

    /// What a move comes to, for the side that makes it.
    fn worth(&self, mv: &Valued) -> String;

    fn values(&self, source: Source) -> String;

    /// The best move where not all are known.
    fn best(&self, mv: &str, opinion: &str) -> String;

    fn legal_moves(&self, count: usize) -> String;

    fn result(&self, verdict: &Verdict) -> String;

    fn seated(&self, side: Side, who: Who) -> String;

    fn undone(&self, actions: usize) -> String;

    fn redone(&self, actions: usize) -> String;

    fn nothing_to_undo(&self) -> &'static str;

    fn nothing_to_redo(&self) -> &'static str;

    fn nobody_thinks(&self) -> &'static str;

    fn game_over(&self) -> &'static str;

    fn saved(&self, file: &str) -> String;

    fn file_exists(&self, file: &str) -> String;

    fn which_file(&self) -> &'static str;

    fn loaded(&self, file: &str, moves: usize) -> String;

    fn begun(&self) -> &'static str;

    fn not_saved(&self) -> &'static str;

    /// A remark of a machine, in English.
    fn remark(&self, remark: &str) -> String;

    /// A mistake in a move, a position or a file, in English.
    fn wrong(&self, problem: &str) -> String;

    /// A line that makes no sense.
    fn mistake(&self, mistake: Mistake) -> String;
}

/// The side that has won, or that is ahead by a score for `side`; none if nobody is.
fn winner(side: Side, score: Score) -> Option<Side> {
    let outcome = match score {
        Score::Won(_) => Outcome::Win,
        Score::Lost(_) => Outcome::Loss,
        Score::Decided(outcome) => outcome,
        Score::Points(points) if points > 0 => Outcome::Win,
        Score::Points(points) if points < 0 => Outcome::Loss,
        Score::Drawn | Score::Points(_) | Score::Guess(_) => Outcome::Draw,
    };
    outcome.winner(side)
}

/// A guess in steps of whatever the game counts: "+1.20".
fn guess(hundredths: i32) -> String {
    format!("{:+.2}", f64::from(hundredths) / 100.0)
}

/// What was typed, without what a terminal would obey, and not too much of it.
fn visible(text: &str) -> String {
    const MOST: usize = 60;
    let shown: String = text.chars().flat_map(char::escape_debug).take(MOST).collect();
    if text.chars().count() > MOST { shown + "..." } else { shown }
}
