//! A game between two seats: the players, the game so far, the undone actions, and whether the game is saved. This
//! module does not use the terminal.

use std::path::PathBuf;

use clap::ValueEnum;
use yomikiri_answer::Viewed;
use yomikiri_play::{Action, Ending, Record, Session};
use yomikiri_rules::{
    AnyGame, AnyMove, AnyPosition, Game, Measure, Notation, Presentation, Reason, Score, Side, TextError, Value,
};

/// A player of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SeatKind {
    /// A person at the prompt
    Human,
    /// Plays by a table if there is one, else by search
    Computer,
    /// Plays any legal move
    Random,
    /// Plays the move that gains most at once
    Greedy,
}

impl SeatKind {
    /// Returns the word that names the player at the prompt, in arguments and in records.
    pub fn word(self) -> &'static str {
        match self {
            SeatKind::Human => "human",
            SeatKind::Computer => "computer",
            SeatKind::Random => "random",
            SeatKind::Greedy => "greedy",
        }
    }

    /// Parses [`SeatKind::word`], ignoring letter case. Returns `None` if no player has this name.
    pub fn parse(word: &str) -> Option<SeatKind> {
        SeatKind::from_str(word, true).ok()
    }
}

/// The players of Black and White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seats {
    pub black: SeatKind,
    pub white: SeatKind,
}

impl Seats {
    pub fn of(self, side: Side) -> SeatKind {
        side.pick([self.black, self.white])
    }

    /// Gives the seat of `side` to the player `who`.
    pub fn give(&mut self, side: Side, who: SeatKind) {
        *side.pick([&mut self.black, &mut self.white]) = who;
    }

    /// Returns true if at least one player is a person.
    pub fn has_person(self) -> bool {
        [self.black, self.white].contains(&SeatKind::Human)
    }
}

/// The next step of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// The game is over.
    Nothing,
    /// The side to move has no legal move except to pass.
    Pass(AnyMove),
    /// The machine player of this kind moves.
    Machine(SeatKind),
    /// A person moves.
    Person,
}

/// The result of a finished game.
pub struct GameVerdict {
    pub ending: Ending,
    /// The number of points by which the winner is ahead (0 in a draw), or `None` if the result does not depend on
    /// points.
    pub margin: Option<u8>,
    /// The reason why the last position is terminal by the rules. `None` if the game ended in another way, such as by
    /// resignation, or if the end needs no explanation.
    pub reason: Option<Reason>,
    pub points: Option<[String; 2]>,
}

/// The game that is being played, and its seats. A new game replaces the whole value but keeps the seats.
pub struct GameController<'a> {
    pub session: Session<'a>,
    pub seats: Seats,
    /// The steps that [`GameController::undo`] has taken back. The step of the latest undo is the last element. A step
    /// is the list of the actions that one undo took back, in the order of play.
    taken_back: Vec<Vec<String>>,
    /// The text of the position that this game began with. Empty if that is the usual start position.
    start: String,
    /// The actions of the game when it was last saved, loaded or begun.
    saved: Vec<String>,
    /// The file that this game was last saved to, or `None` if it was never saved.
    pub saved_as: Option<PathBuf>,
}

impl<'a> GameController<'a> {
    /// Starts a game from the position `start`, or from the usual start position if `start` is `None`.
    pub fn new(game: &'a AnyGame, start: Option<&str>, seats: Seats) -> Result<Self, TextError> {
        let position = start.map_or_else(|| Ok(game.start()), |text| game.parse_position(text))?;
        let start = start_text(game, &position);
        let session = Session::new(game, position);
        Ok(GameController { session, seats, taken_back: Vec::new(), start, saved: Vec::new(), saved_as: None })
    }

    /// Replaces the game by a new one from `start`. If `start` is `None`, the new game begins with the same position as
    /// the current game.
    pub fn begin(&mut self, start: Option<&str>) -> Result<(), TextError> {
        let again = Some(self.start.clone()).filter(|start| !start.is_empty());
        let start = start.map(String::from).or(again);
        *self = GameController::new(self.session.game(), start.as_deref(), self.seats)?;
        Ok(())
    }

    /// Replaces the game by a recorded one, to continue that game. On an error nothing changes.
    pub fn go_on(&mut self, record: &Record) -> Result<(), TextError> {
        let game = self.session.game();
        if record.game != game.code() {
            return Err(TextError::new(
                format!("game \"{}\"", record.game),
                format!("is played with yomikiri play {}; this is {}", record.game, game.code()),
            ));
        }
        let session = record.replay(game)?;
        let start = start_text(game, session.start());
        let saved = session.words().to_vec();
        *self = GameController { session, seats: self.seats, taken_back: Vec::new(), start, saved, saved_as: None };
        Ok(())
    }

    /// Returns the record of the game so far.
    pub fn record(&self) -> Record {
        Record::of(&self.session, &self.start, [self.seats.black.word(), self.seats.white.word()])
    }

    pub fn next(&self) -> NextStep {
        if self.session.ending().is_some() {
            return NextStep::Nothing;
        }
        if let Some(pass) = self.session.forced_pass() {
            return NextStep::Pass(pass);
        }
        match self.seats.of(self.session.side()) {
            SeatKind::Human => NextStep::Person,
            machine => NextStep::Machine(machine),
        }
    }

    /// Returns the legal moves with their texts, or none if the game is over.
    pub fn moves(&self) -> Vec<(AnyMove, String)> {
        let game = self.session.game();
        let mut moves = Vec::new();
        if self.session.ending().is_none() {
            game.moves(self.session.position(), &mut moves);
        }
        moves.into_iter().map(|mv| (mv, game.move_text(mv))).collect()
    }

    /// Parses and carries out a move, an edit of the board, `resign` or `draw`. Returns the text of the action. If
    /// `word` is not valid as it stands but matches exactly one legal move without regard to letter case, makes that
    /// move.
    pub fn act_on(&mut self, word: &str) -> Result<String, TextError> {
        if let Err(error) = self.session.act_on(word) {
            let same: Vec<_> = self.moves().into_iter().filter(|(_, name)| name.eq_ignore_ascii_case(word)).collect();
            let &[(mv, _)] = same.as_slice() else { return Err(error) };
            self.session.act(Action::Move(mv));
        }
        self.taken_back.clear();
        Ok(self.session.words().last().cloned().unwrap_or_default())
    }

    /// Makes a legal move and returns its text.
    pub fn play(&mut self, mv: AnyMove) -> String {
        self.session.act(Action::Move(mv));
        self.taken_back.clear();
        self.session.game().move_text(mv)
    }

    /// Notes that the game was saved to a file.
    pub fn note_saved(&mut self, file: PathBuf) {
        self.saved = self.session.words().to_vec();
        self.saved_as = Some(file);
    }

    /// Returns true if the game differs from the game that was last saved, loaded or begun.
    pub fn is_unsaved(&self) -> bool {
        self.session.words() != self.saved
    }

    /// Takes back actions until a person is to move, or until a machine is to move if no person plays. Returns the
    /// number of undone actions. If no earlier position meets the condition, returns `None` and changes nothing.
    pub fn undo(&mut self) -> Option<usize> {
        let before = self.session.clone();
        let mut words = Vec::new();
        while words.is_empty() || !self.is_undo_stop() {
            words.extend(self.session.words().last().cloned());
            if self.session.undo().is_none() {
                self.session = before;
                return None;
            }
        }
        let count = words.len();
        words.reverse();
        self.taken_back.push(words);
        Some(count)
    }

    /// Returns true if an undo may stop at the current position. It may stop where a person is to move or, if no person
    /// plays, where a machine is to move. It may not stop where the program would make the undone move again at once:
    /// where a pass is forced, or where a machine is to move against a person. It may not stop where the game is over
    /// either.
    fn is_undo_stop(&self) -> bool {
        match self.next() {
            NextStep::Person => true,
            NextStep::Machine(_) => !self.seats.has_person(),
            NextStep::Nothing | NextStep::Pass(_) => false,
        }
    }

    /// Repeats the actions that the latest undo took back. Returns their number, or `None` if no undo is left to
    /// repeat.
    pub fn redo(&mut self) -> Result<Option<usize>, TextError> {
        let Some(words) = self.taken_back.pop() else { return Ok(None) };
        self.session.act_on_all(&words)?;
        Ok(Some(words.len()))
    }

    /// Returns the result of the game, or `None` if the game is not over.
    pub fn verdict(&self) -> Option<GameVerdict> {
        let (game, position, ending) = (self.session.game(), self.session.position(), self.session.ending()?);
        let by_board = matches!(ending, Ending::Board { .. });
        let margin = game.terminal_value(position).filter(|_| by_board).and_then(|value| match value.measure() {
            Measure::Score { score } if game.beyond_points().is_some() && score.unsigned_abs() == Score::MAX as u8 => {
                None
            }
            Measure::Score { score } => Some(score.unsigned_abs()),
            Measure::Distance { .. } => None,
        });
        let reason = self.session.why_over();
        let points = game.points(position).filter(|_| by_board);
        Some(GameVerdict { ending, margin, reason, points })
    }

    /// Returns the side that made the last move, and the move's text. Returns `None` if the last action was not a move.
    pub fn last_move(&self) -> Option<(Side, &str)> {
        let last = self.session.actions().last()?;
        let before = self.session.positions().iter().rev().nth(1)?;
        let word = self.session.words().last()?;
        matches!(last, Action::Move(_)).then(|| (self.session.game().side(before), word.as_str()))
    }
}

/// Returns the text of `position`, or an empty text if it is the usual start position.
fn start_text(game: &AnyGame, position: &AnyPosition) -> String {
    let text = game.text_with_side(position);
    if text == game.text_with_side(&game.start()) { String::new() } else { text }
}
