//! One game of a match.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::judge::{Judge, Mistakes};
use super::schedule::{MatchSettings, Pairing, begin};
use super::seat::{GameError, Halt, PlayerFault, Seat};
use crate::{Action, Ending, Record, Session};
use yomikiri_rules::{Game, Measure, Outcome, Side, Value};

/// A finished game of a match.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The serial number of the game in the match, counted from 0.
    pub number: u32,
    /// The side of player A.
    pub a: Side,
    /// The record of the game, with the result.
    pub record: Record,
    /// The number of plies of the opening. The players did not choose these moves.
    pub opening: u32,
    /// The number of plies of the game, including the opening.
    pub plies: u32,
    /// The end of the game.
    pub finish: Finish,
    /// The margin of Black in points, negative if White has more points. `None` if the game has no scores or did not
    /// end on the board.
    pub margin: Option<i32>,
    /// The thinking time of A and B.
    pub time_used: [TimeUsed; 2],
    /// The mistakes of A and B, as judged by the table of the game; `None` if there is no table.
    pub mistakes: Option<[Mistakes; 2]>,
}

/// The end of a game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The game ended on the board, by resignation or by repetition. The text is the reason in a few words.
    Rules(Ending, &'static str),
    /// The game is a draw because it reached the limit of this number of plies.
    TooLong(u32),
    /// This side lost by a fault, such as an illegal move or a late answer.
    Fault(Side, PlayerFault),
}

impl Finish {
    /// Returns the winner; `None` after a draw.
    pub fn winner(&self) -> Option<Side> {
        match self {
            Finish::Rules(ending, _) => ending.winner(),
            Finish::TooLong(_) => None,
            Finish::Fault(loser, _) => Some(loser.other()),
        }
    }

    /// Returns the name under which games with this end are counted.
    pub fn kind(&self) -> &'static str {
        match self {
            Finish::Rules(_, why) => why,
            Finish::TooLong(_) => "too long",
            Finish::Fault(_, fault) => fault.kind(),
        }
    }

    /// Sets the result of a record if the game was too long or ended by a fault. For other ends, the record already has
    /// the result.
    fn write_in(&self, record: &mut Record) {
        match self {
            Finish::Rules(..) => {}
            Finish::TooLong(plies) => record.result = format!("draw after {plies} plies"),
            Finish::Fault(loser, fault) => record.result = format!("{} wins: {loser} {fault}", loser.other()),
        }
    }
}

/// The time that a player took for its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeUsed {
    /// The number of moves, a resignation included.
    pub moves: u32,
    /// The total time of these moves.
    pub time: Duration,
    /// The longest time of one move; zero without moves.
    pub longest: Duration,
}

impl TimeUsed {
    fn count(&mut self, time: Duration) {
        self.moves += 1;
        self.time += time;
        self.longest = self.longest.max(time);
    }
}

/// A game in progress.
struct Play<'a, 's> {
    settings: &'a MatchSettings<'a>,
    pairing: Pairing,
    session: Session<'a>,
    /// The number of plies of the opening.
    opening: u32,
    seats: &'s mut [Box<dyn Seat + 'a>; 2],
    judge: Option<&'s Judge<'a>>,
    time_used: [TimeUsed; 2],
    mistakes: [Mistakes; 2],
}

/// Plays game `number` of a match, counted from 0. A fault of a player ends the game and is not an error.
pub fn play<'a>(
    settings: &'a MatchSettings<'a>,
    number: u32,
    seats: &mut [Box<dyn Seat + 'a>; 2],
    judge: Option<&Judge<'a>>,
    stop: &AtomicBool,
) -> Result<PlayedGame, Halt> {
    let pairing = Pairing::of(settings.seed, number, settings.same_colours);
    let none = || GameError::NoOpening { code: settings.game.code(), plies: settings.opening };
    let session = begin(settings, pairing).ok_or_else(none)?;
    let opening = session.moves_made() as u32;
    let (time_used, mistakes) = Default::default();
    let mut play = Play { settings, pairing, session, opening, seats, judge, time_used, mistakes };
    let finish = match play.play_out(stop) {
        Ok(finish) => finish,
        Err((side, Halt::Fault(fault))) => Finish::Fault(side, fault),
        Err((_, halt)) => return Err(halt),
    };
    Ok(play.finished(finish))
}

impl Play<'_, '_> {
    /// Plays until the game is over. If a fault of a player ends the game, the error has the side of this player.
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

    /// Returns the outcome of the position for the side to move, or `None` if the game has no table.
    fn judged(&self) -> Result<Option<Outcome>, Halt> {
        Ok(self.judge.map(|judge| judge.outcome(&self.session)).transpose()?)
    }

    /// Plays one turn. `before` is the outcome of the position before the turn. Returns the outcome of the position
    /// after the turn. Each outcome is for the side to move in its position, or `None` if it is not known.
    fn turn(&mut self, before: Option<Outcome>, stop: &AtomicBool) -> Result<Option<Outcome>, Halt> {
        let player = self.pairing.player(self.session.side());
        let begun = Instant::now();
        let action = self.seats[player].answer(&self.session, stop)?;
        self.time_used[player].count(begun.elapsed());
        self.session.act(action);
        match (self.judge, before, action) {
            (Some(judge), Some(before), Action::Move(_)) => {
                Ok(Some(judge.count(&self.session, before, &mut self.mistakes[player])?))
            }
            _ => Ok(None),
        }
    }

    /// Returns the reason why the game ended, in a few words.
    fn why(&self, ending: Ending) -> &'static str {
        match ending {
            Ending::Board { .. } => self.session.why_over().map_or("on the board", |reason| reason.text),
            Ending::Resignation { .. } => "resignation",
            Ending::Repetition => "repetition",
        }
    }

    /// Tells the players the result and returns the finished game.
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
            opening: self.opening,
            plies: self.session.moves_made() as u32,
            finish,
            margin: margin(&self.session),
            time_used: self.time_used,
            mistakes: self.judge.map(|_| self.mistakes),
        }
    }
}

/// Returns the margin of Black in points, negative if White has more points. Returns `None` if the game has no scores
/// or is not over on the board.
fn margin(session: &Session) -> Option<i32> {
    match session.game().terminal_value(session.position())?.measure() {
        Measure::Score { score } => Some(session.side().pick([1, -1]) * i32::from(score)),
        Measure::Distance { .. } => None,
    }
}
