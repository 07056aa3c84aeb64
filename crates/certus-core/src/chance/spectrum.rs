//! The terms of an inversion, as many as it takes.

use super::joint::ReadyJoint;
use super::lanes::{LANES, Lane};
use crate::threads;

/// Terms below this part of the sum end it.
const SMALL: f64 = 1e-16;
/// A faded sum that doubling changes by less than this part has settled.
const SETTLED: f64 = 1e-11;

/// The terms of the inversion.
pub(super) struct Spectrum {
    pub re: Vec<f64>,
    im: Vec<f64>,
    step: f64,
    pub faded: bool,
    /// The size of the characteristic function at the end: no single value has a greater tilted chance.
    pub last: f64,
    /// Where the sum was cut short: what `bracket` gives.
    pub bracket: Option<(f64, f64)>,
}

impl Spectrum {
    pub(super) fn new(
        ready: &ReadyJoint<'_>,
        sign: f64,
        tilt: f64,
        x: f64,
        step: f64,
        most: usize,
    ) -> Self {
        let mut spectrum = Self {
            re: Vec::new(),
            im: Vec::new(),
            step,
            faded: false,
            last: 0.0,
            bracket: None,
        };
        let blocks = most.div_ceil(LANES).max(4);
        let together = threads::count().div_ceil(2);
        let mut done = 0;
        'rounds: while done < blocks {
            let round = together.min(blocks - done);
            let lanes = threads::map(round, 1, |range| {
                range
                    .map(|block| {
                        let start = step * ((done + block) * LANES) as f64;
                        ready.lanes(sign * start, sign * step)
                    })
                    .collect()
            });
            done += round;
            for lane in lanes {
                // Blocks behind the one that ends the sum are not used, however many threads made them.
                if spectrum.take(&lane, tilt, x) || spectrum.settled() {
                    break 'rounds;
                }
            }
        }
        spectrum.faded = !spectrum.ended();
        if spectrum.faded {
            spectrum.bracket = Some(spectrum.bracket(tilt));
            spectrum.fade();
        }
        spectrum
    }

    /// Adds the terms of one block, and says whether the last of them are too small to matter.
    fn take(&mut self, lane: &Lane, tilt: f64, x: f64) -> bool {
        for (re, im) in lane.re.iter().zip(&lane.im) {
            let w = self.step * self.re.len() as f64;
            let (sin, cos) = (w * x).sin_cos();
            // exp(-iwx) phi / (c + iw)
            let (a, b) = (re * cos + im * sin, im * cos - re * sin);
            let size = tilt * tilt + w * w;
            self.re.push((a * tilt + b * w) / size);
            self.im.push((b * tilt - a * w) / size);
        }
        let squares = lane
            .re
            .iter()
            .zip(&lane.im)
            .map(|(re, im)| re * re + im * im);
        let tail = squares.skip(LANES / 2).sum::<f64>();
        self.last = (tail / (LANES / 2) as f64).sqrt();
        self.ended()
    }

    /// Whether the sum, its end faded out, is the same as when it had half as many terms.
    fn settled(&mut self) -> bool {
        let count = self.re.len();
        if count < 1024 || !count.is_power_of_two() {
            return false;
        }
        let sum = |count: usize| -> f64 {
            let terms = self.re[..count].iter().enumerate();
            terms.map(|(j, re)| re * fade(j, count)).sum::<f64>() - 0.5 * self.re[0]
        };
        let (whole, half) = (sum(count), sum(count / 2));
        let quarter = sum(count / 4);
        let most = SETTLED * whole.abs();
        (whole - half).abs() <= most && (half - quarter).abs() <= 100.0 * most
    }

    fn ended(&self) -> bool {
        let count = self.re.len();
        let terms = self.re.iter().zip(&self.im).skip(count - LANES / 4);
        let largest = terms.map(|(re, im)| re.hypot(*im)).fold(0.0, f64::max);
        largest <= SMALL * self.value(0.0).abs()
    }

    /// The sum over all frequencies with Vaaler's weights, and a bound of what it differs from the endless sum, both in
    /// the units of `value`.
    ///
    /// What is inverted is periodic and of bounded variation: exp(-cy), which jumps where y is 0. Its trigonometric
    /// polynomial by Vaaler's kernel lies within Fejer's mean of its variation over 2 n, with n the number of terms.
    /// The value at x counts half, and the bound covers the other half.
    ///
    /// Source: Vaaler (1985), Bull. Amer. Math. Soc. 12(2):183-216, theorem 19, doi:10.1090/S0273-0979-1985-15349-2.
    fn bracket(&self, tilt: f64) -> (f64, f64) {
        let count = self.re.len() as f64;
        let (mut sum, mut variation) = (self.re[0], 2.0 * tilt * self.re[0]);
        for (j, (re, im)) in self.re.iter().zip(&self.im).enumerate().skip(1) {
            let t = j as f64 / count;
            let turn = std::f64::consts::PI * t;
            sum += 2.0 * re * (turn * (1.0 - t) / turn.tan() + t);
            variation += 2.0 * (1.0 - t) * (2.0 * tilt * re - self.step * j as f64 * im);
        }
        let period = std::f64::consts::TAU / self.step;
        (sum, variation.max(0.0) / (2.0 * count) * period)
    }

    fn fade(&mut self) {
        let count = self.re.len();
        for (j, (re, im)) in self.re.iter_mut().zip(&mut self.im).enumerate() {
            let part = fade(j, count);
            *re *= part;
            *im *= part;
        }
    }

    /// The sum over all frequencies, negative ones included, at x plus `shift`.
    pub(super) fn value(&self, shift: f64) -> f64 {
        let each = self.re.iter().zip(&self.im).zip(0_u32..);
        let terms = each.map(|((re, im), j)| {
            if shift == 0.0 {
                *re
            } else {
                let (sin, cos) = (self.step * f64::from(j) * shift).sin_cos();
                re * cos + im * sin
            }
        });
        2.0 * terms.sum::<f64>() - self.re[0]
    }
}

/// Lets the last half of the terms die down smoothly, which smooths the distribution over the resolution and no further.
fn fade(j: usize, count: usize) -> f64 {
    let half = count / 2;
    if j < half {
        return 1.0;
    }
    let u = (j - half) as f64 / (count - half) as f64;
    1.0 / (1.0 + (1.0 / (1.0 - u) - 1.0 / u.max(1e-300)).exp())
}
