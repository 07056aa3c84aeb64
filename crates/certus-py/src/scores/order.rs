//! Kernels over samples by decreasing score, with weights or masses and with units: bootstrap, influence, hulls.

use certus_core::scores::{self as core, Sampled};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::ScoreMetric;
use crate::call::call;

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

fn sampled<'a>(
    marks: &'a Marks<'_>,
    weights: &'a Weights<'_>,
    units: &'a Codes<'_>,
    size: usize,
    strata: &'a Codes<'_>,
) -> PyResult<Sampled<'a>> {
    Ok(Sampled {
        marks: marks.as_slice()?,
        weights: slice(weights.as_ref())?,
        units: slice(units.as_ref())?,
        size,
        strata: slice(strata.as_ref())?,
    })
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
    let sampled = sampled(&marks, &weights, &units, size, &strata)?;
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
    let sampled = sampled(&marks, &weights, &units, size, &strata)?;
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
