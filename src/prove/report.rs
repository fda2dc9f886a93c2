//! What has come of a proof, as text and as JSON.

use serde::Serialize;
use yomikiri_answer::KeyText;
use yomikiri_rules::{Game, Side};
use yomikiri_solve::proof::{Candidate, FullPosition, Move, Played, ProofGame, ProofNumbers, Prover, State};

use super::certificate::Written;
use super::estimate::{self, Estimate};
use super::progress::{by_distance, distance};
use super::soon::Soon;
use super::watch::Watch;
use crate::error::Failure;
use crate::keeping::{self, Keeping};
use crate::output::{bytes, grouped};
use crate::progress::clock_text;
use crate::settings::last_sentence;
use crate::stop::Stop;

/// The JSON contract of `prove`.
#[derive(Serialize)]
pub struct Report {
    rules: String,
    position: String,
    key: Option<KeyText>,
    to_move: Side,
    /// Null while it is open.
    winner: Option<Side>,
    /// The side for which draws count, where the game has draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    draws: Option<Side>,
    /// The first move known to win, if the side to move does.
    #[serde(rename = "move")]
    mv: Option<String>,
    /// Why it is open: `time` or `signal`.
    stopped: Option<&'static str>,
    #[serde(flatten)]
    distances: Distances,
    moves: Vec<MoveReport>,
    /// Every legal move with who wins after it, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    all_moves: Option<Vec<PlayedReport>>,
    /// How soon the winner wins, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<Soon>,
    expansions: u64,
    /// Positions read out, and positions looked at for that.
    readings: u64,
    nodes: u64,
    /// Of this run, and of all.
    seconds: f64,
    seconds_in_all: f64,
    /// Bytes of the table, and the share of it that is in use.
    memory: u64,
    fill: f64,
    threads: usize,
    estimate: Option<Estimate>,
    checkpoint: Option<keeping::Report>,
    /// Of what was proved, if one was written.
    pub certificate: Option<Written>,
    /// The command that goes on.
    go_on: Option<String>,
    #[serde(skip)]
    words: Words,
}

/// Proof numbers; null where there is no way.
#[derive(Serialize)]
struct Distances {
    to_win: Option<u32>,
    to_loss: Option<u32>,
}

impl From<ProofNumbers> for Distances {
    fn from(numbers: ProofNumbers) -> Distances {
        Distances { to_win: numbers.to_win(), to_loss: numbers.to_loss() }
    }
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    distances: Distances,
}

/// A legal move, and who wins after it; null while that is open.
#[derive(Serialize)]
struct PlayedReport {
    #[serde(rename = "move")]
    mv: String,
    winner: Option<Side>,
}

/// What only people get to see.
struct Words {
    board: String,
    verdict: String,
    stop: Option<Stop>,
}

impl Report {
    pub fn new<P: ProofGame>(
        prover: &Prover<P>,
        position: &FullPosition<P>,
        winner: Option<Side>,
        watch: &Watch,
    ) -> Report {
        let (game, draws) = (prover.game().rules(), prover.game().draws());
        let state = prover.state(position);
        let mover = game.side(position);
        let numbers = winner.map_or(state.numbers, |winner| ProofNumbers::solved(winner == mover));
        let [here, in_all] = watch.clock.times();
        let stop = winner.is_none().then(|| watch.stop().unwrap_or(Stop::Signal));
        let words = Words { board: game.board_text(position), verdict: verdict(game, position, winner, draws), stop };
        Report {
            rules: game.code(),
            position: game.position_text(position),
            key: KeyText::of(game, position),
            to_move: mover,
            winner,
            draws,
            mv: state.winning_move().filter(|_| winner.is_some()).map(|mv| game.move_text(mv)),
            stopped: stop.map(Stop::name),
            distances: numbers.into(),
            moves: moves(&state),
            all_moves: None,
            plies: None,
            expansions: state.expansions(),
            readings: state.endgames,
            nodes: state.endgame_nodes,
            seconds: milliseconds(here.as_secs_f64()),
            seconds_in_all: milliseconds(in_all.as_secs_f64()),
            memory: state.memory(),
            fill: milliseconds(state.fill()),
            threads: prover.threads(),
            estimate: Estimate::of(numbers, mover, in_all),
            checkpoint: watch.keeping.as_ref().map(Keeping::report),
            certificate: None,
            go_on: stop.and(go_on(watch)),
            words,
        }
    }

    /// Adds who wins after every legal move, if that was asked.
    pub fn set_moves<P: ProofGame>(
        &mut self,
        prover: &Prover<P>,
        position: &FullPosition<P>,
        played: Option<Vec<Played<Move<P>>>>,
        watch: &Watch,
    ) {
        let Some(played) = played else { return };
        let game = prover.game().rules();
        let wins = |of: &Played<Move<P>>| of.winner == Some(game.side(position));
        if self.winner.is_some() {
            self.mv = played.iter().find(|of| wins(of)).map(|of| game.move_text(of.mv));
        }
        if played.iter().any(|of| of.winner.is_none()) {
            self.stop(watch);
        }
        let report = |of: &Played<Move<P>>| PlayedReport { mv: game.move_text(of.mv), winner: of.winner };
        self.all_moves = Some(played.iter().map(report).collect());
    }

    /// Adds how soon the winner wins.
    pub fn set_plies(&mut self, soon: Soon, watch: &Watch) {
        let [expansions, readings, nodes] = soon.work;
        (self.expansions, self.readings, self.nodes) =
            (self.expansions + expansions, self.readings + readings, self.nodes + nodes);
        [self.seconds, self.seconds_in_all] = watch.clock.times().map(|time| milliseconds(time.as_secs_f64()));
        self.plies = Some(soon);
        if !soon.is_decided {
            self.stop(watch);
        }
    }

    /// Says that the work is not done.
    fn stop(&mut self, watch: &Watch) {
        let stop = watch.stop().unwrap_or(Stop::Signal);
        self.stopped = Some(stop.name());
        self.words.stop = Some(stop);
        self.go_on = go_on(watch);
    }

    /// Why the work is not done, if it is not.
    pub fn failure(&self) -> Option<Failure> {
        self.words.stop.map(|stop| stop.failure(&self.rules))
    }

    /// Board, result and what it took, in lines.
    pub fn text(&self) -> String {
        let mut lines = vec![self.words.board.clone(), self.position.clone(), self.words.verdict.clone()];
        match &self.all_moves {
            Some(played) => lines.extend(self.played_lines(played)),
            None => lines.extend(self.mv.as_ref().map(|mv| format!("winning move  {mv}"))),
        }
        lines.extend(self.plies.as_ref().map(|soon| format!("how soon      {}", soon.text())));
        if self.winner.is_none() {
            lines.extend(self.open_lines());
        }
        lines.extend(self.work_lines());
        lines.extend(self.checkpoint.as_ref().map(|kept| format!("checkpoint    {}", kept.text())));
        lines.extend(self.certificate.as_ref().map(Written::line));
        lines.extend(self.go_on_line());
        lines.join("\n")
    }

    /// How far an open position and its moves are from a proof.
    fn open_lines(&self) -> Vec<String> {
        let row = |name: &str, distances: &Distances| {
            let [win, loss] = [distances.to_win, distances.to_loss].map(distance);
            format!("{name:14}{win:>13}{loss:>13}")
        };
        let open = self.moves.iter().filter(|mv| mv.distances.to_loss != Some(0));
        let mut lines = vec![format!("{:14}{:>13}{:>13}", "", "to a win", "to a loss"), row("in all", &self.distances)];
        lines.extend(open.map(|mv| row(&format!("  {}", mv.mv), &mv.distances)));
        let refuted = self.moves.len() + 2 - lines.len();
        lines.push(format!("refuted       {refuted} of {} moves", self.moves.len()));
        lines.push(format!("estimate      {}", estimate::text(self.estimate)));
        lines
    }

    /// The moves by who wins after them. Where draws count for a side its moves may lead to no more than a draw.
    fn played_lines(&self, played: &[PlayedReport]) -> Vec<String> {
        let mover = self.to_move;
        let good = if self.draws == Some(mover) { "not losing" } else { "winning moves" };
        let bad = if self.draws == Some(mover.other()) { "not winning" } else { "losing moves" };
        let row = |name: &str, winner: Option<Side>| {
            let moves: Vec<&str> = played.iter().filter(|of| of.winner == winner).map(|of| of.mv.as_str()).collect();
            (!moves.is_empty()).then(|| format!("{name:14}{}", moves.join(" ")))
        };
        [row(good, Some(mover)), row(bad, Some(mover.other())), row("open moves", None)].into_iter().flatten().collect()
    }

    fn work_lines(&self) -> Vec<String> {
        let [expansions, readings, nodes] = [self.expansions, self.readings, self.nodes].map(grouped);
        let in_all = match self.seconds_in_all > self.seconds {
            true => format!(", {} with earlier runs", time(self.seconds_in_all)),
            false => String::new(),
        };
        vec![
            format!("expansions    {expansions}"),
            format!("read out      {readings} positions, {nodes} looked at for that"),
            format!("time          {}{in_all}, threads: {}", time(self.seconds), self.threads),
            format!("memory        {}, {:.0} % full", bytes(self.memory as f64), 100.0 * self.fill),
        ]
    }

    fn go_on_line(&self) -> Option<String> {
        let lost = match self.checkpoint {
            None => "nothing is kept; --checkpoint DIR keeps it",
            Some(_) => "nothing is kept",
        };
        self.words.stop?;
        Some(format!("go on with    {}", self.go_on.as_deref().unwrap_or(lost)))
    }
}

/// Who wins, in a sentence.
fn verdict<G: Game>(game: &G, position: &G::Position, winner: Option<Side>, draws: Option<Side>) -> String {
    if let Some(value) = game.terminal_value(position) {
        return format!("{}.", last_sentence(game, position, value));
    }
    winner.map_or("It is open who wins.".into(), |winner| format!("{}.", claim(winner, draws)))
}

/// "Black wins", or less than that if draws count for Black.
pub fn claim(winner: Side, draws: Option<Side>) -> String {
    format!("{winner} wins{}", if draws == Some(winner) { " or draws" } else { "" })
}

/// The moves, those first that are nearest to a win.
fn moves<P: ProofGame>(state: &State<'_, P>) -> Vec<MoveReport> {
    let game = state.rules();
    let text = |Candidate { mv, numbers }| MoveReport { mv: game.move_text(mv), distances: numbers.into() };
    by_distance(&state.moves).into_iter().map(text).collect()
}

/// The command that goes on, if there is a state to go on from.
fn go_on(watch: &Watch) -> Option<String> {
    watch.keeping.as_ref().and_then(Keeping::go_on)
}

fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// "3.250 s", or, if it was long, "0:12:34".
fn time(number: f64) -> String {
    match number < 600.0 {
        true => format!("{number:.3} s"),
        false => clock_text(std::time::Duration::from_secs_f64(number)),
    }
}
