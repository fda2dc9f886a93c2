//! The audit of tiers: checks a finished table against the plain rules, position by position, without the kernels.
//!
//! The plain rules make the children of every row. The audit looks the children up in the table, and the best child
//! must give exactly the stored value. It also checks the set of positions, ply by ply from the start: every child is
//! in the table, and every position in the table is the start or the child of a position one ply earlier.
//!
//! A tier is audited link by link; a link has moves to one other tier, the child. In memory are the stored positions of
//! the tier, the best move of its rows so far, and the sheet of one child. Rows that differ only in some bits
//! ([`RowLink`]) share children, which are looked up once for all these rows. If tiers are cut into parts, the audit
//! takes one part at a time. It then repeats a link for each group of the child's parts that fits the memory.

mod added;
mod bundles;
mod checkpoint;
mod marks;
mod sections;
mod stored;

use added::TargetEffect;
use bundles::{ChildTier, LinkBundles, MoveChoice, PartInMemory};
use checkpoint::AuditCheckpoint;
pub use checkpoint::{CHECKPOINT_EXTENSIONS, has_checkpoint, remove_checkpoint};
use marks::TierMarks;
pub(crate) use marks::{KeepMarks, Marks};
use sections::TableSections;
pub(crate) use sections::{AuditedSections, PartPlace};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use stored::StoredLanes;

use super::{Auditor, UNAUDITED, ValueGrades, key_error};
use crate::counts::ByteCounts;
use crate::space::extract_bits;
use crate::tiers::{self, Bundle, NodeOf, Part, Row, RowLink, RowSheets, Tiered};
use crate::{Breach, Result, SolveError, SolveOptions, Wrong};
use yomikiri_rules::Value;
use yomikiri_rules::bits::set_bits;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK};
use yomikiri_table::memory::Zeros;
use yomikiri_table::{IndexKind, Table, Tally, parallel};

/// Audits a whole table and its counts. The error shows the first breach that was found, and its position.
pub fn audit_tiers<G: Tiered>(game: &G, table: &Table, options: &SolveOptions) -> Result<()> {
    let SolveOptions { memory, progress, .. } = *options;
    let graph = game.tier_graph();
    let auditor = Auditor { game, table };
    auditor.expect_kind(&[IndexKind::Tiers])?;
    let sections = TableSections::<G>::new(&graph, table)?;
    let audit = Audit::new(game, &graph, &sections);
    let rows = |node: &NodeOf<G>| if sections.firsts.contains_key(&node.base) { node.rows as u64 } else { 0 };
    progress.begin("Step 3: audit", graph.iter().map(rows).sum());
    let rest = memory.saturating_sub(held::<G>(&graph) + tiers::ROOM);
    // A byte for marks saves at least as much work as a byte for cached sheets.
    let room = marks_of_two_plies::<G>(&graph).min(rest / 2);
    let (mut marks, mut cache) = (TierMarks::new(game, &graph, room), RowSheets::new(rest - room));
    let is_run = table.path().extension().is_some_and(|end| end == UNAUDITED);
    let (mut kept, state) = match is_run {
        true => AuditCheckpoint::take_up(game, table, options, &mut marks).map(|(kept, state)| (Some(kept), state))?,
        false => (None, None),
    };
    if state.is_none() {
        marks.put(0, 0, audit.start_seen(&Part::whole(graph[0].rows))?)?;
    }
    let (first, mut tally) = state.unwrap_or_default();
    progress.advance(graph.iter().take(first).map(rows).sum());
    for (number, node) in graph.iter().enumerate().skip(first) {
        if let Some(kept) = &mut kept {
            let is_new_ply = number > 0 && graph[number - 1].ply < node.ply;
            kept.keep_in_time(number, is_new_ply, &tally, &marks)?;
        }
        let seen = marks.take(number, 0)?;
        audit.part(PartPlace { tier: number, part: 0 }, seen, None, &mut marks, &mut cache, &mut tally)?;
        cache.drop_tier(number);
        progress.advance(rows(node));
    }
    progress.end(&format!("{} positions, every value and every move agrees", tally.positions()));
    auditor.check_counts(&tally, &Default::default())
}

/// Returns the least memory for [`audit_tiers`], in bytes.
pub fn memory_of_tiers<G: Tiered>(game: &G) -> u64 {
    held::<G>(&game.tier_graph()) + tiers::ROOM
}

/// Returns the memory, in bytes, that the audit takes beside its cache and the marks of other tiers. It is the maximum
/// over all tiers of: the stored positions of the tier (less than half a sheet), the best moves of its rows, the sheet
/// of a child tier, and the marks of both tiers.
fn held<G: Tiered>(graph: &[NodeOf<G>]) -> u64 {
    let rows = |node: &NodeOf<G>| {
        let child = node.links.iter().map(|link| graph[link.child].rows).max().unwrap_or(0);
        (3 * node.rows / 2 + child) * size_of::<Row>() + (node.rows + child) * size_of::<AtomicU64>()
    };
    graph.iter().map(rows).max().unwrap_or(0) as u64
}

/// Returns the maximum size, in bytes, of the marks of two successive plies.
fn marks_of_two_plies<G: Tiered>(graph: &[NodeOf<G>]) -> u64 {
    let last = graph.last().map_or(0, |node| node.ply);
    let is_near = |node: &&NodeOf<G>, ply: u32| node.ply == ply || node.ply == ply + 1;
    let rows_of = |ply: u32| graph.iter().filter(|node| is_near(node, ply)).map(|node| node.rows).sum::<usize>();
    ((0..=last).map(rows_of).max().unwrap_or(0) * size_of::<AtomicU64>()) as u64
}

pub(crate) struct Audit<'a, G: Tiered> {
    game: &'a G,
    graph: &'a [NodeOf<G>],
    sections: &'a dyn AuditedSections,
    grades: ValueGrades,
    /// The effects of moves, by the set of targets that a move adds.
    added: Vec<TargetEffect>,
}

/// Moves of the rows of a part of a tier to one other tier.
struct LinkMoves<'a, G: Tiered> {
    node: &'a NodeOf<G>,
    part: &'a Part,
    link: &'a RowLink<'a>,
    /// The index of the tier that the link leads to.
    child: usize,
    /// The choice among the moves of the link: all, or only some of them.
    wanted: MoveChoice,
    /// The lanes of the part that have positions, by row.
    lanes: &'a [Lanes],
}

impl<'a, G: Tiered> Audit<'a, G> {
    pub fn new(game: &'a G, graph: &'a [NodeOf<G>], sections: &'a dyn AuditedSections) -> Self {
        let grades = ValueGrades::new::<G::Value>();
        let lane_ends = game.lane_ends();
        let added = (0..64).map(|targets| TargetEffect::new(targets, &lane_ends)).collect();
        Audit { game, graph, sections, grades, added }
    }

    /// Returns the marks of a part of the first tier, in which only the start is marked.
    pub fn start_seen(&self, part: &Part) -> Result<Marks> {
        let number = self.game.rank(&self.game.start()) - self.graph[0].base;
        let marks = Marks::new(part)?;
        if let Some(at) = part.index((number >> 6) as u32) {
            marks.0[at].store(1 << (number & 63), Ordering::Relaxed);
        }
        Ok(marks)
    }

    /// Audits a part, marks its children, and adds its counts to `tally`. `seen` has the marks that earlier moves have
    /// left on the part. `common` has the grades of the best common moves, which [`Audit::common`] has returned for the
    /// tier; `None` if that method was not called.
    pub fn part(
        &self,
        place: PartPlace,
        seen: Option<Marks>,
        common: Option<&[Row]>,
        marks: &mut dyn KeepMarks,
        cache: &mut RowSheets,
        tally: &mut Tally,
    ) -> Result<()> {
        let node = &self.graph[place.tier];
        let part = &self.sections.cut(place.tier).parts[place.part];
        let own = StoredLanes::read(self.sections, place)?;
        self.check_set(node, part, &own.lanes, seen)?;
        if own.lanes.iter().all(|&lanes| lanes == 0) {
            return Ok(());
        }
        let mut best = cache.fresh(part.rows(), Row::filled(0))?;
        let links = self.game.row_links(node);
        for link in &links {
            let Some(child) = self.child(node, link) else {
                self.expect_none(node, part, link, &own.lanes)?;
                continue;
            };
            let common = common.filter(|_| link.free == part.pins());
            if let Some(common) = common {
                parallel::each_part_mut(&mut best, ROWS_PER_BLOCK, |block, best| {
                    let first = block * ROWS_PER_BLOCK;
                    (first..).zip(best).for_each(|(at, best)| best.raise(&common[at % common.len()]));
                });
            }
            let wanted = if common.is_some() { MoveChoice::Own } else { MoveChoice::All };
            let moves = LinkMoves { node, part, link, child, wanted, lanes: &own.lanes };
            self.link(moves, &mut best, marks, cache)?;
        }
        self.values(node, part, &own, &best, &links)?.add_to(tally, node.ply);
        cache.recycle(best);
        Ok(())
    }

    /// Makes the moves that all parts of a tier have in common, and marks the children. Returns two lists, by row of
    /// [`Part::unpinned`]: the lanes that have positions in any part, and the grades of the best of these moves.
    pub fn common(
        &self,
        tier: usize,
        marks: &mut dyn KeepMarks,
        cache: &mut RowSheets,
    ) -> Result<(Vec<Lanes>, Vec<Row>)> {
        let (node, cut) = (&self.graph[tier], self.sections.cut(tier));
        let unpinned = cut.parts[0].unpinned();
        let mut lanes: Vec<Lanes> = vec![0; unpinned.rows()];
        for part in 0..cut.parts.len() {
            let own = StoredLanes::read(self.sections, PartPlace { tier, part })?;
            for slice in own.lanes.chunks(unpinned.rows()) {
                lanes.iter_mut().zip(slice).for_each(|(lanes, mine)| *lanes |= mine);
            }
        }
        let mut best = vec![Row::filled(0); unpinned.rows()];
        for link in self.game.row_links(node).iter().filter(|link| link.free == unpinned.pins()) {
            let child = self.graph.iter().position(|child| child.base == link.base);
            let child = child.filter(|&child| !self.sections.cut(child).is_whole());
            let child = child.ok_or_else(|| Wrong::CommonMoves(format!("{:?}", node.tier)))?;
            let wanted = MoveChoice::Shared;
            let moves = LinkMoves { node, part: &unpinned, link, child, wanted, lanes: &lanes };
            self.link(moves, &mut best, marks, cache)?;
        }
        Ok((lanes, best))
    }

    /// Returns the index of the tier that a link leads to, or `None` if that tier is not among the children of `node`.
    fn child(&self, node: &NodeOf<G>, link: &RowLink) -> Option<usize> {
        node.links.iter().map(|link| link.child).find(|&child| self.graph[child].base == link.base)
    }

    /// Checks that the positions of a part are exactly those that moves have reached, which `seen` marks.
    fn check_set(&self, node: &NodeOf<G>, part: &Part, lanes: &[Lanes], seen: Option<Marks>) -> Result<()> {
        let arrivals = self.game.arrivals(node);
        let differing = |at: usize| {
            let seen = seen.as_ref().map_or(0, |marks| marks.0[at].load(Ordering::Relaxed));
            if seen == 0 {
                return lanes[at];
            }
            let added = arrivals(part.row(at)).added;
            self.added[usize::from(added)].reached(seen) ^ lanes[at]
        };
        match parallel::first(lanes.len(), ROWS_PER_BLOCK, |at| differing(at) != 0) {
            Some(at) => Err(self.wrong_set(node, part.row(at), differing(at), lanes[at])),
            None => Ok(()),
        }
    }

    /// Makes moves into the child tier: into as many of its parts at a time as fit the memory. Raises `best`, the grade
    /// of the best move by row and lane.
    fn link(
        &self,
        LinkMoves { node, part, link, child, wanted, lanes }: LinkMoves<G>,
        best: &mut [Row],
        marks: &mut dyn KeepMarks,
        cache: &mut RowSheets,
    ) -> Result<()> {
        let (cut, rows) = (self.sections.cut(child), self.graph[child].rows);
        let bundles = LinkBundles::new(part, link, wanted);
        let is_reached: Vec<AtomicBool> = cut.parts.iter().map(|_| AtomicBool::new(cut.is_whole())).collect();
        if !cut.is_whole() {
            // To begin with, only the parts that one bundle leads to are taken. While `take` makes moves into these, it
            // marks all other parts that moves lead to as reached. It also reports rows outside the tier.
            for row in bundles.some_children(lanes) {
                let number = if (row as usize) < rows { cut.part_of(row) } else { 0 };
                is_reached[number].store(true, Ordering::Relaxed);
            }
        }
        let mut left: Vec<usize> = (0..cut.parts.len()).collect();
        loop {
            // Takes as many parts as there is room for, so that each bundle is made once for all of them.
            let (mut numbers, mut room) = (Vec::new(), cache.budget() / 2);
            left.retain(|&number| {
                let bytes = (cut.parts[number].rows() * size_of::<Row>()) as u64;
                let is_next = is_reached[number].load(Ordering::Relaxed) && (numbers.is_empty() || bytes <= room);
                if is_next {
                    room = room.saturating_sub(bytes);
                    numbers.push(number);
                }
                !is_next
            });
            if numbers.is_empty() {
                return Ok(());
            }
            let mut held = Vec::new();
            for &number in &numbers {
                let into = &cut.parts[number];
                let seen = marks.take(child, number)?.map_or_else(|| Marks::new(into), Ok)?;
                held.push((
                    number,
                    PartInMemory {
                        part: into,
                        grades: self.lifted(PartPlace { tier: child, part: number }, cache)?,
                        marks: seen,
                    },
                ));
            }
            let to = ChildTier::new(rows, cut, held, &is_reached);
            let taken = bundles.take(&to, lanes, best);
            taken.map_err(|at| self.wrong(node, part.row(at), lanes[at], Breach::ForeignMove))?;
            for (number, seen) in numbers.into_iter().zip(to.into_marks()) {
                marks.put(child, number, seen)?;
            }
        }
    }

    /// Checks the values of a part against the best moves of its rows, and counts the values.
    fn values(
        &self,
        node: &NodeOf<G>,
        part: &Part,
        own: &StoredLanes,
        best: &[Row],
        links: &[RowLink],
    ) -> Result<ByteCounts> {
        let check = |block: usize| {
            let best = &best[block * ROWS_PER_BLOCK..];
            let (mut counts, mut wrong) = (ByteCounts::default(), None);
            own.each_row(block, |at, lanes, bytes| {
                let row = part.row(block * ROWS_PER_BLOCK + at);
                // The first tests are fast: in a row with moves, every lane has a best move.
                let is_over = best[at].0[lanes.trailing_zeros() as usize] == 0
                    && best[at] == Row::filled(0)
                    && !links.iter().any(|link| has_moves(link, row));
                let end = is_over.then(|| self.game.row_end(node, row).to_byte());
                let (mut bad, mut bytes) = (0, bytes.iter());
                for lane in set_bits(lanes) {
                    let (byte, best) = (bytes.next().map_or(0, |&byte| byte), best[at].0[lane as usize]);
                    counts.add(byte);
                    let right = match end {
                        Some(end) => byte == end,
                        None => best != 0 && best == self.grades.of_position[usize::from(byte)],
                    };
                    bad |= u64::from(!right) << lane;
                }
                if bad != 0 {
                    wrong.get_or_insert((row, bad));
                }
            });
            match wrong {
                Some((row, bad)) => Err(self.wrong(node, row, bad, Breach::WrongValue)),
                None => Ok(counts),
            }
        };
        parallel::try_reduce(best.len().div_ceil(ROWS_PER_BLOCK), check, ByteCounts::merged)
    }

    /// Checks that no row with positions has a move on `link`, whose tier is not among the children of `node`.
    fn expect_none(&self, node: &NodeOf<G>, part: &Part, link: &RowLink, lanes: &[Lanes]) -> Result<()> {
        let with_lanes = lanes.iter().enumerate().filter(|(_, lanes)| **lanes != 0);
        match with_lanes.map(|(at, &lanes)| (part.row(at), lanes)).find(|&(row, _)| has_moves(link, row)) {
            Some((row, lanes)) => Err(self.wrong(node, row, lanes, Breach::ForeignMove)),
            None => Ok(()),
        }
    }

    /// Returns the grades of moves into the rows of a part, by row, then by the lane before the move. The grade is 0 if
    /// the table lacks the position after the move. A move that ends the game has the grade of that end.
    fn lifted(&self, place: PartPlace, cache: &mut RowSheets) -> Result<Arc<Zeros<Row>>> {
        let PartPlace { tier, part } = place;
        let unit = self.sections.unit(tier, part);
        if let Some(sheet) = cache.get(unit) {
            return Ok(sheet);
        }
        let mut rows = cache.unfilled(self.sections.cut(tier).parts[part].rows())?;
        let arrivals = self.game.arrivals(&self.graph[tier]);
        let (section, part) = (self.sections.section(tier, part)?, &self.sections.cut(tier).parts[part]);
        parallel::try_each_part_mut(&mut rows, ROWS_PER_BLOCK, |block, rows| {
            rows.fill(Row::filled(0));
            if let Some(section) = &section {
                stored::decode(&**section, block, rows.len(), |row, set, mine| {
                    let mut mine = mine.iter();
                    for lane in set_bits(set) {
                        rows[row].0[lane as usize] =
                            mine.next().map_or(0, |&byte| self.grades.of_move[usize::from(byte)]);
                    }
                })?;
            }
            for (at, row) in rows.iter_mut().enumerate() {
                let arrival = arrivals(part.row(block * ROWS_PER_BLOCK + at));
                if arrival.added != 0 {
                    let ends = arrival.ends.map(|byte| self.grades.of_move[usize::from(byte)]);
                    self.added[usize::from(arrival.added)].lift(row, ends);
                }
            }
            Ok::<_, SolveError>(())
        })?;
        let sheet = Arc::new(rows);
        cache.put(unit, sheet.clone());
        Ok(sheet)
    }

    fn wrong_set(&self, node: &NodeOf<G>, row: u32, differing: Lanes, have: Lanes) -> SolveError {
        let lane = 1 << differing.trailing_zeros();
        self.wrong(node, row, lane, if have & lane != 0 { Breach::Superfluous } else { Breach::Missing })
    }

    /// Returns the error about the position of `row` in the first lane of the set `lanes`.
    fn wrong(&self, node: &NodeOf<G>, row: u32, lanes: Lanes, breach: Breach) -> SolveError {
        key_error(
            self.game,
            self.sections.path(),
            node.base + (u64::from(row) << 6 | u64::from(lanes.trailing_zeros())),
            breach,
        )
    }
}

/// Returns true if a row has moves among those of `link`.
fn has_moves(link: &RowLink, row: u32) -> bool {
    let mut bundle = Bundle::default();
    link.bundle(row & !link.free, &mut bundle);
    !bundle.shared.is_empty() || !link.own[extract_bits(row as usize, link.free as usize)].is_empty()
}
