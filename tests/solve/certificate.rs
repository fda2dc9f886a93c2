//! Certificates of who wins: made, written, read and checked, held against naive rules and values, and damaged in
//! every way.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::naive::binarsi::Naive;
use crate::support::certificate::{Plain, packed, sealed};
use crate::support::command::{command, fails, files};
use crate::support::games::binarsi;
use tempfile::TempDir;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::binarsi::board::Image;
use yomikiri_rules::games::binarsi::{Binarsi, Position};
use yomikiri_rules::value::{Distance, Side, Value};
use yomikiri_solve::Solvable;
use yomikiri_solve::adapters::binarsi::BinarsiProof;
use yomikiri_solve::certificate::{self, CertificateGame, Fault, NoCertificate, Report, check};
use yomikiri_solve::proof::Prover;
use yomikiri_table::progress::Silent;

type Certificate = certificate::Certificate<Binarsi>;

const DOCUMENT: &str = include_str!("../../docs/format.md");

/// A board to prove: its code, plies before the end to read out from, bytes and threads of the prover.
type Board = (&'static str, u32, u64, usize);

/// The certificate of a board's start.
fn prove((code, near, bytes, threads): Board, horizon: u32) -> Certificate {
    let game = binarsi(code);
    let mut prover = Prover::new(BinarsiProof::new(&game), bytes, threads);
    prover.set_endgame_plies(near);
    let winner = prover.winner(&game.start(), |_| true).unwrap();
    certificate::extract(&mut prover, &game.start(), winner, horizon, |_| true).unwrap()
}

/// A folder with a file in it.
struct Place {
    folder: TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        Place { path: folder.path().join("some.proof.gz"), folder }
    }

    fn written(&self, certificate: &Certificate) -> Vec<u8> {
        certificate.write(&self.path).unwrap();
        assert_eq!(files(self.folder.path()), ["some.proof.gz"], "nothing else is left");
        std::fs::read(&self.path).unwrap()
    }

    /// What reading gives; an error is its line without the path.
    fn read(&self, file: &[u8]) -> Result<Certificate, String> {
        std::fs::write(&self.path, file).unwrap();
        let start = format!("{}: ", self.path.display());
        Certificate::read(&self.path).map_err(|error| error.to_string().strip_prefix(&start).unwrap().to_string())
    }

    fn checked(&self, plain: &Plain) -> Result<Report, certificate::Refutation> {
        check(&self.read(&plain.file()).unwrap(), &Silent)
    }
}

/// The certificate of a small board with all its positions, and its file taken apart.
fn small(code: &'static str) -> (Certificate, Plain) {
    let place = Place::new();
    let certificate = prove((code, 2, 1 << 20, 1), 0);
    let plain = Plain::of(&place.written(&certificate));
    (certificate, plain)
}

/// Who wins a position of a board, by values that have nothing to do with provers.
fn winners(game: &Binarsi) -> impl Fn(&Position) -> Option<Side> {
    let solved = game.solve_subgame(&game.start(), 1 << 30, &Silent).unwrap();
    let game = game.clone();
    move |position| {
        let solved = || Distance::from_byte(solved.byte(game.rank(position))?);
        game.terminal_value(position).or_else(solved)?.outcome().winner(position.side())
    }
}

// What holds

#[test]
fn certificates_of_small_boards_hold_after_a_trip_through_a_file() {
    let boards: [Board; 9] = [
        ("bin2x2", 0, 1 << 16, 1),
        ("bin2x2-n", 2, 1 << 16, 1),
        ("bin3x2", 1, 1 << 20, 1),
        ("bin3x2-t223-kb1.5", 0, 1 << 20, 1),
        ("bin3x3", 2, 1 << 20, 2),
        ("bin3x3-n", 3, 1 << 10, 1),
        ("bin3x3", 4, 1 << 12, 2),
        ("bin4x4", 7, 1 << 24, 1),
        ("bin4x4", 4, 1 << 16, 1),
    ];
    for board in boards {
        let mut before = usize::MAX;
        for horizon in [0, 3, 5] {
            if (board.0, horizon) == ("bin4x4", 0) && board.1 == 4 {
                continue;
            }
            let (place, certificate) = (Place::new(), prove(board, horizon));
            let file = place.written(&certificate);
            let read = place.read(&file).unwrap();
            assert_eq!((read.game.code().as_str(), read.horizon), (board.0, horizon));
            assert_eq!(
                (read.position, read.winner, read.len()),
                (certificate.position, certificate.winner, certificate.len())
            );
            assert!(place.written(&read) == file, "{board:?}: the same file again");
            let report = check(&read, &Silent).unwrap_or_else(|why| panic!("{board:?}, {horizon}: {why}"));
            assert_eq!((report.winner_to_move, report.unneeded), (read.len() as u64, 0), "{board:?}");
            assert_eq!(report.endgames == 0, horizon == 0, "{board:?}");
            assert!(read.len() < before, "{board:?}: fewer positions with a nearer horizon");
            before = read.len();
        }
    }
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing() {
    let (place, certificate) = (Place::new(), small("bin2x2").0);
    let error = certificate.write(&place.folder.path().join("none").join("some.proof.gz")).unwrap_err().to_string();
    assert!(error.contains("some.proof.gz"), "{error}");
    std::fs::create_dir(&place.path).unwrap();
    assert!(certificate.write(&place.path).is_err(), "a folder has the name");
    assert_eq!(files(place.folder.path()), ["some.proof.gz"]);
}

#[test]
fn one_thread_gives_the_same_certificate_again() {
    let (first, second) = (Place::new(), Place::new());
    let board = ("bin3x3", 2, 1 << 14, 1);
    assert!(first.written(&prove(board, 0)) == second.written(&prove(board, 0)));
}

#[test]
fn other_positions_have_certificates_too() {
    let (game, place) = (binarsi("bin3x3"), Place::new());
    let winner_of = winners(&game);
    let over = "startpos moves 2n 3n bn cn 1nH";
    for text in ["startpos moves 2n", "startpos moves 2n 3n bn", "startpos moves bn cn 2n 3n as1", over] {
        let position = game.parse_position(text).unwrap();
        let mut prover = Prover::new(BinarsiProof::new(&game), 1 << 20, 1);
        prover.set_endgame_plies(1);
        let winner = winner_of(&position).unwrap();
        let certificate = certificate::extract(&mut prover, &position, winner, 2, |_| true).unwrap();
        let read = place.read(&place.written(&certificate)).unwrap();
        assert_eq!(game.position_text(&read.position), game.position_text(&position));
        assert_eq!(check(&read, &Silent).unwrap().unneeded, 0, "{text}");
        let wrong = certificate::extract(&mut prover, &position, winner.other(), 2, |_| true);
        assert!(
            matches!(wrong, Err(NoCertificate::NotWon(_))),
            "{text}: {:?}",
            wrong.map(|certificate| certificate.len())
        );
    }
}

#[test]
fn making_one_can_be_stopped() {
    let game = binarsi("bin5x4");
    let mut prover = Prover::new(BinarsiProof::new(&game), 1 << 16, 1);
    prover.set_endgame_plies(3);
    let mut counts = Vec::new();
    let stopped = certificate::extract(&mut prover, &game.start(), Side::White, 0, |count| {
        counts.push(count);
        counts.len() < 3
    });
    assert_eq!(stopped.map(|certificate| certificate.len()), Err(NoCertificate::Stopped));
    assert!(counts.len() == 3 && counts.is_sorted(), "{counts:?}");
}

/// Plays all games of the loser against the certificate, by the naive rules.
fn play_all(rules: &Naive, game: &Binarsi, certificate: &Certificate, sfen: &str, seen: &mut HashSet<String>) {
    let winner = if certificate.winner == Side::Black { 'b' } else { 'w' };
    if let Some(side) = rules.ending(sfen) {
        return assert_eq!(side, winner, "{sfen}");
    }
    if !seen.insert(sfen.into()) {
        return;
    }
    let position = game.parse_position(sfen).unwrap();
    let mut moves = rules.legal_moves(sfen);
    if position.side() == certificate.winner {
        let mv = game.move_text(certificate.winning_move(&position).unwrap_or_else(|| panic!("{sfen} is not listed")));
        assert!(moves.contains(&mv), "{mv} in {sfen}");
        moves = vec![mv];
    }
    for mv in moves {
        play_all(rules, game, certificate, &rules.play(sfen, &mv), seen);
    }
}

#[test]
fn who_plays_by_a_certificate_wins_every_game_by_the_naive_rules() {
    for code in ["bin2x2", "bin2x2-n", "bin3x2", "bin2x3-t223-kb1.5", "bin3x3"] {
        let (rules, certificate) = (Naive::from_code(code), prove((code, 2, 1 << 20, 1), 0));
        let mut seen = HashSet::new();
        play_all(&rules, &certificate.game, &certificate, &rules.start_sfen(), &mut seen);
        assert!(seen.len() >= certificate.len(), "{code}");
    }
}

#[test]
fn listed_moves_keep_the_win_by_values_and_in_all_mirror_images() {
    let (certificate, plain) = small("bin3x3");
    let (game, winner_of) = (&certificate.game, winners(&certificate.game));
    for &(key, _) in &plain.entries {
        let position = game.unrank(key).unwrap();
        assert_eq!(winner_of(&position), Some(certificate.winner));
        for image in Image::ALL.map(|image| position.mirrored(&game.rules, image)) {
            let mv = certificate.winning_move(&image).unwrap();
            let mut legal = Vec::new();
            game.moves(&image, &mut legal);
            assert!(legal.contains(&mv));
            assert_eq!(winner_of(&game.play(&image, mv)), Some(certificate.winner), "{}", game.position_text(&image));
        }
    }
    assert_eq!(certificate.winning_move(&game.start()), None, "the loser is to move");
}

// What does not hold

#[test]
fn every_changed_byte_is_refused() {
    let place = Place::new();
    for (code, horizon) in [("bin2x2", 0), ("bin3x3", 5)] {
        let file = place.written(&prove((code, 2, 1 << 20, 1), horizon));
        for at in 0..file.len() {
            for change in [1, 0x80, 0xff, 0x20] {
                let mut changed = file.clone();
                changed[at] ^= change;
                let what = place.read(&changed).map(|_| ()).unwrap_err();
                assert!(
                    ["is not a certificate of Yomikiri", "damaged: does not match its checksum"]
                        .contains(&what.as_str()),
                    "{at}: {what}"
                );
            }
        }
        for length in 0..file.len() {
            assert!(place.read(&file[..length]).is_err(), "cut off after {length} bytes");
        }
        for more in [&[0][..], &[0; 8], b"\n", &file] {
            assert!(place.read(&[&file, more].concat()).is_err(), "{} bytes more", more.len());
        }
        assert!(place.read(&file).is_ok());
    }
}

/// Even checksums that are right do not make more of a file than one gzip member.
#[test]
fn what_follows_the_gzip_member_is_refused() {
    let (place, plain) = (Place::new(), small("bin2x2").1);
    let rest = &plain.file()[32..];
    assert!(place.read(&sealed(rest)).is_ok());
    assert_eq!(place.read(&sealed(&[rest, &[0]].concat())).unwrap_err(), "damaged: goes on behind its end");
    let (body, trailer) = rest.split_at(rest.len() - 8);
    for at in 0..8 {
        let mut trailer = trailer.to_vec();
        trailer[at] ^= 4;
        assert!(place.read(&sealed(&[body, &trailer].concat())).is_err(), "CRC and length are looked at: {at}");
    }
    assert!(place.read(&sealed(body)).is_err());
}

#[test]
fn every_entry_is_needed() {
    for code in ["bin2x2", "bin3x2"] {
        let (place, (certificate, plain)) = (Place::new(), small(code));
        for at in 0..plain.entries.len() {
            let mut entries = plain.entries.clone();
            let (key, _) = entries.remove(at);
            let refuted = place.checked(&plain.with_entries(entries)).unwrap_err();
            let position = certificate.game.unrank(key).unwrap();
            assert_eq!(refuted.position, certificate.game.position_text(&position));
            assert_eq!(refuted.fault, Fault::NoMove);
        }
        assert!(place.checked(&plain).is_ok());
    }
}

#[test]
fn entries_that_no_game_comes_to_are_counted() {
    let (place, plain) = (Place::new(), small("bin2x2").1);
    let mut entries = plain.entries.clone();
    let key = (entries[0].0..).find(|key| entries.iter().all(|entry| entry.0 != *key)).unwrap();
    entries.push((key, 0));
    entries.sort_unstable();
    let report = place.checked(&plain.with_entries(entries)).unwrap();
    assert_eq!((report.unneeded, report.winner_to_move), (1, plain.entries.len() as u64));
}

/// Every byte in the place of every move: what is accepted wins, and what is refused is named.
#[test]
fn other_moves_are_refused_unless_they_win() {
    let (place, (certificate, plain)) = (Place::new(), small("bin2x2"));
    let (game, winner_of) = (&certificate.game, winners(&certificate.game));
    let mut counts = [0; 4];
    for at in 0..plain.entries.len() {
        let (key, right) = plain.entries[at];
        let position = game.unrank(key).unwrap();
        let mut legal = Vec::new();
        game.moves(&position, &mut legal);
        for byte in (0..=255).filter(|&byte| byte != right) {
            let mut entries = plain.entries.clone();
            entries[at].1 = byte;
            let file = plain.with_entries(entries).file();
            let Some(name) = game.byte_text(byte) else {
                assert_eq!(place.read(&file).unwrap_err(), "damaged: has bytes that are no moves");
                counts[0] += 1;
                continue;
            };
            let mv = legal.iter().copied().find(|&mv| game.move_text(mv) == name);
            match check(&place.read(&file).unwrap(), &Silent) {
                Ok(_) => {
                    assert_eq!(winner_of(&game.play(&position, mv.unwrap())), Some(certificate.winner));
                    counts[1] += 1;
                }
                Err(refuted) if mv.is_none() => {
                    assert_eq!(refuted.position, game.position_text(&position));
                    assert_eq!(refuted.fault, Fault::IllegalMove(name));
                    counts[2] += 1;
                }
                Err(refuted) => {
                    assert!(matches!(refuted.fault, Fault::NoMove | Fault::Lost(_)), "{refuted}");
                    counts[3] += 1;
                }
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn certificates_of_other_rules_are_refuted() {
    let (place, plain) = (Place::new(), small("bin3x3").1);
    let near = Plain::of(&place.written(&prove(("bin3x3", 2, 1 << 20, 1), 4)));
    let mut winners = HashSet::new();
    for code in ["bin3x3-kb9.5", "bin3x3-kb0.5", "bin3x3-t222", "bin3x3-t999-kb0.5", "bin3x3-n", "bin3x3-t233"] {
        let game = binarsi(code);
        let winner = Prover::new(BinarsiProof::new(&game), 1 << 20, 1).winner(&game.start(), |_| true).unwrap();
        for plain in [&plain, &near] {
            assert_eq!(plain.lines[1], "rules bin3x3");
            match place.checked(&plain.with_line(&format!("rules {code}"))) {
                Ok(_) => assert_eq!(winner, Side::White, "{code}: what is proved is so"),
                Err(_) => drop(winners.insert(winner)),
            }
        }
    }
    assert_eq!(winners.len(), 2, "refuted whether or not the winner is another one");
    for (line, fault) in
        [("winner black", "no move is listed"), ("position ox1/3/3 w - - 1", ""), ("horizon 0", "no move")]
    {
        let refuted = place.checked(&near.with_line(line));
        match fault {
            "" => assert!(refuted.unwrap().unneeded > 0, "a part of what was proved"),
            _ => assert!(refuted.unwrap_err().to_string().contains(fault), "{line}"),
        }
    }
    let refuted = place.checked(&near.with_line("horizon 10").with_line("winner black")).unwrap_err();
    assert_eq!((refuted.fault, refuted.position.as_str()), (Fault::LostEndgame, "o2/3/3 b - - 0"));
}

#[test]
fn senseless_files_are_refused_whatever_their_checksums() {
    let (place, plain) = (Place::new(), small("bin2x2").1);
    let (first, last) = (plain.entries[0], plain.entries[plain.entries.len() - 1]);
    let bytes = plain.bytes();
    for (file, part) in [
        (packed(b""), "ends in the middle of a line"),
        (packed(b"\n\n"), "does not begin with"),
        (packed(&vec![b'a'; 1 << 20]), "middle of a line"),
        (packed(&bytes[..60]), "middle of a line"),
        (packed(&bytes[..bytes.len() - 1]), "as many moves as keys"),
        (packed(&[&bytes[..], b"a"].concat()), "as many moves as keys"),
        (plain.with_line("rules bin9x9").file(), "rule code \"bin9x9\""),
        (plain.with_line("rules bin2x2-t222").file(), "not written as this program does"),
        (plain.with_line("rules val1n").file(), "rule code \"val1n\""),
        (plain.with_line("revision 2").file(), "with revision 1"),
        (plain.with_line("position startpos").file(), "\"startpos\" is not how a position is written"),
        (plain.with_line("position o1/3 b - - 0").file(), "board field"),
        (plain.with_line("winner \x1b[31mgrey").file(), "\"\\u{1b}[31mgrey\" is no side"),
        (plain.with_line("horizon far").file(), "\"horizon\" is no number"),
        (plain.with_line("horizon -1").file(), "\"horizon\" is no number"),
        (plain.with_line("entries 1000000000000000000").file(), "its keys"),
        (plain.with_line("entries 0").file(), "as many moves as keys"),
        (plain.with_entries(vec![first, first]).file(), "keys do not ascend"),
        (plain.with_entries(vec![last, first]).file(), "keys"),
        (plain.with_entries(vec![(1 << 40, 0)]).file(), "keys do not ascend, or are none of its board"),
        (plain.with_entries(vec![(u64::MAX, 0)]).file(), "none of its board"),
        (plain.with_entries(vec![(first.0, 255)]).file(), "bytes that are no moves"),
        (b"YOMIKIRI".to_vec(), "is not a certificate of Yomikiri"),
    ] {
        let line = place.read(&file).map(|_| ()).expect_err(part);
        assert!(line.contains(part) && !line.chars().any(char::is_control), "{line} has no {part}");
    }
    let mut turned = plain.clone();
    turned.lines.swap(1, 3);
    assert_eq!(place.read(&turned.file()).unwrap_err(), "damaged: has no line \"rules\" in its place");
}

/// Text that grows a thousandfold when unpacked is not waited for.
#[test]
fn a_line_without_end_is_not_read_to_its_end() {
    let place = Place::new();
    assert!(place.read(&packed(&vec![b' '; 1 << 28])).unwrap_err().contains("middle of a line"));
}

// What the document says

/// Which of several winning moves a certificate lists is up to the search; the example has to be right, not the same.
#[test]
fn the_example_of_the_document_is_a_certificate_of_bin2x2() {
    let (certificate, plain) = small("bin2x2");
    let (count, lines) = plain.lines.split_last().unwrap();
    assert!(count.starts_with("entries "));
    assert!(DOCUMENT.contains(&format!("```text\n{}\nentries ", lines.join("\n"))), "{lines:?}");

    let game = &certificate.game;
    let (_, sentence) = DOCUMENT.split_once("Its first entry is ").unwrap();
    let (numbers, words) = sentence.split_once(':').unwrap();
    let (key, byte) = numbers.split_once(" with byte ").unwrap();
    let position = game.unrank(key.parse().unwrap()).unwrap();
    let mv = game.parse_move(&position, &game.byte_text(byte.parse().unwrap()).unwrap()).unwrap();
    let text = format!(" `{}` in `{}`.", game.move_text(mv), game.position_text(&position));
    assert!(words.starts_with(&text), "{text}");
    let after = Prover::new(BinarsiProof::new(game), 1 << 16, 1).winner(&game.play(&position, mv), |_| true);
    assert_eq!((position.side(), after), (certificate.winner, Some(certificate.winner)));
}

#[test]
fn bytes_of_moves_are_as_documented() {
    let game = binarsi("bin7x6");
    for (number, name) in "a n nH nL na no o s1 s2 s3 s4 s5 s6 xn xo".split(' ').enumerate() {
        assert!(DOCUMENT.contains(&format!("{number} `{name}`")), "{name}");
        for (way, letter) in "1234567abcdef".chars().enumerate() {
            assert_eq!(game.byte_text((way << 4 | number) as u8), Some(format!("{letter}{name}")));
        }
    }
}

// The command

fn checked(path: &Path, more: &[&str]) -> Vec<String> {
    let args = ["check", path.to_str().unwrap()].into_iter().chain(more.iter().copied());
    args.map(str::to_string).collect()
}

#[test]
fn the_command_refuses_in_one_line() {
    let (place, plain) = (Place::new(), small("bin2x2").1);
    let folder = place.folder.path();
    let path = place.path.to_str().unwrap().to_string();
    let refused = |file: &[u8], more: &[&str], status| {
        std::fs::write(&place.path, file).unwrap();
        let args = checked(&place.path, more);
        fails(folder, &args.iter().map(String::as_str).collect::<Vec<_>>(), status)
    };
    let sound = plain.file();
    let mut entries = plain.entries.clone();
    entries.pop();
    for (file, more, status, part) in [
        (plain.with_entries(entries).file(), &[][..], 1, "not proved: "),
        (sound[..sound.len() - 1].to_vec(), &["--json"], 1, "damaged: does not match its checksum"),
        (Vec::new(), &[], 1, "is not a certificate of Yomikiri"),
        (sound.clone(), &["--rules", "bin2x3"], 1, "is the certificate of bin2x2, not of bin2x3"),
        (sound.clone(), &["--rules", "val1n"], 1, "is the certificate of bin2x2, not of val1n"),
        (plain.with_line("rules bin2x2-kb1.5").file(), &["--rules", "bin2x2-kb1.5"], 1, "not proved: "),
        (plain.with_line("winner \nred").file(), &[], 1, "damaged: "),
    ] {
        let line = refused(&file, more, status);
        assert!(line.contains(part) && line.contains(&path), "{line} has no {part}");
    }
    assert!(refused(&sound, &["--rules", "bin9x9"], 2).contains("bin9x9"));
    assert!(refused(&sound, &["--threads", "0"], 2).contains("--threads"));
    assert!(fails(folder, &["check"], 2).contains("FILE"));
    let gone = folder.join("gone.proof.gz");
    assert!(fails(folder, &["check", gone.to_str().unwrap()], 1).contains("gone.proof.gz"));
    assert!(fails(folder, &["check", folder.to_str().unwrap()], 1).contains("is not a file"));
    // A reader that has gone away is no failure.
    std::fs::write(&place.path, &sound).unwrap();
    let pipe = std::io::pipe().unwrap().1;
    let status = command(folder, &["check", &path]).stdout(pipe).output().unwrap().status;
    assert_eq!(status.code(), Some(0));
}
