//! Kernels over probabilities of the positive class for Python.

use certus_core::probabilities as core;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;
use crate::regression::{Six, six};

type Ints<'py> = Bound<'py, PyArray1<i64>>;
type Floats<'py> = Bound<'py, PyArray1<f64>>;

/// Probabilities in the width they came in.
#[derive(FromPyObject)]
pub enum Column<'py> {
    Double(PyReadonlyArray1<'py, f64>),
    Single(PyReadonlyArray1<'py, f32>),
}

impl Column<'_> {
    fn borrowed(&self) -> PyResult<core::Probabilities<'_>> {
        Ok(match self {
            Column::Double(values) => core::Probabilities::Double(values.as_slice()?),
            Column::Single(values) => core::Probabilities::Single(values.as_slice()?),
        })
    }
}

#[pyfunction]
#[pyo3(signature = (probabilities, hits, *, least, greatest))]
pub fn log_losses<'py>(
    py: Python<'py>,
    probabilities: Column<'py>,
    hits: PyReadonlyArray1<'py, bool>,
    least: f64,
    greatest: f64,
) -> PyResult<Floats<'py>> {
    let (p, hits) = (probabilities.borrowed()?, hits.as_slice()?);
    call(py, || core::log_losses(p, hits, [least, greatest]))?
        .map(|losses| losses.into_pyarray(py))
        .map_err(PyValueError::new_err)
}

/// The sum of the losses and their moments.
#[pyfunction]
#[pyo3(signature = (probabilities, hits, *, least, greatest))]
pub fn log_loss(
    py: Python<'_>,
    probabilities: Column<'_>,
    hits: PyReadonlyArray1<'_, bool>,
    least: f64,
    greatest: f64,
) -> PyResult<(f64, Six)> {
    let (p, hits) = (probabilities.borrowed()?, hits.as_slice()?);
    call(py, || core::log_loss(p, hits, [least, greatest]))?
        .map(|found| (found.sum, six(found.moments)))
        .map_err(PyValueError::new_err)
}

/// Counts, those that came true, and sums of the probabilities.
#[pyfunction]
pub fn uniform_bins<'py>(
    py: Python<'py>,
    probabilities: PyReadonlyArray1<'py, f64>,
    outcomes: PyReadonlyArray1<'py, bool>,
    size: usize,
) -> PyResult<(Ints<'py>, Ints<'py>, Floats<'py>)> {
    let (p, outcomes) = (probabilities.as_slice()?, outcomes.as_slice()?);
    let found =
        call(py, || core::uniform_bins(p, outcomes, size))?.map_err(PyValueError::new_err)?;
    let ints = |counts: Vec<u64>| {
        let signed: Vec<i64> = counts.into_iter().map(u64::cast_signed).collect();
        signed.into_pyarray(py)
    };
    Ok((
        ints(found.counts),
        ints(found.positives),
        found.sums.into_pyarray(py),
    ))
}
