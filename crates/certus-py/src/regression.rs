//! Sums over true and predicted numbers for Python.

use certus_core::regression;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;

type Column<'py> = PyReadonlyArray1<'py, f64>;

#[pyfunction]
pub fn sum_absolute_error(
    py: Python<'_>,
    truth: Column<'_>,
    predicted: Column<'_>,
) -> PyResult<f64> {
    let (truth, predicted) = (truth.as_slice()?, predicted.as_slice()?);
    call(py, || regression::absolute_error(truth, predicted))?.map_err(PyValueError::new_err)
}

#[pyfunction]
pub fn sum_squared_error(
    py: Python<'_>,
    truth: Column<'_>,
    predicted: Column<'_>,
) -> PyResult<f64> {
    let (truth, predicted) = (truth.as_slice()?, predicted.as_slice()?);
    call(py, || regression::squared_error(truth, predicted))?.map_err(PyValueError::new_err)
}

#[pyfunction]
pub fn sum_residuals(
    py: Python<'_>,
    truth: Column<'_>,
    predicted: Column<'_>,
) -> PyResult<(f64, f64, f64)> {
    let (truth, predicted) = (truth.as_slice()?, predicted.as_slice()?);
    call(py, || regression::residuals(truth, predicted))?
        .map(|found| (found.squares, found.spread, found.total))
        .map_err(PyValueError::new_err)
}
