//! Bootstrap replicates by weights: the samples stay in one sorted order, and each replicate walks it with how often
//! each unit was drawn.
//!
//! Replicate `b` draws from a random stream of its own that depends on the seed and `b` only, so the results are the
//! same bits for any number of threads, and metrics of one seed see the same resamples of the units.

use super::counts;
use super::hull::Hull;
use super::metric::Metric;
use super::order::{Mass, OrderSteps, metric_of_order};
use super::walk::Walker;
use crate::bootstrap::Stream;
use crate::threads;

/// Units drawn by a thread before it is worth asking another one to help.
const DRAWS_PER_TASK: usize = 1 << 15;

/// Samples by decreasing score, and the units that are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Sampled<'a> {
    /// As [`marks_of`](super::marks_of) gives them.
    pub marks: &'a [u8],
    /// One weight per sample; `None`: each counts 1.
    pub weights: Option<&'a [f64]>,
    /// The unit that each sample belongs to; `None`: each is a unit.
    pub units: Option<&'a [u32]>,
    /// How many units there are.
    pub size: usize,
    /// The stratum of each unit, which then keeps its number of units; `None`: all units are one.
    pub strata: Option<&'a [u32]>,
}

impl Sampled<'_> {
    /// Refuses columns that do not belong together.
    fn check(&self) -> Result<(), String> {
        let n = self.marks.len();
        let fine = self.weights.is_none_or(|weights| weights.len() == n)
            && self.strata.is_none_or(|strata| strata.len() == self.size)
            && match self.units {
                None => self.size == n,
                Some(units) => {
                    units.len() == n && units.iter().all(|&unit| (unit as usize) < self.size)
                }
            }
            && u32::try_from(self.size).is_ok();
        if fine {
            Ok(())
        } else {
            Err("marks, weights, units and strata do not belong together".into())
        }
    }

    /// The units of each stratum; none where there are no strata.
    fn members(&self) -> Vec<Vec<u32>> {
        let mut members = Vec::new();
        for (unit, &stratum) in (0..).zip(self.strata.unwrap_or_default()) {
            let stratum = stratum as usize;
            if members.len() <= stratum {
                members.resize_with(stratum + 1, Vec::new);
            }
            members[stratum].push(unit);
        }
        members
    }

    /// Calls `with` for each replicate, with how much each sample counts in it.
    fn replicate<T: Send>(
        &self,
        replicates: usize,
        seed: u64,
        visit: impl Visit<Output = T> + Sync,
    ) -> Result<Vec<T>, String> {
        self.check()?;
        let members = self.members();
        let at_least = DRAWS_PER_TASK / self.size.max(1);
        Ok(threads::map(replicates, at_least, |range| {
            let mut counts = vec![0_u8; self.size];
            let mut masses = Vec::new();
            range
                .map(|replicate| {
                    counts::draw(
                        &mut counts,
                        &members,
                        &mut Stream::new(seed, replicate as u64),
                    );
                    if self.weights.is_none() && self.units.is_none() {
                        return visit.visit(self.marks, &counts);
                    }
                    self.fill(&mut masses, &counts);
                    visit.visit(self.marks, &masses)
                })
                .collect()
        }))
    }

    /// The masses of the samples: the counts of their units times their weights.
    fn fill(&self, masses: &mut Vec<f64>, counts: &[u8]) {
        masses.clear();
        match self.units {
            Some(units) => masses.extend(units.iter().map(|&u| f64::from(counts[u as usize]))),
            None => masses.extend(counts.iter().map(|&count| f64::from(count))),
        }
        for (mass, weight) in masses.iter_mut().zip(self.weights.unwrap_or_default()) {
            *mass *= weight;
        }
    }
}

/// What is done with a resample: generic over how masses are stored.
trait Visit {
    type Output;
    fn visit<M: Mass>(&self, marks: &[u8], masses: &[M]) -> Self::Output;
}

impl Visit for Metric {
    type Output = f64;
    fn visit<M: Mass>(&self, marks: &[u8], masses: &[M]) -> f64 {
        metric_of_order(*self, marks, masses)
    }
}

struct HullOf;

impl Visit for HullOf {
    type Output = Vec<(f64, f64)>;
    fn visit<M: Mass>(&self, marks: &[u8], masses: &[M]) -> Self::Output {
        Hull::default().walk(OrderSteps::new(marks, masses))
    }
}

/// The metric of each of `replicates` resamples; NaN where it is undefined.
///
/// ```
/// use certus_core::scores::{Metric, Sampled, bootstrap, marks_of};
/// let marks = marks_of(&[0.5, 0.9], &[0.1, 0.5]);
/// let plain = Sampled { marks: &marks, weights: None, units: None, size: 4, strata: None };
/// let values = bootstrap(plain, Metric::Auc, 100, 7).unwrap();
/// assert_eq!(values.len(), 100);
/// assert!(values.iter().all(|auc| auc.is_nan() || (0.0..=1.0).contains(auc)));
/// ```
pub fn bootstrap(
    sampled: Sampled<'_>,
    metric: Metric,
    replicates: usize,
    seed: u64,
) -> Result<Vec<f64>, String> {
    sampled.replicate(replicates, seed, metric)
}

/// The corners of the ROC curve's convex hull in each of the same resamples: see [`Hull`].
///
/// ```
/// use certus_core::scores::{Sampled, bootstrap_hulls, marks_of};
/// let marks = marks_of(&[0.5, 0.9], &[0.1, 0.5]);
/// let plain = Sampled { marks: &marks, weights: None, units: None, size: 4, strata: None };
/// let hulls = bootstrap_hulls(plain, 100, 7).unwrap();
/// assert!(hulls.iter().all(|hull| hull.last().is_some_and(|(n, m)| n + m == 4.0)));
/// ```
pub fn bootstrap_hulls(
    sampled: Sampled<'_>,
    replicates: usize,
    seed: u64,
) -> Result<Vec<Vec<(f64, f64)>>, String> {
    sampled.replicate(replicates, seed, HullOf)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::scores::{LAST, POSITIVE, Part};

    const METRICS: [Metric; 14] = [
        Metric::Auc,
        Metric::PartialAuc(Part::MaxFpr(0.3)),
        Metric::PartialAuc(Part::MinTpr(0.6)),
        Metric::Ks { either_side: true },
        Metric::AveragePrecision,
        Metric::TrapezoidPrecision,
        Metric::CurvedPrecision,
        Metric::ElevenPointPrecision,
        Metric::BreakEven,
        Metric::PrecisionAtRecall(0.5),
        Metric::RecallAtPrecision(0.7),
        Metric::GainAt(0.2),
        Metric::Positives,
        Metric::Samples,
    ];

    fn marks(n: usize) -> Vec<u8> {
        (0..n)
            .map(|i| {
                let positive = i * 7 % 5 < 2;
                let last = i % 3 != 1 || i + 1 == n;
                (u8::from(positive) * POSITIVE) | (u8::from(last) * LAST)
            })
            .collect()
    }

    fn same(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!(a == b || a.is_nan() && b.is_nan(), "{a} {b}");
        }
    }

    /// A resample written out: each sample as often as its unit was drawn, tied ones together.
    fn naive(sampled: Sampled<'_>, metric: Metric, counts: &[u8]) -> f64 {
        let mut marks = Vec::new();
        let mut weights = Vec::new();
        for (i, mark) in sampled.marks.iter().enumerate() {
            let unit = sampled.units.map_or(i, |units| units[i] as usize);
            let weight = sampled.weights.map_or(1.0, |weights| weights[i]);
            for _ in 0..counts[unit] {
                marks.push(mark & POSITIVE);
                weights.push(weight);
            }
            if mark & LAST != 0 && !marks.is_empty() {
                *marks.last_mut().unwrap() |= LAST;
            }
        }
        metric_of_order(metric, &marks, &weights)
    }

    #[test]
    fn replicates_are_the_metric_of_the_resamples_written_out() {
        let n = 40;
        let marks = marks(n);
        let weights: Vec<f64> = (0..n).map(|i| f64::from(1 << (i % 3))).collect();
        let units: Vec<u32> = (0..n as u32).map(|i| i * i % 11).collect();
        let strata: Vec<u32> = marks
            .iter()
            .map(|mark| u32::from(mark & POSITIVE))
            .collect();
        let plain = Sampled {
            marks: &marks,
            weights: None,
            units: None,
            size: n,
            strata: None,
        };
        let all = [
            plain,
            Sampled {
                strata: Some(&strata),
                ..plain
            },
            Sampled {
                weights: Some(&weights),
                ..plain
            },
            Sampled {
                units: Some(&units),
                size: 11,
                ..plain
            },
            Sampled {
                weights: Some(&weights),
                units: Some(&units),
                size: 11,
                strata: None,
                ..plain
            },
        ];
        for sampled in all {
            for metric in METRICS {
                let expected: Vec<f64> = (0..30)
                    .map(|replicate| {
                        let mut counts = vec![0; sampled.size];
                        let mut stream = Stream::new(4, replicate);
                        counts::draw(&mut counts, &sampled.members(), &mut stream);
                        naive(sampled, metric, &counts)
                    })
                    .collect();
                same(&bootstrap(sampled, metric, 30, 4).unwrap(), &expected);
            }
        }
    }

    #[test]
    fn a_stratified_resample_keeps_the_classes() {
        let marks = marks(30);
        let strata: Vec<u32> = marks
            .iter()
            .map(|mark| u32::from(mark & POSITIVE))
            .collect();
        let sampled = Sampled {
            marks: &marks,
            weights: None,
            units: None,
            size: 30,
            strata: Some(&strata),
        };
        let sizes = bootstrap(sampled, Metric::Positives, 100, 1).unwrap();
        assert!(sizes.iter().all(|size| *size == sizes[0]));
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        // `threads::map` splits by CERTUS_THREADS and the cores; its parts are joined in order, so ranges must agree.
        let marks = marks(50);
        let sampled = Sampled {
            marks: &marks,
            weights: None,
            units: None,
            size: 50,
            strata: None,
        };
        let all = bootstrap(sampled, Metric::Auc, 5000, 9).unwrap();
        let few = bootstrap(sampled, Metric::Auc, 10, 9).unwrap();
        same(&all[..10], &few);
    }

    #[test]
    fn columns_that_do_not_belong_together_are_refused() {
        let marks = marks(5);
        let sampled = Sampled {
            marks: &marks,
            weights: None,
            units: Some(&[0, 1, 2, 3, 4]),
            size: 4,
            strata: None,
        };
        assert!(bootstrap(sampled, Metric::Auc, 1, 0).is_err());
        let short = Sampled {
            units: None,
            weights: Some(&[1.0]),
            size: 5,
            ..sampled
        };
        assert!(bootstrap(short, Metric::Auc, 1, 0).is_err());
    }

    #[test]
    fn the_hulls_are_those_of_the_same_resamples() {
        let marks = marks(20);
        let sampled = Sampled {
            marks: &marks,
            weights: None,
            units: None,
            size: 20,
            strata: None,
        };
        let hulls = bootstrap_hulls(sampled, 50, 3).unwrap();
        let sizes = bootstrap(sampled, Metric::Positives, 50, 3).unwrap();
        for (hull, size) in hulls.iter().zip(sizes) {
            assert_eq!(hull.last().unwrap().1, size);
        }
    }
}
