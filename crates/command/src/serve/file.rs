//! Serves the files of the web page.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::super::page;
use super::encoding::{Encoded, takes_gzip};
use super::reply::Refusal;

/// Serves the file at the path of `uri`. Files under `assets` may be cached forever, because their names change with
/// their contents.
pub async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = page::find(path) else {
        if path == "index.html" {
            return WITHOUT_PAGE.into_response();
        }
        return Refusal::new(StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    };
    let lasts = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let body = Encoded::of_both(|| file.bytes(), file.gzip(), takes_gzip(&headers));
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, lasts)];
    (headers, body).into_response()
}

/// The answer to a request for the page if the program was built without the page.
const WITHOUT_PAGE: (StatusCode, [(header::HeaderName, &str); 1], &str) = (
    StatusCode::NOT_FOUND,
    [(header::CONTENT_TYPE, "text/plain; charset=utf-8")],
    "This program was built without the page. To build it with the page and start it, run in the project's \
     folder:\n\n    make serve\n\nThe API answers under /api/v1/.\n",
);
