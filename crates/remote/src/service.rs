//! Sends all requests of all stores. A response is received whole, within the limits of its request, before the store
//! sees it. If the connection breaks during the response, the request fails, and the store may retry it.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};
use reqwest::Method;
use reqwest::header::{CONTENT_LENGTH, HeaderMap, HeaderValue, LOCATION, RANGE};
use tokio::time::timeout;
use url::Url;

use super::answer::{BodyReceiver, RequestLimits, range_of};
use super::fault::ResponseFault;
use super::network;
use super::patience::Patience;
use super::redirect::{self, Redirects};
use super::responder::Responder;
use super::transport::{ResponseHead, Transport};

/// Default limit, in bytes, on responses without a range, such as credentials and replies to writes.
pub const SMALL: u64 = 1 << 20;

/// A response without a range uses up at least this number of bytes of its operation's limit. So an endless series of
/// empty responses reaches the limit, too.
const MIN_COUNTED_BYTES: u64 = 16 << 10;

tokio::task_local! {
    /// Number of bytes that the current operation may still receive in responses without a range.
    static ALLOWANCE: Cell<u64>;
}

/// Runs an operation that may receive at most `most` bytes in responses without a range, over all its requests. So the
/// pages of a listing count together.
pub async fn within<T>(most: u64, operation: impl Future<Output = T>) -> T {
    ALLOWANCE.scope(Cell::new(most), operation).await
}

/// Makes the HTTP client of each store, with these time limits and this policy on redirects.
#[derive(Clone, Debug)]
pub struct Connector {
    pub patience: Patience,
    pub redirects: Redirects,
    /// A server in memory that gets all requests; `None` for the network.
    pub responder: Option<Arc<dyn Responder>>,
}

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let transport = match &self.responder {
            None => Transport::Network(network::client(options, self.patience.connect)?),
            Some(responder) => Transport::Memory(Arc::clone(responder)),
        };
        let (patience, redirects) = (self.patience.clone(), self.redirects);
        Ok(HttpClient::new(Service { transport, patience, redirects }))
    }
}

#[derive(Debug)]
struct Service {
    transport: Transport,
    patience: Patience,
    redirects: Redirects,
}

type Outcome<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

impl HttpService for Service {
    fn call<'life0, 'async_trait>(&'life0 self, request: HttpRequest) -> Outcome<'async_trait>
    where
        'life0: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(self.ask(request))
    }
}

impl Service {
    async fn ask(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let begun = Instant::now();
        let most = ALLOWANCE.try_with(Cell::get).unwrap_or(SMALL);
        let asked =
            RequestLimits { is_head: request.method() == Method::HEAD, range: range_of(request.headers()), most };
        let mut answer = self.follow(request).await?;
        let receiving = BodyReceiver::begin(&asked, answer.status.as_u16(), &answer.headers).map_err(refused)?;
        let is_error = receiving.is_error();
        let bytes = self.receive(receiving, &mut answer, begun).await?;
        if asked.range.is_none() && !is_error {
            let count = (bytes.len() as u64).max(MIN_COUNTED_BYTES);
            let _ = ALLOWANCE.try_with(|left| left.set(left.get().saturating_sub(count)));
        }
        if !asked.is_head {
            answer.headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        }
        let mut response = HttpResponse::new(HttpResponseBody::from(bytes));
        *response.status_mut() = answer.status;
        *response.headers_mut() = answer.headers;
        Ok(response)
    }

    /// Sends a request, and returns the head (status and headers) of the last response. Follows redirects only if the
    /// method is safe, such as GET.
    async fn follow(&self, mut request: HttpRequest) -> Result<ResponseHead, HttpError> {
        let is_safe = request.method().is_safe();
        let patience = self.patience.read + self.patience.longest(request.body().content_length() as u64)
            - self.patience.longest(0);
        for _ in 0..=redirect::MAX_REDIRECTS {
            let url = Url::parse(&request.uri().to_string()).map_err(|error| refuse(HttpErrorKind::Unknown, error))?;
            let sent = self.transport.send(request.clone(), &url);
            let answer = timeout(patience, sent).await.map_err(|_| refused(ResponseFault::Silent(patience)))??;
            let location = answer.headers.get(LOCATION).and_then(|value| value.to_str().ok());
            let next = self.redirects.next(&url, answer.status.as_u16(), location).map_err(refused)?;
            let Some(next) = next.filter(|_| is_safe) else { return Ok(answer) };
            if next.origin() != url.origin() {
                keep_range_only(request.headers_mut());
            }
            *request.uri_mut() = next.as_str().parse().map_err(|error| refuse(HttpErrorKind::Unknown, error))?;
        }
        Err(refused(ResponseFault::RedirectLoop(redirect::MAX_REDIRECTS)))
    }

    /// Receives the body of a response. If the response is an error, returns the bytes that have arrived, even if the
    /// connection breaks.
    async fn receive(
        &self,
        mut receiving: BodyReceiver,
        answer: &mut ResponseHead,
        begun: Instant,
    ) -> Result<Vec<u8>, HttpError> {
        let done = self.receive_into(&mut receiving, answer, begun).await;
        if receiving.is_error() {
            return Ok(receiving.into_error_text());
        }
        done?;
        receiving.end().map_err(refused)
    }

    async fn receive_into(
        &self,
        receiving: &mut BodyReceiver,
        answer: &mut ResponseHead,
        begun: Instant,
    ) -> Result<(), HttpError> {
        let silent = |_| refused(ResponseFault::Silent(self.patience.read));
        while let Some(chunk) = timeout(self.patience.read, answer.chunk()).await.map_err(silent)?? {
            if receiving.take(&chunk, begun.elapsed(), &self.patience).map_err(refused)? {
                break;
            }
        }
        Ok(())
    }
}

/// Keeps only the Range header, because another host must not see credentials.
fn keep_range_only(headers: &mut HeaderMap) {
    let range = headers.remove(RANGE);
    headers.clear();
    if let Some(range) = range {
        headers.insert(RANGE, range);
    }
}

fn refused(fault: ResponseFault) -> HttpError {
    let kind = match &fault {
        ResponseFault::Silent(_) => HttpErrorKind::Timeout,
        fault if fault.is_transient() => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Unknown,
    };
    refuse(kind, fault)
}

fn refuse(kind: HttpErrorKind, error: impl std::error::Error + Send + Sync + 'static) -> HttpError {
    HttpError::new(kind, error)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use object_store::ObjectStore;
    use object_store::aws::AmazonS3Builder;

    use super::super::responder::{Response, SeenRequest};
    use super::super::runtime::wait;
    use super::*;

    /// A bucket whose listing always has another page.
    #[derive(Debug, Default)]
    struct EndlessList {
        pages: AtomicUsize,
    }

    impl Responder for EndlessList {
        fn respond(&self, _: &SeenRequest) -> Response {
            let number = self.pages.fetch_add(1, Ordering::SeqCst);
            let page = format!(
                "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>{number}\
                 </NextContinuationToken></ListBucketResult>"
            );
            Response { status: 200, headers: Vec::new(), chunks: Box::new([Ok(page.into_bytes())].into_iter()) }
        }
    }

    #[test]
    fn lists_without_end_are_given_up() {
        let list = Arc::new(EndlessList::default());
        let responder: Arc<dyn Responder> = Arc::<EndlessList>::clone(&list);
        let (patience, redirects) = (Patience::default(), Redirects::SameOrigin);
        let connector = Connector { patience, redirects, responder: Some(responder) };
        let builder = AmazonS3Builder::new().with_url("s3://bucket").with_skip_signature(true);
        let store = builder.with_http_connector(connector).build().unwrap();
        let list_all = within(64 << 20, async { Ok(store.list_with_delimiter(None).await.map(drop)) });
        let error = format!("{:?}", wait(list_all).unwrap().unwrap_err());
        assert!(error.contains("Endless"), "{error}");
        assert_eq!(list.pages.load(Ordering::SeqCst) as u64, (64 << 20) / MIN_COUNTED_BYTES + 1);
    }
}
