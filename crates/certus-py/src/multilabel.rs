//! The kernels of samples with several labels for Python: tables in C or Fortran order.

use certus_core::multilabel::{self as core, Dcg, Measure, Rows};
use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;
use crate::scores::Table;

type Values<'py> = Bound<'py, PyArray1<f64>>;

fn rows<'a, T: Element + Copy>(table: &'a PyReadonlyArray2<'_, T>) -> PyResult<Rows<'a, T>> {
    let shape = table.shape();
    Rows::new(
        table.as_slice()?,
        shape[0],
        shape[1],
        !table.is_c_contiguous(),
    )
    .ok_or_else(unlike)
}

fn unlike() -> PyErr {
    PyValueError::new_err("the two tables must have one shape")
}

/// A ranking measure of each row.
#[pyfunction]
#[pyo3(signature = (measure, truth, scores, *, ties))]
pub fn label_measure<'py>(
    py: Python<'py>,
    measure: &str,
    truth: PyReadonlyArray2<'py, bool>,
    scores: Table<'py>,
    ties: &str,
) -> PyResult<Values<'py>> {
    let measure = Measure::named(measure, ties).map_err(PyValueError::new_err)?;
    let truth = rows(&truth)?;
    let values = match &scores {
        Table::Single(scores) => {
            let scores = rows(scores)?;
            call(py, || core::measure_rows(measure, &truth, &scores))?
        }
        Table::Double(scores) => {
            let scores = rows(scores)?;
            call(py, || core::measure_rows(measure, &truth, &scores))?
        }
    };
    Ok(values.ok_or_else(unlike)?.into_pyarray(py))
}

/// The discounted gain of each row.
#[pyfunction]
#[pyo3(signature = (grades, scores, *, cutoff, exponential, average, normalised))]
pub fn label_dcg<'py>(
    py: Python<'py>,
    grades: Table<'py>,
    scores: Table<'py>,
    cutoff: Option<usize>,
    exponential: bool,
    average: bool,
    normalised: bool,
) -> PyResult<Values<'py>> {
    let how = Dcg {
        cutoff,
        exponential,
        average,
        normalised,
    };
    macro_rules! of {
        ($grades:expr, $scores:expr) => {{
            let (grades, scores) = (rows($grades)?, rows($scores)?);
            call(py, || core::dcg_of_rows(how, &grades, &scores))?
        }};
    }
    let values = match (&grades, &scores) {
        (Table::Single(grades), Table::Single(scores)) => of!(grades, scores),
        (Table::Single(grades), Table::Double(scores)) => of!(grades, scores),
        (Table::Double(grades), Table::Single(scores)) => of!(grades, scores),
        (Table::Double(grades), Table::Double(scores)) => of!(grades, scores),
    };
    Ok(values.ok_or_else(unlike)?.into_pyarray(py))
}
