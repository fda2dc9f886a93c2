//! The player that can answer: by table where there is one that has the position, else by search.

use std::path::PathBuf;

use super::player::{Choice, Limits, Listener, Player, Report};
use super::session::Session;
use super::{Evaluate, SearchPlayer, TablePlayer};
use crate::solve::{Solvable, SolveError};
use crate::table::name;

/// Plays one game.
pub struct Machine<'a, G: Solvable> {
    game: &'a G,
    folder: PathBuf,
    /// The table, once it was needed and found.
    table: Option<TablePlayer<'a, G>>,
    search: SearchPlayer,
    /// Whether to look for a table at all.
    pub uses_table: bool,
}

/// Memory of the search in bytes if nobody says otherwise.
pub const MEMORY: usize = 16 << 20;

impl<'a, G: Solvable + Evaluate> Machine<'a, G> {
    /// A player with its tables in `folder`, where they are looked for when they are needed.
    pub fn new(game: &'a G, folder: PathBuf) -> Self {
        Machine { game, folder, table: None, search: SearchPlayer::new(MEMORY), uses_table: true }
    }

    /// Gives the search so many bytes for what it finds.
    pub fn set_memory(&mut self, bytes: usize) {
        self.search = SearchPlayer::new(bytes);
    }

    /// The choice of the table; an error says why there is none.
    fn by_table(
        &mut self,
        session: &Session<G>,
        limits: &Limits,
        listener: &mut dyn Listener<G::Move>,
    ) -> Result<Choice<G::Move>, String> {
        if !self.uses_table {
            return Err("the table is switched off".into());
        }
        if self.table.is_none() {
            self.table = TablePlayer::open(self.game, &self.folder).map_err(|error| error.to_string())?;
        }
        let path = name::whole(&self.folder, &self.game.code());
        let table = self.table.as_mut().ok_or_else(|| format!("there is no table {}", path.display()))?;
        if !table.knows(session.position()).map_err(|error| error.to_string())? {
            let text = self.game.position_text(session.position());
            return Err(format!("{} does not have {text}, which cannot arise", path.display()));
        }
        table.choose(session, limits, listener).map_err(|error| error.to_string())
    }
}

impl<G: Solvable + Evaluate> Player<G> for Machine<'_, G> {
    /// Falls back on the search, saying why.
    fn choose(
        &mut self,
        session: &Session<G>,
        limits: &Limits,
        listener: &mut dyn Listener<G::Move>,
    ) -> Result<Choice<G::Move>, SolveError> {
        self.by_table(session, limits, listener).or_else(|why| {
            listener.hear(Report::Remark(format!("{why}: searching")));
            self.search.choose(session, limits, listener)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::Score;
    use crate::game::Game;
    use crate::games::binarsi::Binarsi;
    use crate::solve::{Job, Silent};

    impl Evaluate for Binarsi {
        fn evaluate(&self, _: &Self::Position) -> i32 {
            0
        }
    }

    /// Keeps what is reported.
    struct Reports<M>(Vec<Report<M>>);

    impl<M> Listener<M> for Reports<M> {
        fn hear(&mut self, report: Report<M>) {
            self.0.push(report);
        }

        fn wants_answer(&mut self) -> bool {
            false
        }
    }

    #[test]
    fn what_the_table_does_not_have_is_searched() {
        let (game, folder) = (Binarsi::parse("bin2x2").unwrap(), tempfile::tempdir().unwrap());
        let job = Job { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent };
        let table = crate::pipeline::analyze(&game, None, folder.path(), &job).unwrap().table;
        let odd = |position: &_| game.end(position).is_none() && game.probe(&table, position).unwrap().is_none();
        let odd = (0..).filter_map(|key| game.position_of_key(key)).find(odd).expect("some positions cannot arise");
        let mut machine = Machine::new(&game, folder.path().into());
        for (position, by_table) in [(game.start(), true), (odd, false), (game.start(), true)] {
            let (session, mut reports) = (Session::new(&game, position), Reports(Vec::new()));
            let choice = machine.choose(&session, &Limits::default(), &mut reports).unwrap();
            assert!(matches!(choice.score, Score::Won(_) | Score::Lost(_)), "{:?}", choice.score);
            match &reports.0[0] {
                Report::Known { .. } => assert!(by_table),
                Report::Remark(why) => assert!(!by_table && why.contains("cannot arise"), "{why}"),
                other => panic!("{other:?}"),
            }
        }
    }
}
