//! Weighted sums of independent laws: their generating functions multiply.

use super::Refused;
use super::bands::Bands;
use super::forward::{Cumulants, Depth, forward};
use super::lanes::{Lane, lanes};
use super::law::Law;
use crate::threads;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The sum of a random ranking.
    Hits(Law),
    /// One of some values.
    Atoms {
        /// The values.
        values: Vec<f64>,
        /// The logarithms of their chances.
        logs: Vec<f64>,
    },
    /// One of several sources: the logarithm of its chance, and what its value is multiplied by.
    Mixture(Vec<(f64, f64, Source)>),
}

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

impl Source {
    fn range(&self) -> (f64, f64) {
        let over = |ranges: &mut dyn Iterator<Item = (f64, f64)>| {
            ranges.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (a, b)| {
                (low.min(a), high.max(b))
            })
        };
        match self {
            Source::Hits(law) => law.range(),
            Source::Atoms { values, .. } => over(&mut values.iter().map(|&v| (v, v))),
            Source::Mixture(terms) => over(
                &mut terms
                    .iter()
                    .map(|(_, scale, source)| stretched(source.range(), *scale)),
            ),
        }
    }

    fn cumulants(&self, tilt: f64, depth: Depth) -> Result<Cumulants, Refused> {
        let all = depth == Depth::Four;
        match self {
            Source::Hits(law) => forward(law, tilt, depth, None),
            Source::Atoms { values, logs } => {
                let each = values.iter().zip(logs).map(|(&mean, log)| Cumulants {
                    log: log + tilt * mean,
                    mean,
                    ..Cumulants::default()
                });
                Ok(mixture(each, all))
            }
            Source::Mixture(terms) => {
                let each = threads::map(terms.len(), 1, |range| {
                    terms[range]
                        .iter()
                        .map(|(log, scale, source)| {
                            let found = source.cumulants(tilt * scale, depth)?.scaled(*scale);
                            Ok(Cumulants {
                                log: found.log + log,
                                ..found
                            })
                        })
                        .collect()
                });
                let each: Result<Vec<Cumulants>, Refused> = each.into_iter().collect();
                Ok(mixture(each?.into_iter(), all))
            }
        }
    }

    fn ready(&self, tilt: f64) -> Result<Ready<'_>, Refused> {
        Ok(match self {
            Source::Hits(law) => Ready::Hits(law, Bands::new(law, tilt)?),
            Source::Atoms { values, logs } => {
                let total = self.cumulants(tilt, Depth::Two)?.log;
                let each = values.iter().zip(logs);
                Ready::Atoms(
                    each.map(|(v, log)| (*v, (log + tilt * v - total).exp()))
                        .filter(|(_, weight)| *weight > 1e-25)
                        .collect(),
                    total,
                )
            }
            Source::Mixture(terms) => {
                let mut ready = Vec::new();
                for (log, scale, source) in terms {
                    ready.push((*log, *scale, source.ready(tilt * scale)?));
                }
                let most = ready
                    .iter()
                    .map(|(log, _, r)| log + r.log())
                    .fold(f64::NEG_INFINITY, f64::max);
                let sum: f64 = ready
                    .iter()
                    .map(|(log, _, r)| (log + r.log() - most).exp())
                    .sum();
                let total = most + sum.ln();
                let terms = ready
                    .into_iter()
                    .map(|(log, scale, r)| ((log + r.log() - total).exp(), scale, r))
                    .filter(|(weight, ..)| *weight > 1e-20)
                    .collect();
                Ready::Mixture(terms, total)
            }
        })
    }
}

/// The range of `scale` times a value.
fn stretched((low, high): (f64, f64), scale: f64) -> (f64, f64) {
    let (a, b) = (low * scale, high * scale);
    (a.min(b), a.max(b))
}

/// The cumulants of a mixture of terms, each with the logarithm of its weight.
fn mixture(each: impl Iterator<Item = Cumulants> + Clone, all: bool) -> Cumulants {
    let most = each
        .clone()
        .map(|term| term.log)
        .fold(f64::NEG_INFINITY, f64::max);
    let (mut sum, mut total) = (Cumulants::default(), 0.0);
    for term in each {
        let weight = (term.log - most).exp();
        if weight > 0.0 {
            let before = total;
            total += weight;
            sum.mixed(&term, (before / total, weight / total), all);
        }
    }
    sum.log = most + total.ln();
    sum
}

/// A source at one tilt, ready for any frequency.
pub(super) enum Ready<'a> {
    Hits(&'a Law, Bands),
    /// Values with their tilted chances, and the log of the generating function.
    Atoms(Vec<(f64, f64)>, f64),
    Mixture(Vec<(f64, f64, Ready<'a>)>, f64),
}

impl Ready<'_> {
    fn log(&self) -> f64 {
        match self {
            Ready::Hits(_, bands) => bands.log,
            Ready::Atoms(_, log) | Ready::Mixture(_, log) => *log,
        }
    }

    /// About what one frequency costs, in states.
    fn cells(&self) -> usize {
        match self {
            Ready::Hits(_, bands) => bands.cells,
            Ready::Atoms(values, _) => values.len(),
            Ready::Mixture(terms, _) => terms.iter().map(|(_, _, ready)| ready.cells()).sum(),
        }
    }

    fn lanes(&self, start: f64, step: f64) -> Lane {
        let mut sum = Lane::of(0.0);
        match self {
            Ready::Hits(law, bands) => return lanes(law, bands, start, step),
            Ready::Atoms(values, _) => {
                for (value, weight) in values {
                    sum.add(&Lane::turns(start, step, *value), *weight);
                }
            }
            Ready::Mixture(terms, _) => {
                for (weight, scale, ready) in terms {
                    sum.add(&ready.lanes(start * scale, step * scale), *weight);
                }
            }
        }
        sum
    }
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
