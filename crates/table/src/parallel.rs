//! Runs work on all threads of the current pool, or of rayon's global pool if no pool is current. The work runs on the
//! calling thread for a single number or range, or if there are no threads, as in a web page.
//!
//! rayon's iterators are compiled anew for each closure. They were half of the code that the compiler had to optimise
//! for `yomikiri-solve`. The functions of this module, except [`sort`], call rayon in a few places that are compiled
//! once, and these call the work through a pointer. The call costs some nanoseconds for each number, range or part.
//! Functions for small work take ranges or parts of lists.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// Average number of ranges for each thread, unless the caller asks for longer ranges. Because a thread gets several,
/// all threads end at nearly the same time even if some ranges take longer.
const RANGES_PER_THREAD: usize = 16;

/// Returns the number of threads of the current pool.
pub fn thread_count() -> usize {
    rayon::current_num_threads()
}

/// Calls `work` with each number below `count`, in any order.
pub fn each(count: usize, work: impl Fn(usize) + Sync) {
    each_of(count, count / (RANGES_PER_THREAD * thread_count()), &work);
}

/// Like [`each`], but a thread takes one number at a time, so that idle threads can take all remaining numbers.
pub fn each_task(count: usize, work: impl Fn(usize) + Sync) {
    each_of(count, 1, &work);
}

fn each_of(count: usize, together: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(together.max(1)).for_each(work);
}

/// Calls `work` with ranges that make up `0..count`. All of them but the last have at least `least` numbers.
pub fn each_range(count: usize, least: usize, work: impl Fn(Range<usize>) + Sync) {
    let ranges = Ranges::of(count, least);
    each(ranges.count(), |number| work(ranges.get(number)));
}

/// Consecutive ranges that make up `0..end`. They have equal lengths, except that the last may be shorter.
struct Ranges {
    end: usize,
    length: usize,
}

impl Ranges {
    fn of(end: usize, least: usize) -> Ranges {
        Ranges { end, length: end.div_ceil(RANGES_PER_THREAD * thread_count()).max(least).max(1) }
    }

    fn count(&self) -> usize {
        self.end.div_ceil(self.length)
    }

    fn get(&self, number: usize) -> Range<usize> {
        number * self.length..((number + 1) * self.length).min(self.end)
    }
}

/// Returns the lowest number below `count` for which `is_found` is true, or `None` if there is none. A thread takes at
/// least `least` numbers at a time.
pub fn first(count: usize, least: usize, is_found: impl Fn(usize) -> bool + Sync) -> Option<usize> {
    let ranges = Ranges::of(count, least);
    first_of(ranges.count(), &|number| ranges.get(number).find(|&at| is_found(at)))
}

fn first_of(count: usize, find: &(dyn Fn(usize) -> Option<usize> + Sync)) -> Option<usize> {
    (0..count).into_par_iter().find_map_first(find)
}

/// Like [`each`], for work that may fail. Returns one of the errors of `work`, if there are any. After an error, no
/// thread begins another number.
pub fn try_each<E: Send>(count: usize, work: impl Fn(usize) -> Result<(), E> + Sync) -> Result<(), E> {
    let (failed, error) = (AtomicBool::new(false), Mutex::new(None));
    each(count, |at| {
        if !failed.load(Ordering::Relaxed)
            && let Err(found) = work(at)
        {
            failed.store(true, Ordering::Relaxed);
            *error.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        }
    });
    match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// A list of results. Threads add them in any order, each at its index.
struct Results<R>(Vec<Mutex<Option<R>>>);

impl<R> Results<R> {
    fn new(count: usize) -> Results<R> {
        let mut places = Vec::new();
        places.resize_with(count, Mutex::default);
        Results(places)
    }

    fn put(&self, at: usize, result: R) {
        *self.0[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    }

    /// Returns the results in order. Panics if one is missing.
    fn all(self) -> Vec<R> {
        let mut all = Vec::with_capacity(self.0.len());
        for place in self.0 {
            let result = place.into_inner().unwrap_or_else(PoisonError::into_inner);
            all.push(result.expect("every number has a result"));
        }
        all
    }
}

/// Returns the result of `work` for each number below `count`, in order.
pub fn map<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let results = Results::new(count);
    each(count, |at| results.put(at, work(at)));
    results.all()
}

/// Like [`map`], for work that may fail. Fails as [`try_each`] does.
pub fn try_map<R: Send, E: Send>(count: usize, work: impl Fn(usize) -> Result<R, E> + Sync) -> Result<Vec<R>, E> {
    let results = Results::new(count);
    try_each(count, |at| {
        results.put(at, work(at)?);
        Ok(())
    })?;
    Ok(results.all())
}

/// Calls `work` with ranges that make up `0..count`, and joins the returned lists into one, in the order of the ranges.
/// All ranges but the last have at least `least` numbers.
pub fn flat_map<R: Send>(count: usize, least: usize, work: impl Fn(Range<usize>) -> Vec<R> + Sync) -> Vec<R> {
    let ranges = Ranges::of(count, least);
    joined(map(ranges.count(), |number| work(ranges.get(number))))
}

/// Like [`flat_map`], for work that may fail. Fails as [`try_each`] does.
pub fn try_flat_map<R: Send, E: Send>(
    count: usize,
    least: usize,
    work: impl Fn(Range<usize>) -> Result<Vec<R>, E> + Sync,
) -> Result<Vec<R>, E> {
    let ranges = Ranges::of(count, least);
    Ok(joined(try_map(ranges.count(), |number| work(ranges.get(number)))?))
}

fn joined<R>(parts: Vec<Vec<R>>) -> Vec<R> {
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    for mut part in parts {
        all.append(&mut part);
    }
    all
}

/// Returns the sum of the results of `work` for ranges that make up `0..count`. All ranges but the last have at least
/// `least` numbers.
pub fn sum(count: usize, least: usize, work: impl Fn(Range<usize>) -> u64 + Sync) -> u64 {
    let sum = AtomicU64::new(0);
    each_range(count, least, |range| _ = sum.fetch_add(work(range), Ordering::Relaxed));
    sum.into_inner()
}

/// Merges the results of `work` for all numbers below `count`. The order of merging is arbitrary, so `merge` must be
/// associative and commutative. A merge with the default value of `R` must change nothing.
pub fn reduce<R: Default + Send>(
    count: usize,
    work: impl Fn(usize) -> R + Sync,
    merge: impl Fn(R, R) -> R + Sync,
) -> R {
    match try_reduce(count, |at| Ok::<R, Infallible>(work(at)), merge) {
        Ok(merged) => merged,
        Err(never) => match never {},
    }
}

/// Like [`reduce`], for work that may fail. Fails as [`try_each`] does.
pub fn try_reduce<R: Default + Send, E: Send>(
    count: usize,
    work: impl Fn(usize) -> Result<R, E> + Sync,
    merge: impl Fn(R, R) -> R + Sync,
) -> Result<R, E> {
    let merged = try_fold(count, R::default, |own, at| {
        *own = merge(std::mem::take(own), work(at)?);
        Ok(())
    })?;
    Ok(merged.into_iter().reduce(merge).unwrap_or_default())
}

/// Like [`try_each`], for work that adds to a state. Two calls never use the same state at the same time. `start` makes
/// the states, about one for each thread. The function returns all states.
pub fn try_fold<S: Send, E: Send>(
    count: usize,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<(), E> + Sync,
) -> Result<Vec<S>, E> {
    let idle = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    try_each(count, |at| {
        let state = lock().pop();
        let mut state = state.unwrap_or_else(&start);
        work(&mut state, at)?;
        lock().push(state);
        Ok(())
    })?;
    Ok(idle.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Returns the result of `work` for each part of a list, in order. All parts but the last have `length` items, which
/// must not be 0.
pub fn map_parts<T: Sync, R: Send>(items: &[T], length: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    map(items.len().div_ceil(length), |number| work(&items[number * length..items.len().min((number + 1) * length)]))
}

/// The parts of a list. Only one thread at a time can use a part.
struct Parts<'a, T>(Vec<Mutex<&'a mut [T]>>);

impl<'a, T> Parts<'a, T> {
    fn of(items: &'a mut [T], length: usize) -> Parts<'a, T> {
        Parts(items.chunks_mut(length).map(Mutex::new).collect())
    }

    fn get(&self, number: usize) -> MutexGuard<'_, &'a mut [T]> {
        self.0[number].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls `work` with the index and the items of each part of a list. All parts but the last have `length` items, which
/// must not be 0.
pub fn each_part_mut<T: Send>(items: &mut [T], length: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    let parts = Parts::of(items, length);
    each(parts.0.len(), |number| work(number, &mut parts.get(number)));
}

/// Like [`each_part_mut`], for work that may fail. Fails as [`try_each`] does.
pub fn try_each_part_mut<T: Send, E: Send>(
    items: &mut [T],
    length: usize,
    work: impl Fn(usize, &mut [T]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let parts = Parts::of(items, length);
    try_each(parts.0.len(), |number| work(number, &mut parts.get(number)))
}

/// Returns the results of `work` for the parts of a list, in order. The parts and the arguments of `work` are those of
/// [`each_part_mut`].
pub fn map_parts_mut<T: Send, R: Send>(
    items: &mut [T],
    length: usize,
    work: impl Fn(usize, &mut [T]) -> R + Sync,
) -> Vec<R> {
    let parts = Parts::of(items, length);
    map(parts.0.len(), |number| work(number, &mut parts.get(number)))
}

/// Like [`map_parts_mut`], for work that may fail. Fails as [`try_each`] does.
pub fn try_map_parts_mut<T: Send, R: Send, E: Send>(
    items: &mut [T],
    length: usize,
    work: impl Fn(usize, &mut [T]) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let parts = Parts::of(items, length);
    try_map(parts.0.len(), |number| work(number, &mut parts.get(number)))
}

/// Sorts a list. Equal items may change places.
pub fn sort<T: Ord + Send>(items: &mut [T]) {
    items.par_sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: [usize; 6] = [0, 1, 2, 31, 1000, 40_003];

    /// Runs `check` in pools of one and of three threads, and in the global pool.
    fn in_pools(check: impl Fn() + Sync) {
        [1, 3].iter().for_each(|&threads| crate::threads::pool(threads).unwrap().install(&check));
        check();
    }

    #[test]
    fn every_number_comes_once() {
        in_pools(|| {
            for count in COUNTS {
                let calls: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
                let call = |at: usize| _ = calls[at].fetch_add(1, Ordering::Relaxed);
                each(count, call);
                each_task(count, call);
                each_range(count, 7, |range| range.for_each(call));
                assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) == 3), "{count}");
            }
        });
    }

    #[test]
    fn results_are_in_order() {
        in_pools(|| {
            for count in COUNTS {
                let numbers: Vec<usize> = (0..count).collect();
                assert_eq!(map(count, |at| at), numbers);
                assert_eq!(try_map(count, Ok::<_, ()>), Ok(numbers.clone()));
                assert_eq!(flat_map(count, 5, Vec::from_iter), numbers);
                assert_eq!(try_flat_map(count, 5, |range| Ok::<_, ()>(range.collect())), Ok(numbers.clone()));
                let all: u64 = (0..count as u64).sum();
                assert_eq!(sum(count, 3, |range| range.map(|at| at as u64).sum()), all);
                assert_eq!(reduce(count, |at| at as u64, |a, b| a + b), all);
                let add = |sum: &mut u64, at: usize| {
                    *sum += at as u64;
                    Ok::<_, ()>(())
                };
                assert_eq!(try_fold(count, || 0, add).unwrap().iter().sum::<u64>(), all);
                assert_eq!(map_parts(&numbers, 10, <[usize]>::to_vec).concat(), numbers);
                assert!(map_parts(&numbers, 10, <[usize]>::len).iter().rev().skip(1).all(|&length| length == 10));
                let mut doubled = numbers.clone();
                each_part_mut(&mut doubled, 10, |number, part| {
                    assert!(part.first().is_none_or(|&first| first == 10 * number));
                    part.iter_mut().for_each(|item| *item *= 2);
                });
                assert!(doubled.iter().zip(0..).all(|(&item, at)| item == 2 * at));
                doubled.reverse();
                sort(&mut doubled);
                assert!(doubled.is_sorted() && doubled.len() == count);
            }
        });
    }

    #[test]
    fn the_first_one_is_found() {
        in_pools(|| {
            assert_eq!(first(40_000, 10, |at| at % 7919 == 7918), Some(7918));
            assert_eq!(first(40_000, 10, |at| at > 40_000), None);
            assert_eq!(first(0, 10, |_| true), None);
        });
    }

    #[test]
    fn an_error_ends_the_work() {
        in_pools(|| {
            let calls = AtomicU64::new(0);
            let fails = |at: usize| {
                calls.fetch_add(1, Ordering::Relaxed);
                // Others wait for the error, so that not all of them begin before it.
                std::thread::sleep(std::time::Duration::from_micros(if at == 0 { 0 } else { 200 }));
                if at == 0 { Err("zero") } else { Ok(()) }
            };
            assert_eq!(try_each(10_000, fails), Err("zero"));
            assert!(calls.load(Ordering::Relaxed) < 1000);
            assert_eq!(try_map(100, fails), Err("zero"));
            assert_eq!(try_reduce(100, fails, |(), ()| ()), Err("zero"));
            assert_eq!(try_fold(100, || (), |(), at| fails(at)), Err("zero"));
            assert_eq!(try_flat_map(100, 1, |range| fails(range.start).map(|()| vec![0])), Err("zero"));
            assert_eq!(try_each_part_mut(&mut [0; 100], 7, |number, _| fails(number)), Err("zero"));
        });
    }
}
