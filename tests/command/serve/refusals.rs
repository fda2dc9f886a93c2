//! Tests of malformed questions, of requests that the server refuses, and of a file in the place of the folder of
//! tables.

use crate::support::command::{fails, good, tables};
use crate::support::serve::{Server, long_question};

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &["--patience", "600"]);
    for (question, status, what) in [
        ("query", 400, "rules is missing"),
        ("query?rules=foo", 400, "no game has codes of this form"),
        ("query?rules=..%2F..%2Fetc%2Fpasswd", 400, "no game has codes of this form"),
        ("query?rules=bin2x2&position=nonsense", 400, "SFEN"),
        ("query?rules=bin2x2&rules=bin2x2", 400, "rules is given twice"),
        ("query?rules=bin2x2&tables=%2Fetc", 400, "\"tables\" is not a parameter of this question"),
        ("query?rules=bin2x2&%72ules=bin2x2", 400, "rules is given twice"),
        (
            "query?rules=bin2x2&Position=startpos",
            400,
            "\"Position\" is not a parameter of this question (known: rules, position)",
        ),
        ("query?rules=bin2x2&position=%2", 400, "\"%2\" has a % without two hexadecimal digits after it"),
        ("query?rules=bin2x2&position=%zz", 400, "\"%zz\" has a % without two hexadecimal digits after it"),
        ("query?rules=bin2x2&position=%FF", 400, "\"%FF\" is not UTF-8"),
        ("games?rules=bin2x2", 400, "\"rules\" is not a parameter of this question (known: none)"),
        ("openapi.json?x", 400, "\"x\" is not a parameter of this question (known: none)"),
        ("choose?rules=bin2x2&seed=%2B1", 400, "is not a number from 0 to"),
        ("query?rules=bin7x6-p", 404, "too many to search"),
        ("line?rules=bin7x6", 404, "positions"),
        ("query?rules=val1n", 404, "make one with: yomikiri analyze val1n"),
        ("stats?rules=bin3x3", 404, "there is no table of bin3x3"),
        ("counts?rules=bin2x2&by=ply,ply", 400, "ply is given twice"),
        ("counts?rules=bin2x2&by=luck", 400, "must be one of ply"),
        ("puzzle?rules=bin2x2&plies=x", 400, "is not a number from 1 to 1000"),
        ("puzzle?rules=bin2x2&plies=0", 400, "is not a number from 1 to 1000"),
        ("puzzle?rules=bin2x2", 400, "plies is required"),
        ("puzzle?rules=bin2x2&plies=3&margin=3", 400, "margin: values are distances"),
        ("puzzle?rules=rev4x4&plies=3", 400, "plies: values are scores"),
        ("puzzle?rules=bin3x3&plies=3", 404, "there is no table of bin3x3"),
        ("proof?rules=bin2x2", 404, "no certificate of bin2x2"),
        ("choose?rules=bin2x2&strength=101", 400, "not a number from 0 to 100"),
        ("choose?rules=bin2x2&moves=9n", 400, "9n"),
        ("nothing", 404, "there is no such question"),
    ] {
        let line = server.refused(question, status);
        assert!(line.contains(what), "{question}: {line}");
        assert!(!line.contains(folder.path().to_str().unwrap()), "{question}: {line}");
    }
}

#[test]
fn searches_that_take_too_long_leave_the_value_open() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--patience", "2"]);
    let told = server.good(&long_question());
    assert!(told["outcome"].is_null() && told["source"] == "search", "{told}");
    assert!(told["moves"].as_array().unwrap().iter().all(|mv| mv["outcome"].is_null()), "{told}");
}

#[test]
fn requests_that_are_not_for_it_are_refused() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &[]);
    let status = |bytes: &str| server.send(bytes.as_bytes()).0;
    let path = "/api/v1/games";
    assert_eq!(status(&server.request("GET", path, "")), 200);
    assert_eq!(status(&server.request("GET", path, &format!("Origin: http://{}\r\n", server.address))), 200);
    // The server refuses hosts other than its address, such as a name that someone else points to it, and foreign
    // origins.
    let foreign = |host: &str| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    for host in ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example"] {
        assert_eq!(status(&foreign(host)), 421, "{host}");
    }
    assert_eq!(status(&format!("GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n")), 400);
    for origin in ["http://evil.example", "null", "https://127.0.0.1"] {
        assert_eq!(status(&server.request("GET", path, &format!("Origin: {origin}\r\n"))), 403, "{origin}");
    }
    for (site, mode, destination, expected) in [
        ("same-origin", "cors", "empty", 200),
        ("none", "navigate", "document", 200),
        ("cross-site", "no-cors", "image", 403),
        ("cross-site", "navigate", "document", 403),
        ("cross-site", "navigate", "iframe", 403),
        ("same-site", "no-cors", "script", 403),
        ("nonsense", "cors", "empty", 403),
    ] {
        let headers = format!("Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\nSec-Fetch-Dest: {destination}\r\n");
        assert_eq!(status(&server.request("GET", path, &headers)), expected, "{headers}");
    }
    assert_eq!(status(&server.request("GET", path, "Sec-Fetch-Site: none\r\nSec-Fetch-Site: none\r\n")), 403);
    // Other sites may link to the page but not show parts of it. If the program was built without the page, there is
    // nothing at this path.
    let of_others = |what: &str| status(&server.request("GET", "/", &format!("Sec-Fetch-Site: cross-site\r\n{what}")));
    assert_eq!(of_others("Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"), server.get("/").0);
    assert_eq!(of_others("Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n"), 403);
    assert_eq!(of_others("Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n"), 403);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
        let (status, head, _) = server.send(server.request(method, path, "Content-Length: 2\r\n").as_bytes());
        assert!(status == 405 && head.contains("allow: get, head"), "{method}: {head}");
    }
    assert_eq!(status(&server.request("GET", path, "Content-Length: 100000000000\r\n")), 413);
    assert_eq!(status(&server.request("GET", path, "Transfer-Encoding: chunked\r\n")), 413);
    assert_eq!(status(&server.request("GET", &format!("{path}?rules={}", "x".repeat(20_000)), "")), 414);
    let long = status(&server.request("GET", path, &format!("X-Long: {}\r\n", "x".repeat(400_000))));
    assert!([400, 431].contains(&long), "{long}");
    for trick in ["/../Cargo.toml", "/..%2f..%2fCargo.toml", "/assets/../../Cargo.toml", "//etc/passwd", "/%2e%2e/x"] {
        let (status, _, body) = server.get(trick);
        assert!(status == 404, "{trick}: {status}");
        assert!(!String::from_utf8_lossy(&body).contains("[package]"), "{trick}");
    }
    assert_eq!(status("nonsense\r\n\r\n"), 400);
    // The head of every answer limits what a page from the server may do in a browser.
    let (_, head, _) = server.get("/api/v1/nothing");
    for header in ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff"] {
        assert!(head.contains(header), "{head}");
    }
    let (status, _, body) = server.send(server.request("HEAD", path, "").as_bytes());
    assert!(status == 200 && body.is_empty());
}

/// A question about a table that is damaged, or that has another name than its rules, fails with 500, whether the server
/// answers itself or starts a child.
#[test]
fn a_table_that_cannot_be_read_is_a_fault_of_the_server() {
    let folder = tables(&["bin2x2"]);
    let path = |code: &str| folder.path().join(code).with_extension("tbl");
    let sound = std::fs::read(path("bin2x2")).unwrap();
    std::fs::write(path("bin2x3"), &sound).unwrap();
    std::fs::write(path("bin3x2"), &sound[..100]).unwrap();
    // This one is damaged in its first block, behind the header and the meta data.
    good(folder.path(), &["analyze", "rev3x3"]);
    let mut bytes = std::fs::read(path("rev3x3")).unwrap();
    bytes[140] ^= 0x10;
    std::fs::write(path("rev3x3"), bytes).unwrap();
    let server = Server::start(folder.path(), &[]);
    for question in ["puzzle?margin=1&", "counts?by=moves&"] {
        let text = server.refused(&format!("{question}rules=rev3x3"), 500);
        assert!(text.contains("does not match its checksum"), "{question}: {text}");
    }
    for (code, what) in
        [("bin2x3", "is the table of bin2x2, not of bin2x3"), ("bin3x2", "shorter than the header of a file")]
    {
        for question in ["stats?", "puzzle?plies=3&", "counts?by=ply&", "counts?by=moves&"] {
            let text = server.refused(&format!("{question}rules={code}"), 500);
            assert!(text.contains(what), "{question}: {text}");
        }
    }
}

/// The server and the other verbs refuse a file in the place of the folder of tables. They accept a folder that does
/// not exist yet.
#[test]
fn a_file_in_the_place_of_the_folder_of_tables_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "no folder").unwrap();
    let file = folder.path().join("file");
    for arguments in [
        &["serve", "--port", "0"][..],
        &["query", "bin2x2"],
        &["line", "bin2x2"],
        &["stats", "bin2x2"],
        &["puzzle", "bin2x2", "--plies", "1"],
        &["compare", "bin2x2", "bin2x2"],
        &["export", "bin2x2", "--to", "gz"],
        &["verify", "bin2x2"],
        &["play", "bin2x2"],
        &["match", "bin2x2", "table", "random"],
        &["tables"],
        &["tables", "check"],
        &["analyze", "bin2x2"],
    ] {
        let line = fails(&file, arguments, 1);
        assert!(line.contains("file: is not a folder"), "{arguments:?}: {line}");
    }
}
