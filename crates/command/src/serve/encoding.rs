//! Response bodies, compressed for clients that accept it.

use std::io::Write;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The minimum size of a body that is compressed, in bytes. Smaller bodies fit into one packet without compression.
const WORTH_IT: usize = 1 << 10;

/// The body of a response, plain or compressed.
pub struct Encoded {
    bytes: Bytes,
    is_gzip: bool,
}

impl Encoded {
    /// Creates the body from a text. If `takes_gzip` is true, compresses texts of at least [`WORTH_IT`] bytes.
    /// Compression takes time, so the caller must hold a slot of a [`Lane`](super::lane::Lane).
    pub fn text(text: String, takes_gzip: bool) -> Encoded {
        let compressed = (takes_gzip && text.len() >= WORTH_IT).then(|| gzip(text.as_bytes()));
        match compressed {
            Some(bytes) => Encoded { bytes: bytes.into(), is_gzip: true },
            None => Encoded { bytes: text.into(), is_gzip: false },
        }
    }

    /// Creates the body from a file: the compressed form `gzip` if the file has one and `takes_gzip` is true, otherwise
    /// the result of `plain`.
    pub fn of_both(plain: impl FnOnce() -> &'static [u8], gzip: Option<&'static [u8]>, takes_gzip: bool) -> Encoded {
        let compressed = gzip.filter(|_| takes_gzip);
        Encoded { bytes: Bytes::from_static(compressed.unwrap_or_else(plain)), is_gzip: compressed.is_some() }
    }
}

impl IntoResponse for Encoded {
    fn into_response(self) -> Response {
        let mut response = self.bytes.into_response();
        let headers = response.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if self.is_gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

/// Compresses bytes with gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("to memory")
}

/// Returns true if the client of a request accepts gzip.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|list| list.to_str().ok());
    let codings: Vec<&str> = lists.flat_map(|list| list.split(',')).collect();
    let weight = |name: &str| {
        codings.iter().find_map(|coding| {
            let mut parts = coding.split(';').map(str::trim);
            let is_meant = parts.next()?.eq_ignore_ascii_case(name);
            let q = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
            is_meant.then(|| q.map_or(1.0, |q| q.parse().unwrap_or(0.0)))
        })
    };
    weight("gzip").or_else(|| weight("*")).is_some_and(|q: f32| q > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_alone_who_take_it() {
        let takes = |list: &'static str| {
            takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(list))]))
        };
        for list in ["gzip", "br, gzip", "deflate, GZIP;q=0.5", "*", "identity;q=0, *;q=0.1"] {
            assert!(takes(list), "{list}");
        }
        for list in ["", "br", "gzip;q=0", "*, gzip;q=0", "gzip; q=0.0", "xgzip", "gzip;q=nonsense"] {
            assert!(!takes(list), "{list}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
