//! The states of an engine between the commands of a host, shared by `usi` and `upi`.
//!
//! A host sends one command a line and counts on exactly one `bestmove` for each `go`, not before it is wanted:
//!
//! ```text
//!             go ...             the search ends
//!   Idle ─────────────> Thinking ───────────────────────────> Idle     (says bestmove)
//!     │  go infinite                  the search ends
//!     ├────────────────> Analysing ─────────────> Holding(stop) ──stop──> Idle
//!     │  go ponder                    the search ends
//!     └────────────────> Pondering ─────────────> Holding(hit)  ──stop, ponderhit──> Idle
//!                            └──ponderhit──> Thinking, or Analysing after `go ponder infinite`
//! ```
//!
//! A new `go`, `quit` and the end of the input end every wait as `stop` does: nothing else could. [`State::react`] is
//! the whole table; [`repl`](crate::repl) carries it out.

use super::input::Line;

/// What an engine is doing when a line arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing: the line is carried out at once.
    Idle,
    /// Searching within limits, for a move that is wanted as soon as it is found.
    Thinking,
    /// Searching without limits, until it is told to stop.
    Analysing,
    /// Searching while the other side thinks, until `ponderhit` or `stop`.
    Pondering(AfterHit),
    /// A move has been found and is not wanted yet.
    Holding(Wait),
}

/// The kind of search that `ponderhit` turns pondering into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterHit {
    /// One with limits, which ends by itself.
    Limited,
    /// That of `go infinite`.
    Endless,
}

/// The command that a held move waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// `stop`, after `go infinite`.
    Stop,
    /// `ponderhit` or `stop`, after `go ponder`.
    Hit(AfterHit),
}

/// The commands that mean something to an engine that is not idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Go,
    Stop,
    PonderHit,
    IsReady,
    Quit,
    /// The end of the input, or an error while reading it.
    End,
    /// Any other line.
    Other,
}

/// What an engine does about a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Carries it out now, as an idle engine does.
    Dispatch,
    /// Leaves it for later, and looks at the lines behind it.
    Leave,
    /// Leaves it for later, with all lines behind it: they are meant for what it begins.
    LeaveRest,
    /// Drops it: it means nothing here.
    Drop,
    /// Answers `readyok`.
    SayReady,
    /// Drops it and says its move.
    Answer,
    /// Leaves it for later and says its move before.
    AnswerFirst,
    /// Leaves it for later, with all lines behind it, and says its move within the usual time of a move.
    AnswerSoon,
    /// Drops it and goes on in this state: the time of the move begins now.
    Become(State),
}

impl State {
    /// What to do about a command that arrives in this state.
    pub fn react(self, command: Command) -> Reaction {
        use Command::{End, Go, IsReady, Other, PonderHit, Quit, Stop};
        match (self, command) {
            (State::Idle, Stop | PonderHit) => Reaction::Drop,
            (State::Idle, _) => Reaction::Dispatch,
            (_, IsReady) => Reaction::SayReady,
            (_, Stop) => Reaction::Answer,
            (_, Other) => Reaction::Leave,

            (State::Thinking, Go | End) => Reaction::LeaveRest,
            (State::Thinking, Quit) => Reaction::AnswerSoon,
            (_, Go | Quit | End) => Reaction::AnswerFirst,

            (State::Pondering(AfterHit::Limited), PonderHit) => Reaction::Become(State::Thinking),
            (State::Pondering(AfterHit::Endless), PonderHit) => Reaction::Become(State::Analysing),
            (State::Holding(Wait::Hit(AfterHit::Limited)), PonderHit) => Reaction::Answer,
            (State::Holding(Wait::Hit(AfterHit::Endless)), PonderHit) => Reaction::Become(State::Holding(Wait::Stop)),
            (State::Thinking | State::Analysing | State::Holding(Wait::Stop), PonderHit) => Reaction::Drop,
        }
    }

    /// The state after the search has ended by itself.
    pub fn found(self) -> State {
        match self {
            State::Idle | State::Thinking => State::Idle,
            State::Analysing => State::Holding(Wait::Stop),
            State::Pondering(after) => State::Holding(Wait::Hit(after)),
            State::Holding(wait) => State::Holding(wait),
        }
    }

    /// Returns true if nothing but another command ends this state.
    pub fn is_endless(self) -> bool {
        matches!(self, State::Analysing | State::Pondering(_) | State::Holding(_))
    }
}

impl Command {
    /// The command of a line.
    pub fn of(line: &Line) -> Command {
        let text = match line {
            Line::Text(text) => text,
            Line::Refused(_) => return Command::Other,
            Line::End | Line::Failed(_) => return Command::End,
        };
        match text.split_whitespace().next().unwrap_or_default() {
            "go" => Command::Go,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "isready" => Command::IsReady,
            "quit" => Command::Quit,
            _ => Command::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of state and command.
    #[test]
    fn every_pair_has_its_reaction() {
        use Reaction::{Answer, AnswerFirst, AnswerSoon, Become, Dispatch, Drop, Leave, LeaveRest, SayReady};
        let (limited, endless) = (AfterHit::Limited, AfterHit::Endless);
        let hold = |wait| State::Holding(wait);
        let commands = [
            Command::Go,
            Command::Stop,
            Command::PonderHit,
            Command::IsReady,
            Command::Quit,
            Command::End,
            Command::Other,
        ];
        let table = [
            (State::Idle, [Dispatch, Drop, Drop, Dispatch, Dispatch, Dispatch, Dispatch]),
            (State::Thinking, [LeaveRest, Answer, Drop, SayReady, AnswerSoon, LeaveRest, Leave]),
            (State::Analysing, [AnswerFirst, Answer, Drop, SayReady, AnswerFirst, AnswerFirst, Leave]),
            (
                State::Pondering(limited),
                [AnswerFirst, Answer, Become(State::Thinking), SayReady, AnswerFirst, AnswerFirst, Leave],
            ),
            (
                State::Pondering(endless),
                [AnswerFirst, Answer, Become(State::Analysing), SayReady, AnswerFirst, AnswerFirst, Leave],
            ),
            (hold(Wait::Stop), [AnswerFirst, Answer, Drop, SayReady, AnswerFirst, AnswerFirst, Leave]),
            (hold(Wait::Hit(limited)), [AnswerFirst, Answer, Answer, SayReady, AnswerFirst, AnswerFirst, Leave]),
            (
                hold(Wait::Hit(endless)),
                [AnswerFirst, Answer, Become(hold(Wait::Stop)), SayReady, AnswerFirst, AnswerFirst, Leave],
            ),
        ];
        for (state, reactions) in table {
            for (command, reaction) in commands.into_iter().zip(reactions) {
                assert_eq!(state.react(command), reaction, "{state:?}, {command:?}");
            }
        }
    }

    /// Whatever the state, some command of every host ends it, and no move is said before one is wanted.
    #[test]
    fn a_move_is_held_until_it_is_wanted() {
        assert_eq!(State::Thinking.found(), State::Idle);
        assert_eq!(State::Analysing.found(), State::Holding(Wait::Stop));
        for after in [AfterHit::Limited, AfterHit::Endless] {
            assert_eq!(State::Pondering(after).found(), State::Holding(Wait::Hit(after)));
        }
        for state in [State::Analysing, State::Pondering(AfterHit::Limited), State::Pondering(AfterHit::Endless)] {
            assert!(state.is_endless() && state.found().is_endless());
        }
    }

    #[test]
    fn commands_are_read_off_lines() {
        let text = |text: &str| Command::of(&Line::Text(text.into()));
        assert_eq!([text("go infinite"), text(" stop")], [Command::Go, Command::Stop]);
        assert_eq!([text("gone"), text(""), text("position startpos")], [Command::Other; 3]);
        assert_eq!(Command::of(&Line::End), Command::End);
        assert_eq!(Command::of(&Line::Refused("x".into())), Command::Other);
    }
}
