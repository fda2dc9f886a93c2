//! What the solver asks of animal shogi and what it answers, held against the slow second implementation in
//! `naive/animal_shogi.rs`: moves and un-moves by number, and the depth of every position of codes with few positions.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::naive::animal_shogi as naive;
use crate::naive::animal_shogi::Naive;
use crate::support::animal_shogi_boards::{random_board_text, random_code};
use crate::support::games::animal_shogi;
use crate::support::random::Random;
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::{Game, Outcome, Value};
use yomikiri_solve::retrograde::{self, Analysis, Cyclic};
use yomikiri_solve::sparse;
use yomikiri_table::Silent;

/// Most positions that a small code may have.
const SMALL: usize = 20_000;

/// Codes of which every position is looked at: one position only, nothing but draws, draws beside wins and losses.
const SMALL_CODES: [&str; 7] = ["00000", "v0000", "01000", "0v000", "1g056", "10050", "81a02"];

/// Codes that are solved; no more of them, because the solver goes through all numbers however few positions arise.
const SOLVED_CODES: [&str; 4] = ["00534T", "1g056", "g3gc5", "g06c5"];

/// One variant in both implementations.
struct Pair {
    code: String,
    fast: AnimalShogi,
    slow: Naive,
}

impl Pair {
    fn new(code: &str) -> Pair {
        Pair { code: code.to_string(), fast: animal_shogi(code), slow: Naive::from_code(code) }
    }

    /// The solver's number of a position of the naive rules.
    fn number(&self, position: &naive::Position) -> u32 {
        let text = format!("{:015x}", naive::key(position));
        self.fast.rank(&self.fast.parse_position(&text).unwrap()) as u32
    }

    /// Whether neither side has won before the side to move looks for moves.
    fn is_open(&self, position: &naive::Position) -> bool {
        !matches!(self.slow.ending(position), Some(0 | 1))
    }

    /// Children and their parents, and parents and their children, of a position that is open and can arise.
    fn check(&self, position: &naive::Position) {
        let number = self.number(position);
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

    /// A parent must be a position with a move to the child, unless it is none that can arise.
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

    /// Whether a game can come here, as far as the lion of the side to move tells: a move before it won if it stands on
    /// the other side's home rank, and no single move makes two pieces threaten it.
    fn can_arise(&self, position: &naive::Position) -> bool {
        let (last_rank, lion, other) = if position.turn == 'b' { (0, 'L', 'w') } else { (3, 'l', 'b') };
        let threatening = naive::Position { turn: other, ..position.clone() };
        let tried = self.slow.try_rule && position.board[last_rank].contains(&lion);
        !tried && self.slow.lion_takers(&threatening) < 2
    }

    /// What a position should be as the child of another: an end with its plies, or else its number.
    fn child(&self, position: &naive::Position) -> (Option<Outcome>, u32) {
        match self.slow.ending(position) {
            Some(0) => (Some(Outcome::Loss), 0),
            Some(1) => (Some(Outcome::Win), 1),
            _ => (None, self.number(position)),
        }
    }

    /// The solver's form of a position.
    fn board(&self, number: u32) -> <AnimalShogi as Cyclic>::Board {
        self.fast.board(number, &mut Default::default())
    }

    /// What the solver finds below a number, as [`Pair::child`] writes it.
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

    /// What the solver finds above a number.
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

/// Outcome and plies of a position that its ended children decide: won if one of them is lost, lost if all are won.
fn ended_value(children: &HashSet<(Option<Outcome>, u32)>) -> Option<(Outcome, u8)> {
    if children.contains(&(Some(Outcome::Loss), 0)) {
        return Some((Outcome::Win, 1));
    }
    let all_won = !children.is_empty() && children.iter().all(|&child| child == (Some(Outcome::Win), 1));
    all_won.then_some((Outcome::Loss, 2))
}

/// Depth of an undecided position from its table byte.
fn depth(byte: u8) -> i32 {
    let value = <AnimalShogi as Game>::Value::from_byte(byte).expect("a position");
    value.plies().map_or(naive::DRAW, |plies| plies.0.into())
}

#[test]
fn moves_and_unmoves_agree_in_random_games() {
    let mut random = Random::new(1);
    for code in ["val1n", "val1nT", "vql1n", "vvvvv", "vvvvvT", "v10v1", "valkn", "ggggg", "82g4v", "00534T"] {
        Pair::new(code).play_random_games(15, 60, &mut random);
    }
}

#[test]
fn moves_and_unmoves_agree_on_boards_set_up_at_random() {
    let mut random = Random::new(2);
    let mut codes: Vec<String> = ["val1n", "val1nT", "vql1n", "vvvvv"].map(str::to_string).into();
    codes.extend((0..60).map(|_| random_code(&mut random)));
    for code in codes {
        let pair = Pair::new(&code);
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
        let pair = Pair::new(code);
        let mut random = Random::new(4);
        for _ in 0..20_000 {
            let number = random.below(pair.fast.open_keys() as usize) as u32;
            let position = pair.fast.unrank(number.into());
            let may_arise = pair.fast.may_arise(number, &pair.board(number));
            let open = position.is_some_and(|position| {
                let slow = naive::read_key(&pair.fast.position_text(&position));
                assert_eq!(pair.number(&slow), number, "position of number {number} in {code}");
                pair.is_open(&slow)
            });
            assert!(open || !may_arise, "number {number} in {code} may arise");
        }
    }
}

#[test]
fn moves_and_unmoves_agree_in_small_codes() {
    for code in SMALL_CODES {
        let pair = Pair::new(code);
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
        let pair = Pair::new(code);
        let reached = retrograde::enumerate(&pair.fast, &Silent).unwrap();
        let all_ended = reached.ended.clone();
        let analysis = Analysis::new(&pair.fast, reached.open).unwrap();
        let bytes = retrograde::solve(&pair.fast, analysis, &Silent, |_| Ok(())).unwrap();
        let (sparse, ended) = sparse::solve(&pair.fast, &pair.fast.start(), 1 << 30, &Silent).unwrap();
        assert_eq!(ended, all_ended, "decided positions of {code}");
        let mut open = 0;
        for (key, expected) in pair.slow.depths(SMALL).expect("few positions") {
            let position = naive::read_key(&format!("{key:015x}"));
            if pair.is_open(&position) {
                open += 1;
                let number = pair.number(&position) as usize;
                assert_eq!(depth(bytes[number]), expected, "depth of {key:015x} in {code}");
                assert_eq!(sparse.byte(number as u64), Some(bytes[number]), "{key:015x} in {code} by sorted keys");
            }
        }
        assert_eq!(bytes.iter().filter(|&&byte| byte != 0).count(), open, "open positions of {code}");
    }
}
