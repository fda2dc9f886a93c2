//! Tests that [`AnyGame`] answers as the game inside it. A method that is not dispatched would answer by its default.

use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::support::random::Random;
use yomikiri_answer::Viewed;
use yomikiri_rules::{
    AnyGame, AnyPosition, FAMILIES, Game, Notation, Presentation, Registered, Side, comparable, with_game,
};
use yomikiri_search::Searchable;
use yomikiri_solve::{Adapter, Solvable};

/// Variants whose methods differ from the defaults: symmetric codes, scores, no keys, edits, transcripts.
const CODES: [&str; 13] = [
    "bin3x3",
    "bin4x4-s1a-kb0.5",
    "bin3x4-n-p",
    "val1n",
    "val1nT",
    "v0123",
    "pyon2x3",
    "pyonB",
    "pyon3x4-PGP",
    "rev4x6",
    "rev8x8-w",
    "con5x4-k3",
    "con8x8",
];

/// Compares two answers by their debug texts.
fn same(code: &str, what: &str, any: impl Debug, own: impl Debug) {
    assert_eq!(format!("{any:?}"), format!("{own:?}"), "{code}: {what}");
}

/// Compares everything about a variant that does not depend on a position.
fn compare_variants<G: Registered + Searchable + Solvable + Viewed>(any: &AnyGame, own: &G) {
    let code = &own.code();
    same(code, "codes", (any.code(), any.representative_code()), (own.code(), own.representative_code()));
    same(code, "settings", any.settings(), own.settings());
    same(code, "family", any.family(), own.family());
    same(code, "codec", (any.codec(), any.rules_revision()), (own.codec(), own.rules_revision()));
    same(code, "points", (any.beyond_points(), any.points_variant()), (own.beyond_points(), own.points_variant()));
    same(code, "pictures", (any.marks(), any.rule_diagrams()), (own.marks(), own.rule_diagrams()));
    same(code, "keys", (any.has_keys(), any.key_space()), (own.has_keys(), own.key_space()));
    for byte in 0..=u8::MAX {
        assert_eq!(any.value_of_byte(byte), own.value_of_byte(byte).map(Into::into), "{code}: byte {byte}");
    }
    let archives = (any.archive().map(|one| one.ending), own.archive().map(|one| one.ending));
    same(code, "archive", archives.0, archives.1);
    let [any_costs, own_costs] = [any.costs(), own.costs()];
    same(code, "costs", any_costs, own_costs);
    same(code, "proofs", (any.has_proofs(), any.why_no_tables()), (own.has_proofs(), own.why_no_tables()));
    same(code, "sides", any.side_at(0), own.side_at(0));
    same(code, "searches", any.searcher(0).is_some(), own.searcher(0).is_some());
    same(code, "provers", any.decider(1 << 20, 0).is_some(), own.decider(1 << 20, 0).is_some());
    same(code, "repetition", any.is_cyclic(), own.is_cyclic());
    same(code, "memory", any.memory_needed(), own.memory_needed());
    same(code, "drawing", (any.name(), any.is_transcript("f5d6c3")), (own.name(), own.is_transcript("f5d6c3")));
    same(code, "words", any.split_word("f5d6c3"), own.split_word("f5d6c3"));
    assert_eq!(any.start(), G::any_position(own.start()), "{code}");
}

/// Compares everything about a position.
fn compare_positions<G: Registered + Searchable + Solvable + Viewed>(any: &AnyGame, own: &G, here: &AnyPosition) {
    let (code, mine) = (&own.code(), G::position_of(here));
    let text = own.position_text(mine);
    same(code, "texts", (any.position_text(here), any.board_text(here)), (text.clone(), own.board_text(mine)));
    same(code, "plies", any.plies_in_board_text(here), own.plies_in_board_text(mine));
    same(code, "turn", (any.side(here), any.ply(here)), (own.side(mine), own.ply(mine)));
    same(code, "end", (any.is_terminal(here), any.end_reason(here)), (own.is_terminal(mine), own.end_reason(mine)));
    same(code, "points", any.points(here), own.points(mine));
    assert_eq!(any.terminal_value(here), own.terminal_value(mine).map(Into::into), "{code}: {text}");
    assert_eq!(any.canonical(here), G::any_position(own.canonical(mine)), "{code}: {text}");
    if own.has_keys() {
        let key = own.rank(mine);
        assert_eq!((any.rank(here), any.unrank(key)), (key, own.unrank(key).map(G::any_position)), "{code}: {text}");
        assert_eq!(any.parse_position(&format!("@{key}")).ok(), any.unrank(key), "{code}: {text}");
    }
    for words in [text.as_str(), "startpos", "nonsense"] {
        let found = own.parse_position(words).map(G::any_position);
        assert_eq!(
            (any.parse_position(words), any.parse_notation(words)),
            (found, own.parse_notation(words).map(G::any_position))
        );
        let line =
            own.parse_suite_line(words).map(|(position, value)| (G::any_position(position), value.map(Into::into)));
        assert_eq!(any.parse_suite_line(words), line, "{code}: {words}");
        let edited = own.edit(mine, words).map(|edited| edited.map(G::any_position));
        assert_eq!(any.edit(here, words), edited, "{code}: {words}");
    }
    same(code, "edit", any.edit(here, "&1a").is_some(), own.edit(mine, "&1a").is_some());
    if let Some(value) = own.value_of_byte(130) {
        same(code, "remark", any.remark(here, value.into()), own.remark(mine, value));
        same(code, "suite score", any.suite_score(here, value.into()), own.suite_score(mine, value));
    }
    let moves = own.legal_moves(mine);
    assert_eq!(any.legal_moves(here), moves.iter().map(|&mv| G::any_move(mv)).collect::<Vec<_>>(), "{code}: {text}");
    assert_eq!(any.moves_text(&any.legal_moves(here)), own.moves_text(&moves), "{code}: {text}");
    for mv in moves {
        let (name, wrapped) = (own.move_text(mv), G::any_move(mv));
        assert_eq!((any.move_text(wrapped), any.is_pass(wrapped)), (name.clone(), own.is_pass(mv)), "{code}: {text}");
        assert_eq!(any.parse_move(here, &name), own.parse_move(mine, &name).map(G::any_move), "{code}: {text}");
        let playable = own.parse_playable_move(mine, &name).map(G::any_move);
        assert_eq!(any.parse_playable_move(here, &name), playable, "{code}: {text}");
        let (after, own_after) = (any.play(here, wrapped), own.play(mine, mv));
        assert_eq!(after, G::any_position(own_after), "{code}: {text} {name}");
        same(code, "effect", any.effect(here, wrapped, &after), own.effect(mine, mv, &own_after));
    }
    same(code, "perft", any.perft(here, 2), own.perft(mine, 2));
    let (evaluator, own_evaluator) = (any.evaluator(), own.evaluator());
    same(code, "evaluation", evaluator.evaluate(here), own_evaluator.evaluate(mine));
    same(code, "fingerprint", evaluator.fingerprint(here), own_evaluator.fingerprint(mine));
    for side in [Side::Black, Side::White] {
        same(code, "material", evaluator.material(here, side), own_evaluator.material(mine, side));
        same(code, "deciding", any.deciding(here, side), own.deciding(mine, side));
    }
    let (mut children, mut own_children) = (Vec::new(), Vec::new());
    let _ = evaluator.children(here, &mut |mv, child| {
        children.push((mv, child));
        ControlFlow::Continue(())
    });
    let _ = own_evaluator.children(mine, &mut |mv, child| {
        own_children.push((G::any_move(mv), G::any_position(child)));
        ControlFlow::Continue(())
    });
    assert_eq!(children, own_children, "{code}: {text}");
    same(code, "drawing", (any.stones(here), any.parts(here)), (own.stones(mine), own.parts(mine)));
    same(code, "start", (any.text_with_side(here), any.board()), (own.text_with_side(mine), own.board()));
}

#[test]
fn any_game_answers_as_the_game_itself() {
    let mut random = Random::new(11);
    for code in CODES {
        let any = AnyGame::parse(code).unwrap();
        with_game!(&any, own => compare_variants(&any, own));
        for _ in 0..2 {
            let mut here = any.start();
            for _ in 0..60 {
                with_game!(&any, own => compare_positions(&any, own, &here));
                let moves = any.legal_moves(&here);
                if moves.is_empty() {
                    break;
                }
                here = any.play(&here, *random.pick(&moves));
            }
        }
    }
    let families: std::collections::BTreeSet<_> =
        CODES.iter().map(|code| AnyGame::parse(code).unwrap().family().name).collect();
    assert_eq!(families.len(), FAMILIES.len(), "{families:?}");
}

/// Two variants can be compared if they are of one game and their keys are of the same positions.
#[test]
fn only_variants_with_the_same_positions_can_be_compared() {
    let compared = |codes: [&str; 2]| {
        let [first, second] = codes.map(|code| AnyGame::parse(code).unwrap());
        comparable(&first, &second).map_err(|error| error.to_string())
    };
    assert_eq!(compared(["bin3x3", "bin3x3-n"]), Ok(()));
    for codes in [["bin3x3", "bin3x4"], ["rev4x4", "con4x4"], ["pyon3x4", "pyon3x4-PGP"]] {
        assert!(compared(codes).unwrap_err().contains("have keys for different positions"), "{codes:?}");
    }
    assert!(compared(["bin3x3", "bin3x3-p"]).unwrap_err().contains("have values of different kinds"));
}

/// A position of another game is a bug of the caller, so the methods panic.
#[test]
#[should_panic(expected = "belongs to another game")]
fn positions_of_other_games_panic() {
    let [chosen, other] = ["rev4x4", "con4x4"].map(|code| AnyGame::parse(code).unwrap());
    chosen.side(&other.start());
}
