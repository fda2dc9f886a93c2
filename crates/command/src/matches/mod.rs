//! `yomikiri match`: plays many games between two players.

mod text;

use std::cell::Cell;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, available_parallelism};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use yomikiri_play::matches::{
    self, MatchError, MatchSettings, MatchSummary, MatchTally, Openings, Part, PartResult, PartsError, PlayedGame,
    PlayerKind, PlayerSpec, RecordFile, Style, parse_time,
};
use yomikiri_play::{Limits, search, usi};
use yomikiri_rules::{AnyGame, Game, Outcome};
use yomikiri_search::Searchable;
use yomikiri_table::threads::{self, MAX_THREADS};
use yomikiri_table::{Replaceable, memory, text_file};

use super::CommandResult;
use super::error::Failure;
use super::open::open_or_advise;
use super::output::{grouped, note, print, print_json, shown};
use super::output_file;
use super::progress::{FIRST_LINE, NEXT_LINE, clock_text};
use super::settings::{TablesOption, parse_memory};
use super::signals;

/// Play many games between two players
#[derive(Args)]
#[command(after_help = "Players:\n  \
    table         plays by the table of CODE, without mistakes\n  \
    search        looks ahead\n  \
    computer      plays by the table if there is one, else by exact or plain search\n  \
    random        plays any legal move\n  \
    greedy        plays the move that gains the most stones, pieces or steps at once\n  \
    usi:COMMAND   starts another program that speaks USI (Binarsi and animal shogi)\n\n\
    Options follow the name of a player: search,time=200ms or search,depth=4 or usi,nodes=10000:./engine.\n\
    The players change colours after every game.")]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: String,

    /// First player, such as table or search,depth=4
    a: String,

    /// Second player, such as random or usi:./engine
    b: String,

    /// Number of games [default: 100, or all openings of --openings]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: Option<u32>,

    /// Time for a move of players without options of their own [default: 100ms, if nothing else limits them]
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,

    /// Maximum search depth of players without options of their own, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=search::MAX_DEPTH as i64))]
    depth: Option<u32>,

    /// Maximum number of positions that players without options of their own search for a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Begin each pair of games with P random plies, the same in both
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000))]
    opening: u32,

    /// Begin each pair of games with the next line of FILE: moves from the start, such as "dn 4n"
    #[arg(long, value_name = "FILE", conflicts_with = "opening")]
    openings: Option<PathBuf>,

    /// Give Black to A in every game, and each game its own opening
    #[arg(long)]
    same_colours: bool,

    /// Seed of the random numbers, for openings and for moves
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// End a game as a draw after N plies
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_plies: u32,

    /// Play only one part of the match, such as 3/16, and print a line for --parts
    #[arg(long, value_name = "I/N", conflicts_with = "parts")]
    part: Option<Part>,

    /// Play nothing, but add up the lines of all parts in a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["records", "threads"])]
    parts: Option<PathBuf>,

    /// Number of games at a time [default: 1 if a player counts time or is a program, else all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u16>,

    /// Memory for the transposition table of each search
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = parse_memory)]
    memory: u64,

    /// Time beyond its limit that a program may take for a move before it loses
    #[arg(long, value_name = "T", default_value = "1s", value_parser = parse_time)]
    grace: Duration,

    /// Write the games to a new file
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,

    #[command(flatten)]
    tables: TablesOption,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The maximum length in bytes of the file for `--parts`. Each line of the file is the result of one part of a match,
/// as a run with `--part` prints it. The limit leaves room for 100,000 parts.
const LONGEST_PARTS: u64 = 64 << 20;

/// The maximum length of a file of openings in bytes.
const LONGEST_OPENINGS: u64 = 64 << 20;

/// The default number of games of a match.
const USUAL_GAMES: u32 = 100;

/// The default time limit for a move.
const USUAL: Duration = Duration::from_millis(100);

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    let players = players(&arguments)?;
    let threads = threads_of(arguments.threads, &players);
    let openings = arguments.openings.as_deref().map(|file| openings(game, file)).transpose()?;
    let games = arguments.games.unwrap_or(match &openings {
        None => USUAL_GAMES,
        Some(openings) if arguments.same_colours => openings.count() as u32,
        Some(openings) => 2 * openings.count() as u32,
    });
    let settings = MatchSettings {
        game,
        players,
        location: arguments.tables.location_or_note()?,
        games,
        part: arguments.part.unwrap_or(Part::WHOLE),
        seed: arguments.seed,
        opening: arguments.opening,
        openings,
        same_colours: arguments.same_colours,
        max_plies: arguments.max_plies,
        threads: threads.min(games as usize),
        memory: usize::try_from(arguments.memory).unwrap_or(usize::MAX),
        grace: arguments.grace,
    };
    let show = |summary: &MatchSummary| if arguments.json { print_json(summary) } else { print(&text::of(summary)) };
    if let Some(file) = &arguments.parts {
        let lines = text_file::read(file, LONGEST_PARTS)?;
        let sum = PartResult::sum(&settings, &lines).map_err(|error| match error {
            PartsError::Wrong(_) => Failure::request(error),
            PartsError::Lacking(..) | PartsError::Empty => Failure::work(error),
        });
        return show(&sum.map_err(|failure| failure.named(shown(file)))?.summary(&settings, None));
    }
    check(&settings)?;
    let records = arguments.records.as_deref().map(new_records).transpose()?;
    let (tally, broken) = play(&settings, records, arguments.json)?;
    let summary = tally.summary(&settings, broken.as_ref().map(MatchError::to_string));
    if arguments.part.is_some() && broken.is_none() {
        return print(&PartResult::new(&settings, tally).line());
    }
    if summary.games > 0 || broken.is_none() {
        show(&summary)?;
    }
    broken.map_or(Ok(()), |broken| Err(failure(&summary, broken)))
}

/// Reads the openings of a file.
fn openings(game: &AnyGame, file: &Path) -> Result<Openings, Failure> {
    let text = text_file::read(file, LONGEST_OPENINGS)?;
    Openings::read(game, &text).map_err(|error| Failure::request(error).named(shown(file)))
}

/// Parses the players A and B.
fn players(arguments: &Arguments) -> Result<[PlayerSpec; 2], Failure> {
    let said = Limits { depth: arguments.depth, nodes: arguments.nodes, time: arguments.time };
    let usual = if said == Limits::default() { Limits { time: Some(USUAL), ..said } } else { said };
    let read =
        |usual| Ok::<_, Failure>([PlayerSpec::parse(&arguments.a, usual)?, PlayerSpec::parse(&arguments.b, usual)?]);
    let players = read(usual)?;
    // Reading the players without the limits gives the same players, so neither player uses the limits.
    if said != Limits::default() && players == read(Limits::default())? {
        let problem = "--time, --depth and --nodes are for players that search and have no options of their own";
        return Err(Failure::request(format!("{problem}; neither A nor B is such a player")));
    }
    Ok(players)
}

/// Returns the number of games to play at the same time: `asked` if it is given, else the number of cores or 1. It is 1
/// if a player has a time limit, because simultaneous games would slow each other down. It is also 1 if a player is
/// another program, because the program may use several cores itself.
fn threads_of(asked: Option<u16>, players: &[PlayerSpec; 2]) -> usize {
    match asked {
        Some(threads) => threads.into(),
        None if players.iter().all(PlayerSpec::is_repeatable) => available_parallelism().map_or(1, NonZero::get),
        None => 1,
    }
}

/// Checks that the match can be played. Prints a warning if both players are deterministic and no opening makes the
/// games differ.
fn check(settings: &MatchSettings) -> CommandResult {
    let (game, code) = (settings.game, settings.game.code());
    for player in &settings.players {
        match player.kind {
            PlayerKind::Usi(..) if usi::dialect(settings.game).is_none() => {
                return Err(Failure::request(format!("{code}: USI is available for Binarsi and animal shogi only")));
            }
            PlayerKind::Own(Style::Table) => {
                let location = &settings.location;
                drop(open_or_advise(game, location)?);
            }
            _ => {}
        }
    }
    check_memory(settings)?;
    if settings.opening >= settings.max_plies {
        let (opening, most) = (settings.opening, settings.max_plies);
        let problem = format!("--opening {opening}: games end after {most} plies; allow more with --max-plies");
        return Err(Failure::request(problem));
    }
    if settings.opening == 0
        && settings.openings.is_none()
        && settings.games > 2
        && settings.players.iter().all(PlayerSpec::is_fixed)
    {
        let advice = "see --opening and --openings";
        note(&format!("warning: both players are deterministic, so there are only two different games; {advice}"));
    }
    Ok(())
}

/// Checks that the machine has the memory for all searches at the same time.
fn check_memory(settings: &MatchSettings) -> CommandResult {
    // The player `computer` has a search that looks ahead, and also an exact search if the game has one.
    let combined = 1 + usize::from(settings.game.searcher(0).is_some());
    let searches = |player: &PlayerSpec| match player.kind {
        PlayerKind::Own(Style::Search) => 1,
        PlayerKind::Own(Style::Computer) => combined,
        _ => 0,
    };
    let searches = settings.threads * settings.players.iter().map(searches).sum::<usize>();
    let bytes = (settings.memory as u64).saturating_mul(searches as u64);
    let several = if searches > 1 { format!(" for {searches} searches at the same time") } else { String::new() };
    memory::check(bytes).map_err(|refusal| Failure::work(refusal).named("--memory").followed_by(several))
}

/// Plays until the last game is over or a signal stops the match. Shows the progress; if `quiet` is true, on a terminal
/// only. Returns the counts of results, and the error if the match was broken off.
fn play(
    settings: &MatchSettings,
    mut records: Option<RecordFile>,
    quiet: bool,
) -> Result<(MatchTally, Option<MatchError>), Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    signals::set_on_stop(&stop)?;
    let line = ProgressLine::new(settings.part.games(settings.games).len() as u32);
    let lines = (line.bar.is_hidden() && !quiet).then(|| ProgressLines::start(settings.game, &line.bar));
    let played = matches::run(settings, &stop, &mut |played| {
        if let Some(records) = &mut records {
            records.add(played)?;
        }
        line.advance(played);
        Ok(())
    });
    drop(lines);
    line.clear();
    stop.store(true, Ordering::Relaxed);
    if let Some(records) = &mut records {
        records.sync().map_err(Failure::work)?;
    }
    Ok(played)
}

/// Returns the error about a match that was not finished.
fn failure(summary: &MatchSummary, broken: MatchError) -> Failure {
    match broken {
        MatchError::Failed(_) if summary.games == 0 => Failure::work(broken),
        _ => {
            let games = format!(": {} of {} games were finished", summary.games, summary.asked);
            Failure::work(broken).followed_by(games)
        }
    }
}

/// The progress line of a match, on standard error. The line is hidden if standard error is not a terminal.
struct ProgressLine {
    bar: ProgressBar,
    /// The numbers of wins of A, of draws, and of wins of B.
    counts: Cell<[u32; 3]>,
}

impl ProgressLine {
    fn new(games: u32) -> ProgressLine {
        let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len} games, {msg}, {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let target = ProgressDrawTarget::stderr_with_hz(5);
        let bar = ProgressBar::with_draw_target(Some(games.into()), target).with_style(style);
        let line = ProgressLine { bar, counts: Cell::default() };
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

    /// Counts a finished game and shows the new counts.
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

    /// Removes the progress line.
    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Writes the progress of a match as lines to standard error, which is not a terminal. The lines end when this value is
/// dropped.
struct ProgressLines {
    /// The other end of the channel on which the thread waits. No message is sent: dropping it ends the thread.
    end: Option<Sender<()>>,
    /// The thread that writes, or `None` if the system has refused it. The match goes on without lines then.
    thread: Option<JoinHandle<()>>,
}

impl ProgressLines {
    /// Starts a thread that writes lines about `bar`, the progress of a match of `game`.
    fn start(game: &AnyGame, bar: &ProgressBar) -> ProgressLines {
        let (end, ended) = channel();
        let (code, bar) = (game.code(), bar.clone());
        let write = move || write_lines(&ended, [FIRST_LINE, NEXT_LINE], || note(&progress_text(&code, &bar)));
        ProgressLines { end: Some(end), thread: threads::start("progress", write).ok() }
    }
}

impl Drop for ProgressLines {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // The thread only writes lines. If it has panicked, the match is as good as before.
            let _ = thread.join();
        }
    }
}

/// Calls `write` after the first of two times, and then again after the second one each time, until the other end of
/// `ended` is dropped.
fn write_lines(ended: &Receiver<()>, [first, next]: [Duration; 2], mut write: impl FnMut()) {
    let mut wait = first;
    while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
        write();
        wait = next;
    }
}

/// Formats the progress of a match: "0:01:10 bin7x6: 12 of 100 games, A won 5, drew 0, lost 7, about 0:08:33 left".
fn progress_text(code: &str, bar: &ProgressBar) -> String {
    let (spent, played, games) = (bar.elapsed(), bar.position(), bar.length().unwrap_or_default());
    let left = (played > 0).then(|| spent.mul_f64(games.saturating_sub(played) as f64 / played as f64));
    let left = left.map_or(String::new(), |left| format!(", about {} left", clock_text(left)));
    let [played, games] = [played, games].map(grouped);
    format!("{} {code}: {played} of {games} games, {}{left}", clock_text(spent), bar.message())
}

/// Creates a file for the records of games. An existing file is an error.
fn new_records(path: &Path) -> Result<RecordFile, Failure> {
    output_file::check(path, &Replaceable::AnyFile)?;
    RecordFile::create(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::request(format!("{}: already exists; choose another name for --records", shown(path)))
        }
        _ => Failure::work(error).named(shown(path)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_the_games_and_the_time_left() {
        let line = ProgressLine::new(1200);
        line.bar.set_elapsed(Duration::from_secs(10));
        let text = progress_text("bin7x6", &line.bar);
        assert_eq!(text, "0:00:10 bin7x6: 0 of 1,200 games, A won 0, drew 0, lost 0");
        line.bar.set_elapsed(Duration::from_secs(70));
        line.show([5, 1, 8]);
        line.bar.set_position(600);
        let text = progress_text("bin7x6", &line.bar);
        assert_eq!(text, "0:01:10 bin7x6: 600 of 1,200 games, A won 5, drew 1, lost 8, about 0:01:10 left");
    }

    /// A line is written after the first time, more after the second time each, and none after the end.
    #[test]
    fn lines_are_written_until_the_match_ends() {
        let (end, ended) = channel();
        let mut written = 0;
        let mut end = Some(end);
        write_lines(&ended, [Duration::ZERO, Duration::from_millis(1)], || {
            written += 1;
            if written == 3 {
                end.take();
            }
        });
        assert_eq!(written, 3);
        let (end, ended) = channel();
        drop(end);
        write_lines(&ended, [Duration::ZERO; 2], || panic!("the match has ended"));
    }
}
