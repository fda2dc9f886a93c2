//! The winner of a position, with lines of progress while it is proved: `GET /api/v1/prove`.
//!
//! The last line is the same answer that `query` gives. If files or a short search answer the question, there are no
//! other lines. Otherwise a child process makes a proof. It waits for a slot for child processes, and has the time
//! limit of a question.

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::timeout;

use super::client::Client;
use super::parameters::Parameters;
use super::parts::Parts;
use super::questions;
use super::reply::Refusal;
use super::scheduler::{Answered, CommandLine, Effort, GRACE, Scheduler, child_answer};

/// The path of the question.
pub const PATH: &str = "/api/v1/prove";

/// The content type of JSON lines.
const LINES: &str = "application/x-ndjson";

/// The number of lines that are buffered for a slow client. If the buffer is full, the proof waits.
const AHEAD: usize = 16;

/// Answers the question who wins a position, with lines of JSON.
pub async fn answer(
    State(work): State<Scheduler>,
    Extension(client): Extension<Client>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let line = match look(&work, client, &uri, Effort::LookUp).await? {
        Answered::NeedsSearch => look(&work, client, &uri, Effort::Search).await?,
        answered => answered,
    };
    match line {
        Answered::Json(text) => Ok(lines(Body::from(text + "\n"))),
        Answered::NeedsSearch => Err(Refusal::failed("internal error")),
        Answered::NeedsCommand(line) => {
            let (sender, parts) = channel(AHEAD);
            let place = work.children.place(client).await?;
            tokio::spawn(async move {
                tokio::select! {
                    biased;
                    // The client has disconnected.
                    () = sender.closed() => {}
                    () = send(&work, line, &sender) => {}
                }
                drop(place);
            });
            Ok(lines(Body::new(Parts(parts))))
        }
    }
}

fn lines(body: Body) -> Response {
    ([(header::CONTENT_TYPE, LINES), (header::CACHE_CONTROL, "no-cache")], body).into_response()
}

/// Answers the question as `query` does, with at most `effort`. Waits first for a slot for work of that effort.
async fn look(work: &Scheduler, client: Client, uri: &Uri, effort: Effort) -> Result<Answered, Refusal> {
    let words = Parameters::of(uri, &["rules", "position"])?;
    let lane = if effort == Effort::LookUp { &work.files } else { &work.searches };
    let place = lane.place(client).await?;
    let looked = work.on_a_thread(place, move |location| questions::query(location, &words, effort));
    looked.await.map_err(|refusal| work.without_folder(refusal))
}

/// Sends the lines of a child process until the process ends or the client disconnects.
async fn send(work: &Scheduler, line: CommandLine, sender: &Sender<Bytes>) {
    let limit = work.patience();
    let late = |_| {
        Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("the proof takes longer than {} seconds", limit.as_secs()),
        )
    };
    let sent = timeout(limit + GRACE, send_lines(work, line, sender)).await.map_err(late);
    if let Err(refusal) = sent.flatten() {
        // The client may have disconnected.
        let _ = sender.send((work.without_folder(refusal).in_list() + "\n").into()).await;
    }
}

async fn send_lines(work: &Scheduler, mut line: CommandLine, sender: &Sender<Bytes>) -> Result<(), Refusal> {
    line.options.push("--stream".into());
    let mut child = work.start(line, work.patience())?;
    let failed = |error: std::io::Error| Refusal::failed(error.to_string());
    // The child ends when its standard input is closed.
    let _alive = child.stdin.take();
    let Some(out) = child.stdout.take() else { return Err(Refusal::failed("internal error")) };
    let (mut lines, mut is_whole) = (BufReader::new(out).lines(), false);
    while let Some(line) = lines.next_line().await.map_err(failed)? {
        // Only the last line, the complete answer, begins with the field `rules`.
        is_whole = line.starts_with(r#"{"rules":"#);
        if sender.send((line + "\n").into()).await.is_err() {
            return Ok(());
        }
    }
    if is_whole { Ok(()) } else { child_answer(&child.wait_with_output().await.map_err(failed)?).map(drop) }
}
