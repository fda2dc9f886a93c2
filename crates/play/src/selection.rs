//! The moves that a player may choose, and the number of best moves that it reports: `searchmoves` and `MultiPV` of
//! USI.

use yomikiri_rules::{AnyMove, AnyPosition, Game, Notation};

use super::session::Session;

/// The moves that a player may choose, and the number of best moves that it reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The legal moves to choose among, at least one. `None` selects all legal moves.
    pub moves: Option<Vec<AnyMove>>,
    /// The number of best moves to report, each with its line; at least 1. With 1, players report as if there were no
    /// selection.
    pub lines: usize,
}

/// A move that may be chosen, with the position after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub mv: AnyMove,
    /// The position after the move.
    pub position: AnyPosition,
}

impl Default for Selection {
    /// Selects all legal moves and one line.
    fn default() -> Selection {
        Selection { moves: None, lines: 1 }
    }
}

impl Selection {
    /// Returns a selection of `lines` best moves among the moves with the texts `words`, or among all moves if `words`
    /// is `None`. The second result has a remark for each text that is not a legal move; these texts are skipped. If no
    /// text is left, all moves are selected, and a remark says so.
    pub fn parse(session: &Session, words: Option<&[String]>, lines: usize) -> (Selection, Vec<String>) {
        let mut remarks = Vec::new();
        let moves = words.map(|words| {
            let (game, legal, mut moves) = (session.game(), session.moves(), Vec::new());
            for word in words {
                match game.parse_move(session.position(), word) {
                    Ok(mv) if legal.contains(&mv) => moves.push(mv),
                    Ok(_) => remarks.push(format!("go: searchmoves: skipped move \"{word}\": is not legal")),
                    Err(error) => remarks.push(format!("go: searchmoves: skipped {error}")),
                }
            }
            if moves.is_empty() {
                remarks.push("go: searchmoves names no legal move, so all moves count".into());
            }
            moves
        });
        (Selection { moves: moves.filter(|moves| !moves.is_empty()), lines }, remarks)
    }

    /// Returns true if all moves are selected and one line.
    pub fn is_default(&self) -> bool {
        self.moves.is_none() && self.lines <= 1
    }

    /// Returns the selected moves in the order of the notation. If several of them lead to the same position, returns
    /// only the first.
    pub fn candidates(&self, session: &Session) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        for mv in session.moves() {
            if self.moves.as_ref().is_some_and(|moves| !moves.contains(&mv)) {
                continue;
            }
            let position = session.game().play(session.position(), mv);
            if candidates.iter().all(|other| other.position != position) {
                candidates.push(Candidate { mv, position });
            }
        }
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::AnyGame;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    /// After `2n` on the 3x3 board, `3n` leads to the same position as `3a`.
    #[test]
    fn equal_moves_count_once_and_only_moves_asked_for_are_named() {
        let game = AnyGame::parse("bin3x3").unwrap();
        let mut session = Session::new(&game, game.start());
        session.act_on("2n").unwrap();
        let names = |selection: &Selection| -> Vec<String> {
            selection.candidates(&session).iter().map(|candidate| game.move_text(candidate.mv)).collect()
        };
        assert_eq!(names(&Selection::default()), ["1nH", "2nL", "3a", "3na", "as1", "bn"]);
        for (asked, expected) in
            [("3n", vec!["3n"]), ("bn 3n 3n 3a", vec!["3a", "bn"]), ("3xo 3o as1", vec!["3o", "as1"])]
        {
            let (selection, remarks) = Selection::parse(&session, Some(&words(asked)), 1);
            assert_eq!((names(&selection), remarks), (expected.into_iter().map(String::from).collect(), vec![]));
        }
    }

    #[test]
    fn what_is_no_legal_move_is_named_and_skipped() {
        let game = AnyGame::parse("bin3x3").unwrap();
        let session = Session::new(&game, game.start());
        let (selection, remarks) = Selection::parse(&session, Some(&words("1n 2n")), 3);
        assert_eq!(selection.moves.as_ref().map(Vec::len), Some(1));
        assert_eq!((selection.lines, remarks.len()), (3, 1));
        assert!(remarks[0].starts_with("go: searchmoves: skipped move \"1n\": "), "{remarks:?}");
        for asked in ["", "1n ??"] {
            let (selection, remarks) = Selection::parse(&session, Some(&words(asked)), 1);
            assert!(selection.is_default());
            assert_eq!(remarks.last().unwrap(), "go: searchmoves names no legal move, so all moves count");
            assert_eq!(remarks.len(), 1 + words(asked).len());
        }
    }
}
