//! Checks a certificate by the rules: plays the listed moves of the winner and all moves of the loser, and visits each
//! position once. The checker shares nothing with the search that made the certificate.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::endgame::{EndgameSolver, mover_has_won};
use super::game::move_of;
use super::{Certificate, CertificateGame, Claim, IsKnown};
use yomikiri_rules::Side;
use yomikiri_table::{Progress, parallel};

/// The maximum number of positions that the threads together expand before the children are added to the frontiers. A
/// frontier is a list of positions that are still to be expanded.
const BATCH: usize = 1 << 18;
/// The number of positions that one thread expands at a time.
const SHARE: usize = 1 << 10;

/// The number of endgames that one thread solves with one transposition table.
const ENDGAME_SHARE: usize = 1 << 13;

/// The slack of a [`Frontier`], in keys. A frontier removes its duplicates when it has more than `2 * distinct + LOOSE`
/// keys. `distinct` is the number of keys after the last removal.
const LOOSE: usize = 1 << 22;

/// The size of a proof that was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedCounts {
    /// The number of positions in which the winner made its listed move.
    pub winner_to_move: u64,
    /// The number of positions in which the loser made all its moves.
    pub loser_to_move: u64,
    /// The number of positions that are too near the end to be listed, and that a search has solved.
    pub endgames: u64,
}

/// The position at which a certificate fails, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {fault}")]
pub struct Refutation {
    /// The position, as text.
    pub position: String,
    /// The fault of the certificate at this position.
    pub fault: CertificateFault,
}

/// The reason why a certificate fails at a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateFault {
    /// The winner is to move and the position is not listed.
    #[error("no move is listed")]
    NoMove,
    /// The listed byte does not belong to a legal move.
    #[error("the listed move {0} is not legal")]
    IllegalMove(String),
    /// This move ends the game, and the loser of the claim wins. It is the listed move, or a move of the loser.
    #[error("{0} loses the game")]
    Lost(String),
    /// The loser has won before the first move.
    #[error("the game is over, and the side that should lose has won")]
    LostBefore,
    /// The position is listed, but no game in which the winner makes the listed moves reaches it. Its move was not
    /// checked.
    #[error("is listed, but no game reaches it")]
    Unneeded,
    /// The position is too near the end to be listed, and a search of it shows that the winner of the claim does not
    /// win.
    #[error("the other side wins")]
    LostEndgame,
}

/// Checks by the rules that the listed moves prove the claim of a certificate. Also checks that every listed position
/// can arise if the winner makes the listed moves.
pub fn check<G: CertificateGame>(
    certificate: &Certificate<G>,
    progress: &dyn Progress,
) -> Result<CheckedCounts, Refutation> {
    check_all(certificate, &[certificate.claim.position], &|_| false, &mut |_, _| (), progress)
}

/// Checks that the winner wins all `positions` by the moves of one certificate. The replay leaves out positions for
/// whose keys `known` returns true. It calls `proved` with the keys of all other nonterminal positions that it reaches,
/// and with their side to move. These positions are proved only if the whole check succeeds.
pub fn check_all<G: CertificateGame>(
    certificate: &Certificate<G>,
    positions: &[G::Position],
    known: IsKnown<'_>,
    proved: &mut dyn FnMut(&[u64], Side),
    progress: &dyn Progress,
) -> Result<CheckedCounts, Refutation> {
    let walked = (0..certificate.len()).map(|_| AtomicBool::new(false)).collect();
    let replay = Replay { certificate, known, progress, walked };
    let report = replay.run(positions, proved)?;
    replay.check_all_walked()?;
    Ok(report)
}

/// Keys of positions with the same number of plies left and the same side to move. There may be duplicates.
#[derive(Default)]
struct Frontier {
    keys: Vec<u64>,
    /// The number of distinct keys when duplicates were last removed.
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
        parallel::sort(&mut self.keys);
        self.keys.dedup();
        self.distinct = self.keys.len();
    }

    /// Returns the distinct keys, in ascending order.
    fn distinct(mut self) -> Vec<u64> {
        self.remove_duplicates();
        self.keys
    }
}

/// Frontiers by the number of plies left, and by a flag that is true if the winner is to move. Every move lowers the
/// number of plies left, so nothing can be added any more to the frontier with the most plies left.
type Frontiers = BTreeMap<(u32, bool), Frontier>;

struct Replay<'a, G: CertificateGame> {
    certificate: &'a Certificate<G>,
    known: IsKnown<'a>,
    progress: &'a dyn Progress,
    /// True for each listed position that the replay has reached.
    walked: Vec<AtomicBool>,
}

impl<G: CertificateGame> Replay<'_, G> {
    fn run(
        &self,
        positions: &[G::Position],
        proved: &mut dyn FnMut(&[u64], Side),
    ) -> Result<CheckedCounts, Refutation> {
        let Claim { game, winner, horizon, .. } = &self.certificate.claim;
        let (mut frontiers, mut endgames, mut played) = (Frontiers::new(), Vec::new(), [0, 0]);
        for position in positions {
            let own = game.side(position) == *winner;
            match self.mover_has_won(position, own) {
                Some(won) if won != own => return Err(self.refuted(position, CertificateFault::LostBefore)),
                Some(_) => {}
                None if (self.known)(game.rank(position)) => {}
                None => frontiers.entry((game.plies_left(position), own)).or_default().add(vec![game.rank(position)]),
            }
        }
        if frontiers.is_empty() {
            return Ok(CheckedCounts::default());
        }
        self.progress.begin("replay", self.certificate.len() as u64);
        while let Some(((left, own), frontier)) = frontiers.pop_last() {
            let keys = frontier.distinct();
            proved(&keys, if own { *winner } else { winner.other() });
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
        Ok(CheckedCounts { winner_to_move, loser_to_move, endgames: count })
    }

    fn check_all_walked(&self) -> Result<(), Refutation> {
        let Some(at) = self.walked.iter().position(|walked| !walked.load(Ordering::Relaxed)) else { return Ok(()) };
        let (game, key) = (&self.certificate.claim.game, self.certificate.keys[at]);
        let position = game.unrank(key).map_or(format!("key {key}"), |position| game.position_text(&position));
        Err(Refutation { position, fault: CertificateFault::Unneeded })
    }

    /// Adds the nonterminal children of the positions `keys` to `frontiers`. `own` is true if the winner is to move in
    /// these positions.
    fn expand(&self, keys: &[u64], own: bool, frontiers: &mut Frontiers) -> Result<(), Refutation> {
        for batch in keys.chunks(BATCH) {
            for share in parallel::map_parts(batch, SHARE, |keys| self.expand_share(keys, own)) {
                for (left, keys) in share? {
                    frontiers.entry((left, !own)).or_default().add(keys);
                }
            }
        }
        Ok(())
    }

    /// Does the work of [`Replay::expand`] for the keys that one thread takes at a time. Returns the keys of the
    /// children: an ascending list for each number of plies left.
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
                    Some(won) if won == own => {
                        return Err(self.refuted(&position, CertificateFault::Lost(game.move_text(mv))));
                    }
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
            keys.retain(|&key| !(self.known)(key));
        }
        Ok(after)
    }

    fn listed(&self, position: &G::Position, key: u64, legal: &[G::Move]) -> Result<G::Move, Refutation> {
        let game = &self.certificate.claim.game;
        let (at, byte) =
            self.certificate.listed(key).ok_or_else(|| self.refuted(position, CertificateFault::NoMove))?;
        self.walked[at].store(true, Ordering::Relaxed);
        let illegal = || CertificateFault::IllegalMove(game.byte_text(byte).unwrap_or_default());
        move_of(game, legal, byte).ok_or_else(|| self.refuted(position, illegal()))
    }

    /// Solves the `count` positions that are too near the end to be listed. Each element of `endgames` has the keys of
    /// positions, and true if the winner is to move in them.
    fn solve_endgames(&self, endgames: &[(bool, Vec<u64>)], count: u64) -> Result<(), Refutation> {
        if count == 0 {
            return Ok(());
        }
        self.progress.begin("solve endgames", count);
        for (own, keys) in endgames {
            let solved = parallel::map_parts(keys, ENDGAME_SHARE, |keys| self.solve_share(keys, *own));
            solved.into_iter().collect::<Result<(), _>>()?;
        }
        self.progress.end(&format!("{count} positions"));
        Ok(())
    }

    fn solve_share(&self, keys: &[u64], own: bool) -> Result<(), Refutation> {
        let mut solver =
            EndgameSolver::new(&self.certificate.claim.game, self.certificate.claim.draws_win(), keys.len());
        for (number, &key) in keys.iter().enumerate() {
            let position = self.position(key);
            if solver.wins(&position, own) != own {
                return Err(self.refuted(&position, CertificateFault::LostEndgame));
            }
            if number % 64 == 63 {
                self.progress.advance(64);
            }
        }
        Ok(())
    }

    /// Returns the position of a key that [`yomikiri_rules::Game::rank`] has returned.
    fn position(&self, key: u64) -> G::Position {
        self.certificate.claim.game.unrank(key).expect("a key that `rank` returned has a position")
    }

    fn mover_has_won(&self, position: &G::Position, own: bool) -> Option<bool> {
        mover_has_won(&self.certificate.claim.game, position, own, self.certificate.claim.draws_win())
    }

    fn refuted(&self, position: &G::Position, fault: CertificateFault) -> Refutation {
        Refutation { position: self.certificate.claim.game.position_text(position), fault }
    }
}
