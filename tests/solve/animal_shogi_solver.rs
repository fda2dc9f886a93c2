//! Tests of the solver of animal shogi against the naive rules in `naive/animal_shogi.rs`: moves and un-moves by key,
//! and the distance to the end of every position of small codes.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::support::animal_shogi_boards::{random_board_text, random_code};
use crate::support::games::animal_shogi;
use crate::support::random::Random;
use yomikiri_naive::animal_shogi as naive;
use yomikiri_naive::animal_shogi::Naive;
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::{CodedValue, Game, Notation, Outcome, Value};
use yomikiri_solve::retrograde::{self, Analysis, Cyclic};
use yomikiri_solve::sparse;
use yomikiri_table::Silent;

/// The maximum number of positions of a small code.
const SMALL: usize = 20_000;

/// Codes whose positions are all checked. They have a single position, only draws, or draws together with wins and
/// losses.
const SMALL_CODES: [&str; 7] = ["00000", "v0000", "01000", "0v000", "1g056", "10050", "81a02"];

/// Codes that are solved completely. The list is short, because the solver visits all keys even if few positions can
/// arise.
const SOLVED_CODES: [&str; 4] = ["00534T", "1g056", "g3gc5", "g06c5"];

/// A variant in both implementations.
struct BothRules {
    code: String,
    fast: AnimalShogi,
    slow: Naive,
}

impl BothRules {
    fn new(code: &str) -> BothRules {
        BothRules { code: code.to_string(), fast: animal_shogi(code), slow: Naive::from_code(code) }
    }

    /// Returns the solver's key of a position of the naive rules.
    fn key(&self, position: &naive::Position) -> u32 {
        let text = format!("{:015x}", naive::key(position));
        self.fast.rank(&self.fast.parse_position(&text).unwrap()) as u32
    }

    /// Returns true if no side has won: no try has just succeeded, and the side to move cannot take the lion.
    fn is_open(&self, position: &naive::Position) -> bool {
        !matches!(self.slow.ending(position), Some(0 | 1))
    }

    /// Checks the children and the parents that the solver finds for an open position that can arise. The children must
    /// be those of the naive rules, and must have the position among their parents. Each parent of the position must
    /// have a move to it.
    fn check(&self, position: &naive::Position) {
        let number = self.key(position);
        let text = format!("{:015x} of {}", naive::key(position), self.code);
        assert!(number < self.fast.open_keys(), "{text} is open, its number {number} is not");
        let mut expected = HashSet::new();
        for mv in self.slow.legal_moves(position) {
            expected.insert(self.child(&self.slow.play(position, &mv)));
        }
        assert_eq!(self.children(number), expected, "children of {text}");
        assert!(self.fast.may_arise(number, &self.board(number)), "{text} may not arise");
        assert_eq!(self.fast.ended_value(&self.board(number)), ended_value(&expected), "ends below {text}");
        for (_, child) in expected.iter().filter(|(end, _)| end.is_none()) {
            let key = self.fast.position_text(&self.fast.unrank((*child).into()).unwrap());
            assert!(self.parents(*child).contains(&number), "{text} is missing among the parents of {key}");
            for parent in self.parents(number) {
                self.check_parent(parent, number, &text);
            }
        }
    }

    /// Checks that a parent has a move to the child, if the parent is open and can arise.
    fn check_parent(&self, parent: u32, child: u32, text: &str) {
        let Some(position) = self.fast.unrank(parent.into()) else {
            return;
        };
        let key = self.fast.position_text(&position);
        let slow = naive::read_key(&key);
        if self.is_open(&slow) && self.can_arise(&slow) {
            let moves = self.slow.legal_moves(&slow);
            let leads = moves.iter().any(|mv| self.child(&self.slow.play(&slow, mv)) == (None, child));
            assert!(leads, "parent {key} has no move to {text}");
        }
    }

    /// Returns false if the lion of the side to move shows that the position cannot arise. A lion on the other side's
    /// home rank has already won by a try, and no single move makes two pieces attack the lion.
    fn can_arise(&self, position: &naive::Position) -> bool {
        let (last_rank, lion, other) = if position.turn == 'b' { (0, 'L', 'w') } else { (3, 'l', 'b') };
        let threatening = naive::Position { turn: other, ..position.clone() };
        let tried = self.slow.try_rule && position.board[last_rank].contains(&lion);
        !tried && self.slow.lion_takers(&threatening) < 2
    }

    /// Returns the expected result of the solver for a child: the outcome and the plies to the end if it is decided,
    /// otherwise `None` and its key.
    fn child(&self, position: &naive::Position) -> (Option<Outcome>, u32) {
        match self.slow.ending(position) {
            Some(0) => (Some(Outcome::Loss), 0),
            Some(1) => (Some(Outcome::Win), 1),
            _ => (None, self.key(position)),
        }
    }

    /// Returns the solver's board of a key.
    fn board(&self, number: u32) -> <AnimalShogi as Cyclic>::Board {
        self.fast.board(number, &mut Default::default())
    }

    /// Returns the children of a key that the solver finds, in the form of [`BothRules::child`].
    fn children(&self, number: u32) -> HashSet<(Option<Outcome>, u32)> {
        let mut children = HashSet::new();
        let all = self.fast.children(&self.board(number), |child, over| {
            children.insert(match over {
                Some((outcome, plies)) => (Some(outcome), plies.into()),
                None => (None, self.fast.key_of(child)),
            });
            ControlFlow::Continue(())
        });
        assert!(all.is_continue());
        children
    }

    /// Returns the keys of the parents of a key that the solver finds.
    fn parents(&self, number: u32) -> HashSet<u32> {
        let mut parents = HashSet::new();
        let all = self.fast.parents(&self.board(number), |parent| {
            assert!(parent < self.fast.open_keys(), "parent {parent} of {number} in {}", self.code);
            parents.insert(parent);
            ControlFlow::Continue(())
        });
        assert!(all.is_continue());
        parents
    }

    /// Plays random games of at most `plies` plies and checks the open positions on the way.
    fn play_random_games(&self, games: usize, plies: usize, random: &mut Random) {
        for _ in 0..games {
            let mut position = naive::start();
            for _ in 0..plies {
                let moves = self.slow.legal_moves(&position);
                if !self.is_open(&position) || moves.is_empty() {
                    break;
                }
                self.check(&position);
                let mv = random.pick(&moves);
                position = self.slow.play(&position, mv);
            }
        }
    }
}

/// Returns the outcome and the plies of a position if its decided children settle it: it is won if one child is lost,
/// and lost if all children are won. `children` is in the form of [`BothRules::child`].
fn ended_value(children: &HashSet<(Option<Outcome>, u32)>) -> Option<(Outcome, u8)> {
    if children.contains(&(Some(Outcome::Loss), 0)) {
        return Some((Outcome::Win, 1));
    }
    let all_won = !children.is_empty() && children.iter().all(|&child| child == (Some(Outcome::Win), 1));
    all_won.then_some((Outcome::Loss, 2))
}

/// Returns the distance to the end of an undecided position from its table byte, as a depth of the naive rules.
fn depth(byte: u8) -> i32 {
    let value = <AnimalShogi as Game>::Value::from_byte(byte).expect("a position");
    value.plies().map_or(naive::DRAW, |plies| plies.0.into())
}

#[test]
fn moves_and_unmoves_agree_in_random_games() {
    let mut random = Random::new(1);
    for code in ["val1n", "val1nT", "vql1n", "vvvvv", "vvvvvT", "v10v1", "valkn", "ggggg", "82g4v", "00534T"] {
        BothRules::new(code).play_random_games(15, 60, &mut random);
    }
}

#[test]
fn moves_and_unmoves_agree_on_boards_set_up_at_random() {
    let mut random = Random::new(2);
    let mut codes: Vec<String> = ["val1n", "val1nT", "vql1n", "vvvvv"].map(str::to_string).into();
    codes.extend((0..60).map(|_| random_code(&mut random)));
    for code in codes {
        let pair = BothRules::new(&code);
        for _ in 0..6 {
            for in_hand in [0, 2, 4, 6] {
                let position = naive::read_board(&random_board_text(&mut random, in_hand));
                if pair.is_open(&position) && pair.can_arise(&position) {
                    pair.check(&position);
                }
            }
        }
    }
}

#[test]
fn boards_of_nearby_numbers_are_those_of_the_numbers() {
    let game = animal_shogi("val1n");
    let mut random = Random::new(3);
    let mut block = Default::default();
    for _ in 0..200 {
        let first = random.below(game.open_keys() as usize - 2000) as u32;
        for number in (first..first + 2000).step_by(1 + random.below(50)) {
            let alone = game.board(number, &mut Default::default());
            assert_eq!(game.board(number, &mut block), alone, "number {number}");
        }
    }
}

#[test]
fn only_numbers_of_positions_may_arise() {
    for code in ["val1n", "val1nT", "g06c5"] {
        let pair = BothRules::new(code);
        let mut random = Random::new(4);
        for _ in 0..20_000 {
            let number = random.below(pair.fast.open_keys() as usize) as u32;
            let position = pair.fast.unrank(number.into());
            let may_arise = pair.fast.may_arise(number, &pair.board(number));
            let open = position.is_some_and(|position| {
                let slow = naive::read_key(&pair.fast.position_text(&position));
                assert_eq!(pair.key(&slow), number, "position of number {number} in {code}");
                pair.is_open(&slow)
            });
            assert!(open || !may_arise, "number {number} in {code} may arise");
        }
    }
}

#[test]
fn moves_and_unmoves_agree_in_small_codes() {
    for code in SMALL_CODES {
        let pair = BothRules::new(code);
        for key in pair.slow.graph(SMALL).expect("few positions").into_keys() {
            let position = naive::read_key(&format!("{key:015x}"));
            if pair.is_open(&position) {
                pair.check(&position);
            }
        }
    }
}

#[test]
fn all_depths_of_small_codes_agree() {
    for code in SOLVED_CODES {
        let pair = BothRules::new(code);
        let reached = retrograde::enumerate(&pair.fast, &Silent).unwrap();
        let all_ended = reached.ended.clone();
        let analysis = Analysis::new(&pair.fast, reached.open).unwrap();
        let bytes = retrograde::solve(&pair.fast, analysis, &Silent, |_| Ok(())).unwrap();
        let (sparse, ended) =
            sparse::solve(&pair.fast, &pair.fast.start(), sparse::Limits::memory(1 << 30), &Silent).unwrap();
        assert_eq!(ended, all_ended, "decided positions of {code}");
        let mut open = 0;
        for (key, expected) in pair.slow.depths(SMALL).expect("few positions") {
            let position = naive::read_key(&format!("{key:015x}"));
            if pair.is_open(&position) {
                open += 1;
                let number = pair.key(&position) as usize;
                assert_eq!(depth(bytes[number]), expected, "depth of {key:015x} in {code}");
                assert_eq!(sparse.byte(number as u64), Some(bytes[number]), "{key:015x} in {code} by sorted keys");
            }
        }
        assert_eq!(bytes.iter().filter(|&&byte| byte != 0).count(), open, "open positions of {code}");
    }
}
