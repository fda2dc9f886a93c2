//! Refuses requests that are not for this server, and sets the security headers of all answers.
//!
//! A page of another site can make a browser send requests to this machine. Three headers reveal such requests. `Host`
//! has a foreign name that was made to point to this machine (DNS rebinding). `Origin` names the other site.
//! `Sec-Fetch-Site` shows that another site is involved, even in requests without `Origin`: those for images, scripts,
//! frames and links. Pages of the origins that the server was started with ([`Origins`]) may use the API.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::list;
use super::origins::{Origins, preflight};
use super::reply::Refusal;

/// The maximum length of path and query, in bytes.
const LONGEST_URI: usize = 16 << 10;

/// The header in which browsers say where a request comes from.
const SITE: &str = "sec-fetch-site";

/// The content security policy. A page from this server may only load what this server sends, and may run its
/// WebAssembly module.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'";

/// The hosts that requests may be addressed to, and the other sites whose pages may use the API.
pub struct Guard {
    hosts: Vec<String>,
    origins: Origins,
}

impl Guard {
    /// Creates a guard for a server at `address`, which clients may also reach by `name`.
    pub fn new(address: SocketAddr, name: Option<String>, origins: Origins) -> Guard {
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
        Guard { hosts, origins }
    }

    /// Returns the value of `Access-Control-Allow-Origin` for a request to the API from a page of a permitted origin,
    /// and `None` for any other request.
    fn permitted(&self, request: &Request) -> Option<HeaderValue> {
        let origin = one(request.headers(), header::ORIGIN).filter(|_| is_of_api(request))?;
        self.origins.permitted(&origin)
    }

    fn refusal(&self, request: &Request, is_permitted: bool) -> Option<Refusal> {
        let headers = request.headers();
        let Some(host) = one(headers, header::HOST) else {
            return Some(Refusal::bad("a request must have exactly one Host header"));
        };
        if !self.is_ours(&host) {
            let problem = "the Host of the request is not an address of this server; see --host and --name";
            return Some(Refusal::new(StatusCode::MISDIRECTED_REQUEST, problem));
        }
        if !is_permitted && let Some(problem) = self.foreign(request) {
            return Some(Refusal::new(StatusCode::FORBIDDEN, problem));
        }
        let methods = methods(request.uri().path());
        let is_preflight = is_permitted && is_preflight(request);
        if !is_preflight && !methods.split(", ").any(|method| method == request.method()) {
            let problem = format!("this path allows only the methods {methods}");
            return Some(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, problem));
        }
        let length = request.uri().path_and_query().map_or(0, |uri| uri.as_str().len());
        if length > LONGEST_URI {
            return Some(Refusal::new(StatusCode::URI_TOO_LONG, "the path and query of the request are too long"));
        }
        body_refusal(request)
    }

    /// Returns a description of the problem if a page of another origin or site made a browser send the request,
    /// otherwise `None`.
    fn foreign(&self, request: &Request) -> Option<&'static str> {
        let headers = request.headers();
        if headers.contains_key(header::ORIGIN) {
            let origin = one(headers, header::ORIGIN);
            let ours = origin.as_deref().and_then(|origin| origin.strip_prefix("http://"));
            if !ours.is_some_and(|origin| self.is_ours(origin)) {
                return Some("pages of this origin may not use the server; see --allow-origin");
            }
        }
        is_of_another_site(request).then_some("pages of other sites may not use the server")
    }

    fn is_ours(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
    }
}

fn is_of_api(request: &Request) -> bool {
    request.uri().path().starts_with("/api/")
}

/// Returns the HTTP methods that a path allows, separated by commas.
fn methods(path: &str) -> &'static str {
    if path == list::PATH { "GET, HEAD, POST" } else { "GET, HEAD" }
}

/// Returns true for a preflight request, in which a browser asks what a page may do.
fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Returns a refusal if a `POST` request announces a body longer than [`list::LONGEST`], or if any other request has a
/// body. Otherwise returns `None`. The body of a `POST` request is a list of positions; the reader of the list limits
/// bodies of unannounced length.
fn body_refusal(request: &Request) -> Option<Refusal> {
    let headers = request.headers();
    let length = headers.get(header::CONTENT_LENGTH);
    if request.method() == Method::POST {
        let bytes = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        return bytes.is_some_and(|bytes| bytes > list::LONGEST as u64).then(Refusal::long_list);
    }
    let has_body = headers.contains_key(header::TRANSFER_ENCODING) || length.is_some_and(|length| length != "0");
    has_body.then(|| Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "only a POST request may have a body"))
}

/// Returns true if a browser says that a page of another site made it send the request. Links to the web page of this
/// server are an exception, since following them starts no work.
fn is_of_another_site(request: &Request) -> bool {
    let headers = request.headers();
    let says = |name: &'static str| one(headers, HeaderName::from_static(name));
    if !headers.contains_key(SITE) || matches!(says(SITE).as_deref(), Some("same-origin" | "none")) {
        return false;
    }
    let is_link = says("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
        && says("sec-fetch-dest").is_some_and(|destination| destination == "document");
    !is_link || is_of_api(request)
}

/// Reads the name of this machine as a browser sends it in `Host`, without a port.
pub fn parse_name(text: &str) -> Result<String, String> {
    match text.parse::<Authority>() {
        Ok(name) if name.host() == text => Ok(text.into()),
        _ => Err("write the name of a host, without a port; an IPv6 address in brackets".into()),
    }
}

/// Returns the value of a header. Returns `None` unless the header occurs exactly once.
fn one(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then(|| value.to_owned())
}

/// Refuses requests that are not for this server, and sets the security headers of every answer.
pub async fn watch(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let permitted = guard.permitted(&request);
    let (methods, is_of_api) = (methods(request.uri().path()), is_of_api(&request));
    let mut response = match guard.refusal(&request, permitted.is_some()) {
        Some(refusal) => {
            let mut response = refusal.into_response();
            let headers = response.headers_mut();
            headers.insert(header::ALLOW, HeaderValue::from_static(methods));
            // The body of a refused request is not read, so the connection cannot be used again.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            response
        }
        None if request.method() == Method::OPTIONS => preflight(methods),
        None => next.run(request).await,
    };
    if is_of_api {
        guard.origins.mark(permitted, response.headers_mut());
    }
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
