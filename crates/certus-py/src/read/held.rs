//! Qrels and runs held in memory.

use std::path::PathBuf;

use certus_core::read::{self, Dialect};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use super::{refuse, rows};
use crate::call::call;

/// Relevance judgments, grouped by query.
#[pyclass(frozen, module = "certus._core")]
pub struct Qrels(pub(super) read::Qrels);

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
        let made = rows::cells::<read::QrelsRows>(name, [queries, docs, grades], None, fingerprint);
        Ok(made?.map(Self))
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
        rows::columns::<read::QrelsRows>(py, name, [queries, docs], grades, fingerprint).map(Self)
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
pub struct Run(pub(super) read::Run);

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
        let made = rows::cells::<read::RunRows>(name, [queries, docs, scores], empty, fingerprint);
        Ok(made?.map(Self))
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
        let made = rows::columns::<read::RunRows>(py, name, [queries, docs], scores, fingerprint)?;
        Ok(Self(match &ranks {
            Some(ranks) => made.with_ranks(ranks.as_slice()?),
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
