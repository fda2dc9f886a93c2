//! The machines' moves, and what they know about them.

use yomikiri_answer::Source as Known;
use yomikiri_play::{
    Choice, CombinedPlayer, GreedyPlayer, Limits, Listener, Player, RandomPlayer, Report, Score, Session,
};
use yomikiri_solve::{Playable, Result};
use yomikiri_table::Location;

use super::controller::Who;
use super::terminal::{Terminal, Wish};

/// Where a machine's opinion comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Table,
    /// A certificate of who wins.
    Certificate,
    /// Solved exactly, without a table.
    Exact,
    /// So many plies were looked at.
    Search(u32),
    Random,
    Greedy,
}

impl Source {
    /// Its word in messages.
    pub fn word(self) -> &'static str {
        match self {
            Source::Table => "table",
            Source::Certificate => "certificate",
            Source::Exact => "exact",
            Source::Search(_) => "search",
            Source::Random => "random",
            Source::Greedy => "greedy",
        }
    }
}

/// A move and what its maker thinks of it.
#[derive(Clone, Copy, Debug)]
pub struct Thought<M> {
    pub mv: M,
    /// What the side that makes the move can expect.
    pub score: Score,
    pub source: Source,
}

/// What comes of thinking.
pub struct Thoughts<M> {
    /// None if somebody wants to leave.
    pub thought: Option<Thought<M>>,
    /// What people should know, as why there is no table.
    pub remarks: Vec<String>,
}

/// All machines that can sit at the board.
pub struct Machines<'a, G: Playable> {
    computer: CombinedPlayer<'a, G>,
    random: RandomPlayer,
    greedy: GreedyPlayer,
    /// How long the computer may think.
    pub limits: Limits,
}

impl<'a, G: Playable> Machines<'a, G> {
    /// Machines with tables at `location`; other seeds let those that draw lots draw others.
    pub fn new(game: &'a G, location: &Location, limits: Limits, seed: u64) -> Self {
        let computer = CombinedPlayer::new(game, location);
        Machines { computer, random: RandomPlayer::new(seed), greedy: GreedyPlayer::new(seed), limits }
    }

    /// Lets a machine choose a move, a person's seat standing for the computer. `alone`: no person plays, so Ctrl-C is
    /// meant for the whole game. `hurry`: an answer is wanted at once.
    pub fn think(
        &mut self,
        who: Who,
        session: &Session<G>,
        terminal: &mut Terminal,
        alone: bool,
        hurry: bool,
    ) -> Result<Thoughts<G::Move>> {
        let wish = hurry.then_some(Wish::Stop);
        let mut watch = Watch { terminal, alone, wish, source: Source::Exact, remarks: Vec::new() };
        let choice: Choice<G::Move> = match who {
            Who::Human | Who::Computer => self.computer.choose(session, &self.limits, &mut watch)?,
            Who::Random => self.random.choose(session, &self.limits, &mut watch)?,
            Who::Greedy => self.greedy.choose(session, &self.limits, &mut watch)?,
        };
        let source = match who {
            Who::Human | Who::Computer => watch.source,
            Who::Random => Source::Random,
            Who::Greedy => Source::Greedy,
        };
        // Who has wished to leave before a machine that needs no time was asked leaves all the same.
        watch.look();
        let thought = Thought { mv: choice.mv, score: choice.score, source };
        Ok(Thoughts { thought: (watch.wish != Some(Wish::Quit)).then_some(thought), remarks: watch.remarks })
    }
}

/// Looks at the terminal while a machine thinks, and keeps what it tells.
struct Watch<'a> {
    terminal: &'a mut Terminal,
    alone: bool,
    wish: Option<Wish>,
    source: Source,
    remarks: Vec<String>,
}

impl<M> Listener<M> for Watch<'_> {
    fn hear(&mut self, report: Report<M>) {
        match report {
            Report::Searched { depth, .. } => self.source = Source::Search(depth),
            Report::Known { source: Known::Table, .. } => self.source = Source::Table,
            Report::Known { source: Known::Certificate, .. } => self.source = Source::Certificate,
            Report::Known { .. } => self.source = Source::Exact,
            Report::Remark(remark) => self.remarks.push(remark),
        }
    }

    fn wants_answer(&mut self) -> bool {
        self.look()
    }
}

impl Watch<'_> {
    /// Whether somebody wants an answer, or none at all.
    fn look(&mut self) -> bool {
        if self.wish.is_none() {
            let meant = |wish| if wish == Wish::Interrupt && self.alone { Wish::Quit } else { wish };
            self.wish = self.terminal.wish().map(meant);
        }
        self.wish.is_some()
    }
}
