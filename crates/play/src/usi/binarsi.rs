//! Commands that only Binarsi has: board edits, and pictures of the targets, which are the lines of stones to make.

use super::game::UsiGame;
use super::text::{ONE, ZERO};
use crate::repl::CommandAnswer;
use crate::{Action, Session};
use yomikiri_rules::games::binarsi::board::Way;
use yomikiri_rules::games::binarsi::targets::NAMES;
use yomikiri_rules::games::binarsi::text::{self, parse_op, parse_way, way_name};
use yomikiri_rules::games::binarsi::{Binarsi, Op, Position, Rules, edit};
use yomikiri_rules::{AnyPosition, Notation, Registered, Side, TextError};

impl UsiGame for Binarsi {
    fn own_help(&self) -> &'static str {
        "\
clear_targets                                       show which targets are cleared
moves_for_edit                                      list the board edits, which ignore the rules, such as do &4c#
inverse_move [<move>]                               show the edit that undoes <move> or, without it, the last move"
    }

    /// Ignores the number of plies, because the position itself has its ply.
    fn sfen(&self, position: &AnyPosition, _: usize) -> String {
        self.position_text(Self::position_of(position))
    }

    fn parse_sfen(&self, fields: &[&str]) -> Result<AnyPosition, TextError> {
        self.parse_position(&format!("sfen {}", fields.join(" "))).map(Self::any_position)
    }

    fn diagram(&self, position: &AnyPosition) -> String {
        text::diagram(&self.rules, Self::position_of(position))
    }

    fn plies(&self, session: &Session) -> usize {
        Self::position_of(session.position()).ply() as usize
    }

    fn banner(&self, side: Side) -> &'static str {
        side.pick([ONE, ZERO])
    }

    /// Returns half of the maximum number of plies until the end of the game.
    fn expected_moves_left(&self, position: &AnyPosition) -> u64 {
        let position = Self::position_of(position);
        u64::from(self.rules.max_plies().saturating_sub(position.ply())).div_ceil(2)
    }

    fn stones_before(&self, before: &AnyPosition, word: &str) -> String {
        stones_before(&self.rules, Self::position_of(before), word)
    }

    fn own_command(&self, session: &Session, command: &str, arguments: &[&str]) -> Option<CommandAnswer> {
        let position = Self::position_of(session.position());
        Some(match (command, arguments) {
            ("clear_targets", []) => Ok(target_pictures(&self.rules, position)),
            ("moves_for_edit", []) => Ok(list_edits(self, position)),
            ("inverse_move", []) => inverse_of_last(self, session),
            ("inverse_move", [word]) => inverse(self, position, word),
            ("inverse_move", _) => {
                Err(TextError::new(command, format!("takes one move, but {} words follow", arguments.len())))
            }
            ("clear_targets" | "moves_for_edit", [word, ..]) => {
                Err(TextError::new(command, format!("takes no arguments, but \"{word}\" follows")))
            }
            _ => return None,
        })
    }
}

/// The operators in the text of board edits. Only the operator `e` is followed by stones.
const OPERATORS: [&str; 19] =
    ["a", "c", "n", "nH", "nL", "na", "no", "o", "on", "s1", "s2", "s3", "s4", "s5", "s6", "xn", "xo", "ze", "e"];

/// Returns the possible edits in this position, as lines. For the edits that set stones (`e`), lists only one edit for
/// each way (file or rank): the edit that leaves the stones of the way unchanged.
fn list_edits(game: &Binarsi, position: &Position) -> String {
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
    text + "+---+\na # after the operator leaves the way unlocked"
}

/// Returns the stones on a way (file or rank) in the notation of board edits, beginning at rank a or file 1.
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

/// Returns the stones that the move or edit `word` overwrites in the position `before`. Returns `-` if the move or edit
/// can be taken back without them.
fn stones_before(rules: &Rules, before: &Position, word: &str) -> String {
    let way = word.trim_start_matches('&').chars().next().and_then(|name| parse_way(rules, name).ok());
    let Some(way) = way.filter(|&way| before.holds(way)) else { return "-".into() };
    match parse_op(word.get(1..).unwrap_or_default()) {
        Some(Op::Shift(_)) => "-".into(),
        _ => stones_on(rules, before, way),
    }
}

/// Returns the edit that takes the last move back.
fn inverse_of_last(game: &Binarsi, session: &Session) -> CommandAnswer {
    let on_board = |(action, _): &(&Action, _)| matches!(action, Action::Move(_) | Action::Edit);
    let last = session.actions().iter().zip(session.words()).rfind(on_board).map(|(_, word)| word);
    let made = last.zip(session.positions().iter().nth_back(1));
    let (word, before) = made.ok_or_else(|| TextError::new("inverse_move", "there is no move to take back"))?;
    inverse(game, Binarsi::position_of(before), word)
}

/// Returns the edit that leads back to `before` after the legal move `word`. Targets that the move cleared stay
/// cleared.
fn inverse(game: &Binarsi, before: &Position, word: &str) -> CommandAnswer {
    let mv = game.parse_move(before, word)?;
    let name = way_name(mv.way);
    Ok(match mv.op {
        _ if !before.holds(mv.way) => format!("inverse_move &{name}c#"),
        Op::Shift(k) => format!("inverse_move &{name}s{}#", stones_of(before, mv.way) - u32::from(k)),
        _ => format!("inverse_move &{name}e#${}", stones_on(&game.rules, before, mv.way)),
    })
}

/// Returns the number of stones on a way.
fn stones_of(position: &Position, way: Way) -> u32 {
    (position.rect.squares() & way.squares()).count_ones()
}

/// The minimum width and height of a target's picture, in squares.
const SIZE: usize = 5;

/// Returns pictures of the six targets. The name of a target is above its picture. Below, the word `WANTED` or
/// `CLEARED` tells its state.
fn target_pictures(rules: &Rules, position: &Position) -> String {
    let size = rules.lengths.map(usize::from).into_iter().fold(SIZE, usize::max);
    let width = 2 * size + 3;
    let line = |cells: [String; 6]| {
        let padded: Vec<String> = cells.iter().map(|cell| format!("{cell:width$}")).collect();
        padded.join("  ").trim_end().to_string()
    };
    let centred = |text: String| format!("{}{text}", " ".repeat((width - text.len().min(width)).div_ceil(2)));
    let state = |target: usize| match position.targets >> target & 1 {
        0 => "WANTED".to_string(),
        _ => format!("CLEARED {}", position.clear_plies[target]),
    };
    let targets: [usize; 6] = std::array::from_fn(|target| target);
    let edge = line(targets.map(|_| format!("+{}+", "-".repeat(width - 2))));
    let mut lines = vec!["CLEAR TARGETS".to_string(), "-------------".into(), String::new()];
    lines.push(line(targets.map(|target| centred(format!("[{}]", NAMES[target])))));
    lines.push(edge.clone());
    lines.extend((0..size).map(|row| line(targets.map(|target| row_text(rules, target, row, size)))));
    lines.extend([edge, String::new()]);
    lines.push(line(targets.map(|target| centred(state(target)))));
    lines.push("-------------".into());
    lines.join("\n")
}

/// Returns a row of a target's picture.
fn row_text(rules: &Rules, target: usize, row: usize, size: usize) -> String {
    let stone = if target < 3 { '1' } else { '0' };
    let squares: String = (0..size)
        .map(|column| match lies_on(rules, target, [column, row], size) {
            true => format!(" {stone}"),
            false => " .".into(),
        })
        .collect();
    format!("|{squares} |")
}

/// Returns true if the target has a stone on this square of its picture.
fn lies_on(rules: &Rules, target: usize, [column, row]: [usize; 2], size: usize) -> bool {
    let length = usize::from(rules.lengths[target % 3]);
    let first = (size - length) / 2;
    let (middle, stretch) = (size / 2, first..first + length);
    // The targets b3 and w5 lie along ranks, b5 and w3 along files.
    match target {
        1 | 4 => column == row && stretch.contains(&row),
        0 | 5 => row == middle && stretch.contains(&column),
        _ => column == middle && stretch.contains(&row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes back every legal move of random games by its inverse. Targets are not compared.
    #[test]
    fn inverses_lead_back() {
        let game = Binarsi::parse("bin7x6").unwrap();
        let (mut seed, mut seen) = (7u64, 0);
        for _ in 0..40 {
            let mut position = game.start();
            loop {
                let moves = game.legal_moves(&position);
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

    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::{Game, Notation};

    #[test]
    fn lengths_and_plies_are_shown() {
        let game = Binarsi::parse("bin7x6-t296").unwrap();
        let position = Position { targets: 1, clear_plies: [12, 0, 0, 0, 0, 0], ..game.start() };
        let text = target_pictures(&game.rules, &position);
        let states = text.lines().rev().nth(1).unwrap().split_whitespace().collect::<Vec<_>>();
        assert_eq!(states, ["CLEARED", "12", "WANTED", "WANTED", "WANTED", "WANTED", "WANTED"]);
        let stones = |letter: &str| text.lines().skip(5).take(9).map(|row| row.matches(letter).count()).sum::<usize>();
        assert_eq!((stones("1"), stones("0")), (2 + 9 + 6, 2 + 9 + 6));
    }
}
