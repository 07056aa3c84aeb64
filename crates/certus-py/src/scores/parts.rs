//! Kernels over many parts of the samples at once.

use certus_core::scores as core;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Column;
use super::wide::on_width;
use crate::call::call;

type Order<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

#[pyfunction]
pub fn order_of_codes<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray1<'py, u32>,
    size: usize,
) -> PyResult<Order<'py>> {
    let codes = codes.as_slice()?;
    let found = call(py, || core::order_of_codes(codes, size))?;
    let (order, ends) = found.map_err(PyValueError::new_err)?;
    Ok((order.into_pyarray(py), ends.into_pyarray(py)))
}

type Losses = (f64, f64, f64);
type PartAuc = (usize, usize, u128, u128, u128, (Losses, Losses));

#[pyfunction]
pub fn score_auc_of_parts<'py>(
    py: Python<'py>,
    scores: Column<'py>,
    truth: PyReadonlyArray1<'py, bool>,
    codes: PyReadonlyArray1<'py, u32>,
    size: usize,
) -> PyResult<Vec<PartAuc>> {
    let (truth, codes) = (truth.as_slice()?, codes.as_slice()?);
    let found = on_width!(scores, |s| call(py, || core::auc_of_parts(
        s, truth, codes, size
    ))?);
    let found = found.map_err(PyValueError::new_err)?;
    Ok(found
        .into_iter()
        .map(|part| {
            let auc = part.auc;
            let [positives, negatives] = part
                .losses
                .map(|losses| (losses.beyond, losses.mean, losses.greatest));
            (
                part.positives,
                part.negatives,
                auc.twice_wins,
                auc.positives,
                auc.negatives,
                (positives, negatives),
            )
        })
        .collect())
}
