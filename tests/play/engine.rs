//! Compares the players with values that the naive rules give for small boards. Also tests games with repetitions.

use std::time::Duration;

use crate::recorder::Recorder;
use crate::support::games::any;
use crate::support::random::Random;
use crate::support::solving::analyzed;
use tempfile::TempDir;
use yomikiri_answer::Answerer;
use yomikiri_naive::pyonpyon_values::{NaiveValues, plies};
use yomikiri_play::player::SilentListener;
use yomikiri_play::{Action, Choice, Ending, Limits, Player, PlayerReport, Score, SearchPlayer, Session, TablePlayer};
use yomikiri_rules::games::pyonpyon::{Move, Pyonpyon};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Notation, Plies, Registered, Side};

/// Boards that the naive rules can solve, in both readings of the rules.
const SMALL: [&str; 5] = ["pyon3x3", "pyon3x3B", "pyon2x4", "pyon2x5B", "pyon2x5"];

/// Larger boards, for games of the table player.
const LARGER: [&str; 3] = ["pyon3x4", "pyon3x4B", "pyon4x3"];

/// Returns a new folder with the table of a game.
fn table(game: &AnyGame) -> TempDir {
    let folder = TempDir::new().unwrap();
    analyzed(game, folder.path());
    folder
}

fn player<'a>(game: &'a AnyGame, folder: &TempDir) -> TablePlayer<'a> {
    TablePlayer::new(Answerer::new(game, folder.path()).whole_table().unwrap().expect("the table was made"))
}

fn session<'a>(game: &'a AnyGame, text: &str) -> Session<'a> {
    Session::new(game, game.parse_position(text).unwrap())
}

fn choose(player: &mut impl Player, session: &Session, limits: Limits) -> Choice {
    player.choose(session, &limits, &mut SilentListener).unwrap()
}

/// Returns the outcome of a score as 1, -1 or 0, and its plies. A draw has no plies.
fn known(score: Score) -> (i32, Option<u16>) {
    match score {
        Score::Won(Plies(plies)) => (1, Some(plies)),
        Score::Lost(Plies(plies)) => (-1, Some(plies)),
        Score::Drawn => (0, None),
        Score::Decided(_) | Score::Points(_) | Score::Guess(_) => panic!("no distance where the value is one"),
    }
}

// By table

/// Checks every position: the player chooses a shortest win, a longest defence or a draw. Among equal defences or draws
/// it chooses one after which the largest share of replies are mistakes.
#[test]
fn the_table_player_is_perfect_in_every_position() {
    for code in SMALL {
        let (values, game) = (NaiveValues::new(code), any(code));
        let folder = table(&game);
        let mut player = player(&game, &folder);
        for text in values.positions.iter().filter(|text| values.rules.winner(text).is_none()) {
            let choice = choose(&mut player, &session(&game, text), Limits::default());
            let worth = values.value(text);
            assert_eq!(known(choice.score), (worth.signum(), plies(worth)), "{text} of {code}");
            let moves = values.moves(text);
            let name = game.move_text(choice.mv);
            let (_, child, value) = *moves.iter().find(|(mv, ..)| *mv == name).expect("a legal move");
            assert_eq!(value, worth, "{name} in {text} of {code}");
            let mistakes = |child: &str| match worth.signum() {
                0 => values.share(child, |reply| reply < 0),
                _ => values.share(child, |reply| reply <= 0),
            };
            if worth <= 0 {
                let equal = moves.iter().filter(|(.., value)| *value == worth);
                let most = equal.map(|(_, child, _)| mistakes(child)).fold(0.0, f64::max);
                assert_eq!(mistakes(child), most, "{name} in {text} of {code}");
            }
        }
    }
}

/// Checks that there are drawn positions in which the drawing moves leave different shares of mistakes. Otherwise the
/// test above would prove nothing about draws.
#[test]
fn small_boards_have_draws_with_mistakes() {
    let values = NaiveValues::new("pyon3x3");
    let drawn = values.positions.iter().filter(|text| values.value(text) == 0);
    let kept = |text: &str| values.moves(text).into_iter().filter(|(.., worth)| *worth == 0);
    let tempting = |text: &&String| {
        let shares: Vec<_> = kept(text).map(|(_, child, _)| values.share(child, |reply| reply < 0)).collect();
        shares.iter().any(|&share| share > 0.0) && shares.iter().any(|&share| share != shares[0])
    };
    assert!(drawn.filter(tempting).count() > 20);
}

/// Returns a random position that is not over.
fn random_position(game: &AnyGame, random: &mut Random) -> AnyPosition {
    let count = Pyonpyon::of_any(game).unwrap().index.count();
    loop {
        let key = random.below(count as usize) as u64;
        let position = game.unrank(key).unwrap();
        if game.terminal_value(&position).is_none() {
            return position;
        }
    }
}

fn random_move(session: &Session, random: &mut Random) -> AnyMove {
    let moves = session.game().legal_moves(session.position());
    *random.pick(&moves)
}

/// The player wins every won game in time against random moves and does not lose a drawn one. Against itself, a lost
/// game lasts as long as possible.
#[test]
fn nobody_gets_away_from_the_table_player_and_it_resists() {
    let mut random = Random::new(7);
    for code in LARGER {
        let game = any(code);
        let folder = table(&game);
        let mut player = player(&game, &folder);
        let (mut won, mut drawn, mut lost) = (0, 0, 0);
        while won < 60 || drawn < 60 || lost < 60 {
            let mut session = Session::new(&game, random_position(&game, &mut random));
            let (side, first) = (session.side(), choose(&mut player, &session, Limits::default()).score);
            let is_lost = matches!(first, Score::Lost(_));
            let ending = play_out(&mut session, side, 80, |session, machine| match machine || is_lost {
                true => choose(&mut player, session, Limits::default()).mv,
                false => random_move(session, &mut random),
            });
            let winner = ending.map(Ending::winner);
            match first {
                Score::Won(plies) => {
                    assert_eq!(winner, Some(Some(side)), "{code}");
                    assert!(session.moves_made() <= plies.0.into(), "{code}");
                    won += 1;
                }
                Score::Lost(plies) => {
                    assert_eq!(winner, Some(Some(side.other())), "{code}");
                    assert_eq!(session.moves_made(), usize::from(plies.0), "{code}");
                    lost += 1;
                }
                _ => {
                    assert_eq!(first, Score::Drawn, "{code}");
                    assert_ne!(winner, Some(Some(side.other())), "{code}");
                    drawn += usize::from(ending.is_some());
                }
            }
        }
    }
}

/// Plays until the game is over or has `most` moves. Returns how it ended, or `None` if it goes on. `mover` chooses the
/// moves and gets true if `side` is to move.
fn play_out(
    session: &mut Session,
    side: Side,
    most: usize,
    mut mover: impl FnMut(&Session, bool) -> AnyMove,
) -> Option<Ending> {
    while session.ending().is_none() && session.moves_made() < most {
        let mv = mover(session, session.side() == side);
        session.act(Action::Move(mv));
    }
    session.ending()
}

// Repetitions

/// Returns four moves that lead from a position back to it: `first`, a random reply, and the same two moves backwards.
/// Returns `None` if one of them is not legal.
fn round(game: &AnyGame, position: &AnyPosition, first: AnyMove, random: &mut Random) -> Option<[AnyMove; 4]> {
    let legal = |position: &AnyPosition, mv: AnyMove| {
        let moves = game.legal_moves(position);
        moves.contains(&mv).then(|| game.play(position, mv))
    };
    let back = |mv: AnyMove| {
        let Move { from, to } = Pyonpyon::move_of(mv);
        Pyonpyon::any_move(Move { from: to, to: from })
    };
    let after_first = legal(position, first)?;
    let replies = game.legal_moves(&after_first);
    let second = *replies.get(random.below(replies.len().max(1)))?;
    let after_second = legal(&after_first, second)?;
    let after_third = legal(&after_second, back(first))?;
    (legal(&after_third, back(second))? == *position).then_some([first, second, back(first), back(second)])
}

/// A side in a lost position saves itself by moving to a position that has occurred twice.
#[test]
fn a_third_repetition_saves_a_lost_game() {
    let mut random = Random::new(9);
    let game = any("pyon3x4");
    let folder = table(&game);
    let mut player = player(&game, &folder);
    let mut saved = 0;
    while saved < 50 {
        let position = random_position(&game, &mut random);
        let start = Session::new(&game, position);
        let Score::Lost(_) = choose(&mut player, &start, Limits::default()).score else { continue };
        let first = random_move(&start, &mut random);
        let Some([first, second, third, fourth]) = round(&game, &position, first, &mut random) else { continue };
        let mut session = Session::new(&game, game.play(&position, first));
        for mv in [second, third, fourth, first, second, third, fourth] {
            assert_eq!(session.ending(), None);
            session.act(Action::Move(mv));
        }
        let choice = choose(&mut player, &session, Limits::default());
        assert_eq!(choice.score, Score::Drawn);
        session.act(Action::Move(choice.mv));
        assert_eq!(session.ending(), Some(Ending::Repetition));
        let mut search = SearchPlayer::new(1 << 20);
        session.undo();
        let choice = choose(&mut search, &session, Limits { depth: Some(4), ..Limits::default() });
        assert!(!matches!(choice.score, Score::Lost(_)), "{:?}", choice.score);
        saved += 1;
    }
}

/// The winner has wasted moves, so that the shortest wins pass through positions that would draw by repetition. The
/// loser plays its best moves under the rule of repetition. The player must find a longer win that avoids those
/// positions.
#[test]
fn a_win_keeps_clear_of_positions_that_draw() {
    let mut random = Random::new(10);
    for code in ["pyon2x5", "pyon2x5B"] {
        let (values, game) = (NaiveValues::new(code), any(code));
        let folder = table(&game);
        let mut player = player(&game, &folder);
        let mut detours = 0;
        while detours < 12 {
            let start: &String = random.pick(&values.positions);
            let start = game.parse_position(start).unwrap();
            let Some(mut session) = shuffled(&game, start, &mut random) else { continue };
            let (side, text) = (session.side(), game.position_text(session.position()));
            let shortest = values.value(&text);
            if shortest <= 0 || !(1..shortest).contains(&best_by_history(&values, &session).1) {
                continue;
            }
            let ending = play_out(&mut session, side, 80, |session, machine| match machine {
                true => choose(&mut player, session, Limits::default()).mv,
                false => game.parse_move(session.position(), best_by_history(&values, session).0).unwrap(),
            });
            assert_eq!(ending.and_then(Ending::winner), Some(side), "{text} of {code}");
            detours += 1;
        }
    }
}

/// Returns the best move of the current position and its value. Positions that have occurred twice count as draws.
fn best_by_history<'a>(values: &'a NaiveValues, session: &Session) -> (&'a str, i32) {
    let text = |position: &AnyPosition| session.game().position_text(position);
    let drawn: Vec<String> = session.drawing().map(text).collect();
    values.best_if_drawn(&text(session.position()), &drawn)
}

/// Returns a game from `position` with the four moves of a [`round`] and the first two of them again. Returns `None` if
/// the game is over or there is no such round.
fn shuffled<'a>(game: &'a AnyGame, position: AnyPosition, random: &mut Random) -> Option<Session<'a>> {
    let mut session = Session::new(game, position);
    if session.ending().is_some() {
        return None;
    }
    let first = random_move(&session, random);
    let moves = round(game, &position, first, random)?;
    for &mv in moves.iter().chain(&moves[..2]) {
        session.act(Action::Move(mv));
    }
    Some(session)
}

// By search

/// A board that has occurred twice with one side to move is not drawn at the next occurrence if the other side is to
/// move then, although both sides see the same board. A search of one ply scores such moves as without the game before.
/// The lions of animal shogi lose a tempo in three moves, with all other pieces in hand.
#[test]
fn a_board_is_drawn_by_repetition_for_the_same_side_only() {
    let (game, mut random, mut met) = (any("val1n"), Random::new(7), 0);
    let start = game.parse_position("1l1/3/3/1L1 b EGCegc 1").unwrap();
    let is_over = |position: &AnyPosition| game.terminal_value(position).is_some();
    for _ in 0..400 {
        let mut session = Session::new(&game, start);
        while session.ending().is_none() && session.moves_made() < 100 {
            let here = *session.position();
            let moves = game.legal_moves(&here);
            let children: Vec<AnyPosition> = moves.iter().map(|&mv| game.play(&here, mv)).collect();
            let is_seen = |child: &AnyPosition| session.drawing().any(|drawing| drawing == child);
            if children.iter().any(is_seen) && !children.iter().any(|child| session.draws_by_repetition(child)) {
                let limits = Limits { depth: Some(1), ..Limits::default() };
                let [known, fresh] = [&session, &Session::new(&game, here)]
                    .map(|session| choose(&mut SearchPlayer::new(1 << 16), session, limits));
                assert_eq!((known.mv, known.score), (fresh.mv, fresh.score), "{}", game.position_text(&here));
                met += 1;
            }
            let is_quiet = |(mv, child): &(AnyMove, AnyPosition)| !game.move_text(*mv).contains('*') && !is_over(child);
            let quiet: Vec<_> = moves.into_iter().zip(children).filter(is_quiet).collect();
            if quiet.is_empty() {
                break;
            }
            session.act(Action::Move(random.pick(&quiet).0));
        }
    }
    assert!(met > 10, "{met}");
}

/// A search to depth `n` finds the exact value of every position that is won or lost in at most `n` plies.
#[test]
fn the_search_finds_what_can_be_forced() {
    for code in SMALL {
        let (values, game) = (NaiveValues::new(code), any(code));
        let mut search = SearchPlayer::new(1 << 16);
        let mut checked = 0;
        for text in values.positions.iter().filter(|text| values.rules.winner(text).is_none()).step_by(7) {
            let worth = values.value(text);
            let enough = plies(worth).filter(|&plies| plies <= 9);
            for depth in [1, 2, 3, 4, 5, enough.map_or(6, u32::from)] {
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let Choice { mv, score } = choose(&mut search, &session(&game, text), limits);
                if plies(worth).is_some_and(|plies| u32::from(plies) <= depth) {
                    assert_eq!(known(score), (worth.signum(), plies(worth)), "{text} of {code}");
                    let name = game.move_text(mv);
                    assert!(values.moves(text).iter().any(|&(mv, _, value)| mv == name && value == worth), "{text}");
                    checked += 1;
                } else if let Some(longer) = score.plies() {
                    assert_eq!(known(score).0, worth.signum(), "{text} of {code} at depth {depth}");
                    assert!(longer.0 > depth as u16, "{text} of {code} at depth {depth}: {longer}");
                }
            }
        }
        assert!(checked > 50, "{code}: {checked}");
    }
}

#[test]
fn a_search_reports_every_depth_and_stops_when_told() {
    let game = any("pyon");
    let session = Session::new(&game, game.start());
    for most in 0..5 {
        let mut recorder = Recorder { most_reports: most, ..Recorder::patient() };
        let choice = SearchPlayer::new(1 << 20).choose(&session, &Limits::default(), &mut recorder).unwrap();
        assert_eq!(recorder.reports.len(), most.max(1), "a first look is always taken");
        for (report, number) in recorder.reports.iter().zip(1..) {
            let PlayerReport::Searched { depth, line, .. } = report else { panic!("{report:?}") };
            assert_eq!(*depth, number);
            let mut played = session.clone();
            for mv in line {
                played.act_on(&game.move_text(*mv)).unwrap();
            }
        }
        session.clone().act_on(&game.move_text(choice.mv)).unwrap();
    }
}

#[test]
fn a_search_of_one_depth_is_always_the_same() {
    let game = any("pyon");
    let mut session = Session::new(&game, game.start());
    let mut once = SearchPlayer::new(1 << 20);
    for _ in 0..4 {
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let choice = choose(&mut once, &session, limits);
        assert_eq!(choice, choose(&mut SearchPlayer::new(1 << 20), &session, limits));
        session.act(Action::Move(choice.mv));
    }
}

#[test]
fn no_time_is_time_for_one_ply() {
    let game = any("pyon");
    let mut recorder = Recorder::patient();
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    SearchPlayer::new(1 << 20).choose(&Session::new(&game, game.start()), &limits, &mut recorder).unwrap();
    assert!(
        matches!(recorder.reports[..], [PlayerReport::Searched { depth: 1, nodes: 22, .. }]),
        "{:?}",
        recorder.reports
    );
}
