//! Checks a certificate by the rules: plays the listed moves of the winner and all moves of the loser, each position
//! once. Shares nothing with the search that has found it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::endgame::{EndgameSolver, mover_has_won};
use super::game::move_of;
use super::{Certificate, CertificateGame, Claim};
use yomikiri_table::Progress;

/// Positions expanded together by all threads, and by one.
const BATCH: usize = 1 << 18;
const SHARE: usize = 1 << 10;

/// Endgames that one thread solves with one table.
const ENDGAME_SHARE: usize = 1 << 13;

/// Keys that are collected, beside twice as many as there are distinct ones, before duplicates are removed.
const LOOSE: usize = 1 << 22;

/// What a certificate that holds has proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions in which the winner has made its move, and the loser all of its.
    pub winner_to_move: u64,
    pub loser_to_move: u64,
    /// Positions at the horizon, which were solved.
    pub endgames: u64,
}

/// Where a certificate fails, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {fault}")]
pub struct Refutation {
    /// The position as text, in its canonical form.
    pub position: String,
    pub fault: Fault,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The winner is to move.
    #[error("no move is listed")]
    NoMove,
    #[error("the move listed, {0}, is not legal")]
    IllegalMove(String),
    /// This move, listed or the loser's, ends the game with the loser's win.
    #[error("{0} loses the game")]
    Lost(String),
    /// The loser has won before the first move.
    #[error("the game is over, and lost")]
    LostBefore,
    /// The list says a move that nobody has checked.
    #[error("is listed, but no game comes to it")]
    Unneeded,
    /// The loser wins this endgame.
    #[error("the other side wins")]
    LostEndgame,
}

/// Whether the winner wins as the certificate says, by exactly the moves that it lists.
pub fn check<G: CertificateGame>(certificate: &Certificate<G>, progress: &dyn Progress) -> Result<Report, Refutation> {
    let walked = (0..certificate.len()).map(|_| AtomicBool::new(false)).collect();
    let replay = Replay { certificate, progress, walked };
    let report = replay.run()?;
    replay.check_all_walked()?;
    Ok(report)
}

/// Keys of positions with the same number of plies left and the same side to move, duplicates among them.
#[derive(Default)]
struct Frontier {
    keys: Vec<u64>,
    /// Distinct keys when duplicates were last removed.
    distinct: usize,
}

impl Frontier {
    fn add(&mut self, keys: Vec<u64>) {
        if self.keys.is_empty() {
            self.keys = keys;
        } else {
            self.keys.extend(keys);
        }
        if self.keys.len() > 2 * self.distinct + LOOSE {
            self.remove_duplicates();
        }
    }

    fn remove_duplicates(&mut self) {
        self.keys.par_sort_unstable();
        self.keys.dedup();
        self.distinct = self.keys.len();
    }

    /// All keys once, ascending.
    fn distinct(mut self) -> Vec<u64> {
        self.remove_duplicates();
        self.keys
    }
}

/// Frontiers by plies left, and by whether the winner is to move. All moves lower the plies left, so the last one is
/// complete.
type Frontiers = BTreeMap<(u32, bool), Frontier>;

struct Replay<'a, G: CertificateGame> {
    certificate: &'a Certificate<G>,
    progress: &'a dyn Progress,
    /// Which of the listed positions a game has come to.
    walked: Vec<AtomicBool>,
}

impl<G: CertificateGame> Replay<'_, G> {
    fn run(&self) -> Result<Report, Refutation> {
        let Claim { game, position, winner, horizon, .. } = &self.certificate.claim;
        let own = game.side(position) == *winner;
        match self.mover_has_won(position, own) {
            Some(won) if won != own => return Err(self.refuted(position, Fault::LostBefore)),
            Some(_) => return Ok(Report::default()),
            None => {}
        }
        let (mut frontiers, mut endgames, mut played) = (Frontiers::new(), Vec::new(), [0, 0]);
        frontiers.entry((game.plies_left(position), own)).or_default().add(vec![game.rank(position)]);
        self.progress.begin("re-play", self.certificate.len() as u64);
        while let Some(((left, own), frontier)) = frontiers.pop_last() {
            let keys = frontier.distinct();
            if left <= *horizon {
                endgames.push((own, keys));
            } else {
                played[usize::from(!own)] += keys.len() as u64;
                self.expand(&keys, own, &mut frontiers)?;
            }
        }
        self.progress.end(&format!("{} positions", played[0] + played[1]));
        let count = endgames.iter().map(|(_, keys)| keys.len() as u64).sum();
        self.solve_endgames(&endgames, count)?;
        let [winner_to_move, loser_to_move] = played;
        Ok(Report { winner_to_move, loser_to_move, endgames: count })
    }

    fn check_all_walked(&self) -> Result<(), Refutation> {
        let Some(at) = self.walked.iter().position(|walked| !walked.load(Ordering::Relaxed)) else { return Ok(()) };
        let (game, key) = (&self.certificate.claim.game, self.certificate.keys[at]);
        let position = game.unrank(key).map_or(format!("key {key}"), |position| game.position_text(&position));
        Err(Refutation { position, fault: Fault::Unneeded })
    }

    /// Adds the positions after moves in which the game goes on. `own` tells whether the winner moves.
    fn expand(&self, keys: &[u64], own: bool, frontiers: &mut Frontiers) -> Result<(), Refutation> {
        for batch in keys.chunks(BATCH) {
            let shares: Vec<_> = batch.par_chunks(SHARE).map(|keys| self.expand_share(keys, own)).collect();
            for share in shares {
                for (left, keys) in share? {
                    frontiers.entry((left, !own)).or_default().add(keys);
                }
            }
        }
        Ok(())
    }

    /// The same for what one thread expands at a time: keys by plies left, ascending.
    fn expand_share(&self, keys: &[u64], own: bool) -> Result<Vec<(u32, Vec<u64>)>, Refutation> {
        let game = &self.certificate.claim.game;
        let (mut after, mut moves): (Vec<(u32, Vec<u64>)>, _) = (Vec::new(), Vec::new());
        for &key in keys {
            let position = self.position(key);
            game.moves(&position, &mut moves);
            if own {
                let listed = self.listed(&position, key, &moves)?;
                moves.clear();
                moves.push(listed);
            }
            for &mv in &moves {
                let child = game.play(&position, mv);
                match self.mover_has_won(&child, !own) {
                    Some(won) if won == own => return Err(self.refuted(&position, Fault::Lost(game.move_text(mv)))),
                    Some(_) => continue,
                    None => {}
                }
                let (left, key) = (game.plies_left(&child), game.rank(&child));
                match after.iter_mut().find(|(other, _)| *other == left) {
                    Some((_, keys)) => keys.push(key),
                    None => after.push((left, vec![key])),
                }
            }
        }
        if own {
            self.progress.advance(keys.len() as u64);
        }
        for (_, keys) in &mut after {
            keys.sort_unstable();
            keys.dedup();
        }
        Ok(after)
    }

    fn listed(&self, position: &G::Position, key: u64, legal: &[G::Move]) -> Result<G::Move, Refutation> {
        let game = &self.certificate.claim.game;
        let (at, byte) = self.certificate.listed(key).ok_or_else(|| self.refuted(position, Fault::NoMove))?;
        self.walked[at].store(true, Ordering::Relaxed);
        let illegal = || Fault::IllegalMove(game.byte_text(byte).unwrap_or_default());
        move_of(game, legal, byte).ok_or_else(|| self.refuted(position, illegal()))
    }

    /// Solves positions at the horizon; `own` tells whether the winner is to move.
    fn solve_endgames(&self, endgames: &[(bool, Vec<u64>)], count: u64) -> Result<(), Refutation> {
        if count == 0 {
            return Ok(());
        }
        self.progress.begin("reading out", count);
        for (own, keys) in endgames {
            let shares = keys.par_chunks(ENDGAME_SHARE).map(|keys| self.solve_share(keys, *own));
            shares.collect::<Vec<_>>().into_iter().collect::<Result<(), _>>()?;
        }
        self.progress.end(&format!("{count} positions"));
        Ok(())
    }

    fn solve_share(&self, keys: &[u64], own: bool) -> Result<(), Refutation> {
        let mut solver = EndgameSolver::new(&self.certificate.claim.game, self.certificate.claim.draws_win());
        for (number, &key) in keys.iter().enumerate() {
            let position = self.position(key);
            if solver.wins(&position, own) != own {
                return Err(self.refuted(&position, Fault::LostEndgame));
            }
            if number % 64 == 63 {
                self.progress.advance(64);
            }
        }
        Ok(())
    }

    /// The position of a key that a position was found to have.
    fn position(&self, key: u64) -> G::Position {
        self.certificate.claim.game.unrank(key).expect("keys lead back to their positions")
    }

    fn mover_has_won(&self, position: &G::Position, own: bool) -> Option<bool> {
        mover_has_won(&self.certificate.claim.game, position, own, self.certificate.claim.draws_win())
    }

    fn refuted(&self, position: &G::Position, fault: Fault) -> Refutation {
        Refutation { position: self.certificate.claim.game.position_text(position), fault }
    }
}
