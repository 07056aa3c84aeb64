//! Weighted sums of independent laws: their generating functions multiply.

use super::forward::Depth;
use super::lanes::Lane;
use super::source::{Ready, Source, stretched};
use super::{Cumulants, Refused};
use crate::threads;

/// One term of a sum, repeated with independent values.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Where its value comes from.
    pub source: Source,
    /// What the value is multiplied by.
    pub scale: f64,
    /// How many independent ones there are.
    pub count: u32,
}

/// A sum of independent parts.
///
/// ```
/// use certus_core::chance::{Gain, Joint, Law, Part, Source};
///
/// // The reciprocal rank of one hit in two ranks, 1/2 or 1, added up twice.
/// let law = Law::new(2, 1, Gain::First(vec![1.0, 0.5])).unwrap();
/// let joint = Joint::new(vec![Part { source: Source::Hits(law), scale: 1.0, count: 2 }]);
/// let moments = joint.cumulants(0.0, true).unwrap();
/// assert_eq!((moments.mean, moments.var), (1.5, 0.125));
/// assert_eq!(joint.range(), (1.0, 2.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    parts: Vec<Part>,
}

impl Joint {
    /// The sum of these parts.
    #[must_use]
    pub fn new(parts: Vec<Part>) -> Self {
        Self { parts }
    }

    /// The least and the greatest sum.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        self.parts.iter().fold((0.0, 0.0), |(low, high), part| {
            let (a, b) = stretched(part.source.range(), part.scale);
            let count = f64::from(part.count);
            (low + count * a, high + count * b)
        })
    }

    /// The cumulants under a tilt, to the second or (`all`) to the fourth; third and fourth are central moments.
    pub fn cumulants(&self, tilt: f64, all: bool) -> Result<Cumulants, Refused> {
        self.at(tilt, if all { Depth::Four } else { Depth::Two })
    }

    pub(super) fn at(&self, tilt: f64, depth: Depth) -> Result<Cumulants, Refused> {
        let each = threads::map(self.parts.len(), 1, |range| {
            self.parts[range]
                .iter()
                .map(|part| {
                    let found = part.source.cumulants(tilt * part.scale, depth)?;
                    Ok((found.scaled(part.scale), f64::from(part.count)))
                })
                .collect()
        });
        // Cumulants add; the fourth is the central moment less three squared variances.
        let mut sum = Cumulants::default();
        for found in each {
            let (part, count): (Cumulants, f64) = found?;
            sum.log += count * part.log;
            sum.mean += count * part.mean;
            sum.var += count * part.var;
            sum.third += count * part.third;
            sum.fourth += count * (part.fourth - 3.0 * part.var * part.var);
        }
        sum.fourth += 3.0 * sum.var * sum.var;
        Ok(sum)
    }

    pub(super) fn ready(&self, tilt: f64) -> Result<ReadyJoint<'_>, Refused> {
        let ready = threads::map(self.parts.len(), 1, |range| {
            self.parts[range]
                .iter()
                .map(|part| Ok((part.source.ready(tilt * part.scale)?, part)))
                .collect()
        });
        let parts: Result<Vec<_>, Refused> = ready.into_iter().collect();
        Ok(ReadyJoint { parts: parts? })
    }
}

/// A sum at one tilt, ready for any frequency.
pub(super) struct ReadyJoint<'a> {
    parts: Vec<(Ready<'a>, &'a Part)>,
}

impl ReadyJoint<'_> {
    pub(super) fn log(&self) -> f64 {
        self.parts
            .iter()
            .map(|(ready, part)| f64::from(part.count) * ready.log())
            .sum()
    }

    pub(super) fn cells(&self) -> usize {
        self.parts.iter().map(|(ready, _)| ready.cells()).sum()
    }

    /// M(c + iw) / M(c) for the frequencies w = start, start + step, ...
    pub(super) fn lanes(&self, start: f64, step: f64) -> Lane {
        let mut product = Lane::of(1.0);
        for (ready, part) in &self.parts {
            let lane = ready.lanes(start * part.scale, step * part.scale);
            product.times(&lane.power(part.count));
        }
        product
    }
}
