//! `yomikiri stats`: what a table holds.

use clap::Args;
use yomikiri::games::registry::{Visitor, with_game};
use yomikiri::query::{Spread, Stats};
use yomikiri::solve::Solvable;
use yomikiri::table::name;

use super::Done;
use super::output::{bytes, grouped, print, print_json};
use super::settings::{Tables, open_or_advise, sentence};

/// Counts of a finished table
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: String,

    #[command(flatten)]
    tables: Tables,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Done {
    let code = arguments.code.clone();
    with_game(&code, Show(arguments))?
}

struct Show(Arguments);

impl Visitor for Show {
    type Output = Done;

    fn visit<G: Solvable>(self, game: G) -> Done {
        let path = name::whole(&self.0.tables.folder(), &game.code());
        let table = open_or_advise(&game, &path, None)?;
        let start = game.start();
        let missing = || table.damaged("has no value for the start");
        let value = game.probe(&table, &start)?.ok_or_else(missing)?;
        let stats = Stats::new(&game, &table.meta()?, value, game.side(&start));
        if self.0.json {
            return print_json(&stats);
        }
        let verdict = sentence(&game, &start, value);
        print(&format!("{}\n{verdict}.", lines(&stats, table.length())))
    }
}

fn lines(stats: &Stats, length: u64) -> String {
    let number = |label: &str, count: u64| format!("{label:28}{:>20}\n", grouped(count));
    let bits = 8.0 * length as f64 / stats.positions.max(1) as f64;
    let mut text = format!(
        "{}: {} positions in {} ({bits:.2} bits each)\n",
        stats.rules,
        grouped(stats.positions),
        bytes(length as f64)
    );
    text += &number("the side to move wins", stats.wins);
    text += &number("the side to move loses", stats.losses);
    text += &number("draws", stats.draws);
    if let (Some(black), Some(white)) = (stats.black_wins, stats.white_wins) {
        text += &number("Black wins", black);
        text += &number("White wins", white);
    }
    if let Some(plies) = stats.spread.max_plies() {
        text += &number("longest distance in plies", plies.into());
    }
    if stats.ended > 0 {
        text += &number("of all these, over", stats.ended);
    }
    if !stats.by_ply.is_empty() {
        text += "positions by ply\n";
    }
    for (ply, &count) in stats.by_ply.iter().enumerate() {
        text += &number(&format!("  {ply:2}"), count);
    }
    match &stats.spread {
        Spread::Distances { by_plies, .. } => {
            text += "positions by distance to the end in plies\n";
            by_plies.iter().for_each(|(plies, &count)| text += &number(&format!("  {plies:2}"), count));
        }
        Spread::Scores { by_score } => {
            text += "positions by score of the side to move\n";
            by_score.iter().for_each(|(score, &count)| text += &number(&format!("  {score:+3}"), count));
        }
    }
    text += "start";
    text
}
