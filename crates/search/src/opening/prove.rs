//! Proves the winners of groups of positions. Each group gets certificates, which are checked and then dropped.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use foldhash::HashMap;
use serde::{Deserialize, Serialize};

use super::PlyGroup;
use super::levels::position;
use crate::certificate::{self, CertificateGame, ExtractError, Refutation};
use crate::proof::{FullPosition, ProofGame, ProofNumbers, Solver, Stopped};
use yomikiri_rules::{Side, key_text};
use yomikiri_table::Silent;

/// The horizon of the certificates: positions with at most this number of plies left are not listed. It is small,
/// because listing a position and checking it takes less time than solving it by the rules (docs/perf/proof.md).
pub const HORIZON: u32 = 4;

/// The result of the proof of a group of positions ([`PlyGroup`]): the winners, and summaries of the certificates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupProof {
    /// The number of moves from the start to the positions of the group.
    pub plies: u32,
    /// The key of the common ancestor of the group ([`PlyGroup::below`]), as text.
    pub below: String,
    /// The winner of each position, in the order of the group: `B` for Black, `W` for White.
    pub winners: String,
    /// One certificate for all positions that Black wins, and one for all positions that White wins. A certificate
    /// without positions is left out.
    pub certificates: Vec<CertificateSummary>,
    /// The work of the proof, in expansions.
    pub expansions: u64,
    /// The time of the proof and its checks, in seconds, summed over all threads.
    pub seconds: f64,
}

/// The summary of a certificate that was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateSummary {
    /// The side that wins the positions of the certificate.
    pub winner: Side,
    /// The number of positions of the group that the winner wins.
    pub positions: u64,
    /// The number of positions that the certificate lists, without those that earlier certificates of the run have
    /// proved.
    pub listed: u64,
    /// The number of positions too near the end to be listed, which the check solved by search. Positions that earlier
    /// certificates have proved do not count.
    pub read_out: u64,
    /// The horizon of the certificate: positions with at most this number of plies left are not listed.
    pub horizon: u32,
    /// The hash of the list as 16 hexadecimal digits ([`certificate::Certificate::list_hash`]).
    pub hash: String,
}

/// The reason why a group is not proved.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// The search was told to stop.
    #[error("stopped")]
    Stopped,
    /// No certificate could be made, which shows a fault of the program or of the machine.
    #[error(
        "cannot make a certificate of {winner}'s wins after {below}: {why}; this is a fault of the program or of the \
         machine"
    )]
    NoCertificate {
        /// The key of the common ancestor of the group ([`PlyGroup::below`]), as text.
        below: String,
        /// The side that wins the positions of the certificate.
        winner: Side,
        /// The reason why there is no certificate.
        why: ExtractError,
    },
    /// The check of a certificate has failed, which shows a fault of the program or of the machine.
    #[error(
        "the certificate of {winner}'s wins after {below} fails its check: {refutation}; this is a fault of the \
         program or of the machine"
    )]
    Refuted {
        /// The key of the common ancestor of the group ([`PlyGroup::below`]), as text.
        below: String,
        /// The side that wins the positions of the certificate.
        winner: Side,
        /// The position at which the check failed, with the reason.
        refutation: Refutation,
    },
}

impl From<Stopped> for ProveError {
    fn from(_: Stopped) -> ProveError {
        ProveError::Stopped
    }
}

/// The positions that the certificates of a run have proved so far, for either winner. A position that can follow from
/// several groups is thus checked only once.
pub struct ProvedPositions {
    of: [RwLock<ProvedBySide>; 2],
    /// The maximum number of positions kept for each side. Positions that are not kept are checked again when they are
    /// needed.
    most: usize,
}

/// The size of a kept position in bytes, with its share of the free room in the map.
const BYTES_PER_POSITION: u64 = 32;

/// The positions that one side wins.
#[derive(Default)]
struct ProvedBySide {
    /// The index of the certificate that has proved each position, by key.
    proved: HashMap<u64, u32>,
    /// The number of certificates so far.
    certificates: u32,
}

impl ProvedPositions {
    /// Creates an empty set that takes at most `bytes` bytes.
    pub fn new(bytes: u64) -> ProvedPositions {
        ProvedPositions { of: Default::default(), most: (bytes / BYTES_PER_POSITION / 2) as usize }
    }

    /// Returns the number of certificates so far that prove wins of `winner`. The set of positions that these
    /// certificates have proved stays the same while other threads add certificates.
    fn certificates(&self, winner: Side) -> u32 {
        self.of(winner).certificates
    }

    /// Returns true if one of the first `certificates` certificates has proved that `winner` wins the position of
    /// `key`.
    fn has(&self, winner: Side, key: u64, certificates: u32) -> bool {
        self.of(winner).proved.get(&key).is_some_and(|&number| number < certificates)
    }

    fn add(&self, winner: Side, keys: &[u64]) {
        let mut of = self.of[winner as usize].write().unwrap_or_else(PoisonError::into_inner);
        let (number, room) = (of.certificates, self.most.saturating_sub(of.proved.len()));
        for &key in keys.iter().take(room) {
            of.proved.entry(key).or_insert(number);
        }
        of.certificates += 1;
    }

    fn of(&self, winner: Side) -> RwLockReadGuard<'_, ProvedBySide> {
        self.of[winner as usize].read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Groups that several threads prove together. The threads take single positions, in order, so that few groups are
/// unfinished when the work stops.
pub struct GroupQueue {
    groups: Vec<(PlyGroup, Mutex<GroupProgress>)>,
    /// The next position to take: the index of its group, and its index in the group.
    next: Mutex<(usize, usize)>,
}

/// A position of a [`GroupQueue`]: the index of its group, and its index in the group.
#[derive(Clone, Copy, Debug)]
pub struct QueuedPosition {
    group: usize,
    at: usize,
}

/// The results for a group so far.
#[derive(Default)]
struct GroupProgress {
    /// The winners found so far, by the index of the position in the group.
    winners: BTreeMap<usize, Side>,
    expansions: u64,
    time: Duration,
}

impl GroupQueue {
    /// Creates a queue of all positions of `groups`.
    pub fn new(groups: Vec<PlyGroup>) -> GroupQueue {
        let groups = groups.into_iter().map(|group| (group, Mutex::default())).collect();
        GroupQueue { groups, next: Mutex::default() }
    }

    /// Takes the next position, or returns `None` if all are taken.
    pub fn take(&self) -> Option<QueuedPosition> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let (group, at) = *next;
        let last = self.groups.get(group)?.0.keys.len() - 1;
        *next = if at < last { (group, at + 1) } else { (group + 1, 0) };
        Some(QueuedPosition { group, at })
    }

    /// Proves the winner of a position. After the last position of a group, makes certificates of all results of the
    /// group and checks them by the rules. Then returns the proof of the group. Returns `None` while positions of the
    /// group are not proved.
    ///
    /// The certificates leave out positions that are already in `checked`; newly checked positions are added to it.
    pub fn prove<P: ProofGame<Rules: CertificateGame>>(
        &self,
        solver: &mut Solver<P>,
        queued: QueuedPosition,
        checked: &ProvedPositions,
    ) -> Result<Option<GroupProof>, ProveError> {
        let (group, progress) = &self.groups[queued.group];
        let (begun, work) = (Instant::now(), solver.work());
        let winner = winner(solver, &position(solver.game().rules(), group.keys[queued.at]))?;
        let (winners, earlier) = {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.winners.insert(queued.at, winner);
            if progress.winners.len() < group.keys.len() {
                progress.expansions += solver.work() - work;
                progress.time += begun.elapsed();
                return Ok(None);
            }
            (progress.winners.values().copied().collect::<Vec<Side>>(), (progress.expansions, progress.time))
        };
        let certificates = certificates(solver, group, &winners, checked)?;
        let seconds = (earlier.1 + begun.elapsed()).as_secs_f64();
        Ok(Some(GroupProof {
            plies: group.plies,
            below: key_text(group.below),
            winners: winners.into_iter().map(|winner| if winner == Side::Black { 'B' } else { 'W' }).collect(),
            certificates,
            expansions: earlier.0 + solver.work() - work,
            seconds: (seconds * 10.0).round() / 10.0,
        }))
    }
}

/// Makes and checks the certificates of a group whose winners are known.
fn certificates<P: ProofGame<Rules: CertificateGame>>(
    solver: &mut Solver<P>,
    group: &PlyGroup,
    winners: &[Side],
    checked: &ProvedPositions,
) -> Result<Vec<CertificateSummary>, ProveError> {
    let below = key_text(group.below);
    let mut certificates = Vec::new();
    for side in [Side::Black, Side::White] {
        let won = group.keys.iter().zip(winners).filter(|&(_, &winner)| winner == side);
        let won: Vec<FullPosition<P>> = won.map(|(&key, _)| position(solver.game().rules(), key)).collect();
        if !won.is_empty() {
            certificates.push(certify(solver, &below, side, &won, checked)?);
        }
    }
    Ok(certificates)
}

/// Returns the winner of a nonterminal position.
fn winner<P: ProofGame>(solver: &mut Solver<P>, position: &FullPosition<P>) -> Result<Side, Stopped> {
    let compact = solver.game().compact(position);
    let mover = solver.game().side(&compact);
    let wins = solver.search(&compact, ProofNumbers::INFINITE.pn)?.ok_or(Stopped)?;
    Ok(if wins { mover } else { mover.other() })
}

/// Makes a certificate of the positions that `winner` wins, and checks it.
fn certify<P: ProofGame<Rules: CertificateGame>>(
    solver: &mut Solver<P>,
    below: &str,
    winner: Side,
    won: &[FullPosition<P>],
    checked: &ProvedPositions,
) -> Result<CertificateSummary, ProveError> {
    let certificates = checked.certificates(winner);
    let known = |key| checked.has(winner, key, certificates);
    let certificate = certificate::extract_by(solver, won, winner, HORIZON, &known, &AtomicU64::new(0));
    let certificate = certificate.map_err(|why| match why {
        ExtractError::Stopped => ProveError::Stopped,
        why @ ExtractError::NotWon(_) => ProveError::NoCertificate { below: below.into(), winner, why },
    })?;
    let mut proved = Vec::new();
    let mut add = |keys: &[u64], _| proved.extend_from_slice(keys);
    let report = certificate::check_all(&certificate, won, &known, &mut add, &Silent);
    let report = report.map_err(|refutation| ProveError::Refuted { below: below.into(), winner, refutation })?;
    checked.add(winner, &proved);
    Ok(CertificateSummary {
        winner,
        positions: won.len() as u64,
        listed: certificate.len() as u64,
        read_out: report.endgames,
        horizon: HORIZON,
        hash: format!("{:016x}", certificate.list_hash()),
    })
}
