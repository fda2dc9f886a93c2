//! The steps of the tier kernel ([`Tiered`]), on sheets of whole tiers or of parts of tiers ([`Part`]).
//!
//! A modify is a move on a way inside the rectangle of stones. The results of the six binary operators and of both NOTs
//! depend only on the stones off the way (the *context*). So their best value is found once per context and shared by
//! all contents of the way; only rotations depend on the content.
//!
//! A lane of a row stands for a set of cleared targets. These do not affect the stones that a move leaves, so all 64
//! lanes of a row make the same moves: one move of a row is one byte-wise maximum or minimum of 64 bytes.
//!
//! [`Absolute`] defines the bytes of values.

use super::absolute::Absolute;
use super::gather::{Highest, Lowest, RowSum, Sum, gather};
use super::lift::Lifts;
use super::line::{EdgeMoves, Line, Step, is_modify, mirrored_way, row_map};
use super::plain_rows;
use super::reach::reach_slice;
use super::rows::{Cells, Whole, each_cell, each_row};
use crate::space::BitMap;
use crate::tiers::{
    ArrivalAtRow, Crossing, Edge, Lanes, Link, Moves, Node, NodeOf, Part, Row, RowLink, Sheet, SheetMut, Tiered,
};
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::{Rect, Squares, Way};
use yomikiri_rules::games::binarsi::goal::End;
use yomikiri_rules::games::binarsi::index::{Tier, compact_stones, spread_stones};
use yomikiri_rules::games::binarsi::moves;
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::games::binarsi::targets;
use yomikiri_rules::{Game, Side};

/// For each target, the lanes whose sets of cleared targets contain it.
const WITH_TARGET: [Lanes; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The lanes whose cleared targets leave the game open.
const OPEN: Lanes = {
    let black = WITH_TARGET[0] & WITH_TARGET[1] & WITH_TARGET[2];
    let white = WITH_TARGET[3] & WITH_TARGET[4] & WITH_TARGET[5];
    !(black | white)
};

/// Adds the targets `cleared` to the set of each lane in `lanes`, and returns the resulting lanes.
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

/// Returns the symmetries of a tier, without the identity, as maps from rows to rows.
fn own_images(rules: &Rules, tier: Tier) -> Vec<BitMap> {
    let images = tier.stabiliser(rules).into_iter();
    images.map(|image| row_map(rules, tier.rect, image, tier.rect)).collect()
}

/// Returns a set of squares that both mirrorings of the board map to itself: the middle rank or, if there is none, the
/// middle file. If there is neither, the set has the four squares in the middle.
fn middle(rules: &Rules) -> Squares {
    let ranks = (rules.ranks % 2 == 1).then(|| Way::Rank(rules.ranks / 2).squares());
    let files = (rules.files % 2 == 1).then(|| Way::File(rules.files / 2).squares());
    let pair = |ways: [Way; 2]| ways[0].squares() | ways[1].squares();
    ranks.or(files).unwrap_or_else(|| {
        let (file, rank) = (rules.files / 2, rules.ranks / 2);
        pair([Way::File(file - 1), Way::File(file)]) & pair([Way::Rank(rank - 1), Way::Rank(rank)])
    })
}

/// Returns the end of a game whose stones are counted, if `black` of the `area` stones are black.
fn counted(area: u32, black: u32) -> End {
    End::Counted { black, white: area - black }
}

fn edge_moves<V: Absolute>(edge: &Edge<BinarsiOf<V>>, moves: Moves) -> EdgeMoves {
    EdgeMoves { parent: edge.parent.tier.rect, child: edge.child.tier.rect, step: edge.step, moves }
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
        let is_split = is_modify(parent, step.way) && line.length > 1 && !self.rules.illegal_modifies.has_any();
        let own = is_split.then(|| (1..line.length).map(|k| line.turn(k)).collect());
        Crossing { map: row_map(&self.rules, parent, step.image, child), changed: line.mask, own }
    }

    fn reach(&self, edge: Edge<Self>, moves: Moves, from: Sheet<Lanes>, into: SheetMut<Lanes>) {
        let moves = edge_moves(&edge, moves);
        let map = row_map(&self.rules, moves.child, edge.step.image, moves.parent);
        let same = BitMap::new(moves.child.area(), Some);
        for (slice, lanes) in into.part.slices(into.rows) {
            let (to_parent, own) = (slice.image(&map), slice.image(&same));
            if from.part.is_whole() {
                reach_slice(&self.rules, moves, Cells { cells: from.rows, rows: &Whole }, to_parent, lanes, &own);
            } else {
                let from = Cells { cells: from.rows, rows: from.part };
                reach_slice(&self.rules, moves, from, to_parent, lanes, &own);
            }
        }
    }

    fn reach_common(&self, edge: Edge<Self>, common: &[Lanes], into: SheetMut<Lanes>) {
        let way = mirrored_way(&self.rules, edge.step.way, edge.step.image);
        let line = Line::modify(edge.child.tier.rect, way);
        let same = BitMap::new(edge.child.tier.rect.area(), Some);
        for (slice, lanes) in into.part.slices(into.rows) {
            let own = slice.image(&same);
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

    fn improve(&self, edge: Edge<Self>, moves: Moves, from: Sheet<Row>, into: SheetMut<Row>) {
        let moves = edge_moves(&edge, moves);
        match Side::at_ply(edge.parent.ply) {
            Side::Black => gather::<Highest>(&self.rules, moves, from, into),
            Side::White => gather::<Lowest>(&self.rules, moves, from, into),
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

    fn count(&self, edge: Edge<Self>, from: Sheet<Row>, counts: SheetMut<Row>) {
        gather::<Sum>(&self.rules, edge_moves(&edge, Moves::All), from, counts);
    }

    fn count_moves(&self, edge: Edge<Self>, counts: SheetMut<u8>) {
        let (part, ones) = (Part::whole(edge.child.rows), vec![1; edge.child.rows]);
        let from = Sheet { part: &part, rows: &ones };
        gather::<RowSum>(&self.rules, edge_moves(&edge, Moves::All), from, counts);
    }

    fn worst(&self, ply: u32) -> u8 {
        match Side::at_ply(ply) {
            Side::Black => 0,
            Side::White => 255,
        }
    }

    fn end_rows(&self, node: &NodeOf<Self>, into: SheetMut<Row>) {
        // If all modifies are legal, only tiers without links have positions without moves. If some are illegal, any
        // tier of the full board can have such positions.
        if !node.links.is_empty() && !self.rules.illegal_modifies.has_any() {
            return;
        }
        let (worst, area) = (self.worst(node.ply), node.tier.rect.area());
        each_row(into, |number, row| {
            let ended = V::absolute(&self.rules, counted(area, number.count_ones()), node.ply);
            for byte in row.0.iter_mut().filter(|byte| **byte == worst) {
                *byte = ended;
            }
        });
    }

    fn lift(&self, node: &NodeOf<Self>, into: SheetMut<Row>) {
        let (rect, lifts) = (node.tier.rect, Lifts::new());
        let [black, white] =
            [Side::Black, Side::White].map(|side| V::absolute(&self.rules, End::Targets(side), node.ply));
        let of_count: Vec<u8> =
            (0..=rect.area()).map(|black| V::absolute(&self.rules, counted(rect.area(), black), node.ply)).collect();
        each_row(into, |number, row| {
            let cleared = on_board(&self.rules, rect, number);
            if cleared != 0 {
                lifts.lift(row, cleared, [black, white, of_count[number.count_ones() as usize]]);
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
    use yomikiri_table::parallel;

    /// Returns the sheet of a part, cut out of the sheet `whole` of the tier.
    fn picked<T: Copy>(part: &Part, whole: &[T]) -> Vec<T> {
        (0..part.rows()).map(|at| whole[part.row(at) as usize]).collect()
    }

    /// Returns each part with its sheet.
    fn sheets<'a, T>(parts: &'a [Part], rows: &'a [Vec<T>]) -> impl Iterator<Item = (&'a Part, &'a [T])> {
        parts.iter().zip(rows.iter().map(Vec::as_slice))
    }

    /// Cuts the sheet of a tier into the sheets of its parts.
    fn cut<T: Copy>(parts: &[Part], whole: &[T]) -> Vec<Vec<T>> {
        parts.iter().map(|part| picked(part, whole)).collect()
    }

    /// Makes the sheets of all tiers in two ways, as a whole and part by part, and compares them. If `is_common_wanted`
    /// is true, the second way makes common moves ([`Moves::Common`]) on a sheet of their own where
    /// [`Crossing::has_common`] allows it. Compares one in `every` tiers.
    fn parts_agree<G: Tiered<Tier = Tier>>(code: &str, is_common_wanted: bool, every: usize) {
        let game = G::parse(code).unwrap();
        let graph = game.tier_graph();
        let parts: Vec<Vec<Part>> =
            graph.iter().map(|node| Cut::new(node.rows, game.pins(node), &game.images(node)).parts).collect();
        let [mut in_common, mut passed_over] = [0, 0];
        let mut reached: Vec<Vec<Lanes>> = Vec::new();
        let mut reached_parts: Vec<Vec<Vec<Lanes>>> = Vec::new();
        for (number, node) in graph.iter().enumerate() {
            let of_parent = |at: usize| graph[at].links.iter().map(move |link| (at, link));
            let links = (0..number).flat_map(of_parent).filter(|(_, link)| link.child == number);
            let edges: Vec<_> =
                links.map(|(at, link)| (at, Edge { parent: &graph[at], child: node, step: link.step })).collect();
            // The first tier may begin with any set of positions.
            let begin = |row: u32| if number == 0 { u64::from(row) + 1 } else { 0 };
            let whole = Part::whole(node.rows);
            let mut lanes: Vec<Lanes> = (0..node.rows as u32).map(begin).collect();
            for &(at, ref edge) in &edges {
                let from = Sheet { part: &Part::whole(graph[at].rows), rows: &reached[at] };
                game.reach(Edge { ..*edge }, Moves::All, from, SheetMut { part: &whole, rows: &mut lanes });
            }
            finish(&game, node, &whole, &mut lanes);
            for part in parts[number].iter().filter(|_| number % every == 0) {
                let mut mine: Vec<Lanes> = (0..part.rows()).map(|at| begin(part.row(at))).collect();
                for &(at, ref edge) in &edges {
                    let crossing = game.crossing(Edge { ..*edge });
                    let common = is_common_wanted && crossing.has_common(&parts[at][0], part);
                    let moves = if common { Moves::Own } else { Moves::All };
                    if common {
                        let unpinned = part.unpinned();
                        let mut sheet = vec![0; unpinned.rows()];
                        for (from, rows) in sheets(&parts[at], &reached_parts[at]) {
                            let into = SheetMut { part: &unpinned, rows: &mut sheet };
                            game.reach(Edge { ..*edge }, Moves::Common, Sheet { part: from, rows }, into);
                        }
                        game.reach_common(Edge { ..*edge }, &sheet, SheetMut { part, rows: &mut mine });
                        in_common += 1;
                    }
                    for (from, rows) in sheets(&parts[at], &reached_parts[at]) {
                        if crossing.leads(moves, from, part) {
                            let into = SheetMut { part, rows: &mut mine };
                            game.reach(Edge { ..*edge }, moves, Sheet { part: from, rows }, into);
                        } else {
                            passed_over += 1;
                        }
                    }
                }
                finish(&game, node, part, &mut mine);
                assert_eq!(mine, picked(part, &lanes), "{code}: positions of {:?}", node.tier);
            }
            reached_parts.push(cut(&parts[number], &lanes));
            reached.push(lanes);
        }
        assert!(reached.iter().flatten().any(|&lanes| lanes != 0));
        let mut lifted: Vec<Vec<Row>> = vec![Vec::new(); graph.len()];
        let mut lifted_parts: Vec<Vec<Vec<Row>>> = vec![Vec::new(); graph.len()];
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
            for part in parts[number].iter().filter(|_| number % every == 0) {
                let mut mine = vec![Row::filled(game.worst(node.ply)); part.rows()];
                for link in &node.links {
                    let edge = || Edge { parent: node, child: &graph[link.child], step: link.step };
                    let crossing = game.crossing(edge());
                    let children = || sheets(&parts[link.child], &lifted_parts[link.child]);
                    let common = is_common_wanted && crossing.has_common(part, &parts[link.child][0]);
                    let moves = if common { Moves::Own } else { Moves::All };
                    if common {
                        let unpinned = part.unpinned();
                        let mut sheet = vec![Row::filled(game.worst(node.ply)); unpinned.rows()];
                        for (from, rows) in children() {
                            let into = SheetMut { part: &unpinned, rows: &mut sheet };
                            game.improve(edge(), Moves::Common, Sheet { part: from, rows }, into);
                        }
                        game.improve_common(edge(), &sheet, SheetMut { part, rows: &mut mine });
                    }
                    for (from, rows) in children().filter(|(from, _)| crossing.leads(moves, part, from)) {
                        game.improve(edge(), moves, Sheet { part: from, rows }, SheetMut { part, rows: &mut mine });
                    }
                }
                end(part, &mut mine);
                assert!(mine == picked(part, &rows), "{code}: values of {:?}", node.tier);
            }
            lifted_parts[number] = cut(&parts[number], &rows);
            lifted[number] = rows;
        }
        assert!(passed_over > 0 && (in_common > 0) == is_common_wanted, "{code}");
    }

    #[test]
    fn part_by_part_gives_the_same_sheets_as_whole() {
        let codes = ["bin3x3", "bin4x3", "bin3x4", "bin2x3"];
        parallel::each(codes.len(), |at| parts_agree::<Binarsi>(codes[at], true, 1));
        // Here no moves are common, because `middle` has four squares instead of a way, or because some modifies are
        // illegal.
        let codes = ["bin4x2", "bin3x3-n", "bin3x3-m", "bin4x3-m"];
        parallel::each(codes.len(), |at| parts_agree::<Binarsi>(codes[at], false, 1));
        // Four squares in the middle with neighbours on all sides.
        parts_agree::<Binarsi>("bin4x4-s1a", false, 11);
        parts_agree::<BinarsiPoints>("bin3x3-p", true, 1);
    }

    #[test]
    fn advancing_lanes_adds_targets_to_every_state() {
        for state in 0..64u8 {
            for cleared in 0..64u8 {
                assert_eq!(advance(1 << state, cleared), 1 << (state | cleared));
            }
            assert_eq!(OPEN >> state & 1 == 1, targets::verdict(state) == targets::Verdict::Open);
        }
        assert_eq!(OPEN.count_ones(), 49);
    }
}
