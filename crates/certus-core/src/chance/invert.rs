//! Tail probabilities by Fourier inversion of the tilted generating function.
//!
//! With y = S - x, a tilt c > 0 and a period T, (1/T) sum_j exp(-(c + ijh) x) M(c + ijh) / (c + ijh) over all whole j,
//! h = 2 pi / T, is the sum over k of exp(kcT) P(kT <= y < (k + 1)T), over 1 - exp(-cT). No value is rounded to a grid,
//! and because of the tilt the error is relative to the probability.

use super::forward::Depth;
use super::saddle::{Saddle, View, solve};
use super::spectrum::Spectrum;
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
    /// Where the sum over frequencies was cut short: a bound of the relative error but for rounding.
    pub bound: Option<f64>,
    /// Frequencies taken.
    pub points: usize,
}

/// Most frequencies of one inversion.
const POINTS: usize = 1 << 14;
/// States times frequencies from which on a sum that does not end is cut short.
const LONG: f64 = 4e8;
/// Aliases are kept below this part of the probability; its logarithm.
const ALIAS: f64 = 36.0;

/// The tail beyond `x`, which lies strictly between the least and the greatest sum, on the side away from the mean.
///
/// Two inversions with different tilts and periods are made, whose difference is the error. Where the generating
/// function does not die down (few hits, so that single values have weight), its end is faded out, and steps of the
/// distribution within the resolution that is left count as error. `budget` bounds states times frequencies.
///
/// ```
/// use certus_core::chance::{Gain, Joint, Law, Part, Source, fourier_tail};
///
/// let law = Law::new(60, 30, Gain::Times((1..=60).map(|t| 1.0 / t as f64).collect())).unwrap();
/// let joint = Joint::new(vec![Part { source: Source::Hits(law), scale: 1.0 / 30.0, count: 1 }]);
/// let tail = fourier_tail(&joint, 0.7, 1e10).unwrap();
/// assert!(tail.upper && tail.relative < 1e-5);
/// ```
pub fn fourier_tail(joint: &Joint, x: f64, budget: f64) -> Result<Tail, Refused> {
    let place = Place::new(joint, x)?;
    let ways = [(place.tilt, 1.0), (place.tilt * 1.15, 1.3)];
    let both = threads::map(2, 1, |range| {
        ways[range]
            .iter()
            .map(|&(tilt, longer)| {
                Inversion::new(&place, tilt, longer, budget)?.tail(place.bounds.x)
            })
            .collect()
    });
    let both: Result<Vec<Inverted>, Refused> = both.into_iter().collect();
    let both = both?;
    let (first, second) = (&both[0], &both[1]);
    // The bound holds for both inversions: what is reported is at most this far from the truth.
    let bound = first
        .bound
        .into_iter()
        .chain((second.bound.iter()).map(|bound| {
            bound * (second.log - first.log).exp() + (second.log - first.log).exp_m1().abs()
        }));
    let between = (second.log - first.log).exp_m1().abs();
    Ok(Tail {
        log: first.log,
        upper: place.upper(),
        relative: between.max(first.rough).max(2e-15),
        bound: bound.reduce(f64::min),
        points: first.points + second.points,
    })
}

/// Where the tail has a given logarithm, sought within a standard deviation of `x` by one inversion at `x`.
///
/// `below` and `above` are the logarithms of the lower and the upper tail that are wanted; the one on the side of `x`
/// away from the mean is sought. A place further off is met by asking again from the one found.
///
/// ```
/// use certus_core::chance::{Gain, Joint, Law, Part, Source, fourier_place, fourier_tail};
///
/// let law = Law::new(60, 30, Gain::Times((1..=60).map(|t| 1.0 / t as f64).collect())).unwrap();
/// let joint = Joint::new(vec![Part { source: Source::Hits(law), scale: 1.0 / 30.0, count: 1 }]);
/// let x = fourier_place(&joint, 0.7, (0.99_f64.ln(), 0.01_f64.ln()), 1e10).unwrap();
/// let tail = fourier_tail(&joint, x, 1e10).unwrap();
/// assert!((tail.log.exp() - 0.01).abs() < 1e-7);
/// ```
pub fn fourier_place(
    joint: &Joint,
    x: f64,
    (below, above): (f64, f64),
    budget: f64,
) -> Result<f64, Refused> {
    let place = Place::new(joint, x)?;
    let inversion = Inversion::new(&place, place.tilt, 1.0, budget)?;
    let goal = if place.upper() { above } else { below };
    let wanted = (goal - inversion.log).exp();
    let reach = 1.0 / place.bounds.unit;
    let (mut low, mut high) = (-reach, reach);
    while high - low > 1e-13 * reach {
        let middle = f64::midpoint(low, high);
        if inversion.beyond(middle) > wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(place.view.sign * (place.bounds.x + high))
}

/// A value whose tail is asked for, as seen from its side of the mean, with the tilt to invert at.
struct Place<'a> {
    view: View<'a>,
    tilt: f64,
    bounds: Bounds,
}

impl<'a> Place<'a> {
    fn new(joint: &'a Joint, x: f64) -> Result<Self, Refused> {
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
        Ok(Self {
            view,
            tilt: saddle.tilt,
            bounds,
        })
    }

    fn upper(&self) -> bool {
        self.view.sign > 0.0
    }
}

struct Inverted {
    log: f64,
    rough: f64,
    bound: Option<f64>,
    points: usize,
}

/// The terms of one inversion, and what turns their sum into a probability.
struct Inversion {
    spectrum: Spectrum,
    tilt: f64,
    period: f64,
    /// In units of exp(log).
    alias: f64,
    /// K(c) - c x.
    log: f64,
}

impl Inversion {
    fn new(place: &Place<'_>, tilt: f64, longer: f64, budget: f64) -> Result<Self, Refused> {
        let (view, x) = (&place.view, place.bounds.x);
        let ready = view.joint.ready(view.sign * tilt)?;
        let period = longer * place.bounds.period(tilt, ready.log());
        let step = std::f64::consts::TAU / period;
        let cells = ready.cells().max(1) as f64;
        let most = ((LONG / cells) as usize).clamp(POINTS / 4, POINTS);
        let most = most.min((budget / cells) as usize);
        let spectrum = Spectrum::new(&ready, view.sign, tilt, x, step, most);
        let log = ready.log() - tilt * x;
        let alias = (-tilt * period).exp() / -(-tilt * period).exp_m1();
        let alias = if alias > 0.0 {
            alias * (-log).exp()
        } else {
            0.0
        };
        Ok(Self {
            spectrum,
            tilt,
            period,
            alias,
            log,
        })
    }

    /// The probability beyond x + shift, in units of exp(log).
    fn beyond(&self, shift: f64) -> f64 {
        let inside = self.spectrum.value(shift) / self.period;
        inside * (-self.tilt * shift).exp() - self.alias
    }

    fn tail(&self, x: f64) -> Result<Inverted, Refused> {
        let value = self.beyond(0.0);
        let spectrum = &self.spectrum;
        let rough = if spectrum.faded {
            let reach = self.period / spectrum.re.len() as f64;
            let near: Vec<f64> = (-6..=6)
                .map(|steps| self.beyond(f64::from(steps) * reach))
                .collect();
            // A value right at x makes a step that is left when the slope on both sides is taken off; one beside it a
            // kink. What is as large nearby may be hidden here.
            let rough = near.windows(5).map(|at| {
                let step = 2.0 * (at[1] - at[3]) - (at[0] - at[4]);
                let kink = at[0] - 4.0 * at[1] + 6.0 * at[2] - 4.0 * at[3] + at[4];
                (step / 2.0).abs().max((kink / 6.0).abs())
            });
            rough.fold(0.0, f64::max) / value
        } else {
            spectrum.last / value
        };
        if value > 0.0 && value.is_finite() {
            Ok(Inverted {
                log: self.log + value.ln(),
                rough,
                bound: spectrum.bracket.map(|(sum, width)| {
                    ((sum / self.period - self.alias - value).abs() + width / self.period) / value
                }),
                points: spectrum.re.len(),
            })
        } else {
            Err(Refused(format!("lost all digits in the inversion at {x}")))
        }
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
        let others = [-1.5 * unit, -6.0 * unit, higher[0], higher[1]];
        let found = threads::map(others.len(), 1, |range| {
            let each = others[range].iter();
            each.map(|&other| Ok((other, view.cumulants(other, Depth::Rough)?.log)))
                .collect()
        });
        let mut logs = vec![(0.0, 0.0)];
        for pair in found {
            logs.push(pair?);
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
