//! The loop at the prompt: reads and dispatches lines, lets machines move, and shows what happens.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use fluent_bundle::FluentArgs;
use yomikiri_answer::Viewed;
use yomikiri_play::Action;
use yomikiri_play::input::Line;
use yomikiri_rules::{AnyGame, AnyMove, Game, Notation, Presentation, Side, TextError};
use yomikiri_table::Location;

use super::commands::{Command, Mistake, parse};
use super::controller::{GameController, NextStep, SeatKind};
use super::files::{self, NotSaved};
use super::locale::{Locale, variables};
use super::machines::{Machines, Thought};
use super::terminal::{PromptAnswer, Request, Terminal, write};
use super::{highlight, hint};
use crate::CommandResult;
use crate::error::Failure;
use crate::output::shown;

/// The longest word that can be a move or an edit, in bytes.
const LONGEST_WORD: usize = 100;

/// The width of lists of moves, in columns.
const COLUMNS: usize = 76;

/// The next step of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoopStep {
    GoOn,
    Leave,
}

type StepResult = Result<LoopStep, Failure>;

/// A game with its machine players and its terminal.
pub struct Repl<'a> {
    controller: GameController<'a>,
    machines: Machines<'a>,
    /// The folders and addresses of tables.
    location: Location,
    terminal: Terminal,
    locale: Locale,
    /// The remarks that have been shown, each without the text of the position that it names. So a remark is not shown
    /// again for another position.
    told: HashSet<String>,
    /// The picture of the board that was shown last.
    shown: String,
}

impl<'a> Repl<'a> {
    pub fn new(
        controller: GameController<'a>,
        machines: Machines<'a>,
        location: Location,
        terminal: Terminal,
        locale: Locale,
    ) -> Self {
        Repl { controller, machines, location, terminal, locale, told: HashSet::new(), shown: String::new() }
    }

    /// Runs until the person leaves. After a game between machines, it also returns if there is no input to wait for.
    pub fn run(mut self) -> CommandResult {
        self.open()?;
        while self.step()? == LoopStep::GoOn {}
        if self.controller.is_unsaved() && self.controller.seats.has_person() {
            say(&highlight::faint(&self.locale.text("not-saved")))?;
        }
        Ok(())
    }

    fn game(&self) -> &'a AnyGame {
        self.controller.session.game()
    }

    fn open(&mut self) -> CommandResult {
        let game = self.game();
        say(&highlight::strong(&self.locale.opening(&game.code(), game.marks(), self.controller.seats)))?;
        if self.controller.seats.has_person() {
            self.mention("how-to-begin", variables!["move" => self.example()])?;
        }
        self.show_all()
    }

    /// Returns a first move of the game, as an example of the notation.
    fn example(&self) -> String {
        let (game, mut moves) = (self.game(), Vec::new());
        game.moves(&game.start(), &mut moves);
        moves.first().map_or(String::new(), |&mv| game.move_text(mv))
    }

    fn step(&mut self) -> StepResult {
        match self.controller.next() {
            NextStep::Pass(pass) => self.pass(pass),
            NextStep::Person => self.ask(),
            NextStep::Machine(who) => {
                let typed = if self.controller.seats.has_person() { None } else { self.terminal.typed_line()? };
                match typed {
                    Some(Line::Text(line)) => self.dispatch(&line),
                    _ => self.machine_moves(who),
                }
            }
            NextStep::Nothing if !self.controller.seats.has_person() && !self.terminal.has_input_after_game()? => {
                Ok(LoopStep::Leave)
            }
            NextStep::Nothing => self.ask(),
        }
    }

    fn ask(&mut self) -> StepResult {
        let side = self.controller.session.side();
        let prompt = match self.controller.next() {
            NextStep::Nothing => self.locale.text("prompt-at-end"),
            _ => self.locale.format("prompt", variables!["side" => side.name(), "mark" => self.mark(side)]),
        };
        match self.terminal.ask(&format!("{} ", highlight::strong(&prompt)))? {
            PromptAnswer::Line(line) => self.dispatch(&line),
            PromptAnswer::Refused(why) => self.wrong(&TextError::new("line", why)),
            PromptAnswer::Leaves => Ok(LoopStep::Leave),
        }
    }

    fn mark(&self, side: Side) -> &'static str {
        side.pick(self.game().marks())
    }

    fn pass(&mut self, pass: AnyMove) -> StepResult {
        let side = self.controller.session.side();
        self.controller.play(pass);
        self.announce("passes", variables!["side" => side.name()])?;
        self.show_board()?;
        Ok(LoopStep::GoOn)
    }

    /// Lets the player `who` make a move for the side to move, even if the seat of that side belongs to another player.
    fn machine_moves(&mut self, who: SeatKind) -> StepResult {
        let side = self.controller.session.side();
        let Some(thought) = self.think(who, false)? else { return Ok(LoopStep::Leave) };
        let opinion = self.locale.opinion(side, thought.source, thought.score);
        let name = self.controller.play(thought.mv);
        self.announce("plays-knowing", variables!["side" => side.name(), "move" => name, "opinion" => opinion])?;
        self.show_board()?;
        Ok(LoopStep::GoOn)
    }

    /// Lets the player `who` think. If `hurry` is set, the player answers at once. Returns `None` if the person wants
    /// to leave.
    fn think(&mut self, who: SeatKind, hurry: bool) -> Result<Option<Thought>, Failure> {
        let note = self.locale.format("thinks", variables!["side" => self.controller.session.side().name()]);
        if self.terminal.watched {
            write(&highlight::faint(&note))?;
        }
        let alone = !self.controller.seats.has_person();
        let thoughts = self.machines.think(who, &self.controller.session, &mut self.terminal, alone, hurry)?;
        self.terminal.answered = Some(Instant::now());
        if self.terminal.watched {
            // Erases the note. A character takes at most two columns.
            write(&format!("\r{}\r", " ".repeat(2 * note.chars().count())))?;
        }
        for remark in &thoughts.remarks {
            self.remark(remark)?;
        }
        Ok(thoughts.thought)
    }

    /// Shows a remark, unless it has been shown before.
    fn remark(&mut self, remark: &str) -> CommandResult {
        let position = self.game().position_text(self.controller.session.position());
        if self.told.insert(remark.replace(&position, "").trim_end_matches("; searching for a move").into()) {
            self.mention("remark", variables!["remark" => remark])?;
        }
        Ok(())
    }

    /// Shows the board, and the result if the game is over.
    fn show_board(&mut self) -> CommandResult {
        let picture = self.locale.board(self.game(), self.controller.session.position());
        say(&format!("\n{}\n", highlight::changes(&self.shown, &picture)))?;
        self.shown = picture;
        self.show_result()
    }

    /// Shows the last move, then the board.
    fn show_all(&mut self) -> CommandResult {
        if let Some((side, mv)) = self.controller.last_move() {
            self.announce("last-move", variables!["side" => side.name(), "move" => mv])?;
        }
        self.show_board()
    }

    fn show_result(&self) -> CommandResult {
        let verdict = self.controller.verdict();
        verdict.map_or(Ok(()), |verdict| say(&highlight::strong(&self.locale.result(&verdict))))
    }

    /// Parses a line and executes it.
    fn dispatch(&mut self, line: &str) -> StepResult {
        let command = match parse(line) {
            Ok(Command::Move(word)) if word.len() > LONGEST_WORD => Err(Mistake::Unknown(word)),
            parsed => parsed,
        };
        let over = self.controller.next() == NextStep::Nothing;
        match command {
            Err(mistake) => say(&self.locale.mistake(mistake))?,
            Ok(Command::Quit) => return Ok(LoopStep::Leave),
            Ok(Command::Moves | Command::Hint | Command::Go) if over => say(&self.locale.text("game-over"))?,
            Ok(Command::Hint) => return self.hint(),
            Ok(Command::Go) => return self.machine_moves(SeatKind::Computer),
            Ok(Command::Move(word)) => return self.act_on(word),
            Ok(Command::Resign) => return self.act_on("resign"),
            Ok(Command::Draw) => return self.act_on("draw"),
            Ok(Command::Nothing) => {}
            Ok(Command::Moves) => say(&self.legal_moves())?,
            Ok(Command::Undo) => self.undo()?,
            Ok(Command::Redo) => self.redo()?,
            Ok(Command::Board) => self.show_all()?,
            Ok(Command::Position) => say(&self.game().text_with_side(self.controller.session.position()))?,
            Ok(Command::Save { file, overwrite }) => self.save(file, overwrite)?,
            Ok(Command::Load(file)) => self.load(file)?,
            Ok(Command::New(position)) => self.begin(position)?,
            Ok(Command::Seat(side, who)) => {
                self.controller.seats.give(side, who);
                self.tell("seated", variables!["side" => side.name(), "who" => who.word()])?;
            }
            Ok(Command::Stop) => say(&self.locale.text("nobody-thinks"))?,
            Ok(Command::Help) => say(&self.locale.help(&self.example()))?,
        }
        Ok(LoopStep::GoOn)
    }

    /// Makes a move or an edit, or ends the game with `resign` or `draw`.
    fn act_on(&mut self, word: &str) -> StepResult {
        let side = self.controller.session.side();
        let done = match self.controller.act_on(word) {
            Ok(done) => done,
            Err(error) => return self.wrong(&error),
        };
        match self.controller.session.actions().last() {
            Some(Action::Move(_)) => self.announce("plays", variables!["side" => side.name(), "move" => done])?,
            Some(Action::Edit) => self.announce("edited", variables!["edit" => done])?,
            _ => {
                self.show_result()?;
                return Ok(LoopStep::GoOn);
            }
        }
        self.show_board()?;
        Ok(LoopStep::GoOn)
    }

    fn hint(&mut self) -> StepResult {
        let mut request = None;
        let terminal = &mut self.terminal;
        let patient = || {
            request = terminal.request();
            request.is_none()
        };
        let values = hint::values(&self.controller.session, &self.location, patient);
        self.terminal.answered = Some(Instant::now());
        match values {
            _ if request == Some(Request::Quit) => return Ok(LoopStep::Leave),
            Ok(Some((source, moves))) => {
                let mut text = highlight::strong(&self.locale.format("values", variables!["source" => source.word()]));
                for (mv, number) in moves.iter().zip(1..) {
                    text += &format!("\n{number:>4}. {:5} {}", mv.mv, self.locale.worth(mv));
                }
                say(&text)?;
                return Ok(LoopStep::GoOn);
            }
            Ok(None) => {}
            Err(error) => self.remark(&error.to_string())?,
        }
        let side = self.controller.session.side();
        let Some(thought) = self.think(SeatKind::Computer, request.is_some())? else { return Ok(LoopStep::Leave) };
        say(&self.locale.suggestion(side, &self.game().move_text(thought.mv), &thought))?;
        Ok(LoopStep::GoOn)
    }

    fn legal_moves(&self) -> String {
        let names: Vec<String> = self.controller.moves().into_iter().map(|(_, name)| name).collect();
        let wide = 2 + names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut text = highlight::strong(&self.locale.format("legal-moves", variables!["count" => names.len()]));
        for line in names.chunks((COLUMNS / wide).max(1)) {
            let line: String = line.iter().map(|name| format!("{name:wide$}")).collect();
            text += &format!("\n{}", line.trim_end());
        }
        text
    }

    fn undo(&mut self) -> CommandResult {
        match self.controller.undo() {
            None => say(&self.locale.text("nothing-to-undo")),
            Some(actions) => {
                self.tell("undone", variables!["plies" => actions])?;
                self.show_all()
            }
        }
    }

    fn redo(&mut self) -> CommandResult {
        match self.controller.redo()? {
            None => say(&self.locale.text("nothing-to-redo")),
            Some(actions) => {
                self.tell("redone", variables!["plies" => actions])?;
                self.show_all()
            }
        }
    }

    fn save(&mut self, file: Option<&str>, overwrite: bool) -> CommandResult {
        let path = file.map(PathBuf::from).or(self.controller.saved_as.clone());
        let Some(path) = path else { return say(&self.locale.text("which-file")) };
        let own = self.controller.saved_as.as_ref() == Some(&path);
        let name = shown(&path);
        match files::write(&path, &self.controller.record().text(), overwrite || own) {
            Ok(()) => {
                self.controller.note_saved(path);
                self.tell("saved", variables!["file" => name])
            }
            Err(NotSaved::Exists) => self.tell("file-exists", variables!["file" => name]),
            Err(NotSaved::Failed(problem)) => say(&format!("{name}: {problem}")),
        }
    }

    fn load(&mut self, file: &str) -> CommandResult {
        let unsaved = self.controller.is_unsaved();
        let read = files::read(Path::new(file));
        let loaded = read.and_then(|record| self.controller.go_on(&record).map_err(|error| error.to_string()));
        if let Err(problem) = loaded {
            return say(&TextError::new(shown(Path::new(file)), problem).to_string());
        }
        self.mention_loss(unsaved)?;
        self.tell(
            "loaded",
            variables!["file" => shown(Path::new(file)), "plies" => self.controller.session.moves_made()],
        )?;
        self.show_all()
    }

    fn begin(&mut self, position: Option<&str>) -> CommandResult {
        let unsaved = self.controller.is_unsaved();
        if let Err(error) = self.controller.begin(position) {
            return self.wrong(&error).map(|_| ());
        }
        self.mention_loss(unsaved)?;
        say(&self.locale.text("begun"))?;
        self.show_board()
    }

    fn mention_loss(&self, unsaved: bool) -> CommandResult {
        if unsaved { say(&highlight::faint(&self.locale.text("not-saved"))) } else { Ok(()) }
    }

    fn tell(&self, id: &str, variables: FluentArgs) -> CommandResult {
        say(&self.locale.format(id, variables))
    }

    fn announce(&self, id: &str, variables: FluentArgs) -> CommandResult {
        say(&highlight::strong(&self.locale.format(id, variables)))
    }

    fn mention(&self, id: &str, variables: FluentArgs) -> CommandResult {
        say(&highlight::faint(&self.locale.format(id, variables)))
    }

    fn wrong(&self, error: &TextError) -> StepResult {
        self.tell("wrong", variables!["problem" => error.to_string()])?;
        Ok(LoopStep::GoOn)
    }
}

/// Writes a text and a newline.
fn say(text: &str) -> CommandResult {
    write(&format!("{text}\n"))
}
