//! Tests of certificates: making, writing, reading and checking them, against naive rules and brute force, and damaged
//! in many ways.

use std::collections::HashSet;
use std::path::Path;

use crate::provable::{Provable, ProverSettings, SIDES, SolvedBoard, checked, file, read};
use crate::support::certificate::CertificateText;
use crate::support::command::{command, fails, files, good};
use crate::support::games::{binarsi, connect_four, legal_moves, reversi};
use crate::support::solving::analyzed;
use crate::support::table::Parts;
use yomikiri_naive::binarsi::Naive;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi::board::Image;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{Game, Notation, Outcome, Side, Value};
use yomikiri_search::Strategy;
use yomikiri_search::certificate::{
    Certificate, CertificateFault, CertificateGame, CheckedCounts, ExtractError, Refutation, check, extract,
    open_strategy,
};
use yomikiri_table::Silent;

const DOCUMENT: &str = include_str!("../../docs/format.md");

const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

/// Returns a certificate of a board's start position.
fn prove(code: &str, setting: ProverSettings, horizon: u32) -> Certificate<Binarsi> {
    let game = binarsi(code);
    game.certificate(&game.start(), Side::White, setting, horizon)
}

/// Returns a strategy that reads a certificate from its file.
fn strategy<G: CertificateGame>(certificate: &Certificate<G>) -> Box<dyn Strategy<G>> {
    open_strategy(&certificate.claim.game, Box::new(file(certificate)), Path::new("some.proof")).unwrap()
}

/// Returns a certificate of a small board's start with horizon 0, and the parsed contents of its file.
fn small(code: &str) -> (Certificate<Binarsi>, CertificateText) {
    let certificate = prove(code, (2, 1 << 20, 1), 0);
    let plain = CertificateText::of(&file(&certificate));
    (certificate, plain)
}

/// Returns the longest certificate of some drawn positions, and the parsed contents of its file. Draws count as wins of
/// `draws`.
fn drawn<G: Provable>(board: &SolvedBoard<G>, plies: usize, draws: Side) -> (Certificate<G>, CertificateText) {
    let positions = board.positions(Outcome::Draw, plies, 8).into_iter();
    let certificates = positions.map(|at| board.game.certificate(&at, draws, (4, 1 << 22, 1), 0));
    let certificate = certificates.max_by_key(Certificate::len).unwrap();
    let plain = CertificateText::of(&file(&certificate));
    assert!((10..2000).contains(&plain.entries.len()), "{} entries", plain.entries.len());
    (certificate, plain)
}

// Certificates that hold

/// Checks that a certificate holds after it was written and read again, and that it is then written as the same bytes.
/// Returns the counts of the checker.
fn check_trip<G: CertificateGame>(certificate: &Certificate<G>, what: &str) -> CheckedCounts {
    let written = file(certificate);
    let read: Certificate<G> = read(&written).unwrap();
    assert_eq!(
        (read.claim.game.code(), read.claim.position),
        (certificate.claim.game.code(), certificate.claim.position),
        "{what}"
    );
    let facts = |of: &Certificate<G>| (of.claim.winner, of.claim.draws, of.claim.horizon, of.len());
    assert_eq!(facts(&read), facts(certificate), "{what}");
    assert!(file(&read) == written, "{what}: the same file again");
    let report = check(&read, &Silent).unwrap_or_else(|why| panic!("{what}: {why}"));
    assert_eq!(report.winner_to_move, read.len() as u64, "{what}");
    assert!(read.claim.horizon > 0 || report.endgames == 0, "{what}");
    report
}

#[test]
fn certificates_of_small_boards_hold_after_a_trip_through_a_file() {
    for (code, setting) in [
        ("bin2x2", (0, 1 << 16, 1)),
        ("bin2x2-n", (2, 1 << 16, 1)),
        ("bin3x2", (1, 1 << 20, 1)),
        ("bin3x2-t223-kb1.5", (0, 1 << 20, 1)),
        ("bin3x3", (2, 1 << 20, 2)),
        ("bin3x3-n", (3, 1 << 10, 1)),
        ("bin3x3-m", (3, 1 << 12, 1)),
        ("bin3x3", (4, 1 << 12, 2)),
        ("bin4x4", (7, 1 << 24, 1)),
        ("bin4x4", (4, 1 << 16, 1)),
    ] {
        let mut before = usize::MAX;
        for horizon in [0, 3, 5] {
            if (code, setting.0, horizon) == ("bin4x4", 4, 0) {
                continue;
            }
            let certificate = prove(code, setting, horizon);
            assert_eq!((certificate.claim.game.code().as_str(), certificate.claim.horizon), (code, horizon));
            let report = check_trip(&certificate, &format!("{code}, {setting:?}, {horizon}"));
            assert_eq!(report.endgames == 0, horizon == 0, "{code}");
            assert!(certificate.len() < before, "{code}: fewer positions with a nearer horizon");
            before = certificate.len();
        }
    }
}

/// Checks certificates of positions, for draws that count as wins of either side. Also checks that there are none for
/// the losing side. Returns the number of listed positions, the number of these with a single legal move, and the
/// number of endgames that the checker solved.
fn check_positions<G: Provable>(
    board: &SolvedBoard<G>,
    positions: impl IntoIterator<Item = G::Position>,
    near: u32,
    horizons: &[u32],
) -> [u64; 3] {
    let (game, mut sums) = (&board.game, [0; 3]);
    for position in positions {
        for (draws, &horizon) in SIDES.into_iter().flat_map(|draws| horizons.iter().map(move |at| (draws, at))) {
            let (text, winner) = (game.position_text(&position), board.winner(&position, draws));
            let certificate = game.certificate(&position, draws, (near, 1 << 22, 1), horizon);
            assert_eq!(
                (certificate.claim.winner, game.position_text(&certificate.claim.position)),
                (winner, text.clone())
            );
            let report = check_trip(&certificate, &text);
            let keys = CertificateText::of(&file(&certificate)).entries.into_iter().map(|(key, _)| key);
            let forced = keys.filter(|&key| legal_moves(game, &game.unrank(key).unwrap()).len() == 1).count();
            sums = std::array::from_fn(|at| sums[at] + [certificate.len() as u64, forced as u64, report.endgames][at]);
            let mut prover = game.prover(draws, (near, 1 << 22, 1));
            let wrong = extract(&mut prover, &position, winner.other(), horizon, |_| true);
            assert!(matches!(wrong, Err(ExtractError::NotWon(_))), "{text}: {:?}", wrong.map(|wrong| wrong.len()));
        }
    }
    sums
}

#[test]
fn other_positions_have_certificates_too() {
    let board = SolvedBoard::new(binarsi("bin3x3"));
    let over = "startpos moves 2n 3n bn cn 1nH";
    let texts = ["startpos moves 2n", "startpos moves 2n 3n bn", "startpos moves bn cn 2n 3n as1", over];
    check_positions(&board, texts.map(|text| board.game.parse_position(text).unwrap()), 1, &[2]);

    let board = SolvedBoard::new(reversi("rev4x4"));
    let sums = check_positions(&board, OUTCOMES.into_iter().flat_map(|of| board.positions(of, 5, 6)), 4, &[0, 4]);
    assert!(sums[0] > 500 && sums[1] > 10 && sums[2] > 50, "{sums:?}");
    let board = SolvedBoard::new(connect_four("con4x4"));
    let sums = check_positions(&board, OUTCOMES.into_iter().flat_map(|of| board.positions(of, 7, 8)), 4, &[0, 4]);
    assert!(sums[0] > 200 && sums[2] > 20, "{sums:?}");
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing() {
    let (folder, certificate) = (tempfile::tempdir().unwrap(), small("bin2x2").0);
    let path = folder.path().join("some.proof");
    let error = certificate.write(&folder.path().join("none").join("some.proof")).unwrap_err().to_string();
    assert!(error.contains("some.proof"), "{error}");
    std::fs::create_dir(&path).unwrap();
    assert!(certificate.write(&path).is_err(), "a folder has the name");
    assert_eq!(files(folder.path()), ["some.proof"]);
}

#[test]
fn one_thread_gives_the_same_certificate_again() {
    let made = || file(&prove("bin3x3", (2, 1 << 14, 1), 0));
    assert!(made() == made());
}

#[test]
fn making_one_can_be_stopped() {
    let game = binarsi("bin5x4");
    let mut prover = game.prover(Side::White, (3, 1 << 16, 1));
    let mut counts = Vec::new();
    let stopped = extract(&mut prover, &game.start(), Side::White, 0, |count| {
        counts.push(count);
        counts.len() < 3
    });
    assert_eq!(stopped.map(|certificate| certificate.len()), Err(ExtractError::Stopped));
    assert!(counts.len() == 3 && counts.is_sorted(), "{counts:?}");
}

/// Plays all moves of the loser against the certificate, by the naive rules.
fn play_by_naive_rules(
    rules: &Naive,
    game: &Binarsi,
    certificate: &Certificate<Binarsi>,
    sfen: &str,
    seen: &mut HashSet<String>,
) {
    let winner = if certificate.claim.winner == Side::Black { 'b' } else { 'w' };
    if let Some(side) = rules.ending(sfen) {
        return assert_eq!(side, winner, "{sfen}");
    }
    if !seen.insert(sfen.into()) {
        return;
    }
    let position = game.parse_position(sfen).unwrap();
    let mut moves = rules.legal_moves(sfen);
    if position.side() == certificate.claim.winner {
        let mv = game.move_text(certificate.winning_move(&position).unwrap_or_else(|| panic!("{sfen} is not listed")));
        assert!(moves.contains(&mv), "{mv} in {sfen}");
        moves = vec![mv];
    }
    for mv in moves {
        play_by_naive_rules(rules, game, certificate, &rules.play(sfen, &mv), seen);
    }
}

#[test]
fn who_plays_by_a_certificate_wins_every_game_by_the_naive_rules() {
    for code in ["bin2x2", "bin2x2-n", "bin3x2-m", "bin3x2", "bin2x3-t223-kb1.5", "bin3x3"] {
        let (rules, certificate) = (Naive::from_code(code), prove(code, (2, 1 << 20, 1), 0));
        let mut seen = HashSet::new();
        play_by_naive_rules(&rules, &certificate.claim.game, &certificate, &rules.start_sfen(), &mut seen);
        assert!(seen.len() >= certificate.len(), "{code}");
    }
}

/// Plays all moves of the loser against a certificate.
fn play_all<G: CertificateGame>(certificate: &Certificate<G>, position: &G::Position) {
    let game = &certificate.claim.game;
    let side = game.side(position);
    if let Some(end) = game.terminal_value(position) {
        let winner = end.outcome().winner(side).or(certificate.claim.draws);
        return assert_eq!(winner, Some(certificate.claim.winner), "{}", game.position_text(position));
    }
    let mut moves = legal_moves(game, position);
    if side == certificate.claim.winner {
        let mv = certificate.winning_move(position).unwrap();
        assert!(moves.contains(&mv));
        moves = vec![mv];
    }
    for mv in moves {
        play_all(certificate, &game.play(position, mv));
    }
}

fn check_play<G: Provable>(game: G, plies: usize) {
    let board = SolvedBoard::new(game);
    for position in OUTCOMES.into_iter().flat_map(|outcome| board.positions(outcome, plies, 4)) {
        for draws in SIDES {
            let certificate = board.game.certificate(&position, draws, (4, 1 << 22, 1), 0);
            play_all(&certificate, &position);
            // If draws count for the winner, it may not get more than a draw, so the strategy names no winner.
            let told = strategy(&certificate).winner(&position).unwrap();
            assert_eq!(told, (certificate.claim.winner != draws).then_some(certificate.claim.winner));
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
fn listed_moves_keep_the_win_by_values_and_in_all_mirror_images() {
    let (certificate, plain) = small("bin3x3");
    let board = SolvedBoard::new(certificate.claim.game.clone());
    let (game, winner_of) = (&board.game, |position: &_| board.winner(position, certificate.claim.winner.other()));
    for &(key, _) in &plain.entries {
        let position = game.unrank(key).unwrap();
        assert_eq!(winner_of(&position), certificate.claim.winner);
        for image in Image::ALL.map(|image| position.mirrored(&game.rules, image)) {
            let mv = certificate.winning_move(&image).unwrap();
            assert!(legal_moves(game, &image).contains(&mv));
            assert_eq!(winner_of(&game.play(&image, mv)), certificate.claim.winner, "{}", game.position_text(&image));
        }
    }
    assert_eq!(certificate.winning_move(&game.start()), None, "the loser is to move");
}

// Certificates that do not hold

#[test]
fn every_changed_byte_is_refused() {
    for (code, horizon) in [("bin2x2", 0), ("bin3x3", 5)] {
        let file = file(&prove(code, (2, 1 << 20, 1), horizon));
        for at in 0..file.len() {
            for change in [1, 0x80, 0xff, 0x20] {
                let mut changed = file.clone();
                changed[at] ^= change;
                let what = read::<Binarsi>(&changed).map(|_| ()).unwrap_err();
                let found = ["checksum", "not a Yomikiri table", "format version", "not finished"];
                assert!(found.iter().any(|part| what.contains(part)), "{at}: {what}");
            }
        }
        for length in 0..file.len() {
            assert!(read::<Binarsi>(&file[..length]).is_err(), "cut off after {length} bytes");
        }
        for more in [&[0][..], &[0; 8], b"\n", &file] {
            assert!(read::<Binarsi>(&[&file, more].concat()).is_err(), "{} bytes more", more.len());
        }
        assert!(read::<Binarsi>(&file).is_ok());
    }
}

/// Removes each entry of a certificate in turn, and checks that the checker names the missing position.
fn check_every_entry<G: Provable>(game: &G, plain: &CertificateText) {
    for at in 0..plain.entries.len() {
        let mut entries = plain.entries.clone();
        let (key, _) = entries.remove(at);
        let refuted = checked::<G>(&plain.with_entries(entries)).unwrap_err();
        let position = game.unrank(key).unwrap();
        assert_eq!((refuted.position, refuted.fault), (game.position_text(&position), CertificateFault::NoMove));
    }
    assert!(checked::<G>(plain).is_ok());
}

#[test]
fn every_entry_is_needed() {
    for code in ["bin2x2", "bin3x2"] {
        let (certificate, plain) = small(code);
        check_every_entry(&certificate.claim.game, &plain);
    }
    let (reversi, connect_four) = (SolvedBoard::new(reversi("rev4x4")), SolvedBoard::new(connect_four("con4x4")));
    check_every_entry(&reversi.game, &drawn(&reversi, 5, Side::White).1);
    check_every_entry(&connect_four.game, &drawn(&connect_four, 6, Side::White).1);
}

#[test]
fn entries_that_no_game_comes_to_are_refused() {
    let plain = small("bin2x2").1;
    let mut entries = plain.entries.clone();
    let key = (entries[0].0..).find(|key| entries.iter().all(|entry| entry.0 != *key)).unwrap();
    entries.push((key, 0));
    entries.sort_unstable();
    let why = checked::<Binarsi>(&plain.with_entries(entries)).unwrap_err();
    assert!(why.to_string().ends_with("is listed, but no game reaches it"), "{why}");
}

/// Replaces the byte of every move by other bytes, one at a time. If the checker accepts a byte, its move must win as
/// well, and if it refuses an illegal one, it must name it. Returns four counts of bytes: those that are not moves,
/// winning moves, illegal moves, and losing moves.
fn check_other_moves<G: Provable>(
    board: &SolvedBoard<G>,
    (certificate, plain): &(Certificate<G>, CertificateText),
    bytes: impl Fn(usize) -> Vec<u8>,
) -> [u32; 4] {
    let (game, mut counts) = (&board.game, [0; 4]);
    for (at, &(key, right)) in plain.entries.iter().enumerate() {
        let position = game.unrank(key).unwrap();
        let moves = legal_moves(game, &position);
        for byte in bytes(moves.len()).into_iter().filter(|&byte| byte != right) {
            let mut entries = plain.entries.clone();
            entries[at].1 = byte;
            let file = plain.with_entries(entries).file();
            let Some(name) = game.byte_text(byte) else {
                assert_eq!(read::<G>(&file).map(|_| ()).unwrap_err(), "damaged: has bytes that are not moves");
                counts[0] += 1;
                continue;
            };
            let mv = (0..).zip(&moves).find(|&(number, &mv)| game.move_to_byte(mv, number) == byte);
            match (check(&read::<G>(&file).unwrap(), &Silent), mv) {
                (Ok(_) | Err(Refutation { fault: CertificateFault::Unneeded, .. }), mv) => {
                    let after = board.outcome(&game.play(&position, *mv.unwrap().1));
                    let draws_win = certificate.claim.draws == Some(certificate.claim.winner);
                    assert!(after == Outcome::Loss || after == Outcome::Draw && draws_win, "{name}");
                    counts[1] += 1;
                }
                (Err(refuted), None) => {
                    assert_eq!(refuted.position, game.position_text(&position));
                    assert_eq!(refuted.fault, CertificateFault::IllegalMove(name));
                    counts[2] += 1;
                }
                (Err(refuted), Some(_)) => {
                    assert!(matches!(refuted.fault, CertificateFault::NoMove | CertificateFault::Lost(_)), "{refuted}");
                    counts[3] += 1;
                }
            }
        }
    }
    assert!(counts[2] > 0 && counts[3] > 0, "{counts:?}");
    counts
}

#[test]
fn other_moves_are_refused_unless_they_win() {
    let board = SolvedBoard::new(binarsi("bin2x2"));
    let counts = check_other_moves(&board, &small("bin2x2"), |_| (0..=255).collect());
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    let some = |moves: usize| (0..=moves as u8).chain([255]).collect();
    let (reversi, connect_four) = (SolvedBoard::new(reversi("rev4x4")), SolvedBoard::new(connect_four("con4x4")));
    for draws in SIDES {
        check_other_moves(&reversi, &drawn(&reversi, 5, draws), some);
        check_other_moves(&connect_four, &drawn(&connect_four, 6, draws), some);
    }
}

#[test]
fn certificates_of_other_rules_are_refuted() {
    let plain = small("bin3x3").1;
    let near = CertificateText::of(&file(&prove("bin3x3", (2, 1 << 20, 1), 4)));
    let mut winners = HashSet::new();
    for code in ["bin3x3-kb9.5", "bin3x3-kb0.5", "bin3x3-t222", "bin3x3-t999-kb0.5", "bin3x3-n", "bin3x3-t233"] {
        let game = binarsi(code);
        let winner = game.prover(Side::White, (7, 1 << 20, 1)).winner(&game.start(), |_| true).unwrap();
        for plain in [&plain, &near] {
            assert_eq!(plain.lines[0], "rules bin3x3");
            match checked::<Binarsi>(&plain.with_line(&format!("rules {code}"))) {
                Ok(_) => assert_eq!(winner, Side::White, "{code}: what is proved is so"),
                Err(_) => drop(winners.insert(winner)),
            }
        }
    }
    assert_eq!(winners.len(), 2, "refuted whether or not the winner is another one");
    for (line, fault) in
        [("winner black", "no move is listed"), ("position ox1/3/3 w - - 1", ""), ("horizon 0", "no move")]
    {
        let refuted = checked::<Binarsi>(&near.with_line(line));
        match fault {
            "" => {
                let why = refuted.unwrap_err().to_string();
                assert!(why.ends_with("is listed, but no game reaches it"), "a part of what was proved: {why}");
            }
            _ => assert!(refuted.unwrap_err().to_string().contains(fault), "{line}"),
        }
    }
    let refuted = checked::<Binarsi>(&near.with_line("horizon 10").with_line("winner black")).unwrap_err();
    assert_eq!((refuted.fault, refuted.position.as_str()), (CertificateFault::LostEndgame, "o2/3/3 b - - 0"));
}

#[test]
fn claims_that_are_too_strong_are_refuted() {
    let board = SolvedBoard::new(reversi("rev4x4"));
    for (draws, other) in [("black", "white"), ("white", "black")] {
        let side = SIDES[usize::from(draws == "white")];
        let (certificate, plain) = drawn(&board, 5, side);
        assert_eq!(certificate.claim.winner, side);
        assert_eq!(plain.lines[3..5], [format!("winner {draws}"), format!("draws {draws}")]);
        // The winner gets no more than a draw. The claim fails if draws count for the other side or for neither.
        assert!(checked::<Reversi>(&plain.with_line(&format!("draws {other}"))).is_err());
        let mut without = plain.clone();
        without.lines.remove(4);
        assert!(checked::<Reversi>(&without).is_err());
        assert!(checked::<Reversi>(&plain.with_line(&format!("winner {other}"))).is_err());
        // The results are the same for an empty list, for which the checker solves the position itself.
        let solved = plain.with_entries(Vec::new()).with_line("horizon 40");
        assert_eq!(checked::<Reversi>(&solved).map(|report| report.endgames), Ok(1));
        let refuted = checked::<Reversi>(&solved.with_line(&format!("draws {other}"))).unwrap_err();
        assert_eq!(refuted.fault, CertificateFault::LostEndgame);
    }
}

/// Checks that each file is refused in one line that contains the text next to it.
fn check_senseless<G: CertificateGame>(files: &[(Vec<u8>, &str)]) {
    for (file, part) in files {
        let line = read::<G>(file).map(|_| ()).expect_err(part);
        assert!(line.contains(part) && !line.chars().any(char::is_control), "{line} has no {part}");
    }
}

#[test]
fn senseless_files_are_refused_whatever_their_checksums() {
    let plain = small("bin2x2").1;
    let (first, last) = (plain.entries[0], plain.entries[plain.entries.len() - 1]);
    let table = {
        let folder = tempfile::tempdir().unwrap();
        std::fs::read(analyzed(&binarsi("bin2x2"), folder.path()).path()).unwrap()
    };
    let cut = |block: usize| CertificateText { block, ..plain.clone() }.file();
    let counted = |count: usize| plain.with_line(&format!("entries {count}")).file();
    assert!(read::<Binarsi>(&cut(5)).is_ok(), "blocks may be shorter");
    check_senseless::<Binarsi>(&[
        (plain.with_line("rules bin9x9").file(), "rule code \"bin9x9\""),
        (plain.with_line("rules bin2x2-t222").file(), "not in standard form"),
        (plain.with_line("rules val1n").file(), "rule code \"val1n\""),
        (plain.with_line("revision 2").file(), "rules revision 2 does not match"),
        (plain.with_line("position startpos").file(), "position \"startpos\" is not in standard notation"),
        (plain.with_line("position o1/3 b - - 0").file(), "board field"),
        (plain.with_line("winner \x1b[31mgrey").file(), "\"\\u{1b}[31mgrey\" is not a side"),
        (plain.with_line("horizon far").file(), "cannot read the meta data"),
        (plain.with_line("horizon -1").file(), "cannot read the meta data"),
        (plain.with_line("horizon 4294967296").file(), "cannot read the meta data"),
        (
            plain.with_line("entries 1000000000000000000").file(),
            "does not fit the 1000000000000000000 positions in its header",
        ),
        (plain.with_line("entries 0").file(), "does not fit the 0 positions in its header"),
        (counted(plain.entries.len() + 1), "lists fewer positions than its header says"),
        (counted(plain.entries.len() - 1), "lists more positions than its header says"),
        (plain.with_entries(vec![first, first]).file(), "a block has the wrong size"),
        (plain.with_entries(vec![last, first]).file(), "a block has the wrong size"),
        (
            CertificateText { block: 1, ..plain.with_entries(vec![last, first]) }.file(),
            "page 0 of its index is not valid",
        ),
        (
            plain.with_entries(vec![(1 << 40, 0)]).file(),
            "keys do not ascend, or are outside the key range of its board",
        ),
        (plain.with_entries(vec![(u64::MAX, 0)]).file(), "outside the key range of its board"),
        (plain.with_entries(vec![(first.0, 255)]).file(), "bytes that are not moves"),
        (table, "is a table, not a certificate"),
        (b"YOMIKIRI".to_vec(), "shorter than the header of a file"),
        (b"not one".repeat(20), "not a Yomikiri table"),
    ]);
    // Two blocks whose ranges of keys overlap.
    let mut parts = Parts::of(&cut(5));
    parts.blocks[1].key = parts.blocks[0].key + 1;
    check_senseless::<Binarsi>(&[(parts.file(), "keys do not ascend")]);
    let plain = drawn(&SolvedBoard::new(reversi("rev4x4")), 5, Side::Black).1;
    check_senseless::<Reversi>(&[
        (plain.with_line("draws grey").file(), "\"grey\" is not a side"),
        (plain.with_line("draws").file(), "\"\" is not a side"),
        (plain.with_line("rules bin2x2").file(), "rule code \"bin2x2\""),
        (plain.with_line("rules rev8x8").file(), "rev8x8 have no keys"),
        (plain.with_entries(vec![(3u64.pow(16), 0)]).file(), "outside the key range of its board"),
    ]);
}

/// A file that claims more positions than its size allows is refused at once, because memory for them would be large.
#[test]
fn more_positions_than_a_file_can_have_are_not_read() {
    let plain = small("bin2x2").1;
    let file = plain.file();
    let most = 32 * file.len();
    let many = |count: usize| plain.with_line(&format!("entries {count}")).file();
    check_senseless::<Binarsi>(&[
        (many(most + 2000), "positions"),
        (many(most - 2000), "lists fewer positions than its header says"),
    ]);
}

// The document

/// The command in the document writes the meta data and the first entry that the document shows.
#[test]
fn the_example_of_the_document_is_a_certificate_of_bin2x2() {
    let (certificate, _) = small("bin2x2");
    let folder = tempfile::tempdir().unwrap();
    let (_, command) = DOCUMENT.split_once("are those of the certificate that\n`yomikiri ").unwrap();
    let mut words: Vec<&str> = command.split('`').next().unwrap().split_whitespace().collect();
    let written = folder.path().join(words.pop().unwrap());
    good(folder.path(), &[&words[..], &[written.to_str().unwrap()]].concat());
    let written = std::fs::read(written).unwrap();
    assert_eq!(Parts::of(&written).meta, Parts::of(&file(&certificate)).meta);
    let first = CertificateText::of(&written).entries[0];
    let meta = String::from_utf8(Parts::of(&file(&certificate)).meta).unwrap();
    assert!(DOCUMENT.contains(&format!("```json\n{meta}\n```")), "{meta}");

    let game = &certificate.claim.game;
    let (_, sentence) = DOCUMENT.split_once("Its first entry is ").unwrap();
    let (numbers, words) = sentence.split_once(':').unwrap();
    let (key, byte) = numbers.split_once(" with byte ").unwrap();
    assert_eq!((key.parse(), byte.parse()), (Ok(first.0), Ok(first.1)));
    let position = game.unrank(key.parse().unwrap()).unwrap();
    let mv = game.parse_move(&position, &game.byte_text(byte.parse().unwrap()).unwrap()).unwrap();
    let text = format!(" `{}` in `{}`.", game.move_text(mv), game.position_text(&position));
    assert!(words.starts_with(&text), "{text}");
    let after = game.prover(Side::White, (7, 1 << 16, 1)).winner(&game.play(&position, mv), |_| true);
    assert_eq!((position.side(), after), (certificate.claim.winner, Some(certificate.claim.winner)));
}

#[test]
fn bytes_of_moves_are_as_documented() {
    let game = binarsi("bin7x6");
    let document = DOCUMENT.split_whitespace().collect::<Vec<_>>().join(" ");
    for (number, name) in "a n nH nL na no o s1 s2 s3 s4 s5 s6 xn xo".split(' ').enumerate() {
        assert!(document.contains(&format!("{number} `{name}`")), "{name}");
        for (way, letter) in "1234567abcdef".chars().enumerate() {
            assert_eq!(game.byte_text((way << 4 | number) as u8), Some(format!("{letter}{name}")));
        }
    }
}

// The command

#[test]
fn the_command_refuses_in_one_line() {
    let (folder, plain) = (tempfile::tempdir().unwrap(), small("bin2x2").1);
    let path = folder.path().join("some.proof");
    let path = path.to_str().unwrap();
    let mut entries = plain.entries.clone();
    entries.pop();
    for (plain, more, part) in [
        (plain.with_entries(entries), &[][..], "not proved: "),
        (plain.with_line("rules bin2x2-kb1.5"), &["--rules", "bin2x2-kb1.5"], "not proved: "),
        (plain.with_line("winner \nred"), &[], "damaged: "),
    ] {
        std::fs::write(path, plain.file()).unwrap();
        let line = fails(folder.path(), &[&["check", path], more].concat(), 1);
        assert!(line.contains(part) && line.contains(path), "{line} has no {part}");
    }
    // A closed output pipe is not an error.
    std::fs::write(path, plain.file()).unwrap();
    let pipe = std::io::pipe().unwrap().1;
    let status = command(folder.path(), &["check", path]).stdout(pipe).output().unwrap().status;
    assert_eq!(status.code(), Some(0));
}
