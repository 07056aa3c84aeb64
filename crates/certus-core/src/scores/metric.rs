//! The scalar metrics of a walk, by name.

use super::precision_recall::{
    AtDepth, CurvedArea, ElevenPoints, PrecisionAtRecall, RecallAtPrecision, StepArea,
    TrapezoidArea,
};
use super::roc::{Area, Distance, Part, PartialArea};
use super::walk::{Totals, Walker};

/// A metric that is one number; NaN where it is undefined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Metric {
    /// The area under the ROC curve.
    Auc,
    /// The area under a part of the ROC curve as a share of the largest possible one.
    PartialAuc(Part),
    /// The largest distance of the ROC curve from the diagonal, on `either_side` of it.
    Ks { either_side: bool },
    /// Average precision.
    AveragePrecision,
    /// The area under straight lines between the points of the precision-recall curve.
    TrapezoidPrecision,
    /// The area under the precision-recall curve as Davis & Goadrich interpolate it.
    CurvedPrecision,
    /// Interpolated precision averaged over eleven levels of recall.
    ElevenPointPrecision,
    /// Precision among as many samples as there are positives, which is recall there.
    BreakEven,
    /// The highest precision with at least that recall.
    PrecisionAtRecall(f64),
    /// The highest recall with at least that precision.
    RecallAtPrecision(f64),
    /// The part of the positives among that part of the samples.
    GainAt(f64),
    /// How many positives there are, or the sum of their weights.
    Positives,
    /// How many samples there are, or the sum of their weights.
    Samples,
}

impl Metric {
    /// The metric of a walk; `totals` is asked only by metrics that must know them beforehand.
    pub fn of(
        self,
        totals: impl FnOnce() -> Totals,
        steps: impl Iterator<Item = (f64, f64)>,
    ) -> f64 {
        match self {
            Self::Auc => Area::default().walk(steps),
            Self::PartialAuc(part) => PartialArea::new(part, totals()).walk(steps),
            Self::Ks { either_side } => Distance::new(either_side, totals()).walk(steps),
            Self::AveragePrecision => StepArea::default().walk(steps),
            Self::TrapezoidPrecision => TrapezoidArea::default().walk(steps),
            Self::CurvedPrecision => CurvedArea::default().walk(steps),
            Self::ElevenPointPrecision => ElevenPoints::new(totals()).walk(steps),
            Self::BreakEven => {
                let positives = totals().positives;
                AtDepth::new(positives).walk(steps) / positives
            }
            Self::PrecisionAtRecall(recall) => PrecisionAtRecall::new(recall, totals()).walk(steps),
            Self::RecallAtPrecision(precision) => RecallAtPrecision::new(precision).walk(steps),
            Self::GainAt(depth) => {
                let totals = totals();
                let samples = depth * (totals.positives + totals.negatives);
                AtDepth::new(samples).walk(steps) / totals.positives
            }
            Self::Positives => totals().positives,
            Self::Samples => {
                let totals = totals();
                totals.positives + totals.negatives
            }
        }
    }
}
