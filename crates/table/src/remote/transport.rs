//! Sends one request and hands on the answer as it comes.

use std::sync::Arc;

use bytes::Bytes;
use object_store::client::{HttpError, HttpErrorKind, HttpRequest};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::answer::range_of;
use super::fault::Fault;
use super::responder::{Chunks, RequestSeen, Responder};

/// What requests go through.
#[derive(Debug)]
pub enum Transport {
    Network(reqwest::Client),
    Memory(Arc<dyn Responder>),
}

/// The head of an answer, and its body to come.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    body: Body,
}

enum Body {
    Network(reqwest::Response),
    Memory(Chunks),
}

impl Transport {
    /// Sends a request to `url`, which is its own address. Redirects are handed on like other answers.
    pub async fn send(&self, request: HttpRequest, url: &Url) -> Result<Answer, HttpError> {
        match self {
            Transport::Network(client) => {
                let (parts, body) = request.into_parts();
                let mut request = reqwest::Request::new(parts.method, url.clone());
                *request.headers_mut() = parts.headers;
                // Its own `is_empty` says the opposite of what is written in several parts (object_store 0.14).
                if body.content_length() > 0 {
                    *request.body_mut() = Some(reqwest::Body::wrap(body));
                }
                let mut response = client.execute(request).await.map_err(failed)?;
                let headers = std::mem::take(response.headers_mut());
                Ok(Answer { status: response.status(), headers, body: Body::Network(response) })
            }
            Transport::Memory(responder) => Ok(from_memory(&**responder, &request, url)),
        }
    }
}

fn from_memory(responder: &dyn Responder, request: &HttpRequest, url: &Url) -> Answer {
    let range = range_of(request.headers());
    let seen = RequestSeen { method: request.method().to_string(), address: url.to_string(), range };
    let response = responder.respond(&seen);
    let mut headers = HeaderMap::new();
    for (name, value) in response.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            headers.append(name, value);
        }
    }
    // Lower ones are no final answers.
    let status = StatusCode::from_u16(response.status.max(200)).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Answer { status, headers, body: Body::Memory(response.chunks) }
}

impl Answer {
    /// The next part of the body; `None` at its end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, HttpError> {
        match &mut self.body {
            Body::Network(response) => response.chunk().await.map_err(failed),
            Body::Memory(chunks) => match chunks.next() {
                None => Ok(None),
                Some(Ok(bytes)) => Ok(Some(bytes.into())),
                Some(Err(())) => Err(HttpError::new(HttpErrorKind::Interrupted, Fault::BrokenOff)),
            },
        }
    }
}

/// Errors of connections, sorted by whether the request may be made again.
fn failed(error: reqwest::Error) -> HttpError {
    let kind = match () {
        () if error.is_timeout() => HttpErrorKind::Timeout,
        () if error.is_connect() => HttpErrorKind::Connect,
        () if error.is_builder() => HttpErrorKind::Unknown,
        () => HttpErrorKind::Interrupted,
    };
    HttpError::new(kind, error.without_url())
}
