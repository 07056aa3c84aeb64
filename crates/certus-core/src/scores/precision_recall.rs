//! Metrics of the precision-recall curve.

use super::walk::{Totals, Walker};

/// Average precision: the area under the steps of the precision-recall curve; NaN without positives.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepArea {
    seen: Totals,
    sum: f64,
}

impl Walker for StepArea {
    type Output = f64;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        self.seen.step(a, b);
        // Before the first sample nothing is added; no branch, as the walk of a resample takes this step unpredictably.
        let passed = (self.seen.positives + self.seen.negatives).max(f64::MIN_POSITIVE);
        self.sum += a * (self.seen.positives / passed);
    }
    fn finish(self) -> f64 {
        self.sum / self.seen.positives
    }
}

/// The area under straight lines between the points of the precision-recall curve, the first of which is precision 1 at
/// recall 0.
#[derive(Clone, Copy, Debug)]
pub struct TrapezoidArea {
    seen: Totals,
    precision: f64,
    sum: f64,
}

impl Default for TrapezoidArea {
    fn default() -> Self {
        Self {
            seen: Totals::default(),
            precision: 1.0,
            sum: 0.0,
        }
    }
}

impl Walker for TrapezoidArea {
    type Output = f64;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        if a + b > 0.0 {
            self.seen.step(a, b);
            let precision = self.seen.positives / (self.seen.positives + self.seen.negatives);
            self.sum += a * ((self.precision + precision) / 2.0);
            self.precision = precision;
        }
    }
    fn finish(self) -> f64 {
        self.sum / self.seen.positives
    }
}

/// The area under the precision-recall curve when negatives are passed evenly between two points: the curve of every
/// order in between.
///
/// Between two thresholds a share x of the group's positives comes with the same share of its negatives, so precision is
/// `(R + x a) / (T + x (a + b))`, integrated over x in closed form.
///
/// Source: Davis & Goadrich (2006), ICML, doi:10.1145/1143844.1143874; the integral: Keilwagen, Grosse & Grau (2014),
/// PLoS ONE 9(3):e92209, doi:10.1371/journal.pone.0092209.
#[derive(Clone, Copy, Debug, Default)]
pub struct CurvedArea {
    seen: Totals,
    sum: f64,
}

impl Walker for CurvedArea {
    type Output = f64;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        if a > 0.0 {
            let Totals {
                positives: r,
                negatives: v,
            } = self.seen;
            let t = r + v;
            self.sum += if t > 0.0 {
                // The first term holds precision at its start; the second is what it changes on the way.
                a * (r / t) + a * ((a * v - b * r) / t / t) * bend((a + b) / t)
            } else {
                a * (a / (a + b))
            };
        }
        self.seen.step(a, b);
    }
    fn finish(self) -> f64 {
        self.sum / self.seen.positives
    }
}

/// `(u - ln(1 + u)) / u^2`, from its series where the difference would lose digits.
fn bend(u: f64) -> f64 {
    if u > 0.05 {
        (u - u.ln_1p()) / (u * u)
    } else {
        // 1/2 - u/3 + u^2/4 - ... ; the first term left out is below 0.05^12 / 14.
        (2..14)
            .rev()
            .fold(0.0, |sum, k| f64::from(k).recip() - u * sum)
    }
}

/// Interpolated precision at recall 0, 0.1, ..., 1, averaged: the highest precision at that recall or a higher one.
#[derive(Clone, Copy, Debug)]
pub struct ElevenPoints {
    positives: f64,
    seen: Totals,
    highest: [f64; 11],
}

impl ElevenPoints {
    #[must_use]
    pub fn new(totals: Totals) -> Self {
        Self {
            positives: totals.positives,
            seen: Totals::default(),
            highest: [0.0; 11],
        }
    }
}

impl Walker for ElevenPoints {
    type Output = f64;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        self.seen.step(a, b);
        if a > 0.0 {
            // Rounding may take ten times a sum of weights over the sum to just below 10.
            let level = if self.seen.positives < self.positives {
                (10.0 * self.seen.positives / self.positives) as usize
            } else {
                10
            };
            let highest = &mut self.highest[level.min(10)];
            *highest =
                highest.max(self.seen.positives / (self.seen.positives + self.seen.negatives));
        }
    }
    fn finish(self) -> f64 {
        if self.positives == 0.0 {
            return f64::NAN;
        }
        let (mut sum, mut best) = (0.0, 0.0_f64);
        for highest in self.highest.iter().rev() {
            best = best.max(*highest);
            sum += best;
        }
        sum / 11.0
    }
}

/// Positives among the first so many samples; tied samples are taken in proportion.
#[derive(Clone, Copy, Debug)]
pub struct AtDepth {
    depth: f64,
    passed: f64,
    positives: f64,
}

impl AtDepth {
    #[must_use]
    pub fn new(depth: f64) -> Self {
        Self {
            depth,
            passed: 0.0,
            positives: 0.0,
        }
    }
}

impl Walker for AtDepth {
    type Output = f64;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        let end = self.passed + (a + b);
        if end <= self.depth {
            self.positives += a;
        } else if self.passed < self.depth {
            self.positives += a * ((self.depth - self.passed) / (a + b));
        }
        self.passed = end;
    }
    fn finish(self) -> f64 {
        self.positives
    }
}

/// The highest precision of a threshold with at least a given recall.
#[derive(Clone, Copy, Debug)]
pub struct PrecisionAtRecall {
    recall: f64,
    positives: f64,
    seen: Totals,
    highest: f64,
}

impl PrecisionAtRecall {
    #[must_use]
    pub fn new(recall: f64, totals: Totals) -> Self {
        Self {
            recall,
            positives: totals.positives,
            seen: Totals::default(),
            highest: f64::NAN,
        }
    }
}

impl Walker for PrecisionAtRecall {
    type Output = f64;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        self.seen.step(a, b);
        if a + b > 0.0 && self.seen.positives / self.positives >= self.recall {
            let precision = self.seen.positives / (self.seen.positives + self.seen.negatives);
            self.highest = self.highest.max(precision);
        }
    }
    fn finish(self) -> f64 {
        self.highest
    }
}

/// The highest recall of a threshold with at least a given precision; 0 where no threshold has it.
#[derive(Clone, Copy, Debug)]
pub struct RecallAtPrecision {
    precision: f64,
    seen: Totals,
    found: f64,
}

impl RecallAtPrecision {
    #[must_use]
    pub fn new(precision: f64) -> Self {
        Self {
            precision,
            seen: Totals::default(),
            found: 0.0,
        }
    }
}

impl Walker for RecallAtPrecision {
    type Output = f64;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        self.seen.step(a, b);
        if self.seen.positives / (self.seen.positives + self.seen.negatives) >= self.precision {
            self.found = self.seen.positives;
        }
    }
    fn finish(self) -> f64 {
        self.found / self.seen.positives
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::naive::{cases, close};

    /// `(R, T)` after each step that passes a sample.
    fn points(steps: &[(f64, f64)]) -> Vec<(f64, f64)> {
        (1..=steps.len())
            .filter(|&k| steps[k - 1].0 + steps[k - 1].1 > 0.0)
            .map(|k| {
                let r: f64 = steps[..k].iter().map(|s| s.0).sum();
                let v: f64 = steps[..k].iter().map(|s| s.1).sum();
                (r, r + v)
            })
            .collect()
    }

    #[test]
    fn all_positives_are_recall_1_whatever_their_weights() {
        for i in 1..1000 {
            let weight = f64::from(i) / 7.0;
            let steps = [(weight, 0.0), (0.0, 1.0)];
            let totals = Totals::default().walk(steps.into_iter());
            assert_eq!(ElevenPoints::new(totals).walk(steps.into_iter()), 1.0);
        }
    }

    #[test]
    fn agrees_with_the_definitions() {
        for steps in cases() {
            let run = || steps.iter().copied();
            let totals = Totals::default().walk(run());
            let m = totals.positives;
            let points = points(&steps);
            if m == 0.0 {
                for value in [
                    StepArea::default().walk(run()),
                    TrapezoidArea::default().walk(run()),
                    CurvedArea::default().walk(run()),
                    ElevenPoints::new(totals).walk(run()),
                    PrecisionAtRecall::new(0.0, totals).walk(run()),
                    RecallAtPrecision::new(0.5).walk(run()),
                ] {
                    assert!(value.is_nan());
                }
                continue;
            }
            let mut from = (0.0, 0.0);
            let (mut step, mut trapezoid, mut curved, mut last) = (0.0, 0.0, 0.0, 1.0);
            for &(r, t) in &points {
                step += (r - from.0) * r / t;
                trapezoid += (r - from.0) * (last + r / t) / 2.0;
                // Simpson's rule on a fine grid; the curve is steepest where it starts, at recall 0.
                let (a, d) = (r - from.0, t - from.1);
                let precision = |x: f64| {
                    if from.1 + x * d > 0.0 {
                        (from.0 + x * a) / (from.1 + x * d)
                    } else {
                        a / d
                    }
                };
                let cells = 2000;
                for cell in 0..cells {
                    let (x0, x1) = (cell as f64 / cells as f64, (cell + 1) as f64 / cells as f64);
                    let simpson =
                        precision(x0) + 4.0 * precision(f64::midpoint(x0, x1)) + precision(x1);
                    curved += a * simpson / 6.0 / cells as f64;
                }
                (from, last) = ((r, t), r / t);
            }
            assert!(close(StepArea::default().walk(run()), step / m));
            assert!(close(TrapezoidArea::default().walk(run()), trapezoid / m));
            assert!((CurvedArea::default().walk(run()) - curved / m).abs() < 1e-11);
            let best_at = |recall: f64| {
                let reached = points.iter().filter(|p| p.0 / m >= recall);
                reached.map(|p| p.0 / p.1).fold(0.0, f64::max)
            };
            let eleven: f64 = (0..=10).map(|k| best_at(f64::from(k) / 10.0)).sum();
            assert!(close(ElevenPoints::new(totals).walk(run()), eleven / 11.0));
            for recall in [0.0, 0.3, 0.5, 1.0] {
                let found = PrecisionAtRecall::new(recall, totals).walk(run());
                assert!(close(found, best_at(recall)));
            }
            for precision in [0.0, 0.5, 0.8, 1.0] {
                let reached = points.iter().filter(|p| p.0 / p.1 >= precision);
                let expected = reached.map(|p| p.0 / m).fold(0.0, f64::max);
                let found = RecallAtPrecision::new(precision).walk(run());
                assert!(close(found, expected));
            }
        }
    }

    #[test]
    fn tied_samples_at_the_depth_are_taken_in_proportion() {
        let steps = [(2.0, 0.0), (1.0, 3.0), (1.0, 1.0)];
        for (depth, expected) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (2.0, 2.0),
            (4.0, 2.5),
            (6.0, 3.0),
            (8.0, 4.0),
        ] {
            assert_eq!(AtDepth::new(depth).walk(steps.into_iter()), expected);
        }
    }

    #[test]
    fn the_series_meets_the_closed_form() {
        for u in [0.049_f64, 0.05, 0.051] {
            assert!(((u - u.ln_1p()) / (u * u) - bend(u)).abs() < 1e-13);
        }
        assert_eq!(bend(0.0), 0.5);
    }

    #[test]
    fn perfect_separation_is_exactly_1_whatever_the_weights() {
        let weights = [0.1, 0.7, 0.3, 1e-9, 5.3];
        let steps: Vec<_> = weights
            .iter()
            .map(|w| (*w, 0.0))
            .chain(weights.iter().map(|w| (0.0, *w)))
            .collect();
        let run = || steps.iter().copied();
        let totals = Totals::default().walk(run());
        assert_eq!(StepArea::default().walk(run()), 1.0);
        assert_eq!(TrapezoidArea::default().walk(run()), 1.0);
        assert_eq!(CurvedArea::default().walk(run()), 1.0);
        assert_eq!(ElevenPoints::new(totals).walk(run()), 1.0);
        assert_eq!(PrecisionAtRecall::new(1.0, totals).walk(run()), 1.0);
        assert_eq!(RecallAtPrecision::new(1.0).walk(run()), 1.0);
    }
}
