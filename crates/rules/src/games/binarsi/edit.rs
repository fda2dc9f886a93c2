//! Board edits, which are outside the rules of play: `&<way><operator>[#][$<stones>]`.
//!
//! Every operator of the game works after `&`, even on locked ways. Four more operators exist only in edits: `ze` fills
//! a way with 0, `on` fills it with 1, `c` cuts an edge way off the rectangle, and `e` replaces the stones of a way by
//! those after `$`, listed from rank a or file 1 on. `#` leaves the way unlocked; without `#`, a way that held stones
//! is locked, as in a game. Targets that are on the board after the edit count as cleared.

use super::board::{Position, Rect, Squares, Way};
use super::moves::{self, Move};
use super::rules::{IllegalModifies, Rules};
use super::text::{parse_op, parse_way};
use crate::TextError;

/// Returns the position after one edit. `text` includes the `&`.
pub fn apply(rules: &Rules, position: &Position, text: &str) -> Result<Position, TextError> {
    edit(rules, position, text).map_err(|problem| TextError::new(format!("edit \"{text}\""), problem))
}

fn edit(rules: &Rules, position: &Position, text: &str) -> Result<Position, String> {
    let body = text.strip_prefix('&').ok_or("an edit starts with &")?;
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
        return Err("the operator e needs stones after $, and no other operator takes stones".into());
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

/// Limits `clear_plies`, the plies at which targets were cleared, to the ply of the position, because an edit can
/// reduce this ply. Cleared targets stay cleared, except at ply 0.
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

/// Applies an operator of the game, even if the way is locked or the rules forbid the result.
fn operate(rules: &Rules, position: &Position, way: Way, op: &str) -> Result<Position, String> {
    let op = parse_op(op).ok_or_else(|| format!("\"{op}\" is not an operator"))?;
    let unlocked = Position { locks: position.locks & !way.lock(), targets: 0, ..*position };
    let free = Rules { illegal_modifies: IllegalModifies::None, ..*rules };
    let mut legal = Vec::new();
    moves::generate(&free, &unlocked, &mut legal);
    let mv = Move { way, op };
    if !legal.contains(&mv) {
        return Err("the way does not allow this operator here".into());
    }
    let after = moves::play(&free, &unlocked, mv);
    Ok(Position { stones: after.stones, rect: after.rect, ..*position })
}

/// Fills the whole way with black or white stones.
fn fill(position: &Position, way: Way, black: bool) -> Result<Position, String> {
    let rect = if position.holds(way) { Some(position.rect) } else { moves::grown(position.rect, way) };
    let rect = rect.ok_or("the way is not next to the stones")?;
    let line = rect.squares() & way.squares();
    let stones = if black { position.stones | line } else { position.stones & !line };
    Ok(Position { stones, rect, ..*position })
}

/// Removes an edge way from the rectangle. An inner way is an error, because the rest would not be a rectangle.
fn cut(position: &Position, way: Way) -> Result<Position, String> {
    if !position.holds(way) {
        return Err("the way holds no stones".into());
    }
    let all = position.rect.squares() & !way.squares();
    with_squares(position, position.stones & all, all)
}

/// Replaces the stones of the way by those in `text`. Each square of the way has a character: `0` for a white stone,
/// `1` for a black stone, `.` for an empty square.
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

/// Returns the position with black stones on `stones` and white stones on the rest of `all`. Returns an error if `all`
/// is not a rectangle.
fn with_squares(position: &Position, stones: Squares, all: Squares) -> Result<Position, String> {
    let rect = Rect::around(all).ok_or("no stones would be left")?;
    if rect.squares() != all {
        return Err("the stones would not fill a rectangle".into());
    }
    Ok(Position { stones, rect, ..*position })
}
