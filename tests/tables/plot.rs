//! Tests of `plot`: pictures have the numbers of `stats`, in their data and in their drawing.

use std::collections::BTreeMap;
use std::path::Path;

use roxmltree::{Document, Node};
use serde_json::{Value as Json, json};

use crate::support::command::{files, good, good_json, table};
use crate::support::repository::grouped;

/// Returns the SVG text of a picture that `plot` draws.
fn drawn(folder: &Path, code: &str, what: &str) -> String {
    let told = good(folder, &["plot", code, "--what", what]);
    let file = folder.join(format!("r_{code}_{what}.svg"));
    assert_eq!(told, format!("{}\n", file.display()));
    let svg = std::fs::read_to_string(file).unwrap();
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{code} {what}");
    svg
}

fn elements<'a>(document: &'a Document, tag: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", tag))).collect()
}

fn number(node: &Node, name: &str) -> i64 {
    node.attribute(name).unwrap_or_else(|| panic!("no {name}")).parse().unwrap()
}

fn texts(document: &Document) -> Vec<String> {
    elements(document, "text").iter().filter_map(|node| node.text()).map(|text| text.trim().to_string()).collect()
}

/// Returns the data of a picture. Checks its title and its background, and that everything drawn is inside the picture.
fn parts(document: &Document, code: &str) -> Json {
    let root = document.root_element();
    let size = ["width", "height"].map(|name| number(&root, name));
    let (rects, texts) = (elements(document, "rect"), elements(document, "text"));
    assert_eq!(["x", "y", "width", "height"].map(|name| number(&rects[0], name)), [0, 0, size[0], size[1]]);
    assert_eq!(rects[0].attribute("fill"), Some("#FFFFFF"), "pages may be dark");
    for rect in &rects {
        let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(rect, name));
        assert!(x >= 0 && y >= 0 && width > 0 && height >= 0 && x + width <= size[0] && y + height <= size[1]);
    }
    for text in &texts {
        assert!((0..size[0]).contains(&number(text, "x")) && (0..size[1]).contains(&number(text, "y")));
        assert_eq!(text.attribute("font-family"), Some("sans-serif"));
    }
    let title = elements(document, "title")[0].text().unwrap();
    assert!(title.starts_with(&format!("{code}: ")), "{title}");
    assert_eq!(texts[0].text().unwrap().trim(), title);
    serde_json::from_str(elements(document, "desc")[0].text().unwrap()).unwrap()
}

/// Returns the elements with a tag and a colour, except those of the legend.
fn in_colour<'a>(document: &'a Document, tag: &str, colour: &str) -> Vec<Node<'a, 'a>> {
    let mut found = elements(document, tag);
    found.retain(|node| node.attribute("fill") == Some(colour) && node.attribute("width") != Some("12"));
    found
}

const DARK: &str = "#1D2F4A";
const MIDDLE: &str = "#74808B";
const LIGHT: &str = "#F5C463";
const PLAIN: &str = "#2F6F9F";

/// Returns counts by two dimensions, each with the label in the first one and the label in the second one as text.
fn groups<'a>(counts: &'a Json, first: &str, second: &str) -> Vec<(&'a Json, String, u64)> {
    let groups = counts["counts"].as_array().unwrap().iter();
    groups.map(|group| (&group[first], group[second].to_string(), group["count"].as_u64().unwrap())).collect()
}

#[test]
fn outcomes_are_those_of_stats() {
    for (code, who, colours) in [
        ("bin3x3", "winner", [("\"black\"", DARK), ("null", MIDDLE), ("\"white\"", LIGHT)]),
        ("con4x4", "winner", [("\"black\"", DARK), ("null", MIDDLE), ("\"white\"", LIGHT)]),
        ("rev4x4", "outcome", [("\"win\"", DARK), ("\"draw\"", MIDDLE), ("\"loss\"", LIGHT)]),
    ] {
        let folder = table(code);
        let svg = drawn(folder.path(), code, "outcomes");
        let document = Document::parse(&svg).unwrap();
        let counts = good_json(folder.path(), &["stats", code, "--json", "--by", &format!("ply,{who}")]);
        assert_eq!(parts(&document, code), counts);
        let groups = groups(&counts, "ply", who);
        let mut plies: BTreeMap<i64, u64> = BTreeMap::new();
        groups.iter().for_each(|(ply, _, count)| *plies.entry(ply.as_i64().unwrap()).or_default() += count);
        // The bars of a ply have heights in proportion to its shares.
        let mut heights = Vec::new();
        for (label, colour) in colours {
            let bars = in_colour(&document, "rect", colour);
            let shares: Vec<(i64, u64)> = groups
                .iter()
                .filter(|(_, own, _)| own == label)
                .map(|(ply, _, count)| (ply.as_i64().unwrap(), *count))
                .collect();
            let bars: Vec<i64> = bars.iter().map(|bar| number(bar, "height")).filter(|&height| height > 0).collect();
            let visible = shares.iter().filter(|(ply, count)| 100 * count > plies[ply]).count();
            assert!(bars.len() >= visible && bars.len() <= shares.len(), "{code} {label}: {bars:?}");
            heights.extend(bars);
        }
        let whole = heights.iter().max().unwrap() * plies.len() as i64;
        assert!((heights.iter().sum::<i64>() - whole).abs() <= 3 * plies.len() as i64, "{code}: {heights:?}");
        // A ply with more positions has a bar that is at least as high.
        let below = in_colour(&document, "rect", PLAIN);
        let heights: Vec<i64> = below.iter().map(|bar| number(bar, "height")).collect();
        let counts: Vec<u64> = plies.values().copied().collect();
        assert_eq!(heights.len(), counts.len());
        assert!((0..counts.len()).all(|i| (0..i).all(|j| counts[i] <= counts[j] || heights[i] >= heights[j])));
        let texts = texts(&document);
        for word in ["share of positions, %", "positions"] {
            assert!(texts.iter().any(|text| text == word), "{code}: {word}: {texts:?}");
        }
        assert!(texts[1].starts_with(&format!("{} positions: ", grouped(counts.iter().sum()))), "{}", texts[1]);
    }
}

#[test]
fn distances_are_those_of_stats() {
    for code in ["bin3x3", "pyon3x4", "m00c1"] {
        let folder = table(code);
        let svg = drawn(folder.path(), code, "distances");
        let document = Document::parse(&svg).unwrap();
        let counts = good_json(folder.path(), &["stats", code, "--json", "--by", "outcome,plies"]);
        assert_eq!(parts(&document, code), counts);
        for (label, colour) in [("win", DARK), ("loss", LIGHT)] {
            let groups = groups(&counts, "outcome", "plies");
            let of: Vec<(u64, u64)> = groups
                .iter()
                .filter(|(outcome, _, _)| **outcome == json!(label))
                .map(|(_, plies, count)| (plies.parse().unwrap(), *count))
                .collect();
            let dots = in_colour(&document, "circle", colour);
            assert_eq!(dots.len(), of.len(), "{code} {label}");
            let places: Vec<[i64; 2]> = dots.iter().map(|dot| ["cx", "cy"].map(|name| number(dot, name))).collect();
            assert!(places.is_sorted_by(|one, next| one[0] < next[0]), "further to the right the more plies");
            // The scale is logarithmic: ten times as many positions are at the same distance everywhere.
            let (low, high) = (of.iter().min_by_key(|of| of.1).unwrap(), of.iter().max_by_key(|of| of.1).unwrap());
            let at = |wanted: &(u64, u64)| places[of.iter().position(|of| of == wanted).unwrap()][1] as f64;
            let unit = (at(low) - at(high)) / (high.1 as f64 / low.1 as f64).log10();
            for (of, place) in of.iter().zip(&places) {
                let expected = at(low) - unit * (of.1 as f64 / low.1 as f64).log10();
                assert!((expected - place[1] as f64).abs() <= 2.0, "{code} {label}: {of:?} at {place:?}");
            }
        }
        assert!(texts(&document).contains(&"plies to the end".to_string()));
    }
}

#[test]
fn scores_are_those_of_stats() {
    let folder = table("rev4x4");
    let svg = drawn(folder.path(), "rev4x4", "scores");
    let document = Document::parse(&svg).unwrap();
    let counts = good_json(folder.path(), &["stats", "rev4x4", "--json", "--by", "outcome,score"]);
    assert_eq!(parts(&document, "rev4x4"), counts);
    let groups = groups(&counts, "outcome", "score");
    let most = groups.iter().map(|(_, _, count)| *count).max().unwrap() as f64;
    let bars: Vec<Node> =
        [DARK, MIDDLE, LIGHT].iter().flat_map(|colour| in_colour(&document, "rect", colour)).collect();
    assert_eq!(bars.len(), groups.len());
    let mut heights: Vec<i64> = bars.iter().map(|bar| number(bar, "height")).collect();
    let mut counts: Vec<u64> = groups.iter().map(|(_, _, count)| *count).collect();
    heights.sort_unstable();
    counts.sort_unstable();
    let tallest = heights[heights.len() - 1] as f64;
    for (height, count) in heights.iter().zip(&counts) {
        assert!((tallest * *count as f64 / most - *height as f64).abs() <= 2.0, "{height}: {count}");
    }
    assert!(texts(&document).contains(&"+2".to_string()) && texts(&document).contains(&"−2".to_string()));
}

#[test]
fn branching_is_that_of_stats() {
    for code in ["bin3x3", "rev4x4", "con4x4"] {
        let folder = table(code);
        let svg = drawn(folder.path(), code, "branching");
        let document = Document::parse(&svg).unwrap();
        let counts = good_json(folder.path(), &["stats", code, "--json", "--by", "ply,moves"]);
        let (mut plies, mut over): (BTreeMap<u64, Vec<u64>>, u64) = (BTreeMap::new(), 0);
        for (ply, moves, count) in groups(&counts, "ply", "moves") {
            match moves.parse::<u64>().unwrap() {
                0 => over += count,
                moves => plies.entry(ply.as_u64().unwrap()).or_default().extend(vec![moves; count as usize]),
            }
        }
        let told = parts(&document, code);
        let all = (&told["rules"], &told["positions"], &told["over"]);
        assert_eq!(all, (&json!(code), &counts["positions"], &json!(over)));
        let told = told["moves"].as_array().unwrap();
        assert_eq!(told.len(), plies.len());
        for (told, (ply, all)) in told.iter().zip(&plies) {
            let at_most = |tenths: usize| all[(tenths * all.len()).div_ceil(10) - 1];
            let expected = [*ply, all.len() as u64, all[0], at_most(1), at_most(9), all[all.len() - 1]];
            let names = ["ply", "positions", "least", "tenth", "ninetieth", "most"];
            assert_eq!(names.map(|name| told[name].as_u64().unwrap()), expected, "{code}");
            let mean = all.iter().sum::<u64>() as f64 / all.len() as f64;
            assert!((told["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{code}");
        }
        assert_eq!(in_colour(&document, "circle", PLAIN).len(), plies.len());
        assert_eq!(elements(&document, "polygon").len(), 2);
    }
}

#[test]
fn branching_of_games_that_repeat_is_that_of_stats() {
    for code in ["pyon3x4", "pyon2x3", "m00c1"] {
        let folder = table(code);
        let svg = drawn(folder.path(), code, "branching");
        let document = Document::parse(&svg).unwrap();
        let counts = good_json(folder.path(), &["stats", code, "--json", "--by", "moves"]);
        assert_eq!(parts(&document, code), counts);
        let bars = in_colour(&document, "rect", PLAIN);
        let open = counts["counts"].as_array().unwrap().iter().filter(|group| group["moves"] != json!(0));
        assert_eq!(bars.len(), open.count());
    }
}

#[test]
fn a_picture_drawn_again_has_the_same_bytes() {
    let folder = table("bin3x3");
    let one = drawn(folder.path(), "bin3x3", "branching");
    assert_eq!(one, drawn(folder.path(), "bin3x3", "branching"));
    assert_eq!(files(folder.path()), ["bin3x3.tbl", "r_bin3x3_branching.svg"]);
}

/// The pictures that `scripts/structure`, `scripts/host-picture` and `scripts/opening-theory` draw.
/// `tests/command/documents.rs`, `tests/play/hosts.rs` and `tests/solve/opening.rs` check them.
const DRAWN: [&str; 4] = ["crates.svg", "flow.svg", "host.svg", "opening.svg"];

/// Every picture of the pages is valid, is shown on a page, and has the counts of a recorded run.
#[test]
fn pictures_of_the_pages_are_those_of_recorded_games() {
    use crate::support::repository::{page, repository_path};
    let folder = repository_path("docs/pictures");
    let names: Vec<String> = files(&folder).into_iter().filter(|name| !DRAWN.contains(&name.as_str())).collect();
    let pages: String =
        ["binarsi", "animal-shogi", "pyonpyon", "reversi"].map(|name| page(&format!("docs/{name}.md"))).concat();
    // Screenshots of the explorer are on the front page.
    let (screens, names): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| name.ends_with(".png"));
    for name in screens {
        for page in ["README.md", "README.ja.md"] {
            let text = std::fs::read_to_string(repository_path(page)).unwrap();
            assert!(text.contains(&format!("(docs/pictures/{name})")), "{name} is not in {page}");
        }
    }
    assert!(names.len() >= 11, "{names:?}");
    for name in &names {
        let svg = std::fs::read_to_string(folder.join(name)).unwrap();
        let document = Document::parse(&svg).unwrap();
        let (code, what) = name.strip_suffix(".svg").unwrap().split_once('_').unwrap();
        let data = parts(&document, code);
        let record = crate::support::repository::record(&format!("expected/{code}.json"));
        assert_eq!(data["positions"], record["stats"]["positions"], "{name}");
        assert!(pages.contains(&format!("(pictures/{name})")), "{name} is on no page");
        assert!(["outcomes", "distances", "scores", "branching"].contains(&what), "{name}");
        // The record counts wins and losses together, so its counts are at least those of the picture.
        for group in data["counts"].as_array().into_iter().flatten().filter(|_| what == "distances") {
            let (plies, count) = (&group["plies"], group["count"].as_u64().unwrap());
            assert!(plies.is_null() || record["stats"]["by_plies"][plies.to_string()].as_u64().unwrap() >= count);
        }
    }
    for code in files(&repository_path("precomp/expected")).iter().map(|name| name.strip_suffix(".json").unwrap()) {
        assert!(names.iter().any(|name| name.starts_with(&format!("{code}_"))), "{code} has no picture");
    }
}
