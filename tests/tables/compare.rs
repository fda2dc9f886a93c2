//! Tests of `yomikiri compare` as people and scripts use it, and of the keys that two variants have in common.

use crate::support::animal_shogi_boards::random_code;
use crate::support::command::{command, good, good_report, tables};
use crate::support::compare::{OUTCOMES, all_examples, check_sums, groups};
use crate::support::games::{animal_shogi, binarsi, pyonpyon};
use crate::support::random::Random;
use yomikiri_answer::{ComparedPositions, Comparison, ValueChange};
use yomikiri_rules::{Game, Outcome, shared_keys};

#[test]
fn a_code_against_itself_has_no_differences() {
    let codes = ["bin2x2-n", "bin3x3", "m00c1", "v0000", "pyon3x3"];
    let folder = tables(&codes);
    for code in codes {
        let report: Comparison = good_report(folder.path(), &["compare", code, code, "--json"]);
        check_sums(&report);
        assert_eq!(report.first, report.second);
        assert_eq!(report.compared, report.go_on.unchanged, "{code}");
        assert_eq!(report.compared, report.first.positions, "{code}");
        assert!(all_examples(&report).iter().all(|examples| examples.is_empty()), "{code}");
    }
}

#[test]
fn codes_the_other_way_round_give_the_mirror_image() {
    for [first, second] in [["bin3x3", "bin3x3-n"], ["m00c1", "m00c1T"], ["pyon3x4", "pyon3x4B"]] {
        let folder = tables(&[first, second]);
        let [there, back]: [Comparison; 2] =
            [[first, second], [second, first]].map(|[a, b]| good_report(folder.path(), &["compare", a, b, "--json"]));
        assert_eq!((&there.first, &there.second), (&back.second, &back.first));
        let [mine, theirs] = [&there, &back].map(|report| groups(report).map(|(_, group)| group));
        for (mine, theirs) in [(0, 0), (1, 2), (2, 1)].map(|(a, b)| (mine[a], theirs[b])) {
            assert_eq!(mine.unchanged, theirs.unchanged);
            for (from, to) in OUTCOMES.iter().flat_map(|&from| OUTCOMES.map(|to| (from, to))) {
                assert_eq!(mine.outcomes.of(from).of(to), theirs.outcomes.of(to).of(from), "{first} {from} {to}");
            }
            let count = |group: &ComparedPositions, change: ValueChange| {
                group.changes.iter().find(|changes| changes.change == change).unwrap().positions.count
            };
            for outcome in [Outcome::Win, Outcome::Loss] {
                let (sooner, later) = (ValueChange::Sooner(outcome), ValueChange::Later(outcome));
                assert_eq!(count(mine, sooner), count(theirs, later), "{first} {outcome}");
                assert_eq!(count(mine, later), count(theirs, sooner), "{first} {outcome}");
            }
        }
        assert_eq!(there.only_first.count, back.only_second.count);
        assert_eq!(there.only_second.count, back.only_first.count);
    }
}

#[test]
fn help_says_what_is_not_counted() {
    let help = good(tempfile::tempdir().unwrap().path(), &["compare", "--help"]);
    assert!(help.contains("a table\nhas it only if the reason is that there is no legal move"), "{help}");
}

#[test]
fn as_many_examples_as_asked_for() {
    let folder = tables(&["bin3x3", "bin3x3-n"]);
    let ask = |examples: &[&str]| -> Comparison {
        let args = [&["compare", "bin3x3", "bin3x3-n", "--json"], examples].concat();
        good_report(folder.path(), &args)
    };
    let (usual, many, none) = (ask(&[]), ask(&["--examples", "40"]), ask(&["--examples", "0"]));
    for ((usual, many), none) in all_examples(&usual).iter().zip(all_examples(&many)).zip(all_examples(&none)) {
        assert!(none.is_empty() && usual.len() == many.len().min(3) && many.starts_with(usual));
    }
    assert!(all_examples(&many).iter().any(|examples| examples.len() == 40));
}

#[test]
fn threads_do_not_change_the_answer() {
    let folder = tables(&["bin3x3", "bin3x3-n"]);
    let answer = |threads: &str| {
        let mut command = command(folder.path(), &["compare", "bin3x3", "bin3x3-n", "--examples", "20"]);
        command.env("RAYON_NUM_THREADS", threads).output().unwrap().stdout
    };
    assert!(!answer("1").is_empty() && answer("1") == answer("3"));
}

// Keys

/// Checks that the keys that two variants share are keys of the same positions.
fn keys_agree<G: Game>(first: &G, second: &G, random: &mut Random) {
    let shared = shared_keys(first, second).unwrap();
    let mut met = 0;
    for _ in 0..400 {
        let stretch = shared[random.below(shared.len())];
        let offset = random.bits() % stretch.length;
        let keys = stretch.first.map(|key| key + offset);
        let positions = [first.unrank(keys[0]), second.unrank(keys[1])];
        if let [Some(mine), Some(theirs)] = positions {
            assert_eq!(mine, theirs, "{} {}: keys {keys:?}", first.code(), second.code());
            met += 1;
        }
        for position in positions.into_iter().flatten() {
            assert_eq!([first.rank(&position), second.rank(&position)], keys, "{} {}", first.code(), second.code());
        }
    }
    assert!(met > 0, "{} {}: no position", first.code(), second.code());
}

#[test]
fn shared_keys_stand_for_the_same_positions() {
    let mut random = Random::new(7);
    for _ in 0..60 {
        let [first, second] = [(); 2].map(|()| animal_shogi(&random_code(&mut random)));
        keys_agree(&first, &second, &mut random);
    }
    let codes = ["bin4x3", "bin4x3-n", "bin4x3-s4c", "bin4x3-t999", "bin4x3-s1b-t234-kb3.5-n"];
    for [first, second] in codes.windows(2).map(|pair| [pair[0], pair[1]].map(binarsi)) {
        keys_agree(&first, &second, &mut random);
    }
    for size in ["", "2x3", "4x3", "3x5"] {
        let codes = [format!("pyon{size}A"), format!("pyon{size}B")];
        let [first, second] = codes.map(|code| pyonpyon(&code));
        keys_agree(&first, &second, &mut random);
    }
}
