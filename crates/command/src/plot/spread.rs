//! Pictures of the distance to the end, and of the score.

use std::collections::BTreeMap;

use yomikiri_answer::{GroupedCounts, Label};
use yomikiri_rules::Outcome;

use super::super::output::grouped;
use super::picture::{Axis, Ink, Panel, Picture, Series, Shape};

/// Splits the counts by outcome. For each outcome, returns pairs of a number (plies to the end, or a score) and the
/// count of its positions. Also returns the count of positions without such a number.
fn by_outcome(counts: &GroupedCounts) -> (BTreeMap<Outcome, Vec<(i64, u64)>>, u64) {
    let (mut found, mut rest) = (BTreeMap::<Outcome, Vec<(i64, u64)>>::new(), 0);
    for group in &counts.counts {
        match group.labels[..] {
            [(_, Label::Outcome(outcome)), (_, Label::Number(number))] => {
                found.entry(outcome).or_default().push((number, group.count));
            }
            _ => rest += group.count,
        }
    }
    (found, rest)
}

fn kind(outcome: Outcome) -> (Ink, &'static str) {
    match outcome {
        Outcome::Win => (Ink::Dark, "the side to move wins"),
        Outcome::Draw => (Ink::Middle, "draw"),
        Outcome::Loss => (Ink::Light, "the side to move loses"),
    }
}

fn ends(found: &BTreeMap<Outcome, Vec<(i64, u64)>>) -> (i64, i64, u64) {
    let all = found.values().flatten();
    let numbers = all.clone().map(|(number, _)| *number);
    let most = all.map(|(_, count)| *count).max();
    (numbers.clone().min().unwrap_or_default(), numbers.max().unwrap_or_default(), most.unwrap_or(1))
}

/// Draws the number of positions at each distance to the end. The counts must be grouped by outcome, then by plies.
pub fn distances(counts: &GroupedCounts) -> Picture {
    let (found, draws) = by_outcome(counts);
    let (_, last, most) = ends(&found);
    let series = found.iter().rev().map(|(&outcome, points)| {
        let (ink, name) = kind(outcome);
        let points = points.iter().map(|&(plies, count)| (plies as f64, count as f64)).collect();
        Series { name: Some(name), ink, shape: Shape::Line(points) }
    });
    let rest = if draws > 0 { format!("; without {} draws", grouped(draws)) } else { String::new() };
    Picture {
        title: format!("{}: distance to the end", counts.rules),
        about: format!("{} positions by plies to the end under best play{rest}", grouped(counts.positions - draws)),
        data: serde_json::json!(counts).to_string(),
        panels: vec![Panel {
            share: 1.0,
            across: Axis::whole("plies to the end", 0, last),
            up: Axis::logarithmic("positions", most, 11),
            series: series.collect(),
        }],
    }
}

/// Draws the number of positions with each score. The counts must be grouped by outcome, then by score.
pub fn scores(counts: &GroupedCounts) -> Picture {
    let (found, _) = by_outcome(counts);
    let (first, last, most) = ends(&found);
    let series = found.iter().rev().map(|(&outcome, points)| {
        let (ink, name) = kind(outcome);
        let bars = points.iter().map(|&(score, count)| (score as f64, 0.0..count as f64)).collect();
        Series { name: Some(name), ink, shape: Shape::Bars(bars) }
    });
    let mut across = Axis::whole("score of the side to move", first, last);
    across.is_signed = true;
    Picture {
        title: format!("{}: scores of the positions", counts.rules),
        about: format!("{} positions by score under best play", grouped(counts.positions)),
        data: serde_json::json!(counts).to_string(),
        panels: vec![Panel {
            share: 1.0,
            across,
            up: Axis::from_zero("positions", most as f64),
            series: series.collect(),
        }],
    }
}
