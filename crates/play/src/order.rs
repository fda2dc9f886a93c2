//! Parses the arguments of `go`: the limits of the search, and the condition under which the host wants the move.

use std::time::Duration;

use yomikiri_rules::Side;

use crate::options::MAX_MILLISECONDS;
use crate::protocol::{AfterHit, State};
use crate::{Limits, search};

/// An argument of `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    Infinite,
    Ponder,
    MoveTime,
    Depth,
    Nodes,
    /// The moves to choose among. All words up to the next argument are moves.
    SearchMoves,
    /// The time left on a side's clock.
    Left(Side),
    /// The time that is added to a side's clock for each move.
    Increment(Side),
    Byoyomi,
}

/// The arguments that a protocol knows, each with its name.
pub type KnownArguments = [(&'static str, Argument)];

/// The parsed arguments of a `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoCommand {
    pub limits: Limits,
    /// The state of the engine while it searches: thinking, analysing or pondering.
    pub state: State,
    /// The time for the move after `ponderhit`, if the engine ponders. `None` means no limit.
    pub after_hit: Option<Duration>,
    /// The texts of the moves to choose among; `None` if all moves count.
    pub search_moves: Option<Vec<String>>,
    /// Messages about arguments that were skipped or changed, one line each.
    pub remarks: Vec<String>,
}

/// The settings that determine the time for a move, in addition to the arguments of `go`.
#[derive(Clone, Copy, Debug)]
pub struct TimeSettings {
    pub side: Side,
    /// The time for a move if the arguments set no limit.
    pub move_time: Duration,
    /// The number of moves that the side to move is expected to make until the end of the game.
    pub moves_left: u64,
    /// The part of the time for a move that is reserved for communication with the host.
    pub overhead: Duration,
}

/// The clocks of Black and White, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Clocks {
    left: [u64; 2],
    increment: [u64; 2],
    byoyomi: u64,
    /// True if an argument about clocks was given.
    said: bool,
}

/// The arguments parsed so far.
#[derive(Default)]
struct GoParser<'a> {
    limits: Limits,
    clocks: Clocks,
    infinite: bool,
    ponder: bool,
    search_moves: Option<Vec<String>>,
    /// The names of the numeric arguments parsed so far.
    numbers: Vec<&'a str>,
    /// Successive unknown words that have not been reported yet.
    skipped: Vec<&'a str>,
    remarks: Vec<String>,
}

/// Parses the arguments of `go`. Never fails, because the host waits for a move after every `go`. An unknown word is
/// skipped. A number out of range becomes the nearest number in the range. If an argument is given twice, the last one
/// counts. Each of these cases adds a remark. A negative clock counts as 0, without a remark.
pub fn parse_go(words: &[&str], known: &KnownArguments, usual: &TimeSettings) -> GoCommand {
    let mut reading = GoParser::default();
    let mut rest = words;
    let find = |word: &str| known.iter().find(|(name, _)| *name == word).map(|&(_, argument)| argument);
    while let [word, after @ ..] = rest {
        let argument = find(word);
        let number = after.first().and_then(|text| whole_number(text));
        rest = after;
        match (argument, number) {
            (Some(Argument::Infinite), _) => reading.infinite = true,
            (Some(Argument::Ponder), _) => reading.ponder = true,
            (Some(Argument::SearchMoves), _) => {
                let (moves, others) = after.split_at(after.iter().take_while(|word| find(word).is_none()).count());
                rest = others;
                reading.note_repeated(word, reading.search_moves.is_some());
                reading.search_moves = Some(moves.iter().map(|&mv| mv.into()).collect());
            }
            (Some(argument), Some(number)) => {
                reading.note_repeated(word, reading.numbers.contains(word));
                reading.numbers.push(word);
                reading.take(word, argument, number, after[0]);
                rest = &after[1..];
            }
            _ => {
                reading.skipped.push(word);
                continue;
            }
        }
        reading.tell_skipped();
    }
    reading.tell_skipped();
    reading.order(usual)
}

/// Parses the arguments of `go mate`: a number of milliseconds, `infinite`, or nothing, which means the usual time for
/// a move. Never fails, like [`parse_go`].
pub fn parse_go_mate(words: &[&str], usual: &TimeSettings) -> GoCommand {
    let known = [("infinite", Argument::Infinite), ("mate", Argument::MoveTime)];
    match words {
        [time, rest @ ..] if whole_number(time).is_some() => parse_go(&[&["mate", time], rest].concat(), &known, usual),
        _ => parse_go(words, &known, usual),
    }
}

/// Parses a whole number. A number that does not fit becomes the nearest one that does.
fn whole_number(text: &str) -> Option<i128> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let nearest = if text.starts_with('-') { i128::MIN } else { i128::MAX };
    is_number.then(|| text.parse().unwrap_or(nearest))
}

impl GoParser<'_> {
    fn tell_skipped(&mut self) {
        if !self.skipped.is_empty() {
            self.remarks.push(format!("go: skipped \"{}\"", self.skipped.join(" ")));
            self.skipped.clear();
        }
    }

    fn note_repeated(&mut self, name: &str, is_repeated: bool) {
        if is_repeated {
            self.remarks.push(format!("go: {name} is given twice, used the last one"));
        }
    }

    /// Takes a number. `text` is the number as the host has written it.
    fn take(&mut self, name: &str, argument: Argument, number: i128, text: &str) {
        let least = match argument {
            Argument::Depth | Argument::Nodes => 1,
            _ => 0,
        };
        let most = match argument {
            Argument::Depth => search::MAX_DEPTH.into(),
            Argument::Nodes => u64::MAX,
            _ => MAX_MILLISECONDS,
        };
        let nearest = number.clamp(least, most.into()) as u64;
        let is_clock = !matches!(argument, Argument::Depth | Argument::Nodes | Argument::MoveTime);
        if i128::from(nearest) != number && !(is_clock && number < 0) {
            self.remarks.push(format!("go: {name} {text} is out of range, used {nearest}"));
        }
        self.clocks.said |= is_clock;
        match argument {
            Argument::Infinite | Argument::Ponder | Argument::SearchMoves => {}
            Argument::MoveTime => self.limits.time = Some(Duration::from_millis(nearest)),
            Argument::Depth => self.limits.depth = Some(nearest as u32),
            Argument::Nodes => self.limits.nodes = Some(nearest),
            Argument::Left(side) => *side.pick(self.clocks.left.each_mut()) = nearest,
            Argument::Increment(side) => *side.pick(self.clocks.increment.each_mut()) = nearest,
            Argument::Byoyomi => self.clocks.byoyomi = nearest,
        }
    }

    fn order(mut self, usual: &TimeSettings) -> GoCommand {
        if self.infinite && self.limits != Limits::default() {
            self.remarks.push("go: infinite overrides movetime, depth and nodes".into());
            self.limits = Limits::default();
        }
        let time = match self.limits.time {
            _ if self.infinite => None,
            Some(time) => Some(less(time, usual.overhead)),
            None if self.clocks.said => Some(self.clocks.budget(usual)),
            None if self.limits == Limits::default() => Some(usual.move_time),
            None => None,
        };
        let after = if self.infinite { AfterHit::Endless } else { AfterHit::Limited };
        let state = match (self.ponder, self.infinite) {
            (true, _) => State::Pondering(after),
            (false, true) => State::Analysing,
            (false, false) => State::Thinking,
        };
        let limits = Limits { time: if self.ponder { None } else { time }, ..self.limits };
        let after_hit = time.filter(|_| self.ponder);
        GoCommand { limits, state, after_hit, search_moves: self.search_moves, remarks: self.remarks }
    }
}

impl Clocks {
    /// Returns the time for this move: a share of the time left, plus the increment and byoyomi, minus the overhead.
    /// The time left plus byoyomi is the upper limit, before the overhead is subtracted.
    fn budget(&self, usual: &TimeSettings) -> Duration {
        let (left, anew) = (usual.side.pick(self.left), usual.side.pick(self.increment) + self.byoyomi);
        let most = Duration::from_millis(left + self.byoyomi);
        let share = Duration::from_millis(left / usual.moves_left.max(2) + anew);
        less(share.min(most), usual.overhead)
    }
}

/// Subtracts `overhead` from `time`, but leaves at least a fifth of `time`.
fn less(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::ARGUMENTS;

    fn read(words: &str, side: Side) -> GoCommand {
        let words: Vec<&str> = words.split_whitespace().collect();
        let (move_time, overhead) = (Duration::from_secs(1), Duration::from_millis(50));
        parse_go(&words, &ARGUMENTS, &TimeSettings { side, move_time, moves_left: 10, overhead })
    }

    #[test]
    fn times_are_kept() {
        for (words, black, white) in [
            ("", Some(1000), Some(1000)),
            ("movetime 300", Some(250), Some(250)),
            ("movetime 400", Some(350), Some(350)),
            ("movetime 20", Some(4), Some(4)),
            ("btime 60000 wtime 30000 byoyomi 0", Some(5950), Some(2950)),
            ("btime 0 wtime 0 byoyomi 1000", Some(950), Some(950)),
            ("btime 1000 wtime 2000 binc 500 winc 100", Some(550), Some(250)),
            ("btime 0 wtime 0 byoyomi 300", Some(250), Some(250)),
            ("btime 2400 wtime 1", Some(190), Some(0)),
            ("btime 10 wtime 0", Some(0), Some(0)),
            ("wtime 60000 btime 20", Some(0), Some(5950)),
            ("btime 5000 wtime -20 byoyomi 300", Some(750), Some(250)),
            ("infinite", None, None),
            ("depth 3", None, None),
            ("nodes 7", None, None),
            ("btime 60000 wtime 60000 infinite", None, None),
        ] {
            let time = |side| {
                let GoCommand { limits, remarks, .. } = read(words, side);
                assert_eq!(remarks, [""; 0], "{words}");
                limits.time.map(|time| time.as_millis())
            };
            assert_eq!((time(Side::Black), time(Side::White)), (black, white), "{words}");
        }
    }

    #[test]
    fn limits_go_together() {
        let order = read("depth 5 nodes 1000 movetime 100 ponder", Side::Black);
        assert_eq!(order.limits, Limits { depth: Some(5), nodes: Some(1000), time: None });
        assert_eq!(order.after_hit, Some(Duration::from_millis(50)));
        assert_eq!(order.state, State::Pondering(AfterHit::Limited));
        for (words, state) in [
            ("", State::Thinking),
            ("infinite", State::Analysing),
            ("ponder", State::Pondering(AfterHit::Limited)),
            ("ponder infinite", State::Pondering(AfterHit::Endless)),
        ] {
            assert_eq!(read(words, Side::Black).state, state, "{words}");
        }
    }

    #[test]
    fn moves_end_at_the_next_argument() {
        for (words, moves, depth) in [
            ("depth 3", None, Some(3)),
            ("searchmoves 4n 5n depth 3", Some("4n 5n"), Some(3)),
            ("depth 2 searchmoves nonsense 4n", Some("nonsense 4n"), Some(2)),
            ("searchmoves depth 3", Some(""), Some(3)),
        ] {
            let order = read(words, Side::Black);
            assert_eq!(order.search_moves.map(|moves| moves.join(" ")).as_deref(), moves, "{words}");
            assert_eq!((order.limits.depth, order.remarks), (depth, vec![]), "{words}");
        }
        let order = read("searchmoves 4n infinite", Side::Black);
        assert_eq!((order.state, order.search_moves), (State::Analysing, Some(vec!["4n".into()])));
    }

    #[test]
    fn a_mate_has_a_time() {
        let usual = TimeSettings {
            side: Side::Black,
            move_time: Duration::from_secs(1),
            moves_left: 10,
            overhead: Duration::from_millis(50),
        };
        for (words, time, state, remarks) in [
            ("", Some(1000), State::Thinking, vec![]),
            ("500", Some(450), State::Thinking, vec![]),
            ("infinite", None, State::Analysing, vec![]),
            ("soon", Some(1000), State::Thinking, vec!["go: skipped \"soon\""]),
            (
                "500 infinite now",
                None,
                State::Analysing,
                vec!["go: skipped \"now\"", "go: infinite overrides movetime, depth and nodes"],
            ),
        ] {
            let order = parse_go_mate(&words.split_whitespace().collect::<Vec<_>>(), &usual);
            assert_eq!(order.limits.time.map(|time| time.as_millis()), time, "{words}");
            assert_eq!(
                (order.state, order.remarks),
                (state, remarks.into_iter().map(String::from).collect()),
                "{words}"
            );
        }
    }

    /// Unknown arguments are reported, and all other arguments count.
    #[test]
    fn what_is_not_understood_is_named() {
        let (day, most) = (u64::from(u32::MAX), MAX_MILLISECONDS);
        for (words, rest, remark) in [
            ("btime 5000 wtime 5000 movestogo 10", "btime 5000 wtime 5000", "go: skipped \"movestogo 10\""),
            ("searchmates 4n 5n depth 3", "depth 3", "go: skipped \"searchmates 4n 5n\""),
            ("searchmoves 4n searchmoves 5n", "searchmoves 5n", "go: searchmoves is given twice, used the last one"),
            ("depth", "", "go: skipped \"depth\""),
            ("depth 3 nodes 9 depth 5", "nodes 9 depth 5", "go: depth is given twice, used the last one"),
            ("depth infinite", "infinite", "go: skipped \"depth\""),
            ("movetime 1e3 nodes 5", "nodes 5", "go: skipped \"movetime 1e3\""),
            (
                "depth 99999999999999999999999999999999999999999",
                "depth 100",
                "go: depth 99999999999999999999999999999999999999999 is out of range, used 100",
            ),
            ("depth 0", "depth 1", "go: depth 0 is out of range, used 1"),
            ("movetime -5", "movetime 0", "go: movetime -5 is out of range, used 0"),
            (
                &format!("btime {day}"),
                &format!("btime {most}"),
                &format!("go: btime {day} is out of range, used {most}"),
            ),
            ("infinite depth 3", "infinite", "go: infinite overrides movetime, depth and nodes"),
        ] {
            let expected = GoCommand { remarks: vec![remark.into()], ..read(rest, Side::Black) };
            assert_eq!(read(words, Side::Black), expected, "{words}");
        }
    }
}
