//! The players of this program at a board.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Contest;
use super::entrant::Style;
use super::seat::{Halt, Seat};
use crate::{
    Action, GreedyPlayer, Limits, Listener, Machine, Player, RandomPlayer, Report, SearchPlayer, Session, TablePlayer,
};
use yomikiri_rules::value::Outcome;
use yomikiri_solve::evaluate::Playable;
use yomikiri_table::{TableError, name};

/// A player that begins each game as if it had played none before.
pub struct Own<'a, G: Playable> {
    mind: Mind<'a, G>,
    limits: Limits,
    /// Bytes for what a search finds.
    memory: usize,
}

enum Mind<'a, G: Playable> {
    Table(Box<TablePlayer<'a, G>>),
    Computer(Box<Machine<'a, G>>),
    Search(SearchPlayer),
    Random(RandomPlayer),
    Greedy(GreedyPlayer),
}

impl<'a, G: Playable> Own<'a, G> {
    /// A player with its table in `folder`.
    pub fn new(contest: &'a Contest<'a, G>, style: Style, limits: Limits) -> Result<Self, TableError> {
        let Contest { folder, memory, .. } = contest;
        let game = contest.game;
        let mind = match style {
            Style::Table => Mind::Table(Box::new(TablePlayer::of_file(game, &name::whole(folder, &game.code()))?)),
            Style::Computer => Mind::Computer(Box::new(Machine::new(game, folder.clone()))),
            Style::Search => Mind::Search(SearchPlayer::new(*memory)),
            Style::Random => Mind::Random(RandomPlayer::new(0)),
            Style::Greedy => Mind::Greedy(GreedyPlayer::new(0)),
        };
        Ok(Own { mind, limits, memory: *memory })
    }
}

impl<G: Playable> Seat<G> for Own<'_, G> {
    fn begin(&mut self, seed: u64, _: &AtomicBool) -> Result<(), Halt> {
        match &mut self.mind {
            Mind::Table(_) => {}
            Mind::Computer(machine) => machine.set_memory(self.memory),
            Mind::Search(player) => *player = SearchPlayer::new(self.memory),
            Mind::Random(player) => *player = RandomPlayer::new(seed),
            Mind::Greedy(player) => *player = GreedyPlayer::new(seed),
        }
        Ok(())
    }

    fn answer(&mut self, session: &Session<G>, stop: &AtomicBool) -> Result<Action<G::Move>, Halt> {
        let player: &mut dyn Player<G> = match &mut self.mind {
            Mind::Table(player) => player.as_mut(),
            Mind::Computer(player) => player.as_mut(),
            Mind::Search(player) => player,
            Mind::Random(player) => player,
            Mind::Greedy(player) => player,
        };
        let choice = player.choose(session, &self.limits, &mut Stoppable(stop)).map_err(Halt::Broken)?;
        if stop.load(Ordering::Relaxed) { Err(Halt::Stopped) } else { Ok(Action::Move(choice.mv)) }
    }

    fn end(&mut self, _: Outcome) {}
}

/// Wants an answer once the contest is stopped.
struct Stoppable<'a>(&'a AtomicBool);

impl<M> Listener<M> for Stoppable<'_> {
    fn hear(&mut self, _: Report<M>) {}

    fn wants_answer(&mut self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
