//! A server under test and its clients.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value as Json;
use tokio::net::TcpSocket;

use crate::support::command::command;
use crate::support::repository::repository_path;

/// The timeout of an answer, and of the end of a server. Only a server that hangs takes this long.
const LIMIT: Duration = Duration::from_secs(300);

/// A running `yomikiri serve` at a free port. It is killed when this is dropped.
pub struct Server {
    pub process: Child,
    pub address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts a server with its tables in a folder. `more` are further arguments.
    pub fn start(folder: &Path, more: &[&str]) -> Server {
        Server::run(command(folder, &[&["serve", "--port", "0"], more].concat()))
    }

    /// Starts a server with a command of the verb `serve`.
    pub fn run(mut command: Command) -> Server {
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = loop {
            match command.spawn() {
                // The program file was just written, and a child process of another test still has it open.
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => sleep(Duration::from_millis(20)),
                process => break process.unwrap(),
            }
        };
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("{line:?} is no address")).to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        Server { process, address }
    }

    /// Sends some bytes. Returns the status, the head and the body of the answer.
    pub fn send(&self, bytes: &[u8]) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        // The server may have refused the request already and closed the connection.
        let _ = stream.write_all(bytes);
        let answer = answer(&mut stream);
        check_described(bytes, answer.0);
        answer
    }

    pub fn get(&self, path: &str) -> (u16, String, Vec<u8>) {
        self.send(self.request("GET", path, "").as_bytes())
    }

    pub fn request(&self, method: &str, path: &str, headers: &str) -> String {
        format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n", self.address)
    }

    /// Asks a question `count` times from the address 127.0.0.`host`, each time on a new connection. Returns the
    /// connections without waiting for answers.
    pub fn ask_from(&self, host: u8, question: &str, count: usize) -> Vec<TcpStream> {
        let request = self.request("GET", &format!("/api/v1/{question}"), "");
        let mut streams = self.connect_from(host, count);
        streams.iter_mut().for_each(|stream| stream.write_all(request.as_bytes()).unwrap());
        streams
    }

    /// Opens `count` connections from the address 127.0.0.`host`, with small receive buffers.
    pub fn connect_from(&self, host: u8, count: usize) -> Vec<TcpStream> {
        let to: SocketAddr = self.address.parse().unwrap();
        let from = SocketAddr::new(Ipv4Addr::new(127, 0, 0, host).into(), 0);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let connect = || {
            runtime.block_on(async {
                let socket = TcpSocket::new_v4().unwrap();
                socket.set_recv_buffer_size(8 << 10).unwrap();
                socket.bind(from).unwrap();
                let stream = socket.connect(to).await.unwrap().into_std().unwrap();
                stream.set_nonblocking(false).unwrap();
                stream
            })
        };
        (0..count).map(|_| connect()).collect()
    }

    /// Asks a question. Returns the status and the JSON of the answer.
    pub fn ask(&self, question: &str) -> (u16, Json) {
        let (status, head, body) = self.get(&format!("/api/v1/{question}"));
        assert!(head.contains("content-type: application/json"), "{question}: {head}");
        (status, serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{question}: {error}")))
    }

    pub fn good(&self, question: &str) -> Json {
        let (status, told) = self.ask(question);
        assert_eq!(status, 200, "{question}: {told}");
        told
    }

    /// Asks a question that must be refused. Returns the line of the refusal.
    pub fn refused(&self, question: &str, expected: u16) -> String {
        let (status, told) = self.ask(question);
        assert_eq!(status, expected, "{question}: {told}");
        let line = told["error"].as_str().unwrap().to_owned();
        assert!(told.as_object().unwrap().len() == 1 && !line.is_empty() && !line.contains('\n'), "{told}");
        line
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }

    /// Waits until the server has ended. Returns its exit status.
    pub fn end(mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < LIMIT, "the server does not end");
            sleep(Duration::from_millis(5));
        }
    }
}

/// Checks that the description of the JSON API lists the status of an answer to `request`, if it has the question.
fn check_described(request: &[u8], status: u16) {
    static DESCRIPTION: LazyLock<Json> = LazyLock::new(|| {
        let path = repository_path("crates/command/src/serve/openapi.json");
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    });
    let head = String::from_utf8_lossy(request.split(|&byte| byte == b'\r').next().unwrap_or_default()).into_owned();
    let mut words = head.split([' ', '?']);
    let [method, path] = [(); 2].map(|()| words.next().unwrap_or_default());
    let described = &DESCRIPTION["paths"][path][method.to_ascii_lowercase()]["responses"];
    assert!(described.is_null() || !described[status.to_string()].is_null(), "{head}: {status} is not described");
}

/// Reads a connection to its end. Returns the status, the head and the body.
pub fn answer(stream: &mut TcpStream) -> (u16, String, Vec<u8>) {
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no head: {:?}", String::from_utf8_lossy(&answer)));
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_ascii_lowercase(), answer[end + 4..].to_vec())
}

/// Returns the number of connections that have received something or have ended.
pub fn answered(streams: &[TcpStream]) -> usize {
    let has_come = |stream: &&TcpStream| {
        stream.set_nonblocking(true).unwrap();
        let peeked = stream.peek(&mut [0]);
        !peeked.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    };
    streams.iter().filter(has_come).count()
}

/// Escapes a text for a URL.
pub fn escaped(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { (byte as char).into() } else { format!("%{byte:02X}") })
        .collect()
}

/// Returns a question that needs a search of many minutes, for which the server starts a child process.
pub fn long_question() -> String {
    let position = "startpos moves 1 8 1 8 1 8 8 1 1 8 1 8 2 7 2 7";
    format!("query?rules=con8x6-k5&position={}", escaped(position))
}

/// Returns the state and the parent of a process, or `None` if it does not exist.
fn state(process: u32) -> Option<(String, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The state and the parent come after the name, which is in parentheses.
    let mut fields = stat.rsplit(") ").next()?.split(' ');
    Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
}

/// Returns true if a process exists and has not ended.
pub fn is_at_work(process: u32) -> bool {
    state(process).is_some_and(|(state, _)| state != "Z")
}

/// Returns the running child processes of a process.
pub fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let processes = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    processes.filter(|&process| state(process).is_some_and(|(state, of)| state != "Z" && of == parent)).collect()
}
