//! Records of games. The first line of an input is a rule code, and the rest is the content of a file of records.

use yomikiri_play::Record;
use yomikiri_rules::AnyGame;

use super::codes::check_error;

/// Reads records and replays their games.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some((code, text)) = text.split_once('\n') else { return };
    let Ok(game) = AnyGame::parse(code) else { return };
    match Record::parse_all(text) {
        Ok(records) => records.iter().for_each(|record| replay(&game, record)),
        Err(error) => check_error(&error),
    }
}

fn replay(game: &AnyGame, record: &Record) {
    let text = record.text();
    let read = Record::parse_all(&text).unwrap_or_else(|error| panic!("{text:?} is not read back: {error}"));
    assert_eq!(read.iter().map(Record::text).collect::<Vec<_>>(), [text.as_str()], "read back as others");
    match record.replay(game) {
        Ok(session) => {
            let again = Record::of(&session, &record.start, [&record.black, &record.white]);
            let other = again.replay(game).unwrap_or_else(|error| panic!("{text:?} is told as no game: {error}"));
            let told = Record::of(&other, &record.start, [&record.black, &record.white]);
            assert_eq!(other.position(), session.position(), "{text:?} is told as another game");
            // The same move may be written differently (`A1`, `a1`), but is always printed in one form.
            assert_eq!(told.moves, again.moves, "{text:?} is told in two ways");
        }
        Err(error) => check_error(&error),
    }
}
