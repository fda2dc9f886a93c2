//! Tests of Binarsi by points against the variants with komi. `whole_tables.rs` compares its tables with brute force.

use crate::support::games::binarsi;
use crate::support::solving::analyzed;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi_points::BinarsiPoints;
use yomikiri_rules::{Game, Outcome, Score, Value};
use yomikiri_table::Table;
use yomikiri_table::entries::each_block;
use yomikiri_table::probe::{probe, value_of_byte};

fn by_points(code: &str) -> BinarsiPoints {
    BinarsiPoints::parse(code).unwrap()
}

/// Returns Black's score. `score` is the score for the side to move in the position of a key.
fn black<G: Game>(game: &G, key: u64, score: Score) -> i32 {
    let score = i32::from(score.points());
    game.side(&game.unrank(key).unwrap()).pick([score, -score])
}

/// Returns the game on a board with `half_points` half points of komi for White, or for Black if the number is
/// negative. It must be odd.
fn with_komi(board: &str, half_points: i32) -> Binarsi {
    let side = if half_points > 0 { 'w' } else { 'b' };
    binarsi(&format!("{board}-k{side}{}.5", half_points.abs() / 2))
}

fn starts_with_win_for_black(game: &Binarsi) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let table = analyzed(game, folder.path());
    // Black moves first.
    probe::<<Binarsi as Game>::Value>(&table, game.rank(&game.start())).unwrap().unwrap().outcome() == Outcome::Win
}

/// On all boards of at most twelve squares, Black wins with half a point less than the fair komi, and White wins with
/// half a point more. If targets decide, komi changes nothing.
#[test]
fn the_fair_komi_is_what_the_variants_with_komi_say() {
    let (mut fair, mut decided) = (0, 0);
    for (files, ranks) in (2..=7).flat_map(|files| (2..=6).map(move |ranks| (files, ranks))) {
        let squares = files * ranks;
        if squares > 12 {
            continue;
        }
        let (board, folder) = (format!("bin{files}x{ranks}"), tempfile::tempdir().unwrap());
        let game = by_points(&format!("{board}-p"));
        let start = game.rank(&game.start());
        let value = black(&game, start, probe(&analyzed(&game, folder.path()), start).unwrap().unwrap());
        let decided_by_targets = value.abs() == i32::from(Score::MAX);
        let komi = if decided_by_targets { [-squares - 1, squares + 1] } else { [value, value] };
        for (half_points, black_wins) in [(2 * komi[0] - 1, value > komi[0] - 1), (2 * komi[1] + 1, value > komi[1])] {
            let black_wins = if decided_by_targets { value > 0 } else { black_wins };
            assert_eq!(starts_with_win_for_black(&with_komi(&board, half_points)), black_wins, "{board} {half_points}");
        }
        *(if decided_by_targets { &mut decided } else { &mut fair }) += 1;
    }
    assert_eq!(fair + decided, 12);
    assert!(fair > 5, "{fair} boards with a fair komi, {decided} decided by targets");
}

/// For several values of komi, Black wins a position if its score for Black is above the komi.
#[test]
fn every_position_is_won_with_less_komi_than_its_points() {
    let folder = tempfile::tempdir().unwrap();
    for board in ["bin3x3", "bin4x2-t223", "bin3x3-t222"] {
        let game = by_points(&format!("{board}-p"));
        let points = analyzed(&game, folder.path());
        for half_points in [-17, -5, -1, 1, 3, 7, 19] {
            let variant = with_komi(board, half_points);
            agrees(&game, &points, &variant, &analyzed(&variant, folder.path()), half_points);
        }
    }
}

fn agrees(game: &BinarsiPoints, points: &Table, variant: &Binarsi, table: &Table, half_points: i32) {
    let mut count = 0;
    each_block::<yomikiri_table::TableError>(points, |entries| {
        for (&key, &byte) in entries.keys.iter().zip(&entries.bytes) {
            let value = black(game, key, value_of_byte(game, points, byte)?);
            let outcome = probe::<<Binarsi as Game>::Value>(table, key)?.expect("the same positions").outcome();
            let side = variant.side(&variant.unrank(key).expect("a position"));
            let winner = outcome.winner(side).expect("no draws");
            assert_eq!(winner.pick([true, false]), 2 * value > half_points, "{}: @{key}", variant.code());
            count += 1;
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(count, table.header.positions.get());
}
