//! Values of positions, from the point of view of the side to move.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

/// One of the two players. Black moves first in every game of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Side {
    /// The side that moves first.
    Black,
    /// The side that moves second.
    White,
}

impl Side {
    /// Returns the other player.
    #[inline]
    pub fn other(self) -> Side {
        self.pick([Side::White, Side::Black])
    }

    /// Returns the first element of the pair for Black, and the second for White.
    #[inline]
    pub fn pick<T>(self, [black, white]: [T; 2]) -> T {
        match self {
            Side::Black => black,
            Side::White => white,
        }
    }

    /// Returns the name of the side in files and messages, in lower case.
    pub fn name(self) -> &'static str {
        self.pick(["black", "white"])
    }

    /// Returns the side to move `ply` plies after the start, in a game without passes.
    #[inline]
    pub fn at_ply(ply: u32) -> Side {
        if ply.is_multiple_of(2) { Side::Black } else { Side::White }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.pick(["Black", "White"]))
    }
}

/// The result of a game for the side to move, ordered from bad to good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Outcome {
    /// Returns the same result from the point of view of the other side.
    pub fn opposite(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// Returns the name in files, JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        }
    }

    /// Returns the outcome for `side` of a game that `winner` has won. If `winner` is `None`, the game is a draw.
    pub fn of_winner(winner: Option<Side>, side: Side) -> Outcome {
        match winner {
            None => Outcome::Draw,
            Some(winner) if winner == side => Outcome::Win,
            Some(_) => Outcome::Loss,
        }
    }

    /// Returns the winner of a game that has this outcome for `mover`, or `None` for a draw.
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
        f.pad(self.name())
    }
}

/// A distance in plies: single moves of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

/// The part of a value besides its outcome. In JSON it is the field `plies` or the field `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Measure {
    /// Plies to the end under best play; `None` for a draw.
    Distance {
        /// The number of plies, or `None` for a draw.
        plies: Option<Plies>,
    },
    /// The score of the side to move; negative if it loses.
    Score {
        /// The margin in points, from -64 to 64.
        score: i8,
    },
}

impl<'de> Deserialize<'de> for Measure {
    // Derived code for an untagged enum would read a missing field `plies` as `None`, and never look for the field
    // `score`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Measure, D::Error> {
        #[derive(Deserialize)]
        struct Fields {
            plies: Option<Plies>,
            score: Option<i8>,
        }
        let Fields { plies, score } = Fields::deserialize(deserializer)?;
        Ok(score.map_or(Measure::Distance { plies }, |score| Measure::Score { score }))
    }
}

impl Measure {
    /// Returns the plies to the end, or `None` for draws and scores.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Measure::Distance { plies } => plies,
            Measure::Score { .. } => None,
        }
    }
}

/// A game-theoretic value from the point of view of the side to move. `Ord` follows that side's preference: greater is
/// better.
pub trait Value: Copy + Ord + fmt::Debug + Send + Sync + 'static {
    /// Returns the result for the side to move, without distance or score.
    fn outcome(self) -> Outcome;

    /// Returns the distance to the end, or the score.
    fn measure(self) -> Measure;

    /// Returns the plies to the end under best play, or `None` for draws and for values without a distance.
    fn plies(self) -> Option<Plies> {
        self.measure().plies()
    }

    /// Turns the value of the position after a move into the value of that move, for the side that made it. A distance
    /// grows by one ply.
    fn of_move(self) -> Self;

    /// Encodes the value as one byte, which is never 0. In tables, a byte of 0 means that the key has no value. Panics
    /// if a distance does not fit the byte.
    fn to_byte(self) -> u8;
}

/// A type whose values all have the same encoding in tables.
pub trait CodedValue: Value {
    /// The encoding of these values in tables. Every table header names the encoding.
    const CODEC: ValueCodec;

    /// Decodes a byte that [`Value::to_byte`] has encoded. Returns `None` for bytes that encode no value.
    fn from_byte(byte: u8) -> Option<Self>;
}

/// A value with a distance to the end. Retrograde analysis computes such values.
pub trait HasDistance: CodedValue {
    /// The largest distance, in plies, that fits the value byte for both wins and losses.
    const MAX_PLIES: u16;

    /// Makes the value with this outcome and a distance to the end of `plies` plies. For a draw, `plies` has no effect.
    /// For a [`ParityDistance`], `plies` must be odd for a win and even for a loss.
    fn of(outcome: Outcome, plies: u16) -> Self;
}

/// The encoding of a table's value bytes. The file header stores the discriminant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ValueCodec {
    /// The codec of [`Distance`]: 1 is a draw, `2 + n` a loss in n plies, `128 + n` a win in n plies.
    Distance = 1,
    /// The codec of [`ParityDistance`]: 1 is a draw, `2 + n` a win in n plies if n is odd, and a loss in n plies if n
    /// is even.
    ParityDistance = 2,
    /// The codec of [`Score`]: `128 + n` is a score of n.
    Score = 3,
}

impl ValueCodec {
    /// Describes the encoding for people: pairs of a byte, or a range of bytes, and its meaning.
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

/// The outcome and the plies to the end. Shorter wins and longer losses are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distance {
    /// The side to move wins in this number of plies.
    Win(Plies),
    /// The side to move loses in this number of plies.
    Loss(Plies),
    /// Neither side wins.
    Draw,
}

impl Distance {
    /// Makes the value with this outcome and a distance to the end of `plies` plies. For a draw, `plies` has no effect.
    pub fn new(outcome: Outcome, plies: u16) -> Distance {
        match outcome {
            Outcome::Win => Distance::Win(Plies(plies)),
            Outcome::Loss => Distance::Loss(Plies(plies)),
            Outcome::Draw => Distance::Draw,
        }
    }

    /// Returns a number that is greater for values that the side to move prefers.
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
    const MAX_PLIES: u16 = 125;

    fn of(outcome: Outcome, plies: u16) -> Self {
        Distance::new(outcome, plies)
    }
}

impl Value for Distance {
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
}

impl CodedValue for Distance {
    const CODEC: ValueCodec = ValueCodec::Distance;

    fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0 => return None,
            1 => Distance::Draw,
            2..=127 => Distance::Loss(Plies(u16::from(byte) - 2)),
            128..=255 => Distance::Win(Plies(u16::from(byte) - 128)),
        })
    }
}

/// The outcome and the plies to the end, for games in which a move can win only for the side that makes it. A win then
/// takes an odd number of plies and a loss an even number, so the plies determine the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParityDistance {
    /// A win if the number of plies is odd, a loss if it is even.
    Decided(Plies),
    /// Neither side wins.
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
    const MAX_PLIES: u16 = 253;

    fn of(outcome: Outcome, plies: u16) -> Self {
        match outcome {
            Outcome::Draw => ParityDistance::Draw,
            Outcome::Win | Outcome::Loss => ParityDistance::Decided(Plies(plies)),
        }
    }
}

impl Value for ParityDistance {
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
                assert!(n.0 <= Self::MAX_PLIES, "a distance of {} plies does not fit the value byte", n.0);
                2 + n.0 as u8
            }
        }
    }
}

impl CodedValue for ParityDistance {
    const CODEC: ValueCodec = ValueCodec::ParityDistance;

    fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => None,
            1 => Some(ParityDistance::Draw),
            byte => Some(ParityDistance::Decided(Plies(u16::from(byte) - 2))),
        }
    }
}

/// The margin by which the side to move wins, from -64 to 64; negative if it loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i8);

impl Score {
    /// The largest score.
    pub const MAX: i8 = 64;

    /// The byte that encodes a score of 0.
    const ZERO: i16 = 128;

    /// Makes a score. Panics if its absolute value is above [`Score::MAX`].
    pub fn new(score: i32) -> Score {
        let most = i32::from(Score::MAX);
        assert!((-most..=most).contains(&score), "a score of {score} does not fit the value byte");
        Score(score as i8)
    }

    /// Returns the score as a number, from -64 to 64.
    pub fn points(self) -> i8 {
        self.0
    }
}

impl Value for Score {
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
}

impl CodedValue for Score {
    const CODEC: ValueCodec = ValueCodec::Score;

    fn from_byte(byte: u8) -> Option<Self> {
        let score = i16::from(byte) - Score::ZERO;
        (score.unsigned_abs() <= Score::MAX as u16).then_some(Score(score as i8))
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
