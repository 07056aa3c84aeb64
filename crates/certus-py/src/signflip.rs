//! Sums with random signs for Python.

use certus_core::signflip;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::call::call;

#[pyfunction]
pub fn chosen_sum_at_least(
    py: Python<'_>,
    steps: PyReadonlyArray1<'_, u32>,
    target: u64,
) -> PyResult<f64> {
    let steps = steps.as_slice()?;
    call(py, || signflip::chosen_sum_at_least(steps, target))
}

#[pyfunction]
#[pyo3(signature = (values, *, observed, most))]
pub fn signed_sum_listed(
    py: Python<'_>,
    values: PyReadonlyArray1<'_, f64>,
    observed: f64,
    most: usize,
) -> PyResult<Option<f64>> {
    let values = values.as_slice()?;
    call(py, || signflip::listed_at_least(values, observed, most))
}

#[pyfunction]
#[pyo3(signature = (values, *, x, wanted, least, most, span = 0.0))]
pub fn signed_sum_inverted(
    py: Python<'_>,
    values: PyReadonlyArray1<'_, f64>,
    x: f64,
    wanted: f64,
    least: usize,
    most: usize,
    span: f64,
) -> PyResult<Option<(f64, f64)>> {
    let values = values.as_slice()?;
    call(py, || {
        signflip::inverted_beyond(values, x, wanted, least, most, span)
    })
}
