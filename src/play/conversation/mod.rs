//! Who is asked, and what is said; `obey` is what lines do.

mod obey;

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Instant;

use yomikiri_play::input::Line;
use yomikiri_rules::game::TextError;
use yomikiri_rules::value::Side;
use yomikiri_solve::evaluate::Playable;

use super::phrases::Phrases;
use super::seats::Who;
use super::talk::{Next, Talk};
use super::terminal::{Asked, Terminal, write};
use super::thinking::{Machines, Thought};
use super::{marking, style};
use crate::Done;
use crate::error::Failure;

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    GoOn,
    Leave,
}

type Answer = Result<Then, Failure>;

/// A game, the machines at it, and somebody at a terminal.
pub struct Conversation<'a, G: Playable> {
    talk: Talk<'a, G>,
    machines: Machines<'a, G>,
    /// Folder of tables.
    folder: PathBuf,
    terminal: Terminal,
    phrases: &'static dyn Phrases,
    /// Remarks that have been made, without the positions in them and without what comes of them.
    told: HashSet<String>,
    /// The picture of the board that was shown last.
    shown: String,
}

impl<'a, G: Playable> Conversation<'a, G> {
    pub fn new(
        talk: Talk<'a, G>,
        machines: Machines<'a, G>,
        folder: PathBuf,
        terminal: Terminal,
        phrases: &'static dyn Phrases,
    ) -> Self {
        Conversation { talk, machines, folder, terminal, phrases, told: HashSet::new(), shown: String::new() }
    }

    /// Plays and obeys until somebody leaves, or a game that nobody looks at is over.
    pub fn run(mut self) -> Done {
        self.open()?;
        while self.step()? == Then::GoOn {}
        if self.talk.unsaved && self.talk.seats.has_person() {
            say(&style::faint(self.phrases.not_saved()))?;
        }
        Ok(())
    }

    fn game(&self) -> &'a G {
        self.talk.session.game()
    }

    fn open(&mut self) -> Done {
        let game = self.game();
        say(&style::strong(&self.phrases.opening(&game.code(), game.marks(), self.talk.seats)))?;
        if self.talk.seats.has_person() {
            say(&style::faint(&self.phrases.how_to_begin(&self.example())))?;
        }
        self.show_all()
    }

    /// A move to show how moves are written.
    fn example(&self) -> String {
        let (game, mut moves) = (self.game(), Vec::new());
        game.moves(&game.start(), &mut moves);
        moves.first().map_or(String::new(), |&mv| game.move_text(mv))
    }

    fn step(&mut self) -> Answer {
        match self.talk.next() {
            Next::Pass(pass) => self.pass(pass),
            Next::Person => self.ask(),
            Next::Machine(who) => {
                let typed = if self.talk.seats.has_person() { None } else { self.terminal.typed_line()? };
                match typed {
                    Some(Line::Text(line)) => self.obey(&line),
                    _ => self.machine_moves(who),
                }
            }
            Next::Nothing if !self.talk.seats.has_person() && !self.terminal.has_somebody()? => Ok(Then::Leave),
            Next::Nothing => self.ask(),
        }
    }

    fn ask(&mut self) -> Answer {
        let side = self.talk.session.side();
        let prompt = match self.talk.next() {
            Next::Nothing => self.phrases.prompt_at_end().to_string(),
            _ => self.phrases.prompt(side, self.mark(side)),
        };
        match self.terminal.ask(&format!("{} ", style::strong(&prompt)))? {
            Asked::Line(line) => self.obey(&line),
            Asked::Refused(why) => self.wrong(&TextError::new("line", why)),
            Asked::Leaves => Ok(Then::Leave),
        }
    }

    fn mark(&self, side: Side) -> &'static str {
        let [black, white] = self.game().marks();
        if side == Side::Black { black } else { white }
    }

    fn pass(&mut self, pass: G::Move) -> Answer {
        let side = self.talk.session.side();
        self.talk.play(pass);
        say(&style::strong(&self.phrases.passes(side)))?;
        self.show_board()?;
        Ok(Then::GoOn)
    }

    /// Lets a machine move, whosever seat it is.
    fn machine_moves(&mut self, who: Who) -> Answer {
        let side = self.talk.session.side();
        let Some(thought) = self.think(who, false)? else { return Ok(Then::Leave) };
        let opinion = self.phrases.opinion(side, thought.source, thought.score);
        let name = self.talk.play(thought.mv);
        say(&style::strong(&self.phrases.plays_knowing(side, &name, &opinion)))?;
        self.show_board()?;
        Ok(Then::GoOn)
    }

    /// What a machine thinks, at once if there is a `hurry`; none if somebody wants to leave.
    fn think(&mut self, who: Who, hurry: bool) -> Result<Option<Thought<G::Move>>, Failure> {
        let note = self.phrases.thinks(self.talk.session.side());
        if self.terminal.watched {
            write(&style::faint(&note))?;
        }
        let alone = !self.talk.seats.has_person();
        let thoughts = self.machines.think(who, &self.talk.session, &mut self.terminal, alone, hurry)?;
        self.terminal.answered = Some(Instant::now());
        if self.terminal.watched {
            // Letters take two columns at most.
            write(&format!("\r{}\r", " ".repeat(2 * note.chars().count())))?;
        }
        for remark in &thoughts.remarks {
            self.remark(remark)?;
        }
        Ok(thoughts.thought)
    }

    /// Says what has not been said yet.
    fn remark(&mut self, remark: &str) -> Done {
        let position = self.game().position_text(self.talk.session.position());
        if self.told.insert(remark.replace(&position, "").trim_end_matches(": searching").into()) {
            say(&style::faint(&self.phrases.remark(remark)))?;
        }
        Ok(())
    }

    /// The board, and how the game ended if it has.
    fn show_board(&mut self) -> Done {
        let picture = self.game().board_text(self.talk.session.position());
        say(&format!("\n{}\n", marking::marked(&self.shown, &picture)))?;
        self.shown = picture;
        self.show_result()
    }

    /// [`Self::show_board`] after the last move.
    fn show_all(&mut self) -> Done {
        if let Some((side, mv)) = self.talk.last_move() {
            say(&style::strong(&self.phrases.last_move(side, mv)))?;
        }
        self.show_board()
    }

    fn show_result(&self) -> Done {
        let verdict = self.talk.verdict();
        verdict.map_or(Ok(()), |verdict| say(&style::strong(&self.phrases.result(&verdict))))
    }
}

/// Writes lines.
fn say(text: &str) -> Done {
    write(&format!("{text}\n"))
}
