//! The jobs of a survey on several threads, each of which waits for a process at a time.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use yomikiri_table::Progress;

use super::answer::Answer;
use super::ask::Asker;
use super::record::Record;
use super::variants::Job;
use super::ways::Found;
use crate::error::Failure;
use crate::progress::TerminalProgress;

/// Does all jobs, or as many as there is time for until the survey is to stop; whether these were all. `settled` is
/// what was known before, by codes. An error ends it.
pub fn work(
    jobs: &[Job],
    answer: Answer,
    asker: &Asker,
    settled: &HashMap<String, Found>,
    record: &Record,
    threads: usize,
) -> Result<bool, Failure> {
    let (next, done, failure) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(None));
    let progress = TerminalProgress::new(false);
    progress.begin("survey", jobs.iter().map(|job| job.variants.len() as u64).sum());
    std::thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            scope.spawn(|| {
                while !asker.is_stopped()
                    && let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                    && let Some(found) = asker.decide_all(job, answer, settled)
                {
                    if let Err(error) = record.add(job.codes().into_iter().zip(found).collect()) {
                        // Nobody holds the lock while panicking.
                        failure.lock().expect("a whole failure").get_or_insert(error);
                        next.store(jobs.len(), Ordering::Relaxed);
                    }
                    done.fetch_add(1, Ordering::Relaxed);
                    progress.advance(job.variants.len() as u64);
                }
            });
        }
    });
    progress.end("");
    let all_done = done.into_inner() == jobs.len();
    failure.into_inner().expect("a whole failure").map_or(Ok(all_done), Err)
}
