//! Measures the speed of the search and of the endgame solver of Binarsi on the standard board. Run it with `cargo
//! bench --bench search`.

use std::time::{Duration, Instant};

use fastrand::Rng;
use yomikiri_play::player::SilentListener;
use yomikiri_play::{
    Action, GreedyPlayer, Limits, Listener, Player, PlayerReport, RandomPlayer, SearchPlayer, Session,
};
use yomikiri_rules::games::binarsi::{Binarsi, Position};
use yomikiri_rules::{AnyGame, Game, Notation, Registered};
use yomikiri_search::adapters::binarsi::move_generator::{CompactPosition, EndgameSolver};

/// The number of positions that are solved for each number of plies left.
const POSITIONS: usize = 20;
/// The time limit for one position.
const MOST: Duration = Duration::from_secs(10);

/// Returns a position, not over, that is `left` plies before the end of the longest possible game. For each move that
/// leads to it, one of three players is drawn at random and chooses the move.
fn late(game: &Binarsi, left: u32, random: &mut Rng) -> Position {
    let any_game = AnyGame::from(game.clone());
    loop {
        let mut session = Session::new(&any_game, any_game.start());
        let (mut any, mut greedy) = (RandomPlayer::new(random.u64(..)), GreedyPlayer::new(random.u64(..)));
        let mut search = SearchPlayer::new(1 << 20);
        let limits = Limits { depth: Some(2), ..Limits::default() };
        while session.ending().is_none()
            && game.rules.max_plies() - Binarsi::position_of(session.position()).ply() > left
        {
            let choice = match random.u8(..3) {
                0 => any.choose(&session, &limits, &mut SilentListener),
                1 => greedy.choose(&session, &limits, &mut SilentListener),
                _ => search.choose(&session, &limits, &mut SilentListener),
            };
            session.act(Action::Move(choice.expect("a move").mv));
        }
        if session.ending().is_none() {
            return *Binarsi::position_of(session.position());
        }
    }
}

/// Times the endgame solver, which computes the exact value and distance of [`POSITIONS`] positions `left` plies before
/// the end. It starts each position with an empty transposition table.
fn read_out(game: &Binarsi, left: u32) {
    let mut random = Rng::with_seed(u64::from(left));
    let (mut times, mut nodes, mut unread) = (Vec::new(), 0, 0);
    for _ in 0..POSITIONS {
        let position = late(game, left, &mut random);
        let mut reader = EndgameSolver::new(&game.rules, 64 << 20);
        let begun = Instant::now();
        let value = reader.value(&CompactPosition::from(&position), &mut |_| begun.elapsed() > MOST);
        unread += usize::from(value.is_none());
        times.push(begun.elapsed().as_secs_f64());
        nodes += reader.nodes;
    }
    times.sort_by(f64::total_cmp);
    let (total, soon) = (times.iter().sum::<f64>(), times.iter().filter(|&&time| time < 1.0).count());
    println!(
        "{left} plies left: {soon} of {POSITIONS} within 1 s, {unread} not within 10 s, median {:.4} s, \
         {} nodes each, {:.2} million a second",
        times[POSITIONS / 2],
        nodes / POSITIONS as u64,
        nodes as f64 / total / 1e6,
    );
}

/// Prints the depth, nodes, time and score of each iteration.
struct Printer;

impl Listener for Printer {
    fn report(&mut self, report: PlayerReport) {
        if let PlayerReport::Searched { depth, nodes, time, score, .. } = report {
            println!("  depth {depth}: {nodes} nodes, {:.3} s, {score:?}", time.as_secs_f64());
        }
    }

    fn should_stop(&mut self) -> bool {
        false
    }
}

fn main() {
    let game = Binarsi::parse("bin7x6").expect("a rule code");
    for left in 8..=16 {
        read_out(&game, left);
    }
    for left in [24, 20, 17] {
        let position = late(&game, left, &mut Rng::with_seed(u64::from(left)));
        println!("search, {}", game.position_text(&position));
        let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
        let any_game = game.clone().into();
        let session = Session::new(&any_game, Binarsi::any_position(position));
        let _ = SearchPlayer::new(16 << 20).choose(&session, &limits, &mut Printer);
    }
}
