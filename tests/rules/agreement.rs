//! Compares a game with its naive rules: moves, children, texts and keys, and the checks in the field `check` of
//! [`Pair`].

use std::borrow::Borrow;
use std::collections::HashMap;

use crate::support::games::legal_moves;
use crate::support::random::Random;
use yomikiri_rules::{Game, Notation, laws};
use yomikiri_solve::perft::perft;

/// The naive rules of a variant, and functions that tests call with them.
pub struct NaiveRules<N, P: ?Sized + ToOwned> {
    pub rules: N,
    pub start: fn(&N) -> P::Owned,
    pub legal_moves: fn(&N, &P) -> Vec<String>,
    pub play: fn(&N, &P, &str) -> P::Owned,
    /// Returns a text that is equal for symmetric positions.
    pub canonical: fn(&N, &P) -> String,
    pub text: fn(&P) -> String,
}

/// Returns the [`NaiveRules`] of a code whose positions are texts. `Naive` is the type in the scope of the caller.
macro_rules! rules_of_texts {
    ($code:expr, $start:path) => {
        $crate::agreement::NaiveRules {
            rules: Naive::from_code($code),
            start: $start,
            legal_moves: Naive::legal_moves,
            play: Naive::play,
            canonical: Naive::canonical,
            text: str::to_string,
        }
    };
}
pub(crate) use rules_of_texts;

impl<N, P: ?Sized + ToOwned> NaiveRules<N, P> {
    /// Returns the number of sequences of `depth` legal moves from a position. `depth` must be at least 1.
    fn sequences(&self, position: &P, depth: u32) -> u64 {
        let moves = (self.legal_moves)(&self.rules, position);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|mv| self.sequences((self.play)(&self.rules, position, mv).borrow(), depth - 1)).sum()
    }
}

/// A position in both implementations.
pub type PositionPair<G, P> = (<G as Game>::Position, <P as ToOwned>::Owned);

/// A variant in both implementations, and the positions compared so far.
pub struct Pair<G: Notation, N, P: ?Sized + ToOwned> {
    pub fast: G,
    pub slow: NaiveRules<N, P>,
    /// Returns the text of a position by the fast rules. It must equal [`NaiveRules::text`].
    pub text: fn(&G, &G::Position) -> String,
    /// True if both implementations list their moves in the same order.
    pub in_order: bool,
    /// Makes the checks of a position that only this game needs.
    pub check: fn(&Pair<G, N, P>, &G::Position, &P),
    /// The key of each position seen so far, by its naive canonical text. A canonical text if the game has no keys.
    identity_of: HashMap<String, String>,
    /// The inverse of `identity_of`.
    canonical_of: HashMap<String, String>,
}

impl<G: Notation, N, P: ?Sized + ToOwned<Owned: Clone>> Pair<G, N, P> {
    pub fn new(fast: G, slow: NaiveRules<N, P>, check: fn(&Pair<G, N, P>, &G::Position, &P)) -> Pair<G, N, P> {
        let (identity_of, canonical_of) = (HashMap::new(), HashMap::new());
        Pair { fast, slow, text: G::position_text, in_order: true, check, identity_of, canonical_of }
    }

    pub fn start(&self) -> PositionPair<G, P> {
        (self.fast.start(), (self.slow.start)(&self.slow.rules))
    }

    /// Returns the number of positions compared so far. Symmetric positions count once.
    pub fn seen(&self) -> usize {
        self.identity_of.len()
    }

    /// Plays a random game of at most `plies` plies from the start. Checks every position on the way and the text of
    /// the whole game. Returns its moves and its last position.
    pub fn play(&mut self, plies: usize, random: &mut Random) -> (Vec<String>, PositionPair<G, P>) {
        let (played, last) = self.play_from(self.start(), plies, random);
        let text = format!("startpos moves {}", played.join(" "));
        let read = self.fast.parse_position(&text);
        assert_eq!(read.as_ref(), Ok(&last.0), "{text} in {}", self.fast.code());
        (played, last)
    }

    pub fn play_from(
        &mut self,
        mut twin: PositionPair<G, P>,
        plies: usize,
        random: &mut Random,
    ) -> (Vec<String>, PositionPair<G, P>) {
        let (mut played, mut before): (_, Vec<String>) = (Vec::new(), Vec::new());
        while played.len() < plies {
            let children = self.check(&twin);
            let names: Vec<String> = children.iter().map(|(name, _)| name.clone()).collect();
            for name in before {
                let read = self.fast.parse_move(&twin.0, &name);
                assert_eq!(read.is_ok(), names.contains(&name), "{name} in {}", self.name(&twin));
            }
            if children.is_empty() {
                break;
            }
            let (name, child) = random.pick(&children).clone();
            played.push(name);
            (twin, before) = (child, names);
        }
        (played, twin)
    }

    /// Compares everything about a position with the naive rules. Returns its moves and the positions after them.
    pub fn check(&mut self, twin: &PositionPair<G, P>) -> Vec<(String, PositionPair<G, P>)> {
        self.check_identity(twin);
        laws::check(&self.fast, &twin.0);
        (self.check)(self, &twin.0, twin.1.borrow());
        let mut named: Vec<_> =
            legal_moves(&self.fast, &twin.0).into_iter().map(|mv| (self.fast.move_text(mv), mv)).collect();
        let expected = (self.slow.legal_moves)(&self.slow.rules, twin.1.borrow());
        if !self.in_order {
            named.sort_by(|a, b| a.0.cmp(&b.0));
        }
        let names: Vec<_> = named.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(names, expected, "moves of {}", self.name(twin));
        let child = |(name, mv): (String, G::Move)| {
            let child = (self.fast.play(&twin.0, mv), (self.slow.play)(&self.slow.rules, twin.1.borrow(), &name));
            self.check_identity(&child);
            (name, child)
        };
        named.into_iter().map(child).collect()
    }

    /// Checks that a position has the same text in both implementations. Also checks that, among the positions seen so
    /// far, two have the same key exactly if they have the same naive canonical text. A game without keys is checked by
    /// its canonical texts instead.
    pub fn check_identity(&mut self, (fast, slow): &PositionPair<G, P>) {
        let text = (self.slow.text)(slow.borrow());
        assert_eq!((self.text)(&self.fast, fast), text, "{}", self.fast.code());
        let identity = if self.fast.has_keys() {
            laws::key_round_trip(&self.fast, fast);
            self.fast.rank(fast).to_string()
        } else {
            self.fast.position_text(&self.fast.canonical(fast))
        };
        let canonical = (self.slow.canonical)(&self.slow.rules, slow.borrow());
        let known = self.identity_of.entry(canonical.clone()).or_insert_with(|| identity.clone());
        assert_eq!(*known, identity, "{text} of {} differs from its image", self.fast.code());
        let owner = self.canonical_of.entry(identity).or_insert_with(|| canonical.clone());
        assert_eq!(*owner, canonical, "{text} of {} is taken for another position", self.fast.code());
    }

    /// Compares the perft numbers from the start with those of the naive rules, for depths from 1 to `depth`.
    pub fn check_perft(&self, depth: u32) {
        let (fast, slow) = self.start();
        for depth in 1..=depth {
            let expected = self.slow.sequences(slow.borrow(), depth);
            assert_eq!(perft(&self.fast, &fast, depth), expected, "perft {depth} of {}", self.fast.code());
        }
    }

    fn name(&self, (fast, _): &PositionPair<G, P>) -> String {
        format!("{} in {}", self.fast.position_text(fast), self.fast.code())
    }
}

impl<G: Notation, N> Pair<G, N, str> {
    /// Parses a position and returns it in both implementations. Panics if the fast rules refuse the text.
    pub fn read(&self, text: &str) -> PositionPair<G, str> {
        let position = self.fast.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let text = self.fast.position_text(&position);
        (position, text)
    }
}
