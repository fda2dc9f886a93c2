//! Step 1: enumerates the positions that can arise, ply by ply.

use super::expand::expand;
use super::occupancies::Occupancies;
use super::sets::words_per_occupancy;
use crate::Result;
#[cfg(feature = "write")]
use crate::two_steps::{WordSection, append_words, read_words};
use yomikiri_rules::Game;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::index::Packing;
use yomikiri_table::{Progress, parallel};
#[cfg(feature = "write")]
use yomikiri_table::{Store, TableError};

/// The number of words in one block of the enumeration file.
const BLOCK: usize = 1 << 13;

/// The number of discs at the start.
pub const FIRST: u32 = 4;

/// Enumerates all plies into `store`, one section per ply. Sections that are already there are kept. The tally of a
/// section counts all positions of the section under byte 0.
#[cfg(feature = "write")]
pub fn enumerate(game: &Reversi, occupancies: &Occupancies, store: &mut Store, progress: &dyn Progress) -> Result<()> {
    let board = game.rules.board;
    progress.begin("Step 1: enumerate", (FIRST..board.area()).map(|discs| ply_words(occupancies, discs) as u64).sum());
    let kept = FIRST..FIRST + store.entries.len() as u32;
    progress.advance(kept.clone().map(|discs| ply_words(occupancies, discs) as u64).sum());
    let mut last = match kept.end {
        FIRST => Vec::new(),
        end => stored_ply(occupancies, store, end - 1)?,
    };
    for discs in kept.end..board.area() {
        let words = match discs {
            FIRST => start(game, occupancies),
            _ => next_ply(occupancies, discs, &last, progress),
        };
        let form = WordSection { key: discs.into(), ply: discs, words: words.len(), block: BLOCK };
        append_words(store, form, |at| words[at])?;
        last = words;
    }
    let positions: u64 = store.entries.iter().map(|entry| entry.tally.positions()).sum();
    progress.end(&format!("{positions} positions"));
    Ok(())
}

/// Finds the positions of the ply with `discs` discs, as words of bits. `before` has the words of the ply before.
/// [`expand`] describes the words.
pub fn next_ply(occupancies: &Occupancies, discs: u32, before: &[u64], progress: &dyn Progress) -> Vec<u64> {
    let mut words = vec![0; ply_words(occupancies, discs)];
    let size = words_per_occupancy(discs);
    parallel::each_part_mut(&mut words, size, |number, words| {
        expand(occupancies, occupancies.of(discs)[number], before, words);
        progress.advance(size as u64);
    });
    words
}

/// Returns the number of words of 64 bits that hold the positions with `discs` discs, one bit for each possible
/// position.
pub fn ply_words(occupancies: &Occupancies, discs: u32) -> usize {
    occupancies.of(discs).len() * words_per_occupancy(discs)
}

/// Returns the words of the first ply: a bit set in which only the bit of the start is set.
pub fn start(game: &Reversi, occupancies: &Occupancies) -> Vec<u64> {
    let start = game.canonical(&game.start());
    let number = occupancies.find(start.occupied()).expect("the squares of the start are an occupancy");
    let mut words = vec![0; ply_words(occupancies, FIRST)];
    words[number] = 1 << Packing::new(start.occupied()).pack(start.own);
    words
}

/// Reads the words of a finished ply: its positions as a bit set.
#[cfg(feature = "write")]
pub fn stored_ply(occupancies: &Occupancies, store: &Store, discs: u32) -> Result<Vec<u64>, TableError> {
    read_words(&store.section((discs - FIRST) as usize), ply_words(occupancies, discs), BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::reversi::occupancy::sets::each_colours;
    use crate::levels;
    use yomikiri_rules::games::reversi::index;
    use yomikiri_table::Silent;

    /// Returns the keys of a ply, in ascending order.
    fn keys(game: &Reversi, occupancies: &Occupancies, discs: u32, words: &[u64]) -> Vec<u64> {
        let mut keys = Vec::new();
        for (&occupied, words) in occupancies.of(discs).iter().zip(words.chunks(words_per_occupancy(discs))) {
            let first = index::first_key_of(game.rules.board, occupied);
            each_colours(words, |colours| keys.push(first + u64::from(colours)));
        }
        keys
    }

    #[test]
    fn first_plies_of_the_largest_boards_are_those_of_sorted_keys() {
        for code in ["rev5x5", "rev5x5-p", "rev6x4", "rev4x6-p"] {
            let game = Reversi::parse(code).unwrap();
            let occupancies = Occupancies::new(game.rules);
            let Err((mut levels, _)) = levels::levels_within(&game, &game.start(), 400_000, &Silent) else {
                panic!("{code} is smaller than expected");
            };
            // The last level does not contain the positions after passes yet.
            levels.levels.pop();
            assert!(levels.levels.len() >= 6, "{code}");
            let mut words = start(&game, &occupancies);
            for (discs, level) in (FIRST..).zip(&levels.levels) {
                if discs > FIRST {
                    words = next_ply(&occupancies, discs, &words, &Silent);
                }
                assert_eq!(keys(&game, &occupancies, discs, &words), *level, "{code}: {discs} discs");
            }
        }
    }
}
