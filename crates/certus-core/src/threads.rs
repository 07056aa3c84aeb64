//! Work spread over threads that end with the call, so that a process may fork afterwards.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::interrupt;

/// How many threads are used: `CERTUS_THREADS` where it is set to a whole number from 1 to 256, else one for each core.
#[must_use]
pub fn count() -> usize {
    // Asking the system reads files: longer than many a kernel takes.
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = || {
        *CORES
            .get_or_init(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
    };
    match std::env::var("CERTUS_THREADS")
        .ok()
        .and_then(|v| v.parse().ok())
    {
        Some(n @ 1..=256) => n,
        _ => cores(),
    }
}

/// Calls `work(i)` for each thread `i` and returns the results in that order. A panic in one is passed on.
///
/// While this thread waits for the others, it hears an interruption: see [`crate::interrupt`].
pub fn run<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    if threads <= 1 {
        return vec![work(0)];
    }
    let signal = interrupt::signal();
    // Nothing is sent: the channel closes when the last of the others has ended.
    let (running, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..threads)
            .map(|i| {
                let (running, signal) = (running.clone(), signal.clone());
                scope.spawn(move || {
                    let _running = running;
                    interrupt::helping(signal, || work(i))
                })
            })
            .collect();
        drop(running);
        let mut results = vec![work(0)];
        while ended.recv_timeout(interrupt::PAUSE) == Err(RecvTimeoutError::Timeout) {
            interrupt::poll();
        }
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

/// A part of the work in hand ought to take so long, so that an interruption is heard and asking costs nothing.
const LEAST: Duration = Duration::from_millis(2);
const MOST: Duration = Duration::from_millis(20);

/// The concatenation of `work(range)` over consecutive ranges of `0..items`, in order. How many ranges there are depends
/// on the number of threads and on how long they take, so the result is the same whatever they are only as long as
/// items do not depend on each other.
///
/// ```
/// let squares = certus_core::threads::map(5, 1, |range| range.map(|i| i * i).collect());
/// assert_eq!(squares, [0, 1, 4, 9, 16]);
/// ```
pub fn map<T: Send>(
    items: usize,
    at_least: usize,
    work: impl Fn(Range<usize>) -> Vec<T> + Sync,
) -> Vec<T> {
    let threads = count().min(items / at_least.max(1)).max(1);
    let bound = |i: usize| items / threads * i + (items % threads).min(i);
    let mut parts = run(threads, |i| {
        in_parts(bound(i)..bound(i + 1), at_least.max(1), &work)
    })
    .into_iter();
    let mut all = parts.next().unwrap_or_default();
    parts.for_each(|mut part| all.append(&mut part));
    all
}

/// The work on a range, in parts between which an interruption is heard.
fn in_parts<T>(range: Range<usize>, first: usize, work: impl Fn(Range<usize>) -> Vec<T>) -> Vec<T> {
    let (mut from, mut size) = (range.start, first);
    let mut all = Vec::new();
    loop {
        let to = range.end.min(from.saturating_add(size));
        let before = Instant::now();
        let mut part = work(from..to);
        if to == range.end && all.is_empty() {
            return part;
        }
        if from == range.start {
            // As much again for each item to come, so that growing does not copy what is there time and again.
            all.reserve_exact(part.len() * range.len().div_ceil(to - from));
        }
        all.append(&mut part);
        if to == range.end {
            return all;
        }
        let took = before.elapsed();
        if took < LEAST {
            size = size.saturating_mul(2);
        } else if took > MOST {
            size = (size / 2).max(1);
        }
        from = to;
        interrupt::poll();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_in_order_whatever_their_sizes() {
        let slow = |range: Range<usize>| {
            if range.start < 7 {
                std::thread::sleep(2 * MOST);
            }
            range.collect()
        };
        for (items, at_least) in [(0, 1), (1, 4), (9, 3), (1000, 4), (1000, 2000)] {
            let expected: Vec<usize> = (0..items).collect();
            assert_eq!(map(items, at_least, slow), expected);
        }
    }
}
