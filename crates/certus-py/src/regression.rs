//! Sums over true and predicted numbers for Python.

use certus_core::moments::{self, Moments};
use certus_core::regression::{self, Term};
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

/// Mean, the sums of the second to fourth powers of the distances from it, least and greatest.
pub type Six = (f64, f64, f64, f64, f64, f64);

pub fn six(found: Moments) -> Six {
    (
        found.mean,
        found.second,
        found.third,
        found.fourth,
        found.least,
        found.greatest,
    )
}

#[pyfunction]
pub fn moments_of(py: Python<'_>, values: Column<'_>) -> PyResult<Six> {
    let values = values.as_slice()?;
    call(py, || moments::of_values(values)).map(six)
}

#[pyfunction]
pub fn moments_of_absolute_error(
    py: Python<'_>,
    truth: Column<'_>,
    predicted: Column<'_>,
) -> PyResult<Six> {
    let (truth, predicted) = (truth.as_slice()?, predicted.as_slice()?);
    call(py, || moments::of_absolute_error(truth, predicted))?
        .map(six)
        .map_err(PyValueError::new_err)
}

#[pyfunction]
pub fn moments_of_squared_error(
    py: Python<'_>,
    truth: Column<'_>,
    predicted: Column<'_>,
) -> PyResult<Six> {
    let (truth, predicted) = (truth.as_slice()?, predicted.as_slice()?);
    call(py, || moments::of_squared_error(truth, predicted))?
        .map(six)
        .map_err(PyValueError::new_err)
}

/// The term of a name. The numbers are the shifts of truth, prediction and error, and the farthest true number; or those
/// that the gain of R2 has.
pub fn term(name: &str, numbers: [f64; 5]) -> PyResult<Term> {
    let [y, p, e, fourth, fifth] = numbers;
    Ok(match name {
        "true" => Term::True(y),
        "predicted" => Term::Predicted(p),
        "error" => Term::Error(e),
        "true^2" => Term::TrueSquare {
            shift: y,
            farthest: fourth,
        },
        "predicted^2" => Term::PredictedSquare(p),
        "error^2" => Term::ErrorSquare(e),
        "product" => Term::Product(y, p),
        "R2" => Term::R2 {
            mean: y,
            rest: p,
            squares: e,
            total: fourth,
            times: fifth,
        },
        _ => return Err(PyValueError::new_err(format!("there is no term {name:?}"))),
    })
}
