//! Many comparisons at once for Python: arrays in, arrays out.

use certus_core::families::{self, Contrast, Draws};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::call;

type Counts<'py> = Bound<'py, PyArray1<u64>>;

#[pyfunction]
#[pyo3(signature = (rows, thresholds, *, absolute, free, replicates, seed, pairs = None, factors = None))]
#[allow(clippy::too_many_arguments)]
pub fn flip_signs<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, f64>,
    thresholds: PyReadonlyArray1<'py, f64>,
    absolute: bool,
    free: Option<u32>,
    replicates: u64,
    seed: u64,
    pairs: Option<PyReadonlyArray2<'py, u32>>,
    factors: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<(Counts<'py>, Counts<'py>, Counts<'py>)> {
    let columns = rows.shape()[1];
    let contrasts = match (&pairs, &factors) {
        (None, None) => None,
        (Some(pairs), Some(factors)) if pairs.shape() == [factors.len(), 2] => {
            Some(contrasts(pairs.as_slice()?, factors.as_slice()?))
        }
        _ => {
            return Err(PyValueError::new_err(
                "pairs and factors do not fit together",
            ));
        }
    };
    let inside = |each: &Contrast| each.left.max(each.right) < columns;
    let counted = contrasts.as_ref().map_or(columns, Vec::len);
    if counted != thresholds.len()
        || free.is_some_and(|free| free as usize > rows.shape()[0])
        || !contrasts.iter().flatten().all(inside)
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
        families::flip_signs(
            rows,
            columns,
            contrasts.as_deref(),
            thresholds,
            absolute,
            draws,
        )
    })?;
    Ok((
        tally.own.into_pyarray(py),
        tally.single_step.into_pyarray(py),
        tally.step_down.into_pyarray(py),
    ))
}

fn contrasts(pairs: &[u32], factors: &[f64]) -> Vec<Contrast> {
    let each = pairs.chunks_exact(2).zip(factors);
    each.map(|(pair, &factor)| Contrast {
        left: pair[0] as usize,
        right: pair[1] as usize,
        factor,
    })
    .collect()
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
