//! Questions of the API. Look-ups and short searches answer here; what takes longer is left to the command.

use std::time::Duration;

use serde::Serialize;

use yomikiri_answer::shelf::{Item, Kind, State, usable};
use yomikiri_answer::{
    Answerer, Counts, Dimension, Found, GameList, NO_SUM, Points, ProofNode, QueryReport, RulesReport, Source, Stats,
};
use yomikiri_play::{CombinedPlayer, Limits, Player, Session, Strength, Told, WeakenedPlayer};
use yomikiri_rules::{AnyGame, FAMILIES, Value, ValueCodec, with_game};
use yomikiri_solve::{Playable, Solvable, SolveError};
use yomikiri_table::{Location, Silent, Table, name, probe};

use super::reply::Refusal;
use super::words::Words;
use super::work::{Answered, CommandLine, Effort, LONG_MEMORY};

/// Memory for what is found out beside files: some tenths of a second.
const LITTLE: u64 = 4 << 20;

/// Plies of a line, at most.
const LONGEST_LINE: usize = 1000;

/// Positions that a player looks at, and the time it takes, where no file tells.
const NODES: u64 = 200_000;
const LOOK_AHEAD: Duration = Duration::from_secs(1);

type Answer = Result<Answered, Refusal>;

fn told(report: &impl Serialize) -> Answer {
    let broken = |error: serde_json::Error| Refusal::failed(error.to_string());
    serde_json::to_string(report).map(Answered::Json).map_err(broken)
}

/// All games.
pub fn games(_: &Location, _: &Words, _: Effort) -> Answer {
    told(&GameList::of(FAMILIES))
}

/// What a code means.
pub fn rules(_: &Location, words: &Words, _: Effort) -> Answer {
    with_game!(&AnyGame::parse(words.need("rules")?)?, game => told(&RulesReport::of(game)))
}

/// A table or certificate of the folder.
#[derive(Serialize)]
struct File {
    rules: String,
    kind: Kind,
    file: String,
    bytes: u64,
    positions: Option<u64>,
    /// Audited, or checked.
    relied_on: bool,
}

#[derive(Serialize)]
struct Files {
    tables: Vec<File>,
}

/// Tables and certificates that can be asked.
pub fn tables(location: &Location, _: &Words, _: Effort) -> Answer {
    let file = |item: Item| File {
        rules: item.rules,
        kind: item.kind,
        file: item.file,
        bytes: item.bytes,
        positions: item.positions,
        relied_on: item.state == State::Whole,
    };
    told(&Files { tables: usable(location)?.into_iter().map(file).collect() })
}

/// The value of a position and of its moves.
pub fn query(location: &Location, words: &Words, effort: Effort) -> Answer {
    let (code, position) = (words.need("rules")?, words.get("position").unwrap_or("startpos"));
    with_game!(&AnyGame::parse(code)?, game => query_in(game, location, position, effort))
}

fn query_in<G: Solvable>(game: &G, location: &Location, text: &str, effort: Effort) -> Answer {
    let position = game.parse_position(text)?;
    let mut answerer = Answerer::new(game, location.clone());
    let long = || {
        let options = ["--json", "--memory", LONG_MEMORY, "--threads", "1"].map(str::to_owned).into();
        let operands = vec![game.code(), game.position_text(&position)];
        Ok(Answered::NeedsCommand(CommandLine { verb: "query", options, operands }))
    };
    let mut report = if game.terminal_value(&position).is_some() {
        QueryReport::ask(&mut answerer, &position, LITTLE, &Silent)?
    } else if needs_search(&mut answerer, &position, effort)? {
        return Ok(Answered::NeedsSearch);
    } else {
        match answerer.find(&position, LITTLE, &Silent) {
            Ok(Found::Exact(oracle)) if !oracle.is_quick(&position) => return long(),
            Err(SolveError::TooLarge(_)) if !answerer.has_whole_table() => {
                return long();
            }
            found => QueryReport::of(&mut answerer, &position, &found?, &Silent)?,
        }
    };
    // A damaged table of points does not stand in the way of an answer that needs none.
    report.points = Points::of(game, location, &position).unwrap_or(None);
    told(&report)
}

/// Returns true if no table has `position`, which is not over, and a search would be more than the effort.
fn needs_search<G: Solvable>(
    answerer: &mut Answerer<G>,
    position: &G::Position,
    effort: Effort,
) -> Result<bool, Refusal> {
    Ok(effort == Effort::LookUp && answerer.table_of(position)?.is_none())
}

/// Best play to the end, or a game that a certificate wins, as far as files and a short search tell.
pub fn line(location: &Location, words: &Words, effort: Effort) -> Answer {
    let (code, position) = (words.need("rules")?, words.get("position").unwrap_or("startpos"));
    with_game!(&AnyGame::parse(code)?, game => line_in(game, location, position, effort))
}

fn line_in<G: Solvable>(game: &G, location: &Location, text: &str, effort: Effort) -> Answer {
    let position = game.parse_position(text)?;
    if game.terminal_value(&position).is_some() {
        return Err(Refusal::unknown("the game is over"));
    }
    let mut answerer = Answerer::new(game, location.clone());
    if needs_search(&mut answerer, &position, effort)? {
        return Ok(Answered::NeedsSearch);
    }
    match answerer.find(&position, LITTLE, &Silent)? {
        Found::Exact(oracle) if !oracle.is_quick(&position) => {
            Err(Refusal::unknown("its line would take a long search"))
        }
        _ => told(&answerer.line(&position, LONGEST_LINE, LITTLE, &Silent)?.report(game)),
    }
}

/// A position in which one move alone is right. Drawing it goes through the whole table.
pub fn puzzle(_: &Location, words: &Words, _: Effort) -> Answer {
    with_game!(&AnyGame::parse(words.need("rules")?)?, game => puzzle_in(game, words))
}

fn puzzle_in<G: Solvable>(game: &G, words: &Words) -> Answer {
    let (plies, margin) = (words.number("plies", 1..=1000)?, words.number("margin", 1..=128)?);
    let refused = |problem: &str| Err(Refusal::bad(format!("{}: {problem}", game.code())));
    let wanted = match (G::Value::CODEC == ValueCodec::Score, plies, margin) {
        (true, None, margin) => format!("--margin={}", margin.unwrap_or(1)),
        (true, Some(_), _) => return refused("plies: values are scores, which tell no distance; ask by margin"),
        (false, Some(plies), None) => format!("--plies={plies}"),
        (false, _, Some(_)) => return refused("margin: values are distances, not scores; ask by plies"),
        (false, None, None) => return refused("plies is missing: it says how far away the win is"),
    };
    let mut options = vec!["--json".into(), wanted];
    options.extend(words.number("seed", 0..=u64::MAX)?.map(|seed| format!("--seed={seed}")));
    Ok(Answered::NeedsCommand(CommandLine { verb: "puzzle", options, operands: vec![game.code()] }))
}

/// The table of a whole game.
fn table_of<G: Solvable>(game: &G, location: &Location) -> Result<Table, Refusal> {
    let path = name::whole(location.path(), &game.code());
    if !location.has(&path) {
        return Err(Refusal::unknown(format!("there is no table of {}", game.code())));
    }
    Ok(probe::open_at(game, location, &path)?)
}

/// What a table holds.
pub fn stats(location: &Location, words: &Words, _: Effort) -> Answer {
    with_game!(&AnyGame::parse(words.need("rules")?)?, game => stats_in(game, location))
}

fn stats_in<G: Solvable>(game: &G, location: &Location) -> Answer {
    let table = table_of(game, location)?;
    let start = game.start();
    let damaged = |what: &str| SolveError::from(table.damaged(what));
    let value = game.probe(&table, &start)?;
    let value = value.ok_or_else(|| damaged("has no value for the start"))?;
    let meta = table.meta()?;
    told(&Stats::new(game, &meta, value, game.side(&start)).ok_or_else(|| damaged(NO_SUM))?)
}

/// Counts of a table by several things.
pub fn counts(location: &Location, words: &Words, _: Effort) -> Answer {
    let mut by = Vec::new();
    for name in words.need("by")?.split(',') {
        let found = Dimension::ALL.into_iter().find(|dimension| dimension.name() == name);
        let names = || Dimension::ALL.map(Dimension::name).join(", ");
        by.push(found.ok_or_else(|| Refusal::bad(format!("by={name:?} is none of {}", names())))?);
    }
    with_game!(&AnyGame::parse(words.need("rules")?)?, game => counts_in(game, location, &by))
}

fn counts_in<G: Solvable>(game: &G, location: &Location, by: &[Dimension]) -> Answer {
    for (dimension, number) in by.iter().zip(0..) {
        if let Some(why) = dimension.refusal(game) {
            return Err(Refusal::bad(format!("by={}: {}: {why}", dimension.name(), game.code())));
        }
        if by[..number].contains(dimension) {
            return Err(Refusal::bad(format!("by: {} is there twice", dimension.name())));
        }
    }
    if by.contains(&Dimension::Moves) {
        let names = by.iter().map(|dimension| dimension.name()).collect::<Vec<_>>().join(",");
        let options = vec!["--json".into(), format!("--by={names}")];
        return Ok(Answered::NeedsCommand(CommandLine { verb: "stats", options, operands: vec![game.code()] }));
    }
    told(&Counts::of_table(game, &table_of(game, location)?, by, &Silent)?)
}

/// A node of a proof.
pub fn proof(location: &Location, words: &Words, _: Effort) -> Answer {
    let (code, position) = (words.need("rules")?, words.get("position").unwrap_or("startpos"));
    with_game!(&AnyGame::parse(code)?, game => proof_in(game, location, position))
}

fn proof_in<G: Solvable>(game: &G, location: &Location, text: &str) -> Answer {
    let position = game.parse_position(text)?;
    let certificates = Answerer::new(game, location.clone()).certificates()?;
    match ProofNode::of(game, &certificates, &position)? {
        Some(node) => told(&node),
        None => Err(Refusal::unknown(format!("no certificate of {} decides this position", game.code()))),
    }
}

/// A move of an opponent.
#[derive(Serialize)]
struct Choice {
    #[serde(rename = "move")]
    mv: String,
    /// What is known to say so; none if the move was found by looking ahead.
    source: Option<Source>,
}

/// A move for the side to move, by a player of some strength.
pub fn choose(location: &Location, words: &Words, effort: Effort) -> Answer {
    with_game!(&AnyGame::parse(words.need("rules")?)?, game => choose_in(game, location, words, effort))
}

fn choose_in<G: Playable + Solvable>(game: &G, location: &Location, words: &Words, effort: Effort) -> Answer {
    let mut session = Session::new(game, game.parse_position(words.get("position").unwrap_or("startpos"))?);
    let moves: Vec<&str> = words.get("moves").unwrap_or_default().split_whitespace().collect();
    session.act_on_all(&moves)?;
    if session.ending().is_some() {
        return Err(Refusal::unknown("the game is over"));
    }
    let strength = words.number("strength", 0..=100)?.and_then(|strength| Strength::new(strength as u8));
    let seed = words.number("seed", 0..=u64::MAX)?.unwrap_or_default();
    let mut answerer = Answerer::new(game, location.clone());
    // A damaged table is passed over by the player.
    if needs_search(&mut answerer, session.position(), effort).unwrap_or(true) {
        return Ok(Answered::NeedsSearch);
    }
    let best = CombinedPlayer::of(answerer);
    let mut player = WeakenedPlayer::new(best, strength.unwrap_or(Strength::FULL), seed);
    let limits = Limits { nodes: Some(NODES), time: Some(LOOK_AHEAD), ..Limits::default() };
    let mut known = Told(None);
    let choice = player.choose(&session, &limits, &mut known)?;
    told(&Choice { mv: game.move_text(choice.mv), source: known.0 })
}
