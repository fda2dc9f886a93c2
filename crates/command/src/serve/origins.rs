//! The origins of `--allow-origin`, whose pages may use the API, and the headers that tell browsers so (CORS).

use std::net::Ipv6Addr;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

/// The time in seconds for which browsers may cache the answer to a preflight request.
const PREFLIGHT_SECONDS: u32 = 600;

/// The default ports, which browsers leave out of origins.
const USUAL_PORTS: [(&str, &str); 2] = [("http", "80"), ("https", "443")];

/// The pages that one `--allow-origin` admits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Pages of all origins.
    Any,
    /// Pages of one origin, in the form that browsers send.
    Exact(String),
}

impl Origin {
    /// Parses `*` or `scheme://host[:port]`. A form that no browser sends is an error.
    pub fn parse(text: &str) -> Result<Origin, String> {
        if text == "*" {
            return Ok(Origin::Any);
        }
        let form = || {
            "write scheme://host or scheme://host:port in lower case, without a path, such as https://example.org; or *"
                .to_owned()
        };
        let (scheme, place) = text.split_once("://").filter(|(scheme, _)| is_scheme(scheme)).ok_or_else(form)?;
        let (host, port) = split_port(place);
        // The text before an @ is a user with a password, which no message may show.
        if place.contains('@') || !is_host(host) {
            return Err(form());
        }
        if let Some(port) = port {
            if !port.parse().is_ok_and(|number: u16| number > 0 && number.to_string() == port) {
                return Err(format!("port \"{port}\" is not a number from 1 to 65535"));
            }
            if USUAL_PORTS.contains(&(scheme, port)) {
                return Err(format!("browsers leave port {port} out; write {scheme}://{host}"));
            }
        }
        Ok(Origin::Exact(text.to_owned()))
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_lowercase())
        && text.bytes().all(|letter| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'+' | b'-' | b'.'))
}

/// Splits an origin without its scheme into host and port.
fn split_port(place: &str) -> (&str, Option<&str>) {
    match place.rsplit_once(':') {
        Some((host, port)) if !place.ends_with(']') => (host, Some(port)),
        _ => (place, None),
    }
}

/// Returns true if `text` is a name, an IPv4 address, or an IPv6 address in brackets and in its shortest form.
fn is_host(text: &str) -> bool {
    match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse().is_ok_and(|parsed: Ipv6Addr| parsed.to_string() == address),
        None => {
            let is_letter = |letter: u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.');
            !text.is_empty() && text.bytes().all(is_letter)
        }
    }
}

/// All origins whose pages may use the API.
#[derive(Default)]
pub struct Origins(Vec<Origin>);

impl Origins {
    pub fn new(origins: Vec<Origin>) -> Origins {
        Origins(origins)
    }

    /// Returns the value of `Access-Control-Allow-Origin` if pages of `origin` may use the API, otherwise `None`.
    pub fn permitted(&self, origin: &str) -> Option<HeaderValue> {
        if self.0.contains(&Origin::Any) {
            return Some(HeaderValue::from_static("*"));
        }
        let is_listed = self.0.iter().any(|known| matches!(known, Origin::Exact(known) if known == origin));
        is_listed.then(|| HeaderValue::from_str(origin).ok()).flatten()
    }

    /// Sets the CORS headers of an answer, and the header `Vary` for caches. `permitted` is the result of
    /// [`Origins::permitted`]. Does nothing if no origins are listed, since the answer then does not depend on the
    /// origin.
    pub fn mark(&self, permitted: Option<HeaderValue>, headers: &mut HeaderMap) {
        if self.0.is_empty() {
            return;
        }
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        if let Some(origin) = permitted {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after"));
        }
    }
}

/// Answers a preflight request. Permits `methods` and the header `Content-Type`, which a request with a list of
/// positions needs.
pub fn preflight(methods: &'static str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &'static str); 2] =
        [(header::ACCESS_CONTROL_ALLOW_METHODS, methods), (header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type")];
    headers.extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS.into());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_read_as_browsers_write_them() {
        for text in [
            "https://example.org",
            "http://example.org:8080",
            "https://example.org:80",
            "http://localhost:443",
            "http://127.0.0.1:5173",
            "http://[::1]:5173",
            "http://[2001:db8::1]",
            "https://xn--bcher-kva.example",
            "moz-extension://0f2e-4a",
            "tauri://localhost",
        ] {
            assert_eq!(Origin::parse(text), Ok(Origin::Exact(text.into())));
        }
        assert_eq!(Origin::parse("*"), Ok(Origin::Any));
    }

    #[test]
    fn what_no_browser_sends_is_refused() {
        for text in [
            "",
            "null",
            "example.org",
            "//example.org",
            "://example.org",
            "1http://example.org",
            "https:/example.org",
            "https://",
            "https://example.org/",
            "https://example.org/page",
            "https://example.org?x",
            "https://example.org#x",
            "https://user@example.org",
            "https://*.example.org",
            "https://Example.org",
            "HTTPS://example.org",
            "https://bücher.example",
            " https://example.org",
            "https://example.org ",
            "https://example.org,https://example.com",
            "http://::1",
            "http://[::1",
            "http://[0:0:0:0:0:0:0:1]",
            "http://[localhost]",
            "**",
        ] {
            let problem = Origin::parse(text).unwrap_err();
            assert!(problem.starts_with("write scheme://host"), "{text}: {problem}");
        }
        for port in ["", "0", "65536", "080", "+80", "-1", "x", "8０"] {
            let problem = Origin::parse(&format!("http://example.org:{port}")).unwrap_err();
            assert_eq!(problem, format!("port \"{port}\" is not a number from 1 to 65535"));
        }
        assert_eq!(
            Origin::parse("https://example.org:443").unwrap_err(),
            "browsers leave port 443 out; write https://example.org"
        );
    }
}
