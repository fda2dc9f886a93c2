//! Checking tables through the same door that queries use.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::retrograde::all_keys;
use crate::space::SharedSet;
use crate::{Search, SolveError};
use yomikiri_rules::game::Game;
use yomikiri_rules::value::Value;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block, decode_keys, for_each_lane};
use yomikiri_table::probe::probe;
use yomikiri_table::progress::{Progress, Silent};
use yomikiri_table::{IndexKind, Section, Table, TableError, Tally};

/// Checks a table of sorted keys of what lies below `root`, in a game without repetition: every position against its
/// children, and that each is the root or a child of another. Returns how many there are of each value. Holds the
/// table's keys and bytes in memory, nine bytes a position and a bit.
pub fn verify_keys<G: Game>(
    game: &G,
    table: &Table,
    root: &G::Position,
    progress: &dyn Progress,
) -> Result<Tally, SolveError> {
    let (keys, bytes) = all_keys(table)?;
    progress.begin("Step 3: audit", keys.len() as u64);
    let reached = SharedSet::new(keys.len() as u64);
    let value = |position: &G::Position| {
        let Ok(at) = keys.binary_search(&game.key(position)) else { return Ok(None) };
        reached.insert(at as u64);
        Ok(G::Value::from_byte(bytes[at]))
    };
    if value(root)?.is_none() && !game.decided(root) {
        return Err(table.damaged("has no value for its first position").into());
    }
    let check = |(keys, bytes): (&[u64], &[u8])| {
        let mut tally = Tally::default();
        for (&key, &byte) in keys.iter().zip(bytes) {
            let position = check_position(game, table, &value, key, byte)?;
            tally.add(game.ply(&position), byte, 1);
        }
        progress.advance(keys.len() as u64);
        Ok::<_, SolveError>(tally)
    };
    let parts = keys.par_chunks(1024).zip(bytes.par_chunks(1024)).map(check);
    let tally = parts.try_reduce(Tally::default, |mut all, part| {
        all.merge(&part);
        Ok(all)
    })?;
    if let Some(at) = (0..keys.len()).find(|&at| !reached.contains(at as u64)) {
        return Err(wrong(game, table, keys[at], "cannot arise: no move leads to it"));
    }
    progress.end(&format!("{} positions, every value agrees with its moves", keys.len()));
    Ok(tally)
}

/// Names the position of a key that something is wrong with.
pub fn wrong<G: Game>(game: &G, table: &Table, key: u64, what: &str) -> SolveError {
    let text = game.position_of_key(key).map_or(format!("key {key}"), |position| game.position_text(&position));
    SolveError::Wrong(format!("{}: {text} {what}", table.path().display()))
}

fn bad_block(table: &Table) -> TableError {
    table.damaged("a block has the wrong size")
}

/// Checks `count` different positions drawn at random (the same ones each time), at most as many as there are; returns
/// how many it found.
pub fn verify_sample<G: Game>(game: &G, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
    progress.begin("Step 3: sample", count);
    let found = for_sample(table, count, |key, byte| {
        check_position(game, table, &|position| probe(table, game.key(position)), key, byte)?;
        progress.advance(1);
        Ok(())
    })?;
    progress.end(&format!("{found} positions agree with their moves"));
    Ok(found)
}

/// Holds the values of `count` different positions drawn at random against those that a search finds without the table;
/// returns how many it found.
pub fn search_sample<G: Game>(
    game: &G,
    search: &dyn Search<G>,
    table: &Table,
    count: u64,
    progress: &dyn Progress,
) -> Result<u64, SolveError> {
    progress.begin("Step 3: search", count);
    let found = for_sample(table, count, |key, byte| {
        let position =
            game.position_of_key(key).ok_or_else(|| wrong(game, table, key, "is no position of this game"))?;
        let value = search.solve(&position, &Silent).value;
        progress.advance(1);
        match value.to_byte() == byte {
            true => Ok(()),
            false => Err(wrong(game, table, key, &format!("is worth {value:?} by search"))),
        }
    })?;
    progress.end(&format!("{found} positions are worth what a search finds"));
    Ok(found)
}

/// Visits `count` different positions of a table drawn at random (the same ones each time), at most as many as there are;
/// returns how many.
fn for_sample(
    table: &Table,
    count: u64,
    mut visit: impl FnMut(u64, u8) -> Result<(), SolveError>,
) -> Result<u64, SolveError> {
    let sections: Vec<Section> = (0..table.header.sections.get()).map(|number| table.section(number)).collect();
    let mut total = 0;
    let ends: Vec<u64> = sections
        .iter()
        .map(|section| {
            total += section.rows;
            total
        })
        .collect();
    if total == 0 {
        return Ok(0);
    }
    let mut draw = Draw::default();
    let mut visited = HashSet::new();
    // A row may hold no position; a table that has some is hit soon, but the search is bounded all the same.
    for _ in 0..count.saturating_mul(1000) {
        if visited.len() as u64 == count {
            break;
        }
        let row = draw.below(total);
        let number = ends.partition_point(|&end| end <= row);
        let section = sections[number];
        if let Some((key, byte)) = position_in_row(table, section, row - (ends[number] - section.rows), &mut draw)?
            && visited.insert(key)
        {
            visit(key, byte)?;
        }
    }
    Ok(visited.len() as u64)
}

/// A position of the row, if it has any.
fn position_in_row(
    table: &Table,
    section: Section,
    row: u64,
    draw: &mut Draw,
) -> Result<Option<(u64, u8)>, SolveError> {
    let bad = || bad_block(table);
    if table.header.index_kind == IndexKind::SortedKeys {
        let block = table.block(section.first_block)?;
        let (keys, bytes) = decode_keys(&block, section.rows as usize).ok_or_else(bad)?;
        return Ok(Some((keys[row as usize], bytes[row as usize])));
    }
    let per_block = ROWS_PER_BLOCK as u64;
    let block = table.block(section.first_block + row / per_block)?;
    let rows = per_block.min(section.rows - row / per_block * per_block) as usize;
    let mut found = Vec::new();
    let visit = |at: usize, set: Lanes, bytes: &[u8]| {
        if at as u64 == row % per_block {
            let mut bytes = bytes.iter();
            for_each_lane(set, |lane| {
                found.push((section.key + (row << 6 | lane as u64), bytes.next().copied().unwrap_or(0)))
            });
        }
    };
    decode_block(&block, rows, visit).ok_or_else(bad)?;
    if found.is_empty() {
        return Ok(None);
    }
    Ok(Some(found[draw.below(found.len() as u64) as usize]))
}

/// Checks that a stored value is that of the best move, and returns the position; `value_of` looks positions up.
pub fn check_position<G: Game>(
    game: &G,
    table: &Table,
    value_of: &impl Fn(&G::Position) -> Result<Option<G::Value>, TableError>,
    key: u64,
    byte: u8,
) -> Result<G::Position, SolveError> {
    let wrong = |what: &str| wrong(game, table, key, what);
    let position = game.position_of_key(key).ok_or_else(|| wrong("is no position of this game"))?;
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let mut best = None;
    for mv in moves {
        let child = game.play(&position, mv);
        let value = if game.decided(&child) { game.end(&child) } else { value_of(&child)? };
        best = best.max(Some(value.ok_or_else(|| wrong("has a child that is not in the table"))?.of_move()));
    }
    let expected = best.or_else(|| game.end(&position));
    if G::Value::from_byte(byte) != expected {
        return Err(wrong("does not have the value of its best move"));
    }
    Ok(position)
}

/// A small fixed sequence of numbers (splitmix64), so that samples can be repeated.
pub struct Draw(u64);

impl Default for Draw {
    fn default() -> Draw {
        Draw(0x796f_6d69)
    }
}

impl Draw {
    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ (mixed >> 31)) * u128::from(limit)) >> 64) as u64
    }
}
