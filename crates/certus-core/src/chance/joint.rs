//! Weighted sums of independent laws: their generating functions multiply.

use super::forward::Depth;
use super::lanes::{LANES, Lane};
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
/// let joint = Joint::new(vec![Part { source: Source::Hits(law.into()), scale: 1.0, count: 2 }]);
/// let moments = joint.cumulants(0.0, false).unwrap();
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

    /// The cumulants under a tilt, third and fourth as central moments. `rough` ones are cheap and about right: enough
    /// to find a tilt, or to bound what lies far off.
    pub fn cumulants(&self, tilt: f64, rough: bool) -> Result<Cumulants, Refused> {
        let depth = if rough { Depth::Rough } else { Depth::Four };
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

    /// The sum under a tilt, ready for any frequency.
    pub fn tilted(&self, tilt: f64) -> Result<Tilted, Refused> {
        let ready = threads::map(self.parts.len(), 1, |range| {
            self.parts[range]
                .iter()
                .map(|part| {
                    Ok((
                        part.source.ready(tilt * part.scale)?,
                        part.scale,
                        part.count,
                    ))
                })
                .collect()
        });
        let parts: Result<Vec<_>, Refused> = ready.into_iter().collect();
        Ok(Tilted { parts: parts? })
    }
}

/// A sum under a tilt.
#[derive(Clone, Debug)]
pub struct Tilted {
    parts: Vec<(Ready, f64, u32)>,
}

impl Tilted {
    /// Log E exp(tilt S).
    #[must_use]
    pub fn log(&self) -> f64 {
        let each = self.parts.iter();
        each.map(|(ready, _, count)| f64::from(*count) * ready.log())
            .sum()
    }

    /// States that one frequency visits.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.parts.iter().map(|(ready, ..)| ready.cells()).sum()
    }

    /// The characteristic function of the tilted sum at the frequencies `step * j`, j from `first` on.
    ///
    /// ```
    /// use certus_core::chance::{Joint, Part, Source};
    ///
    /// // Heads or tails, 1 or 0: (1 + exp(iw)) / 2.
    /// let half = 0.5_f64.ln();
    /// let coin = Source::Atoms { values: vec![0.0, 1.0], logs: vec![half, half] };
    /// let joint = Joint::new(vec![Part { source: coin, scale: 1.0, count: 1 }]);
    /// let found = joint.tilted(0.0).unwrap().characteristic(0.5, 1, 2);
    /// assert!((found[1].0 - (1.0 + 1_f64.cos()) / 2.0).abs() < 1e-15);
    /// assert!((found[1].1 - 1_f64.sin() / 2.0).abs() < 1e-15);
    /// ```
    #[must_use]
    pub fn characteristic(&self, step: f64, first: usize, count: usize) -> Vec<(f64, f64)> {
        let lanes = threads::map(count.div_ceil(LANES), 1, |range| {
            range
                .map(|block| self.lanes(step * (first + block * LANES) as f64, step))
                .collect()
        });
        let mut found: Vec<(f64, f64)> = lanes
            .iter()
            .flat_map(|lane| lane.re.iter().copied().zip(lane.im.iter().copied()))
            .collect();
        found.truncate(count);
        found
    }

    fn lanes(&self, start: f64, step: f64) -> Lane {
        let mut product = Lane::of(1.0);
        for (ready, scale, count) in &self.parts {
            let lane = ready.lanes(start * scale, step * scale);
            product.times(&lane.power(*count));
        }
        product
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::underflow::census;

    #[test]
    fn no_subnormal_number_circulates() {
        let coin = |i: u32| Part {
            source: Source::Atoms {
                values: vec![0.0, 1.0],
                logs: vec![0.75_f64.ln(), 0.25_f64.ln()],
            },
            scale: f64::from(i).sqrt(),
            count: 1,
        };
        let tilted = Joint::new((1..6_000).map(coin).collect())
            .tilted(0.0)
            .unwrap();
        let (flushed, left) = census::compared(0.1, || tilted.lanes(0.0, 0.3));
        assert_eq!((flushed.re[0], flushed.im[0]), (left.re[0], left.im[0]));
    }
}
