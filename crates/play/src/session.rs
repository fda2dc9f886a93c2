//! A game in progress: its start position, its actions, and its end.

use std::collections::HashMap;

use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Notation, Presentation, Reason, Side, TextError, Value};

/// The game is drawn when a position has occurred this number of times.
const DRAWN_AT: u32 = 3;

/// An action in a game. Its text is a move, `resign`, `draw` or a board edit. Board edits need not follow the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Makes a legal move.
    Move(AnyMove),
    /// Resigns for the side to move.
    Resign,
    /// Claims the draw by repetition.
    Claim,
    /// Edits the board, outside the rules.
    Edit,
}

impl Action {
    /// Returns the move if the action is one, else `None`.
    pub fn as_move(&self) -> Option<AnyMove> {
        if let Action::Move(mv) = self { Some(*mv) } else { None }
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The position is terminal by the rules. The game is a draw if `winner` is `None`.
    Board {
        /// The side that wins; `None` after a draw.
        winner: Option<Side>,
    },
    /// A side has resigned.
    Resignation {
        /// The side that did not resign.
        winner: Side,
    },
    /// The game is drawn, because a position has occurred for the third time.
    Repetition,
}

impl Ending {
    /// Returns the winner, or `None` after a draw.
    pub fn winner(self) -> Option<Side> {
        match self {
            Ending::Board { winner } => winner,
            Ending::Resignation { winner } => Some(winner),
            Ending::Repetition => None,
        }
    }
}

/// A game with its history.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    game: &'a AnyGame,
    actions: Vec<Action>,
    /// The text of each action.
    words: Vec<String>,
    /// The start position of this game, then the position after each move or edit.
    positions: Vec<AnyPosition>,
    /// The number of occurrences of each position. The side to move is part of the key, because some games store a
    /// position as the side to move sees it. In these games, positions with different sides to move can be equal.
    occurrences: HashMap<(Side, AnyPosition), u32>,
}

impl<'a> Session<'a> {
    /// Starts a game at `start`, which may be any position, even a terminal one.
    pub fn new(game: &'a AnyGame, start: AnyPosition) -> Self {
        let mut session = Session {
            game,
            actions: Vec::new(),
            words: Vec::new(),
            positions: Vec::new(),
            occurrences: HashMap::new(),
        };
        session.arrive(start);
        session
    }

    /// Returns the game that is played.
    pub fn game(&self) -> &'a AnyGame {
        self.game
    }

    /// Returns the start position of this game.
    pub fn start(&self) -> &AnyPosition {
        &self.positions[0]
    }

    /// Returns the current position.
    pub fn position(&self) -> &AnyPosition {
        &self.positions[self.positions.len() - 1]
    }

    /// Returns the side to move.
    pub fn side(&self) -> Side {
        self.game.side(self.position())
    }

    /// Returns all actions since the start position.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Returns the text of each action since the start position.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns the start position of this game, then the position after each move or edit.
    pub fn positions(&self) -> &[AnyPosition] {
        &self.positions
    }

    /// Returns the legal moves in the current position.
    pub fn moves(&self) -> Vec<AnyMove> {
        self.game.legal_moves(self.position())
    }

    /// Returns the number of moves and edits since the start position.
    pub fn moves_made(&self) -> usize {
        self.positions.len() - 1
    }

    /// Returns the number of times that a position has occurred in this game.
    pub fn occurrences(&self, position: &AnyPosition) -> u32 {
        self.occurrences.get(&(self.game.side(position), *position)).copied().unwrap_or(0)
    }

    /// Returns true if the next occurrence of `position` would draw the game by repetition.
    pub fn draws_by_repetition(&self, position: &AnyPosition) -> bool {
        self.occurrences(position) + 1 >= DRAWN_AT
    }

    /// Returns the positions whose next occurrence draws the game by repetition, in no particular order.
    pub fn drawing(&self) -> impl Iterator<Item = &AnyPosition> {
        self.occurrences.iter().filter(|&(_, &count)| count + 1 >= DRAWN_AT).map(|((_, position), _)| position)
    }

    /// Returns the pass if it is the only legal move, else `None`.
    pub fn forced_pass(&self) -> Option<AnyMove> {
        match self.moves()[..] {
            [only] if self.game.is_pass(only) => Some(only),
            _ => None,
        }
    }

    /// Returns the end of the game, or `None` if the game goes on.
    pub fn ending(&self) -> Option<Ending> {
        if let Some(Action::Resign) = self.actions.last() {
            return Some(Ending::Resignation { winner: self.side().other() });
        }
        if let Some(value) = self.game.terminal_value(self.position()) {
            return Some(Ending::Board { winner: value.outcome().winner(self.side()) });
        }
        (self.occurrences(self.position()) >= DRAWN_AT).then_some(Ending::Repetition)
    }

    /// Returns the reason why the current position is terminal by the rules. Returns `None` if the game did not end in
    /// this way, or if the end needs no explanation.
    pub fn why_over(&self) -> Option<Reason> {
        let by_board = matches!(self.ending(), Some(Ending::Board { .. }));
        by_board.then(|| self.game.end_reason(self.position())).flatten()
    }

    /// Parses an action and carries it out. On an error nothing changes.
    pub fn act_on(&mut self, word: &str) -> Result<(), TextError> {
        if let Some(edited) = self.game.edit(self.position(), word) {
            self.arrive(edited?);
            self.keep(Action::Edit, word.into());
            return Ok(());
        }
        let action = self.parse(word)?;
        self.act(action);
        Ok(())
    }

    /// Parses actions and carries them out in order. The error names the action that failed. The actions before that
    /// action stay in force.
    pub fn act_on_all(&mut self, words: &[impl AsRef<str>]) -> Result<(), TextError> {
        for (word, number) in words.iter().zip(1..) {
            self.act_on(word.as_ref()).map_err(|error| error.numbered(number))?;
        }
        Ok(())
    }

    /// Replays the moves that a host lists. Some hosts do not end a game at the third occurrence of a position, or at a
    /// terminal position. So moves may follow in both cases. The error names the move that failed. The moves before
    /// that move stay in force.
    pub fn replay(&mut self, words: &[impl AsRef<str>]) -> Result<(), TextError> {
        for (word, number) in words.iter().zip(1..) {
            let word = word.as_ref();
            let by_rules = self.act_on(word);
            let done = match (by_rules, self.ending()) {
                (Err(_), Some(Ending::Board { .. } | Ending::Repetition)) => {
                    self.game.parse_playable_move(self.position(), word).map(|mv| self.act(Action::Move(mv)))
                }
                (by_rules, _) => by_rules,
            };
            done.map_err(|error| error.numbered(number))?;
        }
        Ok(())
    }

    /// Parses an action of the side to move.
    fn parse(&self, word: &str) -> Result<Action, TextError> {
        let repeated = self.occurrences(self.position()) >= DRAWN_AT;
        let claimed = self.actions.last() == Some(&Action::Claim);
        if word == "draw" && repeated && !claimed {
            return Ok(Action::Claim);
        }
        let field = if matches!(word, "resign" | "draw") { word.into() } else { format!("move \"{word}\"") };
        if let Some(ending) = self.ending() {
            return Err(TextError::new(field, format!("the game is over{}", why(ending))));
        }
        match word {
            "resign" => Ok(Action::Resign),
            "draw" => Err(TextError::new(field, self.why_no_draw())),
            _ => self.game.parse_move(self.position(), word).map(Action::Move),
        }
    }

    fn why_no_draw(&self) -> String {
        match self.occurrences(self.position()) {
            1 => "this position has occurred once; a draw needs three occurrences".into(),
            count => format!("this position has occurred {count} times; a draw needs three occurrences"),
        }
    }

    /// Carries out a legal action: a move, a resignation or a claim. Ignores an edit.
    pub fn act(&mut self, action: Action) {
        let word = match action {
            Action::Move(mv) => self.game.move_text(mv),
            Action::Resign => "resign".into(),
            Action::Claim => "draw".into(),
            Action::Edit => return,
        };
        if let Action::Move(mv) = action {
            self.arrive(self.game.play(self.position(), mv));
        }
        self.keep(action, word);
    }

    fn keep(&mut self, action: Action, word: String) {
        self.actions.push(action);
        self.words.push(word);
    }

    fn arrive(&mut self, position: AnyPosition) {
        self.positions.push(position);
        *self.occurrences.entry((self.game.side(&position), position)).or_default() += 1;
    }

    /// Takes the last action back and returns it. Returns `None` if there is none.
    pub fn undo(&mut self) -> Option<Action> {
        let action = self.actions.pop()?;
        self.words.pop();
        if let Action::Move(_) | Action::Edit = action
            && let Some(left) = self.positions.pop()
        {
            self.leave(&left);
        }
        Some(action)
    }

    fn leave(&mut self, position: &AnyPosition) {
        let place = (self.game.side(position), *position);
        if let Some(count) = self.occurrences.get_mut(&place) {
            *count -= 1;
            if *count == 0 {
                self.occurrences.remove(&place);
            }
        }
    }
}

/// Returns the words that explain an end, to be put after "the game is over".
fn why(ending: Ending) -> &'static str {
    match ending {
        Ending::Board { winner: Some(_) } => ": a side has won",
        Ending::Board { winner: None } => ": it is a draw",
        Ending::Resignation { .. } => ": a side has resigned",
        Ending::Repetition => ": this position has occurred three times",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black's lion loses a tempo, so the board of the start occurs again, but with White to move.
    const TURNED: &str = "1d1c 3a3b 1c1b 3b3a 2d1d 3a3b 1d1c 3b3a 1c2d 3a3b 1b1c 3b3a 1c1d";

    #[test]
    fn the_same_board_seen_by_the_other_side_is_no_repetition() {
        let game = AnyGame::parse("val1n").unwrap();
        let mut session = Session::new(&game, game.start());
        session.act_on_all(&TURNED.split(' ').collect::<Vec<_>>()).unwrap();
        assert_eq!((session.position(), session.side()), (&game.start(), Side::White));
        assert_eq!(session.occurrences(session.position()), 1);
        session.act_on_all(&["3a3b", "1d1c", "3b3a", "1c1d"]).unwrap();
        assert_eq!((session.occurrences(session.position()), session.ending()), (2, None));
        while session.undo().is_some() {}
        assert_eq!(session.occurrences(&game.start()), 1);
    }
}
