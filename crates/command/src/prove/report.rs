//! The result of a proof, as text and as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use yomikiri_answer::KeyText;
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Notation, Presentation, Side};
use yomikiri_search::position_proof::{PositionProof, ProofProgress};
use yomikiri_search::proof::{Candidate, Played, ProofNumbers};

use super::certificate::WrittenCertificate;
use super::estimate::{self, ProofEstimate};
use super::plies::PliesToWin;
use super::progress::{by_distance, distance};
use super::watch::ProofMonitor;
use crate::checkpoints::{self, CheckpointWriter};
use crate::error::Failure;
use crate::output::{bytes, grouped, to_thousandths};
use crate::progress::clock_text;
use crate::settings::final_sentence;
use crate::stop::StopReason;

/// The JSON report of `prove`.
#[derive(Serialize, Deserialize)]
pub struct ProofReport {
    rules: String,
    position: String,
    key: Option<KeyText>,
    pub to_move: Side,
    /// The proved winner. Null if the winner is still open.
    pub winner: Option<Side>,
    /// The side for which a draw counts as a win, or `None` in games without draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    draws: Option<Side>,
    /// A move of the position that is known to win, the first one in notation order. Null if no move is known to win.
    #[serde(rename = "move")]
    mv: Option<String>,
    /// The reason why the winner, a move or the number of plies is still open: `time` or `signal`. Null if everything
    /// is decided.
    pub stopped: Option<Cow<'static, str>>,
    #[serde(flatten)]
    pub distances: Distances,
    moves: Vec<OpenMoveReport>,
    /// Every legal move with its winner, or `None` without `--all-moves`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_moves: Option<Vec<PlayedReport>>,
    /// The number of plies to the win, or `None` without `--within` and `--length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<PliesToWin>,
    pub expansions: u64,
    /// The number of positions that the endgame solver solved. `nodes` is the number of nodes that it visited.
    readings: u64,
    nodes: u64,
    /// The time of this run in seconds. `seconds_in_all` is the time of all runs of this proof.
    seconds: f64,
    seconds_in_all: f64,
    /// The size of the transposition table in bytes. `fill` is the share of it in use, from 0 to 1.
    memory: u64,
    fill: f64,
    threads: usize,
    estimate: Option<ProofEstimate>,
    checkpoint: Option<checkpoints::CheckpointReport>,
    /// The certificate, or `None` if none was written.
    pub certificate: Option<WrittenCertificate>,
    /// The command that resumes the proof from its checkpoint. Null if there is no checkpoint or nothing is open. Also
    /// null if the number of plies is open, because checkpoints are only for the proof of who wins.
    go_on: Option<String>,
    #[serde(skip)]
    words: ReportTexts,
}

/// The proof number of a win and of a loss, for a position or a move. A number is null if this result is impossible.
#[derive(Serialize, Deserialize)]
pub struct Distances {
    pub to_win: Option<u32>,
    pub to_loss: Option<u32>,
}

impl From<ProofNumbers> for Distances {
    fn from(numbers: ProofNumbers) -> Distances {
        Distances { to_win: numbers.to_win(), to_loss: numbers.to_loss() }
    }
}

#[derive(Serialize, Deserialize)]
struct OpenMoveReport {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    distances: Distances,
}

/// A legal move and the winner after it. The winner is null if it is open.
#[derive(Serialize, Deserialize)]
pub struct PlayedReport {
    #[serde(rename = "move")]
    pub mv: String,
    pub winner: Option<Side>,
}

/// The parts of the report that are in the text but not in the JSON.
#[derive(Default)]
struct ReportTexts {
    board: String,
    verdict: String,
    stop: Option<StopReason>,
}

impl ProofReport {
    /// Creates the report of a proof that has ended or was stopped. `winner` is the proved winner, or `None` if the
    /// winner is still open.
    pub fn new(
        game: &AnyGame,
        position: &AnyPosition,
        proof: &dyn PositionProof,
        winner: Option<Side>,
        watch: &ProofMonitor,
    ) -> ProofReport {
        let (draws, state, mover) = (proof.draws(), proof.state(), game.side(position));
        let [endgames, endgame_nodes] = state.endgames();
        let numbers = winner.map_or(state.numbers(), |winner| ProofNumbers::solved(winner == mover));
        let [here, in_all] = watch.clock.times();
        let stop = winner.is_none().then(|| watch.stop().unwrap_or(StopReason::Signal));
        let words =
            ReportTexts { board: game.board_text(position), verdict: verdict(game, position, winner, draws), stop };
        ProofReport {
            rules: game.code(),
            position: game.position_text(position),
            key: KeyText::of(game, position),
            to_move: mover,
            winner,
            draws,
            mv: state.winning_move().filter(|_| winner.is_some()).map(|mv| game.move_text(mv)),
            stopped: stop.map(|stop| stop.name().into()),
            distances: numbers.into(),
            moves: moves(game, &*state),
            all_moves: None,
            plies: None,
            expansions: state.expansions(),
            readings: endgames,
            nodes: endgame_nodes,
            seconds: to_thousandths(here.as_secs_f64()),
            seconds_in_all: to_thousandths(in_all.as_secs_f64()),
            memory: state.memory(),
            fill: to_thousandths(state.fill()),
            threads: proof.threads(),
            estimate: ProofEstimate::of(numbers, mover, in_all),
            checkpoint: watch.keeping.as_ref().map(CheckpointWriter::report),
            certificate: None,
            go_on: stop.and(go_on(watch)),
            words,
        }
    }

    /// Adds every legal move with its winner. Does nothing if `played` is `None`, because the moves were not asked for.
    pub fn set_moves(
        &mut self,
        game: &AnyGame,
        position: &AnyPosition,
        played: Option<Vec<Played<AnyMove>>>,
        watch: &ProofMonitor,
    ) {
        let Some(played) = played else { return };
        let wins = |of: &Played<AnyMove>| of.winner == Some(game.side(position));
        if self.winner.is_some() {
            self.mv = played.iter().find(|of| wins(of)).map(|of| game.move_text(of.mv));
        }
        if played.iter().any(|of| of.winner.is_none()) {
            self.stop(watch);
        }
        let report = |of: &Played<AnyMove>| PlayedReport { mv: game.move_text(of.mv), winner: of.winner };
        self.all_moves = Some(played.iter().map(report).collect());
    }

    /// Adds the number of plies to the win, and the work of finding it.
    pub fn set_plies(&mut self, soon: PliesToWin, watch: &ProofMonitor) {
        let [expansions, readings, nodes] = soon.work;
        (self.expansions, self.readings, self.nodes) =
            (self.expansions + expansions, self.readings + readings, self.nodes + nodes);
        [self.seconds, self.seconds_in_all] = watch.clock.times().map(|time| to_thousandths(time.as_secs_f64()));
        self.plies = Some(soon);
        if !soon.is_decided {
            self.stop(watch);
        }
    }

    /// Marks the work as unfinished, with the reason from `watch`.
    fn stop(&mut self, watch: &ProofMonitor) {
        let stop = watch.stop().unwrap_or(StopReason::Signal);
        self.stopped = Some(stop.name().into());
        self.words.stop = Some(stop);
        self.go_on = go_on(watch);
    }

    /// Returns the failure of the subcommand, or `None` if nothing is open.
    pub fn failure(&self) -> Option<Failure> {
        self.words.stop.map(|stop| stop.failure(&self.rules))
    }

    /// Formats the board, the result and the counts of work.
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
        lines.extend(self.certificate.as_ref().map(WrittenCertificate::line));
        lines.extend(self.go_on_line());
        lines.join("\n")
    }

    /// Formats the proof numbers of an open position and of its moves.
    fn open_lines(&self) -> Vec<String> {
        let row = |name: &str, distances: &Distances| {
            let [win, loss] = [distances.to_win, distances.to_loss].map(distance);
            format!("{name:14}{win:>13}{loss:>13}")
        };
        let open = self.moves.iter().filter(|mv| mv.distances.to_loss != Some(0));
        let head = format!("{:14}{:>13}{:>13}", "proof numbers", "to a win", "to a loss");
        let mut lines = vec![head, row("in all", &self.distances)];
        lines.extend(open.map(|mv| row(&format!("  {}", mv.mv), &mv.distances)));
        let refuted = self.moves.len() + 2 - lines.len();
        lines.push(format!("refuted       {refuted} of {} moves", self.moves.len()));
        lines.push(format!("estimate      {}", estimate::text(self.estimate)));
        lines
    }

    /// Formats the moves, grouped by winner. If a draw counts as a win of one side, the labels of the groups say so.
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
            format!("endgames      {readings} solved by search, {nodes} nodes"),
            format!("time          {}{in_all}, threads: {}", time(self.seconds), self.threads),
            format!("memory        {}, {:.0} % full", bytes(self.memory as f64), 100.0 * self.fill),
        ]
    }

    fn go_on_line(&self) -> Option<String> {
        let lost = match self.checkpoint {
            None => "no command: nothing was saved; use --checkpoint DIR",
            Some(_) if self.winner.is_some() => {
                "the same command; the checkpoint has the winner, but the search for the plies starts again"
            }
            Some(_) => "no command: nothing was saved",
        };
        self.words.stop?;
        Some(format!("resume with   {}", self.go_on.as_deref().unwrap_or(lost)))
    }
}

/// Returns a sentence about the winner.
fn verdict(game: &AnyGame, position: &AnyPosition, winner: Option<Side>, draws: Option<Side>) -> String {
    if let Some(value) = game.terminal_value(position) {
        return format!("{}.", final_sentence(game, position, value));
    }
    winner.map_or("The winner is open.".into(), |winner| format!("{}.", claim(winner, draws)))
}

/// Formats "Black wins", or "Black wins or draws" if a draw counts as a win of Black.
pub fn claim(winner: Side, draws: Option<Side>) -> String {
    format!("{winner} wins{}", if draws == Some(winner) { " or draws" } else { "" })
}

/// Returns the moves with their proof numbers, nearest to a win first.
fn moves(game: &AnyGame, state: &dyn ProofProgress) -> Vec<OpenMoveReport> {
    let text = |Candidate { mv, numbers }| OpenMoveReport { mv: game.move_text(mv), distances: numbers.into() };
    by_distance(&state.moves()).into_iter().map(text).collect()
}

/// Returns the command that resumes the proof, or `None` if there is no checkpoint.
fn go_on(watch: &ProofMonitor) -> Option<String> {
    watch.keeping.as_ref().and_then(CheckpointWriter::resume_command)
}

/// Formats seconds as "3.250 s". From ten minutes on the form is "0:12:34".
fn time(number: f64) -> String {
    match number < 600.0 {
        true => format!("{number:.3} s"),
        false => clock_text(std::time::Duration::from_secs_f64(number)),
    }
}
