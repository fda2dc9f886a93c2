//! The machine players: the moves that they choose, and their opinions of these moves.

use yomikiri_answer::{Source as Known, Trust};
use yomikiri_play::{
    Choice, CombinedPlayer, GreedyPlayer, Limits, Listener, Player, PlayerReport, RandomPlayer, Score, Session,
};
use yomikiri_rules::{AnyGame, AnyMove};
use yomikiri_solve::Result;
use yomikiri_table::Location;

use super::controller::SeatKind;
use super::terminal::{Request, Terminal};

/// The source of a machine's opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpinionSource {
    Table,
    /// A certificate of the winner.
    Certificate(Trust),
    /// An opening file, with the winners of the first plies.
    Opening(Trust),
    /// An exact solution without a table.
    Exact,
    /// A search of this depth in plies.
    Search(u32),
    Random,
    Greedy,
}

impl OpinionSource {
    /// Returns the word for the source in messages.
    pub fn word(self) -> &'static str {
        match self {
            OpinionSource::Table => "table",
            OpinionSource::Certificate(Trust::Checked) => "certificate",
            OpinionSource::Certificate(Trust::Unchecked) => "unchecked-certificate",
            OpinionSource::Opening(Trust::Checked) => "opening",
            OpinionSource::Opening(Trust::Unchecked) => "unchecked-opening",
            OpinionSource::Exact => "exact",
            OpinionSource::Search(_) => "search",
            OpinionSource::Random => "random",
            OpinionSource::Greedy => "greedy",
        }
    }
}

/// A chosen move, its score and the source of the score.
#[derive(Clone, Copy, Debug)]
pub struct Thought {
    pub mv: AnyMove,
    /// The score of the move, relative to the side that makes it.
    pub score: Score,
    pub source: OpinionSource,
}

/// The move that a machine has chosen, and its remarks.
pub struct Thoughts {
    /// The chosen move, or `None` if the person wants to leave.
    pub thought: Option<Thought>,
    /// Remarks for the person, such as why there is no table.
    pub remarks: Vec<String>,
}

/// All machine players.
pub struct Machines<'a> {
    computer: CombinedPlayer<'a>,
    random: RandomPlayer,
    greedy: GreedyPlayer,
    /// The limits of the computer's search.
    pub limits: Limits,
}

impl<'a> Machines<'a> {
    /// Creates machines with tables at `location`. `seed` is for the random numbers of the random and greedy players.
    pub fn new(game: &'a AnyGame, location: &Location, limits: Limits, seed: u64) -> Self {
        let computer = CombinedPlayer::new(game, location);
        Machines { computer, random: RandomPlayer::new(seed), greedy: GreedyPlayer::new(seed), limits }
    }

    /// Lets the player `who` choose a move; for [`SeatKind::Human`], the computer chooses. If `alone` is true, no
    /// person plays, and Ctrl-C quits the whole game. If `hurry` is true, the player must answer at once.
    pub fn think(
        &mut self,
        who: SeatKind,
        session: &Session,
        terminal: &mut Terminal,
        alone: bool,
        hurry: bool,
    ) -> Result<Thoughts> {
        let request = hurry.then_some(Request::Stop);
        let mut watch = TerminalWatch { terminal, alone, request, source: OpinionSource::Exact, remarks: Vec::new() };
        let choice: Choice = match who {
            SeatKind::Human | SeatKind::Computer => self.computer.choose(session, &self.limits, &mut watch)?,
            SeatKind::Random => self.random.choose(session, &self.limits, &mut watch)?,
            SeatKind::Greedy => self.greedy.choose(session, &self.limits, &mut watch)?,
        };
        let source = match who {
            SeatKind::Human | SeatKind::Computer => watch.source,
            SeatKind::Random => OpinionSource::Random,
            SeatKind::Greedy => OpinionSource::Greedy,
        };
        // A player that answers at once never looks at the terminal. Without this check, a request to quit would be
        // missed.
        watch.look();
        let thought = Thought { mv: choice.mv, score: choice.score, source };
        Ok(Thoughts { thought: (watch.request != Some(Request::Quit)).then_some(thought), remarks: watch.remarks })
    }
}

/// Watches the terminal while a machine thinks, and collects what the machine reports.
struct TerminalWatch<'a> {
    terminal: &'a mut Terminal,
    alone: bool,
    request: Option<Request>,
    source: OpinionSource,
    remarks: Vec<String>,
}

impl Listener for TerminalWatch<'_> {
    fn report(&mut self, report: PlayerReport) {
        match report {
            PlayerReport::Searched { depth, .. } => self.source = OpinionSource::Search(depth),
            PlayerReport::Known { source, .. } => {
                self.source = match (source.kind, source.trust) {
                    (Known::Table, _) => OpinionSource::Table,
                    (Known::Certificate, Some(trust)) => OpinionSource::Certificate(trust),
                    (Known::Opening, Some(trust)) => OpinionSource::Opening(trust),
                    _ => OpinionSource::Exact,
                };
            }
            PlayerReport::Remark(remark) => self.remarks.push(remark),
            PlayerReport::Line(_) | PlayerReport::Proving { .. } => {}
        }
    }

    fn should_stop(&mut self) -> bool {
        self.look()
    }
}

impl TerminalWatch<'_> {
    /// Checks the terminal. Returns true if the machine must answer immediately, or if the person wants to leave.
    fn look(&mut self) -> bool {
        if self.request.is_none() {
            let meant = |request| if request == Request::Interrupt && self.alone { Request::Quit } else { request };
            self.request = self.terminal.request().map(meant);
        }
        self.request.is_some()
    }
}
