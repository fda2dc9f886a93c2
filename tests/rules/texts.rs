//! Tests how every game reads and writes rule codes, positions, moves and pictures. The files of tests/rules/texts
//! contain requests and their answers. Mutated texts are either refused with an error of one line, or their positions
//! and moves obey the laws of the game.
//!
//! `read`, `picture`, `moves`, `end`, `canonical` and `value` take a rule code and the text of a position. `move` takes
//! a rule code, then `<move> in <position>`. `code` takes a rule code alone. `\n`, `\t` and `\s` are written for a
//! newline, a tab and a blank.

use std::collections::BTreeSet;

use crate::support::games::{check_message, legal_moves, random_game};
use crate::support::random::Random;
use crate::support::repository::answer_requests;
use snapbox::{assert_data_eq, file};
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon_shogi::PyonpyonShogi;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{Measure, Presentation, TextError, Value, laws};

/// Splits a request into its verb, its rule code, and the rest.
fn words(request: &str) -> [&str; 3] {
    let mut words = request.splitn(3, ' ');
    [(); 3].map(|()| words.next().unwrap_or_default())
}

fn white_space(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\t", "\t").replace("\\s", " ")
}

fn answer<G: Presentation>(request: &str) -> Result<String, TextError> {
    if let Some(code) = request.strip_prefix("code") {
        let game = G::parse(&white_space(code.strip_prefix(' ').unwrap_or_default()))?;
        let settings = game.settings().into_iter().map(|(name, value)| format!("\n{name}: {value}"));
        return Ok(game.code() + &settings.collect::<String>());
    }
    let [verb, code, text] = words(request);
    let (game, text) = (G::parse(code).unwrap(), white_space(text));
    if verb == "move" {
        let (mv, text) = text.split_once(" in ").unwrap();
        return Ok(move_in_two_ways(&game, mv, text));
    }
    if verb == "value" {
        let (position, value) = game.parse_suite_line(&text)?;
        laws::check(&game, &position);
        return Ok(value.map_or("none".into(), worth));
    }
    let position = game.parse_position(&text)?;
    laws::check(&game, &position);
    Ok(match verb {
        "read" => game.position_text(&position),
        "picture" => game.board_text(&position),
        "moves" => match &legal_moves(&game, &position)[..] {
            [] => "none".into(),
            moves => game.moves_text(moves),
        },
        "end" => end(&game, &position),
        "canonical" => {
            let key = game.has_keys().then(|| format!(", key {}", game.rank(&position)));
            game.position_text(&game.canonical(&position)) + &key.unwrap_or_default()
        }
        _ => panic!("{request}: no such request"),
    })
}

/// Reads a move in two ways: alone, and at the end of a list of moves after the position. Returns a line for each way:
/// the text of the move or of the position that was read, or the error.
fn move_in_two_ways<G: Presentation>(game: &G, mv: &str, text: &str) -> String {
    let position = game.parse_position(text).unwrap();
    let alone = game.parse_move(&position, mv).map(|mv| game.move_text(mv));
    let moves = if text.contains(" moves") { "" } else { " moves" };
    let list = game.parse_position(&format!("{text}{moves} {mv}")).map(|position| game.position_text(&position));
    [alone, list].map(|found| said(found, mv)).join("\n")
}

fn end<G: Presentation>(game: &G, position: &G::Position) -> String {
    let Some(value) = game.terminal_value(position) else { return "goes on".into() };
    let reason = game.end_reason(position).map(|reason| format!(": {reason}"));
    worth(value) + &reason.unwrap_or_default()
}

fn worth(value: impl Value) -> String {
    match value.measure() {
        Measure::Distance { plies: Some(plies) } => format!("{} in {plies}", value.outcome()),
        Measure::Distance { plies: None } => value.outcome().to_string(),
        Measure::Score { score } => format!("{} by {score:+}", value.outcome()),
    }
}

/// Returns the answer to a request, or the text of its error.
fn said(answer: Result<String, TextError>, request: &str) -> String {
    answer.unwrap_or_else(|error| {
        check_message(&error, &[], request);
        error.to_string()
    })
}

/// Characters that texts of positions and moves do not contain.
const STRANGE: &str = "\t\n\0\u{1b}\u{301}\u{3000}\u{2028}éß３ｘＸ石💥";

/// Returns one of the texts with one to four random changes of characters or words.
fn mutated(texts: &[String], letters: &[char], random: &mut Random) -> String {
    let mut text: Vec<char> = random.pick(texts).chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        match random.below(6) {
            0 => text.insert(at, *random.pick(letters)),
            1 if at < text.len() => text[at] = *random.pick(letters),
            2 if at < text.len() => drop(text.remove(at)),
            3 => text.truncate(at),
            4 if at < text.len() => text.swap(at, 0),
            _ => {
                let mut words: Vec<&[char]> = text.split(|&letter| letter == ' ').collect();
                let (one, other) = (random.below(words.len()), random.below(words.len()));
                words.swap(one, other);
                text = words.join(&' ');
            }
        }
    }
    text.into_iter().collect()
}

/// Returns the different characters of the texts, and those of [`STRANGE`].
fn letters(texts: &[String]) -> Vec<char> {
    let all: BTreeSet<char> = texts.iter().flat_map(|text| text.chars()).chain(STRANGE.chars()).collect();
    all.into_iter().collect()
}

/// Mutates positions and moves, which are taken from the requests of a file and from a random game, and checks how they
/// are read.
fn check_mutated<G: Presentation>(file: &str, code: &str, spelled: fn(&str) -> String) {
    let (game, mut random) = (G::parse(code).unwrap(), Random::new(4));
    let requests = file.lines().filter_map(|line| line.strip_prefix("> "));
    let rest = |verb| requests.clone().map(words).filter(move |words| words[0] == verb).map(|[_, _, text]| text);
    let (line, played) = random_line(&game, &mut random);
    let whole = format!("startpos moves {}", played.join(" "));
    let positions = line.iter().map(|position| game.position_text(position)).chain([whole]);
    let texts: Vec<String> = rest("read").map(white_space).chain(positions).collect();
    let moves: Vec<String> = rest("move").map(|text| text.split(' ').next().unwrap().into()).chain(played).collect();
    let mut lawful = [0; 2];
    let (in_texts, in_moves) = (letters(&texts), letters(&moves));
    for _ in 0..50_000 {
        let text = mutated(&texts, &in_texts, &mut random);
        match game.parse_position(&text) {
            Ok(position) => {
                laws::check(&game, &position);
                lawful[0] += 1;
            }
            Err(error) => check_message(&error, &[], &text),
        }
    }
    for _ in 0..20_000 {
        let (mv, position) = (mutated(&moves, &in_moves, &mut random), random.pick(&line));
        match game.parse_move(position, &mv) {
            Ok(found) => {
                assert_eq!(spelled(&game.move_text(found)), spelled(&mv), "{}", game.position_text(position));
                lawful[1] += 1;
            }
            Err(error) => check_message(&error, &[], &mv),
        }
    }
    assert!(lawful.iter().all(|&lawful| lawful > 100), "{code}: only {lawful:?} texts were positions and moves");
}

/// Returns the positions of a random game and the texts of the moves between them.
fn random_line<G: Presentation>(game: &G, random: &mut Random) -> (Vec<G::Position>, Vec<String>) {
    let line = random_game(game, random);
    let between = |pair: &[G::Position]| {
        let mut moves = legal_moves(game, &pair[0]).into_iter();
        game.move_text(moves.find(|&mv| game.play(&pair[0], mv) == pair[1]).unwrap())
    };
    let moves = line.windows(2).map(between).collect();
    (line, moves)
}

/// Checks the answers in a game's file, then mutates its texts with each of `codes`. A mutated move that is accepted
/// must be written again in the same way, up to spellings that `spelled` makes equal.
fn check<G: Presentation>(file: &str, told_in: snapbox::Data, codes: &[&str], spelled: fn(&str) -> String) {
    assert_data_eq!(answer_requests(file, |request| said(answer::<G>(request), request)), told_in.raw());
    codes.iter().for_each(|code| check_mutated::<G>(file, code, spelled));
}

#[test]
fn texts_of_animal_shogi() {
    // The plus of a promotion is optional.
    let spelled = |mv: &str| mv.trim_end_matches('+').to_string();
    let file = include_str!("texts/animal_shogi.txt");
    check::<AnimalShogi>(file, file!["texts/animal_shogi.txt"], &["val1n", "valvnT"], spelled);
}

#[test]
fn texts_of_binarsi() {
    let codes = ["bin7x6", "bin7x6-t222-n", "bin3x3"];
    check::<Binarsi>(include_str!("texts/binarsi.txt"), file!["texts/binarsi.txt"], &codes, str::to_string);
}

#[test]
fn texts_of_connect_four() {
    let file = include_str!("texts/connect_four.txt");
    check::<ConnectFour>(file, file!["texts/connect_four.txt"], &["con7x6"], str::to_string);
}

#[test]
fn texts_of_pyonpyon() {
    check::<Pyonpyon>(include_str!("texts/pyonpyon.txt"), file!["texts/pyonpyon.txt"], &["pyon"], str::to_string);
}

#[test]
fn texts_of_pyonpyon_with_shogi_pieces() {
    let file = include_str!("texts/pyonpyon_shogi.txt");
    check::<PyonpyonShogi>(file, file!["texts/pyonpyon_shogi.txt"], &["pyon3x3-PGP"], str::to_string);
}

#[test]
fn texts_of_reversi() {
    // There are several words for a pass.
    let spelled = |mv: &str| match &*mv.to_lowercase() {
        "--" | "pa" | "ps" | "pp" => "pass".into(),
        mv => mv.to_string(),
    };
    check::<Reversi>(include_str!("texts/reversi.txt"), file!["texts/reversi.txt"], &["rev8x8"], spelled);
}
