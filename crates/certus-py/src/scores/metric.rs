//! The score metrics that are one number, by name.

use certus_core::scores::{Metric, Part};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A metric that is one number.
#[pyclass(frozen, module = "certus._core")]
pub struct ScoreMetric(pub(super) Metric);

#[pymethods]
impl ScoreMetric {
    #[staticmethod]
    fn auc() -> Self {
        Self(Metric::Auc)
    }
    #[staticmethod]
    fn auc_to_fpr(limit: f64) -> Self {
        Self(Metric::PartialAuc(Part::MaxFpr(limit)))
    }
    #[staticmethod]
    fn auc_from_tpr(limit: f64) -> Self {
        Self(Metric::PartialAuc(Part::MinTpr(limit)))
    }
    #[staticmethod]
    fn ks(either_side: bool) -> Self {
        Self(Metric::Ks { either_side })
    }
    #[staticmethod]
    fn average_precision() -> Self {
        Self(Metric::AveragePrecision)
    }
    #[staticmethod]
    fn trapezoid_precision() -> Self {
        Self(Metric::TrapezoidPrecision)
    }
    #[staticmethod]
    fn curved_precision() -> Self {
        Self(Metric::CurvedPrecision)
    }
    #[staticmethod]
    fn eleven_point_precision() -> Self {
        Self(Metric::ElevenPointPrecision)
    }
    #[staticmethod]
    fn break_even() -> Self {
        Self(Metric::BreakEven)
    }
    #[staticmethod]
    fn precision_at_recall(recall: f64) -> Self {
        Self(Metric::PrecisionAtRecall(recall))
    }
    #[staticmethod]
    fn recall_at_precision(precision: f64) -> Self {
        Self(Metric::RecallAtPrecision(precision))
    }
    #[staticmethod]
    fn gain_at(depth: f64) -> Self {
        Self(Metric::GainAt(depth))
    }
    #[staticmethod]
    fn positives() -> Self {
        Self(Metric::Positives)
    }
    #[staticmethod]
    fn samples() -> Self {
        Self(Metric::Samples)
    }

    /// The name of the method above that makes it, and what that takes: what pickle keeps.
    fn recipe<'py>(&self, py: Python<'py>) -> PyResult<(&'static str, Bound<'py, PyTuple>)> {
        let (name, number) = match self.0 {
            Metric::Auc => ("auc", None),
            Metric::PartialAuc(Part::MaxFpr(limit)) => ("auc_to_fpr", Some(limit)),
            Metric::PartialAuc(Part::MinTpr(limit)) => ("auc_from_tpr", Some(limit)),
            Metric::Ks { either_side } => return Ok(("ks", PyTuple::new(py, [either_side])?)),
            Metric::AveragePrecision => ("average_precision", None),
            Metric::TrapezoidPrecision => ("trapezoid_precision", None),
            Metric::CurvedPrecision => ("curved_precision", None),
            Metric::ElevenPointPrecision => ("eleven_point_precision", None),
            Metric::BreakEven => ("break_even", None),
            Metric::PrecisionAtRecall(recall) => ("precision_at_recall", Some(recall)),
            Metric::RecallAtPrecision(precision) => ("recall_at_precision", Some(precision)),
            Metric::GainAt(depth) => ("gain_at", Some(depth)),
            Metric::Positives => ("positives", None),
            Metric::Samples => ("samples", None),
        };
        Ok((name, PyTuple::new(py, number)?))
    }
}
