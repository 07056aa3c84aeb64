//! The tail of a sum with random signs by listing: every sum of one half of the values against every sum of the other.

use crate::interrupt;
use crate::underflow::flushed;

/// The sum of all values, in whole steps.
const WHOLE: f64 = (1u64 << 60) as f64;
/// Sums at most this many steps apart become one: over 300 values that moves a sum by 1.4e-13 of the whole.
const NEAR: i64 = 512;
/// Beyond every sum.
const END: i64 = 1 << 62;

/// The probability that positive `values` with random signs have a sum of at least `observed`; None where more than
/// `most` sums would have to be listed at once.
///
/// The values are rounded to 2^-60 of their sum, and sums that are equal up to rounding are one: the lists of equal
/// values, and of those on a lattice, stay short. One list takes the values from the largest down and keeps only the sums
/// that the values left can still bring to either side of `observed`: few, where the values differ much in size. A second
/// list takes them from the smallest up, and the two meet.
///
/// ```
/// use certus_core::signflip::listed_at_least;
/// // of 3, 2 and 1 the sums 6, 4 and 2 (3 - 2 + 1) reach 2
/// assert_eq!(listed_at_least(&[1.0, 2.0, 3.0], 1.5, 10), Some(3.0 / 8.0));
/// assert_eq!(listed_at_least(&[1.0, 2.0, 3.0], 1.5, 0), None);
/// ```
#[must_use]
pub fn listed_at_least(values: &[f64], observed: f64, most: usize) -> Option<f64> {
    let total: f64 = values.iter().sum();
    if values.is_empty() {
        return Some(if observed <= 0.0 { 1.0 } else { 0.0 });
    }
    if !(total.is_finite() && values.iter().all(|&value| value > 0.0)) {
        return None;
    }
    // of the ratio: twice the total may be infinite
    let observed = (observed / total).clamp(-2.0, 2.0);
    let rounded = values.iter().map(|v| (v / total * WHOLE).round() as i64);
    let mut steps: Vec<i64> = rounded.collect();
    steps.sort_unstable();
    let whole: i64 = steps.iter().sum();
    // S = 2 T - whole, where T is the sum of the values with a positive sign.
    let target = ((observed * WHOLE + whole as f64) / 2.0).ceil() as i64;
    let (mut large, mut small, mut spare) = (Half::empty(), Half::empty(), Half::empty());
    let (mut low, mut high) = (0, steps.len());
    while low < high && large.len() > 0 {
        interrupt::poll();
        let (half, step, decided) = if small.len() < large.len() {
            low += 1;
            (&mut small, steps[low - 1], END)
        } else {
            high -= 1;
            (&mut large, steps[high], target)
        };
        half.greatest += step;
        half.extend(step, target - (whole - half.greatest), decided, &mut spare);
        if half.len() > most {
            return None;
        }
    }
    Some(large.reached + large.meet(&small, target))
}

/// The sums of some of the values, ascending, and their chances.
struct Half {
    /// One more than there are sums: the last is beyond them all.
    sums: Vec<i64>,
    chances: Vec<f64>,
    greatest: i64,
    /// Chance of the sums that are large enough by themselves and no longer listed.
    reached: f64,
}

impl Half {
    fn empty() -> Self {
        Half {
            sums: vec![0, END],
            chances: vec![1.0, 0.0],
            greatest: 0,
            reached: 0.0,
        }
    }

    fn len(&self) -> usize {
        self.sums.len() - 1
    }

    /// Takes or leaves a further step; sums below `least` are dropped, those from `decided` on are counted.
    fn extend(&mut self, step: i64, least: i64, decided: i64, spare: &mut Half) {
        let count = self.len();
        let (sums, chances) = (&self.sums[..=count], &self.chances[..=count]);
        let before = |sum: i64| sums[..count].partition_point(|&each| each < sum);
        let (mut left, mut taken) = (before(least), before(least - step));
        let (stays, rises) = (before(decided), before(decided - step));
        let certain = chances[stays..count].iter().chain(&chances[rises..count]);
        self.reached += 0.5 * certain.sum::<f64>();
        let both = stays + rises - left - taken;
        spare.sums.resize(both + 1, 0);
        spare.chances.resize(both + 1, 0.0);
        let (mut used, mut last) = (0, -END);
        for _ in 0..both {
            let (stays, rises) = (sums[left], sums[taken] + step);
            let stay = stays <= rises;
            let sum = if stay { stays } else { rises };
            let half = 0.5 * chances[if stay { left } else { taken }];
            let chance = flushed(half, f64::MIN_POSITIVE);
            left += usize::from(stay);
            taken += usize::from(!stay);
            if sum - last <= NEAR {
                spare.chances[used - 1] += chance;
            } else {
                spare.sums[used] = sum;
                spare.chances[used] = chance;
                last = sum;
                used += 1;
            }
        }
        spare.sums[used] = END;
        spare.sums.truncate(used + 1);
        spare.chances.truncate(used + 1);
        std::mem::swap(&mut self.sums, &mut spare.sums);
        std::mem::swap(&mut self.chances, &mut spare.chances);
    }

    /// The probability that a sum of this half and one of the other reach the target.
    fn meet(&self, other: &Half, target: i64) -> f64 {
        let (mut from, mut tail, mut found) = (other.len(), 0.0, 0.0);
        for (sum, chance) in self.sums.iter().zip(&self.chances).take(self.len()) {
            while from > 0 && other.sums[from - 1] >= target - sum {
                from -= 1;
                tail += other.chances[from];
            }
            found += chance * tail;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::underflow::census;

    #[test]
    fn sums_at_the_end_of_the_range_are_compared_with_infinity() {
        let listed = |observed| listed_at_least(&[f64::MAX, 1.0], observed, 10);
        assert_eq!(listed(f64::NEG_INFINITY), Some(1.0));
        assert_eq!(listed(f64::INFINITY), Some(0.0));
    }

    fn naive(values: &[f64], observed: f64) -> f64 {
        let reached = (0..1u32 << values.len())
            .filter(|choice| {
                let signed = values.iter().enumerate().map(|(place, value)| {
                    if choice >> place & 1 == 1 {
                        *value
                    } else {
                        -value
                    }
                });
                signed.sum::<f64>() >= observed
            })
            .count();
        reached as f64 / f64::from(1u32 << values.len())
    }

    #[test]
    fn listing_halves_is_counting() {
        for values in [
            &[0.3][..],
            &[0.1, 0.1, 0.1],
            &[0.7, 0.35, 0.35, 0.2, 1e-3],
            &[0.61, 0.11, 0.45, 0.4, 0.9, 0.2, 30.0, 0.3, 0.33, 0.71, 0.44],
        ] {
            let total: f64 = values.iter().sum();
            for part in -21..=21 {
                let observed = total * (f64::from(part) / 20.0 + 1e-9);
                assert_eq!(
                    listed_at_least(values, observed, 1 << 10),
                    Some(naive(values, observed))
                );
            }
        }
    }

    #[test]
    fn lists_of_values_on_a_lattice_stay_short() {
        // 100 multiples of 0.1 less 0.0123: a sum is known by how many were taken and by their sum.
        let values: Vec<f64> = (0..100)
            .map(|i| f64::from(i % 9 + 1) * 0.1 - 0.0123)
            .collect();
        assert!(listed_at_least(&values, 10.0, 1 << 14).is_some());
        assert!(listed_at_least(&values, 10.0, 1 << 8).is_none());
    }

    #[test]
    fn no_subnormal_number_circulates() {
        let values: Vec<f64> = [1.0; 4_000]
            .into_iter()
            .chain((1..9).map(|i| 1.0 / f64::from(1 << i)))
            .collect();
        let listed = || listed_at_least(&values, 60.0, 1 << 20);
        let (flushed, left) = census::compared(0.005, listed);
        assert_eq!(flushed, left);
        assert!(
            flushed.is_some_and(|p| (p - 0.1725).abs() < 0.01),
            "{flushed:?}"
        );
    }
}
