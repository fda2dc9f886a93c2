//! Tests of `yomikiri opening`: its results against tables and the checker, and its files when they are cut, damaged or
//! forged.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use crate::atlas::checksum;
use crate::support::command::{command, fails, good, good_json, piped, run, table};
use crate::support::games::{any, binarsi};
use crate::support::repository::repository_path;
use yomikiri_answer::Oracle;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Game, Outcome, Value, key_text};
use yomikiri_search::opening::{OpeningFile, Outcomes, Record, levels};
use yomikiri_table::source::FileSource;
use yomikiri_table::{Replaceable, probe};

/// An opening that the command has made in a folder of its own.
struct MadeOpening {
    game: Binarsi,
    folder: TempDir,
    file: PathBuf,
}

impl MadeOpening {
    fn new(code: &str, plies: &str) -> MadeOpening {
        let (game, folder) = (binarsi(code), TempDir::new().unwrap());
        good(folder.path(), &["opening", code, "--plies", plies, "--memory", "64M"]);
        let file = folder.path().join(format!("openings/{code}.opening"));
        MadeOpening { game, folder, file }
    }

    fn load(&self) -> Outcomes {
        let source = Box::new(FileSource::open(&self.file).unwrap());
        OpeningFile::open(&self.game, source, &self.file).unwrap().load().unwrap()
    }

    fn record(&self) -> PathBuf {
        self.file.with_extension("jsonl")
    }

    fn run(&self, args: &[&str]) -> String {
        good(self.folder.path(), args)
    }

    /// Runs a command with this text as standard input, and returns its output.
    fn piped(&self, args: &[&str], text: &str) -> String {
        let input = self.folder.path().join("input");
        std::fs::write(&input, text).unwrap();
        piped(self.folder.path(), args, &input)
    }

    /// Runs `check` on the opening, which must refute it. Returns the error line.
    fn refuted(&self, more: &[&str]) -> String {
        let file = self.file.to_str().unwrap();
        fails(self.folder.path(), &[&["check", file], more].concat(), 1)
    }

    /// Writes the file again with `outcomes`, but with the opposite outcome of the position with index `at` of a level.
    fn forge(&self, mut outcomes: Outcomes, level: usize, at: usize) {
        outcomes.wins[level][at] = outcomes.wins[level][at].map(|wins| !wins);
        outcomes.write(&self.game, &self.file, Replaceable::table()).unwrap();
    }
}

#[test]
fn openings_say_what_tables_say_of_every_position() {
    // The number of positions one ply after an opening that it decides, and that it does not.
    let mut decided = [0, 0];
    for (code, plies) in [("bin3x3", "4"), ("bin4x3-n", "3"), ("bin3x4-m", "4"), ("bin4x4-s1b", "2")] {
        let (made, tables) = (MadeOpening::new(code, plies), table(code));
        let any = any(code);
        let whole = probe::open(&any, &tables.path().join(format!("{code}.tbl"))).unwrap();
        let tally = whole.meta().unwrap().tally;
        let oracle = Oracle::of_table(&any, Arc::new(whole));
        let Outcomes { levels, wins } = made.load();
        assert_eq!(levels.len().to_string(), (plies.parse::<usize>().unwrap() + 2).to_string());
        for (ply, (keys, wins)) in levels.iter().zip(&wins).enumerate() {
            let of_ply = tally.iter().filter(|&(of, _, _)| of == ply as u32).map(|(_, _, count)| count);
            assert_eq!(keys.len() as u64, of_ply.sum::<u64>(), "{code}: positions after {ply} moves");
            for (&key, &wins) in keys.iter().zip(wins) {
                let value = oracle.value(&any.unrank(key).unwrap()).unwrap();
                assert_eq!(Some(value.outcome() == Outcome::Win), wins, "{code}: {}", key_text(key));
            }
        }
        // One ply later, exactly the positions after a move of a lost position follow from the file.
        let opening =
            OpeningFile::open(&made.game, Box::new(FileSource::open(&made.file).unwrap()), &made.file).unwrap();
        let (last, wins) = (levels.last().unwrap(), wins.last().unwrap());
        let after = |key: u64| {
            let position = made.game.unrank(key).unwrap();
            let next = made.game.legal_moves(&position).into_iter().map(|mv| made.game.play(&position, mv)).collect();
            (position, next)
        };
        let follows = |wanted| {
            let all = last.iter().zip(wins).filter(move |&(_, &wins)| wins == Some(wanted));
            let next = all.flat_map(|(&key, _)| -> Vec<_> { after(key).1 });
            next.filter(|next| !made.game.is_terminal(next)).map(|next| made.game.rank(&next)).collect::<HashSet<u64>>()
        };
        let (after_lost, after_won) = (follows(false), follows(true));
        for &key in after_lost.union(&after_won) {
            let (position, later): (_, Vec<_>) = after(key);
            let follows = after_lost.contains(&key).then_some(true);
            assert_eq!(opening.mover_wins(&position).unwrap(), follows, "{code}: {}", key_text(key));
            if follows.is_some() {
                assert_eq!(oracle.value(&any.unrank(key).unwrap()).unwrap().outcome(), Outcome::Win, "{code}");
            }
            let beyond = later.iter().find(|later| !made.game.is_terminal(later));
            assert!(beyond.is_none_or(|later| opening.mover_wins(later).unwrap().is_none()), "{code}");
        }
        decided[0] += after_lost.len();
        decided[1] += after_won.difference(&after_lost).count();
        // The checker agrees, and proves a sample of 25 positions again.
        let report = good_json(
            made.folder.path(),
            &["check", made.file.to_str().unwrap(), "--sample", "25", "--seed", "7", "--memory", "8M", "--json"],
        );
        let all: usize = levels.iter().map(Vec::len).sum();
        let counts = (report["positions"].as_u64(), report["proved_anew"].as_u64());
        assert_eq!((&report["kind"], counts), (&"opening".into(), (Some(all as u64), Some(25))), "{code}");
    }
    assert!(decided.into_iter().all(|count| count > 0), "{decided:?}");
}

#[test]
fn queries_lines_and_engines_answer_by_an_opening() {
    let made = MadeOpening::new("bin4x4", "2");
    // The subgames of this board do not fit into 1 MiB of memory.
    let ask = |args: &[&str]| made.run(args);
    let advice = format!("check it with: yomikiri check {}", made.file.display());
    let text = ask(&["query", "bin4x4", "--memory", "1M"]);
    assert!(text.contains(&format!("wins, by an unchecked opening ({advice})")), "{text}");
    ask(&["check", made.file.to_str().unwrap()]);
    let answer = good_json(made.folder.path(), &["query", "bin4x4", "startpos moves 1n", "--memory", "1M", "--json"]);
    assert_eq!((&answer["source"], &answer["certificate"]), (&"opening".into(), &"checked".into()));
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.iter().all(|mv| !mv["outcome"].is_null()), "{answer}");
    let Outcomes { levels, wins } = made.load();
    let won: HashMap<String, bool> =
        levels.iter().flatten().map(|&key| key_text(key)).zip(wins.into_iter().flatten().flatten()).collect();
    for mv in moves {
        assert_eq!(mv["outcome"] == "win", !won[mv["key"].as_str().unwrap()], "{mv}");
    }
    let said = made.piped(&["usi", "bin4x4"], "position startpos moves 1n\ngo movetime 1\nquit\n");
    let winning: Vec<&str> =
        moves.iter().filter(|mv| mv["outcome"] == "win").map(|mv| mv["move"].as_str().unwrap()).collect();
    let best = said.lines().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
    assert!(winning.contains(&best), "{winning:?}: {said}");
}

/// Every move of a lost position loses, also in the last ply, after which nothing is listed. A line goes as far as the
/// opening knows winning moves.
#[test]
fn lost_positions_have_lost_moves_and_lines_end() {
    let made = MadeOpening::new("bin4x4", "1");
    let ask = |args: &[&str]| made.run(args);
    let Outcomes { levels, wins } = made.load();
    let (last, lost) = (levels.last().unwrap(), wins.last().unwrap().iter().position(|&wins| wins == Some(false)));
    let lost = key_text(last[lost.unwrap()]);
    let answer = good_json(made.folder.path(), &["query", "bin4x4", &lost, "--memory", "1M", "--json"]);
    assert_eq!(answer["source"], "opening");
    assert!(answer["moves"].as_array().unwrap().iter().all(|mv| mv["outcome"] == "loss"), "{answer}");
    let line = ask(&["line", "bin4x4", "--memory", "1M"]);
    assert!(line.contains("White wins, by an unchecked opening. An example game from the opening"), "{line}");
    let (rest, asked) = line.rsplit_once("The opening ends here. Ask about this position: yomikiri ").unwrap();
    let played = line.rsplit_once(" moves ").unwrap().1.trim();
    assert_eq!((played.split(' ').count(), rest.matches("+-").count()), (3, 8), "{line}");
    let asked = asked.lines().next().unwrap().replace('"', "'");
    let asked: Vec<&str> = asked.split('\'').collect();
    let here =
        good_json(made.folder.path(), &["query", "bin4x4", asked[1], "--memory", "1M", "--time", "30s", "--json"]);
    assert_eq!((&here["winner"], here["position"].as_str()), (&"white".into(), Some(asked[1])), "{here}");
}

/// In the last ply of an opening, a won position has no listed winning move. Queries and engines prove one.
#[test]
fn won_positions_of_the_last_ply_get_a_winning_move() {
    let made = MadeOpening::new("bin4x4", "0");
    let position = "startpos moves 1n";
    let answer = good_json(made.folder.path(), &["query", "bin4x4", position, "--memory", "1M", "--json"]);
    assert_eq!((&answer["outcome"], &answer["source"]), (&"win".into(), &"opening".into()), "{answer}");
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.iter().all(|mv| !mv["outcome"].is_null()), "{answer}");
    let said = made.piped(&["query", "bin4x4", "-", "--brief", "--memory", "1M"], &format!("{position}\n"));
    assert!(said.contains("\"outcome\":\"win\""), "{said}");
    let think = |limit: &str| made.piped(&["usi", "bin4x4"], &format!("position {position}\n{limit}\nquit\n"));
    let said = think("go movetime 60000");
    let best = said.lines().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
    let wins = |name: &str| moves.iter().any(|mv| mv["move"] == name && mv["outcome"] == "win");
    assert!(wins(best) && !said.contains("lost"), "{said}");
    // A limit of depth rules out proofs. The score of the search stays an estimate.
    let said = think("go depth 1");
    assert!(said.contains("is won according to an unchecked opening, which does not say by which move"), "{said}");
    assert!(said.contains("score cp") && !said.contains("proved"), "{said}");
}

/// A copy of the explorer contains the opening and the certificate. Its list has the hash of the opening's header.
#[test]
fn copies_of_the_explorer_have_the_opening() {
    let made = MadeOpening::new("bin4x4", "1");
    std::fs::copy(repository_path("precomp/proofs/bin4x4.proof"), made.folder.path().join("bin4x4.proof")).unwrap();
    let into = made.folder.path().join("site");
    let write = || run(made.folder.path(), &["site", "bin4x4", "--into", into.to_str().unwrap()]);
    let certificate = made.folder.path().join("bin4x4.proof");
    for file in [&certificate, &made.file] {
        // The page calls files of a copy checked, so others are refused, with the command that checks them.
        let refused = String::from_utf8(write().stderr).unwrap();
        let advice = format!("has not been checked; check it with: yomikiri check {}", file.display());
        assert!(refused.contains(&advice) || refused.contains("without the page"), "{refused}");
        good(made.folder.path(), &["check", file.to_str().unwrap()]);
    }
    let output = write();
    if !output.status.success() {
        // A program that was built without the page refuses to copy it.
        assert!(String::from_utf8_lossy(&output.stderr).contains("without the page"), "{output:?}");
        return;
    }
    assert!(String::from_utf8_lossy(&output.stdout).contains("its certificate and its opening"), "{output:?}");
    let copy = into.join("bin4x4");
    let site: serde_json::Value = serde_json::from_slice(&std::fs::read(copy.join("site.json")).unwrap()).unwrap();
    let held = |kind: &str| site["files"].as_array().unwrap().iter().find(|file| file["kind"] == kind).unwrap();
    assert_eq!(site["files"][0], *held("certificate"));
    let (opening, bytes) = (held("opening"), std::fs::read(&made.file).unwrap());
    let part = opening["parts"][0]["path"].as_str().unwrap();
    assert_eq!(std::fs::read(copy.join(part)).unwrap(), bytes);
    let hash = u64::from_le_bytes(bytes[128..136].try_into().unwrap());
    assert_eq!(opening["header_hash"], format!("{hash:016x}"));
    assert!(site["integrity"][part].is_string(), "{site}");
}

/// Returns the fields of each line of a record that are the same in every run: `below` and `winners`.
fn reproducible_fields(record: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(record).unwrap();
    let line = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        (line["below"].to_string(), line["winners"].to_string())
    };
    text.lines().map(line).collect()
}

#[test]
fn a_run_goes_on_from_its_record_however_it_ended() {
    let made = MadeOpening::new("bin4x3", "3");
    let (file, record) = (std::fs::read(&made.file).unwrap(), std::fs::read(made.record()).unwrap());
    let whole = reproducible_fields(&made.record());
    let lines: Vec<&[u8]> = record.split_inclusive(|&byte| byte == b'\n').collect();
    assert!(lines.len() > 20);
    let args = ["opening", "bin4x3", "--plies", "3", "--memory", "64M"];
    for kept in [0, 1, 2, 9, lines.len() - 1] {
        for torn in [0, 1, 40] {
            let begun: Vec<u8> = [&lines[..kept].concat()[..], &lines[kept][..torn.min(lines[kept].len())]].concat();
            std::fs::write(made.record(), begun).unwrap();
            std::fs::remove_file(&made.file).unwrap();
            made.run(&args);
            assert_eq!(std::fs::read(&made.file).unwrap(), file, "{kept} lines and {torn} bytes");
            assert_eq!(reproducible_fields(&made.record()), whole, "{kept} lines and {torn} bytes");
        }
    }
    // A stopped run says that it was stopped. It leaves a record, from which the same command resumes.
    std::fs::remove_file(made.record()).unwrap();
    let stopped = fails(made.folder.path(), &[&args[..], &["--time", "1ms"]].concat(), 1);
    assert!(
        stopped.contains("stopped; ") && stopped.trim_end().ends_with("run the same command to resume"),
        "{stopped}"
    );
    made.run(&args);
    assert_eq!((std::fs::read(&made.file).unwrap(), reproducible_fields(&made.record())), (file, whole));
}

/// The file of an opening that is not complete has the proved winners and those that follow from them. It passes the
/// check, and queries answer by it as far as it goes.
#[test]
fn a_part_of_an_opening_is_correct() {
    let made = MadeOpening::new("bin4x3", "3");
    let (whole, all) = (made.load(), std::fs::read_to_string(made.record()).unwrap());
    let lines: Vec<&str> = all.split_inclusive('\n').collect();
    let (file, mut followed_before_last) = (made.file.to_str().unwrap(), 0);
    for kept in [2, 3, lines.len() / 2, lines.len() - 1] {
        std::fs::write(made.record(), lines[..kept].concat()).unwrap();
        let outcomes = Record::open(&made.game, &made.record()).unwrap().outcomes();
        outcomes.write(&made.game, &made.file, Replaceable::table()).unwrap();
        let part = made.load();
        let known = part.counts().iter().sum::<u64>();
        for (ply, (known, sound)) in part.wins.iter().zip(&whole.wins).enumerate() {
            assert!(known.iter().zip(sound).all(|(known, sound)| known.is_none() || known == sound), "{ply}");
        }
        let open = part.wins.iter().flatten().filter(|wins| wins.is_none()).count() as u64;
        let last = part.levels.len() - 1;
        assert!(open > 0, "{kept}");
        let report = good_json(made.folder.path(), &["check", file, "--sample", "5", "--memory", "8M", "--json"]);
        assert_eq!((report["positions"].as_u64(), report["open"].as_u64()), (Some(known), Some(open)));
        assert!(made.run(&["check", file]).contains(&format!("each once; {open} others of these plies are open")));
        followed_before_last += part.counts()[..last].iter().sum::<u64>();
        // The outcome of every move of the position `below`, the common ancestor of the first group, is known.
        let below = lines[1].split("\"below\":\"").nth(1).unwrap().split('"').next().unwrap();
        let answer = good_json(made.folder.path(), &["query", "bin4x3", below, "--memory", "1K", "--json"]);
        assert_eq!((&answer["source"], &answer["certificate"]), (&"opening".into(), &"checked".into()), "{answer}");
        assert!(answer["moves"].as_array().unwrap().iter().all(|mv| !mv["outcome"].is_null()), "{answer}");
        // The check refuses a file that leaves out a winner which follows from other winners.
        let mut lie = part.clone();
        let follow =
            (0..last).find_map(|ply| Some((ply, part.following(&made.game, ply).iter().position(Option::is_some)?)));
        let (ply, at) = follow.unwrap();
        lie.wins[ply][at] = None;
        lie.write(&made.game, &made.file, Replaceable::table()).unwrap();
        assert!(made.refuted(&[]).contains("is not the one that follows from its moves"));
        part.write(&made.game, &made.file, Replaceable::table()).unwrap();
    }
    assert!(followed_before_last > 20);
    made.run(&["opening", "bin4x3", "--plies", "3", "--memory", "64M"]);
    assert_eq!(made.load().wins, whole.wins);
}

/// The opening of the full board is what its record says, agrees with the certificate, and is listed as checked. It is
/// complete for the first four plies.
#[test]
fn the_opening_of_the_full_board_is_what_its_record_says() {
    let (folder, code) = (TempDir::new().unwrap(), "bin7x6");
    let made = MadeOpening { game: binarsi(code), file: folder.path().join("bin7x6.opening"), folder };
    let kept = repository_path("precomp/openings");
    std::fs::copy(kept.join("bin7x6.opening"), &made.file).unwrap();
    std::fs::copy(kept.join("bin7x6.jsonl"), made.record()).unwrap();
    std::fs::copy(repository_path("precomp/proofs/bin7x6.proof"), made.folder.path().join("bin7x6.proof")).unwrap();
    let outcomes = made.load();
    assert_eq!(outcomes.wins, Record::open(&made.game, &made.record()).unwrap().outcomes().wins);
    assert_eq!(outcomes.counts()[..5], [1, 4, 30, 205, 1866]);
    let report = good_json(made.folder.path(), &["check", made.file.to_str().unwrap(), "--json"]);
    assert_eq!(report["positions"].as_u64(), Some(outcomes.counts().iter().sum()), "{report}");
    assert!(report["certified"].as_u64() > Some(100), "{report}");
    let listed = |folder: &Path| std::fs::read_to_string(folder.join("checked")).unwrap();
    assert_eq!(listed(&kept), listed(made.folder.path()));
}

/// `make opening` writes these files from the opening and texts in `precomp/openings`.
#[test]
fn the_pages_of_the_opening_are_what_the_script_makes_of_it() {
    let texts = [("docs/opening.md", Some("theory.txt")), ("docs/opening.ja.md", Some("theory.ja.txt"))];
    for (made, text) in texts.into_iter().chain([("docs/pictures/opening.svg", None)]) {
        let whole = std::fs::read_to_string(repository_path(made)).unwrap();
        let (drawn, mark) = whole.split_once("<!-- scripts/opening-theory ").unwrap();
        let sources = [Some("bin7x6.opening"), text].into_iter().flatten();
        let sources = sources.map(|name| repository_path("precomp/openings").join(name));
        let sum = checksum(&["scripts/opening-theory", "scripts/recorded.py"], sources, drawn);
        assert_eq!(mark, format!("{sum} -->\n"), "make opening writes {made} anew");
        assert!(text.is_none() || drawn.contains("(pictures/opening.svg)"), "{made} shows the picture");
    }
}

/// A file never loses winners to a run that knows fewer. Plies after the longest game change nothing.
#[test]
fn no_run_writes_fewer_winners() {
    let made = MadeOpening::new("bin4x3", "2");
    let (file, record) = (std::fs::read(&made.file).unwrap(), std::fs::read(made.record()).unwrap());
    made.run(&["opening", "bin4x3", "--plies", "1", "--memory", "64M"]);
    assert_eq!(std::fs::read(&made.file).unwrap(), file);
    assert_eq!(std::fs::read(made.record()).unwrap(), record, "nothing that follows from later winners is proved");
    std::fs::remove_file(made.record()).unwrap();
    let output = run(made.folder.path(), &["opening", "bin4x3", "--plies", "1", "--memory", "64M"]);
    let note = String::from_utf8(output.stderr).unwrap();
    assert!(
        note.contains("bin4x3.opening: stays as it is, because it has more winners (104) than the record ("),
        "{note}"
    );
    assert_eq!(std::fs::read(&made.file).unwrap(), file);
    std::fs::write(made.record(), record).unwrap();
    for plies in ["5", "7", "8"] {
        let whole = MadeOpening::new("bin2x2", plies);
        assert_eq!(whole.load().counts(), [1, 2, 7, 10, 14, 10, 5], "{plies}");
        whole.run(&["opening", "bin2x2", "--plies", plies, "--memory", "64M"]);
        whole.run(&["check", whole.file.to_str().unwrap()]);
    }
    let deep = MadeOpening::new("bin3x3", "5");
    deep.run(&["opening", "bin3x3", "--plies", "5", "--memory", "64M"]);
    assert!(deep.load().wins.iter().flatten().all(Option::is_some));
    let named = made.folder.path().join("new.jsonl");
    let line = fails(made.folder.path(), &["opening", "bin4x3", "--out", named.to_str().unwrap()], 2);
    assert!(line.contains("new.jsonl: the ending .jsonl is for the record of the run") && !named.exists(), "{line}");
}

/// Groups are proved in ascending order of the least number of mistakes on a line that leads to them. The test finds
/// these numbers by trying all lines.
#[test]
fn lines_without_mistakes_come_first() {
    fn fewest(
        game: &Binarsi,
        won: &HashMap<u64, bool>,
        key: u64,
        plies: u32,
        count: u32,
        least: &mut HashMap<u64, u32>,
    ) {
        if plies == 0 {
            least.entry(key).and_modify(|known| *known = count.min(*known)).or_insert(count);
            return;
        }
        let position = game.unrank(key).unwrap();
        for mv in game.legal_moves(&position) {
            let after = game.play(&position, mv);
            if !game.is_terminal(&after) {
                let mistake = won[&key] && won[&game.rank(&after)];
                fewest(game, won, game.rank(&after), plies - 1, count + u32::from(mistake), least);
            }
        }
    }
    let made = MadeOpening::new("bin4x3-s1b", "3");
    let whole = made.load();
    let won: HashMap<u64, bool> =
        whole.levels.iter().flatten().copied().zip(whole.wins.iter().flatten().map(|wins| wins.unwrap())).collect();
    let record = std::fs::read_to_string(made.record()).unwrap();
    let earlier: String = record.split_inclusive('\n').filter(|line| !line.contains("\"plies\":4")).collect();
    std::fs::write(made.record(), earlier).unwrap();
    let open = Record::open(&made.game, &made.record()).unwrap().open_groups(4);
    let mut least = HashMap::new();
    fewest(&made.game, &won, made.game.rank(&made.game.start()), 3, 0, &mut least);
    let counts: Vec<u32> = open.iter().map(|group| least[&group.below]).collect();
    assert!(counts.is_sorted() && counts[0] == 0 && *counts.last().unwrap() > 0, "{counts:?}");
    assert!(counts.len() > 40, "{}", counts.len());
}

/// With little memory, the run forgets proved positions and proves them again when it needs them.
#[test]
fn little_memory_changes_nothing() {
    for (code, plies) in [("bin4x3", "3"), ("bin4x4", "2")] {
        let made = MadeOpening::new(code, plies);
        let (file, whole) = (std::fs::read(&made.file).unwrap(), reproducible_fields(&made.record()));
        for memory in ["16K", "64K", "256K", "1M"] {
            std::fs::remove_file(made.record()).unwrap();
            made.run(&["opening", code, "--plies", plies, "--memory", memory]);
            assert_eq!(
                (std::fs::read(&made.file).unwrap(), reproducible_fields(&made.record())),
                (file.clone(), whole.clone())
            );
        }
    }
}

#[test]
fn no_byte_of_an_opening_can_be_changed_unnoticed() {
    let made = MadeOpening::new("bin3x3", "2");
    let sound = std::fs::read(&made.file).unwrap();
    for at in 0..sound.len() {
        let mut changed = sound.clone();
        changed[at] ^= 1 << (at % 8);
        std::fs::write(&made.file, &changed).unwrap();
        let line = made.refuted(&[]);
        assert!(line.contains("bin3x3.opening"), "byte {at}: {line}");
    }
    for length in [0, 1, sound.len() / 2, sound.len() - 1] {
        std::fs::write(&made.file, &sound[..length]).unwrap();
        made.refuted(&[]);
    }
}

#[test]
fn a_forged_opening_is_refuted() {
    let made = MadeOpening::new("bin4x3", "2");
    for level in 0..3 {
        made.forge(made.load(), level, 0);
        let line = made.refuted(&[]);
        assert!(line.contains("is not the one that follows from its moves"), "{line}");
        made.run(&["opening", "bin4x3", "--plies", "2", "--memory", "64M"]);
    }
    // If no earlier outcome depends on a wrong outcome in the last ply, only a proof finds it.
    let sound = made.load();
    let last = sound.levels.len() - 1;
    let all: usize = sound.levels.iter().map(Vec::len).sum();
    let mut found = false;
    for at in 0..sound.levels[last].len() {
        made.forge(made.load(), last, at);
        let output = command(made.folder.path(), &["check", made.file.to_str().unwrap()]).output().unwrap();
        if output.status.success() {
            let line = made.refuted(&["--sample", &all.to_string(), "--memory", "8M"]);
            assert!(line.contains("; a proof says that "), "{line}");
            found = true;
        }
        std::fs::remove_file(&made.file).unwrap();
        sound.write(&made.game, &made.file, Replaceable::table()).unwrap();
        if found {
            break;
        }
    }
    assert!(found);
    // A certificate in the folder contradicts the opening.
    made.run(&["prove", "bin4x3", "--certificate"]);
    let mut lie = made.load();
    for (level, wins) in lie.wins.iter_mut().enumerate() {
        // Wins and losses alternate from ply to ply, beginning with the wrong outcome of the start. Such outcomes are
        // consistent with each other.
        wins.iter_mut().for_each(|wins| *wins = Some(level % 2 == usize::from(sound.wins[0][0] == Some(true))));
    }
    lie.write(&made.game, &made.file, Replaceable::table()).unwrap();
    let line = made.refuted(&[]);
    assert!(line.contains("; a certificate says that "), "{line}");
}

#[test]
fn records_of_anything_else_are_refused_and_stay() {
    let made = MadeOpening::new("bin3x3", "2");
    let record = std::fs::read_to_string(made.record()).unwrap();
    let lines: Vec<&str> = record.lines().collect();
    let other = MadeOpening::new("bin3x3-n", "2");
    let of_other = std::fs::read_to_string(other.record()).unwrap();
    let again = format!("{record}{}\n", lines[2]);
    let damaged = record.replacen('W', "B", 1);
    let short = resummed(&lines[2].replacen("\"winners\":\"", "\"winners\":\"W", 1));
    let short = format!("{}\n{short}\n", lines[..2].join("\n"));
    let deep = format!("{}\n{}\n", lines[0], resummed(&lines[1].replacen("\"plies\":2", "\"plies\":40", 1)));
    for (text, problem) in [
        (of_other, "is the record of bin3x3-n"),
        (again, "repeats the group of positions below @"),
        (damaged, "line "),
        (short, "does not have one winner for each position below"),
        (deep, "has 40 plies, which is too many"),
        ("to do: water the plants\n".into(), "is not the record of an opening"),
        ("\u{7f}\u{0}\n".into(), "is not the record of an opening"),
    ] {
        std::fs::write(made.record(), &text).unwrap();
        let line = fails(made.folder.path(), &["opening", "bin3x3", "--plies", "2"], 1);
        assert!(line.contains(problem) && line.contains("bin3x3.jsonl"), "{problem}: {line}");
        assert_eq!(std::fs::read_to_string(made.record()).unwrap(), text);
    }
    // A file that is not an opening is not replaced.
    std::fs::write(made.record(), &record).unwrap();
    std::fs::write(&made.file, "to do: water the plants\n").unwrap();
    let line = fails(made.folder.path(), &["opening", "bin3x3", "--plies", "2"], 2);
    assert!(line.contains("is not an opening of bin3x3"), "{line}");
    assert_eq!(std::fs::read_to_string(&made.file).unwrap(), "to do: water the plants\n");
}

/// Returns a line of a record with its checksum computed again.
fn resummed(line: &str) -> String {
    let (object, _) = line.rsplit_once(",\"crc32\"").unwrap();
    yomikiri_table::json_lines::with_sum(&format!("{object}}}"))
}

#[test]
fn what_has_no_opening_is_refused() {
    let folder = TempDir::new().unwrap();
    for (args, problem) in [
        (&["opening", "con4x4"][..], "openings exist only for codes of Binarsi without -p"),
        (&["opening", "bin4x4-p"], "openings exist only for codes of Binarsi without -p"),
        (&["opening", "val1n"], "openings exist only for codes of Binarsi without -p"),
        (&["opening", "bin9x9"], ""),
        (&["opening", "bin4x4", "--plies", "9"], "--plies"),
    ] {
        let line = fails(folder.path(), args, 2);
        assert!(line.contains(problem), "{args:?}: {line}");
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "nothing is made");
    let made = MadeOpening::new("bin3x3", "1");
    let file = made.file.to_str().unwrap();
    assert!(fails(folder.path(), &["check", file, "--rules", "bin3x4"], 1).contains("is the opening of bin3x3"));
    assert!(fails(folder.path(), &["check", file, "--position", "startpos"], 2).contains("leave out --position"));
    assert_eq!(levels(&made.game, 0), [[made.game.rank(&made.game.start())]]);
}
