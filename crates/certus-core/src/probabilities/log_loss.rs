//! The log loss of each sample, and what a mean of them and its interval are made of, in one pass.

use std::ops::Range;

use super::logarithm::surprise;
use crate::moments::{self, BLOCK, Moments};
use crate::{simd, threads};

/// Samples of one piece of work of a thread.
const TASK: usize = 64 * BLOCK;
/// Pieces of work below which no second thread is worth it.
const TASKS_PER_THREAD: usize = 4;

/// A probability for each sample, in the width it came in.
#[derive(Clone, Copy, Debug)]
pub enum Probabilities<'a> {
    Single(&'a [f32]),
    Double(&'a [f64]),
}

impl Probabilities<'_> {
    fn len(&self) -> usize {
        match self {
            Probabilities::Single(values) => values.len(),
            Probabilities::Double(values) => values.len(),
        }
    }

    /// Calls `work` with up to a block of them as doubles.
    #[inline]
    fn with(&self, range: Range<usize>, work: impl FnOnce(&[f64])) {
        match self {
            Probabilities::Double(values) => work(&values[range]),
            Probabilities::Single(values) => {
                let mut wide = [0.0; BLOCK];
                let size = range.len();
                let pairs = wide.iter_mut().zip(&values[range]);
                pairs.for_each(|(wide, &value)| *wide = f64::from(value));
                work(&wide[..size]);
            }
        }
    }
}

/// The sum of the losses, rounded once, and their moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogLoss {
    pub sum: f64,
    pub moments: Moments,
}

/// `-ln p` of samples whose true class had the probability p, or 1 - p where `hits` is false; kept between two limits.
struct Losses<'a> {
    probabilities: Probabilities<'a>,
    hits: &'a [bool],
    least: f64,
    greatest: f64,
}

impl<'a> Losses<'a> {
    fn of(
        probabilities: Probabilities<'a>,
        hits: &'a [bool],
        [least, greatest]: [f64; 2],
    ) -> Result<Self, String> {
        if probabilities.len() != hits.len() {
            let (p, y) = (probabilities.len(), hits.len());
            return Err(format!("{p} probabilities but {y} outcomes"));
        }
        Ok(Self {
            probabilities,
            hits,
            least,
            greatest,
        })
    }

    fn write(&self, range: Range<usize>, found: &mut [f64]) {
        let hits = &self.hits[range.clone()];
        let clip = self.least > 0.0 || self.greatest < f64::INFINITY;
        self.probabilities.with(range, |p| {
            let found = &mut found[..p.len()];
            surprise(p, hits, found);
            if clip {
                keep_between(self.least, self.greatest, found);
            }
        });
    }

    /// The parts of a task, of up to a block each.
    fn blocks(&self, task: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let end = self.hits.len().min((task + 1) * TASK);
        (task * TASK..end)
            .step_by(BLOCK)
            .map(move |from| from..end.min(from + BLOCK))
    }

    fn tasks(&self) -> usize {
        self.hits.len().div_ceil(TASK)
    }
}

simd::widest! {
fn keep_between(least: f64, greatest: f64, losses: &mut [f64]) -> () {
    for loss in losses {
        let above = if *loss < least { least } else { *loss };
        *loss = if above > greatest { greatest } else { above };
    }
}
}

/// The losses of samples, `-ln p` where `hits` is true and `-ln(1 - p)` where it is not, within limits.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// use certus_core::probabilities::{Probabilities, log_losses};
/// let p = Probabilities::Double(&[0.5, 1.0, 1.0]);
/// let found = log_losses(p, &[true, true, false], [0.0, 36.0])?;
/// assert_eq!(found, [std::f64::consts::LN_2, 0.0, 36.0]);
/// # Ok::<(), String>(())
/// ```
pub fn log_losses(
    probabilities: Probabilities,
    hits: &[bool],
    limits: [f64; 2],
) -> Result<Vec<f64>, String> {
    let losses = Losses::of(probabilities, hits, limits)?;
    Ok(threads::map(losses.tasks(), TASKS_PER_THREAD, |tasks| {
        let mut found = Vec::new();
        for range in tasks.flat_map(|task| losses.blocks(task)) {
            let start = found.len();
            found.resize(start + range.len(), 0.0);
            losses.write(range, &mut found[start..]);
        }
        found
    }))
}

/// The sum and the moments of the losses, without an array of them.
///
/// # Errors
///
/// The two columns differ in length.
///
/// ```
/// use certus_core::probabilities::{Probabilities, log_loss};
/// let found = log_loss(Probabilities::Single(&[0.5, 0.5]), &[true, false], [0.0, 36.0])?;
/// assert_eq!((found.sum, found.moments.second), (2.0 * std::f64::consts::LN_2, 0.0));
/// # Ok::<(), String>(())
/// ```
pub fn log_loss(
    probabilities: Probabilities,
    hits: &[bool],
    limits: [f64; 2],
) -> Result<LogLoss, String> {
    let losses = Losses::of(probabilities, hits, limits)?;
    let (sum, moments) = moments::of_blocks(hits.len(), |range, found| losses.write(range, found));
    Ok(LogLoss { sum, moments })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::exact;

    #[test]
    fn blocks_give_what_an_array_of_losses_gives() {
        for n in [0, 1, 7, 1024, 1025, 300_001] {
            let p: Vec<f64> = (0..n).map(|i| (i % 977) as f64 / 976.0).collect();
            let single: Vec<f32> = p.iter().map(|&p| p as f32).collect();
            let hits: Vec<bool> = (0..n).map(|i| i % 3 == 0).collect();
            for p in [Probabilities::Double(&p), Probabilities::Single(&single)] {
                let losses = log_losses(p, &hits, [1e-16, 36.0]).unwrap();
                let found = log_loss(p, &hits, [1e-16, 36.0]).unwrap();
                assert_eq!(found.sum, exact::of_values(&losses).rounded());
                assert_eq!(found.moments, moments::of_values(&losses));
            }
        }
    }

    #[test]
    fn impossible_events_cost_infinitely_much_without_limits() {
        let p = Probabilities::Double(&[0.0, 1.0]);
        let none = [0.0, f64::INFINITY];
        let losses = log_losses(p, &[true, true], none).unwrap();
        assert_eq!(losses, [f64::INFINITY, 0.0]);
        assert!(losses[1].is_sign_positive());
        let found = log_loss(p, &[true, true], none).unwrap();
        assert_eq!(found.sum, f64::INFINITY);
        assert!(log_losses(p, &[true], none).is_err());
    }
}
