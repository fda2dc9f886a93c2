//! Parses players by name: `table`, `search,depth=4`, `usi,time=1s:COMMAND LINE`.

use std::fmt;
use std::time::Duration;

use super::command_words;
use crate::Limits;
use crate::arguments;
use crate::search::MAX_DEPTH;
use yomikiri_rules::TextError;

/// The kind of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// A built-in player.
    Own(Style),
    /// Another program that speaks USI. The fields are its command line as given, and the words of the command line.
    Usi(String, Vec<String>),
}

/// The built-in players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plays by the table of the game only.
    Table,
    /// Plays by search only.
    Search,
    /// Plays by the best available source, as [`CombinedPlayer`](crate::CombinedPlayer) does.
    Computer,
    /// Plays random legal moves.
    Random,
    /// Plays the move after which the player has the most material, as [`GreedyPlayer`](crate::GreedyPlayer) does.
    Greedy,
}

impl Style {
    const ALL: [Style; 5] = [Style::Table, Style::Search, Style::Computer, Style::Random, Style::Greedy];

    fn name(self) -> &'static str {
        match self {
            Style::Table => "table",
            Style::Search => "search",
            Style::Computer => "computer",
            Style::Random => "random",
            Style::Greedy => "greedy",
        }
    }
}

/// A player of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// The kind of the player.
    pub kind: PlayerKind,
    /// The limits for each move. The players `table`, `random` and `greedy` have none, because they do not think.
    pub limits: Limits,
}

impl PlayerSpec {
    /// Parses a name with options. If the text has no options, players that think get the limits `usual`.
    pub fn parse(text: &str, usual: Limits) -> Result<PlayerSpec, TextError> {
        let bad = |problem: String| TextError::new(format!("player \"{text}\""), problem);
        let (head, command) = match text.split_once(':') {
            Some((head, command)) => (head, Some(command)),
            None => (text, None),
        };
        let mut words = head.split(',');
        let name = words.next().unwrap_or_default();
        let kind = kind(name, command).map_err(&bad)?;
        let mut limits = Limits::default();
        for word in words {
            read_limit(&mut limits, word).map_err(&bad)?;
        }
        match thinks(&kind) {
            true if limits == Limits::default() => limits = usual,
            false if limits != Limits::default() => return Err(bad(format!("{name} takes no options"))),
            _ => {}
        }
        Ok(PlayerSpec { kind, limits })
    }

    /// Returns true if the player makes the same moves with the same seed, however busy the machine is. Returns false
    /// for external programs and for players with a time limit.
    pub fn is_repeatable(&self) -> bool {
        self.limits.time.is_none() && !matches!(self.kind, PlayerKind::Usi(..))
    }

    /// Returns true if the player always makes the same move after the same moves, whatever the seed.
    pub fn is_fixed(&self) -> bool {
        self.is_repeatable() && !matches!(self.kind, PlayerKind::Own(Style::Random | Style::Greedy))
    }
}

fn thinks(kind: &PlayerKind) -> bool {
    matches!(kind, PlayerKind::Own(Style::Search | Style::Computer) | PlayerKind::Usi(..))
}

fn kind(name: &str, command: Option<&str>) -> Result<PlayerKind, String> {
    let own = Style::ALL.into_iter().find(|style| style.name() == name);
    match (own, name, command) {
        (Some(style), _, None) => Ok(PlayerKind::Own(style)),
        (None, "usi", Some(command)) => program(command),
        (None, "usi", None) => Err("needs a colon and a command line, such as usi:./engine".into()),
        _ => Err(format!("is not one of {}, usi:COMMAND", Style::ALL.map(Style::name).join(", "))),
    }
}

/// Parses the command line of a program. Splits it into words.
fn program(command: &str) -> Result<PlayerKind, String> {
    if command.chars().any(char::is_control) {
        return Err("its command line contains a control character".into());
    }
    let words = command_words::split(command).ok_or("its command line has an unmatched quotation mark")?;
    // Cuts off blanks at the ends, except where this changes the words: a blank after a backslash belongs to a word.
    let is_same = |command: &&str| command_words::split(command).is_some_and(|cut| cut == words);
    let command = [command.trim(), command.trim_start()].into_iter().find(is_same).unwrap_or(command);
    match words.first().is_none_or(String::is_empty) {
        true => Err("its command line is empty".into()),
        false => Ok(PlayerKind::Usi(command.into(), words)),
    }
}

/// Parses an option into `limits`. Returns an error if the option is unknown, has a bad value or was given before.
fn read_limit(limits: &mut Limits, word: &str) -> Result<(), String> {
    let unknown = || format!("\"{word}\" is not one of time=T, depth=N, nodes=N");
    let (name, text) = word.split_once('=').ok_or_else(unknown)?;
    let was_there = match name {
        "time" => {
            let time = parse_time(text).map_err(|problem| format!("time: \"{text}\": {problem}"))?;
            limits.time.replace(time).is_some()
        }
        "depth" => {
            let depth = text.parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth));
            let depth = depth.ok_or_else(|| format!("depth: \"{text}\" is not a number from 1 to {MAX_DEPTH}"))?;
            limits.depth.replace(depth).is_some()
        }
        "nodes" => {
            let nodes = text.parse().ok().filter(|&nodes: &u64| nodes > 0);
            let nodes = nodes.ok_or_else(|| format!("nodes: \"{text}\" is not a number of at least 1"))?;
            limits.nodes.replace(nodes).is_some()
        }
        _ => return Err(unknown()),
    };
    if was_there { Err(format!("{name} is given twice")) } else { Ok(()) }
}

/// The maximum time for a move in hours.
const LONGEST: u32 = 24;

/// Parses a time from 1 ms to a day, such as `5`, `200ms`, `1.5s` or `2m` ([`arguments::time`]). The time is rounded to
/// milliseconds, because it becomes part of a player's name.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let time = arguments::time(text, LONGEST)?;
    Ok(Duration::from_millis((time.as_secs_f64() * 1000.0).round() as u64))
}

/// Formats a time as [`parse_time`] reads it: in whole seconds if possible, else in milliseconds.
fn time_text(time: Duration) -> String {
    match time.as_millis() {
        whole if whole.is_multiple_of(1000) => format!("{}s", whole / 1000),
        milliseconds => format!("{milliseconds}ms"),
    }
}

/// Writes the name with all options, as [`PlayerSpec::parse`] reads it.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            PlayerKind::Own(style) => style.name(),
            PlayerKind::Usi(..) => "usi",
        })?;
        let Limits { depth, nodes, time } = self.limits;
        if let Some(time) = time {
            write!(f, ",time={}", time_text(time))?;
        }
        if let Some(depth) = depth {
            write!(f, ",depth={depth}")?;
        }
        if let Some(nodes) = nodes {
            write!(f, ",nodes={nodes}")?;
        }
        if let PlayerKind::Usi(command, _) = &self.kind { write!(f, ":{command}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Limits = Limits { depth: None, nodes: None, time: Some(Duration::from_millis(100)) };

    fn shown(text: &str) -> String {
        PlayerSpec::parse(text, USUAL).map_or_else(|error| error.to_string(), |spec| spec.to_string())
    }

    #[test]
    fn names_are_read_and_written() {
        for (text, long) in [
            ("table", "table"),
            ("random", "random"),
            ("search", "search,time=100ms"),
            ("search,depth=4", "search,depth=4"),
            ("computer,nodes=10000,time=1.5s", "computer,time=1500ms,nodes=10000"),
            ("search,time=2m", "search,time=120s"),
            ("search,time=5", "search,time=5s"),
            ("search,time=1h", "search,time=3600s"),
            ("usi:./engine --level 3", "usi,time=100ms:./engine --level 3"),
            ("usi,depth=3: a:b,c ", "usi,depth=3:a:b,c"),
        ] {
            assert_eq!(shown(text), long);
            assert_eq!(shown(long), long);
        }
        let PlayerKind::Usi(_, words) = PlayerSpec::parse("usi:'my engine' -x \"a b\"", USUAL).unwrap().kind else {
            panic!()
        };
        assert_eq!(words, ["my engine", "-x", "a b"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, problem) in [
            ("", "is not one of table, search, computer, random, greedy, usi:COMMAND"),
            ("table:x", "is not one of table, search, computer, random, greedy, usi:COMMAND"),
            ("table,depth=3", "table takes no options"),
            ("search,depth=0", "depth: \"0\" is not a number from 1 to 100"),
            ("search,nodes=x", "nodes: \"x\" is not a number of at least 1"),
            ("search,fast", "\"fast\" is not one of time=T, depth=N, nodes=N"),
            ("search,", "\"\" is not one of time=T, depth=N, nodes=N"),
            ("search,depth=3,nodes=5,depth=4", "depth is given twice"),
            ("search,time=1s,time=1s", "time is given twice"),
            (
                "search,time=soon",
                "time: \"soon\": write a number of seconds, or one with ms, s, m or h after it, more than 0 and at \
                 most 24h",
            ),
            ("usi", "needs a colon and a command line, such as usi:./engine"),
            ("usi:", "its command line is empty"),
            ("usi:'a", "its command line has an unmatched quotation mark"),
        ] {
            assert_eq!(shown(text), format!("player \"{text}\": {problem}"));
        }
        for bad in ["25h", "0s", "0.0004", "-1s", "1441m", "ms", "1e3s", "infs", "é", "1 s", "..s"] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_time("1.23456"), Ok(Duration::from_millis(1235)));
    }
}
