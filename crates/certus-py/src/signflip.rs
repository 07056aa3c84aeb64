//! Sums with random signs for Python.

use certus_core::signflip;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::call::call;

type Values<'py> = Bound<'py, PyArray1<f64>>;

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
#[pyo3(signature = (values, *, tilt, step, first, count))]
pub fn signed_sum_transform<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    tilt: f64,
    step: f64,
    first: usize,
    count: usize,
) -> PyResult<(Values<'py>, Values<'py>)> {
    let values = values.as_slice()?;
    let found = call(py, || {
        signflip::characteristic(values, tilt, step, first..first + count)
    })?;
    let (re, im): (Vec<f64>, Vec<f64>) = found.into_iter().unzip();
    Ok((re.into_pyarray(py), im.into_pyarray(py)))
}
