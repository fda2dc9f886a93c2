//! Step 2 of a run: finds the values of all positions, by distance from the ends of the game.

#[cfg(feature = "write")]
use super::log::ValueLog;
use super::steps::{Chunk, FoundKeys, Keys, lost, predecessors, seeds, settle};
use super::{Complete, Cyclic, RunKeys, RunSet};
use crate::space::{Batch, CHUNK, SharedSet, each_word, numbers_of};
use crate::{Result, TooLarge};
#[cfg(feature = "write")]
use std::path::Path;
#[cfg(feature = "write")]
use std::sync::Arc;

use yomikiri_rules::{CodedValue, HasDistance, Outcome, Value};
#[cfg(feature = "write")]
use yomikiri_table::Tally;
use yomikiri_table::{Progress, parallel};

/// The state of a retrograde analysis between two steps. Each step decides the positions of one distance to the end.
pub struct Analysis {
    /// The table byte of every key: 0 if the key has no position, and the byte of a draw while no other value is known.
    /// Empty if values go to a log file instead.
    pub bytes: Vec<u8>,
    /// The log file for values, and the counts of the values. `None` if there is enough memory for a byte per key.
    #[cfg(feature = "write")]
    log: Option<(ValueLog, Tally)>,
    /// The distance of the last frontier, in plies to the end.
    pub distance: u16,
    /// Positions without a value so far.
    undecided: SharedSet,
    /// Positions that the side to move wins.
    won: SharedSet,
    /// Positions that were decided at the last distance.
    frontier: SharedSet,
    /// Positions that are decided at the next distance.
    next: SharedSet,
    /// Predecessors of the last frontier. A step uses this set twice: first for positions that may be lost, because
    /// some of their moves lose, then for positions that are won.
    candidates: SharedSet,
    /// The outcomes and distances that seeds may have, without repeats. Distances that the analysis has reached are
    /// removed. A *seed* is a position whose value follows from moves to decided positions alone
    /// ([`Cyclic::ended_value`]). Until the analysis reaches its distance, a seed counts as undecided, but its entry in
    /// `bytes`, if there is one, already has the value.
    seeds: Vec<(Outcome, u16)>,
}

/// Finds the values of all undecided positions. Returns the table byte of every key; 0 if the key has no position.
/// Calls `keep` after each distance, so that `keep` can save the state for [`Analysis::resume`]. The calls begin when
/// all [`seeds`], whose values follow from ends of the game alone, have joined a frontier.
pub fn solve<G: Cyclic>(
    game: &G,
    analysis: Analysis,
    progress: &dyn Progress,
    keep: impl FnMut(&Analysis) -> Result<()>,
) -> Result<Vec<u8>> {
    Ok(by_distance(game, analysis, progress, keep, |analysis| analysis.step_back(game))?.bytes)
}

/// Like [`solve`], but without a byte per key. The values are in the sets and the log of the analysis that is returned.
#[cfg(feature = "write")]
pub fn solve_logged<G: Cyclic>(game: &G, analysis: Analysis, progress: &dyn Progress) -> Result<Analysis> {
    by_distance(game, analysis, progress, |_| Ok(()), |analysis| analysis.step_back(game))
}

/// Like [`solve`], for all positions of a game whose keys are divided into parts ([`Complete::parts`]).
pub fn solve_all<G: Complete>(
    game: &G,
    analysis: Analysis,
    progress: &dyn Progress,
    keep: impl FnMut(&Analysis) -> Result<()>,
) -> Result<Vec<u8>> {
    // Saved bytes do not contain the positions in which the game is over, but `step_back_by_parts` needs those that are
    // won.
    game.ends().iter().filter(|(_, outcome)| *outcome == Outcome::Win).for_each(|&(key, _)| {
        analysis.won.insert(key.into());
    });
    Ok(by_distance(game, analysis, progress, keep, |analysis| analysis.step_back_by_parts(game))?.bytes)
}

/// Finds all values. `step_back` must find the next frontier from the last one.
fn by_distance<G: Cyclic>(
    game: &G,
    mut analysis: Analysis,
    progress: &dyn Progress,
    mut keep: impl FnMut(&Analysis) -> Result<()>,
    step_back: impl Fn(&Analysis),
) -> Result<Analysis> {
    progress.begin("Step 2: solve", analysis.undecided.count());
    loop {
        let here = analysis.distance + 1;
        analysis.join_seeds(game, here);
        if here > G::Value::MAX_PLIES && analysis.next.count() > 0 {
            return Err(TooLarge::Distance { code: Some(game.code()), plies: here }.into());
        }
        let count = analysis.settle::<G>()?;
        progress.advance(count);
        if count == 0 && analysis.seeds.is_empty() {
            break;
        }
        step_back(&analysis);
        if analysis.seeds.is_empty() {
            keep(&analysis)?;
        }
    }
    progress.end(&format!("{} plies at most, {} draws", analysis.distance - 1, analysis.undecided.count()));
    Ok(analysis)
}

impl Analysis {
    /// Bytes of memory that an analysis of `keys` keys takes.
    pub fn memory(keys: u64) -> u64 {
        keys + 5 * SharedSet::memory(keys)
    }

    /// Like [`Analysis::memory`], without a byte per key, for `solve_logged`.
    pub fn memory_logged(keys: u64) -> u64 {
        5 * SharedSet::memory(keys)
    }

    /// Like [`Analysis::memory`], for [`solve_all`].
    pub fn memory_for_all(keys: u64) -> u64 {
        // This analysis never touches the set of candidates, so the set takes no memory.
        keys + 4 * SharedSet::memory(keys)
    }

    /// Begins an analysis of the positions `open`, and finds the values that follow from moves to decided positions
    /// alone.
    pub fn new<G: Cyclic>(game: &G, open: SharedSet) -> Result<Analysis> {
        let mut analysis = Analysis::open(game, open)?;
        analysis.find_seeds(game);
        Ok(analysis)
    }

    /// Begins an analysis of the positions `open` for `solve_logged`, with a log of the values at `path` instead of a
    /// byte per key. Unlike [`Analysis::new`], it does not find the values that follow from moves to decided positions
    /// alone. They are found when the analysis reaches their distance.
    #[cfg(feature = "write")]
    pub fn logged(open: SharedSet, keys: u64, path: &Path) -> Result<Analysis> {
        let mut analysis = Analysis::with_sets(Vec::new(), keys, 0, open)?;
        analysis.log = Some((ValueLog::create(path)?, Tally::default()));
        analysis.seeds = [1, 2].into_iter().flat_map(|plies| [(Outcome::Win, plies), (Outcome::Loss, plies)]).collect();
        Ok(analysis)
    }

    /// Begins an analysis of all positions. The positions in which the game is over are the frontier of distance 0.
    pub fn from_ends<G: Complete>(game: &G) -> Result<Analysis> {
        let ends = game.ends();
        let open = SharedSet::full(game.open_keys().into())?;
        ends.iter().for_each(|&(key, _)| {
            open.remove(key.into());
        });
        let analysis = Analysis::open(game, open)?;
        for &(key, outcome) in &ends {
            analysis.frontier.insert(key.into());
            if outcome == Outcome::Win {
                analysis.won.insert(key.into());
            }
        }
        analysis.step_back_by_parts(game);
        Ok(analysis)
    }

    fn open<G: Cyclic>(game: &G, open: SharedSet) -> Result<Analysis> {
        let keys = game.open_keys().into();
        let draw = G::Value::of(Outcome::Draw, 0).to_byte();
        let mut bytes = vec![0; keys as usize];
        parallel::each_part_mut(&mut bytes, CHUNK as usize, |chunk, bytes| {
            open.visit_chunk(chunk as u64, |key| bytes[(key % CHUNK) as usize] = draw);
        });
        Analysis::with_sets(bytes, keys, 0, open)
    }

    /// Creates an analysis. All its sets are empty, except for the undecided positions.
    fn with_sets(bytes: Vec<u8>, keys: u64, distance: u16, undecided: SharedSet) -> Result<Analysis> {
        let set = || SharedSet::new(keys);
        let (won, frontier, next, candidates) = (set()?, set()?, set()?, set()?);
        Ok(Analysis {
            bytes,
            #[cfg(feature = "write")]
            log: None,
            distance,
            undecided,
            won,
            frontier,
            next,
            candidates,
            seeds: Vec::new(),
        })
    }

    /// Restores the state that [`solve`] or [`solve_all`] passed to `keep`. `bytes` has the byte of each key that
    /// [`Analysis::bytes_with_next`] gave for that state, and `distance` is its [`Analysis::distance`].
    pub fn resume<G: Cyclic>(bytes: Vec<u8>, distance: u16) -> Result<Analysis> {
        let keys = bytes.len() as u64;
        let analysis = Analysis::with_sets(bytes, keys, distance, SharedSet::new(keys)?)?;
        parallel::each(keys.div_ceil(CHUNK) as usize, |chunk| {
            let first = chunk as u64 * CHUNK;
            for (key, &byte) in (first..(first + CHUNK).min(keys)).zip(&analysis.bytes[first as usize..]) {
                let Some(value) = G::Value::from_byte(byte) else { continue };
                match value.outcome() {
                    Outcome::Draw => analysis.undecided.insert(key),
                    Outcome::Win => analysis.won.insert(key),
                    Outcome::Loss => false,
                };
                if value.plies().is_some_and(|plies| plies.0 > distance) {
                    analysis.next.insert(key);
                }
            }
        });
        Ok(analysis)
    }

    /// Returns a function from keys to their bytes, for [`Analysis::resume`]. Unlike in [`Analysis::bytes`], the
    /// positions of the next frontier already have their values.
    pub fn bytes_with_next<G: Cyclic>(&self) -> impl Fn(u64) -> u8 + Sync + '_ {
        move |key| {
            if !self.next.contains(key) {
                return self.bytes[key as usize];
            }
            let outcome = if self.won.contains(key) { Outcome::Win } else { Outcome::Loss };
            G::Value::of(outcome, self.distance + 1).to_byte()
        }
    }

    /// Returns the counts of values in a logged analysis, draws included.
    #[cfg(feature = "write")]
    pub fn tally<G: Cyclic>(&self) -> Tally {
        let mut tally = self.log.as_ref().map(|(_, tally)| tally.clone()).unwrap_or_default();
        let draws = self.undecided.count();
        if draws > 0 {
            tally.add(0, G::Value::of(Outcome::Draw, 0).to_byte(), draws);
        }
        tally
    }

    /// Returns the bytes of the chunk that contains `key`, for a logged analysis of `keys` keys.
    #[cfg(feature = "write")]
    pub fn logged_chunk<G: Cyclic>(&self, key: u64, keys: u64) -> Arc<Vec<u8>> {
        let (chunk, draw) = (key / CHUNK, G::Value::of(Outcome::Draw, 0).to_byte());
        let Some((log, _)) = &self.log else { return Arc::default() };
        let byte = |key: u64, distance: u16| {
            let outcome = if self.won.contains(key) { Outcome::Win } else { Outcome::Loss };
            G::Value::of(outcome, distance).to_byte()
        };
        let count = (keys - chunk * CHUNK).min(CHUNK) as usize;
        log.chunk(chunk, count, byte, |key| if self.undecided.contains(key) { draw } else { 0 })
    }

    /// Returns an error if some of the log could not be read.
    #[cfg(feature = "write")]
    pub fn check_log(&self) -> Result<()> {
        Ok(self.log.as_ref().map_or(Ok(()), |(log, _)| log.check())?)
    }

    /// Finds the seeds, the positions whose value follows from moves to decided positions alone, and writes their
    /// bytes.
    fn find_seeds<G: Cyclic>(&mut self, game: &G) {
        let undecided = &self.undecided;
        let found = parallel::map_parts_mut(&mut self.bytes, CHUNK as usize, |chunk, bytes| {
            let mut kinds = Vec::new();
            seeds(game, &Chunk(undecided, chunk as u64), |seeds, outcome, plies| {
                let byte = G::Value::of(outcome, plies.into()).to_byte();
                seeds.each(|key| bytes[(key % CHUNK) as usize] = byte);
                if !kinds.contains(&(outcome, plies.into())) {
                    kinds.push((outcome, plies.into()));
                }
            });
            kinds
        });
        let mut kinds: Vec<(Outcome, u16)> = found.concat();
        kinds.sort_unstable_by_key(|&(outcome, plies)| (plies, outcome == Outcome::Loss));
        kinds.dedup();
        self.seeds = kinds;
    }

    /// Adds to the next frontier the seeds of a distance: positions whose value follows from moves to decided positions
    /// alone.
    fn join_seeds<G: Cyclic>(&mut self, game: &G, distance: u16) {
        #[cfg(feature = "write")]
        if self.log.is_some() && self.seeds.iter().any(|(_, here)| *here == distance) {
            self.find_seeds_of(game, distance);
            self.seeds.retain(|(_, here)| *here > distance);
            return;
        }
        let _ = game;
        for &(outcome, _) in self.seeds.iter().filter(|(_, here)| *here == distance) {
            let byte = G::Value::of(outcome, distance).to_byte();
            self.undecided.each_chunk(|chunk| {
                self.undecided.visit_chunk(chunk, |key| {
                    if self.bytes[key as usize] == byte {
                        self.decide(key, outcome);
                    }
                });
            });
        }
        self.seeds.retain(|(_, here)| *here > distance);
    }

    /// Does the work of [`Analysis::join_seeds`] without a byte per key: makes the moves of all undecided positions
    /// again, and adds the seeds of this distance to the next frontier.
    #[cfg(feature = "write")]
    fn find_seeds_of<G: Cyclic>(&self, game: &G, distance: u16) {
        self.undecided.each_chunk(|chunk| {
            seeds(game, &Chunk(&self.undecided, chunk), |seeds, outcome, plies| {
                if u16::from(plies) == distance {
                    seeds.each(|key| self.decide(key, outcome));
                }
            });
        });
    }

    /// Adds a position to the next frontier, unless it has a value already.
    #[inline]
    fn decide(&self, key: u64, outcome: Outcome) {
        if self.undecided.remove(key) {
            self.next.insert(key);
            if outcome == Outcome::Win {
                self.won.insert(key);
            }
        }
    }

    /// Turns the next frontier into the last frontier, and writes its values. Returns the number of its positions.
    fn settle<G: Cyclic>(&mut self) -> Result<u64> {
        self.distance += 1;
        self.frontier.clear();
        std::mem::swap(&mut self.frontier, &mut self.next);
        #[cfg(feature = "write")]
        if let Some((log, tally)) = &mut self.log {
            let wins = self.frontier.count_common(&self.won);
            let losses = self.frontier.count() - wins;
            for (outcome, count) in [(Outcome::Win, wins), (Outcome::Loss, losses)].into_iter().filter(|of| of.1 > 0) {
                tally.add(0, G::Value::of(outcome, self.distance).to_byte(), count);
            }
            log.append(&self.frontier)?;
            return Ok(wins + losses);
        }
        let (frontier, won, distance) = (&self.frontier, &self.won, self.distance);
        let settled = parallel::map_parts_mut(&mut self.bytes, CHUNK as usize, |chunk, bytes| {
            let (chunk, first) = (Chunk(frontier, chunk as u64), chunk as u64 * CHUNK);
            settle::<G::Value>(&chunk, |key| won.contains(key), distance, first, bytes)
        });
        Ok(settled.iter().sum())
    }

    /// Like [`Analysis::decide`], for several of the 64 keys of a word: those whose bits are set in `bits`.
    #[inline]
    fn decide_word(&self, word: u64, bits: u64, outcome: Outcome) {
        let decided = self.undecided.remove_word(word, bits);
        if decided != 0 {
            self.next.insert_word(word, decided);
            if outcome == Outcome::Win {
                self.won.insert_word(word, decided);
            }
        }
    }

    /// Finds the next frontier from the last one. The keys of predecessors are scattered, so they are collected in a
    /// single set. Then the undecided positions in this set are found in the order of their keys.
    fn step_back<G: Cyclic>(&self, game: &G) {
        self.find_candidates(game, Outcome::Win);
        self.candidates.each_chunk(|chunk| {
            let asked = Both { set: &self.candidates, other: &self.undecided, is_in: true, chunk };
            lost(game, &asked, &self.won, |found| match found {
                FoundKeys::One(key) => self.decide(key.into(), Outcome::Loss),
                FoundKeys::Run(RunKeys { first, set }) => {
                    each_word(first, set, |word, bits| self.decide_word(word, bits, Outcome::Loss));
                }
            });
        });
        self.candidates.clear();
        self.find_candidates(game, Outcome::Loss);
        self.candidates.each_chunk(|chunk| {
            self.candidates.visit_words(chunk, |word, bits| self.decide_word(word, bits, Outcome::Win));
        });
        self.candidates.clear();
    }

    /// Like [`Analysis::step_back`], part by part ([`Complete::parts`]). All children of a predecessor are in the same
    /// part.
    fn step_back_by_parts<G: Complete>(&self, game: &G) {
        // Losses come first, because they must follow from the wins of earlier distances alone.
        for outcome in [Outcome::Loss, Outcome::Win] {
            parallel::each(game.parts() as usize, |part| {
                let part = part as u32;
                let mut waiting = Batch::new();
                let decide = |key: G::Key| self.decide(key.into(), outcome);
                let found = |key: G::Key| {
                    self.undecided.prefetch(key.into());
                    waiting.push(key, decide);
                };
                match outcome {
                    Outcome::Loss => game.lost_before(part, &self.frontier, &self.won, found),
                    _ => game.won_before(part, &self.frontier, &self.won, found),
                }
                waiting.flush(decide);
            });
        }
    }

    /// Adds to the candidates the predecessors of the last frontier's positions with this outcome, a win or a loss.
    fn find_candidates<G: Cyclic>(&self, game: &G, outcome: Outcome) {
        self.frontier.each_chunk(|chunk| {
            let (mut keys, mut runs) = (Batch::new(), Batch::new());
            let mut one = |key: G::Key| _ = self.candidates.insert(key.into());
            let mut run = |(first, set): (u64, RunSet)| {
                each_word(first, &set, |word, bits| _ = self.candidates.insert_word(word, bits));
            };
            let frontier = Both { set: &self.frontier, other: &self.won, is_in: outcome == Outcome::Win, chunk };
            predecessors(game, &frontier, |found| match found {
                FoundKeys::One(key) => {
                    self.candidates.prefetch(G::Key::into(key));
                    keys.push(key, &mut one);
                }
                FoundKeys::Run(RunKeys { first, set }) => {
                    self.candidates.prefetch(first);
                    runs.push((first, *set), &mut run);
                }
            });
            keys.flush(&mut one);
            runs.flush(&mut run);
        });
    }
}

/// The keys of `set` in one chunk that are also in `other` or, if `is_in` is false, that are not in `other`.
struct Both<'a> {
    set: &'a SharedSet,
    other: &'a SharedSet,
    is_in: bool,
    chunk: u64,
}

impl Keys for Both<'_> {
    #[inline]
    fn each(&self, mut visit: impl FnMut(u64)) {
        self.set.visit_words(self.chunk, |word, bits| {
            let other = self.other.word(word);
            numbers_of(word, bits & if self.is_in { other } else { !other }).for_each(&mut visit);
        });
    }
}
