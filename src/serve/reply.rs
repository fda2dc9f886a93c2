//! Answers and refusals as HTTP has them.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use yomikiri_rules::TextError;
use yomikiri_solve::SolveError;
use yomikiri_table::TableError;

use super::encoding::Encoded;

/// A question that is not answered: a status and one line.
#[derive(Debug)]
pub struct Refusal {
    pub status: StatusCode,
    pub text: String,
}

#[derive(Serialize)]
struct ErrorReport<'a> {
    error: &'a str,
}

impl Refusal {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Refusal {
        Refusal { status, text: text.into() }
    }

    /// The request makes no sense.
    pub fn bad(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, text)
    }

    /// Nothing is known of what is asked for.
    pub fn unknown(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, text)
    }

    /// No place became free for the question in time.
    pub fn busy() -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too many questions at a time; ask again in some seconds")
    }

    /// The question could not be worked on, through no fault of whoever asked.
    pub fn failed(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }
}

impl From<TextError> for Refusal {
    fn from(error: TextError) -> Refusal {
        Refusal::bad(error.to_string())
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        SolveError::from(error).into()
    }
}

/// What of solving goes wrong is that nothing is known; damaged files are this machine's fault.
impl From<SolveError> for Refusal {
    fn from(error: SolveError) -> Refusal {
        match error {
            SolveError::Text(error) => error.into(),
            SolveError::TooLarge(text) => Refusal::unknown(text),
            SolveError::Table(error) => Refusal::failed(error.to_string()),
            SolveError::Threads(refused) => Refusal::new(StatusCode::SERVICE_UNAVAILABLE, refused.to_string()),
            SolveError::Wrong(text) => Refusal::failed(text),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let text = serde_json::to_string(&ErrorReport { error: &self.text }).expect("a text is plain data");
        let mut response = json(Encoded::text(text, false));
        *response.status_mut() = self.status;
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}

/// A body of JSON. The same question may have another answer later.
pub fn json(body: Encoded) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")];
    (headers, body).into_response()
}
