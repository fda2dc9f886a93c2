//! Tests of cluster runs, which do each step for some of the tiers at a time. They make the same bytes as a run on one
//! machine.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use crate::support::command::good;
use crate::support::games::binarsi;
use tempfile::TempDir;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_solve::SolveError;
use yomikiri_solve::cluster::{ClusterRun, KeptSheets, Step, Unit};
use yomikiri_table::{Identity, NewSection, SectionBlocks, SectionFile, SectionRecord, Silent, Storage};

/// Returns a temporary folder, in memory if the system has `/dev/shm`. These runs write and sync thousands of small
/// files.
fn in_memory() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { TempDir::new_in(memory).unwrap() } else { TempDir::new().unwrap() }
}

/// A row limit that no tier exceeds, so that tiers are not cut.
const UNCUT: usize = 1 << 30;

fn new_run<'a>(game: &'a Binarsi, storage: &'a Storage, uncut: usize) -> ClusterRun<'a, Binarsi> {
    let run = ClusterRun::new(game, storage, 1 << 30, uncut).unwrap();
    run.begin().unwrap();
    run
}

/// Runs a step for some units on a new worker, which has no sheets in memory yet.
fn run_step(run: &ClusterRun<Binarsi>, step: Step, units: &[usize]) -> Result<(), SolveError> {
    run.work(step, units, &mut KeptSheets::default(), &Silent)
}

/// Runs a step for all its unfinished units, ply by ply in the direction of the step, in groups of at most `group`
/// units. Two workers take turns.
fn whole_step(run: &ClusterRun<Binarsi>, step: Step, group: usize) {
    let units = run.units(step);
    let finished = run.finished(step).unwrap();
    let last = units.iter().map(|unit| unit.ply).max().unwrap_or(0);
    let plies: Vec<u32> = if step == Step::Solve { (0..=last).rev().collect() } else { (0..=last).collect() };
    let mut workers = [KeptSheets::default(), KeptSheets::default()];
    for ply in plies {
        let mine = units.iter().filter(|unit| unit.ply == ply && !finished.contains(&unit.number));
        let mine: Vec<usize> = mine.map(|unit| unit.number).collect();
        for group in mine.chunks(group) {
            workers.rotate_left(1);
            run.work(step, group, &mut workers[0], &Silent).unwrap();
        }
    }
    let all: BTreeSet<usize> = units.iter().map(|unit| unit.number).collect();
    let finished: BTreeSet<usize> = run.finished(step).unwrap().into_iter().collect();
    let left: Vec<usize> = all.difference(&finished).copied().collect();
    assert_eq!(left, [0; 0], "{step:?}");
}

/// Runs all steps for all units one by one. The order is random, but each unit comes after those that it depends on.
fn in_any_order(run: &ClusterRun<Binarsi>, mut seed: u64) {
    let steps = Step::ALL.map(|step| run.units(step).into_iter().map(move |unit| (step, unit)));
    let mut left: Vec<(Step, Unit)> = steps.into_iter().flatten().collect();
    let (mut done, mut kept): (HashSet<(Step, usize)>, _) = (HashSet::new(), KeptSheets::default());
    while !left.is_empty() {
        let is_ready = |at: &usize| left[*at].1.after.iter().all(|before| done.contains(before));
        let ready: Vec<usize> = (0..left.len()).filter(is_ready).collect();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (step, unit) = left.swap_remove(ready[(seed >> 33) as usize % ready.len()]);
        run.work(step, &[unit.number], &mut kept, &Silent).unwrap();
        done.insert((step, unit.number));
    }
}

/// Writes the table in pieces of `length` bytes. The last piece may be shorter.
fn pack(run: &ClusterRun<Binarsi>, code: &str, length: u64) {
    let assembly = run.assembly().unwrap();
    for (number, start) in (0..assembly.length()).step_by(length as usize).enumerate() {
        let end = (start + length).min(assembly.length());
        run.write_piece(&assembly, start..end, &format!("{code}.tbl.{number:04}")).unwrap();
    }
}

/// Returns the bytes of all pieces, concatenated.
fn pieces(folder: &Path, code: &str) -> Vec<u8> {
    let piece = |number: usize| std::fs::read(folder.join(format!("{code}.tbl.{number:04}"))).ok();
    (0..).map_while(piece).flatten().collect()
}

#[test]
fn tiers_in_groups_make_the_table_of_one_machine() {
    // The code, the maximum number of rows of an uncut tier, the number of units in a group, and the number of bytes in
    // a piece.
    for (code, uncut, group, piece) in [
        ("bin3x3", UNCUT, 1, 1000),
        ("bin3x4-n", UNCUT, 3, 1 << 20),
        ("bin4x2-m", UNCUT, 100, 777),
        ("bin3x3", 1, 40, 1000),
        ("bin3x3-n", 64, 40, 1 << 20),
        ("bin4x3", 512, 100, 5000),
        ("bin4x2-m", 1, 40, 777),
    ] {
        let folder = in_memory();
        let game = binarsi(code);
        let storage = Storage::find(folder.path().join("shared").to_str().unwrap()).unwrap();
        let run = new_run(&game, &storage, uncut);
        Step::ALL.into_iter().for_each(|step| whole_step(&run, step, group));
        pack(&run, code, piece);
        let shared = folder.path().join("shared");
        good(folder.path(), &["analyze", code]);
        let expected = std::fs::read(folder.path().join(format!("{code}.tbl"))).unwrap();
        assert!(pieces(&shared, code) == expected, "{code}");
        // Every command reads the pieces as a table.
        for verb in [&["verify", code][..], &["query", code], &["stats", code], &["line", code]] {
            let said = |folder: &Path| good(folder, verb).replace(folder.to_str().unwrap(), "");
            assert_eq!(said(&shared), said(folder.path()), "{verb:?}");
        }
        run.clean().unwrap();
        let left = shared.join(format!("{code}.run"));
        assert!(!left.exists(), "{code}: {} is left", left.display());
    }
}

#[test]
fn parts_in_any_order_make_the_table_of_one_machine() {
    for code in ["bin2x3", "bin3x2", "bin2x2", "bin2x3-n"] {
        let folder = in_memory();
        good(folder.path(), &["analyze", code]);
        let expected = std::fs::read(folder.path().join(format!("{code}.tbl"))).unwrap();
        for seed in 0..2 {
            let shared = folder.path().join(format!("shared{seed}"));
            let (game, storage) = (binarsi(code), Storage::find(shared.to_str().unwrap()).unwrap());
            // With no more memory than the largest unit needs, marks are written as soon as they are made.
            let steps = Step::ALL.map(|step| new_run(&game, &storage, 1).units(step));
            let memory = steps.iter().flatten().map(|unit| unit.memory).max().unwrap();
            let memory = if seed == 0 { memory } else { 1 << 30 };
            let run = ClusterRun::new(&game, &storage, memory, 1).unwrap();
            run.begin().unwrap();
            assert!(run.units(Step::Pack).len() > 2);
            in_any_order(&run, seed);
            pack(&run, code, 1 << 20);
            assert!(pieces(&shared, code) == expected, "{code}, order {seed}");
        }
    }
}

#[test]
fn the_audit_of_parts_finds_a_wrong_value_and_a_position_too_many() {
    // Some full boards have another winner with another komi.
    let (code, other_code) = ("bin2x3", "bin2x3-kb3.5");
    let folder = in_memory();
    let other = in_memory();
    let [storage, other_storage] =
        [&folder, &other].map(|folder| Storage::find(folder.path().to_str().unwrap()).unwrap());
    let (game, other_game) = (binarsi(code), binarsi(other_code));
    let (run, other_run) = (new_run(&game, &storage, 1), new_run(&other_game, &other_storage, 1));
    for run in [&run, &other_run] {
        [Step::Enumerate, Step::Solve].into_iter().for_each(|step| whole_step(run, step, 4));
    }
    let mut names: Vec<String> = std::fs::read_dir(folder.path().join("bin2x3.run/values"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains('-'))
        .collect();
    names.sort();
    let mut found = 0;
    for name in names {
        let [mine, theirs] = [(folder.path(), code), (other.path(), other_code)]
            .map(|(folder, code)| folder.join(format!("{code}.run/values/{name}")));
        let bytes = std::fs::read(&mine).unwrap();
        // The section of the other code, encoded with the identity of this run.
        let theirs = {
            let bytes = std::fs::read(&theirs).unwrap();
            let file = SectionFile::decode(bytes, &theirs, &Identity::of(&other_game, "values")).unwrap();
            let SectionRecord { key, rows, tally, .. } = file.entry().clone();
            let plain = |block: usize| file.block(block).unwrap();
            let section = NewSection { key, rows, tally, blocks: file.count(), plain: &plain };
            SectionFile::encode(&section, &Identity::of(&game, "values"))
        };
        if theirs == bytes {
            continue;
        }
        std::fs::write(&mine, &theirs).unwrap();
        let audit = || {
            for unit in run.units(Step::Audit) {
                run_step(&run, Step::Audit, &[unit.number])?;
            }
            Ok::<(), SolveError>(())
        };
        let error = audit().unwrap_err();
        assert!(matches!(error, SolveError::Wrong(_)), "{name}: {error}");
        found += 1;
        std::fs::write(&mine, &bytes).unwrap();
        for folder in ["audit", "marks", "common/audit"] {
            std::fs::remove_dir_all(mine.ancestors().nth(2).unwrap().join(folder)).ok();
        }
    }
    assert!(found > 5, "{found}");
}

#[test]
fn a_run_goes_on_in_other_groups_and_a_step_may_be_done_twice() {
    let code = "bin3x3";
    let folder = in_memory();
    let game = binarsi(code);
    let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
    let run = new_run(&game, &storage, UNCUT);
    let units = run.units(Step::Solve);
    for step in [Step::Enumerate, Step::Solve] {
        whole_step(&run, step, 2);
        whole_step(&run, step, 2);
    }
    // Restores the state after a kill: a group has written the marks of its moves, but not the line that says it has
    // passed the audit.
    let ply = |ply| units.iter().filter(|unit| unit.ply == ply).map(|unit| unit.number).collect::<Vec<_>>();
    run_step(&run, Step::Audit, &ply(0)).unwrap();
    let second = ply(1);
    assert!(second.len() > 1);
    let marks: Vec<PathBuf> = second
        .iter()
        .enumerate()
        .map(|(at, number)| folder.path().join(format!("{code}.run/marks/{number:06}/000000-{at:04}")))
        .collect();
    let kept: Vec<Vec<u8>> = marks.iter().map(|path| std::fs::read(path).unwrap()).collect();
    run_step(&run, Step::Audit, &second).unwrap();
    assert!(marks.iter().all(|path| !path.exists()));
    std::fs::remove_file(folder.path().join(format!("{code}.run/audit/{:06}", second[0]))).unwrap();
    marks.iter().zip(&kept).for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
    whole_step(&run, Step::Audit, 1);
    whole_step(&run, Step::Audit, 3);
}

#[test]
fn what_is_damaged_or_wrong_is_found() {
    let code = "bin3x2";
    let folder = in_memory();
    let game = binarsi(code);
    let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
    let run = new_run(&game, &storage, UNCUT);
    [Step::Enumerate, Step::Solve].into_iter().for_each(|step| whole_step(&run, step, 4));
    let units = run.units(Step::Solve);
    let children: Vec<usize> =
        units[0].after.iter().filter(|(step, _)| *step == Step::Solve).map(|&(_, number)| number).collect();
    let file = |folder_name: &str, number: usize| folder.path().join(format!("{code}.run/{folder_name}/{number:06}"));
    let child = file("values", children[0]);
    let bytes = std::fs::read(&child).unwrap();
    // A byte of a block is changed.
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    std::fs::write(&child, &changed).unwrap();
    let error = run_step(&run, Step::Audit, &[0]).unwrap_err().to_string();
    assert!(error.contains(&format!("values/{:06}: damaged", children[0])), "{error}");
    assert!(run.write_piece(&run.assembly().unwrap(), 0..1 << 14, "x").is_err());
    // The section of another tier has the name of this file.
    std::fs::copy(file("values", units.len() - 1), &child).unwrap();
    let error = run_step(&run, Step::Audit, &[0]).unwrap_err().to_string();
    assert!(
        error.contains("does not have the contents that the run wrote; delete the file and repeat the command"),
        "{error}"
    );
    // Values of other rules have the name of this run's file.
    std::fs::write(&child, &bytes).unwrap();
    let other = in_memory();
    let other_storage = Storage::find(other.path().to_str().unwrap()).unwrap();
    let other_game = binarsi("bin3x2-kb3.5");
    let other_run = new_run(&other_game, &other_storage, UNCUT);
    [Step::Enumerate, Step::Solve].into_iter().for_each(|step| whole_step(&other_run, step, 4));
    std::fs::copy(other.path().join("bin3x2-kb3.5.run/values/000000"), file("values", 0)).unwrap();
    let error = run_step(&run, Step::Audit, &[0]).unwrap_err().to_string();
    assert!(error.contains("belongs to another game"), "{error}");
    // A file of an earlier step is missing.
    std::fs::remove_file(&child).unwrap();
    std::fs::remove_file(file("values", 0)).unwrap();
    let error = run_step(&run, Step::Solve, &[0]).unwrap_err().to_string();
    assert!(error.contains("does not exist; an earlier step has to write it first"), "{error}");
}

/// A unit counts as audited if its file has a line with a valid checksum that says so. No flipped bit in such a file is
/// accepted, and neither is the file of another unit.
#[test]
fn no_damaged_line_says_that_a_unit_has_passed_the_audit() {
    let code = "bin3x2";
    let folder = in_memory();
    let game = binarsi(code);
    let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
    let run = new_run(&game, &storage, UNCUT);
    [Step::Enumerate, Step::Solve].into_iter().for_each(|step| whole_step(&run, step, 4));
    run_step(&run, Step::Audit, &[0]).unwrap();
    assert_eq!(run.finished(Step::Audit).unwrap(), [0]);
    let passed = folder.path().join(format!("{code}.run/audit/000000"));
    let sound = std::fs::read(&passed).unwrap();
    for at in 0..sound.len() {
        for bit in 0..8 {
            let mut changed = sound.clone();
            changed[at] ^= 1 << bit;
            std::fs::write(&passed, &changed).unwrap();
            let error = run.finished(Step::Audit).unwrap_err().to_string();
            assert!(error.contains("audit/000000: damaged: does not have the contents that the run wrote"), "{error}");
        }
    }
    std::fs::write(&passed, &sound).unwrap();
    std::fs::copy(&passed, passed.with_file_name("000001")).unwrap();
    assert!(run.finished(Step::Audit).unwrap_err().to_string().contains("audit/000001: damaged"));
}

/// A run writes and deletes nothing in a folder that it did not make. Beside that folder it replaces only its own
/// files.
#[test]
fn what_others_have_left_is_neither_replaced_nor_deleted() {
    let code = "bin2x2";
    let folder = in_memory();
    let path = |name: &str| folder.path().join(name);
    let letter = |name: &str| std::fs::write(path(name), "Dear reader").unwrap();
    let is_letter = |name: &str| std::fs::read(path(name)).unwrap() == b"Dear reader";
    let game = binarsi(code);
    let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
    let run = ClusterRun::new(&game, &storage, 1 << 30, UNCUT).unwrap();
    let refused = run_step(&run, Step::Enumerate, &[0]).unwrap_err().to_string();
    assert!(refused.contains("bin2x2.run: does not exist"), "{refused}");
    assert!(!path("bin2x2.run").exists());
    std::fs::create_dir_all(path("bin2x2.run/reach")).unwrap();
    letter("bin2x2.run/reach/000000");
    for refused in [run.begin(), run_step(&run, Step::Enumerate, &[0]), run.clean()] {
        let refused = refused.unwrap_err().to_string();
        assert!(
            refused.contains("bin2x2.run: exists and has no .yomikiri file that marks it as the work of a cluster"),
            "{refused}"
        );
    }
    assert!(is_letter("bin2x2.run/reach/000000"));
    std::fs::remove_dir_all(path("bin2x2.run")).unwrap();
    run.begin().unwrap();
    Step::ALL.into_iter().for_each(|step| whole_step(&run, step, 4));
    let assembly = run.assembly().unwrap();
    let (half, length) = (assembly.length() / 2, assembly.length());
    for (name, range, what) in [
        ("bin2x2.tbl", 0..length, "a table of this program"),
        ("bin2x2.tbl.0001", half..length, "this piece of the table"),
        ("bin2x2.tbl.0000", 0..half, "a table of this program"),
    ] {
        let write = || run.write_piece(&assembly, range.clone(), name);
        letter(name);
        let refused = write().unwrap_err().to_string();
        assert!(refused.ends_with(&format!("{name}: exists and is not {what}; move it away")), "{refused}");
        assert!(is_letter(name));
        std::fs::remove_file(path(name)).unwrap();
        write().unwrap();
        write().unwrap();
    }
    // If the first piece exists, later pieces may have another length.
    run.write_piece(&assembly, half + 1..length, "bin2x2.tbl.0001").unwrap();
    run.clean().unwrap();
    assert!(!path("bin2x2.run").exists());
}

#[test]
fn a_board_that_does_not_fit_the_memory_is_refused() {
    let folder = in_memory();
    let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
    let game = binarsi("bin5x5");
    let refused = ClusterRun::new(&game, &storage, 1 << 30, UNCUT).err().unwrap().to_string();
    assert!(refused.contains("bin5x5: a step needs") && refused.contains("only 1073741824 are allowed"), "{refused}");
}
