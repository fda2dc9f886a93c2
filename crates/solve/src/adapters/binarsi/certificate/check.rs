//! Plays a certificate by the plain rules, ply by ply: the winner's moves as listed, all moves of the loser, each position
//! once. Nothing here knows the prover or the kernel.

use std::fmt;

use rayon::prelude::*;

use super::Certificate;
use super::read_out::ReadOut;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::moves::Move;
use yomikiri_table::progress::Progress;

/// Positions played together by all threads, and by one.
const BATCH: usize = 1 << 18;
const SHARE: usize = 1 << 10;

/// Positions read out by one thread with one memory.
const READ_SHARE: usize = 1 << 13;

/// Keys with repetitions that are gathered before those are dropped, beside as many as there are different ones.
const LOOSE: usize = 1 << 22;

/// What a certificate that holds has proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions in which the winner made its move, and the loser all of its.
    pub winner_to_move: u64,
    pub loser_to_move: u64,
    /// Positions at the horizon, which were read out.
    pub read_out: u64,
    /// Positions listed that no game came to.
    pub unneeded: u64,
}

/// Where a certificate fails, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The position as text, turned the way its key has it.
    pub position: String,
    pub fault: Fault,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The winner is to move and nothing is listed.
    NoMove,
    /// What is listed is not legal.
    IllegalMove(String),
    /// This move, listed or the loser's, ends the game with the loser's win.
    Lost(String),
    /// The loser has won already.
    LostBefore,
    /// The loser wins by what was read out.
    LostWhenReadOut,
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.position)?;
        match &self.fault {
            Fault::NoMove => write!(f, "no move is listed"),
            Fault::IllegalMove(mv) => write!(f, "the move listed, {mv}, is not legal"),
            Fault::Lost(mv) => write!(f, "{mv} loses the game"),
            Fault::LostBefore => write!(f, "the game is over, and lost"),
            Fault::LostWhenReadOut => write!(f, "the other side wins"),
        }
    }
}

/// Whether the winner wins as the certificate says.
pub fn check(certificate: &Certificate, progress: &dyn Progress) -> Result<Report, Refutation> {
    Replay { certificate, progress }.run()
}

struct Replay<'a> {
    certificate: &'a Certificate,
    progress: &'a dyn Progress,
}

impl Replay<'_> {
    fn run(&self) -> Result<Report, Refutation> {
        let Certificate { game, position, winner, horizon, .. } = self.certificate;
        match game.winner(position) {
            Some(side) if side != *winner => return Err(self.refuted(position, Fault::LostBefore)),
            Some(_) => return Ok(self.report([0, 0], 0)),
            None => {}
        }
        let (mut here, mut played) = (vec![game.key(position)], [0, 0]);
        let mut left = game.rules.max_plies().saturating_sub(position.ply());
        let mut own = position.side() == *winner;
        self.progress.begin("re-play", self.certificate.len() as u64);
        while left > *horizon && !here.is_empty() {
            played[usize::from(!own)] += here.len() as u64;
            here = self.after_all(&here, own)?;
            (left, own) = (left - 1, !own);
        }
        self.progress.end(&format!("{} positions", played[0] + played[1]));
        self.read_out(&here)?;
        Ok(self.report(played, here.len() as u64))
    }

    fn report(&self, [winner_to_move, loser_to_move]: [u64; 2], read_out: u64) -> Report {
        let unneeded = self.certificate.len() as u64 - winner_to_move;
        Report { winner_to_move, loser_to_move, read_out, unneeded }
    }

    /// The keys, ascending, of the positions one ply after others in which the game goes on. `own` tells whether the winner moves.
    fn after_all(&self, keys: &[u64], own: bool) -> Result<Vec<u64>, Refutation> {
        let (mut after, mut different) = (Vec::new(), 0);
        for batch in keys.chunks(BATCH) {
            let shares: Vec<_> = batch.par_chunks(SHARE).map(|keys| self.after_share(keys, own)).collect();
            for share in shares {
                after.extend(share?);
            }
            if after.len() > 2 * different + LOOSE {
                each_once(&mut after);
                different = after.len();
            }
        }
        each_once(&mut after);
        Ok(after)
    }

    fn after_share(&self, keys: &[u64], own: bool) -> Result<Vec<u64>, Refutation> {
        let (mut after, mut moves) = (Vec::new(), Vec::new());
        for &key in keys {
            let position = self.position(key);
            self.certificate.game.moves(&position, &mut moves);
            if own {
                let listed = self.listed(&position, key, &moves)?;
                moves.clear();
                moves.push(listed);
            }
            for &mv in &moves {
                after.extend(self.after(&position, mv)?);
            }
        }
        if own {
            self.progress.advance(keys.len() as u64);
        }
        after.sort_unstable();
        after.dedup();
        Ok(after)
    }

    /// The key of the position after a move; `None` if the winner has won there.
    fn after(&self, position: &Position, mv: Move) -> Result<Option<u64>, Refutation> {
        let game = &self.certificate.game;
        let child = game.play(position, mv);
        match game.winner(&child) {
            None => Ok(Some(game.key(&child))),
            Some(winner) if winner == self.certificate.winner => Ok(None),
            Some(_) => Err(self.refuted(position, Fault::Lost(game.move_text(mv)))),
        }
    }

    fn listed(&self, position: &Position, key: u64, legal: &[Move]) -> Result<Move, Refutation> {
        let listed = self.certificate.listed(key).ok_or_else(|| self.refuted(position, Fault::NoMove))?;
        match legal.contains(&listed) {
            true => Ok(listed),
            false => Err(self.refuted(position, Fault::IllegalMove(self.certificate.game.move_text(listed)))),
        }
    }

    /// Reads all of these positions out.
    fn read_out(&self, keys: &[u64]) -> Result<(), Refutation> {
        if keys.is_empty() {
            return Ok(());
        }
        let Certificate { game, winner, .. } = self.certificate;
        self.progress.begin("reading out", keys.len() as u64);
        let share = |keys: &[u64]| {
            let mut reading = ReadOut::new(game);
            for (number, &key) in keys.iter().enumerate() {
                let position = self.position(key);
                if reading.wins(&position) != (position.side() == *winner) {
                    return Err(self.refuted(&position, Fault::LostWhenReadOut));
                }
                if number % 64 == 63 {
                    self.progress.advance(64);
                }
            }
            Ok(())
        };
        keys.par_chunks(READ_SHARE).map(share).collect::<Vec<_>>().into_iter().collect::<Result<(), _>>()?;
        self.progress.end(&format!("{} positions", keys.len()));
        Ok(())
    }

    /// The position of a key that a position was found to have.
    fn position(&self, key: u64) -> Position {
        self.certificate.game.position_of_key(key).expect("keys lead back to their positions")
    }

    fn refuted(&self, position: &Position, fault: Fault) -> Refutation {
        Refutation { position: self.certificate.game.position_text(position), fault }
    }
}

fn each_once(keys: &mut Vec<u64>) {
    keys.par_sort_unstable();
    keys.dedup();
}
