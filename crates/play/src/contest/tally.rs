//! Adding up what games came to.

use std::collections::{BTreeMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::Contest;
use super::bout::{Bout, Effort, Finish};
use super::interval::rounded;
use super::judge::Mistakes;
use super::summary::{Ended, Failures, Lengths, Margins, PlayerSummary, Results, Summary};
use yomikiri_rules::value::{Outcome, Side};
use yomikiri_solve::evaluate::Playable;

/// The games so far.
#[derive(Default)]
pub struct Tally {
    games: u32,
    players: [PlayerTally; 2],
    /// What the side that moves first came to, whoever it was.
    black: Counts,
    /// Plies of the shortest, of all and of the longest game.
    plies: Option<[u64; 3]>,
    ended: BTreeMap<&'static str, u32>,
    /// Hashes of the moves.
    different: HashSet<u64>,
    /// Games with a margin, the sum of A's and the sum of Black's.
    margins: [i64; 3],
}

#[derive(Default)]
struct PlayerTally {
    /// As Black and as White.
    results: [Counts; 2],
    effort: Effort,
    failures: Failures,
    mistakes: Option<Mistakes>,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts([u32; 3]);

impl Counts {
    fn add(&mut self, outcome: Outcome) {
        self.0[match outcome {
            Outcome::Win => 0,
            Outcome::Draw => 1,
            Outcome::Loss => 2,
        }] += 1;
    }

    fn and(self, other: Counts) -> Counts {
        Counts([0, 1, 2].map(|at| self.0[at] + other.0[at]))
    }

    fn results(self) -> Results {
        Results::of(self.0)
    }
}

impl Tally {
    /// Takes in a game.
    pub fn add(&mut self, bout: &Bout) {
        let winner = bout.finish.winner();
        let outcome = |side| Outcome::of_winner(winner, side);
        self.games += 1;
        self.black.add(outcome(Side::Black));
        for (number, side) in [bout.a, bout.a.other()].into_iter().enumerate() {
            let player = &mut self.players[number];
            player.results[usize::from(side == Side::White)].add(outcome(side));
            player.effort = sum(player.effort, bout.effort[number]);
            if let Some(mistakes) = bout.mistakes {
                player.mistakes.get_or_insert_default().add(mistakes[number]);
            }
            match &bout.finish {
                Finish::Fault(loser, fault) if *loser == side => player.failures.add(fault),
                _ => {}
            }
        }
        let plies = u64::from(bout.plies);
        let [least, all, most] = self.plies.unwrap_or([plies, 0, plies]);
        self.plies = Some([least.min(plies), all + plies, most.max(plies)]);
        *self.ended.entry(bout.finish.kind()).or_default() += 1;
        self.different.insert(xxh3_64(bout.record.moves.join(" ").as_bytes()));
        if let Some(margin) = bout.margin.map(i64::from) {
            let of_a = if bout.a == Side::Black { margin } else { -margin };
            self.margins = [self.margins[0] + 1, self.margins[1] + of_a, self.margins[2] + margin];
        }
    }

    /// Everything about the games so far.
    pub fn summary<G: Playable>(&self, contest: &Contest<G>, stopped: Option<String>) -> Summary {
        let [a, b] = [0, 1].map(|number| self.players[number].summary(contest.players[number].to_string()));
        let mean = |sum: f64, count: u64| rounded(sum / count as f64);
        let games = u64::from(self.games);
        let plies = self.plies.map(|[min, all, max]| Lengths { min, mean: mean(all as f64, games), max });
        let [count, of_a, of_black] = self.margins;
        let margin = (count > 0)
            .then(|| Margins { a: mean(of_a as f64, count as u64), black: mean(of_black as f64, count as u64) });
        let mut ended: Vec<Ended> = self.ended.iter().map(|(&how, &games)| Ended { how: how.into(), games }).collect();
        ended.sort_by_key(|ended| std::cmp::Reverse(ended.games));
        Summary {
            rules: contest.game.code(),
            games: self.games,
            asked: contest.games,
            stopped,
            seed: contest.seed,
            opening: contest.opening,
            max_plies: contest.max_plies,
            a,
            b,
            black: self.black.results(),
            plies,
            different_games: self.different.len() as u32,
            ended,
            margin,
        }
    }
}

impl PlayerTally {
    fn summary(&self, player: String) -> PlayerSummary {
        let [as_black, as_white] = self.results;
        let milliseconds = |seconds: f64| (self.effort.moves > 0).then(|| rounded(seconds * 1000.0));
        PlayerSummary {
            player,
            together: as_black.and(as_white).results(),
            as_black: as_black.results(),
            as_white: as_white.results(),
            moves: self.effort.moves,
            mean_ms: milliseconds(self.effort.time.as_secs_f64() / f64::from(self.effort.moves)),
            longest_ms: milliseconds(self.effort.longest.as_secs_f64()),
            failures: self.failures,
            mistakes: self.mistakes,
        }
    }
}

fn sum(one: Effort, other: Effort) -> Effort {
    Effort { moves: one.moves + other.moves, time: one.time + other.time, longest: one.longest.max(other.longest) }
}
