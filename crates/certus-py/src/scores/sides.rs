//! Kernels over the scores of each class ascending, and over scores with their truth.

use certus_core::scores as core;
use numpy::{
    IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::sorting::{sort_both, sorted_by_numpy};
use super::wide::{on_width, ordered};
use super::{Column, ScoreMetric, Table};
use crate::call::call;

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
    let metric = metric.0;
    let values = on_width!(scores, |s| {
        if s.len() != truth.len() {
            return Err(PyValueError::new_err("scores must pair up with truth"));
        }
        call(py, || core::metric_of_rows(metric, truth, s, columns))?
    });
    Ok(values.into_pyarray(py))
}

#[pyfunction]
pub fn score_marks<'py>(
    py: Python<'py>,
    positives: Column<'py>,
    negatives: Column<'py>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let marks: PyResult<_> = on_width!(positives, negatives, |p, n| call(py, || core::marks_of(
        p, n
    )));
    Ok(marks?.into_pyarray(py))
}

/// Writes the marks of sides of which each score comes once with its count.
#[pyfunction]
pub fn score_marks_into<'py>(
    py: Python<'py>,
    marks: &Bound<'py, PyArray1<u8>>,
    positives: (Column<'py>, PyReadonlyArray1<'py, i64>),
    negatives: (Column<'py>, PyReadonlyArray1<'py, i64>),
) -> PyResult<()> {
    let mut marks = marks.try_readwrite()?;
    let marks = marks.as_slice_mut()?;
    let ((p, ours), (n, theirs)) = (positives, negatives);
    let (ours, theirs) = (ours.as_slice()?, theirs.as_slice()?);
    let written: PyResult<_> = on_width!(p, n, |p, n| call(py, || {
        let (p, n) = (
            core::Counted {
                scores: p,
                counts: ours,
            },
            core::Counted {
                scores: n,
                counts: theirs,
            },
        );
        core::marks_into(p, n, marks)
    }));
    written?.map_err(PyValueError::new_err)
}

type Auc = (u128, u128, u128);

fn auc_of(found: Result<core::Auc, String>) -> PyResult<Auc> {
    let found = found.map_err(PyValueError::new_err)?;
    Ok((found.twice_wins, found.positives, found.negatives))
}

type Moments = (f64, f64, f64, f64, f64);
type AveragePrecision = (f64, f64, f64, f64, (Moments, Moments));

#[pyfunction]
pub fn score_auc(py: Python<'_>, positives: Column<'_>, negatives: Column<'_>) -> PyResult<Auc> {
    let found: PyResult<_> = on_width!(positives, negatives, |p, n| call(py, || core::auc(p, n)));
    auc_of(found?)
}

#[pyfunction]
pub fn score_auc_of_marks(py: Python<'_>, marks: PyReadonlyArray1<'_, u8>) -> PyResult<Auc> {
    let marks = marks.as_slice()?;
    auc_of(call(py, || core::auc_of_marks(marks))?)
}

fn average_precision_of(found: core::AveragePrecision) -> AveragePrecision {
    let [positives, negatives] = found.moments.map(|of| {
        let [second, third, fourth] = of.powers;
        (second, third, fourth, of.least, of.greatest)
    });
    (
        found.value,
        found.positives,
        found.negatives,
        found.by_odds,
        (positives, negatives),
    )
}

#[pyfunction]
pub fn score_average_precision(
    py: Python<'_>,
    positives: Column<'_>,
    negatives: Column<'_>,
) -> PyResult<AveragePrecision> {
    let found: PyResult<_> = on_width!(positives, negatives, |p, n| call(py, || {
        core::average_precision(p, n)
    }));
    found.map(average_precision_of)
}

#[pyfunction]
pub fn score_average_precision_of_marks(
    py: Python<'_>,
    marks: PyReadonlyArray1<'_, u8>,
) -> PyResult<AveragePrecision> {
    let marks = marks.as_slice()?;
    call(py, || core::average_precision_of_marks(marks)).map(average_precision_of)
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
    on_width!(positives, negatives, |p, n| Ok(arrays(
        py,
        call(py, || core::steps(p, n))?
    )))
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
    on_width!(positives, negatives, |p, n| points_of(py, p, n))
}

type Sides<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Sorted by numpy where that is faster.
fn sides_of<'py, T>(
    py: Python<'py>,
    scores: &[T],
    truth: &[bool],
    width: &str,
) -> PyResult<Sides<'py>>
where
    T: core::Keyed + numpy::Element,
    T::Key: numpy::Element,
{
    let ours = truth.iter().filter(|positive| **positive).count();
    let sizes = [ours, truth.len() - ours];
    if sizes.iter().all(|size| sorted_by_numpy(py, *size)) {
        let sides = sizes.map(|size| PyArray1::<T>::zeros(py, size, false));
        {
            let (mut p, mut n) = (sides[0].try_readwrite()?, sides[1].try_readwrite()?);
            let (p, n) = (p.as_slice_mut()?, n.as_slice_mut()?);
            call(py, || core::split(scores, truth, p, n))?.map_err(PyValueError::new_err)?;
        }
        let [positives, negatives] = sides.map(Bound::into_any);
        sort_both(py, &positives, &negatives, scores.len())?;
        return Ok((positives, negatives));
    }
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
) -> PyResult<Sides<'py>> {
    match &scores {
        Column::Single(s) => sides_of(py, ordered(s)?, truth.as_slice()?, "float32"),
        Column::Double(s) => sides_of(py, ordered(s)?, truth.as_slice()?, "float64"),
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
    let (order, marks) = on_width!(scores, |s| ranked_of(py, s, truth))?;
    Ok((order.into_pyarray(py), marks.into_pyarray(py)))
}

fn ranked_of<T: core::Keyed>(
    py: Python<'_>,
    scores: &[T],
    truth: &[bool],
) -> PyResult<(Vec<i64>, Vec<u8>)> {
    let keys = keys_of(py, scores, truth)?.try_readonly()?;
    let keys = keys.as_slice()?;
    call(py, || core::ranked_by(keys, scores))?.map_err(PyValueError::new_err)
}

/// The packed keys of the scores, sorted, by numpy where it sorts those of [`sides_of`].
fn keys_of<'py, T: core::Keyed>(
    py: Python<'py>,
    scores: &[T],
    truth: &[bool],
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let array = PyArray1::<u64>::zeros(py, scores.len(), false);
    let by_numpy = sorted_by_numpy(py, scores.len());
    {
        let mut keys = array.try_readwrite()?;
        let keys = keys.as_slice_mut()?;
        call(py, || {
            core::packed(scores, truth, keys)?;
            if !by_numpy {
                core::sort(keys);
            }
            Ok(())
        })?
        .map_err(PyValueError::new_err::<&str>)?;
    }
    if by_numpy {
        array.call_method0("sort")?;
    }
    Ok(array)
}

type SideError = (f64, f64, f64, f64);
type WeightedAuc<'py> = (
    f64,
    (SideError, SideError),
    usize,
    Bound<'py, PyArray1<f64>>,
);

#[pyfunction]
pub fn score_weighted_auc<'py>(
    py: Python<'py>,
    scores: Column<'py>,
    truth: PyReadonlyArray1<'py, bool>,
    weights: PyReadonlyArray1<'py, f64>,
) -> PyResult<WeightedAuc<'py>> {
    let (truth, weights) = (truth.as_slice()?, weights.as_slice()?);
    on_width!(scores, |s| weighted_auc_of(py, s, truth, weights))
}

/// The arrays are numpy's own, as in [`points_of`].
fn weighted_auc_of<'py, T: core::Keyed>(
    py: Python<'py>,
    scores: &[T],
    truth: &[bool],
    weights: &[f64],
) -> PyResult<WeightedAuc<'py>> {
    let keys = keys_of(py, scores, truth)?.try_readonly()?;
    let keys = keys.as_slice()?;
    let array = PyArray1::<f64>::zeros(py, scores.len(), false);
    let positives = truth.iter().filter(|positive| **positive).count();
    let found = {
        let mut sorted = array.try_readwrite()?;
        let sorted = sorted.as_slice_mut()?;
        call(py, || {
            let mut marks = vec![0; sorted.len()];
            core::weights_by_score(keys, scores, weights, sorted, &mut marks)?;
            let found = core::weighted_auc(&marks, sorted);
            let (ours, theirs) = sorted.split_at_mut(positives);
            core::split(weights, truth, ours, theirs)?;
            Ok(found)
        })?
        .map_err(PyValueError::new_err::<&str>)?
    };
    let [p, n] = found
        .sides
        .map(|side| (side.variance, side.squared, side.freedom, side.size));
    Ok((found.value, (p, n), positives, array))
}
