//! Tests with servers that break the rules of HTTP or send more than was asked for. The command must end soon, with one
//! error line and little memory.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use yomikiri_remote::Patience;

use crate::support::command::{command, good, peak, refused, tables};

/// The memory that a command with a hostile server may take, in bytes. With an honest server it takes a tenth of that.
const MOST_MEMORY: u64 = 400 << 20;

/// The end of a response head without a body. Every connection serves one request.
const EMPTY: &str = "Connection: close\r\nContent-Length: 0\r\n\r\n";

/// A request that the server has read.
struct Request {
    name: String,
    range: Option<Range<usize>>,
    /// All bytes of the requested file.
    file: Vec<u8>,
    /// The number of earlier requests for the same range of the same file.
    before: usize,
    /// True if the client asks for the bytes without compression.
    wants_identity: bool,
}

impl Request {
    /// Returns the body of an honest answer.
    fn bytes(&self) -> &[u8] {
        &self.file[self.range.clone().unwrap_or(0..self.file.len())]
    }

    /// Returns the status line and the headers of an honest answer, except the length and the blank line at the end.
    fn head(&self) -> String {
        match &self.range {
            None => "HTTP/1.1 200 OK\r\nConnection: close\r\n".into(),
            Some(Range { start, end }) => format!(
                "HTTP/1.1 206 Partial Content\r\nConnection: close\r\nContent-Range: bytes {start}-{}/{}\r\n",
                end - 1,
                self.file.len()
            ),
        }
    }

    fn answer_honestly(&self, stream: &mut TcpStream) -> io::Result<()> {
        write!(stream, "{}Content-Length: {}\r\n\r\n", self.head(), self.bytes().len())?;
        stream.write_all(self.bytes())
    }
}

type Behaviour = fn(&Request, &mut TcpStream) -> io::Result<()>;

/// The file name and range of each request.
type Asked = Arc<Mutex<Vec<(String, Option<Range<usize>>)>>>;

/// A server that answers every request by a call of a `Behaviour`. Every connection serves one request.
struct Hostile {
    address: String,
    asked: Asked,
}

impl Hostile {
    fn start(folder: &Path, behaviour: Behaviour) -> Hostile {
        Hostile::start_with(folder, [behaviour; 2])
    }

    /// Starts a server with a behaviour for requests for the manifest, and another one for other requests.
    fn start_with(folder: &Path, behaviours: [Behaviour; 2]) -> Hostile {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (asked, folder) = (Asked::default(), folder.to_path_buf());
        let seen = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, seen) = (folder.clone(), Arc::clone(&seen));
                // The client may hang up at any time, so errors are ignored.
                std::thread::spawn(move || drop(serve(stream, &folder, &seen, behaviours)));
            }
        });
        Hostile { address, asked }
    }

    /// Returns the number of requests since the last call of this function.
    fn asked(&self) -> usize {
        std::mem::take(&mut *self.asked.lock().unwrap()).len()
    }
}

fn serve(mut stream: TcpStream, folder: &Path, asked: &Asked, [manifest, other]: [Behaviour; 2]) -> io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let name = first.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_string();
    let (mut range, mut wants_identity) = (None, false);
    for line in lines {
        let line = line?.to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        wants_identity |= line == "accept-encoding: identity";
        if let Some((start, end)) = line.strip_prefix("range: bytes=").and_then(|range| range.split_once('-')) {
            range = Some(start.parse().unwrap()..end.parse::<usize>().unwrap() + 1);
        }
    }
    let file = std::fs::read(folder.join(&name)).unwrap_or_default();
    let range = range.map(|Range { start, end }| start..end.min(file.len()));
    let request = (name.clone(), range.clone());
    let before = {
        let mut asked = asked.lock().unwrap();
        asked.push(request.clone());
        asked.iter().filter(|other| **other == request).count() - 1
    };
    let behaviour = if name.ends_with("manifest.json") { manifest } else { other };
    behaviour(&Request { name, range, file, before, wants_identity }, &mut stream)?;
    stream.flush()
}

/// Sends chunks until the client hangs up.
fn endless_chunks(stream: &mut TcpStream) -> io::Result<()> {
    let chunk = [&b"10000\r\n"[..], &[b'x'; 0x10000], b"\r\n"].concat();
    loop {
        stream.write_all(&chunk)?;
    }
}

fn published() -> TempDir {
    let folder = tables(&["bin3x3"]);
    good(folder.path(), &["tables", "manifest"]);
    folder
}

/// Returns the output of `yomikiri query bin3x3` with tables at an address. Panics if the command takes more memory
/// than [`MOST_MEMORY`].
fn query(address: &str) -> Output {
    let mut child = command(Path::new(address), &["query", "bin3x3"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        let memory = peak(&child);
        if memory > MOST_MEMORY {
            child.kill().unwrap();
            panic!("{address}: {memory} bytes of memory");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.wait_with_output().unwrap()
}

/// Runs a query with a server of this behaviour. Returns the error line, and the number of requests.
fn error_of(folder: &Path, behaviour: Behaviour) -> (String, usize) {
    error_of_both(folder, [behaviour; 2])
}

/// As [`error_of`], with a behaviour for the manifest and another one for the table.
fn error_of_both(folder: &Path, behaviours: [Behaviour; 2]) -> (String, usize) {
    let server = Hostile::start_with(folder, behaviours);
    let line = refused(&query(&server.address), 1, &server.address);
    (line.replace(&server.address, "ADDRESS"), server.asked())
}

/// The server sends endless bodies, for the manifest, for a range and with an error. Some of them have a declared
/// length.
#[test]
fn endless_answers_take_little_memory() {
    let folder = published();
    let (told, asked) = error_of(folder.path(), |_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nTransfer-Encoding: chunked\r\n\r\n")?;
        endless_chunks(stream)
    });
    assert!(told.starts_with("error: ADDRESS/manifest.json: the server sends more than the "), "{told}");
    assert_eq!(asked, 1);

    let (told, _) = error_of(folder.path(), |_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
        endless_chunks(stream)
    });
    assert_eq!(told, "error: ADDRESS/manifest.json: the server sends more than the 16777216 bytes that it may send\n");

    let endless: Behaviour = |seen, stream| {
        let length = seen.bytes().len();
        write!(stream, "{}Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n\r\n", seen.head())?;
        endless_chunks(stream)
    };
    let (told, _) = error_of_both(folder.path(), [Request::answer_honestly, endless]);
    assert!(told.starts_with("error: ADDRESS/bin3x3.tbl: the server sends more than the "), "{told}");

    let (told, _) = error_of(folder.path(), |_, stream| {
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n")?;
        endless_chunks(stream)
    });
    assert!(told.contains("400 Bad Request"), "{told}");
}

/// The server sends an endless number of headers, an endless header, or an invalid status.
#[test]
fn endless_heads_are_given_up() {
    let folder = published();
    let heads: [Behaviour; 3] = [
        |_, stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            (0..).try_for_each(|number: u64| write!(stream, "X-{number}: {number}\r\n"))
        },
        |_, stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nX: ")?;
            loop {
                stream.write_all(&[b'x'; 4096])?;
            }
        },
        |_, stream| stream.write_all(b"HTTP/1.1 200000 OK\r\n\r\n"),
    ];
    for head in heads {
        let (told, _) = error_of(folder.path(), head);
        assert!(told.starts_with("error: ADDRESS/manifest.json: "), "{told}");
    }
}

/// The server sends answers whose length, range, encoding or status does not fit the request.
#[test]
fn answers_with_two_lengths_are_refused() {
    let folder = published();
    let of_table = |behaviour: Behaviour| {
        let (told, _) = error_of_both(folder.path(), [Request::answer_honestly, behaviour]);
        told.strip_prefix("error: ADDRESS/bin3x3.tbl: ").unwrap_or_else(|| panic!("{told}")).to_string()
    };
    let told = of_table(|seen, stream| {
        write!(stream, "{}Content-Length: {}\r\n\r\n", seen.head(), seen.bytes().len() + 1)?;
        stream.write_all(seen.bytes())?;
        stream.write_all(b"x")
    });
    assert!(told.starts_with("the server announces "), "{told}");

    let told = of_table(|seen, stream| {
        let (end, length) = (seen.range.clone().unwrap().end, seen.bytes().len());
        write!(stream, "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 7-{end}/{}\r\n", seen.file.len())?;
        write!(stream, "Content-Length: {length}\r\n\r\n")?;
        stream.write_all(seen.bytes())
    });
    assert!(told.starts_with("the server sends another range than requested"), "{told}");

    // The end of this range is the largest 64-bit number.
    let told = of_table(|_, stream| {
        let last = u64::MAX;
        write!(stream, "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-{last}/{last}\r\n")?;
        write!(stream, "Content-Length: 2\r\n\r\nxx")
    });
    assert!(told.starts_with("the server sends another range than requested"), "{told}");

    let told = of_table(|seen, stream| {
        write!(stream, "{}Content-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", seen.head(), seen.bytes().len())?;
        stream.write_all(seen.bytes())
    });
    assert!(told.starts_with("the server compresses the file (Content-Encoding: gzip)"), "{told}");

    let told = of_table(|_, stream| write!(stream, "HTTP/1.1 409 Conflict\r\n{EMPTY}"));
    assert_eq!(told, "the server reports a conflict (409)\n");
}

/// Chunked answers without a declared length are read like others.
#[test]
fn chunked_answers_are_read() {
    let folder = published();
    let server = Hostile::start(folder.path(), |seen, stream| {
        write!(stream, "{}Transfer-Encoding: chunked\r\n\r\n", seen.head())?;
        for chunk in seen.bytes().chunks(1000) {
            write!(stream, "{:x}\r\n", chunk.len())?;
            stream.write_all(chunk)?;
            stream.write_all(b"\r\n")?;
        }
        stream.write_all(b"0\r\n\r\n")
    });
    let output = query(&server.address);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), good(folder.path(), &["query", "bin3x3"]));
}

/// The client asks for bytes without compression, because some hosts compress files if the client allows it.
#[test]
fn bytes_are_asked_for_as_they_are() {
    let folder = published();
    let server = Hostile::start(folder.path(), |seen, stream| match seen.wants_identity {
        true => seen.answer_honestly(stream),
        false => compress(seen, stream),
    });
    let output = query(&server.address);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), good(folder.path(), &["query", "bin3x3"]));
}

/// If a host compresses although it was asked not to, the error says so, for the manifest and for ranges.
#[test]
fn hosts_that_compress_are_told() {
    let folder = published();
    let problem = "the server compresses the file (Content-Encoding: gzip); turn off compression for it on the server";
    let (honest, compress): (Behaviour, Behaviour) = (Request::answer_honestly, compress);
    for (file, behaviours) in [("manifest.json", [compress, honest]), ("bin3x3.tbl", [honest, compress])] {
        let (told, _) = error_of_both(folder.path(), behaviours);
        assert_eq!(told, format!("error: ADDRESS/{file}: {problem}\n"));
    }
}

fn compress(seen: &Request, stream: &mut TcpStream) -> io::Result<()> {
    write!(stream, "{}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", seen.head())
}

/// An answer that breaks off is requested again up to three times, also from servers that send no `ETag`.
#[test]
fn answers_that_break_off_are_asked_for_again() {
    let folder = published();
    let server = Hostile::start(folder.path(), |seen, stream| {
        write!(stream, "{}Content-Length: {}\r\n\r\n", seen.head(), seen.bytes().len())?;
        // The fourth answer is complete.
        let length = if seen.before == 3 { seen.bytes().len() } else { seen.bytes().len() / 2 };
        stream.write_all(&seen.bytes()[..length])
    });
    let output = query(&server.address);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), good(folder.path(), &["query", "bin3x3"]));

    let (told, asked) = error_of(folder.path(), |seen, stream| {
        write!(stream, "{}Content-Length: {}\r\n\r\n", seen.head(), seen.bytes().len())?;
        stream.write_all(&seen.bytes()[..1])
    });
    assert!(told.starts_with("error: ADDRESS/manifest.json: "), "{told}");
    assert_eq!(asked, 4);
}

/// The command gives up on a server that sends its answer too slowly.
#[test]
fn slow_answers_are_given_up() {
    let folder = published();
    let server = Hostile::start(folder.path(), |seen, stream| {
        write!(stream, "{}Content-Length: {}\r\n\r\n", seen.head(), seen.bytes().len())?;
        seen.bytes().iter().try_for_each(|&byte| {
            std::thread::sleep(Duration::from_millis(10));
            stream.write_all(&[byte])
        })
    });
    let patience = Patience { grace: Duration::from_millis(300), ..Patience::default() };
    let error = yomikiri_remote::location(&server.address, &patience).map(drop).unwrap_err().to_string();
    assert!(error.ends_with("manifest.json: the server sends less than 4096 bytes a second"), "{error}");
    assert_eq!(server.asked(), 1);
}

/// The address that the servers of the next test redirect to.
static ELSEWHERE: std::sync::OnceLock<String> = std::sync::OnceLock::new();

/// Redirects are followed only within scheme, host and port, unless the user allows more.
#[test]
fn redirects_stay_within_the_origin() {
    let folder = published();
    let below = folder.path().join("below");
    std::fs::create_dir(&below).unwrap();
    for name in ["manifest.json", "bin3x3.tbl"] {
        std::fs::copy(folder.path().join(name), below.join(name)).unwrap();
    }
    let honest = Hostile::start(folder.path(), Request::answer_honestly);
    ELSEWHERE.set(honest.address.clone()).unwrap();
    let here = good(folder.path(), &["query", "bin3x3"]);

    let within = Hostile::start(folder.path(), |seen, stream| match seen.name.strip_prefix("moved/") {
        Some(name) => write!(stream, "HTTP/1.1 302 Found\r\nLocation: /below/{name}\r\n{EMPTY}"),
        None => seen.answer_honestly(stream),
    });
    let output = query(&format!("{}/moved", within.address));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), here);

    let away: Behaviour = |seen, stream| {
        let to = ELSEWHERE.get().unwrap();
        write!(stream, "HTTP/1.1 307 Moved\r\nLocation: {to}/{}\r\n{EMPTY}", seen.name)
    };
    honest.asked();
    let (told, asked) = error_of(folder.path(), away);
    let to = &honest.address;
    let expected = format!(
        "error: ADDRESS/manifest.json: the server redirects to {to}/manifest.json, which has another host, port or \
         scheme; give the new address of the folder, or set YOMIKIRI_REDIRECTS=all\n"
    );
    assert_eq!((told, asked), (expected, 1));
    assert_eq!(honest.asked(), 0);

    let server = Hostile::start(folder.path(), away);
    let mut asked = command(Path::new(&server.address), &["query", "bin3x3"]);
    let output = asked.env("YOMIKIRI_REDIRECTS", "all").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), here);
    let output = asked.env("YOMIKIRI_REDIRECTS", "some").output().unwrap();
    let told = refused(&output, 1, "some");
    assert!(told.ends_with("the variable YOMIKIRI_REDIRECTS is neither \"same\" nor \"all\"\n"), "{told}");

    let (told, asked) =
        error_of(folder.path(), |_, stream| write!(stream, "HTTP/1.1 302 Found\r\nLocation: /again\r\n{EMPTY}"));
    assert!(told.ends_with("the server redirects more than 10 times\n"), "{told}");
    assert_eq!(asked, 11);
}
