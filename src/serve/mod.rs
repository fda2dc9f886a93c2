//! `yomikiri serve`: the explorer in the browser, and the JSON API behind it.
//!
//! `listen` takes connections, `connections` counts them by `client`, `stream` ends those whose client does not read,
//! and `stop` ends them all. `guard` refuses requests that are not for the server and sets the headers of all answers.
//! `routes` lists the questions with their addresses, `questions` answers them, `words` are their parameters. `work`
//! gives each question its place in a `lane` and its time. `file` sends the files of the page, `encoding` compresses.

mod client;
mod connections;
mod encoding;
mod file;
mod guard;
mod lane;
mod listen;
mod questions;
mod reply;
mod routes;
mod stop;
mod stream;
mod words;
mod work;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use clap::Args;

use super::Done;
use super::error::{Failure, note};
use super::output::print;
use super::page;
use super::settings::Tables;

/// Open the explorer in a browser: boards, values, proofs, puzzles
///
/// Answers requests from this machine alone unless --host says otherwise, reads the folder of tables and writes
/// nothing. The JSON API is described by /api/v1/openapi.json.
#[derive(Args)]
pub struct Arguments {
    /// Port; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8000)]
    port: u16,

    /// Address to listen at; requests have to be addressed to it, or to --name
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// Name under which others reach this machine, where --host is not what they write
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Longest time for a question that no table answers
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,

    #[command(flatten)]
    tables: Tables,
}

pub fn run(arguments: Arguments) -> Done {
    let Arguments { port, host, name, patience, tables } = arguments;
    let location = tables.location()?;
    // This thread moves bytes; all work is done on threads of its own.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Work(format!("threads: {error}")))?;
    runtime.block_on(async {
        let asked = SocketAddr::new(host, port);
        let failed = |error| Failure::Work(format!("{asked}: {error}"));
        let listener = listen::bind(asked).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let guard = guard::Guard::new(address, name);
        let stop = stop::Stop::watch()?;
        if page::files().is_empty() {
            note(&format!("{}; the API answers", page::WITHOUT));
        }
        print(&format!("http://{address}/"))?;
        let service = routes::service(location, guard, Duration::from_secs(patience));
        listen::serve(listener, service, stop).await;
        // Threads that still work end with the process.
        Ok(())
    })
}
