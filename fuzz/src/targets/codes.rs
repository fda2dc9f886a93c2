//! Rule codes, names of players, times and numbers: the words of a command line.

use yomikiri_play::Limits;
use yomikiri_play::matches::PlayerSpec;
use yomikiri_rules::{AnyGame, Game, TextError, with_game};

/// The maximum length of a rule code in bytes. The header of a table has no room for more.
const LONGEST_CODE: usize = 40;

/// Reads a word as a rule code, and as the name of a player.
pub fn run(bytes: &[u8]) {
    let Ok(word) = std::str::from_utf8(bytes) else { return };
    match AnyGame::parse(word) {
        Ok(game) => check_code(&game),
        Err(error) => check_error(&error),
    }
    match PlayerSpec::parse(word, Limits::default()) {
        Ok(player) => {
            let text = player.to_string();
            let read = PlayerSpec::parse(&text, Limits::default());
            assert_eq!(read.as_ref().map(ToString::to_string), Ok(text), "{word:?} is read back as another player");
        }
        Err(error) => check_error(&error),
    }
}

/// Checks that the shortest code of a variant reads back with the same settings.
fn check_code(game: &AnyGame) {
    let code = game.code();
    assert!(code.len() <= LONGEST_CODE && code.chars().all(|letter| letter.is_ascii_graphic()), "{code:?}");
    let settings = with_game!(game, game => yomikiri_rules::Presentation::settings(game));
    let read = AnyGame::parse(&code).unwrap_or_else(|error| panic!("{code} is not read back: {error}"));
    assert_eq!(read.code(), code, "{code} is read back as another");
    assert_eq!(with_game!(read, game => yomikiri_rules::Presentation::settings(&game)), settings, "{code}");
}

/// Checks that an error is one line without control characters.
pub fn check_error(error: &TextError) {
    let text = error.to_string();
    assert!(!text.chars().any(char::is_control), "{text:?}");
}
