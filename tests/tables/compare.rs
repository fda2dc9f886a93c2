//! `yomikiri compare` as people and scripts meet it, and which codes share their keys.

use std::process::{Command, Stdio};

use crate::support::command::{fails, good, good_json, tables};
use crate::support::compare::{GROUPS, OUTCOMES, all_examples, check_sums};
use crate::support::games::{animal_shogi, binarsi, pyonpyon};
use crate::support::random::Random;
use serde_json::{Value as Json, json};
use yomikiri_rules::game::{Game, shared_keys};
use yomikiri_table::name;

#[test]
fn a_code_against_itself_has_no_differences() {
    let codes = ["bin2x2-n", "bin3x3", "m00c1", "v0000", "pyon3x3"];
    let folder = tables(&codes);
    for code in codes {
        let json = good_json(folder.path(), &["compare", code, code, "--json"]);
        check_sums(&json);
        assert_eq!(json["first"], json["second"]);
        assert_eq!(json["compared"], json["go_on"]["unchanged"], "{code}");
        assert_eq!(json["compared"], json["first"]["positions"], "{code}");
        assert!(all_examples(&json).iter().all(|examples| examples.is_empty()), "{code}");
    }
}

#[test]
fn codes_the_other_way_round_give_the_mirror_image() {
    for [first, second] in [["bin3x3", "bin3x3-n"], ["m00c1", "m00c1T"], ["pyon3x4", "pyon3x4B"]] {
        let folder = tables(&[first, second]);
        let [there, back] =
            [[first, second], [second, first]].map(|[a, b]| good_json(folder.path(), &["compare", a, b, "--json"]));
        assert_eq!((&there["first"], &there["second"]), (&back["second"], &back["first"]));
        for (mine, theirs) in [(0, 0), (1, 2), (2, 1)].map(|(a, b)| (&there[GROUPS[a]], &back[GROUPS[b]])) {
            assert_eq!(mine["unchanged"], theirs["unchanged"]);
            for (from, to) in OUTCOMES.iter().flat_map(|from| OUTCOMES.map(|to| (*from, to))) {
                assert_eq!(mine["outcomes"][from][to], theirs["outcomes"][to][from], "{first} {from} {to}");
            }
            let count = |group: &Json, change: &str| {
                let all = group["changes"].as_array().unwrap();
                all.iter().find(|changes| changes["change"] == change).unwrap()["count"].clone()
            };
            for outcome in ["win", "loss"] {
                let (sooner, later) = (format!("{outcome}_sooner"), format!("{outcome}_later"));
                assert_eq!(count(mine, &sooner), count(theirs, &later), "{first} {outcome}");
                assert_eq!(count(mine, &later), count(theirs, &sooner), "{first} {outcome}");
            }
        }
        assert_eq!(there["only_first"]["count"], back["only_second"]["count"]);
        assert_eq!(there["only_second"]["count"], back["only_first"]["count"]);
    }
}

#[test]
fn json_of_the_smallest_board() {
    let folder = tables(&["bin2x2", "bin2x2-n"]);
    let mut json = good_json(folder.path(), &["compare", "bin2x2", "bin2x2-n", "--json", "--examples", "1"]);
    // The positions of each change are those of the naive rules; which of them is shown first is told nowhere else.
    let sooner = json["go_on"]["changes"][6].take();
    assert_eq!((&sooner["change"], &sooner["count"]), (&json!("win_sooner"), &json!(6)));
    let values = |first: u16, second: u16, outcome: &str| {
        [first, second].map(|plies| json!({ "outcome": outcome, "plies": plies }))
    };
    let [first, second] = values(3, 1, "win");
    assert_eq!((&sooner["examples"][0]["first"], &sooner["examples"][0]["second"]), (&first, &second));
    let lost = json["go_on"]["changes"][8].take();
    assert_eq!((&lost["change"], &lost["count"]), (&json!("loss_sooner"), &json!(8)));
    let only = json["only_first"].take();
    let position = only["examples"][0]["position"].clone();
    let lost_at_once = json!({ "position": position, "first": { "outcome": "loss", "plies": 0 }, "second": null });
    assert_eq!(only, json!({ "count": 29, "examples": [lost_at_once] }));

    let outcomes = |win: [u64; 3], loss: [u64; 3]| {
        let row = |[win, draw, loss]: [u64; 3]| json!({ "win": win, "draw": draw, "loss": loss });
        json!({ "win": row(win), "draw": row([0; 3]), "loss": row(loss) })
    };
    let group = |compared: u64, unchanged: u64, outcomes: Json, taken: &[usize]| {
        let names = ["win_to_draw", "win_to_loss", "draw_to_win", "draw_to_loss", "loss_to_win", "loss_to_draw"];
        let names = names.into_iter().chain(["win_sooner", "win_later", "loss_sooner", "loss_later"]);
        let changes = names.enumerate().map(|(at, name)| match taken.contains(&at) {
            true => Json::Null,
            false => json!({ "change": name, "count": 0, "examples": [] }),
        });
        let changes: Vec<_> = changes.collect();
        json!({ "compared": compared, "unchanged": unchanged, "outcomes": outcomes, "changes": changes })
    };
    let start =
        |plies: u16| json!({ "position": "o1/2 b - - 0", "outcome": "loss", "plies": plies, "winner": "white" });
    let expected = json!({
        "first": { "rules": "bin2x2", "positions": 49, "start": start(6) },
        "second": { "rules": "bin2x2-n", "positions": 20, "start": start(4) },
        "compared": 20,
        "go_on": group(20, 6, outcomes([8, 0, 0], [0, 0, 12]), &[6, 8]),
        "over_in_first": group(0, 0, outcomes([0; 3], [0; 3]), &[]),
        "over_in_second": group(0, 0, outcomes([0; 3], [0; 3]), &[]),
        "only_first": null,
        "only_second": { "count": 0, "examples": [] },
    });
    assert_eq!(json, expected);
}

#[test]
fn text_of_a_small_board() {
    let folder = tables(&["pyon2x3", "pyon2x3B"]);
    let text = good(folder.path(), &["compare", "pyon2x3", "pyon2x3B", "--examples", "1"]);
    let expected = "\
pyon2x3 from the start: Black wins in 7 plies.
pyon2x3B from the start: Black wins in 7 plies.

positions that go on in both                            33
                                    pyon2x3B win     pyon2x3B draw     pyon2x3B loss
  pyon2x3 win                                 26                 0                 0
  pyon2x3 draw                                 0                 0                 0
  pyon2x3 loss                                 0                 0                 7
  same outcome, same distance                           33
  same outcome, other distance                           0
  other outcome                                          0

positions over in pyon2x3 that go on in pyon2x3B                 7
                                    pyon2x3B win     pyon2x3B draw     pyon2x3B loss
  pyon2x3 win                                  4                 0                 3
  pyon2x3 draw                                 0                 0                 0
  pyon2x3 loss                                 0                 0                 0
  same outcome, same distance                            0
  same outcome, other distance                           4
  other outcome                                          3
  win -> loss                                            3
    xx/o1/o1 x   win in 0 -> loss in 2
  win, later in pyon2x3B                                 4
    ox/x1/o1 x   win in 0 -> win in 3

positions only in pyon2x3                                0

positions only in pyon2x3B                               0
";
    assert_eq!(text, expected);
    let help = good(folder.path(), &["compare", "--help"]);
    assert!(help.contains("Not counted are positions that are over by both codes"), "{help}");
}

#[test]
fn as_many_examples_as_asked_for() {
    let folder = tables(&["bin3x3", "bin3x3-n"]);
    let ask = |examples: &[&str]| {
        let args = [&["compare", "bin3x3", "bin3x3-n", "--json"], examples].concat();
        good_json(folder.path(), &args)
    };
    let (usual, many, none) = (ask(&[]), ask(&["--examples", "40"]), ask(&["--examples", "0"]));
    for ((usual, many), none) in all_examples(&usual).iter().zip(all_examples(&many)).zip(all_examples(&none)) {
        assert!(none.is_empty() && usual.len() == many.len().min(3) && many.starts_with(usual));
    }
    assert!(all_examples(&many).iter().any(|examples| examples.len() == 40));
    for bad in ["x", "-1", "1001"] {
        fails(folder.path(), &["compare", "bin3x3", "bin3x3-n", "--examples", bad], 2);
    }
}

#[test]
fn codes_without_the_same_positions_are_refused_before_their_tables_are_missed() {
    let folder = tempfile::tempdir().unwrap();
    for [first, second] in [["bin3x3", "bin4x4"], ["bin3x3", "val1n"], ["val1n", "pyon"], ["pyon", "pyon3x4B"]] {
        let line = fails(folder.path(), &["compare", first, second], 2);
        assert!(line.contains(&format!("{first} and {second}: do not have the same positions")), "{line}");
    }
    let line = fails(folder.path(), &["compare", "bin3x3", "bin9x9"], 2);
    assert!(line.contains("bin9x9"), "{line}");
    fails(folder.path(), &["compare", "bin3x3"], 2);
}

#[test]
fn a_missing_table_is_one_line_with_the_cure() {
    let folder = tables(&["bin2x2"]);
    for codes in [["bin2x2", "bin2x2-n"], ["bin2x2-n", "bin2x2"]] {
        let line = fails(folder.path(), &["compare", codes[0], codes[1]], 1);
        assert!(line.contains("bin2x2-n.tbl") && line.contains("yomikiri analyze bin2x2-n\n"), "{line}");
    }
}

#[test]
fn damage_in_either_table_is_found() {
    let folder = tables(&["bin3x3", "bin3x3-n"]);
    for code in ["bin3x3", "bin3x3-n"] {
        let path = name::whole(folder.path(), code);
        let sound = std::fs::read(&path).unwrap();
        for offset in [200, sound.len() / 2] {
            let mut bytes = sound.clone();
            bytes[offset] ^= 4;
            std::fs::write(&path, bytes).unwrap();
            let line = fails(folder.path(), &["compare", "bin3x3", "bin3x3-n"], 1);
            assert!(line.contains(&format!("{code}.tbl: damaged")), "byte {offset}: {line}");
        }
        std::fs::write(&path, sound).unwrap();
    }
}

#[test]
fn threads_do_not_change_the_answer() {
    let folder = tables(&["bin3x3", "bin3x3-n"]);
    let answer = |threads: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
        command.args(["compare", "bin3x3", "bin3x3-n", "--examples", "20"]).env("YOMIKIRI_TABLES", folder.path());
        command.env("RAYON_NUM_THREADS", threads).stdin(Stdio::null()).output().unwrap().stdout
    };
    assert!(!answer("1").is_empty() && answer("1") == answer("3"));
}

// Keys

/// Keys of two variants that are said to be shared stand for the same positions.
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

/// Any code of animal shogi.
fn random_code(random: &mut Random) -> String {
    let digits: String = (0..5).map(|_| char::from(*random.pick(b"0123456789abcdefghijklmnopqrstuv"))).collect();
    if random.below(2) == 0 { digits } else { digits + "T" }
}

#[test]
fn shared_keys_stand_for_the_same_positions() {
    let mut random = Random::new(7);
    for _ in 0..60 {
        let [first, second] = [(); 2].map(|()| animal_shogi(&random_code(&mut random)));
        keys_agree(&first, &second, &mut random);
    }
    let codes = ["bin4x3", "bin4x3-n", "bin4x3-s4c", "bin4x3-t999", "bin4x3-s1b-t234-kb3.5-n"];
    for [first, second] in codes.windows(2).map(|pair| [pair[0], pair[1]].map(|code| binarsi(code))) {
        keys_agree(&first, &second, &mut random);
    }
    for size in ["", "2x3", "4x3", "3x5"] {
        let codes = [format!("pyon{size}A"), format!("pyon{size}B")];
        let [first, second] = codes.map(|code| pyonpyon(&code));
        keys_agree(&first, &second, &mut random);
    }
}
