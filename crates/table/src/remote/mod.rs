//! Tables at an address: HTTP servers and object stores, read by ranges.
//!
//! Stores: `site` is an address with its manifest, `file` one of its files, `pieces` the cache. `client` requests files
//! from the store that `store_place` makes for an address. `bucket` is an object store that can also be written.
//!
//! Requests: `service` receives every response within its limits. `answer` checks it, `redirect` its redirects, and
//! `fault` lists the problems. These three do no input or output themselves. `transport` sends a request, through the
//! client that `network` makes or to a `responder` in memory. `runtime` is the thread for requests, `patience` their
//! time limits, and `explain` makes messages about failures.

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

pub use bucket::Bucket;
pub use file::RemoteFile;
pub use patience::Patience;
pub use responder::{Chunks, Responder, Response, SeenRequest};
pub use site::Site;
