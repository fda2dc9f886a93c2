//! An HTTP server for the files of a folder, on the loopback interface. It counts requests and can misbehave.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

/// The behaviour of a server when files other than the manifest are requested. The manifest is always served well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    Good,
    /// Ignores ranges and sends whole files.
    WholeFiles,
    /// Changes every 128th byte of the file in answers to requests for ranges, except in headers.
    Damage,
    /// Sends half of the announced bytes and then closes the connection.
    HalfAnswers,
    /// Never answers.
    Silence,
    /// Answers with this error status.
    Fails(u16),
    /// Answers every other request with status 503.
    FailsNowAndThen,
}

/// The length of a table's header in bytes.
const HEADER: usize = 136;

/// The number and size of the answers of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestCounts {
    pub requests: usize,
    /// The total length of the bodies sent.
    pub bytes: u64,
}

/// A self-signed certificate for localhost, valid until 2126. It was made together with its key: `openssl req -x509
/// -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj "/CN=localhost of tests" -addext
/// subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE`.
pub const CERTIFICATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tables/tls/certificate.pem");
const KEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tables/tls/key.pem");

struct Shared {
    folder: PathBuf,
    manners: Mutex<Behaviour>,
    asked: Mutex<RequestCounts>,
}

pub struct Server {
    pub address: String,
    shared: Arc<Shared>,
    /// The runtime of the server. The server ends when this is dropped.
    _runtime: Runtime,
}

impl Server {
    /// Serves the files of a folder by HTTP.
    pub fn start(folder: &Path) -> Server {
        let (runtime, listener) = listen();
        let place = listener.local_addr().unwrap();
        Server::run(folder, format!("http://{place}"), runtime, listener)
    }

    /// Serves the files of a folder by HTTPS, with [`CERTIFICATE`].
    pub fn start_tls(folder: &Path) -> Server {
        let (runtime, tcp) = listen();
        let certificate = CertificateDer::from_pem_file(CERTIFICATE).unwrap();
        let key = PrivateKeyDer::from_pem_file(KEY).unwrap();
        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
        let port = tcp.local_addr().unwrap().port();
        let listener = TlsListener { tcp, acceptor: TlsAcceptor::from(Arc::new(config)) };
        Server::run(folder, format!("https://localhost:{port}"), runtime, listener)
    }

    fn run<L: Listener<Addr = SocketAddr>>(folder: &Path, address: String, runtime: Runtime, listener: L) -> Server {
        let shared =
            Arc::new(Shared { folder: folder.into(), manners: Mutex::new(Behaviour::Good), asked: Mutex::default() });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&shared));
        runtime.spawn(async move { axum::serve(listener, router).await });
        Server { address, shared, _runtime: runtime }
    }

    pub fn behave(&self, manners: Behaviour) {
        *self.shared.manners.lock().unwrap() = manners;
    }

    /// Returns the counts since the last call of this function.
    pub fn asked(&self) -> RequestCounts {
        std::mem::take(&mut self.shared.asked.lock().unwrap())
    }
}

fn listen() -> (Runtime, TcpListener) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    (runtime, listener)
}

struct TlsListener {
    tcp: TcpListener,
    acceptor: TlsAcceptor,
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let Ok((stream, address)) = self.tcp.accept().await else { continue };
            // A client that does not trust the certificate closes the connection, which is not an error here.
            if let Ok(stream) = self.acceptor.accept(stream).await {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.tcp.local_addr()
    }
}

/// Answers a request for a file, or for a range of one.
async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let number = {
        let mut asked = shared.asked.lock().unwrap();
        asked.requests += 1;
        asked.requests
    };
    let name = request.uri().path().trim_start_matches('/').to_string();
    let mut manners = *shared.manners.lock().unwrap();
    if name.ends_with("manifest.json") {
        manners = Behaviour::Good;
    }
    match manners {
        Behaviour::Silence => tokio::time::sleep(Duration::from_secs(3600)).await,
        Behaviour::Fails(status) => return empty(StatusCode::from_u16(status).unwrap()),
        Behaviour::FailsNowAndThen if number % 2 == 0 => return empty(StatusCode::SERVICE_UNAVAILABLE),
        _ => {}
    }
    let path = shared.folder.join(&name);
    let Ok(mut bytes) = std::fs::read(&path) else { return empty(StatusCode::NOT_FOUND) };
    let changed = path.metadata().unwrap().modified().unwrap();
    let (length, mark) = (bytes.len(), format!("\"{changed:?}\"").replace(' ', ""));
    let asked = request.headers().get(header::RANGE).filter(|_| manners != Behaviour::WholeFiles);
    let mut response = Response::builder().header(header::ETAG, mark);
    if let Some((start, end)) = asked.and_then(range) {
        let end = (end + 1).min(length);
        if start >= end {
            return empty(StatusCode::RANGE_NOT_SATISFIABLE);
        }
        bytes = bytes[start..end].to_vec();
        let told = format!("bytes {start}-{}/{length}", end - 1);
        response = response.status(StatusCode::PARTIAL_CONTENT).header(header::CONTENT_RANGE, told);
        if manners == Behaviour::Damage {
            (start..end).filter(|&at| at > HEADER && at % 128 == 0).for_each(|at| bytes[at - start] ^= 1);
        }
    }
    response = response.header(header::CONTENT_LENGTH, bytes.len());
    if manners == Behaviour::HalfAnswers {
        bytes.truncate(bytes.len() / 2);
        // An error in the body closes the connection.
        let parts = [Ok(bytes), Err(io::Error::other("enough"))];
        return response.body(Body::from_stream(futures_util::stream::iter(parts))).unwrap();
    }
    shared.asked.lock().unwrap().bytes += bytes.len() as u64;
    response.body(Body::from(bytes)).unwrap()
}

fn empty(status: StatusCode) -> Response<Body> {
    Response::builder().status(status).body(Body::empty()).unwrap()
}

/// Returns the offsets of the first and the last byte of a range such as `bytes=1-2`.
fn range(value: &HeaderValue) -> Option<(usize, usize)> {
    let (start, end) = value.to_str().ok()?.strip_prefix("bytes=")?.split_once('-')?;
    Some((start.parse().ok()?, end.parse().ok()?))
}
