//! The score kernels for Python: the scores of each class ascending, as float32 or float64.

use certus_core::scores::{self as core, Metric, Part, Sampled};
use numpy::ndarray::{Array2, Dimension, Ix1, Ix2};
use numpy::{
    IntoPyArray, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray, PyReadonlyArray1,
    PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::call::call;

/// Scores in their own width, in `D` dimensions.
pub enum Wide<'py, D: Dimension> {
    Single(PyReadonlyArray<'py, f32, D>),
    Double(PyReadonlyArray<'py, f64, D>),
}

/// Scores in their own width.
pub type Column<'py> = Wide<'py, Ix1>;
/// Scores in their own width, one row per sample.
pub type Table<'py> = Wide<'py, Ix2>;

// Not derived: that would write a message about float32 for every array of float64, which takes longer than a small metric.
impl<'py, D: Dimension> FromPyObject<'_, 'py> for Wide<'py, D> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(scores) = object.cast::<PyArray<f64, D>>() {
            Ok(Self::Double(scores.try_readonly()?))
        } else if let Ok(scores) = object.cast::<PyArray<f32, D>>() {
            Ok(Self::Single(scores.try_readonly()?))
        } else {
            Err(PyTypeError::new_err(
                "scores must be arrays of float32 or float64",
            ))
        }
    }
}

/// Calls a generic kernel on two columns of one width, without the GIL.
macro_rules! on_sides {
    ($py:expr, $positives:expr, $negatives:expr, $kernel:expr) => {
        match ($positives, $negatives) {
            (Column::Single(p), Column::Single(n)) => {
                let (p, n) = (p.as_slice()?, n.as_slice()?);
                call($py, || $kernel(p, n))
            }
            (Column::Double(p), Column::Double(n)) => {
                let (p, n) = (p.as_slice()?, n.as_slice()?);
                call($py, || $kernel(p, n))
            }
            _ => Err(PyValueError::new_err(
                "positives and negatives must be of one width",
            )),
        }
    };
}

/// A metric that is one number.
#[pyclass(frozen, module = "certus._core")]
pub struct ScoreMetric(Metric);

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

/// Samples by decreasing score, with weights and units.
type Marks<'py> = PyReadonlyArray1<'py, u8>;
type Weights<'py> = Option<PyReadonlyArray1<'py, f64>>;
type Codes<'py> = Option<PyReadonlyArray1<'py, u32>>;

fn slice<'a, T: numpy::Element>(
    array: Option<&'a PyReadonlyArray1<'_, T>>,
) -> PyResult<Option<&'a [T]>> {
    Ok(array.map(PyReadonlyArray1::as_slice).transpose()?)
}

fn corners(py: Python<'_>, hull: Vec<(f64, f64)>) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let flat = hull
        .into_iter()
        .flat_map(|(x, y)| [x, y])
        .collect::<Vec<_>>();
    let array = Array2::from_shape_vec((flat.len() / 2, 2), flat)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(array.into_pyarray(py))
}

#[pyfunction]
#[pyo3(signature = (metric, marks, *, weights, units, size, strata, replicates, seed))]
#[expect(clippy::too_many_arguments)]
pub fn score_bootstrap<'py>(
    py: Python<'py>,
    metric: &ScoreMetric,
    marks: Marks<'py>,
    weights: Weights<'py>,
    units: Codes<'py>,
    size: usize,
    strata: Codes<'py>,
    replicates: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let sampled = Sampled {
        marks: marks.as_slice()?,
        weights: slice(weights.as_ref())?,
        units: slice(units.as_ref())?,
        size,
        strata: slice(strata.as_ref())?,
    };
    let values = call(py, || core::bootstrap(sampled, metric.0, replicates, seed))?
        .map_err(PyValueError::new_err)?;
    Ok(values.into_pyarray(py))
}

type Hulls<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<i64>>);

#[pyfunction]
#[pyo3(signature = (marks, *, weights, units, size, strata, replicates, seed))]
#[expect(clippy::too_many_arguments)]
pub fn score_bootstrap_hulls<'py>(
    py: Python<'py>,
    marks: Marks<'py>,
    weights: Weights<'py>,
    units: Codes<'py>,
    size: usize,
    strata: Codes<'py>,
    replicates: usize,
    seed: u64,
) -> PyResult<Hulls<'py>> {
    let sampled = Sampled {
        marks: marks.as_slice()?,
        weights: slice(weights.as_ref())?,
        units: slice(units.as_ref())?,
        size,
        strata: slice(strata.as_ref())?,
    };
    let hulls = call(py, || core::bootstrap_hulls(sampled, replicates, seed))?
        .map_err(PyValueError::new_err)?;
    let lengths = hulls
        .iter()
        .map(|hull| hull.len() as i64)
        .collect::<Vec<_>>();
    Ok((corners(py, hulls.concat())?, lengths.into_pyarray(py)))
}

/// Refuses masses that do not belong to the samples.
fn belong(marks: &[u8], masses: &[f64]) -> PyResult<()> {
    if marks.len() == masses.len() {
        Ok(())
    } else {
        Err(PyValueError::new_err("masses must pair up with marks"))
    }
}

#[pyfunction]
pub fn score_metric_of_masses(
    py: Python<'_>,
    metric: &ScoreMetric,
    marks: Marks<'_>,
    masses: PyReadonlyArray1<'_, f64>,
) -> PyResult<f64> {
    let (marks, masses) = (marks.as_slice()?, masses.as_slice()?);
    belong(marks, masses)?;
    call(py, || core::metric_of_order(metric.0, marks, masses))
}

#[pyfunction]
pub fn score_hull<'py>(
    py: Python<'py>,
    marks: Marks<'py>,
    masses: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (marks, masses) = (marks.as_slice()?, masses.as_slice()?);
    belong(marks, masses)?;
    let hull = call(py, || {
        core::Walker::walk(core::Hull::default(), core::OrderSteps::new(marks, masses))
    })?;
    corners(py, hull)
}

fn influence<'py>(
    py: Python<'py>,
    marks: &Marks<'py>,
    weights: &PyReadonlyArray1<'py, f64>,
    kernel: impl FnOnce(&[u8], &[f64]) -> core::Influence + Send,
) -> PyResult<(f64, Bound<'py, PyArray1<f64>>)> {
    let (marks, weights) = (marks.as_slice()?, weights.as_slice()?);
    belong(marks, weights)?;
    let found = call(py, || kernel(marks, weights))?;
    Ok((found.value, found.terms.into_pyarray(py)))
}

#[pyfunction]
pub fn score_auc_influence<'py>(
    py: Python<'py>,
    marks: Marks<'py>,
    weights: PyReadonlyArray1<'py, f64>,
) -> PyResult<(f64, Bound<'py, PyArray1<f64>>)> {
    influence(py, &marks, &weights, core::auc_influence)
}

#[pyfunction]
pub fn score_average_precision_influence<'py>(
    py: Python<'py>,
    marks: Marks<'py>,
    weights: PyReadonlyArray1<'py, f64>,
) -> PyResult<(f64, Bound<'py, PyArray1<f64>>)> {
    influence(py, &marks, &weights, core::average_precision_influence)
}

#[pyfunction]
pub fn score_metric(
    py: Python<'_>,
    metric: &ScoreMetric,
    positives: Column<'_>,
    negatives: Column<'_>,
) -> PyResult<f64> {
    on_sides!(py, &positives, &negatives, |p, n| core::metric_of_sides(
        metric.0, p, n
    ))
}

/// Metrics of the rows of a table.
#[pyfunction]
pub fn score_metric_of_rows<'py>(
    py: Python<'py>,
    metric: &ScoreMetric,
    truth: PyReadonlyArray2<'py, bool>,
    scores: Table<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let columns = truth.shape()[1];
    let truth = truth.as_slice()?;
    let matched = |cells: usize| {
        if cells == truth.len() {
            Ok(())
        } else {
            Err(PyValueError::new_err("scores must pair up with truth"))
        }
    };
    let metric = metric.0;
    let values = match &scores {
        Table::Single(scores) => {
            let scores = scores.as_slice()?;
            matched(scores.len())?;
            call(py, || core::metric_of_rows(metric, truth, scores, columns))?
        }
        Table::Double(scores) => {
            let scores = scores.as_slice()?;
            matched(scores.len())?;
            call(py, || core::metric_of_rows(metric, truth, scores, columns))?
        }
    };
    Ok(values.into_pyarray(py))
}

type Sums<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

#[pyfunction]
pub fn score_sums<'py>(
    py: Python<'py>,
    marks: Marks<'py>,
    weights: PyReadonlyArray1<'py, f64>,
) -> PyResult<Sums<'py>> {
    let (marks, weights) = (marks.as_slice()?, weights.as_slice()?);
    belong(marks, weights)?;
    let (positives, negatives) = call(py, || core::sums_of_order(marks, weights))?;
    Ok((positives.into_pyarray(py), negatives.into_pyarray(py)))
}

#[pyfunction]
pub fn score_marks<'py>(
    py: Python<'py>,
    positives: Column<'py>,
    negatives: Column<'py>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let marks: PyResult<_> = on_sides!(py, &positives, &negatives, core::marks_of);
    Ok(marks?.into_pyarray(py))
}

#[pyfunction]
pub fn score_auc(
    py: Python<'_>,
    positives: Column<'_>,
    negatives: Column<'_>,
) -> PyResult<(u128, u128, u128)> {
    let found: PyResult<_> = on_sides!(py, &positives, &negatives, core::auc);
    let found = found?.map_err(PyValueError::new_err)?;
    Ok((found.twice_wins, found.positives, found.negatives))
}

#[pyfunction]
pub fn score_average_precision(
    py: Python<'_>,
    positives: Column<'_>,
    negatives: Column<'_>,
) -> PyResult<(f64, f64, f64, f64)> {
    let found: PyResult<_> = on_sides!(py, &positives, &negatives, core::average_precision);
    let found = found?;
    Ok((found.value, found.positives, found.negatives, found.by_odds))
}

type Steps<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
);

#[pyfunction]
pub fn score_steps<'py>(
    py: Python<'py>,
    positives: Column<'py>,
    negatives: Column<'py>,
) -> PyResult<Steps<'py>> {
    fn arrays<'py, T: numpy::Element>(py: Python<'py>, steps: core::Steps<T>) -> Steps<'py> {
        (
            steps.scores.into_pyarray(py).into_any(),
            steps.positives.into_pyarray(py),
            steps.negatives.into_pyarray(py),
        )
    }
    match (&positives, &negatives) {
        (Column::Single(p), Column::Single(n)) => {
            let (p, n) = (p.as_slice()?, n.as_slice()?);
            Ok(arrays(py, call(py, || core::steps(p, n))?))
        }
        (Column::Double(p), Column::Double(n)) => {
            let (p, n) = (p.as_slice()?, n.as_slice()?);
            Ok(arrays(py, call(py, || core::steps(p, n))?))
        }
        _ => Err(PyValueError::new_err(
            "positives and negatives must be of one width",
        )),
    }
}

type Points<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    usize,
);

/// The arrays are numpy's own, whose large ones take far fewer page faults than those of Rust.
fn points_of<'py, T: numpy::Element + core::Score + From<f32>>(
    py: Python<'py>,
    positives: &[T],
    negatives: &[T],
) -> PyResult<Points<'py>> {
    let places = positives.len() + negatives.len() + 1;
    let thresholds = PyArray1::<T>::zeros(py, places, false);
    let above = [(); 2].map(|()| PyArray1::<i64>::zeros(py, places, false));
    let n = {
        let mut thresholds = thresholds.try_readwrite()?;
        let thresholds = thresholds.as_slice_mut()?;
        let (mut tp, mut fp) = (above[0].try_readwrite()?, above[1].try_readwrite()?);
        let (tp, fp) = (tp.as_slice_mut()?, fp.as_slice_mut()?);
        call(py, || {
            core::points(positives, negatives, thresholds, tp, fp)
        })?
    };
    let [true_positives, false_positives] = above;
    Ok((
        thresholds.into_any(),
        true_positives,
        false_positives,
        n.map_err(PyValueError::new_err)?,
    ))
}

#[pyfunction]
pub fn score_points<'py>(
    py: Python<'py>,
    positives: Column<'py>,
    negatives: Column<'py>,
) -> PyResult<Points<'py>> {
    match (&positives, &negatives) {
        (Column::Single(p), Column::Single(n)) => points_of(py, p.as_slice()?, n.as_slice()?),
        (Column::Double(p), Column::Double(n)) => points_of(py, p.as_slice()?, n.as_slice()?),
        _ => Err(PyValueError::new_err(
            "positives and negatives must be of one width",
        )),
    }
}

fn sides_of<'py, T>(
    py: Python<'py>,
    scores: &[T],
    truth: &[bool],
    width: &str,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)>
where
    T: core::Keyed,
    T::Key: numpy::Element,
{
    let ours = truth.iter().filter(|positive| **positive).count();
    let sizes = [ours, truth.len() - ours];
    let [positives, negatives] = sizes.map(|size| PyArray1::<T::Key>::zeros(py, size, false));
    {
        let (mut p, mut n) = (positives.try_readwrite()?, negatives.try_readwrite()?);
        let (p, n) = (p.as_slice_mut()?, n.as_slice_mut()?);
        call(py, || core::sides(scores, truth, p, n))?.map_err(PyValueError::new_err)?;
    }
    Ok((
        positives.call_method1("view", (width,))?,
        negatives.call_method1("view", (width,))?,
    ))
}

#[pyfunction]
pub fn score_sides<'py>(
    py: Python<'py>,
    scores: Column<'py>,
    truth: PyReadonlyArray1<'py, bool>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    match &scores {
        Column::Single(s) => sides_of(py, s.as_slice()?, truth.as_slice()?, "float32"),
        Column::Double(s) => sides_of(py, s.as_slice()?, truth.as_slice()?, "float64"),
    }
}

type Ranked<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u8>>);

#[pyfunction]
pub fn score_ranked<'py>(
    py: Python<'py>,
    scores: Column<'py>,
    truth: PyReadonlyArray1<'py, bool>,
) -> PyResult<Ranked<'py>> {
    let truth = truth.as_slice()?;
    let ranked = match &scores {
        Column::Single(scores) => {
            let scores = scores.as_slice()?;
            call(py, || core::ranked(scores, truth))?
        }
        Column::Double(scores) => {
            let scores = scores.as_slice()?;
            call(py, || core::ranked(scores, truth))?
        }
    };
    let (order, marks) = ranked.map_err(PyValueError::new_err)?;
    Ok((order.into_pyarray(py), marks.into_pyarray(py)))
}
