//! Resampling for Python: arrays in, arrays out.

use certus_core::bootstrap;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;

#[pyfunction]
#[pyo3(signature = (rows, *, replicates, seed))]
pub fn resample_sums<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, f64>,
    replicates: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let columns = rows.shape()[1];
    let rows = rows.as_array();
    let flat = rows
        .as_slice()
        .ok_or_else(|| PyValueError::new_err("rows must be contiguous in C order"))?;
    let sums = call(py, || {
        bootstrap::resample_sums(flat, columns, replicates, seed)
    })?;
    shaped(py, replicates, columns, sums)
}

#[pyfunction]
#[pyo3(signature = (units, *, first, replicates, seed))]
pub fn resample_counts(
    py: Python<'_>,
    units: usize,
    first: u64,
    replicates: usize,
    seed: u64,
) -> PyResult<Bound<'_, PyArray2<u32>>> {
    let counts = call(py, || {
        bootstrap::resample_counts(units, first, replicates, seed)
    })?;
    shaped(py, replicates, units, counts)
}

fn shaped<T: numpy::Element>(
    py: Python<'_>,
    rows: usize,
    columns: usize,
    flat: Vec<T>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let array = Array2::from_shape_vec((rows, columns), flat)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(array.into_pyarray(py))
}
