//! A game under way: where it started, what was done since, and whether it is over.

use std::collections::HashMap;

use yomikiri_rules::{Game, Reason, Side, TextError, Value};

/// A position that occurs so often ends the game as a draw.
const DRAWN_AT: u32 = 3;

/// What can be done in a game: written as a move, as `resign`, as `draw` and, outside the rules of play, as a board
/// edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<M> {
    Move(M),
    Resign,
    /// Claims the draw by repetition.
    Claim,
    /// A change of the board.
    Edit,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules of the board; `None` is a draw.
    Board {
        winner: Option<Side>,
    },
    Resignation {
        winner: Side,
    },
    /// The position has occurred for the third time.
    Repetition,
}

impl Ending {
    /// Who has won; `None` after a draw.
    pub fn winner(self) -> Option<Side> {
        match self {
            Ending::Board { winner } => winner,
            Ending::Resignation { winner } => Some(winner),
            Ending::Repetition => None,
        }
    }
}

/// A game from its first position on.
#[derive(Clone, Debug)]
pub struct Session<'a, G: Game> {
    game: &'a G,
    actions: Vec<Action<G::Move>>,
    /// Every action as it is written.
    words: Vec<String>,
    /// The first position and the one after each move or edit.
    positions: Vec<G::Position>,
    /// By the side to move as well, for positions may be equal that only look the same to both sides.
    occurrences: HashMap<(Side, G::Position), u32>,
}

impl<'a, G: Game> Session<'a, G> {
    /// A game from `start`, which may be any position, even one in which the game is over.
    pub fn new(game: &'a G, start: G::Position) -> Self {
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

    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The first position.
    pub fn start(&self) -> &G::Position {
        &self.positions[0]
    }

    /// The position on the board.
    pub fn position(&self) -> &G::Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.game.side(self.position())
    }

    /// Everything done since the first position.
    pub fn actions(&self) -> &[Action<G::Move>] {
        &self.actions
    }

    /// The actions as they are written.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The first position and the one after each move or edit.
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// The legal moves of the side to move.
    pub fn moves(&self) -> Vec<G::Move> {
        self.game.legal_moves(self.position())
    }

    /// Number of moves on the board since the first position.
    pub fn moves_made(&self) -> usize {
        self.positions.len() - 1
    }

    /// How often a position has been on the board.
    pub fn occurrences(&self, position: &G::Position) -> u32 {
        self.occurrences.get(&(self.game.side(position), *position)).copied().unwrap_or(0)
    }

    /// Whether the game would be drawn by repetition if `position` came on the board now.
    pub fn draws_by_repetition(&self, position: &G::Position) -> bool {
        self.occurrences(position) + 1 >= DRAWN_AT
    }

    /// The positions that draw by repetition if they come again, in no particular order.
    pub fn drawing(&self) -> impl Iterator<Item = &G::Position> {
        self.occurrences.iter().filter(|&(_, &count)| count + 1 >= DRAWN_AT).map(|((_, position), _)| position)
    }

    /// The pass, if the side to move can do nothing else.
    pub fn forced_pass(&self) -> Option<G::Move> {
        match self.moves()[..] {
            [only] if self.game.is_pass(only) => Some(only),
            _ => None,
        }
    }

    /// How the game ended, if it is over.
    pub fn ending(&self) -> Option<Ending> {
        if let Some(Action::Resign) = self.actions.last() {
            return Some(Ending::Resignation { winner: self.side().other() });
        }
        if let Some(value) = self.game.terminal_value(self.position()) {
            return Some(Ending::Board { winner: value.outcome().winner(self.side()) });
        }
        (self.occurrences(self.position()) >= DRAWN_AT).then_some(Ending::Repetition)
    }

    /// Why the game is over, where the rules of the board ended it and that needs saying.
    pub fn why_over(&self) -> Option<Reason> {
        let by_board = matches!(self.ending(), Some(Ending::Board { .. }));
        by_board.then(|| self.game.why_over(self.position())).flatten()
    }

    /// Reads an action and does it. An error changes nothing.
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

    /// Reads actions and does them one after the other; an error names the action, and those before it are done.
    pub fn act_on_all(&mut self, words: &[impl AsRef<str>]) -> Result<(), TextError> {
        for (word, number) in words.iter().zip(1..) {
            self.act_on(word.as_ref()).map_err(|error| error.numbered(number))?;
        }
        Ok(())
    }

    /// Does the moves that a host lists, which may go on after a third repetition or where the rules of the board have
    /// ended the game: not every host ends games there. An error names the move, and those before it are done.
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

    /// Reads what the side to move can do now.
    fn parse(&self, word: &str) -> Result<Action<G::Move>, TextError> {
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
            1 => "this position is on the board for the first time, a draw takes three".into(),
            count => format!("this position is on the board for time {count}, a draw takes three"),
        }
    }

    /// Does what is legal now: a move, resigning or claiming.
    pub fn act(&mut self, action: Action<G::Move>) {
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

    fn keep(&mut self, action: Action<G::Move>, word: String) {
        self.actions.push(action);
        self.words.push(word);
    }

    fn arrive(&mut self, position: G::Position) {
        self.positions.push(position);
        *self.occurrences.entry((self.game.side(&position), position)).or_default() += 1;
    }

    /// Takes the last action back; `None` if there is none.
    pub fn undo(&mut self) -> Option<Action<G::Move>> {
        let action = self.actions.pop()?;
        self.words.pop();
        if let Action::Move(_) | Action::Edit = action
            && let Some(left) = self.positions.pop()
        {
            self.leave(&left);
        }
        Some(action)
    }

    fn leave(&mut self, position: &G::Position) {
        let place = (self.game.side(position), *position);
        if let Some(count) = self.occurrences.get_mut(&place) {
            *count -= 1;
            if *count == 0 {
                self.occurrences.remove(&place);
            }
        }
    }
}

/// What ended a game, as the end of a sentence.
fn why(ending: Ending) -> &'static str {
    match ending {
        Ending::Board { winner: Some(_) } => ": a side has won",
        Ending::Board { winner: None } => ": it is a draw",
        Ending::Resignation { .. } => ": a side has resigned",
        Ending::Repetition => ": this position is on the board for the third time",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::games::animal_shogi::AnimalShogi;

    /// Black loses a move with its lion: the start is there again, with White to move.
    const TURNED: &str = "1d1c 3a3b 1c1b 3b3a 2d1d 3a3b 1d1c 3b3a 1c2d 3a3b 1b1c 3b3a 1c1d";

    #[test]
    fn the_same_board_seen_by_the_other_side_is_no_repetition() {
        let game = AnimalShogi::parse("val1n").unwrap();
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
