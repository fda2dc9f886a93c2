//! Binarsi: ways (files and ranks), targets, and the stones on the way of each move.

use super::arrangement::{Arrangement, fen, find};
use super::report::{BoardNames, Direction, Effect, FamilyName, LineStone, Parts, Stone, TargetView, WayKind, WayView};
use super::squares::{count_from, names};
use super::viewed::Viewed;
use yomikiri_rules::bits::{set_bits, squares_of};
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::{Position, Rect, Squares, Way};
use yomikiri_rules::games::binarsi::goal::Goal;
use yomikiri_rules::games::binarsi::moves::Move;
use yomikiri_rules::games::binarsi::rules::{FILE_NAMES, RANK_NAMES, Rules};
use yomikiri_rules::games::binarsi::targets;
use yomikiri_rules::games::binarsi::text::{parse_way, stone, way_name};
use yomikiri_rules::{Notation, Side, TextError};
use yomikiri_search::adapters::binarsi::move_generator::{CompactPosition, TargetPlaces};

/// The direction of each target, a line of stones that a side has to make. Indexed by the target's bit.
const DIRECTIONS: [Direction; 6] =
    [Direction::Across, Direction::Diagonal, Direction::Down, Direction::Down, Direction::Diagonal, Direction::Across];

fn name_of(rules: &Rules, bit: u8) -> String {
    rules.square_name(bit % 8, bit / 8)
}

fn way_view(rules: &Rules, position: &Position, way: Way) -> WayView {
    let (kind, index) = match way {
        Way::File(file) => (WayKind::File, file),
        Way::Rank(rank) => (WayKind::Rank, rank),
    };
    debug_assert!(index < rules.files.max(rules.ranks));
    let (locked, holds) = (position.locks & way.lock() != 0, position.holds(way));
    WayView { name: way_name(way).into(), kind, index, locked, holds }
}

fn names_of_targets(set: u8) -> Vec<String> {
    set_bits(set).map(|bit| targets::NAMES[bit as usize].into()).collect()
}

impl<V: Goal> Viewed for BinarsiOf<V> {
    fn name(&self) -> FamilyName {
        FamilyName::Binarsi
    }

    fn board(&self) -> BoardNames {
        let names = |names: &[u8], count: u8| count_from(names[0].into(), count);
        BoardNames { files: names(FILE_NAMES, self.rules.files), ranks: names(RANK_NAMES, self.rules.ranks) }
    }

    fn stones(&self, position: &Position) -> Vec<Stone> {
        let stone = |bit: u8| {
            let (file, rank) = (bit % 8, bit / 8);
            let side = stone(position, file, rank).unwrap_or(Side::White);
            Stone { square: name_of(&self.rules, bit), file, rank, side, piece: None }
        };
        squares_of(position.rect.squares()).map(stone).collect()
    }

    fn parts(&self, position: &Position) -> Parts {
        let [short, diagonal, long] = self.rules.lengths;
        let lengths = [short, diagonal, long, short, diagonal, long];
        let places = TargetPlaces::new(&self.rules);
        let prospects = places.prospects(&CompactPosition::from(position));
        let target = |bit: usize| {
            let side = if bit < 3 { Side::Black } else { Side::White };
            let own = side.pick([position.stones, position.white()]);
            let lying = places.covered(bit, own);
            let cleared = position.targets >> bit & 1 == 1;
            TargetView {
                name: targets::NAMES[bit].into(),
                side,
                length: lengths[bit],
                direction: DIRECTIONS[bit],
                cleared,
                ply: cleared.then_some(position.clear_plies[bit]),
                possible: prospects[bit].is_none_or(|prospect| prospect.open > 0),
                squares: (lying != 0).then(|| names(lying, |bit| name_of(&self.rules, bit))),
            }
        };
        Parts {
            ways: Some(Way::all(&self.rules).map(|way| way_view(&self.rules, position, way)).collect()),
            targets: Some((0..6).map(target).collect()),
            ..Parts::default()
        }
    }

    fn effect(&self, position: &Position, mv: Move, after: &Position) -> Effect {
        let way = way_name(mv.way);
        let stone = |bit: u8| LineStone {
            square: name_of(&self.rules, bit),
            side: if after.stones >> bit & 1 == 1 { Side::Black } else { Side::White },
        };
        let line: Squares = after.rect.squares() & mv.way.squares();
        Effect {
            way: Some(way.into()),
            operator: self.move_text(mv).strip_prefix(way).map(String::from),
            line: Some(squares_of(line).map(stone).collect()),
            cleared: names_of_targets(after.targets & !position.targets),
            ..Effect::default()
        }
    }

    /// Returns the text of the position. Its ply and side to move follow from the stones and locks. All cleared targets
    /// count as cleared at that ply.
    fn arrange(&self, arrangement: &Arrangement) -> Result<String, TextError> {
        let (rules, board) = (&self.rules, self.board());
        let place = |text: &str| find(&board, text, |file, rank| rules.square_name(file, rank));
        let grid = arrangement.grid(&board, place, |stone| Ok(stone.side.pick(['x', 'o'])))?;
        let (mut black, mut all): (Squares, Squares) = (0, 0);
        for (rank, row) in grid.iter().enumerate() {
            for (file, letter) in row.iter().enumerate() {
                let bit = 1 << (8 * rank + file);
                all |= if letter.is_some() { bit } else { 0 };
                black |= if *letter == Some('x') { bit } else { 0 };
            }
        }
        let mut locked = 0u16;
        for name in arrangement.locks.iter().flatten() {
            let bad = |problem: String| TextError::new(format!("way \"{name}\""), problem);
            let mut letters = name.chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return Err(bad("is not one letter".into()));
            };
            locked |= parse_way(rules, letter).map_err(bad)?.lock();
        }
        let mut cleared = targets::on_board(rules, black, all & !black);
        for name in arrangement.cleared.iter().flatten() {
            let bit = targets::NAMES.iter().position(|other| other == name);
            let unknown =
                || TextError::new(format!("target \"{name}\""), format!("is not one of {}", targets::NAMES.join(" ")));
            cleared |= 1 << bit.ok_or_else(unknown)?;
        }
        let rect = Rect::around(all).unwrap_or(Rect { width: 1, height: 1, file: 0, rank: 0 });
        let ply = u32::from(rect.width + rect.height) - 2 + locked.count_ones();
        let locks: String = Way::all(rules).filter(|way| locked & way.lock() != 0).map(way_name).collect();
        let locks = if locks.is_empty() { "-".into() } else { locks };
        let field = |bit: u8| if cleared >> bit & 1 == 1 { ply.to_string() } else { String::new() };
        let fields = (0..6).map(field).collect::<Vec<_>>().join("/");
        let fields = if cleared == 0 { "-".into() } else { fields };
        let turn = Side::at_ply(ply).pick(['b', 'w']);
        Ok(format!("{} {turn} {locks} {fields} {ply}", fen(&grid)))
    }
}
