//! Tests of exports with columns: every row against the rules and single look-ups, and the three formats against each
//! other.

use std::fs::{self, File};
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Value as Json, json};

use crate::support::command::{fails, good, good_json, tables};
use crate::support::repository::read_json_lines;
use yomikiri_rules::{AnyGame, Measure, Notation, Outcome, Value, key_text, with_game};
use yomikiri_solve::Solvable;
use yomikiri_table::probe::open;

/// Exports the columns of a table, or of an opening, in one form and returns the path of the file.
fn export(folder: &Path, code: &str, form: &str, more: &[&str]) -> std::path::PathBuf {
    let which = if more.contains(&"--opening") { "_opening" } else { "" };
    let selected =
        if more.iter().any(|word| ["--ply", "--outcome", "--sample"].contains(word)) { "_selection" } else { "" };
    let file = folder.join(format!("r_{code}{which}{selected}.{form}"));
    let out = good(folder, &[&["export", code, "--to", form], more].concat());
    assert!(out.ends_with(&format!(" rows\n{}\n", file.display())), "{out}");
    file
}

/// Returns the rows of an export in the form of JSON lines.
fn rows(folder: &Path, code: &str, more: &[&str]) -> Vec<Json> {
    read_json_lines(&export(folder, code, "jsonl", more))
}

fn rows_of_parquet(path: &Path) -> Vec<Json> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let cell = |(name, field): (&String, &Field)| {
        let value = match field {
            Field::Null => json!(null),
            Field::ULong(number) => json!(number),
            Field::UShort(number) => json!(number),
            Field::UByte(number) => json!(number),
            Field::Byte(number) => json!(number),
            Field::Str(text) => json!(text),
            other => panic!("{name} is {other}"),
        };
        (name.clone(), value)
    };
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| with_text_of_key(row.unwrap().get_column_iter().map(cell).collect())).collect()
}

/// Replaces the number in `key` by the text that JSON lines have there.
fn with_text_of_key(mut row: Json) -> Json {
    row["key"] = json!(key_text(row["key"].as_u64().unwrap()));
    row
}

/// Returns the rows of a CSV file. `like` has the same rows from JSON lines, which decide which cells are numbers.
fn rows_of_csv(path: &Path, like: &[Json]) -> Vec<Json> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |(line, like): (&str, &Json)| {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), names.len(), "{line}");
        let cell = |(&name, &cell): (&&str, &&str)| {
            let value = match &like[name] {
                Json::Null => json!(null),
                Json::String(text) if text.is_empty() || name != "key" => json!(cell),
                _ if name == "key" => json!(cell.parse::<u64>().unwrap()),
                _ => json!(cell.parse::<i64>().unwrap()),
            };
            assert!(!value.is_null() || cell.is_empty(), "{line}");
            (name.to_owned(), value)
        };
        with_text_of_key(names.iter().zip(&cells).map(cell).collect())
    };
    lines.zip(like).map(row).collect()
}

/// Returns the columns of a row that all games have, with values from look-ups of the position and of all its moves.
fn value_columns<G: Solvable>(game: &G, table: &yomikiri_table::Table, position: &G::Position) -> Json {
    let value = game.probe(table, position).unwrap().unwrap();
    let outcomes = game.legal_moves(position).into_iter().map(|mv| {
        let child = game.play(position, mv);
        let over = if game.is_terminal(&child) { game.terminal_value(&child) } else { None };
        over.unwrap_or_else(|| game.probe(table, &child).unwrap().unwrap()).of_move().outcome()
    });
    let outcomes: Vec<Outcome> = outcomes.collect();
    let count = |wanted| outcomes.iter().filter(|&&outcome| outcome == wanted).count();
    let mut row = json!({
        "key": key_text(game.rank(position)),
        "position": game.position_text(position),
        "outcome": value.outcome(),
        "moves": outcomes.len(),
        "winning_moves": count(Outcome::Win),
        "drawing_moves": count(Outcome::Draw),
    });
    match value.measure() {
        Measure::Distance { plies } => row["plies"] = json!(plies.map(|plies| plies.0)),
        Measure::Score { score } => row["score"] = json!(score),
    }
    if !game.is_cyclic() {
        row["ply"] = json!(game.ply(position));
    }
    if game.side_at(0).is_some() {
        row["side"] = json!(game.side(position));
        row["winner"] = json!(value.outcome().winner(game.side(position)));
    }
    row
}

/// Compares every row of an export with the rules, and the rows of the three formats with each other. `rest` adds the
/// columns that only this game has.
fn check<G: Solvable>(game: &G, folder: &Path, rest: impl Fn(&G, &G::Position, &mut Json)) {
    let code = game.code();
    let table = open(game, &folder.join(format!("{code}.tbl"))).unwrap();
    let rows = rows(folder, &code, &[]);
    assert_eq!(rows.len() as u64, table.header.positions.get(), "{code}");
    let mut last = None;
    for row in &rows {
        let key: u64 = row["key"].as_str().unwrap()[1..].parse().unwrap();
        assert!(last.replace(key) < Some(key), "{code}: keys ascend");
        let position = game.unrank(key).unwrap();
        let mut expected = value_columns(game, &table, &position);
        rest(game, &position, &mut expected);
        assert_eq!(*row, expected, "{code}");
    }
    assert!(rows_of_parquet(&export(folder, &code, "parquet", &[])) == rows, "{code}: Parquet has other rows");
    assert!(rows_of_csv(&export(folder, &code, "csv", &[]), &rows) == rows, "{code}: CSV has other rows");
}

/// Adds the columns that only Binarsi has. They are counted in the text of a position: in its board, its locks and its
/// targets.
fn about_binarsi(text: &str, row: &mut Json) {
    let fields: Vec<&str> = text.split(' ').collect();
    let [board, _, locks, targets, _] = fields[..] else { panic!("{text}") };
    let mut squares = Vec::new();
    for (rank, line) in board.split('/').enumerate() {
        let mut file = 0;
        for letter in line.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    squares.push((file, rank, letter));
                    file += 1;
                }
            }
        }
    }
    let [files, ranks] = [squares.iter().map(|s| s.0).collect::<Vec<_>>(), squares.iter().map(|s| s.1).collect()];
    let bounds = |line: &[usize]| (*line.iter().min().unwrap(), *line.iter().max().unwrap());
    let ((left, right), (top, bottom)) = (bounds(&files), bounds(&ranks));
    row["width"] = json!(right - left + 1);
    row["height"] = json!(bottom - top + 1);
    row["corner"] = json!(format!("{}{}", left + 1, ["a", "b", "c", "d", "e", "f"][top]));
    let locks = if locks == "-" { "" } else { locks };
    row["locks"] = json!(locks);
    row["locked_ways"] = json!(locks.len());
    row["black_stones"] = json!(squares.iter().filter(|square| square.2 == 'x').count());
    row["white_stones"] = json!(squares.iter().filter(|square| square.2 == 'o').count());
    let names = ["b3", "b4", "b5", "w3", "w4", "w5"];
    let cleared: Vec<&str> = match targets {
        "-" => Vec::new(),
        _ => {
            names.into_iter().zip(targets.split('/')).filter(|(_, ply)| !ply.is_empty()).map(|(name, _)| name).collect()
        }
    };
    row["cleared"] = json!(cleared.join(" "));
    row["black_targets"] = json!(cleared.iter().filter(|name| name.starts_with('b')).count());
    row["white_targets"] = json!(cleared.iter().filter(|name| name.starts_with('w')).count());
}

#[test]
fn rows_of_binarsi_are_what_the_rules_say() {
    for codes in [vec!["bin3x3", "bin3x3-p"], vec!["bin3x3-t222-n"], vec!["bin4x2-p"]] {
        let folder = tables(&codes);
        match AnyGame::parse(codes[0]).unwrap() {
            AnyGame::Binarsi(game) => {
                let points = codes.get(1).map(|code| {
                    let AnyGame::BinarsiPoints(points) = AnyGame::parse(code).unwrap() else { panic!("{code}") };
                    (open(&points, &folder.path().join(format!("{code}.tbl"))).unwrap(), points)
                });
                check(&game, folder.path(), |game, position, row| {
                    about_binarsi(&game.position_text(position), row);
                    let Some((table, points)) = &points else { return };
                    let score = points.probe(table, position).unwrap().unwrap().points();
                    let by_targets = score.abs() == 64;
                    row["ends_by"] = json!(if by_targets { "targets" } else { "points" });
                    let black = position.side().pick([score, -score]);
                    row["points"] = if by_targets { Json::Null } else { json!(black) };
                });
            }
            any => with_game!(any, game => check(&game, folder.path(), |game, position, row| {
                about_binarsi(&game.position_text(position), row);
            })),
        }
    }
}

#[test]
fn rows_of_other_games_are_what_the_rules_say() {
    for code in ["rev4x4", "pyon3x4", "pyon2x3B", "m00c1", "con4x3"] {
        let folder = tables(&[code]);
        check(&AnyGame::parse(code).unwrap(), folder.path(), |_, _, _| ());
    }
}

/// A filter keeps exactly the rows that it describes. A sample has the requested number of different rows that the
/// filters keep, and is the same each time.
#[test]
fn rows_can_be_chosen() {
    let folder = tables(&["bin3x3"]);
    let all = rows(folder.path(), "bin3x3", &[]);
    let only = |keep: &dyn Fn(&Json) -> bool| all.iter().filter(|row| keep(row)).cloned().collect::<Vec<Json>>();
    let is_won = |row: &Json| row["outcome"] == "win";
    let early = |row: &Json| (4..=6).contains(&row["ply"].as_u64().unwrap());
    assert!(rows(folder.path(), "bin3x3", &["--outcome", "win"]) == only(&is_won));
    assert!(rows(folder.path(), "bin3x3", &["--ply", "4-6"]) == only(&early));
    let both = only(&|row| is_won(row) && early(row));
    assert!(rows(folder.path(), "bin3x3", &["--ply", "4-6", "--outcome", "win"]) == both && !both.is_empty());
    let sample = rows(folder.path(), "bin3x3", &["--ply", "4-6", "--outcome", "win", "--sample", "500"]);
    assert_eq!(sample.len(), 500);
    assert!(sample.iter().all(|row| both.contains(row)));
    let mut different = sample.clone();
    different.dedup();
    assert_eq!(different.len(), 500);
    assert!(sample == rows(folder.path(), "bin3x3", &["--ply", "4-6", "--outcome", "win", "--sample", "500"]));
    // A sample comes from the whole table, not from its beginning: its middle row is near the middle of the table.
    let sample = rows(folder.path(), "bin3x3", &["--sample", "501"]);
    let middle = all.iter().position(|row| *row == sample[250]).unwrap();
    assert!((all.len() * 2 / 5..all.len() * 3 / 5).contains(&middle), "{middle} of {}", all.len());
    assert!(rows(folder.path(), "bin3x3", &["--sample", "1000000"]) == all);
    assert!(rows(folder.path(), "bin3x3", &["--ply", "11"]).is_empty());
    assert!(rows_of_parquet(&export(folder.path(), "bin3x3", "parquet", &["--ply", "11"])).is_empty());
}

/// The rows of an opening have the values of the table, and their winning moves are those that win by the table.
#[test]
fn rows_of_an_opening_are_what_the_table_says() {
    let folder = tables(&["bin3x3"]);
    let folder = folder.path();
    // All winning moves of plies 0 to 2, so who wins the positions of plies 0 to 3.
    good(folder, &["opening", "bin3x3", "--plies", "2", "--memory", "64M"]);
    let found = rows(folder, "bin3x3", &["--opening"]);
    let by_table = rows(folder, "bin3x3", &["--ply", "0-3"]);
    assert_eq!(found.len(), by_table.len());
    let mut open = 0;
    for (row, known) in found.iter().zip(&by_table) {
        for (name, cell) in known.as_object().unwrap() {
            if !["plies", "winning_moves", "drawing_moves"].contains(&name.as_str()) {
                assert_eq!(row[name], *cell, "{name} of {}", row["position"]);
            }
        }
        let winning: Vec<&str> = row["winning"].as_str().unwrap().split_whitespace().collect();
        if row["winning_moves"].is_null() {
            assert!(row["ply"] == 3 && row["outcome"] == "win" && winning.is_empty(), "{row}");
            open += 1;
            continue;
        }
        assert_eq!(row["winning_moves"], known["winning_moves"], "{}", row["position"]);
        let asked = good_json(folder, &["query", "bin3x3", row["position"].as_str().unwrap(), "--json"]);
        let wins = |mv: &&Json| mv["outcome"] == "win";
        let mut by_query: Vec<&str> =
            asked["moves"].as_array().unwrap().iter().filter(wins).map(|mv| mv["move"].as_str().unwrap()).collect();
        let mut winning = winning;
        winning.sort_unstable();
        by_query.sort_unstable();
        assert_eq!(winning, by_query, "{}", row["position"]);
    }
    assert!(open > 0 && open < found.len());
    assert!(rows_of_parquet(&export(folder, "bin3x3", "parquet", &["--opening"])) == found);
    assert!(rows_of_csv(&export(folder, "bin3x3", "csv", &["--opening"]), &found) == found);
    let lost = |row: &&Json| row["outcome"] == "loss" && row["ply"] == 2;
    let lost: Vec<Json> = found.iter().filter(lost).cloned().collect();
    assert!(rows(folder, "bin3x3", &["--opening", "--ply", "2", "--outcome", "loss"]) == lost && !lost.is_empty());
}

/// Options that do not apply are refused, and no file is left.
#[test]
fn choices_that_do_not_suit_are_refused() {
    let folder = tables(&["bin3x3", "pyon2x3"]);
    let refused = |args: &[&str], what: &str| {
        let line = fails(folder.path(), &[&["export"], args].concat(), 2);
        assert!(line.contains(what), "{line}");
    };
    let missing = fails(folder.path(), &["export", "bin3x3", "--to", "csv", "--opening"], 1);
    assert!(missing.contains("there is no opening; make one with: yomikiri opening bin3x3"), "{missing}");
    refused(&["pyon2x3", "--to", "csv", "--ply", "3"], "pyon2x3: positions can repeat, so they have no ply");
    refused(&["bin3x3", "--to", "gz", "--sample", "3"], "gz always has all positions");
    refused(&["bin3x3", "--to", "gz", "--opening"], "gz is for tables only");
    refused(&["pyon2x3", "--to", "csv", "--opening"], "pyon2x3: this game has no opening files");
    refused(&["bin3x3", "--to", "csv", "--opening", "--sample", "3"], "--sample");
    refused(&["bin3x3", "--to", "csv", "--ply", "6-4"], "the last ply comes before the first");
    refused(&["bin3x3", "--to", "csv", "--ply", "x"], "write a ply");
    refused(&["bin3x3", "--to", "csv", "--sample", "0"], "--sample");
    let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect::<Vec<_>>();
    assert!(files.iter().all(|name| name.to_str().unwrap().ends_with(".tbl")), "{files:?}");
    // The number of rows for each outcome is the count of `stats`.
    let told = good_json(folder.path(), &["stats", "bin3x3", "--json", "--by", "outcome"]);
    for group in told["counts"].as_array().unwrap() {
        let rows = rows(folder.path(), "bin3x3", &["--outcome", group["outcome"].as_str().unwrap()]);
        assert_eq!(group["count"], rows.len());
    }
}
