//! Counts the moves of all positions of a tier at once. Adds up bytes over the rows of its child tiers, much as the
//! kernel finds values.

use std::sync::Arc;

use super::{Edge, NodeOf, Part, Row, Sheet, SheetMut, Tiered, first_image};
use crate::cache::Cache;
use crate::lookup::LookupCounts;
use crate::move_counts::{CountMoves, MoveCounts};
use crate::{Result, Solvable};
use yomikiri_rules::{Outcome, Value, ValueCodec};
use yomikiri_table::Table;
use yomikiri_table::entries::listed_within;

/// Counts the moves of positions in the table of a whole game.
pub struct TierCounts<'a, G: Tiered> {
    /// The counter for small numbers of keys.
    few: LookupCounts<'a, G>,
    graph: Vec<NodeOf<G>>,
    /// The base key and the index of each tier, in ascending order of keys.
    by_key: Vec<(u64, usize)>,
    /// For each tier, the bytes that mark the winning moves into it, or the drawing moves, as [`TierCounts::marks`]
    /// returns them.
    marks: Cache<Vec<Row>>,
    /// The index and the counts of the tier that was counted last.
    last: Option<(usize, Sheets)>,
}

/// The numbers of moves of the positions of a tier: legal moves by row, winning and drawing moves by row and lane.
struct Sheets {
    legal: Vec<u8>,
    winning: Vec<Row>,
    /// The counts of drawing moves. Empty if the game's values have no draws.
    drawing: Vec<Row>,
}

impl<'a, G: Tiered + Solvable> TierCounts<'a, G> {
    /// Creates a counter for a table of tiers, with a cache of about `memory` bytes.
    pub fn new(game: &'a G, table: &'a Table, memory: u64) -> TierCounts<'a, G> {
        let graph = game.tier_graph();
        let mut by_key: Vec<(u64, usize)> = graph.iter().zip(0..).map(|(node, number)| (node.base, number)).collect();
        by_key.sort_unstable();
        TierCounts { few: LookupCounts { game, table }, graph, by_key, marks: Cache::new(memory), last: None }
    }

    /// Returns a byte for each row and lane of a tier: 1 if a move to the row from a position in this lane has this
    /// outcome for the side that makes the move, else 0.
    fn marks(&mut self, number: usize, outcome: Outcome) -> Result<Arc<Vec<Row>>> {
        let name = 2 * number + usize::from(outcome == Outcome::Draw);
        if let Some(marks) = self.marks.get(name) {
            return Ok(marks);
        }
        let LookupCounts { game, table } = self.few;
        let node = &self.graph[number];
        let bytes = game.table_bytes(node.ply);
        let mut absolute = [0u8; 256];
        for (byte, &stored) in bytes.iter().enumerate().filter(|(_, stored)| **stored != 0) {
            absolute[usize::from(stored)] = byte as u8;
        }
        let mut rows = vec![Row::filled(0); node.rows];
        let entries = listed_within(table, node.base..node.base + ((node.rows as u64) << 6))?;
        for (&key, &byte) in entries.keys.iter().zip(&entries.bytes) {
            let at = key - node.base;
            rows[(at >> 6) as usize].0[(at & 63) as usize] = absolute[usize::from(byte)];
        }
        let images = game.images(node);
        for row in 0..rows.len() {
            rows[row] = rows[first_image(&images, row as u32) as usize];
        }
        game.lift(node, SheetMut { part: &Part::whole(node.rows), rows: &mut rows });
        let is_marked = bytes
            .map(|byte| u8::from(game.value_of_byte(byte).is_some_and(|value| value.of_move().outcome() == outcome)));
        for row in &mut rows {
            row.0.iter_mut().for_each(|byte| *byte = is_marked[usize::from(*byte)]);
        }
        let marks = Arc::new(rows);
        self.marks.put(name, marks.clone());
        Ok(marks)
    }

    fn sheets(&mut self, number: usize) -> Result<Sheets> {
        let game = self.few.game;
        let rows = self.graph[number].rows;
        let draws = self.few.game.codec() == ValueCodec::Score;
        let (part, nothing) = (Part::whole(rows), vec![Row::filled(0); rows]);
        let mut sheets = Sheets {
            legal: vec![0; rows],
            drawing: if draws { nothing.clone() } else { Vec::new() },
            winning: nothing,
        };
        for link in self.graph[number].links.clone() {
            let wins = self.marks(link.child, Outcome::Win)?;
            let draws = if draws { Some(self.marks(link.child, Outcome::Draw)?) } else { None };
            let edge = || Edge { parent: &self.graph[number], child: &self.graph[link.child], step: link.step };
            let child = Part::whole(self.graph[link.child].rows);
            game.count_moves(edge(), SheetMut { part: &part, rows: &mut sheets.legal });
            let from = |rows| Sheet { part: &child, rows };
            game.count(edge(), from(&wins), SheetMut { part: &part, rows: &mut sheets.winning });
            if let Some(draws) = &draws {
                game.count(edge(), from(draws), SheetMut { part: &part, rows: &mut sheets.drawing });
            }
        }
        Ok(sheets)
    }
}

impl<G: Tiered + Solvable> CountMoves for TierCounts<'_, G> {
    fn count(&mut self, keys: &[u64]) -> Result<Vec<MoveCounts>> {
        let mut counts = Vec::with_capacity(keys.len());
        let mut rest = keys;
        while let Some(&key) = rest.first() {
            let (base, number) = self.by_key[self.by_key.partition_point(|&(base, _)| base <= key).saturating_sub(1)];
            let rows = self.graph[number].rows;
            let mine;
            (mine, rest) = rest.split_at(rest.partition_point(|&key| key < base + ((rows as u64) << 6)).max(1));
            let known = self.last.as_ref().is_some_and(|&(last, _)| last == number);
            // To count a whole tier, all its rows are read once for each link, whatever the number of keys. So if there
            // are few keys, they are looked up singly.
            if !known && mine.len() < rows {
                counts.append(&mut self.few.count(mine)?);
                continue;
            }
            if !known {
                self.last = Some((number, self.sheets(number)?));
            }
            let Some((_, sheets)) = &self.last else { continue };
            let of = |&key: &u64| {
                let (row, lane) = (((key - base) >> 6) as usize, ((key - base) & 63) as usize);
                let drawing = sheets.drawing.get(row).map_or(0, |row| row.0[lane]);
                MoveCounts {
                    legal: sheets.legal[row].into(),
                    winning: sheets.winning[row].0[lane].into(),
                    drawing: drawing.into(),
                }
            };
            counts.extend(mine.iter().map(of));
        }
        Ok(counts)
    }
}
