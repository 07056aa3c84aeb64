//! Metrics of the ROC curve: areas and the largest distance.

use super::walk::{Totals, Walker};

/// The area under the ROC curve: pairs in the right order, as a part of the pairs; NaN without one of the classes.
///
/// Counting won and lost pairs alike makes a perfect order exactly 1, a reversed one 0 and a constant score 1/2, whatever
/// the weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct Area {
    positives: f64,
    negatives: f64,
    won: f64,
    lost: f64,
}

impl Area {
    /// The samples of either class that have been passed.
    pub(super) fn totals(self) -> Totals {
        Totals {
            positives: self.positives,
            negatives: self.negatives,
        }
    }
}

impl Walker for Area {
    type Output = f64;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        let tied = a * b;
        self.won += 2.0 * self.positives * b + tied;
        self.lost += 2.0 * self.negatives * a + tied;
        self.positives += a;
        self.negatives += b;
    }
    fn finish(self) -> f64 {
        self.won / (self.won + self.lost)
    }
}

/// Which part of the ROC curve an area is taken over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// False positive rates from 0 to the given one.
    MaxFpr(f64),
    /// True positive rates from the given one to 1.
    MinTpr(f64),
}

/// The area under a part of the ROC curve, as a share of the largest possible one.
#[derive(Clone, Copy, Debug)]
pub struct PartialArea {
    part: Part,
    totals: Totals,
    seen: Totals,
    won: f64,
    lost: f64,
}

impl PartialArea {
    #[must_use]
    pub fn new(part: Part, totals: Totals) -> Self {
        Self {
            part,
            totals,
            seen: Totals::default(),
            won: 0.0,
            lost: 0.0,
        }
    }

    /// Adds a strip of the given width in which `height` of `full` lies under the curve.
    #[inline]
    fn add(&mut self, width: f64, height: f64, full: f64) {
        self.won += width * height;
        self.lost += width * (full - height);
    }
}

impl Walker for PartialArea {
    type Output = f64;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        let seen = self.seen;
        match self.part {
            Part::MaxFpr(limit) => {
                let width = b.min(limit * self.totals.negatives - seen.negatives);
                if width > 0.0 {
                    let height = seen.positives + a * (width / b) / 2.0;
                    self.add(width, height, self.totals.positives);
                }
            }
            Part::MinTpr(limit) => {
                let width = a.min(seen.positives + a - limit * self.totals.positives);
                if width > 0.0 {
                    let passed = seen.negatives + b * (1.0 - width / a / 2.0);
                    self.add(width, self.totals.negatives - passed, self.totals.negatives);
                }
            }
        }
        self.seen.step(a, b);
    }
    fn finish(self) -> f64 {
        self.won / (self.won + self.lost)
    }
}

/// The largest distance of the ROC curve from its diagonal: above it, or on either side.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    either_side: bool,
    totals: Totals,
    seen: Totals,
    largest: f64,
}

impl Distance {
    #[must_use]
    pub fn new(either_side: bool, totals: Totals) -> Self {
        Self {
            either_side,
            totals,
            seen: Totals::default(),
            largest: 0.0,
        }
    }
}

impl Walker for Distance {
    type Output = f64;
    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        self.seen.step(a, b);
        let above = self.seen.positives * self.totals.negatives
            - self.seen.negatives * self.totals.positives;
        let distance = if self.either_side { above.abs() } else { above };
        self.largest = self.largest.max(distance);
    }
    fn finish(self) -> f64 {
        self.largest / (self.totals.positives * self.totals.negatives)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::naive::{cases, close};

    /// The corners of the ROC curve: `(false positive rate, true positive rate)`.
    fn curve(steps: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let m: f64 = steps.iter().map(|s| s.0).sum();
        let n: f64 = steps.iter().map(|s| s.1).sum();
        let mut corners = vec![(0.0, 0.0)];
        for k in 1..=steps.len() {
            let r: f64 = steps[..k].iter().map(|s| s.0).sum();
            let v: f64 = steps[..k].iter().map(|s| s.1).sum();
            corners.push((v / n, r / m));
        }
        corners
    }

    /// The true positive rate at a false positive rate, by a fine grid of the curve's own corners.
    fn area_under(corners: &[(f64, f64)], low: f64, high: f64) -> f64 {
        let mut area = 0.0;
        for pair in corners.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let (from, to) = (x0.max(low), x1.min(high));
            if from < to {
                let at = |x: f64| y0 + (y1 - y0) * (x - x0) / (x1 - x0);
                area += (to - from) * (at(from) + at(to)) / 2.0;
            }
        }
        area
    }

    #[test]
    fn areas_are_those_of_the_curve() {
        for steps in cases() {
            let totals = Totals::default().walk(steps.iter().copied());
            let corners = curve(&steps);
            let undefined = totals.positives == 0.0 || totals.negatives == 0.0;
            let whole = Area::default().walk(steps.iter().copied());
            if undefined {
                assert!(whole.is_nan());
            } else {
                assert!(close(whole, area_under(&corners, 0.0, 1.0)));
            }
            // With the axes swapped and turned, the area at high true positive rates is one at low "false" ones.
            let turned: Vec<_> = corners
                .iter()
                .rev()
                .map(|&(x, y)| (1.0 - y, 1.0 - x))
                .collect();
            for limit in [0.1, 0.25, 0.5, 0.99, 1.0] {
                let left = PartialArea::new(Part::MaxFpr(limit), totals);
                let top = PartialArea::new(Part::MinTpr(1.0 - limit), totals);
                let left = left.walk(steps.iter().copied());
                let top = top.walk(steps.iter().copied());
                if undefined {
                    assert!(left.is_nan() && top.is_nan());
                } else {
                    assert!(close(left * limit, area_under(&corners, 0.0, limit)));
                    assert!(close(top * limit, area_under(&turned, 0.0, limit)));
                }
            }
        }
    }

    #[test]
    fn the_distance_is_that_of_the_corners() {
        for steps in cases() {
            let totals = Totals::default().walk(steps.iter().copied());
            if totals.positives == 0.0 || totals.negatives == 0.0 {
                continue;
            }
            let corners = curve(&steps);
            let above = corners.iter().map(|(x, y)| y - x).fold(0.0, f64::max);
            let either = corners
                .iter()
                .map(|(x, y)| (y - x).abs())
                .fold(0.0, f64::max);
            for (either_side, expected) in [(false, above), (true, either)] {
                let found = Distance::new(either_side, totals).walk(steps.iter().copied());
                assert!(close(found, expected));
            }
        }
    }

    #[test]
    fn perfect_and_reversed_orders_are_exact_whatever_the_weights() {
        let weights = [0.1, 0.7, 0.3, 1e-9, 5.3];
        let perfect: Vec<_> = weights
            .iter()
            .map(|w| (*w, 0.0))
            .chain(weights.iter().map(|w| (0.0, *w)))
            .collect();
        let reversed: Vec<_> = perfect.iter().map(|&(a, b)| (b, a)).collect();
        for (steps, expected) in [(perfect, 1.0), (reversed, 0.0)] {
            let totals = Totals::default().walk(steps.iter().copied());
            let run = || steps.iter().copied();
            assert_eq!(Area::default().walk(run()), expected);
            for part in [Part::MaxFpr(0.3), Part::MinTpr(0.7)] {
                assert_eq!(PartialArea::new(part, totals).walk(run()), expected);
            }
            assert_eq!(Distance::new(false, totals).walk(run()), expected);
        }
    }
}
