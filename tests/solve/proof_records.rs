//! Tests of the recorded proofs in precomp/proofs. Every record is complete, small boards are proved again, and tables
//! of the same boards have the same winners. Certificates in the folder hold. If the check of one takes long, it is
//! played against random moves instead. docs/result.md is generated from the records.

use std::path::PathBuf;

use crate::atlas::checksum;
use crate::support::games::binarsi;
use crate::support::random::Random;
use crate::support::repository::{files, grouped, read_json, repository_path};
use serde_json::Value as Json;
use yomikiri_rules::games::binarsi::{Binarsi, Position};
use yomikiri_rules::{CodedValue, Distance, Game, Notation, Presentation, Side, Value};
use yomikiri_search::adapters::binarsi::BinarsiProof;
use yomikiri_search::adapters::binarsi::move_generator::{CompactPosition, EndgameSolver};
use yomikiri_search::certificate::{self, Claim, check};
use yomikiri_search::proof::Prover;
use yomikiri_solve::Solvable;
use yomikiri_table::{Silent, parallel};

type Certificate = certificate::Certificate<Binarsi>;

/// Only proofs that took less than this time in seconds are repeated here.
const REPEATED: f64 = 2.0;

/// Certificates of at most this size in bytes are in the folder of the records.
const SMALL: u64 = 10_000_000;

/// Certificates whose recorded check took longer than this, in seconds, are not checked again here; `make RULES=...
/// check-proof` does that.
const QUICK: f64 = 5.0;

/// Boards of at most this number of squares are solved completely here.
const SOLVED: u64 = 10;

/// A recorded proof, finished or still open.
struct Record {
    game: Binarsi,
    json: Json,
}

impl Record {
    /// Returns the JSON answer of `prove`.
    fn said(&self) -> &Json {
        if self.json["proof"].is_null() { &self.json["open"] } else { &self.json["proof"] }
    }

    fn code(&self) -> String {
        self.game.code()
    }

    fn is_small(&self) -> bool {
        number(&self.json["certificate"]["bytes"]) <= SMALL
    }

    /// Returns the path at which the certificate is, if it is small enough to be in the folder.
    fn certificate(&self) -> PathBuf {
        repository_path(&format!("precomp/proofs/{}.proof", self.code()))
    }
}

/// Returns all records. Their files have the names of their rule codes.
fn records() -> Vec<Record> {
    let record = |path: PathBuf| {
        let game = binarsi(path.file_stem().unwrap().to_str().unwrap());
        let record = Record { game, json: read_json(&path) };
        assert_eq!(Some(record.code().as_str()), path.file_stem().unwrap().to_str(), "the shortest code");
        assert_eq!(record.said()["rules"], record.code());
        record
    };
    files("precomp/proofs", ".json").into_iter().map(record).collect()
}

/// Returns the records of finished proofs.
fn proofs() -> Vec<Record> {
    let proofs: Vec<Record> = records().into_iter().filter(|record| record.json["open"].is_null()).collect();
    assert!(proofs.len() >= 8, "recorded proofs are missing");
    proofs
}

fn number(json: &Json) -> u64 {
    json.as_u64().unwrap_or_else(|| panic!("{json}"))
}

fn side(json: &Json) -> Side {
    match json.as_str() {
        Some("black") => Side::Black,
        Some("white") => Side::White,
        _ => panic!("{json}"),
    }
}

// The records

#[test]
fn records_say_what_board_it_was_and_how_it_was_done() {
    for Record { game, json } in records() {
        let code = game.code();
        let settings: serde_json::Map<_, _> =
            game.settings().into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        assert_eq!(json["settings"], Json::Object(settings), "{code}");

        let begins = |command: &Json, with: String| command.as_str().unwrap().starts_with(&with);
        assert!(begins(&json["command"], format!("make RULES={code} record-proof")), "{code}");
        assert!(begins(&json["commands"][0], format!("yomikiri prove {code} ")), "{code}");
        assert!(json["machine"].as_str().unwrap().contains(" cores, ") && json["program"]["version"].is_string());
        assert!(json["run"]["wall_seconds"].as_f64().unwrap() >= 0.0 && number(&json["run"]["peak_memory_bytes"]) > 0);
        assert!(json["proof"].is_null() != json["open"].is_null(), "{code}: decided or open");
    }
}

#[test]
fn recorded_proofs_and_their_checks_are_about_the_same() {
    for Record { game, json } in proofs() {
        let (code, position) = (game.code(), game.position_text(&game.start()));
        let [proof, certificate, check] = ["proof", "certificate", "check"].map(|part| &json[part]);
        for part in [proof, check] {
            assert_eq!((&part["rules"], &part["position"]), (&code.clone().into(), &position.clone().into()));
        }
        assert_eq!((&proof["to_move"], &proof["stopped"]), (&"black".into(), &Json::Null), "{code}");
        assert_eq!(side(&proof["winner"]), side(&check["winner"]), "{code}");
        let (zero, none) = match side(&proof["winner"]) {
            Side::Black => ("to_win", "to_loss"),
            Side::White => ("to_loss", "to_win"),
        };
        assert_eq!((&proof[zero], &proof[none]), (&0.into(), &Json::Null), "{code}");
        assert_eq!(proof["move"].is_string(), zero == "to_win", "{code}");
        assert!(proof["seconds_in_all"].as_f64() >= proof["seconds"].as_f64());
        assert!(check["proved"] == true && check["entries"] == certificate["entries"], "{code}");
        assert_eq!(check["horizon"], certificate["horizon"], "{code}");
        assert_eq!(check["winner_to_move"], certificate["entries"], "{code}");
        for (name, digits) in [("sha256", 64), ("header_hash", 16)] {
            let hash = certificate[name].as_str().unwrap();
            assert!(hash.len() == digits && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{code}: {hash}");
        }
    }
}

#[test]
fn open_records_say_how_far_the_proof_is() {
    for Record { game, json } in records().into_iter().filter(|record| !record.json["open"].is_null()) {
        let (code, open) = (game.code(), &json["open"]);
        assert!(open["winner"].is_null() && open["stopped"].is_string(), "{code}");
        assert!(number(&open["to_win"]) > 0 && number(&open["to_loss"]) > 0 && number(&open["expansions"]) > 0);
        let legal = game.legal_moves(&game.start());
        let legal: Vec<String> = legal.into_iter().map(|mv| game.move_text(mv)).collect();
        let moves = open["moves"].as_array().unwrap();
        assert!(!moves.is_empty() && json["certificate"].is_null() && json["check"].is_null(), "{code}");
        assert!(moves.iter().all(|mv| legal.iter().any(|legal| mv["move"] == *legal)), "{code}");
    }
}

// Checks by proofs, certificates and tables

#[test]
fn small_boards_are_proved_again() {
    let quick = |record: &Record| record.said()["seconds_in_all"].as_f64().unwrap() < REPEATED;
    let small: Vec<Record> = proofs().into_iter().filter(quick).collect();
    assert!(small.len() >= 8);
    parallel::each(small.len(), |at| {
        let record = &small[at];
        let winner = Prover::new(BinarsiProof::new(&record.game), 32 << 20, 1).winner(&record.game.start(), |_| true);
        assert_eq!(winner, Some(side(&record.said()["winner"])), "{}", record.code());
    });
}

#[test]
fn kept_certificates_prove_what_is_recorded() {
    let small: Vec<Record> = proofs().into_iter().filter(Record::is_small).collect();
    assert!(small.len() >= 8);
    let kept: Vec<PathBuf> = small.iter().map(Record::certificate).collect();
    assert_eq!(files("precomp/proofs", ".proof"), kept, "certificates of up to {SMALL} bytes, and no others");
    for record in small {
        let (code, recorded) = (record.code(), &record.json["certificate"]);
        let bytes = std::fs::read(record.certificate()).unwrap();
        assert_eq!(bytes.len() as u64, number(&recorded["bytes"]), "{code}");
        let hash = u64::from_le_bytes(bytes[128..136].try_into().unwrap());
        assert_eq!(format!("{hash:016x}"), recorded["header_hash"].as_str().unwrap(), "{code}");
        let certificate = Certificate::read(&record.certificate()).unwrap();
        assert_eq!((certificate.claim.game.code(), certificate.claim.position), (code.clone(), record.game.start()));
        assert_eq!(certificate.claim.winner, side(&record.said()["winner"]), "{code}");
        if record.json["check"]["seconds"].as_f64().unwrap() > QUICK {
            continue;
        }
        let report = check(&certificate, &Silent).unwrap_or_else(|why| panic!("{code}: {why}"));
        let counts = [report.winner_to_move, report.loser_to_move, report.endgames];
        let names = ["winner_to_move", "loser_to_move", "read_out"];
        assert_eq!(counts, names.map(|name| number(&record.json["check"][name])), "{code}");
    }
}

/// Plays a game of the certificate's winner against random moves. Returns the first position within the horizon, or the
/// last position of the game if that comes first.
fn last_listed(certificate: &Certificate, random: &mut Random) -> Position {
    let (game, mut position, mut moves) = (&certificate.claim.game, certificate.claim.position, Vec::new());
    while game.terminal_value(&position).is_none()
        && game.rules.max_plies() - position.ply() > certificate.claim.horizon
    {
        let mv = if position.side() == certificate.claim.winner {
            certificate.winning_move(&position).unwrap_or_else(|| panic!("{}", game.position_text(&position)))
        } else {
            game.moves(&position, &mut moves);
            *random.pick(&moves)
        };
        position = game.play(&position, mv);
    }
    position
}

/// Certificates that take too long to check are played against random moves.
#[test]
fn large_kept_certificates_win_every_game_against_chance() {
    let takes_long = |record: &Record| record.json["check"]["seconds"].as_f64().unwrap() > QUICK;
    let large: Vec<Record> = proofs().into_iter().filter(Record::is_small).filter(takes_long).collect();
    assert!(["bin6x6", "bin7x6"].iter().all(|code| large.iter().any(|record| record.code() == *code)));
    for record in large {
        let certificate = Certificate::read(&record.certificate()).unwrap();
        let Claim { game, winner, .. } = &certificate.claim;
        let (mut random, mut reader) = (Random::new(7), EndgameSolver::new(&game.rules, 1 << 20));
        for _ in 0..500 {
            let position = last_listed(&certificate, &mut random);
            let won = match game.terminal_value(&position) {
                Some(end) => end.outcome().winner(position.side()) == Some(*winner),
                None => reader.wins(&CompactPosition::from(&position), *winner, u32::MAX, &mut |_| false).unwrap(),
            };
            assert!(won, "{} of {}", game.position_text(&position), record.code());
        }
    }
}

#[test]
fn proofs_have_the_winners_of_recorded_tables() {
    let tables: Vec<Json> = files("precomp/expected", ".json").iter().map(|path| read_json(path)).collect();
    let of_table = |code: &str| {
        let table = tables.iter().find(|table| table["stats"]["rules"] == code)?;
        Some(side(&table["stats"]["start"]["winner"]))
    };
    let both = proofs().into_iter().filter_map(|record| Some((of_table(&record.code())?, record)));
    let agree = |(winner, record): (Side, Record)| {
        assert_eq!(winner, side(&record.said()["winner"]), "{}", record.code());
        record.code()
    };
    let codes: Vec<String> = both.map(agree).collect();
    for code in ["bin3x3", "bin4x4", "bin5x4"] {
        assert!(codes.iter().any(|both| both == code), "{code} has not both");
    }
}

#[test]
fn proofs_have_the_winners_that_all_positions_of_small_boards_give() {
    let squares = |game: &Binarsi| u64::from(game.rules.files) * u64::from(game.rules.ranks);
    let small: Vec<Record> = proofs().into_iter().filter(|record| squares(&record.game) <= SOLVED).collect();
    assert!(small.len() >= 4);
    for Record { game, json } in small {
        let solved = game.solve_subgame(&game.start(), 1 << 30, &Silent).unwrap();
        let value = Distance::from_byte(solved.byte(game.rank(&game.start())).unwrap()).unwrap();
        assert_eq!(value.outcome().winner(Side::Black), Some(side(&json["proof"]["winner"])), "{}", game.code());
    }
}

// The page

#[test]
fn the_page_is_what_the_script_makes_of_the_records() {
    let page = std::fs::read_to_string(repository_path("docs/result.md")).unwrap();
    let (text, mark) = page.rsplit_once("\n<!-- scripts/result ").unwrap();
    let folders = ["precomp/expected", "precomp/solved", "precomp/proofs"];
    let records = folders.iter().flat_map(|folder| files(folder, ".json"));
    let sum = checksum(&["scripts/result"], records, text);
    assert_eq!(mark, format!("{sum} -->\n"), "make result writes docs/result.md anew");
}

/// Returns the cells of the page's table rows about a board.
fn rows<'a>(page: &'a str, code: &str) -> Vec<Vec<&'a str>> {
    let begin = format!("| `{code}` |");
    let rows = page.lines().filter(|line| line.starts_with(&begin));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn the_page_has_the_numbers_of_all_boards() {
    let page = std::fs::read_to_string(repository_path("docs/result.md")).unwrap();
    for record in records() {
        let (code, said, rules) = (record.code(), record.said(), record.game.rules);
        let rows = rows(&page, &code);
        let in_one = |cells: &[String]| {
            let found = rows.iter().any(|row| cells.iter().all(|cell| row.contains(&cell.as_str())));
            assert!(found, "{code}: no row has {cells:?}");
        };
        let mut board = vec![
            format!("{}x{}", rules.files, rules.ranks),
            rules.square_name(rules.start_file, rules.start_rank),
            rules.max_plies().to_string(),
        ];
        let mut work = vec![grouped(number(&said["expansions"])), grouped(number(&said["readings"]))];
        if said["winner"].is_null() {
            work.extend([&said["to_win"], &said["to_loss"]].map(|distance| grouped(number(distance))));
            in_one(&[board, work].concat());
            continue;
        }
        let winner = side(&said["winner"]).to_string();
        board.push(winner.clone());
        work.extend([winner, grouped(number(&record.json["certificate"]["entries"]))]);
        in_one(&board);
        in_one(&work);
        in_one(&[grouped(number(&record.json["check"]["read_out"]))]);
    }
    for path in files("precomp/expected", ".json") {
        let stats = &read_json(&path)["stats"];
        let (code, positions) = (stats["rules"].as_str().unwrap(), grouped(number(&stats["positions"])));
        assert!(rows(&page, code).iter().any(|row| row.contains(&positions.as_str())), "{code}: {positions}");
    }
}
