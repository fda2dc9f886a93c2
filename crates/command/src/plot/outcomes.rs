//! Pictures of the winners ply by ply.

use std::collections::BTreeMap;

use yomikiri_answer::{GroupedCounts, Label};
use yomikiri_rules::{Outcome, Side};

use super::super::output::grouped;
use super::picture::{Axis, Ink, Panel, Picture, Series, Shape};

/// Returns three properties of the bars for a winner or an outcome: their index in the stack of bars (0 is the bottom),
/// their ink, and their name in the legend.
fn kind(label: Label) -> (usize, Ink, &'static str) {
    match label {
        Label::Side(Side::Black) => (0, Ink::Dark, "Black wins"),
        Label::Side(Side::White) => (2, Ink::Light, "White wins"),
        Label::Outcome(Outcome::Win) => (0, Ink::Dark, "the side to move wins"),
        Label::Outcome(Outcome::Loss) => (2, Ink::Light, "the side to move loses"),
        Label::Outcome(Outcome::Draw) | Label::None | Label::Number(_) => (1, Ink::Middle, "draw"),
    }
}

/// Draws the share of each winner, or of each outcome, at each ply, and the number of positions at each ply. The counts
/// must be grouped by ply, then by winner or outcome.
pub fn picture(counts: &GroupedCounts, ply_name: &str) -> Picture {
    let mut plies: BTreeMap<i64, [u64; 3]> = BTreeMap::new();
    let mut kinds: BTreeMap<usize, (Ink, &'static str, u64)> = BTreeMap::new();
    for group in &counts.counts {
        let [(_, Label::Number(ply)), (_, label)] = group.labels[..] else { continue };
        let (place, ink, name) = kind(label);
        plies.entry(ply).or_default()[place] += group.count;
        kinds.entry(place).or_insert((ink, name, 0)).2 += group.count;
    }
    let share =
        |ply: &[u64; 3], kinds: usize| 100.0 * ply[..kinds].iter().sum::<u64>() as f64 / ply.iter().sum::<u64>() as f64;
    let bars = |place: usize| plies.iter().map(move |(&ply, of)| (ply as f64, share(of, place)..share(of, place + 1)));
    let series = kinds.iter().map(|(&place, &(ink, name, _))| Series {
        name: Some(name),
        ink,
        shape: Shape::Bars(bars(place).collect()),
    });
    let all = plies.iter().map(|(&ply, of)| (ply as f64, of.iter().sum::<u64>()));
    let most = all.clone().map(|(_, count)| count).max().unwrap_or(1);
    let up = Axis::logarithmic("positions", most, 5);
    let low = up.range.start;
    let [first, last] = [plies.keys().next(), plies.keys().next_back()].map(|ply| ply.copied().unwrap_or_default());
    let across = Axis::whole(ply_name, first, last);
    let totals: Vec<String> = kinds.values().map(|(_, name, count)| format!("{name} {}", grouped(*count))).collect();
    Picture {
        title: format!("{}: who wins, by ply", counts.rules),
        about: format!("{} positions: {}", grouped(counts.positions), totals.join(", ")),
        data: serde_json::json!(counts).to_string(),
        panels: vec![
            Panel {
                share: 0.6,
                across: across.clone(),
                up: Axis::from_zero("share of positions, %", 100.0),
                series: series.collect(),
            },
            Panel {
                share: 0.4,
                across,
                up,
                series: vec![Series {
                    name: None,
                    ink: Ink::Plain,
                    shape: Shape::Bars(all.map(|(ply, count)| (ply, low..count as f64)).collect()),
                }],
            },
        ],
    }
}
