//! Qrels and runs as Python holds them: dicts of dicts, of lists and of sets, and columns.
//!
//! Only what is plain is read here, which is nearly everything. Whatever else there is, and whatever is wrong, gives
//! `None`, and Python reads the same data again, knows more types and says what is wrong.

use certus_core::read::{Qrels, QrelsRows, ReadError, Run, RunRows, ids};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple, PyType,
};

use super::refuse;
use crate::call::call;

/// Whole numbers beyond this are not all doubles.
const GREATEST: i64 = 1 << 53;

/// What rows are collected in.
pub trait Rows: Default {
    type Value: Copy + Sync;
    type Made: Send;
    /// The value of each member of a set; none where a set says nothing.
    const MEMBER: Option<Self::Value>;
    fn query(&mut self, query: &[u8]) -> bool;
    fn push(&mut self, doc: &[u8], value: Self::Value);
    fn value(value: &Bound<'_, PyAny>) -> Option<Self::Value>;
    /// The value of one of `count` documents in a list.
    fn listed(place: usize, count: usize) -> Self::Value;
    fn finish(self, name: &str) -> Result<Self::Made, ReadError>;
    /// The same rows with the fingerprint of the file they came from.
    fn of_file(made: Self::Made, fingerprint: u128) -> Self::Made;
}

impl Rows for QrelsRows {
    type Value = i32;
    type Made = Qrels;
    const MEMBER: Option<i32> = Some(1);

    fn query(&mut self, query: &[u8]) -> bool {
        QrelsRows::query(self, query)
    }

    fn push(&mut self, doc: &[u8], grade: i32) {
        QrelsRows::push(self, doc, grade);
    }

    fn value(value: &Bound<'_, PyAny>) -> Option<i32> {
        whole(value)?.try_into().ok()
    }

    fn listed(_: usize, _: usize) -> i32 {
        1
    }

    fn finish(self, name: &str) -> Result<Qrels, ReadError> {
        QrelsRows::finish(self, name)
    }

    fn of_file(made: Qrels, fingerprint: u128) -> Qrels {
        made.with_fingerprint(fingerprint)
    }
}

impl Rows for RunRows {
    type Value = f64;
    type Made = Run;
    const MEMBER: Option<f64> = None;

    fn query(&mut self, query: &[u8]) -> bool {
        RunRows::query(self, query)
    }

    fn push(&mut self, doc: &[u8], score: f64) {
        RunRows::push(self, doc, score);
    }

    fn value(value: &Bound<'_, PyAny>) -> Option<f64> {
        let score = if let Ok(score) = value.cast::<PyFloat>() {
            score.value()
        } else if is_numpy(value, "float32") {
            value.extract().ok()?
        } else {
            let score = whole(value)?;
            if score.abs() >= GREATEST {
                return None;
            }
            score as f64
        };
        score.is_finite().then_some(score)
    }

    fn listed(place: usize, count: usize) -> f64 {
        (count - place) as f64
    }

    fn finish(self, name: &str) -> Result<Run, ReadError> {
        RunRows::finish(self, name)
    }

    fn of_file(made: Run, fingerprint: u128) -> Run {
        made.with_fingerprint(fingerprint)
    }
}

/// Rows of `{query: {document: value}}`, `{query: [document]}` or `{query: {document}}`.
pub fn nested<R: Rows>(data: &Bound<'_, PyDict>, name: &str) -> Option<R::Made> {
    let mut rows = R::default();
    for (query, inner) in data.iter() {
        if !with_id(&query, |id| rows.query(id))? {
            return None;
        }
        if let Some(documents) = plain_dict(&inner) {
            for (doc, value) in documents.iter() {
                let value = R::value(&value)?;
                with_id(&doc, |id| rows.push(id, value))?;
            }
        } else if let Ok(list) = inner.cast::<PyList>() {
            listed(&mut rows, list.iter())?;
        } else if let Ok(list) = inner.cast::<PyTuple>() {
            listed(&mut rows, list.iter())?;
        } else if let Ok(set) = inner.cast::<PySet>() {
            members(&mut rows, set.iter())?;
        } else if let Ok(set) = inner.cast::<PyFrozenSet>() {
            members(&mut rows, set.iter())?;
        } else {
            return None;
        }
    }
    rows.finish(name).ok()
}

/// Rows of three columns of queries, documents and values, and queries without any; an error where they contradict each
/// other.
pub fn cells<R: Rows>(
    name: &str,
    columns: [&Bound<'_, PyList>; 3],
    empty: Option<&Bound<'_, PyList>>,
    fingerprint: Option<&str>,
) -> PyResult<Option<R::Made>> {
    let Some(rows) = collected::<R>(columns, empty) else {
        return Ok(None);
    };
    made::<R>(rows.finish(name), fingerprint).map(Some)
}

fn collected<R: Rows>(
    [queries, docs, values]: [&Bound<'_, PyList>; 3],
    empty: Option<&Bound<'_, PyList>>,
) -> Option<R> {
    let mut rows = R::default();
    let mut last: Option<Bound<'_, PyAny>> = None;
    for ((query, doc), value) in queries.iter().zip(docs.iter()).zip(values.iter()) {
        if !last.as_ref().is_some_and(|last| last.is(&query)) {
            with_id(&query, |id| rows.query(id))?;
            last = Some(query);
        }
        let value = R::value(&value)?;
        with_id(&doc, |id| rows.push(id, value))?;
    }
    for query in empty.into_iter().flatten() {
        with_id(&query, |id| rows.query(id))?;
    }
    Some(rows)
}

/// Rows of two columns of ids, each one text with NUL bytes between them, and an array of values.
pub fn columns<R: Rows>(
    py: Python<'_>,
    name: &str,
    [queries, docs]: [&[u8]; 2],
    values: &[R::Value],
    fingerprint: Option<&str>,
) -> PyResult<R::Made> {
    let finished = call(py, || {
        let mut rows = R::default();
        let queries = ids(queries, values.len())?;
        for ((query, doc), &value) in queries.zip(ids(docs, values.len())?).zip(values) {
            rows.query(query);
            rows.push(doc, value);
        }
        Some(rows.finish(name))
    })?;
    let finished = finished.ok_or_else(|| {
        PyValueError::new_err("ids must be as many as rows, not empty, and separated by NUL bytes")
    })?;
    made::<R>(finished, fingerprint)
}

/// The rows with the fingerprint of their file, written in hexadecimal, if there is one.
fn made<R: Rows>(
    finished: Result<R::Made, ReadError>,
    fingerprint: Option<&str>,
) -> PyResult<R::Made> {
    let made = finished.map_err(refuse)?;
    let Some(text) = fingerprint else {
        return Ok(made);
    };
    let fingerprint = u128::from_str_radix(text, 16).map_err(|_| {
        PyValueError::new_err("fingerprint must be a hexadecimal number of 128 bits")
    })?;
    Ok(R::of_file(made, fingerprint))
}

fn listed<'py, R: Rows>(
    rows: &mut R,
    docs: impl ExactSizeIterator<Item = Bound<'py, PyAny>>,
) -> Option<()> {
    let count = docs.len();
    for (place, doc) in docs.enumerate() {
        with_id(&doc, |id| rows.push(id, R::listed(place, count)))?;
    }
    Some(())
}

/// Members of a set, sorted, as sets have no order of their own.
fn members<'py, R: Rows>(
    rows: &mut R,
    docs: impl Iterator<Item = Bound<'py, PyAny>>,
) -> Option<()> {
    let value = R::MEMBER?;
    let mut ids = Vec::new();
    for doc in docs {
        ids.push(with_id(&doc, <[u8]>::to_vec)?);
    }
    ids.sort_unstable();
    for id in ids {
        rows.push(&id, value);
    }
    Some(())
}

/// A dict whose items are those that it shows: of a subclass, one that iterates as dict does.
fn plain_dict<'a, 'py>(data: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyDict>> {
    let dict = data.cast::<PyDict>().ok()?;
    if dict.is_exact_instance_of::<PyDict>() {
        return Some(dict);
    }
    let name = intern!(dict.py(), "items");
    let own = dict.get_type().getattr(name).ok()?;
    let usual = PyType::new::<PyDict>(dict.py()).getattr(name).ok()?;
    own.is(&usual).then_some(dict)
}

/// Calls `with` on the bytes of an id: those of a text in UTF-8, of bytes, of the digits of a whole number.
fn with_id<T>(id: &Bound<'_, PyAny>, with: impl FnOnce(&[u8]) -> T) -> Option<T> {
    if let Ok(text) = id.cast::<PyString>() {
        return checked(text.to_str().ok()?.as_bytes(), with);
    }
    if let Ok(bytes) = id.cast::<PyBytes>() {
        return checked(bytes.as_bytes(), with);
    }
    checked(whole(id)?.to_string().as_bytes(), with)
}

fn checked<T>(id: &[u8], with: impl FnOnce(&[u8]) -> T) -> Option<T> {
    (!id.is_empty() && !id.contains(&0)).then(|| with(id))
}

/// A whole number of Python or NumPy; a truth value is none.
fn whole(value: &Bound<'_, PyAny>) -> Option<i64> {
    if value.is_exact_instance_of::<PyInt>() || is_numpy(value, "integer") {
        value.extract().ok()
    } else {
        None
    }
}

fn is_numpy(value: &Bound<'_, PyAny>, name: &str) -> bool {
    static INTEGER: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static FLOAT32: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let kept = if name == "integer" {
        &INTEGER
    } else {
        &FLOAT32
    };
    let kind = kept.import(value.py(), "numpy", name);
    kind.is_ok_and(|kind| value.is_instance(kind).unwrap_or(false))
}
