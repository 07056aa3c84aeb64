//! Columns of rankings: numpy arrays that Python owns.

use certus_core::ranking::{Columns, List, Lists};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;

/// The fields of `certus.data.Columns`, in their order.
pub type Arrays<'py> = (
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, u32>,
    PyReadonlyArray1<'py, i32>,
    PyReadonlyArray1<'py, u32>,
    PyReadonlyArray1<'py, u32>,
    PyReadonlyArray1<'py, u32>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i32>,
);

/// The same, returned.
pub type NewArrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i32>>,
);

/// Calls `compute` on the checked columns without the GIL.
pub fn checked<'py, T: Send>(
    py: Python<'py>,
    columns: &Arrays<'py>,
    compute: impl FnOnce(&Lists) -> Result<T, String> + Send,
) -> PyResult<T> {
    let lists = Lists {
        offsets: columns.0.as_slice()?,
        ranks: columns.1.as_slice()?,
        grades: columns.2.as_slice()?,
        tie_first: columns.3.as_slice()?,
        tie_size: columns.4.as_slice()?,
        retrieved: columns.5.as_slice()?,
        judged_offsets: columns.6.as_slice()?,
        judged: columns.7.as_slice()?,
    };
    call(py, || {
        lists.check()?;
        compute(&lists)
    })?
    .map_err(PyValueError::new_err::<String>)
}

pub fn values<'py>(
    py: Python<'py>,
    columns: &Arrays<'py>,
    kernel: impl Fn(&List) -> f64 + Send + Sync,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let values = checked(py, columns, |lists| Ok(lists.per_query(kernel)))?;
    Ok(values.into_pyarray(py))
}

pub fn try_values<'py>(
    py: Python<'py>,
    columns: &Arrays<'py>,
    kernel: impl Fn(&List) -> Result<f64, String> + Send + Sync,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let values = checked(py, columns, |lists| lists.try_per_query(kernel))?;
    Ok(values.into_pyarray(py))
}

pub fn transformed<'py>(
    py: Python<'py>,
    columns: &Arrays<'py>,
    transform: impl FnOnce(&Lists) -> Columns + Send,
) -> PyResult<NewArrays<'py>> {
    let columns = checked(py, columns, |lists| Ok(transform(lists)))?;
    Ok(new_arrays(py, columns))
}

/// Columns as numpy arrays, without a copy.
pub fn new_arrays(py: Python<'_>, columns: Columns) -> NewArrays<'_> {
    (
        columns.offsets.into_pyarray(py),
        columns.ranks.into_pyarray(py),
        columns.grades.into_pyarray(py),
        columns.tie_first.into_pyarray(py),
        columns.tie_size.into_pyarray(py),
        columns.retrieved.into_pyarray(py),
        columns.judged_offsets.into_pyarray(py),
        columns.judged.into_pyarray(py),
    )
}
