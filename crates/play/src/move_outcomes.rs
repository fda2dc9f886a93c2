//! The known outcomes of the moves that a player may choose, before principal variation search.

use std::cmp::Reverse;

use super::player::{Choice, LineOrigin, Listener, PlayerReport, RankedLine, Score, ScoreSource};
use super::search::RootGroup;
use super::selection::{Candidate, Selection};
use super::session::Session;
use yomikiri_answer::{Source, Trust};
use yomikiri_rules::{AnyMove, AnyPosition, Outcome};

/// The moves that a player may choose, with what is known about each.
pub struct MoveOutcomes {
    moves: Vec<MoveOutcome>,
    /// The number of best moves that are wanted.
    lines: usize,
    /// True if all legal moves may be chosen.
    are_all_moves: bool,
}

struct MoveOutcome {
    candidate: Candidate,
    known: Option<KnownScore>,
}

/// A certain score.
#[derive(Clone, Copy)]
struct KnownScore {
    score: Score,
    source: Source,
    /// The state of a certificate or an opening; `None` for other sources.
    trust: Option<Trust>,
}

impl MoveOutcomes {
    /// Creates the list of the moves of `selection`. At first, nothing is known about them.
    pub fn new(session: &Session, selection: &Selection) -> MoveOutcomes {
        let unknown = |candidate| MoveOutcome { candidate, known: None };
        MoveOutcomes {
            moves: selection.candidates(session).into_iter().map(unknown).collect(),
            lines: selection.lines,
            are_all_moves: selection.moves.is_none(),
        }
    }

    /// Returns true if all legal moves may be chosen.
    pub fn are_all_moves(&self) -> bool {
        self.are_all_moves
    }

    /// Puts the move that leads to the position `after` before all others with the same score.
    pub fn prefer(&mut self, after: &AnyPosition) {
        self.moves.sort_by_key(|mv| mv.candidate.position != *after);
    }

    /// Sets the certain score of the move that leads to the position `after`, if it is not known yet. Ignores a move
    /// that may not be chosen, and draws, because an estimate may be better.
    pub fn set(&mut self, after: &AnyPosition, score: Score, source: Source, trust: Option<Trust>) {
        let is_asked = |mv: &&mut MoveOutcome| mv.candidate.position == *after && mv.known.is_none();
        if score.outcome() != Some(Outcome::Draw)
            && let Some(found) = self.moves.iter_mut().find(is_asked)
        {
            found.known = Some(KnownScore { score, source, trust });
        }
    }

    /// Sets the certain score of every move whose score is not known yet.
    pub fn set_all(&mut self, score: Score, source: Source, trust: Option<Trust>) {
        for mv in self.moves.iter_mut().filter(|mv| mv.known.is_none()) {
            mv.known = Some(KnownScore { score, source, trust });
        }
    }

    /// Returns the number of moves that are known to lose, and the number of all moves.
    pub fn losses(&self) -> [usize; 2] {
        [self.moves.iter().filter(|mv| mv.has(Outcome::Loss)).count(), self.moves.len()]
    }

    /// Returns the moves whose outcome is not known.
    pub fn unknown(&self) -> Vec<AnyMove> {
        self.moves.iter().filter(|mv| mv.known.is_none()).map(|mv| mv.candidate.mv).collect()
    }

    /// Returns true if as many winning moves are known as best moves are wanted.
    pub fn has_enough_wins(&self) -> bool {
        self.moves.iter().filter(|mv| mv.has(Outcome::Win)).count() >= self.lines
    }

    /// Returns a source of the losses in words if all moves are known to lose, else `None`. If some source is not
    /// checked, it is one of these.
    pub fn lost_by(&self) -> Option<&'static str> {
        let loss = |mv: &MoveOutcome| mv.known.filter(|_| mv.has(Outcome::Loss));
        let losses = self.moves.iter().map(loss).collect::<Option<Vec<_>>>()?;
        let unchecked = losses.iter().find(|known| known.trust == Some(Trust::Unchecked));
        unchecked.or(losses.first()).map(|known| known.source.in_words(known.trust))
    }

    /// Returns the moves that are not known to win, in groups: first those whose outcome is not known, then those that
    /// lose. Empty groups are left out.
    pub fn open_groups(&self) -> Vec<RootGroup> {
        let group = |known: Option<Score>, is_in: &dyn Fn(&MoveOutcome) -> bool| RootGroup {
            moves: self.moves.iter().filter(|mv| is_in(mv)).map(|mv| mv.candidate).collect(),
            known,
        };
        let lost = Score::Decided(Outcome::Loss);
        let groups = [group(None, &|mv| mv.known.is_none()), group(Some(lost), &|mv| mv.has(Outcome::Loss))];
        groups.into_iter().filter(|group| !group.moves.is_empty()).collect()
    }

    /// Reports the moves that are known to win, the shortest win first, at most as many as are wanted. Returns them.
    pub fn report_wins(&self, listener: &mut dyn Listener) -> Vec<Choice> {
        let mut wins: Vec<(AnyMove, KnownScore)> = self.moves.iter().filter_map(MoveOutcome::win).collect();
        wins.sort_by_key(|(_, known)| Reverse(known.score.order()));
        wins.truncate(self.lines);
        for (rank, &(mv, KnownScore { score, source, trust })) in (1..).zip(&wins) {
            let source = ScoreSource::new(source, trust);
            listener.report(match self.lines {
                1 => PlayerReport::Known { score, mv, source },
                _ => {
                    let origin = LineOrigin::Known(source);
                    PlayerReport::Line(RankedLine { rank, score, line: vec![mv], origin })
                }
            });
        }
        wins.into_iter().map(|(mv, known)| Choice { mv, score: known.score }).collect()
    }
}

impl MoveOutcome {
    fn has(&self, outcome: Outcome) -> bool {
        self.known.is_some_and(|known| known.score.outcome() == Some(outcome))
    }

    fn win(&self) -> Option<(AnyMove, KnownScore)> {
        self.known.filter(|_| self.has(Outcome::Win)).map(|known| (self.candidate.mv, known))
    }
}
