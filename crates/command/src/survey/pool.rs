//! Runs the jobs of a survey on several threads. Each thread waits for one process at a time.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use yomikiri_answer::survey::{Finding, Question, SurveyFile};
use yomikiri_table::{Progress, threads};

use super::ask::Runner;
use super::variants::Job;
use crate::error::Failure;
use crate::progress::TerminalProgress;

/// Decides the variants of all jobs (groups of variants that are decided together) until the survey is to stop.
/// `settled` has the findings of earlier runs that need no further work, by rule code. Returns true if all jobs are
/// done. The first error ends the survey.
pub fn work(
    jobs: &[Job],
    question: Question,
    asker: &Runner,
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
                        // No thread panics while it holds the lock.
                        failure.lock().expect("a whole failure").get_or_insert(error.into());
                        next.store(jobs.len(), Ordering::Relaxed);
                    }
                    done.fetch_add(1, Ordering::Relaxed);
                    progress.advance(job.variants.len() as u64);
                }
            });
            // If no more threads can be started, those that have started do all jobs.
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
