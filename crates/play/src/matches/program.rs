//! A player that is another program and speaks USI.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::seat::{GameError, Halt, PlayerFault, Seat};
use crate::external::process::{NoLine, Process};
use crate::{Action, Limits, Session};
use yomikiri_rules::{Notation, Outcome};

/// The time that a program has to say `usiok` or `readyok`. The program may have to load tables first.
const START: Duration = Duration::from_secs(30);

/// The time that a program has for a move if its time is not limited.
const WITHOUT_CLOCK: Duration = Duration::from_secs(600);

/// The number of successive games lost by faults after which the match ends with an error.
const MAX_FAULTS: u32 = 5;

/// A program as a player. It is started again after a fault.
pub struct Program {
    words: Vec<String>,
    limits: Limits,
    /// The time that the program has to get ready.
    start: Duration,
    /// The time by which the program may exceed its time limit before a move is late.
    grace: Duration,
    process: Option<Process>,
    /// The fault that lost the last game, or `None` if the last game had no fault.
    fault: Option<PlayerFault>,
    faults: u32,
}

impl Program {
    /// Starts the program with the command line `words`. If the program does not speak USI, returns
    /// [`GameError::Program`], which ends the match. A later fault only loses a game.
    pub fn start(words: &[String], limits: Limits, grace: Duration, stop: &AtomicBool) -> Result<Program, Halt> {
        let (words, start) = (words.to_vec(), START);
        let mut program = Program { words, limits, start, grace, process: None, fault: None, faults: 0 };
        match program.make_ready(stop) {
            Err(Halt::Fault(fault)) => Err(GameError::Program { program: program.name(), fault }.into()),
            Err(halt) => Err(halt),
            Ok(()) => Ok(program),
        }
    }

    fn name(&self) -> String {
        self.words[0].clone()
    }

    /// Counts and keeps the fault if `halt` is one. Returns `halt` unchanged.
    fn noted(&mut self, halt: Halt) -> Halt {
        if let Halt::Fault(fault) = &halt {
            self.fault = Some(fault.clone());
            self.faults += 1;
        }
        halt
    }

    /// Starts the process if it is not running, and waits until it is ready.
    fn make_ready(&mut self, stop: &AtomicBool) -> Result<(), Halt> {
        if self.process.is_none() {
            let unready = |why: String| Halt::Fault(PlayerFault::Unready(why));
            let process =
                Process::start(&self.words).map_err(|error| unready(format!("cannot be started: {error}")))?;
            self.process = Some(process);
            self.ask("usi", "usiok", stop)?;
        }
        self.ask("isready", "readyok", stop)
    }

    fn send(&self, line: &str) {
        if let Some(process) = &self.process {
            process.send(line);
        }
    }

    /// Sends a line and waits for the answer `word`. Skips other lines.
    fn ask(&mut self, line: &str, word: &str, stop: &AtomicBool) -> Result<(), Halt> {
        let found = |text: &str| (text.trim() == word).then_some(());
        let start = self.start;
        self.exchange(&[line], start, stop, found).map_err(|silence| match silence {
            NoLine::Stopped => Halt::Stopped,
            NoLine::Late => {
                Halt::Fault(PlayerFault::Unready(format!("did not say {word} within {} ms", start.as_millis())))
            }
            NoLine::Ended => Halt::Fault(PlayerFault::Unready(format!("ended without saying {word}"))),
        })
    }

    /// Sends lines and waits at most `time` for a line for which `wanted` returns a value. Returns that value. On an
    /// error, ends the program.
    fn exchange<T>(
        &mut self,
        lines: &[&str],
        time: Duration,
        stop: &AtomicBool,
        wanted: impl Fn(&str) -> Option<T>,
    ) -> Result<T, NoLine> {
        let mut process = self.process.take().ok_or(NoLine::Ended)?;
        process.forget();
        lines.iter().for_each(|line| process.send(line));
        let answer = process.wait_for(time, stop, wanted)?;
        self.process = Some(process);
        Ok(answer)
    }

    /// Asks for a move and returns the word after `bestmove`. Waits for `readyok` first, so that a second `bestmove`
    /// for the previous move is not taken for the answer.
    fn best_move(&mut self, session: &Session, stop: &AtomicBool) -> Result<String, Halt> {
        self.ask("isready", "readyok", stop)?;
        let position = match session.words() {
            [] => "position startpos".into(),
            words => format!("position startpos moves {}", words.join(" ")),
        };
        let time = self.limits.time.map_or(WITHOUT_CLOCK, |time| time + self.grace);
        self.exchange(&[&position, &go(self.limits)], time, stop, read_best_move).map_err(|silence| match silence {
            NoLine::Stopped => Halt::Stopped,
            NoLine::Late => Halt::Fault(PlayerFault::Late(time)),
            NoLine::Ended => Halt::Fault(PlayerFault::Ended),
        })
    }
}

/// Returns the `go` command with the limits.
fn go(Limits { depth, nodes, time }: Limits) -> String {
    let time = time.map(|time| format!(" movetime {}", time.as_millis()));
    let depth = depth.map(|depth| format!(" depth {depth}"));
    let nodes = nodes.map(|nodes| format!(" nodes {nodes}"));
    format!("go{}", [time, depth, nodes].into_iter().flatten().collect::<String>())
}

/// Returns the word after `bestmove`, or an empty word if there is none. Returns `None` for other lines.
fn read_best_move(line: &str) -> Option<String> {
    /// The maximum number of characters of the word that are kept. No move is as long as that.
    const LONGEST: usize = 20;
    let mut words = line.split_whitespace();
    let is_answer = words.next() == Some("bestmove");
    is_answer.then(|| words.next().unwrap_or_default().chars().take(LONGEST).collect())
}

impl Seat for Program {
    fn begin(&mut self, _: u64, stop: &AtomicBool) -> Result<(), Halt> {
        let last = self.fault.take();
        if let Some(last) = last.filter(|_| self.faults >= MAX_FAULTS) {
            return Err(GameError::Faults { program: self.name(), games: MAX_FAULTS, last }.into());
        }
        self.make_ready(stop).map_err(|halt| self.noted(halt))?;
        self.send("usinewgame");
        Ok(())
    }

    fn answer(&mut self, session: &Session, stop: &AtomicBool) -> Result<Action, Halt> {
        let word = self.best_move(session, stop).map_err(|halt| self.noted(halt))?;
        if word == "resign" {
            return Ok(Action::Resign);
        }
        let mv = session.game().parse_move(session.position(), &word);
        mv.map(Action::Move).map_err(|_| self.noted(Halt::Fault(PlayerFault::Illegal(word))))
    }

    fn end(&mut self, outcome: Outcome) {
        if self.fault.is_none() {
            self.faults = 0;
        }
        let word = match outcome {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "lose",
        };
        self.send(&format!("gameover {word}"));
    }
}

/// Tells the program to quit.
impl Drop for Program {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_never_gets_ready_is_not_waited_for() {
        for script in ["sleep 1000", "while :; do echo id; done", "read a; echo usiok; cat > /dev/null"] {
            let words = ["sh", "-c", script].map(String::from).to_vec();
            let start = Duration::from_millis(200);
            let (limits, grace) = (Limits::default(), start);
            let mut program = Program { words, limits, start, grace, process: None, fault: None, faults: 0 };
            let halt = program.make_ready(&AtomicBool::new(false)).unwrap_err();
            let Halt::Fault(PlayerFault::Unready(why)) = halt else { panic!("{halt:?}") };
            assert!(why.starts_with("did not say ") && why.ends_with("ok within 200 ms"), "{why}");
            assert!(program.process.is_none());
        }
    }

    #[test]
    fn what_limits_the_program_is_in_the_command() {
        let limits = Limits { depth: Some(3), nodes: None, time: Some(Duration::from_millis(250)) };
        assert_eq!(go(limits), "go movetime 250 depth 3");
        assert_eq!(go(Limits { nodes: Some(7), ..Limits::default() }), "go nodes 7");
        assert_eq!(read_best_move("bestmove 4n ponder 2n\r\n"), Some("4n".into()));
        assert_eq!([read_best_move("bestmove"), read_best_move("info bestmove 4n")], [Some(String::new()), None]);
    }
}
