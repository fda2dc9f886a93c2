//! Steps over some tiers, as machines of a cluster take them, beside a run on one machine: the same bytes.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use crate::support::command::good;
use crate::support::games::binarsi;
use tempfile::TempDir;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_solve::SolveError;
use yomikiri_solve::cluster::{ClusterRun, KeptSheets, Step, Unit};
use yomikiri_table::{Entry, Identity, NewSection, SectionBlocks, SectionFile, Silent, Storage};

/// A folder in memory where there is one: these runs write thousands of small files, each of which is synced.
fn in_memory() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { TempDir::new_in(memory).unwrap() } else { TempDir::new().unwrap() }
}

/// Rows of a tier that is never cut.
const UNCUT: usize = 1 << 30;

fn new_run<'a>(game: &'a Binarsi, storage: &'a Storage, uncut: usize) -> ClusterRun<'a, Binarsi> {
    ClusterRun::new(game, storage, 1 << 30, uncut).unwrap()
}

/// Takes units through a step by a worker that has done nothing before.
fn take(run: &ClusterRun<Binarsi>, step: Step, units: &[usize]) -> Result<(), SolveError> {
    run.work(step, units, &mut KeptSheets::default(), &Silent)
}

/// Takes all units through a step, ply by ply in the order of the step, in groups of so many; two workers do so by
/// turns.
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

/// Takes all units through all steps, one by one, in an order that nothing but their dependencies tells.
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

/// Writes the table in pieces of so many bytes.
fn pack(run: &ClusterRun<Binarsi>, code: &str, length: u64) {
    let assembly = run.assembly().unwrap();
    for (number, start) in (0..assembly.length()).step_by(length as usize).enumerate() {
        let end = (start + length).min(assembly.length());
        run.write_piece(&assembly, start..end, &format!("{code}.tbl.{number:04}")).unwrap();
    }
}

/// The bytes of the pieces, one after the other.
fn pieces(folder: &Path, code: &str) -> Vec<u8> {
    let piece = |number: usize| std::fs::read(folder.join(format!("{code}.tbl.{number:04}"))).ok();
    (0..).map_while(piece).flatten().collect()
}

#[test]
fn tiers_in_groups_make_the_table_of_one_machine() {
    // Tiers of so many rows are not cut.
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
        // The pieces are a table for every verb.
        for verb in [&["verify", code][..], &["query", code], &["stats", code], &["line", code]] {
            let said = |folder: &Path| good(folder, verb).replace(folder.to_str().unwrap(), "");
            assert_eq!(said(&shared), said(folder.path()), "{verb:?}");
        }
        run.clean().unwrap();
        let left = shared.join(format!("{code}.run"));
        let count = files_below(&left);
        assert_eq!(count, 0, "{code}: files are left in {}", left.display());
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
            assert!(run.units(Step::Pack).len() > 2);
            in_any_order(&run, seed);
            pack(&run, code, 1 << 20);
            assert!(pieces(&shared, code) == expected, "{code}, order {seed}");
        }
    }
}

#[test]
fn the_audit_of_parts_finds_a_wrong_value_and_a_position_too_many() {
    // The last stone of the board of other komi counts otherwise.
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
        // The other board's section, as if this run had made it.
        let theirs = {
            let bytes = std::fs::read(&theirs).unwrap();
            let file = SectionFile::decode(bytes, &theirs, &Identity::of(&other_game, "values")).unwrap();
            let Entry { key, rows, tally, .. } = file.entry().clone();
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
                take(&run, Step::Audit, &[unit.number])?;
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

/// Files below a folder.
fn files_below(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.map(|entry| entry.unwrap().path()).map(|path| if path.is_dir() { files_below(&path) } else { 1 }).sum()
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
    // A kill after a group has written where its moves lead, before the line that says that it has passed.
    let ply = |ply| units.iter().filter(|unit| unit.ply == ply).map(|unit| unit.number).collect::<Vec<_>>();
    take(&run, Step::Audit, &ply(0)).unwrap();
    let second = ply(1);
    assert!(second.len() > 1);
    let marks: Vec<PathBuf> = second
        .iter()
        .enumerate()
        .map(|(at, number)| folder.path().join(format!("{code}.run/marks/{number:06}/000000-{at:04}")))
        .collect();
    let kept: Vec<Vec<u8>> = marks.iter().map(|path| std::fs::read(path).unwrap()).collect();
    take(&run, Step::Audit, &second).unwrap();
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
    // A byte of a block.
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    std::fs::write(&child, &changed).unwrap();
    let error = take(&run, Step::Audit, &[0]).unwrap_err().to_string();
    assert!(error.contains(&format!("values/{:06}: damaged", children[0])), "{error}");
    assert!(run.write_piece(&run.assembly().unwrap(), 0..1 << 14, "x").is_err());
    // The section of another tier under its name.
    std::fs::copy(file("values", units.len() - 1), &child).unwrap();
    let error = take(&run, Step::Audit, &[0]).unwrap_err().to_string();
    assert!(error.contains("is not what its run has written; delete it and give the same command again"), "{error}");
    // Values of other rules, under the identity of this run.
    std::fs::write(&child, &bytes).unwrap();
    let other = in_memory();
    let other_storage = Storage::find(other.path().to_str().unwrap()).unwrap();
    let other_game = binarsi("bin3x2-kb3.5");
    let other_run = new_run(&other_game, &other_storage, UNCUT);
    [Step::Enumerate, Step::Solve].into_iter().for_each(|step| whole_step(&other_run, step, 4));
    std::fs::copy(other.path().join("bin3x2-kb3.5.run/values/000000"), file("values", 0)).unwrap();
    let error = take(&run, Step::Audit, &[0]).unwrap_err().to_string();
    assert!(error.contains("of another game"), "{error}");
    // A missing file of an earlier step.
    std::fs::remove_file(&child).unwrap();
    std::fs::remove_file(file("values", 0)).unwrap();
    let error = take(&run, Step::Solve, &[0]).unwrap_err().to_string();
    assert!(error.contains("not there: another step has to come first"), "{error}");
}

/// A unit counts as audited by a line with a checksum: none of its bits can be another one, and it is of its group alone.
#[test]
fn no_damaged_line_says_that_a_unit_has_passed_the_audit() {
    let code = "bin3x2";
    let folder = in_memory();
    let game = binarsi(code);
    let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
    let run = new_run(&game, &storage, UNCUT);
    [Step::Enumerate, Step::Solve].into_iter().for_each(|step| whole_step(&run, step, 4));
    take(&run, Step::Audit, &[0]).unwrap();
    assert_eq!(run.finished(Step::Audit).unwrap(), [0]);
    let passed = folder.path().join(format!("{code}.run/audit/000000"));
    let sound = std::fs::read(&passed).unwrap();
    for at in 0..sound.len() {
        for bit in 0..8 {
            let mut changed = sound.clone();
            changed[at] ^= 1 << bit;
            std::fs::write(&passed, &changed).unwrap();
            let error = run.finished(Step::Audit).unwrap_err().to_string();
            assert!(error.contains("audit/000000: damaged: is not what its run has written"), "{error}");
        }
    }
    std::fs::write(&passed, &sound).unwrap();
    std::fs::copy(&passed, passed.with_file_name("000001")).unwrap();
    assert!(run.finished(Step::Audit).unwrap_err().to_string().contains("audit/000001: damaged"));
}

#[test]
fn a_board_that_does_not_fit_the_memory_is_refused() {
    let folder = in_memory();
    let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
    let game = binarsi("bin5x5");
    let refused = ClusterRun::new(&game, &storage, 1 << 30, UNCUT).err().unwrap().to_string();
    assert!(refused.contains("bin5x5: a step needs") && refused.contains("not 1073741824"), "{refused}");
}
