//! Checks a finished table against the rules, position by position, with nothing of the kernels in the way.
//!
//! For every row the plain rules make the children, which are looked up in the table, and the best child must give
//! exactly the stored value. The sets are checked both ways, ply by ply from the start: every child is in the table,
//! and every position in the table is the start or the child of one before it.
//!
//! A tier is gone through link by link: in memory are its own sheet, the best so far of its rows, and one child's
//! sheet. Moves that rows have in common ([`SharedMoves`]) are made once for all of them. Where tiers are cut into
//! parts, so is the audit: where the moves of a part lead is found once, and then looked at part by part.

mod added;
mod marks;
mod moves;
mod sections;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use added::Added;
use marks::InMemory;
pub(crate) use marks::{KeepMarks, Marks};
use moves::{Moves, MovesOfBlock, SharedRows};
pub(crate) use sections::AuditedSections;
use sections::TableSections;

use super::{Auditor, Breach, ValueRanks, wrong};
use crate::cache::Cache;
use crate::counts::ByteCounts;
use crate::space::prefetch;
use crate::tiers::{MovesOfRow, NodeOf, Part, Row, RowLink, SharedMoves, Tiered};
use crate::{Result, SolveError};
use yomikiri_rules::Value;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block, for_each_lane};
use yomikiri_table::{IndexKind, Progress, Table, Tally};

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
    let whole: Vec<Part> = graph[..1].iter().map(|node| Part::whole(node.rows)).collect();
    let mut seen: HashMap<usize, Marks> = HashMap::new();
    seen.insert(0, audit.start_seen(&whole[0]));
    let mut first = 0;
    while first < graph.len() {
        let ply = graph[first].ply;
        let next = first + graph[first..].iter().take_while(|node| node.ply == ply).count();
        let mut seen_next = InMemory::default();
        for (number, node) in graph.iter().enumerate().take(next).skip(first) {
            audit.part((number, 0), seen.remove(&number), None, &mut seen_next, &mut cache, &mut tally)?;
            cache.drop_tier(number);
            progress.advance(rows(node));
        }
        seen = seen_next.0;
        first = next;
    }
    progress.end(&format!("{} positions, every value and every move agrees", tally.positions()));
    auditor.check_counts(&tally, &Default::default())
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

/// A part that moves lead to.
struct Child<'s> {
    /// By row and the lane before the move: its rank, as [`ValueRanks::of_move`]; 0 where there is no position.
    ranks: &'s [Row],
    marks: &'s Marks,
}

impl Child<'_> {
    /// Marks lanes of a row. What is not in the table is found when its own tier is audited.
    #[inline]
    fn mark(&self, row: usize, lanes: Lanes) {
        let seen = &self.marks.seen[row];
        if seen.load(Ordering::Relaxed) & lanes != lanes {
            seen.fetch_or(lanes, Ordering::Relaxed);
        }
    }
}

/// The keys of a tier.
struct Keys(Range<u64>);

impl Keys {
    /// The row that a key with lane 0 belongs to; `None` if it is of another tier.
    #[inline]
    fn row(&self, key: u64) -> Option<u32> {
        self.0.contains(&key).then(|| ((key - self.0.start) >> 6) as u32)
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

    pub fn no_marks(&self, node: &NodeOf<G>, part: &Part) -> Marks {
        let arrivals = self.game.arrivals(node);
        let added = (0..part.rows()).into_par_iter().map(|at| arrivals(part.row(at)).added).collect();
        Marks { seen: bytemuck::zeroed_vec(part.rows()), added }
    }

    /// The marks of a part of the first tier: the start is there without a move.
    pub fn start_seen(&self, part: &Part) -> Marks {
        let number = self.game.rank(&self.game.start()) - self.graph[0].base;
        let marks = self.no_marks(&self.graph[0], part);
        if let Some(at) = part.index((number >> 6) as u32) {
            marks.seen[at].store(1 << (number & 63), Ordering::Relaxed);
        }
        marks
    }

    /// Audits a part of a tier and marks where its moves lead. `common` has the best of the moves that are common to all
    /// parts of the tier, if [`Audit::common`] has made it.
    pub fn part(
        &self,
        (number, at): (usize, usize),
        seen: Option<Marks>,
        common: Option<&[Row]>,
        marks: &mut dyn KeepMarks,
        cache: &mut Cache<Row>,
        tally: &mut Tally,
    ) -> Result<()> {
        let node = &self.graph[number];
        let part = &self.sections.cut(number).parts[at];
        let own = self.sheet(number, at)?;
        let lanes: Vec<Lanes> = own.par_iter().map(lanes_of).collect();
        self.check_set(node, part, &lanes, seen)?;
        if lanes.iter().all(|&lanes| lanes == 0) {
            return Ok(());
        }
        let mut best = vec![Row::filled(0); part.rows()];
        let mut movable = vec![false; part.rows()];
        for link in self.game.row_links(node) {
            let Some(child) = self.child(node, &link) else {
                self.expect_none(node, part, &link, &lanes)?;
                continue;
            };
            let is_common = |shared: &SharedMoves| shared.free == part.pins();
            let common = common.filter(|_| link.shared.as_ref().is_some_and(is_common));
            if let Some(common) = common {
                best.par_iter_mut().enumerate().for_each(|(at, best)| best.raise(&common[at % common.len()]));
            }
            let made = (&lanes[..], &mut best[..], &mut movable[..]);
            if self.sections.cut(child).is_whole() {
                let kept = marks.take(child, 0).unwrap_or_else(|| self.no_marks_of(child, 0));
                let ranks = self.lifted((child, 0), cache)?;
                self.link((node, part), &link, child, &Child { ranks: &ranks, marks: &kept }, made)?;
                marks.put(child, 0, kept)?;
            } else {
                self.link_to_parts((node, part), (&link, child), common.is_some(), made, marks, cache)?;
            }
        }
        self.values(node, part, &own, &lanes, &best, &movable)?.add_to(tally, node.ply);
        Ok(())
    }

    /// The best of the moves that are common to all parts of a tier, for rows of [`Part::unpinned`], with the lanes
    /// that any of the parts has there; marks where they lead.
    pub fn common(
        &self,
        number: usize,
        marks: &mut dyn KeepMarks,
        cache: &mut Cache<Row>,
    ) -> Result<(Vec<Lanes>, Vec<Row>)> {
        let (node, cut) = (&self.graph[number], self.sections.cut(number));
        let unpinned = cut.parts[0].unpinned();
        let mut lanes: Vec<Lanes> = vec![0; unpinned.rows()];
        for at in 0..cut.parts.len() {
            let own = self.sheet(number, at)?;
            for slice in own.chunks(unpinned.rows()) {
                lanes.par_iter_mut().zip(slice).for_each(|(lanes, row)| *lanes |= lanes_of(row));
            }
        }
        let mut best = vec![Row::filled(0); unpinned.rows()];
        for link in self.game.row_links(node) {
            let Some(shared) = link.shared.filter(|shared| shared.free == unpinned.pins()) else { continue };
            let child = self.graph.iter().position(|child| child.base == link.base);
            let child = child.filter(|&child| !self.sections.cut(child).is_whole()).ok_or_else(|| {
                SolveError::Wrong(format!("tier {:?} has moves in common that lead to no part", node.tier))
            })?;
            let moves = self.moves(node, child, unpinned.rows(), |at| (unpinned.row(at), lanes[at]), &shared.of)?;
            self.take_by_part(child, &moves, |at| lanes[at], &mut best, marks, cache)?;
        }
        Ok((lanes, best))
    }

    /// The tier that a link leads to; `None` if there is none among the children.
    fn child(&self, node: &NodeOf<G>, link: &RowLink) -> Option<usize> {
        node.links.iter().map(|link| link.child).find(|&child| self.graph[child].base == link.base)
    }

    fn no_marks_of(&self, number: usize, part: usize) -> Marks {
        self.no_marks(&self.graph[number], &self.sections.cut(number).parts[part])
    }

    /// Holds the set of a part's positions against what moves have led to.
    fn check_set(&self, node: &NodeOf<G>, part: &Part, lanes: &[Lanes], seen: Option<Marks>) -> Result<()> {
        let nothing = AtomicU64::new(0);
        let differing = |at: usize| {
            let seen = seen.as_ref().map_or(&nothing, |marks| &marks.seen[at]);
            seen.load(Ordering::Relaxed) ^ lanes[at]
        };
        match (0..lanes.len()).into_par_iter().find_first(|&at| differing(at) != 0) {
            Some(at) => Err(self.wrong_set(node, part.row(at), differing(at), lanes[at])),
            None => Ok(()),
        }
    }

    /// Makes the moves of all rows on one link to a tier that is not cut.
    fn link(
        &self,
        (node, part): (&NodeOf<G>, &Part),
        link: &RowLink,
        number: usize,
        child: &Child,
        (lanes, best, movable): (&[Lanes], &mut [Row], &mut [bool]),
    ) -> Result<()> {
        let keys = self.keys(number);
        let shared = link.shared.as_ref().map(|shared| self.shared((node, part), shared, lanes, &keys, child));
        let shared = shared.transpose()?;
        let chunks = best.par_chunks_mut(ROWS_PER_BLOCK).zip(movable.par_chunks_mut(ROWS_PER_BLOCK));
        chunks.enumerate().try_for_each_init(Vec::new, |moves, (chunk, (best, movable))| {
            for (at, (best, movable)) in best.iter_mut().zip(movable).enumerate() {
                let index = chunk * ROWS_PER_BLOCK + at;
                if lanes[index] == 0 {
                    continue;
                }
                if let Some((rows, shared)) = &shared {
                    let shared = &shared[rows.number(index)];
                    best.raise(&shared.ranks);
                    *movable |= shared.moves;
                }
                let row = part.row(index);
                (link.own)(row, moves);
                *movable |= !moves.is_empty();
                self.take(moves, &keys, child, lanes[index], best)
                    .ok_or_else(|| self.wrong(node, row, lanes[index], Breach::ForeignMove))?;
            }
            Ok(())
        })
    }

    /// The best of the moves that rows have in common, by number of the rows.
    fn shared<'p>(
        &self,
        (node, part): (&NodeOf<G>, &'p Part),
        shared: &SharedMoves,
        lanes: &[Lanes],
        keys: &Keys,
        child: &Child,
    ) -> Result<(SharedRows<'p>, Vec<Best>)> {
        let rows = SharedRows::new(part, node.rows.ilog2(), shared.free);
        let best = (0..rows.count()).into_par_iter().map_init(Vec::new, |moves, number| {
            let any = rows.any(number, lanes);
            let mut ranks = Row::filled(0);
            if any == 0 {
                return Ok(Best { ranks, moves: false });
            }
            let first = rows.first(number);
            (shared.of)(first & !shared.free, moves);
            self.take(moves, keys, child, any, &mut ranks)
                .ok_or_else(|| self.wrong(node, first, any, Breach::ForeignMove))?;
            Ok(Best { ranks, moves: !moves.is_empty() })
        });
        let best = best.collect::<Result<_>>()?;
        Ok((rows, best))
    }

    /// Makes the moves of all rows on one link to a tier that is cut, once, and takes them part by part. Shared moves are
    /// left out if they are taken as common ones.
    fn link_to_parts(
        &self,
        (node, part): (&NodeOf<G>, &Part),
        (link, child): (&RowLink, usize),
        is_common: bool,
        (lanes, best, movable): (&[Lanes], &mut [Row], &mut [bool]),
        marks: &mut dyn KeepMarks,
        cache: &mut Cache<Row>,
    ) -> Result<()> {
        let own = self.moves(node, child, part.rows(), |at| (part.row(at), lanes[at]), &link.own)?;
        self.take_by_part(child, &own, |at| lanes[at], best, marks, cache)?;
        let has_moves = |moves: &Moves, at: usize| !moves.0[at / ROWS_PER_BLOCK].of(at % ROWS_PER_BLOCK).is_empty();
        movable.par_iter_mut().enumerate().for_each(|(at, movable)| *movable |= has_moves(&own, at));
        let Some(shared) = link.shared.as_ref().filter(|_| !is_common) else { return Ok(()) };
        let rows = SharedRows::new(part, node.rows.ilog2(), shared.free);
        let any: Vec<Lanes> = (0..rows.count()).into_par_iter().map(|number| rows.any(number, lanes)).collect();
        let first = |number: usize| (rows.first(number) & !shared.free, any[number]);
        let moves = self.moves(node, child, rows.count(), first, &shared.of)?;
        let mut of_shared = vec![Row::filled(0); rows.count()];
        self.take_by_part(child, &moves, |number| any[number], &mut of_shared, marks, cache)?;
        best.par_iter_mut().zip(movable).enumerate().for_each(|(at, (best, movable))| {
            let number = rows.number(at);
            best.raise(&of_shared[number]);
            *movable |= has_moves(&moves, number);
        });
        Ok(())
    }

    /// Where moves of so many rows lead. `row` tells the number of each and its lanes: those without are passed over.
    fn moves(
        &self,
        node: &NodeOf<G>,
        child: usize,
        rows: usize,
        row: impl Fn(usize) -> (u32, Lanes) + Sync,
        of: &MovesOfRow,
    ) -> Result<Moves> {
        let keys = self.keys(child);
        let blocks = (0..rows.div_ceil(ROWS_PER_BLOCK)).into_par_iter().map_init(Vec::new, |found, block| {
            let mut moves = MovesOfBlock::default();
            for at in block * ROWS_PER_BLOCK..rows.min((block + 1) * ROWS_PER_BLOCK) {
                let (row, lanes) = row(at);
                if lanes != 0 {
                    of(row, found);
                    for &key in found.iter() {
                        let foreign = || self.wrong(node, row, lanes, Breach::ForeignMove);
                        moves.rows.push(keys.row(key).ok_or_else(foreign)?);
                    }
                }
                moves.ends.push(moves.rows.len() as u16);
            }
            Ok(moves)
        });
        Ok(Moves(blocks.collect::<Result<_>>()?))
    }

    /// Takes moves that lead to parts of a tier, one part after the other: raises the best of each lane and marks where
    /// they lead.
    fn take_by_part(
        &self,
        child: usize,
        Moves(blocks): &Moves,
        lanes: impl Fn(usize) -> Lanes + Sync,
        best: &mut [Row],
        marks: &mut dyn KeepMarks,
        cache: &mut Cache<Row>,
    ) -> Result<()> {
        let cut = self.sections.cut(child);
        let parts_of = |block: &MovesOfBlock| {
            let mut is_needed = vec![false; cut.parts.len()];
            block.rows.iter().for_each(|&row| is_needed[cut.part_of(row)] = true);
            is_needed
        };
        let nothing = || vec![false; cut.parts.len()];
        let either = |a: Vec<bool>, b: Vec<bool>| a.into_iter().zip(b).map(|(a, b)| a || b).collect();
        let is_needed = blocks.par_iter().map(parts_of).reduce(nothing, either);
        for (number, part) in cut.parts.iter().enumerate().filter(|&(number, _)| is_needed[number]) {
            let kept = marks.take(child, number).unwrap_or_else(|| self.no_marks_of(child, number));
            let ranks = self.lifted((child, number), cache)?;
            let child_part = Child { ranks: &ranks, marks: &kept };
            best.par_chunks_mut(ROWS_PER_BLOCK).zip(blocks).enumerate().for_each(|(block, (best, moves))| {
                for (at, best) in best.iter_mut().enumerate() {
                    for row in moves.of(at).iter().filter_map(|&row| part.index(row)) {
                        best.raise(&ranks[row]);
                        let added = &self.added[usize::from(kept.added[row])];
                        child_part.mark(row, added.reached(lanes(block * ROWS_PER_BLOCK + at)));
                    }
                }
            });
            marks.put(child, number, kept)?;
        }
        Ok(())
    }

    fn keys(&self, number: usize) -> Keys {
        let node = &self.graph[number];
        Keys(node.base..node.base + ((node.rows as u64) << 6))
    }

    /// Makes moves from lanes: raises the best of each lane and marks where they lead. `None` if one leads to another
    /// tier.
    #[inline]
    fn take(&self, moves: &[u64], keys: &Keys, child: &Child, lanes: Lanes, best: &mut Row) -> Option<()> {
        // The rows lie anywhere in the child's sheet: all of them are asked for before the first is looked at.
        moves.iter().filter_map(|&key| keys.row(key)).for_each(|row| prefetch(&child.ranks[row as usize]));
        for &key in moves {
            let row = keys.row(key)? as usize;
            best.raise(&child.ranks[row]);
            child.mark(row, self.added[usize::from(child.marks.added[row])].reached(lanes));
        }
        Some(())
    }

    /// Holds the values of a part against the best of its moves, and counts them.
    fn values(
        &self,
        node: &NodeOf<G>,
        part: &Part,
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
                let end = (!movable[row]).then(|| self.game.row_end(node, part.row(row)).to_byte());
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
                    return Err(self.wrong(node, part.row(row), bad, Breach::WrongValue));
                }
            }
            Ok(counts)
        };
        let counts = (0..own.len().div_ceil(ROWS_PER_BLOCK)).into_par_iter().map(check);
        counts.try_reduce(ByteCounts::default, |a, b| Ok(a.merged(b)))
    }

    /// That no row has a move on a link to a tier to which none should lead.
    fn expect_none(&self, node: &NodeOf<G>, part: &Part, link: &RowLink, lanes: &[Lanes]) -> Result<()> {
        let mut moves = Vec::new();
        for (at, &lanes) in lanes.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
            let row = part.row(at);
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

    /// A part's positions by the ranks of moves to them; zero where the table has no position.
    fn sheet(&self, number: usize, part: usize) -> Result<Vec<Row>> {
        let mut rows = vec![Row::filled(0); self.sections.cut(number).parts[part].rows()];
        if let Some(section) = self.sections.section(number, part)? {
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
    fn lifted(&self, (number, part): (usize, usize), cache: &mut Cache<Row>) -> Result<Arc<Vec<Row>>> {
        let unit = self.sections.unit(number, part);
        if let Some(sheet) = cache.get(unit) {
            return Ok(sheet);
        }
        let (mut rows, arrivals) = (self.sheet(number, part)?, self.game.arrivals(&self.graph[number]));
        let part = &self.sections.cut(number).parts[part];
        rows.par_iter_mut().enumerate().for_each(|(at, row)| {
            let arrival = arrivals(part.row(at));
            if arrival.added != 0 {
                let ends = arrival.ends.map(|byte| self.ranks.of_move[usize::from(byte)]);
                self.added[usize::from(arrival.added)].lift(row, ends);
            }
        });
        let sheet = Arc::new(rows);
        cache.put(unit, sheet.clone());
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
