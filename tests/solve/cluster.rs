//! Steps over some tiers, as machines of a cluster take them, beside a run on one machine: the same bytes.

use std::path::{Path, PathBuf};

use crate::support::command::good;
use crate::support::games::binarsi;
use tempfile::TempDir;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_solve::cluster::{ClusterRun, Step};
use yomikiri_table::{Silent, Storage};

const STEPS: [Step; 3] = [Step::Enumerate, Step::Solve, Step::Audit];

/// Takes all tiers through a step, ply by ply in the order of the step, in groups of so many.
fn whole_step(run: &ClusterRun<Binarsi>, step: Step, group: usize) {
    let tiers: Vec<(u32, usize, Vec<usize>)> = run.tiers().collect();
    let finished = run.finished(step).unwrap();
    let last = tiers.last().unwrap().0;
    let plies: Vec<u32> = if step == Step::Solve { (0..=last).rev().collect() } else { (0..=last).collect() };
    for ply in plies {
        let mine: Vec<usize> =
            (0..tiers.len()).filter(|number| tiers[*number].0 == ply && !finished.contains(number)).collect();
        for group in mine.chunks(group) {
            run.work(step, group, &Silent).unwrap();
        }
    }
    assert_eq!(run.finished(step).unwrap().len(), tiers.len());
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
    for (code, group, piece) in [("bin3x3", 1, 1000), ("bin3x4-n", 3, 1 << 20), ("bin4x2-m", 100, 777)] {
        let folder = TempDir::new().unwrap();
        let game = binarsi(code);
        let storage = Storage::find(folder.path().join("shared").to_str().unwrap()).unwrap();
        let run = ClusterRun::new(&game, &storage, 1 << 30).unwrap();
        STEPS.into_iter().for_each(|step| whole_step(&run, step, group));
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

/// Files below a folder.
fn files_below(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.map(|entry| entry.unwrap().path()).map(|path| if path.is_dir() { files_below(&path) } else { 1 }).sum()
}

#[test]
fn a_run_goes_on_in_other_groups_and_a_step_may_be_done_twice() {
    let code = "bin3x3";
    let folder = TempDir::new().unwrap();
    let game = binarsi(code);
    let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
    let run = ClusterRun::new(&game, &storage, 1 << 30).unwrap();
    let tiers: Vec<(u32, usize, Vec<usize>)> = run.tiers().collect();
    for step in [Step::Enumerate, Step::Solve] {
        whole_step(&run, step, 2);
        whole_step(&run, step, 2);
    }
    // A kill after a group has written where its moves lead, before the line that says that it has passed.
    let ply = |ply: u32| (0..tiers.len()).filter(|&number| tiers[number].0 == ply).collect::<Vec<_>>();
    run.work(Step::Audit, &ply(0), &Silent).unwrap();
    let second = ply(1);
    assert!(second.len() > 1);
    let marks: Vec<PathBuf> =
        second.iter().map(|number| folder.path().join(format!("{code}.run/marks/{number:06}/000000"))).collect();
    let kept: Vec<Vec<u8>> = marks.iter().map(|path| std::fs::read(path).unwrap()).collect();
    run.work(Step::Audit, &second, &Silent).unwrap();
    assert!(marks.iter().all(|path| !path.exists()));
    std::fs::remove_file(folder.path().join(format!("{code}.run/audit/{:06}", second[0]))).unwrap();
    marks.iter().zip(&kept).for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
    whole_step(&run, Step::Audit, 1);
    whole_step(&run, Step::Audit, 3);
}

#[test]
fn what_is_damaged_or_wrong_is_found() {
    let code = "bin3x2";
    let folder = TempDir::new().unwrap();
    let game = binarsi(code);
    let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
    let run = ClusterRun::new(&game, &storage, 1 << 30).unwrap();
    [Step::Enumerate, Step::Solve].into_iter().for_each(|step| whole_step(&run, step, 4));
    let tiers: Vec<(u32, usize, Vec<usize>)> = run.tiers().collect();
    let file = |folder_name: &str, number: usize| folder.path().join(format!("{code}.run/{folder_name}/{number:06}"));
    let (_, _, children) = &tiers[0];
    let child = file("values", children[0]);
    let bytes = std::fs::read(&child).unwrap();
    // A byte of a block.
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    std::fs::write(&child, &changed).unwrap();
    let error = run.work(Step::Audit, &[0], &Silent).unwrap_err().to_string();
    assert!(error.contains(&format!("values/{:06}: damaged", children[0])), "{error}");
    assert!(run.write_piece(&run.assembly().unwrap(), 0..1 << 14, "x").is_err());
    // The section of another tier under its name.
    std::fs::copy(file("values", tiers.len() - 1), &child).unwrap();
    let error = run.work(Step::Audit, &[0], &Silent).unwrap_err().to_string();
    assert!(error.contains("is not what its run has written; delete it and give the same command again"), "{error}");
    // Values of other rules, under the identity of this run.
    std::fs::write(&child, &bytes).unwrap();
    let other = TempDir::new().unwrap();
    let other_storage = Storage::find(other.path().to_str().unwrap()).unwrap();
    let other_game = binarsi("bin3x2-kb3.5");
    let other_run = ClusterRun::new(&other_game, &other_storage, 1 << 30).unwrap();
    [Step::Enumerate, Step::Solve].into_iter().for_each(|step| whole_step(&other_run, step, 4));
    std::fs::copy(other.path().join("bin3x2-kb3.5.run/values/000000"), file("values", 0)).unwrap();
    let error = run.work(Step::Audit, &[0], &Silent).unwrap_err().to_string();
    assert!(error.contains("of another game"), "{error}");
    // A missing file of an earlier step.
    std::fs::remove_file(&child).unwrap();
    std::fs::remove_file(file("values", 0)).unwrap();
    let error = run.work(Step::Solve, &[0], &Silent).unwrap_err().to_string();
    assert!(error.contains("not there: another step has to come first"), "{error}");
}

#[test]
fn a_board_that_does_not_fit_the_memory_is_refused() {
    let folder = TempDir::new().unwrap();
    let storage = Storage::find(folder.path().to_str().unwrap()).unwrap();
    let game = binarsi("bin5x5");
    let refused = ClusterRun::new(&game, &storage, 1 << 30).err().unwrap().to_string();
    assert!(refused.contains("bin5x5: a step needs") && refused.contains("not 1073741824"), "{refused}");
}
