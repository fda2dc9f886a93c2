//! The second player's best play as text.

use std::io::Write;
use std::path::Path;

use super::best_play::BestPlay;
use super::file::OutFile;
use super::positions::Stored;
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_solve::SolveError;
use yomikiri_table::Table;
use yomikiri_table::progress::Progress;

/// Writes the positions of the second player, who wins, with all best moves and the numbers of the positions that
/// can follow; returns how many positions there are.
pub fn export_best_play(
    game: &AnimalShogi,
    table: &Table,
    path: &Path,
    progress: &dyn Progress,
) -> Result<u64, SolveError> {
    export(game, table, path, progress, |play, file| {
        file.write(format!("{}\n", numbers(play, &play.first()?)).as_bytes())?;
        file.write_each(&play.keys, |&key, bytes| {
            let mut text = format!("{} {}\n", line_start(play, key), play.number(key));
            for best in play.best_moves(key)? {
                text += &format!(" {}:{}\n", best.candidate, numbers(play, &best.next));
            }
            push(bytes, &format!("{text}\n"));
            Ok(())
        })
    })
}

/// Writes the same positions, a line with one best move each; returns how many positions there are.
pub fn export_best_moves(
    game: &AnimalShogi,
    table: &Table,
    path: &Path,
    progress: &dyn Progress,
) -> Result<u64, SolveError> {
    export(game, table, path, progress, |play, file| {
        file.write_each(&play.keys, |&key, bytes| {
            let best = play.best_moves(key)?;
            let candidate = best.first().map(|best| best.candidate);
            let candidate =
                candidate.ok_or_else(|| SolveError::Wrong(format!("no best move in {}", text(play, key))))?;
            push(bytes, &format!("{} {candidate}\n", line_start(play, key)));
            Ok(())
        })
    })
}

/// Finds best play and has it written.
fn export(
    game: &AnimalShogi,
    table: &Table,
    path: &Path,
    progress: &dyn Progress,
    write: impl FnOnce(&BestPlay, &mut OutFile) -> Result<(), SolveError>,
) -> Result<u64, SolveError> {
    let mut file = OutFile::create(path)?;
    let stored = Stored::read(game, table, progress, |_, _| ())?;
    let play = BestPlay::find(&stored, progress)?;
    write(&play, &mut file)?;
    file.finish()?;
    Ok(play.keys.len() as u64)
}

/// Key and depth of a position.
fn line_start(play: &BestPlay, key: u32) -> String {
    format!("{} {}", text(play, key), play.depth(key))
}

fn text(play: &BestPlay, key: u32) -> String {
    format!("{:015x}", play.board(key).key())
}

/// The numbers of positions, a space before each.
fn numbers(play: &BestPlay, keys: &[u32]) -> String {
    keys.iter().map(|&key| format!(" {}", play.number(key))).collect()
}

fn push(bytes: &mut Vec<u8>, text: &str) {
    // Writing to memory does not fail.
    let _ = bytes.write_all(text.as_bytes());
}
