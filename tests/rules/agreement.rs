//! A game held against its naive rules: moves, children, texts, keys, and whatever else its own tests ask for.

use std::borrow::Borrow;
use std::collections::HashMap;

use crate::support::games::legal_moves;
use crate::support::random::Random;
use yomikiri_rules::{Game, laws};
use yomikiri_solve::perft::perft;

/// The naive rules of a variant, as functions of their positions.
pub struct Slow<N, P: ?Sized + ToOwned> {
    pub rules: N,
    pub start: fn(&N) -> P::Owned,
    pub legal_moves: fn(&N, &P) -> Vec<String>,
    pub play: fn(&N, &P, &str) -> P::Owned,
    /// Equal for positions that symmetries make equal.
    pub canonical: fn(&N, &P) -> String,
    pub text: fn(&P) -> String,
}

impl<N, P: ?Sized + ToOwned> Slow<N, P> {
    /// Number of sequences of `depth` legal moves.
    fn sequences(&self, position: &P, depth: u32) -> u64 {
        let moves = (self.legal_moves)(&self.rules, position);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|mv| self.sequences((self.play)(&self.rules, position, mv).borrow(), depth - 1)).sum()
    }
}

/// A position in both implementations.
pub type Twin<G, P> = (<G as Game>::Position, <P as ToOwned>::Owned);

/// One variant in both implementations, and what the positions seen so far are identified by in each.
pub struct Pair<G: Game, N, P: ?Sized + ToOwned> {
    pub fast: G,
    pub slow: Slow<N, P>,
    /// The text of the fast position that must be that of the slow one.
    pub text: fn(&G, &G::Position) -> String,
    /// Whether both list moves in the same order.
    pub in_order: bool,
    /// What else must be so of every position.
    pub check: fn(&Pair<G, N, P>, &G::Position, &P),
    identity_of: HashMap<String, String>,
    canonical_of: HashMap<String, String>,
}

impl<G: Game, N, P: ?Sized + ToOwned<Owned: Clone>> Pair<G, N, P> {
    pub fn new(fast: G, slow: Slow<N, P>, check: fn(&Pair<G, N, P>, &G::Position, &P)) -> Pair<G, N, P> {
        let (identity_of, canonical_of) = (HashMap::new(), HashMap::new());
        Pair { fast, slow, text: G::position_text, in_order: true, check, identity_of, canonical_of }
    }

    pub fn start(&self) -> Twin<G, P> {
        (self.fast.start(), (self.slow.start)(&self.slow.rules))
    }

    /// Number of different positions seen, those that symmetries make equal counted once.
    pub fn seen(&self) -> usize {
        self.identity_of.len()
    }

    /// Plays a random game of at most `plies` plies from the start and checks every position on the way, and the text
    /// of the whole game. Returns its moves and its last position.
    pub fn play(&mut self, plies: usize, random: &mut Random) -> (Vec<String>, Twin<G, P>) {
        let (played, last) = self.play_from(self.start(), plies, random);
        let text = format!("startpos moves {}", played.join(" "));
        let read = self.fast.parse_position(&text);
        assert_eq!(read.as_ref(), Ok(&last.0), "{text} in {}", self.fast.code());
        (played, last)
    }

    pub fn play_from(&mut self, mut twin: Twin<G, P>, plies: usize, random: &mut Random) -> (Vec<String>, Twin<G, P>) {
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

    /// Holds everything about one position against the naive rules; returns its moves and the positions after them.
    pub fn check(&mut self, twin: &Twin<G, P>) -> Vec<(String, Twin<G, P>)> {
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

    /// Equal texts; equal naive canonical texts and equal keys (or canonical forms, without keys) mean the same.
    pub fn check_identity(&mut self, (fast, slow): &Twin<G, P>) {
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

    /// Holds the numbers of sequences of moves from the start against the naive rules.
    pub fn check_perft(&self, depth: u32) {
        let (fast, slow) = self.start();
        for depth in 1..=depth {
            let expected = self.slow.sequences(slow.borrow(), depth);
            assert_eq!(perft(&self.fast, &fast, depth), expected, "perft {depth} of {}", self.fast.code());
        }
    }

    fn name(&self, (fast, _): &Twin<G, P>) -> String {
        format!("{} in {}", self.fast.position_text(fast), self.fast.code())
    }
}

impl<G: Game, N> Pair<G, N, str> {
    /// A position in both implementations by its text.
    pub fn read(&self, text: &str) -> Twin<G, str> {
        let position = self.fast.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let text = self.fast.position_text(&position);
        (position, text)
    }
}
