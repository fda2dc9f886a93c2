//! What a match came to: the JSON contract of `match`, described in docs/match.md.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::game::{Finish, PlayedGame, TimeUsed};
use super::judge::Mistakes;
use super::schedule::MatchSettings;
use super::seat::Fault;
use yomikiri_rules::{Outcome, Side};
use yomikiri_solve::Playable;

/// All games of a match together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Rule code.
    pub rules: String,
    /// Games that were finished, and games asked for.
    pub games: u32,
    pub asked: u32,
    /// Why there are fewer games than asked for.
    pub stopped: Option<String>,
    pub seed: u64,
    /// Random plies at the beginning of each pair of games.
    pub opening: u32,
    pub max_plies: u32,
    pub a: PlayerSummary,
    pub b: PlayerSummary,
    /// What the side that moves first came to, whoever it was.
    pub black: Results,
    /// Plies of a game, those of the opening included; none without games.
    pub plies: Option<Lengths>,
    /// Games that are not move for move the same as an earlier one.
    pub different_games: u32,
    /// The ways games ended, the most frequent first.
    pub ended: Vec<Ended>,
    /// None in games without scores.
    pub margin: Option<Margins>,
}

/// One of the two players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerSummary {
    /// Its name with all options.
    pub player: String,
    pub together: Results,
    pub as_black: Results,
    pub as_white: Results,
    /// Moves it chose, and the milliseconds they took.
    pub moves: u32,
    pub mean_ms: Option<f64>,
    pub longest_ms: Option<f64>,
    pub failures: Failures,
    /// None without a table of the rule code.
    pub mistakes: Option<Mistakes>,
}

/// Results and the share of points they make.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// None without games.
    pub share: Option<Share>,
}

impl Results {
    pub fn of([wins, draws, losses]: [u32; 3]) -> Results {
        Results { wins, draws, losses, share: Share::of(wins, draws, losses) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lengths {
    pub min: u64,
    pub mean: f64,
    pub max: u64,
}

/// Games that ended in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    pub how: String,
    pub games: u32,
    /// Those that Black has won, and those that White has.
    pub black: u32,
    pub white: u32,
}

/// Mean points by which a player and a side have won the games that ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Margins {
    pub a: f64,
    pub black: f64,
}

/// Games that a player lost by a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failures {
    pub time: u32,
    pub illegal_move: u32,
    pub ended: u32,
    pub not_ready: u32,
}

impl Failures {
    pub fn add(&mut self, fault: &Fault) {
        *match fault {
            Fault::Late(_) => &mut self.time,
            Fault::Illegal(_) => &mut self.illegal_move,
            Fault::Ended => &mut self.ended,
            Fault::Unready(_) => &mut self.not_ready,
        } += 1;
    }

    fn merge(&mut self, other: Failures) {
        let pairs = [
            (&mut self.time, other.time),
            (&mut self.illegal_move, other.illegal_move),
            (&mut self.ended, other.ended),
            (&mut self.not_ready, other.not_ready),
        ];
        pairs.into_iter().for_each(|(count, more)| *count = count.saturating_add(more));
    }

    pub fn all(self) -> u32 {
        [self.time, self.illegal_move, self.ended, self.not_ready].into_iter().fold(0, u32::saturating_add)
    }
}

/// The games so far. Those of two parts of a match can be added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    games: u32,
    players: [PlayerTally; 2],
    /// What the side that moves first came to, whoever it was.
    black: Counts,
    /// Plies of the shortest, of all and of the longest game.
    plies: Option<[u64; 3]>,
    /// What Black came to, by the ways in which games ended.
    ended: BTreeMap<Cow<'static, str>, Counts>,
    /// Hashes of the moves.
    different: BTreeSet<u64>,
    /// Games with a margin, the sum of A's and the sum of Black's.
    margins: [i64; 3],
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct PlayerTally {
    /// As Black and as White.
    results: [Counts; 2],
    time_used: TimeUsed,
    failures: Failures,
    mistakes: Option<Mistakes>,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
        Counts([0, 1, 2].map(|at| self.0[at].saturating_add(other.0[at])))
    }

    fn results(self) -> Results {
        Results::of(self.0)
    }

    fn games(self) -> u64 {
        self.0.map(u64::from).iter().sum()
    }
}

impl Tally {
    /// Takes in a game.
    pub fn add(&mut self, played: &PlayedGame) {
        let winner = played.finish.winner();
        let outcome = |side| Outcome::of_winner(winner, side);
        self.games += 1;
        self.black.add(outcome(Side::Black));
        for (number, side) in [played.a, played.a.other()].into_iter().enumerate() {
            let player = &mut self.players[number];
            player.results[usize::from(side == Side::White)].add(outcome(side));
            player.time_used = sum(player.time_used, played.time_used[number]);
            if let Some(mistakes) = played.mistakes {
                player.mistakes.get_or_insert_default().add(mistakes[number]);
            }
            match &played.finish {
                Finish::Fault(loser, fault) if *loser == side => player.failures.add(fault),
                _ => {}
            }
        }
        let plies = u64::from(played.plies);
        let [least, all, most] = self.plies.unwrap_or([plies, 0, plies]);
        self.plies = Some([least.min(plies), all + plies, most.max(plies)]);
        self.ended.entry(played.finish.kind().into()).or_default().add(outcome(Side::Black));
        self.different.insert(xxh3_64(played.record.moves.join(" ").as_bytes()));
        if let Some(margin) = played.margin.map(i64::from) {
            let of_a = if played.a == Side::Black { margin } else { -margin };
            self.margins = [self.margins[0] + 1, self.margins[1] + of_a, self.margins[2] + margin];
        }
    }

    /// How many there are.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Whether everything counted is counted as often as there are games. Lines of other programs may say anything.
    pub fn is_sound(&self) -> bool {
        let of_players = self.players.each_ref().map(|player| player.results[0].and(player.results[1]).games());
        let ended = self.ended.values().map(|counts| counts.games()).sum();
        let margins = u64::try_from(self.margins[0]).is_ok_and(|games| games <= self.games.into());
        let counts = [self.black.games(), of_players[0], of_players[1], ended];
        margins && self.different.len() <= self.games as usize && counts == [u64::from(self.games); 4]
    }

    /// Takes in the games of another part.
    pub fn merge(&mut self, other: &Tally) {
        self.games = self.games.saturating_add(other.games);
        self.black = self.black.and(other.black);
        for (player, of_other) in self.players.iter_mut().zip(&other.players) {
            player.merge(of_other);
        }
        self.plies = match (self.plies, other.plies) {
            (Some(one), Some(two)) => Some([one[0].min(two[0]), one[1].saturating_add(two[1]), one[2].max(two[2])]),
            (one, two) => one.or(two),
        };
        for (how, counts) in &other.ended {
            let sum = self.ended.entry(how.clone()).or_default();
            *sum = sum.and(*counts);
        }
        self.different.extend(&other.different);
        self.margins = [0, 1, 2].map(|at| self.margins[at].saturating_add(other.margins[at]));
    }

    /// Everything about the games so far.
    pub fn summary<G: Playable>(&self, settings: &MatchSettings<G>, stopped: Option<String>) -> Summary {
        let [a, b] = [0, 1].map(|number| self.players[number].summary(settings.players[number].to_string()));
        let mean = |sum: f64, count: u64| rounded(sum / count as f64);
        let games = u64::from(self.games);
        let plies = self.plies.map(|[min, all, max]| Lengths { min, mean: mean(all as f64, games), max });
        let [count, of_a, of_black] = self.margins;
        let margin = (count > 0)
            .then(|| Margins { a: mean(of_a as f64, count as u64), black: mean(of_black as f64, count as u64) });
        let ended_so = |(how, counts): (&Cow<str>, &Counts)| {
            let [black, _, white] = counts.0;
            Ended { how: how.to_string(), games: counts.games() as u32, black, white }
        };
        let mut ended: Vec<Ended> = self.ended.iter().map(ended_so).collect();
        ended.sort_by_key(|ended| std::cmp::Reverse(ended.games));
        Summary {
            rules: settings.game.code(),
            games: self.games,
            asked: settings.games,
            stopped,
            seed: settings.seed,
            opening: settings.opening,
            max_plies: settings.max_plies,
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
    fn merge(&mut self, other: &PlayerTally) {
        self.results = [0, 1].map(|side| self.results[side].and(other.results[side]));
        self.time_used = sum(self.time_used, other.time_used);
        self.failures.merge(other.failures);
        if let Some(mistakes) = other.mistakes {
            self.mistakes.get_or_insert_default().add(mistakes);
        }
    }

    fn summary(&self, player: String) -> PlayerSummary {
        let [as_black, as_white] = self.results;
        let milliseconds = |seconds: f64| (self.time_used.moves > 0).then(|| rounded(seconds * 1000.0));
        PlayerSummary {
            player,
            together: as_black.and(as_white).results(),
            as_black: as_black.results(),
            as_white: as_white.results(),
            moves: self.time_used.moves,
            mean_ms: milliseconds(self.time_used.time.as_secs_f64() / f64::from(self.time_used.moves)),
            longest_ms: milliseconds(self.time_used.longest.as_secs_f64()),
            failures: self.failures,
            mistakes: self.mistakes,
        }
    }
}

fn sum(one: TimeUsed, other: TimeUsed) -> TimeUsed {
    let moves = one.moves.saturating_add(other.moves);
    TimeUsed { moves, time: one.time.saturating_add(other.time), longest: one.longest.max(other.longest) }
}

/// Standard deviations of the normal distribution between which 95 % of it lie.
const Z: f64 = 1.959_963_984_540_054;

/// A share of points with its confidence interval, all from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Points by games: a win is one, a draw half a point.
    pub points: f64,
    /// The 95 % confidence interval.
    pub low: f64,
    pub high: f64,
}

impl Share {
    /// The share of these results; `None` if there are none.
    ///
    /// Without draws this is the score interval of Wilson (Probable inference, the law of succession, and statistical
    /// inference, Journal of the American Statistical Association 22, 1927, pages 209-212; recommended by Brown, Cai
    /// and DasGupta, Interval estimation for a binomial proportion, Statistical Science 16, 2001, pages 101-133):
    ///
    /// `(p + z^2/2n +- z sqrt(v/n + z^2/4n^2)) / (1 + z^2/n)` with `v = p(1 - p)`, the variance of results that are 0
    /// or 1.
    ///
    /// With draws `v` is the variance of the points that were made, `(wins + draws/4)/n - p^2`, as is usual for
    /// results between 0 and 1; it is smaller, so the interval lies within Wilson's and never leaves 0 to 1. Where
    /// all results are the same, it still has a width of about `z^2/n`.
    pub fn of(wins: u32, draws: u32, losses: u32) -> Option<Share> {
        let [wins, draws, losses] = [wins, draws, losses].map(f64::from);
        let n = wins + draws + losses;
        if n == 0.0 {
            return None;
        }
        let points = (wins + draws / 2.0) / n;
        let variance = (wins + draws / 4.0) / n - points * points;
        let middle = points + Z * Z / (2.0 * n);
        let half = Z * (variance / n + Z * Z / (4.0 * n * n)).max(0.0).sqrt();
        let scale = 1.0 + Z * Z / n;
        let bound = |at: f64| rounded((at / scale).clamp(0.0, 1.0));
        Some(Share { points: rounded(points), low: bound(middle - half), high: bound(middle + half) })
    }
}

/// To six digits after the point.
pub fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
