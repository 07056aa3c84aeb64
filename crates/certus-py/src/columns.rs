//! Columns of rankings: numpy arrays that Python owns, or held here.

use certus_core::ranking::{Columns, List, Lists};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

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

/// Columns that a kernel is given, and how its results go back: as arrays of NumPy for arrays, as Python's own for what is held.
pub trait Given<'py> {
    type Values;
    type Columns;

    /// Calls `compute` on the checked columns without the GIL.
    fn checked<T: Send>(
        &self,
        py: Python<'py>,
        compute: impl FnOnce(&Lists) -> Result<T, String> + Send,
    ) -> PyResult<T>;

    fn given_values(py: Python<'py>, values: Vec<f64>) -> PyResult<Self::Values>;

    fn given_columns(py: Python<'py>, columns: Columns) -> Self::Columns;
}

impl<'py> Given<'py> for Arrays<'py> {
    type Values = Bound<'py, PyArray1<f64>>;
    type Columns = NewArrays<'py>;

    fn checked<T: Send>(
        &self,
        py: Python<'py>,
        compute: impl FnOnce(&Lists) -> Result<T, String> + Send,
    ) -> PyResult<T> {
        let lists = Lists {
            offsets: self.0.as_slice()?,
            ranks: self.1.as_slice()?,
            grades: self.2.as_slice()?,
            tie_first: self.3.as_slice()?,
            tie_size: self.4.as_slice()?,
            retrieved: self.5.as_slice()?,
            judged_offsets: self.6.as_slice()?,
            judged: self.7.as_slice()?,
        };
        call(py, || {
            lists.check()?;
            compute(&lists)
        })?
        .map_err(PyValueError::new_err::<String>)
    }

    fn given_values(py: Python<'py>, values: Vec<f64>) -> PyResult<Self::Values> {
        Ok(values.into_pyarray(py))
    }

    fn given_columns(py: Python<'py>, columns: Columns) -> Self::Columns {
        new_arrays(py, columns)
    }
}

/// The columns of a ranking as the compiled part holds them. Its methods are the kernels, and NumPy has no part in them.
#[pyclass(frozen, module = "certus._core")]
pub struct HeldColumns(pub Columns);

impl<'py> Given<'py> for HeldColumns {
    /// An `array.array`, which takes a quarter of the memory that a list of floats takes.
    type Values = Bound<'py, PyAny>;
    type Columns = HeldColumns;

    /// What a reader or a transform has made needs no check.
    fn checked<T: Send>(
        &self,
        py: Python<'py>,
        compute: impl FnOnce(&Lists) -> Result<T, String> + Send,
    ) -> PyResult<T> {
        call(py, || compute(&self.0.lists()))?.map_err(PyValueError::new_err::<String>)
    }

    fn given_values(py: Python<'py>, values: Vec<f64>) -> PyResult<Self::Values> {
        let bytes = PyBytes::new_with(py, size_of_val(&*values), |bytes| {
            for (to, value) in bytes.as_chunks_mut().0.iter_mut().zip(&values) {
                *to = value.to_ne_bytes();
            }
            Ok(())
        })?;
        py.import("array")?.getattr("array")?.call1(("d", bytes))
    }

    fn given_columns(_: Python<'py>, columns: Columns) -> Self::Columns {
        HeldColumns(columns)
    }
}

pub fn values<'py, G: Given<'py>>(
    py: Python<'py>,
    columns: &G,
    kernel: impl Fn(&List) -> f64 + Send + Sync,
) -> PyResult<G::Values> {
    let values = columns.checked(py, |lists| Ok(lists.per_query(kernel)))?;
    G::given_values(py, values)
}

pub fn try_values<'py, G: Given<'py>>(
    py: Python<'py>,
    columns: &G,
    kernel: impl Fn(&List) -> Result<f64, String> + Send + Sync,
) -> PyResult<G::Values> {
    let values = columns.checked(py, |lists| lists.try_per_query(kernel))?;
    G::given_values(py, values)
}

pub fn transformed<'py, G: Given<'py>>(
    py: Python<'py>,
    columns: &G,
    transform: impl FnOnce(&Lists) -> Columns + Send,
) -> PyResult<G::Columns> {
    let columns = columns.checked(py, |lists| Ok(transform(lists)))?;
    Ok(G::given_columns(py, columns))
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

/// The sum from the first to the last, rounded after each as a loop rounds it.
#[pyfunction]
pub fn added_up(py: Python<'_>, values: PyBuffer<f64>) -> PyResult<f64> {
    Ok(values
        .to_vec(py)?
        .iter()
        .fold(0.0, |sum, value| sum + value))
}
