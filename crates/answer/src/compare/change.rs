//! The kinds of change of a position's value between two variants.

use std::cmp::Ordering;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use yomikiri_rules::{AnyValue, Measure, Outcome, Value, ValueCodec};

/// The change of a position's value from the first variant to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueChange {
    /// A different outcome.
    Outcome {
        /// The outcome in the first variant.
        from: Outcome,
        /// The outcome in the second variant.
        to: Outcome,
    },
    /// The same outcome in both variants, in fewer plies in the second.
    Sooner(Outcome),
    /// The same outcome in both variants, in more plies in the second.
    Later(Outcome),
    /// The same outcome in both variants, with a higher score for the side to move in the second.
    Higher(Outcome),
    /// The same outcome in both variants, with a lower score for the side to move in the second.
    Lower(Outcome),
    /// The second variant does not have the position.
    OnlyFirst,
    /// The first variant does not have the position.
    OnlySecond,
}

use Outcome::{Draw, Loss, Win};

impl ValueChange {
    /// The number of kinds of change between distances, which is also the number of kinds of change between scores.
    pub const KINDS: usize = 12;

    /// Returns all kinds of change between values that `codec` encodes, in display order.
    pub fn kinds(codec: ValueCodec) -> [ValueChange; ValueChange::KINDS] {
        let [better, worse]: [fn(Outcome) -> ValueChange; 2] = match codec {
            ValueCodec::Distance | ValueCodec::ParityDistance => [ValueChange::Sooner, ValueChange::Later],
            ValueCodec::Score => [ValueChange::Higher, ValueChange::Lower],
        };
        [
            ValueChange::Outcome { from: Win, to: Draw },
            ValueChange::Outcome { from: Win, to: Loss },
            ValueChange::Outcome { from: Draw, to: Win },
            ValueChange::Outcome { from: Draw, to: Loss },
            ValueChange::Outcome { from: Loss, to: Win },
            ValueChange::Outcome { from: Loss, to: Draw },
            better(Win),
            worse(Win),
            better(Loss),
            worse(Loss),
            ValueChange::OnlyFirst,
            ValueChange::OnlySecond,
        ]
    }

    /// Returns the change from a position's value in the first variant to its value in the second. An element of
    /// `values` is `None` if its variant does not have the position. Returns `None` if both elements are equal.
    pub fn between<V: Value>(values: [Option<V>; 2]) -> Option<ValueChange> {
        let [first, second] = match values {
            [Some(first), Some(second)] => [first, second],
            [Some(_), None] => return Some(ValueChange::OnlyFirst),
            [None, Some(_)] => return Some(ValueChange::OnlySecond),
            [None, None] => return None,
        };
        let (from, to) = (first.outcome(), second.outcome());
        if from != to {
            return Some(ValueChange::Outcome { from, to });
        }
        ValueChange::of_measure(from, first.measure(), second.measure())
    }

    /// Returns the change from the plies or score of the first value to those of the second. Both values have the
    /// outcome `outcome`. Returns `None` if the values are equal.
    fn of_measure(outcome: Outcome, first: Measure, second: Measure) -> Option<ValueChange> {
        let [less, greater]: [fn(Outcome) -> ValueChange; 2] = match first {
            Measure::Distance { .. } => [ValueChange::Later, ValueChange::Sooner],
            Measure::Score { .. } => [ValueChange::Higher, ValueChange::Lower],
        };
        let order = match (first, second) {
            (Measure::Score { score: first }, Measure::Score { score: second }) => first.cmp(&second),
            _ => first.plies().cmp(&second.plies()),
        };
        match order {
            Ordering::Less => Some(less(outcome)),
            Ordering::Equal => None,
            Ordering::Greater => Some(greater(outcome)),
        }
    }

    /// Returns the sort key of a pair of values, which orders the pairs with the same change. Lower keys are shown
    /// first. For distances, the key is the sum of the plies of both values. For scores, a greater difference gives a
    /// lower key.
    fn sort_key<V: Value>(values: [Option<V>; 2]) -> u16 {
        let [first, second] = values.map(|value| value.map(Value::measure));
        match (first, second) {
            (Some(Measure::Score { score: first }), Some(Measure::Score { score: second })) => {
                u16::MAX - u16::from(first.abs_diff(second))
            }
            _ => {
                let plies = [first, second].into_iter().flatten().filter_map(Measure::plies).map(|plies| plies.0);
                // A draw has no plies. If only one variant has the position, a draw counts as farthest from the end.
                plies.reduce(|a, b| a + b).unwrap_or(u16::MAX)
            }
        }
    }

    /// Returns the name of the change in JSON, such as `win_to_loss`.
    pub fn name(self) -> String {
        match self {
            ValueChange::Outcome { from, to } => format!("{from}_to_{to}"),
            ValueChange::Sooner(outcome) => format!("{outcome}_sooner"),
            ValueChange::Later(outcome) => format!("{outcome}_later"),
            ValueChange::Higher(outcome) => format!("{outcome}_higher"),
            ValueChange::Lower(outcome) => format!("{outcome}_lower"),
            ValueChange::OnlyFirst => "only_first".into(),
            ValueChange::OnlySecond => "only_second".into(),
        }
    }
}

impl Serialize for ValueChange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for ValueChange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ValueChange, D::Error> {
        let name = String::deserialize(deserializer)?;
        let mut kinds = [ValueCodec::Distance, ValueCodec::Score].into_iter().flat_map(ValueChange::kinds);
        kinds.find(|kind| kind.name() == name).ok_or_else(|| D::Error::custom(format!("\"{name}\" is not a change")))
    }
}

/// Returns the index of a pair of value bytes in a list of all 65,536 pairs. The pair has the byte of a position in the
/// table of the first variant, then its byte in the table of the second. A byte is 0 if its variant does not have the
/// position.
#[inline]
pub fn pair_index(bytes: [u8; 2]) -> usize {
    usize::from(u16::from_be_bytes(bytes))
}

/// Returns the pair of value bytes whose [`pair_index`] is `place`.
pub fn pair_at_index(place: usize) -> [u8; 2] {
    (place as u16).to_be_bytes()
}

/// The change of value for each pair of value bytes, one from the table of each variant, and the order in which example
/// positions are shown.
pub struct Ranking {
    /// The kinds of change of the values ([`ValueChange::kinds`]).
    pub kinds: [ValueChange; ValueChange::KINDS],
    /// Indexed by [`pair_index`]. Each element is an index into `kinds` and a sort key among changes of that kind, or
    /// `None` if the values are equal. Lower sort keys are shown first.
    ranks: Vec<Option<(u8, u16)>>,
}

impl Ranking {
    /// Creates the ranking of the changes between values that `codec` encodes.
    pub fn new(codec: ValueCodec) -> Ranking {
        let kinds = ValueChange::kinds(codec);
        let rank = |place: usize| {
            let values = pair_at_index(place).map(|byte| AnyValue::from_byte(codec, byte));
            let change = ValueChange::between(values)?;
            let number = kinds.iter().position(|&known| known == change)?;
            Some((number as u8, ValueChange::sort_key(values)))
        };
        Ranking { kinds, ranks: (0..1 << 16).map(rank).collect() }
    }

    /// Returns the change between the value bytes of a position in the first and in the second variant: an index into
    /// `kinds`, and a sort key among changes of that kind. Returns `None` if the values are equal.
    #[inline]
    pub fn of(&self, bytes: [u8; 2]) -> Option<(usize, u16)> {
        self.ranks[pair_index(bytes)].map(|(number, place)| (usize::from(number), place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::{Distance, Plies, Score};

    #[test]
    fn changes_are_seen_from_the_first_variant() {
        let (win, loss) = (|n| Some(Distance::Win(Plies(n))), |n| Some(Distance::Loss(Plies(n))));
        let draw = Some(Distance::Draw);
        assert_eq!(ValueChange::between([win(3), loss(2)]), Some(ValueChange::Outcome { from: Win, to: Loss }));
        assert_eq!(ValueChange::between([draw, win(1)]), Some(ValueChange::Outcome { from: Draw, to: Win }));
        assert_eq!(ValueChange::between([win(5), win(3)]), Some(ValueChange::Sooner(Win)));
        assert_eq!(ValueChange::between([loss(4), loss(6)]), Some(ValueChange::Later(Loss)));
        assert_eq!(ValueChange::between([draw, None]), Some(ValueChange::OnlyFirst));
        assert_eq!(ValueChange::between([None, loss(2)]), Some(ValueChange::OnlySecond));
        assert_eq!(ValueChange::between([draw, draw]), None);
        assert_eq!(ValueChange::between::<Distance>([None, None]), None);
    }

    #[test]
    fn every_pair_of_bytes_has_its_rank() {
        let ranking = Ranking::new(ValueCodec::ParityDistance);
        for place in 0..1 << 16 {
            let bytes = pair_at_index(place);
            assert_eq!(ranking.of(bytes).is_none(), bytes[0] == bytes[1], "{bytes:?}");
        }
        let changed = |bytes| ranking.of(bytes).map(|(number, place)| (ranking.kinds[number], place));
        // Lost in 4 and won in 5; drawn and lost in 2; drawn in the first variant alone.
        assert_eq!(changed([6, 7]), Some((ValueChange::Outcome { from: Loss, to: Win }, 9)));
        assert_eq!(changed([1, 4]), Some((ValueChange::Outcome { from: Draw, to: Loss }, 2)));
        assert_eq!(changed([1, 0]), Some((ValueChange::OnlyFirst, u16::MAX)));
    }

    #[test]
    fn scores_change_up_and_down() {
        let ranking = Ranking::new(ValueCodec::Score);
        let changed = |first: i32, second: i32| {
            let bytes = [first, second].map(|score| Score::new(score).to_byte());
            ranking.of(bytes).map(|(number, place)| (ranking.kinds[number], u16::MAX - place))
        };
        assert_eq!(changed(3, 8), Some((ValueChange::Higher(Win), 5)));
        assert_eq!(changed(-3, -8), Some((ValueChange::Lower(Loss), 5)));
        assert_eq!(changed(-64, 64), Some((ValueChange::Outcome { from: Loss, to: Win }, 128)));
        assert_eq!([changed(0, 0), changed(-7, -7)], [None; 2]);
    }

    #[test]
    fn names_differ() {
        let kinds = [ValueChange::kinds(ValueCodec::Distance), ValueChange::kinds(ValueCodec::Score)].concat();
        let names: std::collections::HashSet<_> = kinds.iter().map(|change| change.name()).collect();
        assert_eq!(names.len(), ValueChange::KINDS + 4);
        assert!(names.contains("win_to_loss") && names.contains("loss_later") && names.contains("only_second"));
    }
}
