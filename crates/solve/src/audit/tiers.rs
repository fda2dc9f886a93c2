//! Checks a finished table against the rules, position by position, with nothing of the kernels in the way.
//!
//! For every row the game's own move generator makes the children, `Game::rank` finds them in the table, and the best
//! child must give exactly the stored value. The sets are checked both ways, ply by ply from the start: every child
//! is in the table, and every position in the table is the start or the child of one before it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{Auditor, Breach, ValueRanks};
use crate::cache::Cache;
use crate::counts::ByteCounts;
use crate::tiers::{NodeOf, Row, RowMove, Tiered};
use crate::{Result, SolveError};
use yomikiri_rules::Value;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block, for_each_lane};
use yomikiri_table::{IndexKind, Progress, Table, Tally};

/// Audits the whole table and its counts. The first breach is an error that shows the position.
pub fn audit_tiers<G: Tiered>(game: &G, table: &Table, memory: u64, progress: &dyn Progress) -> Result<()> {
    let graph = game.tier_graph();
    let audit = Audit::new(game, &graph, table)?;
    let rows = |node: &NodeOf<G>| if audit.sections.contains_key(&node.base) { node.rows as u64 } else { 0 };
    progress.begin("Step 3: audit", graph.iter().map(rows).sum());
    let mut tally = Tally::default();
    let mut cache = Cache::new(memory.saturating_sub(held::<G>(&graph)));
    let mut seen: HashMap<usize, Marks> = HashMap::new();
    seen.insert(0, audit.start_seen());
    let mut first = 0;
    while first < graph.len() {
        let ply = graph[first].ply;
        let next = first + graph[first..].iter().take_while(|node| node.ply == ply).count();
        let mut seen_next = HashMap::new();
        for (number, node) in graph.iter().enumerate().take(next).skip(first) {
            audit.tier(number, seen.remove(&number), &mut seen_next, &mut cache, &mut tally)?;
            cache.drop_tier(number);
            progress.advance(rows(node));
        }
        seen = seen_next;
        first = next;
    }
    progress.end(&format!("{} positions, every value and every move agrees", tally.positions()));
    audit.auditor.check_counts(&tally, &Default::default())
}

/// Bytes the audit holds beside its cache: the sheets of one tier and its children, and the marks of two plies.
fn held<G: Tiered>(graph: &[NodeOf<G>]) -> u64 {
    let sheets = graph.iter().map(|node| (node.links.len() + 1) * node.rows * size_of::<Row>()).max().unwrap_or(0);
    let last = graph.last().map_or(0, |node| node.ply);
    let rows_of = |ply: u32| graph.iter().filter(|node| node.ply == ply).map(|node| node.rows).sum::<usize>();
    let marks = (0..=last).map(rows_of).max().unwrap_or(0) * 2 * size_of::<AtomicU64>();
    (sheets + marks) as u64
}

struct Audit<'a, G: Tiered> {
    auditor: Auditor<'a, G>,
    graph: &'a [NodeOf<G>],
    /// First block of each tier in the table, by base key.
    sections: HashMap<u64, u64>,
    ranks: ValueRanks,
    lane_ends: [u8; 64],
}

/// For every row of a tier, the lanes that moves have led to.
type Marks = Vec<AtomicU64>;

/// A tier that moves lead to.
struct Child<'s> {
    keys: Range<u64>,
    /// Ranks of the moves to its positions, as [`ValueRanks::of_move`]; 0 where there is no position.
    rows: Arc<Vec<Row>>,
    seen: &'s Marks,
}

impl<'a, G: Tiered> Audit<'a, G> {
    fn new(game: &'a G, graph: &'a [NodeOf<G>], table: &'a Table) -> Result<Self> {
        let numbers: HashMap<u64, usize> = graph.iter().enumerate().map(|(number, node)| (node.base, number)).collect();
        let mut sections = HashMap::new();
        for section in table.sections()? {
            let known = numbers.get(&section.key).is_some_and(|&number| graph[number].rows as u64 == section.rows);
            if !known {
                return Err(table
                    .damaged(format!("its section of key {} is no tier of this game", section.key))
                    .into());
            }
            sections.insert(section.key, section.first_block);
        }
        let auditor = Auditor { game, table };
        auditor.expect_kind(&[IndexKind::Tiers])?;
        Ok(Audit { auditor, graph, sections, ranks: ValueRanks::new::<G::Value>(), lane_ends: game.lane_ends() })
    }

    fn start_seen(&self) -> Marks {
        let number = self.auditor.game.rank(&self.auditor.game.start()) - self.graph[0].base;
        let seen: Marks = bytemuck::zeroed_vec(self.graph[0].rows);
        seen[(number >> 6) as usize].store(1 << (number & 63), Ordering::Relaxed);
        seen
    }

    /// Audits one tier and marks its children.
    fn tier(
        &self,
        number: usize,
        seen: Option<Marks>,
        seen_next: &mut HashMap<usize, Marks>,
        cache: &mut Cache<Row>,
        tally: &mut Tally,
    ) -> Result<()> {
        let node = &self.graph[number];
        let own = self.sheet(number, cache)?;
        let children = self.children(node, seen_next, cache)?;
        let nothing = AtomicU64::new(0);
        let row_moves = self.auditor.game.row_moves(node);
        let check = |(chunk, rows): (usize, &[Row])| {
            let mut counts = ByteCounts::default();
            let mut moves = Vec::new();
            for (at, row) in rows.iter().enumerate() {
                let row_number = (chunk * ROWS_PER_BLOCK + at) as u32;
                let lanes = lanes_of(row);
                let expected = seen.as_ref().map_or(&nothing, |seen| &seen[row_number as usize]);
                let differing = expected.load(Ordering::Relaxed) ^ lanes;
                if differing != 0 {
                    return Err(self.wrong_set(node, row_number, differing, lanes));
                }
                if lanes != 0 {
                    for_each_lane(lanes, |lane| counts.add(self.ranks.bytes[row.0[lane] as usize]));
                    row_moves(row_number, &mut moves);
                    self.row(node, row_number, row, &children, &moves)?;
                }
            }
            Ok(counts)
        };
        let counts = own.par_chunks(ROWS_PER_BLOCK).enumerate().map(check);
        counts.try_reduce(ByteCounts::default, |a, b| Ok(a.merged(b)))?.add_to(tally, node.ply);
        Ok(())
    }

    /// The tiers that the moves of a tier lead to, each once.
    fn children<'s>(
        &self,
        node: &NodeOf<G>,
        seen: &'s mut HashMap<usize, Marks>,
        cache: &mut Cache<Row>,
    ) -> Result<Vec<Child<'s>>> {
        let mut numbers: Vec<usize> = node.links.iter().map(|link| link.child).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for &number in &numbers {
            let rows = self.graph[number].rows;
            seen.entry(number).or_insert_with(|| bytemuck::zeroed_vec(rows));
        }
        let child = |number: usize| {
            let node = &self.graph[number];
            let keys = node.base..node.base + ((node.rows as u64) << 6);
            Ok(Child { keys, rows: self.sheet(number, cache)?, seen: &seen[&number] })
        };
        numbers.into_iter().map(child).collect()
    }

    /// Checks the positions of one row, of which all moves are given.
    fn row(&self, node: &NodeOf<G>, row_number: u32, row: &Row, children: &[Child], moves: &[RowMove]) -> Result<()> {
        let lanes = lanes_of(row);
        let mut best = Row::filled(0);
        // Consecutive moves of a row often lead to the same tier.
        let mut last = 0;
        for mv in moves {
            if !children.get(last).is_some_and(|child| child.keys.contains(&mv.key)) {
                let found = children.iter().position(|child| child.keys.contains(&mv.key));
                last = found.ok_or_else(|| self.wrong(node, row_number, lanes, Breach::ForeignMove))?;
            }
            let child = &children[last];
            let at = ((mv.key - child.keys.start) >> 6) as usize;
            let reached = if mv.added == 0 {
                // Lanes that are open stay what they are.
                best.raise(&child.rows[at]);
                lanes
            } else {
                self.take_targets(mv, &child.rows[at], lanes, &mut best)
            };
            // A child that is reached but not in the table is found when its own tier is audited.
            if child.seen[at].load(Ordering::Relaxed) & reached != reached {
                child.seen[at].fetch_or(reached, Ordering::Relaxed);
            }
        }
        let end = moves.is_empty().then(|| self.auditor.game.row_end(node, row_number).to_byte());
        let mut bad = 0;
        for_each_lane(lanes, |lane| {
            let byte = self.ranks.bytes[row.0[lane] as usize];
            let right = match end {
                Some(end) => byte == end,
                None => best.0[lane] != 0 && best.0[lane] == self.ranks.of_position[byte as usize],
            };
            bad |= u64::from(!right) << lane;
        });
        if bad != 0 { Err(self.wrong(node, row_number, bad, Breach::WrongValue)) } else { Ok(()) }
    }

    /// Raises `best` of each lane by a move that clears targets; returns the lanes that it leads to.
    fn take_targets(&self, mv: &RowMove, child: &Row, lanes: Lanes, best: &mut Row) -> Lanes {
        let mut reached = 0;
        for_each_lane(lanes, |lane| {
            let after = lane | usize::from(mv.added);
            let rank = match self.lane_ends[after] {
                0 => {
                    reached |= 1 << after;
                    child.0[after]
                }
                end => self.ranks.of_move[mv.ends[usize::from(end)] as usize],
            };
            best.0[lane] = best.0[lane].max(rank);
        });
        reached
    }

    /// A tier's positions by the ranks of moves to them; zero where the table has no position.
    fn sheet(&self, number: usize, cache: &mut Cache<Row>) -> Result<Arc<Vec<Row>>> {
        if let Some(sheet) = cache.get(number) {
            return Ok(sheet);
        }
        let node = &self.graph[number];
        let mut rows = vec![Row::filled(0); node.rows];
        if let Some(&first) = self.sections.get(&node.base) {
            rows.par_chunks_mut(ROWS_PER_BLOCK).enumerate().try_for_each(|(block, rows)| {
                let bytes = self.auditor.table.block(first + block as u64)?;
                let whole = decode_block(&bytes, rows.len(), |row, set, mine| {
                    let mut mine = mine.iter();
                    for_each_lane(set, |lane| {
                        rows[row].0[lane] = mine.next().map_or(0, |&byte| self.ranks.of_move[byte as usize]);
                    });
                });
                whole.ok_or_else(|| self.auditor.table.damaged("a block of values has the wrong size"))
            })?;
        }
        let sheet = Arc::new(rows);
        cache.put(number, sheet.clone());
        Ok(sheet)
    }

    fn wrong_set(&self, node: &NodeOf<G>, row: u32, differing: Lanes, have: Lanes) -> SolveError {
        let lane = 1 << differing.trailing_zeros();
        self.wrong(node, row, lane, if have & lane != 0 { Breach::Superfluous } else { Breach::Missing })
    }

    /// The error about the first of `lanes`.
    fn wrong(&self, node: &NodeOf<G>, row: u32, lanes: Lanes, breach: Breach) -> SolveError {
        self.auditor.wrong(node.base + (u64::from(row) << 6 | u64::from(lanes.trailing_zeros())), breach)
    }
}

fn lanes_of(row: &Row) -> Lanes {
    row.0.iter().enumerate().fold(0, |set, (lane, &byte)| set | u64::from(byte != 0) << lane)
}
