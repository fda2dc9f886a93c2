//! Tests of `yomikiri play` as people use it: whole games of every game, typed moves and hints, against the naive
//! rules. On a terminal: colours, Ctrl-C, and input while the computer thinks. Other games are in the folder sessions.

use std::path::Path;
use std::time::Duration;

use crate::naive_games::{Rules, animal_shogi_position};
use crate::support::command::{table, with_input};
use crate::support::session::shell;
use crate::support::terminal::Terminal;
use tempfile::TempDir;
use yomikiri_naive::pyonpyon_values::{self, NaiveValues};
use yomikiri_naive::{animal_shogi, binarsi, reversi};
use yomikiri_rules::Side;

/// Returns the output of `play` in an empty folder, with `script` as its input. The command must succeed.
fn talk(arguments: &str, script: &str) -> String {
    let folder = TempDir::new().unwrap();
    let command = shell(folder.path(), &format!("yomikiri play {arguments}"));
    let output = with_input(command, script);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments}: {output:?}");
    String::from_utf8(output.stdout).expect("what is said is UTF-8")
}

/// Returns the moves that an output reports, each with its side, as in `Black 4n`.
fn played(text: &str) -> Vec<String> {
    let of_line = |line: &str| {
        let (side, rest) = line.split_once(" plays ")?;
        let mv = rest.split([' ', '.']).next()?;
        Some(format!("{side} {mv}"))
    };
    let pass = |line: &str| line.strip_suffix(" has no move and passes.").map(|side| format!("{side} pass"));
    text.lines().filter_map(|line| of_line(line).or_else(|| pass(line))).collect()
}

/// Returns the answer after each prompt of an output.
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

// Whole games against the random player

/// Plays a whole game against the random player. The person always makes the legal move with the index `choice`. After
/// each move is added to the script, the script runs again from the start. Every move of the other side must be legal,
/// and every position must be printed as `shown` returns it. The result must be that of the naive rules, followed by
/// the words that `reason` returns for the last position.
fn whole_game(
    (code, choice, seats): (&str, usize, [&str; 2]),
    shown: impl Fn(&str) -> String,
    reason: impl Fn(&str) -> String,
) {
    let rules = Rules::from_code(code);
    let person = if seats[0] == "human" { "Black" } else { "White" };
    let arguments = format!("{code} --black {} --white {} --seed=3", seats[0], seats[1]);
    let (mut script, mut position, mut known) = (String::new(), rules.start(), 0);
    loop {
        let out = talk(&arguments, &format!("{script}position\n"));
        let moves = played(&out);
        for (side_and_move, number) in moves[known..].iter().zip(known..) {
            let mv = side_and_move.split_once(' ').unwrap().1;
            assert!(
                rules.legal_moves(&position).iter().any(|other| other == mv),
                "{code}: {mv} ({number}) in {position}"
            );
            position = rules.play(&position, mv);
        }
        known = moves.len();
        assert!(out.lines().any(|line| line == shown(&position)), "{code}: {position} is not in {out}");
        if let Some(winner) = rules.winner(&position) {
            let result = match winner {
                None => "it is a draw".to_string(),
                Some(side) => format!("{} wins", if side == Side::Black { "Black" } else { "White" }),
            };
            let expected = format!("Game over, {result}{}", reason(&position));
            let said = out.lines().find(|line| line.starts_with("Game over, ")).unwrap_or_default();
            assert!(said.starts_with(&expected), "{code}: \"{said}\" is not \"{expected}\" in {position}");
            return;
        }
        assert!(known < 200, "{code}: the game does not end");
        let prompt = out.lines().rev().find(|line| line.contains(" to move, help")).unwrap();
        assert!(prompt.starts_with(person), "{code}: \"{prompt}\" is not {person}'s prompt");
        let legal = rules.legal_moves(&position);
        script += &format!("{}\n", legal[choice % legal.len()]);
    }
}

#[test]
fn whole_games() {
    for game in [
        ("bin4x4", 5, ["human", "random"]),
        ("bin3x3", 2, ["random", "human"]),
        ("con4x4", 1, ["human", "random"]),
        ("con5x4-k3", 2, ["random", "human"]),
    ] {
        whole_game(game, str::to_string, |_| ": ".into());
    }
    for game in [("rev4x4", 1, ["human", "random"]), ("rev4x4-p", 3, ["random", "human"])] {
        let naive = reversi::Naive::from_code(game.0);
        whole_game(game, str::to_string, |last| match naive.score(last) {
            Some(0) | None => ": ".into(),
            Some(score) => format!(" by {}: ", score.abs()),
        });
    }
    let goal = ": its pieces have reached their goal.";
    whole_game(("pyon2x3", 1, ["human", "random"]), str::to_string, |_| goal.into());
    let naive = animal_shogi::Naive::from_code("val1n");
    let key = |position: &str| format!("{:015x}", animal_shogi::key(&animal_shogi_position(position)));
    whole_game(("val1n", 7, ["human", "random"]), key, |last| {
        match naive.can_take_lion(&animal_shogi_position(last)) {
            true => ": the lion can be taken.".into(),
            false => ": a lion has reached the last rank.".into(),
        }
    });
}

// Computers

#[test]
fn the_same_seed_makes_the_same_game() {
    let game = |seed: u32| talk(&format!("rev4x4 --black random --white random --seed {seed}"), "");
    assert_eq!(game(5), game(5));
    assert!((6..16).any(|seed| played(&game(seed)) != played(&game(5))));
}

#[test]
fn perfect_play_of_two_computers_takes_as_long_as_brute_force_says() {
    let naive = binarsi::Naive::from_code("bin3x2");
    let (winner, plies) = naive.values()[&naive.canonical(&naive.start_sfen())];
    perfect("bin3x2", if winner == 'b' { "Black" } else { "White" }, plies);
    // Brute force gives the same result, but takes ten seconds.
    perfect("bin3x3", "White", 10);
}

/// Lets two computers with a table play a game. Checks its winner and its length.
fn perfect(code: &str, winner: &str, plies: u32) {
    let tables = table(code);
    let out = talk(&format!("{code} --tables {} --black computer --white computer", tables.path().display()), "");
    assert_eq!(played(&out).len() as u32, plies, "{code}");
    for (line, left) in out.lines().filter(|line| line.contains(" plays ")).zip((1..=plies).rev()) {
        let unit = if left == 1 { "ply" } else { "plies" };
        assert!(line.ends_with(&format!("(by the table: {winner} wins in {left} {unit}).")), "{line}");
    }
    assert_eq!(out.lines().filter(|line| line.contains(" moves | next ")).count() as u32, plies + 1, "every board");
    let last = out.lines().last().unwrap();
    assert!(last.starts_with(&format!("Game over, {winner} wins: ")), "no prompt, nothing unsaved: {last}");
}

// Hints

/// Returns the moves that an answer to `hint` lists, each with its value in words.
fn hints(answer: &str) -> Vec<(String, String)> {
    let of_line = |line: &str| {
        let (number, rest) = line.trim_start().split_once(". ")?;
        let (mv, worth) = rest.split_once(' ')?;
        number.parse::<u32>().ok()?;
        Some((mv.to_string(), worth.trim_start().to_string()))
    };
    answer.lines().filter_map(of_line).collect()
}

/// Asks for a hint at the start and after each of `moves`, with and without a table. `expected` returns all legal moves
/// after a number of moves, with their values in words.
fn hold_hints(code: &str, moves: &[&str], mut expected: impl FnMut(usize) -> Vec<(String, String)>) {
    let tables = table(code);
    let script = format!("hint\n{}quit\n", moves.iter().map(|mv| format!("{mv}\nhint\n")).collect::<String>());
    for (tables, source) in [(tables.path(), "By the table"), (Path::new("."), "Read out to the end")] {
        let said = answers(&talk(&format!("{code} --tables {} --white human", tables.display()), &script));
        for number in 0..=moves.len() {
            let answer = &said[2 * number];
            assert!(answer.starts_with(&format!("{source}, best first:\n")), "{code}: {answer}");
            let (mut shown, mut right) = (hints(answer), expected(number));
            shown.sort();
            right.sort();
            assert_eq!(shown, right, "{code} after {:?}", &moves[..number]);
        }
    }
}

#[test]
fn hints_are_what_brute_force_says() {
    let naive = binarsi::Naive::from_code("bin3x2");
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
    let naive = reversi::Naive::from_code("rev4x4");
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
        let worth = |worth: i32| match (worth, pyonpyon_values::plies(worth)) {
            (0, _) | (_, None) => "draws".to_string(),
            (worth, Some(plies)) => {
                let unit = if plies == 1 { "ply" } else { "plies" };
                format!("{} in {plies} {unit}", if worth > 0 { "wins" } else { "loses" })
            }
        };
        values.moves(&start).into_iter().map(|(mv, _, value)| (mv.to_string(), worth(value))).collect()
    });
}

// Ends of the input

#[test]
fn the_input_may_end_anywhere() {
    let whole = "2n\nhint\nundo\nnew\nresign\nundo\n";
    for end in (0..=whole.len()).step_by(3) {
        let out = talk("bin2x2 --white random", &whole[..end]);
        // `undo` and `new` go back to a game without moves, as which it began.
        let last = whole[..end].lines().rfind(|line| ["2n", "undo", "new", "resign"].contains(line));
        let is_unsaved = last.is_some_and(|word| ["2n", "resign"].contains(&word));
        assert_eq!(out.ends_with("\nThe game as it stands is not saved.\n"), is_unsaved, "{end}: {out}");
        assert!(out.ends_with('\n'), "{end}: {out}");
    }
    let quiet = talk("bin2x2", "");
    assert!(quiet.ends_with("help lists the commands> \n"), "nothing to save: {quiet}");
    assert!(talk("bin2x2", "2n").ends_with("The game as it stands is not saved.\n"), "a line without its end");
}

// At a terminal

const PROMPT: &str = "Black (1) to move, help lists the commands>";

#[test]
fn colours_are_for_terminals_that_have_them() {
    let mut seat = Terminal::open("yomikiri play --white human");
    seat.wait_for(&format!("\x1b[1m{PROMPT}\x1b[0m "));
    seat.type_line("4n");
    seat.wait_for("c | . . 0 \x1b[1m\x1b[36m1\x1b[0m . . . |");
    seat.type_line("quit");
    assert!(seat.finish().contains("The game as it stands is not saved."));

    for plain in ["NO_COLOR=1", "TERM=dumb"] {
        let mut seat = Terminal::open(&format!("env {plain} yomikiri play --white human"));
        seat.type_line("4n");
        seat.type_line("quit");
        let said = seat.finish();
        assert!(said.contains("Black plays 4n.") && !said.contains('\x1b'), "{plain}: {said}");
    }
    assert!(!talk("--white human", "4n\nquit\n").contains('\x1b'), "not in pipes");
}

#[test]
fn ctrl_c_makes_the_computer_move_and_leaves_at_the_prompt() {
    let mut seat = Terminal::open("yomikiri play --time 1h");
    seat.wait_for(PROMPT);
    seat.type_line("4n");
    seat.wait_for("White thinks ...");
    seat.press('c');
    seat.wait_for("White plays ");
    seat.wait_for(PROMPT);
    // A Ctrl-C within 250 ms after the computer's move is ignored, because it was meant for the computer.
    std::thread::sleep(Duration::from_millis(400));
    seat.press('c');
    assert!(seat.finish().ends_with("\x1b[2mThe game as it stands is not saved.\x1b[0m\r\n"));
}

#[test]
fn lines_typed_while_the_computer_thinks_wait_for_their_turn() {
    let mut seat = Terminal::open("yomikiri play --time 1h");
    seat.type_line("4n");
    seat.wait_for("White thinks ...");
    seat.type_line("undo");
    seat.type_line("stop");
    seat.wait_for("White plays ");
    seat.wait_for(&format!("{PROMPT}\x1b[0m undo\r\n"));
    seat.wait_for("Taken back: 2 plies.");
    seat.type_line("quit");
    seat.finish();
}

#[test]
fn quit_leaves_while_the_computer_thinks() {
    let mut seat = Terminal::open("yomikiri play --time 1h");
    seat.type_line("4n");
    seat.wait_for("White thinks ...");
    seat.type_line("quit");
    let rest = seat.finish();
    assert!(!rest.contains("White plays") && rest.contains("The game as it stands is not saved."), "{rest}");
}

#[test]
fn ctrl_d_leaves_at_the_prompt_and_after_the_computers_move() {
    let mut seat = Terminal::open("yomikiri play bin3x3");
    seat.wait_for(PROMPT);
    seat.press('d');
    let rest = seat.finish();
    assert!(rest.ends_with("\r\n") && !rest.contains("not saved"), "nothing to save: {rest:?}");

    let mut seat = Terminal::open("yomikiri play --time 500ms");
    seat.type_line("4n");
    seat.wait_for("White thinks ...");
    seat.press('d');
    seat.wait_for("White plays ");
    assert!(seat.finish().contains("The game as it stands is not saved."));
}

#[test]
fn machines_that_play_alone_can_be_left_and_be_asked_afterwards() {
    let mut seat = Terminal::open("yomikiri play --black computer --white computer --time 1h");
    seat.wait_for("Black thinks ...");
    seat.press('c');
    assert!(!seat.finish().contains("plays"));

    let mut seat = Terminal::open("yomikiri play --black computer --white computer --time 1h");
    seat.wait_for("Black thinks ...");
    seat.type_line("WHITE human");
    seat.type_line("stop");
    seat.wait_for("Black plays ");
    seat.wait_for("White is now human.");
    seat.wait_for("White (0) to move, help lists the commands>");
    seat.type_line("quit");
    seat.finish();

    let mut seat = Terminal::open("yomikiri play bin2x2 --black random --white greedy");
    seat.wait_for("The game is over (undo, new, save, quit)>");
    seat.type_line("save g.txt");
    seat.wait_for("Saved to g.txt.");
    seat.type_line("quit");
    seat.finish();
}

#[test]
fn ctrl_c_ends_the_patience_for_a_hint() {
    let mut seat = Terminal::open("yomikiri play bin4x4 --time 1h");
    seat.wait_for(PROMPT);
    seat.type_line("hint");
    std::thread::sleep(Duration::from_millis(100));
    seat.press('c');
    seat.wait_for(" seems best ");
    seat.type_line("quit");
    seat.finish();
}
