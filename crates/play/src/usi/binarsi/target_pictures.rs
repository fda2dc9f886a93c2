//! The clear targets as pictures side by side.

use yomikiri_rules::games::binarsi::targets::NAMES;
use yomikiri_rules::games::binarsi::{Position, Rules};

/// Squares of a picture from edge to edge at least.
const SIZE: usize = 5;

/// Six pictures with their names above and what has become of them below.
pub fn pictures(rules: &Rules, position: &Position) -> String {
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

/// A row of a target's picture.
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

/// Whether a target's stones lie on a square of its picture.
fn lies_on(rules: &Rules, target: usize, [column, row]: [usize; 2], size: usize) -> bool {
    let length = usize::from(rules.lengths[target % 3]);
    let first = (size - length) / 2;
    let (middle, stretch) = (size / 2, first..first + length);
    // Black's short and White's long one lie along ranks.
    match target {
        1 | 4 => column == row && stretch.contains(&row),
        0 | 5 => row == middle && stretch.contains(&column),
        _ => column == middle && stretch.contains(&row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::game::Game;
    use yomikiri_rules::games::binarsi::Binarsi;

    #[test]
    fn lengths_and_plies_are_shown() {
        let game = Binarsi::parse("bin7x6-t296").unwrap();
        let position = Position { targets: 1, clear_plies: [12, 0, 0, 0, 0, 0], ..game.start() };
        let text = pictures(&game.rules, &position);
        let states = text.lines().rev().nth(1).unwrap().split_whitespace().collect::<Vec<_>>();
        assert_eq!(states, ["CLEARED", "12", "WANTED", "WANTED", "WANTED", "WANTED", "WANTED"]);
        let stones = |letter: &str| text.lines().skip(5).take(9).map(|row| row.matches(letter).count()).sum::<usize>();
        assert_eq!((stones("1"), stones("0")), (2 + 9 + 6, 2 + 9 + 6));
    }
}
