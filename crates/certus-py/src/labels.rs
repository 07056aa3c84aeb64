//! Labels for Python: columns as numpy arrays in, codes and counts out.

use certus_core::labels::{self as core, Interner, Ints};
use numpy::ndarray::{Array2, Ix2};
use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDescrMethods, PyReadonlyArray1,
    PyReadonlyArray2, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::call::call;

/// A borrowed column of whole numbers.
enum Column<'py> {
    I8(PyReadonlyArray1<'py, i8>),
    I16(PyReadonlyArray1<'py, i16>),
    I32(PyReadonlyArray1<'py, i32>),
    I64(PyReadonlyArray1<'py, i64>),
    U8(PyReadonlyArray1<'py, u8>),
    U16(PyReadonlyArray1<'py, u16>),
    U32(PyReadonlyArray1<'py, u32>),
}

impl<'py> Column<'py> {
    fn of(array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        let kind = array.dtype();
        Ok(match (kind.kind(), kind.itemsize()) {
            (b'i', 1) => Column::I8(borrowed(array)?),
            (b'i', 2) => Column::I16(borrowed(array)?),
            (b'i', 4) => Column::I32(borrowed(array)?),
            (b'i', 8) => Column::I64(borrowed(array)?),
            (b'u', 1) => Column::U8(borrowed(array)?),
            (b'u', 2) => Column::U16(borrowed(array)?),
            (b'u', 4) => Column::U32(borrowed(array)?),
            _ => {
                return Err(PyTypeError::new_err(
                    "a column must hold whole numbers of at most 64 bits, signed",
                ));
            }
        })
    }

    fn ints(&self) -> PyResult<Ints<'_>> {
        Ok(match self {
            Column::I8(array) => Ints::I8(array.as_slice()?),
            Column::I16(array) => Ints::I16(array.as_slice()?),
            Column::I32(array) => Ints::I32(array.as_slice()?),
            Column::I64(array) => Ints::I64(array.as_slice()?),
            Column::U8(array) => Ints::U8(array.as_slice()?),
            Column::U16(array) => Ints::U16(array.as_slice()?),
            Column::U32(array) => Ints::U32(array.as_slice()?),
        })
    }
}

fn borrowed<'py, T: Element>(
    array: &Bound<'py, PyUntypedArray>,
) -> PyResult<PyReadonlyArray1<'py, T>> {
    array.extract()
}

type Codes<'py> = Bound<'py, PyArray1<u32>>;
type Labels<'py> = Bound<'py, PyArray1<i64>>;
type Counted<'py> = (Labels<'py>, Labels<'py>, Bound<'py, PyArray2<i64>>);
type Summed<'py> = (
    Labels<'py>,
    Labels<'py>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
);

#[pyfunction]
pub fn code_numbers<'py>(
    py: Python<'py>,
    values: &Bound<'py, PyUntypedArray>,
) -> PyResult<(Labels<'py>, Codes<'py>)> {
    let column = Column::of(values)?;
    let values = column.ints()?;
    let (labels, codes) = call(py, || core::code_numbers(values))?;
    Ok((labels.into_pyarray(py), codes.into_pyarray(py)))
}

#[pyfunction]
#[pyo3(signature = (first, second, *, most))]
pub fn count_pairs<'py>(
    py: Python<'py>,
    first: &Bound<'py, PyUntypedArray>,
    second: &Bound<'py, PyUntypedArray>,
    most: usize,
) -> PyResult<Counted<'py>> {
    let (first, second) = (Column::of(first)?, Column::of(second)?);
    let (rows, columns) = (first.ints()?, second.ints()?);
    let pairs =
        call(py, || core::count_pairs(rows, columns, most))?.map_err(PyValueError::new_err)?;
    let shape = (pairs.first.len(), pairs.second.len());
    let counts = pairs.counts.into_iter().map(u64::cast_signed).collect();
    Ok((
        pairs.first.into_pyarray(py),
        pairs.second.into_pyarray(py),
        table(py, shape, counts)?,
    ))
}

#[pyfunction]
#[pyo3(signature = (first, second, weights, *, most))]
pub fn sum_pairs<'py>(
    py: Python<'py>,
    first: &Bound<'py, PyUntypedArray>,
    second: &Bound<'py, PyUntypedArray>,
    weights: PyReadonlyArray1<'py, f64>,
    most: usize,
) -> PyResult<Summed<'py>> {
    let (first, second) = (Column::of(first)?, Column::of(second)?);
    let (rows, columns, weights) = (first.ints()?, second.ints()?, weights.as_slice()?);
    let sums = call(py, || core::sum_pairs(rows, columns, weights, most))?
        .map_err(PyValueError::new_err)?;
    let shape = (sums.first.len(), sums.second.len());
    Ok((
        sums.first.into_pyarray(py),
        sums.second.into_pyarray(py),
        table(py, shape, sums.weights)?,
        table(py, shape, sums.squares)?,
    ))
}

fn table<T: Element>(
    py: Python<'_>,
    shape: (usize, usize),
    flat: Vec<T>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let array = Array2::from_shape_vec(shape, flat)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(array.into_pyarray(py))
}

#[pyfunction]
pub fn intern_rows<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, u8>,
) -> PyResult<(Codes<'py>, Labels<'py>)> {
    let (flat, width) = (rows.as_slice()?, rows.shape()[1]);
    let (codes, first) = call(py, || core::intern_rows(flat, width))?;
    let first: Vec<i64> = first.into_iter().map(|row| row as i64).collect();
    Ok((codes.into_pyarray(py), first.into_pyarray(py)))
}

/// Strings that stand at one address are one string: a small memory of addresses saves looking into most of them.
struct Addresses(Vec<(usize, u32)>);

impl Addresses {
    const SIZE: usize = 1 << 12;

    fn new() -> Self {
        Addresses(vec![(0, 0); Self::SIZE])
    }

    fn place(&mut self, address: usize) -> &mut (usize, u32) {
        &mut self.0[(address >> 4).wrapping_mul(0x9E37_79B9) >> 8 & (Self::SIZE - 1)]
    }
}

/// Strings looked at between two looks for an interruption.
const CHUNK: usize = 1 << 16;

/// None where an object is no string, or one that is not Unicode.
#[pyfunction]
pub fn intern_strings<'py>(
    py: Python<'py>,
    objects: PyReadonlyArray1<'py, Py<PyAny>>,
) -> PyResult<Option<(Codes<'py>, Bound<'py, PyList>)>> {
    let mut known = Addresses::new();
    let mut interner = Interner::new();
    let labels = PyList::empty(py);
    let mut codes = Vec::with_capacity(objects.len());
    for (row, object) in objects.as_slice()?.iter().enumerate() {
        if row % CHUNK == CHUNK - 1 {
            py.check_signals()?;
        }
        let address = object.as_ptr() as usize;
        let place = known.place(address);
        if place.0 != address {
            let Ok(string) = object.bind(py).cast_exact::<PyString>() else {
                return Ok(None);
            };
            let Ok(text) = string.to_str() else {
                return Ok(None);
            };
            let code = interner.code(text.as_bytes());
            if code as usize == labels.len() {
                labels.append(string)?;
            }
            *place = (address, code);
        }
        codes.push(place.1);
    }
    Ok(Some((codes.into_pyarray(py), labels)))
}

type Cells<'py> = PyReadonlyArrayDyn<'py, f64>;

/// The four cells of each class, table by table, and the number of classes.
fn cells_of(cells: [&Cells<'_>; 4]) -> PyResult<(Vec<[f64; 4]>, usize)> {
    let shape = cells[0].shape();
    let (Some(&classes), true) = (shape.last(), cells.iter().all(|cell| cell.shape() == shape))
    else {
        return Err(PyValueError::new_err(
            "the four cells must be arrays of one shape",
        ));
    };
    let mut found = vec![[0.0; 4]; cells[0].len()];
    for (place, cell) in cells.into_iter().enumerate() {
        let array = cell.as_array();
        // Two axes are walked several times faster than any number of them.
        if let Ok(rows) = array.view().into_dimensionality::<Ix2>() {
            for (four, count) in found.iter_mut().zip(rows) {
                four[place] = *count;
            }
            continue;
        }
        for (four, count) in found.iter_mut().zip(array) {
            four[place] = *count;
        }
    }
    Ok((found, classes))
}

/// The cells of tables of two classes.
fn cells_of_two(cells: [&Cells<'_>; 4]) -> PyResult<Vec<[[f64; 4]; 2]>> {
    let (cells, classes) = cells_of(cells)?;
    if classes != 2 {
        return Err(PyValueError::new_err("tables must be of two classes"));
    }
    Ok(cells.as_chunks().0.to_vec())
}

#[pyfunction]
pub fn correlation_of_two<'py>(
    py: Python<'py>,
    tp: Cells<'py>,
    fp: Cells<'py>,
    r#fn: Cells<'py>,
    tn: Cells<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let tables = cells_of_two([&tp, &fp, &r#fn, &tn])?;
    let values: Vec<f64> = call(py, || tables.iter().map(core::correlation).collect())?;
    Ok(values.into_pyarray(py))
}

#[pyfunction]
pub fn correlation_slopes_of_two<'py>(
    py: Python<'py>,
    tp: Cells<'py>,
    fp: Cells<'py>,
    r#fn: Cells<'py>,
    tn: Cells<'py>,
) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
    let tables = cells_of_two([&tp, &fp, &r#fn, &tn])?;
    let [table] = tables[..] else {
        return Err(PyValueError::new_err("there must be one table"));
    };
    let slopes = call(py, || core::correlation_slopes(&table))?;
    Ok(slopes.map(|slopes| Array2::from(slopes.to_vec()).into_pyarray(py)))
}

#[pyfunction]
#[pyo3(signature = (tp, fp, r#fn, tn, above, below, *, weighted, skip, undefined))]
#[expect(clippy::too_many_arguments)]
pub fn mean_of_shares<'py>(
    py: Python<'py>,
    tp: Cells<'py>,
    fp: Cells<'py>,
    r#fn: Cells<'py>,
    tn: Cells<'py>,
    above: [f64; 4],
    below: [f64; 4],
    weighted: bool,
    skip: bool,
    undefined: Option<f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (cells, classes) = cells_of([&tp, &fp, &r#fn, &tn])?;
    let share = core::Share { above, below };
    let over = core::OverClasses {
        weighted,
        skip,
        undefined,
    };
    let mean = |table: &[[f64; 4]]| core::mean_of_shares(table, share, over);
    let values: Vec<f64> = call(py, || cells.chunks(classes.max(1)).map(mean).collect())?;
    Ok(values.into_pyarray(py))
}
