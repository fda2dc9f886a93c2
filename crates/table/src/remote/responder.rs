//! Servers in memory: for tests, and for other ways to bytes than HTTP.

use std::fmt::Debug;
use std::ops::Range;

/// Answers requests without a network.
pub trait Responder: Debug + Send + Sync + 'static {
    fn respond(&self, request: &RequestSeen) -> Response;
}

/// A request as a server sees it.
#[derive(Clone, Debug)]
pub struct RequestSeen {
    pub method: String,
    /// Scheme, host and path.
    pub address: String,
    /// The bytes asked for, if not all.
    pub range: Option<Range<u64>>,
}

/// An answer, honest or not.
pub struct Response {
    pub status: u16,
    /// Those with impossible names or values are left out.
    pub headers: Vec<(String, Vec<u8>)>,
    pub chunks: Chunks,
}

/// Parts of a body, of any number. An error is the end of the connection.
pub type Chunks = Box<dyn Iterator<Item = Result<Vec<u8>, ()>> + Send>;
