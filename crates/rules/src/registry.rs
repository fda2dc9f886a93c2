//! The list of all games, and the dispatch from a rule code to its game.
//!
//! A new game is a folder in `games` and a line in the list below. Each crate expands the list for its own dispatch:
//! [`crate::with_game!`] runs an expression with the type of the game, [`crate::games!`] passes the list to a macro.

use std::mem::discriminant;
use std::sync::LazyLock;

use regex_lite::Regex;

use crate::{Family, Game, TextError, not_shared, shared_keys};

macro_rules! registry {
    ($d:tt $($folder:ident::$Game:ident => $kernel:ident;)*) => {
        $(use crate::games::$folder::$Game;)*

        /// A variant of any of the games.
        // A program holds few of them, so their size does not matter.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone, Debug)]
        pub enum AnyGame {
            $(
                /// A variant of this game.
                $Game($Game),
            )*
        }

        $(impl From<$Game> for AnyGame {
            fn from(game: $Game) -> AnyGame {
                AnyGame::$Game(game)
            }
        }

        impl TryFrom<AnyGame> for $Game {
            /// The [`AnyGame`] that was to be converted. It holds a variant of another game.
            type Error = AnyGame;

            fn try_from(game: AnyGame) -> Result<$Game, AnyGame> {
                match game {
                    AnyGame::$Game(game) => Ok(game),
                    other => Err(other),
                }
            }
        })*

        /// Descriptions of all games, in the order of the list.
        pub const FAMILIES: &[Family] = &[$($Game::FAMILY),*];

        /// The parsers of rule codes, in the order of [`FAMILIES`].
        const PARSERS: &[fn(&str) -> Result<AnyGame, TextError>] =
            &[$(|code| <$Game as Game>::parse(code).map(AnyGame::$Game)),*];

        /// For each game, the contents of its `codes.txt`: rule codes for tests, each with the expected result of
        /// parsing it.
        #[cfg(test)]
        const CODES: &[&str] = &[$(include_str!(concat!("games/", stringify!($folder), "/codes.txt"))),*];

        /// Evaluates an expression with the game inside an [`AnyGame`]: `with_game!(any, game => expression)`.
        #[macro_export]
        macro_rules! with_game {
            ($d any:expr, $d game:ident => $d run:expr) => {
                match $d any {
                    $($crate::AnyGame::$Game($d game) => $d run,)*
                }
            };
        }

        /// Passes the list of games to a macro, as `folder Type kernel;` for each game.
        #[macro_export]
        macro_rules! games {
            ($d callback:ident) => {
                $d callback! { $($folder $Game $kernel;)* }
            };
        }
    };
}

// Each line is a game and the kernel (the generic algorithm of crates/solve) that solves it. The kernel `levels`
// accepts any game without repetition. The other kernels have further requirements.
registry! { $
    binarsi::Binarsi => tiers;
    binarsi_points::BinarsiPoints => tiers;
    animal_shogi::AnimalShogi => retrograde;
    pyonpyon::Pyonpyon => retrograde_of_all;
    pyonpyon_shogi::PyonpyonShogi => retrograde;
    reversi::Reversi => occupancy;
    connect_four::ConnectFour => levels;
}

impl AnyGame {
    /// Reads a rule code with the parser of the game whose [`Family::pattern`] matches. If no pattern matches, the
    /// first game with a matching [`Family::prefix`] reads the code, and its error says what is wrong.
    ///
    /// # Errors
    ///
    /// Returns an error if the code is not valid, or if no game has codes of this form.
    pub fn parse(code: &str) -> Result<AnyGame, TextError> {
        static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
            let whole = |family: &Family| Regex::new(&format!("^(?:{})$", family.pattern));
            FAMILIES.iter().map(whole).collect::<Result<_, _>>().expect("patterns are regular expressions")
        });
        let begins = |family: &Family| !family.prefix.is_empty() && code.starts_with(family.prefix);
        let fits = PATTERNS.iter().position(|pattern| pattern.is_match(code));
        let game = fits.or_else(|| FAMILIES.iter().position(begins));
        if let Some(game) = game {
            return PARSERS[game](code);
        }
        let known: Vec<_> = FAMILIES.iter().map(|family| family.codes).collect();
        Err(TextError::new(
            format!("rule code \"{code}\""),
            format!("no game has codes of this form (known: {})", known.join(", ")),
        ))
    }
}

/// Checks that the tables of two variants can be compared.
///
/// # Errors
///
/// Returns an error if the two variants do not have keys for the same positions, or have values of different kinds.
pub fn comparable(first: &AnyGame, second: &AnyGame) -> Result<(), TextError> {
    if discriminant(first) != discriminant(second) {
        let positions = [first.key_space(), second.key_space()].map(|keys| keys.positions);
        if positions[0] == positions[1] {
            let codes = format!("rule codes {} and {}", first.code(), second.code());
            return Err(TextError::new(codes, "have values of different kinds, such as plies and points"));
        }
        return Err(not_shared([first.code(), second.code()], positions.each_ref().map(String::as_str)));
    }
    shared_keys(first, second).map(drop)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use regex_automata::dfa::{Automaton, dense::DFA};
    use regex_automata::util::primitives::StateID;
    use regex_automata::{Anchored, Input};

    use super::*;

    fn automaton(family: &Family) -> (DFA<Vec<u32>>, StateID) {
        let dfa = DFA::new(&format!("^(?:{})$", family.pattern)).unwrap();
        let start = dfa.start_state_forward(&Input::new("").anchored(Anchored::Yes)).unwrap();
        (dfa, start)
    }

    /// Returns a text that matches the patterns of both games, or `None` if there is none. Searches the product of the
    /// automata of the two patterns.
    fn common(first: &Family, second: &Family) -> Option<String> {
        let ((one, start), (other, other_start)) = (automaton(first), automaton(second));
        let (mut seen, mut open) = (HashSet::new(), vec![(start, other_start, String::new())]);
        while let Some((a, b, text)) = open.pop() {
            if one.is_match_state(one.next_eoi_state(a)) && other.is_match_state(other.next_eoi_state(b)) {
                return Some(text);
            }
            for byte in 0..128 {
                let (a, b) = (one.next_state(a, byte), other.next_state(b, byte));
                if !one.is_dead_state(a) && !other.is_dead_state(b) && seen.insert((a, b)) {
                    open.push((a, b, format!("{text}{}", byte as char)));
                }
            }
        }
        None
    }

    #[test]
    fn no_text_fits_the_patterns_of_two_games() {
        for (at, first) in FAMILIES.iter().enumerate() {
            assert_eq!(common(first, first).map(|text| text.is_empty()), Some(false), "{} has codes", first.name);
            for second in &FAMILIES[..at] {
                assert_eq!(common(first, second), None, "{} and {}", first.name, second.name);
            }
        }
    }

    /// Every game reads its own test codes, including the malformed ones, and [`AnyGame::parse`] finds the game of all
    /// well-formed ones.
    #[test]
    fn codes_lead_to_their_games() {
        for ((family, parse), codes) in FAMILIES.iter().zip(PARSERS).zip(CODES) {
            let example = format!("{0}\t{0}", family.example);
            for line in codes.lines().skip(1).chain([example.as_str()]) {
                let (code, expected) = line.split_once('\t').expect("a tab");
                let read = parse(code).map_or_else(|error| format!("! {error}"), |game| game.code());
                assert_eq!(read, expected, "{code}");
                for code in [code, expected].into_iter().filter(|_| !expected.starts_with('!')) {
                    let game = AnyGame::parse(code).unwrap();
                    assert_eq!(game.code(), expected, "{code}");
                    assert_eq!(discriminant(&game), discriminant(&parse(code).unwrap()), "{code} is {}", family.name);
                }
            }
        }
        let problem = |code: &str| AnyGame::parse(code).unwrap_err().problem;
        assert!(problem("bin9x9").contains("files"), "{}", problem("bin9x9"));
        assert!(problem("go").starts_with("no game has codes of this form"));
    }

    #[test]
    fn a_code_that_stands_for_a_game_stands_for_itself() {
        for line in CODES.iter().flat_map(|codes| codes.lines().skip(1)) {
            if let Ok(game) = AnyGame::parse(line.split('\t').next().unwrap()) {
                let same = AnyGame::parse(&game.representative_code()).unwrap();
                assert_eq!(same.representative_code(), same.code(), "{line}");
                assert_eq!(discriminant(&same), discriminant(&game), "{line}");
            }
        }
        for (code, same) in [
            ("bin7x6", "bin7x6"),
            ("bin7x6-s5d-kb1.5", "bin7x6-kb1.5"),
            ("bin4x3-s4c-p", "bin4x3-s1a-p"),
            ("vla12", "val10"),
            ("pyon4x3-GSPN", "pyon4x3-GSPN"),
            ("pyon4x3B-SNPG", "pyon4x3B-GPNS"),
            ("rev6x7", "rev7x6"),
            ("rev7x6-w", "rev7x6-w"),
            ("rev6x7-p", "rev6x7-p"),
            ("con4x5", "con4x5"),
        ] {
            assert_eq!(AnyGame::parse(code).unwrap().representative_code(), same, "{code}");
        }
    }
}
