//! Proof and disproof numbers.

/// Infinite proof numbers; they have 26 bits in the table.
pub const INFINITE: u32 = (1 << 26) - 1;

/// Lower bounds on the leaves that have to be solved to prove that the side to move wins (`pn`), and that it loses
/// (`dn`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    pub pn: u32,
    pub dn: u32,
}

impl ProofNumbers {
    /// More than any unsolved position has: thresholds of a search that ends with a solution.
    pub const INFINITE: ProofNumbers = ProofNumbers { pn: INFINITE, dn: INFINITE };

    /// Of a leaf about which nothing is known.
    pub const UNIT: ProofNumbers = ProofNumbers { pn: 1, dn: 1 };

    pub const WIN: ProofNumbers = ProofNumbers { pn: 0, dn: INFINITE };
    pub const LOSS: ProofNumbers = ProofNumbers { pn: INFINITE, dn: 0 };

    /// Of a solved position.
    pub fn solved(mover_wins: bool) -> ProofNumbers {
        if mover_wins { ProofNumbers::WIN } else { ProofNumbers::LOSS }
    }

    /// Of a position, by those of its children, each seen by the side to move there; none of them is lost for that
    /// side. A position without children is lost.
    pub fn of_children(children: impl Iterator<Item = ProofNumbers> + Clone) -> ProofNumbers {
        let Some(pn) = children.clone().map(|child| child.dn).min() else { return ProofNumbers::LOSS };
        if pn == 0 {
            return ProofNumbers::WIN;
        }
        let dn: u64 = children.map(|child| u64::from(child.pn)).sum();
        ProofNumbers { pn: pn.min(INFINITE - 1), dn: dn.min(u64::from(INFINITE - 1)) as u32 }
    }

    /// The same seen by the other side.
    pub fn swapped(self) -> ProofNumbers {
        ProofNumbers { pn: self.dn, dn: self.pn }
    }

    /// The proof number; `None` if it is infinite.
    pub fn to_win(self) -> Option<u32> {
        (self.pn < INFINITE).then_some(self.pn)
    }

    /// The disproof number; `None` if it is infinite.
    pub fn to_loss(self) -> Option<u32> {
        self.swapped().to_win()
    }

    /// Whether a position can have them: one is infinite exactly where the other is nothing.
    pub fn is_possible(self) -> bool {
        (self.pn == 0) == (self.dn == INFINITE) && (self.dn == 0) == (self.pn == INFINITE)
    }

    /// Whether the side to move wins; `None` if the position is not solved.
    pub fn mover_wins(self) -> Option<bool> {
        match self {
            ProofNumbers { pn: 0, .. } => Some(true),
            ProofNumbers { dn: 0, .. } => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_needs_one_child_and_a_loss_all() {
        let of = |children: &[(u32, u32)]| {
            ProofNumbers::of_children(children.iter().map(|&(pn, dn)| ProofNumbers { pn, dn }))
        };
        assert_eq!(of(&[]), ProofNumbers::LOSS);
        assert_eq!(of(&[(3, 4), (5, 2)]), ProofNumbers { pn: 2, dn: 8 });
        assert_eq!(of(&[(3, 4), (INFINITE, 0)]), ProofNumbers::WIN);
        let most = INFINITE - 1;
        assert_eq!(of(&[(most, most), (most, most)]), ProofNumbers { pn: most, dn: most }, "sums are not solved");
        assert_eq!(
            [true, false].map(ProofNumbers::solved).map(ProofNumbers::swapped),
            [false, true].map(ProofNumbers::solved)
        );
    }
}
