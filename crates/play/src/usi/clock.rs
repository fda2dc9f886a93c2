//! How long a move may take.

use std::time::Duration;

use crate::arguments::number;
use crate::options::MOST_MILLISECONDS;
use crate::{Limits, search};
use yomikiri_rules::{Side, TextError};

/// What a `go` asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    pub limits: Limits,
    /// `ponder`: nothing limits the search before `ponderhit`.
    pub ponders: bool,
}

/// What the clocks show, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Clocks {
    left: [u64; 2],
    increment: [u64; 2],
    byoyomi: u64,
    /// Whether any of this was said.
    said: bool,
}

/// Reads the arguments of `go`. `usual` is the time of a move where nothing is said, `moves_left` how many moves the
/// side to move is likely to make yet, `overhead` what a move costs beside thinking.
pub fn order(
    words: &[&str],
    side: Side,
    usual: Duration,
    moves_left: u64,
    overhead: Duration,
) -> Result<Order, TextError> {
    let (mut order, mut clocks, mut endless) = (Order::default(), Clocks::default(), false);
    let mut rest = words;
    while let [word, after @ ..] = rest {
        match *word {
            "infinite" => endless = true,
            "ponder" => order.ponders = true,
            name => {
                let value = after.first().ok_or_else(|| unknown(name))?;
                read(name, value, &mut order.limits, &mut clocks)?;
                rest = &after[1..];
                continue;
            }
        }
        rest = after;
    }
    if endless && order.limits != Limits::default() {
        return Err(TextError::new("go", "infinite goes with no movetime, depth or nodes"));
    }
    let limits = &mut order.limits;
    limits.time = match limits.time {
        _ if endless => None,
        Some(time) => Some(less(time, overhead)),
        None if clocks.said => Some(clocks.budget(side, moves_left, overhead)),
        None if *limits == Limits::default() => Some(usual),
        None => None,
    };
    Ok(order)
}

fn unknown(name: &str) -> TextError {
    let known =
        "movetime, depth, nodes, btime, wtime, byoyomi, binc or winc with a number after it, infinite or ponder";
    TextError::new("go", format!("\"{name}\" is not {known}"))
}

fn read(name: &str, value: &str, limits: &mut Limits, clocks: &mut Clocks) -> Result<(), TextError> {
    let place = match name {
        "depth" => {
            limits.depth = Some(number(name, value, 1..=search::DEEPEST)?);
            return Ok(());
        }
        "nodes" => {
            limits.nodes = Some(number(name, value, 1..=u64::MAX)?);
            return Ok(());
        }
        "movetime" => {
            limits.time = Some(Duration::from_millis(number(name, value, 0..=MOST_MILLISECONDS)?));
            return Ok(());
        }
        "btime" => &mut clocks.left[0],
        "wtime" => &mut clocks.left[1],
        "binc" => &mut clocks.increment[0],
        "winc" => &mut clocks.increment[1],
        "byoyomi" => &mut clocks.byoyomi,
        _ => return Err(unknown(name)),
    };
    *place = number(name, value, 0..=MOST_MILLISECONDS)?;
    clocks.said = true;
    Ok(())
}

impl Clocks {
    /// Time for this move: its share of what is left, with what comes anew for every move.
    fn budget(&self, side: Side, moves_left: u64, overhead: Duration) -> Duration {
        let at = usize::from(side == Side::White);
        let (left, anew) = (self.left[at], self.increment[at] + self.byoyomi);
        let most = Duration::from_millis(left + self.byoyomi);
        let share = Duration::from_millis(left / moves_left.max(2) + anew);
        less(share.min(most), overhead)
    }
}

/// A time without the overhead, but at least a fifth of it.
fn less(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(50);

    fn read_order(words: &str, side: Side) -> Result<Order, String> {
        let words: Vec<&str> = words.split_whitespace().collect();
        order(&words, side, Duration::from_secs(1), 10, OVERHEAD).map_err(|error| error.to_string())
    }

    fn time(words: &str, side: Side) -> Option<u128> {
        read_order(words, side).unwrap().limits.time.map(|time| time.as_millis())
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
            ("infinite", None, None),
            ("depth 3", None, None),
            ("nodes 7", None, None),
            ("btime 60000 wtime 60000 infinite", None, None),
        ] {
            assert_eq!((time(words, Side::Black), time(words, Side::White)), (black, white), "{words}");
        }
    }

    #[test]
    fn limits_go_together() {
        let order = read_order("depth 5 nodes 1000 movetime 100 ponder", Side::Black).unwrap();
        let time = Some(Duration::from_millis(50));
        assert_eq!(order, Order { limits: Limits { depth: Some(5), nodes: Some(1000), time }, ponders: true });
    }

    #[test]
    fn mistakes_are_named() {
        for (words, problem) in [
            ("depth", "go: \"depth\" is not movetime"),
            ("depth 0", "depth: \"0\" is not a number from 1 to"),
            ("movetime -5", "movetime: \"-5\" is not a number"),
            ("nonsense 3", "go: \"nonsense\" is not"),
            ("infinite depth 3", "go: infinite goes with no"),
        ] {
            let error = read_order(words, Side::Black).unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
    }
}
