//! Many comparisons at once for Python: arrays in, arrays out.

use certus_core::families::{self, Draws};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;

type Counts<'py> = Bound<'py, PyArray1<u64>>;

#[pyfunction]
#[pyo3(signature = (rows, thresholds, *, absolute, free, replicates, seed))]
pub fn flip_signs<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, f64>,
    thresholds: PyReadonlyArray1<'py, f64>,
    absolute: bool,
    free: Option<u32>,
    replicates: u64,
    seed: u64,
) -> PyResult<(Counts<'py>, Counts<'py>, Counts<'py>)> {
    if rows.shape()[1] != thresholds.len()
        || free.is_some_and(|free| free as usize > rows.shape()[0])
    {
        return Err(PyValueError::new_err(
            "rows, thresholds and free do not fit together",
        ));
    }
    let (rows, thresholds) = (rows.as_slice()?, thresholds.as_slice()?);
    let draws = match free {
        Some(units) => Draws::All(units),
        None => Draws::Random { replicates, seed },
    };
    let tally = call(py, || {
        families::flip_signs(rows, thresholds, absolute, draws)
    })?;
    Ok((
        tally.own.into_pyarray(py),
        tally.single_step.into_pyarray(py),
        tally.step_down.into_pyarray(py),
    ))
}

#[pyfunction]
#[pyo3(signature = (rows, *, replicates, seed))]
pub fn shuffled_ranges<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, f64>,
    replicates: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let columns = rows.shape()[1];
    let rows = rows.as_slice()?;
    let ranges = call(py, || {
        families::shuffled_ranges(rows, columns, replicates, seed)
    })?;
    Ok(ranges.into_pyarray(py))
}
