//! Tables at an address: HTTP servers and object stores, read by ranges.
//!
//! `client` asks the server, `pieces` keeps what was read, `site` is an address with its list of files, and `file` one
//! of them; `bucket` is an object store that files are written to as well.

mod bucket;
mod client;
mod file;
mod pieces;
mod site;

pub use bucket::Bucket;
pub use client::Patience;
pub use file::RemoteFile;
pub use site::Remote;
