//! Proof and disproof numbers.

/// The infinite proof number. The table stores a number in 26 bits.
pub const INFINITE: u32 = (1 << 26) - 1;

/// Proof number and disproof number of a position: lower bounds on the number of leaves that have to be solved to prove
/// that the side to move wins (`pn`) or loses (`dn`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    /// The proof number: 0 if the side to move wins, infinite if it loses.
    pub pn: u32,
    /// The disproof number: 0 if the side to move loses, infinite if it wins.
    pub dn: u32,
}

impl ProofNumbers {
    /// Thresholds that no unsolved position reaches. A search with these thresholds ends only when the position is
    /// solved.
    pub const INFINITE: ProofNumbers = ProofNumbers { pn: INFINITE, dn: INFINITE };

    /// The numbers of a leaf before any search.
    pub const UNIT: ProofNumbers = ProofNumbers { pn: 1, dn: 1 };

    /// The numbers of a position that the side to move wins.
    pub const WIN: ProofNumbers = ProofNumbers { pn: 0, dn: INFINITE };
    /// The numbers of a position that the side to move loses.
    pub const LOSS: ProofNumbers = ProofNumbers { pn: INFINITE, dn: 0 };

    /// Returns the numbers of a solved position.
    pub fn solved(mover_wins: bool) -> ProofNumbers {
        if mover_wins { ProofNumbers::WIN } else { ProofNumbers::LOSS }
    }

    /// Computes the numbers of a position from those of its children. The numbers of a child are from the view of the
    /// side to move in the child. The caller leaves out children whose side to move wins, so a position without
    /// remaining children is lost.
    pub fn of_children(children: impl Iterator<Item = ProofNumbers> + Clone) -> ProofNumbers {
        let Some(pn) = children.clone().map(|child| child.dn).min() else { return ProofNumbers::LOSS };
        if pn == 0 {
            return ProofNumbers::WIN;
        }
        let dn: u64 = children.map(|child| u64::from(child.pn)).sum();
        ProofNumbers { pn: pn.min(INFINITE - 1), dn: dn.min(u64::from(INFINITE - 1)) as u32 }
    }

    /// Returns the same numbers from the view of the other side.
    pub fn swapped(self) -> ProofNumbers {
        ProofNumbers { pn: self.dn, dn: self.pn }
    }

    /// Returns the proof number, or `None` if it is infinite.
    pub fn to_win(self) -> Option<u32> {
        (self.pn < INFINITE).then_some(self.pn)
    }

    /// Returns the disproof number, or `None` if it is infinite.
    pub fn to_loss(self) -> Option<u32> {
        self.swapped().to_win()
    }

    /// Returns true if a position can have these numbers: one of them is infinite if and only if the other is 0.
    pub fn is_possible(self) -> bool {
        (self.pn == 0) == (self.dn == INFINITE) && (self.dn == 0) == (self.pn == INFINITE)
    }

    /// Returns true if the side to move wins and false if it loses; `None` if the position is not solved.
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
