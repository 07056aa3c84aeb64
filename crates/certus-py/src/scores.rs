//! The score kernels for Python: the scores of each class ascending, as float32 or float64.

use certus_core::scores as core;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Scores in their own width.
#[derive(FromPyObject)]
pub enum Column<'py> {
    Single(PyReadonlyArray1<'py, f32>),
    Double(PyReadonlyArray1<'py, f64>),
}

/// Calls a generic kernel on two columns of one width, without the GIL.
macro_rules! on_sides {
    ($py:expr, $positives:expr, $negatives:expr, $kernel:path) => {
        match ($positives, $negatives) {
            (Column::Single(p), Column::Single(n)) => {
                let (p, n) = (p.as_slice()?, n.as_slice()?);
                Ok($py.detach(|| $kernel(p, n)))
            }
            (Column::Double(p), Column::Double(n)) => {
                let (p, n) = (p.as_slice()?, n.as_slice()?);
                Ok($py.detach(|| $kernel(p, n)))
            }
            _ => Err(PyValueError::new_err(
                "positives and negatives must be of one width",
            )),
        }
    };
}

#[pyfunction]
#[pyo3(name = "score_auc")]
pub fn auc(
    py: Python<'_>,
    positives: Column<'_>,
    negatives: Column<'_>,
) -> PyResult<(u128, u128, u128)> {
    let found: PyResult<_> = on_sides!(py, &positives, &negatives, core::auc);
    let found = found?.map_err(PyValueError::new_err)?;
    Ok((found.twice_wins, found.positives, found.negatives))
}

#[pyfunction]
#[pyo3(name = "score_average_precision")]
pub fn average_precision(
    py: Python<'_>,
    positives: Column<'_>,
    negatives: Column<'_>,
) -> PyResult<(f64, f64, f64)> {
    let found: PyResult<_> = on_sides!(py, &positives, &negatives, core::average_precision);
    let found = found?;
    Ok((found.value, found.positives, found.negatives))
}

type Steps<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
);

#[pyfunction]
#[pyo3(name = "score_steps")]
pub fn steps<'py>(
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
    match (&positives, &negatives) {
        (Column::Single(p), Column::Single(n)) => {
            let (p, n) = (p.as_slice()?, n.as_slice()?);
            Ok(arrays(py, py.detach(|| core::steps(p, n))))
        }
        (Column::Double(p), Column::Double(n)) => {
            let (p, n) = (p.as_slice()?, n.as_slice()?);
            Ok(arrays(py, py.detach(|| core::steps(p, n))))
        }
        _ => Err(PyValueError::new_err(
            "positives and negatives must be of one width",
        )),
    }
}
