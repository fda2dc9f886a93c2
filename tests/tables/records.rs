//! Tests of the recorded runs in precomp/expected. For games that never repeat, small runs are made again; for large
//! runs, the first plies are counted by sorted keys and late positions are solved without the table. For other games,
//! the counts are the published ones or add up, and late positions are solved by plain search. Recorded searches are
//! followed to the end.

use std::collections::BTreeMap;
use std::mem::offset_of;

use crate::support::games::{animal_shogi, any, legal_moves, pyonpyon, reversi};
use crate::support::repository::{self, record};
use crate::support::solving::job;
use serde_json::{Value as Json, from_value, json, to_value};
use yomikiri_answer::{Answerer, Spread, Stats};
use yomikiri_naive::pyonpyon::Naive;
use yomikiri_rules::games::animal_shogi::Position;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::reversi::{Position as ReversiPosition, Reversi, text};
use yomikiri_rules::{AnyGame, Distance, Game, Measure, Notation, Outcome, Plies, Registered, Value};
use yomikiri_search::Searchable;
use yomikiri_solve::retrograde::Complete;
use yomikiri_solve::{Solvable, SolveError, SolveOptions, levels, pipeline};
use yomikiri_table::format::{HEADER, Header};
use yomikiri_table::{Silent, checked};

/// Runs of at least this number of positions are not repeated here.
const REPEATED: u64 = 50_000_000;

fn records<G: Game>() -> Vec<(G, Json)> {
    let game = |record: Json| Some((G::parse(&stats(&record).rules).ok()?, record));
    repository::records("expected").into_iter().filter_map(game).collect()
}

/// Returns the counts of a recorded table.
fn stats(record: &Json) -> Stats {
    from_value(record["stats"].clone()).unwrap()
}

/// Returns the number of won and lost positions by distance to the end in plies.
fn by_plies(stats: &Stats) -> &BTreeMap<u16, u64> {
    let Spread::Distances { by_plies, .. } = &stats.spread else { panic!("{} has scores", stats.rules) };
    by_plies
}

fn spots(record: &Json) -> &Vec<Json> {
    let spots = record["spots"].as_array().unwrap();
    assert!(spots.len() >= 20);
    spots
}

/// Returns the record of a position (a spot) as it must be if the position has this value.
fn with_value(spot: &Json, value: impl Value) -> Json {
    let mut told = to_value(value.measure()).unwrap();
    told["position"] = spot["position"].clone();
    told["outcome"] = to_value(value.outcome()).unwrap();
    told
}

/// Makes a table again and compares its counts, hash and length with the record.
fn check_run<G: Registered + Solvable>(game: &G, record: &Json) {
    let folder = tempfile::tempdir().unwrap();
    let options = SolveOptions { memory: 4 << 30, ..job() };
    let any = any(&game.code());
    let table = pipeline::analyze(&any, None, folder.path(), &options).unwrap().table;
    let start = game.probe(&table, &game.start()).unwrap().unwrap();
    let stats = Stats::new(&any, &table.meta().unwrap(), start.into(), game.side(&game.start())).unwrap();
    assert_eq!(to_value(&stats).unwrap(), record["stats"]);
    let bytes = std::fs::read(table.path()).unwrap();
    let hash = u64::from_le_bytes(bytes[offset_of!(Header, header_hash)..HEADER].try_into().unwrap());
    assert_eq!(format!("{hash:016x}"), record["table"]["header_hash"].as_str().unwrap(), "{}", game.code());
    assert_eq!(bytes.len() as u64, record["table"]["bytes"].as_u64().unwrap());
}

/// Solves the recorded late positions without a table.
fn check_spots(game: &AnyGame, record: &Json) {
    let nowhere = tempfile::tempdir().unwrap();
    for spot in spots(record) {
        let position = game.parse_position(spot["position"].as_str().unwrap()).unwrap();
        let oracle = Answerer::new(game, nowhere.path()).exact(&position, 1 << 30, &Silent).unwrap();
        assert_eq!(with_value(spot, oracle.value(&position).unwrap()), *spot, "{}", game.code());
    }
}

/// Compares the recorded counts of the first plies with those of levels of sorted keys. At least `least` plies must be
/// compared.
fn check_first_plies<G: Solvable>(game: &G, record: &Json, least: usize) {
    let Stats { by_ply: expected, start, .. } = stats(record);
    // There is memory for a few million positions. In large games it is used up after the first plies.
    let (counted, complete) = match levels::levels_within(game, &game.start(), 60 << 20, &Silent) {
        Ok(layers) => (layers.levels, true),
        Err((layers, SolveError::TooLarge(_))) => (layers.levels, false),
        Err((_, error)) => panic!("{error}"),
    };
    // In reversi, the last ply does not have the positions after passes yet.
    let passes = matches!(start.measure, Measure::Score { .. });
    let counted = &counted[..counted.len() - usize::from(passes && !complete)];
    assert!(counted.len() >= least, "{}: only {} plies", game.code(), counted.len());
    assert_eq!(complete, counted.len() == expected.len(), "{}", game.code());
    for (ply, (level, count)) in counted.iter().zip(expected).enumerate() {
        assert_eq!(level.len() as u64, count, "{}: ply {ply}", game.code());
    }
}

/// Checks the recorded runs of a game. There must be at least `least` runs, and at least `least_repeated` of them must
/// be small enough to be made again. The counts of at least `least_plies` plies are compared.
fn check_runs<G: Registered + Solvable>(least: usize, least_repeated: usize, least_plies: usize) {
    let records = records::<G>();
    let is_small = |record: &Json| stats(record).positions < REPEATED;
    let small = records.iter().filter(|(_, record)| is_small(record));
    assert!(records.len() >= least && small.clone().count() >= least_repeated, "recorded runs are missing");
    small.for_each(|(game, record)| check_run(game, record));
    for (game, record) in &records {
        check_spots(&any(&game.code()), record);
        check_first_plies(game, record, least_plies);
    }
}

#[test]
fn runs_of_binarsi() {
    check_runs::<Binarsi>(3, 2, 8);
}

#[test]
fn runs_of_reversi() {
    check_runs::<Reversi>(5, 3, 10);
}

// Searches

/// Returns the score for the side to move by search.
fn searched(game: &Reversi, position: &ReversiPosition) -> i8 {
    game.searcher(64 << 20).unwrap().solve(position, &Silent).value.points()
}

#[test]
fn recorded_scores_of_reversi_are_found_by_search() {
    for (game, record) in records::<Reversi>() {
        for spot in spots(&record)
            .iter()
            .chain([&json!({ "position": "startpos", "score": record["stats"]["start"]["score"] })])
        {
            let position = game.parse_position(spot["position"].as_str().unwrap()).unwrap();
            assert_eq!(
                i64::from(searched(&game, &position)),
                spot["score"].as_i64().unwrap(),
                "{}: {spot}",
                game.code()
            );
        }
    }
}

/// Checks recorded searches of reversi on boards without tables. The best line must end with the recorded score, and
/// late positions on it must have that score by search.
#[test]
fn recorded_searches_hold_along_their_lines() {
    let mut searches = repository::records("solved");
    searches.retain(|record| record["solution"]["rules"].as_str().unwrap().starts_with("rev"));
    assert!(searches.len() >= 2, "recorded searches are missing");
    for record in searches {
        let solution = &record["solution"];
        let text = |field: &str| solution[field].as_str().unwrap();
        let game = reversi(text("rules"));
        let score = solution["score"].as_i64().unwrap() as i8;
        let (area, mut late) = (game.rules.board.area(), 0);
        let mut position = game.parse_position(text("position")).unwrap();
        let side = game.side(&position);
        assert_eq!(position, game.start());
        let seen = |position: &ReversiPosition, points: i8| if game.side(position) == side { points } else { -points };
        for mv in text::read_transcript(&game, &position, &[text("line")]).unwrap() {
            position = game.play(&position, mv);
            if area - position.occupied().count_ones() <= 14 && game.terminal_value(&position).is_none() {
                assert_eq!(searched(&game, &position), seen(&position, score), "{}", game.code());
                late += 1;
            }
        }
        assert!(late >= 8);
        assert_eq!(game.terminal_value(&position).unwrap().points(), seen(&position, score), "{}", game.code());
        // Black's discs minus White's discs on the full board.
        let published = [("rev6x6", -4), ("rev6x6-p", -2)];
        published.iter().filter(|(code, _)| *code == game.code()).for_each(|&(_, points)| assert_eq!(score, points));
    }
}

// Games that can repeat

/// Returns the value of a position by plain search, or `None` if `plies` plies do not decide it.
fn look_ahead<P>(
    position: &P,
    plies: u16,
    end: &dyn Fn(&P) -> Option<Distance>,
    children: &dyn Fn(&P) -> Vec<P>,
) -> Option<Distance> {
    if let Some(value) = end(position) {
        return value.plies().is_some_and(|distance| distance.0 <= plies).then_some(value);
    }
    let left = plies.checked_sub(1)?;
    let values: Vec<_> =
        children(position).iter().map(|child| look_ahead(child, left, end, children).map(Value::of_move)).collect();
    let best = values.iter().flatten().max().copied()?;
    // A win needs one winning move; any other value needs the values of all moves.
    (best.outcome() == Outcome::Win || values.iter().all(Option::is_some)).then_some(best)
}

/// Checks that a plain search over the recorded number of plies finds a recorded value near the end, and that a search
/// over one ply less does not.
fn check_near_ends<P>(
    record: &Json,
    parse: &dyn Fn(&str) -> P,
    end: &dyn Fn(&P) -> Option<Distance>,
    children: &dyn Fn(&P) -> Vec<P>,
) {
    for spot in spots(record) {
        let (position, plies) = (parse(spot["position"].as_str().unwrap()), spot["plies"].as_u64().unwrap() as u16);
        let found = look_ahead(&position, plies, end, children).unwrap_or_else(|| panic!("{spot}: not found"));
        assert_eq!(with_value(spot, found), *spot);
        assert!(plies < 2 || look_ahead(&position, plies - 1, end, children).is_none(), "{spot}: ends sooner");
    }
}

#[test]
fn the_run_of_animal_shogi() {
    let (record, game) = (record("expected/val1n.json"), animal_shogi("val1n"));
    let stats = stats(&record);
    let counts = [stats.positions, stats.ended, stats.losses, stats.wins, stats.draws];
    let ended = 140_298_614 + 7_018_985;
    assert_eq!(counts, [246_803_167, ended, 47_347_380, 196_773_087, 2_682_700], "the published ones");
    assert_eq!(stats.spread.max_plies(), Some(173), "the published one");
    assert_eq!((stats.start.outcome, stats.start.measure.plies()), (Outcome::Loss, Some(Plies(78))));
    assert_eq!(by_plies(&stats)[&0], 7_018_985, "lost to a try");
    check_sums(&stats);
    let parse = |text: &str| game.parse_position(text).unwrap();
    let end = |position: &Position| {
        let value = game.terminal_value(position)?;
        Some(value.plies().map_or(Distance::Draw, |plies| Distance::new(value.outcome(), plies.0)))
    };
    let play = |position: &Position| legal_moves(&game, position).iter().map(|&mv| game.play(position, mv)).collect();
    check_near_ends(&record, &parse, &end, &play);
}

/// Checks that wins, losses and draws add up to all positions, and that decided positions and draws do, too.
fn check_sums(stats: &Stats) {
    let decided: u64 = by_plies(stats).values().sum();
    assert_eq!(decided + stats.draws, stats.positions, "{}", stats.rules);
    assert_eq!(stats.wins + stats.losses + stats.draws, stats.positions, "{}", stats.rules);
}

#[test]
fn the_runs_of_pyonpyon() {
    for code in ["pyon", "pyonB"] {
        let (naive, record) = (Naive::from_code(code), record(&format!("expected/{code}.json")));
        let stats = stats(&record);
        assert_eq!((stats.positions, stats.start.outcome), (411_883_560, Outcome::Draw), "{code}");
        let ends = pyonpyon(code).ends().len() as u64;
        assert_eq!((stats.ended, by_plies(&stats)[&0]), (ends, ends), "{code}");
        check_sums(&stats);
        let end = |text: &String| {
            let outcome = if text.ends_with(naive.winner(text)?) { Outcome::Win } else { Outcome::Loss };
            Some(Distance::new(outcome, 0))
        };
        let play = |text: &String| naive.legal_moves(text).iter().map(|mv| naive.play(text, mv)).collect();
        check_near_ends(&record, &str::to_string, &end, &play);
    }
}

/// precomp/SHA256SUMS lists the sums of all recorded tables and certificates, so that anybody can compare those made
/// elsewhere. The sums are right for the certificates in the repository.
#[test]
fn the_list_of_sums_has_what_is_recorded() {
    let mut expected = BTreeMap::new();
    for (kind, folder) in [("table", "expected"), ("certificate", "proofs")] {
        for record in repository::records(folder) {
            let code = record[if kind == "table" { "stats" } else { "check" }]["rules"].as_str();
            let file =
                |code: &str| if kind == "table" { format!("{code}.tbl") } else { format!("proofs/{code}.proof") };
            let sum = record[kind]["sha256"].as_str();
            expected.extend(code.zip(sum).map(|(code, sum)| (file(code), sum.to_string())));
        }
    }
    let text = std::fs::read_to_string(repository::repository_path("precomp/SHA256SUMS")).unwrap();
    let sums = text.lines().map(|line| line.split_once("  ").unwrap());
    let sums: BTreeMap<String, String> = sums.map(|(sum, file)| (file.to_string(), sum.to_string())).collect();
    assert_eq!(sums, expected);
    let kept = std::process::Command::new("sha256sum")
        .args(["--check", "--ignore-missing", "--quiet", "SHA256SUMS"])
        .current_dir(repository::repository_path("precomp"))
        .output()
        .unwrap();
    assert!(kept.status.success(), "{}", String::from_utf8_lossy(&kept.stdout));
}

/// Every certificate in the repository is in the list of those that have passed `yomikiri check`.
#[test]
fn kept_certificates_are_noted_as_checked() {
    let certificates = repository::files("precomp/proofs", ".proof");
    assert!(certificates.len() > 50);
    for path in certificates {
        let bytes = std::fs::read(&path).unwrap();
        let hash = u64::from_le_bytes(bytes[offset_of!(Header, header_hash)..HEADER].try_into().unwrap());
        assert!(checked::is_checked(&path, hash), "{}", path.display());
    }
}
