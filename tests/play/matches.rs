//! Tests of `yomikiri match`: its results against the naive rules and tables, and its statistics against other
//! computations. Matches with other programs are in programs.rs, other sessions in the folder sessions.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Stdio;

use crate::naive_games::{Rules, Winner};
use crate::support::command::{command, fails, good, good_report, run, tables, wait};
use crate::support::repository::{read_json, record, repository_path};
use serde_json::{Value as Json, from_value};
use tempfile::TempDir;
use yomikiri_answer::Oracle;
use yomikiri_naive::reversi;
use yomikiri_play::matches::{MatchSummary, Mistakes, PointShare, Results};
use yomikiri_play::{Ending, Record, Session};
use yomikiri_rules::{AnyGame, Game, Outcome, Side, Value};
use yomikiri_table::json_lines;
use yomikiri_table::name;
use yomikiri_table::probe::open;

/// A small board of each game.
const SMALL: [&str; 5] = ["bin3x3", "pyon3x3", "pyon3x4", "rev4x4", "m00c1"];

/// Runs a match that records its games. Returns its result and the games.
pub fn play_match(folder: &Path, args: &[&str]) -> (MatchSummary, Vec<Record>) {
    let file = tempfile::tempdir().unwrap();
    let path = file.path().join("games.txt");
    let options = ["match", "--json", "--records", path.to_str().unwrap()];
    let summary = good_report(folder, &[&options, args].concat());
    let records = Record::parse_all(&std::fs::read_to_string(&path).unwrap()).unwrap();
    (summary, records)
}

pub fn nowhere() -> TempDir {
    tempfile::tempdir().unwrap()
}

// Statistics

/// Checks the bounds of the confidence interval. If the true share is at a bound, the observed share is `z` standard
/// errors away from it. The variance is that of the true share with the observed rate of draws. As in Wilson's
/// interval, `z * z` pretended games lower that rate, so that draws alone do not narrow the interval much.
#[test]
fn intervals_are_where_the_score_test_rejects() {
    let z = 1.959963984540054_f64;
    for (wins, draws, losses) in [(8, 0, 2), (1, 0, 0), (0, 0, 5), (3, 4, 1), (0, 7, 0), (40, 500, 7), (1, 1000, 0)] {
        let n = f64::from(wins + draws + losses);
        let share = (f64::from(wins) + f64::from(draws) / 2.0) / n;
        let drawn = f64::from(draws) / (n + z * z);
        let inside = |truth: f64| (share - truth).powi(2) * n <= z * z * (truth * (1.0 - truth) - drawn / 4.0);
        // The observed share, moved towards one half, is always inside the interval. Bisection finds the bounds on both
        // sides of it.
        let bound = |mut out: f64| {
            let mut at = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
            for _ in 0..60 {
                let middle = (at + out) / 2.0;
                if inside(middle) { at = middle } else { out = middle }
            }
            at
        };
        let found = PointShare::of(wins, draws, losses).unwrap();
        let expected = [share, bound(-0.5), bound(1.5)];
        for (found, expected) in [found.points, found.low, found.high].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{wins} {draws} {losses}: {found} is not {expected}");
        }
    }
}

/// Checks Wilson's intervals of 8 wins in 10 games and of 0 in 10 against published tables.
#[test]
fn intervals_without_draws_are_the_published_ones() {
    let rounded = |share: PointShare| [share.low, share.high].map(|bound| (bound * 1e4).round() / 1e4);
    assert_eq!(rounded(PointShare::of(8, 0, 2).unwrap()), [0.4902, 0.9433]);
    assert_eq!(rounded(PointShare::of(0, 0, 10).unwrap()), [0.0, 0.2775]);
    assert_eq!(PointShare::of(0, 0, 0), None);
}

/// Checks the probability that the interval contains the truth, summed over all results of 40 games.
#[test]
fn intervals_have_the_truth_in_them_about_95_times_in_100() {
    let games = 40;
    for (win, draw) in [(0.5, 0.0), (0.3, 0.4), (0.6, 0.2), (0.2, 0.7), (0.45, 0.1)] {
        let truth = win + draw / 2.0;
        let mut covered = 0.0;
        for wins in 0..=games {
            for draws in 0..=games - wins {
                let losses = games - wins - draws;
                let share = PointShare::of(wins, draws, losses).unwrap();
                if (share.low..=share.high).contains(&truth) {
                    let ways = |n: u32| (1..=n).map(|k| f64::from(k).ln()).sum::<f64>();
                    let ways = ways(games) - ways(wins) - ways(draws) - ways(losses);
                    let chance = |p: f64, n: u32| if n == 0 { 0.0 } else { f64::from(n) * p.ln() };
                    let chances = chance(win, wins) + chance(draw, draws) + chance(1.0 - win - draw, losses);
                    covered += (ways + chances).exp();
                }
            }
        }
        assert!((0.93..0.98).contains(&covered), "{win} {draw}: {covered}");
    }
}

// Games by the rules

/// Returns the winner after these moves by the naive rules, or `None` if the game goes on. The game is a draw if a
/// position occurs for the third time.
pub fn naive_winner(code: &str, moves: &[String]) -> Option<Winner> {
    let rules = Rules::from_code(code);
    let (mut here, mut seen) = (rules.start(), HashMap::new());
    for mv in moves {
        assert_eq!(rules.winner(&here), None, "over before {mv} of {moves:?}");
        *seen.entry(here.clone()).or_insert(0) += 1;
        here = rules.play(&here, mv);
    }
    rules.winner(&here).or_else(|| (seen.get(&here) == Some(&2)).then_some(None))
}

/// Returns the winner of a recorded game, or `None` for a draw.
pub fn winner(record: &Record) -> Option<Side> {
    match record.result.split(' ').next() {
        Some("Black") => Some(Side::Black),
        Some("White") => Some(Side::White),
        Some("draw") => None,
        _ => panic!("{record:?}"),
    }
}

/// Counts the wins, draws and losses of a player in the records, first as Black, then as White. The player is A if `a`
/// is true, otherwise B. A is Black in every other game, from the first on.
fn counted(records: &[Record], a: bool) -> [[u32; 3]; 2] {
    let mut counts = [[0; 3]; 2];
    for (record, number) in records.iter().zip(0..) {
        let mine = if (number % 2 == 0) == a { Side::Black } else { Side::White };
        let outcome = match winner(record) {
            Some(winner) if winner == mine => 0,
            None => 1,
            Some(_) => 2,
        };
        counts[usize::from(mine == Side::White)][outcome] += 1;
    }
    counts
}

pub fn results(results: &Results) -> [u32; 3] {
    [results.wins, results.draws, results.losses]
}

pub fn check_counts(summary: &MatchSummary, records: &[Record]) {
    for (player, is_a) in [(&summary.a, true), (&summary.b, false)] {
        let counts = counted(records, is_a);
        assert_eq!([&player.as_black, &player.as_white].map(results), counts, "{}", player.player);
        assert_eq!(results(&player.together), [0, 1, 2].map(|at| counts[0][at] + counts[1][at]));
    }
    let black = [0, 1, 2].map(|at| counted(records, true)[0][at] + counted(records, false)[0][at]);
    assert_eq!(results(&summary.black), black);
    assert_eq!(summary.games, records.len() as u32);
    let ended: u32 = summary.ended.iter().map(|ended| ended.games).sum();
    assert_eq!(ended, records.len() as u32);
    let different: HashSet<_> = records.iter().map(|record| &record.moves).collect();
    assert_eq!(summary.different_games, different.len() as u32);
    let plies = records.iter().map(|record| record.moves.len() as u64);
    let lengths = summary.plies.unwrap();
    assert_eq!([Some(lengths.min), Some(lengths.max)], [plies.clone().min(), plies.clone().max()]);
    let mean = plies.sum::<u64>() as f64 / records.len() as f64;
    assert!((lengths.mean - mean).abs() < 1e-6);
}

#[test]
fn games_are_what_the_naive_rules_say() {
    for code in ["bin4x3-t223", "bin7x6", "pyon3x3", "pyon3x4B", "rev4x4-p", "rev5x4", "m00c1", "val1n"] {
        let (summary, records) =
            play_match(nowhere().path(), &[code, "greedy", "random", "--games", "61", "--seed", "5"]);
        assert_eq!(records.len(), 61);
        for (record, number) in records.iter().zip(1..) {
            assert_eq!(naive_winner(code, &record.moves), Some(winner(record)), "game {number} of {code}");
            assert_eq!(record.game, code);
        }
        check_counts(&summary, &records);
    }
}

#[test]
fn margins_are_those_of_the_boards() {
    let (summary, records) = play_match(nowhere().path(), &["rev4x4", "greedy", "random", "--games", "40"]);
    let rules = reversi::Naive::from_code("rev4x4");
    let of_black = |record: &Record| {
        let last = record.moves.iter().fold(rules.start_text(), |text, mv| rules.play(&text, mv));
        let score = f64::from(rules.score(&last).unwrap());
        if last.ends_with('X') { score } else { -score }
    };
    let margins: Vec<f64> = records.iter().map(of_black).collect();
    let mean = |margins: Vec<f64>| margins.iter().sum::<f64>() / margins.len() as f64;
    let of_a = margins.iter().zip(0..).map(|(&margin, number)| if number % 2 == 0 { margin } else { -margin });
    let means = summary.margin.unwrap();
    assert!((means.a - mean(of_a.collect())).abs() < 1e-6);
    assert!((means.black - mean(margins)).abs() < 1e-6);
    let (summary, _) = play_match(nowhere().path(), &["bin3x3", "greedy", "random", "--games", "2"]);
    assert_eq!(summary.margin, None);
}

#[test]
fn colours_are_exchanged_and_pairs_share_their_openings() {
    let args = ["rev6x6", "greedy", "search,depth=1", "--games", "21", "--opening", "6"];
    let (summary, records) = play_match(nowhere().path(), &args);
    assert_eq!((summary.opening, summary.a.player.as_str()), (6, "greedy"));
    for (record, number) in records.iter().zip(0..) {
        let names = if number % 2 == 0 { ["greedy", "search,depth=1"] } else { ["search,depth=1", "greedy"] };
        assert_eq!([&record.black[..], &record.white], names, "game {number}");
    }
    let openings: Vec<_> = records.iter().map(|record| &record.moves[..6]).collect();
    for pair in openings.chunks(2) {
        assert_eq!(pair[0], pair[pair.len() - 1]);
    }
    assert!(openings.iter().collect::<HashSet<_>>().len() > 8, "pairs have different openings");
    let all: usize = records.iter().map(|record| record.moves.len() - 6).sum();
    assert_eq!(summary.a.moves + summary.b.moves, all as u32, "moves of openings are nobody's");
}

/// Parses a JSON report and removes its times.
fn without_times(text: &str) -> Json {
    let mut json: Json = serde_json::from_str(text).unwrap();
    for player in ["a", "b"] {
        for time in ["mean_ms", "longest_ms"] {
            assert!(json[player][time].is_number());
            json[player].as_object_mut().unwrap().remove(time);
        }
    }
    json
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    let folder = tables(&["pyon3x3"]);
    for args in [
        ["pyon3x3", "random", "computer,depth=3"],
        ["bin4x4", "greedy", "search,nodes=300"],
        ["rev4x5", "computer,depth=2", "random"],
    ] {
        let played = |threads: &str, seed: &str| {
            let file = folder.path().join(format!("{}-{threads}-{seed}", args[0]));
            let options = ["--threads", threads, "--seed", seed, "--games", "40", "--opening", "1", "--json"];
            let records = ["--records", file.to_str().unwrap()];
            let json = good(folder.path(), &[&["match"], &args[..], &options, &records].concat());
            (std::fs::read(file).unwrap(), without_times(&json))
        };
        let one = played("1", "3");
        assert_eq!(one, played("2", "3"));
        assert_eq!(one, played("5", "3"));
        assert_ne!(one.0, played("1", "4").0);
    }
}

/// The parts of a match, in any order, add up to the whole match: its counts, its text and its records.
#[test]
fn parts_add_up_to_the_match() {
    let folder = tables(&["pyon3x3", "rev4x4"]);
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for (args, of) in [
        (["pyon3x3", "random", "computer,depth=3", "--games", "31", "--opening", "1"], 4),
        (["rev4x4", "table", "greedy", "--games", "24", "--seed", "7"], 3),
        (["bin5x4", "random", "random", "--games", "5", "--max-plies", "9"], 8),
    ] {
        let asked = [&["match"], &args[..]].concat();
        let records = file(&format!("{}-records", args[0]));
        let whole = good(folder.path(), &[&asked[..], &["--json", "--records", &records]].concat());
        let (mut lines, mut games) = (Vec::new(), String::new());
        for number in 1..=of {
            let (part, records) = (format!("{number}/{of}"), file(&format!("{}-{number}", args[0])));
            let line = good(folder.path(), &[&asked[..], &["--part", &part, "--records", &records]].concat());
            assert_eq!(line.lines().count(), 1, "{line}");
            games += &std::fs::read_to_string(records).unwrap();
            lines.insert(number / 2, line);
        }
        assert_eq!(games, std::fs::read_to_string(records).unwrap());
        let parts = file("parts");
        std::fs::write(&parts, lines.concat()).unwrap();
        let sum = [&asked[..], &["--parts", &parts]].concat();
        let added = good(folder.path(), &[&sum[..], &["--json"]].concat());
        assert_eq!(without_times(&added), without_times(&whole));
        let text = good(folder.path(), &sum);
        assert!(
            text.starts_with(&format!("{}: {} games", args[0], args[4])) && text.contains("time for a move"),
            "{text}"
        );
    }
}

/// Replaces a text in a line and recomputes its checksum.
fn summed(line: &str, from: &str, to: &str) -> String {
    let plain = line.split(",\"crc32\":").next().unwrap().replacen(from, to, 1) + "}";
    json_lines::with_sum(&plain) + "\n"
}

/// Flips single bits all over the line of a part. Each such line is refused.
#[test]
fn no_flipped_bit_of_a_part_is_accepted() {
    let folder = nowhere();
    let parts = folder.path().join("parts");
    let asked = ["match", "bin2x2", "random", "greedy", "--games", "3"];
    let line = good(folder.path(), &[&asked[..], &["--part", "1/1"]].concat());
    for number in 0..40 {
        let mut bytes = line.clone().into_bytes();
        let at = number * (bytes.len() - 1) / 39;
        bytes[at] ^= 1 << (number % 8);
        std::fs::write(&parts, &bytes).unwrap();
        let said = run(folder.path(), &[&asked[..], &["--parts", parts.to_str().unwrap()]].concat());
        assert!(!said.status.success(), "bit {} of byte {at}: {said:?}", number % 8);
    }
}

#[test]
fn parts_that_are_no_match_are_refused() {
    let folder = nowhere();
    let parts = folder.path().join("parts");
    let asked = ["match", "bin3x3", "random", "greedy", "--games", "10"];
    let part = |part: &str, more: &[&str]| good(folder.path(), &[&asked[..], &["--part", part], more].concat());
    let [one, two] = [part("1/2", &[]), part("2/2", &[])];
    let other = part("2/2", &["--seed", "1"]);
    for (lines, what) in [
        (String::new(), "has no parts of the match"),
        (one.clone(), "has only 1 of the 2 parts of the match"),
        (one.clone() + &one, "line 2 repeats part 1/2"),
        (two.clone() + &two, "line 2 repeats part 2/2"),
        (one.clone() + &two + &two, "line 3 repeats part 2/2"),
        (one.clone() + &part("3/3", &[]), "line 2 is part 3/3, but earlier lines are parts of a match in 2 parts"),
        (
            one.clone() + &other,
            "line 2 belongs to another match: \"bin3x3\", \"random\" against \"greedy\", 10 games, seed 1, ",
        ),
        (one.clone() + "\n", "line 2 has no checksum; play its part again"),
        (one.clone() + &two[..two.len() / 2], "line 2 has no checksum"),
        (one.replace("\"games\":4", "\"games\":5") + &two, "line 1 does not match its checksum; play its part again"),
        (
            summed(&one, "\"games\":4", "\"games\":5") + &two,
            "line 1 has counts that contradict each other or the 4 games of part 1/2; play this part again",
        ),
        (
            summed(&one, "\"black\":[", "\"black\":[1") + &two,
            "line 1 has counts that contradict each other or the 4 games of part 1/2; play this part again",
        ),
        (
            summed(&one, "\"moves\":", "\"moves\":9") + &two,
            "line 1 has counts that contradict each other or the 4 games of part 1/2; play this part again",
        ),
        (
            summed(&one, "\"plies\":[", "\"plies\":[1") + &two,
            "line 1 has counts that contradict each other or the 4 games of part 1/2; play this part again",
        ),
        (summed(&one, "1/2", "0/2") + &two, "line 1 has unexpected contents: \"0/2\" is not a part"),
        (
            summed(&one, "\"part\"", "\"more\":1,\"part\"") + &two,
            "line 1 has unexpected contents: unknown field `more`",
        ),
        (summed(&one, "\"part\":", "\"part\": ") + &two, "line 1 is not formatted as this program writes it"),
    ] {
        std::fs::write(&parts, &lines).unwrap();
        // Missing parts may still arrive, so they have a status of their own.
        let status = if what.starts_with("has") { 1 } else { 2 };
        let line = fails(folder.path(), &[&asked[..], &["--parts", parts.to_str().unwrap()]].concat(), status);
        assert!(line.starts_with(&format!("error: {}: {what}", parts.display())), "{line}");
    }
    fails(folder.path(), &[&asked[..], &["--part", "3/2"]].concat(), 2);
    let gone = folder.path().join("gone");
    fails(folder.path(), &[&asked[..], &["--parts", gone.to_str().unwrap()]].concat(), 1);
}

#[test]
fn long_games_are_drawn() {
    let (summary, records) =
        play_match(nowhere().path(), &["pyon4x4", "random", "random", "--games", "10", "--max-plies", "9"]);
    let long: Vec<_> = records.iter().filter(|record| record.result == "draw after 9 plies").collect();
    assert!(long.len() > 5 && long.iter().all(|record| record.moves.len() == 9));
    let ended = summary.ended.iter().find(|ended| ended.how == "too long").unwrap();
    assert_eq!(ended.games, long.len() as u32);
}

#[test]
fn looking_further_ahead_wins() {
    let args = ["bin7x6", "search,depth=3", "random", "--games", "30", "--seed", "1"];
    let (summary, _) = play_match(nowhere().path(), &args);
    assert!(summary.a.together.wins >= 27, "{summary:?}");
}

// The table player

/// Checks the moves of the player `table` in a match against the table: it keeps every win and every draw. Returns the
/// number of its moves in won positions, and the number in drawn positions.
fn counts(game: &AnyGame, folder: &Path, records: &[Record]) -> [u64; 2] {
    let table = open(game, &name::whole(folder, &game.code())).unwrap();
    let oracle = Oracle::of_table(game, table.into());
    let outcome = |session: &Session| match session.ending() {
        Some(Ending::Repetition) => Outcome::Draw,
        _ => oracle.value(session.position()).unwrap().outcome(),
    };
    let mut counts = [0; 2];
    for (record, number) in records.iter().zip(1..) {
        let mut session = Session::new(game, game.start());
        let mut least = Outcome::Loss;
        let mine = if record.black == "table" { Side::Black } else { Side::White };
        for mv in &record.moves {
            let (before, mover) = (outcome(&session), session.side());
            session.act_on(mv).unwrap();
            let after = outcome(&session).opposite();
            if mover == mine {
                assert!(after >= before && before >= least, "game {number} of {}: {mv} of {record:?}", record.game);
                counts[0] += u64::from(before == Outcome::Win);
                counts[1] += u64::from(before == Outcome::Draw);
                least = after;
            }
        }
        let came_out = match winner(record) {
            Some(winner) if winner == mine => Outcome::Win,
            None => Outcome::Draw,
            Some(_) => Outcome::Loss,
        };
        assert!(came_out >= least, "game {number} of {}: {record:?}", record.game);
    }
    counts
}

/// Plays a thousand games against each of two players on each board. The table player has each colour in half of them.
#[test]
fn the_table_player_never_spoils_a_won_or_drawn_position() {
    let folder = tables(&SMALL);
    for code in SMALL {
        for other in ["random", "greedy"] {
            let (summary, records) =
                play_match(folder.path(), &[code, "table", other, "--games", "1000", "--seed", "11"]);
            assert_eq!(records.len(), 1000);
            let game = AnyGame::parse(code).unwrap();
            let [won, drawn] = counts(&game, folder.path(), &records);
            assert!(won > 100, "{code}: only {won} won positions");
            check_counts(&summary, &records);
            let expected = Mistakes { won, drawn, wins_spoiled: 0, draws_spoiled: 0 };
            assert_eq!(summary.a.mistakes, Some(expected), "{code} against {other}");
        }
    }
}

/// The counts of mistakes fit the results: each mistake passes the win to the other side.
#[test]
fn mistakes_are_counted() {
    let folder = tables(&["bin3x3"]);
    let (summary, records) = play_match(folder.path(), &["bin3x3", "random", "greedy", "--games", "300"]);
    let mistakes = [&summary.a, &summary.b].map(|player| player.mistakes.unwrap());
    let spoiled = mistakes.map(|mistakes| mistakes.wins_spoiled);
    assert!(spoiled.iter().all(|&count| count > 0));
    // White wins from the start, so Black has won a game exactly if White has made one mistake more than Black in it.
    let black_won = u64::from(summary.black.wins);
    assert!(spoiled[0] + spoiled[1] >= black_won);
    assert_eq!((spoiled[0] + spoiled[1] - black_won) % 2, 0);
    assert_eq!(mistakes.map(|mistakes| mistakes.drawn), [0, 0]);
    assert_eq!(records.len(), 300);
}

/// Checks the recorded matches on larger boards, which scripts/record-match has made.
#[test]
fn recorded_contests_of_the_table_player_are_without_mistakes() {
    let files = std::fs::read_dir(repository_path("precomp/matches")).unwrap().map(|file| file.unwrap().path());
    let mut codes = HashSet::new();
    for path in files {
        let record = read_json(&path);
        let contests = record["contests"].as_array().unwrap();
        for (contest, other) in contests.iter().zip(["random", "greedy"]) {
            let result: MatchSummary = from_value(contest["result"].clone()).unwrap();
            let code = result.rules.as_str();
            codes.insert(code.to_string());
            assert_eq!(path.file_stem().unwrap().to_str(), Some(code));
            assert_eq!([&result.a.player, &result.b.player], ["table", other]);
            assert_eq!([result.games, result.asked], [1000, 1000], "{code}");
            for colour in [&result.a.as_black, &result.a.as_white] {
                assert_eq!(results(colour).iter().sum::<u32>(), 500, "{code}");
            }
            let mistakes = result.a.mistakes.unwrap();
            assert!(mistakes.won + mistakes.drawn > 1000, "{code}");
            assert_eq!([mistakes.wins_spoiled, mistakes.draws_spoiled], [0, 0], "{code}");
            let games = contest["first_games"].as_array().unwrap();
            assert!(games.len() >= 10);
            for game in games {
                let game = Record::parse_all(game.as_str().unwrap()).unwrap().remove(0);
                let by_rules = (game.result != "draw after 1000 plies").then(|| winner(&game));
                assert_eq!(naive_winner(code, &game.moves), by_rules, "{code}: {game:?}");
            }
        }
        assert_eq!(contests.len(), 2);
    }
    for code in ["bin4x4", "val1n", "rev6x4", "pyon"] {
        assert!(codes.contains(code), "{code} is not recorded");
    }
}

/// Checks the match of the search against the greedy player that scripts/record-match --strength recorded. The naive
/// rules replay every game.
#[test]
fn the_recorded_search_beats_the_greedy_player() {
    let record = record("strength/bin7x6.json");
    let contest = &record["contests"][0];
    let mut result = contest["result"].clone();
    // The record is older than the counts of winners by kind of end.
    for ended in result["ended"].as_array_mut().unwrap() {
        (ended["black"], ended["white"]) = (0.into(), 0.into());
    }
    let result: MatchSummary = from_value(result).unwrap();
    assert_eq!([&result.rules, &result.a.player, &result.b.player], ["bin7x6", "search,time=1s", "greedy"]);
    let games = contest["first_games"].as_array().unwrap().iter();
    let games: Vec<Record> = games.flat_map(|game| Record::parse_all(game.as_str().unwrap()).unwrap()).collect();
    check_counts(&result, &games);
    for game in &games {
        assert_eq!(naive_winner("bin7x6", &game.moves), Some(winner(game)), "{game:?}");
    }
    for colour in [&result.a.as_black, &result.a.as_white] {
        let [wins, draws, losses] = results(colour);
        assert_eq!((wins + draws + losses, draws), (100, 0));
        assert!(wins >= 95, "{wins}");
    }
}

// The command

#[test]
fn a_killed_run_loses_no_finished_game() {
    let folder = nowhere();
    let path = folder.path().join("games.txt");
    let args = ["match", "bin7x6", "random", "greedy", "--games", "1000000", "--threads", "2", "--records"];
    let mut run = command(folder.path(), &[&args[..], &[path.to_str().unwrap()]].concat());
    let mut child = run.stdout(Stdio::null()).spawn().unwrap();
    wait("no records", || std::fs::metadata(&path).is_ok_and(|file| file.len() > 100_000));
    child.kill().unwrap();
    child.wait().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let records = Record::parse_all(&text).unwrap();
    assert!(text.ends_with('\n') && records.len() > 100);
    assert!(records.iter().all(|record| !record.result.is_empty()));
}

#[test]
fn sessions_of_the_page_are_what_the_command_prints() {
    trycmd::TestCases::new().case("docs/match.md");
}

// Openings from a file

/// Two games begin with each line of a file, or one game if A always has Black. The parts of such a match add up to the
/// whole.
#[test]
fn games_begin_with_the_lines_of_a_file() {
    let folder = nowhere();
    let file = folder.path().join("openings.txt");
    std::fs::write(&file, "# two openings\nstartpos moves 1n\n3n 1a # another\n").unwrap();
    let openings = file.to_str().unwrap();
    let terms = ["bin4x4", "random", "greedy", "--openings", openings];
    let (summary, games) = play_match(folder.path(), &terms);
    let begins: Vec<String> = games.iter().map(|game| game.moves[..2].join(" ")).collect();
    assert_eq!((summary.games, summary.openings), (4, Some(2)));
    assert!(begins[..2].iter().all(|moves| moves.starts_with("1n ")), "{begins:?}");
    assert!(begins[2..].iter().all(|moves| moves == "3n 1a"), "{begins:?}");
    let black: Vec<&str> = games.iter().map(|game| game.black.as_str()).collect();
    assert_eq!(black, ["random", "greedy", "random", "greedy"]);

    let same = [&terms[..], &["--same-colours", "--games", "5"]].concat();
    let (summary, games) = play_match(folder.path(), &same);
    assert_eq!((summary.games, games.iter().filter(|game| game.black == "random").count()), (5, 5));
    let second: Vec<bool> = games.iter().map(|game| game.moves[..2].join(" ") == "3n 1a").collect();
    assert_eq!(second, [false, true, false, true, false]);

    let parts = folder.path().join("parts");
    let part = |part: &str| good(folder.path(), &[&["match", "--part", part], &same[..]].concat());
    std::fs::write(&parts, part("1/2") + &part("2/2")).unwrap();
    let parts = parts.to_str().unwrap();
    let sum = good(folder.path(), &[&["match", "--json", "--parts", parts], &same[..]].concat());
    assert_eq!(without_times(&sum), without_times(&serde_json::to_string(&summary).unwrap()));

    // With other openings or other colours it is another match, and the parts are refused.
    let refused = |args: &[&str], part: &str| {
        let line = fails(folder.path(), &[&["match"], args].concat(), 2);
        assert!(line.contains(part), "{line}");
    };
    let with_parts = [&terms[..], &["--games", "5", "--parts", parts]].concat();
    refused(&with_parts, "line 1 belongs to another match");
    std::fs::write(&file, "1n\n").unwrap();
    refused(&[&same[..], &["--parts", parts]].concat(), "line 1 belongs to another match");
    for (text, problem) in [("1n\n9z", "line 2"), ("", "the file has no opening"), ("1n resign", "line 1")] {
        std::fs::write(&file, text).unwrap();
        refused(&terms, problem);
    }
    refused(&[&terms[..], &["--opening", "2"]].concat(), "--opening");
}
