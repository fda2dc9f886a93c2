//! Tests of requests from pages of other sites, which `serve --allow-origin` allows.

use crate::support::command::{fails, tables};
use crate::support::serve::Server;

const PAGE: &str = "https://example.org";

/// Sends a request as from a page of the site `origin`, with `more` headers. Returns the status and the head of the
/// answer.
fn ask(server: &Server, method: &str, path: &str, origin: &str, more: &str) -> (u16, String) {
    let site = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n";
    let headers = format!("Origin: {origin}\r\n{site}{more}");
    let (status, head, _) = server.send(server.request(method, path, &headers).as_bytes());
    (status, head)
}

/// Returns the value of a header. The head and the name must be in lower case.
fn value<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

const ALLOWED: &str = "access-control-allow-origin";
const ASKS_FOR_POST: &str =
    "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\nContent-Length: 0\r\n";

#[test]
fn no_page_of_another_site_may_ask_unless_the_server_is_told() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &[]);
    for (method, more) in [("GET", ""), ("OPTIONS", ASKS_FOR_POST)] {
        let (status, head) = ask(&server, method, "/api/v1/query?rules=bin2x2", PAGE, more);
        assert!(status == 403 && !head.contains("access-control"), "{method}: {head}");
    }
    let (_, head, _) = server.get("/api/v1/games");
    assert!(!head.contains("access-control") && value(&head, "vary") != Some("origin"), "{head}");
}

#[test]
fn pages_of_the_origins_that_are_allowed_may_ask() {
    let folder = tables(&["bin2x2"]);
    let other = "http://localhost:5173";
    let server = Server::start(folder.path(), &["--allow-origin", PAGE, "--allow-origin", other]);
    let query = "/api/v1/query?rules=bin2x2";
    for origin in [PAGE, other] {
        for (path, expected) in [(query, 200), ("/api/v1/query", 400), ("/api/v1/nothing", 404)] {
            let (status, head) = ask(&server, "GET", path, origin, "");
            assert_eq!((status, value(&head, ALLOWED)), (expected, Some(origin)), "{path}: {head}");
            assert!(head.contains("vary: origin") && !head.contains("access-control-allow-credentials"), "{head}");
        }
    }
    for origin in
        ["https://example.com", "http://example.org", "https://example.org:8443", "https://a.example.org", "null"]
    {
        let (status, head) = ask(&server, "GET", query, origin, "");
        assert!(status == 403 && value(&head, ALLOWED).is_none() && head.contains("vary: origin"), "{origin}: {head}");
    }
    let (status, head) = ask(&server, "HEAD", query, PAGE, "");
    assert_eq!((status, value(&head, ALLOWED)), (200, Some(PAGE)), "{head}");
    // A request with two origins is refused.
    let (status, head) = ask(&server, "GET", query, PAGE, &format!("Origin: {PAGE}\r\n"));
    assert!(status == 403 && value(&head, ALLOWED).is_none(), "{head}");
    // Other sites may not show or read the page itself.
    let (status, head) = ask(&server, "GET", "/", PAGE, "");
    assert!(status == 403 && value(&head, ALLOWED).is_none(), "{head}");
    // Requests without an origin are answered as usual. Caches keep these answers apart from those with an origin.
    let (status, head, _) = server.get(query);
    assert!(status == 200 && value(&head, ALLOWED).is_none() && head.contains("vary: origin"), "{head}");
}

#[test]
fn browsers_learn_what_a_page_may_ask() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &["--allow-origin", PAGE]);
    let (status, head) = ask(&server, "OPTIONS", "/api/v1/query", PAGE, ASKS_FOR_POST);
    assert_eq!((status, value(&head, ALLOWED)), (204, Some(PAGE)), "{head}");
    assert_eq!(value(&head, "access-control-allow-methods"), Some("get, head, post"), "{head}");
    assert_eq!(value(&head, "access-control-allow-headers"), Some("content-type"), "{head}");
    let (status, head) = ask(&server, "OPTIONS", "/api/v1/games", PAGE, ASKS_FOR_POST);
    assert_eq!((status, value(&head, "access-control-allow-methods")), (204, Some("get, head")), "{head}");
    let (status, head) = ask(&server, "OPTIONS", "/api/v1/query", "https://example.com", ASKS_FOR_POST);
    assert!(status == 403 && value(&head, ALLOWED).is_none(), "{head}");
    // Without the header of a preflight request, OPTIONS is an ordinary method, which is not allowed.
    let (status, _) = ask(&server, "OPTIONS", "/api/v1/query", PAGE, "");
    assert_eq!(status, 405);
    let body = r#"{"rules":"bin2x2","positions":["startpos"]}"#;
    let headers = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    let request = server.request("POST", "/api/v1/query", &format!("Origin: {PAGE}\r\n{headers}"));
    let (status, head, _) = server.send((request + body).as_bytes());
    assert_eq!((status, value(&head, ALLOWED)), (200, Some(PAGE)), "{head}");
}

#[test]
fn all_pages_may_ask_if_the_server_is_told() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &["--allow-origin", "*"]);
    for origin in [PAGE, "null", "http://localhost:5173"] {
        let (status, head) = ask(&server, "GET", "/api/v1/query?rules=bin2x2", origin, "");
        assert_eq!((status, value(&head, ALLOWED)), (200, Some("*")), "{head}");
        let (status, head) = ask(&server, "OPTIONS", "/api/v1/query", origin, ASKS_FOR_POST);
        assert_eq!((status, value(&head, ALLOWED)), (204, Some("*")), "{head}");
    }
    // Requests for images and scripts do not have an origin.
    let images = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n";
    let (status, head, _) = server.send(server.request("GET", "/api/v1/games", images).as_bytes());
    assert!(status == 403 && value(&head, ALLOWED).is_none(), "{head}");
}

#[test]
fn what_is_no_origin_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for origin in ["", "example.org", "https://example.org/", "HTTPS://EXAMPLE.ORG", "https://example.org:443"] {
        let line = fails(folder.path(), &["serve", "--port", "0", &format!("--allow-origin={origin}")], 2);
        let says =
            ["--allow-origin <ORIGIN>", if origin.ends_with(":443") { "browsers leave port" } else { "write scheme" }];
        assert!(says.iter().all(|part| line.contains(part)), "{origin}: {line}");
    }
}
