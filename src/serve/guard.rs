//! Who may ask, and what every answer says to browsers.
//!
//! A page of another site can make a browser send requests to this machine. They are refused by their `Host`, which
//! shows a name that was made to point here, by their `Origin`, and by `Sec-Fetch-Site`, which also stands in requests
//! that have no `Origin`: those of images, scripts, frames and links.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::reply::Refusal;

/// Bytes of path and question, at most.
const LONGEST_URI: usize = 16 << 10;

/// The header by which browsers say where a request comes from.
const SITE: &str = "sec-fetch-site";

/// What a page from here may do: nothing but show what comes from here, and run the module.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'";

/// The names that requests may be addressed to.
pub struct Guard {
    hosts: Vec<String>,
}

impl Guard {
    /// For a server at an address, which others may know by a name.
    pub fn new(address: SocketAddr, name: Option<String>) -> Guard {
        let (ip, port) = (address.ip(), address.port());
        let mut names = vec![SocketAddr::new(ip, 0).to_string().trim_end_matches(":0").to_owned()];
        if ip.is_loopback() || ip.is_unspecified() {
            names.extend(["localhost", "127.0.0.1", "[::1]"].map(str::to_owned));
        }
        names.extend(name);
        let with_port = names.iter().map(|name| format!("{name}:{port}"));
        let mut hosts: Vec<String> = with_port.collect();
        if port == 80 {
            hosts.extend(names);
        }
        hosts.iter_mut().for_each(|host| host.make_ascii_lowercase());
        Guard { hosts }
    }

    fn refusal(&self, request: &Request) -> Option<Refusal> {
        let headers = request.headers();
        let Some(host) = one(headers, header::HOST) else {
            return Some(Refusal::bad("a request names one Host"));
        };
        if !self.is_ours(&host) {
            return Some(Refusal::new(StatusCode::MISDIRECTED_REQUEST, "the request is addressed to another host"));
        }
        if headers.contains_key(header::ORIGIN) {
            let origin = one(headers, header::ORIGIN);
            let ours = origin.as_deref().and_then(|origin| origin.strip_prefix("http://"));
            if !ours.is_some_and(|origin| self.is_ours(origin)) {
                return Some(Refusal::new(StatusCode::FORBIDDEN, "pages of other origins may not ask"));
            }
        }
        if is_of_another_site(request) {
            return Some(Refusal::new(StatusCode::FORBIDDEN, "pages of other sites may not ask"));
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Some(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are answered"));
        }
        let has_body = headers.contains_key(header::TRANSFER_ENCODING)
            || headers.get(header::CONTENT_LENGTH).is_some_and(|length| length != "0");
        if has_body {
            return Some(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "questions have no body"));
        }
        let length = request.uri().path_and_query().map_or(0, |uri| uri.as_str().len());
        (length > LONGEST_URI).then(|| Refusal::new(StatusCode::URI_TOO_LONG, "the question is too long"))
    }

    fn is_ours(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
    }
}

/// Returns true if a browser says that a page of another site has made it send the request. Such a page may link to the
/// page here, which starts no work, and to nothing else.
fn is_of_another_site(request: &Request) -> bool {
    let headers = request.headers();
    let says = |name: &'static str| one(headers, HeaderName::from_static(name));
    if !headers.contains_key(SITE) || matches!(says(SITE).as_deref(), Some("same-origin" | "none")) {
        return false;
    }
    let is_link = says("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
        && says("sec-fetch-dest").is_some_and(|destination| destination == "document");
    !is_link || request.uri().path().starts_with("/api/")
}

/// The value of a header that stands once.
fn one(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then(|| value.to_owned())
}

/// Refuses what is not for us; sets the headers of every answer.
pub async fn watch(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.refusal(&request) {
        Some(refusal) => {
            let mut response = refusal.into_response();
            let headers = response.headers_mut();
            headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            // What comes behind the head of a refused request is not read.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            response
        }
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
