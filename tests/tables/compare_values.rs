//! Tests of `yomikiri compare`, position by position against the naive rules, and against look-ups in tables of every
//! kind.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use crate::support::command::{good_report, tables};
use crate::support::compare::{OUTCOMES, all_examples, check_sums, groups};
use crate::support::games;
use crate::support::solving::{check_in_memory, job};
use yomikiri_answer::{ByOutcome, Comparison, CountedExamples, ExampleValue, QueryReport};
use yomikiri_naive as naive;
use yomikiri_rules::{Game, Measure, Notation, Outcome, Plies, Value as _};
use yomikiri_solve::{Solvable, SolveOptions};
use yomikiri_table::probe::open;
use yomikiri_table::{IndexKind, name};

/// The outcome for the side to move, and the plies to the end unless it is a draw.
type NaiveOutcome = (Outcome, Option<u32>);

/// Returns the value of a position in which the game is over, or `None` for other positions.
type End = Box<dyn Fn(&str) -> Option<NaiveOutcome>>;

/// A variant that the naive rules have solved.
struct NaiveSolution {
    /// The undecided positions by canonical text.
    open: BTreeMap<String, NaiveOutcome>,
    end: End,
    /// Returns the canonical text of a position from the text that the command writes.
    canonical: Box<dyn Fn(&str) -> String>,
}

fn outcome(wins: bool) -> Outcome {
    if wins { Outcome::Win } else { Outcome::Loss }
}

fn binarsi(code: &str) -> NaiveSolution {
    let rules = naive::binarsi::Naive::from_code(code);
    let worth = |(sfen, (winner, plies)): (String, (char, u32))| {
        let wins = sfen.split(' ').nth(1) == Some(winner.to_string().as_str());
        (sfen, (outcome(wins), Some(plies)))
    };
    let open = rules.values().into_iter().map(worth).collect();
    let (game, ends) = (games::any(code), rules.clone());
    let end = move |sfen: &str| {
        // A code with other targets does not have the positions in which its own targets are not marked as cleared.
        let winner = game.parse_position(sfen).ok().and_then(|_| ends.ending(sfen))?;
        Some((outcome(sfen.split(' ').nth(1) == Some(winner.to_string().as_str())), Some(0)))
    };
    NaiveSolution { open, end: Box::new(end), canonical: Box::new(move |sfen| rules.canonical(sfen)) }
}

fn animal_shogi(code: &str) -> NaiveSolution {
    use naive::animal_shogi::{DRAW, Naive, canonical_key, read_key};
    let rules = Naive::from_code(code);
    let worth = |depth: i32| match depth {
        DRAW => (Outcome::Draw, None),
        depth => (outcome(depth % 2 == 1), Some(depth as u32)),
    };
    let over = move |rules: &Naive, text: &str| rules.ending(&read_key(text)).map(worth);
    let all = rules.depths(20_000).unwrap_or_else(|| panic!("{code} has too many positions"));
    let texts = all.into_iter().map(|(key, depth)| (format!("{key:015x}"), worth(depth)));
    // Tables have positions without a legal move, which are draws.
    let is_in_table = |text: &str| over(&rules, text).is_none_or(|(outcome, _)| outcome == Outcome::Draw);
    let open = texts.filter(|(text, _)| is_in_table(text)).collect();
    let canonical = |text: &str| format!("{:015x}", canonical_key(&read_key(text)));
    NaiveSolution { open, end: Box::new(move |text| over(&rules, text)), canonical: Box::new(canonical) }
}

/// Solves all positions, whether or not they can arise. Each round finds the values that are one ply longer.
fn pyonpyon(code: &str) -> NaiveSolution {
    let rules = naive::pyonpyon::Naive::from_code(code);
    let over = |rules: &naive::pyonpyon::Naive, text: &str| {
        rules.winner(text).map(|winner| (outcome(text.ends_with(winner)), Some(0)))
    };
    let all: BTreeSet<String> = rules.all_positions('x').iter().map(|text| rules.canonical(text)).collect();
    let going_on = all.into_iter().filter(|text| over(&rules, text).is_none());
    let children: BTreeMap<String, Vec<String>> = going_on
        .map(|text| {
            let next = rules.legal_moves(&text).iter().map(|mv| rules.canonical(&rules.play(&text, mv))).collect();
            (text, next)
        })
        .collect();
    let mut worth: HashMap<String, NaiveOutcome> = HashMap::new();
    for plies in 1.. {
        let value = |text: &String| over(&rules, text).or_else(|| worth.get(text).copied());
        let found: Vec<(String, NaiveOutcome)> = children
            .iter()
            .filter(|(text, _)| !worth.contains_key(*text))
            .filter_map(|(text, next)| {
                let values: Vec<_> = next.iter().map(value).collect();
                let wins = values.iter().flatten().any(|value| value.0 == Outcome::Loss);
                let loses = values.iter().all(|value| value.is_some_and(|value| value.0 == Outcome::Win));
                (wins || loses).then(|| (text.clone(), (outcome(wins), Some(plies))))
            })
            .collect();
        if found.is_empty() {
            break;
        }
        worth.extend(found);
    }
    let open =
        children.into_keys().map(|text| (text.clone(), worth.get(&text).copied().unwrap_or((Outcome::Draw, None))));
    let (open, ends) = (open.collect(), rules.clone());
    NaiveSolution {
        open,
        end: Box::new(move |text| over(&ends, text)),
        canonical: Box::new(move |text| rules.canonical(text)),
    }
}

/// The texts of the naive rules and of the command are the same.
fn connect_four(code: &str) -> NaiveSolution {
    let rules = naive::connect_four::Naive::from_code(code);
    let worth = |(text, (winner, plies)): (String, (Option<char>, u32))| match winner {
        Some(winner) => {
            let wins = text.ends_with(winner);
            (text, (outcome(wins), Some(plies)))
        }
        None => (text, (Outcome::Draw, None)),
    };
    let open = rules.values().into_iter().map(worth).collect();
    let ends = rules.clone();
    let end = move |text: &str| match ends.end(text).filter(|_| ends.is_possible(text))? {
        naive::connect_four::End::Won(side) => Some((outcome(text.ends_with(side)), Some(0))),
        naive::connect_four::End::Drawn => Some((Outcome::Draw, None)),
    };
    NaiveSolution { open, end: Box::new(end), canonical: Box::new(move |text| rules.canonical(text)) }
}

/// The positions with one kind of change, by canonical text, each with its values in both variants.
type Positions = BTreeMap<String, [Option<NaiveOutcome>; 2]>;

/// Returns the expected positions by group and change. The change is "same" if the values are equal. The groups
/// `only_first` and `only_second` are of positions that only one variant has, and their change is empty.
fn expected(first: &NaiveSolution, second: &NaiveSolution) -> BTreeMap<(&'static str, String), Positions> {
    let mut found: BTreeMap<_, Positions> = BTreeMap::new();
    for text in first.open.keys().chain(second.open.keys()) {
        let mut values = [first.open.get(text).copied(), second.open.get(text).copied()];
        let mut group = "go_on";
        if values[0].is_none() {
            (values[0], group) = ((first.end)(text), "over_in_first");
        } else if values[1].is_none() {
            (values[1], group) = ((second.end)(text), "over_in_second");
        }
        let change = match values {
            [Some((from, before)), Some((to, after))] => match after.cmp(&before) {
                _ if from != to => format!("{from}_to_{to}"),
                std::cmp::Ordering::Less => format!("{from}_sooner"),
                std::cmp::Ordering::Equal => "same".into(),
                std::cmp::Ordering::Greater => format!("{from}_later"),
            },
            [Some(_), None] => {
                group = "only_first";
                String::new()
            }
            _ => {
                group = "only_second";
                String::new()
            }
        };
        found.entry((group, change)).or_default().insert(text.clone(), values);
    }
    found
}

/// Solves both codes by the naive rules and by the command. Compares every count and every example of `compare`, and
/// returns its report.
fn check_against_naive(solve: fn(&str) -> NaiveSolution, codes: [&str; 2]) -> Comparison {
    let folder = tables(&codes);
    let known = codes.map(solve);
    let mut expected = expected(&known[0], &known[1]);
    let [first, second] = codes;
    let report: Comparison = good_report(folder.path(), &["compare", first, second, "--json", "--examples", "1000"]);
    for (group, found) in groups(&report) {
        let mut matrix: BTreeMap<[Outcome; 2], u64> = BTreeMap::new();
        for ((_, _), positions) in expected.iter().filter(|((other, _), _)| *other == group) {
            for values in positions.values() {
                let outcomes = values.map(|value| value.expect("positions of a group have both values").0);
                *matrix.entry(outcomes).or_default() += 1;
            }
        }
        for from in OUTCOMES {
            for to in OUTCOMES {
                let count = matrix.get(&[from, to]).copied().unwrap_or(0);
                assert_eq!(*found.outcomes.of(from).of(to), count, "{codes:?} {group}: {from} to {to}");
            }
        }
        assert_eq!(found.compared, matrix.values().sum::<u64>(), "{codes:?} {group}");
        let unchanged = expected.remove(&(group, "same".to_string())).unwrap_or_default();
        assert_eq!(found.unchanged, unchanged.len() as u64, "{codes:?} {group}");
        for changes in &found.changes {
            let change = changes.change.name();
            let positions = expected.remove(&(group, change.clone())).unwrap_or_default();
            check_positions(&known[0], &changes.positions, &positions, &format!("{codes:?} {group} {change}"));
        }
    }
    for (only, found) in [("only_first", &report.only_first), ("only_second", &report.only_second)] {
        let positions = expected.remove(&(only, String::new())).unwrap_or_default();
        check_positions(&known[0], found, &positions, &format!("{codes:?} {only}"));
    }
    assert!(expected.is_empty(), "{codes:?}: changes the command does not know: {:?}", expected.keys());
    assert_eq!(report.first.positions, known[0].open.len() as u64);
    assert_eq!(report.second.positions, known[1].open.len() as u64);
    check_sums(&report);
    check_examples_by_query(folder.path(), codes, &report);
    report
}

fn example_value(outcome: Outcome, plies: Option<u32>) -> ExampleValue {
    ExampleValue { outcome, measure: Measure::Distance { plies: plies.map(|plies| Plies(plies as u16)) } }
}

/// Checks the count and the examples of one kind of change. The examples must be the 1000 positions nearest to the end,
/// or all if there are fewer.
fn check_positions(known: &NaiveSolution, found: &CountedExamples, expected: &Positions, what: &str) {
    assert_eq!(found.count, expected.len() as u64, "{what}");
    let plies = |values: &[Option<NaiveOutcome>; 2]| values.iter().flatten().filter_map(|value| value.1).sum::<u32>();
    let drawn = |values: &[Option<NaiveOutcome>; 2]| values.iter().flatten().all(|value| value.1.is_none());
    let mut nearest: Vec<_> = expected.values().map(|values| (drawn(values), plies(values))).collect();
    nearest.sort_unstable();
    nearest.truncate(1000);
    let mut seen = BTreeSet::new();
    let mut order = Vec::new();
    for example in &found.examples {
        let text = (known.canonical)(&example.position);
        let values = expected.get(&text).unwrap_or_else(|| panic!("{what}: {text} is no example"));
        let told = values.map(|value| value.map(|(outcome, plies)| example_value(outcome, plies)));
        assert_eq!([example.first, example.second], told, "{what}: {text}");
        order.push((drawn(values), plies(values)));
        assert!(seen.insert(text), "{what}: an example comes twice");
    }
    assert_eq!(order, nearest, "{what}: the nearest to the end, in order");
}

/// Checks that `query` finds the same values as `compare` for the first two examples of every kind.
fn check_examples_by_query(folder: &Path, codes: [&str; 2], report: &Comparison) {
    for examples in all_examples(report) {
        for example in examples.iter().take(2) {
            let text = &example.position;
            for (value, code) in [example.first, example.second].into_iter().zip(codes) {
                let Some(value) = value else { continue };
                let answer: QueryReport = good_report(folder, &["query", code, text, "--json"]);
                assert_eq!(answer.position, *text);
                assert_eq!((Some(value.outcome), value.measure), (answer.outcome, answer.measure), "{code} {text}");
            }
        }
    }
}

// Small boards, position by position

#[test]
fn binarsi_against_the_naive_rules() {
    for codes in [
        ["bin2x2", "bin2x2-n"],
        ["bin3x2", "bin3x2-kb0.5"],
        ["bin3x2-kb2.5", "bin3x2-kw1.5"],
        ["bin2x3", "bin2x3-s1b-t333"],
        ["bin3x2-s2a", "bin3x2-t333"],
        ["bin3x2-n", "bin3x2"],
    ] {
        let report = check_against_naive(binarsi, codes);
        assert!(report.go_on.compared > 0, "{codes:?} have nothing in common");
    }
}

#[test]
fn animal_shogi_against_the_naive_rules() {
    let mut over = [0; 2];
    // In 2g001 the only moves of the lion lead to the last rank. With option `T` they do not win.
    for codes in [
        ["2g001", "2g001T"],
        ["m00c1", "v0000"],
        ["10050", "81a02"],
        ["1g056", "10050"],
        ["g3gc5", "g06c5"],
        ["00000", "01000"],
    ] {
        let report = check_against_naive(animal_shogi, codes);
        over[0] += report.over_in_first.compared;
        over[1] += report.over_in_second.compared;
    }
    assert!(over.iter().all(|&sum| sum > 0), "some game is over in either code and not in the other");
}

#[test]
fn pyonpyon_against_the_naive_rules() {
    for codes in [["pyon2x3", "pyon2x3B"], ["pyon3x3B", "pyon3x3"], ["pyon3x4", "pyon3x4B"], ["pyon2x5", "pyon2x5"]] {
        let report = check_against_naive(pyonpyon, codes);
        assert_eq!((report.only_first.count, report.only_second.count), (0, 0));
        if codes == ["pyon3x4", "pyon3x4B"] {
            // By reading A, the game is over in positions in which it goes on by reading B.
            assert_eq!(report.over_in_first.outcomes.win, ByOutcome { win: 47, draw: 52, loss: 4 });
        }
    }
}

/// Positions with an impossible row of three are only in the variant with rows of four.
#[test]
fn connect_four_against_the_naive_rules() {
    for codes in [["con4x3", "con4x3-k3"], ["con3x4-k3", "con3x4"]] {
        let report = check_against_naive(connect_four, codes);
        let (only, over) = match codes[0].contains("-k3") {
            true => (&report.only_second, &report.over_in_first),
            false => (&report.only_first, &report.over_in_second),
        };
        assert!(only.count > 0 && over.compared > 0, "{codes:?}");
    }
}

// Tables of every kind

/// Compares the counts of the command with look-ups of each position of one table in the other. Returns the keys and
/// the bytes of the first table.
fn check_against_bytes(folder: &Path, codes: [&str; 2], kinds: [IndexKind; 2]) -> (Vec<u64>, Vec<u8>) {
    let games = codes.map(games::any);
    let [first, second] = [0, 1].map(|side| {
        let table = open(&games[side], &name::whole(folder, codes[side])).unwrap();
        assert_eq!(table.header.index_kind, kinds[side]);
        games[side].entries(&table, None, 0..u64::MAX).unwrap()
    });
    let found = [&first, &second];
    let outcome = |byte: u8| games[0].value_of_byte(byte).map(|value| value.outcome());
    let (mut matrix, mut only): (BTreeMap<_, u64>, [u64; 2]) = (BTreeMap::new(), [0; 2]);
    for side in [0, 1] {
        let (mine, theirs, other) = (found[side], found[1 - side], &games[1 - side]);
        for (&key, &byte) in mine.keys.iter().zip(&mine.bytes) {
            let position = games[side].unrank(key).unwrap();
            let stored = theirs.keys.binary_search(&other.rank(&position)).map_or(0, |place| theirs.bytes[place]);
            if stored != 0 && side == 1 {
                continue;
            }
            let end = other.terminal_value(&position);
            let (group, value) = match (stored, end) {
                (0, Some(end)) => (["over_in_second", "over_in_first"][side], Some(end.outcome())),
                (0, None) => {
                    only[side] += 1;
                    continue;
                }
                _ => ("go_on", outcome(stored)),
            };
            let mut pair = [outcome(byte), value];
            if side == 1 {
                pair.reverse();
            }
            *matrix.entry((group, pair)).or_default() += 1;
        }
    }
    let report: Comparison = good_report(folder, &["compare", codes[0], codes[1], "--json"]);
    for (group, found) in groups(&report) {
        for (from, to) in OUTCOMES.iter().flat_map(|&from| OUTCOMES.map(|to| (from, to))) {
            let count = matrix.get(&(group, [from, to].map(Some))).copied().unwrap_or(0);
            assert_eq!(*found.outcomes.of(from).of(to), count, "{codes:?} {group}: {from} to {to}");
        }
    }
    assert_eq!([report.only_first.count, report.only_second.count], only);
    check_sums(&report);
    check_examples_by_query(folder, codes, &report);
    (first.keys, first.bytes)
}

#[test]
fn tables_of_all_kinds_are_laid_side_by_side() {
    use IndexKind::{SortedKeys, UnlistedDraws, UnlistedWins};
    // If lions move differently, the keys number the pairs of lion squares in another order.
    let codes = ["8bs1g", "g3gc5"];
    let folder = tables(&codes);
    let [first, second] = codes.map(games::any);
    assert_ne!(first.key_space(), second.key_space());
    let (keys, bytes) = check_against_bytes(folder.path(), codes, [UnlistedWins, SortedKeys]);
    let table = open(&first, &name::whole(folder.path(), codes[0])).unwrap();
    check_in_memory(&first, &table, &keys, &bytes);
    // With little memory, tables are read and audited by another method.
    first.audit(None, &table, &SolveOptions { memory: 1, ..job() }).unwrap();
    for (codes, kinds) in [
        (["pyon2x3", "pyon2x3B"], [UnlistedWins, UnlistedWins]),
        (["pyon3x5B", "pyon3x5"], [UnlistedDraws, UnlistedDraws]),
    ] {
        check_against_bytes(tables(&codes).path(), codes, kinds);
    }
}
