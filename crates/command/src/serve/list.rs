//! Lists: many positions of one game in one request, `POST /api/v1/query`.
//!
//! A list is worked on as if its client asked about one position after the other: it has at most one slot of one
//! [`Lane`] at a time. Look-ups are done in short turns ([`TOGETHER`], [`TURN`]), and other questions get the slot in
//! between. A position that look-ups do not answer moves on to the lanes of searches and of child processes. All
//! positions of a list share one time limit for searches and child processes; waiting for a slot does not count.
//! Answers are sent turn by turn, so that they are never all in memory.

use std::collections::VecDeque;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::{Instant, timeout};
use yomikiri_rules::visible;
use yomikiri_table::Location;

use super::client::Client;
use super::lane::{Lane, LanePlace};
use super::parameters::Parameters;
use super::parts::Parts;
use super::questions;
use super::reply::{Refusal, json};
use super::scheduler::{Answered, Effort, Scheduler};

/// The path of the request.
pub const PATH: &str = "/api/v1/query";

/// The maximum size of a request's body, in bytes.
pub const LONGEST: usize = 256 << 10;

/// The maximum number of positions of a list.
const MAX_POSITIONS: usize = 1000;

/// The time limit for a request to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);

/// The maximum number of positions that a list looks up before other questions get their turn.
const TOGETHER: usize = 16;

/// The time after which a list lets other questions take their turn. It finishes the current answer first.
const TURN: Duration = Duration::from_millis(50);

/// The form of a request, for error messages.
const FORM: &str = "the list must be a JSON object, such as {\"rules\":\"bin3x3\",\"positions\":[\"startpos\"]}, with \
    Content-Type application/json";

/// The body of a request: positions of one game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListRequest {
    rules: String,
    positions: Vec<String>,
}

/// The answer or the refusal for one position.
type QuestionResult = Result<Answered, Refusal>;

/// Answers a request with a list of positions.
pub async fn answer(
    State(work): State<Scheduler>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, Refusal> {
    Parameters::of(request.uri(), &[])?;
    let asked = Arc::new(read(request).await?);
    let left = Ok(work.patience());
    let mut list = List { work, client, asked, next: 0, left };
    // If the rule code is wrong or no slot becomes free, the whole list is refused, as a single question would be.
    let first = list.turn().await.map_err(|refusal| list.work.without_folder(refusal))?;
    let (sender, parts) = channel(1);
    tokio::spawn(async move {
        tokio::select! {
            biased;
            // The client has disconnected.
            () = sender.closed() => {}
            () = list.send(first, &sender) => {}
        }
    });
    Ok(json(Body::new(Parts(parts))))
}

/// Reads the list of positions from the body of a request.
async fn read(request: Request) -> Result<ListRequest, Refusal> {
    if !is_json(request.headers()) {
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, FORM));
    }
    let late = |_| {
        let problem = format!("the list did not arrive within {} seconds", ARRIVAL.as_secs());
        Refusal::new(StatusCode::REQUEST_TIMEOUT, problem)
    };
    let body = timeout(ARRIVAL, to_bytes(request.into_body(), LONGEST)).await.map_err(late)?;
    let body = body.map_err(|error| Refusal::unread_list(&error))?;
    // serde would also accept an array of the two fields' values without their names.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(Refusal::bad(FORM));
    }
    let asked: ListRequest = serde_json::from_slice(&body)
        .map_err(|error| Refusal::bad(format!("the list is not valid: {}", visible(error))))?;
    match asked.positions.len() {
        0..=MAX_POSITIONS => Ok(asked),
        count => {
            Err(Refusal::bad(format!("the list has {count} positions; at most {MAX_POSITIONS} are answered at once")))
        }
    }
}

/// Returns true if the content type of a request is JSON.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let name = kind.and_then(|kind| kind.split(';').next());
    name.is_some_and(|name| name.trim().eq_ignore_ascii_case("application/json"))
}

impl Refusal {
    /// Refuses a list of positions that has too many bytes.
    pub fn long_list() -> Refusal {
        let problem = format!("a list may have at most {LONGEST} bytes");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, problem)
    }

    /// Refuses a list whose body cannot be read: the request is not valid, or else the list has too many bytes.
    fn unread_list(error: &axum::Error) -> Refusal {
        let mut causes = std::iter::successors(Some(error as &(dyn Error + 'static)), |&error| error.source());
        match causes.any(|cause| cause.is::<hyper::Error>()) {
            true => Refusal::bad("the body of the request is not valid or breaks off"),
            false => Refusal::long_list(),
        }
    }
}

/// A list of positions that is being worked on.
struct List {
    work: Scheduler,
    client: Client,
    asked: Arc<ListRequest>,
    /// The index of the first position without an answer.
    next: usize,
    /// The time left for searches and child processes. If this is an error, all later positions that need a search or a
    /// child process get it as their answer.
    left: Result<Duration, Refusal>,
}

impl List {
    /// Answers the next positions, at most [`TOGETHER`]. Returns the answers in order, as JSON.
    ///
    /// # Errors
    /// If the rule code is wrong or no slot becomes free. The caller then refuses all remaining positions.
    async fn turn(&mut self) -> Result<Vec<String>, Refusal> {
        let first = self.next;
        let end = self.asked.positions.len().min(first + TOGETHER);
        let place = self.work.files.place(self.client).await?;
        let mut answers = self.look(place, (first..end).collect(), Effort::LookUp).await?;
        self.next += answers.len();
        self.search(first, &mut answers).await;
        let mut told = Vec::with_capacity(answers.len());
        for answer in answers {
            told.push(match self.finish(answer).await {
                Ok(text) => text,
                Err(refusal) => self.in_list(refusal),
            });
        }
        Ok(told)
    }

    /// Answers the positions with the indices `numbers` in order, with at most `effort`. Stops after the time [`TURN`],
    /// but answers at least one position.
    async fn look(
        &self,
        place: LanePlace,
        numbers: Vec<usize>,
        effort: Effort,
    ) -> Result<Vec<QuestionResult>, Refusal> {
        let asked = Arc::clone(&self.asked);
        let look = move |location: &Location| {
            let positions: Vec<&str> = numbers.iter().map(|&number| asked.positions[number].as_str()).collect();
            questions::query_each(location, &asked.rules, &positions, effort, std::time::Instant::now() + TURN)
        };
        self.work.on_a_thread(place, look).await
    }

    /// Searches the positions that look-ups have not answered, and replaces their entries in `answers`. The first entry
    /// is for the position with the index `first`.
    async fn search(&mut self, first: usize, answers: &mut [QuestionResult]) {
        let is_open = |&at: &usize| matches!(answers[at], Ok(Answered::NeedsSearch));
        let mut open: VecDeque<usize> = (0..answers.len()).filter(is_open).collect();
        while !open.is_empty() {
            match self.search_some(open.iter().map(|at| first + at).collect()).await {
                Ok(found) => open.drain(..found.len()).zip(found).for_each(|(at, found)| answers[at] = found),
                Err(refusal) => open.drain(..).for_each(|at| answers[at] = Err(refusal.clone())),
            }
        }
    }

    /// Searches the positions with the indices `numbers` in order. Stops after the time [`TURN`], but answers at least
    /// one position.
    async fn search_some(&mut self, numbers: Vec<usize>) -> Result<Vec<QuestionResult>, Refusal> {
        let (place, left) = self.place(Arc::clone(&self.work.searches)).await?;
        let begun = Instant::now();
        let found = self.look(place, numbers, Effort::Search).await;
        self.spend(left, begun);
        found
    }

    /// Returns an answer as JSON. If a command has to find the answer, runs the command in a child process.
    async fn finish(&mut self, answer: QuestionResult) -> Result<String, Refusal> {
        match answer? {
            Answered::Json(text) => Ok(text),
            Answered::NeedsSearch => Err(Refusal::failed("internal error")),
            Answered::NeedsCommand(line) => {
                let (_place, left) = self.place(Arc::clone(&self.work.children)).await?;
                let begun = Instant::now();
                let text = self.work.run(line, left, self.late()).await;
                self.spend(left, begun);
                text
            }
        }
    }

    /// Waits for a slot of `lane` for a search or a child process. Returns the slot and the time left for this work.
    ///
    /// # Errors
    /// Returns a refusal if no time is left or no slot becomes free. All later positions that need a search or a child
    /// process are then refused too.
    async fn place(&mut self, lane: Arc<Lane>) -> Result<(LanePlace, Duration), Refusal> {
        let left = self.left.clone()?;
        let place = lane.place(self.client).await.inspect_err(|refusal| self.left = Err(refusal.clone()))?;
        Ok((place, left))
    }

    /// Sets the time left for searches and child processes to `left` minus the time since `begun`. If the result is
    /// negative, later positions that need such work are refused.
    fn spend(&mut self, left: Duration, begun: Instant) {
        self.left = left.checked_sub(begun.elapsed()).ok_or_else(|| self.late());
    }

    fn late(&self) -> Refusal {
        let problem = format!("the list takes longer than {} seconds", self.work.patience().as_secs());
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, problem)
    }

    fn in_list(&self, refusal: Refusal) -> String {
        self.work.without_folder(refusal).in_list()
    }

    /// Sends the answers, beginning with `first`, until all are sent or the client disconnects.
    async fn send(mut self, first: Vec<String>, sender: &Sender<Bytes>) {
        let mut part = format!("{{\"answers\":[{}", first.join(","));
        while self.next < self.asked.positions.len() {
            if sender.send(part.into()).await.is_err() {
                return;
            }
            let answers = match self.turn().await {
                Ok(answers) => answers,
                Err(refusal) => self.refuse_rest(refusal),
            };
            part = answers.iter().map(|answer| format!(",{answer}")).collect();
        }
        // The client may have disconnected.
        let _ = sender.send((part + "]}").into()).await;
    }

    /// Returns `refusal` as JSON, once for each remaining position.
    fn refuse_rest(&mut self, refusal: Refusal) -> Vec<String> {
        let count = self.asked.positions.len() - self.next;
        self.next += count;
        vec![self.in_list(refusal); count]
    }
}
