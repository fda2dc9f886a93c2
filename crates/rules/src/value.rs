//! What a position is worth, always seen by the side to move.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of the two players. Black moves first in every game of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Side {
    Black,
    White,
}

impl Side {
    /// The other player.
    pub fn other(self) -> Side {
        self.pick([Side::White, Side::Black])
    }

    /// Of two things, the one that is this side's: Black's first.
    #[inline]
    pub fn pick<T>(self, [black, white]: [T; 2]) -> T {
        match self {
            Side::Black => black,
            Side::White => white,
        }
    }

    /// The word for it in files and messages.
    pub fn name(self) -> &'static str {
        self.pick(["black", "white"])
    }

    /// The side to move after `ply` plies from the start of a game without passes.
    pub fn at_ply(ply: u32) -> Side {
        if ply.is_multiple_of(2) { Side::Black } else { Side::White }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.pick(["Black", "White"]))
    }
}

/// Result of a game for the side to move; ordered from bad to good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Outcome {
    Loss,
    Draw,
    Win,
}

impl Outcome {
    /// The same result seen by the other side.
    pub fn opposite(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// What a game comes to for a side, by who has won it; `None` is a draw.
    pub fn of_winner(winner: Option<Side>, side: Side) -> Outcome {
        match winner {
            None => Outcome::Draw,
            Some(winner) if winner == side => Outcome::Win,
            Some(_) => Outcome::Loss,
        }
    }

    /// Who wins when `mover` has this outcome; `None` for a draw.
    pub fn winner(self, mover: Side) -> Option<Side> {
        match self {
            Outcome::Win => Some(mover),
            Outcome::Loss => Some(mover.other()),
            Outcome::Draw => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        })
    }
}

/// A distance in single moves (half moves) of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Plies(pub u16);

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.pad("1 ply"),
            n => f.pad(&format!("{n} plies")),
        }
    }
}

/// What a value says beside the outcome; in JSON the field `plies` or the field `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Measure {
    /// Plies to the end under best play; none in a draw.
    Distance { plies: Option<Plies> },
    /// By how much the side to move wins; negative if it loses.
    Score { score: i8 },
}

impl Measure {
    /// Plies to the end, where it says that.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Measure::Distance { plies } => plies,
            Measure::Score { .. } => None,
        }
    }
}

/// A game-theoretic value seen by the side to move. `Ord` is that side's preference: greater is better.
pub trait Value: Copy + Ord + fmt::Debug + Send + Sync + 'static {
    /// Name of the byte code, written into table headers.
    const CODEC: ValueCodec;

    fn outcome(self) -> Outcome;

    fn measure(self) -> Measure;

    /// Distance to the end under best play, where the value has one.
    fn plies(self) -> Option<Plies> {
        self.measure().plies()
    }

    /// From the value of the position after a move to the value of that move for the side that made it.
    fn of_move(self) -> Self;

    /// One byte, never 0 (0 means "no such position" in tables).
    fn to_byte(self) -> u8;

    /// Inverse of [`Value::to_byte`]; `None` for bytes no value has.
    fn from_byte(byte: u8) -> Option<Self>;
}

/// A value that tells how far the end is: what retrograde analysis gives.
pub trait HasDistance: Value {
    /// Most plies a byte has room for.
    const MOST_PLIES: u16;

    /// The value with this outcome, so many plies from the end.
    fn of(outcome: Outcome, plies: u16) -> Self;
}

/// How a table's value bytes are read. The number stands in the file header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ValueCodec {
    /// [`Distance`]: 1 draw, `2 + n` loss in n plies, `128 + n` win in n plies.
    Distance = 1,
    /// [`ParityDistance`]: 1 draw, `2 + n` decided in n plies, won if n is odd.
    ParityDistance = 2,
    /// [`Score`]: `128 + n` for a score of n.
    Score = 3,
}

impl ValueCodec {
    /// What the bytes mean, for people: bytes, then their meaning.
    pub fn meanings(self) -> &'static [(&'static str, &'static str)] {
        match self {
            ValueCodec::Distance => &[
                ("1", "draw"),
                ("2..127", "the side to move loses in (byte - 2) plies"),
                ("128..255", "the side to move wins in (byte - 128) plies"),
            ],
            ValueCodec::ParityDistance => &[
                ("1", "draw"),
                ("2..255", "decided in (byte - 2) plies: the side to move wins if that is odd, else it loses"),
            ],
            ValueCodec::Score => &[("64..192", "the side to move wins by (byte - 128), loses if that is negative")],
        }
    }
}

/// Outcome and number of plies to the end. The winner hurries, the loser delays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distance {
    Win(Plies),
    Loss(Plies),
    Draw,
}

impl Distance {
    /// Win or loss in `plies`; a draw has no distance.
    pub fn new(outcome: Outcome, plies: u16) -> Distance {
        match outcome {
            Outcome::Win => Distance::Win(Plies(plies)),
            Outcome::Loss => Distance::Loss(Plies(plies)),
            Outcome::Draw => Distance::Draw,
        }
    }

    /// Monotone in the side's preference.
    fn preference(self) -> i32 {
        match self {
            Distance::Win(n) => 0x10000 - i32::from(n.0),
            Distance::Draw => 0,
            Distance::Loss(n) => i32::from(n.0) - 0x10000,
        }
    }
}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Distance {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.preference().cmp(&other.preference())
    }
}

impl HasDistance for Distance {
    const MOST_PLIES: u16 = 125;

    fn of(outcome: Outcome, plies: u16) -> Self {
        Distance::new(outcome, plies)
    }
}

impl Value for Distance {
    const CODEC: ValueCodec = ValueCodec::Distance;

    fn outcome(self) -> Outcome {
        match self {
            Distance::Win(_) => Outcome::Win,
            Distance::Loss(_) => Outcome::Loss,
            Distance::Draw => Outcome::Draw,
        }
    }

    fn measure(self) -> Measure {
        Measure::Distance {
            plies: match self {
                Distance::Win(n) | Distance::Loss(n) => Some(n),
                Distance::Draw => None,
            },
        }
    }

    fn of_move(self) -> Self {
        match self {
            Distance::Win(n) => Distance::Loss(Plies(n.0 + 1)),
            Distance::Loss(n) => Distance::Win(Plies(n.0 + 1)),
            Distance::Draw => Distance::Draw,
        }
    }

    fn to_byte(self) -> u8 {
        let small = |n: Plies, limit: u16| {
            assert!(n.0 < limit, "a distance of {} plies does not fit the value byte", n.0);
            n.0 as u8
        };
        match self {
            Distance::Draw => 1,
            Distance::Loss(n) => 2 + small(n, 126),
            Distance::Win(n) => 128 + small(n, 128),
        }
    }

    fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0 => return None,
            1 => Distance::Draw,
            2..=127 => Distance::Loss(Plies(u16::from(byte) - 2)),
            128..=255 => Distance::Win(Plies(u16::from(byte) - 128)),
        })
    }
}

/// Outcome and number of plies to the end in games that only the side that moves can win: a win takes an odd number of
/// plies, a loss an even one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParityDistance {
    /// Won in an odd, lost in an even number of plies.
    Decided(Plies),
    Draw,
}

impl ParityDistance {
    fn distance(self) -> Distance {
        match self {
            ParityDistance::Decided(n) if n.0 % 2 == 1 => Distance::Win(n),
            ParityDistance::Decided(n) => Distance::Loss(n),
            ParityDistance::Draw => Distance::Draw,
        }
    }
}

impl PartialOrd for ParityDistance {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ParityDistance {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.distance().cmp(&other.distance())
    }
}

impl HasDistance for ParityDistance {
    const MOST_PLIES: u16 = 253;

    fn of(outcome: Outcome, plies: u16) -> Self {
        match outcome {
            Outcome::Draw => ParityDistance::Draw,
            Outcome::Win | Outcome::Loss => ParityDistance::Decided(Plies(plies)),
        }
    }
}

impl Value for ParityDistance {
    const CODEC: ValueCodec = ValueCodec::ParityDistance;

    fn outcome(self) -> Outcome {
        self.distance().outcome()
    }

    fn measure(self) -> Measure {
        self.distance().measure()
    }

    fn of_move(self) -> Self {
        match self {
            ParityDistance::Decided(n) => ParityDistance::Decided(Plies(n.0 + 1)),
            ParityDistance::Draw => ParityDistance::Draw,
        }
    }

    fn to_byte(self) -> u8 {
        match self {
            ParityDistance::Draw => 1,
            ParityDistance::Decided(n) => {
                assert!(n.0 <= Self::MOST_PLIES, "a distance of {} plies does not fit the value byte", n.0);
                2 + n.0 as u8
            }
        }
    }

    fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => None,
            1 => Some(ParityDistance::Draw),
            byte => Some(ParityDistance::Decided(Plies(u16::from(byte) - 2))),
        }
    }
}

/// By how much the side to move wins, -64 to 64; negative if it loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i8);

impl Score {
    /// The largest score.
    pub const MOST: i8 = 64;

    /// Byte of a score of 0.
    const ZERO: i16 = 128;

    /// A score; panics beyond [`Score::MOST`].
    pub fn new(score: i32) -> Score {
        let most = i32::from(Score::MOST);
        assert!((-most..=most).contains(&score), "a score of {score} does not fit the value byte");
        Score(score as i8)
    }

    pub fn points(self) -> i8 {
        self.0
    }
}

impl Value for Score {
    const CODEC: ValueCodec = ValueCodec::Score;

    fn outcome(self) -> Outcome {
        match self.0.signum() {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        }
    }

    fn measure(self) -> Measure {
        Measure::Score { score: self.0 }
    }

    fn of_move(self) -> Self {
        Score(-self.0)
    }

    fn to_byte(self) -> u8 {
        (Score::ZERO + i16::from(self.0)) as u8
    }

    fn from_byte(byte: u8) -> Option<Self> {
        let score = i16::from(byte) - Score::ZERO;
        (score.unsigned_abs() <= Score::MOST as u16).then_some(Score(score as i8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_trip() {
        assert_eq!(Distance::from_byte(0), None);
        for byte in 1..=255 {
            assert_eq!(Distance::from_byte(byte).unwrap().to_byte(), byte);
        }
    }

    #[test]
    fn alternating_bytes_round_trip() {
        assert_eq!(ParityDistance::from_byte(0), None);
        for byte in 1..=255 {
            let value = ParityDistance::from_byte(byte).unwrap();
            assert_eq!(value.to_byte(), byte);
            assert_eq!(value.outcome() == Outcome::Win, byte > 1 && byte % 2 == 1);
        }
        let order = [0, 8, 9, 1].map(|n| ParityDistance::Decided(Plies(n)));
        assert!(order.is_sorted());
        assert!(order[1] < ParityDistance::Draw && ParityDistance::Draw < order[2]);
    }

    #[test]
    fn score_bytes_round_trip() {
        for byte in 0..=255 {
            match Score::from_byte(byte) {
                Some(score) => assert_eq!((score.to_byte(), i16::from(score.points())), (byte, i16::from(byte) - 128)),
                None => assert!(!(64..=192).contains(&byte)),
            }
        }
        assert_eq!([-64, 0, 64].map(|score| Score::new(score).to_byte()), [64, 128, 192]);
    }

    #[test]
    fn scores_are_seen_by_the_side_to_move() {
        for (score, outcome) in [(-64, Outcome::Loss), (-1, Outcome::Loss), (0, Outcome::Draw), (64, Outcome::Win)] {
            assert_eq!(Score::new(score).outcome(), outcome);
            assert_eq!(Score::new(score).of_move(), Score::new(-score));
            assert_eq!(Score::new(score).plies(), None);
        }
        assert!(Score::new(-2) < Score::new(-1) && Score::new(3) < Score::new(4));
    }

    #[test]
    fn winner_hurries_and_loser_delays() {
        let order = [
            Distance::Loss(Plies(0)),
            Distance::Loss(Plies(9)),
            Distance::Draw,
            Distance::Win(Plies(8)),
            Distance::Win(Plies(1)),
        ];
        assert!(order.is_sorted());
        assert_eq!(Distance::Loss(Plies(4)).of_move(), Distance::Win(Plies(5)));
    }
}
