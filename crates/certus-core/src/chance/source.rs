//! What one term of a sum may be: a law of hits, a few values, or a mixture.

use super::bands::Bands;
use super::forward::{Depth, forward};
use super::lanes::{Lane, lanes};
use super::law::Law;
use super::{Cumulants, Refused};
use crate::threads;
use std::sync::Arc;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The sum of a random ranking.
    Hits(Arc<Law>),
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

impl Source {
    pub(super) fn range(&self) -> (f64, f64) {
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

    pub(super) fn cumulants(&self, tilt: f64, depth: Depth) -> Result<Cumulants, Refused> {
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

    pub(super) fn ready(&self, tilt: f64) -> Result<Ready, Refused> {
        Ok(match self {
            Source::Hits(law) => Ready::Hits(Arc::clone(law), Bands::new(law, tilt)?),
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
pub(super) fn stretched((low, high): (f64, f64), scale: f64) -> (f64, f64) {
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
#[derive(Clone, Debug)]
pub(super) enum Ready {
    Hits(Arc<Law>, Bands),
    /// Values with their tilted chances, and the log of the generating function.
    Atoms(Vec<(f64, f64)>, f64),
    Mixture(Vec<(f64, f64, Ready)>, f64),
}

impl Ready {
    pub(super) fn log(&self) -> f64 {
        match self {
            Ready::Hits(_, bands) => bands.log,
            Ready::Atoms(_, log) | Ready::Mixture(_, log) => *log,
        }
    }

    /// About what one frequency costs, in states.
    pub(super) fn cells(&self) -> usize {
        match self {
            Ready::Hits(_, bands) => bands.cells,
            Ready::Atoms(values, _) => values.len(),
            Ready::Mixture(terms, _) => terms.iter().map(|(_, _, ready)| ready.cells()).sum(),
        }
    }

    pub(super) fn lanes(&self, start: f64, step: f64) -> Lane {
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
