//! The jobs of a survey on several threads, each of which waits for a process at a time.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use yomikiri_answer::survey::{Finding, Question, SurveyFile};
use yomikiri_table::{Progress, threads};

use super::ask::Asker;
use super::variants::Job;
use crate::error::Failure;
use crate::progress::TerminalProgress;

/// Does all jobs, or as many as there is time for until the survey is to stop; whether these were all. `settled` is
/// what was known before, by codes. An error ends it.
pub fn work(
    jobs: &[Job],
    question: Question,
    asker: &Asker,
    settled: &HashMap<String, Finding>,
    file: &SurveyFile,
    most_threads: usize,
) -> Result<bool, Failure> {
    let (next, done, failure) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(None));
    let progress = TerminalProgress::new(false);
    progress.begin("survey", jobs.iter().map(|job| job.variants.len() as u64).sum());
    std::thread::scope(|scope| {
        for number in 0..most_threads.min(jobs.len()) {
            let started = threads::start_scoped(scope, "survey", || {
                while !asker.is_stopped()
                    && let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                    && let Some(found) = asker.decide_all(job, question, settled)
                {
                    if let Err(error) = file.add(job.codes().into_iter().zip(found).collect()) {
                        // Nobody holds the lock while panicking.
                        failure.lock().expect("a whole failure").get_or_insert(error.into());
                        next.store(jobs.len(), Ordering::Relaxed);
                    }
                    done.fetch_add(1, Ordering::Relaxed);
                    progress.advance(job.variants.len() as u64);
                }
            });
            // The threads that were started do all jobs.
            match started {
                Err(refused) if number == 0 => return Err(refused),
                Err(_) => break,
                Ok(_) => {}
            }
        }
        Ok(())
    })?;
    progress.end("");
    let all_done = done.into_inner() == jobs.len();
    failure.into_inner().expect("a whole failure").map_or(Ok(all_done), Err)
}
