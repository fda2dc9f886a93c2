//! Checks a finished table against the rules, position by position, with nothing of the kernels in the way.
//!
//! For every row the plain rules make the children, which are looked up in the table, and the best child must give
//! exactly the stored value. The sets are checked both ways, ply by ply from the start: every child is in the table,
//! and every position in the table is the start or the child of one before it.
//!
//! A tier is gone through link by link: in memory are its own sheet, the best so far of its rows, and one child's
//! sheet. Moves that rows have in common ([`SharedMoves`]) are made once for all of them.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{Auditor, Breach, ValueRanks, wrong};
use crate::cache::Cache;
use crate::counts::ByteCounts;
use crate::space::{BitMap, prefetch};
use crate::tiers::{NodeOf, Row, RowLink, SharedMoves, Tiered};
use crate::{Result, SolveError};
use yomikiri_rules::Value;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block, for_each_lane};
use yomikiri_table::{IndexKind, Progress, SectionBlocks, Table, TableSection, Tally};

/// Audits the whole table and its counts. The first breach is an error that shows the position.
pub fn audit_tiers<G: Tiered>(game: &G, table: &Table, memory: u64, progress: &dyn Progress) -> Result<()> {
    let graph = game.tier_graph();
    let auditor = Auditor { game, table };
    auditor.expect_kind(&[IndexKind::Tiers])?;
    let sections = TableSections::<G>::new(&graph, table)?;
    let audit = Audit::new(game, &graph, &sections);
    let rows = |node: &NodeOf<G>| if sections.firsts.contains_key(&node.base) { node.rows as u64 } else { 0 };
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
    auditor.check_counts(&tally, &Default::default())
}

/// The sections that an audit goes through.
pub(crate) trait AuditedSections: Sync {
    /// What errors call them.
    fn path(&self) -> &Path;

    /// The section of a tier; `None` if it has no positions.
    fn section(&self, number: usize) -> Result<Option<Box<dyn SectionBlocks + '_>>>;
}

/// Those of a finished table.
struct TableSections<'a, G: Tiered> {
    graph: &'a [NodeOf<G>],
    table: &'a Table,
    /// First block of each tier in the table, by base key.
    firsts: HashMap<u64, u64>,
}

impl<'a, G: Tiered> TableSections<'a, G> {
    fn new(graph: &'a [NodeOf<G>], table: &'a Table) -> Result<Self> {
        let numbers: HashMap<u64, usize> = graph.iter().enumerate().map(|(number, node)| (node.base, number)).collect();
        let mut firsts = HashMap::new();
        for section in table.sections()? {
            let known = numbers.get(&section.key).is_some_and(|&number| graph[number].rows as u64 == section.rows);
            if !known {
                return Err(table
                    .damaged(format!("its section of key {} is no tier of this game", section.key))
                    .into());
            }
            firsts.insert(section.key, section.first_block);
        }
        Ok(TableSections { graph, table, firsts })
    }
}

impl<G: Tiered> AuditedSections for TableSections<'_, G> {
    fn path(&self) -> &Path {
        self.table.path()
    }

    fn section(&self, number: usize) -> Result<Option<Box<dyn SectionBlocks + '_>>> {
        let (node, table) = (&self.graph[number], self.table);
        let first = self.firsts.get(&node.base);
        let count = node.rows.div_ceil(ROWS_PER_BLOCK);
        Ok(first.map(|&first| Box::new(TableSection { table, first, count }) as Box<dyn SectionBlocks>))
    }
}

/// Bytes the audit holds beside its cache: of a tier its sheet, the best of its rows and of what they share, and a
/// child's sheet; and the marks of two plies.
fn held<G: Tiered>(graph: &[NodeOf<G>]) -> u64 {
    let rows = |node: &NodeOf<G>| {
        let child = node.links.iter().map(|link| graph[link.child].rows).max().unwrap_or(0);
        2 * node.rows + node.rows / 2 + child
    };
    let sheets = graph.iter().map(rows).max().unwrap_or(0) * size_of::<Row>();
    let last = graph.last().map_or(0, |node| node.ply);
    let rows_of = |ply: u32| graph.iter().filter(|node| node.ply == ply).map(|node| node.rows).sum::<usize>();
    let marks = (0..=last).map(rows_of).max().unwrap_or(0) * 2 * size_of::<AtomicU64>();
    (sheets + marks) as u64
}

pub(crate) struct Audit<'a, G: Tiered> {
    game: &'a G,
    graph: &'a [NodeOf<G>],
    sections: &'a dyn AuditedSections,
    ranks: ValueRanks,
    /// By the rank of a move to a position: the rank of that position's best move.
    own_ranks: [u8; 256],
    /// By the targets that a move adds.
    added: Vec<Added>,
}

/// Of every row of a tier to which moves lead:
pub(crate) struct Marks {
    /// The lanes that they have led to.
    pub seen: Vec<AtomicU64>,
    /// What they add to the lane.
    added: Vec<u8>,
}

/// A tier that moves lead to.
struct Child<'s> {
    keys: Range<u64>,
    /// By row and the lane before the move: its rank, as [`ValueRanks::of_move`]; 0 where there is no position.
    ranks: &'s [Row],
    marks: &'s Marks,
}

impl Child<'_> {
    /// The row that a key with lane 0 belongs to; `None` if it is of another tier.
    #[inline]
    fn row(&self, key: u64) -> Option<usize> {
        self.keys.contains(&key).then(|| ((key - self.keys.start) >> 6) as usize)
    }

    /// Marks lanes of a row. What is not in the table is found when its own tier is audited.
    #[inline]
    fn mark(&self, row: usize, lanes: Lanes) {
        let seen = &self.marks.seen[row];
        if seen.load(Ordering::Relaxed) & lanes != lanes {
            seen.fetch_or(lanes, Ordering::Relaxed);
        }
    }
}

/// What becomes of the lanes of a row by moves that add some targets.
struct Added {
    targets: u8,
    /// The lanes that are open afterwards, as a set and as bytes of ones.
    open: Lanes,
    open_bytes: Row,
    /// Bytes of ones in the lanes that are over afterwards, by [`Tiered::lane_ends`] less one.
    ends: [Row; 3],
}

impl Added {
    fn new(targets: u8, lane_ends: &[u8; 64]) -> Added {
        let end_of = |lane: usize| lane_ends[lane | usize::from(targets)];
        let bytes = |end: u8| Row(std::array::from_fn(|lane| if end_of(lane) == end { 255 } else { 0 }));
        let open = (0..64).filter(|&lane| lane_ends[lane] == 0).fold(0, |set, lane| set | 1 << lane);
        Added { targets, open, open_bytes: bytes(0), ends: [1, 2, 3].map(bytes) }
    }

    /// The open lanes to which lanes come.
    #[inline]
    fn reached(&self, mut lanes: Lanes) -> Lanes {
        for (bit, without) in WITHOUT.iter().enumerate() {
            if self.targets >> bit & 1 == 1 {
                lanes = lanes & !without | (lanes & without) << (1 << bit);
            }
        }
        lanes & self.open
    }

    /// Replaces the ranks of a row by those of moves to it, lane by lane as it was before the move; the ends have
    /// these.
    #[inline]
    fn lift(&self, row: &mut Row, ends: [u8; 3]) {
        spread_low::<1>(row, self.targets);
        spread_low::<2>(row, self.targets);
        spread_low::<4>(row, self.targets);
        spread_high::<8>(row, self.targets);
        spread_high::<16>(row, self.targets);
        spread_high::<32>(row, self.targets);
        let [black, white, counted] = &self.ends;
        for (lane, rank) in row.0.iter_mut().enumerate() {
            let over = black.0[lane] & ends[0] | white.0[lane] & ends[1] | counted.0[lane] & ends[2];
            *rank = *rank & self.open_bytes.0[lane] | over;
        }
    }
}

/// By target: the lanes without it.
const WITHOUT: [Lanes; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// If the targets have the one of this bit: gives each lane without it the byte of the lane with it.
#[inline(always)]
fn spread_high<const BIT: usize>(row: &mut Row, targets: u8) {
    if usize::from(targets) & BIT != 0 {
        for lanes in row.0.chunks_exact_mut(2 * BIT) {
            let (without, with) = lanes.split_at_mut(BIT);
            without.copy_from_slice(with);
        }
    }
}

/// The same inside words of eight lanes.
#[inline(always)]
fn spread_low<const BIT: usize>(row: &mut Row, targets: u8) {
    /// By bit: bytes of ones in the lanes without it.
    const BYTES: [u64; 5] = [0, 0x00ff_00ff_00ff_00ff, 0x0000_ffff_0000_ffff, 0, 0x0000_0000_ffff_ffff];
    if usize::from(targets) & BIT != 0 {
        for lanes in row.0.as_chunks_mut::<8>().0 {
            let word = u64::from_le_bytes(*lanes);
            let with = word & !BYTES[BIT];
            *lanes = (with | with >> (8 * BIT)).to_le_bytes();
        }
    }
}

/// What a row's moves say so far.
#[derive(Clone, Copy)]
struct Best {
    ranks: Row,
    /// Whether there are any.
    moves: bool,
}

impl<'a, G: Tiered> Audit<'a, G> {
    pub fn new(game: &'a G, graph: &'a [NodeOf<G>], sections: &'a dyn AuditedSections) -> Self {
        let ranks = ValueRanks::new::<G::Value>();
        let own_ranks = ranks.bytes.map(|byte| ranks.of_position[usize::from(byte)]);
        let lane_ends = game.lane_ends();
        let added = (0..64).map(|targets| Added::new(targets, &lane_ends)).collect();
        Audit { game, graph, sections, ranks, own_ranks, added }
    }

    pub fn no_marks(&self, node: &NodeOf<G>) -> Marks {
        let arrivals = self.game.arrivals(node);
        let added = (0..node.rows as u32).into_par_iter().map(|row| arrivals(row).added).collect();
        Marks { seen: bytemuck::zeroed_vec(node.rows), added }
    }

    /// The marks of the first tier: the start is there without a move.
    pub fn start_seen(&self) -> Marks {
        let number = self.game.rank(&self.game.start()) - self.graph[0].base;
        let marks = self.no_marks(&self.graph[0]);
        marks.seen[(number >> 6) as usize].store(1 << (number & 63), Ordering::Relaxed);
        marks
    }

    /// Audits one tier and marks its children.
    pub fn tier(
        &self,
        number: usize,
        seen: Option<Marks>,
        seen_next: &mut HashMap<usize, Marks>,
        cache: &mut Cache<Row>,
        tally: &mut Tally,
    ) -> Result<()> {
        let node = &self.graph[number];
        let own = self.sheet(number)?;
        let lanes: Vec<Lanes> = own.par_iter().map(lanes_of).collect();
        self.check_set(node, &lanes, seen)?;
        if lanes.iter().all(|&lanes| lanes == 0) {
            return Ok(());
        }
        let mut best = vec![Row::filled(0); node.rows];
        let mut movable = vec![false; node.rows];
        for link in self.game.row_links(node) {
            let mut children = node.links.iter().map(|link| link.child);
            let Some(child) = children.find(|&child| self.graph[child].base == link.base) else {
                self.expect_none(node, &link, &lanes)?;
                continue;
            };
            let marks = &*seen_next.entry(child).or_insert_with(|| self.no_marks(&self.graph[child]));
            let keys = link.base..link.base + ((self.graph[child].rows as u64) << 6);
            let ranks = self.lifted(child, cache)?;
            self.link(node, &link, &lanes, &Child { keys, ranks: &ranks, marks }, (&mut best, &mut movable))?;
        }
        self.values(node, &own, &lanes, &best, &movable)?.add_to(tally, node.ply);
        Ok(())
    }

    /// Holds the set of a tier's positions against what moves have led to.
    fn check_set(&self, node: &NodeOf<G>, lanes: &[Lanes], seen: Option<Marks>) -> Result<()> {
        let nothing = AtomicU64::new(0);
        let differing = |row: usize| {
            let seen = seen.as_ref().map_or(&nothing, |marks| &marks.seen[row]);
            seen.load(Ordering::Relaxed) ^ lanes[row]
        };
        match (0..lanes.len()).into_par_iter().find_first(|&row| differing(row) != 0) {
            Some(row) => Err(self.wrong_set(node, row as u32, differing(row), lanes[row])),
            None => Ok(()),
        }
    }

    /// Makes the moves of all rows on one link.
    fn link(
        &self,
        node: &NodeOf<G>,
        link: &RowLink,
        lanes: &[Lanes],
        child: &Child,
        (best, movable): (&mut [Row], &mut [bool]),
    ) -> Result<()> {
        let shared = link.shared.as_ref().map(|shared| self.shared(node, shared, lanes, child)).transpose()?;
        let chunks = best.par_chunks_mut(ROWS_PER_BLOCK).zip(movable.par_chunks_mut(ROWS_PER_BLOCK));
        chunks.enumerate().try_for_each_init(Vec::new, |moves, (chunk, (best, movable))| {
            for (at, (best, movable)) in best.iter_mut().zip(movable).enumerate() {
                let row = chunk * ROWS_PER_BLOCK + at;
                if lanes[row] == 0 {
                    continue;
                }
                if let Some((number, shared)) = &shared {
                    let shared = &shared[number.apply(row as u32) as usize];
                    best.raise(&shared.ranks);
                    *movable |= shared.moves;
                }
                (link.own)(row as u32, moves);
                *movable |= !moves.is_empty();
                self.take(moves, child, lanes[row], best)
                    .ok_or_else(|| self.wrong(node, row as u32, lanes[row], Breach::ForeignMove))?;
            }
            Ok(())
        })
    }

    /// The best of the moves that rows have in common, and the map from a row to its place there.
    fn shared(
        &self,
        node: &NodeOf<G>,
        shared: &SharedMoves,
        lanes: &[Lanes],
        child: &Child,
    ) -> Result<(BitMap, Vec<Best>)> {
        let bits: Vec<u32> = (0..node.rows.ilog2()).filter(|bit| shared.free >> bit & 1 == 0).collect();
        let number =
            BitMap::new(node.rows.ilog2(), |bit| bits.iter().position(|&kept| kept == bit).map(|at| at as u32));
        let row_of = BitMap::new(bits.len() as u32, |bit| Some(bits[bit as usize]));
        let best = (0..1u32 << bits.len()).into_par_iter().map_init(Vec::new, |moves, number| {
            let first = row_of.apply(number);
            // All subsets of the free bits.
            let (mut any, mut free) = (0, 0u32);
            loop {
                any |= lanes[(first | free) as usize];
                free = free.wrapping_sub(shared.free) & shared.free;
                if free == 0 {
                    break;
                }
            }
            let mut ranks = Row::filled(0);
            if any == 0 {
                return Ok(Best { ranks, moves: false });
            }
            (shared.of)(first, moves);
            self.take(moves, child, any, &mut ranks)
                .ok_or_else(|| self.wrong(node, first, any, Breach::ForeignMove))?;
            Ok(Best { ranks, moves: !moves.is_empty() })
        });
        Ok((number, best.collect::<Result<_>>()?))
    }

    /// Makes moves from lanes: raises the best of each lane and marks where they lead. `None` if one leads to another
    /// tier.
    #[inline]
    fn take(&self, moves: &[u64], child: &Child, lanes: Lanes, best: &mut Row) -> Option<()> {
        // The rows lie anywhere in the child's sheet: all of them are asked for before the first is looked at.
        moves.iter().filter_map(|&key| child.row(key)).for_each(|row| prefetch(&child.ranks[row]));
        for &key in moves {
            let row = child.row(key)?;
            best.raise(&child.ranks[row]);
            child.mark(row, self.added[usize::from(child.marks.added[row])].reached(lanes));
        }
        Some(())
    }

    /// Holds the values of a tier against the best of its moves, and counts them.
    fn values(
        &self,
        node: &NodeOf<G>,
        own: &[Row],
        lanes: &[Lanes],
        best: &[Row],
        movable: &[bool],
    ) -> Result<ByteCounts> {
        let check = |chunk: usize| {
            let mut counts = ByteCounts::default();
            for row in chunk * ROWS_PER_BLOCK..own.len().min((chunk + 1) * ROWS_PER_BLOCK) {
                if lanes[row] == 0 {
                    continue;
                }
                let end = (!movable[row]).then(|| self.game.row_end(node, row as u32).to_byte());
                let mut bad = 0;
                for_each_lane(lanes[row], |lane| {
                    let (rank, best) = (own[row].0[lane], best[row].0[lane]);
                    let byte = self.ranks.bytes[usize::from(rank)];
                    counts.add(byte);
                    let right = match end {
                        Some(end) => byte == end,
                        None => best != 0 && best == self.own_ranks[usize::from(rank)],
                    };
                    bad |= u64::from(!right) << lane;
                });
                if bad != 0 {
                    return Err(self.wrong(node, row as u32, bad, Breach::WrongValue));
                }
            }
            Ok(counts)
        };
        let counts = (0..own.len().div_ceil(ROWS_PER_BLOCK)).into_par_iter().map(check);
        counts.try_reduce(ByteCounts::default, |a, b| Ok(a.merged(b)))
    }

    /// That no row has a move on a link to a tier to which none should lead.
    fn expect_none(&self, node: &NodeOf<G>, link: &RowLink, lanes: &[Lanes]) -> Result<()> {
        let mut moves = Vec::new();
        for (row, &lanes) in (0..).zip(lanes).filter(|(_, lanes)| **lanes != 0) {
            (link.own)(row, &mut moves);
            if let (true, Some(shared)) = (moves.is_empty(), &link.shared) {
                (shared.of)(row & !shared.free, &mut moves);
            }
            if !moves.is_empty() {
                return Err(self.wrong(node, row, lanes, Breach::ForeignMove));
            }
        }
        Ok(())
    }

    /// A tier's positions by the ranks of moves to them; zero where the table has no position.
    fn sheet(&self, number: usize) -> Result<Vec<Row>> {
        let mut rows = vec![Row::filled(0); self.graph[number].rows];
        if let Some(section) = self.sections.section(number)? {
            rows.par_chunks_mut(ROWS_PER_BLOCK).enumerate().try_for_each(|(block, rows)| {
                let bytes = section.block(block)?;
                let whole = decode_block(&bytes, rows.len(), |row, set, mine| {
                    let mut mine = mine.iter();
                    for_each_lane(set, |lane| {
                        rows[row].0[lane] = mine.next().map_or(0, |&byte| self.ranks.of_move[byte as usize]);
                    });
                });
                whole.ok_or_else(|| section.damaged("a block of values has the wrong size"))
            })?;
        }
        Ok(rows)
    }

    /// The same by the lane before the move that comes to a row; games that it ends have their ranks.
    fn lifted(&self, number: usize, cache: &mut Cache<Row>) -> Result<Arc<Vec<Row>>> {
        if let Some(sheet) = cache.get(number) {
            return Ok(sheet);
        }
        let node = &self.graph[number];
        let (mut rows, arrivals) = (self.sheet(number)?, self.game.arrivals(node));
        rows.par_iter_mut().enumerate().for_each(|(number, row)| {
            let arrival = arrivals(number as u32);
            if arrival.added != 0 {
                let ends = arrival.ends.map(|byte| self.ranks.of_move[usize::from(byte)]);
                self.added[usize::from(arrival.added)].lift(row, ends);
            }
        });
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
        wrong(
            self.game,
            self.sections.path(),
            node.base + (u64::from(row) << 6 | u64::from(lanes.trailing_zeros())),
            breach,
        )
    }
}

fn lanes_of(row: &Row) -> Lanes {
    row.0.iter().enumerate().fold(0, |set, (lane, &byte)| set | u64::from(byte != 0) << lane)
}
