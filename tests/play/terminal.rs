//! `yomikiri play` as people meet it: whole games of every game by what is typed, taking back, files, hints,
//! mistakes, ends of the input; and on a terminal colours, Ctrl-C and what is typed while the computer thinks.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::naive::animal_shogi as naive_animal_shogi;
use crate::naive::binarsi as naive_binarsi;
use crate::naive::pyonpyon as naive_pyonpyon;
use crate::naive::reversi as naive_reversi;
use crate::support::command::{PATIENCE, table};
use crate::support::pyonpyon_values as naive_values;
use crate::support::pyonpyon_values::NaiveValues;
use crate::support::repository::page;
use rexpect::session::{PtySession, spawn_command};
use tempfile::TempDir;

const SEED: &str = "--seed=3";

/// The command in English, in an empty folder, with tables in `tables`.
fn command(folder: &Path, tables: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.arg("play").args(arguments).current_dir(folder).env("YOMIKIRI_TABLES", tables);
    for name in ["LC_ALL", "LC_MESSAGES", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    command.env("LANG", "C").env("TERM", "xterm");
    command
}

/// What is said to a script by a command that has to end well.
fn talk_in(folder: &Path, tables: &Path, arguments: &[&str], script: &str) -> String {
    let mut command = assert_cmd::Command::from_std(command(folder, tables, arguments));
    let output = command.timeout(PATIENCE).write_stdin(script).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && error.is_empty(), "{arguments:?}: {:?} {error}", output.status);
    String::from_utf8(output.stdout).expect("what is said is UTF-8")
}

/// [`talk_in`] where no table is.
fn talk(arguments: &[&str], script: &str) -> String {
    let folder = TempDir::new().unwrap();
    talk_in(folder.path(), &folder.path().join("none"), arguments, script)
}

/// Like [`talk`], with a line of the script for every blank.
fn say(arguments: &[&str], words: &str) -> String {
    talk(arguments, &words.replace(' ', "\n"))
}

/// The one line of a request that makes no sense.
fn refused(arguments: &[&str], status: i32) -> String {
    let folder = TempDir::new().unwrap();
    let output = command(folder.path(), folder.path(), arguments).stdin(std::process::Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {text}");
    assert!(output.stdout.is_empty() && text.lines().count() == 1 && text.starts_with("error: "), "{text}");
    text
}

/// The moves that a text tells of, with the side that made each: `Black 4n`.
fn played(text: &str) -> Vec<String> {
    let of_line = |line: &str| {
        let (side, rest) = line.split_once(" plays ")?;
        let mv = rest.split([' ', '.']).next()?;
        Some(format!("{side} {mv}"))
    };
    let pass = |line: &str| line.strip_suffix(" has no move and passes.").map(|side| format!("{side} pass"));
    text.lines().filter_map(|line| of_line(line).or_else(|| pass(line))).collect()
}

/// The answers of a conversation: what stands behind each prompt's line up to the next.
fn answers(text: &str) -> Vec<String> {
    let mut answers: Vec<String> = Vec::new();
    for line in text.lines() {
        match line.split_once("> ") {
            Some(_) => answers.push(String::new()),
            None => answers.last_mut().into_iter().for_each(|answer| *answer += &format!("{line}\n")),
        }
    }
    answers
}

/// The answer to the last line before the end of a script, where the script ends with `quit`.
fn last_answer(text: &str) -> String {
    let answers = answers(text);
    answers[answers.len() - 2].clone()
}

// Whole games against the random player

/// What naive rules say of a position, and of a move in it.
type Of<T> = Box<dyn Fn(&str) -> T>;
type OfMove<T> = Box<dyn Fn(&str, &str) -> T>;

/// What a game is, by the naive rules: positions are texts.
struct Rules {
    start: String,
    legal: Of<Vec<String>>,
    play: OfMove<String>,
    /// What the game has to say at its end.
    result: Of<String>,
}

/// Plays a person's moves, each the `choice`-th legal one, against the random player to the end, move by move in one
/// script that grows; every move the other side makes has to be legal, and the end is that of the naive rules.
fn whole_game(code: &str, rules: &Rules, choice: usize, seats: [&str; 2]) {
    let person = if seats[0] == "human" { "Black" } else { "White" };
    let arguments = [code, "--black", seats[0], "--white", seats[1], SEED];
    let (mut script, mut position, mut known) = (String::new(), rules.start.clone(), 0);
    loop {
        let out = talk(&arguments, &script);
        let moves = played(&out);
        for (side_and_move, number) in moves[known..].iter().zip(known..) {
            let mv = side_and_move.split_once(' ').unwrap().1;
            let legal = (rules.legal)(&position);
            assert!(legal.iter().any(|other| other == mv), "{code}: {mv} (number {number}) in {position}");
            position = (rules.play)(&position, mv);
        }
        known = moves.len();
        let legal = (rules.legal)(&position);
        if legal.is_empty() {
            let result = (rules.result)(&position);
            let said = out.lines().find(|line| line.starts_with("Game over, ")).unwrap_or_default();
            assert!(said.starts_with(&result), "{code}: \"{said}\" is not \"{result}\" in {position}");
            return;
        }
        assert!(known < 200, "{code}: the game does not end");
        let prompt = out.lines().rev().find(|line| line.contains(" to move, help")).unwrap();
        assert!(prompt.starts_with(person), "{code}: \"{prompt}\" is not {person}'s prompt");
        script += &format!("{}\n", legal[choice % legal.len()]);
    }
}

fn binarsi(code: &str) -> Rules {
    let naive = naive_binarsi::Naive::from_code(code);
    let (one, two, three) = (naive.clone(), naive.clone(), naive.clone());
    Rules {
        start: naive.start_sfen(),
        legal: Box::new(move |text| one.legal_moves(text)),
        play: Box::new(move |text, mv| two.play(text, mv)),
        result: Box::new(move |text| {
            let winner = if three.ending(text) == Some('b') { "Black" } else { "White" };
            format!("Game over, {winner} wins: ")
        }),
    }
}

fn reversi(code: &str) -> Rules {
    let naive = naive_reversi::Naive::from_code(code);
    let (one, two, three) = (naive.clone(), naive.clone(), naive.clone());
    Rules {
        start: naive.start_text(),
        legal: Box::new(move |text| one.legal_moves(text)),
        play: Box::new(move |text, mv| two.play(text, mv)),
        result: Box::new(move |text| {
            let score = three.score(text).unwrap();
            let mover_wins = (score > 0) == text.ends_with('X');
            match score {
                0 => "Game over, it is a draw: ".into(),
                _ => format!("Game over, {} wins by {}: ", if mover_wins { "Black" } else { "White" }, score.abs()),
            }
        }),
    }
}

fn pyonpyon(code: &str) -> Rules {
    let naive = naive_pyonpyon::Naive::from_code(code);
    let (one, two, three) = (naive.clone(), naive.clone(), naive.clone());
    Rules {
        start: naive.start_text(),
        legal: Box::new(move |text| if one.winner(text).is_some() { Vec::new() } else { one.legal_moves(text) }),
        play: Box::new(move |text, mv| two.play(text, mv)),
        result: Box::new(move |text| {
            let winner = if three.winner(text) == Some('x') { "Black" } else { "White" };
            format!("Game over, {winner} wins: its pieces have reached their goal.")
        }),
    }
}

#[test]
fn whole_games_of_binarsi() {
    whole_game("bin4x4", &binarsi("bin4x4"), 5, ["human", "random"]);
    whole_game("bin3x3", &binarsi("bin3x3"), 2, ["random", "human"]);
}

#[test]
fn whole_games_of_reversi() {
    whole_game("rev4x4", &reversi("rev4x4"), 1, ["human", "random"]);
    whole_game("rev4x4-p", &reversi("rev4x4-p"), 3, ["random", "human"]);
}

#[test]
fn a_whole_game_of_pyonpyon() {
    whole_game("pyon2x3", &pyonpyon("pyon2x3"), 1, ["human", "random"]);
}

#[test]
fn a_whole_game_of_animal_shogi() {
    use naive_animal_shogi::{Naive, key, start};
    let naive = Naive::from_code("val1n");
    let (mut script, mut position, mut known) = (String::new(), start(), 0);
    while naive.ending(&position).is_none() {
        let legal = naive.legal_moves(&position);
        script += &format!("{}\n", legal[7 % legal.len()]);
        let out = talk(&["val1n", "--white", "random", SEED], &format!("{script}position\n"));
        for mv in &played(&out)[known..] {
            position = naive.play(&position, mv.split_once(' ').unwrap().1);
            known += 1;
        }
        assert!(out.lines().any(|line| line == format!("{:015x}", key(&position))), "{out}");
        let Some(ending) = naive.ending(&position) else { continue };
        let mover_wins = ending == 1;
        let winner = if mover_wins == (position.turn == 'b') { "Black" } else { "White" };
        let reason = if mover_wins { "the lion can be taken" } else { "a lion has reached the last rank" };
        assert!(out.contains(&format!("Game over, {winner} wins: {reason}.\n")), "{out}");
    }
}

// Seats

#[test]
fn a_person_can_be_white() {
    let out = say(&["bin3x3", "--black", "random", "--white", "human", SEED], "quit");
    assert_eq!(played(&out).len(), 1, "{out}");
    assert!(out.starts_with("bin3x3: Black (1) random, White (0) human.\n"), "{out}");
    assert!(out.contains("\nWhite (0) to move, help lists the commands> quit\n"), "{out}");
}

#[test]
fn two_people_share_the_prompt() {
    let out = say(&["bin7x6", "--white", "human"], "4n cs1 quit");
    let prompts: Vec<_> = out.lines().filter_map(|line| line.split_once(" to move, help")).map(|line| line.0).collect();
    assert_eq!(prompts, ["Black (1)", "White (0)", "Black (1)"]);
    assert_eq!(played(&out), ["Black 4n", "White cs1"]);
}

#[test]
fn seats_change_in_the_middle() {
    let out = talk(&["bin4x4", "--white", "human", SEED], "1n\nwhite Greedy\nBLACK random\nquit\n");
    let moves = played(&out);
    assert_eq!(moves[0], "Black 1n");
    assert!(out.contains("\nWhite is now greedy.\nWhite plays "), "{out}");
    assert!(out.contains("\nBlack is now random.\nBlack plays "), "{out}");
    assert!(out.contains("\nGame over, "), "two machines play to the end: {out}");
    assert!(out.contains("(at random).") && out.contains("(greedily)."), "{out}");
}

#[test]
fn the_computer_moves_for_a_person_who_asks() {
    let out = say(&["bin7x6", "--white", "human", "--depth", "2"], "go GO quit");
    let moves = played(&out);
    assert_eq!(moves.len(), 2, "{out}");
    assert!(moves[0].starts_with("Black ") && moves[1].starts_with("White "), "{moves:?}");
    assert!(out.contains("(search, depth 2: "), "{out}");
}

#[test]
fn the_same_seed_makes_the_same_game() {
    let game = |seed: &str| say(&["rev4x4", "--black", "random", "--white", "random", "--seed", seed], "");
    assert_eq!(game("5"), game("5"));
    assert!((6..16).any(|seed| played(&game(&seed.to_string())) != played(&game("5"))));
}

#[test]
fn perfect_play_of_two_computers_takes_as_long_as_brute_force_says() {
    let naive = naive_binarsi::Naive::from_code("bin3x2");
    let (winner, plies) = naive.values()[&naive.canonical(&naive.start_sfen())];
    perfect("bin3x2", if winner == 'b' { "Black" } else { "White" }, plies);
    // Brute force says so too, but takes ten seconds.
    perfect("bin3x3", "White", 10);
}

/// Holds a game between two computers with a table to its winner and its length.
fn perfect(code: &str, winner: &str, plies: u32) {
    let (folder, tables) = (TempDir::new().unwrap(), table(code));
    let out = talk_in(folder.path(), tables.path(), &[code, "--black", "computer", "--white", "computer"], "");
    assert_eq!(played(&out).len() as u32, plies, "{code}");
    for (line, left) in out.lines().filter(|line| line.contains(" plays ")).zip((1..=plies).rev()) {
        let unit = if left == 1 { "ply" } else { "plies" };
        assert!(line.ends_with(&format!("(by the table: {winner} wins in {left} {unit}).")), "{line}");
    }
    assert_eq!(out.lines().filter(|line| line.contains(" moves | next ")).count() as u32, plies + 1, "every board");
    let last = out.lines().last().unwrap();
    assert!(last.starts_with(&format!("Game over, {winner} wins: ")), "no prompt, nothing unsaved: {last}");
}

// Back and forth

/// What `position` prints at the end of a script.
fn position_after(arguments: &[&str], script: &str) -> String {
    last_answer(&talk(arguments, &format!("{script}position\nquit\n"))).trim_end().into()
}

#[test]
fn undo_goes_back_to_the_same_person_and_redo_forward_again() {
    for (code, seats) in
        [("bin7x6", ["human", "random"]), ("rev6x6", ["random", "human"]), ("val1n", ["human", "greedy"])]
    {
        let arguments = [code, "--black", seats[0], "--white", seats[1], SEED];
        let first = {
            let moves = last_answer(&talk(&arguments, "moves\nquit\n"));
            moves.lines().nth(1).unwrap().split_whitespace().next().unwrap().to_string()
        };
        let start = position_after(&arguments, "");
        let later = position_after(&arguments, &format!("{first}\n"));
        assert_ne!(start, later, "{code}");
        assert_eq!(position_after(&arguments, &format!("{first}\nundo\n")), start, "{code}");
        assert_eq!(position_after(&arguments, &format!("{first}\nundo\nredo\n")), later, "{code}");
        let back = talk(&arguments, &format!("{first}\nundo\nundo\nredo\nredo\nquit\n"));
        for said in [
            "Taken back: 2 plies.",
            "There is no move of yours",
            "Made again: 2 plies.",
            "Nothing has been taken back.",
        ] {
            assert_eq!(back.matches(said).count(), 1, "{code} {said}: {back}");
        }
    }
}

#[test]
fn two_people_take_back_one_move_and_another_move_forgets_it() {
    let out = say(&["bin7x6", "--white", "human"], "4n cs1 undo bn redo undo undo redo redo position quit");
    assert_eq!(out.matches("Taken back: 1 ply.").count(), 3, "{out}");
    assert_eq!(out.matches("Nothing has been taken back.").count(), 1, "{out}");
    assert_eq!(last_answer(&out), "7/2xo3/2ox3/7/7/7 b - - 2\n");
}

#[test]
fn an_end_can_be_taken_back() {
    let out = talk(&["bin2x2", "--white", "human"], "2n\nresign\nmoves\nas1\nundo\nmoves\nquit\n");
    let said = answers(&out);
    assert_eq!(said[1], "Game over, Black wins: White resigns.\n");
    assert_eq!(said[2], "The game is over; undo takes back, new begins again.\n");
    assert!(said[3].starts_with("move \"as1\": the game is over: a side has resigned; "), "{}", said[3]);
    assert!(said[4].starts_with("Taken back: 1 ply.\nLast move: Black 2n.\n"), "{}", said[4]);
    assert!(said[5].starts_with("4 legal moves:\n"), "{}", said[5]);
}

#[test]
fn new_begins_where_the_game_began_or_elsewhere() {
    let late = "7/2xo3/2ox3/7/7/7 b - - 2";
    let script = "5n\nnew\nposition\nnew startpos moves 4n\nposition\nnew nonsense\nposition\nquit\n";
    let out = talk(&["bin7x6", "--white", "human", "--start", late], script);
    let said = answers(&out);
    assert!(said[1].starts_with("The game was not saved.\nA new game.\n"), "{}", said[1]);
    assert_eq!(said[2], format!("{late}\n"));
    assert_eq!([&said[4], &said[6]], ["7/7/2ox3/7/7/7 w - - 1\n"; 2]);
    assert_eq!(said[5], "SFEN: has 1 of the five fields board, turn, locks, targets, ply; help lists the commands\n");
}

// Files

#[test]
fn a_saved_game_goes_on_where_it_was() {
    let (folder, none) = (TempDir::new().unwrap(), Path::new("none"));
    for (code, moves, start) in [
        ("bin7x6", "4n bn", None),
        ("val1n", "2c2b 2a2b 1d1c", None),
        ("val1n", "3a3b", Some("startpos moves 2c2b")),
        ("pyon", "d2d3", Some("xxx2/2oo1/5/1xx2/o1oo1 x moves b4b3")),
        ("rev6x6", "c2", None),
    ] {
        let mut arguments = vec![code, "--white", "human"];
        arguments.extend(start.iter().flat_map(|start| ["--start", start]));
        let lines = moves.replace(' ', "\n");
        let file = format!("{code} {}.txt", start.is_some());
        let script = format!("{lines}\nsave {file}\nposition\nquit\n");
        let out = talk_in(folder.path(), none, &arguments, &script);
        assert!(out.contains(&format!("> save {file}\nSaved to {file}.\n")) && !out.contains("not saved"), "{out}");
        let position = last_answer(&out);

        let text = std::fs::read_to_string(folder.path().join(&file)).unwrap();
        assert!(text.starts_with(&format!("game: {code}\nblack: human\nwhite: human\n")), "{text}");
        assert!(text.contains(&format!("\nmoves: {moves}\n")), "{text}");

        let loaded = ["--load", &file, "--white", "human"];
        let after = talk_in(folder.path(), none, &loaded, "position\nundo\nredo\nposition\nquit\n");
        assert!(after.starts_with(&format!("{code}: ")), "{after}");
        assert_eq!([&answers(&after)[0], &answers(&after)[3]], [&position; 2], "{after}");
        let inside =
            talk_in(folder.path(), none, &[code, "--white", "human"], &format!("load {file}\nposition\nquit\n"));
        assert_eq!(last_answer(&inside), position);
    }
}

#[test]
fn files_of_others_are_not_overwritten() {
    let (folder, none) = (TempDir::new().unwrap(), Path::new("none"));
    let path = folder.path().join("g.txt");
    std::fs::write(&path, "dear\n").unwrap();
    let script =
        "4n\nsave g.txt\nsave\nsave! g.txt\ncs1\nsave\nnew\nsave g.txt\nsave ./no/g.txt\nsave! .\nsave .\nquit\n";
    let out = talk_in(folder.path(), none, &["bin7x6", "--white", "human"], script);
    let said = answers(&out);
    assert_eq!(said[1], "g.txt is there already; save! g.txt replaces it.\n");
    assert_eq!(said[2], "Write the name of a file after save.\n");
    assert_eq!([&said[3], &said[5]], ["Saved to g.txt.\n"; 2]);
    assert_eq!(said[7], said[1], "another game");
    assert!(said[8].starts_with("./no/g.txt: No such file"), "{}", said[8]);
    assert_eq!([&said[9], &said[10]], [".: is no file\n"; 2]);
    let saved = std::fs::read_to_string(&path).unwrap();
    assert_eq!(saved, "game: bin7x6\nblack: human\nwhite: human\nmoves: 4n cs1\n");
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "nothing is left beside it");
}

#[test]
fn files_that_are_no_games_change_nothing() {
    let (folder, none) = (TempDir::new().unwrap(), Path::new("none"));
    for (name, text) in [
        ("empty", ""),
        ("other", "game: pyon\nmoves:\n"),
        ("wrong", "game: bin7x6\nmoves: 4n 9n\n"),
        ("odd", "game: bin7x6\nmoves: 4n\nwho: me\n"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    std::fs::write(folder.path().join("bytes"), b"game: \xff\n").unwrap();
    let script =
        "4n\nload empty\nload other\nload wrong\nload odd\nload bytes\nload none\nload .\nload\nposition\nquit\n";
    let said = answers(&talk_in(folder.path(), none, &["bin7x6", "--white", "human"], script));
    let problems = [
        "empty: has no game\n",
        "other: game \"pyon\": is played with yomikiri play pyon; this is bin7x6\n",
        "wrong: move \"9n\" (number 2 of moves): the 7x6 board has no way \"9\"\n",
        "odd: line 3: \"who\" is none of game, black, white, start, moves, result\n",
        "bytes: is not UTF-8\n",
        "none: No such file or directory (os error 2)\n",
        ".: is no file\n",
        "Write the name of a file after load.\n",
    ];
    assert_eq!(said[1..9], problems);
    assert_eq!(said[9], "7/7/2ox3/7/7/7 w - - 1\n");
}

// Hints

/// The moves that a hint lists, with what it says of each.
fn hints(answer: &str) -> Vec<(String, String)> {
    let of_line = |line: &str| {
        let (number, rest) = line.trim_start().split_once(". ")?;
        let (mv, worth) = rest.split_once(' ')?;
        number.parse::<u32>().ok()?;
        Some((mv.to_string(), worth.trim_start().to_string()))
    };
    answer.lines().filter_map(of_line).collect()
}

/// Asks for a hint after each of these moves and holds it against `expected`: what each legal move of a position
/// comes to.
fn hold_hints(code: &str, moves: &[&str], mut expected: impl FnMut(usize) -> Vec<(String, String)>) {
    let (folder, tables) = (TempDir::new().unwrap(), table(code));
    let script = format!("hint\n{}quit\n", moves.iter().map(|mv| format!("{mv}\nhint\n")).collect::<String>());
    for (tables, source) in [(tables.path(), "By the table"), (Path::new("none"), "Read out to the end")] {
        let said = answers(&talk_in(folder.path(), tables, &[code, "--white", "human"], &script));
        for number in 0..=moves.len() {
            let answer = &said[2 * number];
            assert!(answer.starts_with(&format!("{source}, the best first:\n")), "{code}: {answer}");
            let (mut shown, mut right) = (hints(answer), expected(number));
            shown.sort();
            right.sort();
            assert_eq!(shown, right, "{code} after {:?}", &moves[..number]);
        }
    }
}

#[test]
fn hints_are_what_brute_force_says() {
    let naive = naive_binarsi::Naive::from_code("bin3x2");
    let values = naive.values();
    let (mut moves, mut positions) = (Vec::new(), vec![naive.start_sfen()]);
    for _ in 0..4 {
        let here = &positions[moves.len()];
        let mv = naive.legal_moves(here).pop().unwrap();
        positions.push(naive.play(here, &mv));
        moves.push(mv);
    }
    let moves: Vec<_> = moves.iter().map(String::as_str).collect();
    hold_hints("bin3x2", &moves, |number| {
        let here = &positions[number];
        let mover = here.split(' ').nth(1).unwrap();
        let worth = |mv: &String| {
            let child = naive.play(here, mv);
            let over = naive.ending(&child).map(|winner| (winner, 0));
            let (winner, plies) = over.unwrap_or_else(|| values[&naive.canonical(&child)]);
            let unit = if plies == 0 { "1 ply".into() } else { format!("{} plies", plies + 1) };
            format!("{} in {unit}", if winner.to_string() == mover { "wins" } else { "loses" })
        };
        naive.legal_moves(here).into_iter().map(|mv| (mv.clone(), worth(&mv))).collect()
    });
}

#[test]
fn hints_of_points_and_draws_are_what_brute_force_says() {
    let naive = naive_reversi::Naive::from_code("rev4x4");
    let values = naive.values();
    let positions = [naive.start_text(), naive.play(&naive.start_text(), "b1")];
    hold_hints("rev4x4", &["b1"], |number| {
        let worth = |mv: &String| {
            let child = naive.play(&positions[number], mv);
            match -values[&naive.canonical(&child)] {
                0 => "draws".to_string(),
                score if score > 0 => format!("wins by {score}"),
                score => format!("loses by {}", -score),
            }
        };
        naive.legal_moves(&positions[number]).into_iter().map(|mv| (mv.clone(), worth(&mv))).collect()
    });

    let values = NaiveValues::new("pyon2x3");
    let start = values.rules.start_text();
    hold_hints("pyon2x3", &[], |_| {
        let worth = |worth: i32| match (worth, naive_values::plies(worth)) {
            (0, _) | (_, None) => "draws".to_string(),
            (worth, Some(plies)) => {
                let unit = if plies == 1 { "ply" } else { "plies" };
                format!("{} in {plies} {unit}", if worth > 0 { "wins" } else { "loses" })
            }
        };
        values.moves(&start).into_iter().map(|(mv, _, value)| (mv.to_string(), worth(value))).collect()
    });
}

/// The moves that lead from one position to another, as few as possible; none if there is no way.
fn way(values: &NaiveValues, from: &str, to: &str) -> Option<Vec<String>> {
    let mut ways = vec![(from.to_string(), Vec::new())];
    let mut at = 0;
    while let Some((here, moves)) = ways.get(at).cloned() {
        if here == to {
            return Some(moves);
        }
        for (mv, child, _) in values.moves(&here) {
            if ways.iter().all(|(known, _)| known != child) {
                ways.push((child.to_string(), [moves.clone(), vec![mv.to_string()]].concat()));
            }
        }
        at += 1;
    }
    None
}

#[test]
fn a_win_that_would_repeat_is_called_a_draw() {
    let values = NaiveValues::new("pyon2x3");
    // A winning move to a position from which the loser's help leads back to before the move.
    let found = values.positions.iter().find_map(|before| {
        let mut moves = values.moves(before).into_iter();
        moves.find_map(|(mv, after, worth)| {
            let back = (worth > 0).then(|| way(&values, after, before)).flatten()?;
            Some((mv.to_string(), after.to_string(), back.join("\n")))
        })
    });
    let (mv, after, back) = found.expect("some win can be played twice");
    let script = format!("{back}\nhint\n{mv}\n{back}\nhint\nquit\n");
    let said = answers(&talk(&["pyon2x3", "--white", "human", "--start", &after], &script));
    let lists: Vec<_> = said.iter().map(|answer| hints(answer)).filter(|list| !list.is_empty()).collect();
    let worth = |list: &[(String, String)]| list.iter().find(|(name, _)| *name == mv).unwrap().1.clone();
    assert!(worth(&lists[0]).starts_with("wins in "), "{:?}", lists[0]);
    assert_eq!(worth(&lists[1]), "draws by repetition");
    let outcomes: Vec<_> = lists[1].iter().map(|(_, worth)| worth.split(' ').next().unwrap()).collect();
    let rank = |outcome: &&str| ["wins", "draws", "loses"].iter().position(|other| other == outcome).unwrap();
    assert!(outcomes.is_sorted_by_key(rank), "the best first: {:?}", lists[1]);
}

#[test]
fn where_nothing_is_known_a_hint_is_what_the_search_finds() {
    let out = say(&["bin7x6", "--depth", "1"], "hint hint quit");
    let said = answers(&out);
    assert!(said[0].starts_with("(there is no table ") && said[0].contains("bin7x6.tbl: searching)\n"), "{}", said[0]);
    assert!(said[0].contains("\nNot read out. Best seems "), "{}", said[0]);
    assert!(said[0].contains("(search, depth 1: "), "{}", said[0]);
    assert!(said[1].starts_with("Not read out. Best seems "), "said once: {}", said[1]);
}

#[test]
fn a_damaged_table_is_named_and_the_game_goes_on() {
    let (folder, tables) = (TempDir::new().unwrap(), table("bin3x3"));
    std::fs::write(tables.path().join("bin3x3.tbl"), "no table").unwrap();
    let out = talk_in(folder.path(), tables.path(), &["bin3x3", "--depth", "2"], "hint\n2n\nquit\n");
    assert_eq!(out.matches("bin3x3.tbl: shorter than a table's header").count(), 1, "said once: {out}");
    assert!(out.contains("\nNot read out. Best seems ") && out.contains("(search, depth 2: "), "{out}");
    assert_eq!(played(&out).len(), 2, "{out}");
}

// Rules at the table

#[test]
fn a_forced_pass_is_made_by_itself() {
    let naive = naive_reversi::Naive::from_code("rev4x4");
    let mut waiting = vec![naive.start_text()];
    let (before, mv) = loop {
        let here = waiting.pop().expect("some position has to be passed in");
        let moves = naive.legal_moves(&here);
        let passes = |mv: &&String| naive.legal_moves(&naive.play(&here, mv)) == ["pass"];
        if let Some(mv) = moves.iter().find(passes) {
            break (here.clone(), mv.clone());
        }
        waiting.extend(moves.iter().map(|mv| naive.play(&here, mv)));
    };
    let script = format!("{mv}\nposition\nundo\nposition\nredo\nposition\nquit\n");
    let out = talk(&["rev4x4", "--white", "human", "--start", &before], &script);
    let (mover, other) = if before.ends_with('X') { ("Black", "White") } else { ("White", "Black") };
    assert_eq!(played(&out), [format!("{mover} {mv}"), format!("{other} pass")]);
    let after = naive.play(&naive.play(&before, &mv), "pass");
    let said = answers(&out);
    assert_eq!([&said[1], &said[5]], [&format!("{after}\n"); 2]);
    assert!(said[2].starts_with("Taken back: 2 plies.\n"), "{}", said[2]);
    assert_eq!(said[3], format!("{before}\n"));
}

#[test]
fn a_position_that_comes_three_times_is_a_draw() {
    let around = "a3a2\na1b2\na2a3\nb2a1\n";
    let out = talk(
        &["pyon3x3", "--white", "human"],
        &format!("draw\n{around}a3a2\na1b2\na2a3\nhint\nb2a1\ndraw\nundo\nquit\n"),
    );
    let said = answers(&out);
    let early = "draw: this position is on the board for the first time, a draw takes three; help lists the commands\n";
    assert_eq!(said[0], early);
    let draw = "Game over, it is a draw: this position is on the board for the third time.\n";
    assert!(hints(&said[8]).contains(&("b2a1".into(), "draws by repetition".into())), "{}", said[8]);
    assert!(said[9].ends_with(draw), "{}", said[9]);
    assert_eq!(said[10], draw);
    assert!(said[11].starts_with("Taken back: 2 plies.\n"), "the claim and the move: {}", said[11]);
}

#[test]
fn points_that_decide_are_told() {
    let over = "startpos moves 2n 1nH 2nL as1 bn";
    let out = talk(&["bin2x2", "--white", "human", "--start", over], "bnL\nquit\n");
    let told = "Game over, White wins: there is no legal move, so points decide (Black 2, White 2.5).\n";
    assert!(out.contains(told), "{out}");
}

#[test]
fn capitals_do_not_matter_and_edits_work() {
    let script = "4N\nCS1\n&4e#$..1...\nposition\nPOSITION\nquit\n";
    let said = answers(&talk(&["bin7x6", "--white", "human"], script));
    assert!(said[1].starts_with("White plays cs1.\n"), "{}", said[1]);
    assert!(said[2].starts_with("The board is changed: &4e#$..1....\n"), "{}", said[2]);
    assert_eq!([&said[3], &said[4]], ["7/7/2xx3/7/7/7 b c - 2\n"; 2]);
    let said = answers(&talk(&["rev6x6", "--white", "human"], "C2\nquit\n"));
    assert!(said[0].starts_with("Black plays c2.\n"), "{}", said[0]);
}

// Mistakes and ends

#[test]
fn what_makes_no_sense_gets_one_line_and_changes_nothing() {
    let long = "x".repeat(5000);
    let cases = [
        ("hello", "move \"hello\": "),
        ("4x", "\"x\" is no operator"),
        ("cs9", "move \"cs9\""),
        ("4n cs1", "\"4n cs1\" is neither a move nor a command"),
        ("do 4n cs1", "\"4n cs1\" is neither"),
        ("do nothing", "move \"nothing\""),
        ("undo 3", "undo stands alone"),
        ("Hint please", "Hint stands alone"),
        ("black", "human, computer, random or greedy after black"),
        ("white nobody", "human, computer, random or greedy after white"),
        ("play", "a move after play"),
        ("draw", "a draw takes three"),
        ("stop", "The computer is not thinking."),
        ("redo", "Nothing has been taken back."),
        ("&9e$", "edit \"&9e$\""),
        ("\u{1b}[31mred", "\\u{1b}"),
        ("二筋", "二"),
        (&long, "xxx...\" is neither"),
    ];
    let script: String = cases.iter().map(|(line, _)| format!("{line}\nposition\n")).collect();
    let out = talk(&["bin7x6", "--white", "human"], &format!("4n\n{script}quit\n"));
    let said = answers(&out);
    for ((line, part), answer) in cases.iter().zip(said[1..].chunks(2)) {
        assert!(answer[0].contains(part) && answer[0].lines().count() == 1, "{line}: {}", answer[0]);
        assert!(!answer[0].contains('\x1b') && answer[0].len() < 300, "{line}: {}", answer[0]);
        assert_eq!(answer[1], "7/7/2ox3/7/7/7 w - - 1\n", "{line}");
    }
    assert!(!out.contains('\x1b'), "what is shown of a line is harmless");
}

#[test]
fn lines_that_are_no_text_are_refused() {
    let folder = TempDir::new().unwrap();
    let mut script = b"4n\nund\xffo\n".to_vec();
    script.extend(vec![b'm'; 2 << 20]);
    script.extend(b"\nposition\nquit\n");
    let mut command = assert_cmd::Command::from_std(command(folder.path(), folder.path(), &["--white", "human"]));
    let output = command.timeout(PATIENCE).write_stdin(script).output().unwrap();
    let said = answers(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(said[1], "line: is not UTF-8 from byte 4 on; help lists the commands\n");
    assert_eq!(said[2], "line: is longer than 1048576 bytes; help lists the commands\n");
    assert_eq!(said[3], "7/7/2ox3/7/7/7 w - - 1\n");
}

#[test]
fn the_input_may_end_anywhere() {
    let whole = "2n\nhint\nundo\nnew\nresign\nundo\n";
    for end in (0..=whole.len()).step_by(3) {
        let out = talk(&["bin2x2", "--white", "random"], &whole[..end]);
        let has = |word: &str| whole[..end].lines().any(|line| line == word);
        let is_unsaved = has("resign") || has("2n") && !has("new");
        assert_eq!(out.ends_with("\nThe game was not saved.\n"), is_unsaved, "{end}: {out}");
        assert!(out.ends_with('\n'), "{end}: {out}");
    }
    let quiet = talk(&["bin2x2"], "");
    assert!(quiet.ends_with("help lists the commands> \n"), "nothing to save: {quiet}");
    assert!(talk(&["bin2x2"], "2n").ends_with("The game was not saved.\n"), "a line without its end");
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    for (arguments, status, part) in [
        (["bin7x6", "--start", "a", "--load", "b"].as_slice(), 2, "cannot be used with"),
        (&["bin7x6", "--black", "me"], 2, "possible values: human, computer, random, greedy"),
        (&["bin7x6", "--time", "soon"], 2, "write a number with ms, s, m or h"),
        (&["bin7x6", "--depth", "0"], 2, "0 is not in 1..=100"),
        (&["bin7x6", "--start", "7/7"], 2, "SFEN: has 1 of the five fields"),
        (&["bin9x9"], 2, "bin9x9"),
        (&["--load", "none.txt"], 1, "none.txt: No such file"),
        (&["--lang", "fr"], 2, "possible values: en, ja"),
    ] {
        let line = refused(arguments, status);
        assert!(line.contains(part), "{arguments:?}: {line}");
    }
}

#[test]
fn help_names_every_command() {
    let help = last_answer(&talk(&["rev6x6"], "help\nquit\n"));
    assert!(help.starts_with("c2 "), "a move as an example: {help}");
    let words = [
        "moves", "hint", "undo", "redo", "board", "position", "go", "black", "white", "resign", "draw", "save",
        "save!", "load", "new", "quit", "stop",
    ];
    for word in words {
        assert!(help.split([' ', ',', '\n']).any(|other| other == word), "{word}: {help}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let folder = TempDir::new().unwrap();
    let mut command = command(folder.path(), folder.path(), &["rev8x8", "--black", "random", "--white", "random"]);
    command
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

// Languages

#[test]
fn japanese_where_it_is_asked_for() {
    let asked = say(&["bin7x6", "--lang", "ja", "--white", "human"], "4n hint help undo resign quit");
    for said in
        ["先手(1) 人間、後手(0) 人間\n", "後手(0)の番です", "先手: 4n\n", "手戻しました", "終局 後手の勝ち(投了)\n"]
    {
        assert!(asked.contains(said), "{said}: {asked}");
    }
    let folder = TempDir::new().unwrap();
    for (name, value, is_japanese) in
        [("LANG", "ja_JP.UTF-8", true), ("LC_ALL", "ja", true), ("LC_MESSAGES", "en_GB", false), ("LANG", "de", false)]
    {
        let mut command = command(folder.path(), folder.path(), &[]);
        command.env("LANG", "ja").env(name, value).stdin(std::process::Stdio::null());
        let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert_eq!(out.contains("の番です"), is_japanese, "{name}={value}: {out}");
    }
}

#[test]
fn every_reason_is_told_in_japanese() {
    for (code, start) in [
        ("bin2x2", "startpos moves 2n 1nH 2nL as1 bn bnL"),
        ("pyon3x3", "oox/xx1/2o x"),
        ("val1n", "startpos moves 2c2b 3a3b"),
        ("rev4x4", "XXXXXXXXXXXXXXXO X"),
        ("rev4x4", "XXXX------------ O"),
        ("con3x3-k3", "12121"),
        ("con3x3-k3", "111223332"),
        ("con4x4", "1212121"),
        ("con5x5-k5", "121212121"),
    ] {
        let out = talk(&[code, "--lang", "ja", "--start", start], "");
        let result = out.lines().find(|line| line.starts_with("終局 ")).unwrap_or_else(|| panic!("{code}: {out}"));
        let words = result.chars().any(|letter| letter.is_ascii_alphabetic());
        assert!(!words, "{code}: {result}");
    }
}

// At a terminal

/// A person at a terminal, with what the command says.
struct Seat {
    session: PtySession,
    /// The command's own folder, for as long as it runs.
    _folder: TempDir,
}

impl Seat {
    fn take(arguments: &[&str], environment: &[(&str, &str)]) -> Seat {
        let folder = TempDir::new().unwrap();
        let mut command = command(folder.path(), &folder.path().join("none"), arguments);
        command.envs(environment.iter().copied());
        let session = spawn_command(command, Some(PATIENCE.as_millis() as u64)).unwrap();
        Seat { session, _folder: folder }
    }

    /// Waits until a text is said.
    fn hears(&mut self, text: &str) -> String {
        self.session.exp_string(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn types(&mut self, line: &str) {
        self.session.send_line(line).unwrap();
    }

    fn presses(&mut self, letter: char) {
        self.session.send_control(letter).unwrap();
    }

    /// What is said to the end, which has to be a good one.
    fn leaves(mut self) -> String {
        let rest = self.session.exp_eof().unwrap();
        let status = self.session.process().wait().unwrap();
        assert!(matches!(status, rexpect::process::WaitStatus::Exited(_, 0)), "{status:?}: {rest}");
        rest
    }
}

const PROMPT: &str = "Black (1) to move, help lists the commands>";

#[test]
fn colours_are_for_terminals_that_have_them() {
    let mut seat = Seat::take(&["--white", "human"], &[]);
    seat.hears(&format!("\x1b[1m{PROMPT}\x1b[0m "));
    seat.types("4n");
    seat.hears("c | . . 0 \x1b[1m\x1b[36m1\x1b[0m . . . |");
    seat.types("quit");
    assert!(seat.leaves().contains("The game was not saved."));

    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let mut seat = Seat::take(&["--white", "human"], &[(name, value)]);
        seat.types("4n");
        seat.types("quit");
        let said = seat.leaves();
        assert!(said.contains("Black plays 4n.") && !said.contains('\x1b'), "{name}: {said}");
    }
    assert!(!say(&["--white", "human"], "4n quit").contains('\x1b'), "not in pipes");
}

#[test]
fn ctrl_c_makes_the_computer_move_and_leaves_at_the_prompt() {
    let mut seat = Seat::take(&["--time", "1h"], &[]);
    seat.hears(PROMPT);
    seat.types("4n");
    seat.hears("White thinks ...");
    seat.presses('c');
    seat.hears("White plays ");
    seat.hears(PROMPT);
    // A Ctrl-C just after the computer has answered is taken to have been meant for it.
    std::thread::sleep(Duration::from_millis(400));
    seat.presses('c');
    assert!(seat.leaves().ends_with("\x1b[2mThe game was not saved.\x1b[0m\r\n"));
}

#[test]
fn lines_typed_while_the_computer_thinks_wait_for_their_turn() {
    let mut seat = Seat::take(&["--time", "1h"], &[]);
    seat.types("4n");
    seat.hears("White thinks ...");
    seat.types("undo");
    seat.types("stop");
    seat.hears("White plays ");
    seat.hears(&format!("{PROMPT}\x1b[0m undo\r\n"));
    seat.hears("Taken back: 2 plies.");
    seat.types("quit");
    seat.leaves();
}

#[test]
fn quit_leaves_while_the_computer_thinks() {
    let mut seat = Seat::take(&["--time", "1h"], &[]);
    seat.types("4n");
    seat.hears("White thinks ...");
    seat.types("quit");
    let rest = seat.leaves();
    assert!(!rest.contains("White plays") && rest.contains("The game was not saved."), "{rest}");
}

#[test]
fn ctrl_d_leaves_at_the_prompt_and_after_the_computers_move() {
    let mut seat = Seat::take(&["bin3x3"], &[]);
    seat.hears(PROMPT);
    seat.presses('d');
    let rest = seat.leaves();
    assert!(rest.ends_with("\r\n") && !rest.contains("not saved"), "nothing to save: {rest:?}");

    let mut seat = Seat::take(&["--time", "500ms"], &[]);
    seat.types("4n");
    seat.hears("White thinks ...");
    seat.presses('d');
    seat.hears("White plays ");
    assert!(seat.leaves().contains("The game was not saved."));
}

#[test]
fn machines_that_play_alone_can_be_left_and_be_asked_afterwards() {
    let mut seat = Seat::take(&["--black", "computer", "--white", "computer", "--time", "1h"], &[]);
    seat.hears("Black thinks ...");
    seat.presses('c');
    assert!(!seat.leaves().contains("plays"));

    let mut seat = Seat::take(&["--black", "computer", "--white", "computer", "--time", "1h"], &[]);
    seat.hears("Black thinks ...");
    seat.types("WHITE human");
    seat.types("stop");
    seat.hears("Black plays ");
    seat.hears("White is now human.");
    seat.hears("White (0) to move, help lists the commands>");
    seat.types("quit");
    seat.leaves();

    let mut seat = Seat::take(&["bin2x2", "--black", "random", "--white", "greedy"], &[]);
    seat.hears("The game is over (undo, new, save, quit)>");
    seat.types("save g.txt");
    seat.hears("Saved to g.txt.");
    seat.types("quit");
    seat.leaves();
}

#[test]
fn ctrl_c_ends_the_patience_for_a_hint() {
    let mut seat = Seat::take(&["bin4x4", "--time", "1h"], &[]);
    seat.hears(PROMPT);
    seat.types("hint");
    std::thread::sleep(Duration::from_millis(100));
    seat.presses('c');
    seat.hears("Best seems ");
    seat.types("quit");
    seat.leaves();
}

// The page

/// The session of docs/play.md: what stands behind a prompt is typed.
#[test]
fn the_session_of_the_page_is_real() {
    let page = page("docs/play.md");
    let sessions: Vec<_> = page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(sessions.len(), 2, "English and Japanese");
    for session in sessions {
        let (first, expected) = session.split_once('\n').unwrap();
        let words: Vec<_> = first.strip_prefix("$ yomikiri play ").unwrap().split(' ').collect();
        let typed = expected.lines().filter_map(|line| line.split_once("> "));
        let script: String = typed.map(|(_, line)| format!("{line}\n")).collect();
        let (folder, tables) = (TempDir::new().unwrap(), table(words[0]));
        assert_eq!(talk_in(folder.path(), tables.path(), &words, &script), expected);
    }
}
