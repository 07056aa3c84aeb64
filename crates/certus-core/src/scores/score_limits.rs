//! Limits for an area whose variance is that of the limit itself: `certus.inference.intervals.score_delong` has the
//! formulas and their reasons.

use std::cell::RefCell;

use super::parts::Losses;
use crate::special::TQuantiles;
use crate::threads;

/// Units that lose pairs with which DeLong's variance counts as much as the model's.
const EVIDENCE: f64 = 7.0;
/// Units that lose pairs, up to this number, tell nothing of others that might lose more.
const FEW: f64 = 3.0;
/// Greatest loss over the mean loss: up to the first no unit has lost more than others, from the second on some have.
const ALIKE: (f64, f64) = (2.5, 3.5);
const TINY: f64 = 1e-300;
/// A probability nearer to the tail than this part of it is computed in numbers of twice the precision.
const CLOSE: f64 = 1e-6;
const STEPS: usize = 200;
const CONVERGED: f64 = 1e-9;
const TERMS: usize = 10_000;
const AREAS_PER_TASK: usize = 1024;

/// A sample of units, positives or negatives.
#[derive(Clone, Copy, Debug)]
pub struct AreaSample {
    pub size: f64,
    /// The variance of the influence values, and its degrees of freedom.
    pub variance: f64,
    pub freedom: f64,
}

/// The limits of an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AreaLimits {
    pub low: f64,
    pub high: f64,
    /// The limit that is nearer to 1/2 may be farther off than that of pairs that share no unit.
    pub far: bool,
}

/// Limits of areas with one error probability on either side.
pub struct ScoreLimits {
    tail: f64,
    ln_tail: f64,
    /// None at 1/2, where all quantiles are 0.
    quantiles: Option<TQuantiles>,
}

impl AreaLimits {
    const UNKNOWN: Self = Self {
        low: f64::NAN,
        high: f64::NAN,
        far: true,
    };
}

impl ScoreLimits {
    /// None for a tail that does not lie between 0 and 1, 1e-60 from both. Beyond 1/2 a quantile has the other sign, which does not enter.
    #[must_use]
    pub fn new(tail: f64) -> Option<Self> {
        let quantiles = TQuantiles::new(tail.min(1.0 - tail));
        if quantiles.is_none() && tail != 0.5 {
            return None;
        }
        Some(Self {
            tail,
            ln_tail: tail.ln(),
            quantiles,
        })
    }

    /// The limits of one area between 0 and 1; None where the losses are asked for. `Some(None)` says that there are
    /// none.
    ///
    /// ```
    /// use certus_core::scores::{AreaSample, ScoreLimits};
    /// let sample = AreaSample { size: 50.0, variance: 0.05, freedom: 49.0 };
    /// let found = ScoreLimits::new(0.025).unwrap().of(0.75, &[sample; 2], Some(None)).unwrap();
    /// assert_eq!((format!("{:.3}", found.low), format!("{:.3}", found.high)), ("0.651".into(), "0.833".into()));
    /// ```
    pub fn of(
        &mut self,
        area: f64,
        samples: &[AreaSample; 2],
        losses: Option<Option<[Losses; 2]>>,
    ) -> Option<AreaLimits> {
        let rest = 1.0 - area;
        let lost = area.min(rest);
        let square = lost * lost;
        let losing = samples
            .iter()
            .map(|s| s.size * square / ((1.0 - 1.0 / s.size) * s.variance + square))
            .fold(f64::INFINITY, f64::min);
        let weight = losing / (losing + EVIDENCE);
        let model = model(area, rest) + TINY;
        let ratios = samples.map(|s| s.variance / model);
        let parts: [f64; 2] = std::array::from_fn(|i| {
            let least = ratios[i].max(1.0 + 1.0 / losing);
            (weight * ratios[i] + (1.0 - weight) * least) / samples[i].size
        });
        let scale = parts[0] + parts[1];
        let estimated: f64 = (0..2)
            .map(|i| (weight * ratios[i] / samples[i].size / scale).powi(2) / samples[i].freedom)
            .sum();
        let freedom = (1.0 / estimated.max(TINY)).max(1.0);
        let quantile = self
            .quantiles
            .as_mut()
            .map_or(0.0, |each| each.upper(freedom));
        let reach = quantile * quantile * scale;
        if reach.is_nan() || !(area > 0.0 && area < 1.0) {
            return Some(AreaLimits::UNKNOWN);
        }
        let ((below, mut low), (above, left)) =
            (reached(rest, area, reach), reached(area, rest, reach));
        let mut high = if area < 0.5 { area + above } else { 1.0 - left };
        // The distance of the limit that is nearer to 1/2.
        let upper = area >= 0.5;
        let mut near = if upper { below } else { above };
        let pairs = samples[0].size.min(samples[1].size);
        let unseen = self.unseen(pairs);
        if near < unseen {
            // `unseen` is the most that can be asked for: only here are the losses looked at.
            let rarely = self.rarely_lost(samples, lost, losses?);
            near = near.max((unseen / (losing / FEW).max(1.0) - lost).max(rarely));
            if upper {
                low = area - near;
            } else {
                high = area + near;
            }
        }
        let far = !self.within(lost + near, pairs * lost + 1.0, pairs * (1.0 - lost));
        Some(AreaLimits { low, high, far })
    }

    /// The greatest share of units of which there is none among as many with the probability of the tail.
    fn unseen(&self, size: f64) -> f64 {
        -(self.ln_tail / size).exp_m1()
    }

    /// The least distance of the limit by the losses of few units, and by half the pairs.
    fn rarely_lost(
        &self,
        samples: &[AreaSample; 2],
        lost: f64,
        losses: Option<[Losses; 2]>,
    ) -> f64 {
        let Some(losses) = losses else {
            return f64::NEG_INFINITY;
        };
        let half = (0..2).fold(0.0_f64, |half, i| {
            let share = (ALIKE.1 - (1.0 + losses[i].greatest / lost)) / (ALIKE.1 - ALIKE.0);
            half.max(share.clamp(0.0, 1.0) * (0.5 - lost) * self.unseen(samples[i].size))
        });
        let [a, b] = losses;
        let fewer = if (a.beyond, a.mean) <= (b.beyond, b.mean) {
            a
        } else {
            b
        };
        let pairs = samples[0].size.min(samples[1].size);
        (self.unseen(pairs) / fewer.beyond - fewer.mean).max(half)
    }

    /// Whether a beta distribution has more than the tail beyond x: the terms of its series, all positive, show it.
    fn within(&self, x: f64, a: f64, b: f64) -> bool {
        let y = 1.0 - x;
        if !(x > 0.0 && y > 0.0 && b > 0.0) {
            return false;
        }
        let kernel =
            a * x.ln() + b * (-x).ln_1p() + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b + 1.0);
        let wanted = (self.ln_tail - kernel).exp() * (1.0 + CLOSE);
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..TERMS {
            if sum > wanted {
                return true;
            }
            let k = k as f64;
            term *= (a + b + k - 1.0) * y / (b + k);
            sum += term;
            if term < sum * 1e-9 {
                break;
            }
        }
        sum > wanted
    }
}

thread_local! {
    /// The limits of the tails that were asked for last, with their quantiles.
    static KNOWN: RefCell<Vec<ScoreLimits>> = const { RefCell::new(Vec::new()) };
}
const REMEMBERED: usize = 8;

/// The same as [`ScoreLimits::of`] of one area; tails that come again are remembered.
///
/// # Errors
///
/// The tail does not lie between 0 and 1.
pub fn limits_of_area(
    area: f64,
    samples: &[AreaSample; 2],
    losses: Option<Option<[Losses; 2]>>,
    tail: f64,
) -> Result<Option<AreaLimits>, &'static str> {
    KNOWN.with_borrow_mut(|known| {
        let place = known
            .iter()
            .position(|each| each.tail.to_bits() == tail.to_bits());
        let mut limits = match place {
            Some(place) => known.remove(place),
            None => ScoreLimits::new(tail).ok_or("the tail must lie between 0 and 1")?,
        };
        let found = limits.of(area, samples, losses);
        known.truncate(REMEMBERED - 1);
        known.insert(0, limits);
        Ok(found)
    })
}

/// The limits of many areas, each with both samples and their losses; see [`ScoreLimits::of`].
///
/// # Errors
///
/// The tail does not lie between 0 and 1.
pub fn score_limits(
    areas: &[(f64, [AreaSample; 2], [Losses; 2])],
    tail: f64,
) -> Result<Vec<AreaLimits>, &'static str> {
    ScoreLimits::new(tail).ok_or("the tail must lie between 0 and 1")?;
    Ok(threads::map(areas.len(), AREAS_PER_TASK, |range| {
        let mut limits = ScoreLimits::new(tail);
        areas[range]
            .iter()
            .map(|(area, samples, losses)| {
                let found = limits
                    .as_mut()
                    .and_then(|each| each.of(*area, samples, Some(Some(*losses))));
                found.unwrap_or(AreaLimits::UNKNOWN)
            })
            .collect()
    }))
}

/// The variance of a placement: what scores with exponential laws have in the sample that adds more.
fn model(area: f64, rest: f64) -> f64 {
    let more = area.max(rest);
    area * rest * more / (1.0 + more)
}

/// The greatest d up to `rest` with `d^2 <= reach * model(area + d)`, and what it leaves of the rest. By Newton's steps,
/// and by halving where those leave.
fn reached(area: f64, rest: f64, reach: f64) -> (f64, f64) {
    let (mut low, mut high) = (0.0, rest);
    let mut d = (reach * model(area, rest)).sqrt();
    if !(d > 0.0 && d < rest) {
        d = rest / 2.0;
    }
    for _ in 0..STEPS {
        let (p, q) = (area + d, rest - d);
        // Both sides times 1 + the greater of p and q.
        let (more, sign) = if p >= q { (p, 1.0) } else { (q, -1.0) };
        let outside = d * d * (1.0 + more) - reach * p * q * more;
        let slope = sign * more * (2.0 * (p + q - more) - more);
        let steepness = 2.0 * d * (1.0 + more) + sign * d * d - reach * slope;
        if outside > 0.0 {
            high = d;
        } else {
            low = d;
        }
        let change = outside / steepness;
        let after = d - change;
        if change.abs() <= d * CONVERGED {
            d = after; // off by the square of this change
            break;
        }
        let within = after > low && after < high;
        d = if within {
            after
        } else {
            low + (high - low) / 2.0
        };
    }
    let (p, left) = (area + d, rest - d);
    if left >= rest / 2.0 {
        return (d, left);
    }
    // The difference has lost digits, which the equation still has.
    let more = p.max(left);
    (d, d * d * (1.0 + more) / (reach * p * more))
}

/// The logarithm of the gamma function of a number above 0, to ten digits or more.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut product) = (x, 1.0);
    while x < 8.0 {
        product *= x;
        x += 1.0;
    }
    let u = 1.0 / (x * x);
    let series = (1.0 / 12.0 + u * (-1.0 / 360.0 + u * (1.0 / 1260.0 - u / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + (2.0 * std::f64::consts::PI).ln() / 2.0 + series - product.ln()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn sample(size: f64, variance: f64) -> AreaSample {
        AreaSample {
            size,
            variance,
            freedom: size - 1.0,
        }
    }

    #[test]
    fn limits_solve_their_equation() {
        for area in [1e-9, 0.02, 0.3, 0.5, 0.77, 0.99, 1.0 - 1e-9] {
            for reach in [1e-12, 1e-3, 0.1, 5.0] {
                let (d, left) = reached(area, 1.0 - area, reach);
                let of = |d: f64| d * d - reach * model(area + d, 1.0 - area - d);
                assert!(of(d * (1.0 - 1e-9)) < 0.0 || d == 0.0, "{area} {reach}");
                assert!(
                    of((d * (1.0 + 1e-9)).min(1.0 - area)) > 0.0,
                    "{area} {reach}"
                );
                assert!((left + d + area - 1.0).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn the_two_sides_are_mirrored() {
        let losses = [Losses {
            beyond: 3.0,
            mean: 0.01,
            greatest: 0.4,
        }; 2];
        for area in [0.6, 0.9, 0.99] {
            let samples = [sample(20.0, 0.02), sample(70.0, 0.03)];
            let mut limits = ScoreLimits::new(0.025).unwrap();
            let found = limits.of(area, &samples, Some(Some(losses))).unwrap();
            let other = limits.of(1.0 - area, &samples, Some(Some(losses))).unwrap();
            assert!((found.low + other.high - 1.0).abs() < 1e-14);
            assert!((found.high + other.low - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_limit_beyond_that_of_pairs_without_common_units_is_told() {
        let mut limits = ScoreLimits::new(0.025).unwrap();
        // 8 of 40 successes: beyond .3565 lies less than the tail (Clopper and Pearson).
        assert!(limits.within(0.3564, 9.0, 32.0) && !limits.within(0.3566, 9.0, 32.0));
        let wide = [sample(40.0, 0.9), sample(40.0, 0.9)];
        assert!(limits.of(0.8, &wide, Some(None)).unwrap().far);
        let narrow = [sample(40.0, 0.05), sample(40.0, 0.05)];
        assert!(!limits.of(0.8, &narrow, Some(None)).unwrap().far);
    }

    #[test]
    fn what_has_no_limits_is_unknown() {
        assert!(ScoreLimits::new(1.0).is_none() && score_limits(&[], 0.0).is_err());
        let one = [sample(1.0, f64::NAN), sample(5.0, 0.1)];
        for area in [f64::NAN, 0.0, 1.0, 0.5] {
            let found = score_limits(&[(area, one, [Losses::default(); 2])], 0.025).unwrap();
            assert!(found[0].low.is_nan() && found[0].far, "{area}");
        }
    }
}
