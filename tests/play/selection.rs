//! Tests of `go searchmoves` and of the option `MultiPV`: moves and scores against the naive rules, by tables, by
//! certificates, by proofs and by search. Also tests what an engine says during a proof.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::protocols::{say, talk, values};
use crate::support::command::table;
use crate::support::random::Random;
use crate::support::repository::repository_path;
use yomikiri_naive::binarsi::Naive;

/// The winner of a position and the plies to the end.
type NaiveValue = (char, u32);

const CODE: &str = "bin3x3";

/// Returns the value of a position.
fn value(rules: &Naive, sfen: &str) -> NaiveValue {
    let known = values().get(&rules.canonical(sfen)).copied();
    known.unwrap_or_else(|| (rules.ending(sfen).expect("the targets have decided the game"), 0))
}

/// Returns a text that is the same for positions that differ only by the plies at which targets were cleared.
fn key(sfen: &str) -> String {
    let fields: Vec<&str> = sfen.split(' ').collect();
    let cleared: Vec<bool> = fields[3].split('/').map(str::is_empty).collect();
    format!("{} {} {cleared:?}", fields[0], fields[2])
}

/// A position with its legal moves, by the naive rules.
struct Known {
    sfen: String,
    /// The plies to the end of the game.
    plies: u32,
    /// Each move with the position after it and its score as USI writes it.
    moves: Vec<(String, String, String)>,
}

impl Known {
    /// Returns the positions in which the game goes on, in a random order that is always the same.
    fn all() -> Vec<Known> {
        let rules = Naive::from_code(CODE);
        let mut texts: Vec<_> = values().iter().filter(|(_, (_, plies))| *plies > 0).collect();
        texts.sort();
        let mut random = Random::new(11);
        let mut known = Vec::new();
        while !texts.is_empty() && known.len() < 400 {
            let (sfen, (_, plies)) = texts.swap_remove(random.below(texts.len()));
            let mover = sfen.split(' ').nth(1).unwrap();
            let moves = rules.legal_moves(sfen).into_iter().map(|mv| {
                let after = rules.play(sfen, &mv);
                let (winner, plies) = value(&rules, &after);
                let sign = if mover.starts_with(winner) { "" } else { "-" };
                (mv, key(&after), format!("mate {sign}{}", plies + 1))
            });
            known.push(Known { sfen: sfen.clone(), plies: *plies, moves: moves.collect() });
        }
        known
    }

    fn score(&self, mv: &str) -> &str {
        &self.moves.iter().find(|(other, ..)| other == mv).unwrap_or_else(|| panic!("{mv} in {}", self.sfen)).2
    }
}

/// Returns a number that orders scores, greater for better ones.
fn order(score: &str) -> i32 {
    match score.strip_prefix("mate ").unwrap() {
        "+" => 1,
        "-" => -1,
        plies => match plies.parse::<i32>().unwrap() {
            lost if lost < 0 => -1000 - lost,
            won => 1000 - won,
        },
    }
}

/// Splits the output of an engine after each `bestmove`, and returns the lines of each part and the move.
fn answers(output: &str) -> Vec<(Vec<&str>, &str)> {
    let (mut answers, mut lines) = (Vec::new(), Vec::new());
    for line in output.lines() {
        match line.strip_prefix("bestmove ") {
            Some(mv) => answers.push((std::mem::take(&mut lines), mv)),
            None => lines.push(line),
        }
    }
    answers
}

/// Returns the last lines of each rank: the score and the moves.
fn ranked<'o>(lines: &[&'o str]) -> Vec<(&'o str, Vec<&'o str>)> {
    let mut ranked = Vec::new();
    for line in lines {
        let Some((_, rest)) = line.split_once(" multipv ") else { continue };
        let (rank, rest) = rest.split_once(" score ").unwrap();
        let (score, moves) = rest.split_once(" pv ").unwrap();
        let rank: usize = rank.parse().unwrap();
        assert!((1..=ranked.len() + 1).contains(&rank), "{lines:?}");
        ranked.resize(ranked.len().max(rank), ("", Vec::new()));
        ranked[rank - 1] = (score, moves.split(' ').collect());
    }
    ranked
}

/// Checks that the lines are the distinct moves of each position with their scores, the best first.
fn check_lines(folder: &Path, go: &str, positions: &[&Known], lines: usize) {
    let script: String = positions.iter().map(|known| format!("position sfen {}\n{go}\n", known.sfen)).collect();
    let output = talk(folder, CODE, format!("setoption name MultiPV value {lines}\n{script}"));
    let answers = answers(&output);
    assert_eq!(answers.len(), positions.len(), "{output}");
    for ((said, best), known) in answers.into_iter().zip(positions) {
        let ranked = ranked(&said);
        let mut after: Vec<&str> = known.moves.iter().map(|(_, after, _)| after.as_str()).collect();
        after.sort_unstable();
        after.dedup();
        assert_eq!(ranked.len(), after.len().min(lines), "{}: {said:?}", known.sfen);
        assert_eq!(ranked[0].1[0], best, "{}: {said:?}", known.sfen);
        let mut seen: Vec<&str> = Vec::new();
        for (score, line) in &ranked {
            let (_, after, expected) = known.moves.iter().find(|(mv, ..)| mv == line[0]).unwrap();
            assert_eq!(score, expected, "{} {}: {said:?}", known.sfen, line[0]);
            assert!(!seen.contains(&after.as_str()), "{}: {said:?}", known.sfen);
            seen.push(after);
        }
        let mut scores: Vec<i32> =
            known.moves.iter().filter(|(_, after, _)| seen.contains(&after.as_str())).map(|mv| order(&mv.2)).collect();
        scores.sort_unstable();
        assert!(ranked.windows(2).all(|pair| order(pair[0].0) >= order(pair[1].0)), "{}: {said:?}", known.sfen);
        // No move that is left out is better than the last line.
        let last = order(ranked[ranked.len() - 1].0);
        let others = known.moves.iter().filter(|(_, after, _)| !seen.contains(&after.as_str()));
        assert!(others.map(|mv| order(&mv.2)).all(|other| other <= last), "{}: {said:?}", known.sfen);
    }
}

#[test]
fn tables_rank_all_moves() {
    let (folder, known) = (table(CODE), Known::all());
    for lines in [2, 100] {
        check_lines(folder.path(), "go", &known.iter().collect::<Vec<_>>(), lines);
    }
}

/// Lines of a table are best play to the end of the game.
#[test]
fn lines_of_tables_lead_to_the_end() {
    let (folder, known, rules) = (table(CODE), Known::all(), Naive::from_code(CODE));
    for known in known.iter().filter(|known| known.moves.len() > 1).take(40) {
        let script = format!("setoption name MultiPV value 3\nposition sfen {}\ngo\n", known.sfen);
        let output = talk(folder.path(), CODE, script);
        for (score, line) in ranked(&answers(&output)[0].0) {
            let plies: usize = score.trim_start_matches("mate ").trim_start_matches('-').parse().unwrap();
            assert_eq!(line.len(), plies, "{output}");
            let end = line.iter().fold(known.sfen.clone(), |here, mv| rules.play(&here, mv));
            assert!(rules.ending(&end).is_some(), "{output}");
        }
    }
}

#[test]
fn the_search_ranks_what_is_near() {
    let known = Known::all();
    let near: Vec<&Known> = known.iter().filter(|known| known.plies <= 4).take(60).collect();
    for lines in [2, 100] {
        check_lines(Path::new("none"), "go depth 20", &near, lines);
    }
}

/// The move is one of the moves asked for, even if another move leads to the same position, and it is the best of them.
#[test]
fn moves_asked_for_are_the_only_ones() {
    let (folder, known, mut random) = (table(CODE), Known::all(), Random::new(5));
    let none = Path::new("none");
    for (folder, go, most, count) in
        [(folder.path(), "go", 20, 300), (none, "go depth 20", 4, 60), (none, "go movetime 20000", 20, 40)]
    {
        let known: Vec<&Known> = known.iter().filter(|known| known.plies <= most).take(count).collect();
        let asked: Vec<Vec<&str>> = known
            .iter()
            .map(|known| (0..=random.below(3)).map(|_| random.pick(&known.moves).0.as_str()).collect())
            .collect();
        let orders = known.iter().zip(&asked);
        let script: String = orders
            .map(|(known, asked)| format!("position sfen {}\n{go} searchmoves {}\n", known.sfen, asked.join(" ")))
            .collect();
        let output = talk(folder, CODE, script);
        let answers = answers(&output);
        assert_eq!(answers.len(), known.len(), "{output}");
        for ((known, asked), (said, mv)) in known.iter().zip(&asked).zip(answers) {
            assert!(asked.contains(&mv), "{}: {mv} is none of {asked:?}", known.sfen);
            let best = asked.iter().map(|mv| order(known.score(mv))).max().unwrap();
            let chosen = order(known.score(mv));
            // A proof does not say how soon a win is.
            let is_proof = go.contains("movetime") && best > 0;
            assert!(chosen == best || is_proof && chosen > 0, "{}: {mv} of {asked:?}: {said:?}", known.sfen);
            assert!(said.iter().all(|line| !line.contains(" multipv ")), "{said:?}");
        }
    }
}

/// With a proof, moves that win come first, and moves that lose come last.
#[test]
fn proofs_sort_the_moves() {
    let known = Known::all();
    let known: Vec<&Known> = known.iter().filter(|known| known.moves.len() > 3).take(25).collect();
    let script: String =
        known.iter().map(|known| format!("position sfen {}\ngo movetime 20000\n", known.sfen)).collect();
    let output = say(CODE, format!("setoption name MultiPV value 100\n{script}"));
    let (mut wins, mut losses) = (0, 0);
    for (known, (said, best)) in known.iter().zip(answers(&output)) {
        let ranked = ranked(&said);
        assert_eq!(ranked[0].1[0], best, "{said:?}");
        let won: Vec<bool> = ranked.iter().map(|(_, line)| order(known.score(line[0])) > 0).collect();
        assert!(won.is_sorted_by(|a, b| a >= b), "{}: {said:?}", known.sfen);
        for ((score, _), won) in ranked.iter().zip(won) {
            assert_eq!(order(score) > 0, won, "{}: {said:?}", known.sfen);
            *if won { &mut wins } else { &mut losses } += 1;
        }
    }
    assert!(wins > 20 && losses > 20, "{wins} {losses}");
}

/// The line of `go mate` leads to the end of the game, by the naive rules. With a table, it is a shortest win.
#[test]
fn wins_are_shown_to_the_end() {
    let (folder, known, rules) = (table(CODE), Known::all(), Naive::from_code(CODE));
    let none = Path::new("none");
    for (folder, go, count) in [(folder.path(), "go mate", 300), (none, "go mate 60000", 60)] {
        let known: Vec<&Known> = known.iter().take(count).collect();
        let script: String = known.iter().map(|known| format!("position sfen {}\n{go}\n", known.sfen)).collect();
        let output = talk(folder, CODE, script);
        let answers: Vec<&str> = output.lines().filter_map(|line| line.strip_prefix("checkmate ")).collect();
        assert_eq!(answers.len(), known.len(), "{output}");
        for (known, answer) in known.into_iter().zip(answers) {
            let (winner, plies) = values()[&known.sfen];
            let mover = known.sfen.split(' ').nth(1).unwrap();
            if !mover.starts_with(winner) {
                assert_eq!(answer, "nomate", "{}", known.sfen);
                continue;
            }
            let end = answer.split(' ').fold(known.sfen.clone(), |here, mv| rules.play(&here, mv));
            assert_eq!(rules.ending(&end), Some(winner), "{}: {answer}", known.sfen);
            assert!(answer.split(' ').count() as u32 >= plies, "{}: {answer}", known.sfen);
            if go == "go mate" {
                assert_eq!(answer.split(' ').count() as u32, plies, "{}: {answer}", known.sfen);
            }
        }
    }
}

/// A certificate lists a winning move. The other lines come from a search.
#[test]
fn certificates_rank_what_they_list() {
    let precomp = repository_path("precomp");
    let rules = Naive::from_code("bin5x5");
    let output = talk(&precomp, "bin5x5", "setoption name MultiPV value 3\ngo depth 2\ngo depth 2 searchmoves an\n");
    let answers = answers(&output);
    let lines = ranked(&answers[0].0);
    assert_eq!((lines.len(), lines[0].0, answers[0].1), (3, "mate +", "an"), "{output}");
    assert!(lines[1..].iter().all(|(_, line)| line[0] != "an"), "{output}");
    assert!(answers[0].0[0].starts_with("info string certificate"), "{output}");
    assert_eq!(answers[1].1, "an", "{output}");
    // Without its only listed move, the position is searched.
    let mut others = rules.legal_moves(&rules.start_sfen());
    others.retain(|mv| mv != "an");
    let output = talk(&precomp, "bin5x5", format!("go depth 2 searchmoves {}\n", others.join(" ")));
    assert!(output.contains("searching for a move") && output.contains("info depth 2 "), "{output}");
    assert!(!output.contains("bestmove an"), "{output}");
}

/// A move to the same position as the listed move wins as well, and it is the answer if it was asked for.
#[test]
fn equal_moves_win_by_a_certificate() {
    let (precomp, rules, mut random) = (repository_path("precomp"), Naive::from_code("bin5x5"), Random::new(2));
    let mut equal = 0;
    for _ in 0..6 {
        let mut here = rules.start_sfen();
        for _ in 0..3 {
            let position = format!("position sfen {here}\n");
            let output =
                talk(&precomp, "bin5x5", format!("{position}go depth 1\nsetoption name MultiPV value 2\ngo depth 1\n"));
            let answers = answers(&output);
            let mv = answers[0].1;
            assert!(answers[0].0.contains(&&*format!("info depth 0 score mate + pv {mv}")), "{output}");
            let after = key(&rules.play(&here, mv));
            let lines = ranked(&answers[1].0);
            assert_eq!((lines[0].0, key(&rules.play(&here, lines[0].1[0]))), ("mate +", after.clone()), "{output}");
            let same = |other: &String| other != mv && key(&rules.play(&here, other)) == after;
            for other in rules.legal_moves(&here).into_iter().filter(same) {
                let output = talk(&precomp, "bin5x5", format!("{position}go depth 1 searchmoves {other}\n"));
                assert!(output.contains(&format!("score mate + pv {other}\nbestmove {other}\n")), "{output}");
                equal += 1;
            }
            here = rules.play(&here, mv);
            here = rules.play(&here, random.pick(&rules.legal_moves(&here)).as_str());
        }
    }
    assert!(equal > 5, "{equal}");
}

#[test]
fn several_lines_keep_the_time() {
    for (code, go) in [("val1n", "go movetime 300"), ("pyon", "go movetime 300"), ("bin7x6", "go movetime 300")] {
        let begun = Instant::now();
        let output = say(code, format!("setoption name MultiPV value 8\n{go}\n"));
        assert!(begun.elapsed() < Duration::from_secs(30), "{code}: {:?}", begun.elapsed());
        let (said, best) = answers(&output)[0].clone();
        let ranked = ranked(&said);
        assert_eq!(ranked.len(), if code == "pyon" { 8 } else { 4 }, "{code}: {output}");
        assert_eq!(ranked[0].1[0], best, "{output}");
    }
}

/// With one line, the answers are those of an engine without the option.
#[test]
fn one_line_changes_nothing() {
    for code in ["bin7x6", "val1n", "pyon"] {
        let go = "go depth 4\n";
        let plain = say(code, go);
        let asked = say(code, format!("setoption name MultiPV value 1\n{go}"));
        let without_times = |text: &str| -> Vec<String> {
            let words = text.split_whitespace().collect::<Vec<_>>();
            let is_time = |at: usize| at > 0 && ["time", "nps"].contains(&words[at - 1]);
            (0..words.len()).filter(|&at| !is_time(at)).map(|at| words[at].to_string()).collect()
        };
        assert_eq!(without_times(&plain), without_times(&asked));
        // The best of all lines is the move that is found without the option.
        let all = say(code, format!("setoption name MultiPV value 100\n{go}"));
        let score = |text: &str| text.lines().rfind(|line| line.contains(" depth 4 ")).map(String::from);
        assert!(score(&plain).is_some() && score(&all).is_some(), "{all}");
    }
}

/// A proof that takes long says about once a second how far it is.
#[test]
fn a_proof_reports_its_progress() {
    let (mut output, mut progress): (String, Vec<(u64, u64)>) = (String::new(), Vec::new());
    // On a busy machine a proof may be interrupted for longer than its time.
    for seconds in [5, 15, 60] {
        output = say("bin7x6", format!("go movetime {}\n", 1000 * seconds));
        let said = output.lines().filter_map(|line| {
            let (numbers, text) = line.strip_prefix("info time ")?.split_once(" string ")?;
            assert!(text.starts_with("proving who wins"), "{line}");
            let (time, nodes) = numbers.split_once(" nodes ")?;
            Some((time.parse().unwrap(), nodes.parse().unwrap()))
        });
        progress = said.collect();
        assert!(progress.len() < seconds, "{output}");
        if !progress.is_empty() {
            break;
        }
    }
    assert!(progress[0].0 >= 1000 && progress[0].1 > 0, "{output}");
    assert!(progress.windows(2).all(|pair| pair[1].0 >= pair[0].0 + 1000 && pair[1].1 > pair[0].1), "{output}");
    assert!(output.contains("; searching for a move\ninfo depth 1 "), "{output}");
    // A short move says nothing of it.
    let output = say("bin7x6", "go movetime 1000\n");
    assert!(!output.contains("proving"), "{output}");
}

/// After these moves the opening of the full board knows that all moves but one lose a won position.
const ONLY_MOVE: &str = "position startpos moves 2n 4na 3nL cs2";

#[test]
fn the_only_move_that_is_not_lost_wins() {
    let known = repository_path("precomp");
    for before in ["", "setoption name MultiPV value 2\n"] {
        let output = talk(&known, "bin7x6", format!("{before}{ONLY_MOVE}\ngo depth 1\n"));
        let (said, best) = answers(&output)[0].clone();
        assert_eq!(best, "dn", "{output}");
        assert!(said.iter().any(|line| line.contains("score mate + pv dn")), "{output}");
    }
    let output = talk(&known, "bin7x6", format!("setoption name MultiPV value 100\n{ONLY_MOVE}\ngo depth 2\n"));
    let ranked = ranked(&answers(&output)[0].0);
    assert!(ranked.len() > 5 && ranked[0].0 == "mate +", "{output}");
    assert!(ranked[1..].iter().all(|(score, _)| score.starts_with("mate -")), "{output}");
}

/// A certificate lists the winning move even if the table of the other moves is damaged.
#[test]
fn a_damaged_table_hides_no_certificate() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(repository_path("precomp/proofs/bin3x3.proof"), folder.path().join("bin3x3.proof")).unwrap();
    std::fs::copy(table(CODE).path().join("bin3x3.tbl"), folder.path().join("bin3x3.tbl")).unwrap();
    let file = std::fs::File::options().write(true).open(folder.path().join("bin3x3.tbl")).unwrap();
    file.set_len(file.metadata().unwrap().len() / 2).unwrap();
    for go in ["go depth 1", "go depth 1 searchmoves 3na bn 3a"] {
        for lines in [1, 2] {
            let script = format!("setoption name MultiPV value {lines}\nposition startpos moves 2n\n{go}\n");
            let output = talk(folder.path(), CODE, script);
            assert_eq!(answers(&output)[0].1, "3na", "{go}, {lines}: {output}");
        }
    }
}
