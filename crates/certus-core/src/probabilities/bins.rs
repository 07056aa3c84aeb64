//! Probabilities and outcomes by bins of equal width.

use crate::exact::Sum;
use crate::{simd, threads};

/// Samples whose bins are found together; small enough for the first cache.
const BLOCK: usize = 512;
/// Samples of one piece of work of a thread, or so many for each bin where that is more: each piece has its own bins.
const TASK: usize = 1 << 18;
const TASK_PER_BIN: usize = 8;
/// Bins there may be.
const MOST: usize = 1 << 30;
/// Binary places of a probability that are summed as a whole number.
const PLACES: u32 = 62;
/// Where the last of them stands in an exact sum, whose first place is 2^-1074.
const LAST: usize = 1074 - PLACES as usize;

/// Of each bin the number of samples, how many of them came true, and the sum of their probabilities, rounded once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bins {
    pub counts: Vec<u64>,
    pub positives: Vec<u64>,
    pub sums: Vec<f64>,
}

/// What is known of a bin; kept together, as every sample changes all of it.
#[derive(Clone, Copy, Default)]
struct Bin {
    sum: u128,
    counts: [u64; 2],
}

/// Counts and sums in `size` bins: bin b holds what lies above `b * (1 / size)` and up to `(b + 1) * (1 / size)`, of these
/// products as floats; the first holds 0 too, the last all up to 1.
///
/// # Errors
///
/// The columns differ in length, there is no bin, or a number is no probability.
///
/// ```
/// use certus_core::probabilities::uniform_bins;
/// let found = uniform_bins(&[0.0, 0.5, 0.75], &[false, true, true], 2)?;
/// assert_eq!((found.counts, found.positives, found.sums), (vec![2, 1], vec![1, 1], vec![0.5, 0.75]));
/// # Ok::<(), String>(())
/// ```
pub fn uniform_bins(probabilities: &[f64], outcomes: &[bool], size: usize) -> Result<Bins, String> {
    let n = probabilities.len();
    if outcomes.len() != n {
        return Err(format!("{n} probabilities but {} outcomes", outcomes.len()));
    }
    if !(1..=MOST).contains(&size) {
        return Err(format!(
            "there are {size} bins; there must be from 1 to {MOST}"
        ));
    }
    let task = TASK.max(size * TASK_PER_BIN);
    let parts = threads::map(n.div_ceil(task), 1, |tasks| {
        let range = tasks.start * task..n.min(tasks.end * task);
        vec![Part::of(
            &probabilities[range.clone()],
            &outcomes[range],
            size,
        )]
    });
    let mut all = Part::new(size);
    for part in parts {
        all.merge(part.ok_or("a probability is from 0 to 1")?);
    }
    Ok(all.rounded())
}

simd::widest! {
/// Writes the bin of each probability and its binary places as a whole number, cut off; whether all are probabilities.
fn place(probabilities: &[f64], size: f64, bins: &mut [u32], wholes: &mut [i64]) -> bool {
    let (step, most, unit) = (1.0 / size, size - 1.0, (1_u64 << PLACES) as f64);
    let mut fine = true;
    for ((&p, bin), whole) in probabilities.iter().zip(bins).zip(wholes) {
        fine &= p >= 0.0;
        fine &= p <= 1.0;
        let p = if p > 1.0 { 1.0 } else { p };
        // Rounding puts a product at most one bin off.
        let near = (p * size).trunc();
        let near = if near < most { near } else { most };
        let below = if p <= near * step { 1.0 } else { 0.0 };
        let above = if p > (near + 1.0) * step { 1.0 } else { 0.0 };
        let found = near + above - below;
        let found = if found < most { found } else { most };
        *bin = (if found > 0.0 { found } else { 0.0 }) as u32;
        *whole = (p * unit) as i64;
    }
    fine
}
}

struct Part {
    bins: Vec<Bin>,
    /// The sums of numbers with more binary places; these are below 2^-9, so only the first bins have them.
    small: Vec<Sum>,
}

impl Part {
    fn new(size: usize) -> Self {
        Part {
            bins: vec![Bin::default(); size],
            small: Vec::new(),
        }
    }

    fn of(probabilities: &[f64], outcomes: &[bool], size: usize) -> Option<Self> {
        let mut part = Part::new(size);
        let (mut bins, mut wholes) = ([0_u32; BLOCK], [0_i64; BLOCK]);
        let unit = (1_u64 << PLACES) as f64;
        for (p, y) in probabilities.chunks(BLOCK).zip(outcomes.chunks(BLOCK)) {
            if !place(p, size as f64, &mut bins, &mut wholes) {
                return None;
            }
            for (((&p, &y), &bin), &whole) in p.iter().zip(y).zip(&bins).zip(&wholes) {
                let held = &mut part.bins[bin as usize];
                held.counts[usize::from(y)] += 1;
                if whole as f64 == p * unit {
                    held.sum += whole as u128;
                } else {
                    part.small(bin as usize).add(p);
                }
            }
        }
        Some(part)
    }

    #[cold]
    fn small(&mut self, bin: usize) -> &mut Sum {
        if self.small.len() <= bin {
            self.small.resize(bin + 1, Sum::default());
        }
        &mut self.small[bin]
    }

    fn merge(&mut self, other: Self) {
        for (bin, more) in self.bins.iter_mut().zip(other.bins) {
            bin.sum += more.sum;
            bin.counts[0] += more.counts[0];
            bin.counts[1] += more.counts[1];
        }
        for (bin, more) in other.small.iter().enumerate() {
            self.small(bin).merge(more);
        }
    }

    fn rounded(mut self) -> Bins {
        let sums = self.bins.iter().enumerate().map(|(place, bin)| {
            let mut none = Sum::default();
            let sum = self.small.get_mut(place).unwrap_or(&mut none);
            sum.add_whole(bin.sum, LAST, false);
            sum.rounded()
        });
        Bins {
            sums: sums.collect(),
            counts: self
                .bins
                .iter()
                .map(|bin| bin.counts[0] + bin.counts[1])
                .collect(),
            positives: self.bins.iter().map(|bin| bin.counts[1]).collect(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::exact;
    use crate::fuzz::Random;

    #[test]
    fn bins_hold_what_a_search_puts_into_them() {
        let mut random = Random::new(3);
        for size in [1, 2, 3, 10, 15, 49, 1000] {
            let mut edges: Vec<f64> = (0..size).map(|i| i as f64 * (1.0 / size as f64)).collect();
            edges.push(1.0);
            let mut p: Vec<f64> = (0..30_000)
                .map(|i| random.below(1 << 53) as f64 / 2_f64.powi(53 + i % 7 * 12))
                .collect();
            p.extend(edges.iter().flat_map(|e| [*e, e.next_up(), e.next_down()]));
            p.retain(|p| (0.0..=1.0).contains(p));
            p.extend([5e-324, 1e-310, 1e-30]);
            let y: Vec<bool> = p.iter().map(|_| random.below(2) == 1).collect();
            let found = uniform_bins(&p, &y, size).unwrap();
            let bin = |p: f64| edges[1..size].partition_point(|&edge| edge < p);
            for place in 0..size {
                let here = || p.iter().zip(&y).filter(|(p, _)| bin(**p) == place);
                let held: Vec<f64> = here().map(|(p, _)| *p).collect();
                assert_eq!(found.counts[place], held.len() as u64);
                assert_eq!(
                    found.positives[place],
                    here().filter(|(_, y)| **y).count() as u64
                );
                assert_eq!(found.sums[place], exact::of_values(&held).rounded());
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(uniform_bins(&[0.5], &[], 1).is_err());
        assert!(uniform_bins(&[], &[], 0).is_err());
        for p in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(uniform_bins(&[p], &[true], 1).is_err());
        }
    }
}
