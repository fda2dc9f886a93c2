//! Lines of the parts of a match. If the first byte of an input is even, the checksums of the lines are corrected.

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use yomikiri_play::Limits;
use yomikiri_play::matches::{self, MatchSettings, Part, PartResult, PlayerSpec};
use yomikiri_rules::AnyGame;
use yomikiri_table::json_lines;

use crate::checksums;

/// The number of games of the match.
const GAMES: u32 = 4;

static GAME: LazyLock<AnyGame> = LazyLock::new(|| AnyGame::parse("bin2x2").expect("a code"));

/// Returns the settings of a part of the match. The part `1/1` is the whole match.
fn settings(part: &str) -> MatchSettings<'static> {
    let spec = |text| PlayerSpec::parse(text, Limits::default()).expect("a player");
    MatchSettings {
        game: &GAME,
        players: [spec("random"), spec("greedy")],
        location: Path::new("nowhere").into(),
        games: GAMES,
        part: part.parse::<Part>().expect("a part"),
        seed: 1,
        opening: 0,
        openings: None,
        same_colours: false,
        max_plies: 100,
        threads: 1,
        memory: 1 << 20,
        grace: Duration::ZERO,
    }
}

/// Returns inputs with the lines of both halves of the match, and with the line of the whole match.
pub fn sound() -> Vec<Vec<u8>> {
    let line = |part: &str| {
        let settings = settings(part);
        let (tally, broken) = matches::run(&settings, &AtomicBool::new(false), &mut |_| Ok(()));
        assert!(broken.is_none(), "a match of quick players");
        serde_json::to_string(&PartResult::new(&settings, tally)).expect("a part is text") + "\n"
    };
    let [one, two, whole] = ["1/2", "2/2", "1/1"].map(line);
    [one.clone() + &two, two + &one, one, whole].map(|text| [&[0], text.as_bytes()].concat()).to_vec()
}

/// Adds up parts. If they are accepted, they must make a whole match whose counts agree with each other.
pub fn run(bytes: &[u8]) {
    let Some((kind, text)) = bytes.split_first() else { return };
    let text = if kind % 2 == 0 { checksums::lines(text) } else { text.to_vec() };
    let Ok(text) = String::from_utf8(text) else { return };
    for line in text.lines() {
        if let Ok(part) = json_lines::read::<PartResult>(line) {
            assert_eq!(part.line(), line, "written as another line");
        }
    }
    let settings = settings("1/1");
    match PartResult::sum(&settings, &text) {
        Err(error) => {
            let error = error.to_string();
            assert!(!error.contains('\n'), "{error:?}");
        }
        Ok(tally) => {
            let summary = tally.summary(&settings, None);
            let games = |results: &matches::Results| results.wins + results.draws + results.losses;
            assert_eq!([summary.games, games(&summary.a.together), games(&summary.b.together)], [GAMES; 3], "{text}");
            assert_eq!(games(&summary.black), GAMES, "{text}");
            assert_eq!(summary.ended.iter().map(|ended| ended.games).sum::<u32>(), GAMES, "{text}");
            let plies = summary.plies.expect("games were played");
            assert!(plies.min as f64 <= plies.mean && plies.mean <= plies.max as f64, "{text}");
        }
    }
}
