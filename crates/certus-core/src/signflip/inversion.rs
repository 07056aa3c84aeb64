//! The tail of a sum with random signs by tilted Fourier inversion along one line.
//!
//! The line, the tilt and the period are those of `certus.transform`, which inverts the laws of chance. A comparison of
//! many systems asks for more than a thousand of these tails, which take 1.4 to 1.75 times as long there.

use super::series::Series;
use crate::interrupt;
use crate::underflow::flush;
use std::f64::consts::{LN_2, PI};

/// Frequencies that are computed together.
const BATCH: usize = 256;
/// Frequencies before the end of a series; usual are some dozens.
const MOST_OF_SERIES: usize = 1 << 14;
/// Neighbouring frequencies that turn together.
const LANES: usize = 8;
/// Values after which a batch is looked at for terms that still count.
const LOOK: usize = 16;
/// Terms smaller than this are left out: thousands of them add nothing that counts.
const LEAST: f64 = 1e-14;
/// Parts of a term smaller than this add nothing, and their squares are no subnormal numbers.
const NOTHING: f64 = 1e-150;
/// exp(-36) of a probability cannot be seen beside it.
const NEGLIGIBLE: f64 = 36.0;
/// Logarithm of what is 0 as a float.
const LEAST_LOG: f64 = -746.0;
/// Parts of the size of the terms that rounding may take.
const ROUNDING: f64 = 4e-15;

/// P(S > x) + P(S = x) / 2 for the sum S of positive `values` with random signs and an `x` between 0 and their sum, and
/// its error; None where the terms left out would be more than `wanted` of it after `most` frequencies.
///
/// With the period T and h = 2 pi / T the sum
///
/// ```text
/// exp(K(c) - c x) / T * sum over all whole j of transform(j h) exp(-i j h x) / (c + i j h)
/// ```
///
/// is that of exp(-k c T) P(S > x - k T) over all whole k. The period is so long, by Chernoff's bound, that the terms
/// below k = 0 cannot be seen and those above are a geometric series, which is taken off.
///
/// The terms left out fall off as 1 / w, each with a direction of its own and a square as large as in the last eighth of
/// those summed, or as on average over all frequencies, which is known: the error is eight standard deviations of their
/// sum, and rounding. At least `least` frequencies are summed, as the transform of near-multiples comes back.
///
/// Many values have few factors: small ones count together, see `Series`, up to a frequency where nothing is left of the
/// transform. A sum on a lattice of the distance `span`, with `x` half-way between two of its points, is summed as such;
/// 0 means that there is no lattice.
///
/// ```
/// use certus_core::signflip::inverted_beyond;
/// let values: Vec<f64> = (1..=64).map(|i| f64::from(i).sqrt()).collect();
/// let (p, error) = inverted_beyond(&values, 40.0, 1e-7, 1000, 1 << 16, 0.0).unwrap();
/// assert!((p - 0.191_150_243_4).abs() < 1e-10 && error < 1e-7 * p);
/// ```
#[must_use]
pub fn inverted_beyond(
    values: &[f64],
    x: f64,
    wanted: f64,
    least: usize,
    most: usize,
    span: f64,
) -> Option<(f64, f64)> {
    let mut descending = values.to_vec();
    descending.sort_unstable_by(|a, b| b.total_cmp(a));
    let law = Signs {
        values: &descending,
    };
    let total: f64 = values.iter().sum();
    let tilt = law.tilt(x, total)?;
    let log = law.cumulant(tilt);
    if log - tilt * x < LEAST_LOG {
        return Some((0.0, 0.0)); // by Chernoff's bound no float is as small
    }
    let spread = law.moments(tilt).1.sqrt();
    let period = law.period(x, total, tilt, log, spread);
    let step = 2.0 * PI / period;
    let mean_square = law.mean_square(tilt);
    if let Some(series) = Series::new(&descending, tilt) {
        let scale = (log - tilt * x).exp() / period;
        let alias = (-tilt * period).exp() / -(-tilt * period).exp_m1();
        let line = Line::new(&descending[..series.large], x - series.mean, tilt, step);
        let ended = line.ended(&series, span, mean_square, scale, alias);
        if let Some((p, error)) = ended
            && error <= wanted * p
        {
            return ended;
        }
    }
    let mut line = Line::new(&descending, x, tilt, step);
    let mut squares = vec![0.0];
    let (mut sum, mut size, mut count) = (0.0, 0.0, 0);
    loop {
        interrupt::poll();
        let (value, sizes, square) = line.batch(count);
        // All but the frequency 0 stand for two, of which the imaginary parts cancel.
        let once = if count == 0 { 1.0 / tilt } else { 0.0 };
        sum += 2.0 * value - once;
        size += 2.0 * sizes - once;
        squares.push(squares[squares.len() - 1] + square);
        count += BATCH;
        if count < least.min(most) {
            continue;
        }
        let now = squares.len() - 1;
        let last = squares[now] - squares[now - now.div_ceil(8)];
        let on_average = mean_square / (step * step * count as f64);
        let left = 16.0 * (8.0 * last).max(on_average).sqrt();
        if left <= wanted * sum {
            let alias = (-tilt * period).exp() / -(-tilt * period).exp_m1();
            let scale = (log - tilt * x).exp() / period;
            let p = sum * scale - alias;
            let error = (left + ROUNDING * size) * scale + 1e-14 * p;
            return (p > 0.0).then_some((p, error));
        }
        // The average falls as 1 / count: it tells beforehand how far the sum would have to go.
        let further = on_average * count as f64 / most as f64;
        if count >= most || 16.0 * further.sqrt() > wanted * sum {
            return None;
        }
    }
}

struct Signs<'a> {
    values: &'a [f64],
}

impl Signs<'_> {
    /// Log of the product of cosh(tilt value).
    fn cumulant(&self, tilt: f64) -> f64 {
        let each = self.values.iter().map(|value| {
            let grown = (tilt * value).abs();
            grown + (-2.0 * grown).exp().ln_1p() - LN_2
        });
        each.sum()
    }

    /// Mean and variance under the tilt.
    fn moments(&self, tilt: f64) -> (f64, f64) {
        self.values.iter().fold((0.0, 0.0), |(mean, var), value| {
            let slope = (tilt * value).tanh();
            (
                mean + value * slope,
                var + value * value * (1.0 - slope) * (1.0 + slope),
            )
        })
    }

    /// Mean square of the tilted characteristic function over all frequencies.
    fn mean_square(&self, tilt: f64) -> f64 {
        let each = self.values.iter().map(|value| {
            let slope = (tilt * value).tanh();
            ((1.0 + slope * slope) / 2.0).ln()
        });
        each.sum::<f64>().exp()
    }

    /// The tilt under which the mean is near x, away from 0; None at the end of the range.
    fn tilt(&self, x: f64, total: f64) -> Option<f64> {
        let var = self.moments(0.0).1;
        let wanted = x.max(0.75 * var.sqrt()).min(x.max((x + total) / 2.0));
        if !(var > 0.0 && wanted < total) {
            return None;
        }
        let unit = 1.0 / var.sqrt();
        let (mut tilt, mut low, mut high) = (0.0f64, 0.0f64, f64::INFINITY);
        for _ in 0..200 {
            let (mean, spread) = self.moments(tilt);
            let miss = wanted - mean;
            if miss.abs() <= 1e-3 * spread.min(var).sqrt() || high - low <= 1e-14 * tilt {
                break;
            }
            (low, high) = if miss > 0.0 {
                (tilt, high)
            } else {
                (low, tilt)
            };
            // Near the end of the range the mean hardly moves, and Newton's step would leap.
            let leap = 2.0 * (tilt + unit);
            let newton = tilt
                + if spread > 0.0 {
                    (miss / spread).clamp(-leap, leap)
                } else {
                    leap
                };
            tilt = if low < newton && newton < high {
                newton
            } else {
                (low + high) / 2.0
            };
        }
        (tilt.is_finite() && tilt > 0.0 && self.moments(tilt).1 > 0.0).then_some(tilt)
    }

    /// A period so long that aliases add nothing: the whole range, or less by Chernoff's bound at other tilts.
    fn period(&self, x: f64, total: f64, tilt: f64, log: f64, spread: f64) -> f64 {
        let apart = NEGLIGIBLE + (2.5 * tilt * spread).ln_1p();
        let reach = |other: f64| {
            let bound = self.cumulant(other) - log - (other - tilt) * x + apart;
            (bound / (other - tilt).abs()).max(0.0)
        };
        let below = [0.0, -1.5 / spread, -6.0 / spread]
            .into_iter()
            .map(reach)
            .fold(x + total, f64::min);
        let above = [tilt + 2.0 / spread, tilt + 8.0 / spread]
            .into_iter()
            .map(reach)
            .fold(total - x, f64::min);
        // A little longer, so that no value lies at an end.
        1.013 * above.max(below).max(4.0 * spread)
    }
}

/// One factor cos(w value) + i slope sin(w value) of the terms.
struct Factor {
    angle: f64,
    slope: f64,
    /// Cosine and sine from the first lane to each.
    lanes: [(f64, f64); LANES],
    /// Those from one round of lanes to the next.
    turn: (f64, f64),
}

impl Factor {
    fn new(angle: f64, slope: f64) -> Self {
        let turned = |times: usize| {
            let (sine, cosine) = (angle * times as f64).sin_cos();
            (cosine, sine)
        };
        Factor {
            angle,
            slope,
            lanes: std::array::from_fn(turned),
            turn: turned(LANES),
        }
    }

    /// Multiplies the terms from the frequency number `first` on.
    fn multiply(&self, re: &mut [f64; BATCH], im: &mut [f64; BATCH], first: usize) {
        let (sine, cosine) = (self.angle * first as f64).sin_cos();
        let (mut c, mut s) = ([0.0; LANES], [0.0; LANES]);
        for (lane, (turn_c, turn_s)) in self.lanes.iter().enumerate() {
            c[lane] = cosine * turn_c - sine * turn_s;
            s[lane] = sine * turn_c + cosine * turn_s;
        }
        let (turn_c, turn_s) = self.turn;
        let rounds = re.chunks_exact_mut(LANES).zip(im.chunks_exact_mut(LANES));
        for (re, im) in rounds {
            for lane in 0..LANES {
                let turned = self.slope * s[lane];
                let (a, b) = (re[lane], im[lane]);
                re[lane] = a * c[lane] - b * turned;
                im[lane] = a * turned + b * c[lane];
                let (old_c, old_s) = (c[lane], s[lane]);
                c[lane] = old_c * turn_c - old_s * turn_s;
                s[lane] = old_s * turn_c + old_c * turn_s;
            }
        }
    }
}

/// 1 / (tilt + i w), the transform of all that lies beyond; of a lattice of that span the transform of its points.
fn weight(tilt: f64, w: f64, span: f64) -> (f64, f64) {
    let half = span / 2.0;
    let (re, im) = if span > 0.0 {
        let (sine, cosine) = (w * half).sin_cos();
        let (up, across) = ((tilt * half).sinh(), (tilt * half).cosh());
        (up * cosine / half, across * sine / half)
    } else {
        (tilt, w)
    };
    let square = re * re + im * im;
    (re / square, -im / square)
}

/// The terms of an inversion.
struct Line {
    factors: Vec<Factor>,
    tilt: f64,
    step: f64,
}

impl Line {
    fn new(values: &[f64], x: f64, tilt: f64, step: f64) -> Self {
        let signs = values
            .iter()
            .map(|value| Factor::new(step * value, (tilt * value).tanh()));
        // exp(-i w x) is a factor of slope -1.
        let factors = signs.chain([Factor::new(step * x, -1.0)]).collect();
        Line {
            factors,
            tilt,
            step,
        }
    }

    /// The products of the factors of a batch.
    fn products(&self, first: usize) -> ([f64; BATCH], [f64; BATCH]) {
        let (mut re, mut im) = ([1.0; BATCH], [0.0; BATCH]);
        for factor in &self.factors {
            factor.multiply(&mut re, &mut im, first);
        }
        (re, im)
    }

    /// P from all frequencies up to the end of the series, and its error.
    fn ended(
        &self,
        series: &Series,
        span: f64,
        mean_square: f64,
        scale: f64,
        alias: f64,
    ) -> Option<(f64, f64)> {
        let count = ((series.end / self.step).floor() as usize).saturating_add(1);
        if count > MOST_OF_SERIES {
            return None;
        }
        let (mut sum, mut size, mut off, mut last) = (0.0, 0.0, 0.0, 0.0f64);
        for first in (0..count).step_by(BATCH) {
            interrupt::poll();
            let (re, im) = self.products(first);
            for (place, (a, b)) in re.iter().zip(&im).enumerate().take(count - first) {
                let w = self.step * (first + place) as f64;
                let (log, angle, error) = series.at(w);
                let (sine, cosine) = angle.sin_cos();
                let times = log.exp() * if first + place == 0 { 1.0 } else { 2.0 };
                let (a, b) = (
                    times * (a * cosine - b * sine),
                    times * (a * sine + b * cosine),
                );
                let (c, d) = weight(self.tilt, w, span);
                sum += a * c - b * d;
                last = a.hypot(b) * c.hypot(d);
                size += last;
                off += last * error;
            }
        }
        // Beyond the end the transform is at most what it is there, and then as on average.
        let on_average = mean_square / (self.step * self.step * count as f64);
        let left = 16.0 * (last * last * count as f64).max(on_average).sqrt();
        let p = sum * scale - alias;
        let error = (left + off + ROUNDING * size) * scale + 1e-14 * p;
        (p > 0.0).then_some((p, error))
    }

    /// Sum of the real parts of a batch of terms, of their sizes and of their squared sizes.
    fn batch(&mut self, first: usize) -> (f64, f64, f64) {
        let (mut re, mut im) = ([1.0; BATCH], [0.0; BATCH]);
        let nothing = (LEAST * self.tilt.hypot(self.step * first as f64)).powi(2);
        for (number, factor) in self.factors.iter().enumerate() {
            factor.multiply(&mut re, &mut im, first);
            if number % LOOK == LOOK - 1 {
                interrupt::poll();
                flush(&mut re, NOTHING);
                flush(&mut im, NOTHING);
                let still = re.iter().zip(&im).any(|(a, b)| a * a + b * b >= nothing);
                if !still {
                    return (0.0, 0.0, 0.0);
                }
            }
        }
        let mut sums = (0.0, 0.0, 0.0);
        for (place, (a, b)) in re.iter().zip(&im).enumerate() {
            let w = self.step * (first + place) as f64;
            let (along, square) = (a * self.tilt + b * w, self.tilt * self.tilt + w * w);
            let size = (a * a + b * b) / square;
            sums.0 += along / square;
            sums.1 += size.sqrt();
            sums.2 += size;
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signflip::listed_at_least;
    use crate::underflow::census;

    #[test]
    fn the_inversion_is_within_its_error_of_listing() {
        let values: Vec<f64> = (1..=36)
            .map(|i| (f64::from(i) + 0.7).ln().fract() + 0.01)
            .collect();
        for x in [0.2, 1.3, 4.1, 9.7] {
            let listed = listed_at_least(&values, x, 1 << 18).unwrap_or(f64::NAN);
            let (p, error) =
                inverted_beyond(&values, x, 1e-4, 1000, 1 << 20, 0.0).unwrap_or_default();
            assert!(
                (p - listed).abs() <= error && error <= 1.1e-4 * p,
                "{x} {p} {listed} {error}"
            );
        }
    }

    #[test]
    fn products_turn_as_the_definition_has_it() {
        let values: Vec<f64> = (1..12)
            .map(|i| (f64::from(i) * 0.618_034).fract())
            .collect();
        let (x, tilt, step) = (1.7, 0.7, 0.11);
        let mut line = Line::new(&values, x, tilt, step);
        let (found, ..) = line.batch(300);
        let expected: f64 = (300..300 + BATCH)
            .map(|j| {
                let w = step * j as f64;
                let (mut re, mut im) = ((w * x).cos(), -(w * x).sin());
                for value in &values {
                    let (c, s) = ((w * value).cos(), (tilt * value).tanh() * (w * value).sin());
                    (re, im) = (re * c - im * s, re * s + im * c);
                }
                (re * tilt + im * w) / (tilt * tilt + w * w)
            })
            .sum();
        assert!((found - expected).abs() < 1e-13);
    }

    #[test]
    fn no_subnormal_number_circulates() {
        // Nearly a lattice: at some frequencies no factor sinks, at the others all do.
        let values: Vec<f64> = [1.0; 20_000].into_iter().chain([1e-9]).collect();
        let batch = || Line::new(&values, 0.1, 1e-4, 0.01).batch(0);
        let (flushed, left) = census::compared(0.2, batch);
        assert_eq!(flushed, left);
    }
}
