//! Tests of players and queries that answer by certificates, without a table. The output of the command is tested in
//! the folder sessions.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::OnceLock;

use crate::recorder::Recorder;
use crate::support::command::{command, good, good_json};
use crate::support::games::{any, binarsi, legal_moves, random_game};
use crate::support::random::Random;
use crate::support::repository::{json_lines, repository_path};
use crate::support::terminal::Terminal;
use serde_json::Value as Json;
use tempfile::TempDir;
use yomikiri_answer::{Answerer, Certificates, Source, Trust};
use yomikiri_play::{CombinedPlayer, Limits, Player, PlayerReport, Score, ScoreSource, Session};
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Acyclic, Game, Notation, Outcome, Registered, Side, Value};
use yomikiri_search::adapters::binarsi::BinarsiProof;
use yomikiri_search::certificate::{self, extract};
use yomikiri_search::proof::Prover;
use yomikiri_table::{Silent, name};

type Certificate = certificate::Certificate<Binarsi>;

/// A board on which White wins. It has too many positions to be solved for one question.
const CODE: &str = "bin4x4";

const HORIZON: u32 = 5;

fn certificate() -> &'static Certificate {
    static CERTIFICATE: OnceLock<Certificate> = OnceLock::new();
    CERTIFICATE.get_or_init(|| {
        let game = binarsi(CODE);
        let mut prover = Prover::new(BinarsiProof::new(&game), 1 << 24, 1);
        assert_eq!(prover.winner(&game.start(), |_| true), Some(Side::White));
        extract(&mut prover, &game.start(), Side::White, HORIZON, |_| true).unwrap()
    })
}

/// Returns a new folder with the certificate and no table.
fn place() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    certificate().write(&name::proof(folder.path(), CODE)).unwrap();
    folder
}

/// Outcomes by the files alone are those that are known when positions near the end are solved, too. Only moves that
/// end the game have a value.
#[test]
fn moves_are_judged_by_the_files_alone() {
    let (game, folder, mut random, mut solved) = (any(CODE), place(), Random::new(23), 0);
    let mut answerer = Answerer::new(&game, folder.path());
    for position in (0..20).flat_map(|_| random_game(&game, &mut random)) {
        if game.terminal_value(&position).is_some() {
            continue;
        }
        let mut all = answerer.judge(&position, &Silent).unwrap();
        for quick in answerer.judge_by_files(&position).unwrap() {
            let slow = all.swap_remove(all.iter().position(|slow| slow.mv == quick.mv).unwrap());
            assert_eq!(quick.value.is_some(), game.terminal_value(&quick.position).is_some());
            assert!(quick.outcome.is_none() || quick.outcome == slow.outcome, "{}", game.move_text(quick.mv));
            solved += u32::from(quick.value.is_none() && slow.value.is_some());
        }
    }
    assert!(solved > 50, "{solved}");
}

#[test]
fn winners_are_known_as_far_as_the_certificate_goes() {
    let (game, any, folder) = (binarsi(CODE), any(CODE), place());
    let certificates = Certificates::open(&any, folder.path());
    let mut random = Random::new(3);
    let mut known = [0; 2];
    for _ in 0..40 {
        let mut here = game.start();
        while game.end(&here).is_none() {
            let left = game.rules.max_plies() - here.ply();
            let position = Binarsi::any_position(here);
            let winner = certificates.winner(&position).unwrap();
            let listed = certificates.winning_move(&position).unwrap().map(Binarsi::move_of);
            // White follows the certificate as long as possible, so it covers all positions up to its horizon.
            let expected =
                if left > HORIZON + u32::from(here.side() == Side::Black) { Some(Side::White) } else { None };
            if expected.is_some() || here.side() == Side::White {
                assert_eq!(winner, expected, "{}", game.position_text(&here));
            }
            assert_eq!(listed.is_some(), expected.is_some() && here.side() == Side::White);
            known[usize::from(winner.is_some())] += 1;
            let mv = listed.unwrap_or_else(|| *random.pick(&legal_moves(&game, &here)));
            here = game.play(&here, mv);
        }
    }
    assert!(known[0] > 0 && known[1] > 100, "{known:?}");
}

#[test]
fn recorded_certificates_answer_without_more_ado() {
    let precomp = repository_path("precomp");
    for (code, winner) in [("bin5x5-s3c", "black"), ("bin6x5-s3c", "white"), ("bin6x6", "white"), ("bin7x6", "black")] {
        let start = good_json(&precomp, &["query", code, "startpos", "--json"]);
        assert_eq!((&start["winner"], &start["plies"]), (&winner.into(), &Json::Null), "{code}");
    }
}

/// Returns a new folder with the recorded certificate of a code.
fn recorded_place(code: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let recorded = repository_path("precomp").join(format!("proofs/{code}.proof"));
    std::fs::copy(recorded, name::proof(folder.path(), code)).unwrap();
    folder
}

#[test]
fn a_stream_begins_with_what_the_certificate_knows() {
    let folder = recorded_place("bin5x5");
    let told = good(folder.path(), &["query", "bin5x5", "startpos", "--json", "--stream", "--time", "1ms"]);
    let lines = json_lines(&told);
    assert_eq!(lines[0]["winner"], "black");
    let (report, moves) = (lines.last().unwrap(), &lines[1..lines.len() - 1]);
    assert_eq!((&moves[0]["move"], &moves[0]["outcome"]), (&"an".into(), &"win".into()));
    for (mv, decided) in moves.iter().zip(1..) {
        assert_eq!((&mv["decided"], &mv["of"]), (&decided.into(), &4.into()), "{told}");
    }
    let known = report["moves"].as_array().unwrap().iter().filter(|mv| mv["outcome"].is_string());
    assert_eq!(known.count(), moves.len(), "{told}");
}

/// The answer to the first line does not wait for the proof that the second one needs, which takes hours.
#[test]
fn an_answer_does_not_wait_for_the_next_position() {
    let folder = tempfile::tempdir().unwrap();
    let mut query = command(folder.path(), &["query", "bin7x6", "-", "--brief", "--time", "100h"]);
    let mut child = query.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"nowhere\nstartpos moves 4n\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("{\"error\":"), "{line}");
}

/// One ply before the horizon, the certificate does not list the positions after the moves, so a query solves them. Two
/// plies before it, with the loser to move, the certificate lists them.
#[test]
fn a_query_knows_every_move_just_above_the_horizon() {
    const HORIZON: u32 = 6;
    for code in ["bin4x4", "bin5x4"] {
        let folder = recorded_place(code);
        let (game, any) = (binarsi(code), any(code));
        let certificates = Certificates::open(&any, folder.path());
        let winner = certificates.winner(&any.start()).unwrap().unwrap();
        let query = |position: &str| good_json(folder.path(), &["query", code, position, "--json"]);
        let (mut random, mut asked) = (Random::new(5), [0; 2]);
        while asked[0] + asked[1] < 4 {
            let left = HORIZON + 1 + u32::from(asked[0] < asked[1]);
            let mut here = game.start();
            while game.end(&here).is_none() && game.plies_left(&here) > left {
                let listed = certificates.winning_move(&Binarsi::any_position(here)).unwrap().map(Binarsi::move_of);
                here = game.play(&here, listed.unwrap_or_else(|| *random.pick(&legal_moves(&game, &here))));
            }
            if game.end(&here).is_some() {
                continue;
            }
            let text = game.position_text(&here);
            let (found, near) = (query(&text), left == HORIZON + 1);
            assert_eq!(here.side() == winner, near, "{text}");
            asked[usize::from(near)] += 1;
            let moves = found["moves"].as_array().unwrap();
            let best = if near { "win" } else { "loss" };
            assert_eq!((&moves[0]["outcome"], &found["outcome"]), (&best.into(), &best.into()), "{text}");
            assert!(moves.iter().all(|mv| mv["outcome"].is_string()), "{text}: {found}");
            assert!(!near || moves.iter().all(|mv| mv["plies"].is_u64()), "{text}: {found}");
            // The answer about a move agrees with a query of the position after it.
            let mv = random.pick(moves);
            let child = query(mv["position"].as_str().unwrap());
            let opposite = if child["outcome"] == "win" { "loss" } else { "win" };
            assert_eq!(mv["outcome"], opposite, "{text}: {mv}");
            assert!(!near || mv["plies"].as_i64() == child["plies"].as_i64().map(|plies| plies + 1), "{text}: {mv}");
        }
        assert_eq!(asked, [2, 2]);
    }
}

#[test]
fn a_certificate_from_a_later_position_is_found() {
    let (game, any, folder) = (binarsi(CODE), any(CODE), tempfile::tempdir().unwrap());
    let position = game.parse_position("startpos moves 1n an").unwrap();
    let mut prover = Prover::new(BinarsiProof::new(&game), 1 << 24, 1);
    let winner = prover.winner(&position, |_| true).unwrap();
    let certificate = extract(&mut prover, &position, winner, 5, |_| true).unwrap();
    certificate.write(&name::proof_below(folder.path(), CODE, game.rank(&position))).unwrap();
    let certificates = Certificates::open(&any, folder.path());
    assert_eq!(
        (certificates.winner(&Binarsi::any_position(position)).unwrap(), certificates.winner(&any.start()).unwrap()),
        (Some(winner), None)
    );
    let found = good_json(folder.path(), &["query", CODE, "startpos moves 1n an", "--json"]);
    assert_eq!(found["winner"], if winner == Side::Black { "black" } else { "white" });
    assert!(found["plies"].is_null());
}

/// White plays by the certificate, and by search within its horizon. Black plays at random.
#[test]
fn the_machine_wins_what_the_certificate_wins() {
    let (game, any, folder) = (binarsi(CODE), any(CODE), place());
    let mut machine = CombinedPlayer::new(&any, folder.path());
    let (limits, mut random) = (Limits { depth: Some(1), ..Limits::default() }, Random::new(8));
    let mut sources = [0; 2];
    for _ in 0..6 {
        let mut here = game.start();
        while game.end(&here).is_none() {
            let mut mv = *random.pick(&legal_moves(&game, &here));
            if here.side() == Side::White {
                let mut recorder = Recorder::patient();
                let choice =
                    machine.choose(&Session::new(&any, Binarsi::any_position(here)), &limits, &mut recorder).unwrap();
                mv = Binarsi::move_of(choice.mv);
                let listed = certificate().winning_move(&here);
                sources[usize::from(listed.is_some())] += 1;
                if let Some(listed) = listed {
                    let score = Score::Decided(Outcome::Win);
                    // Nobody has run `check` on this certificate.
                    let known = PlayerReport::Known {
                        score,
                        mv: Binarsi::any_move(listed),
                        source: ScoreSource::new(Source::Certificate, Some(Trust::Unchecked)),
                    };
                    assert_eq!((choice.score, recorder.reports), (score, vec![known]));
                }
            }
            here = game.play(&here, mv);
        }
        let winner = game.terminal_value(&here).and_then(|value| value.outcome().winner(here.side()));
        assert_eq!(winner, Some(Side::White));
    }
    assert!(sources.iter().all(|&count| count > 0), "{sources:?}");
}

#[test]
fn the_machine_knows_when_it_is_lost_and_searches() {
    let (any, folder) = (any(CODE), place());
    let mut machine = CombinedPlayer::new(&any, folder.path());
    let (session, mut recorder) = (Session::new(&any, any.start()), Recorder::patient());
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let choice = machine.choose(&session, &limits, &mut recorder).unwrap();
    assert_eq!(choice.score, Score::Decided(Outcome::Loss));
    let remark =
        PlayerReport::Remark("the position is lost according to an unchecked certificate; searching for a move".into());
    assert_eq!(recorder.reports[0], remark);
    machine.uses_table = false;
    let mut recorder = Recorder::patient();
    let choice = machine.choose(&session, &limits, &mut recorder).unwrap();
    assert!(matches!(choice.score, Score::Guess(_)) && recorder.reports[0] != remark, "{choice:?}");
}

/// At a terminal, where each move is shown once it is decided, the end names the unchecked certificate too.
#[test]
fn a_query_at_a_terminal_says_that_the_certificate_is_unchecked() {
    let folder = place();
    let tables = folder.path().display();
    let line = format!("yomikiri query {CODE} 'startpos moves 1n' --time 2m --threads 1 --tables {tables}");
    let told = Terminal::open(&line).finish();
    assert!(told.contains("of 12 moves win:"), "{told}");
    let expected = "The winner is known by an unchecked certificate (check it with: yomikiri check ";
    assert!(told.contains(expected), "{told}");
}
