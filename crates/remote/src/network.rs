//! The HTTP client for the network, configured by the options of an object store.

use std::time::Duration;

use object_store::{ClientConfigKey, ClientOptions, Error};
use reqwest::header::{ACCEPT_ENCODING, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::tls::Certificate;
use reqwest::{Client, ClientBuilder, NoProxy, Proxy};

/// Makes a client that follows no redirects, decompresses nothing and has no time limit except on connecting. The
/// caller handles redirects and other time limits. Requests ask for the encoding `identity`, because some hosts
/// compress responses if the header Accept-Encoding is missing.
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
    let mut headers = options.get_default_headers().cloned().unwrap_or_default();
    headers.entry(ACCEPT_ENCODING).or_insert(HeaderValue::from_static("identity"));
    builder = builder.default_headers(headers);
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

/// Returns the time limit on connecting that the store has set in `options`, as text such as `1s` or `300ms`; `None` if
/// there is no text of this form. Stores set a short limit for requests to the service that gives a cloud machine its
/// credentials.
fn connect_timeout(options: &ClientOptions) -> Option<Duration> {
    let text = options.get_config_value(&ClientConfigKey::ConnectTimeout)?;
    let number = |unit| text.strip_suffix(unit).and_then(|number: &str| number.parse().ok());
    number("ms").map(Duration::from_millis).or_else(|| number("s").map(Duration::from_secs))
}

fn bad_setting(error: reqwest::Error) -> Error {
    Error::Generic { store: "HTTP", source: Box::new(error) }
}
