//! Makes the object store for an address, according to the scheme of the address.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientConfigKey, Error, ObjectStore, RetryConfig};
use url::Url;

use super::explain::explain;
use super::patience::Patience;
use super::redirect::Redirects;
use super::responder::Responder;
use super::runtime;
use super::service::Connector;

/// Maximum time from the first attempt of a request to the start of its last retry.
const LAST_RETRY: Duration = Duration::from_secs(300);

/// The settings from which a store is made.
pub struct StorePlace {
    pub address: String,
    pub patience: Patience,
    /// A server in memory that gets all requests; `None` for the network.
    pub responder: Option<Arc<dyn Responder>>,
}

impl StorePlace {
    /// Makes the store. Also returns the path that precedes all file names in the store. The error says what is wrong
    /// with the address.
    pub fn make(&self) -> Result<(Box<dyn ObjectStore>, Path), String> {
        let url = Url::parse(&self.address).map_err(|error| error.to_string())?;
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
            return Err("an address must not contain a user, password, query or fragment".into());
        }
        runtime::start()?;
        let redirects = Redirects::from_environment()?;
        let connector = Connector { patience: self.patience.clone(), redirects, responder: self.responder.clone() };
        let below = || Path::from_url_path(url.path()).map_err(|error| error.to_string());
        macro_rules! cloud {
            ($Builder:ident, $Key:ident) => {{
                let builder = $Builder::from_env().with_url(&self.address).with_http_connector(connector);
                let builder = builder.with_retry(retry(&self.patience));
                let set = |builder: $Builder, (key, value)| builder.with_config($Key::Client(key), value);
                (boxed(common_options(&self.patience).into_iter().fold(builder, set).build()), below()?)
            }};
        }
        let (store, prefix): (Result<Box<dyn ObjectStore>, Error>, Path) = match url.scheme() {
            // These schemes work for any host. Buckets that need access keys have schemes of their own.
            "https" | "http" => {
                let builder = HttpBuilder::new().with_url(&self.address).with_http_connector(connector);
                let builder = builder.with_retry(retry(&self.patience));
                let set = |builder: HttpBuilder, (key, value)| builder.with_config(key, value);
                (boxed(http_options(&self.patience).into_iter().fold(builder, set).build()), Path::default())
            }
            "s3" => cloud!(AmazonS3Builder, AmazonS3ConfigKey),
            "gs" => cloud!(GoogleCloudStorageBuilder, GoogleConfigKey),
            "az" => cloud!(MicrosoftAzureBuilder, AzureConfigKey),
            _ => return Err("addresses begin with https://, http://, s3://, gs:// or az://".into()),
        };
        Ok((store.map_err(|error| explain(&error).to_string())?, prefix))
    }
}

fn boxed<S: ObjectStore>(built: Result<S, Error>) -> Result<Box<dyn ObjectStore>, Error> {
    built.map(|store| Box::new(store) as Box<dyn ObjectStore>)
}

fn retry(patience: &Patience) -> RetryConfig {
    let backoff =
        BackoffConfig { init_backoff: patience.pause, max_backoff: 20 * patience.pause, ..BackoffConfig::default() };
    RetryConfig { backoff, max_retries: patience.retries, retry_timeout: LAST_RETRY }
}

/// Options of every client. [`Connector`] enforces all time limits except the one on connecting.
fn common_options(patience: &Patience) -> Vec<(ClientConfigKey, String)> {
    vec![
        (ClientConfigKey::ConnectTimeout, format!("{} ms", patience.connect.as_millis())),
        (ClientConfigKey::UserAgent, concat!("yomikiri/", env!("CARGO_PKG_VERSION")).into()),
    ]
}

/// Options of clients for addresses that begin with https:// or http://: the options of every client, and plain HTTP is
/// allowed.
fn http_options(patience: &Patience) -> Vec<(ClientConfigKey, String)> {
    let mut options = common_options(patience);
    options.push((ClientConfigKey::AllowHttp, "true".into()));
    options
}
