//! Compares Connect Four with the slow second implementation in `naive/connect_four.rs` and with published numbers:
//! move sequences, positions, and values of small boards.

use std::collections::HashSet;

use crate::agreement::{Pair, rules_of_texts};
use crate::support::games::{connect_four, legal_moves};
use crate::support::random::Random;
use crate::support::solving::{analyzed, job};
use yomikiri_naive::connect_four::{End, Naive};
use yomikiri_rules::games::connect_four::{ConnectFour, Position};
use yomikiri_rules::{Distance, Game, Notation, Plies, Presentation, Side, Value, laws, shared_keys};
use yomikiri_search::brute;
use yomikiri_solve::perft::perft;
use yomikiri_solve::{Solvable, SolveError, levels, pipeline};
use yomikiri_table::Silent;
use yomikiri_table::probe::probe;

/// Returns a code for every board size and every length of a winning row that fits.
fn all_codes() -> Vec<String> {
    let sizes = (3..=8).flat_map(|files| (3..=8).map(move |ranks| (files, ranks)));
    let codes = sizes.flat_map(|(files, ranks)| {
        let rows = (3..=5).filter(move |&row| row <= files.max(ranks));
        rows.map(move |row| format!("con{files}x{ranks}-k{row}").replace("-k4", ""))
    });
    codes.collect()
}

fn other(side: char) -> char {
    if side == 'X' { 'O' } else { 'X' }
}

type Twins = Pair<ConnectFour, Naive, str>;

fn pair(code: &str) -> Twins {
    let pair = Pair::new(connect_four(code), rules_of_texts!(code, Naive::start_text), check);
    assert_eq!(pair.fast.code(), code);
    pair
}

/// Checks the side to move, the result and its reason if the game is over, that symmetric positions have the same side
/// to move, and that every move brings the end nearer.
fn check(pair: &Twins, position: &Position, text: &str) {
    let (game, slow, code) = (&pair.fast, &pair.slow.rules, pair.fast.code());
    let side = text.chars().last().unwrap();
    assert_eq!(game.side(position), if side == 'X' { Side::Black } else { Side::White }, "{code}: {text}");
    let end = slow.end(text);
    let expected = end.map(|end| match end {
        End::Won(winner) => {
            assert_eq!(winner, other(side), "only the side that has just moved can have a row");
            Distance::Loss(Plies(0))
        }
        End::Drawn => Distance::Draw,
    });
    assert_eq!(game.terminal_value(position), expected, "end of {text} in {code}");
    assert_eq!(game.is_terminal(position), end.is_some(), "end of {text} in {code}");
    let row = ["three in a row", "four in a row", "five in a row"][slow.row - 3];
    let expected = end.map(|end| if end == End::Drawn { "the board is full" } else { row });
    assert_eq!(game.end_reason(position).map(|reason| reason.text), expected, "end of {text} in {code}");
    laws::symmetry_keeps_side(game, position);
    laws::plies_left_fall(game, position);
}

#[test]
fn random_games_agree_on_every_board() {
    let mut ends = HashSet::new();
    for (code, seed) in all_codes().iter().zip(0..) {
        let (mut pair, mut random) = (pair(code), Random::new(seed));
        for _ in 0..10 {
            let (_, (_, last)) = pair.play(usize::MAX, &mut random);
            ends.insert(format!("{:?} {}", pair.slow.rules.end(&last).unwrap(), pair.slow.rules.row));
        }
    }
    assert_eq!(ends.len(), 9, "both sides win by each length, some games are drawn: {ends:?}");
}

/// Returns a random position. In most cases its discs are stacked without gaps, and their counts fit the side to move.
fn random_set_up(slow: &Naive, random: &mut Random) -> String {
    let mut board = vec![vec!['.'; slow.files]; slow.ranks];
    let discs = random.below(slow.files * slow.ranks + 1);
    for number in 0..discs {
        let letter = if number % 2 == 0 { 'X' } else { 'O' };
        let file = random.below(slow.files);
        let empty = (0..slow.ranks).rev().find(|&rank| board[rank][file] == '.');
        board[empty.unwrap_or(random.below(slow.ranks))][file] = letter;
    }
    if random.below(4) == 0 {
        let (rank, file) = (random.below(slow.ranks), random.below(slow.files));
        board[rank][file] = *random.pick(&['X', 'O', '.']);
    }
    let count = |letter| board.iter().flatten().filter(|&&found| found == letter).count();
    let fair = if count('X') > count('O') { 'O' } else { 'X' };
    let side = if random.below(8) == 0 { other(fair) } else { fair };
    let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect::<String>().replace('.', "1")).collect();
    format!("{} {side}", ranks.join("/"))
}

#[test]
fn positions_are_accepted_if_a_game_could_have_them() {
    let (mut accepted, mut ended) = (0, 0);
    for (code, seed) in all_codes().iter().zip(100..) {
        let (mut pair, mut random) = (pair(code), Random::new(seed));
        for _ in 0..150 {
            let text = random_set_up(&pair.slow.rules, &mut random);
            let read = pair.fast.parse_position(&text);
            assert_eq!(read.is_ok(), pair.slow.rules.is_possible(&text), "{code}: {text}: {read:?}");
            if let Ok(position) = read {
                let text = pair.fast.position_text(&position);
                accepted += 1;
                ended += usize::from(pair.check(&(position, text)).is_empty());
            }
        }
    }
    assert!(accepted > 2000 && ended > 100, "{accepted} accepted, {ended} of them ended");
}

#[test]
fn keys_end_where_64_bits_do() {
    for (code, keys) in [("con7x6", true), ("con7x8", true), ("con8x7", true), ("con8x8", false)] {
        assert_eq!(connect_four(code).has_keys(), keys, "{code}");
    }
    let full = connect_four("con8x7");
    assert_eq!(full.unrank(u64::MAX), None);
    assert_eq!(full.key_space().ranges[0].keys.end, 0xfefe_fefe_fefe_feff);
    shared_keys(&connect_four("con5x4"), &connect_four("con5x4-k3")).unwrap();
    assert!(shared_keys(&connect_four("con5x4"), &connect_four("con4x5")).is_err());
}

/// Checks that some numbers are not keys: those with impossible counts of discs, with an unused value of a file, or of
/// a position that is not canonical.
#[test]
fn numbers_without_a_position_are_refused() {
    let game = connect_four("con3x3-k3");
    let known: Vec<u64> = (0..1 << 12).filter(|&key| game.unrank(key).is_some()).collect();
    let keys = known.iter().map(|&key| game.rank(&game.unrank(key).unwrap()));
    assert!(keys.eq(known.iter().copied()));
    let reached: HashSet<u64> = levels(&game, 9).flatten().map(|position| game.rank(&position)).collect();
    assert!(reached.iter().all(|key| known.binary_search(key).is_ok()));
    assert!(known.len() < 2 * reached.len(), "{} keys for {} positions", known.len(), reached.len());
}

#[test]
fn counts_of_move_sequences_are_those_of_the_naive_rules() {
    // The page test compares the published counts of con7x6 with the fast rules.
    let naive = Naive::from_code("con7x6");
    assert_eq!([6, 7].map(|depth| naive.perft(depth)), [117_649, 823_536]);
    for code in ["con3x3-k3", "con4x4-k3", "con3x5-k5", "con5x4"] {
        let (game, naive) = (connect_four(code), Naive::from_code(code));
        for depth in 0..=8 {
            assert_eq!(perft(&game, &game.start(), depth), naive.perft(depth), "{code} at depth {depth}");
        }
    }
}

/// Returns the list of all positions at each ply, from the start up to ply `last`. The lists include mirror images and
/// positions in which the game is over.
fn levels(game: &ConnectFour, last: u32) -> impl Iterator<Item = Vec<Position>> {
    std::iter::successors(Some(vec![game.start()]), |level| {
        let after = |position| legal_moves(game, position).into_iter().map(|mv| game.play(position, mv));
        let mut next: Vec<Position> = level.iter().flat_map(after).collect();
        next.sort_unstable();
        next.dedup();
        Some(next)
    })
    .take(last as usize + 1)
}

/// Returns the number of positions at each ply, up to ply `last`.
pub fn positions_by_ply(game: &ConnectFour, last: u32) -> Vec<u64> {
    levels(game, last).map(|level| level.len() as u64).collect()
}

/// Checks John Tromp's counts of all positions of a board, which include those in which the game is over.
#[test]
fn published_counts_of_positions_of_small_boards() {
    for (code, count) in [("con4x4", 161_029), ("con4x5", 1_706_255), ("con5x4", 3_945_711)] {
        let game = connect_four(code);
        assert_eq!(positions_by_ply(&game, game.rules.board.area()).iter().sum::<u64>(), count, "{code}");
    }
}

/// Checks the numbers of OEIS A212693.
#[test]
fn published_counts_of_positions_by_ply() {
    let counts = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623];
    assert_eq!(positions_by_ply(&connect_four("con7x6"), 10), counts);
}

// Tables

#[test]
fn tables_agree_with_brute_force_and_the_naive_rules() {
    for code in ["con3x3-k3", "con4x3-k3", "con3x4-k3", "con4x3", "con3x4", "con5x3-k5", "con3x5-k3", "con4x4-k3"] {
        let (game, folder) = (connect_four(code), tempfile::tempdir().unwrap());
        let table = analyzed(&game, folder.path());
        let oracle = brute::solve(&game, &game.start());
        assert_eq!(table.header.positions.get(), oracle.len() as u64, "{code}");
        for (&key, &value) in &oracle {
            assert_eq!(probe::<Distance>(&table, key).unwrap(), Some(value), "{code}: key {key}");
        }
        let naive = Naive::from_code(code).values();
        assert_eq!(naive.len(), oracle.len(), "{code}");
        for (text, (winner, plies)) in naive {
            let position = game.parse_position(&text).unwrap();
            let value = oracle[&game.rank(&position)];
            let winner = winner.map(|letter| if letter == 'X' { Side::Black } else { Side::White });
            assert_eq!(value.outcome().winner(game.side(&position)), winner, "{code}: {text}");
            assert_eq!(value, Distance::new(value.outcome(), plies as u16), "{code}: {text}");
        }
    }
}

/// Checks values of the start with whole tables. con5x5 (69,763,700 positions, a draw) and con6x4 (94,910,577, won by
/// White) have tables, too, but they are too large for this test.
#[test]
fn published_values_of_small_boards() {
    for code in ["con4x4", "con5x4", "con4x5"] {
        let (game, folder) = (connect_four(code), tempfile::tempdir().unwrap());
        let table = analyzed(&game, folder.path());
        assert_eq!(game.probe(&table, &game.start()).unwrap(), Some(Distance::Draw), "{code}");
    }
}

#[test]
fn what_lies_below_a_late_position_of_the_standard_board() {
    let game = connect_four("con7x6");
    let (root, folder) = (game.parse_position("74633663747357416645773635").unwrap(), tempfile::tempdir().unwrap());
    let table = pipeline::analyze(&game, Some(&root), folder.path(), &job()).unwrap().table;
    let oracle = brute::solve(&game, &root);
    assert_eq!(table.header.positions.get(), oracle.len() as u64);
    assert!(oracle.len() > 1000);
    for (&key, &value) in &oracle {
        assert_eq!(probe::<Distance>(&table, key).unwrap(), Some(value));
    }
    let below = game.solve_subgame(&root, 1 << 30, &Silent).unwrap();
    assert_eq!(below.levels.iter().map(|(keys, _)| keys.len()).sum::<usize>(), oracle.len());
}

#[test]
fn an_audit_refuses_the_table_of_another_row() {
    let folder = tempfile::tempdir().unwrap();
    let (four, three) = (connect_four("con4x3"), connect_four("con4x3-k3"));
    let path = analyzed(&three, folder.path()).path().to_path_buf();
    let mut bytes = std::fs::read(&path).unwrap();
    let mut header = yomikiri_table::Header::from_bytes(&bytes).unwrap();
    header.rule_code = yomikiri_table::Header::code_bytes(&four.code());
    bytes[..yomikiri_table::format::HEADER].copy_from_slice(&header.to_bytes());
    let forged = folder.path().join("con4x3.tbl");
    std::fs::write(&forged, bytes).unwrap();
    let table = yomikiri_table::probe::open(&four, &forged).unwrap();
    assert!(matches!(four.audit(None, &table, &job()), Err(SolveError::Wrong(_))));
}

#[test]
fn boards_without_keys_have_no_tables() {
    let (game, folder) = (connect_four("con8x8"), tempfile::tempdir().unwrap());
    let error = pipeline::analyze(&game, None, folder.path(), &job()).err().unwrap();
    let why = "con8x8: this board has no tables, because its positions do not fit 64-bit keys";
    assert!(error.to_string().starts_with(why), "{error}");
    assert!(game.solve_subgame(&game.start(), 1 << 30, &Silent).is_err());
    assert_eq!(perft(&game, &game.start(), 5), 8u64.pow(5));
}

/// Checks that an estimate has the exact counts of the plies that it counts, and a total that is right within a factor
/// of two.
#[test]
fn estimates_are_near_the_truth() {
    for code in ["con5x4", "con4x5", "con5x4-k3"] {
        let game = connect_four(code);
        let found = levels::enumerate(&game, &game.start(), 1 << 30, &Silent).unwrap();
        let estimate = game.estimate();
        assert_eq!(estimate.by_ply.len(), found.levels.len(), "{code}");
        let exact = estimate.by_ply.iter().zip(&found.levels).take(estimate.exact_plies);
        assert!(
            exact.clone().count() >= 10 && exact.clone().all(|(&about, level)| about == level.len() as f64),
            "{code}"
        );
        let ratio = estimate.total() / found.positions() as f64;
        assert!((0.5..2.0).contains(&ratio), "{code}: {ratio}");
    }
}
