//! The interface of players, with their limits, choices and reports, and the players that look no further than their
//! own next move.

use std::time::Duration;

use fastrand::Rng;

use super::session::Session;
use yomikiri_answer::{Source, Trust};
use yomikiri_rules::{AnyMove, Game, Measure, Notation, Outcome, Plies, Value, visible};
use yomikiri_search::Searchable;
use yomikiri_solve::{Result, SolveError, Wrong};

/// Chooses moves.
pub trait Player {
    /// Chooses a move. The game must not be over.
    fn choose(&mut self, session: &Session, limits: &Limits, listener: &mut dyn Listener) -> Chosen;
}

/// The choice of a player, or an error if it cannot choose a move.
pub type Chosen = Result<Choice>;

/// Returns the error of a player that was asked for a move in a position without moves.
pub fn no_move(session: &Session) -> SolveError {
    Wrong::NoMove(session.game().position_text(session.position())).into()
}

/// The limits of a player's thinking. A limit that is `None` does not apply. Without any limit, the player thinks until
/// it is told to stop or there is nothing left to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The maximum search depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// The maximum time for the move.
    pub time: Option<Duration>,
}

/// The choice of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The chosen move.
    pub mv: AnyMove,
    /// The score for the side to move. It takes account of draws by repetition in this game.
    pub score: Score,
}

/// A player's score of a position or a move, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// A certain win in this number of plies.
    Won(Plies),
    /// A certain loss in this number of plies.
    Lost(Plies),
    /// A certain draw.
    Drawn,
    /// A certain outcome whose distance to the end is not known.
    Decided(Outcome),
    /// A certain margin of the side to move in points, negative if that side loses. Used in games about points.
    Points(i8),
    /// An estimate in the unit of [`yomikiri_search::evaluate::Evaluate::evaluate`].
    Guess(i32),
}

impl Score {
    /// Converts an exact value to a score.
    pub fn exact<V: Value>(value: V) -> Score {
        match (value.outcome(), value.measure()) {
            (_, Measure::Score { score }) => Score::Points(score),
            (Outcome::Win, Measure::Distance { plies: Some(plies) }) => Score::Won(plies),
            (Outcome::Loss, Measure::Distance { plies: Some(plies) }) => Score::Lost(plies),
            (_, Measure::Distance { .. }) => Score::Drawn,
        }
    }

    /// Converts the score of the position after a move to the score of the move. The position's score is for its side
    /// to move, the move's score for the side that makes the move.
    pub fn of_move(self) -> Score {
        match self {
            Score::Won(plies) => Score::Lost(Plies(plies.0 + 1)),
            Score::Lost(plies) => Score::Won(Plies(plies.0 + 1)),
            Score::Drawn => Score::Drawn,
            Score::Decided(outcome) => Score::Decided(outcome.opposite()),
            Score::Points(points) => Score::Points(-points),
            Score::Guess(guess) => Score::Guess(-guess),
        }
    }

    /// Returns the plies to a certain win or loss, or `None` if they are not known.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Score::Won(plies) | Score::Lost(plies) => Some(plies),
            Score::Drawn | Score::Decided(_) | Score::Points(_) | Score::Guess(_) => None,
        }
    }

    /// Returns a number by which scores are ordered; greater is better. A certain win counts more than any estimate,
    /// and an estimate more than a certain loss. A draw counts as the estimate 0. Sooner wins and later losses are
    /// better.
    pub(crate) fn order(self) -> i32 {
        /// More than any estimate, and than the number of plies of any game.
        const SURE: i32 = 1 << 20;
        match self {
            Score::Won(plies) => 2 * SURE - i32::from(plies.0),
            Score::Lost(plies) => i32::from(plies.0) - 2 * SURE,
            Score::Decided(Outcome::Win) => SURE,
            Score::Decided(Outcome::Loss) => -SURE,
            Score::Drawn | Score::Decided(Outcome::Draw) => 0,
            Score::Points(points) => 100 * i32::from(points),
            Score::Guess(guess) => guess,
        }
    }

    /// Returns the certain outcome for the side to move, or `None` for an estimate.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Score::Won(_) => Some(Outcome::Win),
            Score::Lost(_) => Some(Outcome::Loss),
            Score::Drawn => Some(Outcome::Draw),
            Score::Decided(outcome) => Some(outcome),
            Score::Points(points) => Some(yomikiri_rules::Score::new(points.into()).outcome()),
            Score::Guess(_) => None,
        }
    }
}

/// A report of a player while it thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerReport {
    /// A search has completed an iteration.
    Searched {
        /// The depth in plies.
        depth: u32,
        /// The number of nodes so far, of all threads together.
        nodes: u64,
        /// The time since the player began to choose.
        time: Duration,
        /// The time since the search of the nodes began, from which its speed follows.
        search_time: Duration,
        /// The score for the side to move.
        score: Score,
        /// The principal variation, the best move first.
        line: Vec<AnyMove>,
    },
    /// The score is known from `source`, without principal variation search.
    Known {
        /// The score for the side to move.
        score: Score,
        /// The chosen move.
        mv: AnyMove,
        /// The source of the score.
        source: ScoreSource,
    },
    /// One of the best moves with its line. A player that was asked for several lines reports them instead of
    /// `Searched` and `Known`.
    Line(RankedLine),
    /// A proof of the winner is under way.
    Proving {
        /// The number of positions expanded so far.
        expansions: u64,
        /// The time since the proof began.
        time: Duration,
        /// The number of moves that are known to lose, and the number of all moves. Equal moves count once.
        refuted: [usize; 2],
    },
    /// A message for people.
    Remark(String),
}

/// The source of a score that is known without principal variation search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreSource {
    /// The source.
    pub kind: Source,
    /// The state of a certificate or an opening; `None` for other sources.
    pub trust: Option<Trust>,
    /// A remark about the move for people; may be empty.
    pub remark: String,
}

impl ScoreSource {
    /// Returns a source in this state, without a remark.
    pub fn new(kind: Source, trust: Option<Trust>) -> ScoreSource {
        ScoreSource { kind, trust, remark: String::new() }
    }

    /// Returns the name of the source. `between` and what is to say about it follow: the remark, or `unchecked` for a
    /// certificate or an opening that has not passed `yomikiri check` at its location.
    pub fn text(&self, between: &str) -> String {
        let note = if self.trust == Some(Trust::Unchecked) { Trust::Unchecked.name() } else { &self.remark };
        let between = if note.is_empty() { "" } else { between };
        format!("{}{between}{}", self.kind, visible(note))
    }
}

/// One of the best moves, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedLine {
    /// The rank of the move; 1 is the best.
    pub rank: usize,
    /// The score for the side to move.
    pub score: Score,
    /// The line, which begins with the move.
    pub line: Vec<AnyMove>,
    /// The origin of the score.
    pub origin: LineOrigin,
}

/// The origin of the score of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineOrigin {
    /// Principal variation search.
    Search(SearchEffort),
    /// A source that knows the score.
    Known(ScoreSource),
}

/// The effort of a principal variation search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchEffort {
    /// The depth in plies.
    pub depth: u32,
    /// The number of nodes so far, of all threads together.
    pub nodes: u64,
    /// The time since the player began to choose.
    pub time: Duration,
    /// The time since the search of the nodes began, from which its speed follows.
    pub search_time: Duration,
}

/// Describes the progress of a proof. The numbers are those of the moves that are known to lose, and of all moves.
pub fn proof_words([refuted, moves]: [usize; 2]) -> String {
    match refuted {
        0 => "proving who wins".into(),
        _ => format!("proving who wins, {refuted} of {moves} moves lose"),
    }
}

/// Receives the reports of a player, and decides when the player has to answer.
pub trait Listener {
    /// Receives a report. The default implementation ignores it.
    fn report(&mut self, _report: PlayerReport) {}

    /// Returns true if the player should stop thinking and answer. The player calls it many times a second. The default
    /// implementation never stops the player.
    fn should_stop(&mut self) -> bool {
        false
    }
}

/// A listener that never stops the player. Its field is the source of the move, or `None` if the move came from
/// principal variation search.
pub struct SourceListener(pub Option<ScoreSource>);

impl Listener for SourceListener {
    fn report(&mut self, report: PlayerReport) {
        if let PlayerReport::Known { source, .. } = report {
            self.0 = Some(source);
        }
    }
}

/// A listener that never stops the player and ignores reports.
pub struct SilentListener;

impl Listener for SilentListener {}

/// Plays random legal moves.
pub struct RandomPlayer {
    random: Rng,
}

impl RandomPlayer {
    /// Creates a player. The same seed gives the same moves.
    pub fn new(seed: u64) -> RandomPlayer {
        RandomPlayer { random: Rng::with_seed(seed) }
    }
}

/// Plays the move after which its own [`yomikiri_search::Evaluate::material`] is greatest. Chooses at random among
/// moves with equal material.
pub struct GreedyPlayer {
    random: Rng,
}

impl GreedyPlayer {
    /// Creates a player. The same seed gives the same moves.
    pub fn new(seed: u64) -> GreedyPlayer {
        GreedyPlayer { random: Rng::with_seed(seed) }
    }
}

/// Chooses one of `moves` at random, with the score 0.
fn any(session: &Session, moves: &[AnyMove], random: &mut Rng) -> Chosen {
    let mv = random.choice(moves).ok_or_else(|| no_move(session))?;
    Ok(Choice { mv: *mv, score: Score::Guess(0) })
}

impl Player for RandomPlayer {
    fn choose(&mut self, session: &Session, _: &Limits, _: &mut dyn Listener) -> Chosen {
        any(session, &session.moves(), &mut self.random)
    }
}

impl Player for GreedyPlayer {
    fn choose(&mut self, session: &Session, _: &Limits, _: &mut dyn Listener) -> Chosen {
        let (game, side) = (session.game(), session.side());
        let evaluator = game.evaluator();
        let wealth = |&mv: &AnyMove| evaluator.material(&game.play(session.position(), mv), side);
        let mut moves = session.moves();
        let most = moves.iter().map(wealth).max();
        moves.retain(|mv| Some(wealth(mv)) == most);
        any(session, &moves, &mut self.random)
    }
}
