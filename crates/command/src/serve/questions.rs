//! Answers the questions of the API. Look-ups and short searches are done here; for longer work, the answer is the
//! command that a child process must run.

use std::time::{Duration, Instant};

use serde::Serialize;

use yomikiri_answer::inventory::{Item, StoredFileKind, StoredFileState, usable};
use yomikiri_answer::{
    Answerer, COUNTS_OVERFLOW, Certificates, Dimension, FoundSource, GameList, GroupedCounts, Points, ProofNode,
    QueryReport, RulesReport, Source, Stats, Trust,
};
use yomikiri_play::{CombinedPlayer, Limits, Player, Session, SourceListener, Strength, WeakenedPlayer};
use yomikiri_rules::{AnyGame, AnyPosition, FAMILIES, Game, Notation, ValueCodec};
use yomikiri_solve::{Solvable, SolveError};
use yomikiri_table::{Location, Silent, Table, name, probe};

use super::parameters::{Parameters, with_blanks};
use super::reply::Refusal;
use super::scheduler::{Answered, CHILD_MEMORY, CommandLine, Effort};

/// The memory for computing an answer that no file has, in bytes. A computation that fits into this memory takes a few
/// tenths of a second.
const LITTLE: u64 = 4 << 20;

/// The maximum length of a line of best play, in plies.
const LONGEST_LINE: usize = 1000;

/// The maximum number of positions that a computer player searches to choose a move if no file has the position.
/// `LOOK_AHEAD` is the maximum time of this search.
const NODES: u64 = 200_000;
const LOOK_AHEAD: Duration = Duration::from_secs(1);

type QuestionResult = Result<Answered, Refusal>;

fn told(report: &impl Serialize) -> QuestionResult {
    let broken = |error: serde_json::Error| Refusal::failed(error.to_string());
    serde_json::to_string(report).map(Answered::Json).map_err(broken)
}

/// Lists all games.
pub fn games(_: &Location, _: &Parameters, _: Effort) -> QuestionResult {
    told(&GameList::of(FAMILIES))
}

/// Describes a rule code.
pub fn rules(_: &Location, words: &Parameters, _: Effort) -> QuestionResult {
    told(&RulesReport::of(&AnyGame::parse(words.need("rules")?)?))
}

/// A table, a certificate or an opening in the folders of tables.
#[derive(Serialize)]
struct FolderFile {
    rules: String,
    kind: StoredFileKind,
    file: String,
    bytes: u64,
    positions: Option<u64>,
    /// True if the table has been audited, or the certificate or opening checked.
    relied_on: bool,
}

#[derive(Serialize)]
struct FolderFiles {
    tables: Vec<FolderFile>,
}

/// Lists the tables, certificates and openings that can answer questions.
pub fn tables(location: &Location, _: &Parameters, _: Effort) -> QuestionResult {
    let file = |item: Item| FolderFile {
        rules: item.rules,
        kind: item.kind,
        file: item.file,
        bytes: item.bytes,
        positions: item.positions,
        relied_on: item.state == StoredFileState::Whole,
    };
    told(&FolderFiles { tables: usable(location)?.into_iter().map(file).collect() })
}

/// Returns the value of a position and the values of its legal moves.
pub fn query(location: &Location, words: &Parameters, effort: Effort) -> QuestionResult {
    let (code, position) = (words.need("rules")?, words.position());
    query_in(&mut Answerer::new(&AnyGame::parse(code)?, location.clone()), location, &position, effort)
}

/// Answers [`query`] for several positions in order. Begins no answer after the time `end`, except that the first
/// position is always answered.
pub fn query_each(
    location: &Location,
    code: &str,
    positions: &[&str],
    effort: Effort,
    end: Instant,
) -> Result<Vec<QuestionResult>, Refusal> {
    let game = &AnyGame::parse(code)?;
    let mut answerer = Answerer::new(game, location.clone());
    let mut answers = Vec::new();
    for text in positions {
        answers.push(query_in(&mut answerer, location, &with_blanks(text), effort));
        if Instant::now() >= end {
            break;
        }
    }
    Ok(answers)
}

fn query_in(answerer: &mut Answerer, location: &Location, text: &str, effort: Effort) -> QuestionResult {
    let game = answerer.game();
    let position = game.parse_position(text)?;
    let long = || {
        let options = ["--json", "--memory", CHILD_MEMORY, "--threads", "1"].map(str::to_owned).into();
        let operands = vec![game.code(), game.position_text(&position)];
        Ok(Answered::NeedsCommand(CommandLine { verb: "query", options, operands }))
    };
    let mut report = if game.terminal_value(&position).is_some() {
        QueryReport::ask(answerer, &position, LITTLE, &Silent)?
    } else if needs_search(answerer, &position, effort)? {
        return Ok(Answered::NeedsSearch);
    } else {
        match answerer.find(&position, LITTLE, &Silent) {
            Ok(FoundSource::Exact(oracle)) if !oracle.is_quick(&position) => return long(),
            // The files have the winner, but no winning move. The command proves one.
            Ok(FoundSource::Certified(certificates)) if certificates.lack_move(&position)? => return long(),
            Err(SolveError::TooLarge(_)) if !answerer.has_whole_table() => {
                return long();
            }
            found => QueryReport::of(answerer, &position, &found?, true, &Silent)?,
        }
    };
    // The answer is complete without points, so a damaged table of the variant with points does not prevent it.
    report.points = Points::of(game, location, &position).unwrap_or(None);
    told(&report)
}

/// Returns true if no table has the position and `effort` does not allow the search that is then needed. The position
/// must be nonterminal.
fn needs_search(answerer: &mut Answerer, position: &AnyPosition, effort: Effort) -> Result<bool, Refusal> {
    Ok(effort == Effort::LookUp && answerer.table_of(position)?.is_none())
}

/// Returns best play to the end, or a game in which the winner makes the moves of a certificate. Uses files and a short
/// search.
pub fn line(location: &Location, words: &Parameters, effort: Effort) -> QuestionResult {
    let game = &AnyGame::parse(words.need("rules")?)?;
    let position = game.parse_position(&words.position())?;
    if game.terminal_value(&position).is_some() {
        return Err(Refusal::unknown("the game is over"));
    }
    let mut answerer = Answerer::new(game, location.clone());
    if needs_search(&mut answerer, &position, effort)? {
        return Ok(Answered::NeedsSearch);
    }
    match answerer.find(&position, LITTLE, &Silent)? {
        FoundSource::Exact(oracle) if !oracle.is_quick(&position) => {
            Err(Refusal::unknown("the line of this position needs a long search"))
        }
        _ => told(&answerer.line(&position, LONGEST_LINE, LITTLE, &Silent)?.report(game)),
    }
}

/// Draws a position with only one right move. Drawing reads the whole table, so a child process does it.
pub fn puzzle(location: &Location, words: &Parameters, _: Effort) -> QuestionResult {
    let game = &AnyGame::parse(words.need("rules")?)?;
    let (plies, margin) = (words.number("plies", 1..=1000)?, words.number("margin", 1..=128)?);
    let refused = |problem: &str| Err(Refusal::bad(format!("{}: {problem}", game.code())));
    let wanted = match (game.codec() == ValueCodec::Score, plies, margin) {
        (true, None, margin) => format!("--margin={}", margin.unwrap_or(1)),
        (true, Some(_), _) => return refused("plies: values are scores, not distances; use margin"),
        (false, Some(plies), None) => format!("--plies={plies}"),
        (false, _, Some(_)) => return refused("margin: values are distances, not scores; use plies"),
        (false, None, None) => return refused("plies is required: the number of plies to the win"),
    };
    let mut options = vec!["--json".into(), wanted];
    options.extend(words.number("seed", 0..=u64::MAX)?.map(|seed| format!("--seed={seed}")));
    // The child's exit status does not tell a missing table (404) from a damaged one (500).
    table_of(game, location)?;
    Ok(Answered::NeedsCommand(CommandLine { verb: "puzzle", options, operands: vec![game.code()] }))
}

/// Opens the table of a whole game. Refuses the question if there is no such table.
fn table_of(game: &AnyGame, location: &Location) -> Result<Table, Refusal> {
    let path = location.file(|folder| name::whole(folder, &game.code()));
    if !location.has(&path) {
        return Err(Refusal::unknown(format!("there is no table of {}", game.code())));
    }
    Ok(probe::open_at(game, location, &path)?)
}

/// Returns the counts that a table holds, such as the numbers of won, drawn and lost positions.
pub fn stats(location: &Location, words: &Parameters, _: Effort) -> QuestionResult {
    let game = &AnyGame::parse(words.need("rules")?)?;
    let table = table_of(game, location)?;
    let start = game.start();
    let damaged = |what: &str| SolveError::from(table.damaged(what));
    let value = game.probe(&table, &start)?;
    let value = value.ok_or_else(|| damaged("has no value for the start"))?;
    let meta = table.meta()?;
    told(&Stats::new(game, &meta, value, game.side(&start)).ok_or_else(|| damaged(COUNTS_OVERFLOW))?)
}

/// Counts the positions of a table by the dimensions that the question lists, such as ply and winner.
pub fn counts(location: &Location, words: &Parameters, _: Effort) -> QuestionResult {
    let mut by = Vec::new();
    for name in words.need("by")?.split(',') {
        let found = Dimension::ALL.into_iter().find(|dimension| dimension.name() == name);
        let names = || Dimension::ALL.map(Dimension::name).join(", ");
        by.push(found.ok_or_else(|| Refusal::bad(format!("by={name:?} must be one of {}", names())))?);
    }
    let game = &AnyGame::parse(words.need("rules")?)?;
    for (dimension, number) in by.iter().zip(0..) {
        if let Some(why) = dimension.refusal(game) {
            return Err(Refusal::bad(format!("by={}: {}: {why}", dimension.name(), game.code())));
        }
        if by[..number].contains(dimension) {
            return Err(Refusal::bad(format!("by: {} is given twice", dimension.name())));
        }
    }
    if by.contains(&Dimension::Moves) {
        let names = by.iter().map(|dimension| dimension.name()).collect::<Vec<_>>().join(",");
        let options = vec!["--json".into(), format!("--by={names}")];
        table_of(game, location)?;
        return Ok(Answered::NeedsCommand(CommandLine { verb: "stats", options, operands: vec![game.code()] }));
    }
    told(&GroupedCounts::of_table(game, &table_of(game, location)?, &by, &Silent)?)
}

/// Returns the part of a certificate about one position: the winner, and the moves that the proof needs.
pub fn proof(location: &Location, words: &Parameters, _: Effort) -> QuestionResult {
    let game = &AnyGame::parse(words.need("rules")?)?;
    let position = game.parse_position(&words.position())?;
    let certificates = Certificates::open(game, location.clone());
    match ProofNode::of(game, &certificates, &position)? {
        Some(node) => told(&node),
        None => Err(Refusal::unknown(format!("no certificate of {} decides this position", game.code()))),
    }
}

/// The move that the computer chooses as an opponent, as JSON.
#[derive(Serialize)]
struct OpponentMove {
    #[serde(rename = "move")]
    mv: String,
    /// The source of a known best move. `None` if the player searched for the move.
    source: Option<Source>,
    /// The state of a certificate or an opening that is the source; absent for other sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<Trust>,
}

/// Chooses a move for the side to move, by a player of the strength that the question asks for.
pub fn choose(location: &Location, words: &Parameters, effort: Effort) -> QuestionResult {
    let game = &AnyGame::parse(words.need("rules")?)?;
    let mut session = Session::new(game, game.parse_position(&words.position())?);
    session.act_on_all(&words.moves().split_whitespace().collect::<Vec<_>>())?;
    if session.ending().is_some() {
        return Err(Refusal::unknown("the game is over"));
    }
    let strength = words.number("strength", 0..=100)?.and_then(|strength| Strength::new(strength as u8));
    let seed = words.number("seed", 0..=u64::MAX)?.unwrap_or_default();
    let mut answerer = Answerer::new(game, location.clone());
    // A damaged table is not an error here: the player skips it.
    if needs_search(&mut answerer, session.position(), effort).unwrap_or(true) {
        return Ok(Answered::NeedsSearch);
    }
    let best = CombinedPlayer::with_answerer(answerer);
    let mut player = WeakenedPlayer::new(best, strength.unwrap_or(Strength::FULL), seed);
    let limits = Limits { nodes: Some(NODES), time: Some(LOOK_AHEAD), ..Limits::default() };
    let mut known = SourceListener(None);
    let choice = player.choose(&session, &limits, &mut known)?;
    let (source, certificate) = known.0.map_or((None, None), |known| (Some(known.kind), known.trust));
    told(&OpponentMove { mv: game.move_text(choice.mv), source, certificate })
}
