//! The questions and their paths.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;

use super::client::Client;
use super::encoding::{Encoded, gzip, takes_gzip};
use super::file::file;
use super::guard::{self, Guard};
use super::parameters::Parameters;
use super::reply::{Refusal, json};
use super::scheduler::{AnswerFn, ClientQuestion, QuestionKind, Scheduler};
use super::{list, prove, questions};
use yomikiri_table::Location;

/// The questions: name in the path, known parameters, kind, and the function that answers.
const QUESTIONS: [(&str, &[&str], QuestionKind, AnswerFn); 10] = [
    ("games", &[], QuestionKind::Rules, questions::games),
    ("rules", &["rules"], QuestionKind::Rules, questions::rules),
    ("tables", &[], QuestionKind::Files, questions::tables),
    ("query", &["rules", "position"], QuestionKind::Files, questions::query),
    ("line", &["rules", "position"], QuestionKind::Files, questions::line),
    ("puzzle", &["rules", "plies", "margin", "seed"], QuestionKind::Rules, questions::puzzle),
    ("stats", &["rules"], QuestionKind::Files, questions::stats),
    ("counts", &["rules", "by"], QuestionKind::Files, questions::counts),
    ("proof", &["rules", "position"], QuestionKind::Files, questions::proof),
    ("choose", &["rules", "position", "moves", "strength", "seed"], QuestionKind::Files, questions::choose),
];

/// The OpenAPI description of the API.
const DESCRIPTION: &str = include_str!("openapi.json");

/// The description in gzip form, compressed once.
static COMPRESSED_DESCRIPTION: LazyLock<Vec<u8>> = LazyLock::new(|| gzip(DESCRIPTION.as_bytes()));

async fn description(uri: Uri, headers: HeaderMap) -> Result<Response, Refusal> {
    Parameters::of(&uri, &[])?;
    Ok(json(Encoded::of_both(|| DESCRIPTION.as_bytes(), Some(&COMPRESSED_DESCRIPTION), takes_gzip(&headers))))
}

/// Returns the service for all paths. Each request must carry its [`Client`] as an extension.
pub fn service(location: Location, guard: Guard, patience: Duration) -> Router {
    let mut router = Router::new().route("/api/v1/openapi.json", get(description));
    for (name, known, kind, look) in QUESTIONS {
        let answer = async move |State(work): State<Scheduler>,
                                 Extension(client): Extension<Client>,
                                 uri: Uri,
                                 headers: HeaderMap|
                    -> Result<Response, Refusal> {
            let words = Arc::new(Parameters::of(&uri, known)?);
            let asked = ClientQuestion { client, kind, look, words, takes_gzip: takes_gzip(&headers) };
            work.answer(&asked).await.map(json)
        };
        router = router.route(&format!("/api/v1/{name}"), get(answer));
    }
    let unknown = async || Refusal::unknown("there is no such question; /api/v1/openapi.json lists all questions");
    router
        .route(list::PATH, post(list::answer))
        .route(prove::PATH, get(prove::answer))
        .route("/api/{*rest}", get(unknown))
        .fallback(file)
        .with_state(Scheduler::new(location, patience))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::watch))
}
