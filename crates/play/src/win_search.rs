//! Proves that the side to move wins, with a line to the end of the game: `go mate` of USI.
//!
//! A table knows the line. Without a table, principal variation search finds a win and its first moves. The
//! transposition table cuts lines off, so the rest of the line is searched again, with the number of plies that are
//! left as its depth.

use super::combined_player::CombinedPlayer;
use super::later_search::Later;
use super::player::{Limits, Listener, Player, PlayerReport, Score};
use super::search::SearchPlayer;
use super::session::{Action, Ending, Session};
use super::stopwatch::Stopwatch;
use yomikiri_rules::{AnyMove, Outcome, Plies, Value};
use yomikiri_solve::Result;

/// The answer to the question whether the side to move can force a win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WinAnswer {
    /// The side to move wins by this line, which leads to the end of the game.
    Win(Vec<AnyMove>),
    /// The side to move cannot force a win.
    NoWin,
    /// No win with its line has been found within the limits.
    Unknown,
}

impl CombinedPlayer<'_> {
    /// Returns whether the side to move can force a win, with the line. The game must not be over by the board. Earlier
    /// positions of the game do not count, so a repetition of one is no draw.
    pub fn find_win(&mut self, session: &Session, limits: &Limits, listener: &mut dyn Listener) -> Result<WinAnswer> {
        let begun = Stopwatch::start();
        let session = Session::new(session.game(), *session.position());
        if let Some(answer) = self.win_by_table(&session, listener)? {
            return Ok(answer);
        }
        let known = self.outcome(&session, limits, listener)?;
        if let Some((outcome @ (Outcome::Loss | Outcome::Draw), source)) = known {
            let lost = if outcome == Outcome::Loss { "lost" } else { "drawn" };
            listener.report(PlayerReport::Remark(format!("the position is {lost} according to {source}")));
            return Ok(WinAnswer::NoWin);
        }
        let before = begun.elapsed();
        let answer = search_win(self.search_mut(), &session, limits, &begun, &mut Later { before, listener })?;
        if let Some((_, source)) = known.filter(|_| answer == WinAnswer::Unknown) {
            let remark = format!("the position is won according to {source}, but the search has not found the line");
            listener.report(PlayerReport::Remark(remark));
        }
        Ok(answer)
    }

    /// Returns the answer of a table, or `None` if no table has the position or the table cannot be read.
    fn win_by_table(&mut self, session: &Session, listener: &mut dyn Listener) -> Result<Option<WinAnswer>> {
        let position = session.position();
        let answer = self.table(session).and_then(|table| {
            let Ok(oracle) = table else { return Ok(None) };
            if oracle.value(position)?.outcome() != Outcome::Win {
                return Ok(Some(WinAnswer::NoWin));
            }
            let line = oracle.line(position, usize::MAX)?;
            Ok(Some(WinAnswer::Win(line.into_iter().map(|mv| mv.mv).collect())))
        });
        match answer {
            Err(error) if !error.is_waiting() => {
                listener.report(PlayerReport::Remark(error.to_string()));
                Ok(None)
            }
            answer => answer,
        }
    }
}

/// Searches for a win and its line.
fn search_win(
    search: &mut SearchPlayer,
    session: &Session,
    limits: &Limits,
    begun: &Stopwatch,
    listener: &mut dyn Listener,
) -> Result<WinAnswer> {
    let winner = session.side();
    let rest = || limits.time.map(|time| time.saturating_sub(begun.elapsed()));
    let mut watch = LineWatch { line: Vec::new(), is_silent: false, listener };
    let choice = search.choose(session, &Limits { time: rest(), ..*limits }, &mut watch)?;
    let most = match choice.score {
        Score::Won(Plies(plies)) => usize::from(plies),
        Score::Lost(_) => return Ok(WinAnswer::NoWin),
        _ => return Ok(WinAnswer::Unknown),
    };
    let (mut session, mut line) = (session.clone(), Vec::new());
    let mut next = watch.line_of(choice.mv);
    watch.is_silent = true;
    loop {
        for mv in next {
            session.act(Action::Move(mv));
            line.push(mv);
        }
        if let Some(ending) = session.ending() {
            let is_won = matches!(ending, Ending::Board { winner: Some(side) } if side == winner);
            return Ok(if is_won { WinAnswer::Win(line) } else { WinAnswer::Unknown });
        }
        let depth = most.saturating_sub(line.len()).max(1) as u32;
        let choice = search.choose(&session, &Limits { depth: Some(depth), nodes: None, time: rest() }, &mut watch)?;
        if choice.score.outcome() != Some(Outcome::of_winner(Some(winner), session.side())) {
            return Ok(WinAnswer::Unknown);
        }
        next = watch.line_of(choice.mv);
    }
}

/// Passes reports on and keeps the last line.
struct LineWatch<'l> {
    line: Vec<AnyMove>,
    /// True if reports are not passed on.
    is_silent: bool,
    listener: &'l mut dyn Listener,
}

impl LineWatch<'_> {
    /// Returns the last line if it begins with `mv`, else only this move.
    fn line_of(&mut self, mv: AnyMove) -> Vec<AnyMove> {
        let line = std::mem::take(&mut self.line);
        if line.first() == Some(&mv) { line } else { vec![mv] }
    }
}

impl Listener for LineWatch<'_> {
    fn report(&mut self, report: PlayerReport) {
        if let PlayerReport::Searched { line, .. } = &report {
            self.line.clone_from(line);
        }
        if !self.is_silent {
            self.listener.report(report);
        }
    }

    fn should_stop(&mut self) -> bool {
        self.listener.should_stop()
    }
}
