//! `yomikiri match`: results held against the naive rules and against tables, statistics against other ways to work
//! them out, and other programs that behave well, badly or not at all.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::naive::animal_shogi;
use crate::naive::binarsi;
use crate::naive::pyonpyon;
use crate::naive::reversi;
use crate::support::command::{command, fails, good, run, tables, wait};
use crate::support::repository::{at, read_json, record};
use serde_json::Value as Json;
use tempfile::TempDir;
use yomikiri_answer::Oracle;
use yomikiri_play::matches::Share;
use yomikiri_play::{Ending, Record, Session};
use yomikiri_rules::registry::AnyGame;
use yomikiri_rules::value::{Outcome, Side, Value};
use yomikiri_rules::with_game;
use yomikiri_solve::evaluate::Playable;
use yomikiri_table::name;
use yomikiri_table::probe::open;

/// A small board of each game.
const SMALL: [&str; 5] = ["bin3x3", "pyon3x3", "pyon3x4", "rev4x4", "m00c1"];

/// Runs a contest with records; returns its JSON and its games.
fn contest(folder: &Path, args: &[&str]) -> (Json, Vec<Record>) {
    let file = tempfile::tempdir().unwrap();
    let path = file.path().join("games.txt");
    let options = ["match", "--json", "--records", path.to_str().unwrap()];
    let json = good(folder, &[&options, args].concat());
    assert_eq!(json.lines().count(), 1, "JSON stands on one line");
    let records = Record::parse_all(&std::fs::read_to_string(&path).unwrap()).unwrap();
    (serde_json::from_str(&json).unwrap(), records)
}

fn nowhere() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn count(json: &Json) -> u64 {
    json.as_u64().unwrap_or_else(|| panic!("{json} is no count"))
}

// Statistics

/// The interval is where the distance of the truth from the share is `z` standard errors, the variance being what a
/// truth would give with this many draws; with some pretended games, as Wilson's has them, so that draws alone prove
/// little.
#[test]
fn intervals_are_where_the_score_test_rejects() {
    let z = 1.959963984540054_f64;
    for (wins, draws, losses) in [(8, 0, 2), (1, 0, 0), (0, 0, 5), (3, 4, 1), (0, 7, 0), (40, 500, 7), (1, 1000, 0)] {
        let n = f64::from(wins + draws + losses);
        let share = (f64::from(wins) + f64::from(draws) / 2.0) / n;
        let drawn = f64::from(draws) / (n + z * z);
        let inside = |truth: f64| (share - truth).powi(2) * n <= z * z * (truth * (1.0 - truth) - drawn / 4.0);
        // The share pulled towards one half is always inside; from there to either side by bisection.
        let bound = |mut out: f64| {
            let mut at = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
            for _ in 0..60 {
                let middle = (at + out) / 2.0;
                if inside(middle) { at = middle } else { out = middle }
            }
            at
        };
        let found = Share::of(wins, draws, losses).unwrap();
        let expected = [share, bound(-0.5), bound(1.5)];
        for (found, expected) in [found.points, found.low, found.high].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{wins} {draws} {losses}: {found} is not {expected}");
        }
    }
}

/// Wilson's interval of 8 in 10 and of 0 in 10, as tables have them.
#[test]
fn intervals_without_draws_are_the_published_ones() {
    let rounded = |share: Share| [share.low, share.high].map(|bound| (bound * 1e4).round() / 1e4);
    assert_eq!(rounded(Share::of(8, 0, 2).unwrap()), [0.4902, 0.9433]);
    assert_eq!(rounded(Share::of(0, 0, 10).unwrap()), [0.0, 0.2775]);
    assert_eq!(Share::of(0, 0, 0), None);
}

/// How often the interval has the truth in it, for true shares of wins and draws, worked out over all results of 40
/// games.
#[test]
fn intervals_have_the_truth_in_them_about_95_times_in_100() {
    let games = 40;
    for (win, draw) in [(0.5, 0.0), (0.3, 0.4), (0.6, 0.2), (0.2, 0.7), (0.45, 0.1)] {
        let truth = win + draw / 2.0;
        let mut covered = 0.0;
        for wins in 0..=games {
            for draws in 0..=games - wins {
                let losses = games - wins - draws;
                let share = Share::of(wins, draws, losses).unwrap();
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

/// Who has won by the naive rules, `Some(None)` being a draw; `None` while the game goes on.
type Verdict = Option<Option<Side>>;

/// Plays moves by naive rules. A position that is there for the third time is a draw.
fn by_naive_rules<P>(
    start: P,
    moves: &[String],
    play: impl Fn(&P, &str) -> P,
    text: impl Fn(&P) -> String,
    verdict: impl Fn(&P) -> Verdict,
) -> Verdict {
    let (mut here, mut seen) = (start, HashMap::new());
    for mv in moves {
        assert_eq!(verdict(&here), None, "over before {mv} of {moves:?}");
        *seen.entry(text(&here)).or_insert(0) += 1;
        here = play(&here, mv);
    }
    verdict(&here).or_else(|| (seen.get(&text(&here)) == Some(&2)).then_some(None))
}

fn side(letter: char) -> Side {
    if matches!(letter, 'b' | 'x') { Side::Black } else { Side::White }
}

fn naive_verdict(code: &str, moves: &[String]) -> Verdict {
    let same = |text: &String| text.clone();
    if code.starts_with("bin") {
        let rules = binarsi::Naive::from_code(code);
        let verdict = |text: &String| rules.ending(text).map(|winner| Some(side(winner)));
        return by_naive_rules(rules.start_sfen(), moves, |text, mv| rules.play(text, mv), same, verdict);
    }
    if code.starts_with("pyon") {
        let rules = pyonpyon::Naive::from_code(code);
        let verdict = |text: &String| rules.winner(text).map(|winner| Some(side(winner)));
        return by_naive_rules(rules.start_text(), moves, |text, mv| rules.play(text, mv), same, verdict);
    }
    if code.starts_with("rev") {
        let rules = reversi::Naive::from_code(code);
        let verdict = |text: &String| {
            let mover = if text.ends_with('X') { Side::Black } else { Side::White };
            rules.score(text).map(|score| match score {
                0 => None,
                1.. => Some(mover),
                _ => Some(mover.other()),
            })
        };
        return by_naive_rules(rules.start_text(), moves, |text, mv| rules.play(text, mv), same, verdict);
    }
    let rules = animal_shogi::Naive::from_code(code);
    let text = |position: &animal_shogi::Position| format!("{} {}", animal_shogi::write_board(position), position.turn);
    let verdict = |position: &animal_shogi::Position| {
        let mover = side(position.turn);
        rules.ending(position).map(|depth| match depth {
            1 => Some(mover),
            0 => Some(mover.other()),
            _ => None,
        })
    };
    by_naive_rules(animal_shogi::start(), moves, |position, mv| rules.play(position, mv), text, verdict)
}

/// The winner that a result names.
fn winner(record: &Record) -> Option<Side> {
    match record.result.split(' ').next() {
        Some("Black") => Some(Side::Black),
        Some("White") => Some(Side::White),
        Some("draw") => None,
        _ => panic!("{record:?}"),
    }
}

/// Wins, draws and losses of a player as Black and as White, counted from the records.
fn counted(records: &[Record], a: bool) -> [[u64; 3]; 2] {
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

fn results(json: &Json) -> [u64; 3] {
    ["wins", "draws", "losses"].map(|name| count(&json[name]))
}

fn check_counts(json: &Json, records: &[Record]) {
    for (name, is_a) in [("a", true), ("b", false)] {
        let counts = counted(records, is_a);
        assert_eq!([&json[name]["as_black"], &json[name]["as_white"]].map(results), counts, "{name}");
        assert_eq!(results(&json[name]["together"]), [0, 1, 2].map(|at| counts[0][at] + counts[1][at]));
    }
    let black = [0, 1, 2].map(|at| counted(records, true)[0][at] + counted(records, false)[0][at]);
    assert_eq!(results(&json["black"]), black);
    assert_eq!(count(&json["games"]), records.len() as u64);
    let ended: u64 = json["ended"].as_array().unwrap().iter().map(|ended| count(&ended["games"])).sum();
    assert_eq!(ended, records.len() as u64);
    let different: HashSet<_> = records.iter().map(|record| &record.moves).collect();
    assert_eq!(count(&json["different_games"]), different.len() as u64);
    let plies = records.iter().map(|record| record.moves.len() as u64);
    assert_eq!(
        [&json["plies"]["min"], &json["plies"]["max"]].map(count),
        [plies.clone().min(), plies.clone().max()].map(Option::unwrap)
    );
    let mean = plies.sum::<u64>() as f64 / records.len() as f64;
    assert!((json["plies"]["mean"].as_f64().unwrap() - mean).abs() < 1e-6);
}

#[test]
fn games_are_what_the_naive_rules_say() {
    for code in ["bin4x3-t223", "bin7x6", "pyon3x3", "pyon3x4B", "rev4x4-p", "rev5x4", "m00c1", "val1n"] {
        let (json, records) = contest(nowhere().path(), &[code, "greedy", "random", "--games", "61", "--seed", "5"]);
        assert_eq!(records.len(), 61);
        for (record, number) in records.iter().zip(1..) {
            assert_eq!(naive_verdict(code, &record.moves), Some(winner(record)), "game {number} of {code}");
            assert_eq!(record.game, code);
        }
        check_counts(&json, &records);
    }
}

#[test]
fn margins_are_those_of_the_boards() {
    let (json, records) = contest(nowhere().path(), &["rev4x4", "greedy", "random", "--games", "40"]);
    let rules = reversi::Naive::from_code("rev4x4");
    let of_black = |record: &Record| {
        let last = record.moves.iter().fold(rules.start_text(), |text, mv| rules.play(&text, mv));
        let score = f64::from(rules.score(&last).unwrap());
        if last.ends_with('X') { score } else { -score }
    };
    let margins: Vec<f64> = records.iter().map(of_black).collect();
    let mean = |margins: Vec<f64>| margins.iter().sum::<f64>() / margins.len() as f64;
    let of_a = margins.iter().zip(0..).map(|(&margin, number)| if number % 2 == 0 { margin } else { -margin });
    assert!((json["margin"]["a"].as_f64().unwrap() - mean(of_a.collect())).abs() < 1e-6);
    assert!((json["margin"]["black"].as_f64().unwrap() - mean(margins)).abs() < 1e-6);
    let (json, _) = contest(nowhere().path(), &["bin3x3", "greedy", "random", "--games", "2"]);
    assert_eq!(json["margin"], Json::Null);
}

#[test]
fn colours_are_exchanged_and_pairs_share_their_openings() {
    let args = ["rev6x6", "greedy", "search,depth=1", "--games", "21", "--opening", "6"];
    let (json, records) = contest(nowhere().path(), &args);
    assert_eq!((count(&json["opening"]), &json["a"]["player"]), (6, &Json::from("greedy")));
    for (record, number) in records.iter().zip(0..) {
        let names = if number % 2 == 0 { ["greedy", "search,depth=1"] } else { ["search,depth=1", "greedy"] };
        assert_eq!([&record.black[..], &record.white], names, "game {number}");
    }
    let openings: Vec<_> = records.iter().map(|record| &record.moves[..6]).collect();
    for pair in openings.chunks(2) {
        assert_eq!(pair[0], pair[pair.len() - 1]);
    }
    assert!(openings.iter().collect::<HashSet<_>>().len() > 8, "pairs have different openings");
    let chosen = ["a", "b"].map(|player| count(&json[player]["moves"]));
    let all: usize = records.iter().map(|record| record.moves.len() - 6).sum();
    assert_eq!(chosen[0] + chosen[1], all as u64, "moves of openings are nobody's");
}

/// Everything but the times.
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

#[test]
fn long_games_are_drawn() {
    let (json, records) =
        contest(nowhere().path(), &["pyon4x4", "random", "random", "--games", "10", "--max-plies", "9"]);
    let long: Vec<_> = records.iter().filter(|record| record.result == "draw after 9 plies").collect();
    assert!(long.len() > 5 && long.iter().all(|record| record.moves.len() == 9));
    let ended = json["ended"].as_array().unwrap().iter().find(|ended| ended["how"] == "too long").unwrap();
    assert_eq!(count(&ended["games"]), long.len() as u64);
}

#[test]
fn looking_further_ahead_wins() {
    let args = ["bin7x6", "search,depth=3", "random", "--games", "30", "--seed", "1"];
    let (json, _) = contest(nowhere().path(), &args);
    assert!(count(&json["a"]["together"]["wins"]) >= 27, "{json}");
}

// The table player

/// Goes through the games of a contest in which `table` has taken part and holds all its moves against the table:
/// what was won stays won until the end, what was drawn is not lost. Returns how many moves were made in won and in
/// drawn positions.
fn counts<G: Playable>(game: &G, folder: &Path, records: &[Record]) -> [u64; 2] {
    let table = open(game, &name::whole(folder, &game.code())).unwrap();
    let oracle = Oracle::of_table(game, table.into());
    let outcome = |session: &Session<G>| match session.ending() {
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

/// A thousand games against each of two players, half of them with each colour.
#[test]
fn the_table_player_never_spoils_a_won_or_drawn_position() {
    let folder = tables(&SMALL);
    for code in SMALL {
        for other in ["random", "greedy"] {
            let (json, records) = contest(folder.path(), &[code, "table", other, "--games", "1000", "--seed", "11"]);
            assert_eq!(records.len(), 1000);
            let game = AnyGame::parse(code).unwrap();
            let [won, drawn] = with_game!(game, game => counts(&game, folder.path(), &records));
            assert!(won > 100, "{code}: only {won} won positions");
            check_counts(&json, &records);
            let mistakes = &json["a"]["mistakes"];
            let names = ["won", "drawn", "wins_spoiled", "draws_spoiled"];
            assert_eq!(names.map(|name| count(&mistakes[name])), [won, drawn, 0, 0], "{code} against {other}");
        }
    }
}

/// Each side's mistakes change the value of the start into that of the end.
#[test]
fn mistakes_are_counted() {
    let folder = tables(&["bin3x3"]);
    let (json, records) = contest(folder.path(), &["bin3x3", "random", "greedy", "--games", "300"]);
    let spoiled = |player: &str| count(&json[player]["mistakes"]["wins_spoiled"]);
    let wins = results(&json["black"]);
    assert!(spoiled("a") > 0 && spoiled("b") > 0);
    // White wins from the start: Black has won where one mistake more was White's.
    let black_won = wins[0];
    assert!(spoiled("a") + spoiled("b") >= black_won);
    assert_eq!((spoiled("a") + spoiled("b") - black_won) % 2, 0);
    assert_eq!(["a", "b"].map(|player| count(&json[player]["mistakes"]["drawn"])), [0, 0]);
    assert_eq!(records.len(), 300);
}

/// The same is recorded for larger boards by scripts/record-match.
#[test]
fn recorded_contests_of_the_table_player_are_without_mistakes() {
    let files = std::fs::read_dir(at("precomp/matches")).unwrap().map(|file| file.unwrap().path());
    let mut codes = HashSet::new();
    for path in files {
        let record = read_json(&path);
        let contests = record["contests"].as_array().unwrap();
        for (contest, other) in contests.iter().zip(["random", "greedy"]) {
            let result = &contest["result"];
            let code = result["rules"].as_str().unwrap();
            codes.insert(code.to_string());
            assert_eq!(path.file_stem().unwrap().to_str(), Some(code));
            assert_eq!([&result["a"]["player"], &result["b"]["player"]], ["table", other]);
            assert_eq!([&result["games"], &result["asked"]].map(count), [1000, 1000], "{code}");
            for colour in ["as_black", "as_white"] {
                assert_eq!(results(&result["a"][colour]).iter().sum::<u64>(), 500, "{code}");
            }
            let mistakes = &result["a"]["mistakes"];
            assert!(count(&mistakes["won"]) + count(&mistakes["drawn"]) > 1000, "{code}");
            assert_eq!(["wins_spoiled", "draws_spoiled"].map(|name| count(&mistakes[name])), [0, 0], "{code}");
            let games = contest["first_games"].as_array().unwrap();
            assert!(games.len() >= 10);
            for game in games {
                let game = Record::parse_all(game.as_str().unwrap()).unwrap().remove(0);
                let by_rules = (game.result != "draw after 1000 plies").then(|| winner(&game));
                assert_eq!(naive_verdict(code, &game.moves), by_rules, "{code}: {game:?}");
            }
        }
        assert_eq!(contests.len(), 2);
    }
    for code in ["bin4x4", "val1n", "rev6x4", "pyon"] {
        assert!(codes.contains(code), "{code} is not recorded");
    }
}

/// The search against the greedy player, recorded by scripts/record-match --strength: every game again by the naive
/// rules.
#[test]
fn the_recorded_search_beats_the_greedy_player() {
    let record = record("strength/bin7x6.json");
    let contest = &record["contests"][0];
    let result = &contest["result"];
    assert_eq!(
        [&result["rules"], &result["a"]["player"], &result["b"]["player"]],
        ["bin7x6", "search,time=1s", "greedy"]
    );
    let games = contest["first_games"].as_array().unwrap().iter();
    let games: Vec<Record> = games.flat_map(|game| Record::parse_all(game.as_str().unwrap()).unwrap()).collect();
    check_counts(result, &games);
    for game in &games {
        assert_eq!(naive_verdict("bin7x6", &game.moves), Some(winner(game)), "{game:?}");
    }
    for colour in ["as_black", "as_white"] {
        let [wins, draws, losses] = results(&result["a"][colour]);
        assert_eq!((wins + draws + losses, draws), (100, 0));
        assert!(wins >= 95, "{colour}: {wins}");
    }
}

// Other programs

/// A program that speaks USI and makes the first legal move; `trouble` are lines of shell that come before it answers
/// `go`, with the number of moves made so far in `$moves`.
struct Fixture {
    folder: TempDir,
}

impl Fixture {
    fn new(code: &str, trouble: &str) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let yomikiri = env!("CARGO_BIN_EXE_yomikiri");
        let script = format!(
            r#"echo $$ >> "$(dirname "$0")/pids"
while read -r command rest; do
  echo "$command $rest" >> "$(dirname "$0")/heard"
  case $command in
    usi) echo "a line of no meaning"; echo "id name fixture"; echo usiok ;;
    isready) echo readyok ;;
    position) position=$rest; set -- $rest; moves=$(( $# > 2 ? $# - 2 : 0 )) ;;
    go)
      {trouble}
      echo "info depth 1 string thinking"
      echo "bestmove $("{yomikiri}" moves {code} "$position" --json | sed 's/[^[]*\[{{"move":"\([^"]*\)".*/\1/')" ;;
    quit) exit ;;
  esac
done
"#
        );
        std::fs::write(folder.path().join("engine"), script).unwrap();
        Fixture { folder }
    }

    /// The name as a player.
    fn player(&self) -> String {
        format!("usi,time=50ms:sh '{}'", self.path("engine"))
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_string()
    }

    fn lines(&self, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.path(name)).unwrap_or_default();
        text.lines().map(String::from).collect()
    }

    /// Number of times that it was started; none of them may go on running.
    fn started(&self) -> usize {
        let pids = self.lines("pids");
        for pid in &pids {
            wait(&format!("process {pid} was left behind"), || !runs(pid));
        }
        pids.len()
    }
}

/// Whether a process runs. One that has ended and that nobody has asked about does not.
fn runs(pid: &str) -> bool {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.contains(") Z "),
        Err(_) => {
            let asked = Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status();
            asked.unwrap().success()
        }
    }
}

/// Plays against a fixture that makes trouble, on a board of Binarsi, and gives the JSON and the records.
fn with_trouble(trouble: &str, games: &str, grace: &str) -> (Json, Vec<Record>, Fixture) {
    let fixture = Fixture::new("bin3x3", trouble);
    let player = fixture.player();
    let args = ["bin3x3", &player, "random", "--games", games, "--grace", grace];
    let (json, records) = contest(nowhere().path(), &args);
    (json, records, fixture)
}

fn failures(json: &Json) -> [u64; 4] {
    ["time", "illegal_move", "ended", "not_ready"].map(|name| count(&json["a"]["failures"][name]))
}

#[test]
fn a_program_plays_by_usi() {
    for code in ["bin3x3", "m00c1"] {
        let fixture = Fixture::new(code, "");
        let player = fixture.player();
        let (json, records) = contest(nowhere().path(), &[code, &player, "random", "--games", "6", "--grace", "30s"]);
        check_counts(&json, &records);
        assert_eq!((failures(&json), fixture.started()), ([0; 4], 1));
        let heard = fixture.lines("heard");
        let begin = ["usi ", "isready ", "isready ", "usinewgame ", "position startpos", "go movetime 50"];
        assert_eq!(heard[..6], begin);
        assert_eq!(heard.last().unwrap(), "quit ");
        let told = |word: &str| heard.iter().filter(|line| *line == word).count() as u64;
        let ends = ["gameover win", "gameover draw", "gameover lose"].map(told);
        assert_eq!(ends, results(&json["a"]["together"]));
        assert_eq!([told("usinewgame "), told("isready ")], [6, 7]);
        for (record, number) in records.iter().zip(0..) {
            assert_eq!(naive_verdict(code, &record.moves), Some(winner(record)));
            let name = if number % 2 == 0 { &record.black } else { &record.white };
            assert_eq!(*name, player);
        }
    }
}

/// `yomikiri usi` is such a program; with a table it keeps every win.
#[test]
fn our_own_engine_plays_by_usi() {
    let folder = tables(&["bin3x3"]);
    let engine = format!("usi,time=1s:{} usi bin3x3", env!("CARGO_BIN_EXE_yomikiri"));
    let (json, records) = contest(folder.path(), &["bin3x3", &engine, "random", "--games", "20", "--opening", "1"]);
    check_counts(&json, &records);
    assert_eq!(failures(&json), [0; 4]);
    let mistakes = &json["a"]["mistakes"];
    assert!(count(&mistakes["won"]) > 20, "{mistakes}");
    assert_eq!(count(&mistakes["wins_spoiled"]), 0);
}

#[test]
fn late_programs_lose_on_time() {
    let (json, records, fixture) = with_trouble("if [ $moves -ge 3 ]; then sleep 1000; fi", "2", "2s");
    assert_eq!(failures(&json), [2, 0, 0, 0]);
    assert_eq!(results(&json["a"]["together"]), [0, 0, 2]);
    assert_eq!(records[0].result, "White wins: Black sent no move within 2050 ms");
    assert_eq!(records[1].result, "Black wins: White sent no move within 2050 ms");
    assert!(records.iter().all(|record| naive_verdict("bin3x3", &record.moves).is_none() && record.moves.len() >= 3));
    assert_eq!(fixture.started(), 2, "started again for the second game");
}

#[test]
fn programs_that_end_are_started_again() {
    let (json, records, fixture) = with_trouble("if [ $moves -ge 4 ]; then exit 3; fi", "3", "30s");
    assert_eq!((failures(&json), fixture.started()), ([0, 0, 3, 0], 3));
    assert_eq!(records[0].result, "White wins: Black ended in the middle of the game");
    let (json, _, fixture) = with_trouble("exec >&- ; sleep 1000", "2", "30s");
    assert_eq!((failures(&json), fixture.started()), ([0, 0, 2, 0], 2));
}

#[test]
fn illegal_moves_lose_and_others_are_no_trouble() {
    let (json, records, fixture) = with_trouble("if [ $moves -ge 2 ]; then echo bestmove 9z; continue; fi", "3", "30s");
    assert_eq!((failures(&json), fixture.started()), ([0, 3, 0, 0], 1));
    assert_eq!(records[1].result, "Black wins: White sent \"9z\", which is no legal move");
    for word in ["", "win", "\\033[31m", "startpos"] {
        let (json, ..) = with_trouble(&format!("printf 'bestmove {word}\\n'; continue"), "2", "30s");
        assert_eq!(failures(&json), [0, 2, 0, 0], "{word}");
    }
    let garbage = "printf 'best\\n\\n\\377\\376\\nbestmoves 1\\n'; head -c 3000000 /dev/zero | tr '\\0' x; echo";
    let (json, records, _) = with_trouble(garbage, "2", "30s");
    assert_eq!(failures(&json), [0; 4]);
    assert!(records.iter().all(|record| naive_verdict("bin3x3", &record.moves).is_some()));
    let (json, records, _) = with_trouble("echo bestmove resign; continue", "2", "30s");
    assert_eq!((failures(&json), &records[0].result[..]), ([0; 4], "White wins by resignation"));
    assert_eq!(json["ended"][0]["how"], "resignation");
}

#[test]
fn programs_that_flood_or_do_not_read_are_late() {
    for trouble in ["while :; do echo info string again; done", "exec <&-; sleep 1000"] {
        let (json, _, fixture) = with_trouble(trouble, "1", "300ms");
        assert_eq!((failures(&json), fixture.started()), ([1, 0, 0, 0], 1));
    }
    // It goes on between the games, and what it says may be late or not.
    let (json, _, fixture) =
        with_trouble("(while :; do echo info; done) & echo bestmove resign; continue", "3", "300ms");
    assert_eq!(results(&json["a"]["together"]), [0, 0, 3]);
    assert!(fixture.started() <= 3);
}

/// What the program has started goes with it.
#[test]
fn nothing_is_left_behind() {
    let trouble = r#"sleep 1000 & echo $! >> "$(dirname "$0")/pids""#;
    let (json, _, fixture) = with_trouble(trouble, "1", "30s");
    assert_eq!(failures(&json), [0; 4]);
    assert!(fixture.started() > 3);
}

#[test]
fn programs_that_only_fail_end_the_contest() {
    let fixture = Fixture::new("bin3x3", "exit");
    let args = ["match", "bin3x3", "random", &fixture.player(), "--games", "50", "--json"];
    let output = run(nowhere().path(), &args);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        error,
        "error: program sh: has lost 5 games in a row by faults, the last time it ended in the middle of the game: \
         5 of 50 games were finished\n"
    );
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((count(&json["games"]), count(&json["asked"]), count(&json["b"]["failures"]["ended"])), (5, 50, 5));
    assert!(json["stopped"].as_str().unwrap().starts_with("program sh: has lost 5 games"));
    assert_eq!(fixture.started(), 5);
}

#[test]
fn what_cannot_be_started_is_an_error() {
    let folder = nowhere();
    let fails = |player: &str| fails(folder.path(), &["match", "bin3x3", player, "random", "--games", "2"], 1);
    assert!(fails("usi:/nowhere/engine --x").starts_with("error: program /nowhere/engine: cannot be started: "));
    assert_eq!(fails("usi:true"), "error: program true: ended without saying usiok\n");
    assert_eq!(fails("usi:sh -c 'echo usiok; read x'"), "error: program sh: ended without saying readyok\n");
}

// The command

#[test]
fn mistakes_are_one_line() {
    let folder = nowhere();
    let request = |args: &[&str]| fails(folder.path(), &[&["match"], args].concat(), 2);
    for (args, problem) in [
        (&["bin3x3", "table,depth=2", "random"][..], "player \"table,depth=2\": table takes no options"),
        (
            &["bin3x3", "nobody", "random"],
            "player \"nobody\": is none of table, search, computer, random, greedy, usi:",
        ),
        (&["rev4x4", "random", "usi:true"], "rev4x4: usi is spoken in Binarsi and animal shogi only"),
        (&["pyon", "usi:true", "random"], "pyon: usi is spoken in Binarsi and animal shogi only"),
        (&["nothing", "random", "random"], "rule code \"nothing\""),
        (&["bin3x3", "random", "random", "--games", "0"], "invalid value '0' for '--games <N>'"),
        (&["bin3x3", "random", "random", "--time", "5"], "invalid value '5' for '--time <T>'"),
        (&["bin3x3", "random", "random", "--opening", "9", "--max-plies", "9"], "--opening 9: games end after 9 plies"),
    ] {
        assert!(request(args).starts_with(&format!("error: {problem}")), "{args:?}: {}", request(args));
    }
    let work = |args: &[&str]| fails(folder.path(), &[&["match"], args].concat(), 1);
    let missing = work(&["bin3x3", "random", "table"]);
    assert!(missing.ends_with("bin3x3.tbl: not there; make it with: yomikiri analyze bin3x3\n"), "{missing}");
    let opening = work(&["bin3x3", "random", "random", "--opening", "25"]);
    assert_eq!(opening, "error: bin3x3: no opening of 25 plies found, games are over before\n");
    let nowhere = folder.path().join("no/such/folder");
    assert!(work(&["bin3x3", "random", "random", "--records", nowhere.to_str().unwrap()]).contains("no/such/folder: "));
}

#[test]
fn files_of_records_are_not_overwritten() {
    let folder = nowhere();
    let path = folder.path().join("games.txt");
    std::fs::write(&path, "precious").unwrap();
    let path = path.to_str().unwrap();
    let error = fails(folder.path(), &["match", "bin3x3", "random", "random", "--records", path], 2);
    assert!(error.ends_with("games.txt: is there already; records go to a new file\n"), "{error}");
    assert_eq!(std::fs::read(path).unwrap(), b"precious");
}

/// No room for more than some records, which are whole games.
#[test]
fn records_that_cannot_be_written_end_the_contest() {
    let folder = nowhere();
    let path = folder.path().join("games.txt");
    let yomikiri = env!("CARGO_BIN_EXE_yomikiri");
    let script = format!(
        "ulimit -f 8; exec '{yomikiri}' match bin7x6 random random --games 500 --threads 1 --records '{}'",
        path.display()
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    let text = std::fs::read_to_string(&path).unwrap();
    let games = text.matches("result: ").count();
    assert!(games > 5 && error.lines().count() == 1, "{error}");
    assert!(error.starts_with(&format!("error: {}: File too large", path.display())), "{error}");
    assert!(error.ends_with(" of 500 games were finished\n"), "{error}");
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("bin7x6: "));
}

#[test]
fn players_that_always_play_alike_are_warned_of() {
    let output = run(nowhere().path(), &["match", "bin3x3", "search,depth=2", "computer,depth=1", "--games", "9"]);
    assert!(output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("warning: both players always play alike"));
    assert!(String::from_utf8(output.stdout).unwrap().contains("\ndifferent games       2\n"));
}

#[test]
fn an_interrupt_prints_what_there_is() {
    for signal in ["-INT", "-TERM"] {
        let fixture = Fixture::new("bin3x3", r#"[ $(wc -l < "$(dirname "$0")/heard") -gt 60 ] && sleep 1000"#);
        let player = fixture.player();
        let (folder, records) = (nowhere(), fixture.path("games"));
        let args = ["match", "bin3x3", "random", &player, "--games", "1000", "--grace", "1000s", "--records", &records];
        let mut run = command(folder.path(), &args);
        let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait("the program hangs", || fixture.lines("heard").len() > 60);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let status = child.wait().unwrap();
        let (mut out, mut err) = (String::new(), String::new());
        child.stdout.unwrap().read_to_string(&mut out).unwrap();
        child.stderr.unwrap().read_to_string(&mut err).unwrap();
        let written = Record::parse_all(&std::fs::read_to_string(&records).unwrap()).unwrap();
        let games = written.len();
        assert_eq!((status.code(), err), (Some(1), format!("error: stopped: {games} of 1000 games were finished\n")));
        assert!(games > 0 && out.starts_with(&format!("bin3x3: {games} of 1000 games, seed 0\n")), "{out}");
        assert_eq!(fixture.started(), 1);
    }
}

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

/// The JSON contract: these fields and no others.
#[test]
fn the_json_has_its_fields() {
    let (json, _) = contest(tables(&["rev4x4"]).path(), &["rev4x4", "table", "random", "--games", "4"]);
    let keys = |json: &Json| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let all = "a asked b black different_games ended games margin max_plies opening plies rules seed stopped";
    assert_eq!(keys(&json), all);
    let player = "as_black as_white failures longest_ms mean_ms mistakes moves player together";
    assert_eq!([keys(&json["a"]), keys(&json["b"])], [player, player]);
    for results in [&json["a"]["together"], &json["b"]["as_white"], &json["black"]] {
        assert_eq!(keys(results), "draws losses share wins");
        assert_eq!(keys(&results["share"]), "high low points");
    }
    assert_eq!(keys(&json["a"]["failures"]), "ended illegal_move not_ready time");
    assert_eq!(keys(&json["a"]["mistakes"]), "drawn draws_spoiled wins_spoiled won");
    assert_eq!([keys(&json["plies"]), keys(&json["margin"])], ["max mean min", "a black"]);
    assert_eq!(keys(&json["ended"][0]), "games how");
    assert_eq!((&json["stopped"], &json["rules"]), (&Json::Null, &Json::from("rev4x4")));
}

#[test]
fn sessions_of_the_page_are_what_the_command_prints() {
    trycmd::TestCases::new().case("docs/match.md");
}
