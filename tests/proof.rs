//! Proofs and certificates by nothing but the rules of a game, held against brute force: reversi, which has draws, passes, and
//! keys that do not tell whose move it is.

#[path = "support/certificate.rs"]
mod layout;
#[path = "support/random.rs"]
mod random;

use std::collections::HashMap;
use std::time::Duration;

use layout::Plain;
use random::Random;
use yomikiri::game::{Acyclic, Game, laws};
use yomikiri::games::binarsi::certificate::{
    self, CertificateGame, Fault, NoCertificate, Refutation, Report, check, extract,
};
use yomikiri::games::binarsi::proof::checkpoint::Checkpoints;
use yomikiri::games::binarsi::proof::{PlainProof, Prover};
use yomikiri::games::reversi::Reversi;
use yomikiri::solve::{Silent, Strategy, brute};
use yomikiri::table::TableError;
use yomikiri::value::{Outcome, Score, Side, Value};

type Position = <Reversi as Game>::Position;
type Certificate = certificate::Certificate<Reversi>;

const SIDES: [Side; 2] = [Side::Black, Side::White];

/// A board with all values below its start.
struct Board {
    game: Reversi,
    values: HashMap<u64, Score>,
}

impl Board {
    fn new(code: &str) -> Board {
        let game = Reversi::parse(code).unwrap();
        Board { values: brute::solve(&game, &game.start()), game }
    }

    fn outcome(&self, position: &Position) -> Outcome {
        let known = || self.values[&self.game.key(position)];
        self.game.end(position).unwrap_or_else(known).outcome()
    }

    /// Who wins when draws count for a side.
    fn winner(&self, position: &Position, draws: Side) -> Side {
        self.outcome(position).winner(self.game.side(position)).unwrap_or(draws)
    }

    fn prover(&self, draws: Side, bytes: u64, threads: usize) -> Prover<PlainProof<Reversi>> {
        Prover::new(PlainProof::new(&self.game, draws).unwrap(), bytes, threads)
    }

    /// A position after so many random moves, or at the end of the game.
    fn random_position(&self, random: &mut Random, plies: usize) -> Position {
        let (mut position, mut moves) = (self.game.start(), Vec::new());
        for _ in 0..plies {
            self.game.moves(&position, &mut moves);
            if !moves.is_empty() {
                position = self.game.play(&position, *random.pick(&moves));
            }
        }
        position
    }

    /// Random positions with this outcome that are not over.
    fn positions(&self, outcome: Outcome, plies: usize, count: usize) -> Vec<Position> {
        let mut random = Random::new(3);
        let positions = (0..10_000).map(|_| self.random_position(&mut random, plies));
        let found = positions.filter(|position| self.game.end(position).is_none() && self.outcome(position) == outcome);
        found.take(count).collect()
    }

    /// The certificate of a position.
    fn certificate(&self, position: &Position, draws: Side, horizon: u32) -> Certificate {
        let mut prover = self.prover(draws, 1 << 22, 1);
        let winner = prover.winner(position, |_| true).unwrap();
        extract(&mut prover, position, winner, horizon, |_| true).unwrap()
    }
}

fn file(certificate: &Certificate) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.proof.gz");
    certificate.write(&path).unwrap();
    std::fs::read(path).unwrap()
}

fn read(file: &[u8]) -> Result<Certificate, TableError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.proof.gz");
    std::fs::write(&path, file).unwrap();
    Certificate::read(&path)
}

fn checked(plain: &Plain) -> Result<Report, Refutation> {
    check(&read(&plain.file()).unwrap(), &Silent)
}

#[test]
fn every_move_brings_the_end_nearer() {
    for code in ["rev3x3", "rev4x3", "rev4x4", "rev5x5"] {
        let (game, mut random, mut moves) = (Reversi::parse(code).unwrap(), Random::new(1), Vec::new());
        for _ in 0..300 {
            let mut position = game.start();
            while game.end(&position).is_none() {
                laws::plies_left_fall(&game, &position);
                game.moves(&position, &mut moves);
                position = game.play(&position, *random.pick(&moves));
            }
        }
    }
}

/// All positions of small boards and random ones of a larger one, with tables that forget, on one and more threads.
#[test]
fn proofs_have_the_winners_of_brute_force() {
    let mut outcomes = [0; 3];
    for (code, bytes, threads, endgame) in
        [("rev3x3", 1 << 16, 1, 0), ("rev3x4", 1 << 20, 1, 3), ("rev4x3", 1 << 10, 2, 0), ("rev4x4-w", 1 << 16, 2, 4)]
    {
        let board = Board::new(code);
        for draws in SIDES {
            let mut prover = board.prover(draws, bytes, threads);
            prover.set_endgame_plies(endgame);
            let mut random = Random::new(7);
            for plies in 0..120 {
                let position = board.random_position(&mut random, plies % 13);
                let (winner, text) = (board.winner(&position, draws), board.game.position_text(&position));
                assert_eq!(prover.winner(&position, |_| true), Some(winner), "{code}, draws for {draws}: {text}");
                outcomes[board.outcome(&position) as usize] += 1;
            }
        }
    }
    assert!(outcomes.iter().all(|&count| count > 20), "{outcomes:?}");
}

#[test]
fn certificates_hold_after_a_trip_through_a_file() {
    let board = Board::new("rev4x4");
    let (mut listed, mut passed, mut endgames) = (0, 0, 0);
    for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
        let positions = board.positions(outcome, 5, 6);
        assert_eq!(positions.len(), 6);
        for position in positions {
            for (draws, horizon) in SIDES.into_iter().flat_map(|draws| [0, 4].map(|horizon| (draws, horizon))) {
                let certificate = board.certificate(&position, draws, horizon);
                assert_eq!(certificate.winner, board.winner(&position, draws));
                let written = file(&certificate);
                let read = read(&written).unwrap();
                assert_eq!((read.draws, read.winner, read.horizon), (Some(draws), certificate.winner, horizon));
                assert!(file(&read) == written, "the same file again");
                let report = check(&read, &Silent).unwrap();
                assert_eq!((report.winner_to_move, report.unneeded), (read.len() as u64, 0));
                assert!(horizon > 0 || report.endgames == 0);
                endgames += report.endgames;
                listed += read.len();
                let keys = Plain::of(&written).entries.into_iter();
                let must_pass = |key| board.game.plies_left(&board.game.position_of_key(key).unwrap()) % 2 == 0;
                passed += keys.filter(|&(key, _)| must_pass(key)).count();
            }
        }
    }
    assert!(
        listed > 500 && passed > 3 && endgames > 50,
        "{listed} listed, {passed} of them passes, {endgames} endgames"
    );
}

/// Plays all games of the loser against a certificate.
fn play_all(board: &Board, certificate: &Certificate, position: &Position) {
    let (game, side) = (&board.game, board.game.side(position));
    if let Some(end) = game.end(position) {
        let winner = end.outcome().winner(side).unwrap_or(certificate.draws.unwrap());
        return assert_eq!(winner, certificate.winner, "{}", game.position_text(position));
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    if side == certificate.winner {
        let mv = certificate.winning_move(position).unwrap();
        assert!(moves.contains(&mv));
        moves = vec![mv];
    }
    for mv in moves {
        play_all(board, certificate, &game.play(position, mv));
    }
}

#[test]
fn who_plays_by_a_certificate_wins_every_game() {
    let board = Board::new("rev4x4");
    for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
        for position in board.positions(outcome, 5, 4) {
            for draws in SIDES {
                let certificate = board.certificate(&position, draws, 0);
                play_all(&board, &certificate, &position);
                // A draw may be all that a winner has for whom draws count.
                let told = Strategy::winner(&certificate, &position);
                assert_eq!(told, (certificate.winner != draws).then_some(certificate.winner));
                assert!(
                    told.is_none_or(
                        |winner| board.outcome(&position).winner(board.game.side(&position)) == Some(winner)
                    )
                );
            }
        }
    }
}

#[test]
fn the_other_side_has_no_certificate() {
    let board = Board::new("rev3x4");
    for draws in SIDES {
        let mut prover = board.prover(draws, 1 << 16, 1);
        let start = board.game.start();
        let loser = board.winner(&start, draws).other();
        assert!(matches!(extract(&mut prover, &start, loser, 0, |_| true), Err(NoCertificate::NotWon(_))));
    }
}

/// The longest certificate of some drawn positions, in which it matters for whom draws count, and its file taken apart.
fn drawn(board: &Board, draws: Side) -> (Certificate, Plain) {
    let certificates = board.positions(Outcome::Draw, 5, 8).into_iter().map(|at| board.certificate(&at, draws, 0));
    let certificate = certificates.max_by_key(Certificate::len).unwrap();
    let plain = Plain::of(&file(&certificate));
    assert!((10..2000).contains(&plain.entries.len()), "{} entries", plain.entries.len());
    (certificate, plain)
}

#[test]
fn every_entry_is_needed() {
    let board = Board::new("rev4x4");
    let (_, plain) = drawn(&board, Side::White);
    for at in 0..plain.entries.len() {
        let mut entries = plain.entries.clone();
        let (key, _) = entries.remove(at);
        let refuted = checked(&plain.with_entries(entries)).unwrap_err();
        let position = board.game.position_of_key(key).unwrap();
        assert_eq!((refuted.position, refuted.fault), (board.game.position_text(&position), Fault::NoMove));
    }
}

/// Other bytes for every move: what is accepted is as good, and what is refused is named.
#[test]
fn other_moves_are_refused_unless_they_win() {
    let board = Board::new("rev4x4");
    for draws in SIDES {
        let (certificate, plain) = drawn(&board, draws);
        let (game, mut counts) = (&board.game, [0; 3]);
        let mut moves = Vec::new();
        for at in 0..plain.entries.len() {
            let (key, right) = plain.entries[at];
            let position = game.position_of_key(key).unwrap();
            game.moves(&position, &mut moves);
            for byte in (0..=moves.len() as u8).chain([255]).filter(|&byte| byte != right) {
                let mut entries = plain.entries.clone();
                entries[at].1 = byte;
                match (checked(&plain.with_entries(entries)), moves.get(usize::from(byte))) {
                    (Ok(_), mv) => {
                        let after = board.outcome(&game.play(&position, *mv.unwrap()));
                        assert!(after == Outcome::Loss || after == Outcome::Draw && certificate.winner == draws);
                        counts[0] += 1;
                    }
                    (Err(refuted), None) => {
                        let name = game.byte_text(byte).unwrap();
                        assert_eq!(refuted.fault, Fault::IllegalMove(name));
                        assert_eq!(refuted.position, game.position_text(&position));
                        counts[1] += 1;
                    }
                    (Err(refuted), Some(_)) => {
                        assert!(matches!(refuted.fault, Fault::NoMove | Fault::Lost(_)), "{refuted}");
                        counts[2] += 1;
                    }
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}

#[test]
fn claims_that_are_too_strong_are_refuted() {
    let board = Board::new("rev4x4");
    for (draws, other) in [("black", "white"), ("white", "black")] {
        let side = SIDES[usize::from(draws == "white")];
        let (certificate, plain) = drawn(&board, side);
        assert_eq!(certificate.winner, side);
        assert_eq!(plain.lines[4..6], [format!("winner {draws}"), format!("draws {draws}")]);
        // Draws do not count for the winner, or the game has none: but it gets no more than draws.
        assert!(checked(&plain.with_line(&format!("draws {other}"))).is_err());
        let mut without = plain.clone();
        without.lines.remove(5);
        assert!(checked(&without).is_err());
        assert!(checked(&plain.with_line(&format!("winner {other}"))).is_err());
        // Left to be solved, it is refuted as well.
        let solved = plain.with_line("horizon 40");
        assert_eq!(checked(&solved).map(|report| report.endgames), Ok(1));
        let refuted = checked(&solved.with_line(&format!("draws {other}"))).unwrap_err();
        assert_eq!(refuted.fault, Fault::LostEndgame);
    }
}

#[test]
fn senseless_files_are_refused() {
    let plain = drawn(&Board::new("rev4x4"), Side::Black).1;
    let key = 3u64.pow(16);
    for (plain, part) in [
        (plain.with_line("draws grey"), "\"grey\" is no side"),
        (plain.with_line("draws"), "has no line \"horizon\" in its place"),
        (plain.with_line("rules bin2x2"), "rule code \"bin2x2\""),
        (plain.with_line("rules rev8x8"), "board"),
        (plain.with_entries(vec![(key, 0)]), "none of its board"),
    ] {
        let line = read(&plain.file()).map(|_| ()).unwrap_err().to_string();
        assert!(line.contains(part), "{line} has no {part}");
    }
}

#[test]
fn boards_without_fitting_keys_are_refused() {
    for (code, fits) in [("rev6x6", true), ("rev5x8", false), ("rev8x8", false)] {
        assert_eq!(PlainProof::new(&Reversi::parse(code).unwrap(), Side::Black).is_ok(), fits, "{code}");
    }
}

#[test]
fn proofs_go_on_from_a_checkpoint_with_draws_for_the_same_side() {
    let board = Board::new("rev4x4");
    let (start, folder) = (board.game.start(), tempfile::tempdir().unwrap());
    let mut first = board.prover(Side::Black, 1 << 22, 1);
    assert_eq!(first.winner(&start, |_| true), Some(Side::White));
    let mut checkpoints = Checkpoints::open(folder.path(), 0).unwrap();
    let kept = checkpoints.keep(&first.state(&start), &start, Duration::ZERO, &mut || true).unwrap().unwrap();
    let mut second = board.prover(Side::Black, 1 << 22, 1);
    let resumed = checkpoints.resume(&mut second, &start).unwrap().unwrap();
    assert_eq!((resumed.entries, second.state(&start).work), (kept.entries, first.state(&start).work));
    assert_eq!(second.winner(&start, |_| true), Some(Side::White));
    assert!(second.state(&start).work <= first.state(&start).work + 1, "it is known already");
    let mut other = board.prover(Side::White, 1 << 22, 1);
    let refused = checkpoints.resume(&mut other, &start).map(|_| ()).unwrap_err();
    assert!(refused.to_string().ends_with("checkpoint of another version of the program"), "{refused}");
}
