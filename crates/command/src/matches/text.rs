//! Formats the result of a match.

use yomikiri_play::matches::{Failures, MatchSummary, Mistakes, PlayerSummary, PointShare, Results};

use yomikiri_rules::visible;

use crate::output::grouped;

/// The width of the first column of the result in characters.
const LABEL: usize = 22;

/// Formats the whole result of a match.
pub fn of(summary: &MatchSummary) -> String {
    let mut lines = vec![title(summary), String::new(), head()];
    for (letter, player) in [("A", &summary.a), ("B", &summary.b)] {
        lines.push(row(&format!("{letter} together"), &player.together));
        lines.push(row("  as Black", &player.as_black));
        lines.push(row("  as White", &player.as_white));
    }
    lines.push(row("Black, either player", &summary.black));
    lines.push(String::new());
    lines.extend(facts(summary));
    lines.join("\n")
}

/// Formats the lines below the rows of wins, draws and losses.
fn facts(summary: &MatchSummary) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(plies) = summary.plies {
        lines.push(fact("plies", &format!("{} to {}, {:.1} on average", plies.min, plies.max, plies.mean)));
    }
    lines.push(fact("different games", &grouped(summary.different_games.into())));
    for (ended, place) in summary.ended.iter().zip(0..) {
        let label = if place == 0 { "ended by" } else { "" };
        let [games, black, white] = [ended.games, ended.black, ended.white].map(|count| grouped(count.into()));
        let winners =
            if ended.black + ended.white > 0 { format!(", Black won {black}, White {white}") } else { "".into() };
        lines.push(fact(label, &format!("{:<38}{games:>8}{winners}", ended.how)));
    }
    if let Some(margin) = summary.margin {
        lines.push(fact("mean margin", &format!("A {:+.2}, Black {:+.2}", margin.a, margin.black)));
    }
    lines.push(fact("time for a move", &both(summary, |player| Some(time(player)))));
    lines.extend(some("spoiled", both(summary, |player| player.mistakes.map(mistakes))));
    lines.extend(some("lost by failures", both(summary, |player| faults(player.failures))));
    lines
}

fn title(summary: &MatchSummary) -> String {
    let MatchSummary { rules, games, asked, opening, openings, seed, a, b, .. } = summary;
    let count = if games == asked { grouped((*games).into()) } else { format!("{games} of {asked}") };
    let opening = match (openings, opening) {
        (Some(1), _) => ", 1 opening".into(),
        (Some(count), _) => format!(", {count} openings"),
        (None, 0) => String::new(),
        (None, 1) => ", openings of 1 ply".into(),
        (None, plies) => format!(", openings of {plies} plies"),
    };
    format!("{rules}: {count} games{opening}, seed {seed}\nA: {}\nB: {}", visible(&a.player), visible(&b.player))
}

fn head() -> String {
    format!(
        "{:LABEL$}{:>9}{:>9}{:>9}{:>9}   {:>6}   {}",
        "", "games", "wins", "draws", "losses", "points", "95 % interval"
    )
}

fn row(label: &str, results: &Results) -> String {
    let Results { wins, draws, losses, share } = results;
    let [games, wins, draws, losses] = [wins + draws + losses, *wins, *draws, *losses].map(|n| grouped(n.into()));
    let line = format!("{label:LABEL$}{games:>9}{wins:>9}{draws:>9}{losses:>9}");
    line + &share.map_or(String::new(), points)
}

/// Formats a share of the points with its 95 % confidence interval: "97.0%   91.5% to 99.0%".
fn points(PointShare { points, low, high }: PointShare) -> String {
    let [points, low, high] = [points, low, high].map(|share| 100.0 * share);
    format!("   {points:>5.1}%   {low:.1}% to {high:.1}%")
}

fn fact(label: &str, text: &str) -> String {
    format!("{label:LABEL$}{text}")
}

fn some(label: &str, text: String) -> Option<String> {
    (!text.is_empty()).then(|| fact(label, &text))
}

/// Formats a fact about each player: "A 12 ms; B 15 ms". `of` returns the fact as text, or `None` to leave the player
/// out.
fn both(summary: &MatchSummary, of: impl Fn(&PlayerSummary) -> Option<String>) -> String {
    let said = [("A", &summary.a), ("B", &summary.b)].map(|(letter, player)| Some(format!("{letter} {}", of(player)?)));
    said.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Formats the mean and the longest time of a player for a move: "12 ms (longest 100 ms)".
fn time(player: &PlayerSummary) -> String {
    match (player.mean_ms, player.longest_ms) {
        (Some(mean), Some(longest)) => format!("{} (longest {})", milliseconds(mean), milliseconds(longest)),
        _ => "made no move".into(),
    }
}

fn milliseconds(number: f64) -> String {
    let digits = if number < 10.0 { 2 } else { 0 };
    format!("{number:.digits$} ms")
}

/// Formats the numbers of won and drawn positions that a player spoiled: "0 of 3,120 won positions" and so on.
fn mistakes(mistakes: Mistakes) -> String {
    let Mistakes { won, wins_spoiled, drawn, draws_spoiled } = mistakes;
    let part = |spoiled: u64, all: u64, what: &str| format!("{} of {} {what}", grouped(spoiled), grouped(all));
    match (won, drawn) {
        (0, 0) => "moved only in lost positions, if at all".into(),
        (_, 0) => part(wins_spoiled, won, "won positions"),
        (0, _) => part(draws_spoiled, drawn, "drawn positions"),
        _ => format!("{}, {}", part(wins_spoiled, won, "won positions"), part(draws_spoiled, drawn, "drawn ones")),
    }
}

fn faults(failures: Failures) -> Option<String> {
    let Failures { time, illegal_move, ended, not_ready } = failures;
    let all = [(time, "time"), (illegal_move, "illegal move"), (ended, "ended"), (not_ready, "not ready")];
    let said: Vec<_> = all.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{what} {n}")).collect();
    (failures.all() > 0).then(|| said.join(", "))
}
