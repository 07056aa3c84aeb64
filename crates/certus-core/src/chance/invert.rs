//! Tail probabilities by Fourier inversion of the tilted generating function.
//!
//! With y = S - x, a tilt c > 0 and a period T, (1/T) sum_j exp(-(c + ijh) x) M(c + ijh) / (c + ijh) over all whole j,
//! h = 2 pi / T, is the sum over k of exp(kcT) P(kT <= y < (k + 1)T), over 1 - exp(-cT). No value is rounded to a grid,
//! and because of the tilt the error is relative to the probability.
//!
//! Source: Strawderman (2004), J. Amer. Statist. Assoc. 99(465):264-276, doi:10.1198/016214504000000215, for the
//! tilted inversion; the period from Chernoff bounds is certus's.

use super::forward::Depth;
use super::joint::ReadyJoint;
use super::lanes::LANES;
use super::saddle::{Saddle, View, solve};
use super::{Joint, Refused};
use crate::threads;

/// A tail probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tail {
    /// The logarithm of the probability beyond x, half that of x itself included.
    pub log: f64,
    /// Whether it is the upper tail: x is not below the mean.
    pub upper: bool,
    /// Estimate of the relative error.
    pub relative: f64,
    /// Frequencies taken.
    pub points: usize,
}

/// Most frequencies of one inversion.
const POINTS: usize = 1 << 14;
/// States times frequencies from which on a sum that does not end is cut short.
const LONG: f64 = 4e8;
/// Terms below this part of the sum end it.
const SMALL: f64 = 1e-16;
/// A faded sum that doubling changes by less than this part has settled.
const SETTLED: f64 = 1e-11;
/// Aliases are kept below this part of the probability; its logarithm.
const ALIAS: f64 = 36.0;

/// The tail beyond `x`, which lies strictly between the least and the greatest sum, on the side away from the mean.
///
/// Two inversions with different tilts and periods are made, whose difference is the error. Where the generating
/// function does not die down (few hits, so that single values have weight), its end is faded out, and how far the
/// result bends within the resolution that is left is added to the error. `budget` bounds states times frequencies.
///
/// ```
/// use certus_core::chance::{Gain, Joint, Law, Part, Source, fourier_tail};
///
/// let law = Law::new(60, 30, Gain::Times((1..=60).map(|t| 1.0 / t as f64).collect())).unwrap();
/// let joint = Joint::new(vec![Part { source: Source::Hits(law), scale: 1.0 / 30.0, count: 1 }]);
/// let tail = fourier_tail(&joint, 0.7, 1e10).unwrap();
/// assert!(tail.upper && tail.relative < 1e-8);
/// ```
pub fn fourier_tail(joint: &Joint, x: f64, budget: f64) -> Result<Tail, Refused> {
    let start = joint.cumulants(0.0, false)?;
    let upper = x >= start.mean;
    let sign = if upper { 1.0 } else { -1.0 };
    let view = View { joint, sign };
    let (start, x) = (start.scaled(sign), sign * x);
    let (least, most) = joint.range();
    let ends = if upper {
        (least, most)
    } else {
        (-most, -least)
    };
    if start.var <= 0.0 || x <= ends.0 || x >= ends.1 {
        return Err(Refused(format!("has no tail to invert at {x}")));
    }
    // Away from the mean, so that the tilt does not vanish; within the range.
    let target = x.max(start.mean + 0.75 * start.var.sqrt());
    let target = target.min(f64::midpoint(x.max(start.mean), ends.1).max(x));
    let saddle = solve(&view, &start, target, 1e-3, Depth::Rough)?;
    let bounds = Bounds::new(&view, &saddle, x, ends)?;
    let ways = [(saddle.tilt, 1.0), (saddle.tilt * 1.15, 1.3)];
    let both = threads::map(2, 1, |range| {
        ways[range]
            .iter()
            .map(|&(tilt, longer)| inverted(&view, tilt, &bounds, longer, budget))
            .collect()
    });
    let both: Result<Vec<Inverted>, Refused> = both.into_iter().collect();
    let both = both?;
    let (first, second) = (&both[0], &both[1]);
    let between = (second.log - first.log).exp_m1().abs();
    Ok(Tail {
        log: first.log,
        upper,
        relative: between.max(first.rough).max(2e-15),
        points: first.points + second.points,
    })
}

struct Inverted {
    log: f64,
    rough: f64,
    points: usize,
}

fn inverted(
    view: &View<'_>,
    tilt: f64,
    bounds: &Bounds,
    longer: f64,
    budget: f64,
) -> Result<Inverted, Refused> {
    let x = bounds.x;
    let ready = view.joint.ready(view.sign * tilt)?;
    let period = longer * bounds.period(tilt, ready.log());
    let step = std::f64::consts::TAU / period;
    let cells = ready.cells().max(1) as f64;
    let most = ((LONG / cells) as usize).clamp(POINTS / 4, POINTS);
    let most = most.min((budget / cells) as usize);
    let spectrum = Spectrum::new(&ready, view.sign, tilt, x, step, most);
    let alias = (-tilt * period).exp() / -(-tilt * period).exp_m1();
    // All in units of exp(K(c) - c x).
    let log = ready.log() - tilt * x;
    let unit = (-log).exp();
    let beyond = |shift: f64| {
        let inside = spectrum.value(shift) / period;
        inside * (-tilt * shift).exp() - if alias > 0.0 { alias * unit } else { 0.0 }
    };
    let value = beyond(0.0);
    let faint = spectrum.last / value;
    let rough = if spectrum.faded {
        let reach = period / spectrum.re.len() as f64;
        let bend = beyond(reach) + beyond(-reach) - 2.0 * value;
        (bend / value).abs()
    } else {
        faint
    };
    if value > 0.0 && value.is_finite() {
        Ok(Inverted {
            log: log + value.ln(),
            rough,
            points: spectrum.re.len(),
        })
    } else {
        Err(Refused(format!("lost all digits in the inversion at {x}")))
    }
}

/// What bounds the probability far from x: logs of the generating function at some other tilts.
struct Bounds {
    x: f64,
    /// From x to the ends of the range.
    below: f64,
    above: f64,
    /// One over the standard deviation under the tilt.
    unit: f64,
    logs: Vec<(f64, f64)>,
}

impl Bounds {
    fn new(
        view: &View<'_>,
        saddle: &Saddle,
        x: f64,
        (least, most): (f64, f64),
    ) -> Result<Self, Refused> {
        let unit = 1.0 / saddle.at.var.sqrt();
        let higher = [2.0, 8.0].map(|steps| saddle.tilt + steps * unit);
        let mut logs = vec![(0.0, 0.0)];
        for other in [-1.5 * unit, -6.0 * unit].into_iter().chain(higher) {
            logs.push((other, view.cumulants(other, Depth::Rough)?.log));
        }
        Ok(Self {
            x,
            below: x - least,
            above: most - x,
            unit,
            logs,
        })
    }

    /// A period so long that what the aliases add is small: the whole range, or less by Chernoff's bound.
    fn period(&self, tilt: f64, log: f64) -> f64 {
        let apart = ALIAS + (1.0 + 2.5 * tilt / self.unit).ln();
        let (mut above, mut below) = (self.above, self.below);
        for &(other, theirs) in &self.logs {
            let bound = (theirs - log - (other - tilt) * self.x + apart) / (other - tilt).abs();
            if other > tilt {
                above = above.min(bound.max(0.0));
            } else if other <= 0.0 {
                below = below.min(bound.max(0.0));
            }
        }
        // A little longer, so that no value lies at an end.
        1.013 * above.max(below).max(4.0 / self.unit)
    }
}

/// The terms of the inversion.
struct Spectrum {
    re: Vec<f64>,
    im: Vec<f64>,
    step: f64,
    faded: bool,
    /// The size of the characteristic function at the end: no single value has a greater tilted chance.
    last: f64,
}

impl Spectrum {
    fn new(ready: &ReadyJoint<'_>, sign: f64, tilt: f64, x: f64, step: f64, most: usize) -> Self {
        let mut spectrum = Self {
            re: Vec::new(),
            im: Vec::new(),
            step,
            faded: false,
            last: 0.0,
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
            spectrum.fade();
        }
        spectrum
    }

    /// Adds the terms of one block, and says whether the last of them are too small to matter.
    fn take(&mut self, lane: &super::lanes::Lane, tilt: f64, x: f64) -> bool {
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

    fn fade(&mut self) {
        let count = self.re.len();
        for (j, (re, im)) in self.re.iter_mut().zip(&mut self.im).enumerate() {
            let part = fade(j, count);
            *re *= part;
            *im *= part;
        }
    }

    /// The sum over all frequencies, negative ones included, at x plus `shift`.
    fn value(&self, shift: f64) -> f64 {
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
