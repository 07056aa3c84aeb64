//! The tilt under which the mean is a given value.

use super::forward::Depth;
use super::{Cumulants, Joint, Refused};

/// A sum, or its negative: lower tails are upper tails of the negative.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub joint: &'a Joint,
    pub sign: f64,
}

impl View<'_> {
    pub(super) fn cumulants(&self, tilt: f64, depth: Depth) -> Result<Cumulants, Refused> {
        Ok(self.joint.at(self.sign * tilt, depth)?.scaled(self.sign))
    }
}

/// A tilt, and the cumulants under it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saddle {
    /// The argument of the generating function.
    pub tilt: f64,
    /// What the sum is like under it.
    pub at: Cumulants,
}

/// The tilt under which `x`, strictly between the least and the greatest sum, is the mean, with the cumulants to the
/// fourth.
///
/// ```
/// use certus_core::chance::{Gain, Joint, Law, Part, Source, saddlepoint};
///
/// let law = Law::new(2, 1, Gain::First(vec![1.0, 0.5])).unwrap();
/// let joint = Joint::new(vec![Part { source: Source::Hits(law), scale: 1.0, count: 1 }]);
/// // 1 with chance e^s / (e^s + e^(s/2)), so that the mean is 0.9 where e^(s/2) is 4.
/// let saddle = saddlepoint(&joint, 0.9).unwrap();
/// assert!((saddle.tilt - 2.0 * 4f64.ln()).abs() < 1e-8);
/// ```
pub fn saddlepoint(joint: &Joint, x: f64) -> Result<Saddle, Refused> {
    let view = View { joint, sign: 1.0 };
    let start = view.cumulants(0.0, Depth::Two)?;
    let mut found = solve(&view, &start, x, 1e-9, Depth::Two)?;
    found.at = joint.cumulants(found.tilt, true)?;
    Ok(found)
}

/// Newton's method within a bracket, from the cumulants at 0, until the mean is within `near` standard deviations.
pub(super) fn solve(
    view: &View<'_>,
    start: &Cumulants,
    x: f64,
    near: f64,
    depth: Depth,
) -> Result<Saddle, Refused> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let unit = 1.0 / start.var.sqrt();
    let (mut tilt, mut at) = (0.0_f64, *start);
    for _ in 0..200 {
        let miss = x - at.mean;
        let close = near * at.var.sqrt().min(start.var.sqrt());
        if miss.abs() <= close || high - low <= 1e-14 * tilt.abs() {
            break;
        }
        if miss > 0.0 {
            low = tilt;
        } else {
            high = tilt;
        }
        // Near the ends of the range the mean hardly moves, and Newton's step would leap.
        let most = 2.0 * tilt.abs() + 2.0 * unit;
        let step = (miss / at.var).clamp(-most, most);
        let mut next = tilt
            + if step.is_finite() {
                step
            } else {
                most.copysign(miss)
            };
        if next <= low || next >= high {
            next = f64::midpoint(low, high);
        }
        tilt = next;
        at = view.cumulants(tilt, depth)?;
    }
    if tilt.is_finite() && at.var > 0.0 {
        Ok(Saddle { tilt, at })
    } else {
        Err(Refused(format!("found no tilt for the value {x}")))
    }
}
