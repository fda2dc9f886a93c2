//! `yomikiri perft`: counts of move sequences.

use clap::Args;
use yomikiri::game::perft;
use yomikiri::games::registry::{Visitor, with_game};
use yomikiri::solve::Solvable;

use super::Done;
use super::output::print;
use super::settings::position_or_start;

/// Number of move sequences of a length
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin7x6
    code: String,

    /// Length in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,

    /// Count from this position
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    from: Option<String>,
}

pub fn run(arguments: Arguments) -> Done {
    let code = arguments.code.clone();
    with_game(&code, Count(arguments))?
}

struct Count(Arguments);

impl Visitor for Count {
    type Output = Done;

    fn visit<G: Solvable>(self, game: G) -> Done {
        let position = position_or_start(&game, self.0.from.as_deref())?;
        print(&perft(&game, &position, self.0.depth).to_string())
    }
}
