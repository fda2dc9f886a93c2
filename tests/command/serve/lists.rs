//! Tests of requests with a list of positions.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value as Json, json};

use crate::support::command::{good_json, tables, wait};
use crate::support::repository::repository_path;
use crate::support::serve::{Server, answer, answered, children, escaped, long_question};

/// Returns the head of a request with a list. `headers` are added to it.
fn head(server: &Server, headers: &str) -> String {
    server.request("POST", "/api/v1/query", &format!("Content-Type: application/json\r\n{headers}"))
}

/// Returns a request with a list.
fn request(server: &Server, list: &Json) -> String {
    let body = list.to_string();
    head(server, &format!("Content-Length: {}\r\n", body.len())) + &body
}

/// Sends a request with a list. Returns the status and the JSON of the answer.
pub fn post(server: &Server, list: &Json) -> (u16, Json) {
    parsed(server.send(request(server, list).as_bytes()))
}

fn parsed((status, head, body): (u16, String, Vec<u8>)) -> (u16, Json) {
    assert!(head.contains("content-type: application/json"), "{head}");
    let body = if head.contains("transfer-encoding: chunked") { without_chunks(&body) } else { body };
    (status, serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{error}: {body:?}")))
}

/// Decodes a chunked body.
pub fn without_chunks(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    loop {
        let end = body.windows(2).position(|two| two == b"\r\n").expect("a length");
        let length = usize::from_str_radix(std::str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        if length == 0 {
            return whole;
        }
        whole.extend_from_slice(&body[end + 2..end + 2 + length]);
        body = &body[end + 4 + length..];
    }
}

fn answers(server: &Server, code: &str, positions: &[&str]) -> Vec<Json> {
    let (status, told) = post(server, &json!({"rules": code, "positions": positions}));
    assert_eq!(status, 200, "{told}");
    assert_eq!(told.as_object().unwrap().len(), 1, "{told}");
    told["answers"].as_array().unwrap().clone()
}

/// Returns the texts of the start position and of the position after each of its moves.
fn first_positions(server: &Server, code: &str) -> Vec<String> {
    let moves = server.good(&format!("query?rules={code}"));
    let after = |mv: &Json| format!("startpos moves {}", mv["move"].as_str().unwrap());
    std::iter::once("startpos".into()).chain(moves["moves"].as_array().unwrap().iter().map(after)).collect()
}

#[test]
fn a_list_has_the_answers_that_its_positions_have_alone() {
    let folder = tables(&["bin3x3", "rev4x4"]);
    let server = Server::start(folder.path(), &[]);
    for code in ["bin3x3", "rev4x4", "pyon3x4"] {
        let positions = first_positions(&server, code);
        let positions: Vec<&str> = positions.iter().map(String::as_str).collect();
        let told = answers(&server, code, &positions);
        assert_eq!(told.len(), positions.len());
        for (position, told) in positions.iter().zip(&told) {
            assert_eq!(*told, server.good(&format!("query?rules={code}&position={}", escaped(position))));
            assert_eq!(*told, good_json(folder.path(), &["query", code, position, "--json"]));
        }
    }
}

#[test]
fn a_position_without_an_answer_has_its_error_in_its_place() {
    let folder = tables(&["bin3x3"]);
    let server = Server::start(folder.path(), &[]);
    let told = answers(&server, "bin3x3", &["startpos", "nonsense", "startpos_moves_2n", "startpos moves 9n", ""]);
    assert_eq!(told[2], server.good("query?rules=bin3x3&position=startpos+moves+2n"));
    for (at, position) in [(1, "nonsense"), (3, "startpos+moves+9n"), (4, "")] {
        let alone = server.refused(&format!("query?rules=bin3x3&position={position}"), 400);
        assert_eq!(told[at], json!({"error": alone, "status": 400}));
    }
}

#[test]
fn lists_have_a_thousand_positions_at_most() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &[]);
    assert!(answers(&server, "bin2x2", &[]).is_empty());
    let told = answers(&server, "bin2x2", &["startpos"; 1000]);
    assert!(told.len() == 1000 && told.iter().all(|one| *one == told[0] && one["winner"] == "white"));
    let (status, told) = post(&server, &json!({"rules": "bin2x2", "positions": vec!["startpos"; 1001]}));
    assert_eq!(
        (status, &told),
        (400, &json!({"error": "the list has 1001 positions; at most 1000 are answered at once"}))
    );
}

#[test]
fn what_is_no_list_is_refused() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &[]);
    for (list, what) in [
        (json!({"rules": "foo", "positions": ["startpos"]}), "no game has codes of this form"),
        (json!({"positions": ["startpos"]}), "missing field `rules`"),
        (json!({"rules": "bin2x2"}), "missing field `positions`"),
        (json!({"rules": "bin2x2", "positions": "startpos"}), "invalid type: string"),
        (json!({"rules": "bin2x2", "positions": [1]}), "invalid type: integer"),
        (json!({"rules": "bin2x2", "positions": ["startpos"], "tables": "/etc"}), "unknown field `tables`"),
        (json!([]), "the list must be a JSON object"),
        (json!(["bin2x2", ["startpos"]]), "the list must be a JSON object"),
        (json!(null), "the list must be a JSON object"),
    ] {
        let (status, told) = post(&server, &list);
        assert!(status == 400 && told["error"].as_str().unwrap().contains(what), "{list}: {status} {told}");
    }
    let send = |request: String| {
        let (status, told) = parsed(server.send(request.as_bytes()));
        (status, told["error"].as_str().unwrap().to_owned())
    };
    let of = |body: &str| head(&server, &format!("Content-Length: {}\r\n", body.len())) + body;
    for (broken, what) in [
        ("", "the list must be a JSON object"),
        ("\u{feff}{}", "the list must be a JSON object"),
        ("{", "the list is not valid: EOF while parsing"),
        (
            "{\"rules\":\"bin2x2\",\"rules\":\"bin2x2\",\"positions\":[]}",
            "the list is not valid: duplicate field `rules`",
        ),
        ("{\"rules\":\"bin2x2\",\"positions\":[]}}", "the list is not valid: trailing characters"),
        ("{\"rules\":\"bin2x2\",\"positions\":[\"\\ud800\"]}", "the list is not valid: "),
    ] {
        let (status, line) = send(of(broken));
        assert!(status == 400 && line.starts_with(what) && !line.contains('\n'), "{broken}: {status} {line}");
    }
    for kind in ["", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"] {
        let headers = format!("{kind}Content-Length: 2\r\n");
        let (status, line) = send(server.request("POST", "/api/v1/query", &headers) + "{}");
        assert!(status == 415 && line.contains("Content-Type application/json"), "{kind}: {status} {line}");
    }
    let (status, line) = send(server.request("POST", "/api/v1/query?rules=bin2x2", "Content-Length: 0\r\n"));
    assert!(status == 400 && line.contains("\"rules\" is not a parameter of this question"), "{status} {line}");
}

#[test]
fn a_list_of_too_many_bytes_is_refused() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &[]);
    let refusal = (413, json!({"error": "a list may have at most 262144 bytes"}));
    // The server refuses the list without reading its body.
    assert_eq!(parsed(server.send(head(&server, "Content-Length: 262145\r\n").as_bytes())), refusal);
    // The length of this list is not in its head.
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(1 << 16));
    let endless = head(&server, "Transfer-Encoding: chunked\r\n") + &chunk.repeat(5);
    assert_eq!(parsed(server.send(endless.as_bytes())), refusal);
    let body = r#"{"rules":"bin2x2","positions":["startpos"]}"#;
    let chunked = head(&server, "Transfer-Encoding: chunked\r\n") + &format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    assert_eq!(parsed(server.send(chunked.as_bytes())).0, 200);
    let no_size = head(&server, "Transfer-Encoding: chunked\r\n") + "size\r\n{}\r\n0\r\n\r\n";
    let refusal = (400, json!({"error": "the body of the request is not valid or breaks off"}));
    assert_eq!(parsed(server.send(no_size.as_bytes())), refusal);
}

/// The server does not wait forever for the rest of a list.
#[test]
fn a_list_that_does_not_arrive_is_refused() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &[]);
    let (status, told) = parsed(server.send((head(&server, "Content-Length: 100\r\n") + "{").as_bytes()));
    assert_eq!((status, told), (408, json!({"error": "the list did not arrive within 10 seconds"})));
}

#[test]
fn methods_that_are_not_answered_are_refused_with_those_that_are() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &[]);
    for (method, path, allowed) in [
        ("PUT", "query", "get, head, post"),
        ("OPTIONS", "query", "get, head, post"),
        ("POST", "line", "get, head"),
        ("POST", "query/", "get, head"),
        ("POST", "%71uery", "get, head"),
    ] {
        let request = server.request(method, &format!("/api/v1/{path}"), "Content-Length: 2\r\n") + "{}";
        let (status, head, _) = server.send(request.as_bytes());
        let allow = head.lines().find_map(|line| line.strip_prefix("allow: "));
        assert_eq!((status, allow), (405, Some(allowed)), "{method} {path}: {head}");
    }
}

/// The number of lists that one client sends at the same time. The server needs many turns to answer each of them.
const LISTS: usize = 40;

/// Look-ups from one address are answered before all lists from another address are.
#[test]
fn lists_hold_up_no_look_up_of_another_client() {
    let folder = tables(&["bin3x3"]);
    let server = Server::start(folder.path(), &[]);
    let request = request(&server, &json!({"rules": "bin3x3", "positions": vec!["startpos"; 1000]}));
    let mut greedy = server.connect_from(2, LISTS);
    greedy.iter_mut().for_each(|stream| stream.write_all(request.as_bytes()).unwrap());
    let done = AtomicUsize::new(0);
    thread::scope(|scope| {
        for stream in &mut greedy {
            let done = &done;
            scope.spawn(move || {
                let (status, told) = parsed(answer(stream));
                assert!(status == 200 && told["answers"].as_array().unwrap().len() == 1000, "{status}");
                done.fetch_add(1, Ordering::Relaxed);
            });
        }
        for mut other in (0..3).map(|_| server.ask_from(3, "query?rules=bin3x3", 1)) {
            assert_eq!(answer(&mut other[0]).0, 200);
        }
        let done = done.load(Ordering::Relaxed);
        assert!(done < LISTS, "{done} lists were answered before three look-ups of another client");
    });
}

/// While nobody reads the answers to an unfinished list, the server answers other requests instead.
#[test]
fn lists_that_nobody_reads_hold_up_nobody() {
    let folder = tables(&["bin3x3"]);
    let server = Server::start(folder.path(), &[]);
    let request = request(&server, &json!({"rules": "bin3x3", "positions": vec!["startpos"; 1000]}));
    let mut unread = server.connect_from(2, LISTS);
    unread.iter_mut().for_each(|stream| stream.write_all(request.as_bytes()).unwrap());
    wait("the lists are begun", || answered(&unread) == LISTS);
    for client in [2, 3] {
        let mut other = server.ask_from(client, "query?rules=bin3x3", 1);
        assert_eq!(answer(&mut other[0]).0, 200);
    }
}

/// The rule code and the position of [`long_question`], which a child process answers.
const LONG: [&str; 2] = ["con8x6-k5", "startpos moves 1 8 1 8 1 8 8 1 1 8 1 8 2 7 2 7"];

/// The client closes the connection before any position of its list is answered, or in the middle of the answers.
#[test]
fn the_work_on_a_list_ends_when_its_client_leaves() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &["--patience", "3600"]);
    assert!(long_question().contains(LONG[0]) && long_question().ends_with(&escaped(LONG[1])));
    for before in [0, 40] {
        let positions: Vec<&str> = std::iter::repeat_n("nonsense", before).chain([LONG[1], LONG[1]]).collect();
        let list = json!({"rules": LONG[0], "positions": positions});
        let mut stream = server.connect_from(2, 1);
        stream[0].write_all(request(&server, &list).as_bytes()).unwrap();
        wait("a child process answers", || !children(server.process.id()).is_empty());
        wait("the answers before it", || answered(&stream) == before.min(1));
        drop(stream);
        wait("the child process ends", || children(server.process.id()).is_empty());
        server.good("query?rules=bin2x2");
    }
}

/// All positions of a list that need a long search share the time of one question. The first one takes all of it and
/// stays open. The other positions are answered.
#[test]
fn a_list_has_the_time_of_one_question() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &["--patience", "2"]);
    let told = answers(&server, LONG[0], &[LONG[1], LONG[1], "nonsense", LONG[1]]);
    let late = json!({"error": "the list takes longer than 2 seconds", "status": 503});
    assert!(told[0]["outcome"].is_null() && told[0]["source"] == "search", "{told:?}");
    assert_eq!([&told[1], &told[3]], [&late; 2]);
    assert_eq!(told[2]["status"], 400);
}

/// In the positions and moves of a URL, `_` means a blank.
#[test]
fn underscores_are_blanks() {
    let folder = tables(&["bin3x3"]);
    std::fs::copy(repository_path("precomp/proofs/bin3x3.proof"), folder.path().join("bin3x3.proof")).unwrap();
    let server = Server::start(folder.path(), &[]);
    let same = |first: &str, second: &str| assert_eq!(server.good(first), server.good(second));
    for verb in ["query", "line"] {
        let of = |position: &str| format!("{verb}?rules=bin3x3&position={position}");
        same(&of("startpos_moves_2n_3na"), &of("startpos+moves+2n+3na"));
    }
    same("proof?rules=bin3x3&position=_startpos_", "proof?rules=bin3x3&position=startpos");
    same("choose?rules=bin3x3&moves=2n_3na&seed=1", "choose?rules=bin3x3&moves=2n%203na&seed=1");
    same("choose?rules=bin3x3&position=startpos_moves_2n&moves=3na_&seed=1", "choose?rules=bin3x3&moves=2n+3na&seed=1");
}
