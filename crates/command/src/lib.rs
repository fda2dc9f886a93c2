//! The command line program `yomikiri`. Each subcommand is a module.

mod allocator;
mod analyze;
mod archive;
mod check;
mod checkpoints;
mod closed_pipe;
mod compare;
mod completions;
mod decode;
mod encode;
mod error;
mod estimate;
mod export;
#[cfg(not(all(feature = "data", feature = "serve")))]
mod left_out;
mod line;
mod man;
mod matches;
mod moves;
mod open;
mod opening;
mod output;
mod output_file;
#[cfg(feature = "serve")]
mod page;
mod perft;
mod play;
mod plot;
mod program;
mod progress;
mod prove;
mod puzzle;
mod query;
mod quiz;
mod remedy;
mod rules;
#[cfg(feature = "serve")]
mod serve;
mod settings;
mod signals;
#[cfg(feature = "serve")]
mod site;
mod solve;
mod start_file;
mod stats;
mod stop;
mod suggest;
mod survey;
mod tables;
mod thread_start;
mod upi;
mod usi;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use yomikiri_table::{refused_memory, threads};

pub use error::CommandResult;
use error::Failure;

/// Reads small board games out to the end: who wins, in how many plies, and by which moves.
#[derive(Parser)]
#[command(name = "yomikiri", version, max_term_width = 100)]
#[command(
    after_help = "Tables are read from the folders and addresses of --tables DIR, which may be repeated. Without this\n\
    option, they are read from those in $YOMIKIRI_TABLES, a list as in PATH with addresses last. If the\n\
    variable is not set, they are read from the project's folder precomp or, if that does not exist,\n\
    from the user's data folder, on Linux ~/.local/share/yomikiri. New files go to the first folder.\n\
    Certificates and openings that ship with the program are read last. They are in $YOMIKIRI_DATA or,\n\
    if that is not set, in precomp, else in data or ../share/yomikiri beside the program.\n\
    Exit status: 0 success, 1 failure or not decided, 2 invalid request, 130 stopped by a signal."
)]
struct Command {
    /// End when standard input ends (for child processes of this program)
    #[arg(long = program::END_WITH_INPUT, hide = true)]
    ends_with_input: bool,

    #[command(subcommand)]
    verb: Verb,
}

/// Defines the subcommands and the function that runs one, from the list of those that need only their arguments.
macro_rules! verbs {
    ($($Verb:ident($module:ident)),*) => {
        #[derive(Subcommand)]
        enum Verb {
            $($Verb($module::Arguments),)*
            #[cfg(feature = "serve")]
            Serve(serve::Arguments),
            #[cfg(feature = "serve")]
            Site(site::Arguments),
            #[cfg(not(feature = "serve"))]
            #[command(hide = true, disable_help_flag = true)]
            Serve(left_out::Arguments),
            #[cfg(not(feature = "serve"))]
            #[command(hide = true, disable_help_flag = true)]
            Site(left_out::Arguments),
            Completions(completions::Arguments),
            Man(man::Arguments),
        }

        fn perform(verb: Verb) -> CommandResult {
            if verb.needs_pool() {
                threads::start_global_pool(0)?;
            }
            match verb {
                $(Verb::$Verb(arguments) => $module::run(arguments),)*
                #[cfg(feature = "serve")]
                Verb::Serve(arguments) => serve::run(arguments),
                #[cfg(feature = "serve")]
                Verb::Site(arguments) => site::run(arguments),
                #[cfg(not(feature = "serve"))]
                Verb::Serve(_) | Verb::Site(_) => Err(left_out::failure("the explorer", "serve")),
                Verb::Completions(arguments) => completions::run(arguments, Command::command()),
                Verb::Man(arguments) => man::run(arguments, Command::command()),
            }
        }
    };
}

verbs! {
    Rules(rules), Analyze(analyze), Query(query), Line(line), Solve(solve), Prove(prove), Opening(opening),
    Survey(survey), Stats(stats), Plot(plot), Tables(tables), Puzzle(puzzle), Compare(compare), Verify(verify),
    Check(check), Export(export), Decode(decode), Encode(encode), Moves(moves), Perft(perft), Play(play),
    Estimate(estimate), Usi(usi), Upi(upi), Match(matches)
}

/// Parses the arguments, runs the subcommand and returns its exit status.
pub fn main() -> ExitCode {
    signals::survive_file_size_limit();
    signals::fail_when_aborted();
    refused_memory::set_end(allocator::end_without_memory);
    thread_start::end_without_memory();
    #[cfg(feature = "remote")]
    yomikiri_remote::support_addresses();
    let command = match Command::try_parse() {
        Ok(command) => command,
        Err(error) => return bad_arguments(&error),
    };
    let is_child = command.ends_with_input;
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // A parent process shows the failure to others, who cannot run commands here.
            match is_child {
                true => failure.report_to_parent(),
                false => remedy::add_to(failure).report(),
            }
        }
    }
}

fn run(command: Command) -> CommandResult {
    settings::check_environment()?;
    if command.ends_with_input {
        program::end_with_input()?;
    }
    perform(command.verb)
}

impl Verb {
    /// Returns true if the global thread pool must be started for the subcommand, with a thread for each core. The
    /// other subcommands start the pool themselves, with the number of threads that the user asks for, or do not need
    /// it.
    fn needs_pool(&self) -> bool {
        match self {
            Verb::Analyze(_) | Verb::Query(_) | Verb::Solve(_) | Verb::Verify(_) | Verb::Check(_) | Verb::Export(_) => {
                false
            }
            Verb::Rules(_) | Verb::Decode(_) | Verb::Encode(_) | Verb::Moves(_) => false,
            Verb::Prove(_) | Verb::Opening(_) | Verb::Survey(_) | Verb::Completions(_) | Verb::Man(_) => false,
            Verb::Line(_) | Verb::Stats(_) | Verb::Plot(_) | Verb::Tables(_) | Verb::Puzzle(_) => true,
            Verb::Compare(_) | Verb::Perft(_) | Verb::Play(_) | Verb::Estimate(_) | Verb::Usi(_) | Verb::Upi(_) => true,
            Verb::Match(_) => true,
            Verb::Serve(_) | Verb::Site(_) => true,
        }
    }
}

/// Prints help and version as clap formats them, and any other error as one line. Returns the exit status.
fn bad_arguments(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    if matches!(error.kind(), DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand | DisplayVersion) {
        // A closed standard output is not a failure here.
        let _ = error.print();
        return ExitCode::from(error.exit_code() as u8);
    }
    let text = error.to_string();
    // Of the paragraphs, the first names the mistake, and one may name a word that was perhaps meant. Where all
    // possible words are listed, that is not needed.
    let mut parts = text.split("\n\n");
    let part = parts.next().unwrap_or_default();
    let names_word = |part: &&str| ["similar subcommand", "similar argument"].iter().any(|name| part.contains(name));
    let similar = parts.find(names_word).unwrap_or_default().replace("tip:", ";");
    let words: Vec<_> = part.split_whitespace().chain(similar.split_whitespace()).collect();
    let failure = Failure::request(words.join(" ").trim_start_matches("error: ").replace(" ; ", "; "));
    failure.report()
}
