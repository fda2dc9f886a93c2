//! Answers of a web server. The first byte of an input selects the file to read. Each following six bytes define one
//! answer ([`AnswerSpec`]). Six zeros are an honest answer, and all answers after the end of the input are honest.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use yomikiri_remote::{Chunks, Patience, Responder, Response, SeenRequest, location_in_memory};
use yomikiri_rules::Game;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_solve::{Solvable, SolveOptions, pipeline};
use yomikiri_table::entries::Entries;
use yomikiri_table::manifest::{ListedFile, hash_text};
use yomikiri_table::{Header, Location, Manifest, Silent, probe};

const ADDRESS: &str = "http://tables.example/of/games";
const CODE: &str = "bin2x2";

/// A file that has the header of a table and then noise. It is so long that it is fetched in several pieces.
const NOISE: &str = "noise.tbl";
const NOISE_LENGTH: usize = 150_000;

/// The maximum number of bytes that the server may send while a file is read. Each request and each of its three
/// repetitions take at most the range asked for and one chunk. The list of files may be 16 MiB long.
const MOST_BYTES: u64 = 160 << 20;

/// The maximum number of requests while a file is read, including repetitions and redirects.
const MOST_REQUESTS: usize = 2_000;

/// The files of an honest server.
struct HonestFiles {
    game: Binarsi,
    manifest: Vec<u8>,
    table: Vec<u8>,
    noise: Vec<u8>,
    entries: Entries,
}

static SOUND: LazyLock<HonestFiles> = LazyLock::new(|| {
    let game = Binarsi::parse(CODE).expect("a code");
    let folder = tempfile::tempdir().expect("temporary files can be made");
    let options = SolveOptions { memory: 1 << 24, force: false, checkpoint: Duration::MAX, progress: &Silent };
    let made = pipeline::analyze(&game, None, folder.path(), &options).expect("a sound run").table;
    let entries = entries(&game, &made).expect("it can be read");
    let table = std::fs::read(made.path()).expect("the table is there");
    let header = Header::from_bytes(&table).expect("a sound table");
    let random = (0u32..).map(|number| (number.wrapping_mul(0x9e37_79b9) >> 24) as u8);
    let noise: Vec<u8> = table[..header.to_bytes().len()].iter().copied().chain(random).take(NOISE_LENGTH).collect();
    let listed = |file: &str, bytes: &[u8]| ListedFile {
        file: file.into(),
        rules: CODE.into(),
        bytes: bytes.len() as u64,
        format: 2,
        positions: 1,
        header_hash: hash_text(header.header_hash.get()),
        checked: true,
        sha256: String::new(),
        pieces: Vec::new(),
    };
    let files = vec![listed(&format!("{CODE}.tbl"), &table), listed(NOISE, &noise)];
    let manifest = serde_json::to_vec(&Manifest::new(files)).expect("JSON");
    HonestFiles { game, manifest, table, noise, entries }
});

fn entries(game: &Binarsi, table: &yomikiri_table::Table) -> Option<Entries> {
    game.entry_reader(table).ok()?(0..u64::MAX).ok()
}

/// Returns inputs for each file. In each of them the first answer is honest, and one part of the second answer varies.
pub fn sound() -> Vec<Vec<u8>> {
    let honest = [0; AnswerSpec::BYTES];
    let others = (0..AnswerSpec::BYTES).flat_map(|place| (1..12).map(move |value| (place, value)));
    let others = others.map(|(place, value)| {
        let mut told = [0, 2, 0, 0, 0, 0];
        told[place] = value;
        told
    });
    [0, 1]
        .into_iter()
        .flat_map(|file| others.clone().map(move |other| [&[file][..], &honest, &other].concat()))
        .collect()
}

/// Reads a file from the server. The bytes read must be those of the file, and the numbers of requests and bytes must
/// be bounded.
pub fn run(bytes: &[u8]) {
    let Some((file, told)) = bytes.split_first() else { return };
    let server = Arc::new(Server::of(told));
    let patience = Patience {
        connect: Duration::from_secs(60),
        read: Duration::from_secs(60),
        grace: Duration::from_secs(60),
        retries: 3,
        pause: Duration::from_micros(1),
    };
    let read = location_in_memory(ADDRESS, &patience, Arc::clone(&server) as Arc<dyn Responder>)
        .map_err(|error| error.to_string())
        .and_then(|location| if file % 2 == 0 { read_table(&location) } else { read_noise(&location, &server) });
    if let Err(error) = read {
        assert!(!error.contains(char::is_control) && error.len() < 1000, "{error}");
    }
    let (sent, requests) = (server.sent.load(Ordering::Relaxed), server.requests.load(Ordering::Relaxed));
    assert!(sent <= MOST_BYTES && requests <= MOST_REQUESTS, "{sent} bytes in {requests} answers");
}

/// Reads the table. It has checksums, so all values that can be read must be right, whatever the server sends.
fn read_table(location: &Location) -> Result<(), String> {
    let sound = &*SOUND;
    let path = PathBuf::from(format!("{ADDRESS}/{CODE}.tbl"));
    let table = probe::open_at(&sound.game, location, &path).map_err(|error| error.to_string())?;
    if let Some(read) = entries(&sound.game, &table) {
        assert!(read.keys == sound.entries.keys && read.bytes == sound.entries.bytes, "other values are read");
    }
    Ok(())
}

/// Reads the noise, which has no checksums. The bytes read must be right unless the server has sent wrong ones in their
/// place.
fn read_noise(location: &Location, server: &Server) -> Result<(), String> {
    let noise = &SOUND.noise;
    let file = location.open(&location.path().join(NOISE)).map_err(|error| error.to_string())?;
    assert_eq!(file.length(), noise.len() as u64);
    for range in [100_000..100_010, 40_000..140_000, 0..noise.len() as u64] {
        let bytes = file.read_at(range.clone()).map_err(|error| error.to_string())?;
        let expected = &noise[range.start as usize..range.end as usize];
        assert!(bytes.len() == expected.len(), "{} bytes of {range:?}", bytes.len());
        assert!(server.has_lied() || *bytes == *expected, "other bytes of {range:?}");
    }
    Ok(())
}

/// A server whose answers are defined by an input.
#[derive(Debug)]
struct Server {
    answers: Vec<AnswerSpec>,
    requests: AtomicUsize,
    /// The number of bytes of bodies that the client has taken.
    sent: Arc<AtomicU64>,
}

/// An answer as the input defines it, with one byte for each part.
#[derive(Clone, Copy, Debug, Default)]
struct AnswerSpec {
    body: u8,
    /// The size of the errors that other parts make.
    amount: u8,
    status: u8,
    /// The value of Content-Length.
    length: u8,
    /// The value of Content-Range.
    place: u8,
    /// Other headers and the size of chunks.
    rest: u8,
}

impl AnswerSpec {
    const BYTES: usize = 6;

    fn of(bytes: &[u8]) -> AnswerSpec {
        let [body, amount, status, length, place, rest] = std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(0));
        AnswerSpec { body, amount, status, length, place, rest }
    }

    /// Returns true if the body may have wrong bytes in place of right ones.
    fn lies(self) -> bool {
        matches!(self.body % 8, 1..=3)
    }

    fn off(self) -> usize {
        usize::from(self.amount) * 7 + 1
    }

    /// Returns the chunks of the body. The right body is the range from `start` to `end` of `file`.
    fn chunks(self, file: &[u8], (start, end): (usize, usize)) -> Box<dyn Iterator<Item = Result<Vec<u8>, ()>> + Send> {
        let mut bytes = file[start..end].to_vec();
        let half = bytes.len() / 2;
        match self.body % 8 {
            1 => bytes = file.iter().cycle().skip(start + self.off()).take(end - start).copied().collect(),
            2 => bytes.iter_mut().skip(self.off()).step_by(97).for_each(|byte| *byte ^= 1),
            3 => bytes.fill(0),
            4 => bytes.extend(file.iter().cycle().take(self.off())),
            5 => bytes.truncate(bytes.len().saturating_sub(self.off())),
            6 => bytes.truncate(half),
            _ => {}
        }
        let size = [bytes.len().max(1), 7, 1000, 65_536][usize::from(self.rest >> 6)];
        // With small chunks, a large body would take long.
        let size = size.max(bytes.len() / 500);
        let chunks: Vec<_> = bytes.chunks(size).map(|chunk| Ok(chunk.to_vec())).collect();
        match self.body % 8 {
            6 => Box::new(chunks.into_iter().chain([Err(())])),
            7 => Box::new(chunks.into_iter().chain(std::iter::repeat_with(|| Ok(vec![7; 65_536])))),
            _ => Box::new(chunks.into_iter()),
        }
    }

    fn status(self, honest: u16) -> u16 {
        const OTHERS: [u16; 15] = [200, 206, 204, 301, 302, 304, 307, 400, 403, 404, 405, 409, 416, 500, 999];
        self.status.checked_sub(1).map_or(honest, |number| OTHERS[usize::from(number) % OTHERS.len()])
    }

    /// Returns the values of Content-Length. `honest` is the right value.
    fn lengths(self, honest: usize) -> Vec<String> {
        match self.length % 8 {
            0 => vec![honest.to_string()],
            1 => Vec::new(),
            2 => vec![(honest + self.off()).to_string()],
            3 => vec![honest.saturating_sub(self.off()).to_string()],
            4 => vec!["+1".into()],
            5 => vec![honest.to_string(), (honest + 1).to_string()],
            6 => vec![u64::MAX.to_string()],
            _ => vec!["0".into()],
        }
    }

    /// Returns the value of Content-Range, or `None` for no such header. The right value is for the range from `start`
    /// to `end` of `size` bytes.
    fn place(self, (start, end): (usize, usize), size: usize) -> Option<String> {
        let (last, off) = (end.saturating_sub(1), self.off());
        match self.place % 8 {
            0 => Some(format!("bytes {start}-{last}/{size}")),
            1 => None,
            2 => Some(format!("bytes {}-{}/{size}", start + off, last + off)),
            3 => Some(format!("bytes {start}-{last}")),
            4 => Some(format!("bytes {start}-{}/{}", u64::MAX, u64::MAX)),
            5 => Some(format!("bytes {start}-{last}/{}", size + off)),
            6 => Some(format!("bytes {start}-{last}/*")),
            _ => Some(format!("bytes {start}-{}/{size}", last.saturating_sub(off))),
        }
    }

    fn other_headers(self, number: usize, address: &str) -> Vec<(String, Vec<u8>)> {
        let header = |name: &str, value: &str| (name.to_string(), value.as_bytes().to_vec());
        let mut headers = Vec::new();
        match self.rest & 3 {
            1 => headers.push(header("content-encoding", "gzip")),
            2 => headers.push(header("content-encoding", "identity")),
            3 => headers.push(header("last-modified", "yesterday")),
            _ => {}
        }
        match self.rest >> 2 & 3 {
            1 => headers.push(header("etag", "\"one\"")),
            2 => headers.push(header("etag", &format!("\"{number}\""))),
            _ => {}
        }
        match self.rest >> 4 & 3 {
            1 => headers.push(header("location", address)),
            2 => headers.push(header("location", "http://elsewhere.example/manifest.json")),
            3 => headers.push(header("location", "file:///etc/passwd")),
            _ => {}
        }
        headers
    }
}

impl Server {
    fn of(told: &[u8]) -> Server {
        let answers = told.chunks(AnswerSpec::BYTES).take(64).map(AnswerSpec::of).collect();
        Server { answers, requests: AtomicUsize::new(0), sent: Arc::default() }
    }

    /// Returns true if the client may have got wrong bytes in place of right ones.
    fn has_lied(&self) -> bool {
        let asked = self.requests.load(Ordering::Relaxed).min(self.answers.len());
        self.answers[..asked].iter().any(|told| told.lies())
    }
}

impl Responder for Server {
    fn respond(&self, request: &SeenRequest) -> Response {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        assert!(request.address.starts_with(ADDRESS), "asks {}", request.address);
        let told = self.answers.get(number).copied().unwrap_or_default();
        let file = match request.address.rsplit('/').next() {
            Some("manifest.json") => &SOUND.manifest,
            Some(NOISE) => &SOUND.noise,
            _ => &SOUND.table,
        };
        let clipped = |at: u64| usize::try_from(at).map_or(file.len(), |at| at.min(file.len()));
        let range = request.range.as_ref().map(|range| (clipped(range.start), clipped(range.end)));
        let (start, end) = range.unwrap_or((0, file.len()));
        let mut headers = told.other_headers(number, &request.address);
        headers
            .extend(told.lengths(end - start).into_iter().map(|value| ("content-length".into(), value.into_bytes())));
        if let Some(place) = range.and_then(|range| told.place(range, file.len())) {
            headers.push(("content-range".into(), place.into_bytes()));
        }
        let sent = Arc::clone(&self.sent);
        let count = move |chunk: &Result<Vec<u8>, ()>| {
            sent.fetch_add(chunk.as_ref().map_or(0, |chunk| chunk.len() as u64), Ordering::Relaxed);
        };
        let chunks: Chunks = Box::new(told.chunks(file, (start, end)).inspect(count));
        Response { status: told.status(if range.is_some() { 206 } else { 200 }), headers, chunks }
    }
}
