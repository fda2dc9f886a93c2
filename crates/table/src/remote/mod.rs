//! Tables at an address: HTTP servers and object stores, read by ranges.
//!
//! `client` asks the server, `pieces` keeps what was read, `site` is an address with its list of files, and `file` one
//! of them.

mod client;
mod file;
mod pieces;
mod site;

pub use client::Patience;
pub use file::RemoteFile;
pub use site::Remote;
