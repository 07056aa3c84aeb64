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
#[pyo3(signature = (values, *, x, tilt, step, first, count))]
pub fn transform_terms(
    py: Python<'_>,
    values: PyReadonlyArray1<'_, f64>,
    x: f64,
    tilt: f64,
    step: f64,
    first: usize,
    count: usize,
) -> PyResult<(f64, f64)> {
    let values = values.as_slice()?;
    call(py, || {
        signflip::transform_terms(values, x, tilt, step, first..first + count)
    })
}
