//! Numbers of twice the precision, each the sum of two doubles (Dekker 1971), and what doubles have in common with them.

use std::ops::{Add, Div, Mul, Sub};

/// Splits a double into halves of 26 digits.
const SPLITTER: f64 = 134_217_729.0;
const LN_2: Twofold = Twofold {
    hi: std::f64::consts::LN_2,
    lo: 2.319_046_813_846_299_6e-17,
};
const HALF_LN_2_PI: Twofold = Twofold {
    hi: 0.918_938_533_204_672_8,
    lo: -3.878_294_158_067_241_4e-17,
};
/// 1/1! to 1/10!.
const INVERSE_FACTORIALS: [Twofold; 10] = {
    let mut found = [Twofold::new(1.0); 10];
    let mut n = 1;
    while n < found.len() {
        found[n] = found[n - 1].over(Twofold::new((n + 1) as f64));
        n += 1;
    }
    found
};
/// The even Bernoulli numbers from the second, as fractions.
const BERNOULLI: [(f64, f64); 12] = [
    (1.0, 6.0),
    (-1.0, 30.0),
    (1.0, 42.0),
    (-1.0, 30.0),
    (5.0, 66.0),
    (-691.0, 2730.0),
    (7.0, 6.0),
    (-3617.0, 510.0),
    (43_867.0, 798.0),
    (-174_611.0, 330.0),
    (854_513.0, 138.0),
    (-236_364_091.0, 2730.0),
];
/// What they become in Stirling's series.
const STIRLING: [Twofold; 12] = {
    let mut found = [Twofold::new(0.0); 12];
    let mut place = 0;
    while place < found.len() {
        let twice = 2.0 * place as f64 + 2.0;
        let (above, below) = BERNOULLI[place];
        found[place] = Twofold::new(above).over(Twofold::new(below * twice * (twice - 1.0)));
        place += 1;
    }
    found
};
/// From here on Stirling's series with those terms is right to 1e-31.
const STIRLING_FROM: f64 = 25.0;

/// The numbers that series are summed in.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The relative error of one operation, rounded up.
    const ERROR: f64;

    fn of(value: Twofold) -> Self;
    fn hi(self) -> f64;
    fn exp(self) -> Self;
    fn ln(self) -> Self;

    /// The least tail that is had from the other one, where logarithms of up to `size` were added.
    fn kept(size: f64) -> f64;

    fn from_f64(value: f64) -> Self {
        Self::of(Twofold::new(value))
    }
}

impl Number for f64 {
    const ERROR: f64 = 1e-15;

    fn kept(_: f64) -> f64 {
        1e-8 // doubles only come near
    }

    fn of(value: Twofold) -> Self {
        value.hi
    }

    fn hi(self) -> f64 {
        self
    }

    fn exp(self) -> Self {
        f64::exp(self)
    }

    fn ln(self) -> Self {
        f64::ln(self)
    }
}

/// The sum of a double and a smaller one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twofold {
    pub hi: f64,
    pub lo: f64,
}

/// The sum and its rounding error.
const fn two_sum(a: f64, b: f64) -> Twofold {
    let hi = a + b;
    let of_b = hi - a;
    Twofold {
        hi,
        lo: (a - (hi - of_b)) + (b - of_b),
    }
}

/// The same, where `a` is the greater.
const fn ordered_sum(a: f64, b: f64) -> Twofold {
    let hi = a + b;
    Twofold {
        hi,
        lo: b - (hi - a),
    }
}

const fn halves(a: f64) -> (f64, f64) {
    let shifted = SPLITTER * a;
    let high = shifted - (shifted - a);
    (high, a - high)
}

/// The product and its rounding error.
const fn two_product(a: f64, b: f64) -> Twofold {
    let hi = a * b;
    let ((a, a_low), (b, b_low)) = (halves(a), halves(b));
    Twofold {
        hi,
        lo: ((a * b - hi) + a * b_low + a_low * b) + a_low * b_low,
    }
}

impl Twofold {
    pub const fn new(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }

    /// The exact square of a double.
    pub fn square(x: f64) -> Self {
        two_product(x, x)
    }

    /// Times a power of 2.
    const fn scaled(self, power: f64) -> Self {
        Self {
            hi: self.hi * power,
            lo: self.lo * power,
        }
    }

    pub fn to_f64(self) -> f64 {
        self.hi + self.lo
    }

    const fn plus(self, other: Self) -> Self {
        let (high, low) = (two_sum(self.hi, other.hi), two_sum(self.lo, other.lo));
        let partial = ordered_sum(high.hi, high.lo + low.hi);
        ordered_sum(partial.hi, partial.lo + low.lo)
    }

    const fn times(self, other: Self) -> Self {
        let product = two_product(self.hi, other.hi);
        ordered_sum(
            product.hi,
            product.lo + (self.hi * other.lo + self.lo * other.hi),
        )
    }

    const fn over(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self.plus(other.times(Self::new(-first)));
        ordered_sum(first, rest.hi / other.hi)
    }
}

impl Add for Twofold {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Twofold {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.plus(other.scaled(-1.0))
    }
}

impl Mul for Twofold {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.times(other)
    }
}

impl Div for Twofold {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        self.over(other)
    }
}

impl Number for Twofold {
    const ERROR: f64 = 1e-30;

    fn kept(size: f64) -> f64 {
        1e15 * Self::ERROR * size
    }

    fn of(value: Twofold) -> Self {
        value
    }

    fn hi(self) -> f64 {
        self.hi
    }

    fn exp(self) -> Self {
        if self.hi < -745.0 {
            return Self::new(0.0);
        }
        if self.hi > 709.0 {
            return Self::new(f64::INFINITY);
        }
        let twos = (self.hi / LN_2.hi).round();
        let rest = (self - LN_2 * Self::new(twos)).scaled(1.0 / 512.0);
        let mut less_1 = Self::new(0.0); // exp(rest) - 1
        for inverse in INVERSE_FACTORIALS.iter().rev() {
            less_1 = rest * (less_1 + *inverse);
        }
        for _ in 0..9 {
            less_1 = less_1.scaled(2.0) + less_1 * less_1;
        }
        let half = (twos / 2.0).floor();
        (less_1 + Self::new(1.0))
            .scaled(half.exp2())
            .scaled((twos - half).exp2())
    }

    fn ln(self) -> Self {
        if self.hi <= 0.0 {
            return Self::new(self.hi.ln());
        }
        if self.hi < 1e-280 {
            let up = 2f64.powi(200);
            return self.scaled(up).ln() - LN_2 * Self::new(200.0);
        }
        let first = Self::new(self.hi.ln());
        let error = self * (first.scaled(-1.0)).exp() - Self::new(1.0);
        let series = Self::new(1.0) - error * (Self::new(0.5) - error / Self::new(3.0));
        first + error * series
    }
}

/// The logarithm of the gamma function of a positive number.
pub fn ln_gamma(x: Twofold) -> Twofold {
    let one = Twofold::new(1.0);
    let (mut z, mut product) = (x, one);
    while z.hi < STIRLING_FROM {
        product = product * z;
        z = z + one;
    }
    let (inverse, mut series) = (one / z, Twofold::new(0.0));
    let square = inverse * inverse;
    for term in STIRLING.iter().rev() {
        series = series * square + *term;
    }
    let main = (z - Twofold::new(0.5)) * z.ln() - z + HALF_LN_2_PI;
    main + series * inverse - product.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Twofold, hi: f64, lo: f64) {
        let gap = (found - Twofold { hi, lo }).hi.abs();
        assert!(gap <= 1e-29 * hi.abs(), "{found:?} is {gap:e} off");
    }

    #[test]
    fn exponentials_and_logarithms_have_thirty_digits() {
        close(
            Twofold::new(1.0).exp(),
            std::f64::consts::E,
            1.445_646_891_729_250_2e-16,
        );
        close(Twofold::new(2.0).ln(), LN_2.hi, LN_2.lo);
        for x in [1e-300, 1e-20, 0.3, 0.999_999, 1.0, 1.5, 1e5, 1e290] {
            close(Twofold::new(x).ln().exp(), x, 0.0);
        }
    }

    #[test]
    fn the_gamma_function_is_the_factorial_and_the_root_of_pi() {
        close(
            ln_gamma(Twofold::new(21.0)).exp(),
            2_432_902_008_176_640_000.0,
            0.0,
        );
        close(
            ln_gamma(Twofold::new(0.5)),
            0.572_364_942_924_700_1,
            5.132_975_581_353_913e-18,
        );
        let (x, step) = (Twofold::new(123.75), ln_gamma(Twofold::new(124.75)));
        close((step - ln_gamma(x)).exp(), 123.75, 0.0);
    }
}
