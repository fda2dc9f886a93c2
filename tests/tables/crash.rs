//! Crash tests: for every kind of file, the run that makes it is interrupted at every change to its files. See
//! `support::crash`.

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::support::crash::{files, folder, table, try_all, try_points};
use crate::support::repository::repository_path;
use crate::support::solving::job;
use yomikiri_answer::survey::{DecidedBy, Finding, Question, SurveyError, SurveyFile, Winner};
use yomikiri_export::{ExportFormat, export};
use yomikiri_play::Limits;
use yomikiri_play::matches::{self, MatchSettings, Part, PlayerSpec, RecordFile};
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{AnyGame, Game};
use yomikiri_search::adapters::binarsi::BinarsiProof;
use yomikiri_search::certificate::{self, Certificate, CertificateFile, check, extract};
use yomikiri_search::proof::Prover;
use yomikiri_search::proof::checkpoint::Checkpoints;
use yomikiri_solve::SolveError;
use yomikiri_solve::pipeline::analyze;
use yomikiri_table::disk::faults::{Disk, Fate, FolderWatch, InjectedFault};
use yomikiri_table::{Silent, TableError, checked, version1};

#[test]
fn tables_of_tiers() {
    assert!(table("bin2x2-m") > 100);
}

#[test]
fn tables_of_levels() {
    assert!(table("con3x3-k3") > 100);
}

#[test]
fn tables_of_occupancies() {
    assert!(table("rev3x3") > 100);
}

#[test]
fn tables_of_few_positions_that_repeat() {
    assert!(table("m00c1") > 20);
}

#[test]
fn tables_of_all_positions_that_repeat() {
    assert!(table("pyon2x3") > 20);
}

/// Interrupts the export of a finished table.
#[test]
fn exports() {
    for (code, form) in [("bin2x2", ExportFormat::Gz), ("m00c1", ExportFormat::Depths)] {
        let any = AnyGame::parse(code).unwrap();
        let tables = folder();
        let table = analyze(&any, None, tables.path(), &job()).unwrap().table;
        let tried =
            try_all(&format!("export of {code}"), |folder| export(&any, &table, form, folder, &Silent).map(drop));
        assert!(tried > 15, "{tried}");
    }
}

/// Returns a certificate of bin2x3.
fn proved() -> Certificate<Binarsi> {
    let game = Binarsi::parse("bin2x3").unwrap();
    let start = game.start();
    let mut prover = Prover::new(BinarsiProof::new(&game), 16 << 20, 1);
    let winner = prover.winner(&start, |_| true).unwrap();
    extract(&mut prover, &start, winner, 2, |_| true).unwrap()
}

#[test]
fn certificates() {
    let certificate = proved();
    let tried = try_all("certificate", |folder| Ok(certificate.write(&folder.join("bin2x3.proof"))?));
    assert!(tried > 10, "{tried}");
}

/// Interrupts a change of the list of checked certificates, which already has another entry.
#[test]
fn lists_of_checked_certificates() {
    let certificate = proved();
    let run = |folder: &Path| -> Result<(), SolveError> {
        let (path, list) = (folder.join("bin2x3.proof"), folder.join("checked"));
        if !list.exists() {
            std::fs::write(&list, "0123456789abcdef other.proof\n").unwrap();
        }
        if !path.exists() {
            certificate.write(&path)?;
        }
        let file = CertificateFile::<Binarsi>::open(&path)?;
        let hash = file.hash();
        check(&file.load()?, &Silent).unwrap();
        checked::note_checked(&path, hash)?;
        assert!(checked::is_checked(&path, hash) && checked::is_checked(&path, 0x0123456789abcdef));
        Ok(())
    };
    let tried = try_all("check", run);
    assert!(tried > 20, "{tried}");
}

/// Interrupts upgrades of files of format 1. A table keeps its name, and a certificate gets another one.
#[test]
fn upgrades() {
    for name in ["bin2x2.tbl", "m00c1.tbl", "pyon2x3.tbl", "rev3x3.tbl", "bin4x4.proof.gz"] {
        let old = repository_path("tests/tables/version1").join(name);
        let run = |folder: &Path| -> Result<(), SolveError> {
            let (path, new) = (folder.join(name), folder.join("bin4x4.proof"));
            if !path.exists() && !new.exists() {
                std::fs::copy(&old, &path).unwrap();
            }
            match name.ends_with(".gz") {
                true if path.exists() => drop(certificate::upgrade_version1(&path)?),
                false if version1::is_version1(&path)? => version1::upgrade(&path)?,
                _ => {}
            }
            Ok(())
        };
        let tried = try_all(&format!("upgrade of {name}"), run);
        assert!(tried > 10, "{name}: {tried}");
    }
}

/// Proves all moves with a checkpoint after each question, as `prove --all-moves` does. Wherever a run is interrupted,
/// the next one resumes from the last complete checkpoint and finds the same winner for each move. Only the names of
/// the files are compared, because the files contain times.
#[test]
fn checkpoints_of_proofs_of_all_moves() {
    let game = Binarsi::parse("bin3x3").unwrap();
    let start = game.start();
    let winners = Cell::new(None);
    let kept = Cell::new(0);
    let prove = |folder: &Path| -> Result<(), SolveError> {
        let mut prover = Prover::new(BinarsiProof::new(&game), 16 << 20, 1);
        let mut checkpoints = Checkpoints::open(&folder.join("proof"), 1 << 20)?;
        let resumed = checkpoints.resume(&mut prover, &start)?;
        assert!(resumed.is_some() || kept.get() == 0, "{} checkpoints are lost", kept.get());
        let mut keep = |prover: &Prover<_>| -> Result<(), SolveError> {
            checkpoints.save(&prover.state(&start), Duration::ZERO, &mut || true)?;
            kept.set(kept.get() + 1);
            Ok(())
        };
        let winner = prover.winner(&start, |_| true).unwrap();
        keep(&prover)?;
        let of_moves = prover.winners_of_moves(&start, |_| true);
        keep(&prover)?;
        let found = format!("{winner:?} {of_moves:?}");
        let before = winners.take().unwrap_or_else(|| found.clone());
        assert_eq!(found, before);
        winners.set(Some(before));
        Ok(())
    };
    let names = |folder: &Path| {
        let names = files(&folder.join("proof")).into_keys().filter(|name| name.extension().unwrap() != "part");
        names.map(|name| (name, Vec::new())).collect()
    };
    let tried = try_points("checkpoints of all moves", || kept.set(0), prove, names);
    assert!(tried > 20, "{tried}");
}

/// Interrupts a survey: two threads add answers to its journal, then its file is written.
#[test]
fn surveys() {
    let codes = ["bin2x2-kb2.5", "bin2x2-kb1.5", "bin2x2-kb0.5", "bin2x2"].map(String::from);
    let failed = |error: SurveyError| match error {
        SurveyError::Refused { path, what } => SolveError::Table(TableError::foreign(&path, what)),
        SurveyError::File(error) => SolveError::Table(error),
    };
    let answer = |code: &str| {
        let winner = Some(if code == "bin2x2" { Winner::White } else { Winner::Black });
        let command = format!("yomikiri prove {code} --threads 1 --memory 256M --json");
        (code.to_string(), Finding { winner, by: DecidedBy::Proof, command, ..Finding::default() })
    };
    let ask = |folder: &Path| -> Result<(), SolveError> {
        let survey = SurveyFile::open(&folder.join("out"), Question::Winner, &codes).map_err(failed)?;
        let settled = survey.settled(None, 0);
        let add = |codes: &[String]| {
            let left = codes.iter().filter(|code| !settled.contains_key(*code));
            // If one answer cannot be added, the others still are.
            left.map(|code| survey.add(vec![answer(code)])).fold(Ok(()), Result::and)
        };
        let added = std::thread::scope(|scope| {
            let threads: Vec<_> = codes.chunks(2).map(|codes| scope.spawn(|| add(codes))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).fold(Ok(()), Result::and)
        });
        added.map_err(failed)?;
        let summary = survey.finish().map_err(failed)?;
        assert_eq!((summary.won, summary.open), ([3, 1, 0], 0));
        Ok(())
    };
    let tried = try_all("survey", ask);
    assert!(tried > 40, "{tried}");
}

/// Wherever a match is interrupted, its file has complete records of its first games and nothing else. A match cannot
/// be resumed, so no second run follows.
#[test]
fn records_of_matches() {
    let game = AnyGame::parse("con3x3-k3").unwrap();
    let spec = |text| PlayerSpec::parse(text, Limits::default()).unwrap();
    let nowhere = folder();
    let settings = MatchSettings {
        game: &game,
        players: [spec("greedy"), spec("random")],
        location: nowhere.path().into(),
        games: 6,
        part: Part::WHOLE,
        seed: 1,
        opening: 0,
        openings: None,
        same_colours: false,
        max_plies: 100,
        threads: 2,
        memory: 1 << 20,
        grace: Duration::ZERO,
    };
    // Plays the match. Returns the number of games reported as recorded, and true if nothing failed.
    let play = |path: &Path| {
        let Ok(mut records) = RecordFile::create(path) else { return (0, false) };
        let (tally, broken) = matches::run(&settings, &AtomicBool::new(false), &mut |played| records.add(played));
        (tally.games(), broken.is_none() && records.sync().is_ok())
    };
    let first = folder();
    let watch = FolderWatch::new(first.path(), None);
    assert_eq!(play(&first.path().join("games")), (6, true));
    let changes = watch.changes();
    drop(watch);
    let whole = std::fs::read_to_string(first.path().join("games")).unwrap();
    let begins = whole.match_indices("# game ").map(|(at, _)| at.saturating_sub(1));
    let ends: Vec<usize> = begins.chain([whole.len()]).collect();
    assert_eq!((ends.len(), changes.len()), (7, 8));
    for number in 0..changes.len() {
        for fault in [InjectedFault::Error, InjectedFault::Short, InjectedFault::Death] {
            let folder = folder();
            let watch = FolderWatch::new(folder.path(), Some((number, fault)));
            let (games, is_whole) = play(&folder.path().join("games"));
            drop(watch);
            assert!(!is_whole, "nobody is told of change {number} with {fault:?}");
            let left = std::fs::read_to_string(folder.path().join("games")).unwrap_or_default();
            assert_eq!(left, whole[..ends[games as usize]], "change {number} with {fault:?}");
        }
    }
    // After a success, no game is lost, even if everything that was not synced is lost.
    let mut disk = Disk::default();
    changes.iter().for_each(|change| disk.apply(change));
    let left = disk.left(|_| Fate::Lost);
    assert_eq!(left.into_values().collect::<Vec<_>>(), [whole.into_bytes()]);
}
