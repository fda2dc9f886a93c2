//! Kinds of differences.

use std::cmp::Ordering;

use serde::{Serialize, Serializer};

use yomikiri_rules::{Measure, Outcome, Value, ValueCodec};

/// What becomes of a position that is not worth the same in the second variant as in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Another outcome.
    Outcome { from: Outcome, to: Outcome },
    /// The same outcome in fewer plies.
    Sooner(Outcome),
    /// The same outcome in more plies.
    Later(Outcome),
    /// The same outcome with a greater score for the side to move.
    Higher(Outcome),
    /// The same outcome with a smaller score for the side to move.
    Lower(Outcome),
    /// The second variant does not have it.
    OnlyFirst,
    /// The first variant does not have it.
    OnlySecond,
}

use Outcome::{Draw, Loss, Win};

impl Change {
    /// Number of kinds that values of one type can have.
    pub const KINDS: usize = 12;

    /// All kinds that these values can have, in the order in which they are shown.
    pub fn kinds<V: Value>() -> [Change; Change::KINDS] {
        let [better, worse]: [fn(Outcome) -> Change; 2] = match V::CODEC {
            ValueCodec::Distance | ValueCodec::ParityDistance => [Change::Sooner, Change::Later],
            ValueCodec::Score => [Change::Higher, Change::Lower],
        };
        [
            Change::Outcome { from: Win, to: Draw },
            Change::Outcome { from: Win, to: Loss },
            Change::Outcome { from: Draw, to: Win },
            Change::Outcome { from: Draw, to: Loss },
            Change::Outcome { from: Loss, to: Win },
            Change::Outcome { from: Loss, to: Draw },
            better(Win),
            worse(Win),
            better(Loss),
            worse(Loss),
            Change::OnlyFirst,
            Change::OnlySecond,
        ]
    }

    /// The change from the value in the first to that in the second variant; `None` if they are equal.
    pub fn between<V: Value>(values: [Option<V>; 2]) -> Option<Change> {
        let [first, second] = match values {
            [Some(first), Some(second)] => [first, second],
            [Some(_), None] => return Some(Change::OnlyFirst),
            [None, Some(_)] => return Some(Change::OnlySecond),
            [None, None] => return None,
        };
        let (from, to) = (first.outcome(), second.outcome());
        if from != to {
            return Some(Change::Outcome { from, to });
        }
        Change::of_measure(from, first.measure(), second.measure())
    }

    /// The change between two values of the same outcome.
    fn of_measure(outcome: Outcome, first: Measure, second: Measure) -> Option<Change> {
        let [less, greater]: [fn(Outcome) -> Change; 2] = match first {
            Measure::Distance { .. } => [Change::Later, Change::Sooner],
            Measure::Score { .. } => [Change::Higher, Change::Lower],
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

    /// What is shown first of a kind: nearest to the end, by the plies of both values together; with scores, the
    /// greatest difference.
    fn place<V: Value>(values: [Option<V>; 2]) -> u16 {
        let [first, second] = values.map(|value| value.map(Value::measure));
        match (first, second) {
            (Some(Measure::Score { score: first }), Some(Measure::Score { score: second })) => {
                u16::MAX - u16::from(first.abs_diff(second))
            }
            _ => {
                let plies = [first, second].into_iter().flatten().filter_map(Measure::plies).map(|plies| plies.0);
                // A draw that only one variant has is as far from the end as can be.
                plies.reduce(|a, b| a + b).unwrap_or(u16::MAX)
            }
        }
    }

    /// The name in JSON.
    pub fn name(self) -> String {
        match self {
            Change::Outcome { from, to } => format!("{from}_to_{to}"),
            Change::Sooner(outcome) => format!("{outcome}_sooner"),
            Change::Later(outcome) => format!("{outcome}_later"),
            Change::Higher(outcome) => format!("{outcome}_higher"),
            Change::Lower(outcome) => format!("{outcome}_lower"),
            Change::OnlyFirst => "only_first".into(),
            Change::OnlySecond => "only_second".into(),
        }
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

/// Place of a pair of table bytes, 0 for no position, in a list by pairs.
#[inline]
pub fn pair_place(bytes: [u8; 2]) -> usize {
    usize::from(u16::from_be_bytes(bytes))
}

/// The bytes of a place.
pub fn pair_at(place: usize) -> [u8; 2] {
    (place as u16).to_be_bytes()
}

/// Changes of all pairs of table bytes, and which are shown first.
pub struct Ranking {
    /// [`Change::kinds`] of the values.
    pub kinds: [Change; Change::KINDS],
    /// By [`pair_place`]: number in `kinds`, and place among changes of that kind, the lower the sooner shown.
    ranks: Vec<Option<(u8, u16)>>,
}

impl Ranking {
    pub fn new<V: Value>() -> Ranking {
        let kinds = Change::kinds::<V>();
        let rank = |place: usize| {
            let values = pair_at(place).map(V::from_byte);
            let change = Change::between(values)?;
            let number = kinds.iter().position(|&known| known == change)?;
            Some((number as u8, Change::place(values)))
        };
        Ranking { kinds, ranks: (0..1 << 16).map(rank).collect() }
    }

    /// The change between two bytes: its number in `kinds` and its place among changes of that kind.
    #[inline]
    pub fn of(&self, bytes: [u8; 2]) -> Option<(usize, u16)> {
        self.ranks[pair_place(bytes)].map(|(number, place)| (usize::from(number), place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::{Distance, ParityDistance, Plies, Score};

    #[test]
    fn changes_are_seen_from_the_first_variant() {
        let (win, loss) = (|n| Some(Distance::Win(Plies(n))), |n| Some(Distance::Loss(Plies(n))));
        let draw = Some(Distance::Draw);
        assert_eq!(Change::between([win(3), loss(2)]), Some(Change::Outcome { from: Win, to: Loss }));
        assert_eq!(Change::between([draw, win(1)]), Some(Change::Outcome { from: Draw, to: Win }));
        assert_eq!(Change::between([win(5), win(3)]), Some(Change::Sooner(Win)));
        assert_eq!(Change::between([loss(4), loss(6)]), Some(Change::Later(Loss)));
        assert_eq!(Change::between([draw, None]), Some(Change::OnlyFirst));
        assert_eq!(Change::between([None, loss(2)]), Some(Change::OnlySecond));
        assert_eq!(Change::between([draw, draw]), None);
        assert_eq!(Change::between::<Distance>([None, None]), None);
    }

    #[test]
    fn every_pair_of_bytes_has_its_rank() {
        let ranking = Ranking::new::<ParityDistance>();
        for place in 0..1 << 16 {
            let bytes = pair_at(place);
            assert_eq!(ranking.of(bytes).is_none(), bytes[0] == bytes[1], "{bytes:?}");
        }
        let changed = |bytes| ranking.of(bytes).map(|(number, place)| (ranking.kinds[number], place));
        // Lost in 4 and won in 5; drawn and lost in 2; drawn, and not there.
        assert_eq!(changed([6, 7]), Some((Change::Outcome { from: Loss, to: Win }, 9)));
        assert_eq!(changed([1, 4]), Some((Change::Outcome { from: Draw, to: Loss }, 2)));
        assert_eq!(changed([1, 0]), Some((Change::OnlyFirst, u16::MAX)));
    }

    #[test]
    fn scores_change_up_and_down() {
        let ranking = Ranking::new::<Score>();
        let changed = |first: i32, second: i32| {
            let bytes = [first, second].map(|score| Score::new(score).to_byte());
            ranking.of(bytes).map(|(number, place)| (ranking.kinds[number], u16::MAX - place))
        };
        assert_eq!(changed(3, 8), Some((Change::Higher(Win), 5)));
        assert_eq!(changed(-3, -8), Some((Change::Lower(Loss), 5)));
        assert_eq!(changed(-64, 64), Some((Change::Outcome { from: Loss, to: Win }, 128)));
        assert_eq!([changed(0, 0), changed(-7, -7)], [None; 2]);
    }

    #[test]
    fn names_differ() {
        let kinds = [Change::kinds::<Distance>(), Change::kinds::<Score>()].concat();
        let names: std::collections::HashSet<_> = kinds.iter().map(|change| change.name()).collect();
        assert_eq!(names.len(), Change::KINDS + 4);
        assert!(names.contains("win_to_loss") && names.contains("loss_later") && names.contains("only_second"));
    }
}
