//! The server: every question against its description and the command, requests that are not for it, slow and greedy
//! clients.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use jsonschema::Validator;
use serde_json::{Value as Json, json};

use crate::support::command::{command, good_json, tables};
use crate::support::repository::at;

/// A server with its tables in a folder, at a port that was free.
struct Server {
    process: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn start(folder: &Path, more: &[&str]) -> Server {
        let mut process = command(folder, &[&["serve", "--port", "0"], more].concat());
        let mut process = process.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).unwrap().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        Server { process, address }
    }

    /// What comes back for these bytes: status, head, body.
    fn send(&self, bytes: &[u8]) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        // A server that has refused already may have closed its side.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no head: {:?}", String::from_utf8_lossy(&answer)));
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_ascii_lowercase(), answer[end + 4..].to_vec())
    }

    fn get(&self, path: &str) -> (u16, String, Vec<u8>) {
        self.send(self.request("GET", path, "").as_bytes())
    }

    fn request(&self, method: &str, path: &str, headers: &str) -> String {
        format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n", self.address)
    }

    /// The JSON of a question, and its status.
    fn ask(&self, question: &str) -> (u16, Json) {
        let (status, head, body) = self.get(&format!("/api/v1/{question}"));
        assert!(head.contains("content-type: application/json"), "{question}: {head}");
        (status, serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{question}: {error}")))
    }

    fn good(&self, question: &str) -> Json {
        let (status, told) = self.ask(question);
        assert_eq!(status, 200, "{question}: {told}");
        told
    }

    /// The one line of a refusal.
    fn refused(&self, question: &str, expected: u16) -> String {
        let (status, told) = self.ask(question);
        assert_eq!(status, expected, "{question}: {told}");
        let line = told["error"].as_str().unwrap().to_owned();
        assert!(told.as_object().unwrap().len() == 1 && !line.is_empty() && !line.contains('\n'), "{told}");
        line
    }
}

/// A text as part of an address.
fn escaped(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { (byte as char).into() } else { format!("%{byte:02X}") })
        .collect()
}

/// What answers to a path have to look like.
fn description(document: &Json, path: &str) -> Validator {
    let schema = &document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"];
    assert!(!schema.is_null(), "{path} is not described");
    let schema = json!({"$ref": schema["$ref"], "components": document["components"]});
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn questions_are_answered_as_they_are_described_and_as_the_command_answers() {
    let folder = tables(&["bin3x3", "bin3x3-p", "rev4x4", "pyon3x4"]);
    let proof = folder.path().join("bin4x3.proof");
    std::fs::copy(at("precomp/proofs/bin4x3.proof"), proof).unwrap();
    let server = Server::start(folder.path(), &[]);
    let document = server.good("openapi.json");
    let mut questions = vec![
        "games".to_owned(),
        "rules?rules=bin3x3".into(),
        "rules?rules=val1n".into(),
        "tables".into(),
        "puzzle?rules=bin3x3&plies=5&seed=3".into(),
        "puzzle?rules=rev4x4&margin=2".into(),
        "stats?rules=rev4x4".into(),
        "stats?rules=pyon3x4".into(),
        "counts?rules=bin3x3&by=ply,winner".into(),
        "counts?rules=bin3x3&by=ply,moves".into(),
        "proof?rules=bin4x3".into(),
        "choose?rules=bin3x3&position=startpos&moves=2n&strength=40&seed=7".into(),
        "choose?rules=bin6x6".into(),
    ];
    for (code, position) in [
        ("bin3x3", "startpos"),
        ("bin3x3", "startpos moves 2n 3na"),
        ("bin3x3-kb1.5", "startpos moves 2n 3na 1nH bn bnL cn 2a"),
        ("rev4x4", "startpos"),
        ("pyon3x4", "startpos"),
        ("bin4x3", "startpos"),
        ("val1n", "gle/1c1/1C1/ELG b - 1"),
        ("rev6x6", "startpos"),
    ] {
        let question = format!("rules={code}&position={}", escaped(position));
        questions.push(format!("query?{question}"));
        // The command answers the same, and so it does where neither does.
        let (status, told) = server.ask(&format!("query?{question}"));
        match status {
            200 => {
                assert_eq!(told, good_json(folder.path(), &["query", code, position, "--json"]), "{code} {position}");
            }
            404 | 503 => questions.retain(|known| !known.ends_with(&question)),
            _ => panic!("{status}: {told}"),
        }
        if ["bin3x3", "rev4x4", "pyon3x4", "bin4x3"].contains(&code) {
            assert_eq!(status, 200, "{told}");
            questions.push(format!("line?{question}"));
        }
    }
    for question in &questions {
        let path = format!("/api/v1/{}", question.split('?').next().unwrap());
        let told = server.good(question);
        let validator = description(&document, &path);
        let errors: Vec<String> = validator.iter_errors(&told).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{question}: {errors:?}: {told}");
    }
    let described = document["paths"].as_object().unwrap().keys().map(|path| path.rsplit('/').next().unwrap());
    for name in described {
        assert!(questions.iter().any(|question| question.split('?').next() == Some(name)), "{name} was not asked");
    }
    assert_eq!(
        server.good("counts?rules=bin3x3&by=ply,winner"),
        good_json(folder.path(), &["stats", "bin3x3", "--json", "--by", "ply,winner"])
    );
}

/// A whole proof of a small board, node by node: every reply of the loser is there, and all games end with a win.
#[test]
fn a_proof_can_be_opened_move_by_move() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(at("precomp/proofs/bin3x3.proof"), folder.path().join("bin3x3.proof")).unwrap();
    let server = Server::start(folder.path(), &[]);
    let (mut open, mut nodes, mut ends) = (vec!["startpos".to_owned()], 0, 0);
    while let Some(position) = open.pop() {
        let node = server.good(&format!("proof?rules=bin3x3&position={}", escaped(&position)));
        let moves = node["moves"].as_array().unwrap();
        let legal = good_json(folder.path(), &["moves", "bin3x3", &position, "--json"]);
        let legal: Vec<&Json> = legal["moves"].as_array().unwrap().iter().map(|mv| &mv["move"]).collect();
        let listed: Vec<&Json> = moves.iter().map(|mv| &mv["move"]).collect();
        match node["to_move"] == node["winner"] {
            true => assert!(listed.len() == 1 && legal.contains(&listed[0]), "{node}"),
            false => assert_eq!(listed, legal, "{node}"),
        }
        for mv in moves {
            match mv["goes"].as_str().unwrap() {
                "on" => open.push(mv["position"].as_str().unwrap().into()),
                _ => ends += 1,
            }
            assert!(mv["below"].as_u64().unwrap() > 0);
        }
        nodes += 1;
        if nodes > 60 {
            break;
        }
    }
    assert!(nodes > 20 && ends > 0, "{nodes} nodes, {ends} ends");
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &["--patience", "600"]);
    for (question, status, what) in [
        ("query", 400, "rules is missing"),
        ("query?rules=foo", 400, "no game has such codes"),
        ("query?rules=..%2F..%2Fetc%2Fpasswd", 400, "no game has such codes"),
        ("query?rules=bin2x2&position=nonsense", 400, "SFEN"),
        ("query?rules=bin2x2&rules=bin2x2", 400, "rules stands twice"),
        ("query?rules=bin2x2&tables=%2Fetc", 400, "\"tables\" is not asked for here"),
        ("query?rules=bin7x6", 404, "too many to search"),
        ("line?rules=bin7x6", 404, "positions"),
        ("stats?rules=bin3x3", 404, "there is no table of bin3x3"),
        ("counts?rules=bin2x2&by=ply,ply", 400, "ply is there twice"),
        ("counts?rules=bin2x2&by=luck", 400, "is none of"),
        ("puzzle?rules=bin2x2&plies=x", 400, "is no number"),
        ("puzzle?rules=bin2x2&plies=3&margin=3", 400, "cannot be used with"),
        ("proof?rules=bin2x2", 404, "no certificate of bin2x2"),
        ("choose?rules=bin2x2&strength=101", 400, "no number from 0 to 100"),
        ("choose?rules=bin2x2&moves=9n", 400, "9n"),
        ("nothing", 404, "there is no such question"),
    ] {
        let line = server.refused(question, status);
        assert!(line.contains(what), "{question}: {line}");
        assert!(!line.contains(folder.path().to_str().unwrap()), "{question}: {line}");
    }
}

/// A search of minutes.
fn long_question() -> String {
    let position = "startpos moves 1 8 1 8 1 8 8 1 1 8 1 8 2 7 2 7";
    format!("query?rules=con8x6-k5&position={}", escaped(position))
}

#[test]
fn questions_that_take_too_long_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--patience", "2"]);
    assert_eq!(server.refused(&long_question(), 503), "takes longer than 2 seconds");
}

#[test]
fn requests_that_are_not_for_it_are_refused() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &[]);
    let status = |bytes: &str| server.send(bytes.as_bytes()).0;
    let path = "/api/v1/games";
    assert_eq!(status(&server.request("GET", path, "")), 200);
    assert_eq!(status(&server.request("GET", path, &format!("Origin: http://{}\r\n", server.address))), 200);
    // A name that was made to point here, and pages of others.
    let foreign = |host: &str| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    for host in ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example"] {
        assert_eq!(status(&foreign(host)), 421, "{host}");
    }
    assert_eq!(status(&format!("GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n")), 400);
    for origin in ["http://evil.example", "null", "https://127.0.0.1"] {
        assert_eq!(status(&server.request("GET", path, &format!("Origin: {origin}\r\n"))), 403, "{origin}");
    }
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
    // Whatever it answers, browsers are told what a page from here may do.
    let (_, head, _) = server.get("/api/v1/nothing");
    for header in ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff"] {
        assert!(head.contains(header), "{head}");
    }
    let (status, _, body) = server.send(server.request("HEAD", path, "").as_bytes());
    assert!(status == 200 && body.is_empty());
}

/// Clients that say nothing, or little by little, do not keep others from being answered, and are cut.
#[test]
fn slow_clients_are_cut_and_starve_nobody() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &[]);
    let mut slow: Vec<TcpStream> = (0..300).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    slow.iter_mut().for_each(|stream| stream.write_all(b"GET /api/v1/games HTTP/1.1\r\nHo").unwrap());
    let begun = Instant::now();
    for _ in 0..50 {
        server.good("query?rules=bin2x2");
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    let stream = &mut slow[0];
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut rest = Vec::new();
    // An answer that it took too long, or none; the connection ends.
    stream.read_to_end(&mut rest).unwrap();
    assert!(begun.elapsed() > Duration::from_secs(5), "{:?}", begun.elapsed());
}

/// A question that takes long ends when nobody waits for it any more, and others are answered meanwhile.
#[test]
fn long_questions_are_ended_with_those_who_asked() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &["--patience", "3000"]);
    let ask = || {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(server.request("GET", &format!("/api/v1/{}", long_question()), "").as_bytes()).unwrap();
        stream
    };
    let streams = [ask(), ask(), ask()];
    let working = || children(server.process.id());
    let wait = |wanted: usize| {
        let begun = Instant::now();
        while working() != wanted {
            assert!(begun.elapsed() < Duration::from_secs(60), "{} at work, not {wanted}", working());
            thread::sleep(Duration::from_millis(20));
        }
    };
    wait(2);
    server.good("query?rules=bin2x2");
    drop(streams);
    wait(0);
}

/// Processes that a process has started and that are at work: state and parent stand behind the name.
fn children(parent: u32) -> usize {
    let stat =
        |entry: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(entry.ok()?.path().join("stat")).ok();
    let is_at_work = |stat: &String| {
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        fields.first() != Some(&"Z") && fields.get(1) == Some(&parent.to_string().as_str())
    };
    std::fs::read_dir("/proc").unwrap().filter_map(stat).filter(is_at_work).count()
}

/// Seconds of [`many_are_answered_at_once`].
const SECONDS: &str = "YOMIKIRI_LOAD_SECONDS";

/// 200 clients that ask one question after another: no error, and memory stays bounded.
#[test]
fn many_are_answered_at_once() {
    let seconds = std::env::var(SECONDS).map_or(3, |seconds| seconds.parse().unwrap());
    let folder = tables(&["bin3x3", "rev4x4"]);
    let server = Server::start(folder.path(), &[]);
    let questions = [
        "query?rules=bin3x3",
        "query?rules=rev4x4",
        "counts?rules=bin3x3&by=ply,winner",
        "line?rules=bin3x3",
        "tables",
    ];
    let end = Instant::now() + Duration::from_secs(seconds);
    let asked: usize = thread::scope(|scope| {
        let client = |number: usize| {
            let server = &server;
            scope.spawn(move || {
                let mut asked = 0;
                while Instant::now() < end {
                    server.good(questions[(number + asked) % questions.len()]);
                    asked += 1;
                }
                asked
            })
        };
        let clients: Vec<_> = (0..200).map(client).collect();
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    });
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("{asked} questions in {seconds} s, peak {peak} kB");
    assert!(asked >= 200 && peak < 300_000, "{asked} questions, peak {peak} kB");
}
