//! `yomikiri completions`: prints the file with which a shell completes the arguments of this program.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, ValueHint};
use clap_complete::Shell;
use yomikiri_rules::FAMILIES;

use super::CommandResult;
use super::output::write;

/// The program name for which the completions are made.
const NAME: &str = "yomikiri";

/// Print the completions of this program for a shell
///
/// A shell then completes commands, options, files and folders. For a rule code, bash and zsh offer an example of each
/// game. Put the output where the shell looks for completions, or read it in the start file of the shell.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    yomikiri completions bash > ~/.local/share/bash-completion/completions/yomikiri\n  \
    yomikiri completions zsh > ~/.zfunc/_yomikiri                            (with fpath+=~/.zfunc)\n  \
    yomikiri completions fish > ~/.config/fish/completions/yomikiri.fish\n  \
    yomikiri completions powershell >> $PROFILE")]
pub struct Arguments {
    /// Shell that reads the output
    shell: Shell,
}

/// Prints the completions of `command`, the description of the whole command line of this program.
pub fn run(arguments: Arguments, command: Command) -> CommandResult {
    let mut file = Vec::new();
    clap_complete::generate(arguments.shell, &mut hinted(visible(&command)), NAME, &mut file);
    write(&String::from_utf8_lossy(&file))
}

/// Returns a command without its hidden options and subcommands, which completions would list otherwise.
fn visible(command: &Command) -> Command {
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
    let subcommands = command.get_subcommands().filter(|below| !below.is_hide_set());
    let visible = Command::new(NAME).version(env!("CARGO_PKG_VERSION"));
    visible.args(arguments.cloned()).subcommands(subcommands.cloned())
}

/// Tells shells what to propose for the arguments of a command and of its subcommands.
fn hinted(command: Command) -> Command {
    command.mut_args(hinted_argument).mut_subcommands(hinted)
}

/// Tells shells what to propose for an argument: examples of rule codes, folders or files. The name of the value in
/// help decides, such as `DIR`. An argument with its own list of values keeps that list.
fn hinted_argument(argument: Arg) -> Arg {
    if !argument.get_action().takes_values() {
        return argument;
    }
    match value_name(&argument).as_str() {
        "CODE" => argument.value_parser(PossibleValuesParser::new(FAMILIES.iter().map(|family| family.example))),
        "DIR" => argument.value_hint(ValueHint::DirPath),
        "FILE" => argument.value_hint(ValueHint::FilePath),
        _ => argument.value_hint(ValueHint::Other),
    }
}

/// Returns the name of an argument's value as help shows it.
fn value_name(argument: &Arg) -> String {
    let given = argument.get_value_names().and_then(|names| names.first());
    given.map_or_else(|| argument.get_id().as_str().to_uppercase(), ToString::to_string)
}
