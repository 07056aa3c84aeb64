//! Long work that can be called off: whoever starts it says how to ask whether to go on, kernels look in between blocks.
//!
//! A kernel calls [`poll`] every few microseconds to milliseconds. That does nothing unless the kernel runs within
//! [`watch`]; then the calling thread asks every 50 ms, and once the answer is a reason to stop, it unwinds with that
//! reason to the one who called [`watch`], and threads that it started end at their next look. An unwinding is not a
//! panic here: no message is printed, and no kernel has to pass an error up that none of its callers can act on.

use std::any::Any;
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why work ends: what [`watch`] unwinds with.
pub type Reason = Box<dyn Any + Send>;

/// Time between two questions: short against the half second in which an interruption must act.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);
/// Steps of a loop between two looks of [`at`].
const STEPS: usize = 1 << 16;

struct Watch {
    /// Only the thread that was asked to work asks; threads that help it see `stop`.
    ask: Option<fn() -> Option<Reason>>,
    next: Instant,
    stop: Signal,
}

/// What threads that work together share.
#[derive(Clone, Default)]
pub(crate) struct Signal(Arc<AtomicBool>);

/// The work of a helping thread has been called off.
struct CalledOff;

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// Puts back what was watched before, however the work ends.
struct Restore(Option<Watch>);

impl Drop for Restore {
    fn drop(&mut self) {
        WATCH.set(self.0.take());
    }
}

/// Works while `ask` gives no reason to stop; it is asked every 50 ms, on this thread.
///
/// # Panics
///
/// Unwinds with the reason, which `std::panic::catch_unwind` gets.
///
/// ```
/// use certus_core::{bootstrap, interrupt};
///
/// let sums = interrupt::watch(|| None, || bootstrap::resample_sums(&[1.0, 2.0], 1, 10, 0));
/// assert_eq!(sums.len(), 10);
/// let endless = || interrupt::watch(|| Some(Box::new("enough")), || loop { interrupt::poll() });
/// let reason = std::panic::catch_unwind(endless).unwrap_err();
/// assert_eq!(reason.downcast_ref::<&str>(), Some(&"enough"));
/// ```
pub fn watch<T>(ask: fn() -> Option<Reason>, work: impl FnOnce() -> T) -> T {
    within(Some(ask), Signal::default(), work)
}

/// Works in a thread that helps one with this signal.
pub(crate) fn helping<T>(signal: Option<Signal>, work: impl FnOnce() -> T) -> T {
    match signal {
        Some(stop) => within(None, stop, work),
        None => work(),
    }
}

fn within<T>(ask: Option<fn() -> Option<Reason>>, stop: Signal, work: impl FnOnce() -> T) -> T {
    let next = Instant::now() + PAUSE;
    let _restore = Restore(WATCH.replace(Some(Watch { ask, next, stop })));
    work()
}

/// The signal that threads which help this one must hear.
pub(crate) fn signal() -> Option<Signal> {
    WATCH.with_borrow(|watch| watch.as_ref().map(|watch| watch.stop.clone()))
}

/// Looks whether the work is called off.
///
/// # Panics
///
/// Unwinds if so: see [`watch`].
pub fn poll() {
    // Python runs handlers of its own when asked, which may call kernels: nothing is borrowed meanwhile.
    let ask = WATCH.with_borrow_mut(|watch| {
        let watch = watch.as_mut()?;
        if watch.ask.is_none() {
            let stop = watch.stop.0.load(Ordering::Relaxed);
            return stop.then_some(None);
        }
        let now = Instant::now();
        if now < watch.next {
            return None;
        }
        watch.next = now + PAUSE;
        Some(watch.ask)
    });
    match ask {
        None => {}
        Some(None) => resume_unwind(Box::new(CalledOff)),
        Some(Some(ask)) => {
            if let Some(reason) = ask() {
                if let Some(signal) = signal() {
                    signal.0.store(true, Ordering::Relaxed);
                }
                resume_unwind(reason);
            }
        }
    }
}

/// The ranges of up to 65,536 numbers that make up `0..n`, with a [`poll`] before each but the first: for loops so tight
/// that [`at`] would be felt.
pub fn blocks(n: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..n).step_by(STEPS).map(move |from| {
        if from > 0 {
            poll();
        }
        from..n.min(from + STEPS)
    })
}

/// [`poll`] at each 65,536th step of a loop over single numbers, where a look at each would be felt.
#[inline]
pub fn at(step: usize) {
    if step % STEPS == STEPS - 1 {
        poll();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::threads;
    use std::panic::catch_unwind;

    fn enough() -> Option<Reason> {
        Some(Box::new("enough"))
    }

    #[test]
    fn all_threads_end_with_the_reason_of_the_first() {
        // Thread 0 waits for the others, or the others for it: none of them ends by itself.
        for waiting in [0, 1] {
            let work = move |i: usize| {
                if i != waiting {
                    loop {
                        poll();
                    }
                }
            };
            let found = catch_unwind(|| watch(enough, || threads::run(3, work)));
            assert_eq!(found.unwrap_err().downcast_ref::<&str>(), Some(&"enough"));
        }
    }

    #[test]
    fn blocks_are_the_whole_range() {
        for n in [0, 1, STEPS - 1, STEPS, STEPS + 1, 3 * STEPS] {
            assert!(blocks(n).flatten().eq(0..n));
        }
    }

    #[test]
    fn what_was_watched_before_is_watched_again() {
        let inner = || {
            watch(|| None, poll);
            loop {
                poll();
            }
        };
        let found = catch_unwind(|| watch(enough, inner));
        assert!(found.is_err());
        // Nothing is watched now.
        std::thread::sleep(2 * PAUSE);
        poll();
    }

    #[test]
    fn helpers_of_helpers_end_too() {
        let deep = |_| {
            threads::run(2, |_| {
                loop {
                    poll();
                }
            })
        };
        let found = catch_unwind(|| watch(enough, || threads::run(2, deep)));
        assert_eq!(found.unwrap_err().downcast_ref::<&str>(), Some(&"enough"));
    }
}
