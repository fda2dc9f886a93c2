//! Whole tiers at once.
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
use crate::tiers::{ArrivalAtRow, Edge, Lanes, Link, Node, NodeOf, Row, RowLink, Tiered};
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::{Image, Rect, Way};
use yomikiri_rules::games::binarsi::goal::End;
use yomikiri_rules::games::binarsi::index::{Tier, spread_stones};
use yomikiri_rules::games::binarsi::moves;
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::games::binarsi::targets::{self, Verdict};
use yomikiri_rules::{Game, Side};

/// Rows handled by one task of a parallel loop.
const CHUNK: usize = 1024;

/// Calls `act` with each row of a slice that begins at row `first`, and its number.
#[inline(always)]
fn each_row<T: Send>(first: u32, slice: &mut [T], act: impl Fn(u32, &mut T) + Sync) {
    slice.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, rows)| {
        for (at, row) in rows.iter_mut().enumerate() {
            act(first + (chunk * CHUNK + at) as u32, row);
        }
    });
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

fn reach_by_modify(modify: &Modify, from: &[Lanes], first: u32, into: &mut [Lanes]) {
    let (line, to_parent, illegal) = (modify.line, &modify.map, &modify.illegal);
    let contexts = Contexts::new(modify, first, into.len());
    let contents = line.contents();
    let any: Vec<Lanes> = (0..contexts.count)
        .into_par_iter()
        .map(|number| {
            let context = contexts.context(number);
            contents.iter().fold(0, |lanes, content| lanes | from[(context | content) as usize])
        })
        .collect();
    each_row(first, into, |number, lanes| {
        let row = to_parent.apply(number);
        let (content, context) = (row & line.mask, row & !line.mask);
        let (results, count) = line.results(context);
        let is_result = results[..count].contains(&content);
        if illegal.is_empty() {
            if is_result {
                *lanes |= any[contexts.number(row) as usize];
            }
            for k in 1..line.length {
                *lanes |= from[(context | line.rotated(content, k)) as usize];
            }
            return;
        }
        let partners = illegal.partners(context, content);
        let rotations = (1..line.length).map(|k| line.rotated(content, k));
        let all = if is_result { &contents[..] } else { &[] };
        for before in all.iter().copied().chain(rotations).filter(|before| !partners.contains(&Some(*before))) {
            *lanes |= from[(context | before) as usize];
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

fn gather_by_modify<M: Merge>(modify: &Modify, from: &[M::Cell], first: u32, into: &mut [M::Cell]) {
    let (line, to_child, illegal) = (modify.line, &modify.map, &modify.illegal);
    let contexts = Contexts::new(modify, first, into.len());
    let mut shared = vec![M::NOTHING; if illegal.is_empty() { contexts.count as usize } else { 0 }];
    each_row(0, &mut shared, |number, cell| {
        let context = contexts.context(number);
        let (results, count) = line.results(context);
        for result in &results[..count] {
            M::merge(cell, &from[(context | result) as usize]);
        }
    });
    each_row(first, into, |number, cell| {
        let row = to_child.apply(number);
        let (content, context) = (row & line.mask, row & !line.mask);
        if illegal.is_empty() {
            M::merge(cell, &shared[contexts.number(row) as usize]);
            for k in 1..line.length {
                M::merge(cell, &from[(context | line.rotated(content, k)) as usize]);
            }
            return;
        }
        let partners = illegal.partners(context, content);
        let (results, count) = line.results(context);
        let rotations = (1..line.length).map(|k| line.rotated(content, k));
        for after in results[..count].iter().copied().chain(rotations).filter(|after| !partners.contains(&Some(*after)))
        {
            M::merge(cell, &from[(context | after) as usize]);
        }
    });
}

/// Merges into each row of a slice of the first rectangle what the moves of a step have in the sheet of the second.
fn gather<M: Merge>(
    rules: &Rules,
    [parent, child]: [Rect; 2],
    step: Step,
    from: &[M::Cell],
    first: u32,
    into: &mut [M::Cell],
) {
    let to_child = row_map(rules, parent, step.image, child);
    let way = mirrored_way(rules, step.way, step.image);
    if is_modify(parent, step.way) {
        let modify = Modify::new(rules, child, way, to_child);
        return gather_by_modify::<M>(&modify, from, first, into);
    }
    let line = Line::new_way(child, way);
    each_row(first, into, |number, cell| {
        let context = to_child.apply(number);
        let (results, count) = line.new_results(context);
        for result in &results[..count] {
            M::merge(cell, &from[(context | result) as usize]);
        }
    });
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

    fn reach(&self, Edge { parent, child, step }: Edge<Self>, from: &[Lanes], first: u32, into: &mut [Lanes]) {
        let (parent, child) = (parent.tier.rect, child.tier.rect);
        let to_parent = row_map(&self.rules, child, step.image, parent);
        if is_modify(parent, step.way) {
            let modify = Modify::new(&self.rules, parent, step.way, to_parent);
            return reach_by_modify(&modify, from, first, into);
        }
        let line = Line::new_way(child, mirrored_way(&self.rules, step.way, step.image));
        each_row(first, into, |row, lanes| {
            let (results, count) = line.new_results(row & !line.mask);
            if results[..count].contains(&(row & line.mask)) {
                *lanes |= from[to_parent.apply(row) as usize];
            }
        });
    }

    fn has_images(&self, node: &NodeOf<Self>) -> bool {
        !own_images(&self.rules, node.tier).is_empty()
    }

    /// The links lead from one image of each parent; the other images reach the mirror images of its rows.
    fn add_images(&self, node: &NodeOf<Self>, reached: &[Lanes], first: u32, lanes: &mut [Lanes]) {
        let images = own_images(&self.rules, node.tier);
        lanes.par_iter_mut().enumerate().for_each(|(at, lanes)| {
            let row = first + at as u32;
            *lanes = images.iter().fold(*lanes, |lanes, image| lanes | reached[image.apply(row) as usize]);
        });
    }

    fn close(&self, node: &NodeOf<Self>, first: u32, lanes: &mut [Lanes]) {
        each_row(first, lanes, |row, lanes| {
            if *lanes != 0 {
                *lanes = advance(*lanes, on_board(&self.rules, node.tier.rect, row)) & OPEN;
            }
        });
    }

    fn first_image(&self, node: &NodeOf<Self>) -> Box<dyn Fn(u32) -> u32 + Sync + '_> {
        let maps = own_images(&self.rules, node.tier);
        Box::new(move |row| maps.iter().map(|map| map.apply(row)).fold(row, u32::min))
    }

    fn improve(&self, edge: Edge<Self>, from: &[Row], first: u32, into: &mut [Row]) {
        let Edge { parent, child, step } = edge;
        let rects = [parent.tier.rect, child.tier.rect];
        match Side::at_ply(parent.ply) {
            Side::Black => gather::<Highest>(&self.rules, rects, step, from, first, into),
            Side::White => gather::<Lowest>(&self.rules, rects, step, from, first, into),
        }
    }

    fn count(&self, Edge { parent, child, step }: Edge<Self>, from: &[Row], first: u32, counts: &mut [Row]) {
        gather::<Sum>(&self.rules, [parent.tier.rect, child.tier.rect], step, from, first, counts);
    }

    fn count_moves(&self, Edge { parent, child, step }: Edge<Self>, first: u32, counts: &mut [u8]) {
        let ones = vec![1; child.rows];
        gather::<RowSum>(&self.rules, [parent.tier.rect, child.tier.rect], step, &ones, first, counts);
    }

    fn worst(&self, ply: u32) -> u8 {
        match Side::at_ply(ply) {
            Side::Black => 0,
            Side::White => 255,
        }
    }

    fn end_rows(&self, node: &NodeOf<Self>, first: u32, rows: &mut [Row]) {
        // Only a tier with all ways locked has positions without moves, or any full one where some modifies are
        // illegal.
        if !node.links.is_empty() && !self.rules.idle.is_illegal() {
            return;
        }
        let (worst, area) = (self.worst(node.ply), node.tier.rect.area());
        each_row(first, rows, |number, row| {
            let ended = V::absolute(&self.rules, counted(area, number), node.ply);
            for byte in row.0.iter_mut().filter(|byte| **byte == worst) {
                *byte = ended;
            }
        });
    }

    fn lift(&self, node: &NodeOf<Self>, first: u32, rows: &mut [Row]) {
        let rect = node.tier.rect;
        each_row(first, rows, |number, row| {
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
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::games::binarsi_points::BinarsiPoints;

    /// Calls `make` with slices of a sheet of `rows` rows, of at most `length` each, later ones first.
    fn slices<T: Clone>(fill: T, rows: usize, length: usize, make: impl Fn(u32, &mut [T])) -> Vec<T> {
        let mut sheet = vec![fill; rows];
        let slices: Vec<_> = sheet.chunks_mut(length.min(rows)).enumerate().collect();
        slices.into_iter().rev().for_each(|(number, slice)| make((number * length) as u32, slice));
        sheet
    }

    /// Makes all sheets whole and in slices, and holds them against each other.
    fn slices_agree<G: Tiered<Tier = Tier>>(code: &str, length: usize) {
        let game = G::parse(code).unwrap();
        let graph = game.tier_graph();
        let mut reached: Vec<Vec<Lanes>> = Vec::new();
        for (number, node) in graph.iter().enumerate() {
            let make = |length: usize| {
                let parents = || graph[..number].iter().zip(&reached);
                let from_links = slices(0, node.rows, length, |first, slice| {
                    // Any set of positions will do for the first tier.
                    if number == 0 {
                        slice.iter_mut().enumerate().for_each(|(at, lanes)| *lanes = u64::from(first) + at as u64 + 1);
                    }
                    for (parent, from) in parents() {
                        for link in parent.links.iter().filter(|link| link.child == number) {
                            game.reach(Edge { parent, child: node, step: link.step }, from, first, slice);
                        }
                    }
                });
                slices(0, node.rows, length, |first, slice| {
                    slice.copy_from_slice(&from_links[first as usize..][..slice.len()]);
                    game.add_images(node, &from_links, first, slice);
                    game.close(node, first, slice);
                })
            };
            let whole = make(node.rows);
            assert_eq!(make(length), whole, "{code}: positions of {:?}", node.tier);
            reached.push(whole);
        }
        assert!(reached.iter().flatten().any(|&lanes| lanes != 0));
        let mut lifted: Vec<Vec<Row>> = vec![Vec::new(); graph.len()];
        for (number, node) in graph.iter().enumerate().rev() {
            let make = |length: usize| {
                slices(Row::filled(game.worst(node.ply)), node.rows, length, |first, slice| {
                    for link in &node.links {
                        let edge = Edge { parent: node, child: &graph[link.child], step: link.step };
                        game.improve(edge, &lifted[link.child], first, slice);
                    }
                    game.end_rows(node, first, slice);
                    game.lift(node, first, slice);
                })
            };
            let whole = make(node.rows);
            assert!(make(length) == whole, "{code}: values of {:?}", node.tier);
            lifted[number] = whole;
        }
    }

    #[test]
    fn slice_by_slice_gives_the_same_sheets_as_whole() {
        for length in [1, 4, 64] {
            for code in ["bin3x3", "bin4x2", "bin3x3-n", "bin3x3-m"] {
                slices_agree::<Binarsi>(code, length);
            }
            slices_agree::<BinarsiPoints>("bin3x3-p", length);
        }
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
