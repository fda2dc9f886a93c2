//! Tests that `solve --file` and `query -` read files of the WTHOR database. The files are made from random games.

use std::path::Path;

use serde_json::Value as Json;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{Game, Notation, Side};

use crate::support::command::{command, fails, good, run, with_input};
use crate::support::games::reversi;
use crate::support::random::Random;
use crate::support::repository::json_lines;

/// The number of empty squares in the positions with a theoretical score.
const EMPTIES: u8 = 8;

/// A game of the file: the bytes of its moves, and its position with [`EMPTIES`] empty squares.
struct Recorded {
    moves: Vec<u8>,
    position: String,
    mover: Side,
}

/// Returns random games that are still going on when [`EMPTIES`] squares are empty.
fn recorded(game: &Reversi, count: usize) -> Vec<Recorded> {
    let mut random = Random::new(11);
    let mut all = Vec::new();
    while all.len() < count {
        let (mut here, mut moves, mut seen) = (game.start(), Vec::new(), None);
        while game.terminal_value(&here).is_none() {
            let mv = *random.pick(&game.legal_moves(&here));
            let text = game.move_text(mv);
            if let [file, rank] = text.as_bytes()
                && rank.is_ascii_digit()
            {
                moves.push(10 * (rank - b'0') + (file - b'a' + 1));
            }
            here = game.play(&here, mv);
            // If a pass follows, the moves lead to the position before the pass.
            if moves.len() == 60 - usize::from(EMPTIES) && seen.is_none() {
                seen = Some(here);
            }
        }
        let over = seen.is_none_or(|seen| game.terminal_value(&seen).is_some());
        if let Some(seen) = seen.filter(|_| !over) {
            all.push(Recorded { moves, position: game.position_text(&seen), mover: game.side(&seen) });
        }
    }
    all
}

/// Returns the bytes of a file with these games. The theoretical scores are numbers of black discs.
fn file(games: &[Recorded], scores: &[u8]) -> Vec<u8> {
    let mut bytes = vec![20, 26, 11, 26, games.len() as u8, 0, 0, 0, 0, 0, 0xea, 7, 8, 0, EMPTIES, 0];
    for (recorded, &score) in games.iter().zip(scores) {
        let mut record = [0; 68];
        record[..8].copy_from_slice(&[1, 0, 2, 0, 3, 0, 32, score]);
        record[8..8 + recorded.moves.len()].copy_from_slice(&recorded.moves);
        bytes.extend(record);
    }
    bytes
}

/// The positions of a file get the same scores as in lines of text, and the command compares these scores with the
/// theoretical ones.
#[test]
fn theoretical_scores_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let (game, path) = (reversi("rev8x8-w"), folder.path().join("games.wtb"));
    let games = recorded(&game, 20);
    let plain = folder.path().join("plain");
    std::fs::write(&plain, games.iter().map(|game| format!("{}\n", game.position)).collect::<String>()).unwrap();
    let solve =
        |code: &str, path: &Path| run(folder.path(), &["solve", code, "--file", path.to_str().unwrap(), "--json"]);
    let by_lines = json_lines(&String::from_utf8(solve("rev8x8-w", &plain).stdout).unwrap());
    let black = |(line, game): (&Json, &Recorded)| {
        let score = line["score"].as_i64().unwrap();
        ((64 + if game.mover == Side::Black { score } else { -score }) / 2) as u8
    };
    let scores: Vec<u8> = by_lines.iter().zip(&games).map(black).collect();
    std::fs::write(&path, file(&games, &scores)).unwrap();
    let output = solve("rev8x8-w", &path);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = json_lines(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(told.len(), games.len());
    for ((line, by_line), game) in told.iter().zip(&by_lines).zip(&games) {
        assert_eq!((&line["position"], &line["score"]), (&Json::from(&*game.position), &by_line["score"]));
        assert_eq!(line["agrees"], true);
    }

    // One of the theoretical scores is wrong.
    let mut wrong = scores.clone();
    wrong[7] ^= 1;
    std::fs::write(&path, file(&games, &wrong)).unwrap();
    let output = solve("rev8x8-w", &path);
    assert_eq!(output.status.code(), Some(1));
    let told = json_lines(&String::from_utf8(output.stdout).unwrap());
    let differ: Vec<usize> = (0..told.len()).filter(|&at| told[at]["agrees"] == false).collect();
    assert_eq!(differ, [7]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("checked 20, 1 differ"));

    // The scores are not compared if empty squares count for neither side.
    let output = solve("rev8x8", &path);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("to compare them, use rev8x8-w"));
    assert!(json_lines(&String::from_utf8(output.stdout).unwrap()).iter().all(|line| line.get("agrees").is_none()));
}

/// A file can come from a pipe, which has no name. The positions of its games are answered, and an illegal move is an
/// error in place of the answer.
#[test]
fn a_file_from_a_pipe_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let game = reversi("rev8x8-w");
    let games = recorded(&game, 3);
    let mut bytes = file(&games, &[32; 3]);
    bytes[16 + 68 + 8] = 11;
    let output = with_input(command(folder.path(), &["query", "rev8x8-w", "-", "--brief"]), bytes);
    let told = json_lines(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(told.len(), 3);
    let error = told[1]["error"].as_str().unwrap();
    assert!(error.starts_with("game 2, move \"a1\" (move 1): "), "{error}");
    for at in [0, 2] {
        let alone: Json =
            serde_json::from_str(&good(folder.path(), &["solve", "rev8x8-w", &games[at].position, "--json"])).unwrap();
        assert_eq!((&told[at]["score"], &told[at]["key"]), (&alone["score"], &alone["key"]));
    }
}

/// A file that is cut off, or has bytes after its games, is refused. The format is recognized by the name alone.
#[test]
fn files_are_whole_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.WTB");
    let name = path.to_str().unwrap();
    let games = recorded(&reversi("rev8x8-w"), 2);
    let whole = file(&games, &[32; 2]);
    let longer = [&whole[..], b"\n"].concat();
    let mut lengths: Vec<&[u8]> = (0..whole.len()).step_by(13).map(|length| &whole[..length]).collect();
    lengths.push(&longer);
    for bytes in lengths {
        std::fs::write(&path, bytes).unwrap();
        let line = fails(folder.path(), &["solve", "rev8x8-w", "--file", name], 2);
        let words = match bytes.len() {
            0..16 => "ends within its header",
            16..84 => "ends within game 1 of 2",
            84..152 => "ends within game 2 of 2",
            _ => "has more data after the 2 games that its header announces",
        };
        assert_eq!(line, format!("error: {name}: {words}\n"));
    }
    std::fs::write(&path, &whole).unwrap();
    let line = fails(folder.path(), &["solve", "con4x4", "--file", name], 2);
    assert!(!line.contains("ends within"), "{line}");
}
