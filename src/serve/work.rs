//! Who works on questions, and for how long: those that files answer on threads of this process, all others in a
//! process of their own, which ends when its time is over or nobody waits for it any more.

use std::process::Stdio;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::process::Command;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::reply::Refusal;
use yomikiri_table::Location;

/// Memory of a long question.
pub const LONG_MEMORY: &str = "256M";

/// Long questions at a time.
const LONG: usize = 2;

/// Questions that wait for their turn, at most.
const WAITING: usize = 1024;

/// How long a question waits for its turn.
const TURN: Duration = Duration::from_secs(20);

/// What there is to work with.
#[derive(Clone)]
pub struct Work {
    location: Location,
    quick: Arc<Semaphore>,
    long: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    patience: Duration,
}

/// What a question comes to at first.
pub enum Answered {
    /// JSON.
    Json(String),
    /// It takes long: the command's arguments that answer it by JSON.
    Long(Vec<String>),
}

fn busy() -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too many questions at a time; ask again in some seconds")
}

impl Work {
    pub fn new(location: Location, patience: Duration) -> Work {
        let threads = available_parallelism().map_or(1, usize::from);
        Work {
            location,
            quick: Arc::new(Semaphore::new(threads)),
            long: Arc::new(Semaphore::new(LONG)),
            waiting: Arc::new(Semaphore::new(WAITING)),
            patience,
        }
    }

    /// The answer to a question; `look` answers it by files, or says that this takes long.
    pub async fn answer(
        &self,
        look: impl FnOnce(&Location) -> Result<Answered, Refusal> + Send + 'static,
    ) -> Result<String, Refusal> {
        let _place = self.waiting.clone().try_acquire_owned().map_err(|_| busy())?;
        let turn = timeout(TURN, self.quick.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| busy())?.expect("nobody closes it");
        let location = self.location.clone();
        let looked = tokio::task::spawn_blocking(move || {
            let answered = look(&location);
            drop(turn);
            answered
        });
        let failed = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the question went wrong");
        let answered = looked.await.map_err(failed)?.map_err(|refusal| self.without_place(refusal))?;
        match answered {
            Answered::Json(text) => Ok(text),
            Answered::Long(arguments) => self.run(arguments).await.map_err(|refusal| self.without_place(refusal)),
        }
    }

    /// Has this program answer in a process of its own, at low priority, for as long as patience lasts.
    async fn run(&self, arguments: Vec<String>) -> Result<String, Refusal> {
        let _turn = timeout(TURN, self.long.clone().acquire_owned()).await.map_err(|_| busy())?;
        let failed = |error: std::io::Error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(program);
        command.args(arguments).arg("--tables").arg(self.location.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let seconds = self.patience.as_secs();
        let late = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, format!("takes longer than {seconds} seconds"));
        let output = timeout(self.patience, command.output()).await.map_err(late)?.map_err(failed)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        match output.status.code() {
            Some(0) => Ok(text(&output.stdout)),
            status => {
                let told = text(&output.stderr);
                let line = told.lines().last().unwrap_or("the question went wrong").trim_start_matches("error: ");
                Err(if status == Some(2) { Refusal::bad(line) } else { Refusal::unknown(line) })
            }
        }
    }

    /// Where tables lie on this machine is nobody's business.
    fn without_place(&self, refusal: Refusal) -> Refusal {
        let place = format!("{}/", self.location.path().display());
        Refusal { text: refusal.text.replace(&place, ""), ..refusal }
    }
}
