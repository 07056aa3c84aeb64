//! The gamma distribution of scale 1.

use super::twofold::{Number, Twofold, ln_gamma};
use super::{NEAR, STEPS, TERMS, halley, is_probability, upper_normal};

/// Shapes beyond this take long.
const LARGE: f64 = 1e8;
/// Of quantiles of a lesser logarithm the first term is all.
const LEAST: f64 = -640.0;

/// The shape of a gamma distribution, and the logarithm of its gamma function.
pub struct Gamma {
    shape: f64,
    ln_gamma: Twofold,
}

/// The tails at a point, and the density of the logarithm there.
pub struct At<N> {
    pub lower: N,
    pub upper: N,
    density: N,
}

impl Gamma {
    /// None for a shape that is none, or too large.
    pub fn new(shape: f64) -> Option<Self> {
        let known = shape > 1e-290 && shape <= LARGE;
        known.then(|| Self {
            shape,
            ln_gamma: ln_gamma(Twofold::new(shape)),
        })
    }

    /// The sum of x^n / (shape + 1)_n: the lower tail beside x^shape exp(-x) / Gamma(shape + 1).
    fn series<N: Number>(&self, x: N) -> N {
        let one = N::from_f64(1.0);
        let (mut term, mut sum, mut below) = (one, one, N::from_f64(self.shape) + one);
        for _ in 0..3 * TERMS as usize {
            term = term * x / below;
            sum = sum + term;
            let falls = 1.0 - x.hi() / below.hi();
            if term.hi() <= sum.hi() * falls * N::ERROR / 100.0 {
                return sum;
            }
            below = below + one;
        }
        N::from_f64(f64::NAN)
    }

    /// Legendre's continued fraction for the upper tail, by Lentz's method; `x` is greater than the shape.
    fn fraction<N: Number>(&self, x: N) -> Option<N> {
        let (one, two) = (N::from_f64(1.0), N::from_f64(2.0));
        let mut middle = x + one - N::from_f64(self.shape);
        let (mut c, mut d) = (N::from_f64(1e200), one / middle);
        let mut value = d;
        let mut n = 1.0;
        while n < TERMS {
            let count = N::from_f64(n);
            let factor = count * (N::from_f64(self.shape) - count);
            middle = middle + two;
            d = one / (middle + factor * d);
            c = middle + factor / c;
            value = value * (c * d);
            if (c * d - one).hi().abs() <= N::ERROR / 100.0 {
                return Some(value);
            }
            n += 1.0;
        }
        None
    }

    /// The tails at `x`.
    pub fn at<N: Number>(&self, x: N) -> Option<At<N>> {
        let (one, shape) = (N::from_f64(1.0), N::from_f64(self.shape));
        let density = (shape * x.ln() - x - N::of(self.ln_gamma)).exp();
        let at = |lower, upper| At {
            lower,
            upper,
            density,
        };
        if x.hi() <= self.shape + 6.0 * self.shape.sqrt() + 10.0 {
            let lower = density / shape * self.series(x);
            let upper = one - lower;
            // a tail of less has lost digits that were in the other
            if upper.hi() > N::ERROR.sqrt() || x.hi() <= self.shape + 1.0 {
                return Some(at(lower, upper));
            }
        }
        let upper = density * self.fraction(x)?;
        Some(at(one - upper, upper))
    }

    /// The logarithm of the point where the lower tail is `p`, by the first term of the series.
    fn first(&self, p: Twofold) -> Twofold {
        let shape = Twofold::new(self.shape);
        (p.ln() + shape.ln() + self.ln_gamma) / shape
    }

    /// The logarithm of a point near which a tail has the logarithm `ln_p`.
    fn start(&self, ln_p: f64, upper: bool) -> f64 {
        let (shape, width) = (self.shape, (1.0 / self.shape).sqrt());
        let z = upper_normal(ln_p) * if upper { 1.0 } else { -1.0 };
        // Wilson and Hilferty's cube
        let root = 1.0 - width * width / 9.0 + z * width / 3.0;
        if root > 0.3 && shape > 0.4 {
            return shape.ln() + 3.0 * root.ln();
        }
        if upper {
            return (shape + (-2.0 * ln_p * shape).sqrt() - ln_p).ln();
        }
        if shape < 1.0 {
            let first = (ln_p + shape.ln() + self.ln_gamma.hi) / shape;
            return first.min(shape.ln() + width);
        }
        shape.ln() - (-2.0 * ln_p).sqrt() * width * 0.8
    }

    /// The point where the lower tail is `p`, or the upper one, which is at most about 1/2 and above 0.
    pub fn quantile(&self, p: Twofold, upper: bool) -> Option<Twofold> {
        let (ln_p, shape) = (p.ln().hi, self.shape);
        let width = (1.0 / shape).sqrt();
        let mut log = self.start(ln_p, upper);
        for _ in 0..STEPS {
            if log < LEAST {
                return None;
            }
            let x = log.exp();
            let found = self.at(x)?;
            let (tail, sign) = if upper {
                (found.upper, -1.0)
            } else {
                (found.lower, 1.0)
            };
            if tail == 0.0 {
                log += sign * width; // too far out for doubles
                continue;
            }
            let slope = sign * found.density / tail;
            let step = halley(ln_p - tail.ln(), slope, shape - x);
            log += step.clamp(-1.0 - 5.0 * width, 1.0 + 5.0 * width);
            if step.abs() <= NEAR * width.min(1.0) {
                break;
            }
        }
        for _ in 0..STEPS {
            if log < LEAST {
                return None;
            }
            let x = Twofold::new(log.exp());
            let found = self.at(x)?;
            let short = if upper {
                found.upper - p
            } else {
                p - found.lower
            };
            let step = short / found.density;
            if step.hi.abs() <= 1e-9 * width.min(1.0) {
                return Some(x + x * step);
            }
            let tail = if upper { found.upper } else { found.lower };
            let slope = if upper {
                -found.density.hi
            } else {
                found.density.hi
            };
            log += ((p.ln() - tail.ln()).hi * tail.hi / slope).clamp(-width, width);
        }
        None
    }
}

/// The point below which the probability `p` lies; None where it is not found: some shapes beyond 1e8, and some
/// below 1e-3 whose quantile lies within 1e-200 of 0 or hangs on digits that `p` lacks.
///
/// ```
/// let median = certus_core::special::gamma_quantile(1.0, 0.5);
/// assert_eq!(median, Some(std::f64::consts::LN_2));
/// ```
pub fn gamma_quantile(shape: f64, p: f64) -> Option<f64> {
    let gamma = Gamma::new(shape)?;
    if !is_probability(p) {
        return None;
    }
    // in doubles the logarithms of a tiny shape and of its gamma function would hide that of p
    let first = gamma.first(Twofold::new(p));
    let found = match p {
        0.0 => return Some(0.0),
        1.0 => return Some(f64::INFINITY),
        _ if first.hi < LEAST => first.exp(),
        p if p <= 0.5 || first.hi < 0.0 => gamma.quantile(Twofold::new(p), false)?,
        p => gamma.quantile(Twofold::new(1.0) - Twofold::new(p), true)?,
    };
    Some(found.to_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_times_have_quantiles_in_closed_form() {
        for p in [1e-200, 1e-12, 0.025, 0.5, 0.75, 0.975, 0.999_999] {
            let found = gamma_quantile(1.0, p).unwrap_or(f64::NAN);
            let exact = -(-p).ln_1p();
            assert!((found / exact - 1.0).abs() < 1e-15, "{p}: {found}");
        }
    }

    #[test]
    fn quantiles_invert_tails() {
        for shape in [1e-3, 0.5, 3.0, 1e3, 1e6] {
            for p in [1e-12, 0.025, 0.5, 0.975] {
                let Some(gamma) = Gamma::new(shape) else {
                    continue;
                };
                let x = gamma_quantile(shape, p).unwrap_or(f64::NAN);
                if x > 0.0 {
                    let back = gamma.at(Twofold::new(x)).map(|at| at.lower.hi);
                    let gap = (back.unwrap_or(f64::NAN) / p - 1.0).abs();
                    assert!(gap < 1e-13 * (1.0 + shape.sqrt()), "{shape} {p}: {gap}");
                }
            }
        }
    }

    #[test]
    fn quantiles_of_tiny_shapes_are_0_up_to_probabilities_next_to_1() {
        for (shape, p) in [
            (1.5e-226, 1.0 - 2.3e-14),
            (1e-289, 1.0 - 1e-16),
            (1e-20, 1.0 - 1e-15),
        ] {
            assert_eq!(gamma_quantile(shape, p), Some(0.0), "{shape} {p}");
        }
    }

    #[test]
    fn what_is_none_has_no_answer() {
        assert_eq!(gamma_quantile(f64::NAN, 0.5), None);
        assert_eq!(gamma_quantile(0.0, 0.5), None);
        assert_eq!(gamma_quantile(1.0, 1.5), None);
        assert_eq!(gamma_quantile(1.0, f64::NAN), None);
    }
}
