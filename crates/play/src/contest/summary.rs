//! What a contest came to: the JSON contract of `match`, described in docs/match.md.

use serde::Serialize;

use super::interval::Share;
use super::judge::Mistakes;
use super::seat::Fault;

/// All games of a contest together.
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
}

/// Mean points by which a player and a side have won the games that ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Margins {
    pub a: f64,
    pub black: f64,
}

/// Games that a player lost by a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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

    pub fn all(self) -> u32 {
        self.time + self.illegal_move + self.ended + self.not_ready
    }
}
