//! The beta distribution.

use super::twofold::{Number, Twofold, ln_gamma};
use super::{STEPS, TERMS, is_probability};

/// Sums of parameters beyond this have too few digits left in the logarithms.
const LARGE: f64 = 1e9;
/// Quantiles below exp(-LEAST) are not looked for.
const LEAST: f64 = 640.0;

/// The parameters of a beta distribution, both greater than 0, and the logarithm of B(a, b).
pub struct Beta {
    a: f64,
    b: f64,
    ln_beta: Twofold,
}

/// The tails of a distribution at a point, and the density of the logit there.
pub struct At<N> {
    pub lower: N,
    pub upper: N,
    density: N,
}

impl Beta {
    /// None for parameters that are none, or too large.
    pub fn new(a: f64, b: f64) -> Option<Self> {
        let known = a > 1e-290 && b > 1e-290 && a + b <= LARGE;
        known.then(|| {
            let (first, second) = (Twofold::new(a), Twofold::new(b));
            let ln_beta = ln_gamma(first) + ln_gamma(second) - ln_gamma(first + second);
            Self { a, b, ln_beta }
        })
    }

    fn mirrored(&self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            ln_beta: self.ln_beta,
        }
    }

    /// About how many terms `series` sums.
    fn cost(&self, x: f64, y: f64) -> f64 {
        let growing = ((self.a + self.b) * x - self.a).max(0.0) / y;
        let falling = (156.0 * (self.a + growing) / y).sqrt() + 78.0 / -(-y).ln_1p();
        let ratio = (self.a + self.b) * x / (self.a + 1.0);
        if ratio < 1.0 {
            falling.min(78.0 / (1.0 - ratio))
        } else {
            growing + falling
        }
    }

    /// The sum of (a + b)_n x^n / (a + 1)_n: the lower tail beside x^a y^b / (a B(a, b)).
    fn series<N: Number>(&self, x: N) -> N {
        let one = N::from_f64(1.0);
        let (mut above, mut below) = (
            N::from_f64(self.a) + N::from_f64(self.b),
            N::from_f64(self.a) + one,
        );
        let (mut term, mut sum) = (one, one);
        for _ in 0..3 * TERMS as usize {
            term = term * above * x / below;
            sum = sum + term;
            let falls = 1.0 - above.hi() * x.hi() / below.hi();
            if term.hi() <= sum.hi() * falls * N::ERROR / 100.0 {
                return sum;
            }
            above = above + one;
            below = below + one;
        }
        N::from_f64(f64::NAN)
    }

    /// The tails at x = 1 - y; None where they would take long.
    pub fn at<N: Number>(&self, x: N, y: N) -> Option<At<N>> {
        let (one, a, b) = (N::from_f64(1.0), N::from_f64(self.a), N::from_f64(self.b));
        let (of_x, of_y) = (a * x.ln(), b * y.ln());
        let density = (of_x + of_y - N::of(self.ln_beta)).exp();
        let mirrored = self.mirrored();
        let below = self.cost(x.hi(), y.hi());
        let above = mirrored.cost(y.hi(), x.hi());
        let total = self.a + self.b;
        let largest = 1.0 + of_x.hi().abs() + of_y.hi().abs() + total * (1.0 + total).ln();
        let least = N::kept(largest);
        let lower = || density / a * self.series(x);
        let upper = || density / b * mirrored.series(y);
        let at = |lower, upper| At {
            lower,
            upper,
            density,
        };
        if !(below <= TERMS || above <= TERMS) {
            return None; // NaN too
        }
        if below <= above {
            let found = lower();
            if (one - found).hi() > least {
                return Some(at(found, one - found));
            }
            return (above <= TERMS).then(|| at(found, upper()));
        }
        let found = upper();
        if (one - found).hi() > least {
            return Some(at(one - found, found));
        }
        (below <= TERMS).then(|| at(lower(), found))
    }

    /// x and 1 - x, where the lower tail is `p`, above 0 and at most about 1/2.
    pub fn quantile(&self, p: Twofold) -> Option<(Twofold, Twofold)> {
        let ln_p = p.ln().hi;
        let width = (1.0 / self.a + 1.0 / self.b).sqrt();
        let mut logit = if self.a < 1.0 {
            let leading = (ln_p + self.a.ln() + self.ln_beta.hi) / self.a;
            leading.min((self.a / self.b).ln() + width)
        } else {
            (self.a / self.b).ln() - (-2.0 * ln_p).sqrt() * width * 0.8
        };
        for _ in 0..STEPS {
            if logit < -LEAST {
                return None;
            }
            let odds = logit.exp();
            let found = self.at(odds / (1.0 + odds), 1.0 / (1.0 + odds))?;
            let step = (ln_p - found.lower.ln()) * found.lower / found.density;
            let step = if found.lower == 0.0 { width } else { step }; // too far out for doubles
            logit += step.clamp(-1.0 - 5.0 * width, 1.0 + 5.0 * width);
            if step.abs() <= 1e-7 * width {
                break;
            }
        }
        let one = Twofold::new(1.0);
        for _ in 0..STEPS {
            if logit < -LEAST {
                return None;
            }
            let (x, y) = if logit <= 0.0 {
                let x = Twofold::new(logit.exp() / (1.0 + logit.exp()));
                (x, one - x)
            } else {
                let y = Twofold::new(1.0 / (1.0 + logit.exp()));
                (one - y, y)
            };
            let found = self.at(x, y)?;
            let step = (p - found.lower) / found.density;
            if step.hi.abs() <= 1e-9 * width.min(1.0) {
                let moved = x * y * step;
                return Some((x + moved, y - moved));
            }
            let step = (p.ln() - found.lower.ln()).hi * found.lower.hi / found.density.hi;
            logit += step.clamp(-width, width);
        }
        None
    }

    /// x and 1 - x, where the lower tail is `p`, or the upper one.
    fn between(&self, p: f64, upper: bool) -> Option<(Twofold, Twofold)> {
        let tail = if p <= 0.5 {
            Twofold::new(p)
        } else {
            Twofold::new(1.0) - Twofold::new(p)
        };
        if upper == (p <= 0.5) {
            let (y, x) = self.mirrored().quantile(tail)?;
            Some((x, y))
        } else {
            self.quantile(tail)
        }
    }
}

/// The probabilities below and above `x`, each to the last digits; None for parameters that are too large.
///
/// ```
/// let (below, above) = certus_core::special::beta_tails(2.0, 3.0, 0.5).unwrap_or_default();
/// assert_eq!((below, above), (0.6875, 0.3125));
/// ```
pub fn beta_tails(a: f64, b: f64, x: f64) -> Option<(f64, f64)> {
    let beta = Beta::new(a, b)?;
    match x {
        0.0 => Some((0.0, 1.0)),
        1.0 => Some((1.0, 0.0)),
        x if x > 1e-290 && x < 1.0 => {
            let x = Twofold::new(x);
            let found = beta.at(x, Twofold::new(1.0) - x)?;
            let (lower, upper) = (found.lower.to_f64(), found.upper.to_f64());
            (lower + upper).is_finite().then_some((lower, upper))
        }
        _ => None,
    }
}

/// The point below which, or above which, the probability `p` lies; None for parameters that are too large.
///
/// ```
/// assert_eq!(certus_core::special::beta_quantile(2.0, 3.0, 0.6875, false), Some(0.5));
/// assert_eq!(certus_core::special::beta_quantile(2.0, 3.0, 0.3125, true), Some(0.5));
/// ```
pub fn beta_quantile(a: f64, b: f64, p: f64, upper: bool) -> Option<f64> {
    let beta = Beta::new(a, b)?;
    match p {
        0.0 => Some(if upper { 1.0 } else { 0.0 }),
        1.0 => Some(if upper { 0.0 } else { 1.0 }),
        p if is_probability(p) => beta
            .between(p, upper)
            .map(|(x, _)| x.to_f64())
            .filter(|x| x.is_finite()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_of_one_draw_are_powers() {
        for x in [1e-10, 0.25, 0.5, 0.999] {
            for a in [0.01f64, 1.0, 7.5, 300.0] {
                let (below, above) = beta_tails(a, 1.0, x).unwrap_or_default();
                let exact = (a * x.ln()).exp();
                if exact == 0.0 {
                    continue;
                }
                assert!((below / exact - 1.0).abs() < 1e-13 * (1.0 + a), "{a} {x}");
                assert!((below + above - 1.0).abs() < 1e-15, "{a} {x}");
            }
        }
    }

    #[test]
    fn quantiles_invert_tails() {
        for (a, b) in [(0.5, 0.5), (1e-2, 2.0), (3.0, 1e6), (1e5, 4e4), (2.0, 0.02)] {
            for p in [1e-12, 0.025, 0.5, 0.9] {
                for upper in [false, true] {
                    let x = beta_quantile(a, b, p, upper).unwrap_or(f64::NAN);
                    if !(1e-280..0.999).contains(&x) {
                        continue; // doubles are too far apart to come back
                    }
                    let (below, above) = beta_tails(a, b, x).unwrap_or_default();
                    let back = if upper { above } else { below };
                    let slack = 1e-13 * (1.0 + (a + b).sqrt());
                    assert!(
                        (back / p - 1.0).abs() < slack,
                        "{a} {b} {p} {upper}: {back}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_none_has_no_answer() {
        assert_eq!(beta_tails(f64::NAN, 1.0, 0.5), None);
        assert_eq!(beta_tails(1.0, -1.0, 0.5), None);
        assert_eq!(beta_tails(1.0, 1.0, 1.5), None);
        assert_eq!(beta_quantile(1.0, 1.0, f64::NAN, false), None);
        assert_eq!(beta_quantile(f64::INFINITY, 1.0, 0.5, false), None);
    }
}
