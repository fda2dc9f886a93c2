//! Measures how often the search makes a move that keeps the outcome of a position. The outcomes come from the tables
//! of solved games. Run it with `cargo bench --bench agreement -- FOLDER TIME_MS POSITIONS CODE...`. Panics if the
//! search claims a wrong outcome.

use std::path::PathBuf;
use std::time::Duration;

use fastrand::Rng;
use yomikiri_answer::Answerer;
use yomikiri_play::player::SilentListener;
use yomikiri_play::{Limits, Player, SearchPlayer, Session};
use yomikiri_rules::{AnyGame, AnyPosition, Game, Notation, Value};
use yomikiri_table::Silent;

/// The arguments of a measurement.
struct Question {
    folder: PathBuf,
    time: Duration,
    positions: u32,
}

/// Counts of positions.
#[derive(Default)]
struct Tally {
    /// The number of positions in which at least one move changes the outcome.
    choices: u32,
    /// The number of these positions in which the search kept the outcome.
    kept: u32,
    /// The number of positions in which the search was certain of the outcome.
    certain: u32,
}

/// Plays at most 23 random moves from the start and returns the last position in which the game is not over.
fn random_position(game: &AnyGame, random: &mut Rng) -> AnyPosition {
    let (mut position, mut moves) = (game.start(), Vec::new());
    for _ in 0..random.u32(0..24) {
        game.moves(&position, &mut moves);
        let next = game.play(&position, moves[random.usize(..moves.len())]);
        if game.terminal_value(&next).is_some() {
            break;
        }
        position = next;
    }
    position
}

fn ask(game: &AnyGame, question: &Question) {
    let oracle = Answerer::new(game, &question.folder).exact(&game.start(), 1 << 30, &Silent).expect("a table");
    let (mut random, mut tally) = (Rng::with_seed(1), Tally::default());
    let mut player = SearchPlayer::new(16 << 20);
    let limits = Limits { time: Some(question.time), ..Limits::default() };
    for _ in 0..question.positions {
        let position = random_position(game, &mut random);
        let answer = oracle.answer(&position).expect("a value");
        let outcome = answer.value.outcome();
        let choice = player.choose(&Session::new(game, position), &limits, &mut SilentListener).expect("a move");
        let worth = answer.moves.iter().find(|mv| mv.mv == choice.mv).expect("a legal move").value.outcome();
        if let Some(claim) = choice.score.outcome() {
            let text = game.position_text(&position);
            assert_eq!((claim, worth), (outcome, outcome), "{text}: {:?}", choice.score);
            tally.certain += 1;
        }
        if answer.moves.iter().any(|mv| mv.value.outcome() != outcome) {
            tally.choices += 1;
            tally.kept += u32::from(worth == outcome);
        }
    }
    let Tally { choices, kept, certain } = tally;
    let share = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
    println!(
        "{:10} {:>6} positions, certain in {:5.1} %; outcome kept in {kept} of {choices} with a choice, {:5.1} %",
        game.code(),
        question.positions,
        share(certain, question.positions),
        share(kept, choices),
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [folder, time, positions, codes @ ..] = &arguments[..] else {
        println!("usage: cargo bench --bench agreement -- FOLDER TIME_MS POSITIONS CODE...");
        return;
    };
    let time = Duration::from_millis(time.parse().expect("milliseconds"));
    let question = Question { folder: folder.into(), time, positions: positions.parse().expect("a number") };
    for code in codes {
        ask(&AnyGame::parse(code).expect("a rule code"), &question);
    }
}
