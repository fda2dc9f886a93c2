//! `yomikiri play` as people meet it: whole games of every game by what is typed and hints, held against the naive
//! rules; on a terminal colours, Ctrl-C and what is typed while the computer thinks. Other games are in the folder
//! sessions.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::naive::{animal_shogi, binarsi, reversi};
use crate::naive_games::{animal_shogi_position, rules};
use crate::support::command::{PATIENCE, in_english, table};
use crate::support::pyonpyon_values::{self, NaiveValues};
use rexpect::session::{PtySession, spawn_command};
use tempfile::TempDir;
use yomikiri_rules::value::Side;

const SEED: &str = "--seed=3";

/// The command in English, in an empty folder, with tables in `tables`.
fn command(folder: &Path, tables: &Path, arguments: &[&str]) -> Command {
    let mut command = in_english(Command::new(env!("CARGO_BIN_EXE_yomikiri")));
    command.arg("play").args(arguments).current_dir(folder).env("YOMIKIRI_TABLES", tables);
    command
}

/// What is said to a script by a command that has to end well.
fn talk_in(tables: &Path, arguments: &[&str], script: &str) -> String {
    let folder = TempDir::new().unwrap();
    let mut command = assert_cmd::Command::from_std(command(folder.path(), tables, arguments));
    let output = command.timeout(PATIENCE).write_stdin(script).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && error.is_empty(), "{arguments:?}: {:?} {error}", output.status);
    String::from_utf8(output.stdout).expect("what is said is UTF-8")
}

/// [`talk_in`] where no table is.
fn talk(arguments: &[&str], script: &str) -> String {
    talk_in(Path::new("none"), arguments, script)
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

// Whole games against the random player

/// Plays a person's moves, each the `choice`-th legal one, against the random player to the end, move by move in one
/// script that grows; every move the other side makes has to be legal. Every position is as `shown` writes it. The end
/// is that of the naive rules, told with the words that `reason` has for the last position.
fn whole_game(
    (code, choice, seats): (&str, usize, [&str; 2]),
    shown: impl Fn(&str) -> String,
    reason: impl Fn(&str) -> String,
) {
    let rules = rules(code);
    let person = if seats[0] == "human" { "Black" } else { "White" };
    let arguments = [code, "--black", seats[0], "--white", seats[1], SEED];
    let (mut script, mut position, mut known) = (String::new(), rules.start(), 0);
    loop {
        let out = talk(&arguments, &format!("{script}position\n"));
        let moves = played(&out);
        for (side_and_move, number) in moves[known..].iter().zip(known..) {
            let mv = side_and_move.split_once(' ').unwrap().1;
            assert!(rules.legal(&position).iter().any(|other| other == mv), "{code}: {mv} ({number}) in {position}");
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
        let legal = rules.legal(&position);
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
    let game = |seed: &str| talk(&["rev4x4", "--black", "random", "--white", "random", "--seed", seed], "");
    assert_eq!(game("5"), game("5"));
    assert!((6..16).any(|seed| played(&game(&seed.to_string())) != played(&game("5"))));
}

#[test]
fn perfect_play_of_two_computers_takes_as_long_as_brute_force_says() {
    let naive = binarsi::Naive::from_code("bin3x2");
    let (winner, plies) = naive.values()[&naive.canonical(&naive.start_sfen())];
    perfect("bin3x2", if winner == 'b' { "Black" } else { "White" }, plies);
    // Brute force says so too, but takes ten seconds.
    perfect("bin3x3", "White", 10);
}

/// Holds a game between two computers with a table to its winner and its length.
fn perfect(code: &str, winner: &str, plies: u32) {
    let out = talk_in(table(code).path(), &[code, "--black", "computer", "--white", "computer"], "");
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
    let tables = table(code);
    let script = format!("hint\n{}quit\n", moves.iter().map(|mv| format!("{mv}\nhint\n")).collect::<String>());
    for (tables, source) in [(tables.path(), "By the table"), (Path::new("none"), "Read out to the end")] {
        let said = answers(&talk_in(tables, &[code, "--white", "human"], &script));
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

// Ends of the input

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
    assert!(!talk(&["--white", "human"], "4n\nquit\n").contains('\x1b'), "not in pipes");
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
