//! Tables at an address: HTTP servers and object stores, read by ranges. A program that calls [`support_addresses`] can
//! give an address wherever it gives a folder of tables.
//!
//! Stores: `site` is an address with its manifest, `file` one of its files, `pieces` the cache. `client` requests files
//! from the store that `store_place` makes for an address. `bucket` is an object store that can also be written.
//!
//! Requests: `service` receives every response within its limits. `answer` checks the response, `redirect` decides if a
//! redirect is followed, and `fault` lists the reasons to reject a response. These three do no input or output
//! themselves. `transport` sends a request, through the client that `network` makes or to a `responder` in memory.
//! `runtime` is the thread for requests, `patience` their time limits, and `explain` makes messages about failures.

#![warn(missing_docs)]

mod answer;
mod bucket;
mod client;
mod explain;
mod fault;
mod file;
mod network;
mod patience;
mod pieces;
mod redirect;
mod responder;
mod runtime;
mod service;
mod site;
mod store_place;
mod transport;

use std::sync::Arc;

use yomikiri_table::address::{Network, Site, set_network};
use yomikiri_table::{Location, Result};

pub use patience::Patience;
pub use responder::{Chunks, Responder, Response, SeenRequest};

use bucket::RemoteBucket;
use site::RemoteSite;

/// Makes [`Location::find`] and `Storage::find` of this process open addresses, with the default time limits.
pub fn support_addresses() {
    set_network(Network {
        site: |address| Ok(Arc::new(RemoteSite::open(address, &Patience::default())?)),
        bucket: |address| Ok(Box::new(RemoteBucket::open(address, &Patience::default())?)),
    });
}

/// Fetches the manifest of an address, with the time limits of `patience`. This function and all reads from the
/// returned location wait for the network, so they must not be called in an asynchronous task.
pub fn location(address: &str, patience: &Patience) -> Result<Location> {
    let site: Arc<dyn Site> = Arc::new(RemoteSite::open(address, patience)?);
    Ok(site.into())
}

/// Like [`location`], but sends requests to a server in memory instead of the network.
pub fn location_in_memory(address: &str, patience: &Patience, responder: Arc<dyn Responder>) -> Result<Location> {
    let site: Arc<dyn Site> = Arc::new(RemoteSite::asking(address, patience, Some(responder))?);
    Ok(site.into())
}
