//! What lines do.

use std::path::{Path, PathBuf};
use std::time::Instant;

use yomikiri_play::Action;
use yomikiri_rules::game::TextError;
use yomikiri_solve::evaluate::Playable;

use super::{Answer, Conversation, Then, say};
use crate::Done;
use crate::play::commands::{Command, Mistake, parse};
use crate::play::files::{self, NotSaved};
use crate::play::seats::Who;
use crate::play::talk::Next;
use crate::play::terminal::Wish;
use crate::play::{hint, style};

/// Letters of the longest word that can be a move or an edit.
const LONGEST_WORD: usize = 100;

/// Columns that lists of moves fill.
const COLUMNS: usize = 76;

impl<G: Playable> Conversation<'_, G> {
    pub(super) fn obey(&mut self, line: &str) -> Answer {
        let command = match parse(line) {
            Ok(Command::Move(word)) if word.len() > LONGEST_WORD => Err(Mistake::Unknown(word)),
            parsed => parsed,
        };
        let over = self.talk.next() == Next::Nothing;
        match command {
            Err(mistake) => say(&self.phrases.mistake(mistake))?,
            Ok(Command::Quit) => return Ok(Then::Leave),
            Ok(Command::Moves | Command::Hint | Command::Go) if over => say(self.phrases.game_over())?,
            Ok(Command::Hint) => return self.hint(),
            Ok(Command::Go) => return self.machine_moves(Who::Computer),
            Ok(Command::Move(word)) => return self.act_on(word),
            Ok(Command::Resign) => return self.act_on("resign"),
            Ok(Command::Draw) => return self.act_on("draw"),
            Ok(Command::Nothing) => {}
            Ok(Command::Moves) => say(&self.legal_moves())?,
            Ok(Command::Undo) => self.undo()?,
            Ok(Command::Redo) => self.redo()?,
            Ok(Command::Board) => self.show_all()?,
            Ok(Command::Position) => say(&self.game().position_text(self.talk.session.position()))?,
            Ok(Command::Save { file, overwrite }) => self.save(file, overwrite)?,
            Ok(Command::Load(file)) => self.load(file)?,
            Ok(Command::New(position)) => self.begin(position)?,
            Ok(Command::Seat(side, who)) => {
                self.talk.seats.give(side, who);
                say(&self.phrases.seated(side, who))?;
            }
            Ok(Command::Stop) => say(self.phrases.nobody_thinks())?,
            Ok(Command::Help) => say(&self.phrases.help(&self.example()))?,
        }
        Ok(Then::GoOn)
    }

    /// A move, an edit, `resign` or `draw`.
    fn act_on(&mut self, word: &str) -> Answer {
        let side = self.talk.session.side();
        let done = match self.talk.act_on(word) {
            Ok(done) => done,
            Err(error) => return self.wrong(&error),
        };
        match self.talk.session.actions().last() {
            Some(Action::Move(_)) => say(&style::strong(&self.phrases.plays(side, &done)))?,
            Some(Action::Edit) => say(&style::strong(&self.phrases.edited(&done)))?,
            _ => {
                self.show_result()?;
                return Ok(Then::GoOn);
            }
        }
        self.show_board()?;
        Ok(Then::GoOn)
    }

    fn hint(&mut self) -> Answer {
        let mut wish = None;
        let terminal = &mut self.terminal;
        let patient = || {
            wish = terminal.wish();
            wish.is_none()
        };
        let values = hint::values(&self.talk.session, &self.folder, patient);
        self.terminal.answered = Some(Instant::now());
        match values {
            _ if wish == Some(Wish::Quit) => return Ok(Then::Leave),
            Ok(Some((source, moves))) => {
                let mut text = style::strong(&self.phrases.values(source));
                for (mv, number) in moves.iter().zip(1..) {
                    text += &format!("\n{number:>4}. {:5} {}", mv.mv, self.phrases.worth(mv));
                }
                say(&text)?;
                return Ok(Then::GoOn);
            }
            Ok(None) => {}
            Err(error) => self.remark(&error.to_string())?,
        }
        let side = self.talk.session.side();
        let Some(thought) = self.think(Who::Computer, wish.is_some())? else { return Ok(Then::Leave) };
        let opinion = self.phrases.opinion(side, thought.source, thought.score);
        say(&self.phrases.best(&self.game().move_text(thought.mv), &opinion))?;
        Ok(Then::GoOn)
    }

    fn legal_moves(&self) -> String {
        let names: Vec<String> = self.talk.moves().into_iter().map(|(_, name)| name).collect();
        let wide = 2 + names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut text = style::strong(&self.phrases.legal_moves(names.len()));
        for line in names.chunks((COLUMNS / wide).max(1)) {
            let line: String = line.iter().map(|name| format!("{name:wide$}")).collect();
            text += &format!("\n{}", line.trim_end());
        }
        text
    }

    fn undo(&mut self) -> Done {
        match self.talk.undo() {
            None => say(self.phrases.nothing_to_undo()),
            Some(actions) => {
                say(&self.phrases.undone(actions))?;
                self.show_all()
            }
        }
    }

    fn redo(&mut self) -> Done {
        match self.talk.redo()? {
            None => say(self.phrases.nothing_to_redo()),
            Some(actions) => {
                say(&self.phrases.redone(actions))?;
                self.show_all()
            }
        }
    }

    fn save(&mut self, file: Option<&str>, overwrite: bool) -> Done {
        let path = file.map(PathBuf::from).or(self.talk.saved_as.clone());
        let Some(path) = path else { return say(self.phrases.which_file()) };
        let own = self.talk.saved_as.as_ref() == Some(&path);
        let name = shown(&path);
        match files::write(&path, &self.talk.record().text(), overwrite || own) {
            Ok(()) => {
                self.talk.unsaved = false;
                self.talk.saved_as = Some(path);
                say(&self.phrases.saved(&name))
            }
            Err(NotSaved::Exists) => say(&self.phrases.file_exists(&name)),
            Err(NotSaved::Failed(problem)) => say(&format!("{name}: {problem}")),
        }
    }

    fn load(&mut self, file: &str) -> Done {
        let unsaved = self.talk.unsaved;
        let read = files::read(Path::new(file));
        let loaded = read.and_then(|record| self.talk.go_on(&record).map_err(|error| error.to_string()));
        if let Err(problem) = loaded {
            return say(&TextError::new(file, problem).to_string());
        }
        self.mention_loss(unsaved)?;
        say(&self.phrases.loaded(&shown(Path::new(file)), self.talk.session.moves_made()))?;
        self.show_all()
    }

    fn begin(&mut self, position: Option<&str>) -> Done {
        let unsaved = self.talk.unsaved;
        if let Err(error) = self.talk.begin(position) {
            return self.wrong(&error).map(|_| ());
        }
        self.mention_loss(unsaved)?;
        say(self.phrases.begun())?;
        self.show_board()
    }

    fn mention_loss(&self, unsaved: bool) -> Done {
        if unsaved { say(&style::faint(self.phrases.not_saved())) } else { Ok(()) }
    }

    pub(super) fn wrong(&self, error: &TextError) -> Answer {
        say(&self.phrases.wrong(&error.to_string()))?;
        Ok(Then::GoOn)
    }
}

/// The name of a file without what a terminal would obey.
fn shown(path: &Path) -> String {
    path.display().to_string().chars().filter(|letter| !letter.is_control()).collect()
}
