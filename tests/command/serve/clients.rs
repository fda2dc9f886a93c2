//! Tests of clients that are slow, do not read their answers, or ask many questions.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Signal, getrlimit};

use crate::support::command::{tables, wait};
use crate::support::serve::Server;

/// Clients that send nothing, or little at a time, do not block others and are cut off.
#[test]
fn slow_clients_are_cut_and_starve_nobody() {
    let folder = tables(&["bin2x2"]);
    let server = Server::start(folder.path(), &[]);
    let mut slow: Vec<TcpStream> = (0..200).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    slow.iter_mut().for_each(|stream| stream.write_all(b"GET /api/v1/games HTTP/1.1\r\nHo").unwrap());
    let begun = Instant::now();
    for _ in 0..50 {
        server.good("query?rules=bin2x2");
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    let stream = &mut slow[0];
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut rest = Vec::new();
    // The server may send an answer about the timeout. Then it closes the connection.
    stream.read_to_end(&mut rest).unwrap();
    assert!(begun.elapsed() > Duration::from_secs(5), "{:?}", begun.elapsed());
}

/// Opens `count` connections from the address 127.0.0.`host`. They request large answers and read nothing.
fn connect_without_reading(server: &Server, host: u8, count: usize) -> Vec<TcpStream> {
    let request = format!("GET /api/v1/openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let mut streams = server.connect_from(host, count);
    // The answers are larger than the system's buffers on both sides.
    streams.iter_mut().for_each(|stream| stream.write_all(request.repeat(30).as_bytes()).unwrap());
    streams
}

/// Returns half the number of connections that a server accepts, which is the limit for one address.
fn half_of_all() -> usize {
    let files = getrlimit(Resource::Nofile).current.map_or(usize::MAX, |files| files as usize);
    (files / 2).min(1024) / 2
}

/// Clients that do not read do not take the connections of other addresses, and do not keep the server from ending.
#[test]
fn clients_that_do_not_read_starve_nobody_and_keep_nothing_from_ending() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let first = connect_without_reading(&server, 2, half_of_all());
    let mut more = server.ask_from(2, "games", 1);
    server.good("games");
    // One more connection from the same address is refused at once. The client may get an answer or only a closed
    // connection.
    let mut refusal = Vec::new();
    let _ = more[0].read_to_end(&mut refusal);
    assert!(refusal.is_empty() || refusal.starts_with(b"HTTP/1.1 503 "), "{}", String::from_utf8_lossy(&refusal));
    assert!(first.iter().any(is_open), "what did not read was cut before others were answered");
    let _second = connect_without_reading(&server, 3, half_of_all());
    server.signal(Signal::INT);
    assert!(server.end().success());
}

/// Returns true if the server has not reset a connection.
fn is_open(stream: &TcpStream) -> bool {
    stream.take_error().unwrap().is_none()
}

#[test]
fn clients_that_do_not_read_are_cut() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let streams = connect_without_reading(&server, 1, 3);
    // Each error is taken only once: after that, the stream looks open again.
    streams.iter().for_each(|stream| wait("it is still connected", || !is_open(stream)));
    server.good("games");
}

/// A client that reads slowly gets its whole answer, even if that takes longer than the timeout for clients that do not
/// read.
#[test]
fn clients_that_read_slowly_get_their_answers() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let body = server.get("/api/v1/openapi.json").2.len();
    let mut stream = connect_without_reading(&server, 1, 1).remove(0);
    let mut room = vec![0; 30 * body / 16];
    for _ in 0..16 {
        stream.read_exact(&mut room).unwrap();
        thread::sleep(Duration::from_millis(1500));
    }
}

/// The environment variable with the duration of [`many_are_answered_at_once`], in seconds.
const SECONDS: &str = "YOMIKIRI_LOAD_SECONDS";

/// 200 clients ask one question after another. All are answered, and the memory of the server stays bounded.
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
