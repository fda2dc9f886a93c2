//! The state machine of an engine, shared by `usi` and `upi`.
//!
//! A host, the program that uses the engine, sends one command a line. It relies on getting exactly one `bestmove` for
//! each `go`, and on getting no `bestmove` before it wants the move:
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
//! While the engine analyses, ponders or holds a move, a new `go`, a `quit` and the end of the input make it send the
//! move, as `stop` does. Otherwise the wait would never end. [`State::react`] is the complete transition table;
//! [`repl`](crate::repl) carries it out.

use super::input::Line;

/// The state of an engine when a line arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The engine is idle and carries out the line at once.
    Idle,
    /// The engine searches with limits. The host wants the move as soon as it is found.
    Thinking,
    /// The engine searches without limits until `stop`.
    Analysing,
    /// The engine searches while the opponent thinks, until `ponderhit` or `stop`.
    Pondering(AfterHit),
    /// The engine holds a move that it has found but that the host does not want yet.
    Holding(Wait),
}

/// The kind of search that pondering becomes at `ponderhit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterHit {
    /// A search with limits, which ends by itself.
    Limited,
    /// A search without limits, like `go infinite`.
    Endless,
}

/// The command that releases a held move. A new `go`, `quit` and the end of the input always release it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// After `go infinite`: `stop` releases the move, and `ponderhit` does not.
    Stop,
    /// After `go ponder`: `stop` or `ponderhit` releases the move. After `go ponder infinite`, `ponderhit` leads to
    /// [`Wait::Stop`] instead.
    Hit(AfterHit),
}

/// The commands that a busy engine reacts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `go`: begins a search.
    Go,
    /// `stop`: ends the search and asks for the move.
    Stop,
    /// `ponderhit`: the opponent has made the expected move.
    PonderHit,
    /// `isready`: asks for `readyok`.
    IsReady,
    /// `quit`: ends the program.
    Quit,
    /// The end of the input, or a read error.
    End,
    /// Any other line.
    Other,
}

/// The reaction of an engine to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Carries out the line immediately, like an idle engine.
    Dispatch,
    /// Leaves the line for later and looks at the lines after it.
    Leave,
    /// Leaves the line and all lines after it until this search has ended.
    LeaveRest,
    /// Drops the line, which has no meaning in this state.
    Drop,
    /// Answers `readyok`.
    SayReady,
    /// Drops the line and sends the move.
    Answer,
    /// Leaves the line for later and sends the move first.
    AnswerFirst,
    /// Leaves the line and all lines after it for later, and sends the move within the time
    /// [`GoCondition::grace`](crate::repl::GoCondition::grace).
    AnswerSoon,
    /// Drops the line and enters the state in this field. If that state has a time limit, its time begins now.
    Become(State),
}

impl State {
    /// Returns the reaction to a command in this state.
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

    /// Returns the state in which the engine is after its search has ended by itself.
    pub fn found(self) -> State {
        match self {
            State::Idle | State::Thinking => State::Idle,
            State::Analysing => State::Holding(Wait::Stop),
            State::Pondering(after) => State::Holding(Wait::Hit(after)),
            State::Holding(wait) => State::Holding(wait),
        }
    }

    /// Returns true if the engine sends no move in this state until another command comes.
    pub fn is_endless(self) -> bool {
        matches!(self, State::Analysing | State::Pondering(_) | State::Holding(_))
    }
}

impl Command {
    /// Returns the command of a line.
    pub fn of(line: &Line) -> Command {
        let text = match line {
            Line::Text(text) | Line::Refused { command: text, .. } => text,
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

    /// Tests every pair of state and command.
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

    /// From every state, a command of the host leads to a move, and no move is sent before the host wants it.
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
        let refused = |command: &str| Line::Refused { why: "is too long".into(), command: command.into() };
        assert_eq!(Command::of(&refused("")), Command::Other);
        assert_eq!(Command::of(&refused("go")), Command::Go);
    }
}
