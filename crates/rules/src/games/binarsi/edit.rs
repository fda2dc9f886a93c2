//! Board editing, outside the rules of play: `&<way><operator>[#][$<stones>]`.
//!
//! Every operator of the game works with `&`, on locked ways too, and so do four that a game never allows:
//! `ze` and `on` (fill with 0 or 1), `c` (cut an edge way off the rectangle) and `e` (put the stones written
//! after `$`, from rank a or file 1 on). `#` leaves the way unlocked; without it a way that held stones gets
//! locked, as in a game. Targets that lie on the board afterwards count as cleared.

use super::board::{Position, Rect, Squares, Way};
use super::moves::{self, Move};
use super::rules::{Idle, Rules};
use super::text::{parse_op, parse_way};
use crate::TextError;

/// The position after one edit, text with its `&`.
pub fn apply(rules: &Rules, position: &Position, text: &str) -> Result<Position, TextError> {
    edit(rules, position, text).map_err(|problem| TextError::new(format!("edit \"{text}\""), problem))
}

fn edit(rules: &Rules, position: &Position, text: &str) -> Result<Position, String> {
    let body = text.strip_prefix('&').ok_or("an edit begins with &")?;
    let mut letters = body.chars();
    let way = parse_way(rules, letters.next().ok_or("the way is missing")?)?;
    let (code, stones) = match letters.as_str().split_once('$') {
        Some((code, stones)) => (code, Some(stones)),
        None => (letters.as_str(), None),
    };
    let (op, unlock) = match code.strip_suffix('#') {
        Some(op) => (op, true),
        None => (code, false),
    };
    if stones.is_some() != (op == "e") {
        return Err("stones after $ belong to the operator e, and e needs them".into());
    }
    let mut next = match op {
        "e" => replace(rules, position, way, stones.unwrap_or(""))?,
        "c" => cut(position, way)?,
        "ze" => fill(position, way, false)?,
        "on" => fill(position, way, true)?,
        _ => operate(rules, position, way, op)?,
    };
    next.locks &= !way.lock();
    if !unlock && position.holds(way) && next.holds(way) {
        next.locks |= way.lock();
    }
    next.locks &= held_ways(rules, &next);
    forget_later_plies(&mut next);
    moves::mark_targets(rules, &mut next);
    Ok(next)
}

/// An edit can take plies back: what was cleared stays cleared, but not after the position's own ply.
fn forget_later_plies(position: &mut Position) {
    let ply = position.ply() as u8;
    position.clear_plies = position.clear_plies.map(|cleared_at| cleared_at.min(ply));
    if ply == 0 {
        position.targets = 0;
    }
}

fn held_ways(rules: &Rules, position: &Position) -> u16 {
    Way::all(rules).filter(|&way| position.holds(way)).map(Way::lock).sum()
}

/// An operator of the game, whatever the locks say.
fn operate(rules: &Rules, position: &Position, way: Way, op: &str) -> Result<Position, String> {
    let op = parse_op(op).ok_or_else(|| format!("\"{op}\" is no operator"))?;
    let unlocked = Position { locks: position.locks & !way.lock(), targets: 0, ..*position };
    let free = Rules { idle: Idle::Legal, ..*rules };
    let mut legal = Vec::new();
    moves::generate(&free, &unlocked, &mut legal);
    let mv = Move { way, op };
    if !legal.contains(&mv) {
        return Err("the way does not have this operator here".into());
    }
    let after = moves::play(&free, &unlocked, mv);
    Ok(Position { stones: after.stones, rect: after.rect, ..*position })
}

/// Stones `0` or `1` on the whole way.
fn fill(position: &Position, way: Way, black: bool) -> Result<Position, String> {
    let rect = if position.holds(way) { Some(position.rect) } else { moves::grown(position.rect, way) };
    let rect = rect.ok_or("the way is not next to the stones")?;
    let line = rect.squares() & way.squares();
    let stones = if black { position.stones | line } else { position.stones & !line };
    Ok(Position { stones, rect, ..*position })
}

/// Takes an edge way off the rectangle.
fn cut(position: &Position, way: Way) -> Result<Position, String> {
    if !position.holds(way) {
        return Err("the way holds no stones".into());
    }
    let all = position.rect.squares() & !way.squares();
    with_squares(position, position.stones & all, all)
}

/// Puts the written stones on the way.
fn replace(rules: &Rules, position: &Position, way: Way, text: &str) -> Result<Position, String> {
    let length = match way {
        Way::File(_) => rules.ranks,
        Way::Rank(_) => rules.files,
    };
    if text.chars().count() != usize::from(length) {
        return Err(format!("{length} squares are needed after $"));
    }
    let mut all = position.rect.squares() & !way.squares();
    let mut stones = position.stones & all;
    for (at, letter) in text.chars().enumerate() {
        let bit = match way {
            Way::File(file) => 1u64 << (8 * at + usize::from(file)),
            Way::Rank(rank) => 1u64 << (8 * usize::from(rank) + at),
        };
        match letter {
            '.' => {}
            '0' => all |= bit,
            '1' => {
                all |= bit;
                stones |= bit;
            }
            _ => return Err(format!("\"{letter}\" is not one of . 0 1")),
        }
    }
    with_squares(position, stones, all)
}

/// The position with other stones, which must fill a rectangle.
fn with_squares(position: &Position, stones: Squares, all: Squares) -> Result<Position, String> {
    let rect = Rect::around(all).ok_or("no stones would be left")?;
    if rect.squares() != all {
        return Err("the stones would not fill a rectangle".into());
    }
    Ok(Position { stones, rect, ..*position })
}
