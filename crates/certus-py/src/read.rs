//! Reading qrels and runs.

use std::path::PathBuf;

use certus_core::read::{self, Dialect, Notes, ReadError, Rule, TieOrder};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::call::call;
use crate::ranking::new_arrays;
use crate::rows;

fn refuse(error: ReadError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A file's fingerprint, written in hexadecimal.
fn of_file(fingerprint: Option<&str>) -> PyResult<Option<u128>> {
    let parsed = fingerprint
        .map(|text| u128::from_str_radix(text, 16))
        .transpose();
    parsed
        .map_err(|_| PyValueError::new_err("fingerprint must be a hexadecimal number of 128 bits"))
}

/// The error for a column of ids that holds another number of them than there are rows, or an empty one.
fn no_ids() -> PyErr {
    PyValueError::new_err("ids must be as many as rows, not empty, and separated by NUL bytes")
}

fn tie_order(name: &str) -> PyResult<TieOrder> {
    match name {
        "trec" => Ok(TieOrder::Trec),
        "input" => Ok(TieOrder::Input),
        _ => Err(PyValueError::new_err(format!(
            "ties is '{name}'; it must be 'trec' or 'input'"
        ))),
    }
}

/// Relevance judgments, grouped by query.
#[pyclass(frozen, module = "certus._core")]
pub struct Qrels(read::Qrels);

#[pymethods]
impl Qrels {
    #[staticmethod]
    #[pyo3(signature = (path, name, *, lenient=false, comments=false))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        name: &str,
        lenient: bool,
        comments: bool,
    ) -> PyResult<Self> {
        let dialect = Dialect { lenient, comments };
        call(py, || read::Qrels::read(&path, name, dialect))?
            .map(Self)
            .map_err(refuse)
    }

    #[staticmethod]
    fn from_nested(data: &Bound<'_, PyDict>, name: &str) -> Option<Self> {
        rows::nested::<read::QrelsRows>(data, name).map(Self)
    }

    #[staticmethod]
    #[pyo3(signature = (name, queries, docs, grades, fingerprint=None))]
    fn from_cells(
        name: &str,
        queries: &Bound<'_, PyList>,
        docs: &Bound<'_, PyList>,
        grades: &Bound<'_, PyList>,
        fingerprint: Option<&str>,
    ) -> PyResult<Option<Self>> {
        let made = rows::cells::<read::QrelsRows>(name, queries, docs, grades, None);
        let Some(made) = made.transpose().map_err(refuse)? else {
            return Ok(None);
        };
        Ok(Some(Self(match of_file(fingerprint)? {
            Some(fingerprint) => made.with_fingerprint(fingerprint),
            None => made,
        })))
    }

    /// Judgments from columns: ids as one text each, separated by NUL bytes.
    #[staticmethod]
    #[pyo3(signature = (name, queries, docs, grades, fingerprint=None))]
    fn from_columns(
        py: Python<'_>,
        name: &str,
        queries: &[u8],
        docs: &[u8],
        grades: PyReadonlyArray1<'_, i32>,
        fingerprint: Option<&str>,
    ) -> PyResult<Self> {
        let grades = grades.as_slice()?;
        let made = call(py, || {
            let ids = |text| read::ids(text, grades.len());
            let rows = ids(queries)?.zip(ids(docs)?).zip(grades);
            Some(read::Qrels::from_rows(
                name,
                rows.map(|((query, doc), &grade)| (query, doc, grade)),
            ))
        })?;
        let made = made.ok_or_else(no_ids)?.map_err(refuse)?;
        Ok(Self(match of_file(fingerprint)? {
            Some(fingerprint) => made.with_fingerprint(fingerprint),
            None => made,
        }))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn fingerprint(&self) -> String {
        format!("{:032x}", self.0.fingerprint())
    }

    #[getter]
    fn negative(&self) -> usize {
        self.0.negative()
    }

    #[getter]
    fn normalised(&self) -> u32 {
        self.0.normalised()
    }

    fn queries<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.0
            .queries()
            .iter()
            .map(|query| PyBytes::new(py, query))
            .collect()
    }

    fn rows<'py>(&self, py: Python<'py>) -> Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, i32)> {
        self.0
            .rows()
            .map(|(query, doc, grade)| (PyBytes::new(py, query), PyBytes::new(py, doc), grade))
            .collect()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// A run held in memory.
#[pyclass(frozen, module = "certus._core")]
pub struct Run(read::Run);

#[pymethods]
impl Run {
    #[staticmethod]
    #[pyo3(signature = (path, name, *, lenient=false, comments=false))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        name: &str,
        lenient: bool,
        comments: bool,
    ) -> PyResult<Self> {
        let dialect = Dialect { lenient, comments };
        call(py, || read::Run::read(&path, name, dialect))?
            .map(Self)
            .map_err(refuse)
    }

    #[staticmethod]
    fn from_nested(data: &Bound<'_, PyDict>, name: &str) -> Option<Self> {
        rows::nested::<read::RunRows>(data, name).map(Self)
    }

    #[staticmethod]
    #[pyo3(signature = (name, queries, docs, scores, fingerprint=None, empty=None))]
    fn from_cells(
        name: &str,
        queries: &Bound<'_, PyList>,
        docs: &Bound<'_, PyList>,
        scores: &Bound<'_, PyList>,
        fingerprint: Option<&str>,
        empty: Option<&Bound<'_, PyList>>,
    ) -> PyResult<Option<Self>> {
        let made = rows::cells::<read::RunRows>(name, queries, docs, scores, empty);
        let Some(made) = made.transpose().map_err(refuse)? else {
            return Ok(None);
        };
        Ok(Some(Self(match of_file(fingerprint)? {
            Some(fingerprint) => made.with_fingerprint(fingerprint),
            None => made,
        })))
    }

    /// A run from columns: ids as one text each, separated by NUL bytes, and the ranks stated, if any.
    #[staticmethod]
    #[pyo3(signature = (name, queries, docs, scores, ranks=None, fingerprint=None))]
    fn from_columns(
        py: Python<'_>,
        name: &str,
        queries: &[u8],
        docs: &[u8],
        scores: PyReadonlyArray1<'_, f64>,
        ranks: Option<PyReadonlyArray1<'_, u32>>,
        fingerprint: Option<&str>,
    ) -> PyResult<Self> {
        let scores = scores.as_slice()?;
        let ranks = ranks.as_ref().map(|ranks| ranks.as_slice()).transpose()?;
        let made = call(py, || {
            let ids = |text| read::ids(text, scores.len());
            let rows = ids(queries)?.zip(ids(docs)?).zip(scores);
            Some(read::Run::from_rows(
                name,
                rows.map(|((query, doc), &score)| (query, doc, score)),
            ))
        })?;
        let mut made = made.ok_or_else(no_ids)?.map_err(refuse)?;
        if let Some(ranks) = ranks {
            made = made.with_ranks(ranks);
        }
        Ok(Self(match of_file(fingerprint)? {
            Some(fingerprint) => made.with_fingerprint(fingerprint),
            None => made,
        }))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn fingerprint(&self) -> String {
        format!("{:032x}", self.0.fingerprint())
    }

    #[getter]
    fn tag<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.tag())
    }

    fn queries<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.0
            .queries()
            .map(|query| PyBytes::new(py, query))
            .collect()
    }

    fn rows<'py>(&self, py: Python<'py>) -> Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, f64)> {
        self.0
            .rows()
            .map(|(query, doc, score)| (PyBytes::new(py, query), PyBytes::new(py, doc), score))
            .collect()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// A run reduced to the ranks and grades of its judged documents.
#[pyclass(frozen, get_all, module = "certus._core")]
pub struct Ranked {
    queries: Vec<Py<PyAny>>,
    columns: Py<PyTuple>,
    all_equal: Py<PyArray1<bool>>,
    rounded: Py<PyArray1<u32>>,
    discordant: Py<PyArray1<u32>>,
    concordant: Py<PyArray1<u32>>,
    normalised: Py<PyArray1<u32>>,
    only_in_run: Vec<Py<PyAny>>,
    missing: Vec<Py<PyAny>>,
    tag: Py<PyBytes>,
    /// Two tags that differ, or none.
    tags: Vec<Py<PyBytes>>,
    fingerprint: String,
}

/// An id as a string; bytes that are not UTF-8 become lone surrogates, as in Python's file names.
fn text(py: Python<'_>, id: &[u8]) -> PyResult<Py<PyAny>> {
    match std::str::from_utf8(id) {
        Ok(id) => Ok(PyString::new(py, id).into_any().unbind()),
        Err(_) => Ok(PyBytes::new(py, id)
            .call_method1("decode", ("utf-8", "surrogateescape"))?
            .unbind()),
    }
}

impl Ranked {
    fn new(py: Python<'_>, qrels: &read::Qrels, ranked: read::Ranked) -> PyResult<Self> {
        let names = |positions: &[usize]| -> PyResult<Vec<Py<PyAny>>> {
            let ids = positions.iter().filter_map(|&q| qrels.queries().get(q));
            ids.map(|id| text(py, id)).collect()
        };
        let notes = |of: fn(&Notes) -> u32| {
            ranked
                .notes
                .iter()
                .map(of)
                .collect::<Vec<_>>()
                .into_pyarray(py)
                .unbind()
        };
        Ok(Self {
            queries: names(&ranked.queries)?,
            missing: names(&ranked.missing)?,
            only_in_run: ranked
                .only_in_run
                .iter()
                .map(|id| text(py, id))
                .collect::<PyResult<_>>()?,
            tag: PyBytes::new(py, &ranked.tag).unbind(),
            tags: ranked
                .tags
                .differing()
                .into_iter()
                .flat_map(|(one, other)| [one, other])
                .map(|tag| PyBytes::new(py, tag).unbind())
                .collect(),
            fingerprint: format!("{:032x}", ranked.fingerprint),
            all_equal: ranked
                .notes
                .iter()
                .map(|n| n.all_equal)
                .collect::<Vec<_>>()
                .into_pyarray(py)
                .unbind(),
            rounded: notes(|n| n.rounded),
            discordant: notes(|n| n.discordant),
            concordant: notes(|n| n.concordant),
            normalised: notes(|n| n.normalised),
            columns: new_arrays(py, ranked.columns).into_pyobject(py)?.unbind(),
        })
    }
}

#[pyfunction]
#[pyo3(signature = (qrels, path, name, *, ties="trec", float32=false, lenient=false, comments=false, all=false))]
#[allow(clippy::too_many_arguments)]
pub fn rank_file(
    py: Python<'_>,
    qrels: &Qrels,
    path: PathBuf,
    name: &str,
    ties: &str,
    float32: bool,
    lenient: bool,
    comments: bool,
    all: bool,
) -> PyResult<Ranked> {
    let rule = Rule {
        ties: tie_order(ties)?,
        float32,
    };
    let dialect = Dialect { lenient, comments };
    let ranked = call(py, || {
        read::rank_file(&qrels.0, &path, name, rule, dialect, all)
    })?
    .map_err(refuse)?;
    Ranked::new(py, &qrels.0, ranked)
}

#[pyfunction]
#[pyo3(signature = (qrels, run, *, ties="trec", float32=false, all=false))]
pub fn rank_run(
    py: Python<'_>,
    qrels: &Qrels,
    run: &Run,
    ties: &str,
    float32: bool,
    all: bool,
) -> PyResult<Ranked> {
    let rule = Rule {
        ties: tie_order(ties)?,
        float32,
    };
    let ranked = call(py, || read::rank_run(&qrels.0, &run.0, rule, all))?;
    Ranked::new(py, &qrels.0, ranked)
}

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
