//! Tests of `yomikiri survey` when it is killed and resumed, and when it asks about open variants again.

use std::path::Path;

use crate::support::command::{command, files, good, kill_run, program, run};
use crate::support::repository::{read_json, read_json_lines};
use crate::survey::code;
use serde_json::{Value as Json, json};
use tempfile::TempDir;
use yomikiri_table::{RunLock, json_lines, own_folder};

#[test]
fn a_survey_that_is_killed_and_taken_up_again_writes_the_same_file() {
    const PATTERNS: [&str; 3] = ["bin{2..4}x3-s*{,-n,-m}", "bin3x3-k{b,w}{0..3}.5", "pyon3x3"];
    let (whole, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let args = |out: &'static str| [&["survey", "--out", out, "--threads", "2"], &PATTERNS[..]].concat();
    let (expected, out) = (whole.path().join("out"), folder.path().join("out"));
    let command_in = |folder: &Path| {
        let mut command = command(folder, &args("out"));
        command.current_dir(folder);
        command
    };
    assert!(command_in(whole.path()).output().unwrap().status.success());
    let journal = folder.path().join("out.journal");
    // The survey waits for this lock at its last variant, so that it cannot end before it is killed.
    own_folder::take(&folder.path().join("out.work"), "work of a survey").unwrap();
    let last = RunLock::take(&folder.path().join("out.work/pyon3x3/pyon3x3")).unwrap();
    for lines in [1, 4, 9] {
        let written = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
        kill_run(command_in(folder.path()), || written() >= lines);
        assert!(journal.exists() && !out.exists());
    }
    drop(last);
    // The journal ends with half a line, as after a power failure.
    let text = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, [&text[..], b"{\"code\":\"bin2x"].concat()).unwrap();
    let resumed = command_in(folder.path()).output().unwrap();
    let kept = || std::fs::read_to_string(&out).unwrap_or_default();
    assert!(resumed.status.success(), "{}{}", String::from_utf8_lossy(&resumed.stderr), kept());
    assert_eq!(std::fs::read_to_string(&out).unwrap(), std::fs::read_to_string(&expected).unwrap());
    assert_eq!(files(folder.path()), ["out"]);
    // Another run has nothing to do.
    let before = std::fs::metadata(&out).unwrap().len();
    assert!(command_in(folder.path()).output().unwrap().status.success());
    assert_eq!(std::fs::metadata(&out).unwrap().len(), before);
}

/// A killed survey can leave a child process behind that still holds the lock of its table.
#[test]
fn a_survey_waits_for_a_run_that_another_has_left() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    own_folder::take(&folder.path().join("out.work"), "work of a survey").unwrap();
    let left = RunLock::take(&folder.path().join("out.work/pyon3x3/pyon3x3")).unwrap();
    let mut survey = command(folder.path(), &["survey", "bin2x2", "pyon3x3", "--out", out.to_str().unwrap()]);
    let mut running = survey.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let answered = || std::fs::read_to_string(out.with_extension("journal")).unwrap_or_default().lines().count();
    while answered() == 0 {
        assert!(running.try_wait().unwrap().is_none());
    }
    assert!(running.try_wait().unwrap().is_none() && answered() == 1);
    drop(left);
    assert!(running.wait().unwrap().success());
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.lines().count() == 2 && !text.contains("open"), "{text}");
}

/// If a survey has more time than an earlier one, it resumes an open variant from its checkpoint. If the checkpoint is
/// damaged, it starts the variant from the beginning.
#[test]
fn what_is_open_is_gone_on_with() {
    let folder = TempDir::new().unwrap();
    let (out, work) = (folder.path().join("out"), folder.path().join("out.work"));
    let ask = |time: &str| {
        let args = ["survey", "bin6x6-s3c", "rev6x6", "--time", time, "--threads", "2", "--out", out.to_str().unwrap()];
        assert_eq!(command(folder.path(), &args).output().unwrap().status.code(), Some(1), "both take longer");
        let lines = read_json_lines(&out);
        let is_plain = |line: &Json| !line.to_string().contains("checkpoint");
        assert!(lines.iter().all(is_plain), "commands are as people give them: {lines:?}");
        [lines[0]["open"]["expansions"].as_u64().unwrap(), lines[1]["nodes"].as_u64().unwrap()]
    };
    // The time limit grows by a thirtieth, but the counts grow by more than a fifth, because those of the second survey
    // include the work of the first.
    let first = ask("1s");
    let second = ask("1030ms");
    let more = |first: [u64; 2], second: [u64; 2]| (0..2).all(|at| 5 * second[at] > 6 * first[at]);
    assert!(more(first, second), "{first:?} {second:?}");
    for file in ["bin6x6/proof.checkpoint", "rev6x6/search.checkpoint"] {
        std::fs::write(work.join(file), "damaged").unwrap();
        std::fs::remove_file(work.join(format!("{file}.before"))).unwrap();
    }
    let anew = ask("1060ms");
    assert!(!more(second, anew), "{second:?} {anew:?}");
    let decided = folder.path().join("decided");
    let args = ["survey", "rev4x7-p", "--answer", "plies", "--out", decided.to_str().unwrap()];
    assert!(command(folder.path(), &args).output().unwrap().status.success());
    assert!(decided.exists() && !folder.path().join("decided.work").exists(), "nothing is kept of what is decided");
}

/// The system kills processes when memory runs out, so a variant whose process was killed is asked about again.
#[cfg(target_os = "linux")]
#[test]
fn a_variant_whose_program_was_killed_is_open_and_asked_again() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let run = |time: &str| {
        let args = ["survey", "bin2x2", "bin7x6", "--time", time, "--threads", "1", "--out", out.to_str().unwrap()];
        command(folder.path(), &args)
    };
    let open = || read_json_lines(&out)[1]["open"].clone();
    let child = |parent: u32| {
        let all = std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let pids = all.filter_map(|name| name.parse::<i32>().ok());
        pids.into_iter().find(|pid| {
            let read = |file: &str| std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
            // Between fork and exec, a child process has the command line of its parent, which contains `survey`.
            let words = read("cmdline");
            read("stat").rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)) == Some(&parent.to_string())
                && words.contains("bin7x6")
                && !words.contains("survey")
        })
    };
    let mut survey =
        run("100h").stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let pid = loop {
        assert!(survey.try_wait().unwrap().is_none());
        if let Some(pid) = child(survey.id()) {
            break pid;
        }
    };
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    assert_eq!(survey.wait().unwrap().code(), Some(1));
    assert_eq!(open(), json!({"why": "the program was killed", "seconds": 0.0}));
    assert_eq!(run("3s").output().unwrap().status.code(), Some(1));
    assert_eq!((&open()["why"], &open()["seconds"]), (&json!("not decided in the time"), &json!(3.0)));
}

/// A new version of the program may replace the file of a running one.
#[cfg(target_os = "linux")]
#[test]
fn a_survey_goes_on_without_the_file_of_its_program() {
    const PATTERNS: [&str; 2] = ["bin{2..4}x3-s*{,-n,-m}", "pyon3x3"];
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("copy");
    std::fs::copy(program(), &copy).unwrap();
    let mut survey = std::process::Command::new(&copy);
    survey.args(["survey", "--out", "out", "--threads", "1"]).args(PATTERNS).current_dir(folder.path());
    let mut running = survey.stdout(std::process::Stdio::null()).spawn().unwrap();
    while !folder.path().join("out.journal").exists() {
        assert!(running.try_wait().unwrap().is_none());
    }
    std::fs::remove_file(&copy).unwrap();
    assert!(running.wait().unwrap().success());
    let text = std::fs::read_to_string(folder.path().join("out")).unwrap();
    assert!(text.lines().count() > 30 && !text.contains("open"), "{text}");
}

/// The 3x3 board takes milliseconds to decide and the 7x6 board minutes, so a busy machine does not change the result.
#[test]
fn what_is_not_decided_in_its_time_is_open_and_asked_again_with_more_time() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("out.jsonl");
    let args = |time: &'static str| ["survey", "bin3x3", "bin7x6", "--out", "out.jsonl", "--time", time];
    let ask = |time: &'static str| command(folder.path(), &args(time)).current_dir(folder.path()).output().unwrap();
    let lines = || read_json_lines(&file);
    let said = ask("3s");
    assert_eq!(said.status.code(), Some(1));
    let first = lines();
    assert_eq!((&first[0]["winner"], &first[1]["winner"]), (&json!("white"), &Json::Null));
    let open = &first[1]["open"];
    assert_eq!((&open["why"], &open["seconds"]), (&json!("not decided in the time"), &json!(3.0)));
    assert!(open["expansions"].as_u64() > Some(0) && open["to_win"].as_u64() > Some(0), "{open}");
    let text = std::fs::read_to_string(&file).unwrap();
    ask("3s");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "no more time, nothing new");
    ask("4s");
    assert_eq!(lines()[1]["open"]["seconds"], 4.0);
    std::fs::remove_file(&file).unwrap();
    let more = [&args("3s")[..], &["--answer", "first-moves"]].concat();
    assert_eq!(command(folder.path(), &more).current_dir(folder.path()).output().unwrap().status.code(), Some(1));
    let [decided, open] = &lines()[..] else { panic!("two lines") };
    assert_eq!((&decided["first_moves"], &open["first_moves"]), (&json!([]), &json!([])));
    assert_eq!(open["open"]["moves"], json!(["2n", "4n", "bn", "dn"]));
}

#[test]
fn a_search_that_is_not_decided_in_its_time_leaves_its_bounds() {
    let folder = TempDir::new().unwrap();
    let words = ["survey", "rev8x8", "--answer", "plies", "--time", "1s", "--memory", "64M", "--out", "out.jsonl"];
    assert_eq!(command(folder.path(), &words).current_dir(folder.path()).output().unwrap().status.code(), Some(1));
    let line = read_json(&folder.path().join("out.jsonl"));
    let open =
        json!({"why": "not decided in the time", "seconds": 1.0, "memory": 64 << 20, "at_least": -64, "at_most": 64});
    assert_eq!((&line["winner"], &line["open"]), (&Json::Null, &open));
    assert_eq!(line["command"], "yomikiri solve rev8x8 --threads 1 --memory 64M --json");
}

#[test]
fn what_too_little_memory_leaves_open_is_asked_again_with_more() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("out.jsonl");
    let ask = |memory: &[&str]| {
        let words = ["survey", "pyon4x4", "--answer", "plies", "--out", file.to_str().unwrap()];
        let status = command(folder.path(), &[&words[..], memory].concat()).output().unwrap().status;
        (status.code(), read_json(&file))
    };
    let (status, refused) = ask(&["--memory", "1M"]);
    assert_eq!((status, &refused["open"]["memory"]), (Some(1), &json!(1 << 20)), "{refused}");
    assert!(refused["open"]["why"].as_str().unwrap().contains("a run needs more memory; --memory"), "{refused}");
    assert_eq!(ask(&["--memory", "1M"]), (Some(1), refused), "no more memory, nothing new");
    let (status, decided) = ask(&[]);
    assert_eq!((status, decided.get("open")), (Some(0), None), "{decided}");
}

/// If a table does not pass its audit, the next survey makes it again. The record does not say where the table was.
#[test]
fn what_has_failed_is_open_and_asked_again() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("out.jsonl");
    own_folder::take(&folder.path().join("out.jsonl.work"), "work of a survey").unwrap();
    let work = folder.path().join("out.jsonl.work/pyon3x3");
    std::fs::create_dir_all(&work).unwrap();
    std::fs::write(work.join("pyon3x3.unaudited"), "of no use").unwrap();
    let ask = || {
        let words = ["survey", "pyon3x3", "--answer", "plies", "--out", file.to_str().unwrap()];
        let status = run(folder.path(), &words).status.code();
        (status, read_json(&file))
    };
    let (status, failed) = ask();
    assert_eq!((status, &failed["open"]["seconds"]), (Some(1), &json!(0.0)));
    assert!(failed["open"]["why"].as_str().unwrap().starts_with("pyon3x3.unaudited: "), "{failed}");
    let (status, decided) = ask();
    assert_eq!((status, &decided["by"], decided.get("open")), (Some(0), &json!("whole"), None));
    assert_eq!(files(folder.path()), ["out.jsonl"]);
}

#[test]
fn what_the_time_of_the_survey_is_not_enough_for_is_open_and_gone_on_with() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("out.jsonl");
    let codes = ["survey", "bin2x{2..4}-s*", "bin7x6", "pyon3x3", "--time", "100h", "--out", file.to_str().unwrap()];
    let lines = || read_json_lines(&file);
    // With one thread, no later variant is decided: the 7x6 board takes minutes.
    let cut = command(folder.path(), &[&codes[..], &["--threads", "1", "--budget", "3s"]].concat()).output().unwrap();
    assert_eq!(cut.status.code(), Some(1), "{cut:?}");
    assert!(String::from_utf8(cut.stderr).unwrap().contains("2 variants are open"));
    let open: Vec<Json> = lines().into_iter().filter(|line| line.get("open").is_some()).collect();
    let why = json!({"why": "not decided in the time of the survey", "seconds": 0.0});
    assert_eq!(open.iter().map(code).collect::<Vec<_>>(), ["bin7x6", "pyon3x3"]);
    assert!(open.iter().all(|line| line["winner"].is_null() && line["open"]["why"] == why["why"]), "{open:?}");
    assert_eq!(open[1]["open"], why);
    // The line of the variant in progress says how far its proof has come.
    let begun = &open[0]["open"];
    assert!(begun["expansions"].as_u64() > Some(0) && begun["seconds"].as_f64() <= Some(2.0), "{begun}");
    assert_eq!(open[0]["command"], "yomikiri prove bin7x6 --threads 1 --memory 256M --json");
    assert_eq!(open[1]["command"], "yomikiri survey pyon3x3 --answer winner --out pyon3x3.jsonl");
    // With more time in total, the 7x6 board stays open at its own time limit, and everything else is decided.
    let rest = command(folder.path(), &[&codes[..4], &["--time", "5s"], &codes[6..]].concat()).output().unwrap();
    assert!(String::from_utf8(rest.stderr).unwrap().contains("1 variant is open"));
    let alone = folder.path().join("alone.jsonl");
    good(folder.path(), &["survey", "bin2x{2..4}-s*", "pyon3x3", "--out", alone.to_str().unwrap()]);
    let decided = lines().into_iter().filter(|line| line.get("open").is_none());
    assert_eq!(decided.collect::<Vec<_>>(), read_json_lines(&alone));
}

/// A survey with less time keeps the open result of an earlier survey with more time.
#[test]
fn less_time_does_not_make_an_open_variant_more_open() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("out.jsonl");
    let ask = |limits: &[&str]| {
        let words = ["survey", "rev8x8", "--answer", "plies", "--memory", "64M", "--out", file.to_str().unwrap()];
        assert_eq!(command(folder.path(), &[&words[..], limits].concat()).output().unwrap().status.code(), Some(1));
        std::fs::read_to_string(&file).unwrap()
    };
    let first = ask(&["--time", "2s"]);
    assert!(first.contains("\"seconds\":2.0"), "{first}");
    assert_eq!(ask(&["--time", "1h", "--budget", "1s"]), first);
    assert!(ask(&["--time", "3s"]).contains("\"seconds\":3.0"));
}

/// A fair komi takes several proofs. After a kill, the proofs that had ended are not repeated.
#[test]
fn a_fair_komi_keeps_the_proofs_of_single_komi() {
    let (whole, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let ask = |folder: &Path| {
        let out = folder.join("out");
        command(folder, &["survey", "bin5x5", "--answer", "fair-komi", "--out", out.to_str().unwrap()])
    };
    // Replaces the command in a record and recomputes its checksum.
    let with_command = |text: &str, command: &str| {
        let plain = text.split(",\"crc32\":").next().unwrap();
        let (front, _) = plain.split_once(",\"command\":").unwrap();
        json_lines::with_sum(&format!("{front},\"command\":\"{command}\"}}")) + "\n"
    };
    assert!(ask(whole.path()).output().unwrap().status.success());
    let kept = || std::fs::read_dir(folder.path().join("out.work/bin5x5.komi"));
    let ended = || kept().into_iter().flatten().flatten().find(|file| file.path().extension() == Some("json".as_ref()));
    kill_run(ask(folder.path()), || ended().is_some());
    let file = ended().unwrap().path();
    let answer = read_json(&file);
    assert!(answer["winner"].is_string());
    let command = answer["command"].as_str().unwrap().to_string();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, with_command(&text, "yomikiri kept")).unwrap();
    assert!(ask(folder.path()).output().unwrap().status.success());
    let [expected, line] = [&whole, &folder].map(|folder| std::fs::read_to_string(folder.path().join("out")).unwrap());
    assert!(line.contains("yomikiri kept"), "{line}");
    let commands =
        read_json(&folder.path().join("out"))["command"].as_str().unwrap().replace("yomikiri kept", &command);
    assert_eq!(with_command(&line, &commands), expected);
    assert_eq!(files(folder.path()), ["out"]);
}

/// A survey repeats a proof if the record that it kept of it is damaged or about another variant, and reports that.
#[test]
fn a_damaged_proof_of_a_single_komi_is_not_believed() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let ask = || run(folder.path(), &["survey", "bin3x5", "--answer", "fair-komi", "--out", out.to_str().unwrap()]);
    assert!(ask().status.success());
    let expected = std::fs::read_to_string(&out).unwrap();
    // Returns the record that a survey keeps of one proof. The fair komi is -1, so Black wins with a komi of 1.5 for
    // Black.
    let record = |code: &str, winner: &str| {
        let command = format!("yomikiri prove {code} --threads 1 --memory 256M --json");
        json_lines::with_sum(&format!(
            r#"{{"code":"{code}","answer":"winner","winner":"{winner}","by":"proof","command":"{command}"}}"#
        ))
    };
    let right = record("bin3x5-kb1.5", "black");
    let kept = folder.path().join("out.work/bin3x5.komi/bin3x5-kb1.5.json");
    for (text, problem) in [
        (right.clone() + "\n", ""),
        (right.replace("black", "white"), "does not match its checksum"),
        (right.replace(",\"crc32\"", ",\"crc33\""), "has no checksum"),
        (record("bin3x5-kb2.5", "white"), "is about something else"),
        (record("bin3x5-kb1.5", "whitf"), "has unexpected contents"),
        (String::new(), "has no checksum"),
    ] {
        std::fs::remove_file(&out).unwrap();
        own_folder::take(&folder.path().join("out.work"), "work of a survey").unwrap();
        std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
        std::fs::write(&kept, &text).unwrap();
        let said = ask();
        let notes = String::from_utf8(said.stderr).unwrap();
        assert!(said.status.success(), "{notes}");
        assert_eq!(std::fs::read_to_string(&out).unwrap(), expected, "{text}");
        let is_told = notes.contains(&format!("{}: line 1 {problem}", kept.display()))
            && notes.contains("; proving the winner of ");
        assert_eq!(is_told, !problem.is_empty(), "{text}: {notes}");
    }
}
