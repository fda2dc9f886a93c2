//! A game between two seats: who plays, whose turn it is, what was taken back, whether it has been saved. Knows no
//! terminal.

use std::path::PathBuf;

use clap::ValueEnum;
use yomikiri_play::{Action, Ending, Record, Session};
use yomikiri_rules::{Game, Measure, Reason, Score, Side, TextError, Value};

/// Somebody who can play a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Who {
    /// A person at the prompt
    Human,
    /// By a table where there is one, else by search
    Computer,
    /// Any legal move
    Random,
    /// The move after which it has most
    Greedy,
}

impl Who {
    /// The word for it at the prompt, in arguments and in records.
    pub fn word(self) -> &'static str {
        match self {
            Who::Human => "human",
            Who::Computer => "computer",
            Who::Random => "random",
            Who::Greedy => "greedy",
        }
    }

    /// Reads [`Who::word`], in small letters or capitals.
    pub fn parse(word: &str) -> Option<Who> {
        Who::from_str(word, true).ok()
    }
}

/// Who plays Black and who White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seats {
    pub black: Who,
    pub white: Who,
}

impl Seats {
    pub fn of(self, side: Side) -> Who {
        side.pick([self.black, self.white])
    }

    /// Gives a side to somebody.
    pub fn give(&mut self, side: Side, who: Who) {
        *side.pick([&mut self.black, &mut self.white]) = who;
    }

    /// Whether a person plays.
    pub fn has_person(self) -> bool {
        [self.black, self.white].contains(&Who::Human)
    }
}

/// What has to happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<M> {
    /// The game is over.
    Nothing,
    /// The side to move can do nothing but pass.
    Pass(M),
    /// One of the machines moves.
    Machine(Who),
    /// A person moves.
    Person,
}

/// How a game ended, for people.
pub struct Verdict {
    pub ending: Ending,
    /// Points between the sides, in games that are about them.
    pub margin: Option<u8>,
    /// Why the board ends the game.
    pub reason: Option<Reason>,
    pub points: Option<[String; 2]>,
}

/// One game after the other.
pub struct Controller<'a, G: Game> {
    pub session: Session<'a, G>,
    pub seats: Seats,
    /// What was taken back, the earliest last; of each step the actions in their order.
    taken_back: Vec<Vec<String>>,
    /// The first position as text; empty for that of the game.
    start: String,
    /// Whether something has happened that no file has.
    pub unsaved: bool,
    /// The file that this game was saved to.
    pub saved_as: Option<PathBuf>,
}

impl<'a, G: Game> Controller<'a, G> {
    /// A game from a position as people write it; without one from the game's start.
    pub fn new(game: &'a G, start: Option<&str>, seats: Seats) -> Result<Self, TextError> {
        let position = start.map_or_else(|| Ok(game.start()), |text| game.parse_position(text))?;
        let start = start_text(game, &position, start.unwrap_or_default());
        let session = Session::new(game, position);
        Ok(Controller { session, seats, taken_back: Vec::new(), start, unsaved: false, saved_as: None })
    }

    /// Begins again, from a position or from where this game began.
    pub fn begin(&mut self, start: Option<&str>) -> Result<(), TextError> {
        let again = Some(self.start.clone()).filter(|start| !start.is_empty());
        let start = start.map(String::from).or(again);
        *self = Controller::new(self.session.game(), start.as_deref(), self.seats)?;
        Ok(())
    }

    /// Goes on with a game that was written down. An error changes nothing.
    pub fn go_on(&mut self, record: &Record) -> Result<(), TextError> {
        let game = self.session.game();
        if record.game != game.code() {
            return Err(TextError::new(
                format!("game \"{}\"", record.game),
                format!("is played with yomikiri play {}; this is {}", record.game, game.code()),
            ));
        }
        let session = record.replay(game)?;
        let start = start_text(game, session.start(), &record.start);
        *self =
            Controller { session, seats: self.seats, taken_back: Vec::new(), start, unsaved: false, saved_as: None };
        Ok(())
    }

    /// The game so far, to be written down.
    pub fn record(&self) -> Record {
        Record::of(&self.session, &self.start, [self.seats.black.word(), self.seats.white.word()])
    }

    pub fn next(&self) -> Next<G::Move> {
        if self.session.ending().is_some() {
            return Next::Nothing;
        }
        if let Some(pass) = self.session.forced_pass() {
            return Next::Pass(pass);
        }
        match self.seats.of(self.session.side()) {
            Who::Human => Next::Person,
            machine => Next::Machine(machine),
        }
    }

    /// The legal moves as they are written.
    pub fn moves(&self) -> Vec<(G::Move, String)> {
        let game = self.session.game();
        let mut moves = Vec::new();
        if self.session.ending().is_none() {
            game.moves(self.session.position(), &mut moves);
        }
        moves.into_iter().map(|mv| (mv, game.move_text(mv))).collect()
    }

    /// Reads a move, an edit, `resign` or `draw` and does it; returns how it is written. Capitals and small letters may
    /// be mixed up where only one move can be meant.
    pub fn act_on(&mut self, word: &str) -> Result<String, TextError> {
        if let Err(error) = self.session.act_on(word) {
            let same: Vec<_> = self.moves().into_iter().filter(|(_, name)| name.eq_ignore_ascii_case(word)).collect();
            let &[(mv, _)] = same.as_slice() else { return Err(error) };
            self.session.act(Action::Move(mv));
        }
        self.has_changed();
        Ok(self.session.words().last().cloned().unwrap_or_default())
    }

    /// Makes a legal move; returns how it is written.
    pub fn play(&mut self, mv: G::Move) -> String {
        self.session.act(Action::Move(mv));
        self.has_changed();
        self.session.game().move_text(mv)
    }

    fn has_changed(&mut self) {
        self.taken_back.clear();
        self.unsaved = true;
    }

    /// Takes back until a person is to move, or one action where no person plays; returns how many. `None`, and nothing
    /// changes, if no person was to move before.
    pub fn undo(&mut self) -> Option<usize> {
        let before = self.session.clone();
        let mut words = Vec::new();
        while words.is_empty() || !self.can_stay() {
            words.extend(self.session.words().last().cloned());
            if self.session.undo().is_none() {
                self.session = before;
                return None;
            }
        }
        let count = words.len();
        words.reverse();
        self.taken_back.push(words);
        self.unsaved = true;
        Some(count)
    }

    /// Whether nothing would happen by itself that had just been taken back.
    fn can_stay(&self) -> bool {
        match self.next() {
            Next::Person => true,
            Next::Machine(_) => !self.seats.has_person(),
            Next::Nothing | Next::Pass(_) => false,
        }
    }

    /// Does again what was taken back last; returns how many actions. `None` if there is nothing.
    pub fn redo(&mut self) -> Result<Option<usize>, TextError> {
        let Some(words) = self.taken_back.pop() else { return Ok(None) };
        self.session.act_on_all(&words)?;
        self.unsaved = true;
        Ok(Some(words.len()))
    }

    /// How the game ended, if it is over.
    pub fn verdict(&self) -> Option<Verdict> {
        let (game, position, ending) = (self.session.game(), self.session.position(), self.session.ending()?);
        let by_board = matches!(ending, Ending::Board { .. });
        let margin = game.terminal_value(position).filter(|_| by_board).and_then(|value| match value.measure() {
            Measure::Score { score } if G::BEYOND_POINTS.is_some() && score.unsigned_abs() == Score::MOST as u8 => None,
            Measure::Score { score } => Some(score.unsigned_abs()),
            Measure::Distance { .. } => None,
        });
        let reason = self.session.why_over();
        let points = game.points(position).filter(|_| by_board);
        Some(Verdict { ending, margin, reason, points })
    }

    /// Who made the last move, and how it is written; edits and ends of games are no moves.
    pub fn last_move(&self) -> Option<(Side, &str)> {
        let last = self.session.actions().last()?;
        let before = self.session.positions().iter().rev().nth(1)?;
        let word = self.session.words().last()?;
        matches!(last, Action::Move(_)).then(|| (self.session.game().side(before), word.as_str()))
    }
}

/// A position as text that leads back to it, `given` where the game's own text does not; empty for the start of the
/// game.
fn start_text<G: Game>(game: &G, position: &G::Position, given: &str) -> String {
    let is_same = |other: &G::Position| other == position && game.side(other) == game.side(position);
    if is_same(&game.start()) {
        return String::new();
    }
    let text = game.position_text(position);
    if game.parse_position(&text).is_ok_and(|read| is_same(&read)) {
        return text;
    }
    given.split_whitespace().collect::<Vec<_>>().join(" ")
}
