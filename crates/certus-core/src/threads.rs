//! Work spread over threads that end with the call, so that a process may fork afterwards.

use std::ops::Range;
use std::sync::OnceLock;

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
pub fn run<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    if threads <= 1 {
        return vec![work(0)];
    }
    std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..threads).map(|i| scope.spawn(move || work(i))).collect();
        let mut results = vec![work(0)];
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

/// The concatenation of `work(range)` over consecutive ranges of `0..items`, in order, so the result
/// does not depend on the number of threads as long as items do not depend on each other.
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
    let mut parts = run(threads, |i| work(bound(i)..bound(i + 1))).into_iter();
    let mut all = parts.next().unwrap_or_default();
    parts.for_each(|mut part| all.append(&mut part));
    all
}
