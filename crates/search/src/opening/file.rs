//! The file of an opening: a table of sorted keys whose values are winners. A look-up reads one block.

use std::collections::HashSet;
use std::path::Path;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::levels::{MAX_PLIES, children_of, levels};
use super::outcomes::Outcomes;
use crate::Strategy;
use yomikiri_rules::{Game, Side, Value, key_text};
use yomikiri_table::entries::each_block;
use yomikiri_table::probe;
use yomikiri_table::source::{FileSource, ReadAt};
use yomikiri_table::{IndexKind, Silent, Table, TableError};
#[cfg(feature = "write")]
use yomikiri_table::{KeyBytes, Replaceable, write_keys};

/// The number in the header of an opening file that tells that its values are winners.
pub const OUTCOME_CODEC: u8 = 5;

/// The byte of a position that the side to move loses.
const LOSES: u8 = 2;
/// The byte of a position that the side to move wins.
const WINS: u8 = 3;

/// The meta data of an opening file. The rules and their revision are in the header of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Meta {
    /// The number of listed positions at each level. Element `n` is the number of positions after `n` moves from the
    /// start.
    levels: Vec<u64>,
}

/// An opening in a file. Look-ups read only the blocks that they need.
///
/// The file also tells the winner of positions that it does not list, but that follow a listed lost position. All moves
/// of a lost position lose, so the side to move wins after each of them. Such positions are at most one ply after the
/// last ply of the opening.
pub struct OpeningFile<G: Game> {
    game: G,
    table: Table,
    levels: Vec<u64>,
    /// The keys of the positions after each move of a listed lost position. Made on first use.
    after_lost: OnceLock<HashSet<u64>>,
}

/// Returns the rule code that an opening file states, or `None` if the file is not an opening.
pub fn opening_of(path: &Path) -> Option<String> {
    let table = Table::open_any_game(Box::new(FileSource::open(path).ok()?), path).ok()?;
    (table.header.value_codec == OUTCOME_CODEC).then(|| table.header.rule_code())
}

impl<G: Game> OpeningFile<G> {
    /// Opens an opening of the same variant as `game`. Returns an error if the file is for another variant. Errors name
    /// `path`.
    pub fn open(game: &G, source: Box<dyn ReadAt>, path: &Path) -> Result<OpeningFile<G>, TableError> {
        let table = Table::open_any_game(source, path)?;
        if table.header.value_codec != OUTCOME_CODEC || table.header.index_kind != IndexKind::SortedKeys {
            return Err(TableError::foreign(table.path(), "is not an opening"));
        }
        let table = table.of_game(&game.code(), game.rules_revision(), OUTCOME_CODEC)?;
        let Meta { levels } = table.meta_as()?;
        Ok(OpeningFile { game: game.clone(), table, levels, after_lost: OnceLock::new() })
    }

    /// The hash in the header, which covers the whole file.
    pub fn hash(&self) -> u64 {
        self.table.header.header_hash.get()
    }

    /// Returns the number of positions that the file lists.
    pub fn positions(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// The number of moves from the start to the last positions of the opening.
    pub fn plies(&self) -> u32 {
        self.levels.len().saturating_sub(1) as u32
    }

    /// Returns true if the side to move wins a position, false if it loses, or `None` if that does not follow from the
    /// file. The game must not be over.
    pub fn mover_wins(&self, position: &G::Position) -> Result<Option<bool>, TableError> {
        let key = self.game.rank(position);
        if let Some(byte) = probe::byte(&self.table, key)? {
            return self.wins_of(byte).map(Some);
        }
        let moves = self.game.ply(position).saturating_sub(self.game.ply(&self.game.start()));
        Ok((moves <= self.plies() + 1 && self.after_lost()?.contains(&key)).then_some(true))
    }

    /// Returns the keys of the positions after each move of a listed lost position.
    fn after_lost(&self) -> Result<&HashSet<u64>, TableError> {
        if let Some(known) = self.after_lost.get() {
            return Ok(known);
        }
        let mut after = HashSet::new();
        each_block(&self.table, |entries| {
            for (&key, &byte) in entries.keys.iter().zip(&entries.bytes) {
                if !self.wins_of(byte)? {
                    let position = self.game.unrank(key);
                    let position = position.ok_or_else(|| self.table.damaged("lists a key that no position has"))?;
                    after.extend(children_of(&self.game, &position));
                }
            }
            Ok::<_, TableError>(())
        })?;
        Ok(self.after_lost.get_or_init(|| after))
    }

    fn wins_of(&self, byte: u8) -> Result<bool, TableError> {
        match byte {
            LOSES => Ok(false),
            WINS => Ok(true),
            _ => Err(self.table.damaged("has bytes that are not outcomes")),
        }
    }

    /// Reads the whole opening.
    ///
    /// # Errors
    ///
    /// If the file is damaged ([`Table::check`]). If a listed position does not belong to the opening. If the number of
    /// positions listed at a level differs from the meta data. If a winner before the last ply contradicts the winners
    /// one move later, or is missing although it follows from them.
    pub fn load(&self) -> Result<Outcomes, TableError> {
        self.table.check(&Silent)?;
        if self.plies() > MAX_PLIES {
            return Err(self.table.damaged(format!("has {} plies, which is too many", self.plies())));
        }
        let levels = levels(&self.game, self.plies());
        let most: usize = levels.iter().map(Vec::len).sum();
        let mut listed: Vec<(u64, bool)> = Vec::new();
        each_block(&self.table, |entries| {
            for (&key, &byte) in entries.keys.iter().zip(&entries.bytes) {
                listed.push((key, self.wins_of(byte)?));
            }
            if listed.len() <= most { Ok(()) } else { Err(self.table.damaged("lists too many positions")) }
        })?;
        if !listed.is_sorted_by(|one, other| one.0 < other.0) {
            return Err(self.table.damaged("does not list each position exactly once"));
        }
        let find = |&key: &u64| listed.binary_search_by_key(&key, |&(key, _)| key).ok().map(|at| listed[at].1);
        let wins = levels.iter().map(|keys| keys.iter().map(find).collect()).collect();
        let outcomes = Outcomes { levels, wins };
        let counts = outcomes.counts();
        if counts != self.levels || counts.iter().sum::<u64>() != listed.len() as u64 {
            let what = format!("claims to list {:?} positions by number of moves; it lists {counts:?}", self.levels);
            return Err(self.table.damaged(what));
        }
        for plies in 0..outcomes.levels.len() - 1 {
            for (at, follows) in outcomes.following(&self.game, plies).into_iter().enumerate() {
                if follows.is_some() && follows != outcomes.wins[plies][at] {
                    let key = key_text(outcomes.levels[plies][at]);
                    return Err(self
                        .table
                        .damaged(format!("the winner at {key} is not the one that follows from its moves")));
                }
            }
        }
        Ok(outcomes)
    }
}

impl<G: Game> Strategy<G> for OpeningFile<G> {
    fn winner(&self, position: &G::Position) -> Result<Option<Side>, TableError> {
        let mover = self.game.side(position);
        match self.game.terminal_value(position) {
            Some(value) => Ok(value.outcome().winner(mover)),
            None => Ok(self.mover_wins(position)?.map(|wins| if wins { mover } else { mover.other() })),
        }
    }

    fn winner_near_end(&self, _: &G::Position) -> Option<Side> {
        None
    }

    fn hash(&self) -> u64 {
        OpeningFile::hash(self)
    }

    fn winning_move(&self, position: &G::Position) -> Result<Option<G::Move>, TableError> {
        let mover = self.game.side(position);
        // If the side to move does not win, this look-up saves looking up every move.
        if self.mover_wins(position)? != Some(true) {
            return Ok(None);
        }
        for mv in self.game.legal_moves(position) {
            if Strategy::winner(self, &self.game.play(position, mv))? == Some(mover) {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    fn is_opening(&self) -> bool {
        true
    }
}

impl Outcomes {
    /// Writes a file under a temporary name and renames it. `replace` says which file at `path` may be replaced.
    #[cfg(feature = "write")]
    pub fn write<G: Game>(&self, game: &G, path: &Path, replace: Replaceable) -> Result<(), TableError> {
        let all = self.levels.iter().flatten().zip(self.wins.iter().flatten());
        let mut entries: Vec<(u64, bool)> = all.filter_map(|(&key, &wins)| Some((key, wins?))).collect();
        entries.sort_unstable();
        let byte = |(key, wins)| (key, if wins { WINS } else { LOSES });
        let (keys, bytes): (Vec<u64>, Vec<u8>) = entries.into_iter().map(byte).unzip();
        let meta = Meta { levels: self.counts() };
        write_keys(game, path, replace, KeyBytes { keys: &keys, bytes: &bytes, codec: OUTCOME_CODEC }, &meta)
    }
}
