//! Products that sink towards 0: set to 0 before they are subnormal, as these cost an Intel core over a hundred cycles each.
//!
//! A subnormal number also stays where it is: the smallest times 0.6 rounds to itself.

/// Weights below this change no sum of doubles that begins with a weight near 1.
pub(crate) const NEGLIGIBLE: f64 = 1e-290;

/// The value, or 0 where it is smaller than `bound`.
#[inline]
pub(crate) fn flushed(value: f64, bound: f64) -> f64 {
    #[cfg(test)]
    if census::note(value) {
        return value;
    }
    if value.abs() < bound { 0.0 } else { value }
}

/// Sets the values that are smaller than `bound` to 0.
#[inline]
pub(crate) fn flush(values: &mut [f64], bound: f64) {
    for value in values {
        *value = flushed(*value, bound);
    }
}

/// Counts what [`flushed`] meets on this thread.
#[cfg(test)]
pub(crate) mod census {
    use std::cell::Cell;

    thread_local! {
        static IDLE: Cell<bool> = const { Cell::new(false) };
        static SEEN: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    }

    /// Counts the value, and answers whether to leave it.
    pub(super) fn note(value: f64) -> bool {
        let (all, subnormal) = SEEN.get();
        SEEN.set((all + 1, subnormal + usize::from(value.is_subnormal())));
        IDLE.get()
    }

    /// The share of subnormal numbers among the values that `work` gives to [`super::flushed`].
    fn share<T>(idle: bool, work: impl FnOnce() -> T) -> (T, f64) {
        SEEN.set((0, 0));
        IDLE.set(idle);
        let result = work();
        IDLE.set(false);
        let (all, subnormal) = SEEN.get();
        (result, subnormal as f64 / all.max(1) as f64)
    }

    /// The results of `work` with and without the flush; it must keep the share of subnormal numbers below 0.001,
    /// where without it they are at least `least`.
    pub(crate) fn compared<T>(least: f64, work: impl Fn() -> T) -> (T, T) {
        let (flushed, few) = share(false, &work);
        let (left, many) = share(true, &work);
        assert!(few < 1e-3, "{few} of the values are subnormal");
        assert!(many >= least, "only {many} would be without the flush");
        (flushed, left)
    }
}
