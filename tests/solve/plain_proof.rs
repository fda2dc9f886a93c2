//! Proofs and certificates by nothing but the rules of a game, held against brute force: Connect Four, and reversi,
//! which has passes and keys that do not tell whose move it is. Both have draws.

use std::collections::HashMap;
use std::time::Duration;

use crate::support::certificate::Plain;
use crate::support::games::{connect_four, legal_moves, random_game, reversi};
use crate::support::random::Random;
use yomikiri_rules::game::{Acyclic, Game, laws};
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::value::{Outcome, Side, Value};
use yomikiri_solve::certificate::{
    Certificate, CertificateGame, Fault, NoCertificate, Refutation, Report, check, extract,
};
use yomikiri_solve::proof::checkpoint::Checkpoints;
use yomikiri_solve::proof::{PlainProof, Prover};
use yomikiri_solve::{Strategy, brute};
use yomikiri_table::TableError;
use yomikiri_table::progress::Silent;

const SIDES: [Side; 2] = [Side::Black, Side::White];

const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

/// A board with all values below its start.
struct Board<G: Game> {
    game: G,
    values: HashMap<u64, G::Value>,
}

impl<G: CertificateGame> Board<G> {
    fn new(game: G) -> Board<G> {
        Board { values: brute::solve(&game, &game.start()), game }
    }

    fn outcome(&self, position: &G::Position) -> Outcome {
        let known = || self.values[&self.game.rank(position)];
        self.game.terminal_value(position).unwrap_or_else(known).outcome()
    }

    /// Who wins when draws count for a side.
    fn winner(&self, position: &G::Position, draws: Side) -> Side {
        self.outcome(position).winner(self.game.side(position)).unwrap_or(draws)
    }

    fn prover(&self, draws: Side, bytes: u64, threads: usize) -> Prover<PlainProof<G>> {
        Prover::new(PlainProof::new(&self.game, draws).unwrap(), bytes, threads)
    }

    /// A position after so many random moves, or at the end of the game.
    fn random_position(&self, random: &mut Random, plies: usize) -> G::Position {
        let mut position = self.game.start();
        for _ in 0..plies {
            let moves = legal_moves(&self.game, &position);
            if !moves.is_empty() {
                position = self.game.play(&position, *random.pick(&moves));
            }
        }
        position
    }

    /// Random positions with this outcome that are not over.
    fn positions(&self, outcome: Outcome, plies: usize, count: usize) -> Vec<G::Position> {
        let mut random = Random::new(3);
        let positions = (0..10_000).map(|_| self.random_position(&mut random, plies));
        let found = positions
            .filter(|position| self.game.terminal_value(position).is_none() && self.outcome(position) == outcome);
        found.take(count).collect()
    }

    /// The certificate of a position.
    fn certificate(&self, position: &G::Position, draws: Side, horizon: u32) -> Certificate<G> {
        let mut prover = self.prover(draws, 1 << 22, 1);
        let winner = prover.winner(position, |_| true).unwrap();
        extract(&mut prover, position, winner, horizon, |_| true).unwrap()
    }
}

fn file<G: CertificateGame>(certificate: &Certificate<G>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.proof.gz");
    certificate.write(&path).unwrap();
    std::fs::read(path).unwrap()
}

fn read<G: CertificateGame>(file: &[u8]) -> Result<Certificate<G>, TableError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.proof.gz");
    std::fs::write(&path, file).unwrap();
    Certificate::read(&path)
}

fn checked<G: CertificateGame>(_: &G, plain: &Plain) -> Result<Report, Refutation> {
    check::<G>(&read(&plain.file()).unwrap(), &Silent)
}

fn check_plies_left<G: Acyclic>(game: &G) {
    let mut random = Random::new(1);
    for position in (0..300).flat_map(|_| random_game(game, &mut random)) {
        laws::plies_left_fall(game, &position);
    }
}

#[test]
fn every_move_brings_the_end_nearer() {
    for code in ["rev3x3", "rev4x3", "rev4x4", "rev5x5"] {
        check_plies_left(&reversi(code));
    }
    for code in ["con3x3-k3", "con4x4", "con7x6", "con8x8"] {
        check_plies_left(&connect_four(code));
    }
}

/// Random positions, with tables that forget, on one and more threads; counts outcomes.
fn check_winners<G: CertificateGame>(game: G, bytes: u64, threads: usize, endgame: u32, outcomes: &mut [u32; 3]) {
    let board = Board::new(game);
    for draws in SIDES {
        let mut prover = board.prover(draws, bytes, threads);
        prover.set_endgame_plies(endgame);
        let mut random = Random::new(7);
        for plies in 0..120 {
            let position = board.random_position(&mut random, plies % 13);
            let (winner, text) = (board.winner(&position, draws), board.game.position_text(&position));
            let code = board.game.code();
            assert_eq!(prover.winner(&position, |_| true), Some(winner), "{code}, draws for {draws}: {text}");
            outcomes[board.outcome(&position) as usize] += 1;
        }
    }
}

#[test]
fn proofs_have_the_winners_of_brute_force() {
    let mut outcomes = [0; 3];
    for (code, bytes, threads, endgame) in
        [("rev3x3", 1 << 16, 1, 0), ("rev3x4", 1 << 20, 1, 3), ("rev4x3", 1 << 10, 2, 0), ("rev4x4-w", 1 << 16, 2, 4)]
    {
        check_winners(reversi(code), bytes, threads, endgame, &mut outcomes);
    }
    for (code, bytes, threads, endgame) in [
        ("con3x3-k3", 1 << 16, 1, 0),
        ("con4x3-k3", 1 << 10, 2, 1),
        ("con4x4-k3", 1 << 20, 1, 0),
        ("con4x4", 1 << 22, 2, 6),
    ] {
        check_winners(connect_four(code), bytes, threads, endgame, &mut outcomes);
    }
    assert!(outcomes.iter().all(|&count| count > 100), "{outcomes:?}");
}

/// Certificates of random positions with each outcome; returns how many positions they list, how many of them have
/// but one move, and how many endgames were left to be solved.
fn check_certificates<G: CertificateGame>(game: G, plies: usize, count: usize) -> [u64; 3] {
    let board = Board::new(game);
    let mut sums = [0; 3];
    for outcome in OUTCOMES {
        let positions = board.positions(outcome, plies, count);
        assert_eq!(positions.len(), count);
        for position in positions {
            for (draws, horizon) in SIDES.into_iter().flat_map(|draws| [0, 4].map(|horizon| (draws, horizon))) {
                let certificate = board.certificate(&position, draws, horizon);
                assert_eq!(certificate.winner, board.winner(&position, draws));
                let written = file(&certificate);
                let read: Certificate<G> = read(&written).unwrap();
                assert_eq!((read.draws, read.winner, read.horizon), (Some(draws), certificate.winner, horizon));
                assert!(file(&read) == written, "the same file again");
                let report = check(&read, &Silent).unwrap();
                assert_eq!((report.winner_to_move, report.unneeded), (read.len() as u64, 0));
                assert!(horizon > 0 || report.endgames == 0);
                let keys = Plain::of(&written).entries.into_iter().map(|(key, _)| key);
                let positions = keys.map(|key| board.game.unrank(key).unwrap());
                let forced = positions.filter(|position| legal_moves(&board.game, position).len() == 1).count();
                for (sum, count) in sums.iter_mut().zip([read.len() as u64, forced as u64, report.endgames]) {
                    *sum += count;
                }
            }
        }
    }
    sums
}

#[test]
fn certificates_hold_after_a_trip_through_a_file() {
    let sums = check_certificates(reversi("rev4x4"), 5, 6);
    assert!(sums[0] > 500 && sums[1] > 10 && sums[2] > 50, "{sums:?}");
    let sums = check_certificates(connect_four("con4x4"), 7, 8);
    assert!(sums[0] > 200 && sums[2] > 20, "{sums:?}");
}

/// Plays all games of the loser against a certificate.
fn play_all<G: CertificateGame>(certificate: &Certificate<G>, position: &G::Position) {
    let game = &certificate.game;
    let side = game.side(position);
    if let Some(end) = game.terminal_value(position) {
        let winner = end.outcome().winner(side).or(certificate.draws);
        return assert_eq!(winner, Some(certificate.winner), "{}", game.position_text(position));
    }
    let mut moves = legal_moves(game, position);
    if side == certificate.winner {
        let mv = certificate.winning_move(position).unwrap();
        assert!(moves.contains(&mv));
        moves = vec![mv];
    }
    for mv in moves {
        play_all(certificate, &game.play(position, mv));
    }
}

fn check_play<G: CertificateGame>(game: G, plies: usize) {
    let board = Board::new(game);
    for position in OUTCOMES.into_iter().flat_map(|outcome| board.positions(outcome, plies, 4)) {
        for draws in SIDES {
            let certificate = board.certificate(&position, draws, 0);
            play_all(&certificate, &position);
            // A winner for whom draws count may get no more than a draw, so nothing is told of who wins.
            let told = Strategy::winner(&certificate, &position);
            assert_eq!(told, (certificate.winner != draws).then_some(certificate.winner));
            let winner = board.outcome(&position).winner(board.game.side(&position));
            assert!(told.is_none() || told == winner);
        }
    }
}

#[test]
fn who_plays_by_a_certificate_wins_every_game() {
    check_play(reversi("rev4x4"), 5);
    check_play(connect_four("con4x4-k3"), 3);
    check_play(connect_four("con4x4"), 7);
}

#[test]
fn the_other_side_has_no_certificate() {
    let board = Board::new(reversi("rev3x4"));
    for draws in SIDES {
        let mut prover = board.prover(draws, 1 << 16, 1);
        let start = board.game.start();
        let loser = board.winner(&start, draws).other();
        assert!(matches!(extract(&mut prover, &start, loser, 0, |_| true), Err(NoCertificate::NotWon(_))));
    }
}

/// The longest certificate of some drawn positions, in which it matters for whom draws count, and its file taken apart.
fn drawn<G: CertificateGame>(board: &Board<G>, plies: usize, draws: Side) -> (Certificate<G>, Plain) {
    let certificates = board.positions(Outcome::Draw, plies, 8).into_iter().map(|at| board.certificate(&at, draws, 0));
    let certificate = certificates.max_by_key(Certificate::len).unwrap();
    let plain = Plain::of(&file(&certificate));
    assert!((10..2000).contains(&plain.entries.len()), "{} entries", plain.entries.len());
    (certificate, plain)
}

fn check_every_entry<G: CertificateGame>(game: G, plies: usize) {
    let board = Board::new(game);
    let (_, plain) = drawn(&board, plies, Side::White);
    for at in 0..plain.entries.len() {
        let mut entries = plain.entries.clone();
        let (key, _) = entries.remove(at);
        let refuted = checked(&board.game, &plain.with_entries(entries)).unwrap_err();
        let position = board.game.unrank(key).unwrap();
        assert_eq!((refuted.position, refuted.fault), (board.game.position_text(&position), Fault::NoMove));
    }
}

#[test]
fn every_entry_is_needed() {
    check_every_entry(reversi("rev4x4"), 5);
    check_every_entry(connect_four("con4x4"), 6);
}

/// Other bytes for every move: what is accepted is as good, and what is refused is named.
fn check_other_moves<G: CertificateGame>(game: G, plies: usize) {
    let board = Board::new(game);
    for draws in SIDES {
        let (certificate, plain) = drawn(&board, plies, draws);
        let (game, mut counts) = (&board.game, [0; 3]);
        for at in 0..plain.entries.len() {
            let (key, right) = plain.entries[at];
            let position = game.unrank(key).unwrap();
            let moves = legal_moves(game, &position);
            for byte in (0..=moves.len() as u8).chain([255]).filter(|&byte| byte != right) {
                let mut entries = plain.entries.clone();
                entries[at].1 = byte;
                match (checked(game, &plain.with_entries(entries)), moves.get(usize::from(byte))) {
                    (Ok(_), mv) => {
                        let after = board.outcome(&game.play(&position, *mv.unwrap()));
                        assert!(after == Outcome::Loss || after == Outcome::Draw && certificate.winner == draws);
                        counts[0] += 1;
                    }
                    (Err(refuted), None) => {
                        assert_eq!(refuted.fault, Fault::IllegalMove(format!("number {byte}")));
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
        assert!(counts[1] > 0 && counts[2] > 0, "{counts:?}");
    }
}

#[test]
fn other_moves_are_refused_unless_they_win() {
    check_other_moves(reversi("rev4x4"), 5);
    check_other_moves(connect_four("con4x4"), 6);
}

#[test]
fn claims_that_are_too_strong_are_refuted() {
    let board = Board::new(reversi("rev4x4"));
    for (draws, other) in [("black", "white"), ("white", "black")] {
        let side = SIDES[usize::from(draws == "white")];
        let (certificate, plain) = drawn(&board, 5, side);
        assert_eq!(certificate.winner, side);
        assert_eq!(plain.lines[4..6], [format!("winner {draws}"), format!("draws {draws}")]);
        // Draws do not count for the winner, or the game has none: but it gets no more than draws.
        assert!(checked(&board.game, &plain.with_line(&format!("draws {other}"))).is_err());
        let mut without = plain.clone();
        without.lines.remove(5);
        assert!(checked(&board.game, &without).is_err());
        assert!(checked(&board.game, &plain.with_line(&format!("winner {other}"))).is_err());
        // Left to be solved, it is refuted as well.
        let solved = plain.with_line("horizon 40");
        assert_eq!(checked(&board.game, &solved).map(|report| report.endgames), Ok(1));
        let refuted = checked(&board.game, &solved.with_line(&format!("draws {other}"))).unwrap_err();
        assert_eq!(refuted.fault, Fault::LostEndgame);
    }
}

#[test]
fn senseless_files_are_refused() {
    let plain = drawn(&Board::new(reversi("rev4x4")), 5, Side::Black).1;
    let key = 3u64.pow(16);
    for (plain, part) in [
        (plain.with_line("draws grey"), "\"grey\" is no side"),
        (plain.with_line("draws"), "has no line \"horizon\" in its place"),
        (plain.with_line("rules bin2x2"), "rule code \"bin2x2\""),
        (plain.with_line("rules rev8x8"), "board"),
        (plain.with_entries(vec![(key, 0)]), "none of its board"),
    ] {
        let line = read::<Reversi>(&plain.file()).map(|_| ()).unwrap_err().to_string();
        assert!(line.contains(part), "{line} has no {part}");
    }
}

#[test]
fn boards_without_fitting_keys_are_refused() {
    for (code, fits) in [("rev6x6", true), ("rev5x8", false), ("rev8x8", false)] {
        assert_eq!(PlainProof::new(&reversi(code), Side::Black).is_ok(), fits, "{code}");
    }
}

#[test]
fn proofs_go_on_from_a_checkpoint_with_draws_for_the_same_side() {
    let board = Board::new(reversi("rev4x4"));
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
