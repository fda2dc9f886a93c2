//! What a search found out about a position, as text and as JSON.

use std::time::{Duration, Instant};

use yomikiri_answer::{KeyText, SearchReport};
use yomikiri_rules::{Game, Measure, Value};
use yomikiri_solve::{Result, Search, Solution, best_line};
use yomikiri_table::{Progress, Silent};

use crate::output::{grouped, note};
use crate::settings::{last_sentence, sentence};

/// A position with its value.
pub struct Found<G: Game> {
    position: G::Position,
    pub value: G::Value,
    /// None if the game is over.
    best: Option<G::Move>,
    /// Best play to the end, where asked for.
    line: Option<Vec<G::Move>>,
    /// Positions looked at for the value.
    pub nodes: u64,
    /// Time taken for the value.
    pub time: Duration,
}

impl<G: Game> Found<G> {
    /// Searches a position; with `line`, the positions of best play after it too.
    pub fn search(
        game: &G,
        search: &dyn Search<G>,
        position: &G::Position,
        line: bool,
        progress: &dyn Progress,
    ) -> Result<Found<G>> {
        let since = Instant::now();
        let solution = search.solve(position, progress);
        Found::of(game, search, position, (solution, since.elapsed()), line)
    }

    /// A position that has been searched, in so much time; with `line`, the positions of best play after it are
    /// searched too.
    pub fn of(
        game: &G,
        search: &dyn Search<G>,
        position: &G::Position,
        (solution, time): (Solution<G>, Duration),
        line: bool,
    ) -> Result<Found<G>> {
        let line = line.then(|| best_line(game, search, position, &solution, &Silent)).transpose()?;
        Ok(Found { position: *position, value: solution.value, best: solution.best, line, nodes: solution.nodes, time })
    }

    /// Board, result, best play and what it took, in lines.
    pub fn text(&self, game: &G) -> String {
        let name = game.position_text(&self.position);
        let text = format!("{}\n{name}", game.board_text(&self.position));
        if game.terminal_value(&self.position).is_some() {
            return format!("{text}\n{}.", last_sentence(game, &self.position, self.value));
        }
        let best = self.best.map_or(String::new(), |mv| format!("\nbest move  {}", game.move_text(mv)));
        let line = self.line_text(game).map_or(String::new(), |line| format!("\nline       {line}"));
        let result = sentence(game, &self.position, self.value);
        format!("{text}\n{result}.{best}{line}\nnodes      {}", work(self.nodes, self.time))
    }

    /// The same in one line: position, value, best move, nodes, seconds, line.
    pub fn row(&self, game: &G) -> String {
        let best = self.best.map_or("over".into(), |mv| game.move_text(mv));
        let score = game.suite_score(&self.position, self.value).map(|score| format!(" ({score:+})"));
        let value = short(self.value) + &score.unwrap_or_default();
        let (nodes, seconds) = (grouped(self.nodes), self.time.as_secs_f64());
        let line = self.line_text(game).map_or(String::new(), |line| format!("  {line}"));
        let position = game.position_text(&self.position);
        format!("{position}  {value:>3}  {best:4} {nodes:>15} nodes {seconds:>9.3} s{line}")
    }

    pub fn report(&self, game: &G) -> SearchReport {
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

    fn line_text(&self, game: &G) -> Option<String> {
        self.line.as_ref().map(|line| game.moves_text(line))
    }
}

/// A value for the side to move in a word: "+8", "loss in 4".
pub fn short<V: Value>(value: V) -> String {
    match value.measure() {
        Measure::Score { score: 0 } => "0".into(),
        Measure::Score { score } => format!("{score:+}"),
        Measure::Distance { plies: Some(plies) } => format!("{} in {}", value.outcome(), plies.0),
        Measure::Distance { plies: None } => value.outcome().to_string(),
    }
}

/// Seconds, to a millionth.
pub fn microseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// "1,234 in 0.250 s (4,936 a second)".
pub fn work(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-6);
    format!("{} in {seconds:.3} s ({} a second)", grouped(nodes), grouped(rate as u64))
}

/// Says so if a search is likely to take hours.
pub fn warn_if_long<G: Game>(game: &G, search: &dyn Search<G>, position: &G::Position) {
    if search.takes_hours(position) {
        note(&format!("{}: this is likely to take hours; Ctrl-C stops it", game.position_text(position)));
    }
}
