//! Answers and refusals as HTTP responses.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use yomikiri_rules::TextError;
use yomikiri_solve::SolveError;
use yomikiri_table::TableError;

use super::encoding::Encoded;

/// A refused question: a status and one line.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub status: StatusCode,
    pub text: String,
}

#[derive(Serialize)]
struct ErrorReport<'a> {
    error: &'a str,
    /// The HTTP status of an error that is a part of a longer response, otherwise `None`. It is the status that the
    /// error would have as a response of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
}

impl Refusal {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Refusal {
        Refusal { status, text: text.into() }
    }

    /// Refuses a request that makes no sense (400).
    pub fn bad(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, text)
    }

    /// Refuses a question that has no answer (404).
    pub fn unknown(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, text)
    }

    /// Refuses a question for which no slot became free in time (503).
    pub fn busy() -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too many questions at a time; try again in a few seconds")
    }

    /// Returns the refusal as a part of a longer response, in JSON: for one position of a list, or as the last line
    /// about a proof.
    pub fn in_list(&self) -> String {
        self.json(Some(self.status.as_u16()))
    }

    fn json(&self, status: Option<u16>) -> String {
        serde_json::to_string(&ErrorReport { error: &self.text, status }).expect("a text serializes to JSON")
    }

    /// Refuses a question that failed through no fault of the client (500).
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

/// Converts an error of a solver. If there are too many positions to solve, the status is 404 (not found); if a file is
/// damaged, it is 500 (an error of this server).
impl From<SolveError> for Refusal {
    fn from(error: SolveError) -> Refusal {
        match error {
            SolveError::Text(error) => error.into(),
            SolveError::TooLarge(limit) => Refusal::unknown(limit.to_string()),
            SolveError::Table(error) => Refusal::failed(error.to_string()),
            SolveError::Threads(refused) => Refusal::new(StatusCode::SERVICE_UNAVAILABLE, refused.to_string()),
            SolveError::Wrong(wrong) => Refusal::failed(wrong.to_string()),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json(Encoded::text(self.json(None), false));
        *response.status_mut() = self.status;
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}

/// Returns a JSON response. Caches must revalidate it, because the answer may change.
pub fn json(body: impl IntoResponse) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")];
    (headers, body).into_response()
}
