//! The HTTP client of the network, by the settings of an object store.

use std::time::Duration;

use object_store::{ClientConfigKey, ClientOptions, Error};
use reqwest::redirect::Policy;
use reqwest::tls::Certificate;
use reqwest::{Client, ClientBuilder, NoProxy, Proxy};

/// Makes the client. It follows no redirect, unpacks nothing and has no limit of time but that of connecting: whoever
/// asks it sees to these.
pub fn client(options: &ClientOptions, connect: Duration) -> object_store::Result<Client> {
    let is_set = |key| options.get_config_value(&key).is_some_and(|value| value == "true");
    let mut builder = ClientBuilder::new()
        .redirect(Policy::none())
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .connect_timeout(connect_timeout(options).map_or(connect, |own| own.min(connect)))
        .https_only(!is_set(ClientConfigKey::AllowHttp));
    if let Some(agent) = options.get_config_value(&ClientConfigKey::UserAgent) {
        builder = builder.user_agent(agent);
    }
    if let Some(headers) = options.get_default_headers() {
        builder = builder.default_headers(headers.clone());
    }
    if is_set(ClientConfigKey::Http1Only) {
        builder = builder.http1_only();
    }
    if is_set(ClientConfigKey::Http2Only) {
        builder = builder.http2_prior_knowledge();
    }
    if is_set(ClientConfigKey::NoSystemCertificates) {
        builder = builder.tls_certs_only([]);
    }
    if is_set(ClientConfigKey::AllowInvalidCertificates) {
        builder = builder.danger_accept_invalid_certs(true);
    }
    with_proxy(builder, options)?.build().map_err(bad_setting)
}

fn with_proxy(mut builder: ClientBuilder, options: &ClientOptions) -> object_store::Result<ClientBuilder> {
    let Some(address) = options.get_config_value(&ClientConfigKey::ProxyUrl) else { return Ok(builder) };
    let mut proxy = Proxy::all(address).map_err(bad_setting)?;
    if let Some(excluded) = options.get_config_value(&ClientConfigKey::ProxyExcludes) {
        proxy = proxy.no_proxy(NoProxy::from_string(&excluded));
    }
    if let Some(text) = options.get_config_value(&ClientConfigKey::ProxyCaCertificate) {
        builder = builder.tls_certs_merge([Certificate::from_pem(text.as_bytes()).map_err(bad_setting)?]);
    }
    Ok(builder.proxy(proxy))
}

/// The store's own limit, which is shorter where it looks for keys on the machine. It is written as `1s` or `300ms`.
fn connect_timeout(options: &ClientOptions) -> Option<Duration> {
    let text = options.get_config_value(&ClientConfigKey::ConnectTimeout)?;
    let number = |unit| text.strip_suffix(unit).and_then(|number: &str| number.parse().ok());
    number("ms").map(Duration::from_millis).or_else(|| number("s").map(Duration::from_secs))
}

fn bad_setting(error: reqwest::Error) -> Error {
    Error::Generic { store: "HTTP", source: Box::new(error) }
}
