//! Principal variation search for several best moves (`MultiPV`), or among some moves of the root (`searchmoves`).
//!
//! Each iteration searches the root once for every line. The first search finds the best move. Each further search
//! leaves out the moves of the better lines. The searches share the transposition table, so that most of them find what
//! they need there. An iteration that is stopped updates the lines that it has found.

use std::cmp::Reverse;
use std::sync::atomic::Ordering;

use super::progress::{MAX_DEPTH, SearchClock, SharedSearch, improves};
use super::tree::{PvSearch, StopFn};
use crate::player::{Choice, LineOrigin, PlayerReport, RankedLine, Score, SearchEffort};
use crate::selection::Candidate;
use yomikiri_rules::AnyMove;

/// The moves of the root to search, and the lines to find.
pub struct RootMoves {
    /// Groups of moves to distinct positions. A move ranks before every move of a later group.
    pub groups: Vec<RootGroup>,
    /// The number of lines to find; at least 1.
    pub lines: usize,
    /// The rank of the first line if lines are reported with their ranks, else `None`.
    pub first_rank: Option<usize>,
}

/// Moves of the root that rank together.
#[derive(Clone)]
pub struct RootGroup {
    pub moves: Vec<Candidate>,
    /// The certain score of these moves; `None` if their scores are not known.
    pub known: Option<Score>,
}

/// A line that an iteration has found.
struct FoundLine {
    depth: u32,
    score: Score,
    line: Vec<AnyMove>,
}

impl FoundLine {
    /// Creates a line. Its score is the one that is known, unless the search has found the number of plies as well.
    fn new(depth: u32, score: Score, line: Vec<AnyMove>, known: Option<Score>) -> FoundLine {
        FoundLine { depth, score: known.filter(|_| score.plies().is_none()).unwrap_or(score), line }
    }

    fn choice(&self) -> Option<Choice> {
        self.line.first().map(|&mv| Choice { mv, score: self.score })
    }

    /// Returns true if no deeper search can change the line's score.
    fn is_final(&self) -> bool {
        self.score.plies().is_some_and(|plies| u32::from(plies.0) <= self.depth)
    }
}

/// Searches one iteration after another and reports each, until the clock ends the search or there is nothing left to
/// find. Returns the best move, or `None` if there is no move to search.
pub fn search_lines(
    mut tree: PvSearch,
    shared: &SharedSearch,
    root: &RootMoves,
    clock: &mut SearchClock,
) -> Option<Choice> {
    let deepest = clock.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let mut groups = root.groups.clone();
    for group in &mut groups {
        group.moves.sort_by_key(|candidate| Reverse(tree.order_score(&candidate.position)));
    }
    let mut best: Vec<FoundLine> = Vec::new();
    for depth in 1..=deepest {
        let mut stop = |nodes: u64| depth > 1 && clock.is_over(nodes + shared.nodes.load(Ordering::Relaxed));
        if stop(tree.nodes()) {
            break;
        }
        let mut found = Vec::new();
        let whole = search_once(&mut tree, depth, &groups, root.lines, &mut found, &mut stop);
        if !whole && root.lines == 1 {
            let known = groups.first().and_then(|group| group.known);
            let partial = tree.best().map(|(score, line)| FoundLine::new(depth, score, line, known));
            let before = best.first().and_then(FoundLine::choice);
            let is_news = |line: &FoundLine| line.choice().is_some_and(|partial| improves(&partial, before.as_ref()));
            let Some(partial) = partial.filter(is_news) else { return before };
            report(&tree, shared, root, clock, std::slice::from_ref(&partial));
            return partial.choice();
        }
        let is_news = !found.is_empty();
        best.retain(|old| found.iter().all(|new| new.line.first() != old.line.first()));
        found.append(&mut best);
        found.truncate(root.lines);
        best = found;
        if is_news {
            report(&tree, shared, root, clock, &best);
        }
        if !whole || best.iter().all(FoundLine::is_final) {
            break;
        }
        for group in &mut groups {
            put_first(&mut group.moves, &best);
        }
    }
    best.first()?.choice()
}

/// Searches the root once for each line and adds the lines to `found`, the best first. Returns false if the search is
/// stopped.
fn search_once(
    tree: &mut PvSearch,
    depth: u32,
    groups: &[RootGroup],
    lines: usize,
    found: &mut Vec<FoundLine>,
    stop: StopFn,
) -> bool {
    for group in groups {
        let (begin, mut rest, mut whole) = (found.len(), group.moves.clone(), true);
        while whole && found.len() < lines && !rest.is_empty() {
            whole = tree.search_moves(depth, &rest, stop);
            let Some((score, line)) = tree.best().filter(|_| whole) else { break };
            rest.retain(|candidate| line.first() != Some(&candidate.mv));
            found.push(FoundLine::new(depth, score, line, group.known));
        }
        // A later search may find more than an earlier one, because the transposition table has more entries.
        found[begin..].sort_by_key(|found| Reverse(found.score.order()));
        if !whole {
            return false;
        }
    }
    true
}

/// Moves the moves of the lines to the front of a group, in the order of the lines.
fn put_first(group: &mut [Candidate], lines: &[FoundLine]) {
    let rank = |candidate: &Candidate| lines.iter().position(|found| found.line.first() == Some(&candidate.mv));
    group.sort_by_key(|candidate| rank(candidate).unwrap_or(lines.len()));
}

fn report(tree: &PvSearch, shared: &SharedSearch, root: &RootMoves, clock: &mut SearchClock, lines: &[FoundLine]) {
    let effort = clock.effort(shared, tree.nodes(), 0);
    for (place, &FoundLine { depth, score, ref line }) in lines.iter().enumerate() {
        let (effort, line) = (SearchEffort { depth, ..effort }, line.clone());
        match root.first_rank {
            None => clock.report(effort, score, line),
            Some(first) => {
                let ranked = RankedLine { rank: first + place, score, line, origin: LineOrigin::Search(effort) };
                clock.listener.report(PlayerReport::Line(ranked));
            }
        }
    }
}

/// Searches the moves of the root in parallel with the main thread until `shared.halt` is set. `number` is the index of
/// the helper thread, counted from 1.
pub fn help(mut tree: PvSearch, shared: &SharedSearch, root: &RootMoves, number: usize) {
    let mut stop = shared.helper_stop();
    let moves: Vec<Candidate> = root.groups.iter().flat_map(|group| group.moves.iter().copied()).collect();
    for depth in 1 + number as u32 % 2..=MAX_DEPTH {
        if !tree.search_moves(depth, &moves, &mut stop) {
            break;
        }
    }
}
