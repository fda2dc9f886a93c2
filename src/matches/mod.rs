//! `yomikiri match`: players against each other, game after game.

mod text;

use std::cell::Cell;
use std::fmt::Display;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use yomikiri_play::matches::{
    self, Broken, Kind, MatchSettings, NoMatch, Part, PlayedGame, PlayedPart, PlayerSpec, RecordFile, Style, Summary,
    Tally, parse_time,
};
use yomikiri_play::{Limits, search, usi};
use yomikiri_rules::{AnyGame, Outcome, with_game};
use yomikiri_solve::{Playable, memory};
use yomikiri_table::{name, text_file};

use super::Done;
use super::error::Failure;
use super::open::open_or_advise;
use super::output::{note, print, print_json};
use super::settings::{Tables, parse_memory};
use super::signals;

/// Let two players play many games against each other
#[derive(Args)]
#[command(after_help = "Players:\n  \
    table         by the table of CODE, without mistakes\n  \
    search        looks ahead\n  \
    computer      by the table if there is one, else by exact or plain search\n  \
    random        any legal move\n  \
    greedy        takes what it can get at once\n  \
    usi:COMMAND   another program that speaks USI (Binarsi and animal shogi)\n\n\
    Options of a player follow its name, as search,time=200ms or search,depth=4 or usi,nodes=10000:./engine.\n\
    Colours are exchanged after every game.")]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    /// A player, as table or search,depth=4
    a: String,

    /// Another one, as random or usi:./engine
    b: String,

    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,

    /// Time for a move of players without options of their own [default: 100ms, if nothing else limits them]
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,

    /// Plies they look ahead at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=search::DEEPEST as i64))]
    depth: Option<u32>,

    /// Positions they look at, at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Begin each pair of games with P random plies, the same in both
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000))]
    opening: u32,

    /// Other seeds draw other openings and other random moves
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// A game of N plies is a draw
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_plies: u32,

    /// Play only one of so many parts, as 3/16, and print a line for --parts
    #[arg(long, value_name = "I/N", conflicts_with = "parts")]
    part: Option<Part>,

    /// Play nothing, but add up the lines of all parts in a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["records", "threads"])]
    parts: Option<PathBuf>,

    /// Games played at the same time [default: 1 if a player counts time or is a program, else all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Memory for what a search finds, for each player of each game
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = parse_memory)]
    memory: u64,

    /// How much longer than its time a program may take for a move, before it loses
    #[arg(long, value_name = "T", default_value = "1s", value_parser = parse_time)]
    grace: Duration,

    /// Write the games to a new file
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,

    #[command(flatten)]
    tables: Tables,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Done {
    let any = AnyGame::parse(&arguments.code)?;
    let speaks_usi = usi::speaker(&any).is_some();
    with_game!(any, game => play_match(&game, speaks_usi, arguments))
}

/// Bytes of the longest file of parts that is read: a line for each of 100,000 parts.
const LONGEST_PARTS: u64 = 64 << 20;

/// Time for a move if nobody says anything.
const USUAL: Duration = Duration::from_millis(100);

fn play_match<G: Playable>(game: &G, speaks_usi: bool, arguments: Arguments) -> Done {
    let players = players(&arguments)?;
    let threads = threads(arguments.threads, &players);
    let settings = MatchSettings {
        game,
        players,
        location: arguments.tables.location()?,
        games: arguments.games,
        part: arguments.part.unwrap_or(Part::WHOLE),
        seed: arguments.seed,
        opening: arguments.opening,
        max_plies: arguments.max_plies,
        threads: threads.min(arguments.games as usize),
        memory: usize::try_from(arguments.memory).unwrap_or(usize::MAX),
        grace: arguments.grace,
    };
    let show = |summary: &Summary| if arguments.json { print_json(summary) } else { print(&text::of(summary)) };
    if let Some(file) = &arguments.parts {
        let named = |what: &dyn Display| format!("{}: {what}", file.display());
        let lines = text_file::read(file, LONGEST_PARTS)?;
        let sum = PlayedPart::sum(&settings, &lines).map_err(|error| match error {
            NoMatch::Wrong(_) => Failure::Request(named(&error)),
            NoMatch::Lacking(..) => Failure::Work(named(&error)),
        });
        return show(&sum?.summary(&settings, None));
    }
    check(&settings, speaks_usi)?;
    let records = arguments.records.as_deref().map(new_records).transpose()?;
    let (tally, broken) = play(&settings, records)?;
    let summary = tally.summary(&settings, broken.as_ref().map(Broken::to_string));
    if arguments.part.is_some() && broken.is_none() {
        return print(&PlayedPart::new(&settings, tally).line());
    }
    if summary.games > 0 || broken.is_none() {
        show(&summary)?;
    }
    broken.map_or(Ok(()), |broken| Err(failure(&summary, &broken)))
}

/// The players A and B.
fn players(arguments: &Arguments) -> Result<[PlayerSpec; 2], Failure> {
    let said = Limits { depth: arguments.depth, nodes: arguments.nodes, time: arguments.time };
    let usual = if said == Limits::default() { Limits { time: Some(USUAL), ..said } } else { said };
    Ok([PlayerSpec::parse(&arguments.a, usual)?, PlayerSpec::parse(&arguments.b, usual)?])
}

/// Games at the same time: players that count time would disturb each other, and programs may use several cores
/// themselves.
fn threads(asked: Option<u16>, players: &[PlayerSpec; 2]) -> usize {
    match asked {
        Some(threads) => threads.into(),
        None if players.iter().all(PlayerSpec::is_repeatable) => available_parallelism().map_or(1, NonZero::get),
        None => 1,
    }
}

/// Refuses what cannot be played; warns of what tells little.
fn check<G: Playable>(settings: &MatchSettings<G>, speaks_usi: bool) -> Done {
    let (game, code) = (settings.game, settings.game.code());
    for player in &settings.players {
        match player.kind {
            Kind::Usi(..) if !speaks_usi => {
                return Err(Failure::Request(format!("{code}: usi is spoken in Binarsi and animal shogi only")));
            }
            Kind::Own(Style::Table) => {
                let location = &settings.location;
                drop(open_or_advise(game, location, &name::whole(location.path(), &code), None)?);
            }
            _ => {}
        }
    }
    check_memory(settings)?;
    if settings.opening >= settings.max_plies {
        let (opening, most) = (settings.opening, settings.max_plies);
        return Err(Failure::Request(format!("--opening {opening}: games end after {most} plies, see --max-plies")));
    }
    if settings.opening == 0 && settings.games > 2 && settings.players.iter().all(PlayerSpec::is_fixed) {
        note("warning: both players always play alike, so there are only two different games; see --opening");
    }
    Ok(())
}

/// Refuses more memory than the machine has for all that is searched at the same time.
fn check_memory<G: Playable>(settings: &MatchSettings<G>) -> Done {
    // Looking ahead, and where the game has one the exact search.
    let combined = 1 + usize::from(settings.game.searcher(0).is_some());
    let searches = |player: &PlayerSpec| match player.kind {
        Kind::Own(Style::Search) => 1,
        Kind::Own(Style::Computer) => combined,
        _ => 0,
    };
    let searches = settings.threads * settings.players.iter().map(searches).sum::<usize>();
    let bytes = (settings.memory as u64).saturating_mul(searches as u64);
    let several = if searches > 1 { format!(", for {searches} searches") } else { String::new() };
    memory::check(bytes).map_err(|refusal| Failure::Work(format!("--memory: {refusal}{several}")))
}

/// Plays until the last game or a signal.
fn play<G: Playable>(
    settings: &MatchSettings<G>,
    mut records: Option<RecordFile>,
) -> Result<(Tally, Option<Broken>), Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    signals::set_on_stop(&stop)?;
    let line = Line::new(settings.part.games(settings.games).len() as u32);
    let played = matches::run(settings, &stop, &mut |played| {
        if let Some(records) = &mut records {
            records.add(played)?;
        }
        line.advance(played);
        Ok(())
    });
    line.clear();
    stop.store(true, Ordering::Relaxed);
    if let Some(records) = &mut records {
        records.sync().map_err(|error| Failure::Work(error.to_string()))?;
    }
    Ok(played)
}

/// Why not all games were played.
fn failure(summary: &Summary, broken: &Broken) -> Failure {
    let games = format!("{} of {} games were finished", summary.games, summary.asked);
    Failure::Work(match broken {
        Broken::Failed(_) if summary.games == 0 => broken.to_string(),
        _ => format!("{broken}: {games}"),
    })
}

/// The line that shows where a match is, on standard error. Without a terminal there is none.
struct Line {
    bar: ProgressBar,
    /// Wins of A, draws, wins of B.
    counts: Cell<[u32; 3]>,
}

impl Line {
    fn new(games: u32) -> Line {
        let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len} games, {msg}, {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let target = ProgressDrawTarget::stderr_with_hz(5);
        let bar = ProgressBar::with_draw_target(Some(games.into()), target).with_style(style);
        let line = Line { bar, counts: Cell::default() };
        line.show([0; 3]);
        if !line.bar.is_hidden() {
            line.bar.enable_steady_tick(Duration::from_millis(500));
        }
        line
    }

    fn show(&self, counts: [u32; 3]) {
        let [wins, draws, losses] = counts;
        self.counts.set(counts);
        self.bar.set_message(format!("A won {wins}, drew {draws}, lost {losses}"));
    }

    /// Takes in a game.
    fn advance(&self, played: &PlayedGame) {
        let mut counts = self.counts.get();
        counts[match Outcome::of_winner(played.finish.winner(), played.a) {
            Outcome::Win => 0,
            Outcome::Draw => 1,
            Outcome::Loss => 2,
        }] += 1;
        self.show(counts);
        self.bar.inc(1);
    }

    /// Makes room for what is printed next.
    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A new file for records; one that is there already is not touched.
fn new_records(path: &Path) -> Result<RecordFile, Failure> {
    RecordFile::create(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::Request(format!("{}: is there already; records go to a new file", path.display()))
        }
        _ => Failure::Work(format!("{}: {error}", path.display())),
    })
}
