//! Asking a server for bytes, and waiting for them.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::LazyLock;
use std::time::Duration;

use bytes::Bytes;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientConfigKey, Error, GetOptions, GetRange, ObjectStore, ObjectStoreExt, PutMode, RetryConfig,
    coalesce_ranges,
};
use tokio::runtime::{Builder, Runtime};
use url::Url;

/// How long a server is waited for, and how often it is asked.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Until it takes a connection.
    pub connect: Duration,
    /// From one piece of an answer to the next.
    pub read: Duration,
    /// How often a request that has failed is made again.
    pub retries: usize,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { connect: Duration::from_secs(5), read: Duration::from_secs(10), retries: 3 }
    }
}

/// Longest that one request may take with all it was made again.
const LONGEST: Duration = Duration::from_secs(300);

/// Two ranges with a gap of so many bytes between them are fetched as one.
const GAP: u64 = 32 << 10;

/// What waits for answers, for all servers: one thread.
static RUNTIME: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
    // Another part of the program may have chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Builder::new_multi_thread().worker_threads(1).thread_name("addresses").enable_all().build()
});

/// A piece of a file, with what the server says of the whole.
pub struct Piece {
    pub length: u64,
    /// The server's mark of the file's contents.
    pub mark: Option<String>,
}

/// What asks for the files at an address.
pub struct Client {
    store: Box<dyn ObjectStore>,
    /// What the names of files there begin with.
    prefix: Path,
}

impl Client {
    /// The error says what is wrong with the address.
    pub fn new(address: &str, patience: &Patience) -> Result<Client, String> {
        let url = Url::parse(address).map_err(|error| error.to_string())?;
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
            return Err("an address has no user, password, query or fragment".into());
        }
        RUNTIME.as_ref().map_err(|error| format!("cannot start threads: {error}"))?;
        let below = || Path::from_url_path(url.path()).map_err(|error| error.to_string());
        let (store, prefix): (Result<Box<dyn ObjectStore>, Error>, Path) = match url.scheme() {
            // Whatever the host: a bucket is read by its own scheme, which finds keys to it.
            "https" | "http" => {
                let builder = HttpBuilder::new().with_url(address).with_retry(retry(patience));
                let set = |builder: HttpBuilder, (key, value)| builder.with_config(key, value);
                (boxed(settings(patience).into_iter().fold(builder, set).build()), Path::default())
            }
            "s3" => {
                let builder = AmazonS3Builder::from_env().with_url(address).with_retry(retry(patience));
                let set =
                    |builder: AmazonS3Builder, (key, value)| builder.with_config(AmazonS3ConfigKey::Client(key), value);
                (boxed(secrets(patience).into_iter().fold(builder, set).build()), below()?)
            }
            "gs" => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(address).with_retry(retry(patience));
                let set = |builder: GoogleCloudStorageBuilder, (key, value)| {
                    builder.with_config(GoogleConfigKey::Client(key), value)
                };
                (boxed(secrets(patience).into_iter().fold(builder, set).build()), below()?)
            }
            "az" => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(address).with_retry(retry(patience));
                let set = |builder: MicrosoftAzureBuilder, (key, value)| {
                    builder.with_config(AzureConfigKey::Client(key), value)
                };
                (boxed(secrets(patience).into_iter().fold(builder, set).build()), below()?)
            }
            _ => return Err("addresses begin with https://, http://, s3://, gs:// or az://".into()),
        };
        Ok(Client { store: store.map_err(|error| explain(&error).to_string())?, prefix })
    }

    fn place(&self, name: &str) -> Path {
        name.split('/').fold(self.prefix.clone(), |path, part| path.join(part))
    }

    /// The bytes of a whole file of at most so many.
    pub fn whole(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let place = self.place(name);
        wait(async {
            let answer = self.store.get_opts(&place, GetOptions::default()).await.map_err(|error| explain(&error))?;
            let length = answer.meta.size;
            if length > most {
                return Err(io::Error::other(format!("is {length} bytes long, at most {most} are read")));
            }
            let bytes = answer.bytes().await.map_err(|error| explain(&error))?;
            Ok(bytes.into())
        })
    }

    /// The length of a file.
    pub fn length(&self, name: &str) -> io::Result<u64> {
        let place = self.place(name);
        wait(async { Ok(self.store.head(&place).await.map_err(|error| explain(&error))?.size) })
    }

    /// Writes a whole file; if it is to be `new`, only where there is none of its name.
    pub fn put(&self, name: &str, bytes: Vec<u8>, new: bool) -> io::Result<()> {
        let place = self.place(name);
        let mode = if new { PutMode::Create } else { PutMode::Overwrite };
        wait(async {
            let put = self.store.put_opts(&place, bytes.into(), mode.into()).await;
            put.map(drop).map_err(|error| explain(&error))
        })
    }

    /// The files in a folder with their lengths, not those in folders below.
    pub fn list(&self, folder: &str) -> io::Result<Vec<(String, u64)>> {
        let place = self.place(folder);
        let found =
            wait(async { self.store.list_with_delimiter(Some(&place)).await.map_err(|error| explain(&error)) })?;
        let name = |path: &Path| path.filename().map(|name| format!("{folder}/{name}"));
        Ok(found.objects.iter().filter_map(|object| Some((name(&object.location)?, object.size))).collect())
    }

    /// Deletes a file if it is there.
    pub fn delete(&self, name: &str) -> io::Result<()> {
        let place = self.place(name);
        wait(async {
            match self.store.delete(&place).await {
                Err(Error::NotFound { .. }) => Ok(()),
                done => done.map_err(|error| explain(&error)),
            }
        })
    }

    /// The bytes of ranges of a file, those that lie together by one request and several requests at a time; `check`
    /// looks at what the server says of the file with each.
    pub fn ranges(
        &self,
        name: &str,
        ranges: &[Range<u64>],
        check: impl Fn(Piece) -> io::Result<()> + Sync,
    ) -> io::Result<Vec<Bytes>> {
        let (place, check) = (self.place(name), &check);
        let fetch = |range: Range<u64>| {
            let place = place.clone();
            async move {
                let asked = GetOptions { range: Some(GetRange::Bounded(range.clone())), ..GetOptions::default() };
                let answer = self.store.get_opts(&place, asked).await.map_err(|error| explain(&error))?;
                check(Piece { length: answer.meta.size, mark: answer.meta.e_tag.clone() })?;
                let bytes = answer.bytes().await.map_err(|error| explain(&error))?;
                match bytes.len() as u64 == range.end - range.start {
                    true => Ok(bytes),
                    false => Err(io::Error::new(ErrorKind::UnexpectedEof, "the answer ends too soon")),
                }
            }
        };
        wait(coalesce_ranges(ranges, fetch, GAP))
    }
}

fn boxed<S: ObjectStore>(built: Result<S, Error>) -> Result<Box<dyn ObjectStore>, Error> {
    built.map(|store| Box::new(store) as Box<dyn ObjectStore>)
}

fn retry(patience: &Patience) -> RetryConfig {
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(100),
        max_backoff: Duration::from_secs(2),
        ..BackoffConfig::default()
    };
    RetryConfig { backoff, max_retries: patience.retries, retry_timeout: LONGEST }
}

/// What every client is told.
fn secrets(patience: &Patience) -> Vec<(ClientConfigKey, String)> {
    let time = |time: Duration| format!("{} ms", time.as_millis());
    vec![
        (ClientConfigKey::ConnectTimeout, time(patience.connect)),
        (ClientConfigKey::ReadTimeout, time(patience.read)),
        (ClientConfigKey::Timeout, time(LONGEST)),
        (ClientConfigKey::UserAgent, concat!("yomikiri/", env!("CARGO_PKG_VERSION")).into()),
    ]
}

/// The same for servers that want no key: plain HTTP as well.
fn settings(patience: &Patience) -> Vec<(ClientConfigKey, String)> {
    let mut settings = secrets(patience);
    settings.push((ClientConfigKey::AllowHttp, "true".into()));
    settings
}

fn wait<T>(answer: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    match &*RUNTIME {
        Ok(runtime) => runtime.block_on(answer),
        Err(error) => Err(io::Error::other(error.to_string())),
    }
}

/// Longest part of what a server writes that is repeated.
const QUOTED: usize = 120;

/// One line about what went wrong.
fn explain(error: &Error) -> io::Error {
    let (kind, text): (_, String) = match error {
        Error::NotFound { .. } => (ErrorKind::NotFound, "not there (404)".into()),
        Error::AlreadyExists { .. } | Error::Precondition { .. } => (ErrorKind::AlreadyExists, "there already".into()),
        Error::Unauthenticated { .. } => {
            (ErrorKind::PermissionDenied, "the server wants to know who asks (401)".into())
        }
        Error::PermissionDenied { .. } => (ErrorKind::PermissionDenied, "the server refuses it (403)".into()),
        Error::NotSupported { .. } => (
            ErrorKind::Unsupported,
            "the server sends whole files where ranges are asked for, so tables cannot be read from it".into(),
        ),
        _ => {
            let mut last: &dyn std::error::Error = error;
            while let Some(source) = last.source() {
                last = source;
            }
            let text = last.to_string();
            let line: String = text.lines().next().unwrap_or_default().chars().take(QUOTED).collect();
            (ErrorKind::Other, line.trim_end_matches(": ").into())
        }
    };
    io::Error::new(kind, text)
}
