//! The first four cumulants, and how they mix.

/// Log of the moment-generating function at a tilt, and the mean and central moments under that tilt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cumulants {
    /// Log E exp(s S).
    pub log: f64,
    /// The first derivative of the log.
    pub mean: f64,
    /// The second derivative.
    pub var: f64,
    /// The third central moment.
    pub third: f64,
    /// The fourth central moment.
    pub fourth: f64,
}

impl Cumulants {
    /// The same for `scale` times the sum, at the tilt divided by `scale`.
    #[must_use]
    pub(super) fn scaled(self, scale: f64) -> Self {
        let square = scale * scale;
        Self {
            log: self.log,
            mean: self.mean * scale,
            var: self.var * square,
            third: self.third * square * scale,
            fourth: self.fourth * square * square,
        }
    }

    /// The moments of a mixture, with shares `rest` of this and `share` of the other, both given so that neither loses
    /// digits when it is small. Differences of means are taken before powers, so that no
    /// digits are lost.
    #[inline]
    pub(super) fn mixed(&mut self, other: &Self, (rest, share): (f64, f64), all: bool) {
        let d = other.mean - self.mean;
        let both = share * rest;
        if all {
            self.fourth = rest * self.fourth
                + share * other.fourth
                + both
                    * d
                    * (4.0 * (other.third - self.third)
                        + d * (6.0 * (rest * other.var + share * self.var)
                            + d * d * (1.0 - 3.0 * both)));
            self.third = rest * self.third
                + share * other.third
                + both * d * (3.0 * (other.var - self.var) + d * d * (rest - share));
        }
        self.var = rest * self.var + share * other.var + both * d * d;
        self.mean += share * d;
    }
}
