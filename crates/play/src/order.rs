//! The arguments of `go`: how long a move may take, and when it is wanted.

use std::time::Duration;

use yomikiri_rules::Side;

use crate::options::MOST_MILLISECONDS;
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
    /// What the clock of a side shows.
    Left(Side),
    /// What a side gets for every move.
    Increment(Side),
    Byoyomi,
}

/// The arguments that a protocol has, by their names.
pub type Known = [(&'static str, Argument)];

/// What a `go` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub limits: Limits,
    /// The state of the engine while it searches: thinking, analysing or pondering.
    pub state: State,
    /// Time for the move from `ponderhit` on, after `ponder`; no limit if there is none.
    pub after_hit: Option<Duration>,
    /// What was skipped or changed, a line each.
    pub remarks: Vec<String>,
}

/// What the time of a move depends on besides the arguments.
#[derive(Clone, Copy, Debug)]
pub struct Usual {
    pub side: Side,
    /// Time of a move if the arguments say nothing.
    pub move_time: Duration,
    /// Number of moves that the side to move is likely to make yet.
    pub moves_left: u64,
    /// What a move costs beside thinking.
    pub overhead: Duration,
}

/// What the clocks show, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Clocks {
    left: [u64; 2],
    increment: [u64; 2],
    byoyomi: u64,
    /// Any of this was said.
    said: bool,
}

/// The arguments read so far.
#[derive(Default)]
struct Reading<'a> {
    limits: Limits,
    clocks: Clocks,
    infinite: bool,
    ponder: bool,
    /// Words that are not understood and follow each other.
    skipped: Vec<&'a str>,
    remarks: Vec<String>,
}

/// Reads the arguments of `go`. A host waits for a move whatever it has sent, so nothing is an error: a word that
/// is not understood is skipped, a number beyond its limits becomes the nearest one, and a remark says so. A clock
/// that shows less than nothing shows nothing.
pub fn order(words: &[&str], known: &Known, usual: &Usual) -> Order {
    let mut reading = Reading::default();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let argument = known.iter().find(|(name, _)| name == word).map(|&(_, argument)| argument);
        let number = after.first().and_then(|text| text.parse::<i128>().ok());
        rest = after;
        match (argument, number) {
            (Some(Argument::Infinite), _) => reading.infinite = true,
            (Some(Argument::Ponder), _) => reading.ponder = true,
            (Some(argument), Some(number)) => {
                reading.take(word, argument, number);
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

impl Reading<'_> {
    fn tell_skipped(&mut self) {
        if !self.skipped.is_empty() {
            self.remarks.push(format!("go: skipped \"{}\"", self.skipped.join(" ")));
            self.skipped.clear();
        }
    }

    fn take(&mut self, name: &str, argument: Argument, number: i128) {
        let least = match argument {
            Argument::Depth | Argument::Nodes => 1,
            _ => 0,
        };
        let most = match argument {
            Argument::Depth => search::DEEPEST.into(),
            Argument::Nodes => u64::MAX,
            _ => MOST_MILLISECONDS,
        };
        let nearest = number.clamp(least, most.into()) as u64;
        let is_clock = !matches!(argument, Argument::Depth | Argument::Nodes | Argument::MoveTime);
        if i128::from(nearest) != number && !(is_clock && number < 0) {
            self.remarks.push(format!("go: {name} {number} is beyond its limits, took {nearest}"));
        }
        self.clocks.said |= is_clock;
        match argument {
            Argument::Infinite | Argument::Ponder => {}
            Argument::MoveTime => self.limits.time = Some(Duration::from_millis(nearest)),
            Argument::Depth => self.limits.depth = Some(nearest as u32),
            Argument::Nodes => self.limits.nodes = Some(nearest),
            Argument::Left(side) => *side.pick(self.clocks.left.each_mut()) = nearest,
            Argument::Increment(side) => *side.pick(self.clocks.increment.each_mut()) = nearest,
            Argument::Byoyomi => self.clocks.byoyomi = nearest,
        }
    }

    fn order(mut self, usual: &Usual) -> Order {
        if self.infinite && self.limits != Limits::default() {
            self.remarks.push("go: infinite leaves movetime, depth and nodes without effect".into());
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
        Order { limits, state, after_hit: time.filter(|_| self.ponder), remarks: self.remarks }
    }
}

impl Clocks {
    /// Time for this move: its share of what is left, with what comes anew for every move.
    fn budget(&self, usual: &Usual) -> Duration {
        let (left, anew) = (usual.side.pick(self.left), usual.side.pick(self.increment) + self.byoyomi);
        let most = Duration::from_millis(left + self.byoyomi);
        let share = Duration::from_millis(left / usual.moves_left.max(2) + anew);
        less(share.min(most), usual.overhead)
    }
}

/// A time without the overhead, but at least a fifth of it.
fn less(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::ARGUMENTS;

    fn read(words: &str, side: Side) -> Order {
        let words: Vec<&str> = words.split_whitespace().collect();
        let (move_time, overhead) = (Duration::from_secs(1), Duration::from_millis(50));
        order(&words, &ARGUMENTS, &Usual { side, move_time, moves_left: 10, overhead })
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
                let Order { limits, remarks, .. } = read(words, side);
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

    /// A host waits for a move: what is not understood is named, and the rest counts.
    #[test]
    fn what_is_not_understood_is_named() {
        let (day, most) = (u64::from(u32::MAX), MOST_MILLISECONDS);
        for (words, rest, remark) in [
            ("btime 5000 wtime 5000 movestogo 10", "btime 5000 wtime 5000", "go: skipped \"movestogo 10\""),
            ("searchmoves 4n 5n depth 3", "depth 3", "go: skipped \"searchmoves 4n 5n\""),
            ("depth", "", "go: skipped \"depth\""),
            ("depth infinite", "infinite", "go: skipped \"depth\""),
            ("movetime 1e3 nodes 5", "nodes 5", "go: skipped \"movetime 1e3\""),
            ("depth 0", "depth 1", "go: depth 0 is beyond its limits, took 1"),
            ("movetime -5", "movetime 0", "go: movetime -5 is beyond its limits, took 0"),
            (
                &format!("btime {day}"),
                &format!("btime {most}"),
                &format!("go: btime {day} is beyond its limits, took {most}"),
            ),
            ("infinite depth 3", "infinite", "go: infinite leaves movetime, depth and nodes without effect"),
        ] {
            let expected = Order { remarks: vec![remark.into()], ..read(rest, Side::Black) };
            assert_eq!(read(words, Side::Black), expected, "{words}");
        }
    }
}
