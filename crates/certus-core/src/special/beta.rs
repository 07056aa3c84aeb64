//! The beta distribution.

use super::twofold::{Number, Twofold, ln_gamma};
use super::{NEAR, STEPS, TERMS, halley, is_probability, upper_normal};

/// Sums of parameters beyond this have too few digits left in the logarithms.
const LARGE: f64 = 1e9;
/// Of quantiles below exp(-LEAST) the first term is all.
const LEAST: f64 = 640.0;
/// Of a sum of logarithms in twofold numbers, for its largest term.
const ROUNDING: f64 = 1e-29;
/// A continued fraction is quicker than a series of more terms.
const MANY: f64 = 150.0;

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

    /// The continued fraction of Didonato and Morris (1992, ACM TOMS 18(3):360-373, equation 8): the lower tail beside
    /// x^a y^b / B(a, b), by Lentz's method; x is at most the mean.
    fn fraction<N: Number>(&self, x: N) -> Option<N> {
        let (one, two) = (N::from_f64(1.0), N::from_f64(2.0));
        let (a, b) = (N::from_f64(self.a), N::from_f64(self.b));
        let (total, square) = (a + b, x * x);
        let excess = a - total * x + one; // lambda + 1
        let mut middle = a * excess / (a + one);
        let (mut c, mut d) = (N::from_f64(1e200), one / middle);
        let mut value = d;
        let mut n = 1.0;
        while n < TERMS {
            let count = N::from_f64(n);
            let twice = a + two * count;
            let before = twice - one;
            let falling = count * (b - count);
            let factor =
                (a + count - one) * (total + count - one) * falling * square / (before * before);
            middle = count
                + falling * x / before
                + (a + count) * (excess + count * (two - x)) / (twice + one);
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

    /// The lower tail beside x^a y^b / B(a, b), by the series of `cost` terms or by the continued fraction.
    fn ratio<N: Number>(&self, x: N, cost: f64) -> Option<N> {
        let (a, b) = (N::from_f64(self.a), N::from_f64(self.b));
        let below_mean = (a - (a + b) * x).hi() >= 0.0;
        if below_mean && cost > MANY {
            return self.fraction(x);
        }
        (cost <= TERMS).then(|| self.series(x) / a) // not where it is NaN
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
        let at = |lower, upper| At {
            lower,
            upper,
            density,
        };
        let quick = below.min(above) <= MANY;
        let lower_first = if quick {
            below <= above
        } else {
            (a - (a + b) * x).hi() >= 0.0
        };
        if lower_first {
            let found = density * self.ratio(x, below)?;
            let rest = one - found;
            if rest.hi() > least {
                return Some(at(found, rest));
            }
            return Some(at(found, density * mirrored.ratio(y, above)?));
        }
        let found = density * mirrored.ratio(y, above)?;
        let rest = one - found;
        if rest.hi() > least {
            return Some(at(rest, found));
        }
        Some(at(density * self.ratio(x, below)?, found))
    }

    /// The logarithm of x where the lower tail is `p`, if it is below -LEAST: all terms of the series but the first vanish.
    pub fn far(&self, p: Twofold) -> Option<Twofold> {
        let (of_a, of_beta, total) = (self.a.ln().abs(), self.ln_beta.hi.abs(), self.a + self.b);
        let size = of_a + of_beta + total * (1.0 + total).ln();
        let about = p.hi.ln() + self.a.ln() + self.ln_beta.hi - f64::EPSILON * size;
        if about / self.a >= -LEAST {
            return None;
        }
        // For the least `a` the last two cancel, and what rounding leaves of them is not divided by it.
        let a = Twofold::new(self.a);
        let found = (p.ln() + a.ln() + self.ln_beta) / a;
        (found.hi + ROUNDING * size / self.a < -LEAST).then_some(found)
    }

    /// The logit near which the lower tail has the logarithm `ln_p`.
    fn start(&self, ln_p: f64) -> f64 {
        let (a, b) = (self.a, self.b);
        let first = (ln_p + a.ln() + self.ln_beta.hi) / a;
        if a.min(b) > 1.0 {
            // Abramowitz & Stegun 26.5.22
            let z = upper_normal(ln_p);
            let (of_a, of_b) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
            let (h, bend) = (2.0 / (of_a + of_b), (z * z - 3.0) / 6.0);
            let root = (h + bend).max(0.25 * h).sqrt();
            let shift = (of_b - of_a) * (bend + 5.0 / 6.0 - 2.0 / (3.0 * h));
            (a / b).ln() - 2.0 * (z * root / h - shift)
        } else if a < 1.0 {
            first.min((a / b).ln() + (1.0 / a + 1.0 / b).sqrt())
        } else {
            // The first terms of both tails lie above the quantile.
            let last = ((-ln_p.exp()).ln_1p() + b.ln() + self.ln_beta.hi) / b;
            let of_x = first - (-first.exp_m1()).ln();
            if last >= 0.0 {
                return of_x; // rounded: the quantile is next to 0
            }
            let of_y = (-last.exp_m1()).ln() - last;
            of_x.min(of_y)
        }
    }

    /// x and 1 - x, where the lower tail is `p`, above 0 and at most about 1/2.
    pub fn quantile(&self, p: Twofold) -> Option<(Twofold, Twofold)> {
        let ln_p = p.ln().hi;
        let width = (1.0 / self.a + 1.0 / self.b).sqrt();
        let mut logit = self.start(ln_p);
        for _ in 0..STEPS {
            if logit < -LEAST {
                return None;
            }
            let odds = logit.exp();
            let (x, y) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
            let found = self.at(x, y)?;
            if found.lower == 0.0 {
                logit += 1.0 + 5.0 * width; // too far out for doubles
                continue;
            }
            let slope = found.density / found.lower;
            let step = halley(ln_p - found.lower.ln(), slope, self.a * y - self.b * x);
            logit += step.clamp(-1.0 - 5.0 * width, 1.0 + 5.0 * width);
            if step.abs() <= NEAR * width.min(1.0) {
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
        let (one, mirrored) = (Twofold::new(1.0), self.mirrored());
        let (tail, rest) = (Twofold::new(p), one - Twofold::new(p));
        let (lower, higher) = if upper { (rest, tail) } else { (tail, rest) };
        if let Some(x) = self.far(lower).map(Twofold::exp) {
            return Some((x, one - x));
        }
        if let Some(y) = mirrored.far(higher).map(Twofold::exp) {
            return Some((one - y, y));
        }
        if lower.hi <= 0.5 {
            return self.quantile(lower);
        }
        mirrored.quantile(higher).map(|(y, x)| (x, y))
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

/// The point below which, or above which, the probability `p` lies; None where it is not found: some parameters beyond
/// 1e8, and some below 1e-3 whose quantile lies within 1e-200 of an end or hangs on digits that `p` lacks.
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
    fn almost_all_mass_at_1_has_its_quantiles_there() {
        for p in [
            0.999_999_999_999_952_4,
            0.999_999_999_999_928_2,
            0.5,
            1e-300,
        ] {
            let upper = beta_quantile(
                16.346_845_388_952_424,
                1.721_395_977_243_376_4e-203,
                p,
                true,
            );
            assert_eq!(upper, Some(1.0), "{p}");
            let lower = beta_quantile(
                1.721_395_977_243_376_4e-203,
                16.346_845_388_952_424,
                p,
                false,
            );
            assert_eq!(lower, Some(0.0), "{p}");
        }
        // So little of the mass is not at 1 that it is below the rounding of that which is.
        let (a, b, p) = (
            0.063_057_864_836_224_47,
            4.367_299_330_162_263e-116,
            3.557_833_917_868_396_4e-190,
        );
        assert_eq!(beta_quantile(b, a, p, true), Some(1.0));
        assert_eq!(beta_quantile(a, b, p, false), Some(0.0));
    }

    #[test]
    fn quantiles_of_the_least_of_many_are_found_next_to_0() {
        for b in [1.5, 104.244_328_337_759_37, 1e6] {
            for p in [f64::EPSILON, f64::EPSILON / 2.0, 1e-17, 1e-200] {
                let x = beta_quantile(1.0, b, p, false).unwrap_or(f64::NAN);
                assert!((x * b / p - 1.0).abs() < 1e-13, "{b} {p}: {x}");
            }
            let x = beta_quantile(1.0, b, 1.0 - f64::EPSILON, true).unwrap_or(f64::NAN);
            assert!((x * b / f64::EPSILON - 1.0).abs() < 1e-13, "{b}: {x}");
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
