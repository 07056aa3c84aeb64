//! The convex hull of the ROC curve.

use super::walk::Walker;

/// The corners of the concave hull of the ROC curve, from no sample to all of them.
///
/// ```
/// use certus_core::scores::{Hull, Walker};
/// // The middle corner, one positive and two negatives in, lies below the line around it.
/// let hull = Hull::default().walk([(1.0, 0.0), (0.0, 2.0), (1.0, 0.0), (0.0, 1.0)].into_iter());
/// assert_eq!(hull, [(0.0, 0.0), (0.0, 1.0), (2.0, 2.0), (3.0, 2.0)]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    corners: Vec<(f64, f64)>,
    at: (f64, f64),
}

impl Default for Hull {
    fn default() -> Self {
        Self {
            corners: vec![(0.0, 0.0)],
            at: (0.0, 0.0),
        }
    }
}

impl Walker for Hull {
    /// `(negatives, positives)` passed at each corner.
    type Output = Vec<(f64, f64)>;

    #[inline]
    fn step(&mut self, a: f64, b: f64) {
        if a + b == 0.0 {
            return;
        }
        self.at = (self.at.0 + b, self.at.1 + a);
        while let [.., before, last] = self.corners[..] {
            // A corner stays where the curve turns right at it.
            let turn = (last.0 - before.0) * (self.at.1 - last.1)
                - (last.1 - before.1) * (self.at.0 - last.0);
            if turn < 0.0 {
                break;
            }
            self.corners.pop();
        }
        self.corners.push(self.at);
    }

    fn finish(self) -> Vec<(f64, f64)> {
        self.corners
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::naive::cases;

    #[test]
    fn the_hull_is_the_least_concave_curve_over_all_points() {
        for steps in cases() {
            let hull = Hull::default().walk(steps.iter().copied());
            let mut at = (0.0, 0.0);
            let mut points = vec![at];
            for (a, b) in &steps {
                at = (at.0 + b, at.1 + a);
                points.push(at);
            }
            assert_eq!(hull[0], (0.0, 0.0));
            assert_eq!(hull.last(), Some(&at));
            assert!(hull.iter().all(|corner| points.contains(corner)));
            for side in hull.windows(2) {
                let (p, q) = (side[0], side[1]);
                let above = |point: &(f64, f64)| {
                    (q.0 - p.0) * (point.1 - p.1) - (q.1 - p.1) * (point.0 - p.0)
                };
                assert!(points.iter().all(|point| above(point) <= 0.0));
            }
        }
    }
}
