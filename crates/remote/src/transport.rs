//! Sends one request and passes on the response as it arrives.

use std::sync::Arc;

use bytes::Bytes;
use object_store::client::{HttpError, HttpErrorKind, HttpRequest};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::answer::range_of;
use super::fault::ResponseFault;
use super::responder::{Chunks, Responder, SeenRequest};

/// The receiver of requests: the network, or a server in memory.
#[derive(Debug)]
pub enum Transport {
    Network(reqwest::Client),
    Memory(Arc<dyn Responder>),
}

/// The head of a response. The body is still to be received.
pub struct ResponseHead {
    pub status: StatusCode,
    pub headers: HeaderMap,
    body: Body,
}

enum Body {
    Network(reqwest::Response),
    Memory(Chunks),
}

impl Transport {
    /// Sends a request to `url`, which must be the request's own address. Redirects are returned like other responses.
    pub async fn send(&self, request: HttpRequest, url: &Url) -> Result<ResponseHead, HttpError> {
        match self {
            Transport::Network(client) => {
                let (parts, body) = request.into_parts();
                let mut request = reqwest::Request::new(parts.method, url.clone());
                *request.headers_mut() = parts.headers;
                // `HttpRequestBody::is_empty` is wrong for a body of several parts (object_store 0.14).
                if body.content_length() > 0 {
                    *request.body_mut() = Some(reqwest::Body::wrap(body));
                }
                let mut response = client.execute(request).await.map_err(failed)?;
                let headers = std::mem::take(response.headers_mut());
                Ok(ResponseHead { status: response.status(), headers, body: Body::Network(response) })
            }
            Transport::Memory(responder) => Ok(from_memory(&**responder, &request, url)),
        }
    }
}

fn from_memory(responder: &dyn Responder, request: &HttpRequest, url: &Url) -> ResponseHead {
    let range = range_of(request.headers());
    let seen = SeenRequest { method: request.method().to_string(), address: url.to_string(), range };
    let response = responder.respond(&seen);
    let mut headers = HeaderMap::new();
    for (name, value) in response.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            headers.append(name, value);
        }
    }
    // Statuses below 200 are not final responses.
    let status = StatusCode::from_u16(response.status.max(200)).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    ResponseHead { status, headers, body: Body::Memory(response.chunks) }
}

impl ResponseHead {
    /// Returns the next chunk of the body, or `None` at its end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, HttpError> {
        match &mut self.body {
            Body::Network(response) => response.chunk().await.map_err(failed),
            Body::Memory(chunks) => match chunks.next() {
                None => Ok(None),
                Some(Ok(bytes)) => Ok(Some(bytes.into())),
                Some(Err(())) => Err(HttpError::new(HttpErrorKind::Interrupted, ResponseFault::BrokenOff)),
            },
        }
    }
}

/// Converts an error of a connection. The kind of the new error tells the store whether it may retry the request.
fn failed(error: reqwest::Error) -> HttpError {
    let kind = match () {
        () if error.is_timeout() => HttpErrorKind::Timeout,
        () if error.is_connect() => HttpErrorKind::Connect,
        () if error.is_builder() => HttpErrorKind::Unknown,
        () => HttpErrorKind::Interrupted,
    };
    HttpError::new(kind, error.without_url())
}
