//! How boards are edited, and how a move is taken back by an edit.

use crate::Session;
use crate::dialogue::Answer;
use yomikiri_rules::game::{Game, TextError};
use yomikiri_rules::games::binarsi::board::Way;
use yomikiri_rules::games::binarsi::text::{self, parse_op, parse_way, way_name};
use yomikiri_rules::games::binarsi::{Binarsi, Op, Position, Rules, edit};
use yomikiri_rules::value::Side;

/// The operators that edits can have without stones after them.
const OPERATORS: [&str; 19] =
    ["a", "c", "n", "nH", "nL", "na", "no", "o", "on", "s1", "s2", "s3", "s4", "s5", "s6", "xn", "xo", "ze", "e"];

/// The edits that work here, in lines; of those that put stones one a way, which leaves the board as it is.
pub fn list(game: &Binarsi, position: &Position) -> String {
    let mut text = String::from("MOVES FOR EDIT\n+---+\n|All| Command\n+---+\n");
    let mut number = 0;
    for way in Way::all(&game.rules) {
        for operator in OPERATORS {
            let stones =
                if operator == "e" { format!("${}", stones_on(&game.rules, position, way)) } else { String::new() };
            let word = format!("&{}{operator}{stones}", way_name(way));
            if edit::apply(&game.rules, position, &word).is_ok() {
                number += 1;
                text += &format!("|{number:>3}| do {word}\n");
            }
        }
    }
    text + "+---+\nwith # after the operator the way is left unlocked"
}

/// The squares of a way from its first to its last, as edits write them.
fn stones_on(rules: &Rules, position: &Position, way: Way) -> String {
    let letter = |file, rank| match text::stone(position, file, rank) {
        None => '.',
        Some(Side::Black) => '1',
        Some(Side::White) => '0',
    };
    match way {
        Way::File(file) => (0..rules.ranks).map(|rank| letter(file, rank)).collect(),
        Way::Rank(rank) => (0..rules.files).map(|file| letter(file, rank)).collect(),
    }
}

/// The stones that a move or an edit overwrote; `-` where it can be taken back without knowing them.
pub fn stones_before(rules: &Rules, before: &Position, word: &str) -> String {
    let way = word.trim_start_matches('&').chars().next().and_then(|name| parse_way(rules, name).ok());
    let Some(way) = way.filter(|&way| before.holds(way)) else { return "-".into() };
    match parse_op(word.get(1..).unwrap_or_default()) {
        Some(Op::Shift(_)) => "-".into(),
        _ => stones_on(rules, before, way),
    }
}

/// The edit that takes the last move back.
pub fn inverse_of_last(game: &Binarsi, session: &Session<Binarsi>) -> Answer {
    let made = session.words().last().zip(session.positions().iter().nth_back(1));
    let (word, before) = made.ok_or_else(|| TextError::new("inverse_move", "there is no move to take back"))?;
    inverse(game, before, word)
}

/// The edit that leads back to `before` after a legal move from there. Targets stay cleared.
pub fn inverse(game: &Binarsi, before: &Position, word: &str) -> Answer {
    let mv = game.parse_move(before, word)?;
    let name = way_name(mv.way);
    Ok(match mv.op {
        _ if !before.holds(mv.way) => format!("inverse_move &{name}c#"),
        Op::Shift(k) => format!("inverse_move &{name}s{}#", stones_of(before, mv.way) - u32::from(k)),
        _ => format!("inverse_move &{name}e#${}", stones_on(&game.rules, before, mv.way)),
    })
}

/// Number of stones on a way.
fn stones_of(position: &Position, way: Way) -> u32 {
    (position.rect.squares() & way.squares()).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every legal move along random games is taken back by its inverse, targets aside.
    #[test]
    fn inverses_lead_back() {
        let game = Binarsi::parse("bin7x6").unwrap();
        let (mut seed, mut seen) = (7u64, 0);
        for _ in 0..40 {
            let mut position = game.start();
            loop {
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let answer = inverse(&game, &position, &game.move_text(mv)).unwrap();
                    let word = answer.strip_prefix("inverse_move ").unwrap();
                    let back = edit::apply(&game.rules, &game.play(&position, mv), word).unwrap();
                    let bare = |position: Position| (position.stones, position.rect, position.locks);
                    assert_eq!(bare(back), bare(position), "{word} after {}", game.move_text(mv));
                    seen += 1;
                }
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                position = game.play(&position, moves[(seed >> 33) as usize % moves.len()]);
            }
        }
        assert!(seen > 5_000, "{seen}");
    }
}
