//! Tests of the search player. Its scores are right if it calls them certain, and it beats players that look only one
//! move ahead. It keeps its limits, and on one thread it always gives the same answer.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use crate::recorder::Recorder;
use crate::support::games::{any, binarsi};
use crate::support::random::Random;
use yomikiri_play::player::SilentListener;
use yomikiri_play::{Action, Choice, GreedyPlayer, Limits, Player, PlayerReport, Score, SearchPlayer, Session};
use yomikiri_rules::games::binarsi::board::Image;
use yomikiri_rules::games::binarsi::{Binarsi, Position};
use yomikiri_rules::{AnyGame, AnyPosition, Distance, Game, Notation, Outcome, Plies, Registered, Side, Value};
use yomikiri_search::Searchable;
use yomikiri_search::brute;

const MEMORY: usize = 1 << 20;

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn choose(player: &mut SearchPlayer, game: &AnyGame, position: AnyPosition, limits: Limits) -> Choice {
    player.choose(&Session::new(game, position), &limits, &mut SilentListener).unwrap()
}

/// Returns the position after `plies` plies of a random game that is not over by then.
fn random_position<G: Game>(game: &G, plies: usize, random: &mut Random) -> G::Position {
    let mut moves = Vec::new();
    loop {
        let mut position = game.start();
        let mut made = 0;
        while made < plies && game.terminal_value(&position).is_none() {
            game.moves(&position, &mut moves);
            position = game.play(&position, *random.pick(&moves));
            made += 1;
        }
        if game.terminal_value(&position).is_none() {
            return position;
        }
    }
}

// Claims

/// The true value of each position, by key.
type Values = HashMap<u64, Distance>;

/// Checks a choice of the search against the true value of the position. If the score is certain, its outcome is right,
/// its number of plies is at least the true one, and the move keeps the outcome. If the end is at most `depth` plies
/// away, the score is certain and exact, and the move keeps the value. Returns true if the score is certain.
fn check_claim(game: &Binarsi, values: &Values, position: &Position, choice: &Choice, depth: u16) -> bool {
    let text = game.position_text(position);
    let value = |position: &Position| match game.terminal_value(position) {
        Some(end) => end,
        None => values[&game.rank(position)],
    };
    let kept = value(&game.play(position, Binarsi::move_of(choice.mv))).of_move();
    let (plies, outcome) = match choice.score {
        Score::Won(Plies(plies)) => (plies, Outcome::Win),
        Score::Lost(Plies(plies)) => (plies, Outcome::Loss),
        _ => {
            assert!(value(position).plies().unwrap().0 > depth, "{text}: {choice:?} at depth {depth}");
            return false;
        }
    };
    let truth = value(position);
    assert_eq!(truth.outcome(), outcome, "{text}: {choice:?}");
    assert_eq!(kept.outcome(), outcome, "{text}: {choice:?}");
    let shortest = truth.plies().unwrap().0;
    assert!(plies >= shortest, "{text}: {choice:?} for {truth:?}");
    if shortest <= depth {
        assert_eq!((plies, kept), (shortest, truth), "{text}: {choice:?}");
    }
    true
}

/// Checks choices in positions of small boards, and in late positions of a larger board.
#[test]
fn what_is_certain_is_right() {
    let mut random = Random::new(1);
    for (code, plies) in [("bin3x3", 2..9), ("bin3x3-n", 2..9), ("bin2x4", 1..9), ("bin7x6", 21..24)] {
        let (game, any) = (binarsi(code), any(code));
        let whole = if code == "bin7x6" { Values::new() } else { brute::solve(&game, &game.start()) };
        let (mut certain, mut players) = (0, [1, 3].map(|_| SearchPlayer::new(MEMORY)));
        players[1].set_threads(NonZeroUsize::new(3).unwrap());
        for number in 0..if code == "bin7x6" { 12 } else { 150 } {
            let position = random_position(&game, plies.start + random.below(plies.len()), &mut random);
            let below = if whole.is_empty() { &brute::solve(&game, &position) } else { &whole };
            // With a limit of time, too, the second player uses its three threads.
            for (player, time) in players.iter_mut().zip([None, Some(Duration::from_secs(3600))]) {
                let most = 1 + number % 5;
                let limits = |limits: Limits| Limits { time, ..limits };
                let choice = choose(player, &any, Binarsi::any_position(position), limits(depth(most)));
                certain += usize::from(check_claim(&game, below, &position, &choice, most as u16));
                let choice = choose(player, &any, Binarsi::any_position(position), limits(nodes(1 << (number % 12))));
                certain += usize::from(check_claim(&game, below, &position, &choice, 1));
            }
        }
        assert!(certain > 30, "{code}: {certain}");
    }
}

/// Without limits, the search finds the exact value and a line to the end of the game.
#[test]
fn a_search_without_limits_ends_with_the_exact_value() {
    let mut random = Random::new(2);
    for (code, plies) in [("bin3x3", 0), ("bin3x3-n", 3), ("bin7x6", 19)] {
        let (game, any) = (binarsi(code), any(code));
        for _ in 0..4 {
            let position = random_position(&game, plies, &mut random);
            let session = Session::new(&any, Binarsi::any_position(position));
            let mut recorder = Recorder::patient();
            let choice = SearchPlayer::new(MEMORY).choose(&session, &Limits::default(), &mut recorder).unwrap();
            let truth = brute::solve(&game, &position)[&game.rank(&position)];
            assert_eq!(choice.score, Score::exact(truth), "{}", game.position_text(&position));
            let Some(PlayerReport::Searched { score, line, .. }) = recorder.reports.pop() else { panic!("no report") };
            assert_eq!((score, line[0]), (choice.score, choice.mv));
            let end = line.iter().fold(position, |position, &mv| game.play(&position, Binarsi::move_of(mv)));
            assert_eq!(usize::from(truth.plies().unwrap().0), line.len());
            assert!(game.terminal_value(&end).is_some());
        }
    }
}

/// A search that nodes end in the middle of a depth can find a better move there. It reports that move, too.
#[test]
fn the_last_report_has_the_chosen_move_and_its_score() {
    let mut random = Random::new(6);
    for (code, plies) in [("val1n", 4), ("pyon", 8), ("bin7x6", 4), ("rev6x6", 6), ("con6x5", 5)] {
        let game = any(code);
        for most in (500..4500).step_by(100) {
            let session = Session::new(&game, random_position(&game, plies, &mut random));
            let mut recorder = Recorder::patient();
            let choice = SearchPlayer::new(MEMORY).choose(&session, &nodes(most), &mut recorder).unwrap();
            let depths: Vec<u32> = recorder.reports.iter().filter_map(depth_of).collect();
            let Some(PlayerReport::Searched { score, line, .. }) = recorder.reports.pop() else { panic!("no report") };
            let text = game.position_text(session.position());
            assert_eq!((score, line[0]), (choice.score, choice.mv), "{code} {text}, {most} nodes");
            assert!(depths.is_sorted_by(|one, next| one < next), "{code} {text}: a depth is reported once");
        }
    }
}

/// Returns the depth that a report is about.
fn depth_of(report: &PlayerReport) -> Option<u32> {
    if let PlayerReport::Searched { depth, .. } = report { Some(*depth) } else { None }
}

/// The values of early positions of the standard board are unknown, but mirror images must have equal scores.
#[test]
fn mirrored_positions_get_the_same_score() {
    let (game, any, mut random) = (binarsi("bin7x6"), any("bin7x6"), Random::new(3));
    let evaluator = game.evaluator();
    for plies in 0..20 {
        let position = random_position(&game, plies, &mut random);
        let guesses = Image::ALL.map(|image| evaluator.evaluate(&position.mirrored(&game.rules, image)));
        assert_eq!(guesses, [guesses[0]; 4], "{}", game.position_text(&position));
        let scores = Image::ALL.map(|image| {
            let mirrored = Binarsi::any_position(position.mirrored(&game.rules, image));
            choose(&mut SearchPlayer::new(MEMORY), &any, mirrored, depth(2)).score
        });
        assert_eq!(scores, [scores[0]; 4], "{}", game.position_text(&position));
    }
}

// Strength

/// Returns the number of `games` games that the search wins against the greedy player. It has Black in every other
/// game.
fn wins_against_greedy(game: &AnyGame, games: u64, limits: Limits) -> u64 {
    let won = |&number: &u64| {
        let (mut search, mut greedy) = (SearchPlayer::new(MEMORY), GreedyPlayer::new(number));
        let mut session = Session::new(game, game.start());
        let own = if number % 2 == 0 { Side::Black } else { Side::White };
        while session.ending().is_none() && session.moves_made() < 200 {
            let choice = match session.side() == own {
                true => search.choose(&session, &limits, &mut SilentListener),
                false => greedy.choose(&session, &limits, &mut SilentListener),
            };
            session.act(Action::Move(choice.unwrap().mv));
        }
        session.ending().and_then(|ending| ending.winner()) == Some(own)
    };
    (0..games).filter(won).count() as u64
}

#[test]
fn the_search_beats_the_greedy_player() {
    let few = nodes(3_000);
    let won = wins_against_greedy(&any("bin7x6"), 20, few);
    assert!(won >= 19, "bin7x6: {won} of 20");
    let won = wins_against_greedy(&any("rev8x8"), 8, few);
    assert!(won >= 7, "rev8x8: {won} of 8");
    let won = wins_against_greedy(&any("val1n"), 8, few);
    assert!(won >= 7, "val1n: {won} of 8");
    let won = wins_against_greedy(&any("pyon3x4"), 8, few);
    assert!(won >= 4, "pyon3x4: {won} of 8");
}

// Limits

#[test]
fn a_depth_or_a_number_of_nodes_gives_the_same_answer_with_any_number_of_threads() {
    let (game, mut random) = (any("bin7x6"), Random::new(4));
    let mut once = SearchPlayer::new(MEMORY);
    once.set_threads(NonZeroUsize::new(3).unwrap());
    for plies in [0, 3, 6, 9, 12, 15] {
        let position = random_position(&game, plies, &mut random);
        for limits in [nodes(5_000), depth(3)] {
            let answer = choose(&mut once, &game, position, limits);
            assert_eq!(answer, choose(&mut SearchPlayer::new(MEMORY), &game, position, limits));
        }
    }
}

/// A search on any number of threads ends soon after a stop or a time limit, because it asks its listener every few
/// positions.
#[test]
fn a_search_ends_in_time() {
    /// Maximum average number of positions between two calls of the listener's `should_stop`. A position takes a few
    /// hundred nanoseconds.
    const BETWEEN: u64 = 1_500;
    const LOOKED_AT: u64 = 300_000;
    let game = any("bin7x6");
    let mut random = Random::new(5);
    for (plies, threads) in [(0, 1), (6, 1), (10, 2)] {
        let position = random_position(&game, plies, &mut random);
        let session = Session::new(&game, position);
        let mut player = SearchPlayer::new(16 << 20);
        player.set_threads(NonZeroUsize::new(threads).unwrap());
        let mut asked = |limits: Limits, most_asked: u64| {
            let mut recorder = Recorder { most_asked, ..Recorder::patient() };
            player.choose(&session, &limits, &mut recorder).unwrap();
            (recorder.asked, recorder.reports.len())
        };
        let (times, _) = asked(nodes(LOOKED_AT), u64::MAX);
        assert!(times * BETWEEN > LOOKED_AT, "{plies} plies: {times} questions");
        for wants_from in [1, 2, 10, 100] {
            let (times, _) = asked(Limits::default(), wants_from);
            assert!((wants_from..wants_from + 3).contains(&times), "{plies} plies: {times} instead of {wants_from}");
        }
        let timed = |time| Limits { time: Some(time), ..Limits::default() };
        let (_, depth) = asked(timed(Duration::ZERO), u64::MAX);
        assert_eq!(depth, 1, "{plies} plies: no time is left for another depth");
        asked(timed(Duration::from_millis(30)), u64::MAX);
    }
}
