//! Tests of compressed answers.

use std::io::Read;

use flate2::read::GzDecoder;

use crate::support::command::tables;
use crate::support::serve::Server;

/// Decompresses a body if its head says that it is compressed.
fn decoded(head: &str, body: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    match head.contains("content-encoding: gzip") {
        true => GzDecoder::new(body).read_to_end(&mut decoded).map(drop).unwrap(),
        false => decoded.extend(body),
    }
    decoded
}

/// Returns the paths of the page and of all files that it names. There are none if the program was built without the
/// page.
fn page_files(server: &Server) -> Vec<String> {
    let (status, _, index) = server.get("/");
    if status == 404 {
        return Vec::new();
    }
    let index = String::from_utf8(index).unwrap();
    let mut files: Vec<String> = ["/", "/index.html", "/offline.json"].map(str::to_owned).into();
    files.extend(index.split('"').filter_map(|part| Some(format!("/{}", part.strip_prefix("./")?))));
    let list = String::from_utf8(server.get("/offline.json").2).unwrap();
    let assets = list.split('"').filter(|part| part.contains("assets/"));
    files.extend(assets.map(|part| format!("/{}", part.trim_start_matches(['.', '/']))));
    files
}

/// Compressed and plain bodies have the same contents. Compressed bodies also have their length in the head, because
/// they are not compressed while they are sent.
#[test]
fn clients_get_gzip_if_they_take_it() {
    let folder = tables(&["bin3x3"]);
    let server = Server::start(folder.path(), &[]);
    let answers = ["openapi.json", "games", "counts?rules=bin3x3&by=ply,plies", "counts?rules=bin3x3&by=ply,moves"];
    let mut paths: Vec<String> = answers.map(|question| format!("/api/v1/{question}")).into();
    paths.extend(page_files(&server));
    for path in &paths {
        let (status, head, plain) = server.get(path);
        assert!(status == 200 && !head.contains("content-encoding"), "{path}: {head}");
        let (status, head, body) = server.send(server.request("GET", path, "Accept-Encoding: br, gzip\r\n").as_bytes());
        assert!(status == 200 && head.contains(&format!("content-length: {}", body.len())), "{path}: {head}");
        assert!(head.contains("vary: accept-encoding"), "{path}: {head}");
        assert_eq!(decoded(&head, &body), plain, "{path}");
        let is_worth_it = plain.len() > 2000 && !path.ends_with(".png");
        assert_eq!(head.contains("content-encoding: gzip"), is_worth_it || body.len() < plain.len(), "{path}: {head}");
    }
    let small = server.send(server.request("GET", "/api/v1/rules?rules=foo", "Accept-Encoding: gzip\r\n").as_bytes());
    assert!(small.0 == 400 && !small.1.contains("content-encoding"), "{}", small.1);
    if paths.len() > answers.len() {
        assert!(paths.iter().any(|path| path.ends_with(".wasm")), "{paths:?}");
    }
}
