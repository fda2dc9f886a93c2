//! Tests of answers by proof or by search, without a table. Their values must be those of the table.

use std::path::Path;
use std::sync::Arc;

use yomikiri_answer::{
    Answerer, MoveReport, Oracle, ProofLimits, ProofObserver, ProofQuestion, QueryReport, Source, ValueBound,
};
use yomikiri_rules::{AnyGame, AnyPosition, Game, Measure, Notation, Outcome, Side};
use yomikiri_table::Silent;
use yomikiri_table::probe::open;

use crate::support::command::table;
use crate::support::games::{any, random_game};
use crate::support::random::Random;

/// An observer that ends a question when `go_on` has been called `left` times, and keeps the reports.
struct LimitedWatch {
    left: u32,
    found: Option<(Option<Side>, Option<Measure>)>,
    moves: Vec<MoveReport>,
}

impl LimitedWatch {
    fn new(left: u32) -> LimitedWatch {
        LimitedWatch { left, found: None, moves: Vec::new() }
    }
}

impl ProofObserver for LimitedWatch {
    fn go_on(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn found_winner(&mut self, winner: Option<Side>, measure: Option<Measure>) {
        assert_eq!(self.found.replace((winner, measure)), None, "it is told once");
    }

    fn found_move(&mut self, report: &MoveReport, decided: usize, all: usize) {
        assert!(decided <= all && report.outcome.is_some());
        self.moves.push(report.clone());
    }
}

const EVERYTHING: ProofQuestion = ProofQuestion { moves: true, plies: true, beyond_certificates: true };

/// Returns the answer to a question without a table, and the reports before it. There is too little memory to solve
/// subgames.
fn prove(game: &AnyGame, position: &AnyPosition, question: ProofQuestion) -> (QueryReport, LimitedWatch) {
    prove_on(2, game, position, question)
}

/// As [`prove`], on a number of threads.
fn prove_on(
    threads: usize,
    game: &AnyGame,
    position: &AnyPosition,
    question: ProofQuestion,
) -> (QueryReport, LimitedWatch) {
    let mut answerer = Answerer::new(game, Path::new("nowhere"));
    answerer.set_proofs(ProofLimits { memory: 1 << 20, threads });
    let mut looks = LimitedWatch::new(u32::MAX);
    let report = QueryReport::prove(&mut answerer, position, 1, question, &Silent, &mut looks).unwrap();
    (report, looks)
}

/// Opens the table of a variant.
fn oracle_of(game: &AnyGame) -> Oracle<'_> {
    let code = game.code();
    let folder = table(&code);
    Oracle::of_table(game, Arc::new(open(game, &folder.path().join(format!("{code}.tbl"))).unwrap()))
}

#[test]
fn proofs_say_what_the_table_says() {
    for (code, games) in [("bin4x4", 12), ("bin4x3-n", 8), ("bin3x4-m", 8), ("bin4x3-t232-kb1.5", 8)] {
        let game = any(code);
        let oracle = oracle_of(&game);
        let (mut random, mut proved) = (Random::new(5), 0);
        for position in (0..games).flat_map(|_| random_game(&game, &mut random)).step_by(3) {
            if game.terminal_value(&position).is_some() {
                continue;
            }
            let text = game.position_text(&position);
            let answer = oracle.answer(&position).unwrap();
            let by_table = QueryReport::exact(&game, &position, &answer, Some(Source::Table));
            let (report, looks) = prove(&game, &position, EVERYTHING);
            assert_eq!((report.outcome, report.winner), (by_table.outcome, by_table.winner), "{text}");
            assert_eq!(looks.found.and_then(|(winner, _)| winner), by_table.winner, "{text}");
            assert_eq!(report.measure, by_table.measure, "{text}");
            let words = |report: &QueryReport| serde_json::to_value(&report.moves).unwrap();
            assert_eq!(words(&report), words(&by_table), "{text}");
            // The same question is asked without plies, and then also without moves.
            let (report, _) = prove(&game, &position, ProofQuestion { plies: false, ..EVERYTHING });
            assert_eq!((report.outcome, report.source), (by_table.outcome, Some(Source::Proof)), "{text}");
            // A win with the next move is reported with its plies even so.
            assert!([Measure::Distance { plies: None }, by_table.measure].contains(&report.measure), "{text}");
            for mv in &report.moves {
                let same = by_table.moves.iter().find(|other| other.mv == mv.mv).unwrap();
                assert_eq!(mv.outcome, same.outcome, "{text} {}", mv.mv);
            }
            let (report, looks) = prove(&game, &position, ProofQuestion { moves: false, plies: false, ..EVERYTHING });
            let winner = looks.found.and_then(|(winner, _)| winner);
            assert_eq!((report.outcome, winner), (by_table.outcome, by_table.winner), "{text}");
            proved += 1;
        }
        assert!(proved > 20, "{code}: {proved}");
    }
}

/// Compares searches with the table, on two threads and in slices on the calling thread alone.
#[test]
fn searches_say_what_the_table_says() {
    // The last field is the minimum number of answers that are found move by move.
    for (code, games, long) in
        [("bin3x3-p", 8, 0), ("bin4x3-p", 3, 4), ("bin3x4-n-p", 3, 4), ("con5x4", 2, 0), ("rev4x4", 4, 0)]
    {
        let game = any(code);
        let oracle = oracle_of(&game);
        let (mut random, mut streamed) = (Random::new(7), 0);
        for position in (0..games).flat_map(|_| random_game(&game, &mut random)).step_by(2) {
            if game.terminal_value(&position).is_some() {
                continue;
            }
            let text = game.position_text(&position);
            let answer = oracle.answer(&position).unwrap();
            let by_table = QueryReport::exact(&game, &position, &answer, Some(Source::Search));
            for threads in [0, 2] {
                let (report, looks) = prove_on(threads, &game, &position, EVERYTHING);
                assert_eq!(sorted(&report), sorted(&by_table), "{text}");
                // Short searches answer at once, without reports.
                if let Some(found) = looks.found {
                    assert_eq!(found, (by_table.winner, Some(by_table.measure)), "{text}");
                    assert_eq!(looks.moves.len(), report.moves.len(), "{text}");
                    streamed += 1;
                }
                let question = ProofQuestion { moves: false, ..EVERYTHING };
                let (report, _) = prove_on(threads, &game, &position, question);
                assert_eq!((report.outcome, report.measure), (by_table.outcome, by_table.measure), "{text}");
            }
        }
        assert!(streamed >= long, "{code}: {streamed}");
    }
}

/// Returns a report as JSON, with its moves in the order of their names.
fn sorted(report: &QueryReport) -> String {
    let mut report = report.clone();
    report.moves.sort_by(|one, other| one.mv.cmp(&other.mv));
    serde_json::to_string(&report).unwrap()
}

/// A position with 25 empty squares is not searched at once, but move by move.
#[test]
fn connect_four_is_searched_move_by_move() {
    let game = any("con5x5");
    for threads in [0, 2] {
        let (report, looks) = prove_on(threads, &game, &game.start(), EVERYTHING);
        let told = serde_json::to_value(&report).unwrap();
        assert_eq!((&told["source"], &told["outcome"]), (&"search".into(), &"draw".into()));
        assert_eq!(looks.found, Some((None, Some(Measure::Distance { plies: None }))));
        assert_eq!(looks.moves.len(), 5);
        let outcome = |name: &str| report.moves.iter().find(|mv| mv.mv == name).unwrap().outcome;
        for (left, right) in [("1", "5"), ("2", "4")] {
            assert_eq!(outcome(left), outcome(right));
        }
    }
}

#[test]
fn a_question_that_is_ended_leaves_open_what_was_not_found() {
    for (code, text, source) in [
        ("bin7x6", "startpos moves 4n", Source::Proof),
        ("con7x6", "startpos", Source::Search),
        ("rev6x6", "startpos", Source::Search),
        ("bin5x4-p", "startpos", Source::Search),
    ] {
        let game = any(code);
        let position = game.parse_position(text).unwrap();
        let mut answerer = Answerer::new(&game, Path::new("nowhere"));
        for (looks, threads) in [(1, 1), (3, 1), (3, 0)] {
            answerer.set_proofs(ProofLimits { memory: 1 << 20, threads });
            let mut looks = LimitedWatch::new(looks);
            let report = QueryReport::prove(&mut answerer, &position, 1, EVERYTHING, &Silent, &mut looks).unwrap();
            assert_eq!((report.outcome, report.winner, report.source), (None, None, Some(source)), "{code}");
            assert!(report.moves.iter().all(|mv| mv.outcome.is_none()) && looks.moves.is_empty(), "{code}");
            assert_eq!(report.moves.len(), game.legal_moves(&position).len(), "{code}");
        }
    }
}

#[test]
fn what_was_found_out_stays_for_the_next_question() {
    let game = any("bin5x4");
    let position = (0..4).fold(game.start(), |here, _| game.play(&here, game.legal_moves(&here)[0]));
    let mut answerer = Answerer::new(&game, Path::new("nowhere"));
    answerer.set_proofs(ProofLimits { memory: 64 << 20, threads: 1 });
    let question = ProofQuestion { plies: false, ..EVERYTHING };
    let mut ask = |looks: u32| {
        let mut looks = LimitedWatch::new(looks);
        QueryReport::prove(&mut answerer, &position, 1, question, &Silent, &mut looks).unwrap()
    };
    let first = ask(u32::MAX);
    // The transposition table has everything that the second answer needs.
    let again = ask(u32::MAX);
    let words = |report: &QueryReport| serde_json::to_string(report).unwrap();
    assert_eq!(words(&first), words(&again));
    assert!(first.outcome.is_some() && first.moves.iter().all(|mv| mv.outcome.is_some()));
}

/// Asks again and again for a moment about a position that takes a longer search. All bounds hold, they only narrow, and
/// the winner is named as soon as they tell it.
#[test]
fn bounds_of_an_unfinished_search_hold() {
    let worth = |bound: Option<ValueBound>| bound.map(|bound| worth_of(bound.outcome, bound.measure));
    let (mut one_sided, mut early) = (0, 0);
    for (code, text, threads) in
        [("con5x5", "1111", 0), ("con5x5", "1111", 2), ("rev5x5", "startpos", 0), ("rev5x4", "startpos", 2)]
    {
        let game = any(code);
        let position = game.parse_position(text).unwrap();
        let (exact, _) = prove_on(2, &game, &position, ProofQuestion { moves: false, ..EVERYTHING });
        let value = worth_of(exact.outcome.unwrap(), exact.measure);
        assert!(exact.at_least.is_none() && exact.at_most.is_none(), "{code}");
        let mut answerer = Answerer::new(&game, Path::new("nowhere"));
        answerer.set_proofs(ProofLimits { memory: 8 << 20, threads });
        let (mut least, mut most, mut asked) = (None, None, 0);
        loop {
            // The moves are searched every other time. A move that ends the game has a value at once.
            let question = ProofQuestion { moves: asked % 2 == 1, ..EVERYTHING };
            let mut watch = LimitedWatch::new(3);
            let report = QueryReport::prove(&mut answerer, &position, 1, question, &Silent, &mut watch).unwrap();
            let text = serde_json::to_string(&report).unwrap();
            if report.outcome.is_some() && report.at_least.is_none() && report.at_most.is_none() {
                assert_eq!((report.outcome, report.measure), (exact.outcome, exact.measure), "{text}");
                break;
            }
            let [lower, upper] = [worth(report.at_least), worth(report.at_most)];
            let mut moves = report.moves.iter().filter(|mv| mv.measure != Measure::Distance { plies: None });
            assert!(moves.all(|mv| Some(worth_of(mv.outcome.unwrap(), mv.measure)) <= lower), "{text}");
            assert!(lower.is_none_or(|lower| lower <= value) && upper.is_none_or(|upper| upper >= value), "{text}");
            // Without its moves, a position may have the lower bound of its own search only.
            assert!(lower >= least || !question.moves, "{text}");
            assert!(most.is_none() || upper.is_some_and(|upper| Some(upper) <= most), "{text}");
            assert!(report.outcome.is_none() || report.outcome == exact.outcome, "{text}");
            one_sided += u32::from(lower.is_some() != upper.is_some());
            early += u32::from(report.winner.is_some());
            (least, most, asked) = (lower.max(least), upper, asked + 1);
            assert!(asked < 10_000, "{code}");
        }
    }
    assert!(one_sided > 0 && early > 0, "{one_sided} {early}");
}

/// Returns a number that grows with the value.
fn worth_of(outcome: Outcome, measure: Measure) -> i32 {
    let plies = |measure| if let Measure::Distance { plies: Some(plies) } = measure { i32::from(plies.0) } else { 0 };
    match (measure, outcome) {
        (Measure::Score { score }, _) => score.into(),
        (_, Outcome::Win) => 1000 - plies(measure),
        (_, Outcome::Draw) => 0,
        (_, Outcome::Loss) => plies(measure) - 1000,
    }
}
