//! Kinds of differences.

use serde::{Serialize, Serializer};

use crate::value::{Outcome, Value};

/// What becomes of a position that is not worth the same in the second variant as in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Another outcome.
    Outcome { from: Outcome, to: Outcome },
    /// The same outcome in fewer plies.
    Sooner(Outcome),
    /// The same outcome in more plies.
    Later(Outcome),
    /// The second variant does not have it.
    OnlyFirst,
    /// The first variant does not have it.
    OnlySecond,
}

use Outcome::{Draw, Loss, Win};

impl Change {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Change; 12] = [
        Change::Outcome { from: Win, to: Draw },
        Change::Outcome { from: Win, to: Loss },
        Change::Outcome { from: Draw, to: Win },
        Change::Outcome { from: Draw, to: Loss },
        Change::Outcome { from: Loss, to: Win },
        Change::Outcome { from: Loss, to: Draw },
        Change::Sooner(Win),
        Change::Later(Win),
        Change::Sooner(Loss),
        Change::Later(Loss),
        Change::OnlyFirst,
        Change::OnlySecond,
    ];

    /// The change from the value in the first to that in the second variant; `None` if they are equal.
    pub fn between<V: Value>(values: [Option<V>; 2]) -> Option<Change> {
        let [first, second] = match values {
            [Some(first), Some(second)] => [first, second],
            [Some(_), None] => return Some(Change::OnlyFirst),
            [None, Some(_)] => return Some(Change::OnlySecond),
            [None, None] => return None,
        };
        let (from, to) = (first.outcome(), second.outcome());
        match first.plies().cmp(&second.plies()) {
            _ if from != to => Some(Change::Outcome { from, to }),
            std::cmp::Ordering::Less => Some(Change::Later(from)),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Change::Sooner(from)),
        }
    }

    /// The name in JSON.
    pub fn name(self) -> String {
        match self {
            Change::Outcome { from, to } => format!("{from}_to_{to}"),
            Change::Sooner(outcome) => format!("{outcome}_sooner"),
            Change::Later(outcome) => format!("{outcome}_later"),
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

/// How near to the end a change is, for all pairs of table bytes.
pub struct Ranking {
    /// By [`pair_place`]: number in [`Change::ALL`], and plies to the end, those of both values together.
    ranks: Vec<Option<(u8, u16)>>,
}

impl Ranking {
    pub fn new<V: Value>() -> Ranking {
        let rank = |place: usize| {
            let values = pair_at(place).map(V::from_byte);
            let change = Change::between(values)?;
            let number = Change::ALL.iter().position(|&known| known == change)?;
            let plies = values.iter().flatten().filter_map(|value| value.plies()).map(|plies| plies.0);
            // A draw that only one variant has is as far from the end as can be.
            Some((number as u8, plies.reduce(|a, b| a + b).unwrap_or(u16::MAX)))
        };
        Ranking { ranks: (0..1 << 16).map(rank).collect() }
    }

    /// The change between two bytes: its number in [`Change::ALL`] and the plies to the end of both values together.
    #[inline]
    pub fn of(&self, bytes: [u8; 2]) -> Option<(usize, u16)> {
        self.ranks[pair_place(bytes)].map(|(number, plies)| (usize::from(number), plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Alternating, Distance, Plies};

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
        let ranking = Ranking::new::<Alternating>();
        for place in 0..1 << 16 {
            let bytes = pair_at(place);
            assert_eq!(ranking.of(bytes).is_none(), bytes[0] == bytes[1], "{bytes:?}");
        }
        let changed = |bytes| ranking.of(bytes).map(|(number, plies)| (Change::ALL[number], plies));
        // Lost in 4 and won in 5; drawn and lost in 2; drawn, and not there.
        assert_eq!(changed([6, 7]), Some((Change::Outcome { from: Loss, to: Win }, 9)));
        assert_eq!(changed([1, 4]), Some((Change::Outcome { from: Draw, to: Loss }, 2)));
        assert_eq!(changed([1, 0]), Some((Change::OnlyFirst, u16::MAX)));
    }

    #[test]
    fn names_differ() {
        let names: std::collections::HashSet<_> = Change::ALL.iter().map(|change| change.name()).collect();
        assert_eq!(names.len(), Change::ALL.len());
        assert!(names.contains("win_to_loss") && names.contains("loss_later") && names.contains("only_second"));
    }
}
