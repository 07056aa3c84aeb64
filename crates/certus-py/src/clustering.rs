//! The clustering kernels for Python.

use certus_core::clustering as core;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;

type Ints<'py> = Bound<'py, PyArray1<i64>>;
type Codes<'py> = Bound<'py, PyArray1<u32>>;
type Floats<'py> = Bound<'py, PyArray1<f64>>;

#[pyfunction]
pub fn count_cells<'py>(
    py: Python<'py>,
    first: PyReadonlyArray1<'py, u32>,
    second: PyReadonlyArray1<'py, u32>,
    most_rows: usize,
) -> PyResult<(Codes<'py>, Codes<'py>, Ints<'py>)> {
    let (first, second) = (first.as_slice()?, second.as_slice()?);
    let cells =
        call(py, || core::count_cells(first, second, most_rows))?.map_err(PyValueError::new_err)?;
    Ok((
        cells.rows.into_pyarray(py),
        cells.columns.into_pyarray(py),
        cells.counts.into_pyarray(py),
    ))
}

#[pyfunction]
pub fn expected_information<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray1<'py, u64>,
    row_times: PyReadonlyArray1<'py, f64>,
    columns: PyReadonlyArray1<'py, u64>,
    column_times: PyReadonlyArray1<'py, f64>,
    n: u64,
) -> PyResult<f64> {
    let (rows, row_times) = (rows.as_slice()?, row_times.as_slice()?);
    let (columns, column_times) = (columns.as_slice()?, column_times.as_slice()?);
    call(py, || {
        core::expected_information(rows, row_times, columns, column_times, n)
    })?
    .map_err(PyValueError::new_err)
}

/// The samples by their clusters, and those of a cluster by their coordinates.
#[pyfunction]
pub fn cluster_order<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    labels: PyReadonlyArray1<'py, i64>,
) -> PyResult<Ints<'py>> {
    let (flat, width) = (values.as_slice()?, values.shape()[1]);
    let labels = labels.as_slice()?;
    let order = call(py, || core::in_order(flat, width, labels))?.map_err(PyValueError::new_err)?;
    Ok(PyArray1::from_iter(
        py,
        order.iter().map(|&each| each as i64),
    ))
}

/// The means of the clusters and, last, of all; as floats and what is left of each.
#[pyfunction]
pub fn centroids<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    labels: PyReadonlyArray1<'py, i64>,
    clusters: usize,
) -> PyResult<(Floats<'py>, Floats<'py>)> {
    let (flat, width) = (values.as_slice()?, values.shape()[1]);
    let labels = labels.as_slice()?;
    let found = call(py, || core::centroids(flat, width, labels, clusters))?
        .map_err(PyValueError::new_err)?;
    Ok((found.means.into_pyarray(py), found.rests.into_pyarray(py)))
}

/// The squared distance of each sample from the centroid of its cluster.
#[pyfunction]
pub fn centroid_distances<'py>(
    py: Python<'py>,
    means: PyReadonlyArray2<'py, f64>,
    rests: PyReadonlyArray2<'py, f64>,
    values: PyReadonlyArray2<'py, f64>,
    labels: PyReadonlyArray1<'py, i64>,
) -> PyResult<Floats<'py>> {
    let (flat, width) = (values.as_slice()?, values.shape()[1]);
    let (means, rests) = (means.as_slice()?, rests.as_slice()?);
    let labels = labels.as_slice()?;
    call(py, || {
        core::distances_from(means, rests, flat, width, labels)
    })?
    .map(|found| found.into_pyarray(py))
    .map_err(PyValueError::new_err)
}

#[pyfunction]
pub fn mean_distances<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    ends: PyReadonlyArray1<'py, u64>,
) -> PyResult<(Floats<'py>, Floats<'py>, Bound<'py, PyArray1<u64>>)> {
    let (flat, width) = (values.as_slice()?, values.shape()[1]);
    let ends = places(&ends)?;
    let means =
        call(py, || core::mean_distances(flat, width, &ends))?.map_err(PyValueError::new_err)?;
    Ok((
        means.within.into_pyarray(py),
        means.nearest.into_pyarray(py),
        PyArray1::from_iter(py, means.neighbour.iter().map(|&each| each as u64)),
    ))
}

#[pyfunction]
pub fn weighted_distances<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    ends: PyReadonlyArray1<'py, u64>,
    within: PyReadonlyArray1<'py, f64>,
    nearest: PyReadonlyArray1<'py, f64>,
    neighbour: PyReadonlyArray1<'py, u64>,
) -> PyResult<Floats<'py>> {
    let (flat, width) = (values.as_slice()?, values.shape()[1]);
    let (ends, neighbour) = (places(&ends)?, places(&neighbour)?);
    let weights = within.as_slice()?.iter().zip(nearest.as_slice()?);
    let parts: Vec<core::Part> = weights
        .zip(neighbour)
        .map(|((&within, &nearest), neighbour)| core::Part {
            within,
            nearest,
            neighbour,
        })
        .collect();
    let found = call(py, || core::weighted_distances(flat, width, &ends, &parts))?
        .map_err(PyValueError::new_err)?;
    Ok(found.into_pyarray(py))
}

#[pyfunction]
pub fn extreme_distances<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    ends: PyReadonlyArray1<'py, u64>,
) -> PyResult<(f64, f64)> {
    let (flat, width) = (values.as_slice()?, values.shape()[1]);
    let ends = places(&ends)?;
    let found =
        call(py, || core::extreme_distances(flat, width, &ends))?.map_err(PyValueError::new_err)?;
    Ok((found.within, found.between))
}

fn places(ends: &PyReadonlyArray1<u64>) -> PyResult<Vec<usize>> {
    Ok(ends.as_slice()?.iter().map(|&end| end as usize).collect())
}
