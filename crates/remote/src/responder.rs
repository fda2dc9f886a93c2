//! Servers in memory, for tests and for sources of bytes other than HTTP.

use std::fmt::Debug;
use std::ops::Range;

/// Responds to requests without a network.
pub trait Responder: Debug + Send + Sync + 'static {
    /// Returns the response to a request.
    fn respond(&self, request: &SeenRequest) -> Response;
}

/// A request as a server sees it.
#[derive(Clone, Debug)]
pub struct SeenRequest {
    /// The method, such as `GET`.
    pub method: String,
    /// Scheme, host and path.
    pub address: String,
    /// The requested byte range; `None` for the whole file.
    pub range: Option<Range<u64>>,
}

/// A response. It may be incorrect, so that tests can see how clients handle it.
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The headers, as pairs of name and value. Pairs with an invalid name or value are ignored.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub chunks: Chunks,
}

/// The chunks of a body. An `Err` stands for a broken connection.
pub type Chunks = Box<dyn Iterator<Item = Result<Vec<u8>, ()>> + Send>;
