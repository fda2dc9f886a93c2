//! Pictures of the number of legal moves.

use std::collections::BTreeMap;

use serde::Serialize;
use yomikiri_answer::{GroupedCounts, Label};

use super::super::output::grouped;
use super::picture::{Axis, Ink, Panel, Picture, Series, Shape};

/// Statistics of the number of legal moves in the positions of one ply.
#[derive(Serialize)]
struct PlyStatistics {
    ply: i64,
    positions: u64,
    least: i64,
    /// The 10th percentile of the number of moves.
    tenth: i64,
    mean: f64,
    /// The 90th percentile of the number of moves.
    ninetieth: i64,
    most: i64,
}

impl PlyStatistics {
    /// Computes the statistics of a ply. `counts` has pairs of a number of moves and the number of positions with that
    /// number, in ascending order of moves.
    fn new(ply: i64, counts: &[(i64, u64)]) -> PlyStatistics {
        let positions: u64 = counts.iter().map(|(_, count)| count).sum();
        let sum: f64 = counts.iter().map(|&(moves, count)| moves as f64 * count as f64).sum();
        let at_most = |tenths: u128| {
            let mut seen = 0u128;
            let reaches = |(_, count): &&(i64, u64)| {
                seen += u128::from(*count);
                10 * seen >= tenths * u128::from(positions)
            };
            counts.iter().find(reaches).map_or(0, |(moves, _)| *moves)
        };
        PlyStatistics {
            ply,
            positions,
            least: counts.first().map_or(0, |(moves, _)| *moves),
            tenth: at_most(1),
            mean: sum / positions.max(1) as f64,
            ninetieth: at_most(9),
            most: counts.last().map_or(0, |(moves, _)| *moves),
        }
    }
}

fn about(positions: u64, over: u64, mean: f64) -> String {
    let rest = if over > 0 { format!("; without {} in which the game is over", grouped(over)) } else { String::new() };
    format!("{} positions, {mean:.1} legal moves on average{rest}", grouped(positions))
}

/// Draws the number of legal moves at each ply: the mean, the range from the fewest to the most, and the range without
/// the lowest and the highest tenth of the positions. The counts must be grouped by ply, then by moves. Terminal
/// positions are left out. `ply_name` is the name of the horizontal axis.
pub fn by_ply(counts: &GroupedCounts, ply_name: &str) -> Picture {
    let (mut plies, mut over): (BTreeMap<i64, Vec<(i64, u64)>>, u64) = (BTreeMap::new(), 0);
    for group in &counts.counts {
        match group.labels[..] {
            [_, (_, Label::Number(0))] => over += group.count,
            [(_, Label::Number(ply)), (_, Label::Number(moves))] => {
                plies.entry(ply).or_default().push((moves, group.count));
            }
            _ => {}
        }
    }
    let plies: Vec<PlyStatistics> = plies.iter().map(|(&ply, counts)| PlyStatistics::new(ply, counts)).collect();
    let open: u64 = plies.iter().map(|ply| ply.positions).sum();
    let sum: f64 = plies.iter().map(|ply| ply.mean * ply.positions as f64).sum();
    let band = |low: fn(&PlyStatistics) -> i64, high: fn(&PlyStatistics) -> i64| {
        Shape::Band(plies.iter().map(|ply| (ply.ply as f64, low(ply) as f64..high(ply) as f64)).collect())
    };
    let mean = Shape::Line(plies.iter().map(|ply| (ply.ply as f64, ply.mean)).collect());
    let most = plies.iter().map(|ply| ply.most).max().unwrap_or_default();
    let [first, last] = [plies.first(), plies.last()].map(|ply| ply.map_or(0, |ply| ply.ply));
    let series = |name: &'static str, ink: Ink, shape: Shape| Series { name: Some(name), ink, shape };
    Picture {
        title: format!("{}: legal moves, by ply", counts.rules),
        about: about(open, over, sum / open.max(1) as f64),
        data: serde_json::json!({ "rules": counts.rules, "positions": counts.positions, "over": over, "moves": plies })
            .to_string(),
        panels: vec![Panel {
            share: 1.0,
            across: Axis::whole(ply_name, first, last),
            up: Axis::from_zero("legal moves", most as f64),
            series: vec![
                series("from the fewest to the most", Ink::Paler, band(|ply| ply.least, |ply| ply.most)),
                series("without the lowest and highest tenth", Ink::Pale, band(|ply| ply.tenth, |ply| ply.ninetieth)),
                series("mean", Ink::Plain, mean),
            ],
        }],
    }
}

/// Draws the distribution of the number of legal moves. The counts must be grouped by moves. Terminal positions are
/// left out.
pub fn distribution(counts: &GroupedCounts) -> Picture {
    let moves: Vec<(i64, u64)> = counts
        .counts
        .iter()
        .filter_map(|group| match group.labels[..] {
            [(_, Label::Number(moves))] if moves > 0 => Some((moves, group.count)),
            _ => None,
        })
        .collect();
    let all = PlyStatistics::new(0, &moves);
    let share = |count: u64| 100.0 * count as f64 / all.positions.max(1) as f64;
    let greatest = moves.iter().map(|&(_, count)| share(count)).fold(0.0, f64::max);
    let bars = moves.iter().map(|&(moves, count)| (moves as f64, 0.0..share(count))).collect();
    Picture {
        title: format!("{}: legal moves", counts.rules),
        about: about(all.positions, counts.positions - all.positions, all.mean),
        data: serde_json::json!(counts).to_string(),
        panels: vec![Panel {
            share: 1.0,
            across: Axis::whole("legal moves", all.least, all.most),
            up: Axis::from_zero("share of positions, %", greatest),
            series: vec![Series { name: None, ink: Ink::Plain, shape: Shape::Bars(bars) }],
        }],
    }
}
