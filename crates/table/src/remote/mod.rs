//! Tables at an address: HTTP servers and object stores, read by ranges.
//!
//! Stores: `client` asks for files, of the store that `store_place` makes for an address, `site` is an address with its
//! list of files, `file` one of them, `pieces` keeps what was read; `bucket` is an object store that files are written
//! to as well.
//!
//! Requests: `service` receives every answer within its bounds. `answer` judges it, `redirect` its redirects, `fault`
//! says what is wrong; none of them knows sockets. `transport` sends a request, by the client that `network` makes or
//! to a `responder` in memory; `runtime` is the thread behind it, `patience` its limits of time, `explain` one line
//! about a failure.

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
pub use responder::{Chunks, RequestSeen, Responder, Response};
pub use site::Remote;
