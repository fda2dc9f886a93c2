//! One game of a match.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::judge::{Judge, Mistakes};
use super::schedule::{MatchSettings, Pairing, draw_opening};
use super::seat::{Fault, Halt, Seat};
use crate::{Action, Ending, Record, Session};
use yomikiri_rules::{Game, Measure, Outcome, Side, Value};
use yomikiri_solve::{Playable, SolveError};

/// A finished game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// From 0 on.
    pub number: u32,
    /// The side that player A had.
    pub a: Side,
    pub record: Record,
    /// Plies that were drawn at random.
    pub opening: u32,
    /// Moves on the board.
    pub plies: u32,
    pub finish: Finish,
    /// By how much Black has won, in games with scores that ended on the board.
    pub margin: Option<i32>,
    /// What A and B took for their moves.
    pub time_used: [TimeUsed; 2],
    /// Mistakes of A and B; none without a table.
    pub mistakes: Option<[Mistakes; 2]>,
}

/// How a game of a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By the rules of play; with the reason in a few words.
    Rules(Ending, &'static str),
    /// It was long enough: a draw.
    TooLong(u32),
    /// A side lost by something that is no move.
    Fault(Side, Fault),
}

impl Finish {
    /// Who has won; `None` after a draw.
    pub fn winner(&self) -> Option<Side> {
        match self {
            Finish::Rules(ending, _) => ending.winner(),
            Finish::TooLong(_) => None,
            Finish::Fault(loser, _) => Some(loser.other()),
        }
    }

    /// The way it ended, in the words by which games are counted.
    pub fn kind(&self) -> &'static str {
        match self {
            Finish::Rules(_, why) => why,
            Finish::TooLong(_) => "too long",
            Finish::Fault(_, fault) => fault.kind(),
        }
    }

    /// Replaces the result of a record where the rules do not tell it.
    fn write_in(&self, record: &mut Record) {
        match self {
            Finish::Rules(..) => {}
            Finish::TooLong(plies) => record.result = format!("draw after {plies} plies"),
            Finish::Fault(loser, fault) => record.result = format!("{} wins: {loser} {fault}", loser.other()),
        }
    }
}

/// Time that moves took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeUsed {
    pub moves: u32,
    pub time: Duration,
    pub longest: Duration,
}

impl TimeUsed {
    fn count(&mut self, time: Duration) {
        self.moves += 1;
        self.time += time;
        self.longest = self.longest.max(time);
    }
}

/// A game on its way.
struct Play<'a, 's, G: Playable> {
    settings: &'a MatchSettings<'a, G>,
    pairing: Pairing,
    session: Session<'a, G>,
    seats: &'s mut [Box<dyn Seat<G> + 'a>; 2],
    judge: Option<&'s Judge<'a, G>>,
    time_used: [TimeUsed; 2],
    mistakes: [Mistakes; 2],
}

/// Plays a game of a match. A fault of a player is an end of the game.
pub fn play<'a, G: Playable>(
    settings: &'a MatchSettings<'a, G>,
    number: u32,
    seats: &mut [Box<dyn Seat<G> + 'a>; 2],
    judge: Option<&Judge<'a, G>>,
    stop: &AtomicBool,
) -> Result<PlayedGame, Halt> {
    let pairing = Pairing::of(settings.seed, number);
    let session = draw_opening(settings.game, settings.opening, pairing.opening_seed).ok_or_else(|| {
        let (code, plies) = (settings.game.code(), settings.opening);
        Halt::Broken(SolveError::Wrong(format!("{code}: no opening of {plies} plies found, games are over before")))
    })?;
    let (time_used, mistakes) = Default::default();
    let mut play = Play { settings, pairing, session, seats, judge, time_used, mistakes };
    let finish = match play.play_out(stop) {
        Ok(finish) => finish,
        Err((side, Halt::Fault(fault))) => Finish::Fault(side, fault),
        Err((_, halt)) => return Err(halt),
    };
    Ok(play.finished(finish))
}

impl<G: Playable> Play<'_, '_, G> {
    /// Plays until the game is over; an error says who was asked.
    fn play_out(&mut self, stop: &AtomicBool) -> Result<Finish, (Side, Halt)> {
        for side in [Side::Black, Side::White] {
            let player = self.pairing.player(side);
            self.seats[player].begin(self.pairing.player_seeds[player], stop).map_err(|halt| (side, halt))?;
        }
        let mut worth = self.judged().map_err(|halt| (Side::Black, halt))?;
        loop {
            if let Some(ending) = self.session.ending() {
                return Ok(Finish::Rules(ending, self.why(ending)));
            }
            if self.session.moves_made() >= self.settings.max_plies as usize {
                return Ok(Finish::TooLong(self.settings.max_plies));
            }
            let side = self.session.side();
            worth = self.turn(worth, stop).map_err(|halt| (side, halt))?;
        }
    }

    /// What the position is worth for the side to move, if there is a judge.
    fn judged(&self) -> Result<Option<Outcome>, Halt> {
        self.judge.map(|judge| judge.outcome(&self.session)).transpose().map_err(Halt::Broken)
    }

    /// One turn in a position worth `before`; returns what the position after it is worth.
    fn turn(&mut self, before: Option<Outcome>, stop: &AtomicBool) -> Result<Option<Outcome>, Halt> {
        let player = self.pairing.player(self.session.side());
        let begun = Instant::now();
        let action = self.seats[player].answer(&self.session, stop)?;
        self.time_used[player].count(begun.elapsed());
        self.session.act(action);
        match (self.judge, before, action) {
            (Some(judge), Some(before), Action::Move(_)) => {
                let after = judge.count(&self.session, before, &mut self.mistakes[player]);
                after.map(Some).map_err(Halt::Broken)
            }
            _ => Ok(None),
        }
    }

    /// The reason of an end, in a few words.
    fn why(&self, ending: Ending) -> &'static str {
        match ending {
            Ending::Board { .. } => self.session.why_over().map_or("on the board", |reason| reason.text),
            Ending::Resignation { .. } => "resignation",
            Ending::Repetition => "repetition",
        }
    }

    /// Tells the players, and says what the game was.
    fn finished(self, finish: Finish) -> PlayedGame {
        let winner = finish.winner();
        for side in [Side::Black, Side::White] {
            self.seats[self.pairing.player(side)].end(Outcome::of_winner(winner, side));
        }
        let names = [Side::Black, Side::White].map(|side| {
            let player = &self.settings.players[self.pairing.player(side)];
            player.to_string()
        });
        let mut record = Record::of(&self.session, "", names.each_ref().map(String::as_str));
        finish.write_in(&mut record);
        PlayedGame {
            number: self.pairing.number,
            a: self.pairing.a,
            record,
            opening: self.settings.opening,
            plies: self.session.moves_made() as u32,
            finish,
            margin: margin(&self.session),
            time_used: self.time_used,
            mistakes: self.judge.map(|_| self.mistakes),
        }
    }
}

/// By how much Black has won on the board, in games with scores.
fn margin<G: Game>(session: &Session<G>) -> Option<i32> {
    match session.game().terminal_value(session.position())?.measure() {
        Measure::Score { score } => Some(session.side().pick([1, -1]) * i32::from(score)),
        Measure::Distance { .. } => None,
    }
}
