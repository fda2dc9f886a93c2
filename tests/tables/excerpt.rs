//! Tests of excerpts of tables. With an excerpt, one side can play its best moves whatever the other side does, and no
//! value in an excerpt is wrong.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use yomikiri_answer::{Answerer, Excerpt, Excerpted, FoundSource, Oracle, QueryReport, Source, write_excerpt};
use yomikiri_rules::{AnyGame, Game, Notation, Outcome, Side, Value};
use yomikiri_solve::Solvable;
use yomikiri_table::Silent;
use yomikiri_table::probe::open;
use yomikiri_table::source::FileSource;

use crate::support::command::table;
use crate::support::games::{any, random_game_within};
use crate::support::random::Random;

fn excerpt<'a>(game: &'a AnyGame, path: &Path) -> yomikiri_table::Result<Excerpt<'a>> {
    Excerpt::open(game, Box::new(FileSource::open(path)?), path)
}

/// Makes the excerpt of a variant, and checks it in all games that it covers and in some random ones. Returns the
/// description of the excerpt and the outcome of the start for Black.
fn check(game: &AnyGame) -> (Excerpted, Outcome) {
    let folder = table(&game.code());
    let whole = folder.path().join(format!("{}.tbl", game.code()));
    let oracle = Oracle::of_table(game, Arc::new(open(game, &whole).unwrap()));
    let path = folder.path().join("excerpt");
    let table = open(game, &whole).unwrap();
    let written = write_excerpt(game, &table, &path, u64::MAX, &Silent).unwrap().unwrap();
    assert_eq!(written.bytes, path.metadata().unwrap().len());
    let known = excerpt(game, &path).unwrap();
    assert_eq!(known.side(), written.side);

    let (mut open, mut seen, mut own) = (vec![game.start()], HashSet::new(), 0);
    while let Some(here) = open.pop() {
        if game.terminal_value(&here).is_some() || !seen.insert(game.canonical(&here)) {
            continue;
        }
        let text = game.position_text(&here);
        let value = known.value(&here).unwrap().unwrap_or_else(|| panic!("{text} is not known"));
        assert_eq!(value, oracle.value(&here).unwrap(), "{text}");
        let moves = known.judge(&here).unwrap();
        for mv in moves.iter().filter_map(|mv| Some((mv.value?, mv))) {
            assert_eq!(mv.0, oracle.value(&mv.1.position).unwrap().of_move(), "{text}: {}", game.move_text(mv.1.mv));
        }
        assert_eq!(moves[0].value, Some(value), "{text}: a best move is known");
        if game.side(&here) == written.side {
            own += 1;
            open.push(moves[0].position);
        } else {
            assert!(moves.iter().all(|mv| mv.value.is_some()), "{text}: every reply is known");
            open.extend(moves.iter().map(|mv| mv.position));
        }
    }
    assert!(own > 0 && own <= written.positions, "{own} of {}", written.positions);

    let (mut random, mut unknown) = (Random::new(7), 0);
    let most = if game.is_cyclic() { 30 } else { usize::MAX };
    for here in (0..200).flat_map(|_| random_game_within(game, most, &mut random)) {
        match known.value(&here).unwrap() {
            Some(value) => assert_eq!(value, oracle.value(&here).unwrap(), "{}", game.position_text(&here)),
            None => unknown += 1,
        }
    }
    assert!(unknown > 0, "an excerpt of all of {}", game.code());

    assert!(
        write_excerpt(game, &table, &folder.path().join("none"), written.positions - 1, &Silent).unwrap().is_none()
    );
    assert!(!folder.path().join("none").exists());
    assert!(yomikiri_table::probe::open(game, &path).is_err(), "it is no table");
    assert!(excerpt(game, &whole).is_err(), "a table is no excerpt");
    let start = oracle.value(&game.start()).unwrap().outcome();
    (written, if game.side(&game.start()) == Side::Black { start } else { start.opposite() })
}

#[test]
fn one_side_plays_best_by_an_excerpt() {
    for (code, winner) in [("bin3x3", Side::White), ("bin2x2", Side::White)] {
        let (written, outcome) = check(&any(code));
        assert_eq!((written.side, outcome), (winner, Outcome::of_winner(Some(winner), Side::Black)), "{code}");
    }
    check(&any("rev4x4"));
    check(&any("m00c1"));
    check(&any("pyon3x3"));
}

#[test]
fn in_a_draw_one_side_does_not_lose() {
    let (_, outcome) = check(&any("con4x4"));
    assert_eq!(outcome, Outcome::Draw);
}

#[test]
fn what_an_excerpt_does_not_know_is_left_open() {
    let game = any("bin3x3");
    let folder = table("bin3x3");
    let table = open(&game, &folder.path().join("bin3x3.tbl")).unwrap();
    let path = folder.path().join("excerpt");
    write_excerpt(&game, &table, &path, u64::MAX, &Silent).unwrap();
    let oracle = Oracle::of_table(&game, Arc::new(table));
    let mut answerer = Answerer::of(&game, None, []);
    answerer.add_excerpt(excerpt(&game, &path).unwrap());
    let lost = game.start();
    let report = QueryReport::ask(&mut answerer, &lost, 0, &Silent).unwrap();
    assert_eq!((report.source, report.winner), (Some(Source::Excerpt), Some(Side::White)));
    assert!(report.moves.iter().all(|mv| mv.outcome == Some(Outcome::Loss)));
    let line = answerer.line(&lost, usize::MAX, 0, &Silent).unwrap();
    assert_eq!((line.steps.len(), line.known_by), (10, Source::Excerpt));

    let won = game.play(&lost, game.legal_moves(&lost)[0]);
    let report = QueryReport::ask(&mut answerer, &won, 0, &Silent).unwrap();
    assert_eq!((report.outcome, report.moves[0].outcome), (Some(Outcome::Win), Some(Outcome::Win)));
    let unknown = report.moves.iter().filter(|mv| mv.outcome.is_none()).count();
    assert!(unknown > 0 && report.moves[report.moves.len() - 1].outcome.is_none());
    // The worst move leads to a position that is not in the excerpt.
    let worst = oracle.answer(&won).unwrap().moves.pop().unwrap();
    assert!(!matches!(answerer.find(&worst.position, 0, &Silent), Ok(FoundSource::Excerpted(_))));
}
