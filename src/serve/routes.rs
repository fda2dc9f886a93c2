//! Which question stands where.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::middleware;
use axum::response::Response;
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::file::file;
use super::guard::{self, Guard};
use super::questions;
use super::reply::{Refusal, json};
use super::words::Words;
use super::work::{Answered, Work};
use yomikiri_table::Location;

/// What answers a question by files.
type Look = fn(&Location, &Words) -> Result<Answered, Refusal>;

/// The questions: path, known words, what answers.
const QUESTIONS: [(&str, &[&str], Look); 10] = [
    ("games", &[], questions::games),
    ("rules", &["rules"], questions::rules),
    ("tables", &[], questions::tables),
    ("query", &["rules", "position"], questions::query),
    ("line", &["rules", "position"], questions::line),
    ("puzzle", &["rules", "plies", "margin", "seed"], questions::puzzle),
    ("stats", &["rules"], questions::stats),
    ("counts", &["rules", "by"], questions::counts),
    ("proof", &["rules", "position"], questions::proof),
    ("choose", &["rules", "position", "moves", "strength", "seed"], questions::choose),
];

/// The description of all questions.
const DESCRIPTION: &str = include_str!("openapi.json");

/// Everything that is answered.
pub fn service(location: Location, guard: Guard, patience: Duration) -> Router {
    let mut router = Router::new().route("/api/v1/openapi.json", get(async || json(DESCRIPTION.into())));
    for (name, known, look) in QUESTIONS {
        let answer = async move |State(work): State<Work>, uri: Uri| -> Result<Response, Refusal> {
            let words = Words::of(&uri, known)?;
            work.answer(move |location| look(location, &words)).await.map(json)
        };
        router = router.route(&format!("/api/v1/{name}"), get(answer));
    }
    let unknown = async || Refusal::unknown("there is no such question; /api/v1/openapi.json has all");
    router
        .route("/api/{*rest}", get(unknown))
        .fallback(file)
        .with_state(Work::new(location, patience))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::watch))
}
