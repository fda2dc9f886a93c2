//! Answers and refusals as HTTP has them.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use yomikiri_rules::TextError;
use yomikiri_solve::SolveError;
use yomikiri_table::TableError;

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
            SolveError::Table(error) => Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
            SolveError::Wrong(text) => Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, text),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let text = serde_json::to_string(&ErrorReport { error: &self.text }).expect("a text is plain data");
        let mut response = json(text);
        *response.status_mut() = self.status;
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}

/// A body of JSON, which answers to the same question later may differ from.
pub fn json(text: String) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")];
    (headers, text).into_response()
}
