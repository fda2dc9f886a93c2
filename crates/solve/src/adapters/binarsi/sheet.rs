//! Whole tiers at once, or parts of them.
//!
//! In a modify of way `w` the six binary results and both NOTs depend only on the stones off `w` (the *context*),
//! so their best value is found once per context and shared by all contents of `w`; only rotations look at the
//! content. What targets were cleared before does not change the stones either, so all 64 lanes of a row go
//! through the same moves: one move of a row is one byte-wise maximum or minimum of 64 bytes.
//!
//! What the bytes of values mean is told by [`Absolute`].

use rayon::prelude::*;

use super::absolute::Absolute;
use super::line::{Contexts, Line, Modify, mirrored_way, row_map};
use super::plain_rows;
use crate::space::BitMap;
use crate::tiers::{
    ArrivalAtRow, Crossing, Edge, Lanes, Link, Moves, Node, NodeOf, Part, Placed, Row, RowLink, Sheet, SheetMut, Tiered,
};
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::{Image, Rect, Squares, Way};
use yomikiri_rules::games::binarsi::goal::End;
use yomikiri_rules::games::binarsi::index::{Tier, compact_stones, spread_stones};
use yomikiri_rules::games::binarsi::moves;
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::games::binarsi::targets::{self, Verdict};
use yomikiri_rules::{Game, Side};

/// Rows handled by one task of a parallel loop.
const CHUNK: usize = 1024;

/// Calls `act` with each cell of a sheet, and its index.
#[inline(always)]
fn each_cell<T: Send>(sheet: &mut [T], act: impl Fn(u32, &mut T) + Sync) {
    sheet.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, cells)| {
        for (at, cell) in cells.iter_mut().enumerate() {
            act((chunk * CHUNK + at) as u32, cell);
        }
    });
}

/// Calls `act` with each row of a part, and its number.
fn each_row<T: Send>(SheetMut { part, rows }: SheetMut<T>, act: impl Fn(u32, &mut T) + Sync) {
    each_cell(rows, |index, cell| act(part.row(index as usize), cell));
}

/// Where the rows of a sheet lie that moves come from or lead to.
trait Rows: Sync {
    /// `None` if the row is of another part.
    fn index(&self, row: u32) -> Option<usize>;

    /// Whether there are rows with so much in these bits.
    fn may_have(&self, content: u32, bits: u32) -> bool;
}

/// Those of a whole tier.
struct Whole;

impl Rows for Whole {
    #[inline(always)]
    fn index(&self, row: u32) -> Option<usize> {
        Some(row as usize)
    }

    fn may_have(&self, _: u32, _: u32) -> bool {
        true
    }
}

impl Rows for Part {
    #[inline(always)]
    fn index(&self, row: u32) -> Option<usize> {
        Part::index(self, row)
    }

    fn may_have(&self, content: u32, bits: u32) -> bool {
        self.fixed().iter().any(|fixed| (fixed ^ content) & self.pins() & bits == 0)
    }
}

/// Moves on one way of the parent: a modify if its rectangle has the way, else a new way.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    way: Way,
    /// Leads from the board as the parent's tier has it to that of the child's tier.
    image: Image,
}

/// Sets of lanes by target bit: the lanes whose state has the target.
const WITH_TARGET: [Lanes; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Lanes whose state leaves the game open.
const OPEN: Lanes = {
    let black = WITH_TARGET[0] & WITH_TARGET[1] & WITH_TARGET[2];
    let white = WITH_TARGET[3] & WITH_TARGET[4] & WITH_TARGET[5];
    !(black | white)
};

/// The lanes after targets `cleared` have been added to each state.
fn advance(lanes: Lanes, cleared: u8) -> Lanes {
    (0..6)
        .filter(|bit| cleared >> bit & 1 == 1)
        .fold(lanes, |lanes, bit| ((lanes & !WITH_TARGET[bit]) << (1 << bit)) | (lanes & WITH_TARGET[bit]))
}

fn on_board(rules: &Rules, rect: Rect, row: u32) -> u8 {
    let stones = spread_stones(rect, u64::from(row));
    targets::on_board(rules, stones, rect.squares() & !stones)
}

fn successors(rules: &Rules, tier: Tier) -> impl Iterator<Item = (Tier, Step)> {
    let Rect { width, height, file, rank } = tier.rect;
    let rules = *rules;
    let modifies = tier
        .unlocked()
        .filter(move |&way| Line::modify(tier.rect, way).has_moves())
        .map(move |way| (tier.locked(way), way));
    let sides = [
        file.checked_sub(1).map(Way::File),
        (file + width < rules.files).then_some(Way::File(file + width)),
        rank.checked_sub(1).map(Way::Rank),
        (rank + height < rules.ranks).then_some(Way::Rank(rank + height)),
    ];
    let grows = sides
        .into_iter()
        .flatten()
        .filter_map(move |way| moves::grown(tier.rect, way).map(|rect| (tier.on(rect), way)));
    modifies.chain(grows).map(move |(child, way)| {
        let (canonical, image) = child.canonical(&rules);
        (canonical, Step { way, image })
    })
}

/// The symmetries of a tier, the identity left out, as maps of its rows.
fn own_images(rules: &Rules, tier: Tier) -> Vec<BitMap> {
    let images = tier.stabiliser(rules).into_iter();
    images.map(|image| row_map(rules, tier.rect, image, tier.rect)).collect()
}

fn is_modify(parent: Rect, way: Way) -> bool {
    match way {
        Way::File(file) => (parent.file..parent.file + parent.width).contains(&file),
        Way::Rank(rank) => (parent.rank..parent.rank + parent.height).contains(&rank),
    }
}

fn reach_by_modify(modify: &Modify, moves: Moves, from: &[Lanes], rows: &impl Rows, into: &mut [Lanes]) {
    let (line, to_parent, illegal) = (modify.line, &modify.placed, &modify.illegal);
    let contents = line.contents();
    let held: Vec<u32> = contents.iter().copied().filter(|&content| rows.may_have(content, line.mask)).collect();
    let lanes_of = |row| rows.index(row).map_or(0, |at| from[at]);
    let any_of = |context| held.iter().fold(0, |lanes, content| lanes | lanes_of(context | content));
    if moves == Moves::Common {
        return each_cell(into, |index, lanes| *lanes |= any_of(to_parent.apply(index) & !line.mask));
    }
    let is_shared = moves == Moves::All && illegal.is_empty();
    let contexts = Contexts::new(modify);
    let count = if is_shared { contexts.count } else { 0 };
    let any: Vec<Lanes> = (0..count).into_par_iter().map(|number| any_of(contexts.context(number))).collect();
    each_cell(into, |index, lanes| {
        let row = to_parent.apply(index);
        let (content, context) = (row & line.mask, row & !line.mask);
        let is_result = || {
            let (results, count) = line.results(context);
            results[..count].contains(&content)
        };
        if illegal.is_empty() {
            if is_shared && is_result() {
                *lanes |= any[contexts.number(row) as usize];
            }
            for k in 1..line.length {
                *lanes |= lanes_of(context | line.rotated(content, k));
            }
            return;
        }
        let partners = illegal.partners(context, content);
        let rotations = (1..line.length).map(|k| line.rotated(content, k));
        let all = if is_result() { &held[..] } else { &[] };
        for before in all.iter().copied().chain(rotations).filter(|before| !partners.contains(&Some(*before))) {
            *lanes |= lanes_of(context | before);
        }
    });
}

/// Adds to a slice what a step reaches from the sheet of the parent.
fn reach_slice(
    rules: &Rules,
    [parent, child]: [Rect; 2],
    (step, moves): (Step, Moves),
    (from, rows): (&[Lanes], &impl Rows),
    to_parent: Placed,
    into: &mut [Lanes],
    own: &Placed,
) {
    if is_modify(parent, step.way) {
        let modify = Modify::new(rules, parent, step.way, to_parent);
        return reach_by_modify(&modify, moves, from, rows, into);
    }
    let line = Line::new_way(child, mirrored_way(rules, step.way, step.image));
    each_cell(into, |index, lanes| {
        let row = own.apply(index);
        let (results, count) = line.new_results(row & !line.mask);
        if results[..count].contains(&(row & line.mask)) {
            *lanes |= rows.index(to_parent.apply(index)).map_or(0, |at| from[at]);
        }
    });
}

/// What becomes of the cells that several moves lead to.
trait Merge {
    type Cell: Copy + Send + Sync;

    /// What merging begins with.
    const NOTHING: Self::Cell;

    fn merge(into: &mut Self::Cell, other: &Self::Cell);
}

/// The best for Black.
struct Highest;

/// The best for White.
struct Lowest;

/// A sum per lane.
struct Sum;

/// A sum per row.
struct RowSum;

impl Merge for Highest {
    type Cell = Row;

    const NOTHING: Row = Row([0; 64]);

    #[inline(always)]
    fn merge(into: &mut Row, other: &Row) {
        into.raise(other);
    }
}

impl Merge for Lowest {
    type Cell = Row;

    const NOTHING: Row = Row([255; 64]);

    #[inline(always)]
    fn merge(into: &mut Row, other: &Row) {
        into.lower(other);
    }
}

impl Merge for Sum {
    type Cell = Row;

    const NOTHING: Row = Row([0; 64]);

    #[inline(always)]
    fn merge(into: &mut Row, other: &Row) {
        into.add(other);
    }
}

impl Merge for RowSum {
    type Cell = u8;

    const NOTHING: u8 = 0;

    #[inline(always)]
    fn merge(into: &mut u8, other: &u8) {
        *into = into.wrapping_add(*other);
    }
}

fn gather_by_modify<M: Merge>(
    modify: &Modify,
    moves: Moves,
    (from, rows): (&[M::Cell], &impl Rows),
    into: &mut [M::Cell],
) {
    let (line, to_child, illegal) = (modify.line, &modify.placed, &modify.illegal);
    let take = |cell: &mut M::Cell, row| {
        if let Some(at) = rows.index(row) {
            M::merge(cell, &from[at]);
        }
    };
    let take_results = |cell: &mut M::Cell, context: u32| {
        let (results, count) = line.results(context);
        for result in &results[..count] {
            take(cell, context | result);
        }
    };
    if moves == Moves::Common {
        return each_cell(into, |index, cell| take_results(cell, to_child.apply(index) & !line.mask));
    }
    let contexts = Contexts::new(modify);
    let is_shared = moves == Moves::All && illegal.is_empty();
    let mut shared = vec![M::NOTHING; if is_shared { contexts.count as usize } else { 0 }];
    each_cell(&mut shared, |number, cell| take_results(cell, contexts.context(number)));
    each_cell(into, |index, cell| {
        let row = to_child.apply(index);
        let (content, context) = (row & line.mask, row & !line.mask);
        if illegal.is_empty() {
            if is_shared {
                M::merge(cell, &shared[contexts.number(row) as usize]);
            }
            for k in 1..line.length {
                take(cell, context | line.rotated(content, k));
            }
            return;
        }
        let partners = illegal.partners(context, content);
        let (results, count) = line.results(context);
        let rotations = (1..line.length).map(|k| line.rotated(content, k));
        for after in results[..count].iter().copied().chain(rotations).filter(|after| !partners.contains(&Some(*after)))
        {
            take(cell, context | after);
        }
    });
}

/// Merges into each row of a part of the first rectangle what the moves of a step have in the sheet of the second.
fn gather<M: Merge>(
    rules: &Rules,
    rects: [Rect; 2],
    (step, moves): (Step, Moves),
    from: Sheet<M::Cell>,
    into: SheetMut<M::Cell>,
) {
    let [parent, child] = rects;
    let map = row_map(rules, parent, step.image, child);
    for (slice, cells) in into.part.slices(into.rows) {
        let to_child = slice.through(&map);
        if from.part.is_whole() {
            gather_slice::<M>(rules, rects, (step, moves), (from.rows, &Whole), to_child, cells);
        } else {
            gather_slice::<M>(rules, rects, (step, moves), (from.rows, from.part), to_child, cells);
        }
    }
}

fn gather_slice<M: Merge>(
    rules: &Rules,
    [parent, child]: [Rect; 2],
    (step, moves): (Step, Moves),
    (from, rows): (&[M::Cell], &impl Rows),
    to_child: Placed,
    into: &mut [M::Cell],
) {
    let way = mirrored_way(rules, step.way, step.image);
    if is_modify(parent, step.way) {
        let modify = Modify::new(rules, child, way, to_child);
        return gather_by_modify::<M>(&modify, moves, (from, rows), into);
    }
    let line = Line::new_way(child, way);
    each_cell(into, |index, cell| {
        let context = to_child.apply(index);
        let (results, count) = line.new_results(context);
        for result in &results[..count] {
            if let Some(at) = rows.index(context | result) {
                M::merge(cell, &from[at]);
            }
        }
    });
}

/// The squares that both mirrorings of the board take to each other: its middle rank or file, or the four squares of
/// its middle.
fn middle(rules: &Rules) -> Squares {
    let ranks = (rules.ranks % 2 == 1).then(|| Way::Rank(rules.ranks / 2).squares());
    let files = (rules.files % 2 == 1).then(|| Way::File(rules.files / 2).squares());
    let pair = |ways: [Way; 2]| ways[0].squares() | ways[1].squares();
    ranks.or(files).unwrap_or_else(|| {
        let (file, rank) = (rules.files / 2, rules.ranks / 2);
        pair([Way::File(file - 1), Way::File(file)]) & pair([Way::Rank(rank - 1), Way::Rank(rank)])
    })
}

/// How a game ends whose stones are counted.
fn counted(area: u32, row: u32) -> End {
    let black = row.count_ones();
    End::Counted { black, white: area - black }
}

impl<V: Absolute> Tiered for BinarsiOf<V> {
    type Tier = Tier;
    type Step = Step;

    fn largest_tier(&self) -> Option<u64> {
        let area = u32::from(self.rules.files) * u32::from(self.rules.ranks);
        (area <= 30).then_some(1 << area)
    }

    fn tier_graph(&self) -> Vec<NodeOf<Self>> {
        let start = Tier::of(&self.canonical(&self.start()));
        let mut levels = vec![vec![start]];
        loop {
            let last = &levels[levels.len() - 1];
            let mut next: Vec<Tier> =
                last.iter().flat_map(|&tier| successors(&self.rules, tier).map(|(child, _)| child)).collect();
            if next.is_empty() {
                break;
            }
            next.sort_unstable();
            next.dedup();
            levels.push(next);
        }
        let tiers: Vec<Tier> = levels.into_iter().flatten().collect();
        let number: std::collections::HashMap<Tier, usize> =
            tiers.iter().enumerate().map(|(at, &tier)| (tier, at)).collect();
        let links =
            |tier| successors(&self.rules, tier).map(|(child, step)| Link { child: number[&child], step }).collect();
        tiers
            .iter()
            .map(|&tier| Node {
                tier,
                base: self.keys.tier_base(tier),
                ply: tier.ply(),
                rows: tier.rows(),
                links: links(tier),
            })
            .collect()
    }

    fn pins(&self, node: &NodeOf<Self>) -> u32 {
        let rect = node.tier.rect;
        compact_stones(rect, rect.squares() & middle(&self.rules)) as u32
    }

    fn images(&self, node: &NodeOf<Self>) -> Vec<BitMap> {
        own_images(&self.rules, node.tier)
    }

    fn crossing(&self, Edge { parent, child, step }: Edge<Self>) -> Crossing {
        let (parent, child) = (parent.tier.rect, child.tier.rect);
        let way = mirrored_way(&self.rules, step.way, step.image);
        let line = Line::modify(child, way);
        let is_split = is_modify(parent, step.way) && line.length > 1 && !self.rules.idle.is_illegal();
        let own = is_split.then(|| (1..line.length).map(|k| line.turn(k)).collect());
        Crossing { map: row_map(&self.rules, parent, step.image, child), changed: line.mask, own }
    }

    fn reach(&self, edge: Edge<Self>, moves: Moves, from: Sheet<Lanes>, into: SheetMut<Lanes>) {
        let rects = [edge.parent.tier.rect, edge.child.tier.rect];
        let step = edge.step;
        let map = row_map(&self.rules, rects[1], step.image, rects[0]);
        let same = BitMap::new(rects[1].area(), Some);
        for (slice, lanes) in into.part.slices(into.rows) {
            let (to_parent, own) = (slice.through(&map), slice.through(&same));
            if from.part.is_whole() {
                reach_slice(&self.rules, rects, (step, moves), (from.rows, &Whole), to_parent, lanes, &own);
            } else {
                reach_slice(&self.rules, rects, (step, moves), (from.rows, from.part), to_parent, lanes, &own);
            }
        }
    }

    fn reach_common(&self, edge: Edge<Self>, common: &[Lanes], into: SheetMut<Lanes>) {
        let way = mirrored_way(&self.rules, edge.step.way, edge.step.image);
        let line = Line::modify(edge.child.tier.rect, way);
        let same = BitMap::new(edge.child.tier.rect.area(), Some);
        for (slice, lanes) in into.part.slices(into.rows) {
            let own = slice.through(&same);
            each_cell(lanes, |index, lanes| {
                let row = own.apply(index);
                let (results, count) = line.results(row & !line.mask);
                if results[..count].contains(&(row & line.mask)) {
                    *lanes |= common[index as usize];
                }
            });
        }
    }

    fn close(&self, node: &NodeOf<Self>, into: SheetMut<Lanes>) {
        each_row(into, |row, lanes| {
            if *lanes != 0 {
                *lanes = advance(*lanes, on_board(&self.rules, node.tier.rect, row)) & OPEN;
            }
        });
    }

    fn improve(&self, Edge { parent, child, step }: Edge<Self>, moves: Moves, from: Sheet<Row>, into: SheetMut<Row>) {
        let rects = [parent.tier.rect, child.tier.rect];
        match Side::at_ply(parent.ply) {
            Side::Black => gather::<Highest>(&self.rules, rects, (step, moves), from, into),
            Side::White => gather::<Lowest>(&self.rules, rects, (step, moves), from, into),
        }
    }

    fn improve_common(&self, edge: Edge<Self>, common: &[Row], into: SheetMut<Row>) {
        let mover = Side::at_ply(edge.parent.ply);
        for (_, rows) in into.part.slices(into.rows) {
            each_cell(rows, |index, row| match mover {
                Side::Black => row.raise(&common[index as usize]),
                Side::White => row.lower(&common[index as usize]),
            });
        }
    }

    fn count(&self, Edge { parent, child, step }: Edge<Self>, from: Sheet<Row>, counts: SheetMut<Row>) {
        gather::<Sum>(&self.rules, [parent.tier.rect, child.tier.rect], (step, Moves::All), from, counts);
    }

    fn count_moves(&self, Edge { parent, child, step }: Edge<Self>, counts: SheetMut<u8>) {
        let (part, ones) = (Part::whole(child.rows), vec![1; child.rows]);
        let from = Sheet { part: &part, rows: &ones };
        gather::<RowSum>(&self.rules, [parent.tier.rect, child.tier.rect], (step, Moves::All), from, counts);
    }

    fn worst(&self, ply: u32) -> u8 {
        match Side::at_ply(ply) {
            Side::Black => 0,
            Side::White => 255,
        }
    }

    fn end_rows(&self, node: &NodeOf<Self>, into: SheetMut<Row>) {
        // Only a tier with all ways locked has positions without moves, or any full one where some modifies are
        // illegal.
        if !node.links.is_empty() && !self.rules.idle.is_illegal() {
            return;
        }
        let (worst, area) = (self.worst(node.ply), node.tier.rect.area());
        each_row(into, |number, row| {
            let ended = V::absolute(&self.rules, counted(area, number), node.ply);
            for byte in row.0.iter_mut().filter(|byte| **byte == worst) {
                *byte = ended;
            }
        });
    }

    fn lift(&self, node: &NodeOf<Self>, into: SheetMut<Row>) {
        let rect = node.tier.rect;
        each_row(into, |number, row| {
            let cleared = on_board(&self.rules, rect, number);
            if cleared == 0 {
                return;
            }
            let before = *row;
            let counted = counted(rect.area(), number);
            for (lane, byte) in row.0.iter_mut().enumerate() {
                let lane = lane as u8 | cleared;
                *byte = match targets::verdict(lane) {
                    Verdict::Open => before.0[lane as usize],
                    Verdict::Won(side) => V::absolute(&self.rules, End::Targets(side), node.ply),
                    Verdict::Count => V::absolute(&self.rules, counted, node.ply),
                };
            }
        });
    }

    fn table_bytes(&self, ply: u32) -> [u8; 256] {
        V::table_bytes(&self.rules, ply)
    }

    fn row_links(&self, node: &NodeOf<Self>) -> Vec<RowLink<'_>> {
        plain_rows::row_links(self, node.base)
    }

    fn arrivals(&self, node: &NodeOf<Self>) -> ArrivalAtRow<'_> {
        plain_rows::arrivals(self, node.base)
    }

    fn lane_ends(&self) -> [u8; 64] {
        plain_rows::lane_ends()
    }

    fn row_end(&self, node: &NodeOf<Self>, row: u32) -> V {
        plain_rows::row_end(self, node.base, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiers::Cut;
    use crate::tiers::enumerate::finish;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::games::binarsi_points::BinarsiPoints;

    /// The sheet of a part, out of that of its tier.
    fn picked<T: Copy>(part: &Part, whole: &[T]) -> Vec<T> {
        (0..part.rows()).map(|at| whole[part.row(at) as usize]).collect()
    }

    /// Makes all sheets whole and in parts, with common moves and without, and holds them against each other.
    fn parts_agree<G: Tiered<Tier = Tier>>(code: &str, is_common_wanted: bool) {
        let game = G::parse(code).unwrap();
        let graph = game.tier_graph();
        let parts: Vec<Vec<Part>> =
            graph.iter().map(|node| Cut::new(node.rows, game.pins(node), &game.images(node)).parts).collect();
        let [mut in_common, mut passed_over] = [0, 0];
        let mut reached: Vec<Vec<Lanes>> = Vec::new();
        for (number, node) in graph.iter().enumerate() {
            let edges = || {
                let of_parent = |at: usize| graph[at].links.iter().map(move |link| (at, link));
                let links = (0..number).flat_map(of_parent).filter(|(_, link)| link.child == number);
                links.map(|(at, link)| (at, Edge { parent: &graph[at], child: node, step: link.step }))
            };
            // Any set of positions will do for the first tier.
            let begin = |row: u32| if number == 0 { u64::from(row) + 1 } else { 0 };
            let whole = Part::whole(node.rows);
            let mut lanes: Vec<Lanes> = (0..node.rows as u32).map(begin).collect();
            for (at, edge) in edges() {
                let from = Sheet { part: &Part::whole(graph[at].rows), rows: &reached[at] };
                game.reach(edge, Moves::All, from, SheetMut { part: &whole, rows: &mut lanes });
            }
            finish(&game, node, &whole, &mut lanes);
            for part in &parts[number] {
                let mut mine: Vec<Lanes> = (0..part.rows()).map(|at| begin(part.row(at))).collect();
                for (at, edge) in edges() {
                    let crossing = game.crossing(Edge { ..edge });
                    let common = is_common_wanted && crossing.has_common(&parts[at][0], part);
                    let moves = if common { Moves::Own } else { Moves::All };
                    if common {
                        let unpinned = part.unpinned();
                        let mut sheet = vec![0; unpinned.rows()];
                        for from in &parts[at] {
                            let rows = &picked(from, &reached[at]);
                            let into = SheetMut { part: &unpinned, rows: &mut sheet };
                            game.reach(Edge { ..edge }, Moves::Common, Sheet { part: from, rows }, into);
                        }
                        game.reach_common(Edge { ..edge }, &sheet, SheetMut { part, rows: &mut mine });
                        in_common += 1;
                    }
                    for from in &parts[at] {
                        if crossing.leads(moves, from, part) {
                            let rows = &picked(from, &reached[at]);
                            let into = SheetMut { part, rows: &mut mine };
                            game.reach(Edge { ..edge }, moves, Sheet { part: from, rows }, into);
                        } else {
                            passed_over += 1;
                        }
                    }
                }
                finish(&game, node, part, &mut mine);
                assert_eq!(mine, picked(part, &lanes), "{code}: positions of {:?}", node.tier);
            }
            reached.push(lanes);
        }
        assert!(reached.iter().flatten().any(|&lanes| lanes != 0));
        let mut lifted: Vec<Vec<Row>> = vec![Vec::new(); graph.len()];
        for (number, node) in graph.iter().enumerate().rev() {
            let whole = Part::whole(node.rows);
            let mut rows = vec![Row::filled(game.worst(node.ply)); node.rows];
            let end = |part: &Part, rows: &mut [Row]| {
                game.end_rows(node, SheetMut { part, rows });
                game.lift(node, SheetMut { part, rows });
            };
            for link in &node.links {
                let from = Sheet { part: &Part::whole(graph[link.child].rows), rows: &lifted[link.child] };
                let edge = Edge { parent: node, child: &graph[link.child], step: link.step };
                game.improve(edge, Moves::All, from, SheetMut { part: &whole, rows: &mut rows });
            }
            end(&whole, &mut rows);
            for part in &parts[number] {
                let mut mine = vec![Row::filled(game.worst(node.ply)); part.rows()];
                for link in &node.links {
                    let edge = || Edge { parent: node, child: &graph[link.child], step: link.step };
                    let crossing = game.crossing(edge());
                    let children = &parts[link.child];
                    let common = is_common_wanted && crossing.has_common(part, &children[0]);
                    let moves = if common { Moves::Own } else { Moves::All };
                    if common {
                        let unpinned = part.unpinned();
                        let mut sheet = vec![Row::filled(game.worst(node.ply)); unpinned.rows()];
                        for from in children {
                            let rows = &picked(from, &lifted[link.child]);
                            let into = SheetMut { part: &unpinned, rows: &mut sheet };
                            game.improve(edge(), Moves::Common, Sheet { part: from, rows }, into);
                        }
                        game.improve_common(edge(), &sheet, SheetMut { part, rows: &mut mine });
                    }
                    for from in children.iter().filter(|from| crossing.leads(moves, part, from)) {
                        let rows = &picked(from, &lifted[link.child]);
                        game.improve(edge(), moves, Sheet { part: from, rows }, SheetMut { part, rows: &mut mine });
                    }
                }
                end(part, &mut mine);
                assert!(mine == picked(part, &rows), "{code}: values of {:?}", node.tier);
            }
            lifted[number] = rows;
        }
        assert!(passed_over > 0 && (in_common > 0) == is_common_wanted, "{code}");
    }

    #[test]
    fn part_by_part_gives_the_same_sheets_as_whole() {
        for code in ["bin3x3", "bin4x3", "bin3x4", "bin2x3"] {
            parts_agree::<Binarsi>(code, true);
        }
        // Four squares in the middle, and modifies that are illegal for what they leave: nothing is in common.
        for code in ["bin4x4-s1a", "bin4x2", "bin3x3-n", "bin3x3-m", "bin4x3-m"] {
            parts_agree::<Binarsi>(code, false);
        }
        parts_agree::<BinarsiPoints>("bin3x3-p", true);
    }

    #[test]
    fn advancing_lanes_adds_targets_to_every_state() {
        for state in 0..64u8 {
            for cleared in 0..64u8 {
                assert_eq!(advance(1 << state, cleared), 1 << (state | cleared));
            }
            assert_eq!(OPEN >> state & 1 == 1, targets::verdict(state) == Verdict::Open);
        }
        assert_eq!(OPEN.count_ones(), 49);
    }
}
