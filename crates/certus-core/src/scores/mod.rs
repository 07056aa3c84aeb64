//! Metrics of a real score against a binary truth.
//!
//! The sides come sorted: the scores of the positives and those of the negatives, each ascending and without NaN. They
//! are merged in one pass, equal scores forming one group, so no metric depends on the order of tied samples. Scores
//! are compared in their own width; samples are counted in integers.

mod auc;
mod average_precision;
mod bootstrap;
mod counts;
#[cfg(test)]
mod fuzz;
mod groups;
mod hull;
mod influence;
mod metric;
#[cfg(test)]
mod naive;
mod order;
mod parts;
mod points;
mod precision_recall;
mod roc;
mod score_limits;
mod sides;
mod spread;
mod walk;
mod weighted_area;

pub use auc::{Auc, auc, auc_of_marks};
pub use average_precision::{AveragePrecision, average_precision, average_precision_of_marks};
pub use bootstrap::{Sampled, bootstrap, bootstrap_hulls};
pub use groups::{Group, Groups, Score, Steps, steps};
pub use hull::Hull;
pub use influence::{Influence, auc_influence, average_precision_influence};
pub use metric::Metric;
pub use order::{
    Counted, LAST, MarkGroups, Mass, OrderSteps, POSITIVE, marks_into, marks_of, metric_of_order,
    metric_of_rows, metric_of_sides, sums_of_order,
};
pub use parts::{Losses, PartAuc, auc_of_parts, losses_of_sides, order_of_codes};
pub use points::points;
pub use roc::Part;
pub use score_limits::{AreaLimits, AreaSample, ScoreLimits, limits_of_area, score_limits};
pub use sides::{Keyed, packed, ranked, ranked_by, sides, sort, split};
pub use walk::{Totals, Walker, steps_of};
pub use weighted_area::{SideError, WeightedAuc, weighted_auc, weights_by_score};

/// A sum of many terms with the error of a few: the rounding of each addition is kept and added at the end.
///
/// Source: Neumaier (1974), ZAMM 54(1):39-51, doi:10.1002/zamm.19740540106.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    rounded: f64,
    lost: f64,
}

impl Sum {
    #[inline]
    pub(crate) fn add(&mut self, term: f64) {
        let next = self.rounded + term;
        self.lost += if self.rounded.abs() >= term.abs() {
            (self.rounded - next) + term
        } else {
            (term - next) + self.rounded
        };
        self.rounded = next;
    }

    pub(crate) fn total(self) -> f64 {
        self.rounded + self.lost
    }
}
