//! The counts of a match, added up over games and parts.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::game::{Finish, PlayedGame, TimeUsed};
use super::judge::Mistakes;
use super::openings::Openings;
use super::schedule::MatchSettings;
use super::summary::{EndCount, Failures, Lengths, Margins, MatchSummary, PlayerSummary, Results, rounded};
use yomikiri_rules::{Game, Outcome, Side};

/// The counts of the games that have been added. Tallies of different parts of a match can be merged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchTally {
    games: u32,
    players: [PlayerTally; 2],
    /// The results of the side that moves first, whichever player it was.
    black: ResultCounts,
    /// The plies of the shortest game, the plies of all games together, and the plies of the longest game; `None`
    /// without games.
    plies: Option<[u64; 3]>,
    /// The results of Black for each kind of end.
    ended: BTreeMap<Cow<'static, str>, ResultCounts>,
    /// The hash of the moves of each game. Games with the same moves have the same hash.
    different: BTreeSet<u64>,
    /// The number of games with a margin, the sum of A's margins, and the sum of Black's margins.
    margins: [i64; 3],
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerTally {
    /// The player's results as Black, then the player's results as White.
    results: [ResultCounts; 2],
    time_used: TimeUsed,
    failures: Failures,
    mistakes: Option<Mistakes>,
}

/// The numbers of wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ResultCounts([u32; 3]);

impl ResultCounts {
    fn add(&mut self, outcome: Outcome) {
        self.0[match outcome {
            Outcome::Win => 0,
            Outcome::Draw => 1,
            Outcome::Loss => 2,
        }] += 1;
    }

    fn and(self, other: ResultCounts) -> ResultCounts {
        ResultCounts([0, 1, 2].map(|at| self.0[at].saturating_add(other.0[at])))
    }

    /// Returns the sum of both counts, or `None` if it overflows.
    fn checked(self, other: ResultCounts) -> Option<ResultCounts> {
        let [wins, draws, losses] = [0, 1, 2].map(|at| self.0[at].checked_add(other.0[at]));
        Some(ResultCounts([wins?, draws?, losses?]))
    }

    fn results(self) -> Results {
        Results::of(self.0)
    }

    fn games(self) -> u64 {
        self.0.map(u64::from).iter().sum()
    }
}

impl MatchTally {
    /// Adds a finished game.
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

    /// Returns the number of games.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Returns true if the counts agree with each other, and no game has more than `max_plies` plies. The counts of a
    /// tally that was read from a file may be wrong.
    pub fn is_sound(&self, max_plies: u32) -> bool {
        let games = u64::from(self.games);
        let [a, b] = &self.players;
        // The wins of one player as Black are the losses of the other as White.
        let mirrored = |[wins, draws, losses]: [u32; 3]| [losses, draws, wins];
        let agree = a.results[0].0 == mirrored(b.results[1].0) && a.results[1].0 == mirrored(b.results[0].0);
        let ended = self.ended.values().try_fold(ResultCounts::default(), |sum, counts| sum.checked(*counts));
        let black = a.results[0].checked(b.results[0]);
        let plies = match self.plies {
            None => games == 0,
            Some([least, all, most]) => {
                let bounds = [least, most].map(|plies| plies.saturating_mul(games));
                games > 0 && least <= most && most <= max_plies.into() && (bounds[0]..=bounds[1]).contains(&all)
            }
        };
        let margins = u64::try_from(self.margins[0]).is_ok_and(|counted| counted <= games);
        let different = self.different.len() as u64;
        let sound = |player: &PlayerTally| player.is_sound(self.plies.map_or(0, |[_, all, _]| all));
        agree
            && [ended, black] == [Some(self.black); 2]
            && self.black.games() == games
            && self.ended.keys().all(|how| !how.is_empty() && !how.chars().any(char::is_control))
            && plies
            && margins
            && (u64::from(games > 0)..=games).contains(&different)
            && sound(a)
            && sound(b)
    }

    /// Adds the games of another part of the match.
    pub fn merge(&mut self, other: &MatchTally) {
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

    /// Returns the summary of the games added so far. `stopped` is the reason why games are missing, or `None` if all
    /// were played.
    pub fn summary(&self, settings: &MatchSettings, stopped: Option<String>) -> MatchSummary {
        let [a, b] = [0, 1].map(|number| self.players[number].summary(settings.players[number].to_string()));
        let mean = |sum: f64, count: u64| rounded(sum / count as f64);
        let games = u64::from(self.games);
        let plies = self.plies.map(|[min, all, max]| Lengths { min, mean: mean(all as f64, games), max });
        let [count, of_a, of_black] = self.margins;
        let margin = (count > 0)
            .then(|| Margins { a: mean(of_a as f64, count as u64), black: mean(of_black as f64, count as u64) });
        let ended_so = |(how, counts): (&Cow<str>, &ResultCounts)| {
            let [black, _, white] = counts.0;
            EndCount { how: how.to_string(), games: counts.games() as u32, black, white }
        };
        let mut ended: Vec<EndCount> = self.ended.iter().map(ended_so).collect();
        ended.sort_by_key(|ended| std::cmp::Reverse(ended.games));
        MatchSummary {
            rules: settings.game.code(),
            games: self.games,
            asked: settings.games,
            stopped,
            seed: settings.seed,
            opening: settings.opening,
            openings: settings.openings.as_ref().map(Openings::count),
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
    /// Returns true if the counts agree with each other. `plies` is the total number of plies of all games.
    fn is_sound(&self, plies: u64) -> bool {
        let Failures { time, illegal_move, ended, not_ready } = self.failures;
        let failures: u64 = [time, illegal_move, ended, not_ready].map(u64::from).iter().sum();
        let losses: u64 = self.results.iter().map(|counts| u64::from(counts.0[2])).sum();
        let TimeUsed { moves, time, longest } = self.time_used;
        let mistakes = self.mistakes.is_none_or(|mistakes| {
            let Mistakes { won, wins_spoiled, drawn, draws_spoiled } = mistakes;
            wins_spoiled <= won && draws_spoiled <= drawn && won.saturating_add(drawn) <= plies
        });
        // A resignation counts as a move but is not a ply.
        let games: u64 = self.results.iter().map(|counts| counts.games()).sum();
        failures <= losses && longest <= time && u64::from(moves) <= plies.saturating_add(games) && mistakes
    }

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
