//! Encodes blocks of the form [`Coded`](crate::format::BlockForm::Coded).

use crate::blocks::{LANES, decode_block, push_number};
use crate::context_model::{DecisionCounts, GROUP_KEYS, LISTED, Model, Runs, Symbol};
use yomikiri_rules::bits::set_bits;

/// Returns the [`Symbol`] of each key in a plain (not encoded) block of `rows` rows. A symbol says whether the table
/// lists the key, and with which byte. Returns `None` if the block has the wrong size.
fn symbols(plain: &[u8], rows: usize) -> Option<Vec<Symbol>> {
    let mut symbols = vec![0; rows * LANES];
    decode_block(plain, rows, |row, set, mine| {
        let mut mine = mine.iter();
        for lane in set_bits(set) {
            symbols[row * LANES + lane as usize] = mine.next().map_or(0, |&byte| LISTED | Symbol::from(byte));
        }
    })?;
    Some(symbols)
}

/// Counts the binary decisions, such as "is this key listed?", by which a plain block of `rows` rows is encoded. Adds
/// the numbers to `counts`. Returns `None` if the block has the wrong size.
pub fn count(plain: &[u8], rows: usize, runs: Runs, counts: &mut DecisionCounts) -> Option<()> {
    symbols(plain, rows)?.chunks_mut(GROUP_KEYS).for_each(|group| counts.add(runs, group));
    Some(())
}

/// Encodes a plain block of `rows` rows with the probabilities of `model`. Returns `None` if the block has the wrong
/// size.
pub fn encode(plain: &[u8], rows: usize, runs: Runs, model: &Model) -> Option<Vec<u8>> {
    let groups: Vec<Vec<u8>> =
        symbols(plain, rows)?.chunks_mut(GROUP_KEYS).map(|group| model.encode(runs, group)).collect();
    let mut block = runs.to_bytes().to_vec();
    groups[..groups.len() - 1].iter().for_each(|group| push_number(&mut block, group.len() as u64));
    groups.iter().for_each(|group| block.extend_from_slice(group));
    Some(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{LISTED_ROWS_PER_BLOCK, Lanes, encode_block, probe_block};
    use crate::coded_block::{decode, decode_group};
    use crate::context_model::GROUP_ROWS;

    fn plain(rows: usize) -> Vec<u8> {
        let lanes: Vec<Lanes> = (0..rows as u64).map(|row| row.wrapping_mul(0x9e37_79b9_7f4a_7c15) & !7).collect();
        encode_block(&lanes, |row, lane| (row * lane % 7) as u8)
    }

    #[test]
    fn blocks_come_back_whole_and_by_groups() {
        let runs = Runs::new(4, 3).unwrap();
        for rows in [1, 15, 16, 17, 100, LISTED_ROWS_PER_BLOCK] {
            let plain = plain(rows);
            let mut counts = DecisionCounts::new();
            count(&plain, rows, runs, &mut counts).unwrap();
            let model = counts.model();
            let block = encode(&plain, rows, runs, &model).unwrap();
            assert!(block.len() < plain.len());
            assert!(decode(&block, rows, plain.len(), &model).unwrap() == plain);
            for row in 0..rows {
                let (first, mine, part) = decode_group(&block, rows, row, &model).unwrap();
                assert!((first..first + mine).contains(&row) && first % GROUP_ROWS == 0);
                let found = |lane| probe_block(&part, mine, row - first, lane).unwrap();
                assert!((0..LANES).all(|lane| found(lane) == probe_block(&plain, rows, row, lane).unwrap()));
            }
            // Another length, a row out of range, and surplus or missing bytes.
            assert_eq!(decode(&block, rows, plain.len() + 1, &model), None);
            assert_eq!(decode_group(&block, rows, rows, &model), None);
            assert_eq!(decode(&[&block[..], &[0]].concat(), rows, plain.len(), &model), None);
            assert_eq!(decode(&block[..1], rows, plain.len(), &model), None);
            for damage in 0..block.len() {
                let mut damaged = block.clone();
                damaged[damage] ^= 0x80;
                let found = decode(&damaged, rows, plain.len(), &model);
                assert!(found.is_none_or(|found| found.len() == plain.len()));
            }
        }
        let model = DecisionCounts::new().model();
        for rows in [0, LISTED_ROWS_PER_BLOCK + 1, usize::MAX] {
            assert_eq!(decode(&[0; 40], rows, 40, &model), None);
        }
        assert_eq!(encode(&plain(16)[1..], 16, runs, &model), None);
    }
}
