//! The result of a search for a position, as text and as JSON.

use std::time::{Duration, Instant};

use yomikiri_answer::{KeyText, SearchReport};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, AnyValue, Game, Measure, Notation, Presentation, Value};
use yomikiri_search::{Search, Solution, best_line};
use yomikiri_solve::Result;
use yomikiri_table::{Progress, Silent};

use crate::output::{grouped, note};
use crate::settings::{final_sentence, sentence};

/// The solution of a position, and the time that it took.
pub struct TimedSolution {
    pub solution: Solution<AnyGame>,
    pub time: Duration,
}

/// A position with its value, as a search has found it.
pub struct SolvedPosition {
    position: AnyPosition,
    pub value: AnyValue,
    /// The best move. `None` if the game is over.
    best: Option<AnyMove>,
    /// Best play to the end, or `None` if it was not requested.
    line: Option<Vec<AnyMove>>,
    /// The number of positions searched to find the value, without the positions searched for `line`.
    pub nodes: u64,
    /// The time that the search for the value took.
    pub time: Duration,
}

impl SolvedPosition {
    /// Searches a position. If `line` is set, also searches for best play to the end.
    pub fn search(
        game: &AnyGame,
        search: &dyn Search<AnyGame>,
        position: &AnyPosition,
        line: bool,
        progress: &dyn Progress,
    ) -> Result<SolvedPosition> {
        let since = Instant::now();
        let solution = search.solve(position, progress);
        SolvedPosition::of(game, search, position, TimedSolution { solution, time: since.elapsed() }, line)
    }

    /// Creates the result from the solution of a position. If `line` is set, also searches for best play to the end.
    pub fn of(
        game: &AnyGame,
        search: &dyn Search<AnyGame>,
        position: &AnyPosition,
        TimedSolution { solution, time }: TimedSolution,
        line: bool,
    ) -> Result<SolvedPosition> {
        let line = line.then(|| best_line(game, search, position, &solution, &Silent)).transpose()?;
        Ok(SolvedPosition {
            position: *position,
            value: solution.value,
            best: solution.best,
            line,
            nodes: solution.nodes,
            time,
        })
    }

    /// Formats the board, the result, best play, and the numbers of nodes and seconds.
    pub fn text(&self, game: &AnyGame) -> String {
        let name = game.position_text(&self.position);
        let text = format!("{}\n{name}", game.board_text(&self.position));
        if game.terminal_value(&self.position).is_some() {
            return format!("{text}\n{}.", final_sentence(game, &self.position, self.value));
        }
        let best = self.best.map_or(String::new(), |mv| format!("\nbest move  {}", game.move_text(mv)));
        let line = self.line_text(game).map_or(String::new(), |line| format!("\nline       {line}"));
        let result = sentence(game, &self.position, self.value);
        format!("{text}\n{result}.{best}{line}\nnodes      {}", work(self.nodes, self.time))
    }

    /// Formats the result in one line: position, value, best move, nodes, seconds, best play.
    pub fn row(&self, game: &AnyGame) -> String {
        let best = self.best.map_or("over".into(), |mv| game.move_text(mv));
        let score = game.suite_score(&self.position, self.value).map(|score| format!(" ({score:+})"));
        let value = short(self.value) + &score.unwrap_or_default();
        let (nodes, seconds) = (grouped(self.nodes), self.time.as_secs_f64());
        let line = self.line_text(game).map_or(String::new(), |line| format!("  {line}"));
        let position = game.position_text(&self.position);
        format!("{position}  {value:>3}  {best:4} {nodes:>15} nodes {seconds:>9.3} s{line}")
    }

    pub fn report(&self, game: &AnyGame) -> SearchReport {
        let to_move = game.side(&self.position);
        SearchReport {
            rules: game.code(),
            position: game.position_text(&self.position),
            key: KeyText::of(game, &self.position),
            to_move,
            outcome: self.value.outcome(),
            measure: self.value.measure(),
            suite_score: game.suite_score(&self.position, self.value),
            winner: self.value.outcome().winner(to_move),
            best: self.best.map(|mv| game.move_text(mv)),
            line: self.line_text(game),
            nodes: self.nodes,
            seconds: microseconds(self.time),
        }
    }

    fn line_text(&self, game: &AnyGame) -> Option<String> {
        self.line.as_ref().map(|line| game.moves_text(line))
    }
}

/// Formats a value for the side to move: "+8", "loss in 4".
pub fn short<V: Value>(value: V) -> String {
    match value.measure() {
        Measure::Score { score: 0 } => "0".into(),
        Measure::Score { score } => format!("{score:+}"),
        Measure::Distance { plies: Some(plies) } => format!("{} in {}", value.outcome(), plies.0),
        Measure::Distance { plies: None } => value.outcome().to_string(),
    }
}

/// Returns a time in seconds, rounded to microseconds.
pub fn microseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// Formats the number of nodes and the time of a search: "1,234 in 0.250 s (4,936 a second)".
pub fn work(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-6);
    format!("{} in {seconds:.3} s ({} a second)", grouped(nodes), grouped(rate as u64))
}

/// Prints a note if a search is likely to take hours.
pub fn warn_if_long(game: &AnyGame, search: &dyn Search<AnyGame>, position: &AnyPosition) {
    if search.takes_hours(position) {
        note(&format!("{}: this is likely to take hours; Ctrl-C stops it", game.position_text(position)));
    }
}
