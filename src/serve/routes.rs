//! Questions and their addresses.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;

use super::client::Client;
use super::encoding::{Encoded, gzip, takes_gzip};
use super::file::file;
use super::guard::{self, Guard};
use super::questions;
use super::reply::{Refusal, json};
use super::words::Words;
use super::work::{Asked, Kind, Look, Work};
use yomikiri_table::Location;

/// The questions: path, known words, the kind, and the function that answers.
const QUESTIONS: [(&str, &[&str], Kind, Look); 10] = [
    ("games", &[], Kind::Rules, questions::games),
    ("rules", &["rules"], Kind::Rules, questions::rules),
    ("tables", &[], Kind::Files, questions::tables),
    ("query", &["rules", "position"], Kind::Files, questions::query),
    ("line", &["rules", "position"], Kind::Files, questions::line),
    ("puzzle", &["rules", "plies", "margin", "seed"], Kind::Rules, questions::puzzle),
    ("stats", &["rules"], Kind::Files, questions::stats),
    ("counts", &["rules", "by"], Kind::Files, questions::counts),
    ("proof", &["rules", "position"], Kind::Files, questions::proof),
    ("choose", &["rules", "position", "moves", "strength", "seed"], Kind::Files, questions::choose),
];

/// The description of all questions.
const DESCRIPTION: &str = include_str!("openapi.json");

/// The same, compressed once.
static COMPRESSED_DESCRIPTION: LazyLock<Vec<u8>> = LazyLock::new(|| gzip(DESCRIPTION.as_bytes()));

async fn description(headers: HeaderMap) -> Response {
    json(Encoded::of_both(DESCRIPTION.as_bytes(), Some(&COMPRESSED_DESCRIPTION), takes_gzip(&headers)))
}

/// Everything that is answered. Each request has its [`Client`] among its extensions.
pub fn service(location: Location, guard: Guard, patience: Duration) -> Router {
    let mut router = Router::new().route("/api/v1/openapi.json", get(description));
    for (name, known, kind, look) in QUESTIONS {
        let answer = async move |State(work): State<Work>,
                                 Extension(client): Extension<Client>,
                                 uri: Uri,
                                 headers: HeaderMap|
                    -> Result<Response, Refusal> {
            let words = Arc::new(Words::of(&uri, known)?);
            let asked = Asked { client, kind, look, words, takes_gzip: takes_gzip(&headers) };
            work.answer(&asked).await.map(json)
        };
        router = router.route(&format!("/api/v1/{name}"), get(answer));
    }
    let unknown = async || Refusal::unknown("there is no such question; /api/v1/openapi.json has all");
    router
        .route("/api/{*rest}", get(unknown))
        .fallback(file)
        .with_state(Work::new(location, patience))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::watch))
}
