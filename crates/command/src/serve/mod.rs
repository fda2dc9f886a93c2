//! `yomikiri serve`: the explorer in the browser, and its JSON API.
//!
//! `listen` accepts connections, `connections` counts them by `client`, `stream` closes a connection if its client does
//! not read, and `stop` ends the server. `guard` refuses requests that are not for this server and sets the headers of
//! all answers; `origins` lists the other sites whose pages may use the API. `routes` maps paths to questions,
//! `questions` answers them, and `parameters` parses their parameters. `list` answers many positions at once, and
//! `prove` reports line by line who wins; `parts` is the response body of both. `scheduler` gives each question a slot
//! of a `lane` and a time limit. `file` sends the files of the page, and `encoding` compresses response bodies.

mod client;
mod connections;
mod encoding;
mod file;
mod guard;
mod lane;
mod list;
mod listen;
mod origins;
mod parameters;
mod parts;
mod prove;
mod questions;
mod reply;
mod routes;
mod scheduler;
mod stop;
mod stream;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use clap::Args;
use origins::{Origin, Origins};

use super::CommandResult;
use super::error::{Failure, note};
use super::output::print;
use super::page;
use super::settings::TablesOption;

/// Open the explorer in a browser: boards, values, proofs, puzzles
///
/// Answers requests from this machine only, unless --host says otherwise. Reads the folder of tables and writes
/// nothing. The JSON API is described by /api/v1/openapi.json.
#[derive(Args)]
pub struct Arguments {
    /// Port; 0 takes any free port
    #[arg(long, value_name = "PORT", default_value_t = 8000)]
    port: u16,

    /// Address to listen at; requests must be addressed to it, or to --name
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// Name by which others reach this machine, if that is not --host
    #[arg(long, value_name = "NAME", value_parser = guard::parse_name)]
    name: Option<String>,

    #[arg(
        long,
        value_name = "ORIGIN",
        value_parser = Origin::parse,
        help = "Another site whose pages may use the API, such as https://example.org; * for all sites; may be repeated"
    )]
    allow_origin: Vec<Origin>,

    /// Longest time for a question that no table answers
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,

    #[command(flatten)]
    tables: TablesOption,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let Arguments { port, host, name, allow_origin, patience, tables } = arguments;
    let location = tables.location_or_note()?;
    // This thread only moves bytes. All other work is done on other threads.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::work(error).named("cannot start the server"))?;
    runtime.block_on(async {
        let asked = SocketAddr::new(host, port);
        let failed = |error: std::io::Error| Failure::work(error).named(asked);
        let listener = listen::bind(asked).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let guard = guard::Guard::new(address, name, Origins::new(allow_origin));
        let stop = stop::ShutdownSignals::watch()?;
        if page::files().is_empty() {
            note(&format!("{}; only the API is served", page::WITHOUT));
        }
        print(&format!("http://{address}/"))?;
        let service = routes::service(location, guard, Duration::from_secs(patience));
        listen::serve(listener, service, stop).await;
        // Threads that still work end with the process.
        Ok(())
    })
}
