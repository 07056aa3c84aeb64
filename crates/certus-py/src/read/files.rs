//! Bytes of files, and ids in messages.

use std::path::PathBuf;

use certus_core::read;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::refuse;
use crate::call::call;

/// Up to `most` of the first decompressed bytes of a file.
#[pyfunction]
pub fn read_start<'py>(
    py: Python<'py>,
    path: PathBuf,
    name: &str,
    most: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let start = read::read_start(&path, name, most).map_err(refuse)?;
    Ok(PyBytes::new(py, &start))
}

/// The decompressed bytes of a file, and the fingerprint of its raw ones.
#[pyfunction]
pub fn read_bytes<'py>(
    py: Python<'py>,
    path: PathBuf,
    name: &str,
) -> PyResult<(Bound<'py, PyBytes>, String)> {
    let (bytes, fingerprint) = call(py, || read::read_all(&path, name))?.map_err(refuse)?;
    Ok((PyBytes::new(py, &bytes), format!("{fingerprint:032x}")))
}

/// An id quoted and escaped for a message.
#[pyfunction]
pub fn show(id: &[u8]) -> String {
    read::show(id)
}

/// Whole numbers as ids in one text, with NUL bytes between them.
#[pyfunction]
pub fn joined_numbers<'py>(
    py: Python<'py>,
    numbers: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let numbers = numbers.as_slice()?;
    let text = call(py, || read::joined_numbers(numbers))?;
    Ok(PyBytes::new(py, &text))
}
